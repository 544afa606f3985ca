//! What a coordinate feels of a whole robot that is free to move otherwise.

use carom_geometry::MassProperties;
use carom_math::Vec3;
use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::mass::total;
use super::robot::{JointKind, Motion, Robot, Term};

/// A freedom: the joint it is of, and how it moves what that carries.
struct Freedom {
    joint: usize,
    /// Place among the joint's velocities.
    place: usize,
    /// Its scalar coordinate, if it has one.
    axis: Option<usize>,
    motion: Motion,
    point: Vec3,
    direction: Vec3,
}

/// A robot's mass matrix at the present poses: a block for each tree of joints, as trees do not feel each other.
pub(super) struct Inertia {
    freedoms: Vec<Freedom>,
    trees: Vec<Tree>,
}

/// The freedoms of a tree, and the factors of its block.
struct Tree {
    freedoms: Vec<usize>,
    factors: LU<f64, Dyn, Dyn>,
}

impl Inertia {
    pub(super) fn of(robot: &Robot) -> Self {
        let freedoms = freedoms_of(robot);
        let trees = trees_of(robot, &freedoms);
        let blocks = mass_blocks(robot, &freedoms, &trees);
        let trees =
            trees.into_iter().zip(blocks).map(|(freedoms, block)| Tree { freedoms, factors: block.lu() });
        Self { trees: trees.collect(), freedoms }
    }

    /// 1/(c M⁻¹ cᵀ), with the factors c of some coordinates; of one, with a factor of 1: 1/(M⁻¹)ₖₖ (kg m² or kg).
    pub(super) fn felt_by(&self, terms: &[Term]) -> f64 {
        self.felt_along(|k| {
            let f = &self.freedoms[k];
            let own = terms.iter().filter(|t| (f.joint, f.place) == (t.joint, t.axis));
            own.map(|t| t.factor).sum::<f64>()
        })
    }

    /// What each rotation of a joint feels (kg m²), with the axis that it is about.
    pub(super) fn felt_by_turns(&self, joint: usize) -> impl Iterator<Item = (Option<usize>, f64)> + '_ {
        let turns = move |(_, f): &(usize, &Freedom)| f.joint == joint && f.motion == Motion::Turn;
        let own = self.freedoms.iter().enumerate().filter(turns);
        own.map(|(k, f)| (f.axis, self.felt_along(|other| if other == k { 1.0 } else { 0.0 })))
    }

    /// The same with a factor for each freedom; 0 where all are, or where a tree has no inertia.
    fn felt_along(&self, factor: impl Fn(usize) -> f64) -> f64 {
        let mut mobility = 0.0;
        for tree in &self.trees {
            let factors =
                DVector::from_iterator(tree.freedoms.len(), tree.freedoms.iter().map(|&k| factor(k)));
            if factors.iter().all(|c| *c == 0.0) {
                continue;
            }
            let Some(answer) = tree.factors.solve(&factors) else { return 0.0 };
            mobility += factors.dot(&answer);
        }
        if mobility == 0.0 { 0.0 } else { 1.0 / mobility }
    }
}

/// Freedoms by the joint that their tree hangs on, in the order of their first ones.
fn trees_of(robot: &Robot, freedoms: &[Freedom]) -> Vec<Vec<usize>> {
    let mut tree_of_root = vec![None; robot.joints.len()];
    let mut trees: Vec<Vec<usize>> = Vec::new();
    for (k, f) in freedoms.iter().enumerate() {
        let root = carriers_of(robot, robot.joints[f.joint].a).last().copied().unwrap_or(f.joint);
        let tree = *tree_of_root[root].get_or_insert_with(|| {
            trees.push(Vec::new());
            trees.len() - 1
        });
        trees[tree].push(k);
    }
    trees
}

fn mass_blocks(robot: &Robot, freedoms: &[Freedom], trees: &[Vec<usize>]) -> Vec<DMatrix<f64>> {
    // Of each freedom the tree, and the place in it.
    let mut places = vec![(0, 0); freedoms.len()];
    for (tree, own) in trees.iter().enumerate() {
        own.iter().enumerate().for_each(|(place, &k)| places[k] = (tree, place));
    }
    let mut blocks: Vec<_> = trees.iter().map(|own| DMatrix::<f64>::zeros(own.len(), own.len())).collect();
    for (k, link) in robot.links.iter().enumerate().filter(|(_, link)| link.has_mass()) {
        let solid = total(link).transformed(&link.pose);
        let carriers = carriers_of(robot, k);
        let columns: Vec<((usize, usize), Vec3, Vec3)> = freedoms
            .iter()
            .enumerate()
            .filter(|(_, f)| carriers.contains(&f.joint))
            .map(|(index, f)| match f.motion {
                Motion::Turn => (places[index], f.direction.cross(&(solid.com - f.point)), f.direction),
                Motion::Shift => (places[index], f.direction, Vec3::zeros()),
            })
            .collect();
        // What carries one link is in one tree.
        for ((tree, i), v, omega) in &columns {
            for ((_, j), w, spin) in &columns {
                blocks[*tree][(*i, *j)] += solid.mass * v.dot(w) + omega.dot(&(solid.inertia * spin));
            }
        }
    }
    for ((tree, place), f) in places.into_iter().zip(freedoms) {
        let joint = &robot.joints[f.joint];
        blocks[tree][(place, place)] +=
            f.axis.map_or(joint.uniform.armature, |axis| joint.axes[axis].armature);
    }
    blocks
}

/// Most that the weight of what a coordinate carries can do along it, however the robot is turned (N m or N).
pub(super) fn greatest_load(robot: &Robot, term: &Term, gravity: f64) -> f64 {
    let freedoms = freedoms_of(robot);
    let is_carried = |k: usize| carriers_of(robot, k).contains(&term.joint);
    let links = robot.links.iter().enumerate().filter(|(k, link)| link.has_mass() && is_carried(*k));
    let solids: Vec<MassProperties> = links.map(|(_, link)| total(link).transformed(&link.pose)).collect();
    let Some(f) = freedoms.iter().find(|f| (f.joint, f.axis) == (term.joint, Some(term.axis))) else {
        return 0.0;
    };
    if solids.is_empty() {
        return 0.0;
    }
    let whole = MassProperties::combine(&solids);
    let lever = match f.motion {
        Motion::Turn => (whole.com - f.point).cross(&f.direction).norm(),
        Motion::Shift => 1.0,
    };
    whole.mass * gravity * lever
}

fn freedoms_of(robot: &Robot) -> Vec<Freedom> {
    let mut all = Vec::new();
    for (joint, data) in robot.joints.iter().enumerate().filter(|(_, j)| !j.cut) {
        let mut frame = robot.links[data.a].pose.compose(&data.frame_a);
        for (axis, a) in data.axes.iter().enumerate() {
            let direction = frame.rotation * a.direction;
            let point = frame.translation;
            all.push(Freedom { joint, place: axis, axis: Some(axis), motion: a.motion, point, direction });
            frame = frame.compose(&a.pose_at(a.start));
        }
        let motions: &[Motion] = match data.kind {
            JointKind::Spherical => &[Motion::Turn],
            JointKind::Free => &[Motion::Shift, Motion::Turn],
            _ => &[],
        };
        let turned = robot.links[data.b].pose.rotation * data.frame_b.rotation;
        for (k, motion) in motions.iter().enumerate() {
            let axes = if *motion == Motion::Turn { turned } else { frame.rotation };
            for (place, direction) in (3 * k..).zip(axes.column_iter()) {
                let (point, direction) = (frame.translation, direction.into_owned());
                all.push(Freedom { joint, place, axis: None, motion: *motion, point, direction });
            }
        }
    }
    all
}

/// Joints between a link and the world, its own first.
pub(super) fn carriers_of(robot: &Robot, mut link: usize) -> Vec<usize> {
    let mut carriers = Vec::new();
    while let Some(joint) = robot.joints.iter().position(|j| j.b == link && !j.cut) {
        carriers.push(joint);
        link = robot.joints[joint].a;
    }
    carriers
}

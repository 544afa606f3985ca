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

/// A robot's mass matrix at the present poses.
pub(super) struct Inertia {
    freedoms: Vec<Freedom>,
    factors: LU<f64, Dyn, Dyn>,
}

impl Inertia {
    pub(super) fn of(robot: &Robot) -> Self {
        let freedoms = freedoms_of(robot);
        let factors = mass_matrix(robot, &freedoms).lu();
        Self { freedoms, factors }
    }

    /// 1/(c M⁻¹ cᵀ), with the factors c of some coordinates; of one, with a factor of 1: 1/(M⁻¹)ₖₖ (kg m² or kg).
    pub(super) fn felt_by(&self, terms: &[Term]) -> f64 {
        let mut factors = DVector::zeros(self.freedoms.len());
        for (k, f) in self.freedoms.iter().enumerate() {
            let own = terms.iter().filter(|t| (f.joint, f.place) == (t.joint, t.axis));
            factors[k] = own.map(|t| t.factor).sum::<f64>();
        }
        if factors.iter().all(|c| *c == 0.0) { 0.0 } else { self.felt_along(&factors) }
    }

    /// What each rotation of a joint feels (kg m²), with the axis that it is about.
    pub(super) fn felt_by_turns(&self, joint: usize) -> impl Iterator<Item = (Option<usize>, f64)> + '_ {
        let turns = move |(_, f): &(usize, &Freedom)| f.joint == joint && f.motion == Motion::Turn;
        self.freedoms.iter().enumerate().filter(turns).map(|(k, f)| {
            let mut factors = DVector::zeros(self.freedoms.len());
            factors[k] = 1.0;
            (f.axis, self.felt_along(&factors))
        })
    }

    fn felt_along(&self, factors: &DVector<f64>) -> f64 {
        self.factors.solve(factors).map_or(0.0, |answer| 1.0 / factors.dot(&answer))
    }
}

fn mass_matrix(robot: &Robot, freedoms: &[Freedom]) -> DMatrix<f64> {
    let n = freedoms.len();
    let mut m = DMatrix::<f64>::zeros(n, n);
    for (k, link) in robot.links.iter().enumerate().filter(|(_, link)| link.has_mass()) {
        let solid = total(link).transformed(&link.pose);
        let carriers = carriers_of(robot, k);
        let columns: Vec<(usize, Vec3, Vec3)> = freedoms
            .iter()
            .enumerate()
            .filter(|(_, f)| carriers.contains(&f.joint))
            .map(|(index, f)| match f.motion {
                Motion::Turn => (index, f.direction.cross(&(solid.com - f.point)), f.direction),
                Motion::Shift => (index, f.direction, Vec3::zeros()),
            })
            .collect();
        for (i, v, omega) in &columns {
            for (j, w, spin) in &columns {
                m[(*i, *j)] += solid.mass * v.dot(w) + omega.dot(&(solid.inertia * spin));
            }
        }
    }
    for (k, f) in freedoms.iter().enumerate() {
        let joint = &robot.joints[f.joint];
        m[(k, k)] += f.axis.map_or(joint.uniform.armature, |axis| joint.axes[axis].armature);
    }
    m
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

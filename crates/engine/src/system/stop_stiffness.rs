//! Stiffness of stops that state none: by what a joint moves, how far the limits let it go, and what drives it there. Nothing else in
//! the model counts: a sticker on a robot, or a shot somewhere beside it, leaves its stops as they are. Nor does it matter
//! which body a joint names first, or which joint of a loop is cut.

use carom_math::Vec3;

use super::assemblies::Assemblies;
use super::scales::UNKNOWN_SIZE;
use super::stop_press::push_at_bounds;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::{Mechanics, Workspace};
use crate::model::{AxisLimit, AxisMeasure, JointKind, Model};

/// Indentation over the size of what is moved, a radian, or the width between two limits, whichever is least.
const STOP_INDENTATION: f64 = 0.01;

/// Gravity (m/s²) by which speeds are guessed where there is less: what is weightless is moved by something all the same.
const EARTH: f64 = 9.81;

/// A mechanism at its start, of which stops are asked.
pub(super) struct StopStiffness<'a> {
    model: &'a Model,
    mechanics: &'a Mechanics,
    workspace: Workspace<'a>,
    /// What each body is one with; all that does not move is one with the world, which is the last.
    nodes: Vec<usize>,
    /// Joints of each of these, and what is at their other ends.
    joints_of: Vec<Vec<(usize, usize)>>,
}

/// What a joint moves.
#[derive(Clone, Copy)]
struct Side {
    mass: f64,
    /// Root mean square distance of the mass from its centre (m).
    size: f64,
}

impl<'a> StopStiffness<'a> {
    pub(super) fn at_start(model: &'a Model, mechanics: &'a Mechanics) -> Self {
        let world = model.bodies.len();
        let moving = Assemblies::of_model(model).moving(model);
        let nodes: Vec<usize> = moving.into_iter().map(|node| node.unwrap_or(world)).collect();
        let mut joints_of = vec![Vec::new(); world + 1];
        for (index, joint) in model.joints.iter().enumerate() {
            let [a, b] = [nodes[joint.a.body], nodes[joint.b.body]];
            // A free joint holds nothing.
            if joint.kind != JointKind::Free {
                joints_of[a].push((index, b));
                joints_of[b].push((index, a));
            }
        }
        Self { model, mechanics, workspace: Workspace::at_start(mechanics), nodes, joints_of }
    }

    /// Inertia that resists along a joint coordinate, with all others free (kg or kg m²).
    pub(super) fn inertia_along(&mut self, joint: usize, axis: usize) -> f64 {
        let inverse = self.workspace.inverse_mass_of_axis(joint, axis);
        if inverse > 0.0 { 1.0 / inverse } else { 1.0 }
    }

    /// Stiffness with which the inertia of a coordinate, as fast as after a fall through its size or as it starts, goes that indentation
    /// beyond the limit, and what pushes it there, if stated, holds it no deeper.
    pub(super) fn of(
        &self,
        [joint, axis]: [usize; 2],
        limit: &AxisLimit,
        exponent: f64,
        inertia: f64,
    ) -> f64 {
        let sides = self.sides(joint);
        let bounds = [limit.lower.unwrap_or(f64::NEG_INFINITY), limit.upper.unwrap_or(f64::INFINITY)];
        let width = bounds[1] - bounds[0];
        let gravity = self.model.gravity.norm().max(EARTH);
        let (_, rates) = joint_axes(&self.workspace.here(), joint);
        let (way, fallen) = match self.mechanics.joints[joint].kind.axes()[axis] {
            AxisMeasure::Length => {
                let way = sides.iter().map(|side| side.size).fold(UNKNOWN_SIZE, f64::min).min(width);
                (way, gravity * way)
            }
            AxisMeasure::Angle => {
                // A rotor is felt as if the body had its inertia.
                let mass = sides.iter().map(|side| side.mass).fold(f64::INFINITY, f64::min);
                let radius = known((inertia / mass).sqrt());
                let way = width.min(1.0);
                (way, gravity * way / radius)
            }
        };
        let depth = STOP_INDENTATION * way;
        let squared = fallen.max(rates[axis] * rates[axis]);
        let n1 = exponent + 1.0;
        let by_impact = 0.5 * n1 * inertia * squared / libm::pow(depth, n1);
        let push = push_at_bounds(self.model, &self.workspace.here(), [joint, axis], bounds);
        by_impact.max(push / libm::pow(depth, exponent))
    }

    /// What hangs together on either side of a joint and on nothing fixed; of a joint in a loop, all that moves in loops with it.
    fn sides(&self, joint: usize) -> Vec<Side> {
        let data = &self.model.joints[joint];
        let ends = [self.nodes[data.a.body], self.nodes[data.b.body]];
        let hanging = ends.map(|end| self.reached(&[end], Some(joint), None));
        if hanging[0][ends[1]] {
            return vec![self.side(&self.in_loops_with(ends))];
        }
        let world = self.model.bodies.len();
        hanging.iter().filter(|side| !side[world]).map(|side| self.side(side)).collect()
    }

    /// What loops through a joint between these pass through: what nothing alone, if it were not there, would part from the joint.
    fn in_loops_with(&self, ends: [usize; 2]) -> Vec<bool> {
        let mut inside = vec![true; self.joints_of.len()];
        for without in 0..inside.len() {
            let rest: Vec<usize> = ends.into_iter().filter(|&end| end != without).collect();
            let reached = self.reached(&rest, None, Some(without));
            for node in (0..inside.len()).filter(|&node| node != without) {
                inside[node] &= reached[node];
            }
        }
        inside
    }

    /// What joints reach from here, without one of them, or without what is here.
    fn reached(&self, from: &[usize], joint: Option<usize>, node: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; self.joints_of.len()];
        let mut open = from.to_vec();
        for &start in from {
            seen[start] = true;
        }
        while let Some(here) = open.pop() {
            for &(index, other) in &self.joints_of[here] {
                if Some(index) != joint && Some(other) != node && !std::mem::replace(&mut seen[other], true) {
                    open.push(other);
                }
            }
        }
        seen
    }

    /// The bodies of these that move, as one.
    fn side(&self, nodes: &[bool]) -> Side {
        let world = self.model.bodies.len();
        let bodies: Vec<usize> =
            (0..world).filter(|&body| self.nodes[body] != world && nodes[self.nodes[body]]).collect();
        let place = |body: usize| self.workspace.bodies[body].pose.translation;
        let mass: f64 = bodies.iter().map(|&body| self.model.bodies[body].mass).sum();
        let sum: Vec3 = bodies.iter().map(|&body| place(body) * self.model.bodies[body].mass).sum();
        let centre = sum / mass;
        let own = |body: usize| {
            self.moment(body) + self.model.bodies[body].mass * (place(body) - centre).norm_squared()
        };
        let moment: f64 = bodies.iter().map(|&body| own(body)).sum();
        Side { mass, size: known((moment / mass).sqrt()) }
    }

    /// Half the trace of a body's inertia (kg m²), not taken for more than that of all its mass in the farthest point of its shapes: files
    /// of robots state inertias that a solver likes.
    fn moment(&self, body: usize) -> f64 {
        let body = &self.model.bodies[body];
        let reaches =
            body.shapes.iter().map(|s| (s.pose.translation - body.com).norm() + s.shape.bounding_radius());
        let stated = 0.5 * body.inertia.trace();
        reaches.reduce(f64::max).map_or(stated, |reach| stated.min(body.mass * reach * reach))
    }
}

/// A size, if it tells anything.
fn known(size: f64) -> f64 {
    if size > 0.0 { size.min(UNKNOWN_SIZE) } else { UNKNOWN_SIZE }
}

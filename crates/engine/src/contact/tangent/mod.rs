//! Tangents of contact forces, for the Jacobians of implicit integrators: the laws' derivatives in closed form, and
//! what the geometry adds to them.
//!
//! A contact knows poses and velocities of its bodies against each other only. So the wrench W on B is a function of the
//! displacement d of B against A, with the field of relative velocities held in space, and of the change e of
//! that field; both are twists at one point. `path` adds what freedoms that move A or B do to all of it.

mod actuator;
mod areal;
mod coupling;
mod element;
mod geometry;
pub(crate) mod jacobian;
mod path;
mod point;
mod region;
mod stop;
mod workspace;

use std::ops::Range;

use carom_math::{Twist, Vec3, Wrench};

use super::point_force::share_by_depth;
use super::{Evaluator, PointMotion};
use crate::system::PairSource;
use geometry::{PointRates, rates_by_differences, rates_halfway};
use point::{MotionChange, force_change};

pub(crate) use workspace::TangentWorkspace;

/// Wrench of a pair on B about a point, and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactTangent {
    /// The point, in world axes (m).
    at: Vec3,
    /// W: torque (N m) and force (N).
    wrench: Wrench,
    /// ∂W/∂d by column: rotation about x, y, z (1/rad), then displacement along x, y, z (1/m).
    pose: [Wrench; 6],
    /// ∂W/∂e by column: angular velocity (s/rad), then velocity (s/m).
    twist: [Wrench; 6],
}

impl ContactTangent {
    pub(super) fn at(at: Vec3) -> Self {
        Self { at, wrench: Wrench::ZERO, pose: [Wrench::ZERO; 6], twist: [Wrench::ZERO; 6] }
    }

    /// Adds another one about the same point.
    pub(super) fn add(&mut self, other: &Self) {
        self.wrench += other.wrench;
        for k in 0..6 {
            self.pose[k] += other.pose[k];
            self.twist[k] += other.twist[k];
        }
    }

    /// Change of the wrench with a displacement and a change of the relative velocity.
    fn change(&self, displacement: &Twist, velocity: &Twist) -> Wrench {
        let mut sum = Wrench::ZERO;
        for (columns, twist) in [(&self.pose, displacement), (&self.twist, velocity)] {
            for k in 0..3 {
                sum += columns[k] * twist.angular[k] + columns[k + 3] * twist.linear[k];
            }
        }
        sum
    }
}

/// A point that carries a share of a pair's force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadedPoint {
    slot: usize,
    motion: PointMotion,
    share: f64,
    /// Weight among the points that share the pair's stiffness; 0 if it has all of it.
    weight: f64,
    rates: PointRates,
}

/// Unit twists: rotations, then displacements.
fn unit_twist(column: usize) -> Twist {
    let mut unit = Twist::ZERO;
    if column < 3 {
        unit.angular[column] = 1.0;
    } else {
        unit.linear[column - 3] = 1.0;
    }
    unit
}

/// Tangent of the pair whose contacts are those active ones, at the state evaluated last.
fn pair_tangent(evaluator: &mut Evaluator<'_>, slots: Range<usize>) -> ContactTangent {
    if let Some(tangent) = areal::areal_tangent(evaluator, slots.start) {
        return tangent;
    }
    if let Some(tangent) = region::region_tangent(evaluator, slots.start) {
        return tangent;
    }
    let mut points = std::mem::take(&mut evaluator.loaded_points);
    points.clear();
    collect_loaded(evaluator, slots.clone(), &mut points);
    let mut tangent = ContactTangent::at(evaluator.forces[slots.start].point.position);
    for slot in slots.clone() {
        let force = &evaluator.forces[slot];
        let total = force.point.normal * force.normal + force.friction;
        let arm = force.point.position - tangent.at;
        tangent.wrench += Wrench::new(arm.cross(&total) + force.torque, total);
    }
    for column in 0..6 {
        let unit = unit_twist(column);
        tangent.pose[column] = wrench_change(evaluator, &slots, &points, &tangent.at, |p| {
            MotionChange::of_displacement(
                &p.motion,
                &unit.shifted(&(p.motion.position - tangent.at)).linear,
                (&p.rates.normal[column], &p.rates.position[column]),
                &relative_spin(evaluator, p.slot),
            )
        });
        tangent.twist[column] = wrench_change(evaluator, &slots, &points, &tangent.at, |p| {
            let velocity = unit.shifted(&(p.motion.position - tangent.at)).linear;
            MotionChange::of_velocity(&p.motion, &velocity, unit.angular)
        });
    }
    evaluator.loaded_points = points;
    tangent
}

/// Points that carry the contacts, with how they move.
fn collect_loaded(evaluator: &Evaluator<'_>, slots: Range<usize>, points: &mut Vec<LoadedPoint>) {
    let at = evaluator.forces[slots.start].point.position;
    for slot in slots {
        let contact = &evaluator.table.contacts[evaluator.contacts.active[slot]];
        let pair = &evaluator.table.pairs[contact.pair];
        let force = &evaluator.forces[slot];
        if pair.source.surfaces().is_none() {
            continue;
        }
        let manifold = &evaluator.manifold_points[force.points[0]..force.points[1]];
        if manifold.is_empty() {
            let rates = match &pair.source {
                PairSource::Surfaces(surfaces) => {
                    rates_by_differences(evaluator, surfaces, contact.feature, &at)
                }
                _ => rates_halfway(&force.point, &at),
            };
            let weight = pair.source.manifold_weight().map_or(0.0, |weight| weight(contact.feature));
            points.push(LoadedPoint { slot, motion: force.point, share: force.share, weight, rates });
        } else {
            let depth: f64 = manifold.iter().map(|p| p.weight * p.motion.gap.abs()).sum();
            points.extend(manifold.iter().map(|p| LoadedPoint {
                slot,
                motion: p.motion,
                share: share_by_depth(p.weight, p.motion.gap, depth, 1.0),
                weight: p.weight,
                rates: rates_halfway(&p.motion, &at),
            }));
        }
    }
}

/// Change of the pair's wrench about a point with changes of the motions of its points.
fn wrench_change(
    evaluator: &Evaluator<'_>,
    slots: &Range<usize>,
    points: &[LoadedPoint],
    at: &Vec3,
    change: impl Fn(&LoadedPoint) -> MotionChange,
) -> Wrench {
    let depth: f64 = points.iter().map(|p| p.weight * p.motion.gap.abs()).sum();
    let deepening = |p: &LoadedPoint| p.weight * p.motion.gap.signum() * change(p).gap;
    let deeper: f64 = if depth > 0.0 { points.iter().map(deepening).sum() } else { 0.0 };
    let mut sum = Wrench::ZERO;
    for slot in slots.clone() {
        let index = evaluator.contacts.active[slot];
        let data = &evaluator.table.contacts[index];
        let pair = &evaluator.table.pairs[data.pair];
        let memory = &evaluator.contacts.memory[index];
        let mut d_normal_force = 0.0;
        for p in points.iter().filter(|p| p.slot == slot) {
            let motion = change(p);
            // By the quotient rule from w |g| / Σ w |g|.
            let d_share = if depth > 0.0 { (deepening(p) - p.share * deeper) / depth } else { 0.0 };
            let force = force_change(data, pair, memory, (&p.motion, p.share), (&motion, d_share));
            let arm = p.motion.position - at;
            sum += Wrench::new(motion.position.cross(&force.total) + arm.cross(&force.change), force.change);
            d_normal_force += force.normal_change;
        }
        let force = &evaluator.forces[slot];
        // Rolling knows the contact as a whole; of a manifold its point nearest to the mean serves.
        let Some(first) = points.iter().find(|p| p.slot == slot) else { continue };
        let motion = change(first);
        let pressing = force.normal.max(0.0);
        let d_pressing = if force.normal > 0.0 { d_normal_force } else { 0.0 };
        sum.torque += pair.rolling.torque_change(
            (&relative_spin(evaluator, slot), &force.point.normal, pressing, -force.point.gap),
            (&motion.spin, &motion.normal, d_pressing, -motion.gap),
        );
    }
    sum
}

/// Angular velocity of B against A at an active contact.
fn relative_spin(evaluator: &Evaluator<'_>, slot: usize) -> Vec3 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[evaluator.contacts.active[slot]].pair];
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
    b - a
}

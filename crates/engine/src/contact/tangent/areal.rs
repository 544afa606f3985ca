//! Tangents of areal contact in closed form, element by element. With the base held still, what a motion of the target
//! does to an element by its penetration is of rank one: u changes by m·δx/(m·d), where its line meets the target's plane.

use carom_geometry::polygonal::{BaseElement, ElementHit};
use carom_math::{Mat3, Twist, Vec3, Wrench};

use super::{ContactTangent, unit_twist};
use crate::contact::Evaluator;
use crate::contact::areal::begin::PassMotion;
use crate::contact::areal::{PassWorkspace, active, in_pass};
use crate::contact::placed::Placed;
use crate::law::Friction;
use crate::system::{ArealPass, PairSource};

/// Tangent of the pair of an active contact, if it is an areal one.
pub(super) fn areal_tangent(evaluator: &Evaluator<'_>, slot: usize) -> Option<ContactTangent> {
    let contact = evaluator.contacts.active[slot];
    let index = evaluator.table.contacts[contact].pair;
    let pair = &evaluator.table.pairs[index];
    let PairSource::Areal(areal) = &pair.source else { return None };
    let workspace = evaluator.areal[index].as_ref()?;
    let placed =
        Placed::of(areal.meshes.surfaces, pair.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    let mut sum = ContactTangent::at(evaluator.forces[slot].point.position);
    let book = &evaluator.contacts.books[index];
    for (number, (pass, workspace)) in areal.passes.iter().zip(&workspace.passes).enumerate() {
        let placed = in_pass(pass, &placed);
        let motion = PassMotion::new(areal, &placed, Some(book), number);
        let tangent = pass_tangent(pass, &pair.friction, &placed, &motion, workspace, sum.at);
        sum.add(&tangent.scaled(1.0 / areal.passes.len() as f64));
    }
    Some(sum)
}

/// Of the wrench on B about `at`, in world axes.
fn pass_tangent(
    pass: &ArealPass,
    friction: &Friction,
    placed: &Placed<'_>,
    motion: &PassMotion<'_>,
    workspace: &PassWorkspace,
    at: Vec3,
) -> ContactTangent {
    let [x_wb, x_wt] = placed.poses;
    let r_bt = x_wb.rotation.tr_mul(&x_wt.rotation);
    let centre = x_wb.inverse_transform_point(&at);
    let mut target = ContactTangent::at(centre);
    for hit in active(&workspace.hits) {
        let element = workspace.element(pass, hit.element);
        add_element(pass, &element, friction, motion, &r_bt, hit, &mut target);
    }
    let target = target.turned(&x_wb.rotation, at);
    if pass.base_is_a {
        return target;
    }
    let r = &x_wb.rotation;
    target.of_base(&Twist::new(r * motion.now.spin, r * motion.now.at(&centre)))
}

/// What an element adds to the wrench on the target, in base axes.
fn add_element(
    pass: &ArealPass,
    element: &BaseElement,
    friction: &Friction,
    motion: &PassMotion<'_>,
    r_bt: &Mat3,
    hit: &ElementHit,
    sum: &mut ContactTangent,
) {
    let d = -element.normal;
    let share = pass.law.base_share;
    let meets = element.barycentre + d * hit.depth - sum.at;
    let arm = element.barycentre + d * (share * hit.depth) - sum.at;
    let velocity = motion.now.at(&(arm + sum.at));
    let approach = d.dot(&velocity);
    let slip = velocity - d * approach;
    // Constant for an element, whatever moves: it belongs to its place on the base.
    let began = motion.approach_at_begin(element);
    let load = element.area * pass.law.pressure(hit.depth, approach, began).total;
    let slopes = pass.law.slopes(hit.depth, approach, began);
    let [by_depth, by_speed] = slopes.map(|slope| slope * element.area);
    let pressing = load.max(0.0);
    let pulls = if load > 0.0 { 1.0 } else { 0.0 };
    let speed = slip.norm();
    let (ratio, bend) = (friction.ratio(speed), friction.slope(speed));
    let bend = if speed > 0.0 { bend / speed } else { 0.0 };
    let force = d * -load - slip * (pressing * ratio);
    sum.wrench += Wrench::new(arm.cross(&force), force);

    // Along the line: the load grows, the point moves into the base, and meets another slip there.
    let slip_grows = motion.now.spin.cross(&d) * share;
    let by_u = d * -by_depth
        - slip * (pulls * by_depth * ratio)
        - (slip_grows * ratio + slip * (bend * slip.dot(&slip_grows))) * pressing;
    let wrench_by_u = Wrench::new(arm.cross(&by_u) + (d * share).cross(&force), by_u);
    let plane = r_bt * pass.target.normal(hit.triangle);
    let plane = plane / plane.dot(&d);
    let lever = meets.cross(&plane);
    for k in 0..3 {
        sum.pose[k] += wrench_by_u * lever[k];
        sum.pose[k + 3] += wrench_by_u * plane[k];
    }

    // By the velocity at the point.
    let across = Mat3::identity() - d * d.transpose();
    let k = (d + slip * (pulls * ratio)) * d.transpose() * -by_speed
        - (across * ratio + slip * slip.transpose() * bend) * pressing;
    for column in 0..6 {
        let change = k * unit_twist(column).shifted(&arm).linear;
        sum.twist[column] += Wrench::new(arm.cross(&change), change);
    }
}

impl ContactTangent {
    fn scaled(mut self, factor: f64) -> Self {
        self.wrench = self.wrench * factor;
        self.pose.iter_mut().chain(&mut self.twist).for_each(|column| *column = *column * factor);
        self
    }

    /// The same in axes that are turned, about a point whose coordinates there are `at`.
    fn turned(&self, rotation: &Mat3, at: Vec3) -> Self {
        let turn = |columns: &[Wrench; 6]| {
            std::array::from_fn(|column| {
                // The column of a unit vector of the new axes is the sum over the old ones.
                let (block, axis) = (column / 3 * 3, column % 3);
                let sum = columns[block] * rotation[(axis, 0)]
                    + columns[block + 1] * rotation[(axis, 1)]
                    + columns[block + 2] * rotation[(axis, 2)];
                Wrench::new(rotation * sum.torque, rotation * sum.force)
            })
        };
        let wrench = Wrench::new(rotation * self.wrench.torque, rotation * self.wrench.force);
        Self { at, wrench, pose: turn(&self.pose), twist: turn(&self.twist) }
    }

    /// From the wrench on the target, with the target moved, to the wrench on the base, with the base moved and the field
    /// of relative velocities held in space; `field` is that of the target against the base. All is carried along
    /// with the base, and the target moved back.
    fn of_base(&self, field: &Twist) -> Self {
        let pose = std::array::from_fn(|column| {
            let unit = unit_twist(column);
            let (turn, shift) = (unit.angular, unit.linear);
            let carried = Twist::new(
                turn.cross(&field.angular),
                turn.cross(&field.linear) - field.angular.cross(&shift),
            );
            let along = Wrench::new(
                turn.cross(&self.wrench.torque) + shift.cross(&self.wrench.force),
                turn.cross(&self.wrench.force),
            );
            (along + self.change(&-unit, &-carried)) * -1.0
        });
        Self { at: self.at, wrench: self.wrench * -1.0, pose, twist: self.twist }
    }
}

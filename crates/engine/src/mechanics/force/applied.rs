use carom_math::{Vec3, Wrench};

use super::{Account, QUIET, origin};
use crate::function::TimeFunction;
use crate::mechanics::{Anchor, Configuration, LoadPoint};
use crate::model::ForceAxes;
use crate::record::ForceSample;

/// A force or torque on a body, by the functions of its components or as it was set.
pub(super) struct Applied<'a> {
    pub(super) on: &'a Anchor,
    pub(super) components: &'a [TimeFunction; 3],
    pub(super) axes: ForceAxes,
    pub(super) set: Option<[f64; 3]>,
}

/// What the function of a load gives here, if it has one.
pub(super) fn by_function(here: &Configuration<'_>, index: usize, on: &Anchor) -> Option<[f64; 3]> {
    let function = here.controls.functions[index].as_ref()?;
    let (_, position, velocity) = origin(here, on);
    let body = &here.bodies[on.body];
    Some(function.at(&LoadPoint {
        time: here.time,
        position,
        rotation: body.pose.rotation,
        velocity,
        angular_velocity: body.angular_velocity,
    }))
}

/// Components at the present time, in world axes.
fn components(here: &Configuration<'_>, load: &Applied<'_>) -> Vec3 {
    let Applied { on, components, axes, set } = load;
    let [x, y, z] = set.unwrap_or_else(|| components.each_ref().map(|f| f.value(here.time)));
    let local = Vec3::new(x, y, z);
    match *axes {
        ForceAxes::World => local,
        ForceAxes::Body => here.bodies[on.body].pose.rotation * (on.pose.rotation * local),
    }
}

/// A force at the attachment.
pub(super) fn force(
    here: &Configuration<'_>,
    load: &Applied<'_>,
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let (force, on) = (components(here, load), load.on);
    let (arm, _, velocity) = origin(here, on);
    wrenches[on.body] += Wrench::of_force(force, &arm);
    account.external += force.dot(&velocity);
    ForceSample { value: force.norm(), force, ..QUIET }
}

/// A torque on the body.
pub(super) fn torque(
    here: &Configuration<'_>,
    load: &Applied<'_>,
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let (torque, on) = (components(here, load), load.on);
    wrenches[on.body].torque += torque;
    account.external += torque.dot(&here.bodies[on.body].angular_velocity);
    ForceSample { value: torque.norm(), torque, ..QUIET }
}

/// −(c₁ + c₂ |v|) v and −c₃ ω.
pub(super) fn drag(
    here: &Configuration<'_>,
    on: &Anchor,
    [linear, quadratic, angular]: [f64; 3],
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let (arm, _, velocity) = origin(here, on);
    let omega = here.bodies[on.body].angular_velocity;
    let force = velocity * -(linear + quadratic * velocity.norm());
    let torque = omega * -angular;
    wrenches[on.body] += Wrench::of_force(force, &arm) + Wrench::new(torque, Vec3::zeros());
    account.viscous -= force.dot(&velocity) + torque.dot(&omega);
    ForceSample { value: force.norm(), force, torque, ..QUIET }
}

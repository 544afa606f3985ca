//! Force elements and what acts along joint coordinates: wrenches on bodies, stored energy, powers.

mod actuator;
mod applied;
mod bushing;
mod cable;
mod element;
mod line;
mod torsion;

use carom_math::{Vec3, Wrench};

use applied::Applied;

use crate::function::TimeFunction;
use crate::mechanics::Configuration;
use crate::mechanics::{Anchor, ForceData};
use crate::record::ForceSample;

pub(crate) use actuator::{actuator_effort, actuator_motion, excess, is_saturated};
pub(crate) use bushing::follow_turn;
pub(crate) use element::{add_axis_effort, axis_slopes, closing_wrench, evaluate_elements};
pub(crate) use torsion::torsion_angle;

/// What forces and elements store and do, summed at one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Account {
    /// Stored energy (J).
    pub(crate) potential: f64,
    /// Power of motors and actuators (W).
    pub(crate) motors: f64,
    /// Power of forces from outside (W).
    pub(crate) external: f64,
    /// Power lost in dry friction of joints (W).
    pub(crate) friction: f64,
    /// Power lost in dampers (W).
    pub(crate) viscous: f64,
    /// Power of constraints on what the velocities are off their demands within a step (W).
    pub(crate) drift: f64,
}

/// A force element without motion.
pub(crate) const QUIET: ForceSample = ForceSample {
    length: 0.0,
    rate: 0.0,
    value: 0.0,
    force: Vec3::new(0.0, 0.0, 0.0),
    torque: Vec3::new(0.0, 0.0, 0.0),
};

/// Adds the wrenches of all force elements to those on the bodies (by body, about the centres of mass), and efforts along
/// coordinates of links to those by freedom.
pub(crate) fn evaluate_forces(
    here: &Configuration<'_>,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    samples: &mut [ForceSample],
    account: &mut Account,
) {
    for (index, sample) in samples.iter_mut().enumerate() {
        *sample = evaluate_force(here, index, wrenches, efforts, account);
    }
    actuator::limit_together(here, samples, wrenches, efforts, account);
}

/// Adds those of one of them.
pub(crate) fn evaluate_force(
    here: &Configuration<'_>,
    index: usize,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    account: &mut Account,
) -> ForceSample {
    let set = here.controls.loads[index];
    let drive = |actuator: &TimeFunction| here.control_of(index, actuator);
    match &here.mechanics.forces[index] {
        ForceData::SpringDamper { a, b, stiffness, damping, length, actuator } => {
            let spring = [*stiffness, *damping, *length];
            line::spring_damper(here, [a, b], spring, drive(actuator), wrenches, account)
        }
        ForceData::TorsionSpring { a, b, stiffness, damping, angle, actuator, first_angle } => {
            let near = here.angles[*first_angle];
            let spring = [*stiffness, *damping, *angle];
            torsion::torsion_spring(here, [a, b], spring, drive(actuator), near, wrenches, account)
        }
        ForceData::Bushing { a, b, stiffness, damping, .. } => {
            bushing::bushing(here, [a, b], [stiffness, damping], wrenches, account)
        }
        ForceData::Force { on, components, axes } => {
            let set = set.or_else(|| applied::by_function(here, index, on));
            applied::force(here, &Applied { on, components, axes: *axes, set }, wrenches, account)
        }
        ForceData::Torque { on, components, axes } => {
            let set = set.or_else(|| applied::by_function(here, index, on));
            applied::torque(here, &Applied { on, components, axes: *axes, set }, wrenches, account)
        }
        ForceData::Drag { on, linear, quadratic, angular } => {
            applied::drag(here, on, [*linear, *quadratic, *angular], wrenches, account)
        }
        ForceData::Cable(cable) => cable::elastic_cable(here, cable, wrenches, account),
        ForceData::Actuator(actuator) => {
            actuator::actuator(here, index, actuator, wrenches, efforts, account)
        }
    }
}

/// Origin of an anchor: arm from the centre of mass, position and velocity in the world.
pub(crate) fn origin(here: &Configuration<'_>, anchor: &Anchor) -> (Vec3, Vec3, Vec3) {
    let body = &here.bodies[anchor.body];
    let arm = body.pose.rotation * anchor.pose.translation;
    (arm, body.pose.translation + arm, body.velocity + body.angular_velocity.cross(&arm))
}

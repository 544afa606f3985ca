use carom_solvers::ToleranceGroup;

use StateMeasure::{Activation, Angle, AngularVelocity, Length, Velocity};

use super::{Scales, System};
use crate::mechanics::joint::quaternion_at;
use crate::mechanics::tree::Link;
use crate::mechanics::{ForceData, JointRole};
use crate::model::{AxisMeasure, Model};

/// A rotation by a small angle moves the quaternion by half of it.
const QUATERNION_PER_ANGLE: f64 = 0.5;
/// Tolerances of joint velocities, as shares of those of free bodies: absolute and relative part. Joints turn many times,
/// and what their errors do to the energy adds up.
const ABSOLUTE_SHARE: f64 = 0.3;
const RELATIVE_SHARE: f64 = 0.003;

/// Least absolute tolerance of a position, in units in the last place of what it comes from: the largest coordinate of the
/// model, or 1 rad. Below is rounding: distances and angles between bodies are not known better, however near zero
/// a coordinate itself is.
const LEAST_ULPS: f64 = 1.0;

/// A tolerance that was below the rounding of its states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RaisedTolerance {
    pub(crate) measure: StateMeasure,
    pub(crate) wanted: f64,
    pub(crate) taken: f64,
}

/// What a group of states measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateMeasure {
    /// m
    Length,
    /// rad
    Angle,
    /// m/s
    Velocity,
    /// rad/s
    AngularVelocity,
    /// That of actuators, in units of their controls.
    Activation,
}

/// Whose states a group of tolerances holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToleranceOwner {
    pub(crate) body: usize,
    measure: StateMeasure,
}

impl System {
    /// Finest absolute tolerance of all states of a measure; of an angle, not of the quaternion that shows it.
    pub fn finest_tolerance(&self, measure: StateMeasure) -> Option<f64> {
        let groups = self.tolerances.groups.iter().zip(&self.tolerance_owner);
        let own = groups.filter(|(_, owner)| owner.measure == measure);
        let of_angle = |g: &ToleranceGroup| if g.len == 4 { g.atol / QUATERNION_PER_ANGLE } else { g.atol };
        own.map(|(group, _)| of_angle(group)).reduce(f64::min)
    }

    /// Finest absolute tolerance of the velocities that move a body (m/s): its own, or those of the joints and bodies
    /// that carry it; `None` where all of them are angular.
    pub(crate) fn velocity_tolerance(&self, body: usize) -> Option<f64> {
        let carriers = std::iter::successors(self.mechanics.bodies[body].link, |&link| {
            self.mechanics.links[link].parent
        });
        let of_body = |body: usize| {
            let groups = self.tolerances.groups.iter().zip(&self.tolerance_owner);
            groups
                .filter(move |(_, owner)| owner.body == body && owner.measure == Velocity)
                .map(|(group, _)| group.atol)
        };
        carriers.flat_map(|link| of_body(self.mechanics.links[link].body)).reduce(f64::min)
    }

    /// Tolerances of a body that moves freely: of position, orientation, velocity, angular velocity, in the order of its states.
    pub(crate) fn groups_of_free_body(&self, body: usize) -> Option<[ToleranceGroup; 4]> {
        let first = self.mechanics.links[self.mechanics.bodies[body].link?].first_state;
        let at = self.tolerances.groups.partition_point(|group| group.start < first);
        let own: [ToleranceGroup; 4] = self.tolerances.groups.get(at..at + 4)?.try_into().ok()?;
        let is_free = own.map(|group| (group.start - first, group.len)) == [(0, 3), (3, 4), (7, 3), (10, 3)];
        is_free.then_some(own)
    }

    /// Absolute tolerance of the sum of the ledger's losses, a step (J).
    pub fn energy_tolerance(&self) -> Option<f64> {
        self.tolerances.quadrature
    }
}

/// One group per body or joint and kind of state: positions by the expected indentation (their size depends on
/// where the origin is, so they have no relative part), rotations in rad, velocities with a relative part. The
/// ledger's losses are controlled too: a body that creeps out of a contact at constant speed would else take
/// steps that leave its energy unaccounted for. If none is stated, their tolerance goes by the energy of a body of
/// mean mass, which is little in a mechanism of many light bodies.
pub(super) fn set_tolerances(system: &mut System, model: &Model, scales: &Scales) {
    let rtol = model.solver.rtol;
    system.tolerances.relative = rtol;
    system.tolerances.fixed_steps = model.solver.fixed_step().is_some();
    system.tolerances.quadrature = Some(model.solver.atol.energy.unwrap_or(rtol * scales.energy));
    let spins = finest_spins(&system.mechanics.links, scales);
    for (index, spin) in spins.into_iter().enumerate() {
        let link = system.mechanics.links[index].clone();
        if link.is_root() {
            add_root(system, model, scales, &link, spin);
        } else {
            add_joint(system, model, scales, &link, spin);
        }
    }
    let length = model.solver.atol.length.unwrap_or(rtol * scales.length);
    let of_actuators = activation_states(system);
    for state in system.mechanics.auxiliary_states() {
        let (measure, atol, rtol) =
            if of_actuators.contains(&state) { (Activation, rtol, rtol) } else { (Length, length, 0.0) };
        add_group(system, 0, measure, ToleranceGroup { start: state, len: 1, atol, rtol });
    }
}

/// Finest angular velocity scale of each link and of all that hangs on it by joints (rad/s): it turns all of that, so that a pivot
/// whose own body is small is held to what the long arm on it is.
fn finest_spins(links: &[Link], scales: &Scales) -> Vec<f64> {
    let mut spins: Vec<f64> = links.iter().map(|link| scales.angular_velocity[link.body]).collect();
    // Parents come first: from the last on, a link has all that hangs on it before its parent takes it.
    for (index, link) in links.iter().enumerate().rev() {
        if let Some(parent) = link.parent {
            spins[parent] = spins[parent].min(spins[index]);
        }
    }
    spins
}

fn activation_states(system: &System) -> Vec<usize> {
    let state = |force: &ForceData| match force {
        ForceData::Actuator(actuator) => actuator.activation,
        _ => None,
    };
    system.mechanics.forces.iter().filter_map(state).collect()
}

fn add_root(system: &mut System, model: &Model, scales: &Scales, link: &Link, spin: f64) {
    let (rtol, atol) = (model.solver.rtol, &model.solver.atol);
    let (index, start) = (link.body, link.first_state);
    let length = atol.length.unwrap_or(rtol * scales.indentation[index]);
    let angle = QUATERNION_PER_ANGLE * atol.angle.unwrap_or(rtol);
    let velocity = atol.velocity.unwrap_or(rtol * scales.velocity);
    let spin = atol.angular_velocity.unwrap_or(rtol * spin);
    for (measure, offset, len, atol, rtol) in [
        (Length, 0, 3, length, 0.0),
        (Angle, 3, 4, angle, 0.0),
        (Velocity, 7, 3, velocity, rtol),
        (AngularVelocity, 10, 3, spin, rtol),
    ] {
        add_group(system, index, measure, ToleranceGroup { start: start + offset, len, atol, rtol });
    }
}

fn add_group(system: &mut System, body: usize, measure: StateMeasure, mut group: ToleranceGroup) {
    let per_unit = if measure == Angle && group.len == 4 { QUATERNION_PER_ANGLE } else { 1.0 };
    let least = match measure {
        Length => LEAST_ULPS * f64::EPSILON * system.extent,
        Angle => LEAST_ULPS * f64::EPSILON * per_unit,
        Velocity | AngularVelocity | Activation => 0.0,
    };
    if group.atol < least {
        let (wanted, taken) = (group.atol / per_unit, least / per_unit);
        let finest = system.raised.iter_mut().find(|raised| raised.measure == measure);
        match finest {
            Some(raised) => raised.wanted = raised.wanted.min(wanted),
            None => system.raised.push(RaisedTolerance { measure, wanted, taken }),
        }
        group.atol = least;
    }
    system.tolerances.groups.push(group);
    system.tolerance_owner.push(ToleranceOwner { body, measure });
}

/// Groups of a joint: an angle moves what hangs on the joint by the angle times its reach, so that its tolerance
/// is that of the positions out there, but a radian at most. `spin` is the scale of its angular velocity (rad/s).
fn add_joint(system: &mut System, model: &Model, scales: &Scales, link: &Link, spin: f64) {
    let (rtol, atol) = (model.solver.rtol, &model.solver.atol);
    let index = link.body;
    let length = atol.length.unwrap_or(rtol * scales.indentation[index].min(scales.length));
    let angle = atol.angle.unwrap_or(rtol * (scales.indentation[index] / scales.length).min(1.0));
    let velocity = atol.velocity.unwrap_or(ABSOLUTE_SHARE * rtol * scales.velocity);
    let spin = atol.angular_velocity.unwrap_or(ABSOLUTE_SHARE * rtol * spin);
    let (nq, nv) = (link.kind.coordinates(), link.kind.freedoms());
    let rtol = rtol * RELATIVE_SHARE;
    let mut groups: Vec<(StateMeasure, usize, usize, f64, f64)> = Vec::new();
    match quaternion_at(link.kind) {
        Some((at, omega)) => {
            if at > 0 {
                groups.push((Length, 0, at, length, 0.0));
                groups.push((Velocity, nq, omega, velocity, rtol));
            }
            groups.push((Angle, at, 4, QUATERNION_PER_ANGLE * angle, 0.0));
            groups.push((AngularVelocity, nq + omega, nv - omega, spin, rtol));
        }
        None => {
            for (axis, measure) in link.kind.axes().iter().enumerate() {
                let (q, q_atol, v, v_atol) = match measure {
                    AxisMeasure::Angle => (Angle, angle, AngularVelocity, spin),
                    AxisMeasure::Length => (Length, length, Velocity, velocity),
                };
                groups.push((q, axis, 1, q_atol, 0.0));
                groups.push((v, nq + axis, 1, v_atol, rtol));
            }
        }
    }
    for (measure, offset, len, atol, rtol) in groups {
        add_group(
            system,
            index,
            measure,
            ToleranceGroup { start: link.first_state + offset, len, atol, rtol },
        );
    }
    debug_assert!(matches!(system.mechanics.joints[link.joint.unwrap_or(0)].role, JointRole::Carries { .. }));
}

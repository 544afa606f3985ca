use nalgebra::{DMatrix, DVector};

use super::constraints::least_squares;
use super::{Dynamics, Freedom, Loads, spline_derivative};
use crate::mechanics::{ForceData, JointRole};
use crate::model::Motor;
use crate::outcome::RunError;
use crate::system::System;

/// A motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPoint {
    /// Time (s).
    pub time: f64,
    /// State: positions and velocities ([`Dynamics::write_joint`], [`Dynamics::write_body`]).
    pub state: Vec<f64>,
    /// Accelerations by freedom (m/s², rad/s²).
    pub accelerations: DVector<f64>,
}

impl MotionPoint {
    /// A motion from states at ascending times; accelerations are the derivatives of splines through the velocities
    /// ([`spline_derivative`]). E0609 if times do not ascend or states are missing.
    pub fn series(system: &System, times: &[f64], states: &[Vec<f64>]) -> Result<Vec<Self>, RunError> {
        if times.len() != states.len() {
            let message = format!("the motion has {} times and {} states", times.len(), states.len());
            return Err(failure(message, times.first().copied().unwrap_or(0.0)));
        }
        if let Some(pair) =
            times.windows(2).find(|t| t[0].partial_cmp(&t[1]) != Some(std::cmp::Ordering::Less))
        {
            let message = format!("the times of the motion do not ascend: {} s after {} s", pair[1], pair[0]);
            return Err(failure(message, pair[1]));
        }
        if let Some(k) = states.iter().position(|s| s.len() != system.states()) {
            let (found, expected) = (states[k].len(), system.states());
            let message = format!("the motion has {found} numbers at {} s; a state has {expected}", times[k]);
            return Err(failure(message, times[k]));
        }
        let mut accelerations = vec![DVector::zeros(system.freedoms()); times.len()];
        for link in &system.mechanics.links {
            for (at, freedom) in link.velocities().zip(link.freedoms()) {
                let velocities: Vec<f64> = states.iter().map(|state| state[at]).collect();
                for (point, a) in accelerations.iter_mut().zip(spline_derivative(times, &velocities)) {
                    point[freedom] = a;
                }
            }
        }
        let points = times.iter().zip(states).zip(accelerations);
        Ok(points
            .map(|((&time, state), accelerations)| Self { time, state: state.clone(), accelerations })
            .collect())
    }
}

/// What drives a motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenMotion {
    /// Time (s).
    pub time: f64,
    /// Efforts along the driven freedoms, 0 along the others (N, N m).
    pub efforts: DVector<f64>,
    /// What the driven freedoms and the constraints cannot supply, along each freedom (N, N m): what else must act
    /// on the mechanism, or how far the motion is from one that it can make.
    pub missing: DVector<f64>,
}

/// Force elements with a state of their own, the length that a cable has paid out or the activation of an actuator, which coordinates and
/// velocities do not say: along a motion they stay as at the start.
pub fn forces_with_states(system: &System) -> Vec<&str> {
    let has_state = |force: &ForceData| match force {
        ForceData::Cable(cable) => cable.paid_out.is_some(),
        ForceData::Actuator(actuator) => actuator.activation.is_some(),
        _ => false,
    };
    let forces = system.mechanics.forces.iter().zip(&system.info.forces);
    forces.filter(|(force, _)| has_state(force)).map(|(_, (name, _))| name.as_str()).collect()
}

impl Dynamics<'_> {
    /// Freedoms that motors drive; if there are none, all freedoms of joints.
    pub fn driven_freedoms(&self) -> Vec<usize> {
        let system = self.system();
        let mut driven = Vec::new();
        for data in &system.mechanics.joints {
            let JointRole::Carries { link } = data.role else { continue };
            let first = system.mechanics.links[link].first_freedom;
            let motors = data.elements.iter().enumerate().filter(|(_, e)| e.motor.is_some());
            driven.extend(motors.map(|(axis, _)| first + axis));
        }
        if driven.is_empty() {
            driven.extend((0..self.freedoms.len()).filter(|&f| self.freedoms[f].joint.is_some()));
        }
        driven.sort_unstable();
        driven
    }

    /// Efforts along the `driven` freedoms that the accelerations take at the present state, in a mechanism whose loops
    /// are closed: least-norm solution of τ + Gᵀ λ = M v̇ + h with τ = 0 along all other freedoms, and G without the
    /// motors that prescribe a motion. What a motor of the model pushes along a driven freedom is part of τ.
    ///
    /// # Panics
    /// If a driven freedom does not exist, or there are not as many accelerations as freedoms.
    pub fn driving_efforts(
        &mut self,
        accelerations: &DVector<f64>,
        driven: &[usize],
        loads: Loads,
    ) -> DrivenMotion {
        let n = self.freedoms.len();
        let mut needed = self.inverse_dynamics(accelerations, loads);
        if loads == Loads::All {
            for &freedom in driven {
                needed[freedom] += motor_force(self, freedom);
            }
        }
        let constraints = self.constraint_jacobian(false);
        let rows = constraints.nrows();
        let mut supply = DMatrix::zeros(n, driven.len() + rows);
        for (k, &freedom) in driven.iter().enumerate() {
            supply[(freedom, k)] = 1.0;
        }
        supply.view_mut((0, driven.len()), (n, rows)).copy_from(&constraints.transpose());
        let (x, missing) = least_squares(supply, &needed);
        let mut efforts = DVector::zeros(n);
        for (k, &freedom) in driven.iter().enumerate() {
            efforts[freedom] = x[k];
        }
        DrivenMotion { time: self.time(), efforts, missing }
    }

    /// The same along a motion.
    pub fn driving_efforts_along(
        &mut self,
        motion: &[MotionPoint],
        driven: &[usize],
        loads: Loads,
    ) -> Vec<DrivenMotion> {
        motion
            .iter()
            .map(|point| {
                self.set_state(point.time, &point.state);
                self.driving_efforts(&point.accelerations, driven, loads)
            })
            .collect()
    }
}

/// Force or torque that a motor of the model has along a freedom by its function (N, N m).
fn motor_force(dynamics: &Dynamics<'_>, freedom: usize) -> f64 {
    let Freedom { joint: Some(joint), axis, .. } = dynamics.freedoms[freedom] else { return 0.0 };
    match dynamics.system().mechanics.joints[joint].elements.get(axis).map(|e| &e.motor) {
        Some(Some(Motor::Force(function))) => function.value(dynamics.time()),
        _ => 0.0,
    }
}

fn failure(message: String, time: f64) -> RunError {
    RunError {
        code: "E0609",
        message,
        time,
        body: None,
        pair: None,
        help: "give the motion as states at ascending times".to_owned(),
    }
}

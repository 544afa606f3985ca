//! What is set from outside between two steps: efforts and speeds of motors, applied loads.

use std::fmt;

use super::{Simulation, pieces, rigid};
use crate::mechanics::{ForceData, LoadFunction};
use crate::model::Motor;
use crate::outcome::RunError;

/// Why something cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// There is no such joint, axis or force element.
    Unknown,
    /// The joint has neither a motor of a force, torque or velocity on this axis nor a servo: without one nothing acts there, and a
    /// motor of a given position cannot jump.
    NoMotor,
    /// The force element applies nothing from outside.
    NoLoad,
    /// Only an applied force or torque can follow a function of where its body is.
    NotApplied,
    /// The value is not finite.
    NotFinite,
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "there is no such joint, axis or force element",
            Self::NoMotor => "the axis has no motor of a given force, torque or velocity, and no servo",
            Self::NoLoad => "the element is no applied force or torque, and has no actuator",
            Self::NotApplied => "the element is no applied force or torque",
            Self::NotFinite => "the value is not finite",
        })
    }
}

impl std::error::Error for ControlError {}

impl Simulation<'_> {
    /// Sets what a motor gives (by the index of its joint and its axis) from the present state on, or gives it back to its function
    /// of time: force or torque (N, N m), or velocity (m/s, rad/s), of one of a given velocity. A velocity that jumps is an impulse
    /// of the motor. Where there is a servo and no motor, it is the target of the servo (m, rad).
    pub fn set_motor(&mut self, joint: usize, axis: usize, value: Option<f64>) -> Result<(), ControlError> {
        // Freedoms that are no scalar coordinates have elements, too, but no place for motors.
        let data = self.system.mechanics.joints.get(joint).filter(|data| axis < data.kind.axes().len());
        let element = &data.ok_or(ControlError::Unknown)?.elements[axis];
        let has_servo = element.servo.is_some() && element.motor.is_none();
        if !has_servo && !matches!(element.motor, Some(Motor::Force(_) | Motor::Velocity(_))) {
            return Err(ControlError::NoMotor);
        }
        if value.is_some_and(|value| !value.is_finite()) {
            return Err(ControlError::NotFinite);
        }
        let controls = &mut self.evaluator.workspace.controls;
        controls.motors[joint][axis] = value;
        controls.is_new = true;
        controls.has_new_speed |= matches!(element.motor, Some(Motor::Velocity(_)));
        Ok(())
    }

    /// Sets the components of an applied force (N) or torque (N m), by the index of the element and in the axes that it states,
    /// from the present state on; of a spring the effort of its actuator, of an actuator its control, in the first place. `None`
    /// gives it back to its functions of time.
    pub fn set_load(&mut self, force: usize, load: Option<[f64; 3]>) -> Result<(), ControlError> {
        match self.system.mechanics.forces.get(force).ok_or(ControlError::Unknown)? {
            ForceData::Force { .. }
            | ForceData::Torque { .. }
            | ForceData::SpringDamper { .. }
            | ForceData::TorsionSpring { .. }
            | ForceData::Actuator(_) => {}
            ForceData::Bushing { .. } | ForceData::Drag { .. } | ForceData::Cable(_) => {
                return Err(ControlError::NoLoad);
            }
        }
        if load.is_some_and(|load| load.iter().any(|component| !component.is_finite())) {
            return Err(ControlError::NotFinite);
        }
        self.evaluator.workspace.controls.loads[force] = load;
        self.evaluator.workspace.controls.is_new = true;
        Ok(())
    }

    /// Gives an applied force or torque, by the index of the element, to a function of where its body is, from the present state
    /// on; components that are set ([`Self::set_load`]) go before it. `None` takes it away. A checkpoint does not hold it.
    pub fn set_load_function(
        &mut self,
        force: usize,
        function: Option<LoadFunction>,
    ) -> Result<(), ControlError> {
        match self.system.mechanics.forces.get(force).ok_or(ControlError::Unknown)? {
            ForceData::Force { .. } | ForceData::Torque { .. } => {}
            _ => return Err(ControlError::NotApplied),
        }
        self.evaluator.workspace.controls.functions[force] = function;
        self.evaluator.workspace.controls.is_new = true;
        Ok(())
    }

    /// Functions of applied loads, by force element, as they go into another run of the same system without a change of it: what
    /// goes on from a checkpoint under the same functions goes on with the same bits.
    pub fn load_functions_mut(&mut self) -> &mut [Option<LoadFunction>] {
        &mut self.evaluator.workspace.controls.functions
    }

    /// Starts the integrator anew if something was set: what acts may jump here.
    pub(super) fn take_controls(&mut self) -> Result<(), RunError> {
        if !self.evaluator.workspace.controls.is_new {
            return Ok(());
        }
        let (time, mut state) = (self.stepper.time(), self.stepper.state().to_vec());
        if self.take_set_speeds(time, &mut state)? {
            self.is_booking = true;
            rigid::settle_all(self, time, &mut state, (None, false))?;
        }
        self.restart(&state, time)?;
        self.is_booking = false;
        Ok(())
    }

    /// Velocities with those of motors that were set since the last step; tells whether they have jumped.
    pub(super) fn take_set_speeds(&mut self, time: f64, y: &mut [f64]) -> Result<bool, RunError> {
        let controls = &mut self.evaluator.workspace.controls;
        controls.is_new = false;
        if std::mem::take(&mut controls.has_new_speed) {
            pieces::take_speeds(self, time, y)
        } else {
            Ok(false)
        }
    }
}

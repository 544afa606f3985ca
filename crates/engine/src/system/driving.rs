//! Functions of time that drive the model: what they may do within one step.

use super::System;
use crate::function::{Jet, JetRange, TimeFunction};
use crate::model::{AxisMeasure, ForceKind, JointCoordinate, Model, Motor, note_of_speed_jump};
use crate::system::StateMeasure;

/// A step is halved so many times to look for what its ends do not show.
const HALVINGS: u32 = 6;
/// Bounds of a part of a step that exceed its ends by less than these shares of the quantity's variation over the step, and of its
/// size, are what bounds of a function as smooth as it looks have too much.
const OF_VARIATION: f64 = 0.5;
const OF_SIZE: f64 = 0.01;

/// Tolerances that a quintic may be off a prescribed motion by between the ends of a step, and what rounding adds, per size.
const BETWEEN: f64 = 10.0;
const ROUNDING: f64 = 32.0 * f64::EPSILON;
/// A step that is too long is not made shorter than this share of itself at once.
const SHORTER: f64 = 0.1;

/// Places θ in a step, and the weights there of f, h ḟ, h² f̈ at its start and of h² f̈, h ḟ, f at its end in the quintic that has
/// them: 1 − 10 θ³ + 15 θ⁴ − 6 θ⁵, θ − 6 θ³ + 8 θ⁴ − 3 θ⁵, ½ θ² (1 − θ)³, and these mirrored.
const QUINTIC: [(f64, [f64; 6]); 3] = [
    (
        0.25,
        [0.896_484_375, 0.184_570_312_5, 0.013_183_593_75, 0.004_394_531_25, -0.038_085_937_5, 0.103_515_625],
    ),
    (0.5, [0.5, 0.156_25, 0.015_625, 0.015_625, -0.156_25, 0.5]),
    (
        0.75,
        [0.103_515_625, 0.038_085_937_5, 0.004_394_531_25, 0.013_183_593_75, -0.184_570_312_5, 0.896_484_375],
    ),
];

/// Which derivative of a function acts as an acceleration or as a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acts {
    Value,
    Rate,
    Acceleration,
}

/// A function of time with what it drives.
#[derive(Clone, Debug)]
pub(crate) struct Driving {
    /// Such as `motor of joint "slider"`.
    pub(crate) name: String,
    pub(crate) function: TimeFunction,
    acts: Acts,
    /// Excursions of position and velocity below the tolerances: of what acts, times s² and times s.
    small: [f64; 2],
}

impl Driving {
    /// Length for a step from `start` to `end` that follows a prescribed motion too coarsely: its quintic through value and both
    /// derivatives at the ends has to be right to some tolerances between them, as dense output is. The error is of
    /// order six.
    pub(crate) fn find_length(&self, start: f64, end: f64) -> Option<f64> {
        let tolerance = match self.acts {
            Acts::Value => return None,
            Acts::Rate => self.small[1],
            Acts::Acceleration => self.small[0],
        };
        let h = end - start;
        let [a, b] = [start, end].map(|t| self.function.jet(t));
        let terms =
            [a.value, h * a.rate, h * h * a.acceleration, h * h * b.acceleration, h * b.rate, b.value];
        let rounding = ROUNDING * terms.iter().map(|x| x.abs()).sum::<f64>();
        let misfit = QUINTIC.iter().map(|(theta, weights)| {
            let quintic: f64 = weights.iter().zip(terms).map(|(w, x)| w * x).sum();
            (self.function.value(start + theta * h) - quintic).abs()
        });
        let share = misfit.fold(0.0, f64::max) / (BETWEEN * tolerance + rounding);
        (share > 1.0).then(|| h * (0.9 * libm::pow(share, -1.0 / 6.0)).max(SHORTER))
    }

    /// Shows a step from `start` to `end` all that the function does? If not, where the first part that may hide something
    /// begins.
    pub(crate) fn find_hidden(&self, start: f64, end: f64) -> Option<f64> {
        let seen = [start, 0.5 * (start + end), end].map(|t| self.at(t));
        let least = seen.into_iter().fold(f64::INFINITY, f64::min);
        let greatest = seen.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let allowed = OF_VARIATION * (greatest - least) + OF_SIZE * greatest.abs().max(least.abs());
        self.find_hidden_in([start, end], allowed, HALVINGS)
    }

    /// Is the function one piece in an interval, as far as one look tells?
    pub(crate) fn is_one_piece(&self, start: f64, end: f64) -> bool {
        self.function.is_one_piece(start, end)
    }

    /// The first break of an expression in (from, until].
    pub(crate) fn next_branch(&self, from: f64, until: f64) -> Option<f64> {
        match &self.function {
            TimeFunction::Program(_) => self.function.next_break(from, until).ok().flatten(),
            TimeFunction::Constant(_) | TimeFunction::Table(_) => None,
        }
    }

    /// Values before and after a time at which a prescribed position jumps.
    pub(crate) fn position_jump(&self, time: f64) -> Option<[f64; 2]> {
        if self.acts != Acts::Acceleration {
            return None;
        }
        let jump = self.function.first_jump(time.next_down(), time);
        jump.ok().flatten().map(|jump| jump.values)
    }

    fn find_hidden_in(&self, [start, end]: [f64; 2], allowed: f64, halvings: u32) -> Option<f64> {
        let h = end - start;
        let (a, b) = (self.at(start), self.at(end));
        let [lo, hi] = self.over(start, end);
        let excess = (hi - a.max(b)).max(a.min(b) - lo);
        // From rest to rest, a moves a body by a h²/16 and its speed by a h/4 within h.
        let small = excess * h * h <= 16.0 * self.small[0] && excess * h <= 4.0 * self.small[1];
        if small || excess <= allowed {
            return None;
        }
        let middle = 0.5 * (start + end);
        if halvings == 0 || !(start < middle && middle < end) {
            return Some(start);
        }
        self.find_hidden_in([start, middle], allowed, halvings - 1)
            .or_else(|| self.find_hidden_in([middle, end], allowed, halvings - 1))
    }

    fn at(&self, t: f64) -> f64 {
        let Jet { value, rate, acceleration } = self.function.jet(t);
        match self.acts {
            Acts::Value => value,
            Acts::Rate => rate,
            Acts::Acceleration => acceleration,
        }
    }

    fn over(&self, start: f64, end: f64) -> [f64; 2] {
        let JetRange { value, rate, acceleration } = self.function.range(start, end);
        match self.acts {
            Acts::Value => value,
            Acts::Rate => rate,
            Acts::Acceleration => acceleration,
        }
    }
}

impl System {
    /// All functions of time that are not the same at all times, and what they may do unseen. Tolerances are set.
    pub(super) fn list_driving(&mut self, model: &Model) {
        let tolerance = |measure| self.finest_tolerance(measure).unwrap_or(0.0);
        let linear = [tolerance(StateMeasure::Length), tolerance(StateMeasure::Velocity)];
        let angular = [tolerance(StateMeasure::Angle), tolerance(StateMeasure::AngularVelocity)];
        let moving = || self.mechanics.bodies.iter().filter(|b| b.link.is_some());
        let mass = moving().map(|b| b.mass).fold(f64::INFINITY, f64::min);
        let inertia = moving().flat_map(|b| b.inertia.diagonal().iter().copied().collect::<Vec<_>>());
        let inertia = inertia.fold(f64::INFINITY, f64::min);
        let (force, torque) = (linear.map(|x| x * mass), angular.map(|x| x * inertia));
        let mut list = Vec::new();
        let mut add = |name: String, function: &TimeFunction, acts: Acts, small: [f64; 2]| {
            if !matches!(function, TimeFunction::Constant(_)) {
                list.push(Driving { name, function: function.clone(), acts, small });
            }
        };
        for joint in &model.joints {
            let axes = joint.elements.iter().zip(joint.kind.axes());
            for (motor, measure) in
                axes.filter_map(|(element, measure)| Some((element.motor.as_ref()?, measure)))
            {
                let name = format!("motor of joint \"{}\"", joint.name);
                let [motion, effort] = match measure {
                    AxisMeasure::Length => [linear, force],
                    AxisMeasure::Angle => [angular, torque],
                };
                match motor {
                    Motor::Position(f) => add(name, f, Acts::Acceleration, motion),
                    Motor::Velocity(f) => add(name, f, Acts::Rate, motion),
                    Motor::Force(f) => add(name, f, Acts::Value, effort),
                }
            }
            let axes = joint.elements.iter().zip(joint.kind.axes());
            for (servo, measure) in axes.filter_map(|(e, measure)| Some((e.servo.as_ref()?, measure))) {
                let effort = if *measure == AxisMeasure::Length { force } else { torque };
                let small = effort.map(|x| x / servo.stiffness.max(f64::MIN_POSITIVE));
                let name = format!("target of the servo of joint \"{}\"", joint.name);
                add(name, &servo.target, Acts::Value, small);
            }
        }
        for element in &model.forces {
            let name = || format!("{} \"{}\"", element.kind.name(), element.name);
            match &element.kind {
                ForceKind::SpringDamper { actuator: Some(f), .. } => add(name(), f, Acts::Value, force),
                ForceKind::TorsionSpring { actuator: Some(f), .. } => add(name(), f, Acts::Value, torque),
                ForceKind::Force { components, .. } => {
                    components.iter().for_each(|f| add(name(), f, Acts::Value, force));
                }
                ForceKind::Torque { components, .. } => {
                    components.iter().for_each(|f| add(name(), f, Acts::Value, torque));
                }
                ForceKind::Actuator(actuator) => {
                    let measure = |at: JointCoordinate| model.joints[at.joint].kind.measure(at.axis);
                    let small_of = |&(at, factor): &(JointCoordinate, f64)| {
                        let effort = if measure(at) == AxisMeasure::Length { force } else { torque };
                        effort.map(|x| x / (actuator.gain * factor).abs().max(f64::MIN_POSITIVE))
                    };
                    let each = actuator.terms.iter().map(small_of);
                    let small = each.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])]).unwrap_or([0.0; 2]);
                    add(name(), &actuator.control, Acts::Value, small);
                }
                ForceKind::Cable { length, .. } => {
                    length.rate.iter().for_each(|f| add(name(), f, Acts::Rate, linear));
                }
                ForceKind::SpringDamper { .. }
                | ForceKind::TorsionSpring { .. }
                | ForceKind::Bushing { .. }
                | ForceKind::Drag { .. } => {}
            }
        }
        self.driving = list;
        for joint in &model.joints {
            let axes = 0..joint.elements.len();
            self.notes.extend(axes.filter_map(|axis| note_of_speed_jump(joint, axis, model.solver.t_end)));
        }
        self.is_autonomous = self.driving.is_empty();
    }
}

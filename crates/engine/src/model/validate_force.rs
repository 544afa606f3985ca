//! What is wrong with force elements as physics.

use super::validate::short;
use super::validate_mechanism::{Check, NOT_NEGATIVE, POSITIVE, Range, is_at_least};
use super::{ActivationKind, Actuator, Attachment, Force, ForceKind, JointKind};
use crate::function::TimeFunction;

const FINITE: Range = (|_| true, "finite");

/// The frames of a force; none if it acts along coordinates.
pub(super) fn attachments_of_force(kind: &ForceKind) -> Vec<&Attachment> {
    match kind {
        ForceKind::SpringDamper { a, b, .. }
        | ForceKind::TorsionSpring { a, b, .. }
        | ForceKind::Bushing { a, b, .. } => vec![a, b],
        ForceKind::Force { on, .. } | ForceKind::Torque { on, .. } | ForceKind::Drag { on, .. } => vec![on],
        ForceKind::Cable { path, .. } => path.iter().collect(),
        ForceKind::Actuator(_) => Vec::new(),
    }
}

impl Check<'_, '_> {
    pub(super) fn force(&mut self, force: &Force) {
        let path = format!("force.{}", force.name);
        let frames = attachments_of_force(&force.kind);
        if let ForceKind::Cable { path: points, .. } = &force.kind
            && points.len() < 2
        {
            let message = format!("cable \"{}\" has {} point(s)", force.name, points.len());
            self.push("E0328", format!("{path}.path"), message).expected =
                Some("two ends or more points".to_owned());
            return;
        }
        if !self.bodies(&path, &frames, force.kind.name()) {
            return;
        }
        let of = |key: &str| format!("{path}.{key}");
        match &force.kind {
            ForceKind::SpringDamper { stiffness, damping, length, actuator, .. } => {
                self.range(of("stiffness"), *stiffness, NOT_NEGATIVE);
                self.range(of("damping"), *damping, NOT_NEGATIVE);
                length.iter().for_each(|l| self.range(of("length"), *l, NOT_NEGATIVE));
                actuator.iter().for_each(|f| _ = self.function(&of("force"), f, 0));
            }
            ForceKind::TorsionSpring { stiffness, damping, actuator, .. } => {
                self.range(of("stiffness"), *stiffness, NOT_NEGATIVE);
                self.range(of("damping"), *damping, NOT_NEGATIVE);
                actuator.iter().for_each(|f| _ = self.function(&of("torque"), f, 0));
            }
            ForceKind::Bushing { stiffness, damping, .. } => {
                self.matrix(of("stiffness"), stiffness);
                self.matrix(of("damping"), damping);
            }
            ForceKind::Force { components, .. } => self.components(&of("force"), components),
            ForceKind::Torque { components, .. } => self.components(&of("torque"), components),
            ForceKind::Drag { linear, quadratic, angular, .. } => {
                self.range(of("linear"), *linear, NOT_NEGATIVE);
                self.range(of("quadratic"), *quadratic, NOT_NEGATIVE);
                self.range(of("angular"), *angular, NOT_NEGATIVE);
            }
            ForceKind::Actuator(actuator) => self.actuator(&force.name, &path, actuator),
            ForceKind::Cable { length, elasticity, .. } => {
                length.initial.iter().for_each(|l| self.range(of("length"), *l, POSITIVE));
                length.rate.iter().for_each(|f| _ = self.function(&of("rate"), f, 1));
                if let Some(e) = elasticity {
                    self.range(of("stiffness"), e.stiffness, POSITIVE);
                    self.range(of("damping"), e.damping, NOT_NEGATIVE);
                }
            }
        }
    }

    fn actuator(&mut self, name: &str, path: &str, actuator: &Actuator) {
        let of = |key: &str| format!("{path}.{key}");
        self.terms(&format!("actuator \"{name}\""), &of("terms"), &actuator.terms, JointKind::freedoms);
        self.function(&of("control"), &actuator.control, 0);
        let numbers = [
            ("gain", actuator.gain),
            ("bias", actuator.bias),
            ("stiffness", actuator.stiffness),
            ("damping", actuator.damping),
        ];
        numbers.into_iter().for_each(|(key, value)| self.range(of(key), value, FINITE));
        if let Some(activation) = &actuator.activation {
            self.range(of("initial_activation"), activation.initial, FINITE);
            if activation.kind == ActivationKind::Filter {
                self.range(of("time_constant"), activation.time_constant, POSITIVE);
            }
            if let Some([low, high]) = activation.range.filter(|[low, high]| low <= high)
                && (activation.initial < low || activation.initial > high)
            {
                let (key, expected) =
                    (of("initial_activation"), format!("{} to {}", short(low), short(high)));
                let message =
                    format!("{key} must be in its range, {expected}, got {}", short(activation.initial));
                self.push("E0324", key, message).expected = Some(expected);
            }
        }
        for (key, range) in [
            ("control_range", actuator.control_range),
            ("effort_range", actuator.effort_range),
            ("activation_range", actuator.activation.and_then(|own| own.range)),
        ] {
            range.into_iter().for_each(|range| self.order(of(key), range));
        }
    }

    /// The ends of a range, the lower first.
    pub(super) fn order(&mut self, path: String, [low, high]: [f64; 2]) {
        if !is_at_least(high, low) {
            let message = format!("{path}: {} is above {}", short(low), short(high));
            self.push("E0323", path, message).expected = Some("[least, most]".to_owned());
        }
    }

    fn components(&mut self, path: &str, functions: &[TimeFunction; 3]) {
        for (k, function) in functions.iter().enumerate() {
            self.function(&format!("{path}[{k}]"), function, 0);
        }
    }

    fn matrix(&mut self, path: String, m: &nalgebra::Matrix6<f64>) {
        let size = m.amax();
        for i in 0..6 {
            for j in 0..i {
                let (lower, upper) = (m[(i, j)], m[(j, i)]);
                if !is_at_least(1e-9 * size, (lower - upper).abs()) {
                    let message =
                        format!("{path} is not symmetric: [{i}][{j}] is {lower}, [{j}][{i}] is {upper}");
                    self.push("E0327", path, message).expected = Some("a symmetric matrix".to_owned());
                    return;
                }
            }
            self.range(format!("{path}[{i}]"), m[(i, i)], NOT_NEGATIVE);
        }
    }
}

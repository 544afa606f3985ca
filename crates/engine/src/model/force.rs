use nalgebra::Matrix6;

use super::{Attachment, JointCoordinate};
use crate::function::TimeFunction;

/// A force element.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// Path, such as `suspension.left`.
    pub name: String,
    /// Where and how it acts.
    pub kind: ForceKind,
}

/// Axes in which the components of an applied force are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceAxes {
    /// The world's.
    World,
    /// Those of the attachment, which turn with the body.
    Body,
}

impl ForceAxes {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::World, Self::Body];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Body => "body",
        }
    }
}

/// Kinds of force elements. L is the distance of the origins of the frames on A and B.
#[derive(Clone, Debug, PartialEq)]
pub enum ForceKind {
    /// F = −k (L − L₀) − c L̇ + u(t) along the line from A to B; positive pushes them apart.
    SpringDamper {
        /// Frame on A.
        a: Attachment,
        /// Frame on B.
        b: Attachment,
        /// k (N/m).
        stiffness: f64,
        /// c (N s/m).
        damping: f64,
        /// L₀ (m); `None`: the distance at the start.
        length: Option<f64>,
        /// u (N).
        actuator: Option<TimeFunction>,
    },
    /// T = −k (θ − θ₀) − c θ̇ + u(t) about the z axis of A's frame, θ the angle of B's x axis in A's xy plane.
    TorsionSpring {
        /// Frame on A.
        a: Attachment,
        /// Frame on B.
        b: Attachment,
        /// k (N m/rad).
        stiffness: f64,
        /// c (N m s/rad).
        damping: f64,
        /// θ₀ (rad); `None`: the angle at the start.
        angle: Option<f64>,
        /// u (N m).
        actuator: Option<TimeFunction>,
    },
    /// Force and torque in A's frame from displacement d and rotation vector θ of B's frame in it:
    /// −K [d; θ] − C [ḋ; ω].
    Bushing {
        /// Frame on A.
        a: Attachment,
        /// Frame on B.
        b: Attachment,
        /// K, symmetric: N/m, N/rad, N m/rad.
        stiffness: Box<Matrix6<f64>>,
        /// C, symmetric.
        damping: Box<Matrix6<f64>>,
    },
    /// Force at the origin of the attachment, work of the outside.
    Force {
        /// Where.
        on: Attachment,
        /// Components (N).
        components: [TimeFunction; 3],
        /// Their axes.
        axes: ForceAxes,
    },
    /// Torque on a body, work of the outside.
    Torque {
        /// On which.
        on: Attachment,
        /// Components (N m).
        components: [TimeFunction; 3],
        /// Their axes.
        axes: ForceAxes,
    },
    /// −(c₁ + c₂ |v|) v at the origin of the attachment, −c₃ ω as a torque.
    Drag {
        /// Where.
        on: Attachment,
        /// c₁ (N s/m).
        linear: f64,
        /// c₂ (N s²/m²).
        quadratic: f64,
        /// c₃ (N m s/rad).
        angular: f64,
    },
    /// Rope that pulls only, over the origins of its points.
    Cable {
        /// Ends and, between them, eyelets without friction.
        path: Vec<Attachment>,
        /// How long it is.
        length: CableLength,
        /// `None`: inextensible, a constraint while taut.
        elasticity: Option<CableElasticity>,
    },
    /// Drive along coordinates of joints.
    Actuator(Actuator),
}

/// Drive along l = Σ factorₖ qₖ, such as a motor behind its gear, or a tendon over several joints: the effort
/// e = gain u(t) + bias − k l − c l̇, with l̇ = Σ factorₖ vₖ, within its range acts as factorₖ e on coordinate k. Its work is that of a motor:
/// nothing of it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Freedoms with their factors: a gear, 1 without one. Those of spherical and free joints are by their velocities
    /// ([`super::Joint::elements`]); qₖ of a turn is the component of the rotation vector, of length π at most, about that axis.
    pub terms: Vec<(JointCoordinate, f64)>,
    /// u.
    pub control: TimeFunction,
    /// What of u acts: what is below or above counts as the bound.
    pub control_range: Option<[f64; 2]>,
    /// Effort per control.
    pub gain: f64,
    /// Effort at rest at l = 0, without control.
    pub bias: f64,
    /// k; negative, it drives away from l = 0.
    pub stiffness: f64,
    /// c; negative, it drives what moves.
    pub damping: f64,
    /// Least and greatest e.
    pub effort_range: Option<[f64; 2]>,
    /// What stands between u and the effort; `None`: u acts at once.
    pub activation: Option<Activation>,
}

impl Actuator {
    /// What of a control acts.
    pub fn within_range(&self, control: f64) -> f64 {
        self.control_range.map_or(control, |[least, most]| control.clamp(least, most))
    }

    /// e at a control that acts, or an activation in its place, at l and l̇, and its slopes by these three: none where it gives its
    /// least or most.
    pub fn effort_at(&self, control: f64, [l, rate]: [f64; 2]) -> (f64, [f64; 3]) {
        let wanted = self.gain * control + self.bias - self.stiffness * l - self.damping * rate;
        match self.effort_range {
            Some([least, _]) if wanted < least => (least, [0.0; 3]),
            Some([_, most]) if wanted > most => (most, [0.0; 3]),
            _ => (wanted, [self.gain, -self.stiffness, -self.damping]),
        }
    }
}

/// A state a of an actuator that follows the control u and acts in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// How it follows.
    pub kind: ActivationKind,
    /// τ (s) of a filter.
    pub time_constant: f64,
    /// Least and greatest a, where it stops.
    pub range: Option<[f64; 2]>,
    /// a at the start.
    pub initial: f64,
}

/// How an activation follows the control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivationKind {
    /// ȧ = (u − a)/τ.
    Filter,
    /// ȧ = u.
    Integrator,
}

impl ActivationKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Filter, Self::Integrator];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Filter => "filter",
            Self::Integrator => "integrator",
        }
    }
}

impl Activation {
    /// ȧ at a control that acts: none beyond the range, but back into it.
    pub fn rate_at(&self, control: f64, activation: f64) -> f64 {
        let rate = match self.kind {
            ActivationKind::Filter => (control - activation) / self.time_constant,
            ActivationKind::Integrator => control,
        };
        match self.range {
            Some([least, _]) if activation <= least => rate.max(0.0),
            Some([_, most]) if activation >= most => rate.min(0.0),
            _ => rate,
        }
    }

    /// ∂ȧ/∂a: none where it has stopped at its range.
    pub fn slope_at(&self, control: f64, activation: f64) -> f64 {
        let is_stopped = self.range.is_some_and(|[least, most]| {
            activation <= least && control < activation || activation >= most && control > activation
        });
        match self.kind {
            ActivationKind::Filter if !is_stopped => -1.0 / self.time_constant,
            _ => 0.0,
        }
    }

    /// a after a time at a control that stays: in closed form, the range kept.
    pub fn after(&self, time: f64, control: f64, activation: f64) -> f64 {
        let change = match self.kind {
            ActivationKind::Filter => (activation - control) * libm::expm1(-time / self.time_constant),
            ActivationKind::Integrator => time * control,
        };
        self.within_range(activation + change)
    }

    /// What of it acts: steps may end beyond its range by their error.
    pub fn within_range(&self, activation: f64) -> f64 {
        self.range.map_or(activation, |[least, most]| activation.clamp(least, most))
    }

    /// How much more acts where it is greater: all within the range, nothing beyond.
    pub fn acting_slope_at(&self, activation: f64) -> f64 {
        if self.within_range(activation) == activation { 1.0 } else { 0.0 }
    }
}

/// Length of a cable: initial length plus what is paid out.
#[derive(Clone, Debug, PartialEq)]
pub struct CableLength {
    /// At the start (m); `None`: taut in the initial position.
    pub initial: Option<f64>,
    /// Rate of paying out (m/s); `None`: fixed.
    pub rate: Option<TimeFunction>,
}

/// Tension max(0, k ε + c ε̇) while taut, ε the excess of the path over the length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CableElasticity {
    /// k (N/m).
    pub stiffness: f64,
    /// c (N s/m).
    pub damping: f64,
}

impl ForceKind {
    /// Word in the model file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SpringDamper { .. } => "spring-damper",
            Self::TorsionSpring { .. } => "torsion-spring",
            Self::Bushing { .. } => "bushing",
            Self::Force { .. } => "force",
            Self::Torque { .. } => "torque",
            Self::Drag { .. } => "drag",
            Self::Cable { .. } => "cable",
            Self::Actuator(_) => "actuator",
        }
    }
}

//! Bodies, joints, force elements and constraints as the dynamics sees them.

use carom_math::{Mat3, Pose, Quaternion, Vec3};
use nalgebra::Matrix6;

use super::kinematics::BodyKinematics;
use crate::function::TimeFunction;
use crate::model::{Actuator, AxisElements, CableElasticity, ForceAxes, JointCoordinate, JointKind};

/// A body as the dynamics sees it. Its reference frame C has the body's axes and the centre of mass as
/// origin.
#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    /// Link that moves it; `None` for a fixed body.
    pub(crate) link: Option<usize>,
    pub(crate) mass: f64,
    /// Inertia about the centre of mass, body axes (kg m²).
    pub(crate) inertia: Mat3,
    /// What is added to each moment of inertia where a free body's accelerations are found before those of its constraints
    /// (kg m²): of a point mass, or of what is almost one, a share of its mass at its lever; else 0.
    pub(crate) brace: f64,
    /// Inverse of the inertia with the brace.
    pub(crate) inverse_inertia: Mat3,
    /// Farthest point from the centre of mass at which a joint or constraint holds the body (m).
    pub(crate) lever: f64,
    /// Centre of mass in the body frame (m).
    pub(crate) com: Vec3,
    /// Pose of C in the world at the start.
    pub(crate) initial: BodyKinematics,
    /// Orientation of a fixed body.
    pub(crate) orientation: Quaternion,
    /// Farthest surface point from the centre of mass that rotation moves (m).
    pub(crate) sweep_radius: f64,
    /// The same if balls that contact takes as triangles were round, and how deep their facets cut at most (m).
    pub(crate) round_radius: f64,
    pub(crate) sagitta: f64,
}

/// Smallest principal moment (kg m²).
pub(crate) fn smallest_moment(inertia: &Mat3) -> f64 {
    inertia.symmetric_eigenvalues().min()
}

/// A frame on a body, in the body's centre-of-mass frame C.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub(crate) body: usize,
    pub(crate) pose: Pose,
}

/// How a joint enters the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointRole {
    /// It carries a body: its coordinates are states.
    Carries {
        /// The link of that body.
        link: usize,
    },
    /// It closes a loop, or its bodies have coordinates of their own: its constraint equations hold.
    Closes,
}

/// A joint.
#[derive(Clone, Debug)]
pub(crate) struct JointData {
    pub(crate) kind: JointKind,
    /// Frame F on A and frame M on B.
    pub(crate) a: Anchor,
    pub(crate) b: Anchor,
    pub(crate) role: JointRole,
    pub(crate) elements: Vec<AxisElements>,
    /// First of its angles among those that the run remembers, for a joint that closes a loop.
    pub(crate) first_angle: usize,
}

/// A force element with all lengths resolved.
#[derive(Clone, Debug)]
pub(crate) enum ForceData {
    SpringDamper {
        a: Anchor,
        b: Anchor,
        stiffness: f64,
        damping: f64,
        length: f64,
        actuator: TimeFunction,
    },
    TorsionSpring {
        a: Anchor,
        b: Anchor,
        stiffness: f64,
        damping: f64,
        angle: f64,
        actuator: TimeFunction,
        /// Its angle among those that the run remembers.
        first_angle: usize,
    },
    Bushing {
        a: Anchor,
        b: Anchor,
        stiffness: Box<Matrix6<f64>>,
        damping: Box<Matrix6<f64>>,
        /// Its rotation vector (rad) among the angles that the run remembers, and behind that the time (s) at which it first turned round, 0 before.
        first_angle: usize,
    },
    Force {
        on: Anchor,
        components: [TimeFunction; 3],
        axes: ForceAxes,
    },
    Torque {
        on: Anchor,
        components: [TimeFunction; 3],
        axes: ForceAxes,
    },
    Drag {
        on: Anchor,
        linear: f64,
        quadratic: f64,
        angular: f64,
    },
    Cable(CableData),
    Actuator(ActuatorData),
}

impl ForceData {
    /// Bodies on which it acts; none if it acts along coordinates.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        let (ends, path): ([Option<&Anchor>; 2], &[Anchor]) = match self {
            Self::SpringDamper { a, b, .. }
            | Self::TorsionSpring { a, b, .. }
            | Self::Bushing { a, b, .. } => ([Some(a), Some(b)], &[]),
            Self::Force { on, .. } | Self::Torque { on, .. } | Self::Drag { on, .. } => {
                ([Some(on), None], &[])
            }
            Self::Cable(cable) => ([None, None], &cable.path),
            Self::Actuator(_) => ([None, None], &[]),
        };
        ends.into_iter().flatten().chain(path).map(|anchor| anchor.body)
    }
}

/// A coordinate along which actuators exert no more than a range together.
#[derive(Clone, Debug)]
pub(crate) struct SharedRange {
    pub(crate) at: JointCoordinate,
    /// Least and greatest effort (N or N m).
    pub(crate) range: [f64; 2],
    /// Those with a gain, by their indices among the forces, with their factors there.
    pub(crate) of: Vec<(usize, f64)>,
}

/// An actuator.
#[derive(Clone, Debug)]
pub(crate) struct ActuatorData {
    pub(crate) law: Actuator,
    /// State of its activation, if it has one.
    pub(crate) activation: Option<usize>,
}

/// A cable.
#[derive(Clone, Debug)]
pub(crate) struct CableData {
    pub(crate) path: Vec<Anchor>,
    pub(crate) length: f64,
    pub(crate) rate: Option<TimeFunction>,
    /// State of the length paid out, if it is reeled.
    pub(crate) paid_out: Option<usize>,
    pub(crate) elasticity: Option<CableElasticity>,
}

impl CableData {
    /// Tension max(0, k ε + c ε̇) while ε > 0 (N), at a stretch ε (m) and its rate (m/s); none of an inextensible cable, whose tension
    /// is a multiplier.
    pub(crate) fn tension(&self, stretch: f64, rate: f64) -> f64 {
        match &self.elasticity {
            Some(elastic) if stretch > 0.0 => (elastic.stiffness * stretch + elastic.damping * rate).max(0.0),
            _ => 0.0,
        }
    }
}

/// What a group of constraint rows belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A joint that closes a loop.
    Joint(usize),
    /// A motor: joint and axis.
    Motor(usize, usize),
    /// A constraint of the model.
    Constraint(usize),
    /// A cable without elasticity, by its force.
    Cable(usize),
    /// A coordinate that the model states for the start: joint and axis. Only while the start is found.
    Start(usize, usize),
}

/// A group of constraint rows.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintData {
    pub(crate) owner: Owner,
    pub(crate) equation: Equation,
}

/// What a group of rows demands.
#[derive(Clone, Debug)]
pub(crate) enum Equation {
    /// The joint's frames move against each other only as its kind allows.
    Closure { joint: usize },
    /// A coordinate follows a function, by position or by velocity only.
    Drive { at: JointCoordinate, function: TimeFunction, by_velocity: bool },
    /// Origins coincide.
    Point { a: Anchor, b: Anchor },
    /// Origins keep a distance.
    Distance { a: Anchor, b: Anchor, length: f64 },
    /// Σ kᵢ qᵢ = c.
    Coupling { terms: Vec<(JointCoordinate, f64)>, offset: f64 },
    /// Rolling on the plane z = 0 of A's frame.
    Rolling { a: Anchor, b: Anchor, radius: f64, axis: Option<Vec3> },
    /// A taut cable keeps its length.
    Cable { force: usize },
}

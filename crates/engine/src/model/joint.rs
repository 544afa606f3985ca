use carom_math::{Pose, Vec3};

use crate::function::TimeFunction;

/// A frame on a body, at which a joint, force or constraint takes hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Index into [`crate::Model::bodies`].
    pub body: usize,
    /// Pose of the frame in the body's frame.
    pub pose: Pose,
}

/// What motion a joint leaves between its frame F on body A and its frame M on body B. The axis is the z axis
/// that both frames share at coordinate 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Angle about z.
    Revolute,
    /// Displacement along z.
    Prismatic,
    /// Angle about z, displacement along z.
    Cylindrical,
    /// Angle about z; M advances by `lead` along z.
    Screw {
        /// Advance per angle (m/rad).
        lead: f64,
    },
    /// Angle about F's z, then angle about `second`.
    Universal {
        /// Second axis, a unit vector in M, not parallel to z.
        second: Vec3,
    },
    /// Rotation; its coordinates are a quaternion, its velocities the angular velocity in M's axes.
    Spherical,
    /// Displacements along F's x and y, angle about z.
    Planar,
    /// Displacement in F's axes and rotation; the velocities are linear in F's axes, angular in M's.
    Free,
}

impl JointKind {
    /// Word in the model file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Cylindrical => "cylindrical",
            Self::Screw { .. } => "screw",
            Self::Universal { .. } => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Free => "free",
        }
    }

    /// Number of coordinates; a quaternion has four.
    pub fn coordinates(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Prismatic | Self::Screw { .. } => 1,
            Self::Cylindrical | Self::Universal { .. } => 2,
            Self::Planar => 3,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// Degrees of freedom.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Spherical => 3,
            Self::Free => 6,
            other => other.coordinates(),
        }
    }

    /// For each scalar coordinate, whether it is an angle (rad) rather than a length (m). Elements (spring,
    /// friction, limit, motor) act on these; a spherical or free joint has none.
    pub fn axes(self) -> &'static [AxisMeasure] {
        use AxisMeasure::{Angle, Length};
        match self {
            Self::Fixed | Self::Spherical | Self::Free => &[],
            Self::Revolute | Self::Screw { .. } => &[Angle],
            Self::Prismatic => &[Length],
            Self::Cylindrical => &[Angle, Length],
            Self::Universal { .. } => &[Angle, Angle],
            Self::Planar => &[Length, Length, Angle],
        }
    }
}

/// What a scalar joint coordinate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisMeasure {
    /// rad; its force is a torque (N m).
    Angle,
    /// m; its force is in N.
    Length,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Path, such as `leg[2].knee`.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// Frame F on body A.
    pub a: Attachment,
    /// Frame M on body B; reactions are those on B.
    pub b: Attachment,
    /// Close a loop with this joint: its body is carried by others.
    pub cut: bool,
    /// Coordinates at the start; `None`: from the poses of the bodies if both are stated, else zero.
    pub position: Option<Vec<f64>>,
    /// Velocities at the start; `None`: from the velocities of the bodies if B's is stated, else zero.
    pub velocity: Option<Vec<f64>>,
    /// What acts along each scalar coordinate, in the order of [`JointKind::axes`].
    pub elements: Vec<AxisElements>,
}

/// What acts along one coordinate of a joint. SI units of the coordinate: m and N, or rad and N m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisElements {
    /// −k (q − q₀) − c q̇.
    pub spring: Option<AxisSpring>,
    /// Dry friction, regularised.
    pub friction: Option<AxisFriction>,
    /// Compliant stops.
    pub limit: Option<AxisLimit>,
    /// Drive.
    pub motor: Option<Motor>,
}

/// Spring and damper along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpring {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// Coordinate q₀ at which the spring is relaxed.
    pub rest: f64,
}

/// Friction along a coordinate: −F tanh(q̇/v_reg).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisFriction {
    /// F: N or N m.
    pub force: f64,
    /// Regularisation velocity: m/s or rad/s.
    pub v_reg: f64,
}

/// Stops of a coordinate: contacts of one dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLimit {
    /// Smallest free coordinate.
    pub lower: Option<f64>,
    /// Largest free coordinate.
    pub upper: Option<f64>,
    /// What happens beyond.
    pub stop: Stop,
}

/// Compliance of a stop: F = K δⁿ with Hunt–Crossley damping for the restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// K in N/mⁿ or N m/radⁿ; `None`: stiff against the inertia behind the stop, and said in a note.
    pub stiffness: Option<f64>,
    /// n.
    pub exponent: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
}

/// Drive of a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Motor {
    /// The coordinate follows the function; a constraint.
    Position(TimeFunction),
    /// The velocity follows the function; a constraint.
    Velocity(TimeFunction),
    /// The force or torque is the function.
    Force(TimeFunction),
}

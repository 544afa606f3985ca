use carom_math::Vec3;

use super::Attachment;

/// A constraint between bodies or joint coordinates, beside the joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Path, such as `gearbox.ratio`.
    pub name: String,
    /// What it demands.
    pub kind: ConstraintKind,
}

/// A scalar coordinate of a joint; of what an actuator acts along, a freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointCoordinate {
    /// Index into [`crate::Model::joints`].
    pub joint: usize,
    /// Index into the axes of its kind, or among its velocities.
    pub axis: usize,
}

/// Kinds of constraints.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintKind {
    /// The origins of both frames coincide.
    PointOnPoint {
        /// Frame on A.
        a: Attachment,
        /// Frame on B.
        b: Attachment,
    },
    /// The origins of both frames keep a distance: a massless rod.
    Distance {
        /// Frame on A.
        a: Attachment,
        /// Frame on B.
        b: Attachment,
        /// Distance (m); `None`: that of the start.
        length: Option<f64>,
    },
    /// Σ kᵢ qᵢ = c: gears, mimicking joints. Coefficients may have units where angles meet lengths.
    Coupling {
        /// Coordinates with their coefficients.
        terms: Vec<(JointCoordinate, f64)>,
        /// c; `None`: the value at the start.
        offset: Option<f64>,
    },
    /// A wheel or ball on B touches the plane z = 0 of A's frame and rolls on it without slip.
    Rolling {
        /// Frame on A; z is the plane's normal, on the wheel's side.
        a: Attachment,
        /// Frame on B; its origin is the centre.
        b: Attachment,
        /// Radius (m).
        radius: f64,
        /// Axis of a thin disc, in the frame on B; `None`: a ball.
        axis: Option<Vec3>,
    },
}

impl ConstraintKind {
    /// Word in the model file; a coupling of two coordinates is also called `gear`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PointOnPoint { .. } => "point",
            Self::Distance { .. } => "distance",
            Self::Coupling { .. } => "coupling",
            Self::Rolling { .. } => "rolling",
        }
    }
}

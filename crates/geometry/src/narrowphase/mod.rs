//! Contact points of pairs of shapes: one file per pair, one visible table.
//!
//! A pair has a fixed number of features, each of which gives one contact point (a box on a half-space
//! has eight, its corners). The gap of a feature is a signed distance, continuous through contact and a
//! lower bound of the distance when far apart, so that events can be located on it.
//!
//! ```
//! use carom_geometry::{Cell, ShapeKind, find_kernel};
//!
//! let Cell::Direct(kernel) = find_kernel(ShapeKind::Box, ShapeKind::HalfSpace) else { panic!("it has one") };
//! assert_eq!((kernel.feature_name)(0), "corner 0");
//! assert!(matches!(find_kernel(ShapeKind::Mesh, ShapeKind::Mesh), Cell::Unsupported(_)));
//! ```

mod docs;
mod pair;
mod quadrant;
pub(crate) mod segment;
mod table;
mod unit;

use std::fmt;

use carom_math::{Pose, Vec3};

use crate::{Shape, ShapeKind};

pub use docs::accuracy_table_markdown;
pub use table::{Cell, find_kernel};

/// One contact point of a pair, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Signed distance (m): negative in penetration.
    pub gap: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Point on A's surface. In penetration it lies inside B: `point_b = point_a + gap · normal`.
    pub point_a: Vec3,
    /// Point on B's surface.
    pub point_b: Vec3,
}

impl ContactPoint {
    /// No contact in particular.
    pub const ZERO: Self = Self {
        gap: 0.0,
        normal: Vec3::new(0.0, 0.0, 0.0),
        point_a: Vec3::new(0.0, 0.0, 0.0),
        point_b: Vec3::new(0.0, 0.0, 0.0),
    };

    /// The same contact with A and B exchanged.
    #[inline]
    pub fn swapped(&self) -> Self {
        Self { gap: self.gap, normal: -self.normal, point_a: self.point_b, point_b: self.point_a }
    }

    /// Where forces act: halfway between the two surface points.
    #[inline]
    pub fn position(&self) -> Vec3 {
        0.5 * (self.point_a + self.point_b)
    }
}

/// Relative principal curvatures κ₁ ≥ κ₂ (1/m) of a feature: sums of the two surfaces' curvatures in
/// the common tangent plane, from which Hertz's stiffness follows (docs/laws.md).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curvature {
    /// Point contact with 0 < κ₂ ≤ κ₁ < ∞: Hertz's theory applies.
    Point {
        /// Larger relative curvature (1/m).
        k1: f64,
        /// Smaller relative curvature (1/m).
        k2: f64,
    },
    /// Line contact or sharp corner: no finite point stiffness follows from the geometry.
    Undefined,
}

/// What bounds the gap of a feature between two times, from below: how far it can be under its chord while points of both
/// shapes bend off straight lines by a known amount.
#[derive(Clone, Copy, Debug)]
pub enum GapCourse {
    /// The gap is the least of smooth functions that points fixed to A have, or a concave function of A's place in B's axes:
    /// it is above its chord by all but that amount.
    Chord,
    /// The largest height of points fixed to A over the half-space B: it is above the chord of any of them.
    Highest,
    /// Both are convex: their separation along a direction that stays is above its chord.
    Separation,
    /// The gap is the greatest of heights of A over B, of which each is a concave function of A's place in B's axes.
    Heights(Height),
    /// No more than that it changes by what the surfaces travel.
    Travel,
}

/// Height of A over B (m), by shape and world poses, which is the gap at the poses given last and nowhere more than the gap.
pub type Height = fn(&Shape, &Pose, &Shape, &Pose, [&Pose; 2]) -> Result<f64, OtherKind>;

/// A kernel was given a shape of another kind than [`find_kernel`] gives it for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherKind {
    /// What the kernel takes there.
    pub expected: &'static str,
    /// What it was given.
    pub found: ShapeKind,
}

impl fmt::Display for OtherKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the kernel takes a {} and was given a {}", self.expected, self.found.name())
    }
}

impl std::error::Error for OtherKind {}

/// How to find the contacts of a pair of kinds. Plain functions, dispatched once per pair at compile time.
pub struct PairKernel {
    /// Name in tables, such as `sphere–half-space`.
    pub name: &'static str,
    /// Number of features (contact identities) of this pair.
    pub features: fn(&Shape, &Shape) -> usize,
    /// Contact point of one feature; A and B by shape and world pose. An error for shapes of other kinds.
    pub point: fn(&Shape, &Pose, &Shape, &Pose, usize) -> Result<ContactPoint, OtherKind>,
    /// Name of a feature in messages, such as `wall` or `corner 3`.
    pub feature_name: fn(usize) -> &'static str,
    /// Relative principal curvatures of a feature; undefined for shapes of other kinds.
    pub curvature: fn(&Shape, &Shape, usize) -> Curvature,
    /// Weights of the features as points of one manifold that shares the pair's stiffness;
    /// `None`: each feature has the whole stiffness.
    pub manifold_weight: Option<fn(usize) -> f64>,
    /// What bounds the gap of a feature between two times.
    pub course: fn(&Shape, usize) -> GapCourse,
    /// Features where B is flat, whatever the curvature of its other faces.
    pub is_flat_on_b: fn(usize) -> bool,
    /// Accuracy of gap and normal, as the docs print it and a test holds it: absolute error of the gap
    /// relative to the largest coordinate or length involved.
    pub gap_accuracy: f64,
    /// What a user of the pair should know, as the docs print it: features, degenerate normals.
    pub notes: &'static str,
}

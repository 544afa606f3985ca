//! One file per pair. Each holds the formula, its signs, edges and source, and one `KERNEL` that the
//! table refers to.
//!
//! Every kernel forms its relative coordinates once, as the difference of two world positions, so that
//! the digits do not depend on how far the scene lies from the origin. None allocates, iterates or calls
//! a transcendental function.

mod expect;

pub(crate) mod box_half_space;
pub(crate) mod capsule_capsule;
pub(crate) mod capsule_half_space;
pub(crate) mod cylinder_half_space;
pub(crate) mod sphere_box;
pub(crate) mod sphere_capsule;
pub(crate) mod sphere_cylinder;
pub(crate) mod sphere_half_space;
pub(crate) mod sphere_hollow_cylinder;
pub(crate) mod sphere_hollow_sphere;
pub(crate) mod sphere_sphere;

use super::{Curvature, OtherKind};

/// Accuracy of a gap that is the length of a difference of positions, less radii: four roundings of the
/// largest coordinate or length. The accuracy test sees up to two.
const PLAIN: f64 = 4.0 * f64::EPSILON;

/// Accuracy of a gap that goes through a rotation, whose nine entries are rounded before the kernel sees
/// them: eight roundings of the largest coordinate or length. The accuracy test sees up to six.
const ROTATED: f64 = 8.0 * f64::EPSILON;

/// Shapes of other kinds have no contact, and so no curvature of one.
fn or_undefined(curvature: Result<Curvature, OtherKind>) -> Curvature {
    curvature.unwrap_or(Curvature::Undefined)
}

/// Curvatures of a point contact, where they are a point contact's; a body as large as its cavity, or
/// larger, touches along a line or everywhere.
fn point_curvature(k1: f64, k2: f64) -> Curvature {
    if k2 > 0.0 && k1.is_finite() { Curvature::Point { k1, k2 } } else { Curvature::Undefined }
}

//! What a kernel takes out of a shape. The pair table sends each kernel only its own kinds, so that the
//! other arms are defects of the table, not of a model.

use carom_math::Vec3;

use crate::Shape;
use crate::shape::Cylinder;

/// Radius of a ball or of a spherical cavity (m).
#[inline]
pub(super) fn sphere_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius, .. } => *radius,
        other => wrong_kind("a sphere", other),
    }
}

/// A cylinder, solid or hollow.
#[inline]
pub(super) fn cylinder(shape: &Shape) -> &Cylinder {
    match shape {
        Shape::Cylinder(cylinder) => cylinder,
        other => wrong_kind("a cylinder", other),
    }
}

/// Half edge lengths of a box (m).
#[inline]
pub(super) fn box_half(shape: &Shape) -> &Vec3 {
    match shape {
        Shape::Box { half } => half,
        other => wrong_kind("a box", other),
    }
}

/// Radius and half core length of a capsule (m).
#[inline]
pub(super) fn capsule(shape: &Shape) -> (f64, f64) {
    match shape {
        Shape::Capsule { radius, half_length } => (*radius, *half_length),
        other => wrong_kind("a capsule", other),
    }
}

#[cold]
fn wrong_kind(expected: &str, found: &Shape) -> ! {
    unreachable!("the pair table sent a {} to a kernel that takes {expected}", found.kind().name())
}

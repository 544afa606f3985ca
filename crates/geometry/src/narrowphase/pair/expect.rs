//! What a kernel takes out of a shape. The pair table sends each kernel only its own kinds; who calls one by hand may not,
//! and learns so.

use carom_math::Vec3;

use crate::Shape;
use crate::narrowphase::OtherKind;
use crate::shape::{Cylinder, CylinderSide};

/// Radius of a ball (m).
#[inline]
pub(super) fn sphere_radius(shape: &Shape) -> Result<f64, OtherKind> {
    match shape {
        Shape::Sphere { radius, hollow: false } => Ok(*radius),
        other => Err(other_kind("sphere", other)),
    }
}

/// Radius of a spherical cavity (m).
#[inline]
pub(super) fn cavity_radius(shape: &Shape) -> Result<f64, OtherKind> {
    match shape {
        Shape::Sphere { radius, hollow: true } => Ok(*radius),
        other => Err(other_kind("hollow sphere", other)),
    }
}

/// A solid cylinder.
#[inline]
pub(super) fn cylinder(shape: &Shape) -> Result<&Cylinder, OtherKind> {
    match shape {
        Shape::Cylinder(cylinder @ Cylinder { side: CylinderSide::Solid, .. }) => Ok(cylinder),
        other => Err(other_kind("cylinder", other)),
    }
}

/// A cylindrical cavity, and whether its ends are closed.
#[inline]
pub(super) fn cavity(shape: &Shape) -> Result<(&Cylinder, bool), OtherKind> {
    match shape {
        Shape::Cylinder(cylinder @ Cylinder { side: CylinderSide::Hollow { closed }, .. }) => {
            Ok((cylinder, *closed))
        }
        other => Err(other_kind("hollow cylinder", other)),
    }
}

/// Half edge lengths of a box (m).
#[inline]
pub(super) fn box_half(shape: &Shape) -> Result<&Vec3, OtherKind> {
    match shape {
        Shape::Box { half } => Ok(half),
        other => Err(other_kind("box", other)),
    }
}

/// Radius and half core length of a capsule (m).
#[inline]
pub(super) fn capsule(shape: &Shape) -> Result<(f64, f64), OtherKind> {
    match shape {
        Shape::Capsule { radius, half_length } => Ok((*radius, *half_length)),
        other => Err(other_kind("capsule", other)),
    }
}

/// A half-space has no numbers.
#[inline]
pub(super) fn half_space(shape: &Shape) -> Result<(), OtherKind> {
    match shape {
        Shape::HalfSpace => Ok(()),
        other => Err(other_kind("half-space", other)),
    }
}

#[cold]
fn other_kind(expected: &'static str, found: &Shape) -> OtherKind {
    OtherKind { expected, found: found.kind() }
}

//! Contact points of any two shapes, for who has two shapes and two poses and no run.

use std::fmt;

use carom_math::Pose;

use crate::convex::{
    ConvexCache, ConvexFault, ConvexShape, ConvexWorkspace, NotConvex, find_convex_contact,
    find_half_space_contact,
};
use crate::shape::ShapeFault;
use crate::{Cell, ContactPoint, OtherKind, Shape, find_kernel};

/// Why two shapes have no contact points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoContact {
    /// A number of shape A (0) or B (1) is not what it must be.
    Shape(usize, ShapeFault),
    /// Mesh A (0) or B (1) is no convex solid; areal contact takes any triangles ([`crate::polygonal`]).
    Mesh(usize, NotConvex),
    /// No kernel and no search serves the two kinds, for this reason.
    Unsupported(&'static str),
    /// A kernel of the pair table takes another kind.
    Kind(OtherKind),
    /// The search for the contact of two convex solids reached its limit.
    Search(ConvexFault),
}

impl fmt::Display for NoContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: &usize| ["A", "B"][*side];
        match self {
            Self::Shape(side, fault) => write!(f, "of shape {}, {fault}", name(side)),
            Self::Mesh(side, fault) => write!(f, "mesh {} {fault}", name(side)),
            Self::Unsupported(reason) => write!(f, "no contact of these two kinds: {reason}"),
            Self::Kind(fault) => fault.fmt(f),
            Self::Search(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for NoContact {}

/// Contact points of two shapes, one for each feature of their pair, in world axes: the normal points from A to B, gap < 0 in
/// penetration. `x_wa` and `x_wb` are the poses of the shapes in the world.
///
/// A kernel of the pair table answers where there is one ([`find_kernel`]), else the search for convex solids, of convex
/// meshes their hulls. A run finds its contacts the same way, but keeps what does not change.
///
/// # Errors
/// [`NoContact`], for shapes that are not what they must be and pairs that nothing serves.
///
/// ```
/// use carom_geometry::{Shape, contact};
/// use carom_math::{Pose, Vec3};
///
/// let ball = Shape::Sphere { radius: 0.5, hollow: false };
/// let x_wa = Pose::identity();
/// let x_wb = Pose::from_translation(Vec3::new(0.0, 0.0, 0.9));
/// let points = contact(&ball, &x_wa, &ball, &x_wb)?;
/// assert!((points[0].gap + 0.1).abs() < 1e-15);
/// assert_eq!(points[0].normal, Vec3::z());
/// # Ok::<(), carom_geometry::NoContact>(())
/// ```
pub fn contact(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose) -> Result<Vec<ContactPoint>, NoContact> {
    for (side, shape) in [a, b].into_iter().enumerate() {
        if let Some(fault) = shape.find_faults().into_iter().next() {
            return Err(NoContact::Shape(side, fault));
        }
    }
    let points = |kernel: &crate::PairKernel, [a, b]: [(&Shape, &Pose); 2]| {
        let features = 0..(kernel.features)(a.0, b.0);
        let point = |feature| (kernel.point)(a.0, a.1, b.0, b.1, feature);
        features.map(point).collect::<Result<Vec<_>, _>>().map_err(NoContact::Kind)
    };
    match find_kernel(a.kind(), b.kind()) {
        Cell::Direct(kernel) => points(kernel, [(a, x_wa), (b, x_wb)]),
        Cell::Swapped(kernel) => {
            Ok(points(kernel, [(b, x_wb), (a, x_wa)])?.iter().map(ContactPoint::swapped).collect())
        }
        Cell::Unsupported(reason) => search([(a, x_wa), (b, x_wb)], reason).map(|point| vec![point]),
    }
}

/// By the search for convex solids; a half-space may be one of the two.
fn search(sides: [(&Shape, &Pose); 2], reason: &'static str) -> Result<ContactPoint, NoContact> {
    let solid = |side: usize| match sides[side].0 {
        Shape::Mesh(mesh) => {
            ConvexShape::of_mesh(mesh).map(Some).map_err(|fault| NoContact::Mesh(side, fault))
        }
        other => Ok(ConvexShape::of_shape(other)),
    };
    let is_plane = |side: usize| matches!(sides[side].0, Shape::HalfSpace);
    let [x_wa, x_wb] = sides.map(|side| side.1);
    match (solid(0)?, solid(1)?) {
        (Some(a), Some(b)) => {
            let workspace = &mut ConvexWorkspace::new();
            let found = find_convex_contact(&a, x_wa, &b, x_wb, &ConvexCache::COLD, workspace);
            found.map(|contact| contact.point).map_err(NoContact::Search)
        }
        (Some(a), None) if is_plane(1) => Ok(find_half_space_contact(&a, x_wa, x_wb)),
        (None, Some(b)) if is_plane(0) => Ok(find_half_space_contact(&b, x_wb, x_wa).swapped()),
        _ => Err(NoContact::Unsupported(reason)),
    }
}

#[cfg(test)]
mod tests {
    use carom_math::{Quaternion, Vec3};

    use super::*;
    use crate::convex::Core;

    fn ball(radius: f64) -> Shape {
        Shape::Sphere { radius, hollow: false }
    }

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z))
    }

    /// Exchanging the two exchanges their points, whatever finds them.
    #[test]
    fn order_does_not_matter() {
        let turned = Pose {
            rotation: Quaternion::from_axis_angle(&Vec3::x(), 0.3).to_matrix(),
            translation: Vec3::new(0.1, -0.2, 0.65),
        };
        let ellipsoid = Shape::Convex(ConvexShape {
            core: Core::Ellipsoid { semi_axes: Vec3::new(0.3, 0.4, 0.5) },
            radius: 0.0,
        });
        let block = Shape::Box { half: Vec3::new(0.3, 0.4, 0.2) };
        for (a, b) in
            [(ball(0.2), block.clone()), (block.clone(), ellipsoid.clone()), (Shape::HalfSpace, ellipsoid)]
        {
            let one = contact(&a, &at(0.0, 0.0, 0.0), &b, &turned).expect("served");
            let other = contact(&b, &turned, &a, &at(0.0, 0.0, 0.0)).expect("served");
            for (one, other) in one.iter().zip(&other) {
                assert!((one.gap - other.gap).abs() < 1e-12, "{a:?} {b:?}");
                assert!((one.normal + other.normal).norm() < 1e-7, "{a:?} {b:?}");
            }
        }
    }

    /// What cannot be answered is an error with a reason, never a panic.
    #[test]
    fn what_is_not_served_is_an_error() {
        let here = at(0.0, 0.0, 0.0);
        let fault = contact(&ball(-1.0), &here, &ball(1.0), &here).expect_err("a negative radius");
        assert!(fault.to_string().contains("radius is -1"), "{fault}");
        let fault = contact(&Shape::HalfSpace, &here, &Shape::HalfSpace, &here).expect_err("two half-spaces");
        assert!(matches!(fault, NoContact::Unsupported(_)), "{fault}");
    }
}

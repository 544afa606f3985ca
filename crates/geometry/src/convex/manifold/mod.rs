//! Contact points that share the force of two convex solids touching along faces or edges.

mod outline;
mod overlap;
mod weights;

use carom_math::{Pose, Vec3, orthonormal_basis};

use super::ConvexShape;
use crate::ContactPoint;

use outline::Outline;
use overlap::collect_overlap;
use weights::weigh;

/// A point of a manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// Gap along the common normal, normal and surface points, in world axes.
    pub point: ContactPoint,
    /// Weight; those of a manifold add up to 1.
    pub weight: f64,
}

/// Points of a contact, with the buffers to find them: make one and use it for all pairs.
#[derive(Clone, Debug, Default)]
pub struct Manifold {
    points: Vec<ManifoldPoint>,
    outline_a: Outline,
    outline_b: Outline,
    overlap: Vec<[f64; 2]>,
    gaps: Vec<f64>,
    weights: Vec<f64>,
}

impl Manifold {
    /// Buffers large enough for every pair of the shapes given, so that [`find_manifold`] does not allocate.
    pub fn for_shapes<'a>(shapes: impl IntoIterator<Item = &'a ConvexShape>) -> Self {
        let corners = shapes.into_iter().map(|shape| shape.core.most_face_corners()).max().unwrap_or(0);
        // Each side of each outline gives two points, and two circles meet twice.
        let points = 4 * corners + 2;
        Self {
            points: Vec::with_capacity(points),
            outline_a: Outline::with_capacity(corners),
            outline_b: Outline::with_capacity(corners),
            overlap: Vec::with_capacity(points),
            gaps: Vec::with_capacity(points),
            weights: Vec::with_capacity(points),
        }
    }

    /// The points last found.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points
    }
}

/// Spreads a contact over the surfaces that touch: all corners, within the penetration, of the overlap of the two
/// solids' faces.
///
/// Of each solid the face, edge line or point is taken that faces the other most squarely (faces of cylinders
/// and beams may be round). Both are projected along the normal; each corner of their overlap is a point,
/// with its gap from the planes of the two faces. No gap is below that of `contact`. Points without penetration are
/// left out; apart, and where a smooth surface touches, `contact` itself is the one point.
///
/// The weights are the lengths of the overlap's border that penetrate, half to each end. They change continuously
/// as corners come and go, so that a sum of forces over the points with shares ∝ weight · depth does not jump
/// between corners. There are as many points as there are corners, and not a choice of four: a choice would
/// prefer some of equals, and mirrored or turned copies of a scene would differ.
pub fn find_manifold(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    contact: &ContactPoint,
    manifold: &mut Manifold,
) {
    let Manifold { points, outline_a, outline_b, overlap, gaps, weights } = manifold;
    points.clear();
    let whole = ManifoldPoint { point: *contact, weight: 1.0 };
    if contact.gap >= 0.0 {
        points.push(whole);
        return;
    }
    let n = contact.normal;
    let (t1, t2) = orthonormal_basis(&n);
    // From here on in the frame of the contact: z along the normal, origin at the contact's position.
    let origin = contact.position();
    let in_contact = |x: &Pose, p: &Vec3| {
        let world = x.rotation * p + (x.translation - origin);
        Vec3::new(t1.dot(&world), t2.dot(&world), n.dot(&world))
    };
    outline_a.find(&a.core, &x_wa.rotation.tr_mul(&n), false, &|p| in_contact(x_wa, p));
    outline_b.find(&b.core, &-x_wb.rotation.tr_mul(&n), true, &|p| in_contact(x_wb, p));
    let radii = a.radius + b.radius;
    collect_overlap(outline_a, outline_b, overlap, gaps);
    for gap in gaps.iter_mut() {
        *gap -= radii;
    }
    weigh(overlap, gaps, weights);
    for ((&[x, y], &gap), &weight) in overlap.iter().zip(&*gaps).zip(&*weights) {
        if weight > 0.0 {
            let z = outline_a.height(x, y) + a.radius;
            let point_a = origin + x * t1 + y * t2 + z * n;
            let point = ContactPoint { gap, normal: n, point_a, point_b: point_a + gap * n };
            points.push(ManifoldPoint { point, weight });
        }
    }
    if points.is_empty() {
        points.push(whole);
    }
}

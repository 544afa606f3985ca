//! Contact points that share the force of two convex solids touching along faces or edges.

mod outline;
mod overlap;
mod round;
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
    manifold.points.clear();
    if contact.gap < 0.0 {
        let frame = Frame::at(contact);
        let n = &frame.normal;
        let (outline_a, outline_b) = (&mut manifold.outline_a, &mut manifold.outline_b);
        outline_a.find(&a.core, &x_wa.rotation.tr_mul(n), false, &|p| frame.place(x_wa, p));
        outline_b.find(&b.core, &-x_wb.rotation.tr_mul(n), true, &|p| frame.place(x_wb, p));
        manifold.collect(&frame, [a.radius, b.radius]);
    }
    manifold.fall_back(contact);
}

/// The same with a half-space B, for a contact of [`super::find_half_space_contact`]: the whole face of A that is
/// squarest to the surface. The lowest of its points is the contact.
pub fn find_half_space_manifold(
    a: &ConvexShape,
    x_wa: &Pose,
    contact: &ContactPoint,
    manifold: &mut Manifold,
) {
    manifold.points.clear();
    if contact.gap < 0.0 {
        let frame = Frame::at(contact);
        let outline_a = &mut manifold.outline_a;
        outline_a.find(&a.core, &x_wa.rotation.tr_mul(&frame.normal), false, &|p| frame.place(x_wa, p));
        manifold.outline_b.set_endless(0.5 * contact.gap);
        manifold.collect(&frame, [a.radius, 0.0]);
    }
    manifold.fall_back(contact);
}

/// Frame of a contact: z along the normal, origin at the contact's position.
struct Frame {
    origin: Vec3,
    normal: Vec3,
    tangents: [Vec3; 2],
}

impl Frame {
    fn at(contact: &ContactPoint) -> Self {
        let (t1, t2) = orthonormal_basis(&contact.normal);
        Self { origin: contact.position(), normal: contact.normal, tangents: [t1, t2] }
    }

    /// A point of a core with the pose `x`, seen in this frame.
    fn place(&self, x: &Pose, p: &Vec3) -> Vec3 {
        let world = x.rotation * p + (x.translation - self.origin);
        Vec3::new(self.tangents[0].dot(&world), self.tangents[1].dot(&world), self.normal.dot(&world))
    }

    fn to_world(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.origin + x * self.tangents[0] + y * self.tangents[1] + z * self.normal
    }
}

impl Manifold {
    /// Points of the overlap of the two outlines, of cores with rounding radii.
    fn collect(&mut self, frame: &Frame, [radius_a, radius_b]: [f64; 2]) {
        collect_overlap(&self.outline_a, &self.outline_b, &mut self.overlap, &mut self.gaps);
        for gap in &mut self.gaps {
            *gap -= radius_a + radius_b;
        }
        weigh(&self.overlap, &self.gaps, &mut self.weights);
        for ((&[x, y], &gap), &weight) in self.overlap.iter().zip(&self.gaps).zip(&self.weights) {
            if weight > 0.0 {
                let point_a = frame.to_world(x, y, self.outline_a.height(x, y) + radius_a);
                let point_b = point_a + gap * frame.normal;
                let point = ContactPoint { gap, normal: frame.normal, point_a, point_b };
                self.points.push(ManifoldPoint { point, weight });
            }
        }
    }

    /// Where no point was found the contact is the one point.
    fn fall_back(&mut self, contact: &ContactPoint) {
        if self.points.is_empty() {
            self.points.push(ManifoldPoint { point: *contact, weight: 1.0 });
        }
    }
}

//! Contact points that share the force of two convex solids touching along faces or edges.

mod facing;
mod outline;
mod overlap;
mod round;
mod weights;

use carom_math::{Pose, Vec3, orthonormal_basis};

use super::{ConvexShape, Core};
use crate::ContactPoint;

use facing::{Facing, find_facing};
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
    faces_a: Vec<Facing>,
    faces_b: Vec<Facing>,
    corners: Vec<u32>,
    overlap: Vec<[f64; 2]>,
    gaps: Vec<f64>,
    weights: Vec<f64>,
}

impl Manifold {
    /// Buffers large enough for every pair of the shapes given, so that [`find_manifold`] does not allocate.
    pub fn for_shapes<'a>(shapes: impl IntoIterator<Item = &'a ConvexShape>) -> Self {
        let (mut corners, mut faces, mut all_corners, mut vertices) = (0, 1, 0, 0);
        for shape in shapes {
            corners = corners.max(shape.core.most_face_corners());
            if let Core::Hull(hull) = &shape.core {
                faces = faces.max(hull.faces().len());
                vertices = vertices.max(hull.vertices().len());
                all_corners = all_corners.max(hull.faces().iter().map(|face| face.corners.len()).sum());
            }
        }
        // Each side of each outline gives two points, and two circles meet twice. Many faces of two hulls at a time may give
        // more than all of one give with a plane: then the buffers grow, once.
        let points = 4 * corners.max(all_corners) + 2;
        Self {
            points: Vec::with_capacity(points),
            outline_a: Outline::with_capacity(corners),
            outline_b: Outline::with_capacity(corners),
            faces_a: Vec::with_capacity(faces),
            faces_b: Vec::with_capacity(faces),
            corners: Vec::with_capacity(vertices),
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
/// and beams may be round), of a hull all faces that do so nearly, less those that do so less. Both are projected along the normal; each corner of their overlap is a point,
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
        let (n_a, n_b) = (x_wa.rotation.tr_mul(n), -x_wb.rotation.tr_mul(n));
        find_facing(&a.core, &n_a, -contact.gap, &mut manifold.corners, &mut manifold.faces_a);
        find_facing(&b.core, &n_b, -contact.gap, &mut manifold.corners, &mut manifold.faces_b);
        let single = manifold.faces_a.len() * manifold.faces_b.len() == 1;
        if !single {
            manifold.faces_a.iter_mut().for_each(|of_a| of_a.bound(&a.core, |p| frame.place(x_wa, p)));
        }
        for j in 0..manifold.faces_b.len() {
            let mut of_b = manifold.faces_b[j];
            if !single {
                of_b.bound(&b.core, |p| frame.place(x_wb, p));
                if !manifold.faces_a.iter().any(|of_a| of_a.may_overlap(&of_b)) {
                    continue;
                }
            }
            manifold.outline_b.find(&b.core, of_b.face, &n_b, true, &|p| frame.place(x_wb, p));
            for i in 0..manifold.faces_a.len() {
                let of_a = manifold.faces_a[i];
                if !of_a.may_overlap(&of_b) {
                    continue;
                }
                manifold.outline_a.find(&a.core, of_a.face, &n_a, false, &|p| frame.place(x_wa, p));
                manifold.collect(&frame, [a.radius, b.radius], of_a.share * of_b.share, single);
            }
        }
    }
    manifold.share_out();
    manifold.fall_back(contact);
}

/// The same with a half-space B, for a contact of [`super::find_half_space_contact`]: the face of A that is
/// squarest to the surface, of a hull those that are nearly so. The lowest of all points is the contact.
pub fn find_half_space_manifold(
    a: &ConvexShape,
    x_wa: &Pose,
    contact: &ContactPoint,
    manifold: &mut Manifold,
) {
    manifold.points.clear();
    if contact.gap < 0.0 {
        let frame = Frame::at(contact);
        let n_a = x_wa.rotation.tr_mul(&frame.normal);
        manifold.outline_b.set_endless(0.5 * contact.gap);
        find_facing(&a.core, &n_a, -contact.gap, &mut manifold.corners, &mut manifold.faces_a);
        let single = manifold.faces_a.len() == 1;
        for i in 0..manifold.faces_a.len() {
            let of_a = manifold.faces_a[i];
            manifold.outline_a.find(&a.core, of_a.face, &n_a, false, &|p| frame.place(x_wa, p));
            manifold.collect(&frame, [a.radius, 0.0], of_a.share, single);
        }
    }
    manifold.share_out();
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
    /// Points of the overlap of the two outlines, of cores with rounding radii, with `share` of the lengths that they weigh.
    fn collect(&mut self, frame: &Frame, [radius_a, radius_b]: [f64; 2], share: f64, single: bool) {
        collect_overlap(&self.outline_a, &self.outline_b, &mut self.overlap, &mut self.gaps);
        for gap in &mut self.gaps {
            *gap -= radius_a + radius_b;
        }
        weigh(&self.overlap, &self.gaps, single, &mut self.weights);
        for ((&[x, y], &gap), &weight) in self.overlap.iter().zip(&self.gaps).zip(&self.weights) {
            if share * weight > 0.0 {
                let point_a = frame.to_world(x, y, self.outline_a.height(x, y) + radius_a);
                let point_b = point_a + gap * frame.normal;
                let point = ContactPoint { gap, normal: frame.normal, point_a, point_b };
                self.points.push(ManifoldPoint { point, weight: share * weight });
            }
        }
    }

    /// Makes the weights add up to 1.
    fn share_out(&mut self) {
        let whole: f64 = self.points.iter().map(|p| p.weight).sum();
        for point in &mut self.points {
            point.weight /= whole;
        }
    }

    /// Where no point was found the contact is the one point.
    fn fall_back(&mut self, contact: &ContactPoint) {
        if self.points.is_empty() {
            self.points.push(ManifoldPoint { point: *contact, weight: 1.0 });
        }
    }
}

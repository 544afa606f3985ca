use carom_math::{Pose, Vec3};

use super::super::unit::unit_or;
use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere of radius R against a box of half edges h: gap = φ(c) − R (m), with the signed distance φ of the
/// solid box at the centre c of the sphere.
///
/// With p the centre in box axes and q = clamp(p, −h, h) the nearest point of the box: outside
/// φ = ‖p − q‖ (face, edge or corner, by how many components are clamped); inside
/// φ = −min (hᵢ − |pᵢ|), from the nearest face. The normal is −∇φ, from the sphere to the box.
///
/// Degenerate: of equally near faces the first in the order x, y, z is taken, and on a middle plane the
/// positive one. The gap is continuous everywhere; the normal jumps where the nearest face changes.
///
/// Source: Corral et al. 2021, eq. 20–32. The sides come from the shape, not from the inertia tensor (eq. 21–23).
/// Errata: eq. 26 needs the sphere's centre; eq. 29–30 must vanish where the projection lies inside the
/// face, and clamp on both sides; the frame sits at the centre of the box, not at a corner.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–box",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Separation,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Face, edge and corner are one feature. Centre inside: nearest face, the first of equals in the order x, y, z.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let radius = expect::sphere_radius(a)?;
    let half = expect::box_half(b)?;
    let centre = x_wb.inverse_transform_point(&x_wa.translation);
    let nearest = centre.sup(&-half).inf(half);
    let (mut distance, mut away) = unit_or(&(centre - nearest), Vec3::zeros);
    if distance == 0.0 {
        (distance, away) = nearest_face(&centre, half);
    }
    let normal = -(x_wb.rotation * away);
    let gap = distance - radius;
    let point_a = x_wa.translation + radius * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// Signed distance (≤ 0) and outward normal of the face nearest to a point inside the box.
fn nearest_face(centre: &Vec3, half: &Vec3) -> (f64, Vec3) {
    let distances = centre.abs() - half;
    let face = (1..3).fold(0, |best, i| if distances[i] > distances[best] { i } else { best });
    let mut outward = Vec3::zeros();
    outward[face] = 1.0_f64.copysign(centre[face]);
    (distances[face], outward)
}

/// κ₁ = κ₂ = 1/R, those of a face; edges and corners, which have no finite curvature, keep them, so that
/// the stiffness does not jump on the way over an edge.
fn curvature(a: &Shape, _: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)?;
    Ok(point_curvature(k, k))
}

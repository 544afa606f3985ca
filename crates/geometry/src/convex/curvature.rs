use carom_math::{Mat3, Pose, Vec3, orthonormal_basis};

use super::core::{SurfacePoint, length};
use super::{ConvexContact, ConvexShape, Core};
use crate::Curvature;

/// Curvature relative to the larger one below which a contact is a line.
const LINE: f64 = 1e-9;

/// Symmetric curvature in the tangent plane (1/m): entries 11, 12, 22.
type Tangent = [f64; 3];

/// Relative principal curvatures at a contact of two convex solids, κ₁ ≥ κ₂ of K_A + K_B in the common tangent plane.
///
/// A smooth surface, or the rim of a disc, has the principal radii of curvature Tᵀ H T of its support function and
/// the rounding radius r on top: K = (Tᵀ H T + r 1)⁻¹. A rounded corner has 1/r both ways, along an edge or
/// the line of a wall the curvature is 0, and on a face both are. Undefined where a sharp edge or corner touches,
/// and for line and face contacts.
///
/// The values are those at this pose. On surfaces of varying curvature a stiffness that follows them changes the
/// stored energy without work.
pub fn find_curvature(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    contact: &ConvexContact,
) -> Curvature {
    let n = x_wa.rotation.tr_mul(&contact.point.normal);
    let x_ab = x_wa.rotation.tr_mul(&x_wb.rotation);
    let (points_a, points_b) = contact.cache.carriers();
    let of_a = curvature_of(a, &n, &points_a, &Mat3::identity(), &n);
    let of_b = curvature_of(b, &-x_ab.tr_mul(&n), &points_b, &x_ab, &n);
    let (Some(of_a), Some(of_b)) = (of_a, of_b) else { return Curvature::Undefined };
    let [p, q, r] = [of_a[0] + of_b[0], of_a[1] + of_b[1], of_a[2] + of_b[2]];
    let (mean, spread) = (0.5 * (p + r), length(0.5 * (p - r), q));
    let (k1, k2) = (mean + spread, mean - spread);
    if k1.is_finite() && k2 > LINE * k1 { Curvature::Point { k1, k2 } } else { Curvature::Undefined }
}

/// Curvature of one solid in the tangent basis of the unit vector `t_n` of A's frame; `None` where it is
/// infinite.
fn curvature_of(
    shape: &ConvexShape,
    n: &Vec3,
    points: &[Option<SurfacePoint>; 3],
    rotation: &Mat3,
    t_n: &Vec3,
) -> Option<Tangent> {
    let (t1, t2) = orthonormal_basis(t_n);
    let tangents = [t1, t2].map(|t| -> Vec3 { rotation.tr_mul(&t) });
    let distinct = distinct_points(&shape.core, n, points);
    let moving = distinct[0].and_then(|p| shape.core.moving_point(p.branch, n, [&tangents[0], &tangents[1]]));
    let radii = moving.map_or([0.0; 3], |moving| moving.radii);
    match distinct {
        [Some(_), None, _] => {
            let [p, q, r] = [radii[0] + shape.radius, radii[1], radii[2] + shape.radius];
            let determinant = p * r - q * q;
            let regular = determinant > LINE * LINE * (p + r) * (p + r);
            regular.then(|| [r / determinant, -q / determinant, p / determinant])
        }
        [Some(first), Some(second), None] => {
            let along = (second.point - first.point).normalize();
            let across = n.cross(&along);
            let [u, v] = tangents.map(|t| across.dot(&t));
            let rho = u * u * radii[0] + 2.0 * u * v * radii[1] + v * v * radii[2] + shape.radius;
            (rho > 0.0).then(|| [u * u / rho, u * v / rho, v * v / rho])
        }
        _ => Some([0.0; 3]),
    }
}

/// Points that are not the same one: of a surface or rim that moves with the normal there is one each.
fn distinct_points(core: &Core, n: &Vec3, points: &[Option<SurfacePoint>; 3]) -> [Option<SurfacePoint>; 3] {
    let mut distinct: [Option<SurfacePoint>; 3] = [None; 3];
    let mut count = 0;
    for point in points.iter().flatten() {
        let moves = core.moves(point.branch, n);
        let is_known = distinct[..count]
            .iter()
            .flatten()
            .any(|known| known.branch == point.branch && (moves || known.point == point.point));
        if !is_known {
            distinct[count] = Some(*point);
            count += 1;
        }
    }
    distinct
}

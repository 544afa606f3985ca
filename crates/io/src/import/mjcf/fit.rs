//! Primitives in place of meshes, as MuJoCo's compiler sizes them.

use carom_geometry::MassProperties;
use carom_math::{Mat3, Pose, Vec3};

use super::super::robot::Geometry;

/// A primitive along the principal axes of a mesh, x that of the greatest moment, and where it is. It is as large as the box that has the
/// mesh's moments at its mass, or encloses the bounds of its vertices along these axes. `None` of what is no primitive, or has no size.
pub(super) fn to_mesh(
    kind: &str,
    solid: &MassProperties,
    vertices: Option<&[Vec3]>,
    scale: f64,
) -> Option<(Geometry, Pose)> {
    let (moments, rotation) = descending(&solid.inertia);
    let axes = Pose { rotation, translation: solid.com };
    let Some(vertices) = vertices else {
        // A box of halves h has the moments m (h_j² + h_k²)/3.
        let halves = moments.map(|own| (1.5 * (moments.sum() - 2.0 * own) / solid.mass).sqrt());
        let across = 0.5 * (halves.x + halves.y);
        let [radius, half] = match kind {
            "sphere" => [halves.sum() / 3.0, 0.0],
            "capsule" => [across, halves.z - 0.5 * across],
            _ => [across, halves.z],
        };
        return primitive(kind, radius * scale, half * scale, halves * scale).map(|shape| (shape, axes));
    };
    let mut along = vertices.iter().map(|v| axes.inverse_transform_point(v));
    let start = along.next()?;
    let (low, high) = along.fold((start, start), |(low, high), v| (low.inf(&v), high.sup(&v)));
    let (halves, centre) = (0.5 * (high - low), 0.5 * (low + high));
    let across = halves.x.max(halves.y);
    let [radius, half] = match kind {
        "sphere" => [halves.max(), 0.0],
        "capsule" => [across, halves.z - across],
        _ => [across, halves.z],
    };
    let shape = primitive(kind, radius * scale, half * scale, halves * scale)?;
    Some((shape, axes.compose(&Pose::from_translation(centre))))
}

fn primitive(kind: &str, radius: f64, half: f64, halves: Vec3) -> Option<Geometry> {
    let shape = match kind {
        "sphere" => Geometry::Sphere { radius },
        "capsule" => Geometry::Capsule { radius, length: 2.0 * half.max(0.0) },
        "cylinder" => Geometry::Cylinder { radius, length: 2.0 * half },
        "box" => Geometry::Box { size: 2.0 * halves },
        "ellipsoid" => Geometry::Ellipsoid { semi_axes: halves },
        _ => return None,
    };
    let has_size = radius > 0.0 && halves.iter().all(|half| *half > 0.0) && radius.is_finite();
    has_size.then_some(shape)
}

/// Principal moments, greatest first, and axes that are right-handed.
fn descending(inertia: &Mat3) -> (Vec3, Mat3) {
    let eigen = inertia.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
    let [x, y, _] = order.map(|k| eigen.eigenvectors.column(k).into_owned());
    (Vec3::from(order.map(|k| eigen.eigenvalues[k])), Mat3::from_columns(&[x, y, x.cross(&y)]))
}

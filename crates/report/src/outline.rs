//! The outline of a surface: edges between what faces the viewer and what does not, and borders.

use std::collections::BTreeMap;

use carom_geometry::TriangleMesh;
use carom_math::{Pose, Quaternion, Vec3};
use carom_results::{Error, Form, RunData, Shapes};

/// Edges of a mesh that bound what is seen of it along `view`, a direction in its frame.
fn edges(mesh: &TriangleMesh, view: Vec3) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    // Edges by their ends, in the order of these: how many triangles with it face the viewer, and how many do not.
    let mut sides: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    for (corners, [a, b, c]) in mesh.triangles.iter().zip(mesh.corners()) {
        let faces = (b - a).cross(&(c - a)).dot(&view) > 0.0;
        for k in 0..3 {
            let [from, to] = [corners[k], corners[(k + 1) % 3]];
            sides.entry([from.min(to), from.max(to)]).or_default()[usize::from(faces)] += 1;
        }
    }
    let bounds = |[away, towards]: &[u32; 2]| away + towards == 1 || (*away > 0 && *towards > 0);
    let bounding = sides.into_iter().filter(move |(_, sides)| bounds(sides));
    bounding.map(|(ends, _)| ends.map(|end| mesh.vertices[end as usize]))
}

/// Outlines in the world of the surfaces with these names, seen along a unit vector at a time; between two output times the
/// surfaces are where interpolation has them.
pub(crate) fn outline(
    data: &RunData,
    shapes: &Shapes,
    names: &[&str],
    time: f64,
    view: [f64; 3],
) -> Result<Vec<[[f64; 3]; 2]>, Error> {
    let mut lines = Vec::new();
    for surface in shapes.surfaces.iter().filter(|surface| names.contains(&surface.name.as_str())) {
        let Form::Mesh(mesh) = surface.form else { continue };
        let body = pose(data, &data.scene().bodies[surface.body].name, time)?;
        let [w, x, y, z] = surface.orientation;
        let own = Pose {
            rotation: Quaternion { w, x, y, z }.to_matrix(),
            translation: Vec3::from(surface.position),
        };
        let to_world = |point: Vec3| body.transform_point(&own.transform_point(&point));
        let seen = own.rotation.transpose() * (body.rotation.transpose() * Vec3::from(view));
        lines.extend(edges(&shapes.meshes[mesh], seen).map(|ends| ends.map(|end| to_world(end).into())));
    }
    Ok(lines)
}

/// Pose of a body at a time.
fn pose(data: &RunData, body: &str, time: f64) -> Result<Pose, Error> {
    let times = data.times()?;
    let next = times.partition_point(|t| *t < time).min(times.len().saturating_sub(1));
    let before = next.saturating_sub(1);
    let span = times[next] - times[before];
    let share = if span > 0.0 { ((time - times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
    let both = |name: &str| -> Result<[f64; 2], Error> {
        let values = data.series(&format!("{body}.{name}"))?.values;
        Ok([values[before], values[next]])
    };
    let mix = |[a, b]: [f64; 2]| a + share * (b - a);
    let q = [both("qw")?, both("qx")?, both("qy")?, both("qz")?];
    // Both signs are the same rotation; the nearer one is meant.
    let sign = q.iter().map(|[a, b]| a * b).sum::<f64>().signum();
    let [w, x, y, z] = q.map(|[a, b]| mix([a, sign * b]));
    let translation = Vec3::new(mix(both("x")?), mix(both("y")?), mix(both("z")?));
    Ok(Pose { rotation: Quaternion { w, x, y, z }.normalized().to_matrix(), translation })
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, sphere};

    use super::*;

    /// Of a ball the circle across the view, of a box the hexagon of its corners.
    #[test]
    fn the_outline_of_a_ball_is_a_circle() {
        let ball = sphere(2.0, Resolution::Facets(20_000)).unwrap();
        let view = Vec3::new(1.0, 2.0, -0.5).normalize();
        let mut length = 0.0;
        for [a, b] in edges(&ball, view) {
            assert!(a.dot(&view).abs() < 0.1, "it lies across the view");
            assert!((a.norm() - 2.0).abs() < 1e-9);
            // Seen along the view; its edges go to and fro along it.
            let seen = (b - a) - (b - a).dot(&view) * view;
            length += seen.norm();
        }
        let circle = 2.0 * std::f64::consts::PI * 2.0;
        assert!(length > 0.99 * circle && length < 1.5 * circle, "{length} and {circle}");
    }

    #[test]
    fn a_sheet_is_bounded_by_its_border() {
        let vertices =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
        let sheet = TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
        let lines: Vec<_> = edges(&sheet, Vec3::z()).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|[a, b]| ((b - a).norm() - 1.0).abs() < 1e-15), "not its diagonal");
    }
}

use carom_geometry::TriangleMesh;
use carom_geometry::convex::ConvexHull;
use carom_geometry::surface::*;
use carom_math::Vec3;

use crate::bent::{BOWL, HAWSE, SLOTTED, hook};
use crate::{BUBBLE, PINION, foot_with};

/// All closed surfaces at a resolution, with their numbers of holes.
fn closed_surfaces(resolution: Resolution) -> Vec<(&'static str, TriangleMesh, usize)> {
    let corners = [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::y(), Vec3::z(), Vec3::new(1.0, 1.0, 1.0)];
    let pyramid = ConvexHull::of_points(&corners).unwrap();
    let wheel = Gear { teeth: 57, ..PINION };
    vec![
        ("torus", torus(1.0, 0.3, resolution).unwrap(), 1),
        ("sphere", sphere(0.7, resolution).unwrap(), 0),
        ("ellipsoid", ellipsoid(Vec3::new(1.0, 0.2, 0.5), resolution).unwrap(), 0),
        ("block", block(Vec3::new(1.0, 0.1, 0.4), resolution).unwrap(), 0),
        ("cylinder", cylinder(0.3, 1.0, resolution).unwrap(), 0),
        ("disc", cylinder(1.0, 0.01, resolution).unwrap(), 0),
        ("frustum", frustum(0.3, 0.9, 0.5, resolution).unwrap(), 0),
        ("cone", frustum(0.4, 0.0, 0.5, resolution).unwrap(), 0),
        ("cone on its apex", frustum(0.0, 0.4, 0.5, resolution).unwrap(), 0),
        ("capsule", capsule(0.2, 0.5, resolution).unwrap(), 0),
        ("beam", beam(0.5, 0.1, 0.03, resolution).unwrap(), 0),
        ("peanut", peanut(&BUBBLE, resolution).unwrap(), 0),
        ("foot", foot(&foot_with(0.002), resolution).unwrap(), 0),
        ("pinion", gear(&PINION).unwrap(), 0),
        ("wheel", gear(&wheel).unwrap(), 0),
        ("hull", hull(&pyramid, 2).unwrap(), 0),
        ("bowl", bowl(&BOWL, resolution).unwrap(), 0),
        ("hook", wire(&hook(), resolution).unwrap(), 0),
        ("slotted plate", slotted_plate(&SLOTTED, resolution).unwrap(), 1),
        ("hawse", hawse(&HAWSE, resolution).unwrap(), 1),
    ]
}

#[test]
fn surfaces_of_solids_are_closed_manifold_and_outward() {
    let finenesses = [8, 9, 13, 32].map(Resolution::Divisions);
    for resolution in finenesses.into_iter().chain([1, 300, 4096].map(Resolution::Facets)) {
        for (name, mesh, holes) in closed_surfaces(resolution) {
            let report = mesh.topology().unwrap();
            assert!(report.closed, "{name}: {report:?}");
            assert!(report.signed_volume > 0.0, "{name}: {report:?}");
            assert_eq!(report.non_manifold.count, 0, "{name}");
            assert_eq!(report.duplicate_vertices, 0, "{name}");
            assert_eq!(report.degenerate_triangles, 0, "{name}: {:?}", report.first_degenerate);
            // Euler's formula: also says that no vertex is unused and that there is one shell.
            let euler = mesh.vertices.len() + mesh.triangles.len() + 2 * holes;
            assert_eq!(euler, report.edges + 2, "{name}");
        }
    }
}

/// Signed volume of each triangle with a point inside: positive for all if the surface is star-shaped about it.
fn is_seen_from(mesh: &TriangleMesh, inside: Vec3) -> bool {
    mesh.corners().map(|c| c.map(|x| x - inside)).all(|[a, b, c]| a.cross(&b).dot(&c) > 0.0)
}

#[test]
fn no_triangle_of_a_convex_solid_is_folded() {
    for resolution in [Resolution::Divisions(9), Resolution::Facets(2000)] {
        for (name, mesh, _) in closed_surfaces(resolution) {
            let inside = match name {
                "torus" | "pinion" | "wheel" | "bowl" | "hook" | "slotted plate" | "hawse" => continue,
                "foot" => Vec3::new(0.0, 0.0, -0.01),
                "hull" => Vec3::repeat(0.3),
                _ => Vec3::zeros(),
            };
            assert!(is_seen_from(&mesh, inside), "{name}");
        }
    }
}

#[test]
fn ends_of_gears_are_flat_and_not_folded() {
    for teeth in [6, 20, 57] {
        let gear = Gear { teeth, ..PINION };
        let mesh = carom_geometry::surface::gear(&gear).unwrap();
        let half = 0.5 * gear.width;
        for [a, b, c] in mesh.corners().filter(|corners| corners.iter().all(|x| x.z.abs() == half)) {
            let normal = (b - a).cross(&(c - a));
            assert!(normal.z * a.z > 0.0, "{teeth} teeth: {a} {b} {c}");
        }
    }
}

#[test]
fn foot_is_convex_and_has_no_sharp_edge() {
    let mesh = foot(&Foot::ROVER, Resolution::Divisions(19)).unwrap();
    let solid = ConvexHull::of_mesh(&mesh).unwrap().mass_properties(1.0).unwrap();
    // A dent would make the hull larger; both volumes carry rounding only.
    assert!((mesh.signed_volume() / solid.mass - 1.0).abs() < 1e-12);
    let normals: Vec<Vec3> = mesh.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).normalize()).collect();
    for (t, one) in mesh.triangles.iter().enumerate() {
        for (u, other) in mesh.triangles.iter().enumerate() {
            let shared = one.iter().filter(|corner| other.contains(corner)).count();
            assert!(shared != 2 || normals[t].dot(&normals[u]) > 0.3, "{t} {u}");
        }
    }
}

#[test]
fn open_surfaces_face_upwards() {
    let open = [
        rectangle(1.0, 0.3, Resolution::Divisions(10)).unwrap(),
        funnel(1.0, 0.5, 3).unwrap(),
        terrain(&Terrain { size: 10.0, relief: 1.0, hurst: 0.8, seed: 1, levels: 5 }).unwrap(),
    ];
    for mesh in open {
        let report = mesh.topology().unwrap();
        assert_eq!((report.misoriented.count, report.non_manifold.count), (0, 0));
        assert_eq!((report.duplicate_vertices, report.degenerate_triangles), (0, 0));
        // One border: Euler's formula of a disc.
        assert_eq!(mesh.vertices.len() + mesh.triangles.len(), report.edges + 1);
        assert!(mesh.corners().all(|[a, b, c]| (b - a).cross(&(c - a)).z > 0.0));
    }
}

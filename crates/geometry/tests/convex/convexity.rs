//! Meshes that are the boundary of a convex solid, and those that are nearly one.

use carom_geometry::convex::{ConvexHull, NotConvex};
use carom_geometry::{MassFault, TriangleMesh};
use carom_math::{Quaternion, Vec3};

/// Heights over a regular polygon of `n` corners on the unit circle: a prism of height 1 with the middles of its
/// caps at z = 0 + dents and 1 − dents.
fn prism(n: u32, dent: f64) -> TriangleMesh {
    let rim = |z: f64| {
        (0..n).map(move |k| {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
            Vec3::new(cosine, sine, z)
        })
    };
    let mut vertices: Vec<Vec3> = rim(0.0).chain(rim(1.0)).collect();
    vertices.extend([Vec3::new(0.0, 0.0, dent), Vec3::new(0.0, 0.0, 1.0 - dent)]);
    let triangles = (0..n).flat_map(|k| {
        let (a, b) = (k, (k + 1) % n);
        [[a, b, b + n], [a, b + n, a + n], [2 * n, b, a], [2 * n + 1, a + n, b + n]]
    });
    TriangleMesh { vertices, triangles: triangles.collect() }
}

fn moved(mesh: &TriangleMesh, scale: f64, by: Vec3) -> TriangleMesh {
    let turn = Quaternion::new(0.3, -0.5, 0.7, 0.2).to_matrix();
    let vertices = mesh.vertices.iter().map(|v| scale * (turn * v) + by).collect();
    TriangleMesh { vertices, triangles: mesh.triangles.clone() }
}

#[test]
fn a_convex_mesh_is_its_hull_wherever_it_is_and_however_large() {
    for (n, dent) in [(4, 0.0), (7, 0.0), (64, 0.0), (7, -0.3), (64, -1e-3)] {
        for (scale, by) in [(1.0, Vec3::zeros()), (1e-3, Vec3::new(0.02, -0.05, 0.01)), (1e3, Vec3::x())] {
            let mesh = moved(&prism(n, dent), scale, by);
            let hull = ConvexHull::of_convex_mesh(&mesh).unwrap();
            let (whole, own) = (hull.mass_properties(1.0).unwrap().mass, mesh.signed_volume());
            assert!((whole - own).abs() < 1e-12 * own, "{n} {dent} {scale}: {whole} {own}");
        }
    }
}

/// Both middles of the caps are pushed in: each of the 2 n edges to them is concave. The middle of one lies d/2 below the
/// cap for dents d that are not deep.
#[test]
fn dents_are_counted_and_the_deepest_is_found() {
    for dent in [1e-8, 1e-3, 0.2] {
        let mut mesh = prism(6, dent);
        let fault = ConvexHull::of_convex_mesh(&mesh).unwrap_err();
        let NotConvex::Concave { edges, depth, at } = fault else { panic!("{fault:?}") };
        assert_eq!(edges, 12);
        assert!((depth - 0.5 * dent).abs() < 1e-12, "{depth}");
        assert!((at.x.hypot(at.y) - 0.5).abs() < 1e-12, "{at:?}");
        // The upper dent alone, deeper.
        mesh.vertices[12].z = -0.1;
        mesh.vertices[13].z = 1.0 - 2.0 * dent;
        let fault = ConvexHull::of_convex_mesh(&mesh).unwrap_err();
        let NotConvex::Concave { edges, depth, at } = fault else { panic!("{fault:?}") };
        assert_eq!(edges, 6);
        assert!((depth - dent).abs() < 1e-12 && at.z > 0.5, "{depth} {at:?}");
    }
}

/// Dents below the tolerance of 1e-9 of the extent, here 2 m, are none.
#[test]
fn the_tolerance_is_where_it_is_said_to_be() {
    assert!(ConvexHull::of_convex_mesh(&prism(64, 1e-10)).is_ok());
    assert!(ConvexHull::of_convex_mesh(&prism(64, 1e-8)).is_err());
}

#[test]
fn two_pieces_are_not_convex_though_no_edge_is_concave() {
    let one = prism(6, 0.0);
    let mut both = one.clone();
    both.vertices.extend(one.vertices.iter().map(|v| v + Vec3::new(5.0, 0.0, 0.0)));
    let count = one.vertices.len() as u32;
    both.triangles.extend(one.triangles.iter().map(|t| t.map(|k| k + count)));
    let fault = ConvexHull::of_convex_mesh(&both).unwrap_err();
    assert!(matches!(fault, NotConvex::SeveralTurns { .. }), "{fault:?}");
}

#[test]
fn what_bounds_no_solid_is_refused_as_that() {
    let whole = prism(6, 0.0);
    let open = TriangleMesh { triangles: whole.triangles[1..].to_vec(), ..whole.clone() };
    let fault = ConvexHull::of_convex_mesh(&open).unwrap_err();
    assert!(matches!(fault, NotConvex::NoSolid(MassFault::Open { boundary_edges: 3, .. })), "{fault:?}");
    let inside_out = TriangleMesh {
        triangles: whole.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
        vertices: whole.vertices.clone(),
    };
    let fault = ConvexHull::of_convex_mesh(&inside_out).unwrap_err();
    assert!(matches!(fault, NotConvex::NoSolid(MassFault::InsideOut { .. })), "{fault:?}");
}

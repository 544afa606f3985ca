//! Finer and coarser meshes of the same solid.

use carom_geometry::TriangleMesh;
use carom_geometry::prepare::{RefineFault, Target, deviation, refine, simplify, survey};
use carom_geometry::surface::{Resolution, rectangle, sphere, torus};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes::{block, joined, moved, prism};

fn longest_edge(mesh: &TriangleMesh) -> f64 {
    mesh.topology().unwrap().longest_edge
}

/// Vertices − edges + triangles: 2 for a sphere, 0 for a torus.
fn euler(mesh: &TriangleMesh) -> i64 {
    mesh.vertices.len() as i64 - mesh.topology().unwrap().edges as i64 + mesh.triangles.len() as i64
}

#[test]
fn a_refined_surface_is_the_same_one() {
    for (mesh, longest) in [
        (block(Vec3::new(2.0, 0.5, 0.01)), 0.3),
        (prism(0.5, 1.0, 7), 0.2),
        (torus(1.0, 0.3, Resolution::Facets(200)).unwrap(), 0.1),
    ] {
        let fine = refine(&mesh, longest).unwrap();
        let [before, after] = [&mesh, &fine].map(|mesh| survey(mesh).unwrap());
        assert!(
            after.is_sound() && longest_edge(&fine) <= longest && fine.triangles.len() > mesh.triangles.len()
        );
        assert!((after.area - before.area).abs() < 1e-13 * before.area);
        assert!((after.solid.unwrap().mass - before.solid.unwrap().mass).abs() < 1e-13);
        assert_eq!(euler(&fine), euler(&mesh));
        assert!(deviation(&mesh, &fine).unwrap().at_most < 1e-8);
    }
}

#[test]
fn what_is_short_enough_stays_and_what_cannot_be_is_refused() {
    let mesh = block(Vec3::repeat(0.5));
    assert_eq!(refine(&mesh, 1.5).unwrap(), mesh);
    assert_eq!(refine(&mesh, 0.0), Err(RefineFault::Length(0.0)));
    assert!(matches!(refine(&mesh, f64::NAN), Err(RefineFault::Length(_))));
    assert_eq!(refine(&mesh, 1e-4), Err(RefineFault::TooMany { length: 1e-4 }));
}

/// Two squares one above the other, and a cube within another: the distance is known.
#[test]
fn deviations_are_those_of_closed_forms() {
    let plate = rectangle(1.0, 1.0, Resolution::Divisions(3)).unwrap();
    let above = moved(&plate, &Pose::from_translation(Vec3::new(0.0, 0.0, 0.125)));
    let apart = deviation(&plate, &above).unwrap();
    assert!((apart.at_least - 0.125).abs() < 1e-15 && (apart.at_most - 0.125).abs() < 1e-15);
    // From the larger's corners to those of the smaller.
    let within = deviation(&block(Vec3::repeat(0.5)), &block(Vec3::repeat(0.4))).unwrap();
    let diagonal = 0.1 * 3.0_f64.sqrt();
    assert!(within.at_least <= diagonal * (1.0 + 1e-14) && within.at_most >= diagonal * (1.0 - 1e-14));
    assert!(within.at_most <= 1.021 * within.at_least);
}

/// Points at random on each surface are never farther from the other than the bound; one that is nearly as far is found.
#[test]
fn no_point_is_farther_than_the_deviation() {
    let fine = torus(1.0, 0.3, Resolution::Facets(2000)).unwrap();
    let coarse = torus(1.0, 0.3, Resolution::Facets(150)).unwrap();
    let bounds = deviation(&fine, &coarse).unwrap();
    let trees = [&fine, &coarse].map(|mesh| carom_geometry::clearance::ClearanceTree::new(mesh).unwrap());
    let mut rng = SplitMix64::new(3);
    let mut farthest = 0.0_f64;
    for (mesh, other) in [(&fine, &trees[1]), (&coarse, &trees[0])] {
        for _ in 0..20_000 {
            let [a, b, c] = mesh.triangle(rng.index(mesh.triangles.len()) as u32);
            let (u, v) = (rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0));
            let [u, v] = if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] };
            farthest = farthest.max(other.nearest(&(a + u * (b - a) + v * (c - a))).0);
        }
    }
    assert!(farthest <= bounds.at_most && farthest > 0.9 * bounds.at_most, "{farthest} {bounds:?}");
    assert!(bounds.at_most <= 1.05 * bounds.at_least, "{bounds:?}");
}

/// Flat faces cost nothing: a block of thousands of triangles is the same with twelve, its corners where they were.
#[test]
fn a_block_keeps_little_but_its_corners() {
    let fine = refine(&block(Vec3::new(0.5, 0.3, 0.2)), 0.04).unwrap();
    assert!(fine.triangles.len() > 3000);
    let simple = simplify(&fine, Target::Triangles(12)).unwrap();
    assert_eq!(simple.mesh.triangles.len(), 12);
    assert!(simple.deviation.at_most < 1e-8, "{:?}", simple.deviation);
    assert!((simple.mesh.signed_volume() - 0.24).abs() < 1e-10);
    assert!(survey(&simple.mesh).unwrap().is_sound());
    let within = simplify(&fine, Target::Within(1e-6)).unwrap();
    assert_eq!(within.mesh.triangles.len(), 12);
    assert!(within.deviation.at_most <= 1e-6);
    // However its faces are divided and turned.
    for (edge, turn) in [(0.1, 0.0), (0.07, 0.3), (0.05, 1.1), (0.03, 2.0)] {
        let turn = Quaternion::from_rotation_vector(&(Vec3::new(1.0, 2.0, -0.5) * turn)).to_matrix();
        let placed = Pose { rotation: turn, translation: Vec3::new(1.0, -2.0, 3.0) };
        let fine = moved(&refine(&block(Vec3::new(0.5, 0.3, 0.2)), edge).unwrap(), &placed);
        let simple = simplify(&fine, Target::Within(1e-6)).unwrap();
        assert_eq!(simple.mesh.triangles.len(), 12, "{edge}");
        assert!(
            (simple.mesh.signed_volume() - 0.24).abs() < 1e-7 && survey(&simple.mesh).unwrap().is_sound()
        );
    }
}

/// A ball with a wall of 2 mm: with few triangles its surfaces cross, which is told. Within a distance it keeps more.
#[test]
fn a_surface_that_comes_to_cross_itself_is_told() {
    let outer = sphere(1.0, Resolution::Facets(3000)).unwrap();
    let mut inner = sphere(0.998, Resolution::Facets(3000)).unwrap();
    inner.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let shell = joined(&outer, &inner);
    assert!(survey(&shell).unwrap().crossings.unwrap().count == 0);
    let few = simplify(&shell, Target::Triangles(200)).unwrap();
    let found = survey(&few.mesh).unwrap().crossings.unwrap();
    assert!(found.count > 0);
    assert_eq!(few.crossings, Some(found));
    let within = simplify(&shell, Target::Within(0.02)).unwrap();
    assert!(within.crossings.is_none() && within.deviation.at_most <= 0.02);
    assert_eq!(survey(&within.mesh).unwrap().crossings.unwrap().count, 0);
}

#[test]
fn the_deviation_asked_for_is_kept_and_topology_too() {
    for (mesh, handles) in [
        (sphere(1.0, Resolution::Facets(3000)).unwrap(), 2),
        (torus(1.0, 0.3, Resolution::Facets(3000)).unwrap(), 0),
    ] {
        let mut triangles = mesh.triangles.len();
        for within in [0.003, 0.01, 0.03] {
            let simple = simplify(&mesh, Target::Within(within)).unwrap();
            assert!(simple.deviation.at_most <= within, "{within} {:?}", simple.deviation);
            assert!(simple.mesh.triangles.len() < triangles, "{within} {triangles}");
            triangles = simple.mesh.triangles.len();
            assert_eq!(euler(&simple.mesh), handles);
            let found = survey(&simple.mesh).unwrap();
            assert!(found.is_sound(), "{within} {found:#?}");
        }
        // Edges h on a radius r are off by h²/12 r where vertices are as far outside as middles are inside: 80 on the sphere, 250 on
        // the torus, if all had three equal edges.
        assert!(triangles < 600, "{triangles}");
    }
}

#[test]
fn borders_and_touching_parts_stay() {
    let plate = rectangle(2.0, 1.0, Resolution::Divisions(12)).unwrap();
    let simple = simplify(&plate, Target::Triangles(2)).unwrap();
    assert_eq!(simple.mesh.triangles.len(), 2);
    assert!(simple.deviation.at_most < 1e-8);
    let border = &survey(&simple.mesh).unwrap().borders;
    assert!(border.len() == 1 && (border[0].length - 12.0).abs() < 1e-12);

    // Two cubes with a common edge: it stays, and so does what hangs on it.
    let cube = refine(&block(Vec3::repeat(0.5)), 0.3).unwrap();
    let both = joined(&cube, &moved(&cube, &Pose::from_translation(Vec3::new(1.0, 1.0, 0.0))));
    let edges = |mesh: &TriangleMesh| mesh.topology().unwrap().non_manifold.count;
    let simple = simplify(&both, Target::Within(1e-6)).unwrap().mesh;
    assert!(simple.triangles.len() < both.triangles.len() / 2);
    assert!(edges(&simple) == edges(&both) && simple.topology().unwrap().closed);
    assert!((simple.signed_volume() - 2.0).abs() < 1e-10);

    // A tetrahedron has no edge that can go.
    let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let tetrahedron =
        TriangleMesh { vertices: corners, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
    assert_eq!(simplify(&tetrahedron, Target::Triangles(1)).unwrap().mesh.triangles.len(), 4);
}

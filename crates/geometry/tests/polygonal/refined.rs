//! Leaves of a refined base are the triangles of a mesh that stores them.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::Sharpness;
use carom_geometry::polygonal::accuracy::Refinement;
use carom_geometry::polygonal::{
    BaseSurface, GRAIN, MOST_BISECTIONS, MarkedEdges, PatchSearch, PenetrationSearch, SurfaceFault,
    TargetSurface,
};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes;

/// A mesh with the leaves of a base for triangles.
fn stored(base: &BaseSurface, mesh: &TriangleMesh) -> TriangleMesh {
    let mut leaves = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for element in 0..base.element_count() as u32 {
        meshes::push(&mut leaves, base.corners(mesh, element));
    }
    leaves
}

#[test]
fn stored_leaves_give_the_same_bits() {
    let mut rng = SplitMix64::new(21);
    let far = Pose::from_translation(Vec3::new(300.0, -20.0, 7.0));
    let block = meshes::block(Vec3::new(0.3, 0.2, 0.1), 1, 0.3);
    let dirty = meshes::dirty(&block, &mut rng);
    let terrain = meshes::terrain(2.0, 12, meshes::hills);
    let moved = meshes::moved(&block, &far);
    for (name, mesh) in [("block", &block), ("far", &moved), ("dirty", &dirty), ("graded", &block)] {
        let depths: Vec<u8> = mesh.triangles.iter().map(|_| rng.index(9) as u8).collect();
        let base = if name == "graded" {
            graded(mesh, depths, 0.01).base(mesh, 0.05).unwrap()
        } else {
            BaseSurface::refined(mesh, &depths, 0.05).unwrap()
        };
        let leaves = stored(&base, mesh);
        let fine = BaseSurface::new(&leaves, 0.05).unwrap();
        assert_eq!(fine.element_count(), base.element_count());
        for element in 0..base.element_count() as u32 {
            assert_eq!(base.element(element), fine.element(element), "{name} {element}");
        }
        let target = TargetSurface::new(&terrain).unwrap();
        let (mut one, mut other) =
            (PenetrationSearch::new(&base, &target), PenetrationSearch::new(&fine, &target));
        let (mut patches, mut fine_patches) = (PatchSearch::new(mesh), PatchSearch::new(&leaves));
        let (mut hits, mut expected) = (Vec::new(), Vec::new());
        let mut contacts = 0;
        for _ in 0..60 {
            let mut pose =
                Pose { rotation: rng.rotation().to_matrix(), translation: rng.vector_in_cube(0.25) };
            if name == "far" {
                pose.translation -= pose.rotation * far.translation;
            }
            one.search(&base, &target, &pose, &mut hits).unwrap();
            other.search(&fine, &target, &pose, &mut expected).unwrap();
            // Bits: no depth is a zero of either sign.
            assert_eq!(hits, expected, "{name}");
            for hit in &hits {
                assert_eq!(*one.element(&base, hit.element), fine.element(hit.element), "{name}");
            }
            assert_eq!(
                patches.find(&base, &hits, |_, hit| hit.depth),
                fine_patches.find(&fine, &expected, |_, hit| hit.depth),
                "{name}"
            );
            contacts += usize::from(hits.iter().any(|hit| hit.is_active()));
        }
        assert!(contacts > 20, "{name}: {contacts}");
    }
}

/// Triangles cut so often, and finer at edges and corners.
fn graded(mesh: &TriangleMesh, depths: Vec<u8>, depth: f64) -> Refinement {
    let elements = depths.iter().map(|&depth| 1_usize << depth).sum();
    let uniform = Refinement { depths, cells: Vec::new(), elements, longest: f64::NAN, error: f64::NAN };
    uniform.graded(mesh, &Sharpness::of(mesh), depth)
}

/// Beside the edges of a cube no leaf is longer than the grain of the depth that is to be felt, at its corners by 1/√2; in the middle of
/// its faces they are as asked for. Together they are the surface, and those within 24 depths of an edge are beside it.
#[test]
fn leaves_are_finer_beside_edges_and_at_corners() {
    let (half, depth) = (0.5, 2e-3);
    let mesh = meshes::block(Vec3::repeat(half), 1, 0.0);
    let refined = graded(&mesh, vec![4; 12], depth);
    let base = refined.base(&mesh, 0.02).unwrap();
    assert_eq!(refined.elements, base.element_count());
    let mut triangle_of = base.triangles_in_order();
    let zones = MarkedEdges::sharp(&mesh, &Sharpness::of(&mesh)).zones(&mesh, depth);
    let (mut area, mut felt, mut coarse) = (0.0, 0, 0);
    for element in 0..base.element_count() as u32 {
        let corners = base.corners(&mesh, element);
        let [a, b, c] = corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // Of the largest coordinates two are those of an edge.
        let from_edge = |p: &Vec3| {
            let mut off = [0, 1, 2].map(|k| half - p[k].abs());
            off.sort_by(f64::total_cmp);
            (off[1], off[1].hypot(off[2]))
        };
        let edge = corners.iter().map(|p| from_edge(p).0).fold(f64::INFINITY, f64::min);
        let corner = corners.iter().map(|p| from_edge(p).1).fold(f64::INFINITY, f64::min);
        // Two cuts halve the edges of half a square, and leave √3/2 of one of three equal ones; each is up to 6 % off the middle.
        let allowed = 2.0 * (GRAIN * depth).max(edge).min((GRAIN * depth / 2.0_f64.sqrt()).max(corner));
        assert!(longest <= allowed, "{longest} {allowed} {edge}");
        let triangle = triangle_of(element);
        assert_eq!(triangle, base.place(element).0);
        let (at, share) = (
            from_edge(&base.element(element).barycentre).0,
            zones.share(triangle, &base.element(element).barycentre),
        );
        assert!(
            if at < 23.9 * depth { share == 1.0 } else { share < 1.0 || at < 24.1 * depth },
            "{at} {share}"
        );
        assert!(at < 48.1 * depth || share == 0.0, "{at} {share}");
        area += base.element(element).area;
        felt += usize::from(edge == 0.0);
        coarse += usize::from(longest > 0.2);
    }
    assert!((area / 6.0 - 1.0).abs() < 1e-12, "{area}");
    assert!(coarse > 30 && felt > 24 * 250, "{coarse} {felt}");
    // No more than thirty rows of leaves of that size on both sides of each of the edges.
    assert!(refined.elements < 12 * 30 * 2 * 250, "{}", refined.elements);
}

/// Where there is no room for cells they are larger, and there are some.
#[test]
fn edges_without_end_are_as_fine_as_there_is_room_for() {
    let mesh = meshes::block(Vec3::repeat(0.5), 1, 0.0);
    let refined = graded(&mesh, vec![0; 12], 1e-8);
    assert!((1 << 15..=12 + (1 << 17)).contains(&refined.cells.len()), "{}", refined.cells.len());
}

#[test]
fn leaves_are_numbered_by_triangle_and_path() {
    let mesh = meshes::block(Vec3::new(0.3, 0.2, 0.1), 1, 0.0);
    let mut depths = vec![0; mesh.triangles.len()];
    (depths[2], depths[5]) = (3, 1);
    let base = BaseSurface::refined(&mesh, &depths, 0.1).unwrap();
    assert_eq!(base.element_count(), 12 + 7 + 1);
    assert_eq!(
        [1, 2, 9, 10, 12, 13, 14].map(|e| base.place(e)),
        [(1, 0), (2, 0), (2, 7), (3, 0), (5, 0), (5, 1), (6, 0)]
    );
    let area = |elements: std::ops::Range<u32>| elements.map(|e| base.element(e).area).sum::<f64>();
    // Together the triangle, to rounding; each about its eighth: cuts are off the middle by up to 6 % of an edge.
    let whole = BaseSurface::new(&mesh, 0.1).unwrap();
    assert!((area(2..10) / whole.element(2).area - 1.0).abs() < 1e-14);
    for element in 2..10 {
        let share = area(element..element + 1) / whole.element(2).area;
        assert!((0.44_f64.powi(3)..0.56_f64.powi(3)).contains(&share), "{element}: {share}");
    }
}

#[test]
fn depth_zero_is_the_mesh_and_too_much_depth_is_refused() {
    let mesh = meshes::block(Vec3::new(0.3, 0.2, 0.1), 1, 0.0);
    assert!(!BaseSurface::refined(&mesh, &[0; 12], 0.1).unwrap().is_refined());
    let deep = [MOST_BISECTIONS + 1; 12];
    assert!(matches!(BaseSurface::refined(&mesh, &deep, 0.1), Err(SurfaceFault::TooManyLeaves { .. })));
    // The number of leaves in all has a limit of its own.
    let large = meshes::block(Vec3::new(0.3, 0.2, 0.1), 4, 0.0);
    let all = vec![MOST_BISECTIONS; large.triangles.len()];
    assert!(matches!(BaseSurface::refined(&large, &all, 0.1), Err(SurfaceFault::TooManyLeaves { .. })));
}

/// Two triangles that are cut into a hundred million elements: memory and time of the two, and a search costs what is near.
#[test]
fn a_hundred_million_leaves_cost_what_is_near() {
    let plate = meshes::terrain(1.0, 1, |_, _| 0.0);
    let ball = meshes::sphere(0.01, 8);
    let base = BaseSurface::refined(&plate, &[MOST_BISECTIONS; 2], 5e-4).unwrap();
    assert_eq!(base.element_count(), 1 << 27);
    let target = TargetSurface::new(&ball).unwrap();
    let mut search = PenetrationSearch::new(&base, &target);
    let mut hits = Vec::new();
    // The ball is 0.2 mm deep less up to 0.08 mm under its facets: patches of 1.5 to 2 mm, elements of 7.5e-9 m².
    let place = Vec3::new(0.1, 0.2, 0.01 - 2e-4);
    search.search(&base, &target, &Pose::from_translation(-place), &mut hits).unwrap();
    let active = hits.iter().filter(|hit| hit.is_active()).count();
    assert!((700..2000).contains(&active), "{active}");
    assert!(search.counters().box_tests < 1_000_000, "{:?}", search.counters());
}

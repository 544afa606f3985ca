//! Contours close, and the classic construction finds the elements of the penetration lines.

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{ClosedSurface, IntersectionFault, ManifoldFault, Side};
use carom_geometry::mesh::EdgeCount;
use carom_geometry::polygonal::{
    BaseSurface, ElementHit, IntersectionSearch, TargetSurface, penetration_brute_force,
};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes;

struct Pair {
    base: ClosedSurface,
    elements: BaseSurface,
    target: ClosedSurface,
    triangles: TargetSurface,
    search: IntersectionSearch,
}

impl Pair {
    fn new(base: &TriangleMesh, reach: f64, target: &TriangleMesh) -> Self {
        let elements = BaseSurface::new(base, reach).unwrap();
        let triangles = TargetSurface::new(target).unwrap();
        let (base, target) = (ClosedSurface::new(base).unwrap(), ClosedSurface::new(target).unwrap());
        let search = IntersectionSearch::new(&base, &target);
        Self { base, elements, target, triangles, search }
    }

    fn search(&mut self, pose: &Pose) -> Result<Vec<ElementHit>, IntersectionFault> {
        let mut hits = Vec::new();
        let (base, target) = ((&self.base, &self.elements), (&self.target, &self.triangles));
        self.search.search(base, target, pose, &mut hits).map(|()| hits)
    }

    fn active_by_brute_force(&self, pose: &Pose) -> Vec<ElementHit> {
        let mut hits = penetration_brute_force(&self.elements, &self.triangles, pose).unwrap();
        hits.retain(ElementHit::is_active);
        hits
    }
}

fn bits(hits: &[ElementHit]) -> Vec<(u32, u32, u64)> {
    hits.iter().map(|hit| (hit.element, hit.triangle, hit.depth.to_bits())).collect()
}

fn torus() -> TriangleMesh {
    meshes::torus(1.0, 0.3, 32, 16)
}

/// Bases thicker than the reach, at random poses, some deeper than the reach.
#[test]
fn elements_are_those_of_the_penetration_lines() {
    let mut rng = SplitMix64::new(21);
    let block = meshes::block(Vec3::new(0.5, 0.4, 0.3), 4, 0.3);
    let pairs = [
        (torus(), 0.1, meshes::sphere(1.0, 5), 2.1),
        (meshes::sphere(1.0, 5), 0.4, torus(), 2.1),
        (block.clone(), 0.15, meshes::sphere(0.4, 3), 0.8),
        (meshes::sphere(0.4, 3), 0.15, block.clone(), 0.8),
        (block.clone(), 0.15, block, 0.9),
    ];
    let (mut compared, mut elements, mut loops) = (0, 0, [0; 4]);
    for (base, reach, target, distance) in pairs {
        let mut pair = Pair::new(&base, reach, &target);
        for _ in 0..120 {
            let place = rng.uniform(0.7, 1.1) * distance * rng.unit_vector();
            let pose = Pose { rotation: rng.rotation().to_matrix(), translation: place };
            let expected = pair.active_by_brute_force(&pose);
            let hits = pair.search(&pose).unwrap();
            assert_eq!(bits(&hits), bits(&expected));
            compared += 1;
            elements += hits.len();
            loops[pair.search.contours().loops().count().min(3)] += 1;
        }
    }
    assert!(compared > 150 && elements > 1000, "{compared} poses, {elements} elements");
    assert!(loops[1] > 50 && loops[2] > 5, "contours a pose: {loops:?}");
}

/// The ring of a torus in which a sphere rests: one patch with two contours, one around the hole and one outside.
#[test]
fn an_annulus_has_two_contours() {
    let mut pair = Pair::new(&torus(), 0.1, &meshes::sphere(1.0, 5));
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.76));
    let hits = pair.search(&pose).unwrap();
    assert_eq!(bits(&hits), bits(&pair.active_by_brute_force(&pose)));
    let contours = pair.search.contours();
    assert_eq!(contours.loops().count(), 2);
    // Against each other: what is inside lies on the left of both.
    let turns: Vec<f64> = contours
        .loops()
        .map(|nodes| {
            let point = |k: usize| contours.nodes()[nodes[k % nodes.len()] as usize].point;
            (0..nodes.len()).map(|k| point(k).cross(&point(k + 1)).z).sum()
        })
        .collect();
    assert!(turns[0] * turns[1] < 0.0, "{turns:?}");
    let counters = pair.search.counters();
    assert_eq!(counters.contours, 2);
    assert_eq!(counters.ray_tests, counters.active_base * counters.active_target);
}

/// Boxes with common planes, edges and corners in every way: all tests degenerate, and loops close all the same.
#[test]
fn contours_of_aligned_boxes_close() {
    let one = meshes::block(Vec3::new(0.5, 0.5, 0.5), 2, 0.0);
    let other = meshes::block(Vec3::new(0.25, 0.5, 0.75), 2, 0.0);
    let mut pair = Pair::new(&one, 0.2, &other);
    let mut with_contour = 0;
    for code in 0..9_i32.pow(3) {
        let step = |k: u32| 0.25 * f64::from(code / 9_i32.pow(k) % 9 - 4);
        let pose = Pose::from_translation(Vec3::new(step(0), step(1), step(2)));
        match pair.search(&pose) {
            Ok(_) => {}
            Err(IntersectionFault::NoContour { .. }) => continue,
            Err(fault) => panic!("{fault}"),
        }
        let contours = pair.search.contours();
        let total: usize = contours.loops().map(<[u32]>::len).sum();
        assert_eq!(total, contours.nodes().len());
        assert_eq!(contours.segments().len(), contours.nodes().len());
        for nodes in contours.loops() {
            assert!(nodes.len() >= 3);
        }
        with_contour += usize::from(total > 0);
    }
    assert!(with_contour > 300, "{with_contour}");
}

/// Nodes lie on both surfaces: on their edge, and on the sphere to the flatness of its facets.
#[test]
fn nodes_lie_on_both_surfaces() {
    let plate = meshes::block(Vec3::new(2.0, 2.0, 0.5), 3, 0.0);
    let mut pair = Pair::new(&plate, 0.1, &meshes::sphere(1.0, 5));
    // The upper face of the plate at z = −0.8.
    pair.search(&Pose::from_translation(Vec3::new(0.1, 0.2, -1.3))).unwrap();
    let contours = pair.search.contours();
    assert_eq!(contours.loops().count(), 1);
    for node in contours.nodes() {
        assert!((node.point.z + 0.8).abs() < 1e-14);
        assert!((0.97..1.0 + 1e-14).contains(&node.point.norm()));
    }
    // Area of the cut through a polyhedron inscribed in the sphere: π (1 − 0.8²), and less by at most 6 %.
    let nodes = contours.loops().next().unwrap();
    let point = |k: usize| contours.nodes()[nodes[k % nodes.len()] as usize].point;
    let twice: f64 = (0..nodes.len()).map(|k| point(k).xy().perp(&point(k + 1).xy())).sum();
    let ratio = 0.5 * twice / (std::f64::consts::PI * 0.36);
    // Counter-clockwise about the plate's normal, with the inside on the left.
    assert!((0.94..1.0).contains(&ratio), "{ratio}");
    assert!(contours.nodes().iter().any(|node| node.side == Side::A));
}

#[test]
fn what_has_no_inside_is_refused_with_its_reason() {
    let sphere = meshes::sphere(1.0, 2);
    let refusal = |mesh: &TriangleMesh| ClosedSurface::new(mesh).unwrap_err();
    let mut open = sphere.clone();
    open.triangles.pop();
    assert!(matches!(refusal(&open), ManifoldFault::Open(EdgeCount { count: 3, first: Some(_) })));
    let mut thrice = sphere.clone();
    let [a, b, _] = thrice.triangles[0];
    thrice.vertices.push(Vec3::repeat(2.0));
    thrice.triangles.extend([[a, b, thrice.vertices.len() as u32 - 1]; 2]);
    thrice.triangles.last_mut().unwrap().swap(0, 1);
    assert!(matches!(refusal(&thrice), ManifoldFault::NonManifold(EdgeCount { count: 1, .. })));
    let mut flipped = sphere.clone();
    flipped.triangles[3].swap(0, 1);
    assert!(matches!(refusal(&flipped), ManifoldFault::Misoriented(EdgeCount { count: 3, .. })));
    let mut inward = sphere.clone();
    inward.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    assert!(matches!(refusal(&inward), ManifoldFault::Inward { volume } if volume < -1.0));
}

#[test]
fn containment_has_no_contour_and_says_so() {
    let (small, large) = (meshes::sphere(0.3, 2), meshes::sphere(1.0, 3));
    let inside = Pose::from_translation(Vec3::new(0.2, 0.1, 0.0));
    let outside = Pose::from_translation(Vec3::new(0.0, 1.2, 0.9));
    let mut pair = Pair::new(&small, 0.1, &large);
    assert_eq!(pair.search(&inside), Err(IntersectionFault::NoContour { is_base: true, vertex: 0 }));
    assert_eq!(pair.search(&outside), Ok(Vec::new()));
    let mut pair = Pair::new(&large, 0.1, &small);
    assert_eq!(pair.search(&inside), Err(IntersectionFault::NoContour { is_base: false, vertex: 0 }));
}

//! What runs record of areal contact beside forces: triangles of elements, and what finding them costs.

use carom_engine::model::{ArealDetection, BaseSide, IntegratorKind};
use carom_engine::record::SearchSample;
use carom_engine::{Model, Simulation, System};
use carom_geometry::intersection::ClosedSurface;
use carom_geometry::polygonal::IntersectionSearch;
use carom_geometry::polygonal::{BaseSurface, PenetrationSearch, TargetSurface};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};

use crate::areal::collision;
use crate::scene;

/// Penetration lines reach that much farther than a u_max that may be exceeded.
const REACH: f64 = 2.0;
const U_MAX: f64 = 0.05;

/// A ball that overlaps a cube from the start, with the cube as base.
fn overlapping(detection: ArealDetection) -> Model {
    let mut model = collision(BaseSide::A, &Mat3::identity(), &Vec3::zeros());
    model.bodies[1].position.z -= 0.02;
    model.solver.t_end = 1e-9;
    let block = model.laws[0].areal.as_mut().unwrap();
    // Lines along the cube's sides meet the ball deep.
    (block.u_max, block.may_exceed) = (Some(U_MAX), true);
    model.contact_lines[0].areal_detection = detection;
    model.output.searches = true;
    model
}

fn mesh_of(model: &Model, body: usize) -> &TriangleMesh {
    let Shape::Mesh(mesh) = &model.bodies[body].shapes[0].shape else { panic!("a mesh") };
    mesh
}

/// Pose of the base, A, in the target's frame.
fn base_in_target(model: &Model) -> Pose {
    let [x_wb, x_wt] = [0, 1].map(|body: usize| {
        let body = &model.bodies[body];
        Pose { rotation: body.orientation.to_matrix(), translation: body.position }
    });
    Pose {
        rotation: x_wt.rotation.tr_mul(&x_wb.rotation),
        translation: x_wt.rotation.tr_mul(&(x_wb.translation - x_wt.translation)),
    }
}

/// At the start all searches are at one pose: the recorded counters are those of so many searches by hand.
#[test]
fn recorded_counters_are_those_of_the_search() {
    let model = overlapping(ArealDetection::Penetration);
    let first = scene::run(&model).1.frames[0].searches[0];
    let [base, target] = [mesh_of(&model, 0), mesh_of(&model, 1)];
    let pose = base_in_target(&model);
    let (lines, triangles) =
        (BaseSurface::new(base, REACH * U_MAX).unwrap(), TargetSurface::new(target).unwrap());
    let mut search = PenetrationSearch::new(&lines, &triangles);
    let mut hits = Vec::new();
    for _ in 0..first.searches {
        search.search(&lines, &triangles, &pose, &mut hits).unwrap();
    }
    let counted = search.counters();
    assert!(first.searches > 0 && counted.rebuilds == 1 && counted.listed_pairs > 0);
    let expected = SearchSample {
        contact: 0,
        searches: counted.searches,
        rebuilds: counted.rebuilds,
        box_tests: counted.box_tests,
        edge_tests: 0,
        ray_tests: counted.ray_tests,
        listed_pairs: counted.listed_pairs,
    };
    assert_eq!(first, expected);

    let model = overlapping(ArealDetection::Intersection);
    let first = scene::run(&model).1.frames[0].searches[0];
    let closed = [base, target].map(|mesh| ClosedSurface::new(mesh).unwrap());
    let mut search = IntersectionSearch::new(&closed[0], &closed[1]);
    search.search((&closed[0], &lines), (&closed[1], &triangles), &pose, &mut hits).unwrap();
    let counted = search.counters();
    assert!(counted.edge_tests > 0 && counted.ray_tests > 0);
    let n = first.searches;
    let expected = SearchSample {
        contact: 0,
        searches: n,
        rebuilds: n,
        box_tests: n * counted.box_tests,
        edge_tests: n * counted.edge_tests,
        ray_tests: n * counted.ray_tests,
        listed_pairs: counted.ray_tests,
    };
    assert_eq!(first, expected);
}

/// Whoever goes on from a checkpoint makes the same searches with the same lists, whatever the integrator tries.
#[test]
fn counters_are_the_same_after_a_restart() {
    for (method, detection, base) in [
        (IntegratorKind::Ode45, ArealDetection::Penetration, BaseSide::Both),
        (IntegratorKind::Radau5, ArealDetection::Penetration, BaseSide::A),
        (IntegratorKind::Bdf, ArealDetection::Penetration, BaseSide::B),
        (IntegratorKind::Auto, ArealDetection::Intersection, BaseSide::A),
    ] {
        let mut model = collision(base, &Mat3::identity(), &Vec3::zeros());
        model.laws[0].areal.as_mut().unwrap().u_max = Some(U_MAX);
        model.contact_lines[0].areal_detection = detection;
        model.solver.method = method;
        model.output.searches = true;
        let system = System::compile(&model).unwrap();
        let mut whole = scene::Keeper { checkpoint_after: 3, ..scene::Keeper::default() };
        Simulation::new(&system).run(&mut whole).unwrap();
        let (image, frames, _) = whole.checkpoints.remove(0);
        let mut rest = scene::Keeper::default();
        Simulation::resume(&system, &image).unwrap().run(&mut rest).unwrap();
        assert_eq!(rest.frames, whole.frames[frames..], "{method:?}");
        let counts = |k: usize| whole.frames[k].searches[0];
        let (middle, last) = (counts(frames), counts(whole.frames.len() - 1));
        assert!(
            frames > 2 && middle.rebuilds > 0 && last.ray_tests > middle.ray_tests,
            "{method:?} {frames}"
        );
    }
}

/// Nothing is recorded unless asked for.
#[test]
fn searches_are_recorded_on_request() {
    let mut model = overlapping(ArealDetection::Penetration);
    model.output.searches = false;
    assert!(scene::run(&model).1.frames.iter().all(|frame| frame.searches.is_empty()));
}

/// The corners of a recorded element are those of its triangle: their area, and a normal that the pressure acts along.
#[test]
fn corners_of_elements_span_their_area_and_normal() {
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        let mut model = collision(base, &Mat3::identity(), &Vec3::new(2.0, -1.0, 0.5));
        model.output.every = Some(2e-3);
        model.output.patches = Some(2e-3);
        let (_, keeper) = scene::run(&model);
        let elements: Vec<_> = keeper.frames.iter().flat_map(|frame| &frame.elements).collect();
        assert!(elements.len() > 20);
        for e in elements {
            let [a, b, c] = e.corners;
            let outward = (b - a).cross(&(c - a));
            // Rounding of positions of some metres over edges of some centimetres.
            assert!((0.5 * outward.norm() / e.area - 1.0).abs() < 1e-11);
            // Out of the base: away from A, which is B's side, or against it.
            let along = outward.normalize().dot(&e.normal);
            let expected = if e.base_is_a { 1.0 } else { -1.0 };
            assert!((along - expected).abs() < 1e-11, "{along}");
            // The line through the barycentre carries the place.
            let arm = e.position - (a + b + c) / 3.0;
            assert!(arm.cross(&e.normal).norm() < 1e-12 && arm.norm() <= e.penetration + 1e-12);
        }
    }
}

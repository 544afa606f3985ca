//! The kernels against brute force: the least gap over the features is the least distance over the
//! sampled surface, and contact points lie where they claim.

use carom_geometry::{Shape, ShapeKind};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::minimise::minimise;
use crate::scene::{Scene, random_scene, supported_cells};
use crate::surfaces::{is_inside, off_surface, patches};

/// Compass search ends with steps of 1e-10 on patches up to 40 m wide, and misses by the slope (at most
/// one) times that at a border.
const SEARCH_TOLERANCE: f64 = 1e-8;

/// Few roundings of coordinates up to 5 m, with points that pass two rotations.
const ROUNDING: f64 = 2e-14;

#[test]
fn least_gap_is_the_distance_of_the_surfaces() {
    let mut rng = SplitMix64::new(1);
    for cell in supported_cells() {
        let (mut checked, mut inside) = (0, 0);
        while checked < 30 {
            let scene = random_scene(cell, &mut rng);
            let Some(expected) = brute_force_gap(&scene) else { continue };
            let found = scene.smallest_gap();
            assert!((found - expected).abs() < SEARCH_TOLERANCE, "{found} but {expected}: {scene:?}");
            checked += 1;
            inside += usize::from(found < 0.0);
        }
        assert!((5..=29).contains(&inside), "{cell:?}: {inside} of 30 in penetration");
    }
}

/// Least signed distance by sampling; `None` where the pair's gap is something else by design.
fn brute_force_gap(scene: &Scene) -> Option<f64> {
    match (&scene.a, &scene.b) {
        (Shape::Capsule { radius: ra, half_length: ha }, Shape::Capsule { radius: rb, half_length: hb }) => {
            Some(segment_distance(scene, *ha, *hb) - ra - rb)
        }
        (Shape::Sphere { radius, hollow: false }, _) => sphere_gap(&scene.swapped(), *radius),
        (_, Shape::Sphere { radius, hollow: false }) => sphere_gap(scene, *radius),
        (Shape::HalfSpace, _) => Some(depth_below_plane(&scene.swapped())),
        (_, Shape::HalfSpace) => Some(depth_below_plane(scene)),
        other => panic!("no oracle for {other:?}"),
    }
}

/// Signed distance of the centre of sphere B from solid A, minus the radius.
fn sphere_gap(scene: &Scene, radius: f64) -> Option<f64> {
    let centre = scene.pose_a().inverse_transform_point(&scene.position_b);
    let inside = is_inside(&scene.a, &centre);
    if inside && scene.a.kind() == ShapeKind::HollowCylinder && scene.feature_count() == 3 {
        // Beyond its corners a closed cavity keeps three separate walls.
        return None;
    }
    let distance = patches(&scene.a)
        .iter()
        .map(|patch| minimise(|u, v| (patch(u, v) - centre).norm()))
        .fold(f64::INFINITY, f64::min);
    Some(if inside { -distance } else { distance } - radius)
}

/// Least height of A's surface above half-space B.
fn depth_below_plane(scene: &Scene) -> f64 {
    let (x_wa, x_wb) = (scene.pose_a(), scene.pose_b());
    let height = |p: Vec3| x_wb.inverse_transform_point(&x_wa.transform_point(&p)).z;
    patches(&scene.a).iter().map(|patch| minimise(|u, v| height(patch(u, v)))).fold(f64::INFINITY, f64::min)
}

fn segment_distance(scene: &Scene, half_a: f64, half_b: f64) -> f64 {
    let (x_wa, x_wb) = (scene.pose_a(), scene.pose_b());
    minimise(|u, v| {
        let on_a = x_wa.transform_point(&Vec3::new(0.0, 0.0, half_a * (2.0 * u - 1.0)));
        let on_b = x_wb.transform_point(&Vec3::new(0.0, 0.0, half_b * (2.0 * v - 1.0)));
        (on_b - on_a).norm()
    })
}

#[test]
fn points_lie_on_their_surfaces_and_span_the_gap() {
    let mut rng = SplitMix64::new(2);
    for cell in supported_cells() {
        for _ in 0..200 {
            let scene = random_scene(cell, &mut rng);
            for feature in 0..scene.feature_count() {
                let contact = scene.point(feature);
                let span = contact.point_b - contact.point_a - contact.gap * contact.normal;
                assert!((contact.normal.norm() - 1.0).abs() < ROUNDING, "{scene:?}");
                assert!(span.norm() < ROUNDING, "{scene:?}");
                let on_a = scene.pose_a().inverse_transform_point(&contact.point_a);
                let on_b = scene.pose_b().inverse_transform_point(&contact.point_b);
                assert!(off_surface(&scene.a, &on_a) < ROUNDING, "feature {feature} of {scene:?}");
                assert!(off_surface(&scene.b, &on_b) < ROUNDING, "feature {feature} of {scene:?}");
            }
        }
    }
}

//! The oracle against closed forms.

use carom_geometry::surface::{self, Resolution};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::distance::{Triangle, triangle_triangle};
use crate::facets::Facets;
use crate::motion::Motion;
use crate::part::Part;
use crate::surface::distance;
use crate::touch::{Encounter, Finding};

fn triangle(rng: &mut SplitMix64, half: f64) -> Triangle {
    [0, 1, 2].map(|_| rng.vector_in_cube(half))
}

/// No two points of two triangles are nearer, and some are nearly as near.
#[test]
fn triangles_are_as_far_apart_as_their_points() {
    let mut rng = SplitMix64::new(1);
    let steps = 24;
    let points = |t: &Triangle| -> Vec<Vec3> {
        let share = |k: u32| f64::from(k) / f64::from(steps);
        let rows = (0..=steps).flat_map(|i| (0..=steps - i).map(move |j| (i, j)));
        rows.map(|(i, j)| t[0] + share(i) * (t[1] - t[0]) + share(j) * (t[2] - t[0])).collect()
    };
    for _ in 0..60 {
        let (s, t) = (triangle(&mut rng, 1.0), triangle(&mut rng, 1.0).map(|p| p + Vec3::new(1.2, 0.3, 0.1)));
        let exact = triangle_triangle(&s, &t);
        let (of_s, of_t) = (points(&s), points(&t));
        let least =
            of_s.iter().flat_map(|p| of_t.iter().map(move |q| (p - q).norm())).fold(f64::INFINITY, f64::min);
        // A point of each lies within an edge of the grid of the nearest one.
        assert!(
            exact <= least + 1e-15 && least < exact + 2.0 * 2.0 * 3.5 / f64::from(steps),
            "{exact} {least}"
        );
        assert_eq!(exact == 0.0, triangle_triangle(&t, &s) == 0.0);
    }
}

/// What bounding balls leave out is never the nearest pair.
#[test]
fn surfaces_are_as_far_apart_as_their_nearest_triangles() {
    let mut rng = SplitMix64::new(2);
    for _ in 0..30 {
        let a = surface::torus(1.0, 0.3, Resolution::Facets(200)).expect("a torus");
        let b = surface::block(Vec3::new(0.2, 0.3, 0.4), Resolution::Facets(60)).expect("a block");
        let x = Pose { translation: rng.unit_vector() * rng.uniform(0.0, 3.0), ..rng.pose(1.0) };
        let found = Facets::new(&a, true).distance(&Facets::new(&b, true), &x);
        let moved = |t: Triangle| t.map(|p| x.transform_point(&p));
        let pairs = a.corners().flat_map(|s| b.corners().map(move |t| (s, moved(t))));
        let least = pairs.map(|(s, t)| triangle_triangle(&s, &t)).fold(f64::INFINITY, f64::min);
        assert!((found - least).abs() <= 1e-15, "{found} {least}");
    }
}

/// The same solids by different formulas: a capsule against a ball of triangles is nearly one against a ball, and boxes
/// agree with what the ends and faces of cylinders and capsules say.
#[test]
fn distances_of_solids_agree_with_closed_forms() {
    let one = Pose::identity();
    let above = |z: f64| Pose::from_translation(Vec3::new(0.05, -0.03, z));
    let block = Part::block(Vec3::new(0.2, 0.3, 0.1));
    for (part, reach) in [
        (Part::ball(0.1), 0.1),
        (Part::capsule(0.05, 0.2), 0.25),
        (Part::cylinder(0.05, 0.2), 0.2),
        (Part::block(Vec3::new(0.1, 0.1, 0.4)), 0.4),
    ] {
        let found = distance(&block.surface, &one, &part.surface, &above(0.9)).expect("a pair of scenes");
        assert!((found - (0.9 - 0.1 - reach)).abs() < 1e-15, "{}: {found}", part.name);
        let swapped = distance(&part.surface, &above(0.9), &block.surface, &one).expect("a pair of scenes");
        assert!((found - swapped).abs() < 1e-15, "{}: {found} {swapped}", part.name);
    }
    let floor = Part::half_space();
    for part in [Part::ball(0.1), Part::cylinder(0.1, 0.1), Part::block(Vec3::repeat(0.1))] {
        let found = distance(&floor.surface, &one, &part.surface, &above(0.5)).expect("a pair of scenes");
        assert!((found - 0.4).abs() < 1e-15, "{}: {found}", part.name);
    }
}

/// Points are inside of closed surfaces where they should be, and never of open ones.
#[test]
fn surfaces_hold_what_is_inside() {
    let mut rng = SplitMix64::new(3);
    let torus = surface::torus(1.0, 0.3, Resolution::Facets(2000)).expect("a torus");
    let torus = Facets::new(&torus, true);
    for _ in 0..300 {
        let p = rng.vector_in_cube(1.4);
        let off = (p.x.hypot(p.y) - 1.0).hypot(p.z) - 0.3;
        if off.abs() > 0.02 {
            assert_eq!(torus.holds(&p), off < 0.0, "{p:?} {off}");
        }
    }
}

/// Balls on straight lines touch where the quadratic says; those that pass do not.
#[test]
fn balls_touch_when_they_must() {
    let mut rng = SplitMix64::new(4);
    let parts = [Part::ball(0.2), Part::ball(0.1)];
    for _ in 0..200 {
        let (from, velocity) = (rng.unit_vector() * 5.0, rng.unit_vector());
        let velocity = (velocity - from / 4.0) * 3.0;
        let still = Motion::rest(&Pose::identity());
        let moves = Motion { velocity, ..Motion::rest(&Pose::from_translation(from)) };
        let encounter = Encounter {
            surfaces: [&parts[0].surface, &parts[1].surface],
            motions: [&still, &moves],
            radii: [0.0, 0.0],
            size: 0.1,
            t_end: 5.0,
            clear: 1e-9,
            looks: 10_000,
        };
        let (b, c) = (from.dot(&velocity), from.norm_squared() - 0.09);
        let squared = b * b - velocity.norm_squared() * c;
        let expected = (-b - squared.sqrt()) / velocity.norm_squared();
        match encounter.first_touch() {
            Finding::Touch(touch) => {
                assert!((touch.time - expected).abs() < 1e-12, "{} {expected}", touch.time);
                let approach = squared.sqrt() / 0.3;
                assert!((touch.approach / approach - 1.0).abs() < 0.05, "{} {approach}", touch.approach);
            }
            Finding::Apart(apart) => assert!(squared < 0.0 || !(0.0..=5.0).contains(&expected), "{apart}"),
            Finding::Unclear(_) => assert!(squared.abs() < 1e-3, "{squared}"),
        }
    }
}

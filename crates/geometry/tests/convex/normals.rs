//! Normals and gaps against an independent maximum of the separation, with twice the digits.
//!
//! The separation n·c − h(n) over unit vectors n, with the support function h of A − B, is largest along the normal of
//! the contact, where it is the gap. Apart, the directions that separate more than any positive amount are a convex set
//! in the plane of n + t: what is most within a neighbourhood of the normal is most of all. The support functions are
//! those of the tests, and no code of the search takes part.

use carom_geometry::convex::{ConvexShape, Core};
use carom_math::Vec3;
use carom_testkit::{SplitMix64, SupportCore, SupportDifference, SupportSolid};

use crate::kit::{CURVED, POLYTOPES, Scene, random_scene};

/// A superellipsoid takes these powers p and has the exponents 2 − 2/p.
const POWERS: [[u32; 2]; 4] = [[4, 3], [5, 3], [5, 2], [4, 1]];

fn exponent([p, q]: [u32; 2]) -> f64 {
    2.0 - 2.0 * f64::from(q) / f64::from(p)
}

/// The same solid by its support function; a superellipsoid has exponents of [`POWERS`].
fn support(shape: &ConvexShape) -> SupportSolid {
    let core = match &shape.core {
        Core::Point => SupportCore::Point,
        Core::Segment { half_length } => SupportCore::Segment(*half_length),
        Core::Box { half } => SupportCore::Box([half.x, half.y, half.z]),
        Core::Frustum { radius_low, radius_high, half_length } => {
            SupportCore::Frustum([*radius_low, *radius_high], *half_length)
        }
        Core::Beam { half_length, half_width, half_thickness } => {
            SupportCore::Beam([*half_length, *half_width, *half_thickness])
        }
        Core::Ellipsoid { semi_axes: s } => SupportCore::Ellipsoid([s.x, s.y, s.z]),
        Core::Superellipsoid { semi_axes: s, exponents } => {
            let power = |e: f64| *POWERS.iter().find(|p| exponent(**p) == e).expect("one of the powers");
            SupportCore::Superellipsoid([s.x, s.y, s.z], exponents.map(power))
        }
        Core::Hull(hull) => SupportCore::Points(hull.vertices().to_vec()),
    };
    SupportSolid { core, radius: shape.radius }
}

fn scene(a: &str, b: &str, rng: &mut SplitMix64) -> Scene {
    let mut scene = random_scene(a, b, rng);
    for shape in [&mut scene.a, &mut scene.b] {
        if let Core::Superellipsoid { exponents, .. } = &mut shape.core {
            *exponents = [0, 1].map(|_| exponent(POWERS[rng.index(POWERS.len())]));
        }
    }
    scene
}

/// Angle (rad) between the normal found and the best one, and the gap's error (m).
fn errors(scene: &Scene) -> (f64, f64) {
    let found = scene.contact();
    let (a, b) = (support(&scene.a), support(&scene.b));
    let difference = SupportDifference { a: &a, r_wa: scene.x_wa.rotation, b: &b, r_wb: scene.x_wb.rotation };
    let c = scene.x_wb.translation - scene.x_wa.translation;
    let ([x, y], most) = difference.separates_most_at(&c, &found.normal, 1e-6);
    (x.hypot(y), found.gap - most)
}

fn kinds() -> Vec<&'static str> {
    ["point"].into_iter().chain(CURVED).chain(POLYTOPES).collect()
}

/// A few roundings of the normal over the smallest distance of cores, 1e-3 m, and as many of the gap.
#[test]
fn normals_are_those_that_separate_most() {
    let mut rng = SplitMix64::new(95);
    let kinds = kinds();
    for (k, a) in kinds.iter().enumerate() {
        for b in &kinds[k..] {
            for gap in [0.2, 1e-2, 1e-3, -1e-4, -1e-3] {
                let scene = scene(a, b, &mut rng).at_gap(gap);
                let (angle, off) = errors(&scene);
                assert!(angle < 1e-10 && off.abs() < 1e-12, "{angle:e} rad, {off:e} m: {scene:?}");
            }
        }
    }
}

/// The oracle sees a normal that is off by more than it is asked for.
#[test]
fn a_normal_that_is_off_is_seen() {
    let mut rng = SplitMix64::new(96);
    let scene = scene("ellipsoid", "box", &mut rng).at_gap(0.1);
    let found = scene.contact().normal;
    let (a, b) = (support(&scene.a), support(&scene.b));
    let difference = SupportDifference { a: &a, r_wa: scene.x_wa.rotation, b: &b, r_wb: scene.x_wb.rotation };
    let c = scene.x_wb.translation - scene.x_wa.translation;
    let off = (found + 1e-9 * found.cross(&Vec3::x()).normalize()).normalize();
    let ([x, y], _) = difference.separates_most_at(&c, &off, 1e-6);
    assert!((x.hypot(y) - 1e-9).abs() < 1e-11, "{x:e} {y:e}");
}

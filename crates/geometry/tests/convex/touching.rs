//! Curved solids that touch but for rounding, searched for from where the last search ended.

use carom_geometry::convex::{ConvexCache, ConvexShape, Core};
use carom_math::{Mat3, Pose, Vec3};

use crate::kit::Scene;

fn cache_of(numbers: &[f64]) -> ConvexCache {
    let mut cache = ConvexCache::COLD;
    let mut numbers = numbers.iter();
    cache.visit_numbers(&mut |slot| *slot = numbers.next().copied().unwrap_or(0.0));
    cache
}

#[test]
fn cones_that_part_beside_an_apex() {
    let cone = || ConvexShape::sharp(Core::Frustum { radius_low: 0.15, radius_high: 0.0, half_length: 0.2 });
    let scene = Scene {
        a: cone(),
        b: cone(),
        x_wa: Pose {
            rotation: Mat3::new(
                0.24390323451061902,
                0.02930279443195455,
                -0.9693567756165615,
                0.901597215839496,
                0.36136436866106303,
                0.23777773960709708,
                0.35725855145220403,
                -0.9319641298358377,
                0.06171862047715382,
            )
            .transpose(),
            translation: Vec3::zeros(),
        },
        x_wb: Pose {
            rotation: Mat3::new(
                -0.5107043350879816,
                -0.28121928716706124,
                0.8124634112669893,
                -0.3855127763054369,
                0.919570223025548,
                0.07596383501389306,
                -0.7684796558319662,
                -0.2744199654726196,
                -0.5780421274633791,
            )
            .transpose(),
            translation: Vec3::new(0.012772322296953863, -0.27105999785458906, -0.2154466237524704),
        },
    };
    let mut numbers = [0.0; 50];
    // Surface points of A and of B, each with its branch; then their number, and whether the solids overlap.
    numbers[..16].copy_from_slice(&[
        0.0,
        0.0,
        0.2,
        1.0,
        0.0,
        0.0,
        0.2,
        1.0,
        0.0,
        0.0,
        0.2,
        1.0,
        0.13129323266608142,
        0.07254024438951259,
        -0.2,
        0.0,
    ]);
    numbers[32..38].copy_from_slice(&[
        2.0,
        1.0,
        0.6899064246462544,
        0.6274215054998113,
        0.36106977119134803,
        2.6e-8,
    ]);
    let warm = scene.contact_from(&cache_of(&numbers)).point;
    let cold = scene.contact();
    assert!((warm.gap - cold.gap).abs() < 1e-12, "{warm:?} {cold:?}");
}

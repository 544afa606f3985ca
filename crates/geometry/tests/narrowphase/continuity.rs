//! A signed distance moves no faster than the bodies: along any path |Δgap| ≤ the largest displacement.
//! This is continuity with its sharpest constant, through contact, over edges and across the inside.

use carom_geometry::{Shape, ShapeKind};
use carom_math::{Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{Scene, random_scene, supported_cells};

const STEPS: usize = 400;

#[test]
fn gap_moves_no_faster_than_the_bodies() {
    let mut rng = SplitMix64::new(31);
    for cell in supported_cells() {
        let mut sign_changes = 0;
        for _ in 0..30 {
            let mut scene = random_scene(cell, &mut rng);
            // B flies through A and out on the other side, tumbling.
            let (shift, turn) =
                (rng.unit_vector() * (6.0 / STEPS as f64), rng.uniform(0.0, 6.0) / STEPS as f64);
            let spin = Quaternion::from_axis_angle(&rng.unit_vector(), turn);
            scene.position_b = scene.position_a + rng.vector_in_cube(0.8) - 0.5 * STEPS as f64 * shift;
            let mut last: Vec<f64> = gaps(&scene);
            for _ in 0..STEPS {
                scene.position_b += shift;
                scene.rotation_b = spin.multiply(&scene.rotation_b);
                let now = gaps(&scene);
                // The slack covers the rounding of both gaps.
                let reach = (shift.norm() + turn * (lever(&scene) + shift.norm())) * (1.0 + 1e-9) + 1e-14;
                for (feature, (before, after)) in last.iter().zip(&now).enumerate() {
                    let jump = (after - before).abs();
                    assert!(jump <= reach, "feature {feature} jumps {jump} > {reach}: {scene:?}");
                    sign_changes += usize::from((*before < 0.0) != (*after < 0.0));
                }
                last = now;
            }
        }
        assert!(sign_changes >= 20, "{cell:?}: only {sign_changes} passages through contact");
    }
}

fn gaps(scene: &Scene) -> Vec<f64> {
    (0..scene.feature_count()).map(|k| scene.point(k).gap).collect()
}

/// Arm (m) with which a turn of B about its origin moves B's points against A, or seen from B, A's points
/// against B. Points of an endless body have no bound, those of its partner do.
fn lever(scene: &Scene) -> f64 {
    let partner = (scene.position_b - scene.position_a).norm() + reach_of(&scene.a);
    reach_of(&scene.b).min(partner)
}

fn reach_of(shape: &Shape) -> f64 {
    match shape.kind() {
        ShapeKind::HollowSphere | ShapeKind::HollowCylinder => f64::INFINITY,
        _ => shape.bounding_radius(),
    }
}

#[test]
fn a_ball_leaves_the_open_tube_and_comes_back() {
    use carom_geometry::shape::{Cylinder, CylinderSide};
    let tube = Cylinder { radius: 0.5, half_length: 1.0, side: CylinderSide::Hollow { closed: false } };
    let ball = Shape::Sphere { radius: 0.3, hollow: false };
    let at = |x: f64, z: f64| Scene {
        a: ball.clone(),
        b: Shape::Cylinder(tube),
        rotation_a: Quaternion::IDENTITY,
        rotation_b: Quaternion::IDENTITY,
        position_a: Vec3::new(x, 0.0, z),
        position_b: Vec3::zeros(),
    };
    // Rolling on the wall at x = 0.2 it reaches the rim with gap 0 and then moves away from it.
    assert!(at(0.2, 1.0).smallest_gap().abs() < 1e-15);
    let beyond = at(0.2, 1.4).smallest_gap();
    assert!((beyond - (0.5 - 0.3)).abs() < 1e-15, "3-4-5 triangle to the rim");
    let mut last = at(0.2, 0.9).smallest_gap();
    for k in 1..=1000 {
        let gap = at(0.2, 0.9 + 1e-3 * f64::from(k)).smallest_gap();
        assert!(gap >= last && gap - last <= 1e-3);
        last = gap;
    }
}

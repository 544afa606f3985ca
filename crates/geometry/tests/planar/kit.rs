//! Outlines and poses of the tests.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

pub(crate) fn polygon(points: &[[f64; 2]]) -> Polygon {
    Polygon::new(points.iter().map(|&[x, y]| Vec2::new(x, y)).collect()).unwrap()
}

/// A star of random radii: concave, with edges of all lengths.
pub(crate) fn star(rng: &mut SplitMix64, points: usize) -> Polygon {
    let angle = |k: usize| TAU * k as f64 / points as f64;
    let radii: Vec<f64> = (0..points).map(|_| rng.uniform(0.3, 1.0)).collect();
    let point = |k: usize| Vec2::new(radii[k] * libm::cos(angle(k)), radii[k] * libm::sin(angle(k)));
    Polygon::new((0..points).map(point).collect()).unwrap()
}

pub(crate) fn shape(polygon: Polygon) -> Shape {
    Shape::Planar(PlanarShape { outline: Outline::Polygon(Arc::new(polygon)), thickness: 0.1 })
}

pub(crate) fn circle(radius: f64) -> Shape {
    Shape::Planar(PlanarShape { outline: Outline::Circle { radius }, thickness: 0.1 })
}

/// In the xy plane.
pub(crate) fn pose(x: f64, y: f64, angle: f64) -> Pose {
    Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::z(), angle).to_matrix(),
        translation: Vec3::new(x, y, 0.0),
    }
}

pub(crate) fn random_pose(rng: &mut SplitMix64, reach: f64) -> Pose {
    pose(rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-TAU, TAU))
}

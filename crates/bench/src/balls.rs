use carom_geometry::broadphase::Ball;
use carom_math::Vec3;

use crate::random::Random;

/// Balls at random places of a cube that they fill to the share `filled` of its volume, overlaps counted twice. Radii
/// lie between `radius` and `ratio` times it, evenly in their logarithm.
pub fn random_balls(count: usize, radius: f64, ratio: f64, filled: f64) -> Vec<Ball> {
    let mut random = Random::new(5);
    let radii: Vec<f64> = (0..count).map(|_| radius * ratio.powf(random.unit())).collect();
    let volume: f64 = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).sum();
    let edge = (volume / filled).cbrt();
    radii
        .into_iter()
        .map(|radius| Ball { centre: edge * Vec3::from_fn(|_, _| random.unit()), radius })
        .collect()
}

//! The wall of a cylinder without its ends.

use std::f64::consts::TAU;

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Triangles of the wall of radius R about z from −half_length to half_length (m), `around` divisions of its circle;
/// they face the axis, as the wall is touched from within.
pub(super) fn tube(radius: f64, half_length: f64, around: u32) -> TriangleMesh {
    let corner = |k: u32, z: f64| {
        let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(around));
        Vec3::new(radius * cos, radius * sin, z)
    };
    let vertices = (0..around).flat_map(|k| [corner(k, -half_length), corner(k, half_length)]).collect();
    let wall = |k: u32| {
        let (a, b) = (2 * k, 2 * ((k + 1) % around));
        [[a, a + 1, b], [b, a + 1, b + 1]]
    };
    TriangleMesh { vertices, triangles: (0..around).flat_map(wall).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area 2 π R L up to the chords, and the normals towards the axis.
    #[test]
    fn a_tube_has_the_area_of_its_wall_and_faces_its_axis() {
        let mesh = tube(0.5, 2.0, 64);
        let mut area = 0.0;
        for [a, b, c] in mesh.corners() {
            let normal = (b - a).cross(&(c - a));
            let middle = (a + b + c) / 3.0;
            assert!(normal.x * middle.x + normal.y * middle.y < 0.0);
            area += 0.5 * normal.norm();
        }
        let exact = TAU * 0.5 * 4.0;
        // A chord of angle φ is φ²/24 short.
        assert!((area / exact - 1.0).abs() < (TAU / 64.0).powi(2) / 20.0, "{area} {exact}");
    }
}

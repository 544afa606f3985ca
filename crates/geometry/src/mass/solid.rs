use std::f64::consts::PI;

use carom_math::{Mat3, Vec3};

use super::{MassFault, MassProperties};
use crate::Shape;
use crate::shape::CylinderSide;

impl MassProperties {
    /// Mass properties of a shape filled with `density` > 0 (kg/m³).
    ///
    /// With mass m, radius R, half length h and half edges a, b, c (m), about the centre:
    ///
    /// | shape | volume | inertia |
    /// |---|---|---|
    /// | sphere | 4/3 π R³ | 2/5 m R² |
    /// | box | 8 a b c | x: m (b² + c²)/3, and cyclic |
    /// | cylinder | 2 π R² h | z: m R²/2; x, y: m (R²/4 + h²/3) |
    /// | capsule | cylinder m_c and two half balls, together m_s | z: m_c R²/2 + 2/5 m_s R²; x, y: m_c (R²/4 + h²/3) + m_s (2/5 R² + 3/4 R h + h²) |
    /// | other convex solids | [`crate::convex::ConvexShape::mass_properties`] | |
    /// | mesh | its interior, [`Self::of_mesh`] | |
    /// | planar shapes | [`crate::planar::PlanarShape::mass_properties`] | |
    ///
    /// A cavity or a half-space has no bounds and so no mass.
    pub fn of_shape(shape: &Shape, density: f64) -> Result<Self, MassFault> {
        let centred = |mass: f64, moments: Vec3| Self {
            mass,
            com: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&moments),
        };
        let unbounded = || Err(MassFault::Unbounded { kind: shape.kind() });
        match shape {
            Shape::Sphere { hollow: true, .. } | Shape::HalfSpace => unbounded(),
            Shape::Sphere { radius, hollow: false } => {
                let mass = density * ball_volume(*radius);
                Ok(centred(mass, Vec3::repeat(0.4 * mass * radius * radius)))
            }
            Shape::Box { half } => {
                let mass = density * 8.0 * half.x * half.y * half.z;
                let square = half.component_mul(half);
                let sums = Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
                Ok(centred(mass, sums * (mass / 3.0)))
            }
            Shape::Cylinder(cylinder) => match cylinder.side {
                CylinderSide::Hollow { .. } => unbounded(),
                CylinderSide::Solid => {
                    let mass = density * cylinder_volume(cylinder.radius, cylinder.half_length);
                    Ok(centred(mass, mass * cylinder_gyration(cylinder.radius, cylinder.half_length)))
                }
            },
            Shape::Capsule { radius, half_length } => {
                let (r, h) = (*radius, *half_length);
                let barrel = density * cylinder_volume(r, h);
                let balls = density * ball_volume(r);
                // The half ball's centre lies 3R/8 beyond the end of the core.
                let across = 0.4 * r * r + 0.75 * r * h + h * h;
                let ends = balls * Vec3::new(across, across, 0.4 * r * r);
                Ok(centred(barrel + balls, barrel * cylinder_gyration(r, h) + ends))
            }
            Shape::Convex(solid) => solid.mass_properties(density),
            Shape::Mesh(mesh) => Self::of_mesh(mesh, density),
            Shape::Planar(planar) => planar.mass_properties(density),
        }
    }
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

fn cylinder_volume(radius: f64, half_length: f64) -> f64 {
    2.0 * PI * radius * radius * half_length
}

/// Principal moments of a cylinder about its centre, per mass (m²).
fn cylinder_gyration(radius: f64, half_length: f64) -> Vec3 {
    let across = 0.25 * radius * radius + half_length * half_length / 3.0;
    Vec3::new(across, across, 0.5 * radius * radius)
}

use std::f64::consts::PI;

use carom_math::{Mat3, Vec3};

use super::{ConvexShape, Core};
use crate::{MassFault, MassProperties, Shape};

impl ConvexShape {
    /// Mass properties of the solid filled with `density` > 0 (kg/m³). Closed forms, with V the volume (m³) and
    /// ∫x² etc. over the volume:
    ///
    /// | core | radius | source |
    /// |---|---|---|
    /// | point, segment | any | ball, capsule |
    /// | block | any | block, 6 slabs, 12 quarter cylinders, 8 eighths of a ball |
    /// | frustum | 0 | ∫ π r² dz, ∫ π r⁴/4 dz with r linear in z, by Gauss–Legendre of order 5, exact |
    /// | beam | 0 | block and two half cylinders |
    /// | ellipsoid | 0 | V = 4/3 π a b c, ∫x² = V a²/5 |
    /// | superellipsoid | 0 | Beta functions; Jaklič et al., Segmentation and Recovery of Superquadrics (2000) |
    /// | hull | 0 | polyhedron, [`MassProperties::of_mesh`] |
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassFault> {
        let r = self.radius;
        let plain = |shape: &Shape| MassProperties::of_shape(shape, density);
        let solid = match &self.core {
            Core::Point => return plain(&Shape::Sphere { radius: r, hollow: false }),
            Core::Segment { half_length } => {
                return plain(&Shape::Capsule { radius: r, half_length: *half_length });
            }
            Core::Box { half } => rounded_block(half, r),
            _ if r > 0.0 => return Err(MassFault::Rounded { radius: r }),
            Core::Hull(hull) => return hull.mass_properties(density),
            Core::Frustum { radius_low, radius_high, half_length } => {
                frustum(*radius_low, *radius_high, *half_length)
            }
            Core::Beam { half_length, half_width, half_thickness } => {
                beam(*half_length, *half_width, *half_thickness)
            }
            Core::Ellipsoid { semi_axes } => {
                let volume = 4.0 / 3.0 * PI * semi_axes.product();
                Moments { volume, height: 0.0, squares: semi_axes.map(|a| 0.2 * volume * a * a) }
            }
            Core::Superellipsoid { semi_axes, exponents } => superellipsoid(semi_axes, exponents),
        };
        Ok(solid.mass_properties(density))
    }
}

/// Integrals over a solid that is symmetric about the planes x = 0 and y = 0.
struct Moments {
    /// ∫ 1 (m³).
    volume: f64,
    /// z of the centre (m).
    height: f64,
    /// ∫ x², ∫ y², ∫ z² about the centre (m⁵).
    squares: Vec3,
}

impl Moments {
    fn mass_properties(&self, density: f64) -> MassProperties {
        let s = self.squares;
        let inertia = density * Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y);
        MassProperties {
            mass: density * self.volume,
            com: Vec3::new(0.0, 0.0, self.height),
            inertia: Mat3::from_diagonal(&inertia),
        }
    }
}

fn rounded_block(half: &Vec3, r: f64) -> Moments {
    let (mut volume, mut squares) = (0.0, Vec3::zeros());
    let mut add = |part: f64, part_squares: Vec3| {
        volume += part;
        squares += part_squares;
    };
    let block = 8.0 * half.product();
    add(block, half.map(|h| block * h * h / 3.0));
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        // Slabs of thickness r on the two faces across i.
        let slabs = 8.0 * half[j] * half[k] * r;
        let mut s = half.map(|h| slabs * h * h / 3.0);
        s[i] = slabs * (half[i] * half[i] + half[i] * r + r * r / 3.0);
        add(slabs, s);
        // Four quarter cylinders along i; of a quarter disc ∫x = r³/3 and ∫x² = π r⁴/16.
        let quarters = 2.0 * half[i] * PI * r * r;
        let mut s = Vec3::repeat(quarters * half[i] * half[i] / 3.0);
        for across in [j, k] {
            let h = half[across];
            s[across] = 8.0
                * half[i]
                * (h * h * PI * r * r / 4.0 + 2.0 * h * r.powi(3) / 3.0 + PI * r.powi(4) / 16.0);
        }
        add(quarters, s);
    }
    // Eight eighths of a ball; of one ∫x = π r⁴/16 and ∫x² = π r⁵/30.
    let ball = 4.0 / 3.0 * PI * r.powi(3);
    add(ball, half.map(|h| ball * h * h + PI * h * r.powi(4) + 4.0 * PI * r.powi(5) / 15.0));
    Moments { volume, height: 0.0, squares }
}

fn frustum(low: f64, high: f64, h: f64) -> Moments {
    // Nodes and weights of the rule of three points on [−1, 1], exact for polynomials of degree 5.
    let nodes = [(-(0.6_f64.sqrt()), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    let integrate = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        nodes.iter().map(|&(s, w)| w * h * f(0.5 * (low + high) + 0.5 * s * (high - low), s * h)).sum()
    };
    let volume = integrate(&|r, _| PI * r * r);
    let height = integrate(&|r, z| PI * r * r * z) / volume;
    let across = integrate(&|r, _| 0.25 * PI * r.powi(4));
    let along = integrate(&|r, z| PI * r * r * z * z) - volume * height * height;
    Moments { volume, height, squares: Vec3::new(across, across, along) }
}

fn beam(l: f64, w: f64, t: f64) -> Moments {
    let block = 8.0 * l * w * t;
    let ends = 2.0 * PI * w * w * t;
    let volume = block + ends;
    // The half disc's centre lies 4w/(3π) beyond the axis.
    let x = block * l * l / 3.0 + ends * (l * l + 0.25 * w * w + 8.0 * l * w / (3.0 * PI));
    let y = block * w * w / 3.0 + ends * 0.25 * w * w;
    Moments { volume, height: 0.0, squares: Vec3::new(x, y, volume * t * t / 3.0) }
}

fn superellipsoid(semi_axes: &Vec3, &[e1, e2]: &[f64; 2]) -> Moments {
    let scale = semi_axes.product() * e1 * e2;
    let volume = 2.0 * scale * beta(0.5 * e1 + 1.0, e1) * beta(0.5 * e2, 0.5 * e2);
    let across = 0.5 * scale * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2.0 * e1 + 1.0);
    let along = 2.0 * scale * beta(0.5 * e2, 0.5 * e2 + 1.0) * beta(1.5 * e1, e1 + 1.0);
    let squares = semi_axes.component_mul(semi_axes).component_mul(&Vec3::new(across, across, along));
    Moments { volume, height: 0.0, squares }
}

/// B(x, y) = Γ(x) Γ(y)/Γ(x + y).
fn beta(x: f64, y: f64) -> f64 {
    libm::exp(libm::lgamma(x) + libm::lgamma(y) - libm::lgamma(x + y))
}

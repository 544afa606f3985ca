use carom_math::{Mat3, Vec3};

use crate::{Real, dot};

/// A convex solid about its origin, by its support function h(n) = max n·x over its points x. Lengths in m.
#[derive(Clone, Debug)]
pub enum SupportCore {
    /// The origin.
    Point,
    /// On the z axis from −half_length to half_length.
    Segment(f64),
    /// Half edge lengths along x, y, z.
    Box([f64; 3]),
    /// Circular, about z: the radii at −half_length and +half_length, and half_length.
    Frustum([f64; 2], f64),
    /// The sum of a segment along x, a disc across z and a segment along z: half_length, radius, half_thickness.
    Beam([f64; 3]),
    /// Semi-axes along x, y, z.
    Ellipsoid([f64; 3]),
    /// Semi-axes, and the powers p₁ and p₂ as ratios: h = ((|a n_x|^p₂ + |b n_y|^p₂)^(p₁/p₂) + |c n_z|^p₁)^(1/p₁), the
    /// dual norm of (…)^(…) with the exponents e = 2 − 2/p (Barr 1981).
    Superellipsoid([f64; 3], [[u32; 2]; 2]),
    /// The hull of points.
    Points(Vec<Vec3>),
}

/// A core rounded by a radius ≥ 0 (m).
#[derive(Clone, Debug)]
pub struct SupportSolid {
    /// The core.
    pub core: SupportCore,
    /// Radius (m).
    pub radius: f64,
}

impl SupportSolid {
    /// h(n) for a vector of any length (m times that length): positively homogeneous and convex.
    pub fn height<T: Real>(&self, n: &[T; 3]) -> T {
        let &[x, y, z] = n;
        let of = |value: f64| T::from(value);
        let scaled = |s: &[f64; 3]| [of(s[0]) * x, of(s[1]) * y, of(s[2]) * z];
        let height = match &self.core {
            SupportCore::Point => of(0.0),
            SupportCore::Segment(half_length) => of(*half_length) * z.abs(),
            SupportCore::Box(half) => {
                let [x, y, z] = scaled(half);
                x.abs() + y.abs() + z.abs()
            }
            SupportCore::Frustum(radii, half_length) => {
                let across = (x * x + y * y).sqrt();
                let [low, high] = radii.map(|radius| of(radius) * across);
                let rise = of(*half_length) * z;
                (low - rise).max(high + rise)
            }
            SupportCore::Beam([half_length, radius, half_thickness]) => {
                let across = (x * x + y * y).sqrt();
                of(*half_length) * x.abs() + of(*radius) * across + of(*half_thickness) * z.abs()
            }
            SupportCore::Ellipsoid(semi_axes) => {
                let v = scaled(semi_axes);
                dot(&v, &v).sqrt()
            }
            SupportCore::Superellipsoid(semi_axes, [p1, p2]) => {
                let [x, y, z] = scaled(semi_axes).map(|s| s.abs());
                let across = x.power(*p2) + y.power(*p2);
                let all = across.power([p1[0] * p2[1], p1[1] * p2[0]]) + z.power(*p1);
                all.power([p1[1], p1[0]])
            }
            SupportCore::Points(points) => {
                let along = |p: &Vec3| dot(&[of(p.x), of(p.y), of(p.z)], n);
                points[1..].iter().fold(along(&points[0]), |most, p| most.max(along(p)))
            }
        };
        if self.radius == 0.0 { height } else { height + of(self.radius) * dot(n, n).sqrt() }
    }
}

/// The Minkowski difference A − B of two solids of given orientations, both about the world's origin: B moved by a vector
/// meets A where the difference holds that vector.
#[derive(Clone, Copy, Debug)]
pub struct SupportDifference<'a> {
    /// Solid A.
    pub a: &'a SupportSolid,
    /// Orientation of A in the world.
    pub r_wa: Mat3,
    /// Solid B.
    pub b: &'a SupportSolid,
    /// Orientation of B in the world.
    pub r_wb: Mat3,
}

impl SupportDifference<'_> {
    /// Support function of the difference for a vector of the world of any length.
    pub fn height<T: Real>(&self, n: &[T; 3]) -> T {
        let n_a = self.a.height(&turned_back(&self.r_wa, n));
        let n_b = self.b.height(&turned_back(&self.r_wb, n).map(|x| -x));
        n_a + n_b
    }
}

/// Rᵀ n.
fn turned_back<T: Real>(r: &Mat3, n: &[T; 3]) -> [T; 3] {
    [0, 1, 2].map(|k| dot(&[T::from(r[(0, k)]), T::from(r[(1, k)]), T::from(r[(2, k)])], n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    /// Points of the surfaces, from their equations, of which none is above the support function and one is near it.
    #[test]
    fn heights_are_those_of_the_highest_points_of_the_surfaces() {
        let mut rng = SplitMix64::new(5);
        let superellipsoid = SupportCore::Superellipsoid([0.3, 0.4, 0.5], [[4, 3], [5, 2]]);
        let [e1, e2] = [0.5, 1.2];
        let spherical = |s: [f64; 3], e: [f64; 2], v: f64, w: f64| {
            let power = |x: f64, e: f64| x.signum() * x.abs().powf(e);
            let across = power(v.cos(), e[0]);
            Vec3::new(
                s[0] * across * power(w.cos(), e[1]),
                s[1] * across * power(w.sin(), e[1]),
                s[2] * power(v.sin(), e[0]),
            )
        };
        for (core, semi_axes, exponents) in [
            (superellipsoid, [0.3, 0.4, 0.5], [e1, e2]),
            (SupportCore::Ellipsoid([0.3, 0.4, 0.5]), [0.3, 0.4, 0.5], [1.0, 1.0]),
        ] {
            let solid = SupportSolid { core, radius: 0.0 };
            for _ in 0..20 {
                let n = rng.unit_vector();
                let height = solid.height(&[n.x, n.y, n.z]);
                let mut most = f64::NEG_INFINITY;
                for i in 0..=400 {
                    for j in 0..400 {
                        let v = std::f64::consts::PI * (f64::from(i) / 400.0 - 0.5);
                        let w = std::f64::consts::TAU * f64::from(j) / 400.0;
                        most = most.max(n.dot(&spherical(semi_axes, exponents, v, w)));
                    }
                }
                assert!(most <= height + 1e-14 && most > height - 1e-3, "{most} {height}");
            }
        }
    }
}

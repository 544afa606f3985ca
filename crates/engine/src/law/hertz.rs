use carom_geometry::Curvature;
use carom_math::complete_elliptic;

/// Effective modulus E* (Pa) of two elastic half-spaces: 1/E* = (1−ν₁²)/E₁ + (1−ν₂²)/E₂.
pub fn effective_modulus(a: (f64, f64), b: (f64, f64)) -> f64 {
    let compliance = |(e, nu): (f64, f64)| (1.0 - nu * nu) / e;
    1.0 / (compliance(a) + compliance(b))
}

/// What a surface brings to the reduced contact radius of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactRadius {
    /// Plane.
    Flat,
    /// Flat faces between edges: a plane beside a surface that has a radius; beside a plane or another block half of
    /// its smallest side (m).
    Block(f64),
    /// Radius of a curved surface, negative of a cavity, or a stated one (m).
    Radius(f64),
}

/// Reduced contact radius r₁r₂/(r₁+r₂) (m) of the law `elastic-response`; a flat partner drops out, a
/// cavity has a negative radius. `None` if both are flat or the cavity is not the larger.
pub fn reduced_radius(pair: [ContactRadius; 2]) -> Option<f64> {
    let has_radius = pair.iter().any(|r| matches!(r, ContactRadius::Radius(_)));
    let curvature = |radius: ContactRadius| match radius {
        ContactRadius::Radius(r) => 1.0 / r,
        ContactRadius::Block(r) if !has_radius => 1.0 / r,
        ContactRadius::Block(_) | ContactRadius::Flat => 0.0,
    };
    let sum = curvature(pair[0]) + curvature(pair[1]);
    (sum > 0.0).then(|| 1.0 / sum)
}

/// Hertz's stiffness K (N/m^1.5) of F = K δ^1.5 from the relative principal curvatures; `None` where the
/// theory gives none.
///
/// Circular contact: K = 4/3 E* √R. Elliptical contact, half axes 1 and b = √(1−m): m from
/// (E(m)/(1−m) − K(m))/(K(m) − E(m)) = κ₁/κ₂; with A = κ₂/2 of that size p₀ = A E* m/(b (K−E)),
/// δ = p₀ b K/E*, F = (2/3) π p₀ b (Johnson, Contact Mechanics, 4.2). The point formula with a negative
/// radius is right for a sphere in a sphere, and up to two times too stiff for a sphere in a cylinder.
pub fn hertz_stiffness(curvature: Curvature, effective_modulus: f64) -> Option<f64> {
    let Curvature::Point { k1, k2 } = curvature else { return None };
    if !(k2 > 0.0 && k1.is_finite()) {
        return None;
    }
    let ratio = k1 / k2;
    if ratio < 1.0 + 1e-7 {
        return Some(4.0 / 3.0 * effective_modulus / (0.5 * (k1 + k2)).sqrt());
    }
    // The contact ellipse is more slender than the curvatures: solve for m₁ = b² by bisection in its
    // logarithm, which keeps its digits for slender contacts.
    let excess = |log_m1: f64| {
        let m1 = libm::exp(log_m1);
        let (k, e) = complete_elliptic(1.0 - m1, m1);
        (e / m1 - k) / (k - e) - ratio
    };
    let (mut low, mut high) = (-80.0, -1e-9);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let m1 = libm::exp(0.5 * (low + high));
    let (k, e) = complete_elliptic(1.0 - m1, m1);
    let b = m1.sqrt();
    let peak = 0.5 * k2 * effective_modulus * (1.0 - m1) / (b * (k - e));
    let depth = peak * b * k / effective_modulus;
    let force = 2.0 / 3.0 * std::f64::consts::PI * peak * b;
    Some(force / (depth * depth.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elliptical_formula_meets_the_circular_one() {
        let circular = hertz_stiffness(Curvature::Point { k1: 4.0, k2: 4.0 }, 1e9).unwrap();
        assert!((circular - 4.0 / 3.0 * 1e9 * 0.5).abs() < 1e-3);
        let nearly = hertz_stiffness(Curvature::Point { k1: 4.0 + 4e-4, k2: 4.0 - 4e-4 }, 1e9).unwrap();
        assert!((nearly / circular - 1.0).abs() < 1e-7);
    }

    /// docs/laws.md: for a sphere in a cylinder the point formula with a negative radius is 1.2, 1.6 and 2.2
    /// times too stiff at R_c/R_s = 2, 1.1 and 1.01.
    #[test]
    fn sphere_in_cylinder_against_the_point_formula() {
        for (ratio, times) in [(2.0, 1.2), (1.1, 1.6), (1.01, 2.2)] {
            let (k1, k2) = (1.0, 1.0 - 1.0 / ratio);
            let point = hertz_stiffness(Curvature::Point { k1: k2, k2 }, 1.0).unwrap();
            let elliptical = hertz_stiffness(Curvature::Point { k1, k2 }, 1.0).unwrap();
            assert!((point / elliptical - times).abs() < 0.06, "{ratio}: {}", point / elliptical);
        }
    }

    #[test]
    fn reduced_radius_of_balls_planes_blocks_and_cavities() {
        use ContactRadius::{Block, Flat, Radius};
        assert_eq!(reduced_radius([Radius(2.0), Radius(2.0)]), Some(1.0));
        assert_eq!(reduced_radius([Radius(2.0), Flat]), Some(2.0));
        assert_eq!(reduced_radius([Radius(1.0), Radius(-2.0)]), Some(2.0));
        assert_eq!(reduced_radius([Flat, Flat]), None);
        assert_eq!(reduced_radius([Radius(2.0), Block(0.1)]), Some(2.0));
        assert_eq!(reduced_radius([Block(2.0), Block(2.0)]), Some(1.0));
        assert_eq!(reduced_radius([Flat, Block(2.0)]), Some(2.0));
    }
}

//! The generic suite over all laws: what every normal and friction law must satisfy.

use carom_engine::law::{
    Coulomb, Damping, Exponent, Friction, NormalKind, NormalLaw, damping_factor, damping_ratio,
};

fn normal_laws() -> Vec<(&'static str, NormalLaw)> {
    let mut laws = Vec::new();
    for kind in NormalKind::ALL {
        // Kelvin–Voigt is linear by definition.
        let exponents: &[f64] =
            if kind == NormalKind::Anagnostopoulos { &[1.0] } else { &[1.0, 1.5, 2.0, 3.3] };
        for &n in exponents {
            let damping = match kind {
                NormalKind::Anagnostopoulos => Damping::Additive { ratio: damping_ratio(0.4) },
                NormalKind::ElasticResponse => Damping::Response { restitution: 0.4, damping_max: 2000.0 },
                _ => Damping::Factor { chi: damping_factor(kind, 0.4).unwrap() },
            };
            laws.push((
                kind.name(),
                NormalLaw { stiffness: 3e7, exponent: Exponent::new(n), damping, v_small: 0.01 },
            ));
        }
    }
    laws
}

const DEPTHS: [f64; 4] = [1e-9, 1e-6, 1e-4, 3e-3];

#[test]
fn force_is_zero_at_zero_depth_unless_the_law_says_so() {
    for (name, law) in normal_laws() {
        let c = law.frozen_damping(0.7, 0.3);
        let jump = law.force(0.0, 0.7, c).total;
        assert_eq!(jump != 0.0, law.jumps_at_touch(), "{name}");
    }
}

/// A contact that begins at δ̇⁻ and has not been pushed beyond it never pulls while it approaches, and its
/// release function is positive then.
#[test]
fn no_tension_while_closing() {
    for (name, law) in normal_laws() {
        let c = law.frozen_damping(0.7, 0.3);
        for depth in DEPTHS {
            for speed in [0.0, 1e-3, 0.7] {
                assert!(law.force(depth, speed, c).total > 0.0, "{name}");
                assert!(law.release_function(depth, speed, c) > 0.0, "{name}");
            }
        }
    }
}

/// The release function has the sign of the force of a penetrating contact.
#[test]
fn release_function_has_the_sign_of_the_force() {
    for (name, law) in normal_laws() {
        let c = law.frozen_damping(0.7, 0.3);
        for depth in DEPTHS {
            for speed in [-3.0, -0.7, -0.1, 0.2] {
                let force = law.force(depth, speed, c).total;
                assert!(force * law.release_function(depth, speed, c) >= 0.0, "{name} {depth} {speed}");
            }
        }
    }
}

/// Damping only takes energy: (F − F_el) δ̇ ≥ 0 at any state.
#[test]
fn damping_never_gives_energy() {
    for (name, law) in normal_laws() {
        for start in [0.001, 0.7, 5.0] {
            let c = law.frozen_damping(start, 0.3);
            for depth in DEPTHS {
                for speed in [-3.0, -0.5, -1e-4, 0.0, 1e-4, 0.5, 3.0] {
                    let f = law.force(depth, speed, c);
                    assert!((f.total - f.elastic) * speed >= 0.0, "{name}");
                }
            }
        }
    }
}

/// The elastic force is the derivative of the stored energy, by central differences; also past δ = 0, where
/// the law continues. 1e-6 is the truncation of the difference at a relative step of 1e-4.
#[test]
fn elastic_force_is_the_gradient_of_the_potential() {
    for (name, law) in normal_laws() {
        for depth in DEPTHS.into_iter().chain([-1e-4]) {
            let h = 1e-4 * depth.abs();
            let up = law.force(depth + h, 0.0, 0.0).potential;
            let down = law.force(depth - h, 0.0, 0.0).potential;
            let want = law.force(depth, 0.0, 0.0).elastic;
            assert!(((up - down) / (2.0 * h) / want - 1.0).abs() < 1e-6, "{name} {depth}");
        }
    }
}

/// Scaling lengths by a, masses by b and times by c scales forces by a b/c²: no hidden units.
#[test]
fn laws_scale_with_units() {
    let (a, b, c) = (10.0, 3.0, 0.5);
    for (name, law) in normal_laws() {
        let n = law.exponent.value();
        let mut scaled = law;
        scaled.stiffness = law.stiffness * a * b / (c * c) / libm::pow(a, n);
        scaled.v_small = law.v_small * a / c;
        if let Damping::Response { damping_max, .. } = &mut scaled.damping {
            *damping_max *= c / a;
        }
        let (v, m, depth, speed) = (0.7, 0.3, 2e-4, -0.2);
        let force = law.force(depth, speed, law.frozen_damping(v, m)).total;
        let other = scaled.force(depth * a, speed * a / c, scaled.frozen_damping(v * a / c, m * b)).total;
        assert!((other / (force * a * b / (c * c)) - 1.0).abs() < 1e-12, "{name}");
    }
}

fn friction_laws() -> Vec<(&'static str, Friction, f64)> {
    let coulomb = |mu_static, smooth_step| {
        Friction::Coulomb(Coulomb { mu: 0.3, mu_static, v_stribeck: 0.02, v_reg: 1e-3, smooth_step })
    };
    vec![
        ("none", Friction::None, 0.0),
        ("coulomb tanh", coulomb(0.3, false), 0.3),
        ("coulomb step", coulomb(0.3, true), 0.3),
        ("stribeck", coulomb(0.45, false), 0.45),
        ("ambrosio", Friction::Ambrosio { mu: 0.3, v0: 0.0, v1: 1e-3 }, 0.3),
        ("ambrosio with gap", Friction::Ambrosio { mu: 0.3, v0: 2e-4, v1: 1e-3 }, 0.3),
        ("threlfall", Friction::Threlfall { mu: 0.3, v_reg: 1e-3 }, 0.3),
        ("bengisu-akay", Friction::BengisuAkay { mu_s: 0.45, mu_k: 0.3, v_reg: 1e-3, decay: 100.0 }, 0.45),
        ("elastic-response", Friction::Response { mu: 0.3, v_small: 1e-3 }, 0.3),
    ]
}

/// The coefficient μ(v) = v · ratio starts at zero, stays within its bound, is continuous and ends at the
/// dynamic coefficient.
#[test]
fn friction_coefficients_are_bounded_and_continuous() {
    for (name, law, bound) in friction_laws() {
        assert!(law.ratio(0.0).is_finite(), "{name}");
        let mut last = 0.0;
        for i in 0..=400_000 {
            let v = 1e-8 * f64::from(i);
            let mu = v * law.ratio(v);
            assert!(mu >= 0.0 && mu <= bound * (1.0 + 1e-12), "{name}: {mu} at {v}");
            // Steepest rise: three times μ/v_reg over 1e-8 m/s, and a half on top.
            assert!((mu - last).abs() < 4.5e-5 * bound + 1e-15, "{name}: jump at {v}");
            last = mu;
        }
        let far = 2.0 * law.ratio(2.0);
        let dynamic = if bound == 0.0 { 0.0 } else { 0.3 };
        assert!((far - dynamic).abs() < 1e-12, "{name}: {far}");
    }
}

/// docs/laws.md: Ambrósio has no friction up to v₀, and reg(v, s) is s/3 at rest.
#[test]
fn special_points_of_friction_laws() {
    let ambrosio = Friction::Ambrosio { mu: 0.3, v0: 2e-4, v1: 1e-3 };
    assert_eq!(ambrosio.ratio(2e-4), 0.0);
    assert!((6e-4 * ambrosio.ratio(6e-4) - 0.15).abs() < 1e-15);
    let response = Friction::Response { mu: 0.3, v_small: 0.03 };
    assert!((response.ratio(0.0) - 0.3 / 0.01).abs() < 1e-12);
    let threlfall = Friction::Threlfall { mu: 0.3, v_reg: 1e-3 };
    assert!((1e-3 * threlfall.ratio(1e-3 * (1.0 - 1e-12)) - 0.3).abs() < 1e-10);
}

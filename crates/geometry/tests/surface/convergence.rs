use std::f64::consts::PI;

use carom_geometry::TriangleMesh;
use carom_geometry::shape::ShapeFault;
use carom_geometry::surface::*;
use carom_math::{Mat3, Vec3};

use crate::{BUBBLE, area};

type Generator = fn(Resolution) -> Result<TriangleMesh, ShapeFault>;

/// Volume and area of the solid, from closed forms.
fn solids() -> Vec<(&'static str, Generator, f64, f64)> {
    // Prolate spheroid, semi-axes a = 0.5 (twice) and c = 1: area 2π a² (1 + c/(a e) asin e), e² = 1 − a²/c².
    let e = 0.75_f64.sqrt();
    let spheroid = 2.0 * PI * 0.25 * (1.0 + 2.0 / e * e.asin());
    let slant = (0.16_f64 + 1.0).sqrt();
    vec![
        ("torus", |n| torus(1.0, 0.3, n), 2.0 * PI * PI * 0.09, 4.0 * PI * PI * 0.3),
        ("sphere", |n| sphere(0.5, n), PI / 6.0, PI),
        ("spheroid", |n| ellipsoid(Vec3::new(0.5, 0.5, 1.0), n), PI / 3.0, spheroid),
        ("cylinder", |n| cylinder(0.5, 0.4, n), 0.2 * PI, PI * (0.8 + 0.5)),
        (
            "frustum",
            |n| frustum(0.3, 0.7, 0.5, n),
            PI / 3.0 * (0.09 + 0.21 + 0.49),
            PI * (slant + 0.09 + 0.49),
        ),
        ("cone", |n| frustum(0.4, 0.0, 0.5, n), PI / 3.0 * 0.16, PI * (0.4 * slant + 0.16)),
        ("capsule", |n| capsule(0.5, 0.6, n), PI / 6.0 + 0.3 * PI, PI + 1.2 * PI),
        (
            "beam",
            |n| beam(0.5, 0.2, 0.1, n),
            0.2 * (0.4 + 0.04 * PI),
            2.0 * (0.4 + 0.04 * PI) + 0.2 * (2.0 + 0.4 * PI),
        ),
    ]
}

/// Both errors at 32 and at 128 divisions fall by 16 = 4², with the higher orders and the rounding of the rings to
/// whole numbers as allowance: an exponent of 1.9 to 2.1.
#[test]
fn volume_and_area_converge_at_second_order() {
    for (name, generate, volume, surface) in solids() {
        let errors = |n| {
            let mesh = generate(Resolution::Divisions(n)).unwrap();
            (1.0 - mesh.signed_volume() / volume, 1.0 - area(&mesh) / surface)
        };
        let (coarse, fine) = (errors(32), errors(128));
        assert!(fine.0 > 0.0 && fine.0 < 1e-3, "{name}: inscribed, near the solid: {fine:?}");
        for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
            let order = (coarse / fine).log2() / 2.0;
            assert!((1.9..2.1).contains(&order), "{name}: order {order}");
        }
    }
}

#[test]
fn peanut_converges_to_its_integral() {
    // r² = (h² − z²)(p + q z² + t z⁴) with r(0) = w, r(a) = R and no slope there, solved here as a linear system.
    let (h2, a2) = (0.04, 0.115 * 0.115);
    let rest = h2 - a2;
    let conditions = Mat3::new(
        h2,
        0.0,
        0.0, // r²(0)
        rest,
        rest * a2,
        rest * a2 * a2, // r²(a)
        -1.0,
        rest - a2,
        2.0 * rest * a2 - a2 * a2, // dr²/dz² (a)
    );
    let c = conditions.try_inverse().unwrap() * Vec3::new(0.0025, 0.1004 * 0.1004, 0.0);
    // ∫ zⁿ (h² − z²) over −h … h is 2 hⁿ⁺³ (1/(n + 1) − 1/(n + 3)).
    let moment = |n: i32| 2.0 * 0.2_f64.powi(n + 3) * (1.0 / f64::from(n + 1) - 1.0 / f64::from(n + 3));
    let volume = PI * (c.x * moment(0) + c.y * moment(2) + c.z * moment(4));
    let error = |n| 1.0 - peanut(&BUBBLE, Resolution::Divisions(n)).unwrap().signed_volume() / volume;
    let order = (error(40) / error(160)).log2() / 2.0;
    assert!(error(160) < 1e-3 && (1.9..2.1).contains(&order), "{} {order}", error(160));
}

#[test]
fn flat_surfaces_are_exact() {
    let cuboid = block(Vec3::new(0.5, 0.3, 0.2), Resolution::Divisions(7)).unwrap();
    assert!((cuboid.signed_volume() / 0.24 - 1.0).abs() < 1e-14);
    assert!((area(&cuboid) / 2.48 - 1.0).abs() < 1e-14);
    assert!((area(&rectangle(0.5, 0.2, Resolution::Divisions(9)).unwrap()) / 0.4 - 1.0).abs() < 1e-14);
    // Four triangles with the base 2 and the height √(1 + 1/4).
    // The largest sum has 16 384 terms, each rounded.
    for subdivisions in 0..=6 {
        let mesh = funnel(1.0, 0.5, subdivisions).unwrap();
        assert!((area(&mesh) / (4.0 * 1.25_f64.sqrt()) - 1.0).abs() < 1e-12);
    }
}

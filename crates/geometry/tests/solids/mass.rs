use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use carom_geometry::mass::{MassFault, check_inertia};
use carom_geometry::mesh::MeshFault;
use carom_geometry::planar::{Outline, PlanarShape};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{MassProperties, Shape, ShapeKind, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes::{block, flipped, joined, moved, prism, soup};

const DENSITY: f64 = 7800.0;

fn of_shape(shape: &Shape) -> MassProperties {
    MassProperties::of_shape(shape, DENSITY).unwrap()
}

fn of_mesh(mesh: &TriangleMesh) -> MassProperties {
    MassProperties::of_mesh(mesh, DENSITY).unwrap()
}

/// Relative to the mass and to the inertia; the centre in m.
fn assert_equal(found: &MassProperties, expected: &MassProperties, tolerance: f64) {
    assert!((found.mass / expected.mass - 1.0).abs() < tolerance, "{} for {}", found.mass, expected.mass);
    assert!((found.com - expected.com).amax() < tolerance, "{} for {}", found.com, expected.com);
    let off = (found.inertia - expected.inertia).amax();
    assert!(off < tolerance * expected.inertia.amax(), "{} for {}", found.inertia, expected.inertia);
}

/// Mass properties of a body of revolution by Simpson's rule over its slices: a disc of radius r at height
/// z has I_zz = π r⁴/2 and I_xx = π r⁴/4 + π r² z² per length and density.
fn by_slices(radius_at: impl Fn(f64) -> f64, pieces: &[(f64, f64)]) -> MassProperties {
    const N: usize = 2000;
    let (mut volume, mut axial, mut across) = (0.0, 0.0, 0.0);
    for &(from, to) in pieces {
        for i in 0..=N {
            let weight =
                if i == 0 || i == N { 1.0 } else { [2.0, 4.0][i % 2] } * (to - from) / (3 * N) as f64;
            let z = from + (to - from) * i as f64 / N as f64;
            let area = PI * radius_at(z).powi(2);
            volume += weight * area;
            axial += weight * area * area / TAU;
            across += weight * (area * area / (2.0 * TAU) + area * z * z);
        }
    }
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, axial)) * DENSITY;
    MassProperties { mass: DENSITY * volume, com: Vec3::zeros(), inertia }
}

#[test]
fn bodies_of_revolution_equal_the_sum_of_their_slices() {
    // Slices of these bodies are polynomials of degree four in z on each piece; Simpson's rule is exact to
    // degree three and misses the rest by 1/N⁴ = 6e-14, beside the rounding of 2000 terms.
    const TOLERANCE: f64 = 1e-12;
    let (r, h) = (0.3, 0.8);
    let ball = |z: f64| (r * r - z * z).max(0.0).sqrt();
    assert_equal(
        &of_shape(&Shape::Sphere { radius: r, hollow: false }),
        &by_slices(ball, &[(-r, r)]),
        TOLERANCE,
    );
    let can = Shape::Cylinder(Cylinder { radius: r, half_length: h, side: CylinderSide::Solid });
    assert_equal(&of_shape(&can), &by_slices(|_| r, &[(-h, h)]), TOLERANCE);
    let capsule = |z: f64| ball((z.abs() - h).max(0.0));
    let pieces = [(-h - r, -h), (-h, h), (h, h + r)];
    assert_equal(
        &of_shape(&Shape::Capsule { radius: r, half_length: h }),
        &by_slices(capsule, &pieces),
        TOLERANCE,
    );
}

#[test]
fn mesh_of_a_block_is_the_block_wherever_it_lies() {
    let mut rng = SplitMix64::new(71);
    for _ in 0..50 {
        let half = Vec3::new(rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0));
        let pose = rng.pose(3.0);
        let expected = of_shape(&Shape::Box { half }).transformed(&pose);
        let mesh = moved(&block(half), &pose);
        // Vertices are rounded at up to 5 m, 1e-15; the thinnest block is 0.2 m.
        assert_equal(&of_mesh(&mesh), &expected, 1e-13);
        assert_equal(&of_mesh(&soup(&mesh)), &expected, 1e-13);
        assert_equal(&of_shape(&Shape::Mesh(Arc::new(mesh))), &expected, 1e-13);
    }
}

#[test]
fn far_from_its_origin_a_mesh_keeps_its_digits() {
    let near = of_mesh(&block(Vec3::new(0.5, 0.25, 0.125)));
    let shift = Vec3::new(1024.0, -2048.0, 512.0);
    let far = of_mesh(&moved(&block(Vec3::new(0.5, 0.25, 0.125)), &Pose::from_translation(shift)));
    // All numbers are short binary fractions: not a digit may be lost.
    assert_eq!((far.mass, far.inertia, far.com), (near.mass, near.inertia, near.com + shift));
}

#[test]
fn prism_has_the_polygon_formulas() {
    let (r, h) = (0.4, 0.7);
    for sides in [3, 5, 64] {
        let step = TAU / f64::from(sides);
        let mass = DENSITY * 2.0 * h * 0.5 * f64::from(sides) * r * r * step.sin();
        let axial = mass * r * r / 6.0 * (2.0 + step.cos());
        let across = 0.5 * axial + mass * h * h / 3.0;
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, axial));
        // Up to 256 triangles of rounded corners.
        assert_equal(
            &of_mesh(&prism(r, h, sides)),
            &MassProperties { mass, com: Vec3::zeros(), inertia },
            1e-13,
        );
    }
}

#[test]
fn a_shell_turned_inwards_is_a_cavity() {
    let (outer, inner) = (block(Vec3::repeat(0.5)), block(Vec3::repeat(0.25)));
    let shift = Vec3::new(0.125, 0.0, -0.125);
    let hole = moved(&inner, &Pose::from_translation(shift));
    let solid = of_mesh(&hole);
    let minus = MassProperties { mass: -solid.mass, com: solid.com, inertia: -solid.inertia };
    let expected = MassProperties::combine(&[of_mesh(&outer), minus]);
    assert_equal(&of_mesh(&joined(&outer, &flipped(&hole))), &expected, 1e-14);
}

#[test]
fn every_solid_passes_the_inertia_check() {
    let mut rng = SplitMix64::new(72);
    for _ in 0..50 {
        let (r, h) = (rng.uniform(0.01, 1.0), rng.uniform(0.01, 1.0));
        let can = Cylinder { radius: r, half_length: h, side: CylinderSide::Solid };
        let half = Vec3::new(r, h, rng.uniform(0.001, 0.01));
        for shape in [
            Shape::Sphere { radius: r, hollow: false },
            Shape::Box { half },
            Shape::Cylinder(can),
            Shape::Capsule { radius: r, half_length: h },
        ] {
            let plain = of_shape(&shape);
            let moments = check_inertia(&plain.transformed(&rng.pose(1.0)).inertia).unwrap();
            let mut expected: Vec<f64> = plain.inertia.diagonal().iter().copied().collect();
            expected.sort_by(f64::total_cmp);
            // A rotated tensor is rounded at its largest entry, a few times.
            assert!((moments - Vec3::from_vec(expected)).amax() < 1e-14 * plain.inertia.amax());
        }
    }
}

#[test]
fn shapes_without_bounds_have_no_mass() {
    let hollow = CylinderSide::Hollow { closed: true };
    for shape in [
        Shape::HalfSpace,
        Shape::Sphere { radius: 1.0, hollow: true },
        Shape::Cylinder(Cylinder { radius: 1.0, half_length: 1.0, side: hollow }),
        Shape::Planar(PlanarShape { outline: Outline::Circle { radius: 0.0 }, thickness: 1.0 }),
    ] {
        let kind = shape.kind();
        assert_eq!(MassProperties::of_shape(&shape, DENSITY), Err(MassFault::Unbounded { kind }));
    }
    assert_eq!(ShapeKind::ALL.len(), 10, "a new kind needs a mass or a place above");
}

#[test]
fn meshes_without_an_inside_are_refused_with_numbers() {
    let cube = block(Vec3::repeat(0.5));
    let refusal = |mesh: &TriangleMesh| MassProperties::of_mesh(mesh, DENSITY).unwrap_err();

    let mut open = cube.clone();
    open.triangles.remove(0);
    // The first border edge runs from vertex 0 to vertex 2.
    assert_eq!(refusal(&open), MassFault::Open { boundary_edges: 3, at: Vec3::new(-0.5, 0.0, -0.5) });

    let mut twisted = cube.clone();
    twisted.triangles[0].swap(1, 2);
    assert_eq!(refusal(&twisted), MassFault::Misoriented { edges: 3, at: Vec3::new(-0.5, 0.0, -0.5) });

    assert_eq!(refusal(&flipped(&cube)), MassFault::InsideOut { volume: -1.0 });

    let card = TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert!(matches!(refusal(&card), MassFault::ZeroVolume { volume: 0.0, smallest } if smallest > 0.0));

    let mut broken = cube.clone();
    broken.triangles[3][1] = 8;
    let fault = MeshFault::IndexOutOfRange { triangle: 3, index: 8, vertices: 8 };
    assert_eq!(refusal(&broken), MassFault::Mesh(fault));
}

#[test]
fn a_thin_sheet_still_has_a_volume() {
    // 1 µm of steel sheet, 1 m²: 3.5e-7 of the diagonal cubed is far above zero.
    let sheet = of_mesh(&block(Vec3::new(0.5, 0.5, 0.5e-6)));
    assert!((sheet.mass / (DENSITY * 1e-6) - 1.0).abs() < 1e-12);
}

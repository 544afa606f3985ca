//! Supports, hulls and masses.

use carom_geometry::convex::{ConvexHull, ConvexShape, Core, HullFault};
use carom_geometry::{MassFault, MassProperties, Shape};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, random_shape};

#[test]
fn hulls_hold_their_points_and_have_them_as_vertices() {
    let mut rng = SplitMix64::new(51);
    for count in [4, 5, 8, 30, 300] {
        let points: Vec<Vec3> = (0..count).map(|_| rng.vector_in_cube(1.0)).collect();
        let hull = ConvexHull::of_points(&points).unwrap();
        for face in hull.faces() {
            let level = face.normal.dot(&hull.vertices()[face.corners[0] as usize]);
            assert!(points.iter().all(|p| face.normal.dot(p) <= level + 1e-12));
            assert!(face.corners.len() >= 3);
        }
        assert!(hull.vertices().iter().all(|v| points.contains(v)));
    }
}

#[test]
fn a_box_of_many_coplanar_points_has_six_faces_of_four_corners() {
    let mut points = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            for k in 0..5 {
                points.push(Vec3::new(f64::from(i), 0.5 * f64::from(j), 0.1 * f64::from(k)));
            }
        }
    }
    let hull = ConvexHull::of_points(&points).unwrap();
    assert_eq!(hull.faces().len(), 6);
    for face in hull.faces() {
        assert_eq!(face.corners.len(), 4, "{face:?}");
    }
    let solid = hull.mass_properties(3.0).unwrap();
    assert!((solid.mass - 3.0 * 4.0 * 2.0 * 0.4).abs() < 1e-13);
}

#[test]
fn turned_boxes_keep_their_faces_in_spite_of_rounding() {
    let mut rng = SplitMix64::new(52);
    for _ in 0..50 {
        let pose = rng.pose(1.0);
        let points: Vec<Vec3> = (0..8)
            .map(|k: u32| {
                let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                pose.transform_point(&Vec3::new(0.3 * sign(0), 0.2 * sign(1), 0.1 * sign(2)))
            })
            .collect();
        let hull = ConvexHull::of_points(&points).unwrap();
        assert_eq!(hull.vertices().len(), 8);
        assert_eq!(hull.faces().len(), 6);
        assert!(hull.faces().iter().all(|face| face.corners.len() == 4));
    }
}

#[test]
fn points_without_volume_have_no_hull() {
    let flat: Vec<Vec3> = (0..10).map(|k| Vec3::new(f64::from(k), f64::from(k * k), 0.0)).collect();
    assert!(matches!(ConvexHull::of_points(&flat), Err(HullFault::Flat { .. })));
    let line: Vec<Vec3> = (0..10).map(|k| f64::from(k) * Vec3::x()).collect();
    assert!(matches!(ConvexHull::of_points(&line), Err(HullFault::Flat { .. })));
    assert_eq!(ConvexHull::of_points(&flat[..3]).unwrap_err(), HullFault::TooFew { points: 3 });
    let mut broken = flat;
    broken[4].z = f64::NAN;
    assert!(matches!(ConvexHull::of_points(&broken), Err(HullFault::NotFinite { point: 4, .. })));
}

/// Value of the equation of a surface: below 1 inside, 1 on it.
fn level(core: &Core, p: &Vec3) -> f64 {
    let r = p.x.hypot(p.y);
    match *core {
        Core::Frustum { radius_low, radius_high, half_length } => {
            let share = 0.5 * (p.z / half_length + 1.0);
            let wall = radius_low + share * (radius_high - radius_low);
            (p.z.abs() / half_length).max(if wall > 1e-9 { r / wall } else { 1.0 + r })
        }
        Core::Beam { half_length, half_width, half_thickness } => {
            let beyond = (p.x.abs() - half_length).max(0.0);
            (p.z.abs() / half_thickness).max(beyond.hypot(p.y) / half_width)
        }
        Core::Ellipsoid { semi_axes } => p.component_div(&semi_axes).norm(),
        Core::Superellipsoid { semi_axes: s, exponents: [e1, e2] } => {
            let across = (p.x / s.x).abs().powf(2.0 / e2) + (p.y / s.y).abs().powf(2.0 / e2);
            (across.powf(e2 / e1) + (p.z / s.z).abs().powf(2.0 / e1)).powf(0.5 * e1)
        }
        _ => panic!("{core:?}"),
    }
}

#[test]
fn supports_lie_on_the_surface_and_no_point_of_it_lies_beyond() {
    let mut rng = SplitMix64::new(53);
    for name in CURVED.into_iter().filter(|name| *name != "capsule") {
        for _ in 0..20 {
            let shape = ConvexShape { radius: 0.0, ..random_shape(name, &mut rng) };
            for _ in 0..50 {
                let n = rng.unit_vector();
                let touch = shape.support(&n);
                assert!((level(&shape.core, &touch) - 1.0).abs() < 1e-7, "{shape:?} {touch}");
                for _ in 0..20 {
                    // Scaled onto the surface: all but the frustum's level are homogeneous.
                    let p = rng.vector_in_cube(2.0);
                    if level(&shape.core, &p) <= 1.0 {
                        assert!(n.dot(&p) <= n.dot(&touch) + 1e-12, "{shape:?}");
                    }
                }
            }
        }
    }
}

/// Mass properties by the middle rule on a grid over the bounding box.
fn by_grid(inside: &dyn Fn(&Vec3) -> bool, extent: &Vec3) -> MassProperties {
    let count = 120;
    let cell = 2.0 * extent / f64::from(count);
    let (mut mass, mut first, mut second) = (0.0, Vec3::zeros(), carom_math::Mat3::zeros());
    for index in 0..count * count * count {
        let at = Vec3::new(
            f64::from(index % count),
            f64::from(index / count % count),
            f64::from(index / count / count),
        );
        let p = (at.add_scalar(0.5)).component_mul(&cell) - extent;
        if inside(&p) {
            mass += 1.0;
            first += p;
            second += carom_math::Mat3::from_diagonal_element(p.norm_squared()) - p * p.transpose();
        }
    }
    let com = first / mass;
    let arm = carom_math::Mat3::from_diagonal_element(com.norm_squared()) - com * com.transpose();
    let volume = cell.product();
    MassProperties { mass: mass * volume, com, inertia: volume * (second - mass * arm) }
}

#[test]
fn masses_are_those_of_a_fine_grid() {
    let mut rng = SplitMix64::new(54);
    for name in ["cone", "frustum", "beam", "ellipsoid", "superellipsoid", "rounded box"] {
        let shape = random_shape(name, &mut rng);
        let inside = |p: &Vec3| match &shape.core {
            Core::Box { half } => (p.abs() - half).sup(&Vec3::zeros()).norm() <= shape.radius,
            core => level(core, p) <= 1.0,
        };
        // The box that fits: its cells end at flat faces.
        let extent = Vec3::from_fn(|i, _| {
            shape.support(&Vec3::ith(i, 1.0))[i].max(-shape.support(&Vec3::ith(i, -1.0))[i])
        });
        let (found, grid) = (shape.mass_properties(1.0).unwrap(), by_grid(&inside, &extent));
        // Cells of 1/60 of the size decide by their middle: errors average to some 10⁻³.
        assert!((found.mass - grid.mass).abs() < 5e-3 * grid.mass, "{name}: {found:?} {grid:?}");
        assert!((found.com - grid.com).norm() < 5e-3, "{name}");
        assert!(
            (found.inertia - grid.inertia).norm() < 5e-3 * grid.inertia.norm(),
            "{name}: {found:?} {grid:?}"
        );
    }
}

#[test]
fn masses_have_the_limits_of_simple_solids() {
    let of = |shape: &Shape| MassProperties::of_shape(shape, 700.0).unwrap();
    let close = |a: MassProperties, b: MassProperties| {
        assert!((a.mass - b.mass).abs() < 1e-12 * b.mass, "{a:?} {b:?}");
        assert!((a.inertia - b.inertia).norm() < 1e-12 * b.inertia.norm(), "{a:?} {b:?}");
    };
    let mass = |core: Core| ConvexShape::sharp(core).mass_properties(700.0).unwrap();
    let ball = of(&Shape::Sphere { radius: 0.3, hollow: false });
    close(mass(Core::Ellipsoid { semi_axes: Vec3::repeat(0.3) }), ball);
    close(mass(Core::Superellipsoid { semi_axes: Vec3::repeat(0.3), exponents: [1.0, 1.0] }), ball);
    let tiny = ConvexShape { core: Core::Box { half: Vec3::repeat(1e-18) }, radius: 0.3 };
    close(tiny.mass_properties(700.0).unwrap(), ball);
    let cylinder = carom_geometry::shape::Cylinder {
        radius: 0.3,
        half_length: 0.5,
        side: carom_geometry::shape::CylinderSide::Solid,
    };
    let frustum = Core::Frustum { radius_low: 0.3, radius_high: 0.3, half_length: 0.5 };
    close(mass(frustum.clone()), of(&Shape::Cylinder(cylinder)));
    close(
        mass(Core::Beam { half_length: 1e-18, half_width: 0.3, half_thickness: 0.5 }),
        of(&Shape::Cylinder(cylinder)),
    );
    let rounded = ConvexShape { core: frustum, radius: 0.1 };
    assert_eq!(rounded.mass_properties(700.0), Err(MassFault::Rounded { radius: 0.1 }));
}

//! Centres that coincide, flat solids, places far from the origin, grazing passages.

use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, POLYTOPES, Scene, random_scene, random_shape};

#[test]
fn coincident_centres_have_the_depth_of_the_thinnest_direction() {
    let mut rng = SplitMix64::new(41);
    for name in CURVED.iter().chain(&POLYTOPES) {
        let shape = random_shape(name, &mut rng);
        let pose = rng.pose(1.0);
        let scene = Scene { a: shape.clone(), b: shape, x_wa: pose, x_wb: pose };
        let contact = scene.contact();
        assert!((scene.separation(&contact.normal) - contact.gap).abs() < 1e-10, "{name}");
        for _ in 0..3000 {
            let n = rng.unit_vector();
            let other = scene.separation(&n);
            assert!(other <= contact.gap + 1e-10, "{name} {contact:?}, {other} at {n}");
        }
    }
}

/// Points of real meshes that differ by the rounding of their coordinates are one corner: the hull is that of the others.
#[test]
fn corners_that_are_one_but_for_rounding_have_a_hull() {
    let of = |points: &[[f64; 3]]| {
        let points: Vec<Vec3> = points.iter().map(|&p| p.into()).collect();
        ConvexHull::of_points(&points).unwrap()
    };
    let socket = [
        [-0.009848078, 0.001736482, 0.122],
        [-6.938894e-17, -0.024, 0.073],
        [-4.592426e-18, -0.025, 0.082],
        [3.469447e-18, -0.025, 0.082],
        [0.05, 0.0125, 0.123],
    ];
    let hull = of(&socket);
    let volume = |hull: &ConvexHull| hull.mass_properties(1.0).unwrap().mass;
    let exact = volume(&of(&[socket[0], socket[1], socket[2], socket[4]]));
    assert_eq!(hull.vertices().len(), 4);
    assert!((volume(&hull) / exact - 1.0).abs() < 1e-12);
}

#[test]
fn flat_plates_keep_their_digits() {
    let mut rng = SplitMix64::new(42);
    let plates = [
        Core::Box { half: Vec3::new(1.0, 1.0, 1e-3) },
        Core::Frustum { radius_low: 1.0, radius_high: 1.0, half_length: 1e-3 },
        Core::Ellipsoid { semi_axes: Vec3::new(1.0, 1.0, 1e-3) },
        Core::Beam { half_length: 1.0, half_width: 0.3, half_thickness: 1e-3 },
    ];
    for a in &plates {
        for b in &plates {
            for round in 0..30 {
                let scene = Scene {
                    a: ConvexShape::sharp(a.clone()),
                    b: ConvexShape::sharp(b.clone()),
                    x_wa: rng.pose(0.5),
                    x_wb: rng.pose(0.5),
                };
                let gap = if round % 2 == 0 { rng.uniform(0.0, 0.1) } else { -rng.uniform(0.0, 1e-3) };
                let scene = scene.at_gap(gap);
                let contact = scene.contact();
                let separation = scene.separation(&contact.normal);
                assert!((separation - contact.gap).abs() < 1e-10, "{:e} {scene:?}", separation - contact.gap);
            }
        }
    }
}

#[test]
fn far_from_the_origin_nothing_changes() {
    let mut rng = SplitMix64::new(43);
    for name in CURVED.iter().chain(&POLYTOPES) {
        for _ in 0..10 {
            let gap = rng.uniform(-0.02, 0.02);
            let scene = random_scene(name, "box", &mut rng).at_gap(gap);
            let far = Vec3::new(1024.0, -2048.0, 512.0);
            let mut moved = scene.clone();
            // Positions that the shift does not round.
            let round = |v: Vec3| v.map(|x| (x * 1048576.0).round() / 1048576.0);
            let mut near = scene;
            near.x_wa.translation = round(near.x_wa.translation);
            near.x_wb.translation = round(near.x_wb.translation);
            moved.x_wa.translation = near.x_wa.translation + far;
            moved.x_wb.translation = near.x_wb.translation + far;
            assert_eq!(moved.contact().gap, near.contact().gap);
        }
    }
}

#[test]
fn cylinders_stand_lie_and_lean_on_each_other() {
    let cylinder =
        |r: f64, h: f64| ConvexShape::sharp(Core::Frustum { radius_low: r, radius_high: r, half_length: h });
    let about_x = |angle: f64| Quaternion::from_axis_angle(&Vec3::x(), angle).to_matrix();
    let scene = |rotation: Mat3, translation: Vec3| Scene {
        a: cylinder(0.5, 1.0),
        b: cylinder(0.3, 0.8),
        x_wa: Pose::identity(),
        x_wb: Pose { rotation, translation },
    };
    let right = std::f64::consts::FRAC_PI_2;
    for gap in [0.1, 1e-9, 0.0, -1e-9, -0.05] {
        // Cap on cap, centred and not; side by side; crossed; cap of one on the side of the other.
        for (name, rotation, translation) in [
            ("centred", Mat3::identity(), Vec3::new(0.0, 0.0, 1.8 + gap)),
            ("aside", Mat3::identity(), Vec3::new(0.6, 0.1, 1.8 + gap)),
            ("parallel", Mat3::identity(), Vec3::new(0.0, 0.8 + gap, 0.3)),
            ("crossed", about_x(right), Vec3::new(0.8 + gap, 0.2, 0.1)),
            ("cap on side", about_x(right), Vec3::new(0.1, 1.3 + gap, 0.2)),
        ] {
            let found = scene(rotation, translation).contact();
            assert!((found.gap - gap).abs() < 1e-12, "{name} {gap}: {found:?}");
        }
    }
}

#[test]
fn capsules_cross_through_each_other() {
    let capsule = || ConvexShape { core: Core::Segment { half_length: 1.0 }, radius: 0.1 };
    let right = Quaternion::from_axis_angle(&Vec3::x(), 1.2).to_matrix();
    for x in [0.5, 1e-8, 1e-16, 0.0, -1e-16, -1e-8] {
        let scene = Scene {
            a: capsule(),
            b: capsule(),
            x_wa: Pose::identity(),
            x_wb: Pose { rotation: right, translation: Vec3::new(x, 0.0, 0.0) },
        };
        let found = scene.contact();
        assert!((found.gap - (f64::abs(x) - 0.2)).abs() < 1e-14, "{x}: {found:?}");
        assert!((found.normal.x.abs() - 1.0).abs() < 1e-7, "{x}: {found:?}");
    }
}

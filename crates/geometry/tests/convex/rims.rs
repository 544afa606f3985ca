//! Points of round ends over a half-space, against the search for convex solids and differences.

use std::f64::consts::{FRAC_PI_2, TAU};

use carom_geometry::convex::{ConvexShape, Core, Lie, Rims, find_half_space_contact};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{moved_on, random_motion};

/// A cylinder, frustum or cone, sharp or rounded.
fn any_solid(rng: &mut SplitMix64) -> ConvexShape {
    let [radius_low, half_length] = [rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)];
    let radius_high = [radius_low, rng.uniform(0.05, 1.0), 0.0][rng.index(3)];
    let radius = [0.0, rng.uniform(0.01, 0.2)][rng.index(2)];
    ConvexShape { core: Core::Frustum { radius_low, radius_high, half_length }, radius }
}

fn any_pose(rng: &mut SplitMix64) -> Pose {
    let turn = Quaternion::from_rotation_vector(&(2.0 * rng.vector_in_cube(1.0)));
    Pose { rotation: turn.to_matrix(), translation: rng.vector_in_cube(1.0) }
}

fn apart() -> Lie {
    Lie::apart()
}

/// The least gap of the points of ends that are apart is that of the solid, at its point.
#[test]
fn the_lowest_point_is_that_of_the_solid() {
    let mut rng = SplitMix64::new(7);
    for round in 0..2000 {
        let (solid, x_wa, x_wb) = (any_solid(&mut rng), any_pose(&mut rng), any_pose(&mut rng));
        let rims = Rims::of(&solid).unwrap();
        let all = (0..rims.count()).map(|k| rims.contact(k, &x_wa, &x_wb, (apart(), false)));
        let found = all.min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
        let wanted = find_half_space_contact(&solid, &x_wa, &x_wb);
        assert!((found.gap - wanted.gap).abs() < 1e-14, "{round}: {} for {}", found.gap, wanted.gap);
        assert!((found.point_a - wanted.point_a).norm() < 1e-12, "{round}: {solid:?}");
        assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-14);
    }
    let ball = ConvexShape { core: Core::Point, radius: 1.0 };
    assert_eq!(Rims::of(&ball), None);
}

/// Rates of held points against differences, of ends that roll, past flat too, and of flat ones.
#[test]
fn rates_of_rims_are_those_of_their_points() {
    let mut rng = SplitMix64::new(9);
    for round in 0..2000 {
        let (solid, x_wa, x_wb) = (any_solid(&mut rng), any_pose(&mut rng), any_pose(&mut rng));
        let rims = Rims::of(&solid).unwrap();
        let index = rng.index(rims.count());
        let (_, point) = rims.place(index);
        let angle = rng.uniform(0.0, TAU);
        let lie = match round % 2 {
            0 => rims.landed(index, &x_wa, &x_wb, &Vec3::zeros()),
            _ => Lie::Flat { angle },
        };
        let motions = [&x_wa, &x_wb].map(|x| random_motion(x, &mut rng));
        let at = |t: f64| {
            let poses = [moved_on(&x_wa, &motions[0], t), moved_on(&x_wb, &motions[1], t)];
            let found = rims.contact(index, &poses[0], &poses[1], (lie, true));
            (found.position(), found.normal)
        };
        let rates = rims.rates(index, lie, [&x_wa, &x_wb], [&motions[0], &motions[1]]);
        let h = 1e-5;
        let (ahead, behind) = (at(h), at(-h));
        let [position, normal] = [ahead.0 - behind.0, ahead.1 - behind.1].map(|change| change / (2.0 * h));
        // Ends that are all but flat run around fast.
        let scale = 1.0 + rates.position.norm();
        if scale > 20.0 {
            continue;
        }
        assert!(
            (position - rates.position).norm() < 1e-6 * scale * scale,
            "{round} point {point}: {position} {rates:?}"
        );
        assert!((normal - rates.normal).norm() < 1e-8, "{round}: {normal} {rates:?}");
    }
}

/// A rim that is held goes on through flat: its height falls below that of the others at the rate that it had.
#[test]
fn a_held_rim_goes_on_through_flat() {
    let solid = ConvexShape {
        core: Core::Frustum { radius_low: 1.0, radius_high: 1.0, half_length: 2.0 },
        radius: 0.0,
    };
    let rims = Rims::of(&solid).unwrap();
    let at = |tilt: f64| Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::x(), tilt).to_matrix(),
        translation: 2.0 * Vec3::z(),
    };
    let ground = Pose::identity();
    let lie = rims.landed(0, &at(1e-3), &ground, &Vec3::zeros());
    let heights = |tilt: f64| rims.contact(0, &at(tilt), &ground, (lie, true)).gap;
    for tilt in [1e-3, 1e-6, -1e-6, -1e-3_f64] {
        let wanted = 2.0 - 2.0 * tilt.cos() - tilt.sin();
        assert!((heights(tilt) - wanted).abs() < 1e-15, "{tilt}: {} for {wanted}", heights(tilt));
    }
    let spin = -Vec3::x();
    assert!(rims.room(0, &at(1e-3), &ground, (lie, &spin)) > 0.0);
    assert!(rims.room(0, &at(-1e-3), &ground, (lie, &spin)) < 0.0);
    // On the way down it is the point opposite that comes down fastest.
    let flat = rims.goes_on(0, &at(1e-9), &ground, (lie, &spin));
    let Lie::Flat { angle } = flat else { panic!("{flat:?}") };
    assert!((angle.rem_euclid(TAU) - 3.0 * FRAC_PI_2).abs() < 1e-9, "{angle}");
    assert!(rims.has_swung(&at(1e-3), &ground, (lie, &spin)));
}

/// How an end lies fits into a number, to 1e-8 rad; points of a flat one turn to where its forces act.
#[test]
fn lies_are_kept_and_turned() {
    assert_eq!(apart(), Lie::Rolls { low: 0, angle: 0.0 });
    for angle in [0.0, 0.3, 3.0, 6.283_185_2] {
        for low in 0..4 {
            let Lie::Rolls { low: found, angle: kept } = Lie::from_codes(Lie::Rolls { low, angle }.codes())
            else {
                panic!()
            };
            assert!(found == low && (kept - angle).abs() < 1e-8, "{low} {angle}: {found} {kept}");
        }
        let Lie::Flat { angle: kept } = Lie::from_codes(Lie::Flat { angle }.codes()) else { panic!() };
        assert!((kept - angle).abs() < 2e-9, "{angle}: {kept}");
    }
    let flat = Lie::Flat { angle: 0.2 };
    assert_eq!(Rims::aligned(flat, [1.0, 0.0, 0.0, 0.0]), None);
    assert_eq!(Rims::aligned(flat, [1.0; 4]), None);
    assert_eq!(Rims::aligned(apart(), [1.0, 1.0, 0.0, 0.0]), None);
    // Between the first two, nearer to the second: that one turns back by atan(1/2).
    let Some((Lie::Flat { angle }, turn)) = Rims::aligned(flat, [1.0, 2.0, 0.0, 0.0]) else { panic!() };
    assert!((angle - (0.2 - 0.5_f64.atan())).abs() < 1e-12, "{angle}");
    assert!((turn + 0.5_f64.atan()).abs() < 1e-12, "{turn}");
}

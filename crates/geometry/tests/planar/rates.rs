//! Rates of contacts against differences of where they are.

use std::f64::consts::TAU;

use carom_geometry::planar::{contact, count_features, on_held_piece, rates};
use carom_geometry::{RigidMotion, Shape};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{circle, random_pose, shape, star};

/// Any motion in the plane, about a point that is not the origin of the pose.
fn random_motion(rng: &mut SplitMix64) -> RigidMotion {
    let mut in_plane = || Vec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0);
    let (origin, velocity) = (in_plane(), in_plane());
    RigidMotion { origin, velocity, spin: Vec3::z() * rng.uniform(-1.0, 1.0) }
}

fn moved_on(x: &Pose, motion: &RigidMotion, time: f64) -> Pose {
    let turn = Quaternion::from_rotation_vector(&(motion.spin * time)).to_matrix();
    let arm = x.translation - motion.origin;
    Pose { rotation: turn * x.rotation, translation: motion.origin + motion.velocity * time + turn * arm }
}

/// A half-space whose normal is in the plane.
fn upright(rng: &mut SplitMix64) -> Pose {
    let pose = random_pose(rng, 2.0);
    Pose { rotation: pose.rotation * Quaternion::from_axis_angle(&Vec3::y(), 0.25 * TAU).to_matrix(), ..pose }
}

/// Vertices and circles on edges, circles about corners, circles and vertices over half-spaces, and circles on circles, in either order, at any
/// places along the normal of the plane. Rates of what is about a point grow with the inverse of its distance: where the normal turns by more
/// than 10 rad/s, as differences have it, they are left out.
#[test]
fn rates_are_those_of_the_contacts() {
    let mut rng = SplitMix64::new(11);
    let mut seen = [0; 5];
    for round in 0..4000 {
        let kind = round % 5;
        let mut half_space = None;
        let [a, b] = match kind {
            0 => [shape(star(&mut rng, 5)), shape(star(&mut rng, 7))],
            1 => [circle(rng.uniform(0.0, 0.5)), shape(star(&mut rng, 6))],
            2 => [circle(rng.uniform(0.1, 0.5)), circle(rng.uniform(0.1, 0.5))],
            _ => {
                half_space = Some(upright(&mut rng));
                let own = if kind == 3 { shape(star(&mut rng, 5)) } else { circle(0.4) };
                [own, Shape::HalfSpace]
            }
        };
        let mut anywhere = || {
            let mut pose = random_pose(&mut rng, 2.0);
            pose.translation.z = rng.uniform(-1.0, 1.0);
            pose
        };
        let mut solids = [(a, anywhere()), (b, half_space.unwrap_or_else(anywhere))];
        if rng.index(2) == 1 {
            solids.reverse();
        }
        let [(a, x_wa), (b, x_wb)] = &solids;
        let feature = rng.index(count_features(a, b));
        let piece = match kind {
            0 => rng.index(5),
            1 => rng.index(2),
            _ => 0,
        };
        let motions = [random_motion(&mut rng), random_motion(&mut rng)];
        let at = |time: f64| {
            let [x_wa, x_wb] = [moved_on(x_wa, &motions[0], time), moved_on(x_wb, &motions[1], time)];
            let held = on_held_piece((a, &x_wa), (b, &x_wb), feature, piece);
            let found = held.or_else(|| contact(a, &x_wa, b, &x_wb, feature)).unwrap();
            (0.5 * (found.point_a + found.point_b), found.normal)
        };
        let found = rates((a, x_wa), (b, x_wb), (feature, piece), [&motions[0], &motions[1]]).unwrap();
        let h = 1e-5;
        let (ahead, behind) = (at(h), at(-h));
        let [position, normal] = [ahead.0 - behind.0, ahead.1 - behind.1].map(|change| change / (2.0 * h));
        if normal.norm() > 10.0 {
            continue;
        }
        seen[kind] += 1;
        // Third derivatives are up to some 10³.
        let tolerance = 1e3 * h * h;
        assert!((position - found.position).norm() < tolerance, "{round}: {position} {found:?}");
        assert!((normal - found.normal).norm() < tolerance, "{round}: {normal} {found:?}");
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

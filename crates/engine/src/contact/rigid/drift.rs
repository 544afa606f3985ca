//! What is left of a contact's relative acceleration when both bodies have none: w̄.

use carom_geometry::{ContactRates, RigidMotion};
use carom_math::{Pose, Quaternion, Vec3};

use crate::contact::Evaluator;
use crate::contact::PointMotion;
use crate::contact::finder::find_point;
use crate::contact::placed::Placed;
use crate::contact::planar::planar_rates;
use crate::contact::rims::{is_end_of_b, is_of_end, rim_rates};
use crate::mechanics::kinematics::BodyKinematics;
use crate::record::ContactMode;
use crate::system::PairSource;

/// Share of a radian, or of the smallest shape, that bodies move between the looks that derivatives are taken from: the formula's
/// own error goes with its fourth power, that of rounding with its inverse.
const STRIDE: f64 = 1e-3;

/// Rates of the relative velocity and of the normal at a contact, as both bodies move on uniformly: ẇ q̇ without accelerations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drift {
    /// Of v_B(p) − v_A(p), with p the contact point as it moves (m/s²).
    pub(super) relative: Vec3,
    /// Of the normal (1/s).
    pub(super) normal: Vec3,
}

/// In closed form for closed contacts of polyhedra, of outlines and of round ends; of all other finders by their looks.
pub(super) fn drift_of(evaluator: &Evaluator<'_>, contact: usize, motion: &PointMotion) -> Drift {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let bodies = pair.bodies.map(|body| {
        let body = &evaluator.workspace.bodies[body];
        RigidMotion { origin: body.pose.translation, velocity: body.velocity, spin: body.angular_velocity }
    });
    let is_closed = evaluator.contacts.memory[contact].mode != ContactMode::Open;
    match is_closed.then(|| find_rates(evaluator, contact, &bodies)).flatten() {
        Some((rates, swapped)) => {
            // v_B(p) − v_A(p) changes by ω × (ṗ − v) of both.
            let [of_a, of_b] = bodies.map(|body| body.spin.cross(&(rates.position - body.velocity)));
            let sign = if swapped { -1.0 } else { 1.0 };
            Drift { relative: of_b - of_a, normal: sign * rates.normal }
        }
        None => drift_by_looks(evaluator, contact, motion),
    }
}

/// How the contact point and its normal move, where the finder knows, and whether it takes the model's B for its A.
fn find_rates(
    evaluator: &Evaluator<'_>,
    contact: usize,
    [a, b]: &[RigidMotion; 2],
) -> Option<(ContactRates, bool)> {
    let data = &evaluator.table.contacts[contact];
    let motions = |swapped: bool| if swapped { [b, a] } else { [a, b] };
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Facets(pair) => {
            let piece = evaluator.contacts.memory[contact].face as usize;
            let poses = pair.surfaces.map(|s| &evaluator.surfaces[s]);
            let rates = pair.facets.rates(data.feature, piece, poses, motions(pair.swapped));
            Some((rates, pair.swapped))
        }
        PairSource::Planar(pair) => {
            planar_rates(evaluator, pair, contact, motions(false)).map(|rates| (rates, false))
        }
        PairSource::Rims(_) | PairSource::Convex(_) if is_of_end(evaluator, contact) => {
            let swapped = is_end_of_b(evaluator, contact);
            Some((rim_rates(evaluator, contact, motions(swapped)), swapped))
        }
        _ => None,
    }
}

/// The fourth-order difference of looks at ±h and ±2h serves every finder: how its point moves over both surfaces is in it.
fn drift_by_looks(evaluator: &Evaluator<'_>, contact: usize, motion: &PointMotion) -> Drift {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let bodies = pair.bodies.map(|body| evaluator.workspace.bodies[body]);
    let relative = motion.sliding - motion.normal * motion.approach;
    let length = evaluator.system.scales.length;
    let rate =
        bodies.iter().map(|body| body.angular_velocity.norm()).fold(relative.norm() / length, f64::max);
    if rate == 0.0 {
        return Drift::default();
    }
    let h = STRIDE / rate;
    let look = |time: f64| {
        let seen = point_after(evaluator, contact, &bodies, time);
        (seen.sliding - seen.normal * seen.approach, seen.normal)
    };
    let [near, far] = [h, 2.0 * h].map(|h| {
        let (ahead, behind) = (look(h), look(-h));
        (ahead.0 - behind.0, ahead.1 - behind.1)
    });
    let slope = |near: Vec3, far: Vec3| (near * 8.0 - far) / (12.0 * h);
    Drift { relative: slope(near.0, far.0), normal: slope(near.1, far.1) }
}

/// The contact point after bodies have moved on for a time with the velocities that they have.
fn point_after(
    evaluator: &Evaluator<'_>,
    contact: usize,
    bodies: &[BodyKinematics; 2],
    time: f64,
) -> PointMotion {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let Some((surfaces, swapped)) = pair.source.surfaces() else { return PointMotion::NEVER };
    let moved = bodies.each_ref().map(|body| moved_on(body, time));
    let owners = if swapped { [1, 0] } else { [0, 1] };
    let poses = [0, 1].map(|k| moved[owners[k]].pose.compose(&evaluator.system.surfaces[surfaces[k]].pose));
    find_point(evaluator, contact, &Placed { poses: [&poses[0], &poses[1]], bodies: [&moved[0], &moved[1]] })
}

fn moved_on(body: &BodyKinematics, time: f64) -> BodyKinematics {
    let turn = Quaternion::from_rotation_vector(&(body.angular_velocity * time)).to_matrix();
    let pose = Pose {
        rotation: turn * body.pose.rotation,
        translation: body.pose.translation + body.velocity * time,
    };
    BodyKinematics { pose, ..*body }
}

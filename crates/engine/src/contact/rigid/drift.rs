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
/// Least jump of a rate that is a kink, over what velocities and normals change by at that rate, and how much smaller second differences beside it are.
const KINK: f64 = 0.03;
const SMOOTH: f64 = 0.5;
/// Of second differences.
const ROUNDING: f64 = 1e-14;

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
        None => drift_by_looks(evaluator, contact, motion, is_closed),
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

/// The fourth-order difference of looks at ±h and ±2h serves every finder: how its point moves over both surfaces is in it. Where the point comes
/// from one face or edge to the next within these looks, as where a ball rolls over the border of a table, rates jump: there those of the side
/// on which it is.
fn drift_by_looks(evaluator: &Evaluator<'_>, contact: usize, motion: &PointMotion, is_closed: bool) -> Drift {
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
    let look = |strides: f64| {
        let seen = point_after(evaluator, contact, &bodies, strides * h);
        Look { relative: seen.sliding - seen.normal * seen.approach, normal: seen.normal }
    };
    let looks = [-2.0, -1.0, 1.0, 2.0].map(look);
    let here = Look { relative, normal: motion.normal };
    // What is open parts by what comes, or two answers take turns where the side changes.
    let side =
        side_of_kink(&looks, &here, rate * length).map(|side| if is_closed { side } else { Side::Ahead });
    let slope = match side {
        None => Look::combined([(&looks[0], 1.0), (&looks[1], -8.0), (&looks[2], 8.0), (&looks[3], -1.0)])
            .times(1.0 / 12.0),
        Some(Side::Behind) => Look::combined([(&looks[0], 0.5), (&looks[1], -2.0), (&here, 1.5)]),
        Some(Side::Ahead) => Look::combined([(&here, -1.5), (&looks[2], 2.0), (&looks[3], -0.5)]),
    };
    let Look { relative, normal } = slope.times(1.0 / h);
    Drift { relative, normal }
}

/// What is seen of a contact point at a look.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    /// v_B − v_A there (m/s).
    relative: Vec3,
    normal: Vec3,
}

impl Look {
    fn combined<const N: usize>(terms: [(&Self, f64); N]) -> Self {
        terms.into_iter().fold(Self::default(), |sum, (look, factor)| Self {
            relative: sum.relative + look.relative * factor,
            normal: sum.normal + look.normal * factor,
        })
    }

    fn times(self, factor: f64) -> Self {
        Self { relative: self.relative * factor, normal: self.normal * factor }
    }

    /// The larger of both changes, those of velocities over this speed.
    fn size(&self, speed: f64) -> f64 {
        (self.relative.norm() / speed).max(self.normal.norm())
    }
}

/// Before now or after it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Behind,
    Ahead,
}

/// The side of a kink on which the present is, if there is a kink among looks at ∓2h, ∓h and now: second differences of a smooth function are all
/// alike and go with h²; a kink leaves one of h, and next to none of the looks on the other side of it. At the kink what comes counts.
fn side_of_kink([before, behind, ahead, after]: &[Look; 4], here: &Look, speed: f64) -> Option<Side> {
    let bend = |a: &Look, b: &Look, c: &Look| Look::combined([(a, 1.0), (b, -2.0), (c, 1.0)]).size(speed);
    let (past, across, future) =
        (bend(before, behind, here), bend(behind, here, ahead), bend(here, ahead, after));
    let (least, most) = (past.min(future), past.max(future).max(across));
    if most <= KINK * STRIDE || least > SMOOTH * most {
        return None;
    }
    Some(if past + ROUNDING < future { Side::Behind } else { Side::Ahead })
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

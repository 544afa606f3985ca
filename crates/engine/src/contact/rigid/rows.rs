//! Contact points as rows: γ = W v and γ̇ = W v̇ + w̄ along the normal and two tangents, on both bodies.

use std::ops::{Deref, DerefMut};

use carom_math::{Vec3, Wrench};

use super::drift::drift_of;
use super::hold::{Hold, plane_of};
use super::single::{Given, arm_of, write_single};
use crate::contact::{Evaluator, PointMotion};
use crate::mechanics::constraint::Rows;
use crate::mechanics::workspace::{Direction, Response};

/// A contact point as three rows. Multipliers are forces on B: λ_N ≥ 0 pushes apart.
#[derive(Clone, Debug)]
pub(crate) struct RigidPoint {
    pub(crate) contact: usize,
    pub(crate) motion: PointMotion,
    /// Normal from A to B and two tangents, a right-handed frame (world axes).
    pub(crate) axes: [Vec3; 3],
    /// W: the axis as a force on B at the point, and its opposite on A.
    pub(crate) directions: [Direction; 3],
    /// M⁻¹ Wᵀ, with the constraints that hold.
    pub(crate) responses: [Response; 3],
    /// γ: speeds of separation and of slip of B against A (m/s).
    pub(crate) speeds: [f64; 3],
    /// w̄ (m/s²); zero until it is asked for.
    pub(crate) bias: [f64; 3],
    /// Length (m) that the coordinate of a stop has for an angle, 1 for all else (`single::arm_of`).
    pub(crate) arm: f64,
    /// How many tangents it has: none of a stop or cable, one in a plane. The others' rows hold nothing.
    pub(crate) tangents: usize,
    /// Of a stop or cable.
    single: Option<Given>,
    rows: Rows,
}

/// Some points. What they own is kept where they become fewer.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidPoints {
    all: Vec<RigidPoint>,
    count: usize,
}

impl RigidPoints {
    pub(crate) fn resize(&mut self, count: usize) {
        self.count = count;
        self.all.resize_with(count.max(self.all.len()), RigidPoint::default);
    }
}

impl Deref for RigidPoints {
    type Target = [RigidPoint];
    fn deref(&self) -> &[RigidPoint] {
        &self.all[..self.count]
    }
}

impl DerefMut for RigidPoints {
    fn deref_mut(&mut self) -> &mut [RigidPoint] {
        &mut self.all[..self.count]
    }
}

impl Default for RigidPoint {
    fn default() -> Self {
        Self {
            contact: 0,
            motion: PointMotion::NEVER,
            axes: [Vec3::zeros(); 3],
            directions: Default::default(),
            responses: Default::default(),
            speeds: [0.0; 3],
            bias: [0.0; 3],
            arm: 1.0,
            tangents: 2,
            single: None,
            rows: Rows::default(),
        }
    }
}

impl RigidPoint {
    /// Speed at which a reel pays out (m/s).
    pub(crate) fn reel(&self) -> f64 {
        self.single.map_or(0.0, |given| given.reel)
    }

    /// How many of its rows are held where it sticks.
    pub(crate) fn count_held(&self, sticks: bool) -> usize {
        1 + if sticks { self.tangents } else { 0 }
    }

    /// Takes a contact where the evaluator is.
    pub(crate) fn take(
        &mut self,
        evaluator: &Evaluator<'_>,
        contact: usize,
        motion: &PointMotion,
        hold: &Hold,
    ) {
        let plane = plane_of(evaluator, contact);
        let [first, second] = hold.tangents(&motion.normal, plane);
        self.contact = contact;
        self.motion = *motion;
        self.axes = [motion.normal, first, second];
        self.arm = arm_of(evaluator, contact);
        self.speeds = [-motion.approach * self.arm, motion.sliding.dot(&first), motion.sliding.dot(&second)];
        self.bias = [0.0; 3];
        self.directions.iter_mut().for_each(Direction::clear);
        self.single = write_single(evaluator, contact, &mut self.rows, &mut self.directions[0]);
        if self.single.is_some() {
            self.tangents = 0;
            return;
        }
        self.tangents = if plane.is_some() { 1 } else { 2 };
        if plane.is_some() {
            self.speeds[2] = 0.0;
        }
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        for (axis, direction) in self.axes.iter().zip(&mut self.directions).take(1 + self.tangents) {
            for (body, sign) in [(pair.bodies[0], -1.0), (pair.bodies[1], 1.0)] {
                let Some(link) = evaluator.system.mechanics.bodies[body].link else { continue };
                let arm = motion.position - evaluator.workspace.bodies[body].pose.translation;
                direction.wrenches.push((link, Wrench::of_force(axis * sign, &arm)));
            }
        }
    }

    /// Writes w̄ = e · d(v_B − v_A)/dt + ė · (v_B − v_A). Tangents turn with the normal, and where a contact sticks nothing slips.
    pub(crate) fn update_bias(&mut self, evaluator: &Evaluator<'_>) {
        if let Some(given) = self.single {
            self.bias = [given.bias, 0.0, 0.0];
            return;
        }
        let drift = drift_of(evaluator, self.contact, &self.motion);
        let along = |tangent: usize| {
            if tangent <= self.tangents { self.axes[tangent].dot(&drift.relative) } else { 0.0 }
        };
        let relative = self.motion.sliding - self.motion.normal * self.motion.approach;
        let normal = self.axes[0].dot(&drift.relative) + drift.normal.dot(&relative);
        self.bias = [normal, along(1), along(2)];
    }
}

//! How the force at a point changes with its motion.

use carom_math::Vec3;

use crate::contact::{ContactMemory, PointMotion};
use crate::record::ContactMode;
use crate::system::{ContactData, PairData};

/// Small change of the motion of a contact point.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionChange {
    pub(super) gap: f64,
    pub(super) normal: Vec3,
    pub(super) position: Vec3,
    approach: f64,
    sliding: Vec3,
    /// Of the angular velocity of B against A.
    pub(super) spin: Vec3,
}

impl MotionChange {
    /// From a displacement of B against A, which is `at_point` there, and what it does to normal and position of the
    /// point; the field of relative velocities stays, with its angular velocity `spin`. The gap needs neither of them, by
    /// the envelope theorem.
    pub(super) fn of_displacement(
        motion: &PointMotion,
        at_point: &Vec3,
        (normal, position): (&Vec3, &Vec3),
        spin: &Vec3,
    ) -> Self {
        let gap = motion.normal.dot(at_point);
        Self { gap, ..Self::of_both(motion, (normal, position), &spin.cross(position), Vec3::zeros()) }
    }

    /// From a change of the relative velocity: at the point, and of its angular part.
    pub(super) fn of_velocity(motion: &PointMotion, velocity: &Vec3, spin: Vec3) -> Self {
        Self::of_both(motion, (&Vec3::zeros(), &Vec3::zeros()), velocity, spin)
    }

    /// The product rule on δ̇ = −n·v and v_t = v − n (n·v).
    fn of_both(
        motion: &PointMotion,
        (normal, position): (&Vec3, &Vec3),
        velocity: &Vec3,
        spin: Vec3,
    ) -> Self {
        let separation = -motion.approach;
        let relative = motion.sliding + motion.normal * separation;
        let d_separation = normal.dot(&relative) + motion.normal.dot(velocity);
        Self {
            gap: 0.0,
            normal: *normal,
            position: *position,
            approach: -d_separation,
            sliding: velocity - normal * separation - motion.normal * d_separation,
            spin,
        }
    }
}

/// Force at a point, on B, and its change.
pub(super) struct ForceChange {
    pub(super) total: Vec3,
    pub(super) change: Vec3,
    pub(super) normal_change: f64,
}

/// Change of the law's force F = N n − (μ(v)/v N + μ_v) v_t at a point that carries a share of the stiffness: with
/// φ = μ(v) the friction's slope by v_t is −N (φ/v (1 − v̂v̂ᵀ) + φ' v̂v̂ᵀ), here as φ/v and its derivative.
pub(super) fn force_change(
    data: &ContactData,
    pair: &PairData,
    memory: &ContactMemory,
    (motion, share): (&PointMotion, f64),
    (change, d_share): (&MotionChange, f64),
) -> ForceChange {
    let penetration = -motion.gap;
    let damping = memory.frozen_damping;
    let acts = match memory.mode {
        ContactMode::Closed | ContactMode::Open => true,
        ContactMode::Released => false,
        ContactMode::Latched => {
            penetration > 0.0 && data.law.force(penetration, motion.approach, damping).total > 0.0
        }
    };
    if !acts {
        return ForceChange { total: Vec3::zeros(), change: Vec3::zeros(), normal_change: 0.0 };
    }
    let law = data.law.force(penetration, motion.approach, damping).total;
    let [by_depth, by_speed] = data.law.slopes(penetration, motion.approach, damping);
    let normal = share * law;
    let d_normal = share * (by_speed * change.approach - by_depth * change.gap) + d_share * law;
    let mut total = motion.normal * normal;
    let mut d_total = motion.normal * d_normal + change.normal * normal;
    if normal > 0.0 {
        let speed = motion.sliding.norm();
        let (ratio, slope) = (pair.friction.ratio(speed), pair.friction.slope(speed));
        let d_speed = if speed > 0.0 { motion.sliding.dot(&change.sliding) / speed } else { 0.0 };
        let resistance = normal * ratio + pair.mu_visc;
        total -= motion.sliding * resistance;
        d_total -=
            change.sliding * resistance + motion.sliding * (d_normal * ratio + normal * slope * d_speed);
    }
    ForceChange { total, change: d_total, normal_change: d_normal }
}

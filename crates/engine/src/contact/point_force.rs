//! Forces of contacts: at one point, and summed over the points of a manifold.

use carom_math::Vec3;

use super::branch::Branch;
use super::convex::ManifoldMotion;
use super::{ContactMemory, PointMotion};
use crate::record::ContactMode;
use crate::system::{ContactData, PairData};

/// Force of an active contact, on B, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactForce {
    pub(crate) point: PointMotion,
    /// Normal force (N).
    pub(crate) normal: f64,
    /// Largest pressure of areal contact (Pa).
    pub(crate) pressure: f64,
    /// Which elements of areal contact carry these.
    pub(crate) branch: Branch,
    /// Friction force, viscous part included (N).
    pub(crate) friction: Vec3,
    /// Rolling and drilling torque (N m).
    pub(crate) torque: Vec3,
    /// Stored energy (J).
    pub(crate) potential: f64,
    /// Share of the pair's stiffness that this point carries.
    pub(crate) share: f64,
    /// Power lost in normal damping, in friction, in viscous friction (W).
    pub(crate) dissipation: [f64; 3],
    /// Power of the elastic force on the bodies (W).
    pub(crate) elastic_power: f64,
    /// Energy that its bristles store (J).
    pub(crate) gripped: f64,
    /// Its points among those of all manifolds: from, to; none where the point itself carries the force.
    pub(crate) points: [usize; 2],
}

impl ContactForce {
    /// Has an areal contact any element in contact?
    pub(crate) fn is_felt(&self) -> bool {
        self.point.gap < 0.0 || self.normal > 0.0
    }

    /// No force yet.
    pub(crate) fn at(point: PointMotion) -> Self {
        Self {
            point,
            normal: 0.0,
            pressure: 0.0,
            branch: Branch::default(),
            friction: Vec3::zeros(),
            torque: Vec3::zeros(),
            potential: 0.0,
            share: 1.0,
            dissipation: [0.0; 3],
            elastic_power: 0.0,
            gripped: 0.0,
            points: [0, 0],
        }
    }

    /// The force of the one point.
    #[inline]
    pub(crate) fn take(&mut self, force: &PointForce) {
        self.normal = force.normal;
        self.friction = force.friction;
        self.potential = force.potential;
        self.dissipation = force.dissipation;
        self.elastic_power = force.elastic_power;
    }

    /// Share of each point of a manifold in its stiffness.
    pub(super) fn shares(points: &[ManifoldMotion]) -> impl Fn(&ManifoldMotion) -> f64 {
        let depth: f64 = points.iter().map(|p| p.weight * p.motion.gap.abs()).sum();
        move |p| share_by_depth(p.weight, p.motion.gap, depth, 1.0)
    }

    /// Sum over the points of a manifold, which share the stiffness in proportion to weight and depth. It acts where the
    /// normal forces have no moment, and the rest is torque.
    pub(crate) fn sum(
        &mut self,
        points: &[ManifoldMotion],
        force_at: impl Fn(&PointMotion, f64) -> PointForce,
    ) {
        let share = Self::shares(points);
        let (mut moment, mut about_origin) = (Vec3::zeros(), Vec3::zeros());
        for point in points {
            let force = force_at(&point.motion, share(point));
            let total = point.motion.normal * force.normal + force.friction;
            self.normal += force.normal;
            self.friction += force.friction;
            self.potential += force.potential;
            self.elastic_power += force.elastic_power;
            for (sum, power) in self.dissipation.iter_mut().zip(force.dissipation) {
                *sum += power;
            }
            moment += point.motion.position * force.normal;
            about_origin += point.motion.position.cross(&total);
        }
        if self.normal > 0.0 {
            self.point.position = moment / self.normal;
        }
        let total = self.point.normal * self.normal + self.friction;
        self.torque = about_origin - self.point.position.cross(&total);
    }
}

/// Sums over the parts of a contact that touches over an area. Moments are taken about a point nearby: the scene may be far from the
/// world's origin.
#[derive(Clone, Copy, Default)]
pub(super) struct Resultant {
    pub(super) reference: Vec3,
    /// Sum of the normal forces on B (N), and of the moments of all forces (N m).
    pub(super) pressing: Vec3,
    pub(super) moment: Vec3,
    /// Sum of what presses (N), and of that times place from the reference, approach and slip.
    pub(super) load: f64,
    pub(super) at: Vec3,
    pub(super) approach: f64,
    pub(super) slip: Vec3,
}

impl Resultant {
    /// The one force that it amounts to, whose friction is known: it acts at the centre of pressure, and what is left is torque.
    pub(super) fn give(&self, force: &mut ContactForce) {
        force.normal = self.pressing.norm();
        if force.normal > 0.0 {
            force.point.normal = self.pressing / force.normal;
        }
        if self.load > 0.0 {
            force.point.position = self.reference + self.at / self.load;
            force.point.approach = self.approach / self.load;
            force.point.sliding = self.slip / self.load;
        }
        let arm = force.point.position - self.reference;
        force.torque = self.moment - arm.cross(&(self.pressing + force.friction));
    }
}

/// Share of a point in the stiffness of a manifold, from its weight and gap, Σ weight·|gap| and Σ weight over all points.
#[inline]
pub(super) fn share_by_depth(weight: f64, gap: f64, depth: f64, all: f64) -> f64 {
    if depth > 0.0 { weight * gap.abs() / depth } else { weight / all }
}

/// Force at a point.
pub(crate) struct PointForce {
    pub(super) normal: f64,
    friction: Vec3,
    potential: f64,
    dissipation: [f64; 3],
    elastic_power: f64,
}

/// The law at a point that carries a share of the pair's stiffness.
pub(crate) fn force_at(
    data: &ContactData,
    pair: &PairData,
    memory: &ContactMemory,
    point: &PointMotion,
    share: f64,
) -> PointForce {
    let penetration = -point.gap;
    let law = data.law.force(penetration, point.approach, memory.frozen_damping);
    let (total, elastic, potential) = match memory.mode {
        _ if memory.clipped && penetration > 0.0 => (law.total.max(0.0), law.elastic, law.potential),
        _ if memory.clipped => (0.0, 0.0, 0.0),
        ContactMode::Closed | ContactMode::Open => (law.total, law.elastic, law.potential),
        // No force; what is still stored is lost while the surfaces part.
        ContactMode::Released => (0.0, law.elastic, law.potential),
        ContactMode::Latched if penetration > 0.0 => (law.total.max(0.0), law.elastic, law.potential),
        ContactMode::Latched => (0.0, 0.0, 0.0),
    };
    let normal = share * total;
    let pressing = normal.max(0.0);
    let speed = point.sliding.norm();
    // Friction belongs to touching surfaces only.
    let (dry, viscous) =
        if pressing > 0.0 { (pressing * pair.friction.ratio(speed), pair.mu_visc) } else { (0.0, 0.0) };
    PointForce {
        normal,
        friction: point.sliding * -(dry + viscous),
        potential: share * potential,
        dissipation: [
            share * (total - elastic) * point.approach,
            dry * speed * speed,
            viscous * speed * speed,
        ],
        elastic_power: -share * elastic * point.approach,
    }
}

//! Friction with a memory: bristles that bend as the surfaces slide.
//!
//! The deflection s of a contact's bristle is a vector in world axes: along the surface it is how far B has been dragged
//! against A; along the normal it is how far B has turned about it, times the radius ρ at which the contact's points lie about
//! its centre. A point has ρ = 0. So one law serves points and areas: the velocity that bends the bristle is v = v_t + ρ ω_n n,
//! its force F has the part F_t along the surface and the torque ρ (F·n) n, and the limits of both are on the ellipsoid
//! |F_t|² + (T/ρ)² = (μ N)² (Howe & Cutkosky, Int. J. Robotics Research 15 (1996), 531–549). The power is F·v.

use carom_math::Vec3;

use super::{Friction, StickSlip};

/// What bends a bristle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Normal force N ≥ 0 (N).
    pub pressing: f64,
    /// Velocity v = v_t + ρ ω_n n of B against A (m/s).
    pub velocity: Vec3,
    /// Damping c_t of the bristle (N s/m), above 0.
    pub damping: f64,
}

/// What a bristle answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Force F on B (N).
    pub force: Vec3,
    /// ṡ as the surfaces see it, which turn with the contact (m/s).
    pub rate: Vec3,
    /// Stored energy V (J).
    pub stored: f64,
    /// Its rate V̇ (W); −F·v − V̇ is lost.
    pub storing: f64,
}

impl Friction {
    /// Has a contact a bristle?
    #[inline]
    pub fn sticks(&self) -> bool {
        matches!(self, Self::StickSlip(_))
    }

    /// Number of states of a contact: three of its bristle.
    #[inline]
    pub fn states(&self) -> usize {
        if self.sticks() { 3 } else { 0 }
    }

    /// Answer of a bristle that is bent by s (m).
    #[inline]
    pub fn hold(&self, at: &Grip, s: Vec3) -> Hold {
        match self {
            Self::StickSlip(law) => law.hold(at, s),
            _ => Hold { force: Vec3::zeros(), rate: Vec3::zeros(), stored: 0.0, storing: 0.0 },
        }
    }

    /// Energy of a bristle that is bent by s (J).
    pub fn stored(&self, s: Vec3) -> f64 {
        match self {
            Self::StickSlip(StickSlip { stiffness, .. }) => 0.5 * stiffness * s.norm_squared(),
            _ => 0.0,
        }
    }

    /// Damping c_t (N s/m) of a bristle between bodies that resist along the surface with a mass (kg).
    pub fn grip_damping(&self, mass: f64) -> f64 {
        match self {
            Self::StickSlip(law) => law.damping.unwrap_or_else(|| 2.0 * (law.stiffness * mass).sqrt()),
            _ => 0.0,
        }
    }

    /// Deflection that breaks away under the load to be expected (m).
    pub fn deflection_scale(&self) -> f64 {
        match self {
            Self::StickSlip(law) => law.scale,
            _ => 0.0,
        }
    }
}

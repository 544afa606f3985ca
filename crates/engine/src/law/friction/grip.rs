//! Friction with a memory: bristles that bend as the surfaces slide.
//!
//! The deflection s of a contact's bristle is a vector in world axes: along the surface it is how far B has been dragged
//! against A; along the normal it is how far B has turned about it, times the radius ρ at which the contact's points lie about
//! its centre. A point has ρ = 0. So one law serves points and areas: the velocity that bends the bristle is v = v_t + ρ ω_n n,
//! its force F has the part F_t along the surface and the torque ρ (F·n) n, and the limits of both are on the ellipsoid
//! |F_t|² + (T/ρ)² = (μ N)² (Howe & Cutkosky, Int. J. Robotics Research 15 (1996), 531–549). The power is F·v.

use carom_math::Vec3;

use super::Friction;

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

/// States of a contact whose friction has a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bristle {
    /// Deflection s (m).
    pub deflection: Vec3,
    /// How much of static friction a rest has built up, from 0 to 1, where the law knows it.
    pub dwell: f64,
}

impl Bristle {
    /// From the numbers of a state, three or four.
    #[inline]
    pub fn from_state(y: &[f64]) -> Self {
        Self { deflection: Vec3::new(y[0], y[1], y[2]), dwell: y.get(3).copied().unwrap_or(0.0) }
    }

    /// Into the numbers of a state.
    #[inline]
    pub fn write(&self, y: &mut [f64]) {
        y[..3].copy_from_slice(self.deflection.as_slice());
        if let Some(dwell) = y.get_mut(3) {
            *dwell = self.dwell;
        }
    }
}

/// What a bristle answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Force F on B (N).
    pub force: Vec3,
    /// Rates: ṡ as the surfaces see it, which turn with the contact (m/s), and of the dwell (1/s).
    pub rate: Bristle,
}

/// What all laws with bristles know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BristleLaw {
    /// Dynamic coefficient μ_d.
    pub mu: f64,
    /// Static coefficient μ_s ≥ μ_d.
    pub mu_static: f64,
    /// Velocity v_stick of the change from sticking to sliding (m/s).
    pub v_stick: f64,
    /// Stiffness k_t of the bristle (N/m).
    pub stiffness: f64,
    /// Damping c_t of the bristle (N s/m); `None`: 2 √(k_t m) with the mass that resists along the surface.
    pub damping: Option<f64>,
    /// Deflection that breaks away under the load to be expected (m): the scale of its errors.
    pub scale: f64,
}

impl Friction {
    /// What its bristles are, if it has them.
    #[inline]
    pub fn bristle(&self) -> Option<&BristleLaw> {
        match self {
            Self::StickSlip(law) => Some(law),
            Self::Lugre(law) => Some(law),
            Self::Dwelling(law) => Some(&law.bristle),
            _ => None,
        }
    }

    /// The law of a bristle that has a share of the stiffness (and with it is damped by the same share).
    pub(crate) fn of_share(mut self, share: f64) -> Self {
        match &mut self {
            Self::StickSlip(law) => law.stiffness *= share,
            Self::Lugre(law) => law.stiffness *= share,
            Self::Dwelling(law) => law.bristle.stiffness *= share,
            _ => {}
        }
        self
    }

    /// Number of states of a contact: three of its bristle, and the dwell where the law knows it.
    #[inline]
    pub fn states(&self) -> usize {
        match self {
            Self::Dwelling(_) => 4,
            _ if self.bristle().is_some() => 3,
            _ => 0,
        }
    }

    /// Answer of a bristle.
    #[inline]
    pub fn hold(&self, at: &Grip, bristle: &Bristle) -> Hold {
        match self {
            Self::StickSlip(law) => super::stick_slip::hold(law, at, bristle.deflection),
            Self::Lugre(law) => super::lugre::hold(law, at, bristle.deflection),
            Self::Dwelling(law) => law.hold(at, bristle),
            _ => Hold { force: Vec3::zeros(), rate: Bristle::default() },
        }
    }

    /// Energy ½ k_t |s|² of a bristle (J).
    pub fn stored(&self, bristle: &Bristle) -> f64 {
        self.bristle().map_or(0.0, |law| 0.5 * law.stiffness * bristle.deflection.norm_squared())
    }

    /// Damping c_t (N s/m) of a bristle between bodies that resist along the surface with a mass (kg).
    pub fn grip_damping(&self, mass: f64) -> f64 {
        self.bristle().map_or(0.0, |law| law.damping.unwrap_or_else(|| 2.0 * (law.stiffness * mass).sqrt()))
    }
}

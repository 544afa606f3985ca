//! Contacts with Coulomb's friction in space: u = W r + q, C* ∋ u + μ|u_T| n ⟂ r ∈ C for every contact, with velocities u, impulses
//! r, the Delassus operator W = H M⁻¹ Hᵀ and the cone C: |r_T| ≤ μ r_N (De Saxcé & Feng 1998).
//!
//! [`FrictionProblem::solve`] takes contacts that are joined by bodies together, islands, one after the other. Sweeps of Gauss–Seidel with
//! exact solutions of single contacts come first, then Newton's method of Alart and Curnier. Where contacts depend on each other so that
//! it leads nowhere, the interior-point method brings impulses near an answer, and Newton's method, or proximal rounds of it, to its end. Accelerated sweeps stand before it where the factors of its matrix do not stay sparse. Nothing is answered whose
//! [`FrictionProblem::residual`] is above the limit of its [`Options`].
//!
//! A block of 2 kg on ground with μ = 0.5, pushed along by 1 m/s: friction takes half of the impulse that gravity gives it in 0.1 s.
//!
//! ```
//! use carom_solvers::friction::{BlockMatrix, FrictionProblem, Options};
//!
//! let w = 1.0 / 2.0;
//! let delassus = BlockMatrix::from_dense(&[w, 0.0, 0.0, 0.0, w, 0.0, 0.0, 0.0, w], 1);
//! let problem = FrictionProblem::new(delassus, vec![[-9.81 * 0.1, 1.0, 0.0]], vec![0.5]).expect("a sound problem");
//! let solution = problem.solve(None, &Options::default()).expect("a solution");
//! let [normal, along, across] = solution.impulses[0];
//! assert!((normal - 2.0 * 0.981).abs() < 1e-12 && (along + 0.5 * normal).abs() < 1e-12 && across == 0.0);
//! assert!((solution.velocities[0][1] - (1.0 - 0.5 * 0.981)).abs() < 1e-12);
//! ```

mod anderson;
mod block;
mod block_lu;
mod halvings;
mod interior;
mod islands;
mod local;
mod newton;
mod order;
mod solve;
mod spread;
mod still;
mod sweep;

use std::fmt;

pub use block::{Block, BlockMatrix, Triple};
pub use solve::Options;

use local::Local;

/// Friction problem of all contacts of a moment.
#[derive(Clone, Debug)]
pub struct FrictionProblem {
    delassus: BlockMatrix,
    free: Vec<Triple>,
    locals: Vec<Local>,
    /// Largest element of q (m/s): what residuals are relative to.
    scale: f64,
}

/// What is no friction problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadProblem {
    /// Matrix, velocities and coefficients are not of as many contacts.
    Size,
    /// A number is not finite.
    NotFinite,
    /// A coefficient of friction is negative.
    NegativeFriction {
        /// Of this contact.
        contact: usize,
    },
    /// Its bodies do not move along the normal, whatever acts.
    Immovable {
        /// This contact.
        contact: usize,
    },
}

/// Impulses with their residual, which is at most the tolerance asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// On each contact's B, in the cone.
    pub impulses: Vec<Triple>,
    /// W r + q.
    pub velocities: Vec<Triple>,
    /// Scaled natural map, [`FrictionProblem::residual`].
    pub residual: f64,
    /// Sweeps of the island that took most.
    pub sweeps: usize,
    /// Newton steps of the island that took most.
    pub newton_steps: usize,
    /// Islands that the contacts fall into.
    pub islands: usize,
}

/// No answer: what was allowed has not led to the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The contact that is farthest from a solution.
    pub contact: usize,
    /// Residual of the best impulses.
    pub residual: f64,
    /// Sweeps and Newton steps that were made for its island.
    pub sweeps: usize,
    /// Newton steps.
    pub newton_steps: usize,
    /// Contacts of the island.
    pub contacts: usize,
}

impl fmt::Display for BadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("matrix, velocities and coefficients are not of as many contacts"),
            Self::NotFinite => f.write_str("a number of the problem is not finite"),
            Self::NegativeFriction { contact } => write!(f, "contact {contact} has negative friction"),
            Self::Immovable { contact } => {
                write!(f, "the bodies of contact {contact} cannot move along its normal")
            }
        }
    }
}

impl std::error::Error for BadProblem {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { contact, residual, sweeps, newton_steps, contacts } = self;
        write!(
            f,
            "no impulses after {sweeps} sweeps and {newton_steps} Newton steps: a residual of {residual:.1e} stays at contact {contact}, one of {contacts} that hang together"
        )
    }
}

impl std::error::Error for Failure {}

impl FrictionProblem {
    /// Takes the Delassus operator W, velocities q that the contacts would have without impulses (restitution added to them: q_N + e
    /// u_N⁻), and coefficients of friction.
    pub fn new(mut delassus: BlockMatrix, free: Vec<Triple>, friction: Vec<f64>) -> Result<Self, BadProblem> {
        if delassus.len() != free.len() || friction.len() != free.len() {
            return Err(BadProblem::Size);
        }
        let numbers = free.iter().flatten().chain(&friction);
        if !delassus.is_sound() || !numbers.clone().all(|x| x.is_finite()) {
            return Err(BadProblem::NotFinite);
        }
        let scale = free.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        still::stiffen(&mut delassus, &free, scale);
        let local = |(contact, &mu): (usize, &f64)| {
            if mu < 0.0 {
                return Err(BadProblem::NegativeFriction { contact });
            }
            let own = delassus.diagonal(contact).and_then(|block| Local::new(block, mu));
            own.ok_or(BadProblem::Immovable { contact })
        };
        let locals = friction.iter().enumerate().map(local).collect::<Result<_, _>>()?;
        Ok(Self { delassus, free, locals, scale })
    }

    /// The same operator with other velocities and coefficients.
    pub fn renewed(self, free: Vec<Triple>, friction: Vec<f64>) -> Result<Self, BadProblem> {
        Self::new(self.delassus, free, friction)
    }

    /// The operator, to be used again.
    pub fn into_delassus(self) -> BlockMatrix {
        self.delassus
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// u = W r + q of one contact.
    #[inline]
    pub(crate) fn velocity(&self, contact: usize, impulses: &[Triple]) -> Triple {
        let mut u = self.free[contact];
        self.delassus.row(contact).for_each(|(j, block)| block::add_product(&mut u, block, &impulses[j]));
        u
    }

    /// W r + q.
    pub fn velocities(&self, impulses: &[Triple]) -> Vec<Triple> {
        (0..self.len()).map(|contact| self.velocity(contact, impulses)).collect()
    }

    /// Scaled natural map, max |w r − P_C(w r − u − μ|u_T| n)|/max |q| with the mean w of each own diagonal of W: zero at solutions
    /// alone, and no change of units changes it.
    pub fn residual(&self, impulses: &[Triple]) -> f64 {
        (0..self.len()).map(|c| self.misfit(c, impulses)).fold(0.0, worse)
    }

    /// That of one contact.
    #[inline]
    pub(crate) fn misfit(&self, contact: usize, impulses: &[Triple]) -> f64 {
        self.misfit_at(contact, &impulses[contact], &self.velocity(contact, impulses))
    }

    #[inline]
    pub(crate) fn misfit_at(&self, contact: usize, impulse: &Triple, u: &Triple) -> f64 {
        let Local { friction, weight, .. } = self.locals[contact];
        let moved = impulse.map(|r| weight * r);
        let lifted = u[0] + friction * local::length_of(u[1], u[2]);
        let projected = local::project(&[moved[0] - lifted, moved[1] - u[1], moved[2] - u[2]], friction);
        let distance = (0..3).map(|k| (moved[k] - projected[k]).powi(2)).sum::<f64>().sqrt();
        if distance == 0.0 { 0.0 } else { distance / self.scale }
    }
}

/// The larger of two residuals; what is not a number is the largest.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

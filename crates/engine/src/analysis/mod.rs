//! Analyses of a compiled mechanism at a state: equations of motion, static equilibrium, modes of vibration, and the
//! efforts that a motion takes.
//!
//! All of them look at a [`Dynamics`]: a [`crate::System`] at a time and state. Vectors and matrices are by
//! [`Freedom`], in the order of [`Dynamics::freedoms`]; along an angle efforts are in N m, along a length in N.
//! The tree of joints alone has the equations M v̇ + h = τ; joints that close loops, constraints and motors that
//! prescribe a motion add Gᵀ λ on the right and G v̇ = b below.

mod constraints;
mod derivatives;
mod differences;
mod dynamics;
mod eigen;
mod equations;
mod equilibrium;
mod freedom;
mod jacobian;
mod modes;
mod motion;
mod rates;
mod regime;
mod rigid;
mod ropes;
mod settle;
mod spline;
mod stability;

pub use derivatives::Derivatives;
pub use dynamics::{Dynamics, Loads};
pub use equilibrium::{Equilibrium, EquilibriumLimits};
pub use freedom::Freedom;
pub use modes::{BodyShift, Mode, Modes};
pub use motion::{DrivenMotion, MotionPoint, forces_with_states};
pub use rates::Rates;
pub use spline::spline_derivative;
pub use stability::{Stability, StabilityKind};

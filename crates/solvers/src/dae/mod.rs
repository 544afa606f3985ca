//! Differential-algebraic equations of mechanical systems: M(q) v̇ + Φ_qᵀ λ = Q(t, q, v), Φ(t, q) = 0.

mod ali3p;

pub use ali3p::{Ali3p, StepChoice};

use crate::ode::Fault;

/// Rows of constraints at one state: Φ, Φ_q (m × n, row by row), and what Φ_q v and Φ_q v̇ must be.
#[derive(Clone, Debug, Default)]
pub struct ConstraintRows {
    /// Φ.
    pub violation: Vec<f64>,
    /// Φ_q.
    pub jacobian: Vec<f64>,
    /// −Φ_t.
    pub speed: Vec<f64>,
    /// −(Φ̇_q v + Φ̇_t).
    pub acceleration: Vec<f64>,
}

/// A mechanical system whose positions may live on a manifold (rotations): displacements, velocities and forces have
/// n components in its tangent space. States `y` hold positions and velocities in the problem's own order.
pub trait SecondOrderDae {
    /// n.
    fn freedoms(&self) -> usize;
    /// Velocities of a state.
    fn velocities(&self, y: &[f64], v: &mut [f64]);
    /// Puts velocities into a state.
    fn set_velocities(&self, v: &[f64], y: &mut [f64]);
    /// Writes the positions of `y0`, displaced by `d`, into `y`.
    fn displace(&self, y0: &[f64], d: &[f64], y: &mut [f64]);
    /// Writes M v̇ − Q at a state.
    fn residual(&mut self, t: f64, y: &[f64], acceleration: &[f64], out: &mut [f64]) -> Result<(), Fault>;
    /// Writes M (n × n) at the state of the last residual.
    fn mass(&mut self, out: &mut [f64]);
    /// Writes the constraints at the state of the last residual.
    fn constraints(&mut self, out: &mut ConstraintRows);
    /// Writes the rates of the whole state and of the quadratures for given accelerations and multipliers λ, at the
    /// state of the last residual.
    fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64], dqdt: &mut [f64]);
}

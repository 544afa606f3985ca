//! Differential-algebraic equations of mechanical systems: M(q) v̇ + Φ_qᵀ λ = Q(t, q, v), Φ(t, q) = 0.

mod ali3p;
mod envelope_lu;
mod multipliers;
mod tangent;

pub use ali3p::Ali3p;

use crate::ode::Fault;

/// Rows of constraints at one state: Φ, Φ_q, and what Φ_q v and Φ_q v̇ must be.
#[derive(Clone, Debug, Default)]
pub struct ConstraintRows {
    /// Φ.
    pub violation: Vec<f64>,
    /// −Φ_t.
    pub speed: Vec<f64>,
    /// −(Φ̇_q v + Φ̇_t).
    pub acceleration: Vec<f64>,
    /// Where the elements of each row of Φ_q end.
    ends: Vec<usize>,
    /// Elements of Φ_q that may not be zero, with their columns, row by row.
    elements: Vec<(usize, f64)>,
}

impl ConstraintRows {
    /// Removes all rows.
    pub fn clear(&mut self) {
        self.violation.clear();
        self.speed.clear();
        self.acceleration.clear();
        self.ends.clear();
        self.elements.clear();
    }

    /// Adds an element of Φ_q to the row that is being written; elements of one column add up.
    pub fn add(&mut self, column: usize, value: f64) {
        let start = self.ends.last().copied().unwrap_or(0);
        match self.elements[start..].iter_mut().find(|(at, _)| *at == column) {
            Some((_, sum)) => *sum += value,
            None => self.elements.push((column, value)),
        }
    }

    /// Ends the row that is being written.
    pub fn close(&mut self, violation: f64, speed: f64, acceleration: f64) {
        self.violation.push(violation);
        self.speed.push(speed);
        self.acceleration.push(acceleration);
        self.ends.push(self.elements.len());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Elements of a row of Φ_q.
    pub fn row(&self, row: usize) -> &[(usize, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.elements[start..self.ends[row]]
    }

    /// A row of Φ_q times a vector.
    pub fn product(&self, row: usize, x: &[f64]) -> f64 {
        self.row(row).iter().map(|&(column, value)| value * x[column]).sum()
    }

    /// Adds a multiple of a row of Φ_q to a vector.
    pub fn add_row(&self, row: usize, factor: f64, x: &mut [f64]) {
        for &(column, value) in self.row(row) {
            x[column] += factor * value;
        }
    }
}

/// A mechanical system whose positions may live on a manifold (rotations): displacements, velocities and forces have
/// n components in its tangent space. States `y` hold positions and velocities in the problem's own order.
pub trait SecondOrderDae {
    /// n.
    fn freedoms(&self) -> usize;
    /// Writes for every freedom a number below n, the same for freedoms whose residuals depend on each other.
    fn blocks(&self, block: &mut [usize]) {
        block.fill(0);
    }
    /// Velocities of a state.
    fn velocities(&self, y: &[f64], v: &mut [f64]);
    /// Puts velocities into a state.
    fn set_velocities(&self, v: &[f64], y: &mut [f64]);
    /// Writes the positions of `y0`, displaced by `d`, into `y`.
    fn displace(&self, y0: &[f64], d: &[f64], y: &mut [f64]);
    /// Begins a step of length h from a state with its rates. If there are states beyond positions and velocities that depend
    /// on both, [`Self::residual`] finds them by the trapezoidal rule from there, whatever its state says.
    fn begin_step(&mut self, _h: f64, _y0: &[f64], _rates: &[f64]) {}
    /// Writes such states, as the last residual has found them, into `y`.
    fn write_found(&self, _y: &mut [f64]) {}
    /// Writes M v̇ − Q at a state.
    fn residual(&mut self, t: f64, y: &[f64], acceleration: &[f64], out: &mut [f64]) -> Result<(), Fault>;
    /// Calls with row, column and value of every element of M that may not be zero, at the state of the last residual.
    /// Elements outside the blocks are zero.
    fn mass(&mut self, visit: &mut dyn FnMut(usize, usize, f64));
    /// Writes the constraints at the state of the last residual.
    fn constraints(&mut self, out: &mut ConstraintRows);
    /// Writes the rates of the whole state and of the quadratures for given accelerations and multipliers λ, at the
    /// state of the last residual.
    fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64], dqdt: &mut [f64]);
}

//! Bounds of the coordinates of a link over a step, from the control points of their dense output. Time is measured in
//! steps: rates by the second would overflow in the shortest ones.

use std::f64::consts::FRAC_PI_4;
use std::ops::Range;

use carom_math::Vec3;
use carom_solvers::Stepper;
use carom_solvers::bernstein::{Bernstein, differentiate};
use carom_solvers::ode::MAX_DEGREE;

use crate::mechanics::joint::MAX_COORDINATES;
use crate::mechanics::tree::Link;

/// Coordinates of a link beside each other: a power of two, for registers of several numbers. What is in lanes beyond them is not read.
const LANES: usize = MAX_COORDINATES.next_power_of_two();

/// Control points, each of all coordinates.
type Table = [[f64; LANES]; MAX_DEGREE + 1];

/// Least length of a quaternion on its way from which its turning is bounded. A coarse dense output that turns a body by
/// three radians bounds nothing.
const SHORTEST: f64 = 0.1;

/// What a coordinate does in a step, in its unit; for a quaternion the angle that it turns by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CoordinateBound {
    /// Of its magnitude; 0 for turning.
    pub(crate) size: f64,
    /// Of its rate, per step.
    pub(crate) rate: f64,
    /// Of its second derivative, per step squared.
    pub(crate) acceleration: f64,
}

/// Polynomials of the coordinates of one link.
pub(super) struct ControlPoints {
    degree: usize,
    start: [f64; MAX_COORDINATES],
    /// Growth since the start at the nodes, and in control points.
    at_nodes: Table,
    growth: Table,
    /// Control points of the derivatives, per step.
    rates: Table,
    accelerations: Table,
    /// What the states at both ends of the step are off the polynomials by.
    off: [[f64; 2]; MAX_COORDINATES],
}

impl ControlPoints {
    pub(super) fn new() -> Self {
        let table = [[0.0; LANES]; MAX_DEGREE + 1];
        Self {
            degree: 0,
            start: [0.0; MAX_COORDINATES],
            at_nodes: table,
            growth: table,
            rates: table,
            accelerations: table,
            off: [[0.0; 2]; MAX_COORDINATES],
        }
    }

    /// Takes the coordinates of a link over the attempted step, from its states at the nodes.
    pub(super) fn read<'n>(
        &mut self,
        bernstein: &Bernstein,
        stepper: &dyn Stepper,
        link: &Link,
        nodes: impl Iterator<Item = &'n [f64]>,
    ) {
        self.degree = bernstein.degree();
        let (first, count) = (link.first_state, link.kind.coordinates());
        let (state, trial) = (stepper.state(), stepper.trial());
        self.start[..count].copy_from_slice(&state[first..first + count]);
        for (at_node, values) in self.at_nodes.iter_mut().zip(nodes.take(bernstein.nodes.len())) {
            for c in 0..count {
                at_node[c] = values[c] - self.start[c];
            }
        }
        let n = self.degree + 1;
        // Most joints have one coordinate.
        let is_alone = count == 1;
        bernstein.control_points(&self.at_nodes[..n], &mut self.growth[..n], is_alone);
        for c in 0..count {
            let growth = trial[first + c] - self.start[c];
            self.off[c] = [-self.growth[0][c], growth - self.growth[self.degree][c]];
        }
        self.join_ends(count);
        let rates = differentiate(&self.growth[..n], &mut self.rates[..n], is_alone);
        differentiate(rates, &mut self.accelerations[..n], is_alone);
    }

    /// Adds a straight line to the polynomial of each coordinate, so that it goes from the state at the start to that at the end,
    /// which a projection may have moved.
    fn join_ends(&mut self, count: usize) {
        let degree = self.degree;
        for (k, point) in self.growth[..=degree].iter_mut().enumerate() {
            let theta = k as f64 / degree.max(1) as f64;
            for (point, [start, end]) in point[..count].iter_mut().zip(&self.off) {
                *point += start + theta * (end - start);
            }
        }
    }

    /// What the line adds to the coordinates at both ends.
    pub(super) fn off(&self) -> &[[f64; 2]; MAX_COORDINATES] {
        &self.off
    }

    /// Bounds of one coordinate.
    pub(super) fn bound(&self, c: usize) -> CoordinateBound {
        CoordinateBound {
            size: self.start[c].abs() + largest(&self.growth[..=self.degree], c..c + 1),
            rate: largest(&self.rates[..self.degree.max(1)], c..c + 1),
            acceleration: largest(&self.accelerations[..self.second_points()], c..c + 1),
        }
    }

    /// Bounds of several coordinates as a vector.
    pub(super) fn bound_vector(&self, at: usize, count: usize) -> CoordinateBound {
        let all = at..at + count;
        let square = |of: &dyn Fn(usize) -> f64| all.clone().map(|c| of(c) * of(c)).sum::<f64>().sqrt();
        let growth = largest(&self.growth[..=self.degree], all.clone());
        CoordinateBound {
            size: square(&|c| self.start[c]) + growth,
            rate: largest(&self.rates[..self.degree.max(1)], all.clone()),
            acceleration: largest(&self.accelerations[..self.second_points()], all.clone()),
        }
    }

    /// Bounds of the turning of the quaternion that begins at coordinate `at`: with its polynomial q, angular velocity
    /// and its rate are |ω| ≤ 2|q̇|/|q| and |ω̇| ≤ 2|q̈|/|q| + (2|q̇|/|q|)².
    pub(super) fn bound_turning(&self, at: usize) -> CoordinateBound {
        let q = self.bound_vector(at, 4);
        // Nowhere is farther from a node than this share of the step.
        let from_node = FRAC_PI_4 / (self.degree + 1) as f64;
        let length = |k: usize| {
            let square =
                |c: usize| (self.start[c] + self.at_nodes[k][c]) * (self.start[c] + self.at_nodes[k][c]);
            (at..at + 4).map(square).sum::<f64>().sqrt()
        };
        let at_nodes = (0..=self.degree).map(length).fold(f64::INFINITY, f64::min);
        let joined = self.off[at..at + 4].iter().flatten().map(|off| off.abs()).sum::<f64>();
        let shortest = at_nodes - joined - q.rate * from_node;
        if shortest <= SHORTEST || shortest.is_nan() {
            let unknown = f64::INFINITY;
            return CoordinateBound { size: 0.0, rate: unknown, acceleration: unknown };
        }
        let omega = 2.0 * q.rate / shortest;
        CoordinateBound {
            size: 0.0,
            rate: omega,
            acceleration: 2.0 * q.acceleration / shortest + omega * omega,
        }
    }

    /// Control point `k` of the derivative of the vector whose components along `axes` begin at coordinate `at`; of a straight path the
    /// last one counts twice.
    pub(super) fn velocity_point(&self, at: usize, axes: &[usize], k: usize) -> Vec3 {
        vector(&self.rates, at, axes, k.min(self.degree.max(1) - 1))
    }

    /// The same of the second derivative.
    pub(super) fn acceleration_point(&self, at: usize, axes: &[usize], k: usize) -> Vec3 {
        vector(&self.accelerations, at, axes, k)
    }

    /// Number of control points of second derivatives.
    pub(super) fn second_points(&self) -> usize {
        self.degree.max(2) - 1
    }
}

fn vector(table: &Table, at: usize, axes: &[usize], k: usize) -> Vec3 {
    let mut vector = Vec3::zeros();
    for (c, axis) in axes.iter().enumerate() {
        vector[*axis] = table[k][at + c];
    }
    vector
}

/// Largest length of the vectors that some coordinates make of each control point.
fn largest(points: &[[f64; LANES]], coordinates: Range<usize>) -> f64 {
    if coordinates.len() == 1 {
        return points.iter().fold(0.0, |most: f64, point| most.max(point[coordinates.start].abs()));
    }
    let square = |point: &[f64; LANES]| point[coordinates.clone()].iter().map(|x| x * x).sum::<f64>();
    points.iter().map(square).fold(0.0, f64::max).sqrt()
}

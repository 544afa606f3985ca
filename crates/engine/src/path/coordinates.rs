//! Bounds of the coordinates of a link over a step, from the control points of their dense output. Time is measured in
//! steps: rates by the second would overflow in the shortest ones.

use std::f64::consts::FRAC_PI_4;
use std::ops::Range;

use carom_math::Vec3;
use carom_solvers::Stepper;
use carom_solvers::bernstein::{Bernstein, differentiate};
use carom_solvers::ode::MAX_DEGREE;
use carom_solvers::{Wide, run_wide};

use crate::mechanics::tree::Link;

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

/// Polynomials of the states of links that follow each other, side by side: it is the same arithmetic for all, several at once. Those of
/// velocities are not read.
pub(super) struct ControlPoints {
    degree: usize,
    /// The states; how many are beside each other; and the first coordinate of the link that is asked about, among them.
    states: Range<usize>,
    width: usize,
    own: usize,
    start: Vec<f64>,
    /// Growth since the start at the nodes, and in control points, row by row.
    at_nodes: Vec<f64>,
    growth: Vec<f64>,
    /// Control points of the derivatives, per step.
    rates: Vec<f64>,
    accelerations: Vec<f64>,
    /// Largest magnitudes of each state's control points: of growth, rates and accelerations.
    largest: [Vec<f64>; 3],
    /// What the states at both ends of the step are off the polynomials by.
    off: [Vec<f64>; 2],
}

impl ControlPoints {
    /// For so many states at once.
    pub(super) fn new(states: usize) -> Self {
        let row = || vec![0.0; states.max(1)];
        let table = || vec![0.0; (MAX_DEGREE + 1) * states.max(1)];
        Self {
            degree: 0,
            states: 0..0,
            width: 1,
            own: 0,
            start: row(),
            at_nodes: table(),
            growth: table(),
            rates: table(),
            accelerations: table(),
            largest: [row(), row(), row()],
            off: [row(), row()],
        }
    }

    /// Takes states over the attempted step.
    pub(super) fn read(&mut self, bernstein: &Bernstein, stepper: &dyn Stepper, states: Range<usize>) {
        (self.degree, self.width) = (bernstein.degree(), states.len());
        self.states = states;
        // Links that are fixed have no states.
        if self.width == 0 {
            return;
        }
        self.start[..self.width].copy_from_slice(&stepper.state()[self.states.clone()]);
        for (&theta, values) in bernstein.nodes.iter().zip(self.at_nodes.chunks_exact_mut(self.width)) {
            stepper.interpolate(theta, self.states.clone(), values);
        }
        run_wide(Enclose { end: &stepper.trial()[self.states.clone()], bernstein, points: self });
    }

    /// What is asked from now on is about this link, whose states have been taken.
    pub(super) fn look_at(&mut self, link: &Link) {
        self.own = link.first_state - self.states.start;
    }

    #[inline(always)]
    fn enclose(&mut self, bernstein: &Bernstein, end: &[f64]) {
        let (degree, width) = (self.degree, self.width);
        let (all, start) = (width * (degree + 1), &self.start[..width]);
        for values in self.at_nodes[..all].chunks_exact_mut(width) {
            values.iter_mut().zip(start).for_each(|(value, start)| *value -= start);
        }
        let growth = &mut self.growth[..all];
        bernstein.control_points(&self.at_nodes[..all], growth, width);
        let [off_start, off_end] = self.off.each_mut().map(|off| &mut off[..width]);
        off_start.iter_mut().zip(&*growth).for_each(|(off, first)| *off = -first);
        let grown = end.iter().zip(start).map(|(end, start)| end - start);
        let last = &growth[width * degree..];
        off_end.iter_mut().zip(grown.zip(last)).for_each(|(off, (grown, last))| *off = grown - last);
        // A straight line more for each, so that it goes from the state at the start to that at the end, which a projection may have moved.
        for (k, points) in growth.chunks_exact_mut(width).enumerate() {
            let theta = k as f64 / degree.max(1) as f64;
            for (point, (start, end)) in points.iter_mut().zip(off_start.iter().zip(&*off_end)) {
                *point += start + theta * (end - start);
            }
        }
        let rates = differentiate(growth, &mut self.rates, width);
        let accelerations = differentiate(rates, &mut self.accelerations, width);
        for (largest, points) in self.largest.iter_mut().zip([growth, rates, accelerations]) {
            let largest = &mut largest[..width];
            largest.fill(0.0);
            for points in points.chunks_exact(width) {
                largest.iter_mut().zip(points).for_each(|(most, point)| *most = most.max(point.abs()));
            }
        }
    }

    /// What the line adds to a coordinate at both ends.
    pub(super) fn off(&self, c: usize) -> [f64; 2] {
        self.off.each_ref().map(|off| off[self.own + c])
    }

    /// Bounds of one coordinate.
    pub(super) fn bound(&self, c: usize) -> CoordinateBound {
        let [growth, rate, acceleration] = self.largest.each_ref().map(|largest| largest[self.own + c]);
        CoordinateBound { size: self.start[self.own + c].abs() + growth, rate, acceleration }
    }

    /// Bounds of several coordinates as a vector.
    pub(super) fn bound_vector(&self, at: usize, count: usize) -> CoordinateBound {
        let all = at..at + count;
        let start = all.clone().map(|c| self.start[self.own + c] * self.start[self.own + c]);
        CoordinateBound {
            size: start.sum::<f64>().sqrt() + self.largest(&self.growth, self.degree + 1, &all),
            rate: self.largest(&self.rates, self.degree.max(1), &all),
            acceleration: self.largest(&self.accelerations, self.second_points(), &all),
        }
    }

    /// Bounds of the turning of the quaternion that begins at coordinate `at`: with its polynomial q, angular velocity
    /// and its rate are |ω| ≤ 2|q̇|/|q| and |ω̇| ≤ 2|q̈|/|q| + (2|q̇|/|q|)².
    pub(super) fn bound_turning(&self, at: usize) -> CoordinateBound {
        let q = self.bound_vector(at, 4);
        // Nowhere is farther from a node than this share of the step.
        let from_node = FRAC_PI_4 / (self.degree + 1) as f64;
        let length = |k: usize| {
            let square = |c: usize| {
                let value = self.start[self.own + c] + self.at_nodes[self.width * k + self.own + c];
                value * value
            };
            (at..at + 4).map(square).sum::<f64>().sqrt()
        };
        let at_nodes = (0..=self.degree).map(length).fold(f64::INFINITY, f64::min);
        let joined = (at..at + 4).flat_map(|c| self.off(c)).map(f64::abs).sum::<f64>();
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
        self.vector(&self.rates, at, axes, k.min(self.degree.max(1) - 1))
    }

    /// The same of the second derivative.
    pub(super) fn acceleration_point(&self, at: usize, axes: &[usize], k: usize) -> Vec3 {
        self.vector(&self.accelerations, at, axes, k)
    }

    /// Number of control points of second derivatives.
    pub(super) fn second_points(&self) -> usize {
        self.degree.max(2) - 1
    }

    fn vector(&self, table: &[f64], at: usize, axes: &[usize], k: usize) -> Vec3 {
        let mut vector = Vec3::zeros();
        for (c, axis) in axes.iter().enumerate() {
            vector[*axis] = table[self.width * k + self.own + at + c];
        }
        vector
    }

    /// Largest length of the vectors that some coordinates make of each of so many control points.
    fn largest(&self, table: &[f64], points: usize, coordinates: &Range<usize>) -> f64 {
        let own = self.own + coordinates.start..self.own + coordinates.end;
        let square = |point: &[f64]| point[own.clone()].iter().map(|x| x * x).sum::<f64>();
        table.chunks_exact(self.width).take(points).map(square).fold(0.0, f64::max).sqrt()
    }
}

struct Enclose<'a> {
    points: &'a mut ControlPoints,
    bernstein: &'a Bernstein,
    end: &'a [f64],
}

impl Wide for Enclose<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.points.enclose(self.bernstein, self.end);
    }
}

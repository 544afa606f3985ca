use std::ops::Range;

use super::{ConstraintRows, SecondOrderDae};
use crate::lu::Lu;
use crate::ode::{Assessment, BETA_DOPRI5, Controller, Fault, Ode, Stepper, Tolerances, WrongMemory};

/// How the step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepChoice {
    /// By the caller; errors are not looked at.
    Fixed,
    /// By the tolerances, from the difference to the predictor.
    Controlled,
}

/// Newton iterations before a step counts as failed.
const ITERATIONS: usize = 40;
/// Iterations of a projection.
const PROJECTIONS: usize = 30;
/// Violations that are met: positions, velocities, accelerations (SI). A tenth of what is promised.
const MET: [f64; 3] = [1e-11, 1e-10, 1e-8];
/// Step of the differences that give K and C, in units of the freedoms (m or rad, m/s or rad/s).
const DIFFERENCE: f64 = 1.5e-8;

/// Index-3 augmented Lagrangian formulation with the implicit trapezoidal rule and projections of velocities and
/// accelerations (Bayo & Ledesma 1996; Cuadrado et al., Multibody System Dynamics 12 (2004) 117–132; Dopico et al. 2010
/// section II).
///
/// Newton's method on f = h²/4 (M v̇ − Q + Φ_qᵀ (α Φ + λ*)) with the tangent T = M + h/2 C + h²/4 (Φ_qᵀ α Φ_q + K),
/// K = −∂(Q − M v̇)/∂q, C = −∂Q/∂v by differences of the residual, so that contacts and springs are in them. The
/// positions are those of the last state displaced by d, and v = 2 d/h − v_n, v̇ = 4 d/h² − 4 v_n/h − v̇_n. The
/// multipliers λ* grow by α Φ in every iteration. Velocities and accelerations are then projected with the same
/// factors of T, and multipliers of their own, until their constraints hold. The penalty is
/// α = a · trace(M)/n · 4/h².
pub struct Ali3p {
    penalty: f64,
    choice: StepChoice,
    controller: Controller,
    time: f64,
    step: f64,
    state: Vec<f64>,
    trial: Vec<f64>,
    /// Rates of state and quadratures at both ends.
    rates: [Vec<f64>; 2],
    quadratures: [Vec<f64>; 2],
    /// Velocities, accelerations and displacement of the step, by freedom.
    v0: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    d: Vec<f64>,
    /// Accelerations at the start of the step.
    a0: Vec<f64>,
    /// λ* at both ends.
    lambda: Vec<f64>,
    trial_lambda: Vec<f64>,
    residual: Vec<f64>,
    shifted: Vec<f64>,
    work: Vec<f64>,
    probe: Vec<f64>,
    rows: ConstraintRows,
    /// W = M + h/2 C + h²/4 K.
    weight: Vec<f64>,
    mass: Vec<f64>,
    factors: Lu,
    error: Vec<f64>,
    /// Kinetic energy that the projection of the velocities has added in the last attempt (J).
    projected: f64,
}

impl Ali3p {
    /// With the penalty factor a.
    pub fn new(penalty: f64, choice: StepChoice) -> Self {
        Self {
            penalty,
            choice,
            controller: Controller::new(3, BETA_DOPRI5),
            time: 0.0,
            step: 0.0,
            state: Vec::new(),
            trial: Vec::new(),
            rates: Default::default(),
            quadratures: Default::default(),
            v0: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            d: Vec::new(),
            a0: Vec::new(),
            lambda: Vec::new(),
            trial_lambda: Vec::new(),
            residual: Vec::new(),
            shifted: Vec::new(),
            work: Vec::new(),
            probe: Vec::new(),
            rows: ConstraintRows::default(),
            weight: Vec::new(),
            mass: Vec::new(),
            factors: Lu::default(),
            error: Vec::new(),
            projected: 0.0,
        }
    }

    fn resize(&mut self, states: usize, quadratures: usize, n: usize) {
        for buffer in [&mut self.state, &mut self.trial, &mut self.probe, &mut self.error] {
            buffer.resize(states, 0.0);
        }
        self.rates.iter_mut().for_each(|r| r.resize(states, 0.0));
        self.quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        for buffer in [
            &mut self.v0,
            &mut self.v,
            &mut self.a,
            &mut self.d,
            &mut self.a0,
            &mut self.residual,
            &mut self.shifted,
            &mut self.work,
        ] {
            buffer.resize(n, 0.0);
        }
        self.weight.resize(n * n, 0.0);
        self.mass.resize(n * n, 0.0);
        self.factors.resize(n);
    }

    /// Velocities and accelerations that belong to the displacement, in the trial state.
    fn spread(&mut self, dae: &dyn SecondOrderDae) {
        let h = self.step;
        for i in 0..self.d.len() {
            self.v[i] = 2.0 / h * self.d[i] - self.v0[i];
            self.a[i] = 4.0 / (h * h) * self.d[i] - 4.0 / h * self.v0[i] - self.a0[i];
        }
        dae.displace(&self.state, &self.d, &mut self.trial);
        dae.set_velocities(&self.v, &mut self.trial);
    }

    /// W and the factors of T at the trial state; the residual there is known.
    fn build_tangent(&mut self, dae: &mut dyn SecondOrderDae, t: f64) -> Result<f64, Fault> {
        let (h, n) = (self.step, self.d.len());
        dae.mass(&mut self.mass);
        dae.constraints(&mut self.rows);
        self.weight.copy_from_slice(&self.mass);
        self.work.fill(0.0);
        for j in 0..n {
            for by_velocity in [true, false] {
                self.probe.copy_from_slice(&self.trial);
                if by_velocity {
                    self.shifted.copy_from_slice(&self.v);
                    self.shifted[j] += DIFFERENCE;
                    dae.set_velocities(&self.shifted, &mut self.probe);
                } else {
                    self.work[j] = DIFFERENCE;
                    dae.displace(&self.trial, &self.work, &mut self.probe);
                    self.work[j] = 0.0;
                }
                dae.residual(t, &self.probe, &self.a, &mut self.shifted)?;
                let factor = if by_velocity { 0.5 * h } else { 0.25 * h * h } / DIFFERENCE;
                for i in 0..n {
                    self.weight[n * i + j] += factor * (self.shifted[i] - self.residual[i]);
                }
            }
        }
        let trace: f64 = (0..n).map(|i| self.mass[n * i + i]).sum();
        let alpha = self.penalty * trace / n as f64 * 4.0 / (h * h);
        self.factor_tangent(alpha)?;
        Ok(alpha)
    }

    /// T from W and the present Φ_q.
    fn factor_tangent(&mut self, alpha: f64) -> Result<(), Fault> {
        let (h, n) = (self.step, self.d.len());
        self.factors.matrix.copy_from_slice(&self.weight);
        let m = self.rows.violation.len();
        for row in 0..m {
            let g = &self.rows.jacobian[n * row..n * (row + 1)];
            for i in (0..n).filter(|&i| g[i] != 0.0) {
                let scaled = 0.25 * h * h * alpha * g[i];
                for j in 0..n {
                    self.factors.matrix[n * i + j] += scaled * g[j];
                }
            }
        }
        if self.factors.factor() { Ok(()) } else { Err(Fault::Recoverable) }
    }

    /// Newton's method on the displacement; false if it does not converge.
    fn solve_positions(&mut self, dae: &mut dyn SecondOrderDae, t: f64) -> Result<f64, Fault> {
        let (h, n) = (self.step, self.d.len());
        self.spread(dae);
        dae.residual(t, &self.trial, &self.a, &mut self.residual)?;
        let alpha = self.build_tangent(dae, t)?;
        for iteration in 0..ITERATIONS {
            dae.residual(t, &self.trial, &self.a, &mut self.residual)?;
            dae.constraints(&mut self.rows);
            self.work.copy_from_slice(&self.residual);
            for (row, lambda) in self.trial_lambda.iter_mut().enumerate() {
                // λ* takes the force that the last iteration found; the penalty drives what is left of Φ.
                let penalty = alpha * self.rows.violation[row];
                if iteration > 0 {
                    *lambda += penalty;
                }
                for i in 0..n {
                    self.work[i] += self.rows.jacobian[n * row + i] * (*lambda + penalty);
                }
            }
            self.work.iter_mut().for_each(|f| *f *= -0.25 * h * h);
            self.factors.solve(&mut self.work);
            let mut change = 0.0_f64;
            for (d, step) in self.d.iter_mut().zip(&self.work) {
                *d += step;
                change = change.max(step.abs());
            }
            if !change.is_finite() {
                return Err(Fault::Recoverable);
            }
            self.spread(dae);
            let worst = self.rows.violation.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = self.d.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
            if change <= 1e-12 * size && worst <= MET[0] {
                return Ok(alpha);
            }
        }
        Err(Fault::Recoverable)
    }

    /// x with W (x − x*) + h²/4 Φ_qᵀ (α (Φ_q x − want) + σ) = 0, σ growing until Φ_q x = want.
    fn project(&mut self, alpha: f64, of_velocity: bool) -> Result<(), Fault> {
        let (h, n, m) = (self.step, self.d.len(), self.rows.violation.len());
        let met = if of_velocity { MET[1] } else { MET[2] };
        let scale = 0.25 * h * h;
        let want = if of_velocity { &self.rows.speed } else { &self.rows.acceleration };
        let x = if of_velocity { &mut self.v } else { &mut self.a };
        let g = |row: usize| &self.rows.jacobian[n * row..n * (row + 1)];
        // In terms of the correction c = x − x*: T c = −h²/4 Φ_qᵀ (α (Φ_q x − want) + σ), from the last x on.
        let mut previous = f64::INFINITY;
        for _ in 0..PROJECTIONS {
            let mut worst = 0.0_f64;
            self.work.fill(0.0);
            for row in 0..m {
                let product: f64 = g(row).iter().zip(x.iter()).map(|(g, x)| g * x).sum();
                let missing = product - want[row];
                worst = worst.max(missing.abs());
                for (w, g) in self.work.iter_mut().zip(g(row)) {
                    *w -= scale * alpha * missing * g;
                }
            }
            let fastest = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            if worst <= met * fastest {
                return Ok(());
            }
            if worst.is_nan() || worst > 0.9 * previous {
                return Err(Fault::Recoverable);
            }
            previous = worst;
            self.factors.solve(&mut self.work);
            for (x, c) in x.iter_mut().zip(&self.work) {
                *x += c;
            }
        }
        Err(Fault::Recoverable)
    }

    fn kinetic_energy(&self) -> f64 {
        let n = self.v.len();
        let rows = self.mass.chunks_exact(n.max(1)).zip(&self.v);
        0.5 * rows.map(|(row, v)| v * row.iter().zip(&self.v).map(|(m, v)| m * v).sum::<f64>()).sum::<f64>()
    }

    /// Largest error over tolerance of the positions, from the distance to the predictor: q − q_pred = h³/4 q''', the
    /// error of the rule is −h³/12 q'''.
    fn assess(&mut self, dae: &dyn SecondOrderDae, tolerances: &Tolerances) -> Assessment {
        let passed = Assessment { error: 0.0, group: 0, stiffness: 0.0 };
        if self.choice == StepChoice::Fixed {
            return passed;
        }
        let h = self.step;
        for i in 0..self.d.len() {
            let predicted = h * self.v0[i] + 0.5 * h * h * self.a0[i];
            self.work[i] = (self.d[i] - predicted) / 3.0;
        }
        dae.displace(&self.trial, &self.work, &mut self.probe);
        for (error, (y, probe)) in self.error.iter_mut().zip(self.trial.iter().zip(&self.probe)) {
            *error = probe - y;
        }
        // Velocities have no estimate of their own: displacing leaves them.
        self.work.fill(0.0);
        dae.set_velocities(&self.work, &mut self.error);
        tolerances.assess(&self.error, &self.state, &self.trial)
    }
}

impl Stepper for Ali3p {
    fn reserve(&mut self, _quadratures: usize) {}

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        let (states, quadratures) = (ode.dimension(), ode.quadratures());
        let n = ode.second_order().ok_or(Fault::Fatal)?.freedoms();
        self.resize(states, quadratures, n);
        self.time = t;
        self.step = 0.0;
        self.state.copy_from_slice(y);
        self.trial.copy_from_slice(y);
        // Accelerations that meet the constraints at the start; multipliers find themselves.
        ode.rhs(t, y, &mut self.rates[0], &mut self.quadratures[0])?;
        let dae = ode.second_order().ok_or(Fault::Fatal)?;
        dae.velocities(&self.rates[0], &mut self.a0);
        self.lambda.clear();
        Ok(())
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        let (states, quadratures) = (ode.dimension(), ode.quadratures());
        let dae = ode.second_order().ok_or(Fault::Fatal)?;
        self.resize(states, quadratures, dae.freedoms());
        self.step = h;
        let end = self.time + h;
        dae.velocities(&self.state, &mut self.v0);
        dae.velocities(&self.rates[0], &mut self.a0);
        self.trial.copy_from_slice(&self.state);
        for i in 0..self.d.len() {
            self.d[i] = h * self.v0[i] + 0.5 * h * h * self.a0[i];
        }
        // States beyond those of the freedoms follow functions of time: the trapezoidal rule on their rates.
        dae.residual(end, &self.trial, &self.a0, &mut self.residual)?;
        dae.constraints(&mut self.rows);
        self.trial_lambda.clear();
        self.trial_lambda.extend_from_slice(&self.lambda);
        self.trial_lambda.resize(self.rows.violation.len(), 0.0);
        dae.rates(&self.a0, &self.trial_lambda, &mut self.rates[1], &mut self.quadratures[1]);
        for (trial, (state, (r0, r1))) in
            self.trial.iter_mut().zip(self.state.iter().zip(self.rates[0].iter().zip(&self.rates[1])))
        {
            *trial = state + 0.5 * h * (r0 + r1);
        }
        let alpha = self.solve_positions(dae, end)?;
        dae.residual(end, &self.trial, &self.a, &mut self.residual)?;
        dae.constraints(&mut self.rows);
        dae.mass(&mut self.mass);
        // With the Φ_q of the end: times α, what it has changed by since the predictor would turn the projections.
        self.factor_tangent(alpha)?;
        let before = self.kinetic_energy();
        self.project(alpha, true)?;
        self.projected = self.kinetic_energy() - before;
        dae.set_velocities(&self.v, &mut self.trial);
        // The accelerations' constraints are those of the projected velocities.
        dae.residual(end, &self.trial, &self.a, &mut self.residual)?;
        dae.constraints(&mut self.rows);
        self.project(alpha, false)?;
        dae.rates(&self.a, &self.trial_lambda, &mut self.rates[1], &mut self.quadratures[1]);
        Ok(self.assess(dae, tolerances))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.controller.passed(self.step, error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.controller.failed(self.step, error)
    }

    fn refresh(&mut self, _ode: &mut dyn Ode) -> Result<(), Fault> {
        Ok(())
    }

    fn accept(&mut self, t: f64) {
        self.time = t;
        std::mem::swap(&mut self.state, &mut self.trial);
        self.rates.swap(0, 1);
        self.quadratures.swap(0, 1);
        std::mem::swap(&mut self.lambda, &mut self.trial_lambda);
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn step(&self) -> f64 {
        self.step
    }

    fn state(&self) -> &[f64] {
        &self.state
    }

    fn trial(&self) -> &[f64] {
        &self.trial
    }

    fn trial_mut(&mut self) -> &mut [f64] {
        &mut self.trial
    }

    /// Cubic Hermite polynomial through states and rates at both ends: a third-order interpolant of a second-order
    /// method.
    fn degree(&self) -> usize {
        3
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (h, s) = (self.step, theta);
        let [w0, w1] = [(1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * s * (3.0 - 2.0 * s)];
        let [r0, r1] = [h * s * (1.0 - s) * (1.0 - s), h * s * s * (s - 1.0)];
        for (out, i) in out.iter_mut().zip(range) {
            *out = w0 * self.state[i] + w1 * self.trial[i] + r0 * self.rates[0][i] + r1 * self.rates[1][i];
        }
    }

    /// The trapezoidal rule, with the rates between the ends on a straight line.
    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let h = self.step;
        for (out, (q0, q1)) in out.iter_mut().zip(self.quadratures[0].iter().zip(&self.quadratures[1])) {
            *out = h * theta * (q0 + 0.5 * theta * (q1 - q0));
        }
    }

    fn rates(&self) -> &[f64] {
        &self.rates[0]
    }

    /// Rates of states and quadratures, then the multipliers.
    fn memory(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.controller.memory());
        out.extend_from_slice(&self.rates[0]);
        out.extend_from_slice(&self.quadratures[0]);
        out.extend_from_slice(&self.lambda);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let n = y.len();
        if memory.len() < 2 + n + quadratures {
            return Err(WrongMemory);
        }
        self.time = t;
        self.state = y.to_vec();
        self.trial = y.to_vec();
        self.controller.resume([memory[0], memory[1]]);
        let (rates, memory) = memory[2..].split_at(n);
        let (rates_of_quadratures, lambda) = memory.split_at(quadratures);
        self.rates[0] = rates.to_vec();
        self.quadratures[0] = rates_of_quadratures.to_vec();
        self.lambda = lambda.to_vec();
        Ok(())
    }

    fn projected(&self) -> f64 {
        self.projected
    }
}

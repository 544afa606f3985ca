use std::ops::Range;

use super::multipliers::MultiplierSolver;
use super::tangent::{Place, Tangent};
use super::{ConstraintRows, SecondOrderDae};
use crate::ode::{Assessment, BETA_DOPRI5, Controller, Fault, Motion, Ode, Stepper, Tolerances, WrongMemory};

/// Newton iterations before a step counts as failed.
const ITERATIONS: usize = 40;
/// Corrections of a projection, each against the rounding of those before.
const PROJECTIONS: usize = 6;
/// Violations that are met: positions, velocities, accelerations (SI). A tenth of what is promised.
const MET: [f64; 3] = [1e-11, 1e-10, 1e-8];
/// The last change of the displacement, as a share of it, with which Newton's method has arrived; and the change (m or rad)
/// at which it rests where rounding, which grows near singular positions, keeps it from less.
const ARRIVED: f64 = 1e-12;
const RESTS: f64 = 1e-8;
/// Displacement (m or rad) below which shares are taken of this.
const SMALLEST_SIZE: f64 = 1e-3;
/// T is factored anew, with the present Φ_q, while changes times the root of the penalty factor are larger than this: what
/// Φ_q has changed by counts with the penalty.
const STALE: f64 = 1e-2;
/// Changes that shrink by less than this, several times, ask for a new W.
const SLOW: f64 = 0.2;
const PATIENCE: usize = 3;
/// Eigenvalues of the constraints, in units of the mean mass, below which they do not know a direction.
const UNKNOWN: f64 = 1e-11;

/// Index-3 augmented Lagrangian formulation with the implicit trapezoidal rule and projections of velocities and
/// accelerations (Bayo & Ledesma 1996; Cuadrado et al., Multibody System Dynamics 12 (2004) 117–132; Dopico et al. 2010
/// section II).
///
/// Newton's method on f = h²/4 (M v̇ − Q + Φ_qᵀ (α Φ + λ*)) with the tangent T = M + h/2 C + h²/4 (Φ_qᵀ α Φ_q + K),
/// K = −∂(Q − M v̇)/∂q, C = −∂Q/∂v by differences of the residual, so that contacts and springs are in them. The
/// positions are those of the last state displaced by d, and v = 2 d/h − v_n, v̇ = 4 d/h² − 4 v_n/h − v̇_n. The
/// multipliers λ* grow in every iteration until the constraints hold; the published α Φ is the first direction in which
/// they do ([`MultiplierSolver`]), so that neither the penalty nor a singular position nearby decides whether they converge.
/// Velocities and accelerations are then projected with the same factors of T, and multipliers of their own, until
/// their constraints hold. The penalty is α = a · trace(M)/n · 4/h².
pub struct Ali3p {
    penalty: f64,
    controller: Controller,
    motion: Motion,
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
    /// The same of the step before, and its length; 0 after a restart.
    before: Vec<f64>,
    step_before: f64,
    /// Rate of the first quadrature at the start of the step before.
    flow_before: f64,
    /// λ* at both ends.
    lambda: Vec<f64>,
    trial_lambda: Vec<f64>,
    residual: Vec<f64>,
    work: Vec<f64>,
    probe: Vec<f64>,
    rows: ConstraintRows,
    tangent: Tangent,
    solver: MultiplierSolver,
    error: Vec<f64>,
    estimate: Vec<f64>,
    /// Kinetic energy that the projection of the velocities has added in the last attempt (J).
    projected: f64,
}

impl Ali3p {
    /// With the penalty factor a.
    pub fn new(penalty: f64) -> Self {
        Self {
            penalty,
            controller: Controller::new(3, BETA_DOPRI5),
            motion: Motion::default(),
            rates: Default::default(),
            quadratures: Default::default(),
            v0: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            d: Vec::new(),
            a0: Vec::new(),
            before: Vec::new(),
            step_before: 0.0,
            flow_before: 0.0,
            lambda: Vec::new(),
            trial_lambda: Vec::new(),
            residual: Vec::new(),
            work: Vec::new(),
            probe: Vec::new(),
            rows: ConstraintRows::default(),
            tangent: Tangent::default(),
            solver: MultiplierSolver::default(),
            error: Vec::new(),
            estimate: Vec::new(),
            projected: 0.0,
        }
    }

    fn resize(&mut self, states: usize, quadratures: usize, n: usize) {
        self.motion.resize(states);
        [&mut self.probe, &mut self.error].into_iter().for_each(|buffer| buffer.resize(states, 0.0));
        self.rates.iter_mut().for_each(|r| r.resize(states, 0.0));
        self.quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        for buffer in [
            &mut self.v0,
            &mut self.v,
            &mut self.a,
            &mut self.d,
            &mut self.a0,
            &mut self.before,
            &mut self.residual,
            &mut self.work,
            &mut self.estimate,
        ] {
            buffer.resize(n, 0.0);
        }
    }

    /// Velocities and accelerations that belong to the displacement, in the trial state.
    fn spread(&mut self, dae: &dyn SecondOrderDae) {
        let h = self.motion.step;
        for i in 0..self.d.len() {
            self.v[i] = 2.0 / h * self.d[i] - self.v0[i];
            self.a[i] = 4.0 / (h * h) * self.d[i] - 4.0 / h * self.v0[i] - self.a0[i];
        }
        dae.displace(&self.motion.state, &self.d, &mut self.motion.trial);
        dae.set_velocities(&self.v, &mut self.motion.trial);
    }

    /// W at the trial state; the residual there is known.
    fn weigh(&mut self, dae: &mut dyn SecondOrderDae, t: f64) -> Result<(), Fault> {
        let place = Place {
            time: t,
            step: self.motion.step,
            state: &self.motion.trial,
            velocity: &self.v,
            acceleration: &self.a,
            residual: &self.residual,
        };
        self.tangent.weigh(dae, &place)
    }

    /// T from W and the present Φ_q.
    fn factor(&mut self) -> Result<(), Fault> {
        self.tangent.factor(&self.rows, self.penalty * self.tangent.mean_mass())
    }

    /// Share of the effect of multipliers below which a direction counts as unknown.
    fn least_effect(&self) -> f64 {
        (UNKNOWN * self.penalty).min(0.1)
    }

    /// Newton's method on the displacement and the multipliers.
    fn solve_positions(&mut self, dae: &mut dyn SecondOrderDae, t: f64) -> Result<(), Fault> {
        let (scale, least) = (0.25 * self.motion.step * self.motion.step, self.least_effect());
        let (mut previous, mut slow, mut weighs) = (f64::INFINITY, 0, true);
        self.spread(dae);
        for _ in 0..ITERATIONS {
            dae.residual(t, &self.motion.trial, &self.a, &mut self.residual)?;
            dae.constraints(&mut self.rows);
            if weighs {
                self.tangent.fit(dae, &self.rows);
                self.weigh(dae, t)?;
                // The differences have moved it.
                dae.residual(t, &self.motion.trial, &self.a, &mut self.residual)?;
            }
            if weighs || previous * self.penalty.sqrt() > STALE {
                self.factor()?;
            }
            self.work.copy_from_slice(&self.residual);
            for (row, lambda) in self.trial_lambda.iter().enumerate() {
                self.rows.add_row(row, *lambda, &mut self.work);
            }
            self.work.iter_mut().for_each(|f| *f *= -scale);
            let rows = &self.rows;
            let missing =
                self.solver.solve(&mut self.tangent, rows, least, |row| -rows.violation[row], &mut self.work);
            // s (μ + Φ_q x) = h²/4 δλ with Φ_q x = −Φ.
            let alpha = self.tangent.scale() / scale;
            for (row, lambda) in self.trial_lambda.iter_mut().enumerate() {
                *lambda += alpha * (self.solver.multipliers[row] - rows.violation[row]);
            }
            let mut change = 0.0_f64;
            for (d, step) in self.d.iter_mut().zip(&self.work) {
                *d += step;
                change = change.max(step.abs());
            }
            if !(change + missing).is_finite() {
                return Err(Fault::NotConverged);
            }
            self.spread(dae);
            let worst = self.rows.violation.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = self.d.iter().fold(SMALLEST_SIZE, |m, x| m.max(x.abs()));
            let rests = change <= RESTS && change > 0.5 * previous;
            if worst <= MET[0] && (change <= ARRIVED * size || rests) {
                return Ok(());
            }
            slow = if change > SLOW * previous { slow + 1 } else { 0 };
            weighs = slow >= PATIENCE;
            slow = if weighs { 0 } else { slow };
            previous = change;
        }
        Err(Fault::NotConverged)
    }

    /// x with W (x − x*) + h²/4 Φ_qᵀ σ = 0 and Φ_q x = want, from x* on; of the velocities or of the accelerations.
    fn project(&mut self, of_velocity: bool) -> Result<(), Fault> {
        let least = self.least_effect();
        let met = if of_velocity { MET[1] } else { MET[2] };
        let rows = &self.rows;
        let want = if of_velocity { &rows.speed } else { &rows.acceleration };
        let x = if of_velocity { &mut self.v } else { &mut self.a };
        for _ in 0..PROJECTIONS {
            let fastest = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let missing = |row: usize| want[row] - rows.product(row, x);
            let worst = (0..rows.len()).fold(0.0_f64, |m, row| m.max(missing(row).abs()));
            if worst <= met * fastest {
                return Ok(());
            }
            self.work.fill(0.0);
            self.solver.solve(&mut self.tangent, rows, least, missing, &mut self.work);
            x.iter_mut().zip(&self.work).for_each(|(x, c)| *x += c);
        }
        Err(Fault::Recoverable)
    }

    /// Kinetic energy of the velocities at the state of the last residual (J).
    fn kinetic_energy(&self, dae: &mut dyn SecondOrderDae) -> f64 {
        let (v, mut sum) = (&self.v, 0.0);
        dae.mass(&mut |row, column, value| sum += value * v[row] * v[column]);
        0.5 * sum
    }

    /// Largest error over tolerance. Of positions from the distance to the predictor: q − q_pred = h³/4 q''', the error of
    /// the rule is −h³/12 q'''. Of velocities from differences of the accelerations, −h³/12 v''': it sees the stiff modes that the
    /// rule keeps alive with changing signs. After a restart there is only a first difference.
    fn assess(&mut self, dae: &mut dyn SecondOrderDae, tolerances: &Tolerances) -> Assessment {
        let passed = Assessment::PASSED;
        if tolerances.fixed_steps {
            return passed;
        }
        let (h, n) = (self.motion.step, self.d.len());
        for i in 0..n {
            let predicted = h * self.v0[i] + 0.5 * h * h * self.a0[i];
            self.estimate[i] = (self.d[i] - predicted) / 3.0;
        }
        self.filter_estimate(dae);
        // States beyond those of the freedoms go with them, or with time: none has an error of its own.
        self.probe.copy_from_slice(&self.motion.trial);
        dae.displace(&self.motion.trial, &self.work, &mut self.probe);
        for (error, (y, probe)) in self.error.iter_mut().zip(self.motion.trial.iter().zip(&self.probe)) {
            *error = probe - y;
        }
        let size = self.d.iter().fold(SMALLEST_SIZE, |m, x| m.max(x.abs()));
        // What Newton's method leaves of the displacement shows in differences of 4 d/h².
        let noise = 2.0 * ARRIVED * size / h;
        for i in 0..n {
            let forward = self.a[i] - self.a0[i];
            let error = if self.step_before > 0.0 {
                let backward = (self.a0[i] - self.before[i]) * h / self.step_before;
                h * h / (6.0 * (h + self.step_before)) * (forward - backward)
            } else {
                h / 6.0 * forward
            };
            self.estimate[i] = error.signum() * (error.abs() - noise).max(0.0);
        }
        // The stiff part, x/(1 + x)² for a mode with x = h C/(2 M): smooth motion is judged by its positions, and what rounding
        // leaves of accelerations near singular positions by nothing.
        self.filter_estimate(dae);
        self.estimate.copy_from_slice(&self.work);
        self.filter_estimate(dae);
        self.work.iter_mut().zip(&self.estimate).for_each(|(twice, once)| *twice = once - *twice);
        dae.set_velocities(&self.work, &mut self.error);
        let states = tolerances.assess(&self.error, &self.motion.state, &self.motion.trial);
        self.assess_quadrature(states, tolerances)
    }

    /// With the error of the trapezoidal rule on the first quadrature, −h³/12 f'' by differences, once there are two steps. Where motors give all the
    /// motion, states have no error, and the work of the motors alone says how long a step may be.
    fn assess_quadrature(&self, states: Assessment, tolerances: &Tolerances) -> Assessment {
        let [Some(&start), Some(&end)] = [0, 1].map(|k: usize| self.quadratures[k].first()) else {
            return states;
        };
        if self.step_before == 0.0 {
            return states;
        }
        let h = self.motion.step;
        let backward = (start - self.flow_before) * h / self.step_before;
        let error = h * h / (6.0 * (h + self.step_before)) * (end - start - backward);
        tolerances.assess_with_quadrature(states, error, 0.5 * h * (start.abs() + end.abs()))
    }

    /// Writes what counts of the estimate into `work`: T⁻¹ M of it, which leaves out what the step damps of modes too stiff to
    /// be followed (Hairer & Wanner II, IV.8), and nothing that crosses the constraints, which projections correct.
    fn filter_estimate(&mut self, dae: &mut dyn SecondOrderDae) {
        self.work.fill(0.0);
        let (estimate, weighed) = (&self.estimate, &mut self.work);
        dae.mass(&mut |row, column, value| weighed[row] += value * estimate[column]);
        let least = self.least_effect();
        self.solver.solve(&mut self.tangent, &self.rows, least, |_| 0.0, &mut self.work);
    }
}

impl Stepper for Ali3p {
    fn reserve(&mut self, _quadratures: usize) {}

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        let (states, quadratures) = (ode.dimension(), ode.quadratures());
        let n = ode.second_order().ok_or(Fault::Fatal)?.freedoms();
        self.resize(states, quadratures, n);
        self.motion.time = t;
        self.motion.step = 0.0;
        self.step_before = 0.0;
        self.motion.state.copy_from_slice(y);
        self.motion.trial.copy_from_slice(y);
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
        self.motion.step = h;
        let end = self.motion.time + h;
        dae.velocities(&self.motion.state, &mut self.v0);
        dae.velocities(&self.rates[0], &mut self.a0);
        self.motion.trial.copy_from_slice(&self.motion.state);
        for i in 0..self.d.len() {
            self.d[i] = h * self.v0[i] + 0.5 * h * h * self.a0[i];
        }
        dae.begin_step(h, &self.motion.state, &self.rates[0]);
        // States beyond those of the freedoms that follow functions of time: the trapezoidal rule on their rates.
        dae.residual(end, &self.motion.trial, &self.a0, &mut self.residual)?;
        dae.constraints(&mut self.rows);
        self.trial_lambda.clear();
        self.trial_lambda.extend_from_slice(&self.lambda);
        self.trial_lambda.resize(self.rows.violation.len(), 0.0);
        dae.rates(&self.a0, &self.trial_lambda, &mut self.rates[1], &mut self.quadratures[1]);
        for (trial, (state, (r0, r1))) in self
            .motion
            .trial
            .iter_mut()
            .zip(self.motion.state.iter().zip(self.rates[0].iter().zip(&self.rates[1])))
        {
            *trial = state + 0.5 * h * (r0 + r1);
        }
        self.solve_positions(dae, end)?;
        dae.residual(end, &self.motion.trial, &self.a, &mut self.residual)?;
        dae.constraints(&mut self.rows);
        // With the Φ_q of the end: times α, what it has changed by since the predictor would turn the projections.
        self.factor()?;
        let before = self.kinetic_energy(dae);
        self.project(true)?;
        self.projected = self.kinetic_energy(dae) - before;
        dae.set_velocities(&self.v, &mut self.motion.trial);
        // The accelerations' constraints are those of the projected velocities.
        dae.residual(end, &self.motion.trial, &self.a, &mut self.residual)?;
        dae.write_found(&mut self.motion.trial);
        dae.constraints(&mut self.rows);
        self.project(false)?;
        dae.rates(&self.a, &self.trial_lambda, &mut self.rates[1], &mut self.quadratures[1]);
        Ok(self.assess(dae, tolerances))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.controller.passed(self.motion.step, error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.controller.failed(self.motion.step, error)
    }

    fn refresh(&mut self, _ode: &mut dyn Ode) -> Result<(), Fault> {
        Ok(())
    }

    fn accept(&mut self, t: f64) {
        self.motion.accept(t);
        self.rates.swap(0, 1);
        self.quadratures.swap(0, 1);
        std::mem::swap(&mut self.lambda, &mut self.trial_lambda);
        std::mem::swap(&mut self.before, &mut self.a0);
        self.step_before = self.motion.step;
        self.flow_before = self.quadratures[1].first().copied().unwrap_or(0.0);
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    /// Cubic Hermite polynomial through states and rates at both ends: a third-order interpolant of a second-order
    /// method.
    fn degree(&self) -> usize {
        3
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (h, s) = (self.motion.step, theta);
        let [w0, w1] = [(1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * s * (3.0 - 2.0 * s)];
        let [r0, r1] = [h * s * (1.0 - s) * (1.0 - s), h * s * s * (s - 1.0)];
        for (out, i) in out.iter_mut().zip(range) {
            *out = w0 * self.motion.state[i]
                + w1 * self.motion.trial[i]
                + r0 * self.rates[0][i]
                + r1 * self.rates[1][i];
        }
    }

    /// The trapezoidal rule, with the rates between the ends on a straight line.
    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let h = self.motion.step;
        for (out, (q0, q1)) in out.iter_mut().zip(self.quadratures[0].iter().zip(&self.quadratures[1])) {
            *out = h * theta * (q0 + 0.5 * theta * (q1 - q0));
        }
    }

    fn rates(&self) -> &[f64] {
        &self.rates[0]
    }

    /// The step before with its accelerations and first quadrature, rates of states and quadratures, then the multipliers.
    fn memory(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.controller.memory());
        out.extend_from_slice(&[self.step_before, self.flow_before, self.before.len() as f64]);
        out.extend_from_slice(&self.before);
        out.extend_from_slice(&self.rates[0]);
        out.extend_from_slice(&self.quadratures[0]);
        out.extend_from_slice(&self.lambda);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let n = y.len();
        let freedoms = memory.get(4).map_or(0, |count| *count as usize);
        if memory.len() < 5 + freedoms + n + quadratures {
            return Err(WrongMemory);
        }
        self.motion.resize(n);
        self.motion.start(t, y);
        self.controller.resume([memory[0], memory[1]]);
        [self.step_before, self.flow_before] = [memory[2], memory[3]];
        let (before, memory) = memory[5..].split_at(freedoms);
        self.before = before.to_vec();
        let (rates, memory) = memory.split_at(n);
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

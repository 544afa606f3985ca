use std::ops::Range;

use super::tableau::{A, C, E, KINKS, dense_weights};
use crate::ode::{
    Assessment, BETA_DOPRI5, Controller, Fault, Kinks, Motion, Ode, Stepper, Tolerances, WrongMemory,
};

/// |λ| h that steps are held to: three quarters of the pair's stability limit on the negative real axis, 3.3.
const STABLE_REACH: f64 = 2.5;

/// Dormand–Prince 5(4). All buffers live here; a step allocates nothing.
#[derive(Clone, Debug)]
pub struct DormandPrince45 {
    controller: Controller,
    motion: Motion,
    stage: Vec<f64>,
    error: Vec<f64>,
    /// Derivatives of the states at the seven stages.
    k: [Vec<f64>; 7],
    /// Derivatives of the quadratures at the seven stages.
    kq: [Vec<f64>; 7],
}

impl Default for DormandPrince45 {
    fn default() -> Self {
        Self {
            controller: Controller::new(5, BETA_DOPRI5),
            motion: Motion::default(),
            stage: Vec::new(),
            error: Vec::new(),
            k: Default::default(),
            kq: Default::default(),
        }
    }
}

impl DormandPrince45 {
    /// Without a state; [`Stepper::restart`] gives it one.
    pub fn new() -> Self {
        Self::default()
    }

    /// At (t, y), where the rates of states and quadratures are these.
    pub(in crate::ode) fn go_on_from(&mut self, t: f64, y: &[f64], (dydt, dqdt): (&[f64], &[f64])) {
        self.motion.start(t, y);
        self.k[0].copy_from_slice(dydt);
        self.kq[0].copy_from_slice(dqdt);
    }

    /// Writes the rates of states and quadratures at the end of the last attempt.
    pub(in crate::ode) fn end_rates(&self, dydt: &mut [f64], dqdt: &mut [f64]) {
        dydt.copy_from_slice(&self.k[6]);
        dqdt.copy_from_slice(&self.kq[6]);
    }

    /// Takes them anew at this end.
    pub(in crate::ode) fn refresh_at(&mut self, ode: &mut dyn Ode, trial: &[f64]) -> Result<(), Fault> {
        self.motion.trial.copy_from_slice(trial);
        self.refresh(ode)
    }

    pub(in crate::ode) fn resize(&mut self, n: usize, q: usize) {
        self.motion.resize(n);
        [&mut self.stage, &mut self.error].into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        for (k, kq) in self.k.iter_mut().zip(&mut self.kq) {
            k.resize(n, 0.0);
            kq.resize(q, 0.0);
        }
    }

    fn weights_into(&self, theta: f64) -> [f64; 7] {
        dense_weights(theta).map(|w| self.motion.step * w)
    }
}

/// out = y + h Σ a_i k_i over the first `a.len()` stages, in stage order for every component.
fn combine(out: &mut [f64], y: &[f64], h: f64, a: &[f64], k: &[Vec<f64>]) {
    let n = out.len();
    match a {
        [a1] => {
            let k1 = &k[0][..n];
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i]);
            }
        }
        [a1, a2] => {
            let (k1, k2) = (&k[0][..n], &k[1][..n]);
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i] + a2 * k2[i]);
            }
        }
        [a1, a2, a3] => {
            let (k1, k2, k3) = (&k[0][..n], &k[1][..n], &k[2][..n]);
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i] + a2 * k2[i] + a3 * k3[i]);
            }
        }
        [a1, a2, a3, a4] => {
            let (k1, k2, k3, k4) = (&k[0][..n], &k[1][..n], &k[2][..n], &k[3][..n]);
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i] + a2 * k2[i] + a3 * k3[i] + a4 * k4[i]);
            }
        }
        [a1, a2, a3, a4, a5] => {
            let (k1, k2, k3, k4, k5) = (&k[0][..n], &k[1][..n], &k[2][..n], &k[3][..n], &k[4][..n]);
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i] + a2 * k2[i] + a3 * k3[i] + a4 * k4[i] + a5 * k5[i]);
            }
        }
        // The solution's own weight of stage two is zero.
        [a1, _, a3, a4, a5, a6] => {
            let (k1, k3, k4, k5, k6) = (&k[0][..n], &k[2][..n], &k[3][..n], &k[4][..n], &k[5][..n]);
            for i in 0..n {
                out[i] = y[i] + h * (a1 * k1[i] + a3 * k3[i] + a4 * k4[i] + a5 * k5[i] + a6 * k6[i]);
            }
        }
        _ => unreachable!("the tableau has seven stages"),
    }
}

impl Stepper for DormandPrince45 {
    fn reserve(&mut self, quadratures: usize) {
        for kq in &mut self.kq {
            kq.reserve(quadratures.saturating_sub(kq.len()));
        }
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.motion.start(t, y);
        ode.rhs(t, y, &mut self.k[0], &mut self.kq[0])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.motion.step = h;
        for s in 1..6 {
            combine(&mut self.stage, &self.motion.state, h, &A[s][..s], &self.k);
            ode.rhs(self.motion.time + C[s] * h, &self.stage, &mut self.k[s], &mut self.kq[s])?;
        }
        combine(&mut self.motion.trial, &self.motion.state, h, &A[6], &self.k);
        ode.rhs(self.motion.time + h, &self.motion.trial, &mut self.k[6], &mut self.kq[6])?;
        let [k1, _, k3, k4, k5, k6, k7] = &self.k;
        for (i, error) in self.error.iter_mut().enumerate() {
            *error =
                h * (E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i] + E[6] * k7[i]);
        }
        ode.filter_error(&self.motion.trial, &mut self.error);
        let mut states = tolerances.assess(&self.error, &self.motion.state, &self.motion.trial);
        // Stages six and seven are both at the end of the step.
        states.stiffness = tolerances.stiffness(h, [&self.stage, &self.motion.trial], [k6, k7]);
        if tolerances.quadrature.is_none() {
            return Ok(states);
        }
        let terms = self.kq.iter().zip(E).map(|(k, e)| h * e * k[0]);
        let (error, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        Ok(tolerances.assess_with_quadrature(states, error, size))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.controller.passed(self.motion.step, error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.controller.failed(self.motion.step, error)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        ode.rhs(self.motion.end(), &self.motion.trial, &mut self.k[6], &mut self.kq[6])
    }

    fn accept(&mut self, t: f64) {
        self.motion.accept(t);
        self.k.swap(0, 6);
        self.kq.swap(0, 6);
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn degree(&self) -> usize {
        4
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let w = self.weights_into(theta);
        let [k1, _, k3, k4, k5, k6, k7] = &self.k;
        for (out, i) in out.iter_mut().zip(range) {
            *out = self.motion.state[i]
                + (w[0] * k1[i] + w[2] * k3[i] + w[3] * k4[i] + w[4] * k5[i] + w[5] * k6[i] + w[6] * k7[i]);
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let w = self.weights_into(theta);
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.kq.iter().zip(w).map(|(k, w)| w * k[i]).sum();
        }
    }

    fn kinks(&self) -> Option<Kinks> {
        Some(KINKS)
    }

    fn renumber_quadratures(&mut self, old: &[Option<usize>]) {
        let [first, others @ ..] = &mut self.kq;
        let spare = &mut others[0];
        spare.clear();
        spare.extend(old.iter().map(|place| place.map_or(0.0, |place| first[place])));
        std::mem::swap(first, spare);
        others.iter_mut().for_each(|kq| kq.resize(old.len(), 0.0));
    }

    fn stable_reach(&self) -> f64 {
        STABLE_REACH
    }

    fn rates(&self) -> &[f64] {
        &self.k[0]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.controller.memory());
        out.extend_from_slice(&self.k[0]);
        out.extend_from_slice(&self.kq[0]);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let n = y.len();
        if memory.len() != 2 + n + quadratures {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.motion.start(t, y);
        self.controller.resume([memory[0], memory[1]]);
        self.k[0].copy_from_slice(&memory[2..2 + n]);
        self.kq[0].copy_from_slice(&memory[2 + n..]);
        Ok(())
    }
}

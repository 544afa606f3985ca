//! Velocities that a step leads to without contacts.

use super::{Stepping, attempt::Refusal, faults, velocities};
use crate::mechanics::workspace::{Direction, Response, ResponseBuffers};
use crate::outcome::RunError;
use crate::run::{Simulation, failure};

/// Iterations where forces depend on velocities, the change at which they end, over the largest velocity, and the change that is
/// taken where they do not come to that.
const ITERATIONS: usize = 40;
const SETTLED: f64 = 1e-14;
const LOOSE: f64 = 1e-9;
/// Least share of a step of Newton's method, and the decrease of what is left that a share of it must have.
const LEAST_SHARE: f64 = 1.0 / 1024.0;
const DECREASE: f64 = 1e-4;

/// How freedoms resist, and buffers.
#[derive(Default)]
pub(super) struct Resisting {
    /// By freedom: h/2 c at the velocities found (kg or kg m²).
    resistance: Vec<f64>,
    /// Is any of them more than zero?
    is_any: bool,
    direction: Direction,
    response: Response,
    buffers: ResponseBuffers,
    /// Velocities that a step of Newton's method starts from, the step, its share that is tried, and what was left at its start.
    base: Vec<f64>,
    step: Vec<f64>,
    share: f64,
    left: f64,
    /// The velocities that were found, and efforts along freedoms there.
    found: Vec<f64>,
    efforts: Vec<f64>,
    corrections: usize,
}

/// Times that velocities are corrected by what forces do at those with contacts, and the change over the largest velocity at which that ends: inertia needs a few, dampers beside
/// what contacts hold some more, for which a larger change is small enough.
const CORRECTIONS: usize = 12;
const CORRECTED: f64 = 1e-9;
const FEW: usize = 3;
const NEARLY_CORRECTED: f64 = 1e-6;

/// v = v⁻ + h M⁻¹ f in the middle of the step: at the mean of v⁻ and v, as the midpoint rule has it. Forces of dampers, servos and friction along
/// joints may change much within a step, and are found by Newton's method with (M + h/2 C)⁻¹ M for its slopes; all others by iteration. Until
/// [`end_resistance`] impulses move the bodies against M + h/2 C, too: a joint that is braked would else give way to contacts as if it were not.
pub(super) fn find(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    middle: f64,
    h: f64,
) -> Result<Option<Refusal>, RunError> {
    work.unloaded.copy_from_slice(&work.old);
    if !work.depends_on_velocity {
        accelerate(run, work, middle)?;
        for (free, (old, rate)) in work.unloaded.iter_mut().zip(work.old.iter().zip(&work.change)) {
            *free = old + h * rate;
        }
        return Ok(None);
    }
    let mut resisting = std::mem::take(&mut work.resisting);
    resisting.begin(&work.old);
    let result = iterate(run, work, &mut resisting, (middle, h));
    resisting.corrections = 0;
    resisting.found.clone_from(&work.unloaded);
    resisting.efforts.clone_from(&run.evaluator.workspace.mechanism.efforts);
    if resisting.is_any {
        run.evaluator.workspace.mechanism.tree.resist(Some(&resisting.resistance));
    }
    work.resisting = resisting;
    result
}

/// Corrects the velocities without contacts by what forces that are not along joints do at the mean of v⁻ and of v⁺ with contacts, where they were taken
/// at the mean with none: those of inertia, whose axes turn with the bodies, and dampers between bodies and drag, which at rest would push for ever. M̃ (v − v_found) = h (M a₂ − e₂ − M a₁ + e₁), with M̃ = M + h/2 C and
/// efforts e along joints, which C has already. What rolls and precesses is of second order so, and impulses on bodies that tumble exchange the
/// energy that is booked. False where that changes nothing any more; bodies move with v⁺ then.
pub(super) fn correct(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    middle: f64,
    h: f64,
) -> Result<bool, RunError> {
    let mut resisting = std::mem::take(&mut work.resisting);
    let presses = work.impulses.iter().any(|impulse| impulse.iter().any(|r| *r != 0.0));
    let result = if work.depends_on_velocity && presses && resisting.corrections < CORRECTIONS {
        resisting.correct(run, work, middle, h)
    } else {
        Ok(false)
    };
    work.resisting = resisting;
    result
}

/// Has bodies resist by their inertia alone again.
pub(super) fn end_resistance(run: &mut Simulation<'_>, work: &Stepping) {
    if work.resisting.is_any {
        run.evaluator.workspace.mechanism.tree.resist(None);
    }
}

fn iterate(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    resisting: &mut Resisting,
    (middle, h): (f64, f64),
) -> Result<Option<Refusal>, RunError> {
    let (mut before, mut last) = (f64::INFINITY, (0, 0.0));
    for iteration in 0..ITERATIONS {
        match accelerate(run, work, middle) {
            // What has grown without bound on the way is no state of the model.
            Err(_) if iteration > 0 => break,
            result => result?,
        }
        resisting.resist(run, 0.5 * h);
        let Some((freedom, moved, largest)) = resisting.advance(run, work, h) else { continue };
        last = (freedom, moved / largest);
        if moved <= SETTLED * largest {
            return Ok(None);
        }
        let is_lost = !resisting.is_any && iteration > ITERATIONS / 4 && moved > before;
        if is_lost && moved > LOOSE * largest {
            break;
        }
        before = moved;
    }
    let (freedom, change) = last;
    let is_found = change <= LOOSE;
    Ok((!is_found).then(|| Refusal::Unsolved(faults::of_velocities(run, freedom, change))))
}

/// Writes the accelerations at the mean of old and free velocities into `change`.
fn accelerate(run: &mut Simulation<'_>, work: &mut Stepping, middle: f64) -> Result<(), RunError> {
    let Stepping { change, old, unloaded, .. } = work;
    change
        .iter_mut()
        .zip(old.iter().zip(&*unloaded))
        .for_each(|(mean, (old, new))| *mean = 0.5 * (old + new));
    accelerate_at_mean(run, work, middle)
}

/// The same at the mean velocities in `change`.
fn accelerate_at_mean(run: &mut Simulation<'_>, work: &mut Stepping, middle: f64) -> Result<(), RunError> {
    let system = run.system.clone();
    velocities::write(&system.mechanics, &work.change, &mut work.state);
    run.evaluator.evaluations += 1;
    if run.evaluator.accelerate(middle, &work.state, &mut run.rates).is_err() {
        return Err(failure::of_right_hand_side(run));
    }
    velocities::read(&system.mechanics, &run.rates, &mut work.change);
    Ok(())
}

impl Resisting {
    fn begin(&mut self, old: &[f64]) {
        self.resistance.resize(old.len(), 0.0);
        self.step.resize(old.len(), 0.0);
        self.base.clear();
        self.base.extend_from_slice(old);
        (self.is_any, self.share, self.left) = (false, 0.0, f64::INFINITY);
    }

    /// Takes h/2 c where the evaluator is.
    fn resist(&mut self, run: &Simulation<'_>, half: f64) {
        self.is_any = run.evaluator.workspace.write_resistance(&mut self.resistance);
        self.resistance.iter_mut().for_each(|c| *c *= half);
    }

    /// Goes on from the free velocities, whose accelerations are in `change`. Returns the freedom whose velocity has changed most, by how much,
    /// and the largest velocity; nothing where a shorter share of the last step is tried.
    fn advance(
        &mut self,
        run: &mut Simulation<'_>,
        work: &mut Stepping,
        h: f64,
    ) -> Option<(usize, f64, f64)> {
        for (k, image) in work.change.iter_mut().enumerate() {
            *image = work.old[k] + h * *image;
        }
        let left = work.change.iter().zip(&work.unloaded).map(|(image, v)| (image - v) * (image - v));
        let left = left.sum::<f64>().sqrt();
        let is_less = left <= (1.0 - DECREASE * self.share) * self.left;
        if self.is_any && !is_less && self.share > LEAST_SHARE {
            self.share *= 0.5;
            self.take_share(&mut work.unloaded);
            return None;
        }
        for (step, (image, v)) in self.step.iter_mut().zip(work.change.iter().zip(&work.unloaded)) {
            *step = image - v;
        }
        self.base.copy_from_slice(&work.unloaded);
        (self.share, self.left) = (1.0, left);
        if self.is_any {
            self.divide(run);
            self.take_share(&mut work.unloaded);
        } else {
            work.unloaded.copy_from_slice(&work.change);
        }
        let moved = |(most, size): (usize, f64), (k, step): (usize, &f64)| {
            if step.abs() > size || step.is_nan() { (k, step.abs()) } else { (most, size) }
        };
        let (freedom, size) = self.step.iter().enumerate().fold((0, 0.0), moved);
        Some((freedom, size, work.unloaded.iter().fold(0.0_f64, |m, v| m.max(v.abs()))))
    }

    fn correct(
        &mut self,
        run: &mut Simulation<'_>,
        work: &mut Stepping,
        middle: f64,
        h: f64,
    ) -> Result<bool, RunError> {
        let is_resisting = self.is_any;
        run.evaluator.workspace.mechanism.tree.resist(None);
        let Stepping { change, old, new, .. } = work;
        change.iter_mut().zip(old.iter().zip(&*new)).for_each(|(mean, (old, new))| *mean = 0.5 * (old + new));
        accelerate_at_mean(run, work, middle)?;
        let rates = work.change.iter().zip(self.found.iter().zip(&work.old));
        self.step.clear();
        self.step.extend(rates.map(|(rate, (found, old))| h * rate - (found - old)));
        let efforts = run.evaluator.workspace.mechanism.efforts.iter().zip(&self.efforts);
        let along = |(k, (now, then)): (usize, (&f64, &f64))| {
            let resistance = if is_resisting { self.resistance[k] } else { 0.0 };
            (k, resistance * self.step[k] + h * (now - then))
        };
        self.direction.clear();
        self.direction.efforts.extend(efforts.enumerate().map(along).filter(|(_, effort)| *effort != 0.0));
        if is_resisting {
            run.evaluator.workspace.mechanism.tree.resist(Some(&self.resistance));
        }
        self.respond_less(run);
        let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
        for (k, free) in work.unloaded.iter_mut().enumerate() {
            let corrected = self.found[k] + self.step[k];
            moved = moved.max((corrected - *free).abs());
            largest = largest.max(work.old[k].abs()).max(work.new[k].abs());
            *free = corrected;
        }
        self.corrections += 1;
        let enough = if self.corrections < FEW { CORRECTED } else { NEARLY_CORRECTED };
        let is_more = moved > enough * largest;
        if !is_more {
            velocities::put(&mut run.evaluator, &work.new, &mut work.state);
        }
        Ok(is_more)
    }

    /// Takes the answer to the direction from the step.
    fn respond_less(&mut self, run: &mut Simulation<'_>) {
        let Self { direction, response, buffers, step, .. } = self;
        let workspace = &mut run.evaluator.workspace;
        if !direction.efforts.is_empty() && workspace.prepare_responses(buffers) {
            workspace.respond(direction, buffers, response);
            for (freedom, rate) in &response.freedoms {
                step[*freedom] -= rate;
            }
        }
    }

    fn take_share(&self, velocities: &mut [f64]) {
        for (v, (base, step)) in velocities.iter_mut().zip(self.base.iter().zip(&self.step)) {
            *v = base + self.share * step;
        }
    }

    /// (M + h/2 C)⁻¹ M r = r − (M + h/2 C)⁻¹ (h/2 C) r of what is left, r, in `step`.
    fn divide(&mut self, run: &mut Simulation<'_>) {
        let Self { resistance, direction, step, .. } = self;
        direction.clear();
        let efforts = resistance.iter().zip(&*step).enumerate().filter(|(_, (c, _))| **c > 0.0);
        direction.efforts.extend(efforts.map(|(freedom, (c, r))| (freedom, c * r)));
        run.evaluator.workspace.mechanism.tree.resist(Some(resistance));
        self.respond_less(run);
        run.evaluator.workspace.mechanism.tree.resist(None);
    }
}

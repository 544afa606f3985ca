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
    /// The velocities that were found.
    found: Vec<f64>,
    /// Velocities that slopes were taken at last, efforts along freedoms there, and the way to them from those before.
    passed: Vec<f64>,
    efforts: Vec<f64>,
    moved: Vec<f64>,
    corrections: usize,
    /// What the last correction still changed, over the largest velocity, where it was the last one allowed; 0 where they have settled.
    pub(super) unsettled: f64,
}

/// Times that velocities are corrected by what forces do at those with contacts, and the change at which that ends, over the largest velocity or
/// what loads change velocities by in the step, which stays where bodies come to rest: inertia needs a few, dampers beside what contacts hold some
/// more, for which a larger change is small enough.
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
    (resisting.corrections, resisting.unsettled) = (0, 0.0);
    resisting.found.clone_from(&work.unloaded);
    resisting.passed.clone_from(&work.unloaded);
    resisting.efforts.clone_from(&run.evaluator.workspace.mechanism.efforts);
    resisting.moved.clear();
    resisting.moved.resize(work.old.len(), 0.0);
    if resisting.is_any {
        run.evaluator.workspace.mechanism.tree.resist(Some(&resisting.resistance));
    }
    work.resisting = resisting;
    result
}

/// Corrects the velocities without contacts by what forces do at the mean of v⁻ and of v⁺ with contacts, where they were taken at the mean with none:
/// inertia, whose axes turn with the bodies, dampers between bodies and drag, which at rest would push for ever, friction along joints, which turns
/// round. A step of Newton's method from v⁺: M̃ (v − v⁺) = M (v⁻ + h a⁺ − v⁺), with M̃ = M + h/2 C⁺. What rolls and precesses is of second order so, and
/// impulses on bodies that tumble exchange the energy that is booked. False where that changes nothing any more; bodies move with v⁺ then.
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
        run.evaluator.workspace.mechanism.tree.resist(None);
        let Stepping { change, old, new, .. } = work;
        change.iter_mut().zip(old.iter().zip(&*new)).for_each(|(mean, (old, new))| *mean = 0.5 * (old + new));
        accelerate_at_mean(run, work, middle)?;
        // At the slopes that v⁺ was found with, v stays where forces are what those slopes have made of them.
        self.step_from(run, work, h);
        let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
        for (k, free) in work.unloaded.iter().enumerate() {
            moved = moved.max((work.new[k] + self.step[k] - free).abs());
            let by_loads = (self.found[k] - work.old[k]).abs();
            largest = largest.max(work.old[k].abs()).max(work.new[k].abs()).max(by_loads);
        }
        self.corrections += 1;
        let enough = if self.corrections < FEW { CORRECTED } else { NEARLY_CORRECTED };
        let is_more = moved > enough * largest;
        self.unsettled = if is_more && self.corrections == CORRECTIONS { moved / largest } else { 0.0 };
        if is_more {
            self.take_slopes(run, work, h);
            self.step_from(run, work, h);
            let to = work.new.iter().zip(&self.step).map(|(v, step)| v + step);
            work.unloaded.iter_mut().zip(to).for_each(|(free, to)| *free = to);
        } else {
            velocities::put(&mut run.evaluator, &work.new, &mut work.state);
        }
        if self.is_any {
            run.evaluator.workspace.mechanism.tree.resist(Some(&self.resistance));
        }
        Ok(is_more)
    }

    /// The step from v⁺ by the accelerations in `change`.
    fn step_from(&mut self, run: &mut Simulation<'_>, work: &Stepping, h: f64) {
        let each = work.old.iter().zip(work.change.iter().zip(&work.new));
        self.step.clear();
        self.step.extend(each.map(|(old, (rate, new))| old + h * rate - new));
        if self.is_any {
            self.divide(run);
        }
    }

    /// Slopes at v⁺, where the evaluator is. Where a freedom turns back they are no less than those of the chord between the two velocities: beyond a
    /// kink, as dry friction has one, tangents lead from one side to the other for ever.
    fn take_slopes(&mut self, run: &Simulation<'_>, work: &Stepping, h: f64) {
        self.resist(run, 0.5 * h);
        let efforts = &run.evaluator.workspace.mechanism.efforts;
        for (k, resistance) in self.resistance.iter_mut().enumerate() {
            let moved = work.new[k] - self.passed[k];
            if moved * self.moved[k] < 0.0 {
                *resistance = resistance.max(h * (self.efforts[k] - efforts[k]) / moved);
            }
            self.moved[k] = moved;
        }
        // Of what is bounded on both sides the tangents are zero, and chords are not.
        self.is_any |= self.resistance.iter().any(|c| *c > 0.0);
        self.passed.copy_from_slice(&work.new);
        self.efforts.copy_from_slice(efforts);
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

//! Ends a step at an event with the full order of the method, not on the interpolant.

use carom_solvers::Fault;

use super::Simulation;
use super::{advance, failure, inside};
use crate::contact::patches::begin;
use crate::contact::rigid::{holding_function, is_located};
use crate::contact::{Transition, Upcoming, zero_function};
use crate::outcome::RunError;

/// Steps to the event before the best is taken: quadratic convergence from a fourth-order start needs two.
const CORRECTIONS: usize = 6;
/// Part of a step by which the slope of a force or a slip is found.
const FIRST_SHIFT: f64 = 1e-4;
/// Share of its largest value that a function has on both sides of a jump, and not where it is smooth, after corrections.
const JUMP: f64 = 1e-3;
/// Roundings of time within which a jump is located, and past which the step ends: what is decided there must not be by rounding.
const NARROW: f64 = 4096.0;

/// Repeats the step with the length that the dense output found and corrects it by Newton's method on
/// the gap until the end state has the new sign, or zero, to rounding (right-root rule, Neumayr & Otter 2017). Returns how far before the end the
/// event may lie (s), beside rounding; none if a shorter step has to come first: an implicit method finds no solution of the step to the event, or
/// what ends in it is a slip, or how an end or a corner lies, and it fails its error test.
pub(super) fn locate(run: &mut Simulation<'_>, upcoming: &Upcoming) -> Result<Option<f64>, RunError> {
    if matches!(
        upcoming.transition,
        Transition::Leave
            | Transition::Detach
            | Transition::Slip
            | Transition::Stick
            | Transition::Contradict
    ) {
        return locate_change(run, upcoming);
    }
    let longest = run.stepper.step();
    let mut after = upcoming.after;
    for round in 0..CORRECTIONS {
        if attempt(run, &mut after)?.is_none() {
            return Ok(None);
        }
        let point = begin::point_of(&run.evaluator, upcoming);
        let z = zero_function(&run.evaluator, upcoming.contact, upcoming.transition, &point);
        let arrived = match upcoming.transition {
            Transition::Close | Transition::BeginPatch => z <= 0.0,
            Transition::Open => z >= 0.0,
            // Their zero functions come without a rate; the interpolant's root stands.
            Transition::Release
            | Transition::Reengage
            | Transition::Hit
            | Transition::Regroup
            | Transition::Leave
            | Transition::Detach
            | Transition::Slip
            | Transition::Stick
            | Transition::Contradict => true,
        };
        let tick = f64::EPSILON * (run.stepper.time() + after);
        let rounding = 4.0 * (f64::EPSILON * point.operands + tick * point.approach.abs());
        let has_no_rate =
            !matches!(upcoming.transition, Transition::Close | Transition::BeginPatch | Transition::Open);
        if arrived && (z.abs() <= rounding || has_no_rate) || round + 1 == CORRECTIONS {
            break;
        }
        let correction = z / point.approach;
        // A grazing contact has no rate to divide by.
        if !correction.is_finite() || correction.abs() > 0.1 * longest {
            break;
        }
        // Past the zero by a tick rather than short of it.
        let next = after + correction + if arrived { 0.0 } else { 2.0 * tick };
        if next == after || next <= 0.0 || next > longest {
            break;
        }
        after = next;
    }
    Ok(Some(0.0))
}

/// A step of that length, whose end is settled: its error, none if a shorter one has to come first. What happens as a step begins, and so after one that time does not
/// resolve, is after the shortest that it does where an implicit method has no answer for less.
fn attempt(run: &mut Simulation<'_>, after: &mut f64) -> Result<Option<f64>, RunError> {
    let least = advance::smallest_step(run);
    let mut attempted = inside::attempt(run, *after);
    if *after < least && matches!(attempted, Err(Fault::NotConverged)) {
        *after = least;
        attempted = inside::attempt(run, least);
    }
    let error = match attempted {
        Ok(assessment) => assessment.error,
        Err(Fault::NotConverged) if *after < 2.0 * least => {
            return Err(failure::of_newton(run, *after));
        }
        Err(Fault::NotConverged) => {
            run.next_step = run.stepper.failed(f64::NAN).min(0.5 * *after);
            return Ok(None);
        }
        Err(_) => return Err(failure::of_right_hand_side(run)),
    };
    advance::settle(run, run.stepper.time() + *after)?;
    Ok(Some(error))
}

/// The same for what ends the hold of a rigid contact, whose function has no rate: by secants. Where it jumps, as the force of a ball does that
/// rolls over the border of a table, lengths are halved, and the step ends past the jump.
fn locate_change(run: &mut Simulation<'_>, upcoming: &Upcoming) -> Result<Option<f64>, RunError> {
    let longest = run.stepper.step();
    let mut after = upcoming.after;
    let mut change = SignChange::default();
    let (mut rounds, mut within) = (0, None);
    let error = loop {
        let Some(error) = attempt(run, &mut after)? else { return Ok(None) };
        rounds += 1;
        let Some(z) = value_at(run, upcoming, after).filter(|_| within.is_none()) else { break error };
        change.note(after, z);
        let secant = change.by_secant();
        if rounds < CORRECTIONS && secant > 0.0 && secant <= longest {
            after = secant;
            continue;
        }
        let Some([before, beyond]) = change.jump() else { break error };
        let narrow = NARROW * f64::EPSILON * (run.stepper.time() + after);
        after = 0.5 * (before + beyond);
        if beyond - before <= narrow {
            after = (beyond + narrow).min(longest);
            within = Some(after - before);
        }
    };
    // Where a slip ends its direction is that of what errors leave of it, and stages there have friction across the slip.
    // Where the lowest point of a rim is about to swing around stages have forces that the longer step, which went past that, had none of.
    let is_singular = matches!(upcoming.transition, Transition::Stick | Transition::Leave);
    let fails = error.is_nan() || error > 1.0;
    let strays = is_singular && fails && !advance::keeps_steps(run);
    if strays && after >= 2.0 * advance::smallest_step(run) {
        run.statistics.rejected += 1;
        run.next_step = run.stepper.failed(error).min(0.5 * after);
        return Ok(None);
    }
    Ok(Some(within.unwrap_or(0.0)))
}

/// Value of the function of a held contact at the end of the step that was attempted; none where it is zero to rounding.
fn value_at(run: &mut Simulation<'_>, upcoming: &Upcoming, after: f64) -> Option<f64> {
    let end = run.stepper.time() + after;
    run.evaluator.update(end, run.stepper.trial());
    let slot = run.evaluator.contacts.active.binary_search(&upcoming.contact).ok()?;
    let is_there = is_located(&run.evaluator, slot, upcoming.transition);
    (!is_there).then(|| holding_function(&run.evaluator, slot, upcoming.transition))
}

/// Where a function that falls through zero has been looked at.
#[derive(Default)]
struct SignChange {
    /// The last two lengths of the step, with its values, the later one first.
    last: [Option<(f64, f64)>; 2],
    /// Nearest lengths with a value above zero and with none.
    above: Option<(f64, f64)>,
    below: Option<(f64, f64)>,
    /// Largest value.
    largest: f64,
}

impl SignChange {
    fn note(&mut self, after: f64, z: f64) {
        self.last = [Some((after, z)), self.last[0]];
        self.largest = self.largest.max(z.abs());
        if z > 0.0 {
            let is_nearer = self.above.is_none_or(|(other, _)| other < after);
            self.above = if is_nearer { Some((after, z)) } else { self.above };
        } else {
            let is_nearer = self.below.is_none_or(|(other, _)| after < other);
            self.below = if is_nearer { Some((after, z)) } else { self.below };
        }
    }

    /// The next length by the last two.
    fn by_secant(&self) -> f64 {
        match self.last {
            [Some((after, z)), None] => after * (1.0 + FIRST_SHIFT.copysign(z)),
            [Some((after, z)), Some((before, z_before))] => after - z * (after - before) / (z - z_before),
            _ => f64::NAN,
        }
    }

    /// Lengths between which the function jumps through zero, if what is left on both sides has not become small.
    fn jump(&self) -> Option<[f64; 2]> {
        let ((before, above), (beyond, below)) = self.above.zip(self.below)?;
        let is_large = |z: f64| z.abs() > JUMP * self.largest;
        (before < beyond && is_large(above) && is_large(below)).then_some([before, beyond])
    }
}

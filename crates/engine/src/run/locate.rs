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

/// Repeats the step with the length that the dense output found and corrects it by Newton's method on
/// the gap until the end state has the new sign, or zero, to rounding (right-root rule, Neumayr & Otter 2017). False if a shorter one has to
/// come first: an implicit method finds no solution of the step to the event, or a slip ends in it and it fails its error test.
pub(super) fn locate(run: &mut Simulation<'_>, upcoming: &Upcoming) -> Result<bool, RunError> {
    let longest = run.stepper.step();
    let mut after = upcoming.after;
    let mut secant: Option<(f64, f64)> = None;
    let mut error = 0.0;
    for round in 0..CORRECTIONS {
        match inside::attempt(run, after) {
            Ok(assessment) => error = assessment.error,
            Err(Fault::NotConverged) if after < 2.0 * advance::smallest_step(run) => {
                return Err(failure::of_newton(run, after));
            }
            Err(Fault::NotConverged) => {
                run.next_step = run.stepper.failed(f64::NAN).min(0.5 * after);
                return Ok(false);
            }
            Err(_) => return Err(failure::of_right_hand_side(run)),
        }
        advance::settle(run, run.stepper.time() + after)?;
        if matches!(
            upcoming.transition,
            Transition::Leave | Transition::Detach | Transition::Slip | Transition::Stick
        ) {
            let Some(next) = correct_held(run, upcoming, after, &mut secant) else { break };
            if round + 1 == CORRECTIONS || next <= 0.0 || next > longest {
                break;
            }
            after = next;
            continue;
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
            | Transition::Stick => true,
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
    // Where a slip ends its direction is that of what errors leave of it, and stages there have friction across the slip.
    let strays = upcoming.transition == Transition::Stick && error > 1.0 && !advance::keeps_steps(run);
    if strays && after >= 2.0 * advance::smallest_step(run) {
        run.statistics.rejected += 1;
        run.next_step = run.stepper.failed(error).min(0.5 * after);
        return Ok(false);
    }
    Ok(true)
}

/// Part of a step by which the slope of a force or a slip is found.
const FIRST_SHIFT: f64 = 1e-4;

/// The next length of a step to a change of a rigid contact that is held, by secants: nothing tells the rate of its function. None
/// where the function is zero to rounding.
fn correct_held(
    run: &mut Simulation<'_>,
    upcoming: &Upcoming,
    after: f64,
    secant: &mut Option<(f64, f64)>,
) -> Option<f64> {
    let end = run.stepper.time() + after;
    run.evaluator.update(end, run.stepper.trial());
    let slot = run.evaluator.contacts.active.binary_search(&upcoming.contact).ok()?;
    if is_located(&run.evaluator, slot, upcoming.transition) {
        return None;
    }
    let z = holding_function(&run.evaluator, slot, upcoming.transition);
    let next = match secant.replace((after, z)) {
        None => after * (1.0 + FIRST_SHIFT.copysign(z)),
        Some((before, z_before)) => after - z * (after - before) / (z - z_before),
    };
    next.is_finite().then_some(next)
}

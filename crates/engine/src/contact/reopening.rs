//! Closed contacts that open, or whose force ends, inside an attempted step at whose end they are closed again: two events.
//!
//! A step resolves the motion of what it holds together: gaps and their rates at its ends tell where between them a look is
//! worth it, and nothing is looked at where they promise none.

use carom_solvers::Stepper;
use carom_solvers::extremum::{Sample, next_look};
use carom_solvers::root::find_right_root;

use super::observe::{gap_epsilon, zero_function};
use super::{Ahead, Evaluator, Observer, PointMotion, StepView, Transition, Upcoming};
use crate::record::ContactMode;

/// Looks at one contact for an opening.
const LOOKS: usize = 6;
/// Places between the ends of the step at which the force is predicted.
const PLACES: usize = 8;
/// Share of what the release function is at an end below which its prediction is worth a look.
const DOUBT: f64 = 0.1;

/// Gap and approach over a step, predicted from those at its ends: the cubic through gaps and rates.
struct Prediction {
    gaps: [f64; 2],
    /// By the share θ of the step.
    rates: [f64; 2],
}

impl Prediction {
    /// Gap and its rate by θ.
    fn at(&self, theta: f64) -> [f64; 2] {
        let ([g0, g1], [r0, r1]) = (self.gaps, self.rates);
        let (c2, c3) = (3.0 * (g1 - g0) - 2.0 * r0 - r1, 2.0 * (g0 - g1) + r0 + r1);
        [g0 + theta * (r0 + theta * (c2 + theta * c3)), r0 + theta * (2.0 * c2 + theta * 3.0 * c3)]
    }

    /// May the gap be above `least` between the ends? A gap that bends downwards stays below its tangents.
    fn may_exceed(&self, least: f64) -> bool {
        let ([g0, g1], [r0, r1]) = (self.gaps, self.rates);
        r0 > 0.0 && r1 < 0.0 && (g0 + r0).min(g1 - r1) > least
    }
}

impl Observer {
    /// The first change of a contact that is closed at both ends of the attempted step, whose end the evaluator is at.
    pub(super) fn find_reopening(
        &self,
        evaluator: &Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
        end: &PointMotion,
    ) -> Ahead {
        let memory = &evaluator.contacts.memory[contact];
        if memory.mode == ContactMode::Latched {
            return Ahead::Nothing;
        }
        let view = StepView::new(stepper, &self.step);
        let h = view.h;
        let over =
            Prediction { gaps: [memory.gap, end.gap], rates: [-memory.approach * h, -end.approach * h] };
        let change = |after: f64, transition| Ahead::Change(Upcoming { after, contact, transition });
        let mut first = Ahead::Nothing;
        if over.may_exceed(gap_epsilon(end))
            && let Some((at, gap)) = find_open_place(&view, evaluator, contact, &over, gap_epsilon(end))
        {
            let z = |after: f64| view.at(evaluator, contact, after).gap;
            first.take(change(find_right_root(z, 0.0, at * h, gap, false), Transition::Open));
        }
        if memory.mode == ContactMode::Closed {
            let release =
                |motion: &PointMotion| zero_function(evaluator, contact, Transition::Release, motion);
            let z = |after: f64| release(&view.at(evaluator, contact, after));
            let predicted = |k: usize| {
                let at = k as f64 / PLACES as f64;
                let [gap, rate] = over.at(at);
                (at, release(&PointMotion { gap, approach: -rate / h, ..PointMotion::NEVER }))
            };
            let [start, last] = [predicted(0).1, predicted(PLACES).1];
            let lowest = (1..PLACES).map(predicted).min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((at, value)) = lowest
                && value < DOUBT * start.min(last)
            {
                let value = z(at * h);
                if value < 0.0 {
                    first.take(change(find_right_root(z, 0.0, at * h, value, true), Transition::Release));
                }
            }
        }
        first
    }
}

/// A share of the step at which a contact is open, and its gap there.
fn find_open_place(
    view: &StepView<'_>,
    evaluator: &Evaluator<'_>,
    contact: usize,
    over: &Prediction,
    least: f64,
) -> Option<(f64, f64)> {
    let sample = |at: f64, gap: f64, rate: f64| Sample { at, value: gap, rate: Some(rate) };
    let mut samples = [sample(0.0, over.gaps[0], over.rates[0]); 2 + LOOKS];
    samples[1] = sample(1.0, over.gaps[1], over.rates[1]);
    for known in 2..samples.len() {
        let at = next_look(&samples[..known])?;
        let motion = view.at(evaluator, contact, at * view.h);
        if motion.gap > least {
            return Some((at, motion.gap));
        }
        let place = samples[..known].partition_point(|other| other.at < at);
        samples.copy_within(place..known, place + 1);
        samples[place] = sample(at, motion.gap, -motion.approach * view.h);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prediction_is_the_cubic() {
        let f = |x: f64| [1.0 - x * (2.0 - x * (3.0 - x)), -2.0 + x * (6.0 - 3.0 * x)];
        let over = Prediction { gaps: [f(0.0)[0], f(1.0)[0]], rates: [f(0.0)[1], f(1.0)[1]] };
        for x in [0.0, 0.2, 0.7, 1.0] {
            assert!((0..2).all(|k| (over.at(x)[k] - f(x)[k]).abs() < 1e-14));
        }
    }
}

//! Greatest normal forces, penetrations and pressures, located inside the steps: of every contact since it began, of every
//! pair and line their sums.
//!
//! Values at the ends of accepted steps count as they are. What a contact carries inside a step is asked for only where
//! they, and the mean that the impulse tells, promise more than what is known; such a look moves the two bodies of
//! the pair on the dense output and costs a fraction of a right-hand side. Rows that are recorded count too, so that none
//! can exceed its peak; the located peak is greater already.

use std::ops::Range;

use super::Simulation;
use super::frames;
use super::peak_search::{Purpose, SearchBuffers, Seeker, reserve_all};
use crate::contact::{Evaluator, Load, StepView};
use crate::mechanics::kinematics::BodyKinematics;
use crate::record::{ContactMode, Jump, LineTotals, PairTotals, Peak, Peaks};
use crate::system::PairTable;

/// The two bodies of a pair at the greatest pressure of an episode.
pub(super) type Moment = [BodyKinematics; 2];

/// What is known of the peaks beside the episodes' own, and buffers.
#[derive(Default)]
pub(super) struct PeakBook {
    /// By line, in the order in which the pairs name them.
    pub(super) lines: Vec<LineTotals>,
    line_of_pair: Vec<usize>,
    /// Start and length of the step at whose end the cables have the loads that are kept (s).
    pub(super) cable_step: [f64; 2],
    /// By contact, of areal ones that touch.
    pub(super) moments: Vec<Option<Moment>>,
    pub(super) buffers: SearchBuffers,
    /// Active slots pair by pair, those of a line together.
    pub(super) spans: Vec<Span>,
    touches: Vec<bool>,
}

/// The active contacts of a pair.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) line: usize,
    pub(super) pair: usize,
    pub(super) slots: Range<usize>,
}

/// Totals of a pair of which nothing is known.
pub(super) const UNTOUCHED: PairTotals = PairTotals {
    peaks: Peaks { force: NONE, penetration: NONE, pressure: NONE },
    least_force: Peak { value: f64::INFINITY, time: 0.0 },
    impulse_normal: 0.0,
    dissipated: 0.0,
    begins: 0,
    model_defect: 0.0,
    worst_jump: Jump { energy: 0.0, time: 0.0, triangle: None },
};
const NONE: Peak = Peak { value: 0.0, time: 0.0 };

impl PeakBook {
    pub(super) fn new(table: &PairTable) -> Self {
        let mut book = Self::default();
        book.grow(table);
        book
    }

    pub(super) fn line_of(&mut self, pair: usize) -> &mut LineTotals {
        &mut self.lines[self.line_of_pair[pair]]
    }

    /// The line of a pair.
    pub(super) fn line_index(&self, pair: usize) -> usize {
        self.line_of_pair[pair]
    }

    /// Makes room for the pairs and contacts of a table. What comes up later has not touched before.
    pub(super) fn grow(&mut self, table: &PairTable) {
        for info in &table.pair_info[self.line_of_pair.len()..] {
            let line = self.lines.iter().position(|line| line.name == info.line).unwrap_or_else(|| {
                let least_force = UNTOUCHED.least_force;
                self.lines.push(LineTotals { name: info.line.clone(), force: NONE, least_force });
                self.lines.len() - 1
            });
            self.line_of_pair.push(line);
        }
        self.moments.resize(table.contacts.len(), None);
        let most_of_a_pair = table.contacts.chunk_by(|a, b| a.pair == b.pair).map(<[_]>::len).max();
        self.buffers.make_room(most_of_a_pair.unwrap_or(0), table.pairs.len());
        reserve_all(&mut self.spans, table.pairs.len());
    }

    fn find_spans(&mut self, evaluator: &Evaluator<'_>) {
        self.spans.clear();
        let pair_of = |slot: usize| evaluator.table.contacts[evaluator.contacts.active[slot]].pair;
        let mut start = 0;
        let active = evaluator.contacts.active.len();
        while start < active {
            let pair = pair_of(start);
            let end = (start + 1..active).find(|&slot| pair_of(slot) != pair).unwrap_or(active);
            self.spans.push(Span { line: self.line_of_pair[pair], pair, slots: start..end });
            start = end;
        }
        // Pairs have spans of their own: nothing is equal, and sorting takes no memory.
        self.spans.sort_unstable_by_key(|span| (span.line, span.pair));
    }
}

/// A least value, kept like a greatest one.
pub(super) fn lower(least: &mut Peak, value: f64, time: f64) {
    if value < least.value {
        *least = Peak { value, time };
    }
}

/// Counts the state that the evaluator is at, at an accepted time or a recorded one.
pub(super) fn note_loads(run: &mut Simulation<'_>, time: f64) {
    run.peaks.find_spans(&run.evaluator);
    seeker(run, 0.0, 0.0).note_all(time);
}

/// The same at a state from which the run goes on: forces may have jumped, and what is open carries nothing.
pub(super) fn note_fresh_loads(run: &mut Simulation<'_>, time: f64) {
    note_loads(run, time);
    let Simulation { peaks, totals, .. } = run;
    // A bit for each pair and line that has an active contact.
    peaks.touches.clear();
    peaks.touches.resize(totals.len() + peaks.lines.len(), false);
    for span in &peaks.spans {
        peaks.touches[span.pair] = true;
        peaks.touches[totals.len() + span.line] = true;
    }
    let least = totals.iter_mut().map(|t| &mut t.least_force);
    let least = least.chain(peaks.lines.iter_mut().map(|l| &mut l.least_force));
    least.zip(&peaks.touches).filter(|(_, touches)| !**touches).for_each(|(l, _)| lower(l, 0.0, time));
    keep_loads(run, 0.0);
    run.evaluator.contacts.memory.iter_mut().for_each(|memory| memory.lag = 0.0);
}

/// Locates the peaks of the attempted step from `start` to `end`, where the evaluator is. `run.growth` holds the growth
/// of the quadratures.
pub(super) fn note_peaks(run: &mut Simulation<'_>, start: f64, end: f64) {
    note_loads(run, end);
    let h = run.stepper.step();
    seeker(run, start, h).seek_all(Purpose::Locate);
    keep_loads(run, h);
}

/// May [`note_peaks`] look inside the attempted step, whose end the evaluator is at?
pub(super) fn may_peak_inside(run: &mut Simulation<'_>) -> bool {
    frames::update_growth(run);
    run.peaks.find_spans(&run.evaluator);
    let h = run.stepper.step();
    seeker(run, 0.0, h).seek_all(Purpose::Ask)
}

/// The loads where the evaluator is are those at the start of the next step.
fn keep_loads(run: &mut Simulation<'_>, lag: f64) {
    let evaluator = &mut run.evaluator;
    for (&contact, force) in evaluator.contacts.active.iter().zip(&evaluator.forces) {
        let memory = &mut evaluator.contacts.memory[contact];
        (memory.load_before, memory.lag) = (memory.load, lag);
        memory.load = Load::of(force);
        // What is open keeps its distance.
        if memory.mode != ContactMode::Open {
            (memory.gap, memory.approach) = (force.point.gap, force.point.approach);
        }
    }
}

fn seeker<'r, 'a>(run: &'r mut Simulation<'a>, start: f64, h: f64) -> Seeker<'r, 'a> {
    let mut view = StepView::new(&*run.stepper, &run.observer.step);
    view.h = h;
    Seeker {
        evaluator: &mut run.evaluator,
        view,
        growth: &run.growth,
        totals: &mut run.totals,
        book: &mut run.peaks,
        looks: &mut run.statistics.looks,
        start,
    }
}

//! The search for peaks in one step.

use super::peak::{PeakBook, Span, lower};
use crate::contact::regions;
use crate::contact::{Evaluator, LEDGER_QUADRATURES, Load, LoadBuffers, QUADRATURES, STAGES, StepView, load};
use crate::record::PairTotals;
use carom_solvers::bumps::{Mark, next_bump};
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks for one quantity of a contact, or one sum, in one step at most, where it may have jumps; and of a smooth one.
const LOOKS: usize = 48;
const SMOOTH_LOOKS: usize = 24;
/// Quantities of a contact whose searches share their samples.
const QUANTITIES: usize = 4;
const SAMPLES: usize = 3 + STAGES + QUANTITIES * (1 + LOOKS);

/// Stages that near to an end of the step are of that end.
const AT_END: f64 = 1e-6;

/// Is a place θ inside the step?
fn is_inside(at: f64) -> bool {
    at > AT_END && at < 1.0 - AT_END
}

/// What a search is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To know whether it would look inside the step.
    Ask,
    /// To find the peaks.
    Locate,
}

/// The load of a target at a place θ in the step.
#[derive(Clone, Copy)]
struct Look {
    at: f64,
    load: Load,
    /// From a stage of the method, near the path of the step.
    is_hint: bool,
}

#[derive(Default)]
pub(super) struct SearchBuffers {
    samples: Vec<Look>,
    /// What the samples tell of the sought quantity.
    pub(super) known: Vec<Sample>,
    marks: Vec<Mark>,
    loads: Vec<Load>,
    motions: LoadBuffers,
    /// By pair: has it been looked at elsewhere?
    moved: Vec<bool>,
}

impl SearchBuffers {
    /// Makes room for so many pairs, of so many contacts each at most.
    pub(super) fn make_room(&mut self, contacts: usize, pairs: usize) {
        let Self { samples, known, marks, loads, motions, moved } = self;
        reserve_all(samples, SAMPLES);
        reserve_all(known, SAMPLES);
        reserve_all(marks, SAMPLES);
        reserve_all(loads, contacts);
        motions.reserve(contacts);
        moved.resize(pairs, false);
    }
}

/// Makes room for `len` entries in all.
pub(super) fn reserve_all<T>(buffer: &mut Vec<T>, len: usize) {
    buffer.reserve(len.saturating_sub(buffer.len()));
}

/// A step with all that a search changes. The evaluator is at its end.
pub(super) struct Seeker<'s, 'a> {
    pub(super) evaluator: &'s mut Evaluator<'a>,
    pub(super) view: StepView<'s>,
    /// Growth of the quadratures over the step.
    pub(super) growth: &'s [f64],
    pub(super) totals: &'s mut [PairTotals],
    pub(super) book: &'s mut PeakBook,
    pub(super) looks: &'s mut u64,
    /// Start of the step (s).
    pub(super) start: f64,
}

/// What is sought: the contact with a slot, or the sum of all; of a line that has no other active pairs, its sum too.
#[derive(Clone, Copy)]
struct Target<'t> {
    spans: &'t [Span],
    slot: Option<usize>,
    is_line: bool,
}

/// A quantity of a load, and the number of the branch that it is on.
#[derive(Clone, Copy)]
struct Sought {
    of: fn(&Load) -> f64,
    branch: fn(&Load) -> u32,
}

const FORCE: Sought = Sought { of: |load| load.force, branch: |load| load.branch.force };
const DEPTH: Sought = Sought { of: |load| load.depth, branch: |load| load.branch.depth };
const PRESSURE: Sought = Sought { of: |load| load.pressure, branch: |load| load.branch.pressure };

impl Seeker<'_, '_> {
    /// Counts the loads where the evaluator is.
    pub(super) fn note_all(&mut self, time: f64) {
        let spans = std::mem::take(&mut self.book.spans);
        let mut loads = std::mem::take(&mut self.book.buffers.loads);
        for line in spans.chunk_by(|a, b| a.line == b.line) {
            let mut sum = 0.0;
            for span in line {
                loads.clear();
                loads.extend(self.evaluator.forces[span.slots.clone()].iter().map(Load::of));
                sum += self.count(span, &loads, time, None);
            }
            self.count_line(line[0].line, sum, time);
        }
        self.book.buffers.loads = loads;
        self.book.spans = spans;
    }

    /// Counts the loads of a pair `after` seconds into the step, or where the evaluator is. Returns their sum.
    fn count(&mut self, span: &Span, loads: &[Load], time: f64, after: Option<f64>) -> f64 {
        let totals = &mut self.totals[span.pair];
        let mut sum = 0.0;
        for (slot, load) in span.slots.clone().zip(loads) {
            let contact = self.evaluator.contacts.active[slot];
            let peaks = &mut self.evaluator.contacts.memory[contact].peaks;
            peaks.force.raise(load.force, time);
            peaks.penetration.raise(load.depth, time);
            if peaks.pressure.raise(load.pressure, time) {
                let bodies = self.evaluator.table.pairs[span.pair].bodies;
                self.book.moments[contact] = Some(match after {
                    Some(after) => load::bodies_inside(self.evaluator, &self.view, bodies, after),
                    None => bodies.map(|body| self.evaluator.workspace.bodies[body]),
                });
            }
            totals.peaks.penetration.raise(load.depth, time);
            totals.peaks.pressure.raise(load.pressure, time);
            sum += load.force;
        }
        totals.peaks.force.raise(sum, time);
        lower(&mut totals.least_force, sum, time);
        sum
    }

    fn count_line(&mut self, line: usize, sum: f64, time: f64) {
        let totals = &mut self.book.lines[line];
        totals.force.raise(sum, time);
        lower(&mut totals.least_force, sum, time);
    }

    /// Seeks the peaks of all contacts, pairs and lines; returns whether it has looked, or would.
    pub(super) fn seek_all(&mut self, purpose: Purpose) -> bool {
        let spans = std::mem::take(&mut self.book.spans);
        let mut looked = false;
        for line in spans.chunk_by(|a, b| a.line == b.line) {
            for span in line {
                let target =
                    Target { spans: std::slice::from_ref(span), slot: None, is_line: line.len() == 1 };
                for slot in span.slots.clone() {
                    looked |= self.seek_contact(Target { slot: Some(slot), ..target }, purpose);
                }
                looked |= self.seek_sum(target, purpose);
            }
            if line.len() > 1 {
                looked |= self.seek_sum(Target { spans: line, slot: None, is_line: true }, purpose);
            }
        }
        for span in &spans {
            if std::mem::take(&mut self.book.buffers.moved[span.pair]) {
                load::return_areal(self.evaluator, span.pair);
                regions::return_regions(self.evaluator, self.evaluator.contacts.active[span.slots.start]);
            }
        }
        self.book.spans = spans;
        looked
    }

    /// Peaks of one contact.
    fn seek_contact(&mut self, target: Target<'_>, purpose: Purpose) -> bool {
        let Some(slot) = target.slot else { return false };
        let contact = self.evaluator.contacts.active[slot];
        let memory = &self.evaluator.contacts.memory[contact];
        let ends = [memory.load, Load::of(&self.evaluator.forces[slot])];
        let (before, r) = (memory.load_before, memory.lag / self.view.h);
        let known = memory.peaks;
        let is_of_meshes = self.evaluator.is_mesh_contact(contact);
        self.take_samples(target, is_of_meshes);
        let mut looked = false;
        if is_of_meshes {
            for (sought, known) in [(DEPTH, known.penetration.value), (PRESSURE, known.pressure.value)] {
                let of = sought.of;
                let [start, end] = ends.map(|l| of(&l));
                let first = if r > 0.0 {
                    Arc::of_three(of(&before), r, start, end).turn(known.max(start).max(end))
                } else {
                    // Nothing tells its bend: it is taken to rise no more than it changes.
                    (start.max(end) + (end - start).abs() > known && start != end).then_some(0.5)
                };
                looked |= self.seek_bumps(target, first, (sought, known), purpose);
            }
        } else {
            looked |= self.seek_turn(target, ends, known.penetration.value, purpose);
        }
        let known = known.force.value;
        let first = self.force_arc(target).turn(known.max(ends[0].force).max(ends[1].force));
        looked
            | if is_of_meshes {
                self.seek_bumps(target, first, (FORCE, known), purpose)
            } else {
                self.seek(target, first, FORCE.of, purpose)
            }
    }

    /// Both ends of the step; of meshes what hints at the course between them too.
    fn take_samples(&mut self, target: Target<'_>, with_hints: bool) {
        let Self { evaluator, book, view, start, .. } = self;
        let wanted = |slot: &usize| target.slot.is_none_or(|only| only == *slot);
        let slots = || target.spans.iter().flat_map(|span| span.slots.clone()).filter(wanted);
        let memory = |slot: usize| &evaluator.contacts.memory[evaluator.contacts.active[slot]];
        let sum = |of: &dyn Fn(usize) -> Load| {
            slots()
                .map(of)
                .reduce(|a, b| Load { force: a.force + b.force, branch: a.branch.with(b.branch), ..a })
                .unwrap_or_default()
        };
        let known = |at: f64, load: Load| Look { at, load, is_hint: false };
        let samples = &mut book.buffers.samples;
        samples.clear();
        let lag = slots().map(|slot| memory(slot).lag).fold(f64::INFINITY, f64::min);
        if with_hints && lag > 0.0 {
            samples.push(known(-lag / view.h, sum(&|slot| memory(slot).load_before)));
        }
        samples.push(known(0.0, sum(&|slot| memory(slot).load)));
        if with_hints {
            let hints = samples.len();
            let stages = evaluator.trail.stages().map(|(time, loads)| ((time - *start) / view.h, loads));
            samples.extend(stages.filter(|(at, _)| is_inside(*at)).map(|(at, loads)| Look {
                at,
                load: sum(&|slot| loads[slot]),
                is_hint: true,
            }));
            samples[hints..].sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
        }
        samples.push(known(1.0, sum(&|slot| Load::of(&evaluator.forces[slot]))));
    }

    /// Greatest and least sums.
    fn seek_sum(&mut self, target: Target<'_>, purpose: Purpose) -> bool {
        let slots = || target.spans.iter().flat_map(|span| span.slots.clone());
        let [line, pair] = [target.spans[0].line, target.spans[0].pair];
        let of_pair = target.spans.len() == 1;
        let (greatest, least) = if of_pair {
            (self.totals[pair].peaks.force, self.totals[pair].least_force)
        } else {
            (self.book.lines[line].force, self.book.lines[line].least_force)
        };
        let is_one = slots().nth(1).is_none();
        if is_one && least.value <= 0.0 {
            return false;
        }
        let is_of_meshes =
            slots().any(|slot| self.evaluator.is_mesh_contact(self.evaluator.contacts.active[slot]));
        self.take_samples(target, is_of_meshes);
        let samples = self.book.buffers.samples.iter().filter(|s| s.at == 0.0 || s.at == 1.0);
        let (low, high) = samples
            .fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s.load.force), high.max(s.load.force)));
        let arc = self.force_arc(target);
        let mut seek = |first, of: fn(&Load) -> f64, known| {
            if is_of_meshes {
                self.seek_bumps(target, first, (Sought { of, ..FORCE }, known), purpose)
            } else {
                self.seek(target, first, of, purpose)
            }
        };
        let mut looked = false;
        if !is_one {
            looked |= seek(arc.turn(greatest.value.max(high)), |l| l.force, greatest.value);
        }
        if least.value > 0.0 {
            looked |= seek(arc.mirrored().turn(-least.value.min(low)), |l| -l.force, -least.value);
        }
        looked
    }

    /// The force over the step, from its ends and the impulse.
    fn force_arc(&self, target: Target<'_>) -> Arc {
        let [mut start, mut mean, mut end] = [0.0; 3];
        let wanted = |slot: &usize| target.slot.is_none_or(|only| only == *slot);
        for slot in target.spans.iter().flat_map(|span| span.slots.clone()).filter(wanted) {
            let memory = &self.evaluator.contacts.memory[self.evaluator.contacts.active[slot]];
            start += memory.load.force;
            mean += self.growth[LEDGER_QUADRATURES + QUADRATURES * slot] / self.view.h;
            end += self.evaluator.forces[slot].normal;
        }
        Arc::of_mean(start, mean, end)
    }

    /// Greatest depth, whose rate is known: where it falls through zero.
    fn seek_turn(&mut self, target: Target<'_>, ends: [Load; 2], known: f64, purpose: Purpose) -> bool {
        let h = self.view.h;
        let [start, end] = ends;
        // No deeper than either end reaches at its speed: most oscillations at rest stay below the record.
        let bound = (start.depth + start.rate * h).max(end.depth - end.rate * h);
        if !(start.rate > 0.0 && end.rate < 0.0 && bound > known) {
            return false;
        }
        if purpose == Purpose::Ask {
            return true;
        }
        self.seek_on(target, |l| (l.depth, Some(l.rate * h)));
        true
    }

    /// Looks at a quantity that may have kinks and several maxima, above what is known of it, until no look promises more: from where what is
    /// known inside the step promises most, or from a first place on where that promises nothing and the method has no stages there.
    fn seek_bumps(
        &mut self,
        target: Target<'_>,
        first: Option<f64>,
        (sought, known): (Sought, f64),
        purpose: Purpose,
    ) -> bool {
        // Hints at stages have given way to looks for another quantity in their places; of a method without stages looks are all that is known.
        let samples = &self.book.buffers.samples;
        let knows_inside = samples.iter().any(|look| look.at > 0.0 && look.at < 1.0);
        let place = |time: f64| (time - self.start) / self.view.h;
        let has_stages = || self.evaluator.trail.stages().any(|(time, _)| is_inside(place(time)));
        let is_new = |at: &f64| samples.iter().all(|look| (look.at - at).abs() > AT_END);
        let first = first.filter(|at| !knows_inside || !has_stages() && is_new(at));
        let mut next = if knows_inside { self.next_bump(sought, known).or(first) } else { first };
        let looks = next.is_some();
        if purpose == Purpose::Ask {
            return looks;
        }
        for _ in 0..LOOKS {
            let Some(at) = next else { break };
            self.look(target, at);
            next = self.next_bump(sought, known);
        }
        looks
    }

    fn next_bump(&mut self, sought: Sought, known: f64) -> Option<f64> {
        let SearchBuffers { samples, marks, .. } = &mut self.book.buffers;
        marks.clear();
        let Sought { of, branch } = sought;
        marks.extend(samples.iter().map(|s| Mark {
            at: s.at,
            value: of(&s.load),
            branch: branch(&s.load),
            is_hint: s.is_hint,
        }));
        next_bump(marks, known)
    }

    /// Looks from a first place on until no look promises more.
    fn seek(
        &mut self,
        target: Target<'_>,
        first: Option<f64>,
        of: impl Fn(&Load) -> f64,
        purpose: Purpose,
    ) -> bool {
        let Some(first) = first else { return false };
        if purpose == Purpose::Ask {
            return true;
        }
        if self.book.buffers.samples.len() == 2 {
            self.look(target, first);
        }
        self.seek_on(target, |l| (of(l), None));
        true
    }

    /// Goes on from the samples of a quantity, of which the rate by θ may be known.
    fn seek_on(&mut self, target: Target<'_>, of: impl Fn(&Load) -> (f64, Option<f64>)) {
        for _ in 0..SMOOTH_LOOKS {
            let SearchBuffers { samples, known, .. } = &mut self.book.buffers;
            known.clear();
            known.extend(samples.iter().map(|look| {
                let (value, rate) = of(&look.load);
                Sample { at: look.at, value, rate }
            }));
            let Some(at) = next_look(known) else { break };
            self.look(target, at);
        }
    }

    /// Takes a sample of the target at θ, and counts it.
    fn look(&mut self, target: Target<'_>, at: f64) {
        let after = at * self.view.h;
        let time = self.start + after;
        let mut loads = std::mem::take(&mut self.book.buffers.loads);
        let mut total = Load::default();
        for span in target.spans {
            loads.clear();
            let motions = &mut self.book.buffers.motions;
            load::loads_inside(self.evaluator, &self.view, span.slots.clone(), after, motions, &mut loads);
            self.book.buffers.moved[span.pair] = true;
            *self.looks += loads.len() as u64;
            total.force += self.count(span, &loads, time, Some(after));
            total.branch = loads.iter().fold(total.branch, |branch, load| branch.with(load.branch));
            if let Some(slot) = target.slot {
                total = loads[slot - span.slots.start];
            }
        }
        if target.is_line {
            let sum: f64 =
                if target.slot.is_some() { loads.iter().map(|l| l.force).sum() } else { total.force };
            self.count_line(target.spans[0].line, sum, time);
        }
        self.book.buffers.loads = loads;
        let samples = &mut self.book.buffers.samples;
        let index = samples.partition_point(|other| other.at < at);
        let look = Look { at, load: total, is_hint: false };
        match samples.get_mut(index) {
            Some(hint) if hint.at == at => *hint = look,
            _ => samples.insert(index, look),
        }
    }
}

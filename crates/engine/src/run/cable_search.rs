//! Cables in an attempted step: a slack one is proven slack or the first time that it is taut is located; of a taut one
//! without elasticity, when its tension ends.

use carom_solvers::crossing::{First, Look, Resolution, find_first_crossing, least_above_chord};
use carom_solvers::root::find_right_root;

use super::Simulation;
use super::cable;
use super::cable::{CableChange, tension};
use super::cable_peak;
use crate::contact::{Evaluator, StepView};
use crate::mechanics::constraint::{cables, length_rate, path_of};
use crate::mechanics::workspace::{SLACKENING, TAUT};
use crate::mechanics::{CableData, ForceData};
use crate::outcome::RunError;
use crate::path::StepPath;
use crate::system::System;
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks at a cable in a step at most; what takes more shortens the step.
const LOOKS: u32 = 10_000;
/// Evaluations in a search for a tension that ends and returns.
const EVALUATIONS: usize = 10;

/// A cable that may go taut or slack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    /// Its force element.
    pub(super) force: usize,
    /// Its constraint group, unless it is elastic.
    pub(super) group: Option<usize>,
}

/// What a step brings a cable.
#[derive(Clone, Copy, Debug)]
pub(super) enum CableAhead {
    Nothing,
    Change(CableChange),
    /// Nothing is known of this force element so long after the start of the step (s).
    Unknown {
        after: f64,
        force: usize,
    },
}

impl CableAhead {
    /// When it comes (s), never if nothing does.
    pub(super) fn after(&self) -> f64 {
        match self {
            Self::Nothing => f64::INFINITY,
            Self::Change(change) => change.after,
            Self::Unknown { after, .. } => *after,
        }
    }
}

/// All cables of a model.
pub(super) fn watched(system: &System) -> Vec<Watched> {
    let group_of = |force| cables(&system.mechanics).find(|(_, of)| *of == force).map(|(group, _)| group);
    let is_cable = |force: &usize| matches!(system.mechanics.forces[*force], ForceData::Cable(_));
    let forces = (0..system.mechanics.forces.len()).filter(is_cable);
    forces.map(|force| Watched { force, group: group_of(force) }).collect()
}

/// A cable over an attempted step.
struct CableCourse<'a> {
    evaluator: &'a Evaluator<'a>,
    view: StepView<'a>,
    path: &'a StepPath,
    cable: &'a CableData,
    /// What the path is longer than the cable at the start, and rounding (m), of one that slackens: as it leaves the
    /// constraint it is on it to rounding, and its gap grows with the third power of time.
    excess: f64,
}

impl CableCourse<'_> {
    /// Length less path so long after the start of the step (m), and its rate.
    fn look(&self, after: f64) -> Look<()> {
        let theta = after / self.view.h;
        let (path, rate) = path_of(self.cable, |body| self.view.body_at(self.evaluator, body, theta));
        let paid_out = self.cable.paid_out.map_or(0.0, |state| self.view.state_at(state, theta));
        let length_rate = length_rate(self.cable, self.start() + after).value;
        let gap = self.cable.length + paid_out - path;
        Look { at: after, z: gap + self.excess, rate: length_rate - rate, seen: () }
    }

    fn start(&self) -> f64 {
        self.evaluator.workspace.time - self.view.h
    }

    /// What keeps the gap above its chord between two looks: the length of a segment whose ends move straight on is convex,
    /// and ends that do not leave their chords by an eighth of their acceleration times the time squared; so does the reel.
    fn bending(&self, from: f64, to: f64) -> f64 {
        let h = self.view.h;
        let anchor = |anchor: &crate::mechanics::Anchor| {
            self.path.point_acceleration(anchor.body, anchor.pose.translation.norm())
        };
        let segments =
            self.cable.path.windows(2).map(|ends| anchor(&ends[0]) + anchor(&ends[1])).sum::<f64>();
        let reel = self.cable.rate.as_ref().map_or(0.0, |rate| {
            let [least, greatest] = rate.range(self.start() + from, self.start() + to).rate;
            greatest.max(-least) * h * h
        });
        segments + reel
    }

    /// The first time that a cable which is slack at the start is taut.
    fn find_taut(&self, rounding: f64) -> First<()> {
        let resolution =
            Resolution { value: rounding, time: f64::EPSILON * self.evaluator.workspace.time, looks: LOOKS };
        let h = self.view.h;
        let mut least = |a: &Look<()>, b: &Look<()>| {
            least_above_chord(a.z.max(0.0), b.z, self.bending(a.at, b.at), (b.at - a.at) / h)
        };
        let ends = [self.look(0.0), self.look(h)];
        find_first_crossing(&mut |at| self.look(at), &mut least, ends[0], ends[1], resolution)
    }
}

/// What comes first to a cable in the attempted step, whose end it leaves the evaluator at.
pub(super) fn find_cable_change(run: &mut Simulation<'_>) -> Result<CableAhead, RunError> {
    if run.cables.is_empty() {
        return Ok(CableAhead::Nothing);
    }
    cable::evaluate_end(run)?;
    cable_peak::keep_tensions(run);
    let mut first = CableAhead::Nothing;
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        let found = match cable.group {
            Some(group) if run.evaluator.workspace.mechanism.holds[group] => find_slackening(run, group)?,
            _ => find_tightening(run, cable),
        };
        if found.after() < first.after() {
            first = found;
        }
    }
    Ok(first)
}

/// A slack cable that goes taut. An elastic one that pulls at the start goes on to.
fn find_tightening(run: &Simulation<'_>, watched: Watched) -> CableAhead {
    let Watched { force, group } = watched;
    let ForceData::Cable(cable) = &run.system.mechanics.forces[force] else {
        return CableAhead::Nothing;
    };
    let view = StepView::new(&*run.stepper, &run.observer.step);
    let path = &run.observer.step;
    let mut course = CableCourse { evaluator: &run.evaluator, view, path, cable, excess: 0.0 };
    let rounding = TAUT * run.evaluator.workspace.slack(force).1;
    let start = course.look(0.0);
    if group.is_none() && start.z <= rounding {
        return CableAhead::Nothing;
    }
    if start.rate >= -SLACKENING * (1.0 + start.rate.abs()) {
        course.excess = (rounding - start.z).max(0.0);
    }
    match course.find_taut(rounding) {
        First::None => CableAhead::Nothing,
        First::Unknown { from } => CableAhead::Unknown { after: from, force },
        First::Between { left, right } => {
            let after = find_right_root(|at| course.look(at).z, left, right.at, right.z, true);
            CableAhead::Change(CableChange { after, group, goes_taut: true })
        }
    }
}

/// A taut cable whose tension ends, also where it comes back within the step. Tensions are multipliers: nothing bounds
/// them, and the search goes where their values at the ends of this and the last step lead.
fn find_slackening(run: &mut Simulation<'_>, group: usize) -> Result<CableAhead, RunError> {
    let h = run.stepper.step();
    let memory = &run.evaluator.contacts.memory[run.peaks.contact_of_cable(group)];
    let (before, r, start) = (memory.load_before.force, memory.lag / h, memory.load.force);
    let end = tension(&run.evaluator, group);
    let first = if end < 0.0 {
        None
    } else if r > 0.0 {
        Arc::of_three(before, r, start, end).mirrored().turn(0.0)
    } else {
        (start.min(end) < (end - start).abs()).then_some(0.5)
    };
    let sample = |at, force: f64| Sample { at, value: -force, rate: None };
    let mut known = std::mem::take(&mut run.peaks.buffers.known);
    known.clear();
    known.extend([sample(0.0, start), sample(1.0, end)]);
    let (mut slackened, mut next) = ((end < 0.0).then_some((1.0, end)), first);
    for _ in 0..EVALUATIONS {
        let Some(at) = next.filter(|_| slackened.is_none()) else { break };
        let force = tension_inside(run, group, at * h)?;
        known.insert(known.partition_point(|other| other.at < at), sample(at, force));
        slackened = (force < 0.0).then_some((at, force));
        next = next_look(&known);
    }
    run.peaks.buffers.known = known;
    let mut found = CableAhead::Nothing;
    if let Some((at, force)) = slackened {
        let mut failed = None;
        let z = |after: f64| {
            tension_inside(run, group, after).unwrap_or_else(|error| {
                failed = Some(error);
                0.0
            })
        };
        let after = find_right_root(z, 0.0, at * h, force, true);
        if let Some(error) = failed {
            return Err(error);
        }
        found = CableAhead::Change(CableChange { after, group: Some(group), goes_taut: false });
    }
    if first.is_some() || slackened.is_some() {
        cable::evaluate_end(run)?;
    }
    Ok(found)
}

/// Tension so long after the start of the step (N), where the evaluator is afterwards.
pub(super) fn tension_inside(run: &mut Simulation<'_>, group: usize, after: f64) -> Result<f64, RunError> {
    let mut y = std::mem::take(&mut run.interpolated);
    run.stepper.interpolate(after / run.stepper.step(), 0..y.len(), &mut y);
    let evaluated = cable::evaluate(run, run.stepper.time() + after, &y);
    run.interpolated = y;
    evaluated?;
    Ok(tension(&run.evaluator, group))
}

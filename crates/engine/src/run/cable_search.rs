//! Cables in an attempted step: a slack one is proven slack or the first time that it is taut is located, and the other way round of
//! an elastic one; of a taut one without elasticity, when its tension ends.

use carom_solvers::crossing::{First, Look, Resolution, find_first_crossing, least_above_chord};
use carom_solvers::root::find_right_root;

use super::Simulation;
use super::cable;
use super::cable::{Cable, CableChange, tension};
use super::cable_peak;
use crate::contact::{Evaluator, Load, StepView};
use crate::mechanics::CableData;
use crate::mechanics::constraint::{length_rate, path_along, path_of};
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::workspace::{SLACKENING, TAUT};
use crate::outcome::RunError;
use crate::path::StepPath;
use carom_solvers::extremum::{Arc, Sample, next_look};

/// Looks at a cable in a step at most; what takes more shortens the step.
const LOOKS: u32 = 10_000;
/// Evaluations in a search for a tension that ends and returns.
const EVALUATIONS: usize = 10;

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

/// A cable over an attempted step.
struct CableCourse<'a> {
    evaluator: &'a Evaluator<'a>,
    view: StepView<'a>,
    path: &'a StepPath,
    cable: &'a CableData,
    /// What is followed until it is nothing: the slack of a cable that may go taut (1), the stretch of one that may go slack (-1).
    side: f64,
    /// What is added to that at the start, and rounding (m), where it grows: at an event it is nothing to rounding, and as a cable
    /// leaves its constraint the slack grows with the third power of time.
    excess: f64,
}

impl<'a> CableCourse<'a> {
    /// Of a cable of which nothing is known to be added.
    fn new(run: &'a Simulation<'_>, cable: &Cable, side: f64) -> Self {
        Self {
            evaluator: &run.evaluator,
            view: StepView::new(&*run.stepper, &run.observer.step),
            path: &run.observer.step,
            cable: cable::data_of(&run.system.mechanics, cable.force),
            side,
            excess: 0.0,
        }
    }

    /// Stretch so long after the start of the step (m), negative while it is slack, and its rate.
    fn stretch(&self, after: f64) -> [f64; 2] {
        let (path, rate) = path_of(self.cable, self.bodies(after));
        [path - self.length(after), rate - length_rate(self.cable, self.start() + after).value]
    }

    fn length(&self, after: f64) -> f64 {
        let theta = after / self.view.h;
        self.cable.length + self.cable.paid_out.map_or(0.0, |state| self.view.state_at(state, theta))
    }

    fn bodies(&self, after: f64) -> impl Fn(usize) -> BodyKinematics {
        move |body| self.view.body_at(self.evaluator, body, after / self.view.h)
    }

    fn look(&self, after: f64) -> Look<()> {
        let [stretch, rate] = self.stretch(after);
        Look { at: after, z: self.excess - self.side * stretch, rate: -self.side * rate, seen: () }
    }

    fn start(&self) -> f64 {
        self.evaluator.workspace.time - self.view.h
    }

    /// What keeps a gap above its chord between two looks: the length of a segment whose ends move straight on is convex, and what is
    /// seen of it along one direction linear; ends do not leave their chords by more than an eighth of their acceleration times the
    /// time squared; nor does the reel.
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

    /// Lower bound between two looks. The path is no shorter than what is seen of it along the directions of the first look.
    fn least(&self, a: &Look<()>, b: &Look<()>) -> f64 {
        let end = if self.side > 0.0 {
            b.z
        } else {
            path_along(self.cable, self.bodies(a.at), self.bodies(b.at)) - self.length(b.at) + self.excess
        };
        least_above_chord(a.z.max(0.0), end, self.bending(a.at, b.at), (b.at - a.at) / self.view.h)
    }

    /// The first time at which nothing is left of what is followed.
    fn find_end(&self, rounding: f64) -> First<()> {
        let resolution =
            Resolution { value: rounding, time: f64::EPSILON * self.evaluator.workspace.time, looks: LOOKS };
        let ends = [self.look(0.0), self.look(self.view.h)];
        let mut least = |a: &Look<()>, b: &Look<()>| self.least(a, b);
        find_first_crossing(&mut |at| self.look(at), &mut least, ends[0], ends[1], resolution)
    }
}

/// What comes first to a cable in the attempted step, whose end it leaves the evaluator at.
pub(super) fn find_cable_change(run: &mut Simulation<'_>) -> Result<CableAhead, RunError> {
    if run.cables.is_empty() {
        return Ok(CableAhead::Nothing);
    }
    evaluate_multipliers(run)?;
    cable_peak::keep_loads(run);
    let mut first = CableAhead::Nothing;
    for index in 0..run.cables.len() {
        let cable = run.cables[index];
        let found = match cable.group {
            Some(group) if cable.is_taut(&run.evaluator) => find_end_of_tension(run, index, group)?,
            _ => find_change(run, index),
        };
        if found.after() < first.after() {
            first = found;
        }
    }
    Ok(first)
}

/// Accelerations at the end of the attempted step, where a cable without elasticity needs them.
pub(super) fn evaluate_multipliers(run: &mut Simulation<'_>) -> Result<(), RunError> {
    let is_needed = run.cables.iter().any(|cable| cable.group.is_some());
    if is_needed { cable::evaluate_end(run) } else { Ok(()) }
}

/// A slack cable that goes taut, or an elastic one that goes slack.
fn find_change(run: &Simulation<'_>, index: usize) -> CableAhead {
    let cable = run.cables[index];
    let goes_taut = !cable.is_taut(&run.evaluator);
    let mut course = CableCourse::new(run, &cable, if goes_taut { 1.0 } else { -1.0 });
    let rounding = TAUT * run.evaluator.workspace.slack(cable.force).1;
    let start = course.look(0.0);
    if start.rate >= -SLACKENING * (1.0 + start.rate.abs()) {
        course.excess = (rounding - start.z).max(0.0);
    }
    match course.find_end(rounding) {
        First::None => CableAhead::Nothing,
        First::Unknown { from } => CableAhead::Unknown { after: from, force: cable.force },
        First::Between { left, right } => {
            let after = find_right_root(|at| course.look(at).z, left, right.at, right.z, true);
            CableAhead::Change(CableChange { after, cable: index, goes_taut })
        }
    }
}

/// What an elastic cable carries so long after the start of the attempted step.
pub(super) fn elastic_load(run: &Simulation<'_>, cable: &Cable, after: f64) -> Load {
    let course = CableCourse::new(run, cable, 1.0);
    let [stretch, rate] = course.stretch(after);
    Load { force: course.cable.tension(stretch, rate), depth: stretch.max(0.0), rate, ..Load::default() }
}

/// A taut cable whose tension ends, also where it comes back within the step. Tensions are multipliers: nothing bounds
/// them, and the search goes where their values at the ends of this and the last step lead.
fn find_end_of_tension(run: &mut Simulation<'_>, index: usize, group: usize) -> Result<CableAhead, RunError> {
    let h = run.stepper.step();
    let memory = &run.evaluator.contacts.memory[run.cables[index].contact];
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
        found = CableAhead::Change(CableChange { after, cable: index, goes_taut: false });
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

//! Time stepping with rigid contacts (Moreau 1988, Jean 1999): steps of a fixed length, without events.
//!
//! Positions go half a step with the old velocities v⁻, velocities take all impulses of the step there, and positions go on with the new
//! ones v⁺: M(v⁺ − v⁻) = h f + H r, q⁺ = q⁻ + h (v⁻ + v⁺)/2. Contacts that may close take part with their impulses r in the friction cone and
//! u_N⁺ + e u_N⁻ ≥ 0 ⟂ r_N ≥ 0, or, where nothing bounces, u_N⁺ ≥ −2 g/h at a gap g that is still open; what comes fast and stays is struck once (`landing`); `followed` takes velocities of contacts
//! that last at the end of the step. What is left of penetration goes by the least motion (Schindler & Acary 2014, the projection of the combined scheme), and is booked.
//!
//! `attempt` makes a step up to here, `positions` projects, `book` enters it into ledger, contacts and rows.

mod attempt;
mod book;
mod faults;
mod followed;
mod free;
mod gain;
mod kept;
mod landing;
mod passing;
mod positions;
mod reach;
mod shadowed;
mod velocities;

pub(super) use faults::of_immovable;

use carom_math::{Pose, Vec3};
use carom_solvers::friction::{BlockMatrix, Triple};

use super::archive::Archive;
use super::{Leave, Simulation, advance, cable, failure, frames, pieces, rated};
use attempt::Refusal;

use crate::Note;
use crate::contact::stepping::{Coupling, NearPoint, Touch};
use crate::mechanics::workspace::Direction;
use crate::model::SolverSettings;
use crate::outcome::RunError;
use crate::record::{ContactSample, Recorder, StepRow};
use crate::system::System;

/// A step that ends nearer to a multiple of the fixed step than this share of it ends there.
const GRID: f64 = 1e-6;
/// Times that a step is halved because its impulses were not found.
const TRIES: u64 = 6;
/// Share of the largest velocity by which a last correction may still change velocities untold.
const SETTLED: f64 = 1e-4;

/// What a run by time stepping has beside the rest. Sized as contacts come up.
#[derive(Default)]
pub(crate) struct Stepping {
    /// Do forces depend on velocities, so that free velocities are found by iteration?
    depends_on_velocity: bool,
    /// Impulses of the last step by contact and point, ascending, in world axes, and its length (s).
    warm: Vec<(usize, usize, Vec3)>,
    warm_step: f64,
    /// Points that took part in the last step, by contact, ascending, and its length (s).
    followed: Vec<followed::FollowedPoint>,
    followed_step: f64,
    /// By near point: what bodies that go on as they do change its velocity by until the end of the step, along its axes (m/s).
    ahead: Vec<Triple>,
    rates: Vec<followed::Rate>,
    /// By near point: the normal along which it pressed in the last step, if it did.
    pressed: Vec<Option<Vec3>>,
    /// Contacts that touch.
    pub(super) closed: Vec<usize>,
    /// Steps that were shortened, the first (s) and the shortest (s).
    pub(super) shortened: u64,
    pub(super) first_shortened: f64,
    pub(super) shortest: f64,
    /// Attempts whose impulses or positions were not found.
    unsolved: u64,
    /// Rows of the last step's contacts, where a frame asked for them.
    pub(super) samples: Vec<ContactSample>,
    /// Contacts that are stops or cables, with their forces or torques, of the same step.
    pub(super) efforts: Vec<(usize, f64)>,
    /// What contacts press on bodies with joints, mean values of the same step.
    pub(super) loads: Direction,
    /// Largest residual of a contact problem so far, and how many were not solved to the tolerance.
    residual: f64,
    loose: u64,
    /// Steps whose corrections did not take all penetration away, and the largest that stayed (m).
    left: (u64, f64),
    /// The largest penetration that steps ended with (m).
    deepest: f64,
    /// Steps whose forces that depend on velocities have not settled, and the largest change that their last correction still made, over
    /// the largest velocity.
    unsettled: (u64, f64),

    resisting: free::Resisting,
    coupling: Coupling,
    matrix: BlockMatrix,
    /// Points that may touch in the step, and those that take part, by their number among them.
    near: Vec<NearPoint>,
    /// Those that are found anew, and those that only corrections of positions come to.
    found: Vec<NearPoint>,
    beyond: Vec<NearPoint>,
    taking_part: Vec<usize>,
    points: Vec<NearPoint>,
    /// By near point: may it pass? And the state at the end of the step, where that is asked.
    passing: Vec<bool>,
    end_state: Vec<f64>,
    before: Vec<Triple>,
    free: Vec<Triple>,
    after: Vec<Triple>,
    impulses: Vec<Triple>,
    /// Impacts of this attempt, and of all steps, that keep less than their restitution, and the least share that one keeps.
    lessening: (u64, f64),
    lessened: (u64, f64),
    /// By near point: the share of its restitution that it keeps.
    restored: Vec<f64>,
    /// A near point of the island whose impulses were not found last.
    unanswered: Option<usize>,
    /// Islands whose impulses are not found keep none of their restitution: steps of no length have had an answer.
    yields: bool,
    /// What motors put in against these impulses (J).
    motors: f64,
    measured: Vec<NearPoint>,
    kept: Vec<kept::KeptPoint>,
    /// The state with the least penetration among those of a step's corrections.
    best: Vec<f64>,
    /// Contacts, ascending.
    bouncing: Vec<usize>,
    touches: Vec<Touch>,
    /// By freedom.
    old: Vec<f64>,
    unloaded: Vec<f64>,
    new: Vec<f64>,
    change: Vec<f64>,
    /// Of bodies before a correction of their positions.
    poses: Vec<Pose>,
    /// By body: how fast its surface moves at most (m/s), how far contacts are looked for, and how far it goes after the middle of the
    /// step (m).
    speed: Vec<f64>,
    reach: Vec<f64>,
    goes: Vec<f64>,
    /// By how much the loads of the step change how fast surfaces move, of bodies and at near points (m/s).
    by_loads: Vec<f64>,
    loaded: Vec<f64>,
    /// Kinetic energy before the step (J).
    kinetic: f64,
    state: Vec<f64>,
}

impl Stepping {
    pub(super) fn new(system: &System) -> Self {
        let mechanics = &system.mechanics;
        let is_round = |link: &crate::mechanics::tree::Link| {
            let inertia = &mechanics.bodies[link.body].inertia;
            let mean = inertia.trace() / 3.0;
            link.lone && (inertia - carom_math::Mat3::from_diagonal_element(mean)).amax() <= 1e-12 * mean
        };
        Self {
            depends_on_velocity: mechanics.is_mechanism
                || !mechanics.forces.is_empty()
                || !mechanics.links.iter().all(is_round),
            speed: vec![0.0; mechanics.bodies.len()],
            reach: vec![0.0; mechanics.bodies.len()],
            by_loads: vec![0.0; mechanics.bodies.len()],
            old: vec![0.0; mechanics.freedoms()],
            unloaded: vec![0.0; mechanics.freedoms()],
            new: vec![0.0; mechanics.freedoms()],
            change: vec![0.0; mechanics.freedoms()],
            ..Self::default()
        }
    }

    /// W0512, W0513, W0518, W0519, W0524 and N0604, where there is reason for them.
    pub(super) fn warnings(&self, system: &System) -> impl Iterator<Item = Note> {
        let Self {
            shortened,
            first_shortened,
            shortest,
            unsolved,
            loose,
            residual,
            left,
            lessened,
            unsettled,
            deepest,
            ..
        } = *self;
        let tolerance = system.settings.contact_tolerance;
        let short = (shortened > 0).then(|| {
            let why = match unsolved {
                0 => "bodies were so fast that they could have passed each other".to_owned(),
                _ => format!(
                    "bodies could have passed each other, or velocities or impulses were not found and those of half the step were sought ({})",
                    counted(unsolved, "time", "times")
                ),
            };
            let message = format!(
                "{}, the first at t = {first_shortened:.6e} s, the shortest to {shortest:.1e} s: {why}",
                counted(shortened, "step of moreau was shortened", "steps of moreau were shortened")
            );
            Note::new("W0512", message)
        });
        let inexact = (loose > 0).then(|| {
            let message = format!(
                "{} solved to a residual of {residual:.1e} at worst, where {:.0e} was aimed at: contacts that depend on each other and hardly slip",
                counted(loose, "contact problem was", "contact problems were"),
                tolerance
            );
            Note::new("W0513", message)
        });
        let overlapped = (left.0 > 0).then(|| {
            let message = format!(
                "at the end of {} a penetration of {:.1e} m stayed at worst, where {:.1e} m was aimed at: bodies that hardly have room",
                counted(left.0, "step of moreau", "steps of moreau"),
                left.1,
                positions::aim(system)
            );
            Note::new("W0518", message)
        });
        let lessened = (lessened.0 > 0).then(|| {
            let message = format!(
                "{} less than their law's restitution, {:.3} of it at least: with friction all of it would have added energy, or led nowhere (a wedge that locks itself)",
                counted(lessened.0, "impact kept", "impacts kept"),
                lessened.1
            );
            Note::new("W0519", message)
        });
        let unsettled = (unsettled.0 > 0).then(|| {
            let message = format!(
                "in {} forces that depend on velocities still changed these by {:.1e} of the largest when corrections ended: dampers too strong for the step beside what contacts hold",
                counted(unsettled.0, "step of moreau", "steps of moreau"),
                unsettled.1
            );
            Note::new("W0524", message)
        });
        let coarse = (tolerance > SolverSettings::DEFAULT.contact_tolerance).then(|| {
            let message = format!(
                "contacts were solved to contact_tolerance = {tolerance}: a residual of {residual:.1e} of the fastest contact at worst, and {deepest:.1e} m of penetration that corrections left"
            );
            Note::new("N0604", message)
        });
        short.into_iter().chain(inexact).chain(overlapped).chain(lessened).chain(unsettled).chain(coarse)
    }

    /// What a checkpoint holds of it.
    pub(super) fn visit(&mut self, archive: &mut Archive<'_>) {
        let mut numbers: Vec<f64> = Vec::new();
        for (contact, place, r) in &self.warm {
            numbers.extend([*contact as f64, *place as f64, r.x, r.y, r.z]);
        }
        archive.numbers(&mut numbers);
        let each = numbers.chunks_exact(5);
        self.warm = each.map(|n| (n[0] as usize, n[1] as usize, Vec3::new(n[2], n[3], n[4]))).collect();
        followed::visit(&mut self.followed, archive);
        let mut closed: Vec<f64> = self.closed.iter().map(|c| *c as f64).collect();
        archive.numbers(&mut closed);
        self.closed = closed.iter().map(|c| *c as usize).collect();
        archive.u64(&mut self.shortened);
        archive.u64(&mut self.unsolved);
        archive.u64(&mut self.loose);
        archive.u64(&mut self.left.0);
        archive.u64(&mut self.lessened.0);
        archive.u64(&mut self.unsettled.0);
        for value in [
            &mut self.warm_step,
            &mut self.followed_step,
            &mut self.first_shortened,
            &mut self.shortest,
            &mut self.residual,
            &mut self.deepest,
            &mut self.left.1,
            &mut self.lessened.1,
            &mut self.unsettled.1,
        ] {
            archive.f64(value);
        }
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Makes one accepted step: to the next multiple of the fixed step, to where a function of time jumps, or shorter where bodies are so
/// fast that they could pass each other.
pub(super) fn make_step(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    let mut work = run.stepping.take().unwrap_or_default();
    let start = run.stepper.time();
    let result = make_attempts(run, &mut work, recorder);
    if result.is_ok() && work.lessening.0 > 0 {
        let (count, least) = work.lessening;
        run.statistics.scaled_impacts += count;
        let so_far = if work.lessened.0 > 0 { work.lessened.1 } else { 1.0 };
        work.lessened = (work.lessened.0 + count, so_far.min(least));
    }
    let change = work.resisting.unsettled;
    if result.is_ok() && change > SETTLED {
        work.unsettled = (work.unsettled.0 + 1, work.unsettled.1.max(change));
    }
    run.stepping = Some(work);
    let (end, row) = result?;
    run.is_booking = true;
    book::record(run, recorder, start, end)?;
    run.evaluator.workspace.commit_angles();
    rated::note_speeds(run, end);
    run.evaluator.commit_searches(run.step_number + 1);
    failure::check_searches(run)?;
    run.stepper.accept(end);
    cable::follow(run, end);
    run.step_number += 1;
    run.statistics.steps += 1;
    if run.system.record_steps {
        run.timed(|_| recorder.step(&row))?;
    }
    if run.pieces.end_at(end) {
        pass_break(run, end)?;
    }
    run.next_step = run.system.settings.fixed_step().unwrap_or(end - start);
    frames::emit_events(run, recorder)
}

/// Attempts until one is taken; returns the end of the step and its row.
fn make_attempts(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
) -> Result<(f64, StepRow), Leave> {
    let (evaluations, rejected) = (run.evaluator.evaluations, run.statistics.rejected);
    let start = run.stepper.time();
    let whole = next_end(run)?;
    let mut end = whole;
    let mut unsolved = 0;
    work.yields = false;
    loop {
        if run.statistics.steps + run.statistics.rejected >= run.system.settings.max_steps {
            return Err(failure::of_step_count(run).into());
        }
        run.evaluator.culprit = None;
        run.evaluator.search.forget_fault();
        let Some(refusal) = attempt::attempt(run, work, recorder, end)? else { break };
        run.statistics.rejected += 1;
        end = start + 0.5 * (end - start);
        let is_least = end - start < advance::smallest_step(run);
        match refusal {
            Refusal::Passing(contact) if is_least => return Err(faults::of_passing(run, contact).into()),
            Refusal::Passing(_) => {}
            Refusal::Unsolved(error) if is_least || unsolved == TRIES => {
                if work.yields || !faults::is_of_impulses(&error) {
                    return Err(error.into());
                }
                work.yields = true;
                end = whole;
            }
            Refusal::Unsolved(_) => unsolved += 1,
        }
    }
    work.unsolved += unsolved;
    if end < whole {
        if work.shortened == 0 {
            (work.first_shortened, work.shortest) = (start, end - start);
        }
        work.shortened += 1;
        work.shortest = work.shortest.min(end - start);
    }
    let row = StepRow {
        time: end,
        step: end - start,
        error: 0.0,
        rejected: (run.statistics.rejected - rejected) as u32,
        rhs: (run.evaluator.evaluations - evaluations) as u32,
        contacts: work.closed.len() as u32,
    };
    Ok((end, row))
}

/// The next multiple of the fixed step, the end of the run, or where a function of time goes on otherwise.
fn next_end(run: &mut Simulation<'_>) -> Result<f64, RunError> {
    let now = run.stepper.time();
    let step = run.system.settings.fixed_step().unwrap_or(run.end - now);
    let count = (now / step + GRID).floor() + 1.0;
    let mut end = (count * step).min(run.end);
    if run.end - end < GRID * step {
        end = run.end;
    }
    let stop = pieces::find_stop(run, end - now)?;
    Ok(end.min(stop))
}

/// What a function of time does where its piece ends: speeds that it demands may jump.
fn pass_break(run: &mut Simulation<'_>, time: f64) -> Result<(), Leave> {
    let mut state = run.stepper.state().to_vec();
    pieces::pass_break(run, time, &mut state)?;
    let restarted = run.stepper.restart(&mut run.evaluator, time, &state);
    restarted.map_err(|_| failure::of_right_hand_side(run))?;
    forget_motion(run);
    Ok(())
}

/// Velocities are not those of the last step's end any more.
pub(super) fn forget_motion(run: &mut Simulation<'_>) {
    if let Some(stepping) = &mut run.stepping {
        stepping.followed.clear();
    }
}

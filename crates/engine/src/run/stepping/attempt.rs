//! One attempt of a step, from the state before it to that at its end.

use carom_solvers::friction::{BadProblem, FrictionProblem, Options, Solution, Triple};

use super::{
    Stepping, faults, followed, free, gain, landing, passing, positions, reach, shadowed, velocities,
};
use crate::contact::stepping::NearPoint;
use crate::contact::{Culprit, grow, state_accounts};
use crate::mechanics::states;
use crate::mechanics::tree::Link;
use crate::outcome::RunError;
use crate::record::Recorder;
use crate::run::{Leave, Simulation, Stop, failure, rigid};

/// Times that points are added which would penetrate without taking part.
const ROUNDS: usize = 12;
/// Approach in units of what loads change velocities by in a step, at the two bodies of a contact, below which it does not bounce.
pub(super) const REST: f64 = 2.0;
/// Share of the smaller of two bodies that their surfaces may move against each other in a step.
const TRAVEL: f64 = 0.5;
/// The largest residual of contact problems that is taken where the tolerance is not reached.
const LIMIT: f64 = 1e-5;

/// Why a step of this length is not taken.
pub(super) enum Refusal {
    /// The bodies of this contact could pass each other.
    Passing(usize),
    /// Velocities, impulses, or positions without penetration, were not found. Those of a shorter step are others.
    Unsolved(RunError),
}

/// Attempts a step up to `end`. The stepper's trial is its end, where the evaluator is; nothing else is committed.
pub(super) fn attempt(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
    end: f64,
) -> Result<Option<Refusal>, Leave> {
    let start = run.stepper.time();
    let h = end - start;
    let tolerances = &run.tolerances;
    let attempted = run.stepper.attempt(&mut run.evaluator, h, tolerances);
    attempted.map_err(|_| failure::of_right_hand_side(run))?;
    work.state.clear();
    work.state.extend_from_slice(run.stepper.state());
    let system = run.system.clone();
    let mechanics = &*system.mechanics;
    velocities::read(mechanics, &work.state, &mut work.old);
    velocities::displace(mechanics, &work.old, 0.5 * h, &mut work.state);
    let middle = start + 0.5 * h;
    velocities::displace_others(&run.evaluator, middle, 0.5 * h, &mut work.state);
    let found = find_velocities(run, work, recorder, (middle, h));
    free::end_resistance(run, work);
    if let Some(refusal) = found? {
        return Ok(Some(refusal));
    }
    travel(run, work, 0.5 * h);
    velocities::displace(mechanics, &work.new, 0.5 * h, &mut work.state);
    velocities::displace_others(&run.evaluator, middle, 0.5 * h, &mut work.state);
    velocities::write(mechanics, &work.new, &mut work.state);
    let is_lost = |link: &&Link| work.state[link.states()].iter().any(|value| !value.is_finite());
    if let Some(link) = mechanics.links.iter().find(is_lost) {
        run.evaluator.culprit = Some(Culprit::Body(link.body));
        return Err(failure::of_right_hand_side(run).into());
    }
    states::normalize(mechanics, &mut work.state);
    run.projected = landing::delay(run, work, h, end);
    if run.evaluator.workspace.mechanism.is_constrained() {
        let projected = run.evaluator.project(end, &mut work.state);
        run.projected += projected.map_err(|astray| rigid::of_astray(run, &astray))?.unwrap_or(0.0);
    }
    if let Err(error) = positions::settle(run, work, recorder, end) {
        return refuse(error);
    }
    run.stepper.trial_mut().copy_from_slice(&work.state);
    Ok(None)
}

/// Velocities that all loads and contacts lead to, where the evaluator is: in the middle of the step.
fn find_velocities(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
    (middle, h): (f64, f64),
) -> Result<Option<Refusal>, Leave> {
    if let Some(refusal) = free::find(run, work, middle, h)? {
        return Ok(Some(refusal));
    }
    reach::set(run, work, h);
    travel(run, work, 0.5 * h);
    reach::gather(run, work, recorder)?;
    loop {
        measure_velocities(run, work);
        followed::look_ahead(work, h);
        if let Some(contact) = too_fast(run, work, h, &[&work.before, &work.free]) {
            return Ok(Some(Refusal::Passing(contact)));
        }
        passing::find(run, work, h);
        if passing::meet_corners(run, work, h) {
            measure_velocities(run, work);
        }
        let touching = positions::TOLERANCE * run.system.scales.length;
        select(work, h, touching);
        shadowed::leave_out(run, work, touching);
        if let Err(error) = gain::solve_without_gain(run, work, h) {
            return refuse(error.into());
        }
        velocities::surface_speeds(&run.evaluator, &mut work.speed);
        if !reach::widen(run, work, recorder, h)? && !free::correct(run, work, middle, h)? {
            break;
        }
        remember(work, h);
    }
    let passing = too_fast(run, work, 0.5 * h, &[&work.after]);
    Ok(passing.map(Refusal::Passing))
}

/// What another length may mend is refused; all else ends the run.
fn refuse(leave: Leave) -> Result<Option<Refusal>, Leave> {
    match leave {
        Leave::Stop(Stop::Failed(error)) if faults::depends_on_length(&error) => {
            Ok(Some(Refusal::Unsolved(error)))
        }
        other => Err(other),
    }
}

/// Paths of the bodies in a half of the step. What an attempt that is not taken has travelled counts as well: it bounds all the same.
fn travel(run: &mut Simulation<'_>, work: &Stepping, time: f64) {
    run.observer.path.iter_mut().zip(&work.speed).for_each(|(path, speed)| grow(path, time * speed));
}

/// Velocities of near points before the step and without impulses.
fn measure_velocities(run: &mut Simulation<'_>, work: &mut Stepping) {
    velocities::put(&mut run.evaluator, &work.old, &mut work.state);
    velocities_at(run, &work.near, &mut work.before);
    work.kinetic = state_accounts(&run.evaluator).0.kinetic;
    velocities::put(&mut run.evaluator, &work.unloaded, &mut work.state);
    velocities_at(run, &work.near, &mut work.free);
    let Stepping { near, before, free, by_loads, loaded, .. } = work;
    let each = near.iter().zip(before.iter().zip(free.iter()));
    loaded.clear();
    loaded.extend(each.map(|(point, (before, free))| {
        point.bodies.iter().fold((free[0] - before[0]).abs(), |m, &body| m.max(by_loads[body]))
    }));
}

fn velocities_at(run: &Simulation<'_>, points: &[NearPoint], out: &mut Vec<Triple>) {
    out.clear();
    out.extend(points.iter().map(|point| point.velocity(&run.evaluator)));
}

/// A contact whose surfaces move so far against each other in such a time that they could pass.
fn too_fast(run: &Simulation<'_>, work: &Stepping, time: f64, velocities: &[&Vec<Triple>]) -> Option<usize> {
    let size = |u: &Triple| u.iter().map(|u| u * u).sum::<f64>().sqrt();
    let fastest = |k: usize| velocities.iter().map(|each| size(&each[k])).fold(0.0, f64::max);
    let passes = |(k, point): (usize, &NearPoint)| {
        let pair = &run.evaluator.table.pairs[run.evaluator.table.contacts[point.contact].pair];
        let (surfaces, _) = pair.source.surfaces()?;
        let sizes = surfaces.map(|s| run.system.surfaces[s].shape.smallest_length());
        let way = time * fastest(k);
        // What is farther apart does not meet; there the point in the middle of the gap turns with bodies that have no surface there.
        (way > TRAVEL * sizes[0].min(sizes[1]) && point.gap() <= way).then_some(point.contact)
    };
    work.near.iter().enumerate().find_map(passes)
}

/// Does a near point bounce: does it come, as the step begins, so fast that the step resolves it?
pub(super) fn bounces(work: &Stepping, k: usize) -> bool {
    bounces_from(work, k, &work.before[k])
}

/// Would it at such a velocity?
fn bounces_from(work: &Stepping, k: usize, velocity: &Triple) -> bool {
    work.near[k].law.normal > 0.0 && velocity[0] - work.ahead[k][0] < -REST * work.loaded[k]
}

/// Takes the points that take part from the first: bouncing ones that have closed by the middle of the step, others that may close
/// by its end. Of what can bounce rounding does not say which points touch, to what corrections of positions leave, and impulses of others may throw one at what it touches.
fn select(work: &mut Stepping, h: f64, touching: f64) {
    work.taking_part.clear();
    for (k, point) in work.near.iter().enumerate() {
        let takes_part = if !point.is_in_place || work.passing[k] {
            false
        } else if bounces(work, k) {
            point.gap() <= touching
        } else {
            let least = if point.law.normal > 0.0 { touching } else { 0.0 };
            point.gap() + 0.5 * h * work.free[k][0].min(0.0) <= least.max(0.5 * h * work.loaded[k])
        };
        if takes_part {
            work.taking_part.push(k);
        }
    }
}

/// Impulses of the step and the velocities that they make, with all points that would penetrate without them. What an impulse of this step has thrown
/// at them bounces in the next one, as what comes by itself does: in this one it would be stopped at the surface, whatever its restitution.
pub(super) fn solve(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) -> Result<(), RunError> {
    let tolerance = positions::aim(&run.system);
    for _ in 0..ROUNDS {
        work.points.clear();
        work.points.extend(work.taking_part.iter().map(|&k| work.near[k]));
        solve_once(run, work, h)?;
        velocities::put(&mut run.evaluator, &work.new, &mut work.state);
        velocities_at(run, &work.near, &mut work.after);
        if passing::stop_those_that_overlap(run, work, h) {
            measure_velocities(run, work);
            velocities::put(&mut run.evaluator, &work.new, &mut work.state);
            velocities_at(run, &work.near, &mut work.after);
        }
        let known = work.taking_part.len();
        for (k, point) in work.near.iter().enumerate() {
            let ends_at = point.gap() + 0.5 * h * work.after[k][0];
            let left_out = work.taking_part[..known].binary_search(&k).is_err();
            let may_take_part = left_out && point.is_in_place && !work.passing[k];
            let is_thrown = bounces_from(work, k, &work.after[k]);
            if may_take_part && ends_at < -tolerance && !bounces(work, k) && !is_thrown {
                work.taking_part.push(k);
            }
        }
        if work.taking_part.len() == known {
            return Ok(());
        }
        work.taking_part.sort_unstable();
        remember(work, h);
    }
    Ok(())
}

/// The contact problem of the points that take part.
fn solve_once(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) -> Result<(), RunError> {
    work.new.copy_from_slice(&work.unloaded);
    work.impulses.clear();
    work.loads.clear();
    work.motors = 0.0;
    let problem = loop {
        if work.points.is_empty() {
            return Ok(());
        }
        match pose_problem(run, work, h)? {
            Ok(problem) => break problem,
            // Given motions move both of its bodies, and no impulse is asked for while they stay apart.
            Err(BadProblem::Immovable { contact }) if stays_open(run, work, contact, h) => {
                work.points.remove(contact);
                work.taking_part.remove(contact);
            }
            Err(bad) => return Err(of_bad_problem(run, work, bad)),
        }
    };
    let warm = warm_start(work, h);
    let tolerance = run.system.settings.contact_tolerance;
    let options = Options { tolerance, limit: LIMIT.max(tolerance), ..Options::DEFAULT };
    let mut solution: Solution = problem.solve(Some(&warm), &options).map_err(|failed| {
        work.unanswered = Some(work.taking_part[failed.contact]);
        faults::of_solver(run, &work.points, &failed)
    })?;
    // Stops and cables have impulses of other units, and their own places.
    let is_of_surfaces = |point: &NearPoint| {
        let table = &run.evaluator.table;
        table.pairs[table.contacts[point.contact].pair].source.surfaces().is_some()
    };
    let shared: Vec<bool> = work.points.iter().map(is_of_surfaces).collect();
    problem.spread(&mut solution, &shared, &options);
    work.matrix = problem.into_delassus();
    work.residual = work.residual.max(solution.residual);
    work.loose += u64::from(solution.residual > tolerance);
    run.work_before.iterations += (solution.sweeps + solution.newton_steps) as u64;
    work.impulses = solution.impulses;
    // Corrections of positions take the coupling for other points.
    work.coupling.write_loads(&work.impulses, 1.0 / h, &mut work.loads);
    work.motors = work.coupling.work_of_motors(&work.impulses);
    work.coupling.push(&run.evaluator, &work.points, &work.impulses, &mut work.new);
    Ok(())
}

/// W of the points that take part, and the velocities that impulses have to make good.
fn pose_problem(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    h: f64,
) -> Result<Result<FrictionProblem, BadProblem>, RunError> {
    let Stepping { coupling, matrix, points, .. } = work;
    if !coupling.update(&mut run.evaluator, points, matrix) {
        return Err(failure::of_right_hand_side(run));
    }
    // What corrections of positions leave of gaps is no room to move: contacts that depend on each other would contradict each other.
    let closed = positions::TOLERANCE * run.system.scales.length;
    let free = work.taking_part.iter().map(|&k| {
        let (point, [normal, first, second], ahead) = (&work.near[k], work.free[k], work.ahead[k]);
        if bounces(work, k) {
            return [normal + work.restored[k] * point.law.normal * work.before[k][0], first, second];
        }
        // What lands is struck when it touches (`landing`), and all at once. Where the gap is g in the middle, it is g − h/4 (h/2 u̇) at the end if its rate is zero there. What comes down may close it until then; what lasts closes half of
        // it: all would swing with the step, u⁺ = −u⁻, and the force with it, and half and half is at rest after two steps.
        let left = point.gap() - 0.25 * h * ahead[0];
        let closing = if left <= closed || landing::lands(work, k) {
            0.0
        } else {
            left / h * if work.pressed[k].is_some() { 1.0 } else { 2.0 }
        };
        let demanded = ahead[0] + closing;
        [normal + demanded, first + ahead[1], second + ahead[2]]
    });
    let friction = work.points.iter().map(|point| point.law.friction);
    let (free, friction) = (free.collect(), friction.collect());
    Ok(FrictionProblem::new(std::mem::take(&mut work.matrix), free, friction))
}

/// Is a point that takes part still open at the end of the step without impulses?
fn stays_open(run: &Simulation<'_>, work: &Stepping, place: usize, h: f64) -> bool {
    let k = work.taking_part[place];
    work.near[k].gap() + 0.5 * h * work.free[k][0] >= -positions::TOLERANCE * run.system.scales.length
}

fn of_bad_problem(run: &Simulation<'_>, work: &Stepping, bad: BadProblem) -> RunError {
    match bad {
        BadProblem::Immovable { contact } => {
            faults::of_immovable(run, work.points[contact].contact, run.stepper.time())
        }
        _ => failure::of_right_hand_side(run),
    }
}

/// Impulses of the last step for the points of this one.
fn warm_start(work: &Stepping, h: f64) -> Vec<Triple> {
    let share = if work.warm_step > 0.0 { h / work.warm_step } else { 0.0 };
    let mut known = work.warm.iter().peekable();
    let of_point = |point: &NearPoint| {
        let key = (point.contact, point.place);
        while known.next_if(|(contact, place, _)| (*contact, *place) < key).is_some() {}
        match known.peek() {
            Some((contact, place, impulse)) if (*contact, *place) == key => {
                point.axes.map(|axis| share * axis.dot(impulse))
            }
            _ => [0.0; 3],
        }
    };
    work.points.iter().map(of_point).collect()
}

/// Keeps the impulses for the problem that comes next.
pub(super) fn remember(work: &mut Stepping, h: f64) {
    work.warm_step = h;
    work.warm.clear();
    for (point, r) in work.points.iter().zip(&work.impulses) {
        let impulse = point.axes[0] * r[0] + point.axes[1] * r[1] + point.axes[2] * r[2];
        work.warm.push((point.contact, point.place, impulse));
    }
}

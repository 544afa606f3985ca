//! Why a run cannot go on, with the culprit's name.

use carom_solvers::Assessment;

use super::Simulation;
use super::{advance, mesh_failure, needed_depth, rigid, unfelt};
use crate::Note;
use crate::contact::{CoarsePatch, Culprit, Unseen, areal};
use crate::contact::{areal_fault, contact_of_bristle};
use crate::mechanics::Misfit;
use crate::outcome::RunError;
use crate::system::{ArealPair, PairSource};

/// Share of u_max from which a penetration is worth a warning.
const NEAR_U_MAX: f64 = 0.9;

/// A positive number with three digits, rounded upwards.
pub(super) fn upwards(x: f64) -> f64 {
    let unit = libm::pow(10.0, libm::log10(x).floor() - 2.0);
    let digits = (x / unit).ceil();
    // A power of ten that is no number of its own would leave digits behind.
    if unit < 1.0 { digits / (1.0 / unit).round() } else { digits * unit.round() }
}

/// What cannot be told to be apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Contact(usize),
    /// A cable, by its force element.
    Cable(usize),
}

/// A search for the contact of convex solids that has reached its limit at an accepted state is fatal.
pub(super) fn check_searches(run: &Simulation<'_>) -> Result<(), RunError> {
    of_search(run).map_or(Ok(()), Err)
}

/// E0613: the first search that has reached its limit since the last attempt, if one has.
fn of_search(run: &Simulation<'_>) -> Option<RunError> {
    let (contact, fault) = run.evaluator.search.fault()?;
    Some(fault.failure(pair_name(run, contact), run.stepper.time()))
}

/// E0617: two surfaces are so near each other that no step can be proven to keep them apart.
pub(super) fn of_clearance(run: &Simulation<'_>, subject: Subject) -> RunError {
    let time = run.stepper.time();
    let (name, pair) = match subject {
        Subject::Contact(contact) => {
            let pair = pair_name(run, contact);
            (format!("pair \"{pair}\""), Some(pair))
        }
        Subject::Cable(force) => (format!("cable \"{}\"", run.system.info.forces[force].0), None),
    };
    RunError {
        code: "E0617",
        message: format!(
            "whether {name} touches after t = {time:.9} s cannot be told: no step above the least one, {:.3e} s, keeps it apart for certain",
            advance::smallest_step(run)
        ),
        time,
        body: None,
        pair,
        help: "lower h_min, or start the surfaces farther apart or in contact".to_owned(),
    }
}

/// E0618: surfaces are so fast that a step of the least length takes them past what penetration lines see.
pub(super) fn of_travel(run: &Simulation<'_>, contact: usize) -> RunError {
    if let Some(error) = mesh_failure::of_travel(run, contact) {
        return error;
    }
    let time = run.stepper.time();
    let pair = pair_name(run, contact);
    let limit = areal_pair(run, contact).map_or(f64::NAN, |areal| {
        areal.meshes.thin.as_ref().map_or(areal.meshes.travel_limit, |thin| thin.travel_limit)
    });
    RunError {
        code: "E0618",
        message: format!(
            "the surfaces of pair \"{pair}\" move so fast at t = {time:.9} s that even the least step, {:.3e} s, takes them farther than {limit:.3e} m: u_max, or a quarter of the target's wall",
            advance::smallest_step(run)
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "raise u_max of the law's [pcm] block, or lower h_min".to_owned(),
    }
}

/// E0616: surfaces have passed each other where no element of the base sees it.
pub(super) fn of_unseen(run: &Simulation<'_>, unseen: Unseen) -> RunError {
    if let Some(error) = mesh_failure::of_unseen(run, unseen) {
        return error;
    }
    let time = run.stepper.time() + run.stepper.step();
    let (contact, what) = match unseen {
        Unseen::Overlap { contact, depth } => {
            (contact, format!("overlap by {depth:.3e} m and no element feels it"))
        }
        Unseen::Inside { contact } | Unseen::Behind { contact } => {
            (contact, "are inside each other".to_owned())
        }
    };
    let pair = pair_name(run, contact);
    let at = run.evaluator.motion_of(contact).position;
    let edge = areal_pair(run, contact).map_or(f64::NAN, |areal| 2.0 * areal.meshes.unfelt_limit);
    RunError {
        code: "E0616",
        message: format!(
            "the surfaces of pair \"{pair}\" {what} at t = {time:.9} s, near [{:.6}, {:.6}, {:.6}] m: its elements are too coarse to see how they meet, those with edges of up to {edge:.1e} m would",
            at.x, at.y, at.z
        ),
        time,
        body: None,
        pair: Some(pair),
        help: unfelt::help_of_unfelt(run, contact),
    }
}

/// E0614: an areal contact is deeper than its penetration lines may be.
fn of_depth(run: &Simulation<'_>, contact: usize, depth: f64, wall: Option<f64>) -> RunError {
    if let Some(error) = mesh_failure::of_depth(run, contact, depth) {
        return error;
    }
    let time = run.stepper.time();
    let pair = pair_name(run, contact);
    let [u_max, limit] = areal_pair(run, contact).map_or([f64::NAN; 2], |a| [a.u_max, a.depth_limit]);
    let times = if limit > u_max { "1.5 times " } else { "" };
    if let Some(wall) = wall {
        return RunError {
            code: "E0614",
            message: format!(
                "pair \"{pair}\" penetrates {depth:.3e} m after t = {time:.9} s, more than three quarters of the target's wall of {wall:.3e} m there: behind it no element is seen"
            ),
            time,
            body: None,
            pair: Some(pair),
            help: "stiffen the layer, make the wall thicker, or let the thin body be the base".to_owned(),
        };
    }
    RunError {
        code: "E0614",
        message: format!(
            "pair \"{pair}\" penetrates {depth:.3e} m after t = {time:.9} s, more than {times}its u_max of {u_max:.3e} m"
        ),
        time,
        body: None,
        pair: Some(pair),
        help: match needed_depth::find_needed_depth(run, contact) {
            Some((needed, energy)) => format!(
                "u_max = \"{} mm\" in the law's [pcm] block takes the {energy:.3e} J that it had if it goes on as it has come; if it turns onto an edge or a corner it needs more, and tells so again; or stiffen the layer",
                upwards(1e3 * needed)
            ),
            None if limit > u_max => "raise u_max of the law's [pcm] block, or stiffen the layer".to_owned(),
            None => "raise u_max of the law's [pcm] block, stiffen the layer, or set beyond_u_max = \"warn\""
                .to_owned(),
        },
    }
}

/// E0615: the elements or regions of the culprit cannot be found.
fn of_mesh_search(run: &Simulation<'_>) -> Option<RunError> {
    of_areal_search(run).or_else(|| mesh_failure::of_search(run))
}

/// E0615: the contact elements of the culprit cannot be found.
fn of_areal_search(run: &Simulation<'_>) -> Option<RunError> {
    let Some(Culprit::Contact(contact)) = run.evaluator.culprit else { return None };
    let evaluator = &run.evaluator;
    let fault = areal_fault(evaluator, contact)?;
    let time = run.stepper.time();
    let pair = pair_name(run, contact);
    Some(RunError {
        code: "E0615",
        message: format!(
            "the contact elements of pair \"{pair}\" cannot be found after t = {time:.9} s: {fault}"
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "use detect = \"penetration\", which needs no contours".to_owned(),
    })
}

/// Largest penetration of an areal contact that passes without a word (m).
pub(super) fn areal_pair<'r>(run: &'r Simulation<'_>, contact: usize) -> Option<&'r ArealPair> {
    match &run.evaluator.table.pairs[run.evaluator.table.contacts[contact].pair].source {
        PairSource::Areal(areal) => Some(areal),
        _ => None,
    }
}

/// Areal contacts that came near their u_max.
pub(super) fn warnings_of_depth(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    let contacts = 0..run.evaluator.table.contacts.len();
    contacts.filter_map(|contact| {
        let ArealPair { u_max, depth_limit, .. } = *areal_pair(run, contact)?;
        let deepest = run.totals[run.evaluator.table.contacts[contact].pair].peaks.penetration.value;
        (deepest > NEAR_U_MAX * u_max).then(|| {
            let beside = if deepest > depth_limit {
                " along a line beside an edge, which may be longer: under the face it was within u_max"
            } else {
                ""
            };
            let message = format!(
                "pair \"{}\": the greatest penetration, {deepest:.3e} m, is {:.0} % of u_max = {u_max:.3e} m{beside}",
                pair_name(run, contact),
                100.0 * deepest / u_max
            );
            Note::new("N0602", message)
        })
    })
}

/// Areal contacts that few elements carried at their peaks, with the accuracy that would have given enough.
pub(super) fn warnings_of_coarse_patches(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    let has_touched = |patch: &CoarsePatch| patch.elements > 0 || run.totals[patch.pair].begins > 0;
    areal::peak::coarse_patches(&run.evaluator).filter(has_touched).map(|CoarsePatch { pair, elements, accuracy }| {
        let name = &run.evaluator.table.pair_info[pair].name;
        let carried = match elements {
            0 => "it has touched, and no element".to_owned(),
            1 => "one element".to_owned(),
            _ => format!("{elements} elements"),
        };
        // Two digits, downwards.
        let percent = f64::max((1e3 * accuracy).floor(), 1.0) / 10.0;
        let message = format!(
            "pair \"{name}\": {carried} carried the contact at its peak, too few for its force to be relied on; accuracy = \"{percent} %\" on its contact line makes enough of them"
        );
        Note::new("N0603", message)
    })
}

/// Keeps which body's error kept a step from passing.
pub(super) fn remember_worst(run: &mut Simulation<'_>, assessment: Assessment) {
    run.evaluator.culprit = match run.system.tolerance_owner.get(assessment.group) {
        Some(owner) => Some(Culprit::Body(owner.body)),
        // The groups of bristles, and after them the ledger: the contact that loses most is to blame.
        None => {
            let bristle = assessment.group - run.system.tolerance_owner.len();
            contact_of_bristle(&run.evaluator, bristle).or_else(|| largest_loss(run)).map(Culprit::Contact)
        }
    };
}

/// E0601 if the state or the forces were not finite, E0602 if they were.
pub(super) fn of_step_size(run: &Simulation<'_>, h: f64, error: f64) -> RunError {
    if let Some(failure) = of_search(run).or_else(|| rigid::of_jam(run)) {
        return failure;
    }
    let time = run.stepper.time();
    if let Some(Culprit::Depth { contact, depth, wall }) = run.evaluator.culprit {
        return of_depth(run, contact, depth, wall);
    }
    if !error.is_finite() {
        return not_finite(run);
    }
    let (body, pair, name) = culprit_names(run);
    RunError {
        code: "E0602",
        message: format!(
            "step size {h:.3e} s fell under its limit {:.3e} s at t = {time:.9} s; the error of {name} does not pass ({error:.3} times the tolerance)",
            advance::smallest_step(run)
        ),
        time,
        body,
        pair,
        help: "loosen rtol, lower h_min, or look for a law that is too stiff or jumps".to_owned(),
    }
}

/// E0612: Newton's method finds no solution of an implicit step.
pub(super) fn of_newton(run: &Simulation<'_>, h: f64) -> RunError {
    if let Some(failure) = of_search(run) {
        return failure;
    }
    let time = run.stepper.time();
    let least = advance::smallest_step(run);
    let step = if h < least {
        format!("not even with a step of {h:.3e} s, under its limit {least:.3e} s")
    } else {
        format!("with the step of {h:.3e} s that leads to an event")
    };
    RunError {
        code: "E0612",
        message: format!("Newton's method does not converge at t = {time:.9} s, {step}"),
        time,
        body: None,
        pair: None,
        help:
            "look for a law that jumps or has a kink where the bodies are, or use an explicit method (ode45)"
                .to_owned(),
    }
}

/// Of a step that may not be made shorter: E0612 where Newton's method finds no solution, else what is not finite in it.
pub(super) fn of_fixed_step(run: &Simulation<'_>, h: f64, diverges: bool) -> RunError {
    let error = if diverges { of_newton(run, h) } else { of_step_size(run, h, f64::NAN) };
    let message = match error.code {
        "E0612" => format!(
            "Newton's method does not converge at t = {:.9} s, with the fixed step of {h:.3e} s",
            error.time
        ),
        "E0601" => format!("{}, in the fixed step of {h:.3e} s", error.message),
        _ => return error,
    };
    let help = "choose a shorter `step`, or leave it out to have it controlled".to_owned();
    RunError { message, help, ..error }
}

/// E0620: a fixed step whose error, were it controlled, would be as large as the state.
pub(super) fn of_blind_step(run: &mut Simulation<'_>, h: f64, assessment: Assessment) -> RunError {
    remember_worst(run, assessment);
    let (body, pair, name) = culprit_names(run);
    let time = run.stepper.time();
    RunError {
        code: "E0620",
        message: format!(
            "the fixed step of {h:.3e} s at t = {time:.9} s makes an error as large as the {name} ({:.1e} times the tolerance)",
            assessment.unheeded
        ),
        time,
        body,
        pair,
        help: "choose a shorter `step`, an implicit integrator, or leave `step` out to have it controlled"
            .to_owned(),
    }
}

/// E0605: the forces cannot be evaluated where a step must start.
pub(super) fn of_right_hand_side(run: &Simulation<'_>) -> RunError {
    if let Some(failure) = of_search(run) {
        return failure;
    }
    match run.evaluator.culprit {
        Some(Culprit::Constraint(misfit)) => return of_constraint(run, &misfit),
        Some(Culprit::Depth { contact, depth, wall }) => return of_depth(run, contact, depth, wall),
        Some(Culprit::Contact(c)) if run.evaluator.table.is_rigid(c) => return rigid::of_forces(run, c),
        _ => {}
    }
    if let Some(error) = of_mesh_search(run) {
        return error;
    }
    let error = not_finite(run);
    let message = format!("forces cannot be evaluated: {}", error.message);
    RunError { code: "E0605", message, ..error }
}

/// E0605: the state changes so fast that no step is short enough.
pub(super) fn of_rates(run: &mut Simulation<'_>) -> RunError {
    let (rates, state) = (run.stepper.rates(), run.stepper.state());
    remember_worst(run, run.tolerances.assess(rates, state, state));
    of_right_hand_side(run)
}

/// E0604: too many steps.
pub(super) fn of_step_count(run: &Simulation<'_>) -> RunError {
    let (body, pair, _) = culprit_names(run);
    let help = if run.regime.is_held() {
        let others = match run.system.settings.method {
            crate::model::IntegratorKind::Auto => "\"bdf\"",
            _ => "\"auto\" or \"radau5\"",
        };
        format!(
            "stability holds the explicit method to steps of {:.3e} s: take method = {others}",
            run.next_step
        )
    } else {
        "raise solver.max_steps, or loosen rtol".to_owned()
    };
    RunError {
        code: "E0604",
        message: format!(
            "limit of {} steps reached at t = {:.9} s of {} s",
            run.system.settings.max_steps,
            run.stepper.time(),
            run.system.settings.t_end
        ),
        time: run.stepper.time(),
        body,
        pair,
        help,
    }
}

/// E0606: a stage or the end of a step cannot be put back onto the constraints.
pub(super) fn of_constraint(run: &Simulation<'_>, misfit: &Misfit) -> RunError {
    let name = run.system.constraint_name(misfit.group);
    RunError {
        code: "E0606",
        message: format!(
            "{name} cannot be kept closed after t = {:.9} s: {:.3e} m or rad (or their rates) are missing",
            run.stepper.time(),
            misfit.violation
        ),
        time: run.stepper.time(),
        body: None,
        pair: None,
        help:
            "the mechanism locks or drives contradict each other; lower rtol or h_max if the motion is sound"
                .to_owned(),
    }
}

fn largest_loss(run: &Simulation<'_>) -> Option<usize> {
    let loss = |force: &crate::contact::ContactForce| force.dissipation.iter().sum::<f64>().abs();
    let active = run.evaluator.contacts.active.iter().zip(&run.evaluator.forces);
    active.max_by(|a, b| loss(a.1).total_cmp(&loss(b.1))).map(|(&contact, _)| contact)
}

fn not_finite(run: &Simulation<'_>) -> RunError {
    if let Some(Culprit::Constraint(misfit)) = run.evaluator.culprit {
        return of_constraint(run, &misfit);
    }
    if let Some(error) = of_mesh_search(run) {
        return error;
    }
    let time = run.stepper.time();
    let (body, pair, name) = culprit_names(run);
    let values = match run.evaluator.culprit {
        Some(Culprit::Body(body)) => body_values(run, body),
        Some(Culprit::Contact(contact) | Culprit::Depth { contact, .. }) => {
            let memory = &run.evaluator.contacts.memory[contact];
            format!("; last good gap {:.6e} m, approach speed {:.6e} m/s", memory.gap, memory.approach)
        }
        Some(Culprit::Constraint(_)) | None => String::new(),
    };
    RunError {
        code: "E0601",
        message: format!("{name} stopped being finite after t = {time:.9} s, the last good state{values}"),
        time,
        body,
        pair,
        help: help_for_infinity(run).to_owned(),
    }
}

fn help_for_infinity(run: &Simulation<'_>) -> &'static str {
    if run.evaluator.table.contacts.is_empty() && !run.system.driving.is_empty() {
        "look at its start values, and at what motors and loads do as functions of time"
    } else {
        "look at the stiffness and damping of its contacts, and at its start values"
    }
}

fn body_values(run: &Simulation<'_>, body: usize) -> String {
    let Some(link) = run.system.mechanics.bodies[body].link.map(|l| &run.system.mechanics.links[l]) else {
        return String::new();
    };
    let y = &run.state()[link.states()];
    if !link.is_root() {
        return format!(": joint coordinates and velocities {y:?}");
    }
    format!(
        ": centre of mass [{:.6}, {:.6}, {:.6}] m, velocity [{:.6e}, {:.6e}, {:.6e}] m/s",
        y[0], y[1], y[2], y[7], y[8], y[9]
    )
}

pub(super) fn pair_name(run: &Simulation<'_>, contact: usize) -> String {
    run.evaluator.table.pair_info[run.evaluator.table.contact_info[contact].pair].name.clone()
}

/// Body and pair to blame, and words for the message.
fn culprit_names(run: &Simulation<'_>) -> (Option<String>, Option<String>, String) {
    match run.evaluator.culprit {
        Some(Culprit::Body(body)) => {
            let name = run.system.info.bodies[body].clone();
            (Some(name.clone()), None, format!("state of body \"{name}\""))
        }
        Some(Culprit::Contact(contact) | Culprit::Depth { contact, .. }) => {
            let name = pair_name(run, contact);
            (None, Some(name.clone()), format!("force of pair \"{name}\""))
        }
        Some(Culprit::Constraint(misfit)) => (None, None, run.system.constraint_name(misfit.group)),
        None => (None, None, "the state".to_owned()),
    }
}

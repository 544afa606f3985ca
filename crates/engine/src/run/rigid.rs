//! Events of rigid contacts: what they do to the state and the ledger.

use super::stepping::of_immovable;
use super::{Simulation, failure};
use crate::contact::rigid::{DRIFT, OVERLAP, RigidFault, find_jammed, settle};
use crate::contact::{Astray, Transition};
use crate::note::Note;
use crate::outcome::RunError;
use crate::record::ContactMode;
use crate::system::PairSource;

const STEP_OVER: &str = "where wheels or feet slip slowly try solver.method = \"bdf\"; lower rtol or h_max; or step over it: solver.method = \"moreau\" with a solver.step";

const PAINLEVE: &str = "with much friction there may be none, or several (Painleve): lower mu, use a compliant law there, or step over it: solver.method = \"moreau\" with a solver.step";

/// Flights that a step may last which begins with one.
const FLIGHTS: f64 = 4.0;

/// Impacts, accelerations and holds of closed rigid contacts at a state, which impacts change: of all of them, or where the `cause`
/// `is_local` of those that its bodies hang together with.
pub(super) fn settle_contacts(
    run: &mut Simulation<'_>,
    time: f64,
    y: &mut [f64],
    (cause, is_local): (Option<(usize, Transition)>, bool),
) -> Result<(), RunError> {
    if run.evaluator.table.has_rigid() { settle_all(run, time, y, (cause, is_local)) } else { Ok(()) }
}

/// The same of cables alone, too, where speeds have jumped.
pub(super) fn settle_all(
    run: &mut Simulation<'_>,
    time: f64,
    y: &mut [f64],
    (cause, is_local): (Option<(usize, Transition)>, bool),
) -> Result<(), RunError> {
    let states = run.system.states();
    let known = run.log.len();
    let most = if run.step_number == 0 { OVERLAP } else { DRIFT };
    let settled = settle(&mut run.evaluator, time, &mut y[..states], (cause, is_local), most, &mut run.log);
    let settled = match settled {
        Ok(settled) => settled,
        Err(fault) => return Err(of_fault(run, time, &y[..states], fault)),
    };
    if settled.impacts > 0 || settled.projected != 0.0 {
        forget_approaches(run);
    }
    if !run.evaluator.rigid.several.is_empty() {
        run.several.note(time, &run.evaluator.rigid.several, &y[..states]);
    }
    for &(contact, lost) in &run.evaluator.rigid.lost {
        run.ledger.integrals.impact += lost;
        run.totals[run.evaluator.table.contacts[contact].pair].dissipated += lost;
    }
    for event in &run.log[known..] {
        if let Some(impact) = &event.impact {
            let pair = run.evaluator.table.contacts[event.contact].pair;
            run.totals[pair].impulse_normal += impact.impulse_normal;
        }
    }
    run.ledger.integrals.motors += settled.motors;
    run.ledger.integrals.projection += settled.projected;
    run.statistics.impacts += settled.impacts;
    run.statistics.scaled_impacts += settled.scaled;
    run.statistics.contact_iterations += settled.iterations;
    // The rounding of a step that is much longer than the flight would hide it.
    run.next_step = run.next_step.min(FLIGHTS * settled.flight);
    Ok(())
}

/// Open contacts part or come nearer otherwise after an impact, or where motors jump, than they were seen to before it.
pub(super) fn forget_approaches(run: &mut Simulation<'_>) {
    for &contact in &run.observer.near {
        let memory = &mut run.evaluator.contacts.memory[contact];
        if memory.mode == ContactMode::Open && memory.evaluated_at == run.step_number {
            memory.evaluated_at = u64::MAX;
        }
    }
}

/// E0621, E0622, E0633 and E0634: an event of rigid contacts has no answer.
fn of_fault(run: &Simulation<'_>, time: f64, y: &[f64], fault: RigidFault) -> RunError {
    let name = |contact: &usize| contact_name(run, *contact);
    let state = || y.iter().map(|x| format!("{x:.6e}")).collect::<Vec<_>>().join(", ");
    let (code, contact, message, help) = match &fault {
        RigidFault::Astray(astray) => return of_astray(run, astray),
        RigidFault::Unsound => return failure::of_right_hand_side(run),
        RigidFault::Overlap { contact, depth } => (
            "E0621",
            *contact,
            match &run.evaluator.table.pairs[run.evaluator.table.contacts[*contact].pair].source {
                PairSource::Stop(stop) => {
                    let measure = run.system.mechanics.joints[stop.joint].kind.axes()[stop.axis];
                    let (name, unit) = (name(contact), measure.unit());
                    format!("the coordinate is beyond {name} by {depth:.3e} {unit} at t = {time:.9} s")
                }
                _ => {
                    format!("rigid surfaces of {} overlap by {depth:.3e} m at t = {time:.9} s", name(contact))
                }
            },
            "move them apart: what is rigid may touch at the start, and nothing more",
        ),
        RigidFault::Immovable { contact } => {
            return of_immovable(run, *contact, time);
        }
        RigidFault::Jammed { contact, before, after } => (
            "E0633",
            *contact,
            format!(
                "{} jams at t = {time:.9} s: a motor's given motion would throw its bodies off at {after:.3e} m/s, from {before:.3e} or less",
                name(contact)
            ),
            "let the motor give way (a force or a servo in place of a given motion), or move what is in line with its push",
        ),
        RigidFault::OverBorder { contact } => (
            "E0634",
            *contact,
            format!(
                "a solid of {} lies over the border of a face of the other one at t = {time:.9} s: what carries it there events do not tell",
                failure::pair_name(run, *contact)
            ),
            "step over it: solver.method = \"moreau\" with a solver.step; where it should stay on the face, make that larger, or a half-space",
        ),
        RigidFault::NoAnswer { contacts, is_impact, failure } => {
            let names: Vec<String> = contacts.iter().map(name).collect();
            let what = if *is_impact { "impulses" } else { "forces" };
            (
                "E0622",
                contacts[0],
                format!(
                    "no {what} of rigid contact are found for {} at t = {time:.9} s: {failure}; the state is [{}]",
                    names.join(", "),
                    state()
                ),
                PAINLEVE,
            )
        }
    };
    RunError {
        code,
        message,
        time,
        body: None,
        pair: Some(failure::pair_name(run, contact)),
        help: help.to_owned(),
    }
}

/// E0622 where the steps end because the force of a rigid contact grows without bound.
pub(super) fn of_jam(run: &Simulation<'_>) -> Option<RunError> {
    let (contact, force) = find_jammed(&run.evaluator)?;
    let (name, time) = (contact_name(run, contact), run.stepper.time());
    Some(RunError {
        code: "E0622",
        message: format!(
            "the force of rigid contact {name} grows without bound, {force:.1e} N at t = {time:.9} s: friction of its slip presses it in as much as the force pushes apart (Painleve)"
        ),
        time,
        body: None,
        pair: Some(failure::pair_name(run, contact)),
        help: PAINLEVE.to_owned(),
    })
}

/// E0606: a state cannot be put onto constraints and rigid contacts.
pub(super) fn of_astray(run: &Simulation<'_>, astray: &Astray) -> RunError {
    match *astray {
        Astray::Constraint(misfit) => failure::of_constraint(run, &misfit),
        Astray::Contact { contact, gap } => RunError {
            code: "E0606",
            message: format!(
                "rigid contact {} cannot be kept closed after t = {:.9} s: corrections leave a gap of {gap:.3e} m or rad",
                contact_name(run, contact),
                run.stepper.time()
            ),
            time: run.stepper.time(),
            body: None,
            pair: Some(failure::pair_name(run, contact)),
            help: STEP_OVER.to_owned(),
        },
    }
}

/// E0605: the forces of a rigid contact, with the directions in which slips begin, are not found where a step must start.
pub(super) fn of_forces(run: &Simulation<'_>, contact: usize) -> RunError {
    let time = run.stepper.time();
    RunError {
        code: "E0605",
        message: format!(
            "forces of rigid contact, or directions in which slips begin, are not found for {} after t = {time:.9} s",
            contact_name(run, contact)
        ),
        time,
        body: None,
        pair: Some(failure::pair_name(run, contact)),
        help: STEP_OVER.to_owned(),
    }
}

/// The contact's pair, and its feature where the pair has several.
pub(super) fn contact_name(run: &Simulation<'_>, contact: usize) -> String {
    let info = &run.evaluator.table.contact_info[contact];
    let pair = failure::pair_name(run, contact);
    if info.feature_name.is_empty() { pair } else { format!("{pair}, {}", info.feature_name) }
}

/// A flight in a plane, or between rigid impacts, has no error that bounds its steps, however far bodies turn, and impacts come one after the
/// other: what follows a step that an event has ended is so many times longer at most. A search ahead bounds the path of all of it.
const STEPS_CUT: f64 = 16.0;
/// In space, where impacts of faces come within rounding of each other, this share of the time that the model's speed takes for its length at
/// least: a search looks no longer for it.
const SHORT_ENOUGH: f64 = 1e-3;

/// How long the step after one of this length, which an event of a contact has ended, is at most (s).
pub(super) fn longest_after(run: &Simulation<'_>, contact: usize, step: f64) -> f64 {
    let (table, scales) = (&run.evaluator.table, &run.system.scales);
    if table.is_in_plane(contact) {
        STEPS_CUT * step
    } else if table.is_rigid(contact) {
        (STEPS_CUT * step).max(SHORT_ENOUGH * scales.length / scales.velocity)
    } else {
        f64::INFINITY
    }
}

/// Share of the energy moved from which what corrections did is told.
const CORRECTED: f64 = 1e-3;

/// W0520: bodies were put back onto rigid contacts from so far that it shows in the energy.
pub(super) fn warning_of_corrections(run: &Simulation<'_>) -> Option<Note> {
    let done = run.ledger.integrals.projection;
    let reference = run.ledger.reference();
    let shows = done.abs() > CORRECTED * reference && !run.ledger.is_unresolved(done.abs());
    let is_by_events = run.stepping.is_none() && run.evaluator.table.has_rigid();
    (is_by_events && shows).then(|| {
        let message = format!(
            "corrections that put bodies back onto their contacts and joints did {done:.2e} J, where {reference:.2e} J were moved: what holds them has jumped"
        );
        Note::new("W0520", message)
    })
}

//! Attempts a step, and makes its dense output ready where something looks inside: of some methods it costs evaluations.

use carom_solvers::{Assessment, Fault};

use super::Simulation;
use super::{advance, failure, peak};
use crate::Scales;
use crate::outcome::RunError;

/// Attempts a step of a length. Of meshes that touch what they carry at its stages is kept.
pub(super) fn attempt(run: &mut Simulation<'_>, h: f64) -> Result<Assessment, Fault> {
    let evaluator = &mut run.evaluator;
    let active = &evaluator.contacts.active;
    let touches = active.iter().any(|&contact| evaluator.is_mesh_contact(contact));
    evaluator.trail.begin(if touches { active.len() } else { 0 });
    run.stepper.attempt(evaluator, h, &run.tolerances)
}

/// To be called with the evaluator at the end of the attempted step, where it is afterwards too. False if forces have no
/// value where it is evaluated for this, which may be far off the path of a long step.
pub(super) fn prepare_dense(run: &mut Simulation<'_>, end: f64) -> Result<bool, RunError> {
    if run.stepper.dense_costs() && !looks_inside(run, end) {
        return Ok(true);
    }
    // The very state that was evaluated, which may be off the one to be accepted by rounding: looking inside changes no bit.
    run.end_state.copy_from_slice(&run.evaluator.workspace.state);
    match run.stepper.prepare_dense(&mut run.evaluator) {
        Ok(true) => run.evaluator.update(end, &run.end_state),
        Ok(false) => {}
        Err(Fault::Recoverable) if run.stepper.step() >= 2.0 * advance::smallest_step(run) => {
            return Ok(false);
        }
        Err(_) => return Err(failure::of_right_hand_side(run)),
    }
    Ok(true)
}

/// Will anything ask for states or quadratures between the ends of the step? May say yes in vain.
fn looks_inside(run: &mut Simulation<'_>, end: f64) -> bool {
    let frame = run.next_frame as f64 * run.system.output_every;
    let probe = run.system.probes.get(run.next_probe);
    frame < end
        || probe.is_some_and(|&probe| probe < end)
        || may_touch(run)
        || !run.rated.is_empty()
        || peak::may_peak_inside(run)
}

/// Is there anything that can touch? Its path is looked at in every step.
pub(super) fn may_touch(run: &Simulation<'_>) -> bool {
    !run.evaluator.table.contacts.is_empty() || !run.neighbours.is_idle() || !run.cables.is_empty()
}

/// A step may go past where its end can hold together, as past the last of a winch's rope: a shorter one comes first.
pub(super) fn shorten_astray(run: &mut Simulation<'_>, tried: f64, error: RunError) -> Result<(), RunError> {
    run.next_step = 0.5 * tried;
    // At the start of time no step is lost in its rounding.
    let Scales { length, velocity, .. } = run.system.scales;
    let shortest = advance::smallest_step(run).max(f64::EPSILON * length / velocity);
    if error.code != "E0606" || advance::keeps_steps(run) || run.next_step < shortest {
        return Err(error);
    }
    run.statistics.rejected += 1;
    Ok(())
}

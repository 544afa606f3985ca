//! Episodes of contacts, handed to the recorder as they end, and at the end of the run those that hold.

use super::cable::Cable;
use super::{Leave, Simulation};
use crate::contact::load;
use crate::record::{ContactMode, Episode, Event, Recorder};

/// Patches at the greatest pressure are recorded of so many episodes of a pair; of later ones if they exceed all before.
const EPISODES_WITH_PATCHES: u64 = 100;

/// The episode that a `contact_end` has ended.
pub(super) fn emit_ended(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    event: &Event,
) -> Result<(), Leave> {
    let episode = Episode {
        contact: event.contact,
        begin: event.begin,
        end: Some(event.time),
        until: event.time,
        approach_speed: event.begin_speed,
        separation_speed: Some(-event.approach_speed),
        impulse_normal: event.impulse_normal,
        peaks: event.peaks,
    };
    emit_episode(run, recorder, &episode)
}

/// Those that hold where the run is.
pub(super) fn emit_open_episodes(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    for contact in 0..run.evaluator.contacts.memory.len() {
        if !holds(run, contact) {
            continue;
        }
        let memory = &run.evaluator.contacts.memory[contact];
        let episode = Episode {
            contact,
            begin: memory.begin,
            end: None,
            until: run.stepper.time(),
            approach_speed: memory.begin_speed,
            separation_speed: None,
            impulse_normal: memory.impulse_normal,
            peaks: memory.peaks,
        };
        emit_episode(run, recorder, &episode)?;
    }
    Ok(())
}

fn emit_episode(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    episode: &Episode,
) -> Result<(), Leave> {
    run.timed(|_| recorder.episode(episode))?;
    let contact = episode.contact;
    let Some(bodies) = run.peaks.moments[contact].take() else { return Ok(()) };
    let totals = &run.totals[run.evaluator.table.contacts[contact].pair];
    let peak = episode.peaks.pressure;
    if totals.begins > EPISODES_WITH_PATCHES && peak.value < totals.peaks.pressure.value {
        return Ok(());
    }
    load::sample_areal_at(&mut run.evaluator, contact, &bodies, &mut run.areal_rows);
    run.timed(|s| recorder.peak_patches(peak.time, &s.areal_rows.patches, &s.areal_rows.elements))
}

/// Is the contact between its begin and its end?
fn holds(run: &Simulation<'_>, contact: usize) -> bool {
    let is_taut = |cable: &Cable| cable.contact == contact && cable.is_taut(&run.evaluator);
    run.evaluator.contacts.memory[contact].mode != ContactMode::Open || run.cables.iter().any(is_taut)
}

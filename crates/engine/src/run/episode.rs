//! Episodes of contacts, handed to the recorder as they end, and at the end of the run those that hold.

use super::{Leave, Simulation};
use crate::contact::Evaluator;
use crate::record::{ContactMode, Episode, Event, Recorder};
use crate::system::PairSource;

/// Patches at the greatest pressure are recorded of so many episodes of a pair; of later ones if they exceed all before.
const EPISODES_WITH_PATCHES: u64 = 100;

impl Simulation<'_> {
    /// The episode that a `contact_end` has ended.
    pub(super) fn emit_ended(&mut self, recorder: &mut dyn Recorder, event: &Event) -> Result<(), Leave> {
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
        self.emit_episode(recorder, &episode)
    }

    /// Those that hold where the run is.
    pub(super) fn emit_open_episodes(&mut self, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        for contact in 0..self.evaluator.contacts.memory.len() {
            if !holds(&self.evaluator, contact) {
                continue;
            }
            let memory = &self.evaluator.contacts.memory[contact];
            let episode = Episode {
                contact,
                begin: memory.begin,
                end: None,
                until: self.stepper.time(),
                approach_speed: memory.begin_speed,
                separation_speed: None,
                impulse_normal: memory.impulse_normal,
                peaks: memory.peaks,
            };
            self.emit_episode(recorder, &episode)?;
        }
        Ok(())
    }

    fn emit_episode(&mut self, recorder: &mut dyn Recorder, episode: &Episode) -> Result<(), Leave> {
        self.timed(|_| recorder.episode(episode))?;
        let contact = episode.contact;
        let Some(bodies) = self.peaks.moments[contact].take() else { return Ok(()) };
        let totals = &self.totals[self.evaluator.table.contacts[contact].pair];
        let peak = episode.peaks.pressure;
        if totals.begins > EPISODES_WITH_PATCHES && peak.value < totals.peaks.pressure.value {
            return Ok(());
        }
        self.evaluator.sample_areal_at(contact, &bodies, &mut self.areal_rows);
        self.timed(|s| recorder.peak_patches(peak.time, &s.areal_rows.patches, &s.areal_rows.elements))
    }
}

/// Is the contact between its begin and its end?
fn holds(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let memory = &evaluator.contacts.memory[contact];
    match evaluator.table.pairs[evaluator.table.contacts[contact].pair].source {
        PairSource::Cable(group) => evaluator.mechanism.holds[group],
        PairSource::Surfaces(_) | PairSource::Convex(_) | PairSource::Areal(_) | PairSource::Stop(_) => {
            memory.mode != ContactMode::Open
        }
    }
}

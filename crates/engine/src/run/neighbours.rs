//! Pairs that come up while a run goes on.

use super::advance;
use super::advance::LEAST_SHORTENING;
use super::failure;
use super::peak::UNTOUCHED;
use super::{Leave, Simulation};
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, add_wide_pair};
use crate::record::{Peak, Recorder};

/// Finds pairs of wide lines that can meet in the attempted step, at whose end the evaluator is, and makes room for them.
/// False if they are so many that a shorter step has to come first.
pub(super) fn meet_neighbours(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<bool, Leave> {
    let step = run.stepper.step();
    let can_shorten = LEAST_SHORTENING * step >= advance::smallest_step(run);
    let Simulation { evaluator, observer, neighbours, .. } = run;
    let pairs = evaluator.table.pairs.len();
    let contacts = evaluator.table.contacts.len();
    let bodies = &observer.step.bodies;
    let reach = |body: usize| bodies[body].travel();
    let crowd = neighbours.update(evaluator, &observer.path, can_shorten, reach);
    if let Some(share) = crowd.map_err(|_| failure::of_right_hand_side(run))? {
        run.next_step = share.max(LEAST_SHORTENING) * step;
        return Ok(false);
    }
    announce(run, recorder, [pairs, contacts])?;
    Ok(true)
}

/// The same for bodies whose surfaces go no farther than `reach` (m, by body) from where the evaluator is.
pub(super) fn meet_within(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    reach: &[f64],
) -> Result<(), Leave> {
    let Simulation { evaluator, observer, neighbours, .. } = run;
    let known = [evaluator.table.pairs.len(), evaluator.table.contacts.len()];
    let met = neighbours.update(evaluator, &observer.path, false, |body| reach[body]);
    met.map_err(|_| failure::of_right_hand_side(run))?;
    announce(run, recorder, known)
}

/// Makes room for the pairs behind those that were known, and tells the recorder of them.
fn announce(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    [pairs, contacts]: [usize; 2],
) -> Result<(), Leave> {
    if run.evaluator.table.pairs.len() == pairs {
        return Ok(());
    }
    make_room(run);
    run.timed(|s| {
        let table = &s.evaluator.table;
        recorder.pairs_added(&table.pair_info[pairs..], &table.contact_info[contacts..])
    })
}

/// Tells the recorder of pairs that came up before a restart.
pub(super) fn announce_late_pairs(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
) -> Result<(), Leave> {
    let (known, table) = (&run.system.table, &run.evaluator.table);
    if table.pairs.len() == known.pairs.len() {
        return Ok(());
    }
    let (pairs, contacts) = (known.pairs.len(), known.contacts.len());
    run.timed(|s| {
        let table = &s.evaluator.table;
        recorder.pairs_added(&table.pair_info[pairs..], &table.contact_info[contacts..])
    })
}

/// Surfaces of the pairs that have come up, two numbers a pair.
pub(super) fn late_pairs(run: &Simulation<'_>) -> Vec<f64> {
    let late = &run.evaluator.table.pairs[run.system.table.pairs.len()..];
    let surfaces = late.iter().filter_map(|pair| pair.source.surfaces()).map(|(surfaces, _)| surfaces);
    surfaces.flatten().map(|s| s as f64).collect()
}

/// Makes the pairs that came up before a restart, unless they are there; false if they cannot be those of this system.
pub(super) fn recall_pairs(run: &mut Simulation<'_>, surfaces: &[f64]) -> bool {
    let known = run.evaluator.table.pairs.len() - run.system.table.pairs.len();
    let keys = surfaces.chunks_exact(2).map(|two| (two[0] as usize, two[1] as usize));
    for (s, t) in keys.clone().skip(known) {
        let count = run.system.surfaces.len();
        if s >= count || t >= count || add_wide_pair(&run.system, &mut run.evaluator.table, (s, t)).is_err() {
            return false;
        }
    }
    run.neighbours.note_pairs(keys);
    let table = &run.evaluator.table;
    run.evaluator.contacts.grow(table.contacts.len(), table.pairs.len());
    make_room(run);
    surfaces.len() == 2 * (run.evaluator.table.pairs.len() - run.system.table.pairs.len())
}

/// Buffers as long as the table of pairs asks for.
pub(super) fn make_room(run: &mut Simulation<'_>) {
    let table = &run.evaluator.table;
    let contacts = table.contacts.len();
    let (pairs, lines) = (run.totals.len(), run.peaks.lines.len());
    run.totals.resize(table.pairs.len(), UNTOUCHED);
    run.peaks.grow(table);
    // What comes up is apart, and no event may ever say so.
    let nothing = Peak { value: 0.0, time: run.stepper.time() };
    run.totals[pairs..].iter_mut().for_each(|totals| totals.least_force = nothing);
    run.peaks.lines[lines..].iter_mut().for_each(|line| line.least_force = nothing);
    run.growth.resize(LEDGER_QUADRATURES + QUADRATURES * contacts, 0.0);
    run.log.reserve(contacts + 1);
    run.contact_samples.reserve(contacts);
    run.evaluator.forces.reserve(contacts);
}

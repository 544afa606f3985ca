//! The ledger's model defect pair by pair: what the contacts of a pair store less the work that went into them. It is zero
//! where forces are gradients of what is stored; manifolds and penetrations that jump make it differ.

use super::Simulation;
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, areal};
use crate::note::Note;
use crate::record::{EventKind, Jump};
use crate::system::{ArealPair, PairSource};

/// Share of what an areal pair stored at most, from which on energy from nowhere is told: the accuracy of forces that is usual. And of what
/// the run's energy is told against, below which nobody would see it; of other pairs, whose peaks of what they store are not kept, that is
/// all there is, and of outlines, whose forces are gradients but where corners pass each other pressed in.
const OF_STORED: f64 = 0.05;
const OF_ENERGY: f64 = 1e-2;
const OF_ENERGY_ALONE: f64 = 0.05;

/// What contacts hold at the state that the evaluator is at, from which the run goes on.
pub(super) fn note_stored(run: &mut Simulation<'_>) {
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        run.evaluator.contacts.memory[contact].stored = run.evaluator.forces[slot].potential;
    }
    note_elements(run);
}

/// Takes down what the elements of areal contacts hold, which is not saved.
pub(super) fn note_elements(run: &mut Simulation<'_>) {
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        let pair = run.evaluator.table.contacts[contact].pair;
        areal::jump::note_jump(&mut run.evaluator, pair, 0.0);
    }
}

/// Books the defect of the step to `end`, which the evaluator is at. `run.growth` holds the growth of the quadratures.
pub(super) fn note_defects(run: &mut Simulation<'_>, end: f64) {
    let h = run.stepper.step();
    let growth = &run.growth;
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        if !run.evaluator.shares_stiffness(contact) {
            continue;
        }
        let pair = run.evaluator.table.contacts[contact].pair;
        let potential = run.evaluator.forces[slot].potential;
        let work_on_bodies = growth[LEDGER_QUADRATURES + QUADRATURES * slot + 7];
        let memory = &mut run.evaluator.contacts.memory[contact];
        let energy = potential - memory.stored + work_on_bodies;
        memory.stored = potential;
        let triangle = areal::jump::note_jump(&mut run.evaluator, pair, h);
        let totals = &mut run.totals[pair];
        totals.model_defect += energy;
        if energy.abs() > totals.worst_jump.energy.abs() {
            totals.worst_jump = Jump { energy, time: end, triangle };
        }
    }
}

/// Takes what contacts hold at the end of the run, which the evaluator is at, for what they held after the last step: searches within a step
/// leave the evaluator a little beside its end.
pub(super) fn note_last(run: &mut Simulation<'_>) {
    for slot in 0..run.evaluator.contacts.active.len() {
        let contact = run.evaluator.contacts.active[slot];
        if run.evaluator.shares_stiffness(contact) {
            let potential = run.evaluator.forces[slot].potential;
            let stored = std::mem::replace(&mut run.evaluator.contacts.memory[contact].stored, potential);
            run.totals[run.evaluator.table.contacts[contact].pair].model_defect += potential - stored;
        }
    }
}

/// What contacts that have ended still held at their last state is gone without work: a part of their pair's defect, as it is of the
/// ledger's.
pub(super) fn note_ends(run: &mut Simulation<'_>) {
    for event in run.log.iter().filter(|event| event.kind == EventKind::ContactEnd) {
        let contact = event.contact;
        let has_ended = run.evaluator.contacts.active.binary_search(&contact).is_err();
        if has_ended && run.evaluator.shares_stiffness(contact) {
            let stored = std::mem::take(&mut run.evaluator.contacts.memory[contact].stored);
            run.totals[run.evaluator.table.contacts[contact].pair].model_defect -= stored;
        }
    }
}

/// W0522 for each pair of triangle surfaces or of convex solids that gained energy for which no work accounts: more than a twentieth of what it
/// ever held. What is lost so, at edges that bodies slide off, damps; it is in the summary as the defect. Of outlines either is told.
pub(super) fn warnings(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    let table = &run.evaluator.table;
    table.pair_info.iter().zip(&run.totals).enumerate().filter_map(|(pair, (info, totals))| {
        let (defect, worst) = (totals.model_defect, totals.worst_jump);
        let moved = run.ledger.reference();
        let cure = match &table.pairs[pair].source {
            PairSource::Areal(areal) => areal_cure(areal),
            PairSource::Regions(_) => "a law with `volume` in place of `point` keeps the energy",
            PairSource::Convex(_) => {
                "where edges or faces meet, method = \"region\" with a law by `volume` keeps the energy"
            }
            PairSource::Planar(_) => {
                "where corners pass each other while they are pressed in, a stiffer law leaves less, and method = \"nonsmooth\" nothing"
            }
            _ => return None,
        };
        let stored = areal::peak::most_stored(&run.evaluator, pair);
        let is_told = match (&table.pairs[pair].source, stored) {
            (_, Some(stored)) => defect > OF_STORED * stored && defect > OF_ENERGY * moved,
            (PairSource::Planar(_), None) => defect.abs() > OF_ENERGY * moved,
            _ => defect > OF_ENERGY_ALONE * moved,
        };
        is_told.then(|| {
            let beside = match stored {
                Some(stored) => format!("it stored {stored:.3e} J at most"),
                None => format!("{moved:.3e} J moved in the run"),
            };
            let (size, how) = (defect.abs(), if defect < 0.0 { "go" } else { "come from" });
            // Contacts of outlines begin and end at depth, between steps.
            let where_most = match &table.pairs[pair].source {
                PairSource::Planar(_) => String::new(),
                _ => format!(
                    "; {:.3e} J in the step to t = {:.9} s, more than in any other",
                    worst.energy, worst.time
                ),
            };
            let message = format!(
                "pair \"{}\": {size:.3e} J {how} nowhere, where {beside}{where_most}: its forces are not those of what it stores; {cure}",
                info.name
            );
            Note::new("W0522", message)
        })
    })
}

/// What to do about an areal pair that gains energy.
fn areal_cure(areal: &ArealPair) -> &'static str {
    match &areal.passes[..] {
        [one] if one.base_is_a => {
            "base = \"b\" on its contact line, if B is the rounder or flatter one, method = \"region\" with a law by `volume`, or another mesh if triangles are turned (N0403)"
        }
        [_] => {
            "base = \"a\" on its contact line, if A is the rounder or flatter one, method = \"region\" with a law by `volume`, or another mesh if triangles are turned (N0403)"
        }
        _ => {
            "base = \"a\" or \"b\" on its contact line, whichever is the rounder or flatter one, or method = \"region\" with a law by `volume`"
        }
    }
}

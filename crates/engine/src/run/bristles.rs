//! What bristles of contacts held when they ended.

use super::Simulation;
use crate::contact::take_bristles;

/// What bristles of contacts and their parts that have ended stored is lost to friction. Where parts merge or split what they store
/// changes with the squares, while the force stays: that is the model's.
pub(super) fn book_ended(run: &mut Simulation<'_>) {
    for held in run.held.chunk_by(|a, b| a.contact == b.contact) {
        let contact = held[0].contact;
        let index = run.evaluator.table.contacts[contact].pair;
        let (lost, gained) = if run.evaluator.contacts.active.binary_search(&contact).is_err() {
            let friction = &run.evaluator.table.pairs[index].friction;
            (held.iter().map(|held| friction.stored(&held.bristle)).sum(), 0.0)
        } else {
            let change = take_bristles(&mut run.evaluator, contact, held);
            (change.ended, change.gained)
        };
        run.ledger.integrals.friction += lost;
        run.ledger.integrals.shared_elastic_work += gained;
        run.totals[index].dissipated += lost;
        run.totals[index].model_defect += gained;
    }
}

//! Surfaces of which one lies inside the other: nothing pushes there, so a state may look like rest (certificates.md 2).

use carom_geometry::clearance::{ClearanceWorkspace, contained, touching};

use super::super::Evaluator;
use super::super::placed::Placed;
use super::between;
use crate::record::ContactMode;

/// A pair, by its index, of whose triangle surfaces one is inside the other at the present state, and no triangles touch.
pub(crate) fn swallowed(evaluator: &Evaluator<'_>) -> Option<usize> {
    swallowed_among(evaluator, |_| true)
}

/// The same of contacts that are open, by the index of the contact: where a run goes on from a checkpoint nothing has seen the
/// one surface enter the other.
pub(crate) fn swallowed_unseen(evaluator: &Evaluator<'_>) -> Option<usize> {
    let is_open = |contact: &usize| evaluator.contacts.memory[*contact].mode == ContactMode::Open;
    let of_pair =
        |pair| (0..evaluator.table.contacts.len()).find(|c| evaluator.table.contacts[*c].pair == pair);
    let pair = swallowed_among(evaluator, |pair| of_pair(pair).as_ref().is_some_and(is_open))?;
    of_pair(pair)
}

fn swallowed_among(evaluator: &Evaluator<'_>, is_asked: impl Fn(usize) -> bool) -> Option<usize> {
    let mut workspace = None;
    evaluator.table.pairs.iter().enumerate().position(|(index, pair)| {
        let Some(meshes) = pair.source.meshes() else { return false };
        if !is_asked(index) {
            return false;
        }
        let placed =
            Placed::of(meshes.surfaces, pair.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
        let [a, b] = &meshes.trees;
        let x_ab = between(placed.poses[0], placed.poses[1]);
        touching(a, b, &x_ab, None, workspace.get_or_insert_with(ClearanceWorkspace::new)).is_none()
            && contained(a, b, &x_ab).is_some()
    })
}

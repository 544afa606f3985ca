//! Bristles of a contact by regions: one for each region that its book has.

use std::f64::consts::PI;

use super::{RegionLoad, RegionWorkspace};
use crate::contact::grip::{Part, grip_parts};
use crate::contact::hands::{Hand, of_part, part_of};
use crate::contact::{ContactForce, Evaluator};

impl RegionWorkspace {
    /// By which bristles the regions found last are held, in the order of the regions.
    pub(super) fn find_hands(&mut self, known: &[Hand], begun: usize) {
        self.hands.clear();
        self.pressing.clear();
        self.pressing.resize(begun, 0.0);
        for (found, load) in self.loads.iter().enumerate() {
            for &parent in self.lineage.parents(found) {
                self.pressing[parent as usize] += load.normal.max(0.0);
            }
        }
        for (found, load) in self.loads.iter().enumerate() {
            for &parent in self.lineage.parents(found) {
                let children = self.lineage.children(parent as usize);
                let share = part_of(load.normal, self.pressing[parent as usize], children);
                let inherited = of_part(known, parent as usize).iter();
                let hand = |hand: &Hand| Hand { part: found as u32, share: share * hand.share, ..*hand };
                self.hands.extend(inherited.map(hand));
            }
        }
    }

    /// Adds friction of all regions to that of the contact.
    fn grip(&mut self, evaluator: &mut Evaluator<'_>, slot: usize, first: usize, force: &mut ContactForce) {
        let pair = evaluator.table.contacts[evaluator.contacts.active[slot]].pair;
        let book = &mut evaluator.contacts.region_books[pair];
        let shares = std::mem::take(&mut book.held.shares);
        let book = &evaluator.contacts.region_books[pair];
        self.find_hands(&book.held.hands, book.regions.len());
        self.parts.clear();
        self.parts.extend(self.loads.iter().map(|load| Part {
            pressing: load.normal,
            normal: load.motion.normal,
            position: load.motion.position,
            sliding: load.motion.sliding,
            radius: radius(load),
            friction: Default::default(),
            torque: Default::default(),
        }));
        grip_parts(evaluator, (slot, first), &mut self.parts, (&self.hands, &shares), force);
        for (load, part) in self.loads.iter_mut().zip(&self.parts) {
            load.friction += part.friction;
            load.torque += part.torque;
        }
        evaluator.contacts.region_books[pair].held.shares = shares;
    }
}

/// Mean distance from its point at which friction acts on a disc of a region's area (m).
fn radius(load: &RegionLoad) -> f64 {
    let area = load.region.overlap.map_or(0.0, |overlap| overlap.area.max(0.0));
    2.0 / 3.0 * (area / PI).sqrt()
}

/// Adds what bristles do to the force of an active contact by regions, of which the first state is that.
pub(in crate::contact) fn grip_regions(
    evaluator: &mut Evaluator<'_>,
    slot: usize,
    first: usize,
    force: &mut ContactForce,
) {
    let pair = evaluator.table.contacts[evaluator.contacts.active[slot]].pair;
    if let Some(mut workspace) = evaluator.regions[pair].take() {
        if workspace.fault.is_none() {
            workspace.grip(evaluator, slot, first, force);
        }
        evaluator.regions[pair] = Some(workspace);
    }
}

//! Bristles of a contact by regions: one for each region that its book has.
//!
//! Between events the bristles of the state stay as they are, while regions merge, split, begin and end in trial steps. A region is
//! held by the sum of the bristles that it goes on from; what goes on as several shares a bristle among them by their normal
//! forces. So the force of friction is continuous through both, and both undo each other. What has no bristle yet is held by its
//! damping alone, and a bristle whose region is gone straightens without pressing. At the end of the step the state takes
//! the bristles of the regions that there are.

use std::f64::consts::PI;

use carom_math::Vec3;

use super::{RegionLoad, RegionWorkspace};
use crate::contact::bristle::{Bending, HeldBristle, bristle_at, bristle_of_state};
use crate::contact::{ContactForce, Evaluator};
use crate::law::{Bristle, Friction, Grip};
use crate::system::PairSource;

/// A share of a bristle of the state that holds a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hand {
    pub(crate) region: u32,
    /// Number of the bristle among those of the contact.
    pub(crate) bristle: u32,
    pub(crate) share: f64,
}

/// The sum of bristles by their shares; the dwell is their mean.
fn sum(hands: &[Hand], bristle: impl Fn(u32) -> Bristle) -> Bristle {
    let mut sum = Bristle::default();
    for hand in hands {
        let own = bristle(hand.bristle);
        sum.deflection += own.deflection * hand.share;
        sum.dwell += own.dwell / hands.len() as f64;
    }
    sum
}

/// The hands of one region.
fn of_region(hands: &[Hand], region: usize) -> &[Hand] {
    let from = hands.partition_point(|hand| (hand.region as usize) < region);
    let until = hands.partition_point(|hand| hand.region as usize <= region);
    &hands[from..until]
}

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
                let all = self.pressing[parent as usize];
                let share = match children {
                    1 => 1.0,
                    _ if all > 0.0 => load.normal.max(0.0) / all,
                    _ => 1.0 / children as f64,
                };
                let inherited = of_region(known, parent as usize).iter();
                let hand = |hand: &Hand| Hand { region: found as u32, share: share * hand.share, ..*hand };
                self.hands.extend(inherited.map(hand));
            }
        }
    }

    /// Has anything merged, split, begun or ended since the regions of a book of so many?
    pub(super) fn is_changed(&self, begun: usize) -> bool {
        let is_one = |found: usize| {
            let parents = self.lineage.parents(found);
            parents.len() == 1 && self.lineage.children(parents[0] as usize) == 1
        };
        self.loads.len() != begun || !(0..begun).all(is_one)
    }

    /// Adds friction of all regions to that of the contact.
    fn grip(&mut self, evaluator: &mut Evaluator<'_>, slot: usize, first: usize, force: &mut ContactForce) {
        let contact = evaluator.contacts.active[slot];
        let pair_index = evaluator.table.contacts[contact].pair;
        let book = &evaluator.contacts.region_books[pair_index];
        self.find_hands(&book.hands, book.regions.len());
        let pair = &evaluator.table.pairs[pair_index];
        let (friction, bodies) = (pair.friction, pair.bodies);
        let stiffness = friction.bristle().map_or(0.0, |law| law.stiffness);
        let damping = evaluator.contacts.memory[contact].grip_damping;
        let [a, b] = bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
        // The normal of a region belongs to neither body: it is taken to turn with both.
        let turning = 0.5 * (a + b);
        let spin = b - a;
        let own = friction.states();
        let states = |bristle: u32| {
            let first = first + own * bristle as usize;
            first..first + own
        };
        for (found, load) in self.loads.iter_mut().enumerate() {
            let hands = of_region(&self.hands, found);
            let radius = radius(load);
            let normal = load.motion.normal;
            let velocity = load.motion.sliding + normal * (radius * spin.dot(&normal));
            let grip = Grip { pressing: load.normal.max(0.0), velocity, damping };
            let straightens = if radius == 0.0 { stiffness / damping } else { 0.0 };
            let bending = Bending { friction: &friction, grip, turning, normal, straightens };
            let bristle = match hands {
                [hand] if hand.share == 1.0 => bristle_at(evaluator, states(hand.bristle).start, &bending),
                _ => sum(hands, |bristle| bristle_of_state(evaluator, states(bristle).start, &friction)),
            };
            let hold = friction.hold(&grip, &bristle);
            let twist = normal.dot(&hold.force);
            let (along, couple) = (hold.force - normal * twist, normal * (radius * twist));
            load.friction += along;
            load.torque += couple;
            force.friction += along;
            force.torque += (load.motion.position - force.point.position).cross(&along) + couple;
            force.dissipation[1] -= hold.force.dot(&velocity);
            let rate = bending.rate(&bristle);
            let part = 1.0 / hands.len() as f64;
            for hand in hands {
                let own = match hands.len() {
                    1 if hand.share == 1.0 => bristle,
                    _ => bristle_of_state(evaluator, states(hand.bristle).start, &friction),
                };
                let rate = Bristle { deflection: rate.deflection * part, dwell: rate.dwell * part };
                evaluator.bristled.put(states(hand.bristle), &own, &rate);
            }
        }
        for bristle in 0..evaluator.contacts.bristles[slot] as u32 {
            let states = states(bristle);
            let is_held = self.hands.iter().any(|hand| hand.bristle == bristle);
            let own = if is_held {
                evaluator.bristled.found(states.clone())
            } else {
                let grip = Grip { pressing: 0.0, velocity: Vec3::zeros(), damping };
                let normal = force.point.normal;
                let bending = Bending { friction: &friction, grip, turning, normal, straightens: 0.0 };
                let own = bristle_at(evaluator, states.start, &bending);
                evaluator.bristled.put(states.clone(), &own, &bending.rate(&own));
                own
            };
            let rate = evaluator.bristled.rate(states);
            force.gripped += friction.stored(&own);
            force.dissipation[1] -= stiffness * own.deflection.dot(&rate.deflection);
        }
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

/// Are the regions of a contact others than those whose bristles the state has?
pub(in crate::contact) fn is_regrouped(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let pair = evaluator.table.contacts[contact].pair;
    evaluator.contacts.region_books[pair].is_regrouped
}

/// What the region of this number takes over of the contact's bristles; none of contacts of another kind.
pub(in crate::contact) fn handed_on(
    evaluator: &Evaluator<'_>,
    contact: usize,
    number: usize,
    held: &[HeldBristle],
) -> Option<Bristle> {
    let pair = evaluator.table.contacts[contact].pair;
    if !matches!(evaluator.table.pairs[pair].source, PairSource::Regions(_)) {
        return None;
    }
    let book = &evaluator.contacts.region_books[pair];
    let of = |bristle: u32| held.get(bristle as usize).map_or(Bristle::default(), |held| held.bristle);
    Some(sum(of_region(&book.hands, number), of))
}

/// What a contact has lost and gained as its regions took bristles over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HandedOn {
    /// Stored by bristles of regions that have ended (J).
    pub(crate) ended: f64,
    /// What those that go on store more than before (J).
    pub(crate) gained: f64,
}

/// From now on the bristles of a state are those of the contact's regions, one for each; says what that has changed of the energy.
pub(crate) fn take_bristles(evaluator: &mut Evaluator<'_>, contact: usize, held: &[HeldBristle]) -> HandedOn {
    let pair = evaluator.table.contacts[contact].pair;
    let friction: Friction = evaluator.table.pairs[pair].friction;
    let book = &evaluator.contacts.region_books[pair];
    let mut change = HandedOn::default();
    if book.is_regrouped {
        for one in held {
            let stored = friction.stored(&one.bristle);
            if book.hands.iter().any(|hand| hand.bristle as usize == one.number) {
                change.gained -= stored;
            } else {
                change.ended += stored;
            }
        }
        for region in 0..book.regions.len() {
            let taken = handed_on(evaluator, contact, region, held).unwrap_or_default();
            change.gained += friction.stored(&taken);
        }
    }
    evaluator.contacts.region_books[pair].own_bristles();
    change
}

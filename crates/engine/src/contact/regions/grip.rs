//! Bristles of a contact by regions: one for each region that its book has.
//!
//! Each has a share of the stiffness and damping of the contact's bristle, about that of its region in the normal forces, so that all
//! break away at about the same deflection. Shares stay between the times at which the state takes bristles over: a law whose
//! stiffness went along with the force would make energy.
//!
//! Meanwhile regions merge, split, begin and end in trial steps. What goes on as several shares the stiffness by the normal forces and
//! has the same deflection; what merges has the sum of stiffnesses and the mean of the deflections by them. So the force of
//! friction is continuous through both. What has no bristle yet is held by its damping alone, and a bristle whose region is gone
//! straightens without pressing. At the end of the step the state takes the bristles of the regions that there are, by the forces that
//! they hold.

use std::f64::consts::PI;

use carom_math::Vec3;

use super::{RegionLoad, RegionWorkspace};
use crate::contact::bristle::{Bending, HeldBristle, bristle_at, bristle_of_state};
use crate::contact::{ContactForce, Evaluator};
use crate::law::{Bristle, Friction, Grip};
use crate::system::PairSource;

/// A bristle of the state that holds a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hand {
    pub(crate) region: u32,
    /// Number of the bristle among those of the contact.
    pub(crate) bristle: u32,
    /// What it brings the region of the contact's stiffness.
    pub(crate) share: f64,
}

/// The mean of bristles by what they bring.
fn mean(hands: &[Hand], bristle: impl Fn(u32) -> Bristle) -> Bristle {
    let all = sum_of_shares(hands);
    let mut mean = Bristle::default();
    for hand in hands {
        let (own, part) = (bristle(hand.bristle), hand.share / all);
        mean.deflection += own.deflection * part;
        mean.dwell += own.dwell * part;
    }
    mean
}

pub(super) fn sum_of_shares(hands: &[Hand]) -> f64 {
    hands.iter().map(|hand| hand.share).sum()
}

/// The hands of one region.
pub(super) fn of_region(hands: &[Hand], region: usize) -> &[Hand] {
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
                    _ if all > 0.0 => (load.normal / all).max(LEAST_PART),
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

    /// Does a region press with more than twice or less than half of what its bristle's share is for?
    pub(super) fn is_out_of_share(&self) -> bool {
        let all: f64 = self.loads.iter().map(|load| load.normal.max(0.0)).sum();
        let is_out = |(found, load): (usize, &RegionLoad)| {
            let part = share_of_load(load.normal, all);
            let own = sum_of_shares(of_region(&self.hands, found));
            part > 2.0 * own || own > 2.0 * part
        };
        all > 0.0 && self.loads.iter().enumerate().any(is_out)
    }

    /// Adds friction of all regions to that of the contact.
    fn grip(&mut self, evaluator: &mut Evaluator<'_>, slot: usize, first: usize, force: &mut ContactForce) {
        let contact = evaluator.contacts.active[slot];
        let pair_index = evaluator.table.contacts[contact].pair;
        let book = &evaluator.contacts.region_books[pair_index];
        self.find_hands(&book.hands, book.regions.len());
        let pair = &evaluator.table.pairs[pair_index];
        let (friction, bodies) = (pair.friction, pair.bodies);
        let damping = evaluator.contacts.memory[contact].grip_damping;
        let [a, b] = bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
        // The normal of a region belongs to neither body: it is taken to turn with both.
        let (turning, spin) = (0.5 * (a + b), b - a);
        let pressing: f64 = self.loads.iter().map(|load| load.normal.max(0.0)).sum();
        let own = friction.states();
        let states = |bristle: u32| {
            let first = first + own * bristle as usize;
            first..first + own
        };
        for (found, load) in self.loads.iter_mut().enumerate() {
            let hands = of_region(&self.hands, found);
            let share =
                if hands.is_empty() { share_of_load(load.normal, pressing) } else { sum_of_shares(hands) };
            let law = friction.of_share(share);
            let radius = radius(load);
            let normal = load.motion.normal;
            let velocity = load.motion.sliding + normal * (radius * spin.dot(&normal));
            let pressing = load.normal.max(0.0);
            let fade = fade(pressing, &law);
            let grip = Grip { pressing, velocity: velocity * fade, damping: share * damping };
            let straightens = if radius == 0.0 { stiffness(&friction) / damping } else { 0.0 };
            let bending = Bending { friction: &law, grip, turning, normal, straightens };
            let bristle = match hands {
                [] => Bristle::default(),
                [hand] => bristle_at(evaluator, states(hand.bristle).start, &bending),
                several => mean(several, |b| bristle_of_state(evaluator, states(b).start, &law)),
            };
            let held = law.hold(&grip, &bristle).force * fade;
            let twist = normal.dot(&held);
            let (along, couple) = (held - normal * twist, normal * (radius * twist));
            load.friction += along;
            load.torque += couple;
            force.friction += along;
            force.torque += (load.motion.position - force.point.position).cross(&along) + couple;
            force.dissipation[1] -= held.dot(&velocity);
            let rate = bending.rate(&bristle);
            for hand in hands {
                let kept = match hands {
                    [_] => bristle,
                    _ => bristle_of_state(evaluator, states(hand.bristle).start, &law),
                };
                let of_bristle = self.hands.iter().filter(|other| other.bristle == hand.bristle);
                let part = hand.share / of_bristle.map(|other| other.share).sum::<f64>();
                let rate = Bristle { deflection: rate.deflection * part, dwell: rate.dwell * part };
                evaluator.bristled.put(states(hand.bristle), &kept, &rate);
            }
        }
        for bristle in 0..evaluator.contacts.bristles[slot] as u32 {
            let states = states(bristle);
            let shares = &evaluator.contacts.region_books[pair_index].bristle_shares;
            let share = shares.get(bristle as usize).copied().unwrap_or(1.0);
            let law = friction.of_share(share);
            let is_held = self.hands.iter().any(|hand| hand.bristle == bristle);
            let kept = if is_held {
                evaluator.bristled.found(states.clone())
            } else {
                let grip = Grip { pressing: 0.0, velocity: Vec3::zeros(), damping: share * damping };
                let normal = force.point.normal;
                let bending = Bending { friction: &law, grip, turning, normal, straightens: 0.0 };
                let kept = bristle_at(evaluator, states.start, &bending);
                evaluator.bristled.put(states.clone(), &kept, &bending.rate(&kept));
                kept
            };
            let rate = evaluator.bristled.rate(states);
            force.gripped += law.stored(&kept);
            force.dissipation[1] -= stiffness(&law) * kept.deflection.dot(&rate.deflection);
        }
    }
}

/// Least part of a bristle that goes on with one of several regions.
const LEAST_PART: f64 = 1e-6;
/// Least share of a bristle: what presses less breaks away earlier.
const LEAST_SHARE: f64 = 1e-3;

/// Share of a region in the normal forces (N).
pub(super) fn share_of_load(normal: f64, all: f64) -> f64 {
    if all > 0.0 { (normal.max(0.0) / all).max(LEAST_SHARE) } else { 1.0 }
}

/// Share of the load to be expected below which a bristle has less and less hold.
const LIGHTEST: f64 = 1e-3;

/// How much of the sliding bends a bristle, and how much of its force acts, 0 to 1: the power is that of the bristle. Where hardly
/// anything presses all deflections are beyond the limit, and their direction would turn at any rate.
fn fade(pressing: f64, law: &Friction) -> f64 {
    let expected = law.bristle().map_or(0.0, |law| law.scale * law.stiffness / law.mu_static);
    let least = LIGHTEST * expected;
    // Without a coefficient nothing is to be expected.
    if pressing >= least || least.is_nan() {
        return 1.0;
    }
    let x = pressing / least;
    x * x * (3.0 - 2.0 * x)
}

fn stiffness(friction: &Friction) -> f64 {
    friction.bristle().map_or(0.0, |law| law.stiffness)
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
    let hands = of_region(&book.hands, number);
    if hands.is_empty() {
        return Some(Bristle::default());
    }
    // The force stays.
    let mean = mean(hands, of);
    let deflection = mean.deflection * (sum_of_shares(hands) / book.next_share(number));
    Some(Bristle { deflection, ..mean })
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
            let share = book.bristle_shares.get(one.number).copied().unwrap_or(1.0);
            let stored = share * friction.stored(&one.bristle);
            if book.hands.iter().any(|hand| hand.bristle as usize == one.number) {
                change.gained -= stored;
            } else {
                change.ended += stored;
            }
        }
        for region in 0..book.regions.len() {
            let taken = handed_on(evaluator, contact, region, held).unwrap_or_default();
            change.gained += book.next_share(region) * friction.stored(&taken);
        }
    }
    evaluator.contacts.region_books[pair].own_bristles();
    change
}

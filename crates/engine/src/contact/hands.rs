//! Which bristles hold the parts of a contact: its regions, or its patches of elements.
//!
//! Each part has a share of the stiffness and damping of the contact's bristle, about that of its load, so that all break away at about
//! the same deflection. Shares stay between the times at which the state takes bristles over: a law whose stiffness went along
//! with the force would make energy. What goes on as several shares the stiffness by the loads and has the same deflection; what merges
//! has the sum of stiffnesses and the mean of the deflections by them. So the force of friction is continuous through both.

use super::bristle::HeldBristle;
use crate::law::{Bristle, Friction};

/// A bristle of the state that holds a part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hand {
    pub(crate) part: u32,
    /// Number of the bristle among those of the contact.
    pub(crate) bristle: u32,
    /// What it brings the part of the contact's stiffness.
    pub(crate) share: f64,
}

/// Least share of a bristle: what presses less breaks away earlier.
const LEAST_SHARE: f64 = 1e-3;
/// Least part of a bristle that goes on with one of several parts.
const LEAST_PART: f64 = 1e-6;

/// Share of a part in the loads (N).
pub(super) fn share_of_load(load: f64, all: f64) -> f64 {
    if all > 0.0 { (load.max(0.0) / all).max(LEAST_SHARE) } else { 1.0 }
}

/// What one of several that go on from a part takes of its bristles, by the loads on both (N).
pub(super) fn part_of(load: f64, all: f64, children: usize) -> f64 {
    match children {
        1 => 1.0,
        _ if all > 0.0 => (load / all).max(LEAST_PART),
        _ => 1.0 / children as f64,
    }
}

/// The mean of bristles by what they bring.
pub(super) fn mean(hands: &[Hand], bristle: impl Fn(u32) -> Bristle) -> Bristle {
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

/// The hands of one part.
pub(super) fn of_part(hands: &[Hand], part: usize) -> &[Hand] {
    let from = hands.partition_point(|hand| (hand.part as usize) < part);
    let until = hands.partition_point(|hand| hand.part as usize <= part);
    &hands[from..until]
}

/// What a contact has lost and gained as its parts took bristles over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HandedOn {
    /// Stored by bristles of parts that have ended (J).
    pub(crate) ended: f64,
    /// What those that go on store more than before (J).
    pub(crate) gained: f64,
}

/// Of a contact that is closed and held by parts; of others empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandBook {
    /// By which bristles of the state each is held, in the order of the parts; without bristles as if there were some.
    pub(super) hands: Vec<Hand>,
    /// Shares of the state's bristles in the contact's stiffness.
    pub(super) shares: Vec<f64>,
    /// Shares of the parts in the loads at the last accepted state.
    of_loads: Vec<f64>,
    /// Has a part merged, split, begun or ended since the state took their bristles, or has its share in the loads changed?
    pub(super) is_regrouped: bool,
}

impl HandBook {
    /// Forgets all parts.
    pub(super) fn clear(&mut self) {
        self.hands.clear();
        self.shares.clear();
        self.of_loads.clear();
        self.is_regrouped = false;
    }

    /// One part that has all.
    pub(super) fn begin(&mut self) {
        self.clear();
        self.of_loads.push(1.0);
        self.own();
    }

    /// Takes the loads on the parts of an accepted state (N), by whose hands they are held: is one more than twice or less than half of
    /// what its bristle's share is for, the state is to take bristles over.
    pub(super) fn weigh(&mut self, loads: impl Iterator<Item = f64> + Clone) {
        let all: f64 = loads.clone().map(|load| load.max(0.0)).sum();
        self.of_loads.clear();
        self.of_loads.extend(loads.map(|load| share_of_load(load, all)));
        if !self.is_one_each() {
            self.is_regrouped = true;
        }
        let is_out = |(part, share): (usize, &f64)| {
            let own = sum_of_shares(of_part(&self.hands, part));
            *share > 2.0 * own || own > 2.0 * share
        };
        self.is_regrouped |= all > 0.0 && self.of_loads.iter().enumerate().any(is_out);
    }

    /// Is each part held by a bristle of its own, and are there no others?
    fn is_one_each(&self) -> bool {
        let parts = self.of_loads.len();
        let is_held = |(part, hand): (usize, &Hand)| hand.part as usize == part;
        let holds = |bristle: usize| {
            let is_it = |hand: &Hand| hand.bristle as usize == bristle;
            self.hands.get(bristle).is_some_and(is_it) || self.hands.iter().any(is_it)
        };
        self.hands.len() == parts
            && self.shares.len() == parts
            && self.hands.iter().enumerate().all(is_held)
            && (0..parts).all(holds)
    }

    /// Each part has a bristle of the state.
    pub(super) fn own(&mut self) {
        self.shares.clear();
        for part in 0..self.of_loads.len() {
            let share = self.next_share(part);
            self.shares.push(share);
        }
        self.hands.clear();
        let own = |(number, share): (u32, &f64)| Hand { part: number, bristle: number, share: *share };
        self.hands.extend((0..).zip(&self.shares).map(own));
        self.is_regrouped = false;
    }

    /// Takes the hands of parts that each have a bristle of the state, with their loads.
    pub(super) fn recall(&mut self, hands: impl Iterator<Item = Hand>) {
        self.clear();
        self.hands.extend(hands);
        self.of_loads.extend(self.hands.iter().map(|hand| hand.share));
        self.shares.resize(self.hands.len(), 1.0);
        for hand in &self.hands {
            if let Some(share) = self.shares.get_mut(hand.bristle as usize) {
                *share = hand.share;
            }
        }
    }

    /// The hand of a part, at looks, where a run may be left and the state has the bristles of the parts that there are.
    pub(super) fn own_hand(&self, part: usize) -> Hand {
        let own = Hand { part: part as u32, bristle: part as u32, share: 1.0 };
        self.hands.get(part).copied().unwrap_or(own)
    }

    /// Sets such a hand.
    pub(super) fn set_hand(&mut self, part: usize, hand: Hand) {
        if let Some(own) = self.hands.get_mut(part) {
            *own = hand;
        }
    }

    /// Share in the contact's stiffness with which the state takes the bristle of a part over.
    fn next_share(&self, part: usize) -> f64 {
        let hands = of_part(&self.hands, part);
        if self.is_regrouped || hands.is_empty() { self.of_loads[part] } else { sum_of_shares(hands) }
    }

    /// What a part takes over of the contact's bristles: the force stays.
    pub(super) fn handed_on(&self, part: usize, held: &[HeldBristle]) -> Bristle {
        let of = |bristle: u32| held.get(bristle as usize).map_or(Bristle::default(), |held| held.bristle);
        let hands = of_part(&self.hands, part);
        if hands.is_empty() || part >= self.of_loads.len() {
            return Bristle::default();
        }
        let mean = mean(hands, of);
        let deflection = mean.deflection * (sum_of_shares(hands) / self.next_share(part));
        Bristle { deflection, ..mean }
    }

    /// From now on the bristles of a state are those of the parts, one for each; says what that has changed of the energy.
    pub(super) fn take(&mut self, friction: &Friction, held: &[HeldBristle]) -> HandedOn {
        let mut change = HandedOn::default();
        if self.is_regrouped {
            for one in held {
                let share = self.shares.get(one.number).copied().unwrap_or(1.0);
                let stored = share * friction.stored(&one.bristle);
                if self.hands.iter().any(|hand| hand.bristle as usize == one.number) {
                    change.gained -= stored;
                } else {
                    change.ended += stored;
                }
            }
            for part in 0..self.of_loads.len() {
                let taken = self.handed_on(part, held);
                change.gained += self.next_share(part) * friction.stored(&taken);
            }
        }
        self.own();
        change
    }
}

#[cfg(test)]
mod tests {
    use carom_math::Vec3;

    use super::*;
    use crate::law::BristleLaw;

    fn law() -> Friction {
        let bristle =
            BristleLaw { mu: 0.3, mu_static: 0.3, v_stick: 1e-3, stiffness: 2.0, damping: None, scale: 1e-6 };
        Friction::Lugre(bristle)
    }

    fn held(deflections: &[f64]) -> Vec<HeldBristle> {
        let bristle = |s: f64| Bristle { deflection: Vec3::new(s, 0.0, 0.0), dwell: 0.0 };
        let one = |(number, s): (usize, &f64)| HeldBristle { contact: 0, number, bristle: bristle(*s) };
        deflections.iter().enumerate().map(one).collect()
    }

    /// Two parts merge: the force k (0.25 · 4 + 0.75 · 8) = 7 k is that of one bristle of share 1.
    #[test]
    fn the_force_stays_and_the_energy_is_told() {
        let mut book = HandBook::default();
        book.of_loads.extend([0.25, 0.75]);
        book.own();
        let hand = |bristle: u32, share: f64| Hand { part: 0, bristle, share };
        book.hands = vec![hand(0, 0.25), hand(1, 0.75)];
        book.weigh([5.0].into_iter());
        assert!(book.is_regrouped);
        let held = held(&[4.0, 8.0]);
        assert_eq!(book.handed_on(0, &held).deflection.x, 7.0);
        // k/2 Σ s² was 0.25 · 16 + 0.75 · 64 = 52, and is 49.
        let change = book.take(&law(), &held);
        assert_eq!((change.ended, change.gained), (0.0, -3.0));
        assert_eq!(book.shares, [1.0]);
        assert!(!book.is_regrouped);
    }

    /// Of two parts one ends: what its bristle stored is lost. The other has all of the stiffness then, and the same force.
    #[test]
    fn what_ends_is_lost() {
        let mut book = HandBook::default();
        book.of_loads.extend([0.5, 0.5]);
        book.own();
        book.hands = vec![Hand { part: 0, bristle: 1, share: 0.5 }];
        book.weigh([5.0].into_iter());
        let held = held(&[4.0, 8.0]);
        assert_eq!(book.handed_on(0, &held).deflection.x, 4.0);
        let change = book.take(&law(), &held);
        assert_eq!((change.ended, change.gained), (8.0, 16.0 - 32.0));
    }
}

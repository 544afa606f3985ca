use std::ops::Range;

use carom_math::Wrench;

use super::path::PathTerm;
use crate::mechanics::tree::{Chain, DynamicsDerivatives, SparseFactor};
use crate::system::System;

/// What the Jacobian of the right-hand side is put together in. Sized at compile.
#[derive(Debug, Default)]
pub(crate) struct TangentWorkspace {
    pub(super) chain: Chain,
    pub(super) dynamics: DynamicsDerivatives,
    pub(super) mass: SparseFactor,
    /// Buffer of the size of the state.
    pub(super) rates: Vec<f64>,
    /// By body, of one force element.
    pub(super) wrenches: Vec<Wrench>,
    /// Freedoms that move one contact.
    pub(super) terms: Vec<PathTerm>,
    /// By tree, at its first link: states from the first to the last that its accelerations depend on.
    pub(super) reach: Vec<Range<usize>>,
}

impl TangentWorkspace {
    pub(crate) fn new(system: &System) -> Self {
        let chain = Chain::new(&system.mechanics.links);
        let longest = (0..chain.places.len()).map(|place| chain.path(place).len()).max().unwrap_or(0);
        Self {
            dynamics: DynamicsDerivatives::new(&system.mechanics.links, &chain),
            mass: SparseFactor::new(&chain),
            rates: vec![0.0; system.states()],
            wrenches: vec![Wrench::ZERO; system.mechanics.bodies.len()],
            terms: Vec::with_capacity(2 * longest),
            reach: vec![0..0; system.mechanics.links.len()],
            chain,
        }
    }

    /// Trees see their own states only.
    pub(super) fn reset_reach(&mut self, system: &System) {
        for start in
            system.mechanics.links.iter().enumerate().filter(|(index, l)| l.tree == *index).map(|(i, _)| i)
        {
            let links = &system.mechanics.links[system.mechanics.tree_links(start)];
            self.reach[start] = links[0].first_state..links.last().map_or(0, |l| l.states().end);
        }
    }

    /// Two trees see each other's states, and what is between them.
    pub(super) fn join_reach(&mut self, trees: [usize; 2]) {
        let [a, b] = trees.map(|tree| self.reach[tree].clone());
        for tree in trees {
            self.reach[tree] = a.start.min(b.start)..a.end.max(b.end);
        }
    }
}

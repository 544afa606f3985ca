use std::ops::Range;

use carom_math::Wrench;

use super::coupling::CouplingWorkspace;
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
    pub(super) coupling: CouplingWorkspace,
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
            coupling: CouplingWorkspace::default(),
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

    /// States that the accelerations along a place depend on.
    pub(super) fn reach_of(&self, system: &System, place: usize) -> Range<usize> {
        self.reach[system.mechanics.links[self.chain.places[place].link].tree].clone()
    }

    /// M⁻¹ from the factors of the last Jacobian: a row for each state, whose velocities are filled, by columns of freedoms.
    pub(crate) fn write_inverse_mass(&self, system: &System, matrix: &mut [f64]) {
        let (n, links) = (system.freedoms(), &system.mechanics.links);
        matrix.fill(0.0);
        for place in self.chain.places.iter().filter(|place| !place.is_driven) {
            matrix[n * place.velocity + links[place.link].first_freedom + place.freedom] = 1.0;
        }
        let columns = |place: usize| {
            let tree = system.mechanics.tree_links(links[self.chain.places[place].link].tree);
            links[tree.start].freedoms().start..links[tree.end - 1].freedoms().end
        };
        self.mass.solve(&self.chain, matrix, n, columns);
    }

    /// A tree sees a state behind those of all links, and what is between.
    pub(super) fn extend_reach(&mut self, tree: usize, state: usize) {
        let reach = &mut self.reach[tree];
        reach.end = reach.end.max(state + 1);
    }

    /// Two trees see each other's states, and what is between them.
    pub(super) fn join_reach(&mut self, trees: [usize; 2]) {
        let [a, b] = trees.map(|tree| self.reach[tree].clone());
        for tree in trees {
            self.reach[tree] = a.start.min(b.start)..a.end.max(b.end);
        }
    }
}

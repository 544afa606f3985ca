use std::ops::Range;

use carom_solvers::reverse_cuthill_mckee;

use super::Rows;
use crate::mechanics::Mechanics;

/// Rows from which on a matrix that is sparse is worth an order of its own.
const FEWEST_ROWS: usize = 48;

/// Which rows of G M⁻¹ Gᵀ meet: those that act on one tree. With the order that brings them near each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// Group of each row that it was made for: rows of a group, and what they act on, are the same at all states.
    groups: Vec<usize>,
    /// By block, which are the rows of one group: its rows.
    rows: Vec<Range<usize>>,
    /// By block: blocks that meet it, itself among them, up to itself in the order of elimination.
    meeting: Vec<Vec<usize>>,
    /// Of each row, its place in that order.
    pub(super) place: Vec<usize>,
    /// By place: first place that meets it.
    pub(super) first: Vec<usize>,
    /// Is the matrix so sparse, and so large, that it is treated by envelopes?
    pub(super) is_sparse: bool,
}

impl Pattern {
    /// Fits the pattern to rows; true if it has changed, as when a cable goes slack or taut.
    pub(super) fn fit(&mut self, rows: &Rows, mechanics: &Mechanics) -> bool {
        let is_same = self.groups.len() == rows.len()
            && self.groups.iter().zip(&rows.rows).all(|(group, row)| *group == row.group);
        if !is_same {
            self.build(rows, mechanics);
        }
        !is_same
    }

    fn build(&mut self, rows: &Rows, mechanics: &Mechanics) {
        self.groups.clear();
        self.groups.extend(rows.rows.iter().map(|row| row.group));
        self.rows.clear();
        self.is_sparse = false;
        if rows.len() < FEWEST_ROWS {
            return;
        }
        for row in 0..rows.len() {
            match self.rows.last_mut() {
                Some(block) if self.groups[block.start] == self.groups[row] => block.end = row + 1,
                _ => self.rows.push(row..row + 1),
            }
        }
        let neighbours = self.neighbours(rows, mechanics);
        let order = reverse_cuthill_mckee(&neighbours);
        self.place.resize(rows.len(), 0);
        let mut rank = vec![0; order.len()];
        let mut next = 0;
        for (at, &block) in order.iter().enumerate() {
            rank[block] = at;
            for row in self.rows[block].clone() {
                self.place[row] = next;
                next += 1;
            }
        }
        self.meeting = neighbours;
        for (block, meeting) in self.meeting.iter_mut().enumerate() {
            meeting.push(block);
            meeting.retain(|&other| rank[other] <= rank[block]);
        }
        self.first.resize(rows.len(), 0);
        for (block, meeting) in self.meeting.iter().enumerate() {
            let begins = meeting.iter().map(|&other| self.place[self.rows[other].start]).min();
            for row in self.rows[block].clone() {
                self.first[self.place[row]] = begins.unwrap_or(self.place[row]);
            }
        }
        let envelope: usize = self.first.iter().enumerate().map(|(place, first)| place + 1 - first).sum();
        self.is_sparse = 4 * envelope <= rows.len() * (rows.len() + 1);
    }

    /// Of each block, the others that act on one of its trees.
    fn neighbours(&self, rows: &Rows, mechanics: &Mechanics) -> Vec<Vec<usize>> {
        let mut blocks_of_tree = vec![Vec::new(); mechanics.links.len()];
        for (block, range) in self.rows.iter().enumerate() {
            for row in range.clone() {
                let bodies = rows.terms(row).iter().map(|term| term.link);
                let own = rows.freedoms(row).iter().map(|&(freedom, _)| mechanics.link_of_freedom[freedom]);
                for link in bodies.chain(own) {
                    let blocks: &mut Vec<usize> = &mut blocks_of_tree[mechanics.links[link].tree];
                    if blocks.last() != Some(&block) {
                        blocks.push(block);
                    }
                }
            }
        }
        let mut neighbours = vec![Vec::new(); self.rows.len()];
        for blocks in &blocks_of_tree {
            for &block in blocks {
                neighbours[block].extend(blocks.iter().copied().filter(|&other| other != block));
            }
        }
        for own in &mut neighbours {
            own.sort_unstable();
            own.dedup();
        }
        neighbours
    }

    /// Rows, with ranges of rows that meet them and are no later in the order of elimination; together all pairs
    /// that meet, at least once.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.rows
            .iter()
            .zip(&self.meeting)
            .flat_map(|(rows, meeting)| rows.clone().map(move |row| (row, &meeting[..])))
    }

    /// Rows of a block.
    pub(super) fn rows_of(&self, block: usize) -> Range<usize> {
        self.rows[block].clone()
    }
}

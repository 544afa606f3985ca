use super::block::{self, Block, Triple, ZERO};
use super::order::Elimination;

/// Factors L D U of a matrix of blocks with a symmetric pattern, in the order of an elimination. Pivots are whole blocks, not exchanged.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLu {
    elimination: Elimination,
    place: Vec<usize>,
    /// At each place: the block on the diagonal, then its inverse.
    diagonal: Vec<Block>,
    /// At each place: blocks below it and to the right of it, at the places of `later`.
    lower: Vec<Vec<Block>>,
    upper: Vec<Vec<Block>>,
    right: Vec<Triple>,
}

impl BlockLu {
    pub(super) fn new(elimination: Elimination) -> Self {
        let n = elimination.order.len();
        let mut place = vec![0; n];
        elimination.order.iter().enumerate().for_each(|(at, &index)| place[index] = at);
        let room: Vec<Vec<Block>> = elimination.later.iter().map(|later| vec![ZERO; later.len()]).collect();
        Self {
            place,
            diagonal: vec![ZERO; n],
            lower: room.clone(),
            upper: room,
            right: vec![[0.0; 3]; n],
            elimination,
        }
    }

    /// Sets all blocks to zero.
    pub(super) fn clear(&mut self) {
        self.diagonal.fill(ZERO);
        self.lower.iter_mut().chain(&mut self.upper).for_each(|blocks| blocks.fill(ZERO));
    }

    /// A block within the pattern.
    pub(super) fn block_mut(&mut self, row: usize, column: usize) -> &mut Block {
        let (row, column) = (self.place[row], self.place[column]);
        let later = &self.elimination.later;
        let find = |first: usize, other: usize| {
            later[first].binary_search(&other).expect("the block is within the pattern")
        };
        match row.cmp(&column) {
            std::cmp::Ordering::Equal => &mut self.diagonal[row],
            std::cmp::Ordering::Less => &mut self.upper[row][find(row, column)],
            std::cmp::Ordering::Greater => &mut self.lower[column][find(column, row)],
        }
    }

    /// Factors; false if a pivot has no inverse.
    pub(super) fn factor(&mut self) -> bool {
        for k in 0..self.diagonal.len() {
            let Some(inverse) = block::inverse(&self.diagonal[k]) else { return false };
            self.diagonal[k] = inverse;
            let (lower, mut upper) = (std::mem::take(&mut self.lower[k]), std::mem::take(&mut self.upper[k]));
            upper.iter_mut().for_each(|block| *block = block::times(&inverse, block));
            let places = &self.elimination.later[k];
            for (a, &i) in places.iter().enumerate() {
                block::subtract_product(&mut self.diagonal[i], &lower[a], &upper[a]);
                // What is later than k beside i is later than i, in the same order.
                let mut at = 0;
                for (b, &j) in places.iter().enumerate().skip(a + 1) {
                    while self.elimination.later[i][at] != j {
                        at += 1;
                    }
                    block::subtract_product(&mut self.upper[i][at], &lower[a], &upper[b]);
                    block::subtract_product(&mut self.lower[i][at], &lower[b], &upper[a]);
                }
            }
            (self.lower[k], self.upper[k]) = (lower, upper);
        }
        true
    }

    /// Replaces b by A⁻¹ b.
    pub(super) fn solve(&mut self, b: &mut [Triple]) {
        let n = b.len();
        for (at, &index) in self.elimination.order.iter().enumerate() {
            self.right[at] = b[index];
        }
        for k in 0..n {
            let x = block::product(&self.diagonal[k], &self.right[k]);
            for (block, &i) in self.lower[k].iter().zip(&self.elimination.later[k]) {
                let change = block::product(block, &x);
                self.right[i].iter_mut().zip(change).for_each(|(b, c)| *b -= c);
            }
            self.right[k] = x;
        }
        for k in (0..n).rev() {
            let mut x = self.right[k];
            for (block, &j) in self.upper[k].iter().zip(&self.elimination.later[k]) {
                let change = block::product(block, &self.right[j]);
                x.iter_mut().zip(change).for_each(|(x, c)| *x -= c);
            }
            self.right[k] = x;
        }
        for (at, &index) in self.elimination.order.iter().enumerate() {
            b[index] = self.right[at];
        }
    }
}

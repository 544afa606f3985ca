//! Square blocks of three rows, one for each pair of contacts.

/// A velocity or an impulse at a contact: along the normal, then along two tangents.
pub type Triple = [f64; 3];

/// A block of the Delassus operator, row by row.
pub type Block = [f64; 9];

pub(super) const ZERO: Block = [0.0; 9];

/// A x.
#[inline(always)]
pub(super) fn product(a: &Block, x: &Triple) -> Triple {
    [
        a[0] * x[0] + a[1] * x[1] + a[2] * x[2],
        a[3] * x[0] + a[4] * x[1] + a[5] * x[2],
        a[6] * x[0] + a[7] * x[1] + a[8] * x[2],
    ]
}

/// target += A x.
#[inline(always)]
pub(super) fn add_product(target: &mut Triple, a: &Block, x: &Triple) {
    let y = product(a, x);
    target.iter_mut().zip(y).for_each(|(t, y)| *t += y);
}

/// A B.
#[inline(always)]
pub(super) fn times(a: &Block, b: &Block) -> Block {
    let mut c = ZERO;
    for i in 0..3 {
        for j in 0..3 {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    c
}

/// target −= A B.
#[inline(always)]
pub(super) fn subtract_product(target: &mut Block, a: &Block, b: &Block) {
    let c = times(a, b);
    target.iter_mut().zip(c).for_each(|(t, c)| *t -= c);
}

/// A⁻¹ by cofactors, or nothing where rows depend on each other to rounding.
pub(super) fn inverse(a: &Block) -> Option<Block> {
    let c = [
        a[4] * a[8] - a[5] * a[7],
        a[2] * a[7] - a[1] * a[8],
        a[1] * a[5] - a[2] * a[4],
        a[5] * a[6] - a[3] * a[8],
        a[0] * a[8] - a[2] * a[6],
        a[2] * a[3] - a[0] * a[5],
        a[3] * a[7] - a[4] * a[6],
        a[1] * a[6] - a[0] * a[7],
        a[0] * a[4] - a[1] * a[3],
    ];
    let determinant = a[0] * c[0] + a[1] * c[3] + a[2] * c[6];
    let factor = 1.0 / determinant;
    (determinant != 0.0 && factor.is_finite()).then(|| c.map(|c| c * factor))
}

/// A symmetric matrix of blocks, of which few are not zero: those of contacts that share a body. Rows are put in one after the
/// other.
#[derive(Clone, Debug, Default)]
pub struct BlockMatrix {
    /// Where each row ends among the blocks.
    end: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Block>,
    /// Place of each row's own block.
    diagonal: Vec<Option<usize>>,
    /// That of the row which is being put in.
    own: Option<usize>,
}

impl BlockMatrix {
    /// A full matrix of n × n blocks, row by row of its numbers.
    pub fn from_dense(matrix: &[f64], contacts: usize) -> Self {
        let mut blocks = Self::default();
        for i in 0..contacts {
            for j in 0..contacts {
                let element = |k: usize| matrix[3 * contacts * (3 * i + k / 3) + 3 * j + k % 3];
                let block: Block = std::array::from_fn(element);
                if i == j || block != ZERO {
                    blocks.push(j, block);
                }
            }
            blocks.end_row();
        }
        blocks
    }

    /// Takes all rows away and keeps their room.
    pub fn clear(&mut self) {
        self.end.clear();
        self.columns.clear();
        self.blocks.clear();
        self.diagonal.clear();
        self.own = None;
    }

    /// Puts a block into the last row, in a column that this row does not have yet.
    #[inline]
    pub fn push(&mut self, column: usize, block: Block) {
        if column == self.end.len() {
            self.own = Some(self.blocks.len());
        }
        self.columns.push(column);
        self.blocks.push(block);
    }

    /// Ends a row; what is put in from now on belongs to the next one.
    #[inline]
    pub fn end_row(&mut self) {
        self.end.push(self.blocks.len());
        self.diagonal.push(self.own.take());
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.end.is_empty()
    }

    /// Columns and blocks of a row.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Block)> {
        let range = self.end[..row].last().copied().unwrap_or(0)..self.end[row];
        self.columns[range.clone()].iter().copied().zip(&self.blocks[range])
    }

    /// The block of a row in a column, if there is one.
    pub fn block(&self, row: usize, column: usize) -> Option<&Block> {
        self.row(row).find(|(at, _)| *at == column).map(|(_, block)| block)
    }

    pub(super) fn diagonal(&self, row: usize) -> Option<&Block> {
        self.diagonal[row].map(|at| &self.blocks[at])
    }

    pub(super) fn diagonal_mut(&mut self, row: usize) -> Option<&mut Block> {
        self.diagonal[row].map(|at| &mut self.blocks[at])
    }

    /// Are all columns those of rows, and all numbers finite?
    pub(super) fn is_sound(&self) -> bool {
        self.columns.iter().all(|&column| column < self.len())
            && self.blocks.iter().flatten().all(|value| value.is_finite())
    }
}

/// Most elements of a row that counts as sparse: rates of a quaternion, ½ q ⊗ ω, have seven, those of a position in the
/// axes of its body too.
const MOST: usize = 8;

/// Elements that are looked at together.
const CHUNK: usize = 16;

/// Which rows of a square matrix are sparse, and the columns of what is not zero in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRows {
    /// Elements of each row; one more than [`MOST`] stands for any number beyond.
    counts: Vec<usize>,
    /// Columns of the first [`MOST`] elements of each row.
    columns: Vec<[usize; MOST]>,
}

impl SparseRows {
    /// For a matrix of this order; of another one than before nothing is known yet.
    pub(crate) fn resize(&mut self, n: usize) {
        if self.counts.len() != n {
            self.counts.clear();
        }
        self.counts.resize(n, 0);
        self.columns.resize(n, [0; MOST]);
    }

    /// Looks at a matrix, row by row.
    pub(crate) fn detect(&mut self, matrix: &[f64]) {
        let rows = matrix.chunks_exact(self.counts.len().max(1));
        for ((count, columns), row) in self.counts.iter_mut().zip(&mut self.columns).zip(rows) {
            *count = 0;
            for (start, chunk) in (0..).step_by(CHUNK).zip(row.chunks(CHUNK)) {
                // Most are empty, which takes no more than one look at all of it.
                if *count > MOST || chunk.iter().fold(true, |is_empty, x| is_empty & (*x == 0.0)) {
                    continue;
                }
                for (j, _) in (start..).zip(chunk).filter(|(_, x)| **x != 0.0) {
                    if let Some(column) = columns.get_mut(*count) {
                        *column = j;
                    }
                    *count = (*count + 1).min(MOST + 1);
                }
            }
        }
    }

    /// Columns of row i, in order, if it is sparse.
    pub(crate) fn row(&self, i: usize) -> Option<&[usize]> {
        self.columns[i].get(..self.counts[i])
    }

    /// Order of the matrix.
    pub(crate) fn order(&self) -> usize {
        self.counts.len()
    }
}

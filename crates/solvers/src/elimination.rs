//! Which states of 1 − c J are eliminated before the others, without an exchange of rows.
//!
//! Half of the states of a mechanism are positions, and their rates hardly see the others: q̇ = v, or a quaternion's
//! ½ q ⊗ ω. Their rows of J are sparse, and once they are gone, in about as many operations as they have elements,
//! dense factors are needed of the Schur complement of the other states alone.
//!
//! With E for the eliminated states and D for those kept, a state is in E if its row of J has at most eight elements,
//!
//! - Σ_E c |J_ij| ≤ ¼, itself included. The block A_EE of A = 1 − c J is then strictly diagonally dominant by rows: it
//!   has factors without an exchange of rows whose elements grow by no more than 2 (Wilkinson; Higham, *Accuracy and
//!   Stability of Numerical Algorithms*, 2002, theorem 9.9), and ‖A_EE⁻¹‖∞ ≤ 1/(1 − ¼) (Varah, *Linear Algebra and its
//!   Applications* 11, 1975);
//! - Σ c |J_ij| ≤ 4 over all states. With the above, the Schur complement A_DD − A_DE A_EE⁻¹ A_ED is no larger than
//!   (1 + 16/3) ‖A‖∞, and its rounding follows. Fast rates would lose there what an exchange of rows keeps.
//!
//! For σ − J with a complex σ both hold as soon as they hold for c = 1/|σ|.

use crate::sparse_rows::SparseRows;

/// Most that Σ c |J_ij| over the eliminated states may be.
const SHARE: f64 = 0.25;
/// Most that it may be over all.
const REACH: f64 = 4.0;
/// Most elements of a row of the factors beside the diagonal; a row that fills up further is kept.
pub(crate) const MOST_FILLED: usize = 16;

/// Eliminated and kept states, and where their factors have elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    /// States in the order in which they go.
    pub(crate) eliminated: Vec<usize>,
    pub(crate) kept: Vec<usize>,
    /// Place among the eliminated, where that is what a state is.
    place: Vec<usize>,
    /// The state is eliminated, or not yet decided on.
    goes: Vec<bool>,
    rows: Vec<FilledRow>,
}

/// Columns of a row of the factors beside the diagonal, by state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilledRow {
    columns: [usize; MOST_FILLED],
    /// How many are of states that have gone before, in their order.
    lower: usize,
    len: usize,
}

impl FilledRow {
    /// Columns of all elements: the lower ones, then the upper ones.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns[..self.len]
    }

    /// Columns of states that have gone before, in their order.
    pub(crate) fn lower(&self) -> &[usize] {
        &self.columns[..self.lower]
    }

    /// All others.
    fn upper(&self) -> &[usize] {
        &self.columns[self.lower..self.len]
    }

    /// All others with what the factors have there, of all elements of the row in the order of [`Self::columns`].
    pub(crate) fn upper_of<'a, X>(&'a self, elements: &'a [X]) -> impl Iterator<Item = (&'a usize, &'a X)> {
        self.upper().iter().zip(&elements[self.lower..])
    }

    /// Adds a column that is not there yet, if there is room.
    fn add(&mut self, j: usize, has_gone: bool) -> Option<()> {
        if self.columns[..self.len].contains(&j) {
            return Some(());
        }
        if self.len == MOST_FILLED {
            return None;
        }
        let place = if has_gone { self.lower().partition_point(|&other| other < j) } else { self.len };
        self.columns.copy_within(place..self.len, place + 1);
        self.columns[place] = j;
        self.lower += usize::from(has_gone);
        self.len += 1;
        Some(())
    }
}

impl Elimination {
    /// Makes room for n states.
    pub(crate) fn resize(&mut self, n: usize) {
        for list in [&mut self.eliminated, &mut self.kept] {
            list.clear();
            list.reserve(n);
        }
        self.rows.clear();
        self.rows.reserve(n);
        self.place.resize(n, 0);
        self.goes.resize(n, false);
    }

    /// Decides for 1 − c J, with the sparse rows of J.
    pub(crate) fn choose(&mut self, c: f64, jacobian: &[f64], sparse: &SparseRows) {
        let n = sparse.order();
        self.eliminated.clear();
        self.kept.clear();
        self.rows.clear();
        let size = |i: usize, j: usize| c * jacobian[n * i + j].abs();
        for (i, goes) in self.goes.iter_mut().enumerate() {
            let reach = sparse.row(i).map(|columns| columns.iter().map(|&j| size(i, j)).sum::<f64>());
            *goes = reach.is_some_and(|reach| reach <= REACH);
        }
        for i in 0..n {
            let row = sparse.row(i).filter(|_| self.goes[i]).and_then(|columns| {
                let share: f64 = columns.iter().filter(|&&j| self.goes[j]).map(|&j| size(i, j)).sum();
                if share <= SHARE { self.fill(i, columns) } else { None }
            });
            self.goes[i] = row.is_some();
            let Some(row) = row else {
                self.kept.push(i);
                continue;
            };
            self.place[i] = self.eliminated.len();
            self.eliminated.push(i);
            self.rows.push(row);
        }
    }

    /// Row of the factors of the eliminated state at this place.
    pub(crate) fn row(&self, place: usize) -> &FilledRow {
        &self.rows[place]
    }

    /// Place of an eliminated state in their order.
    pub(crate) fn place(&self, state: usize) -> usize {
        self.place[state]
    }

    /// What row i has once the states before are gone, if that is not too much.
    fn fill(&self, i: usize, columns: &[usize]) -> Option<FilledRow> {
        let mut row = FilledRow { columns: [0; MOST_FILLED], lower: 0, len: 0 };
        columns.iter().filter(|&&j| j != i).try_for_each(|&j| row.add(j, self.has_gone(j, i)))?;
        let mut next = 0;
        while next < row.lower {
            let upper = self.rows[self.place[row.columns[next]]].upper();
            upper.iter().filter(|&&j| j != i).try_for_each(|&j| row.add(j, self.has_gone(j, i)))?;
            next += 1;
        }
        Some(row)
    }

    /// State j goes before state i.
    fn has_gone(&self, j: usize, i: usize) -> bool {
        j < i && self.goes[j]
    }
}

#[cfg(test)]
mod tests;

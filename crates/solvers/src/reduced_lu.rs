use std::ops::Range;

use crate::elimination::{Elimination, MOST_FILLED};
use crate::lu::{Lu, extent};
use crate::wide::{Wide, run_wide};

/// LU factors of a matrix d + s J: sparse rows of the states that [`Elimination`] lets go first, and dense factors with
/// partial pivoting of the Schur complement of the others; the latter alone if none goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReducedLu {
    /// 1 over the pivot of each eliminated row.
    inverses: Vec<f64>,
    /// Other elements of the factors in each eliminated row, in the order of [`Elimination::row`].
    elements: Vec<[f64; MOST_FILLED]>,
    /// What the kept rows have in each column, state by state: L where the state is eliminated.
    columns: Vec<f64>,
    /// From where to where the column of each eliminated state has any.
    extents: Vec<Range<usize>>,
    schur: Lu,
    /// One row or column at work.
    line: Vec<f64>,
    /// Kept part of a right-hand side.
    part: Vec<f64>,
}

impl ReducedLu {
    /// Makes room for n states.
    pub(crate) fn resize(&mut self, n: usize) {
        self.schur.resize(n);
        self.columns.resize(n * n, 0.0);
        [&mut self.line, &mut self.part].into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.inverses.reserve(n.saturating_sub(self.inverses.len()));
        self.elements.reserve(n.saturating_sub(self.elements.len()));
        self.extents.reserve(n.saturating_sub(self.extents.len()));
    }

    /// Factors diagonal + scale J; false if it is singular or not finite.
    pub(crate) fn factor(
        &mut self,
        diagonal: f64,
        scale: f64,
        jacobian: &[f64],
        elimination: &Elimination,
    ) -> bool {
        self.factor_rows(diagonal, scale, jacobian, elimination);
        let (n, kept) = (self.line.len(), elimination.kept.len());
        let row = |&i: &usize| &jacobian[n * i..n * (i + 1)];
        transpose(&elimination.kept, row, &mut self.columns, kept);
        self.columns[..n * kept].iter_mut().for_each(|x| *x *= scale);
        for (row, &i) in elimination.kept.iter().enumerate() {
            self.columns[kept * i + row] += diagonal;
        }
        run_wide(ReduceColumns(self, elimination));
        self.schur.resize(kept);
        let column = |&j: &usize| &self.columns[kept * j..kept * (j + 1)];
        transpose(&elimination.kept, column, &mut self.schur.matrix, kept);
        self.schur.factor()
    }

    /// Factors of the eliminated rows.
    fn factor_rows(&mut self, diagonal: f64, scale: f64, jacobian: &[f64], elimination: &Elimination) {
        let n = self.line.len();
        self.inverses.clear();
        self.elements.clear();
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let filled = elimination.row(place);
            for &j in filled.columns().iter().chain([&i]) {
                self.line[j] = scale * jacobian[n * i + j];
            }
            self.line[i] += diagonal;
            for &j in filled.lower() {
                let before = elimination.place(j);
                self.line[j] *= self.inverses[before];
                let factor = self.line[j];
                for (&j, x) in elimination.row(before).upper_of(&self.elements[before]) {
                    self.line[j] -= factor * x;
                }
            }
            self.inverses.push(1.0 / self.line[i]);
            let mut elements = [0.0; MOST_FILLED];
            elements.iter_mut().zip(filled.columns()).for_each(|(x, &j)| *x = self.line[j]);
            self.elements.push(elements);
        }
    }

    /// L of the kept rows, and their Schur complement.
    #[inline(always)]
    fn reduce_columns(&mut self, elimination: &Elimination) {
        let kept = elimination.kept.len();
        self.extents.clear();
        for (place, (&i, inverse)) in elimination.eliminated.iter().zip(&self.inverses).enumerate() {
            let column = &mut self.columns[kept * i..kept * (i + 1)];
            let extent = extent(kept, |row| column[row] != 0.0);
            column[extent.clone()].iter_mut().for_each(|x| *x *= inverse);
            let lower = &mut self.line[..extent.len()];
            lower.copy_from_slice(&column[extent.clone()]);
            for (&j, factor) in elimination.row(place).upper_of(&self.elements[place]) {
                let column = &mut self.columns[kept * j..][extent.clone()];
                column.iter_mut().zip(&*lower).for_each(|(x, l)| *x -= factor * l);
            }
            self.extents.push(extent);
        }
    }

    /// Solves in place.
    pub(crate) fn solve(&mut self, b: &mut [f64], elimination: &Elimination) {
        let kept = elimination.kept.len();
        let part = &mut self.part[..kept];
        part.iter_mut().zip(&elimination.kept).for_each(|(x, &i)| *x = b[i]);
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let lower = elimination.row(place).lower().iter().zip(&self.elements[place]);
            b[i] -= lower.map(|(&j, x)| x * b[j]).sum::<f64>();
            let extent = self.extents[place].clone();
            let column = &self.columns[kept * i..][extent.clone()];
            part[extent].iter_mut().zip(column).for_each(|(x, l)| *x -= b[i] * l);
        }
        self.schur.solve(part);
        elimination.kept.iter().zip(part).for_each(|(&i, x)| b[i] = *x);
        for (place, &i) in elimination.eliminated.iter().enumerate().rev() {
            let upper = elimination.row(place).upper_of(&self.elements[place]);
            b[i] = (b[i] - upper.map(|(&j, x)| x * b[j]).sum::<f64>()) * self.inverses[place];
        }
    }
}

struct ReduceColumns<'a>(&'a mut ReducedLu, &'a Elimination);

impl Wide for ReduceColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.reduce_columns(self.1);
    }
}

/// Numbers of a cache line.
const TILE: usize = 8;

/// Writes lines side by side: element k of line l to place l of the row k of `out`, whose rows are `stride` apart. A few
/// lines at a time, so that what is written lies side by side.
fn transpose<'a>(lines: &[usize], line: impl Fn(&usize) -> &'a [f64], out: &mut [f64], stride: usize) {
    for (tile, some) in lines.chunks(TILE).enumerate() {
        let first = TILE * tile;
        if let [a, b, c, d, e, f, g, h] = some {
            let lines = [a, b, c, d, e, f, g, h].map(&line);
            for (k, row) in out.chunks_mut(stride).enumerate().take(lines[0].len()) {
                let row = &mut row[first..first + TILE];
                for (x, line) in row.iter_mut().zip(lines) {
                    *x = line[k];
                }
            }
        } else {
            for (l, line) in some.iter().map(&line).enumerate() {
                for (row, x) in out.chunks_mut(stride).zip(line) {
                    row[first + l] = *x;
                }
            }
        }
    }
}

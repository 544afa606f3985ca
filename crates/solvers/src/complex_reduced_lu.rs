use std::ops::Range;

use crate::complex_lu::{ComplexLu, divide};
use crate::elimination::{Elimination, MOST_FILLED};
use crate::lu::extent;
use crate::wide::{Wide, run_wide};

/// The same as [`crate::reduced_lu::ReducedLu`] of d − J with a complex d; real and imaginary parts apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComplexReducedLu {
    /// 1 over the pivot of each eliminated row.
    inverses: Vec<[f64; 2]>,
    /// Other elements of the factors in each eliminated row, in the order of [`Elimination::row`].
    elements: Vec<[[f64; 2]; MOST_FILLED]>,
    /// What the kept rows have in each column, state by state: L where the state is eliminated.
    re: Vec<f64>,
    im: Vec<f64>,
    /// From where to where the column of each eliminated state has any.
    extents: Vec<Range<usize>>,
    schur: ComplexLu,
    /// One row at work.
    line: Vec<[f64; 2]>,
    /// L in one column, or the kept part of a right-hand side.
    part: [Vec<f64>; 2],
}

/// a b.
fn times([ar, ai]: [f64; 2], [br, bi]: [f64; 2]) -> [f64; 2] {
    [ar * br - ai * bi, ar * bi + ai * br]
}

/// a − b c.
fn minus_times([ar, ai]: [f64; 2], b: [f64; 2], c: [f64; 2]) -> [f64; 2] {
    let [pr, pi] = times(b, c);
    [ar - pr, ai - pi]
}

/// x − f y, element by element.
#[inline(always)]
fn subtract([xr, xi]: [&mut [f64]; 2], [fr, fi]: [f64; 2], [yr, yi]: [&[f64]; 2]) {
    for ((xr, xi), (yr, yi)) in xr.iter_mut().zip(xi).zip(yr.iter().zip(yi)) {
        *xr -= fr * yr - fi * yi;
        *xi -= fr * yi + fi * yr;
    }
}

impl ComplexReducedLu {
    /// Makes room for n states.
    pub(crate) fn resize(&mut self, n: usize) {
        self.schur.resize(n);
        [&mut self.re, &mut self.im].into_iter().for_each(|part| part.resize(n * n, 0.0));
        self.line.resize(n, [0.0; 2]);
        self.part.iter_mut().for_each(|part| part.resize(n, 0.0));
        self.inverses.reserve(n.saturating_sub(self.inverses.len()));
        self.elements.reserve(n.saturating_sub(self.elements.len()));
        self.extents.reserve(n.saturating_sub(self.extents.len()));
    }

    /// Factors diagonal − J; false if it is singular or not finite.
    pub(crate) fn factor(&mut self, diagonal: [f64; 2], jacobian: &[f64], elimination: &Elimination) -> bool {
        self.factor_rows(diagonal, jacobian, elimination);
        let (n, kept) = (self.line.len(), elimination.kept.len());
        self.im.fill(0.0);
        for (row, &i) in elimination.kept.iter().enumerate() {
            for (column, x) in self.re.chunks_exact_mut(kept).zip(&jacobian[n * i..n * (i + 1)]) {
                column[row] = -x;
            }
            self.re[kept * i + row] += diagonal[0];
            self.im[kept * i + row] += diagonal[1];
        }
        run_wide(ReduceColumns(self, elimination));
        self.schur.resize(kept);
        for (part, schur) in [(&self.re, &mut self.schur.re), (&self.im, &mut self.schur.im)] {
            for (column, &j) in elimination.kept.iter().enumerate() {
                for (row, x) in part[kept * j..kept * (j + 1)].iter().enumerate() {
                    schur[kept * row + column] = *x;
                }
            }
        }
        self.schur.factor()
    }

    /// Factors of the eliminated rows.
    fn factor_rows(&mut self, diagonal: [f64; 2], jacobian: &[f64], elimination: &Elimination) {
        let n = self.line.len();
        self.inverses.clear();
        self.elements.clear();
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let filled = elimination.row(place);
            for &j in filled.columns() {
                self.line[j] = [-jacobian[n * i + j], 0.0];
            }
            self.line[i] = [diagonal[0] - jacobian[(n + 1) * i], diagonal[1]];
            for &j in filled.lower() {
                let before = elimination.place(j);
                let factor = times(self.line[j], self.inverses[before]);
                self.line[j] = factor;
                for (&j, x) in elimination.row(before).upper_of(&self.elements[before]) {
                    self.line[j] = minus_times(self.line[j], factor, *x);
                }
            }
            self.inverses.push(divide([1.0, 0.0], self.line[i]));
            let mut elements = [[0.0; 2]; MOST_FILLED];
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
            let (re, im) = (&mut self.re[kept * i..kept * (i + 1)], &mut self.im[kept * i..kept * (i + 1)]);
            let extent = extent(kept, |row| re[row] != 0.0 || im[row] != 0.0);
            let lower = self.part.each_mut().map(|part| &mut part[..extent.len()]);
            for (k, row) in extent.clone().enumerate() {
                [re[row], im[row]] = times([re[row], im[row]], *inverse);
                (lower[0][k], lower[1][k]) = (re[row], im[row]);
            }
            for (&j, factor) in elimination.row(place).upper_of(&self.elements[place]) {
                let column = [&mut self.re, &mut self.im].map(|part| &mut part[kept * j..][extent.clone()]);
                subtract(column, *factor, lower.each_ref().map(|part| &**part));
            }
            self.extents.push(extent);
        }
    }

    /// Solves in place.
    pub(crate) fn solve(&mut self, re: &mut [f64], im: &mut [f64], elimination: &Elimination) {
        let kept = elimination.kept.len();
        let [part_re, part_im] = self.part.each_mut().map(|part| &mut part[..kept]);
        for (row, &i) in elimination.kept.iter().enumerate() {
            (part_re[row], part_im[row]) = (re[i], im[i]);
        }
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let mut x = [re[i], im[i]];
            for (&j, l) in elimination.row(place).lower().iter().zip(&self.elements[place]) {
                x = minus_times(x, *l, [re[j], im[j]]);
            }
            [re[i], im[i]] = x;
            let extent = self.extents[place].clone();
            let column = [&self.re, &self.im].map(|part| &part[kept * i..][extent.clone()]);
            subtract([&mut part_re[extent.clone()], &mut part_im[extent]], x, column);
        }
        self.schur.solve(part_re, part_im);
        for (row, &i) in elimination.kept.iter().enumerate() {
            (re[i], im[i]) = (part_re[row], part_im[row]);
        }
        for (place, &i) in elimination.eliminated.iter().enumerate().rev() {
            let mut x = [re[i], im[i]];
            for (&j, u) in elimination.row(place).upper_of(&self.elements[place]) {
                x = minus_times(x, *u, [re[j], im[j]]);
            }
            [re[i], im[i]] = times(x, self.inverses[place]);
        }
    }
}

struct ReduceColumns<'a>(&'a mut ComplexReducedLu, &'a Elimination);

impl Wide for ReduceColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.reduce_columns(self.1);
    }
}

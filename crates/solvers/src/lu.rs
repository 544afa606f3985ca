use std::array::from_fn;
use std::ops::Range;

use crate::scalar::{Scalar, at, put};
use crate::wide::{Wide, run_wide};

/// LU factors with partial pivoting of a dense matrix of real or complex numbers, row by row in place. Zeros left and right
/// of what a row holds are not looked at: blocks of states that do not see each other cost what they cost alone.
#[derive(Clone, Debug)]
pub(crate) struct Lu<const PARTS: usize> {
    n: usize,
    pub(crate) matrix: [Vec<f64>; PARTS],
    pivots: Vec<usize>,
    /// Columns of each row of the factors that are not zero, and those between them.
    columns: Vec<Range<usize>>,
}

impl<const PARTS: usize> Default for Lu<PARTS> {
    fn default() -> Self {
        Self { n: 0, matrix: from_fn(|_| Vec::new()), pivots: Vec::new(), columns: Vec::new() }
    }
}

impl<const PARTS: usize> Lu<PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    pub(crate) fn resize(&mut self, n: usize) {
        self.n = n;
        self.matrix.iter_mut().for_each(|part| part.resize(n * n, 0.0));
        self.pivots.resize(n, 0);
        self.columns.resize(n, 0..0);
    }

    /// Factors what is in `matrix`; false if it is singular or not finite.
    pub(crate) fn factor(&mut self) -> bool {
        run_wide(Eliminate(self))
    }

    #[inline(always)]
    fn at(&self, row: usize, column: usize) -> [f64; PARTS] {
        at(&self.matrix, self.n * row + column)
    }

    #[inline(always)]
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: usize| self.at(row, k).size();
            let pivot = (k + 1..n).fold(k, |p, i| if size(i) > size(p) { i } else { p });
            if size(pivot) == 0.0 || !size(pivot).is_finite() {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for part in &mut self.matrix {
                    for j in 0..n {
                        part.swap(n * k + j, n * pivot + j);
                    }
                }
            }
            let value = self.at(k, k);
            let mut row_k: [&[f64]; PARTS] = [&[]; PARTS];
            let mut below = self.matrix.each_mut().map(|part| &mut part[..]);
            for (row_k, below) in row_k.iter_mut().zip(&mut below) {
                let (above, rest) = std::mem::take(below).split_at_mut(n * (k + 1));
                (*row_k, *below) = (&above[n * k..], rest);
            }
            let end = extent(n, |j| at(&row_k, j) != [0.0; PARTS]).end;
            let right = row_k.map(|part| &part[k + 1..end]);
            let mut rows = below.map(|part| part.chunks_exact_mut(n));
            for _ in k + 1..n {
                let mut row = rows.each_mut().map(|rows| rows.next().unwrap_or_default());
                let first = at(&row, k);
                if first == [0.0; PARTS] {
                    continue;
                }
                let factor = first.over(value);
                put(&mut row, k, factor);
                Scalar::subtract(row.map(|part| &mut part[k + 1..end]), factor, right);
            }
        }
        for row in 0..n {
            self.columns[row] = extent(n, |j| self.at(row, j) != [0.0; PARTS]);
        }
        true
    }

    /// Solves in place.
    pub(crate) fn solve(&self, b: [&mut [f64]; PARTS]) {
        run_wide(Substitute(self, b));
    }

    /// The same, compiled for what calls it.
    #[inline(always)]
    pub(crate) fn substitute(&self, mut b: [&mut [f64]; PARTS]) {
        let n = self.n;
        for k in 0..n {
            b.iter_mut().for_each(|part| part.swap(k, self.pivots[k]));
        }
        for i in 0..n {
            let b_i = self.minus_row(i, self.columns[i].start..i, &b);
            put(&mut b, i, b_i);
        }
        for i in (0..n).rev() {
            let b_i = self.minus_row(i, i + 1..self.columns[i].end, &b).over(self.at(i, i));
            put(&mut b, i, b_i);
        }
    }

    /// b_i less a part of row i times b.
    #[inline(always)]
    fn minus_row(&self, i: usize, columns: Range<usize>, b: &[&mut [f64]; PARTS]) -> [f64; PARTS] {
        let row = self.matrix.each_ref().map(|part| &part[self.n * i..][columns.clone()]);
        let sum: [f64; PARTS] = Scalar::dot(row, b.each_ref().map(|part| &part[columns.clone()]));
        at(b, i).minus(sum)
    }
}

struct Eliminate<'a, const PARTS: usize>(&'a mut Lu<PARTS>);

impl<const PARTS: usize> Wide for Eliminate<'_, PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate()
    }
}

struct Substitute<'a, const PARTS: usize>(&'a Lu<PARTS>, [&'a mut [f64]; PARTS]);

impl<const PARTS: usize> Wide for Substitute<'_, PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.substitute(self.1);
    }
}

/// From the first to the last of n places at which something holds.
pub(crate) fn extent(n: usize, holds: impl Fn(usize) -> bool) -> Range<usize> {
    let start = (0..n).find(|&j| holds(j)).unwrap_or(n);
    let end = (start..n).rev().find(|&j| holds(j)).map_or(start, |last| last + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::Lu;
    use crate::scalar::{COMPLEX, REAL};

    #[test]
    fn solves_what_needs_pivots() {
        let a = [0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.2, -2.0];
        let want = [0.3, -1.0, 2.0];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[3 * i + j] * want[j]).sum()).collect();
        let mut lu = Lu::<REAL>::default();
        lu.resize(3);
        lu.matrix[0].copy_from_slice(&a);
        assert!(lu.factor());
        lu.solve([&mut b]);
        assert!(b.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-14));
        lu.matrix[0].fill(0.0);
        assert!(!lu.factor());
    }

    #[test]
    fn solves_complex_systems_that_need_pivots() {
        let re = [0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.2, -2.0];
        let im = [0.0, 1.0, -3.0, 0.4, 0.0, 2.0, -1.0, 0.3, 0.7];
        let want = [[0.3, 1.0], [-1.0, 0.2], [2.0, -0.5]];
        let (mut br, mut bi) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            for j in 0..3 {
                let [wr, wi] = want[j];
                br[i] += re[3 * i + j] * wr - im[3 * i + j] * wi;
                bi[i] += re[3 * i + j] * wi + im[3 * i + j] * wr;
            }
        }
        let mut lu = Lu::<COMPLEX>::default();
        lu.resize(3);
        lu.matrix[0].copy_from_slice(&re);
        lu.matrix[1].copy_from_slice(&im);
        assert!(lu.factor());
        lu.solve([&mut br, &mut bi]);
        for i in 0..3 {
            assert!((br[i] - want[i][0]).abs() < 1e-14 && (bi[i] - want[i][1]).abs() < 1e-14);
        }
        lu.matrix.iter_mut().for_each(|part| part.fill(0.0));
        assert!(!lu.factor());
    }

    /// Two blocks in turn, (0, 2) and (1, 3), of which one needs a pivot.
    #[test]
    fn blocks_that_do_not_see_each_other() {
        let a = [0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, -1.0, 1.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0, 5.0];
        let want = [0.3, -1.0, 2.0, 0.7];
        let mut b: Vec<f64> = (0..4).map(|i| (0..4).map(|j| a[4 * i + j] * want[j]).sum()).collect();
        let mut lu = Lu::<REAL>::default();
        lu.resize(4);
        lu.matrix[0].copy_from_slice(&a);
        assert!(lu.factor());
        lu.solve([&mut b]);
        assert!(b.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-15));
    }

    /// Factors and solutions with the machine's widest vectors and with those of the build.
    #[test]
    fn wide_vectors_make_the_same_bits() {
        let n = 53;
        let mut wide = Lu::<REAL>::default();
        wide.resize(n);
        for (i, x) in wide.matrix[0].iter_mut().enumerate() {
            *x = libm::sin((i * i) as f64);
        }
        let mut plain = wide.clone();
        assert!(wide.factor() && plain.eliminate());
        let mut b: [Vec<f64>; 2] = std::array::from_fn(|_| (0..n).map(|i| libm::cos(i as f64)).collect());
        wide.solve([&mut b[0]]);
        plain.substitute([&mut b[1]]);
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&wide.matrix[0]), bits(&plain.matrix[0]));
        assert_eq!(bits(&b[0]), bits(&b[1]));
    }
}

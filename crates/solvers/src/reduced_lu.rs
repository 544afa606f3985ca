use std::array::from_fn;
use std::ops::Range;

use crate::elimination::{Elimination, MOST_FILLED};
use crate::lu::{Lu, extent};
use crate::scalar::{Scalar, at, put};
use crate::wide::{Wide, run_wide};

/// LU factors of a matrix d + s J with a real J and a real or complex d: sparse rows of the states that [`Elimination`] lets
/// go first, and dense factors with partial pivoting of the Schur complement of the others; the latter alone if none goes.
#[derive(Clone, Debug)]
pub(crate) struct ReducedLu<const PARTS: usize> {
    /// 1 over the pivot of each eliminated row.
    inverses: Vec<[f64; PARTS]>,
    /// Other elements of the factors in each eliminated row, in the order of [`Elimination::row`].
    elements: Vec<[[f64; PARTS]; MOST_FILLED]>,
    /// What the kept rows have in each column, state by state: L where the state is eliminated.
    columns: [Vec<f64>; PARTS],
    /// From where to where the column of each eliminated state has any.
    extents: Vec<Range<usize>>,
    schur: Lu<PARTS>,
    /// One row at work.
    line: Vec<[f64; PARTS]>,
    /// L in one column, or the kept part of a right-hand side.
    part: [Vec<f64>; PARTS],
}

impl<const PARTS: usize> Default for ReducedLu<PARTS> {
    fn default() -> Self {
        Self {
            inverses: Vec::new(),
            elements: Vec::new(),
            columns: from_fn(|_| Vec::new()),
            extents: Vec::new(),
            schur: Lu::default(),
            line: Vec::new(),
            part: from_fn(|_| Vec::new()),
        }
    }
}

impl<const PARTS: usize> ReducedLu<PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    /// Makes room for n states.
    pub(crate) fn resize(&mut self, n: usize) {
        self.schur.resize(n);
        self.columns.iter_mut().for_each(|part| part.resize(n * n, 0.0));
        self.line.resize(n, [0.0; PARTS]);
        self.part.iter_mut().for_each(|part| part.resize(n, 0.0));
        self.inverses.reserve(n.saturating_sub(self.inverses.len()));
        self.elements.reserve(n.saturating_sub(self.elements.len()));
        self.extents.reserve(n.saturating_sub(self.extents.len()));
    }

    /// Factors diagonal + scale J; false if it is singular or not finite.
    pub(crate) fn factor(
        &mut self,
        diagonal: [f64; PARTS],
        scale: f64,
        jacobian: &[f64],
        elimination: &Elimination,
    ) -> bool {
        self.factor_rows(diagonal, scale, jacobian, elimination);
        let (n, kept) = (self.line.len(), elimination.kept.len());
        let row = |&i: &usize| &jacobian[n * i..n * (i + 1)];
        transpose(&elimination.kept, row, &mut self.columns[0], kept);
        self.columns[0][..n * kept].iter_mut().for_each(|x| *x *= scale);
        self.columns[1..].iter_mut().for_each(|part| part[..n * kept].fill(0.0));
        for (row, &i) in elimination.kept.iter().enumerate() {
            for (part, diagonal) in self.columns.iter_mut().zip(diagonal) {
                part[kept * i + row] += diagonal;
            }
        }
        run_wide(ReduceColumns(self, elimination));
        self.schur.resize(kept);
        for (columns, schur) in self.columns.iter().zip(&mut self.schur.matrix) {
            let column = |&j: &usize| &columns[kept * j..kept * (j + 1)];
            transpose(&elimination.kept, column, schur, kept);
        }
        self.schur.factor()
    }

    /// Factors of the eliminated rows.
    fn factor_rows(
        &mut self,
        diagonal: [f64; PARTS],
        scale: f64,
        jacobian: &[f64],
        elimination: &Elimination,
    ) {
        let n = self.line.len();
        self.inverses.clear();
        self.elements.clear();
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let filled = elimination.row(place);
            for &j in filled.columns().iter().chain([&i]) {
                self.line[j] = [0.0; PARTS];
                self.line[j][0] = scale * jacobian[n * i + j];
            }
            self.line[i].iter_mut().zip(diagonal).for_each(|(x, diagonal)| *x += diagonal);
            for &j in filled.lower() {
                let before = elimination.place(j);
                let factor = self.line[j].times(self.inverses[before]);
                self.line[j] = factor;
                for (&j, x) in elimination.row(before).upper_of(&self.elements[before]) {
                    self.line[j] = self.line[j].minus(factor.times(*x));
                }
            }
            let mut one = [0.0; PARTS];
            one[0] = 1.0;
            self.inverses.push(one.over(self.line[i]));
            let mut elements = [[0.0; PARTS]; MOST_FILLED];
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
            let column = self.columns.each_mut().map(|part| &mut part[kept * i..kept * (i + 1)]);
            let extent = extent(kept, |row| at(&column, row) != [0.0; PARTS]);
            let mut column = column.map(|part| &mut part[extent.clone()]);
            Scalar::scale(column.each_mut().map(|part| &mut part[..]), *inverse);
            let mut lower = self.part.each_mut().map(|part| &mut part[..extent.len()]);
            lower.iter_mut().zip(&column).for_each(|(lower, part)| lower.copy_from_slice(part));
            for (&j, factor) in elimination.row(place).upper_of(&self.elements[place]) {
                let column = self.columns.each_mut().map(|part| &mut part[kept * j..][extent.clone()]);
                Scalar::subtract(column, *factor, lower.each_ref().map(|part| &part[..]));
            }
            self.extents.push(extent);
        }
    }

    /// Solves in place.
    pub(crate) fn solve(&mut self, b: [&mut [f64]; PARTS], elimination: &Elimination) {
        run_wide(Substitute(self, b, elimination));
    }

    #[inline(always)]
    fn substitute(&mut self, mut b: [&mut [f64]; PARTS], elimination: &Elimination) {
        let kept = elimination.kept.len();
        let mut kept_b = self.part.each_mut().map(|part| &mut part[..kept]);
        for (part, b) in kept_b.iter_mut().zip(&b) {
            part.iter_mut().zip(&elimination.kept).for_each(|(x, &i)| *x = b[i]);
        }
        for (place, &i) in elimination.eliminated.iter().enumerate() {
            let lower = elimination.row(place).lower().iter().zip(&self.elements[place]);
            let x = at(&b, i).minus_products(lower.map(|(&j, l)| (*l, at(&b, j))));
            put(&mut b, i, x);
            let extent = self.extents[place].clone();
            let column = self.columns.each_ref().map(|part| &part[kept * i..][extent.clone()]);
            Scalar::subtract(kept_b.each_mut().map(|part| &mut part[extent.clone()]), x, column);
        }
        self.schur.substitute(kept_b.each_mut().map(|part| &mut part[..]));
        for (part, b) in kept_b.iter().zip(&mut b) {
            elimination.kept.iter().zip(&**part).for_each(|(&i, x)| b[i] = *x);
        }
        for (place, &i) in elimination.eliminated.iter().enumerate().rev() {
            let upper = elimination.row(place).upper_of(&self.elements[place]);
            let x = at(&b, i).minus_products(upper.map(|(&j, u)| (*u, at(&b, j))));
            put(&mut b, i, x.times(self.inverses[place]));
        }
    }
}

struct ReduceColumns<'a, const PARTS: usize>(&'a mut ReducedLu<PARTS>, &'a Elimination);

impl<const PARTS: usize> Wide for ReduceColumns<'_, PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.reduce_columns(self.1);
    }
}

struct Substitute<'a, const PARTS: usize>(&'a mut ReducedLu<PARTS>, [&'a mut [f64]; PARTS], &'a Elimination);

impl<const PARTS: usize> Wide for Substitute<'_, PARTS>
where
    [f64; PARTS]: Scalar<PARTS>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.substitute(self.1, self.2);
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

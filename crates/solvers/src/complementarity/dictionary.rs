use crate::wide::{Wide, run_wide};

use super::Lcp;

/// Elements of the scaled dictionary at or below this are rounding and no pivots.
const PIVOT: f64 = 1e-11;
/// Ratios that differ by less are ties.
const TIE: f64 = 1e-12;

/// Basic variables by the others, v_B = q + T v_N, pivoted by Jordan exchanges. Variable i < n is yᵢ, n + i is xᵢ, and 2n the
/// artificial one. Every exchange is a change of rank one of the inverse of the basis (Cottle, Pang & Stone, ch. 4).
pub(super) struct Dictionary {
    n: usize,
    /// Rows of n + 2: T by x or y, by the artificial variable, and q.
    rows: Vec<f64>,
    basic: Vec<usize>,
    other: Vec<usize>,
    /// Basic variables at the start, of which number k is thought to be larger by εᵏ⁺¹.
    start: Vec<usize>,
}

impl Dictionary {
    /// With the unknowns `active` in the basis; None if their block of the matrix is singular.
    pub(super) fn new(lcp: &Lcp, active: &[bool]) -> Option<Self> {
        let n = lcp.n;
        let mut rows = Vec::with_capacity(n * (n + 2));
        for (i, row) in lcp.matrix.chunks_exact(n.max(1)).enumerate() {
            rows.extend_from_slice(row);
            rows.extend([1.0, lcp.offset[i]]);
        }
        let mut new =
            Self { n, rows, basic: (0..n).collect(), other: (n..=2 * n).collect(), start: Vec::new() };
        let is_free = |new: &Self, r: usize| new.basic[r] < n && active[new.basic[r]];
        for s in (0..n).filter(|&s| active[s]) {
            let size = |r: usize| new.at(r, s).abs();
            let r = (0..n).filter(|&r| is_free(&new, r)).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
            if size(r) <= PIVOT {
                return None;
            }
            new.exchange(r, s);
        }
        // The covering vector belongs to the basis that the path starts from.
        (0..n).for_each(|r| new.rows[(n + 2) * r + n] = 1.0);
        new.start.clone_from(&new.basic);
        Some(new)
    }

    fn at(&self, r: usize, s: usize) -> f64 {
        self.rows[(self.n + 2) * r + s]
    }

    /// q of row r.
    pub(super) fn value(&self, r: usize) -> f64 {
        self.at(r, self.n + 1)
    }

    /// Row of the most negative q, the last of equal ones; None if there is none.
    pub(super) fn most_negative(&self) -> Option<usize> {
        let row = (0..self.n).min_by(|&a, &b| self.value(a).total_cmp(&self.value(b)).then(b.cmp(&a)))?;
        (self.value(row) < 0.0).then_some(row)
    }

    /// Column of a variable outside the basis.
    pub(super) fn column(&self, variable: usize) -> Option<usize> {
        self.other.iter().position(|&v| v == variable)
    }

    pub(super) fn basic(&self) -> &[usize] {
        &self.basic
    }

    /// The row that stops the growth of the variable of column s first, by the lexicographic rule; the artificial variable leaves
    /// if it may. None on a ray.
    pub(super) fn blocking(&self, s: usize) -> Option<usize> {
        let n = self.n;
        let ratio = |r: usize, value: f64| value / -self.at(r, s);
        let mut best: Vec<usize> = (0..n).filter(|&r| self.at(r, s) < -PIVOT).collect();
        let keep_least = |best: &mut Vec<usize>, of: &dyn Fn(usize) -> f64| {
            let least = best.iter().fold(f64::INFINITY, |least, &r| least.min(of(r)));
            best.retain(|&r| of(r) <= least + TIE * (1.0 + least.abs()));
        };
        keep_least(&mut best, &|r| ratio(r, self.value(r).max(0.0)));
        if let Some(&artificial) = best.iter().find(|&&r| self.basic[r] == 2 * n) {
            return Some(artificial);
        }
        for &variable in &self.start {
            if best.len() <= 1 {
                break;
            }
            let column = self.column(variable);
            keep_least(&mut best, &|r| {
                let growth =
                    column.map_or(f64::from(u8::from(self.basic[r] == variable)), |c| -self.at(r, c));
                ratio(r, growth)
            });
        }
        best.first().copied()
    }

    /// Exchanges the variables of row r and column s; returns the one that leaves the basis.
    pub(super) fn exchange(&mut self, r: usize, s: usize) -> usize {
        run_wide(Exchange { dictionary: self, r, s });
        std::mem::swap(&mut self.basic[r], &mut self.other[s]);
        self.other[s]
    }

    /// Unknowns of the basic solution.
    pub(super) fn unknowns(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.n];
        for (r, &variable) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(&variable) {
                x[variable - self.n] = self.value(r).max(0.0);
            }
        }
        x
    }

    /// Unknowns along the ray of column s, by unit of its variable.
    pub(super) fn ray(&self, s: usize) -> Vec<f64> {
        let n = self.n;
        let mut x = vec![0.0; n];
        let growing = (self.other[s], 1.0);
        for (variable, rate) in
            self.basic.iter().enumerate().map(|(r, &v)| (v, self.at(r, s))).chain([growing])
        {
            if (n..2 * n).contains(&variable) {
                x[variable - n] = rate.max(0.0);
            }
        }
        x
    }
}

struct Exchange<'a> {
    dictionary: &'a mut Dictionary,
    r: usize,
    s: usize,
}

impl Wide for Exchange<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (r, s, width) = (self.r, self.s, self.dictionary.n + 2);
        let (above, rest) = self.dictionary.rows.split_at_mut(width * r);
        let (pivot_row, below) = rest.split_at_mut(width);
        let inverse = 1.0 / pivot_row[s];
        pivot_row.iter_mut().for_each(|x| *x *= -inverse);
        pivot_row[s] = inverse;
        for row in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let factor = row[s];
            if factor != 0.0 {
                row[s] = 0.0;
                row.iter_mut().zip(&*pivot_row).for_each(|(x, p)| *x += factor * p);
            }
        }
    }
}

use std::ops::Range;

use crate::dot::dot;
use crate::lu::extent;
use crate::wide::{Wide, run_wide};

/// LU factors with partial pivoting of a dense complex matrix, row by row in place; real and imaginary parts apart, and
/// zeros as [`crate::lu::Lu`] treats them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComplexLu {
    n: usize,
    pub(crate) re: Vec<f64>,
    pub(crate) im: Vec<f64>,
    pivots: Vec<usize>,
    columns: Vec<Range<usize>>,
}

/// a/b, by Smith's method.
pub(crate) fn divide([ar, ai]: [f64; 2], [br, bi]: [f64; 2]) -> [f64; 2] {
    if br.abs() >= bi.abs() {
        let ratio = bi / br;
        let size = br + bi * ratio;
        [(ar + ai * ratio) / size, (ai - ar * ratio) / size]
    } else {
        let ratio = br / bi;
        let size = br * ratio + bi;
        [(ar * ratio + ai) / size, (ai * ratio - ar) / size]
    }
}

impl ComplexLu {
    pub(crate) fn resize(&mut self, n: usize) {
        self.n = n;
        self.re.resize(n * n, 0.0);
        self.im.resize(n * n, 0.0);
        self.pivots.resize(n, 0);
        self.columns.resize(n, 0..0);
    }

    /// Factors what is in the parts; false if it is singular or not finite.
    pub(crate) fn factor(&mut self) -> bool {
        run_wide(Eliminate(self))
    }

    #[inline(always)]
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: usize| self.re[n * row + k].abs() + self.im[n * row + k].abs();
            let pivot = (k + 1..n).fold(k, |p, i| if size(i) > size(p) { i } else { p });
            if size(pivot) == 0.0 || !size(pivot).is_finite() {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    self.re.swap(n * k + j, n * pivot + j);
                    self.im.swap(n * k + j, n * pivot + j);
                }
            }
            let value = [self.re[n * k + k], self.im[n * k + k]];
            let (re_above, re_below) = self.re.split_at_mut(n * (k + 1));
            let (im_above, im_below) = self.im.split_at_mut(n * (k + 1));
            let (re_k, im_k) = (&re_above[n * k..], &im_above[n * k..]);
            let end = extent(n, |j| re_k[j] != 0.0 || im_k[j] != 0.0).end;
            for (re, im) in re_below.chunks_exact_mut(n).zip(im_below.chunks_exact_mut(n)) {
                if re[k] == 0.0 && im[k] == 0.0 {
                    continue;
                }
                let [fr, fi] = divide([re[k], im[k]], value);
                (re[k], im[k]) = (fr, fi);
                for j in k + 1..end {
                    re[j] -= fr * re_k[j] - fi * im_k[j];
                    im[j] -= fr * im_k[j] + fi * re_k[j];
                }
            }
        }
        for (row, columns) in self.columns.iter_mut().enumerate() {
            *columns = extent(n, |j| self.re[n * row + j] != 0.0 || self.im[n * row + j] != 0.0);
        }
        true
    }

    /// Solves in place.
    pub(crate) fn solve(&self, re: &mut [f64], im: &mut [f64]) {
        run_wide(Substitute(self, re, im));
    }

    #[inline(always)]
    fn substitute(&self, re: &mut [f64], im: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            re.swap(k, self.pivots[k]);
            im.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            let [sr, si] = self.row_times(i, self.columns[i].start..i, re, im);
            re[i] -= sr;
            im[i] -= si;
        }
        for i in (0..n).rev() {
            let [sr, si] = self.row_times(i, i + 1..self.columns[i].end, re, im);
            let diagonal = [self.re[n * i + i], self.im[n * i + i]];
            [re[i], im[i]] = divide([re[i] - sr, im[i] - si], diagonal);
        }
    }

    #[inline(always)]
    fn row_times(&self, i: usize, columns: Range<usize>, re: &[f64], im: &[f64]) -> [f64; 2] {
        let [ar, ai] = [&self.re, &self.im].map(|part| &part[self.n * i..][columns.clone()]);
        let (re, im) = (&re[columns.clone()], &im[columns]);
        [dot(ar, re) - dot(ai, im), dot(ar, im) + dot(ai, re)]
    }
}

struct Eliminate<'a>(&'a mut ComplexLu);

impl Wide for Eliminate<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate()
    }
}

struct Substitute<'a>(&'a ComplexLu, &'a mut [f64], &'a mut [f64]);

impl Wide for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.substitute(self.1, self.2);
    }
}

#[cfg(test)]
mod tests {
    use super::ComplexLu;

    #[test]
    fn solves_what_needs_pivots() {
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
        let mut lu = ComplexLu::default();
        lu.resize(3);
        lu.re.copy_from_slice(&re);
        lu.im.copy_from_slice(&im);
        assert!(lu.factor());
        lu.solve(&mut br, &mut bi);
        for i in 0..3 {
            assert!((br[i] - want[i][0]).abs() < 1e-14 && (bi[i] - want[i][1]).abs() < 1e-14);
        }
        lu.re.fill(0.0);
        lu.im.fill(0.0);
        assert!(!lu.factor());
    }
}

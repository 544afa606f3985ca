use std::ops::Range;

use carom_solvers::{Wide, run_wide};

use super::Chain;

/// Factors Lᵀ D L of a mass matrix, L with ones on its diagonal: where two places are on no common path the matrix is zero,
/// and so is L (Featherstone 2008, section 6.5). Row k of the lower triangle is along the path of place k.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseFactor {
    pub(super) values: Vec<f64>,
}

impl SparseFactor {
    pub(crate) fn new(chain: &Chain) -> Self {
        Self { values: vec![0.0; chain.pairs()] }
    }

    /// Factors the matrix in place (LTDL). Fails at a place that nothing resists.
    pub(crate) fn factor(&mut self, chain: &Chain) -> Result<(), usize> {
        for k in (0..chain.places.len()).rev() {
            let path = chain.path(k);
            let depth = path.len() - 1;
            let (above, own) = self.values.split_at_mut(chain.path_range(k).start);
            let diagonal = own[depth];
            if diagonal.is_nan() || diagonal <= 0.0 {
                return Err(k);
            }
            for i in (0..depth).rev() {
                let factor = own[i] / diagonal;
                if factor == 0.0 {
                    continue;
                }
                let row = &mut above[chain.path_range(path[i])];
                for (x, y) in row.iter_mut().zip(&own[..=i]) {
                    *x -= factor * y;
                }
                own[i] = factor;
            }
        }
        Ok(())
    }

    /// Applies the inverse to the rows of a matrix with `n` columns, which are those of the places' velocities, within
    /// the columns that `columns` names for the place.
    pub(crate) fn solve(
        &self,
        chain: &Chain,
        matrix: &mut [f64],
        n: usize,
        columns: impl Fn(usize) -> Range<usize>,
    ) {
        run_wide(Substitute { factors: self, chain, matrix, n, columns });
    }

    #[inline(always)]
    fn substitute(
        &self,
        chain: &Chain,
        matrix: &mut [f64],
        n: usize,
        columns: impl Fn(usize) -> Range<usize>,
    ) {
        let places = &chain.places;
        let ancestors = |k: usize| {
            let range = chain.path_range(k);
            let values = &self.values[range.start..range.end - 1];
            values.iter().copied().zip(chain.path(k)).filter(|(value, _)| *value != 0.0)
        };
        for k in (0..places.len()).rev() {
            for (value, &i) in ancestors(k) {
                subtract(matrix, n, (places[i].velocity, places[k].velocity), value, columns(k));
            }
        }
        for (k, place) in places.iter().enumerate() {
            let inverse = 1.0 / self.values[chain.path_range(k).end - 1];
            for x in &mut matrix[n * place.velocity..][columns(k)] {
                *x *= inverse;
            }
            for (value, &i) in ancestors(k) {
                subtract(matrix, n, (place.velocity, places[i].velocity), value, columns(k));
            }
        }
    }
}

/// Arguments of [`SparseFactor::substitute`].
struct Substitute<'a, C> {
    factors: &'a SparseFactor,
    chain: &'a Chain,
    matrix: &'a mut [f64],
    n: usize,
    columns: C,
}

impl<C: Fn(usize) -> Range<usize>> Wide for Substitute<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.factors.substitute(self.chain, self.matrix, self.n, self.columns);
    }
}

/// Subtracts a multiple of one row from another.
#[inline(always)]
fn subtract(matrix: &mut [f64], n: usize, (to, from): (usize, usize), factor: f64, columns: Range<usize>) {
    let (first, second) = matrix.split_at_mut(n * to.max(from));
    let (to, from) = if to < from {
        (&mut first[n * to..][columns.clone()], &second[columns])
    } else {
        (&mut second[columns.clone()], &first[n * from..][columns])
    };
    for (x, y) in to.iter_mut().zip(from) {
        *x -= factor * y;
    }
}

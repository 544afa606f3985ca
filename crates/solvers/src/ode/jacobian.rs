use super::{Fault, Follower, Ode, Tolerances};
use crate::dot::dot;
use crate::sparse_rows::SparseRows;
use crate::wide::{Wide, run_wide};

/// Products with the matrix for its spectral radius, and how many of them only find the direction.
const PRODUCTS: u32 = 14;
const FIRST_PRODUCTS: u32 = 6;

/// ∂f/∂y at one state, from the problem or by forward differences.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// Row by row.
    pub(super) matrix: Vec<f64>,
    /// Its rows with few elements.
    pub(super) sparse: SparseRows,
    /// It came from differences.
    pub(super) is_costly: bool,
    increments: Vec<f64>,
    probe: Vec<f64>,
    rates: Vec<f64>,
    rates_of_quadratures: Vec<f64>,
    /// Block of each state.
    block: Vec<usize>,
    /// Place of each state in its block.
    place: Vec<usize>,
    /// State that is displaced in each block.
    displaced: Vec<usize>,
    /// Its spectral radius, once that was asked for.
    radius: Option<f64>,
}

impl Jacobian {
    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        if self.displaced.len() != n {
            self.radius = None;
            self.matrix.clear();
        }
        self.matrix.resize(n * n, 0.0);
        self.sparse.resize(n);
        for buffer in [&mut self.increments, &mut self.probe, &mut self.rates] {
            buffer.resize(n, 0.0);
        }
        for buffer in [&mut self.block, &mut self.place, &mut self.displaced] {
            buffer.resize(n, 0);
        }
        self.rates_of_quadratures.resize(quadratures, 0.0);
    }

    pub(super) fn reserve(&mut self, quadratures: usize) {
        let buffer = &mut self.rates_of_quadratures;
        buffer.reserve(quadratures.saturating_sub(buffer.len()));
    }

    /// Takes it at (t, y), where the rates are `f`.
    pub(super) fn update(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        y: &[f64],
        f: &[f64],
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        self.take(ode, t, y, f, tolerances)?;
        self.sparse.detect(&self.matrix);
        Ok(())
    }

    /// The same without the states that follow others.
    pub(super) fn update_condensed(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        y: &[f64],
        f: &[f64],
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        self.take(ode, t, y, f, tolerances)?;
        self.condense(ode.followers());
        Ok(())
    }

    /// Writes the matrix alone.
    fn take(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        y: &[f64],
        f: &[f64],
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        self.radius = None;
        self.is_costly = !ode.jacobian(t, y, &mut self.matrix)?;
        if self.is_costly {
            tolerances.write_increments(y, &mut self.increments);
            self.matrix.fill(0.0);
            self.probe.copy_from_slice(y);
            for place in 0..self.number_places(ode) {
                self.add_differences(ode, t, y, f, place)?;
            }
        }
        Ok(())
    }

    /// Leaves the states that follow others out: what changes with them counts with what they follow, and their own rows are empty, so that
    /// a linear system with the matrix is as small as the states that are free.
    fn condense(&mut self, followers: &[Follower]) {
        let n = self.displaced.len();
        for row in self.matrix.chunks_exact_mut(n.max(1)) {
            for follower in followers {
                row[follower.leader] += follower.ratio * std::mem::take(&mut row[follower.state]);
            }
        }
        for follower in followers {
            self.matrix[n * follower.state..][..n].fill(0.0);
        }
        self.sparse.detect(&self.matrix);
    }

    /// Takes one that was had before.
    pub(super) fn restore(&mut self, matrix: &[f64]) {
        self.radius = None;
        self.matrix.copy_from_slice(matrix);
        self.sparse.detect(matrix);
    }

    /// Modulus of the largest eigenvalue, nearly, by the power method: the mean growth over an even number of products, as
    /// rates of positions and of velocities take turns in oscillations.
    pub(super) fn spectral_radius(&mut self) -> f64 {
        let radius = self.radius.unwrap_or_else(|| self.find_spectral_radius());
        self.radius = Some(radius);
        radius
    }

    fn find_spectral_radius(&mut self) -> f64 {
        let (mut v, mut w) = (std::mem::take(&mut self.probe), std::mem::take(&mut self.rates));
        v.iter_mut().enumerate().for_each(|(i, v)| *v = 1.0 / (1.0 + i as f64));
        let mut log_growth = 0.0;
        for product in 0..PRODUCTS {
            run_wide(Product { matrix: &self.matrix, sparse: &self.sparse, v: &v, w: &mut w });
            let size = dot(&w, &w).sqrt();
            if size == 0.0 || !size.is_finite() {
                log_growth = f64::NEG_INFINITY;
                break;
            }
            w.iter_mut().for_each(|w| *w /= size);
            std::mem::swap(&mut v, &mut w);
            if product >= FIRST_PRODUCTS {
                log_growth += libm::log(size);
            }
        }
        (self.probe, self.rates) = (v, w);
        libm::exp(log_growth / f64::from(PRODUCTS - FIRST_PRODUCTS))
    }

    /// Numbers the states of each block; how many the largest has.
    fn number_places(&mut self, ode: &dyn Ode) -> usize {
        if !ode.blocks(&mut self.block) {
            self.block.fill(0);
        }
        // For now the count of states seen in each block.
        self.displaced.fill(0);
        for (place, &block) in self.place.iter_mut().zip(&self.block) {
            *place = self.displaced[block];
            self.displaced[block] += 1;
        }
        self.displaced.iter().copied().max().unwrap_or(0)
    }

    /// One column of every block that has a state at this place: the blocks do not see each other.
    fn add_differences(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        y: &[f64],
        f: &[f64],
        place: usize,
    ) -> Result<(), Fault> {
        let n = y.len();
        self.displaced.fill(n);
        for j in (0..n).filter(|&j| self.place[j] == place) {
            self.displaced[self.block[j]] = j;
            self.probe[j] = y[j] + self.increments[j];
        }
        ode.rhs(t, &self.probe, &mut self.rates, &mut self.rates_of_quadratures)?;
        for i in 0..n {
            let j = self.displaced[self.block[i]];
            if j < n {
                // The increment as it is after rounding.
                self.matrix[n * i + j] = (self.rates[i] - f[i]) / (self.probe[j] - y[j]);
            }
        }
        for &j in self.displaced.iter().filter(|&&j| j < n) {
            self.probe[j] = y[j];
        }
        Ok(())
    }
}

/// w = J v.
struct Product<'a> {
    matrix: &'a [f64],
    sparse: &'a SparseRows,
    v: &'a [f64],
    w: &'a mut [f64],
}

impl Wide for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { matrix, sparse, v, w } = self;
        for (i, (w, row)) in w.iter_mut().zip(matrix.chunks_exact(v.len().max(1))).enumerate() {
            *w = match sparse.row(i) {
                // Of a position, whose rate is a velocity.
                Some(&[j]) => row[j] * v[j],
                _ => dot(row, v),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pairs of states, in turn: (y₀, y₂) and (y₁, y₃), with an evaluation count.
    struct Pairs(u32);

    impl Ode for Pairs {
        fn dimension(&self) -> usize {
            4
        }
        fn quadratures(&self) -> usize {
            0
        }
        fn rhs(&mut self, _t: f64, y: &[f64], d: &mut [f64], _q: &mut [f64]) -> Result<(), Fault> {
            self.0 += 1;
            d.copy_from_slice(&[y[0] * y[2], y[3] * y[3], 2.0 * y[0], y[1]]);
            Ok(())
        }
        fn blocks(&self, block: &mut [usize]) -> bool {
            block.copy_from_slice(&[3, 1, 3, 1]);
            true
        }
    }

    /// A fast decay beside an oscillation, y₂' = y₃, y₃' = −ω² y₂: the larger of both rates.
    #[test]
    fn spectral_radius_of_decay_and_oscillation() {
        for (decay, omega) in [(3e4, 1e3), (10.0, 1e3), (0.0, 40.0)] {
            let mut jacobian = Jacobian::default();
            jacobian.resize(3, 0);
            jacobian.matrix = vec![-decay, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -omega * omega, 0.0];
            let radius = jacobian.spectral_radius();
            assert!((radius / f64::max(decay, omega) - 1.0).abs() < 1e-3, "{radius}");
        }
        let mut still = Jacobian::default();
        still.resize(2, 0);
        assert_eq!(still.spectral_radius(), 0.0);
    }

    /// State 2 moves twice as far as state 0: what both do to the others is one column, and nothing is asked of its row.
    #[test]
    fn followers_leave_the_matrix() {
        let mut jacobian = Jacobian::default();
        jacobian.resize(3, 0);
        jacobian.matrix = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        jacobian.condense(&[Follower { state: 2, leader: 0, ratio: 2.0 }]);
        assert_eq!(jacobian.matrix, [7.0, 2.0, 0.0, 16.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(jacobian.sparse.row(2), Some(&[][..]));
    }

    #[test]
    fn blocks_share_evaluations() {
        let (y, mut f) = ([1.0, 2.0, 3.0, 4.0], [0.0; 4]);
        let mut ode = Pairs(0);
        ode.rhs(0.0, &y, &mut f, &mut []).unwrap();
        let mut jacobian = Jacobian::default();
        jacobian.resize(4, 0);
        jacobian.update(&mut ode, 0.0, &y, &f, &Tolerances::default()).unwrap();
        assert_eq!(ode.0, 1 + 2);
        let want = [3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 8.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        for (got, want) in jacobian.matrix.iter().zip(want) {
            assert!((got - want).abs() < 1e-6, "{:?}", jacobian.matrix);
        }
    }
}

use crate::lu::Lu;
use crate::scalar::REAL;

/// Solves a problem's equations at one complementary basis: xᵢ = 0 outside, yᵢ = 0 inside. Allocates nothing where it has been as
/// large before.
#[derive(Clone, Debug, Default)]
pub struct BasisSolver {
    lu: Lu<REAL>,
    set: Vec<usize>,
    rest: Vec<f64>,
}

impl BasisSolver {
    /// Writes x and y = A x + b at the basis of the unknowns `active`, signs as they come; false if it is singular.
    pub fn solve(&mut self, [a, b]: [&[f64]; 2], active: &[bool], [x, y]: [&mut [f64]; 2]) -> bool {
        let n = b.len();
        self.set.clear();
        self.set.extend((0..n).filter(|&i| active[i]));
        self.lu.resize(self.set.len());
        let block = self.set.iter().flat_map(|&i| self.set.iter().map(move |&j| a[n * i + j]));
        self.lu.matrix[0].iter_mut().zip(block).for_each(|(to, from)| *to = from);
        if !self.lu.factor() {
            return false;
        }
        x.fill(0.0);
        // Once by the factors, once more for what rounding leaves.
        for _ in 0..2 {
            let row = |i: usize| crate::dot::dot(&a[n * i..][..n], x) + b[i];
            self.rest.clear();
            self.rest.extend(self.set.iter().map(|&i| -row(i)));
            self.lu.solve([&mut self.rest]);
            self.set.iter().zip(&self.rest).for_each(|(&i, change)| x[i] += change);
        }
        for i in 0..n {
            y[i] = if active[i] { 0.0 } else { crate::dot::dot(&a[n * i..][..n], x) + b[i] };
        }
        true
    }
}

//! Linear complementarity problems y = A x + b, y ≥ 0, x ≥ 0, xᵀ y = 0: Lemke's method, enumeration and projected
//! Gauss–Seidel, judged by one residual. A problem without a solution is never answered by numbers.

mod basis;
mod dictionary;
mod enumeration;
mod gauss_seidel;
mod lemke;
mod scaling;

use std::fmt;

pub use basis::BasisSolver;
pub use enumeration::{MAX_ENUMERATED, enumerate};
pub use gauss_seidel::projected_gauss_seidel;
pub use lemke::lemke;

use scaling::Scaling;

/// Largest [`Lcp::residual`] of what is given as a solution.
pub const TOLERANCE: f64 = 1e-10;

/// A linear complementarity problem y = A x + b, y ≥ 0, x ≥ 0, xᵀ y = 0, with its scaling.
#[derive(Clone, Debug)]
pub struct Lcp {
    n: usize,
    /// Â = R A C, row by row.
    matrix: Vec<f64>,
    /// b̂ = R b/β with β = max |R b|.
    offset: Vec<f64>,
    scaling: Scaling,
}

/// What is no complementarity problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadProblem {
    /// The matrix has not as many elements as the square of the offset's length.
    Size,
    /// An element of the matrix or of the offset is not finite.
    NotFinite,
}

/// A solution with its residual, which is at most [`TOLERANCE`].
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The unknowns, none negative.
    pub x: Vec<f64>,
    /// A x + b.
    pub y: Vec<f64>,
    /// Scaled natural map, [`Lcp::residual`].
    pub residual: f64,
    /// Pivots, bases or sweeps that it took.
    pub iterations: usize,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// No x ≥ 0 has A x + b ≥ 0: v ≥ 0 with Aᵀ v ≤ 0 and bᵀ v < 0 proves it.
    Infeasible {
        /// The v of the proof.
        certificate: Vec<f64>,
    },
    /// Lemke's path leaves for infinity. For a matrix that is neither copositive-plus nor P there may be a solution all the same.
    Ray {
        /// Pivots up to there.
        iterations: usize,
    },
    /// The iterations that were allowed have not led to an end.
    Exhausted {
        /// How many they were.
        iterations: usize,
        /// Of the last iterate.
        residual: f64,
    },
    /// An end was reached, but rounding leaves a residual above [`TOLERANCE`].
    Inexact {
        /// The residual.
        residual: f64,
    },
    /// The method does not apply: Gauss–Seidel needs a positive diagonal, enumeration at most [`MAX_ENUMERATED`] unknowns.
    Unsuited,
    /// Enumeration has tried all bases that are not singular: none is a solution.
    NoBasis,
}

impl fmt::Display for BadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Size => "the matrix is not square, or not as large as the offset",
            Self::NotFinite => "the matrix or the offset has an element that is not finite",
        })
    }
}

impl std::error::Error for BadProblem {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Infeasible { .. } => write!(f, "no x ≥ 0 has A x + b ≥ 0"),
            Self::Ray { iterations } => write!(f, "Lemke's method ends on a ray after {iterations} pivots"),
            Self::Exhausted { iterations, residual } => {
                write!(f, "no end after {iterations} iterations, with a residual of {residual:.1e}")
            }
            Self::Inexact { residual } => write!(f, "rounding leaves a residual of {residual:.1e}"),
            Self::Unsuited => write!(f, "the method does not apply to this matrix"),
            Self::NoBasis => write!(f, "no complementary basis is a solution"),
        }
    }
}

impl std::error::Error for Failure {}

impl Lcp {
    /// Takes A, row by row, and b.
    pub fn new(mut matrix: Vec<f64>, mut offset: Vec<f64>) -> Result<Self, BadProblem> {
        let n = offset.len();
        if matrix.len() != n * n {
            return Err(BadProblem::Size);
        }
        if !matrix.iter().chain(&offset).all(|x| x.is_finite()) {
            return Err(BadProblem::NotFinite);
        }
        let scaling = Scaling::apply(&mut matrix, &mut offset);
        Ok(Self { n, matrix, offset, scaling })
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Is there nothing to solve for?
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Scaled natural map max |min(x̂ᵢ, ŷᵢ)| at x: zero at solutions alone.
    ///
    /// x̂ = C⁻¹ x/β and ŷ = R (A x + b)/β, with R and C such that the largest elements of all rows and columns of R A C
    /// are near 1, and β = max |R b|: no change of units changes it.
    pub fn residual(&self, x: &[f64]) -> f64 {
        self.scaled_residual(&self.scaling.scaled(x))
    }

    /// The same of scaled unknowns.
    fn scaled_residual(&self, x: &[f64]) -> f64 {
        x.iter().enumerate().fold(0.0_f64, |worst, (i, &x_i)| worst.max(x_i.min(self.row(i, x)).abs()))
    }

    /// ŷ_i.
    fn row(&self, i: usize, x: &[f64]) -> f64 {
        crate::dot::dot(&self.matrix[self.n * i..][..self.n], x) + self.offset[i]
    }

    /// The solution of scaled unknowns, if they are one.
    fn solution(&self, x: &[f64], iterations: usize) -> Result<Solution, Failure> {
        let residual = self.scaled_residual(x);
        if residual.is_nan() || residual > TOLERANCE {
            return Err(Failure::Inexact { residual });
        }
        let y: Vec<f64> = (0..self.n).map(|i| self.row(i, x)).collect();
        Ok(Solution { x: self.scaling.unscaled(x), y: self.scaling.slacks(&y), residual, iterations })
    }
}

use std::fmt;

use carom_math::{Mat3, Vec3};

use crate::eigen::principal_moments;

/// Share by which the largest principal moment may pass the sum of the others. A thin plate has equality,
/// and moments copied from a drawing carry about six digits.
pub const TRIANGLE_TOLERANCE: f64 = 1e-6;

/// Share of the largest entry that symmetric entries may differ by, for the same six digits.
const SYMMETRY_TOLERANCE: f64 = 1e-6;

/// Share of the largest principal moment below which another is zero to rounding.
const SMALLEST_MOMENT: f64 = 16.0 * f64::EPSILON;

/// Why a matrix is no inertia of a solid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InertiaFault {
    /// An entry is infinite or not a number.
    NotFinite {
        /// Row, 0 to 2.
        row: usize,
        /// Column, 0 to 2.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// Entries across the diagonal differ.
    NotSymmetric {
        /// Row of the upper one, 0 to 2.
        row: usize,
        /// Column of the upper one, 0 to 2.
        column: usize,
        /// The upper entry (kg m²).
        upper: f64,
        /// The lower entry (kg m²).
        lower: f64,
    },
    /// A principal moment is negative, or zero to rounding.
    NotPositive {
        /// Principal moments, smallest first (kg m²).
        moments: Vec3,
    },
    /// The largest principal moment is larger than the sum of the others, which no mass distribution
    /// has.
    Triangle {
        /// Principal moments, smallest first (kg m²).
        moments: Vec3,
    },
}

impl fmt::Display for InertiaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { row, column, value } => write!(f, "element ({row}, {column}) is {value}"),
            Self::NotSymmetric { upper, lower, .. } => write!(f, "{upper} and {lower} across the diagonal"),
            Self::NotPositive { moments: m } => {
                write!(f, "principal moments {}, {}, {} kg m^2 are not all positive", m.x, m.y, m.z)
            }
            Self::Triangle { moments: m } => {
                write!(f, "principal moments {0}, {1}, {2} kg m^2: {2} > {0} + {1}", m.x, m.y, m.z)
            }
        }
    }
}

impl std::error::Error for InertiaFault {}

/// Principal moments of an inertia about the centre of mass (kg m²), smallest first, if a solid body
/// can have it: finite, symmetric, positive definite, and I₃ ≤ (I₁ + I₂)(1 + [`TRIANGLE_TOLERANCE`]),
/// since I₁ + I₂ − I₃ = 2 ∫ x₃² dm.
pub fn check_inertia(inertia: &Mat3) -> Result<Vec3, InertiaFault> {
    for row in 0..3 {
        for column in 0..3 {
            let value = inertia[(row, column)];
            if !value.is_finite() {
                return Err(InertiaFault::NotFinite { row, column, value });
            }
        }
    }
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (inertia[(row, column)], inertia[(column, row)]);
        if (upper - lower).abs() > SYMMETRY_TOLERANCE * inertia.amax() {
            return Err(InertiaFault::NotSymmetric { row, column, upper, lower });
        }
    }
    let moments = principal_moments(&(0.5 * (inertia + inertia.transpose())));
    if moments[0] <= SMALLEST_MOMENT * moments[2] {
        return Err(InertiaFault::NotPositive { moments });
    }
    if moments[2] > (moments[0] + moments[1]) * (1.0 + TRIANGLE_TOLERANCE) {
        return Err(InertiaFault::Triangle { moments });
    }
    Ok(moments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(x: f64, y: f64, z: f64) -> Mat3 {
        Mat3::from_diagonal(&Vec3::new(x, y, z))
    }

    #[test]
    fn a_plate_and_its_printed_digits_pass() {
        assert_eq!(check_inertia(&diagonal(1.0, 2.0, 3.0)), Ok(Vec3::new(1.0, 2.0, 3.0)));
        assert!(check_inertia(&diagonal(1.0, 2.0, 3.0 * (1.0 + 0.9e-6))).is_ok());
    }

    #[test]
    fn faults_carry_the_numbers() {
        let moments = Vec3::new(1.0, 2.0, 3.0 * (1.0 + 1.1e-6));
        assert_eq!(check_inertia(&Mat3::from_diagonal(&moments)), Err(InertiaFault::Triangle { moments }));
        assert_eq!(
            check_inertia(&diagonal(2.0, 0.0, 2.0)),
            Err(InertiaFault::NotPositive { moments: Vec3::new(0.0, 2.0, 2.0) })
        );
        assert_eq!(
            check_inertia(&diagonal(1.0, -1.0, 1.0)),
            Err(InertiaFault::NotPositive { moments: Vec3::new(-1.0, 1.0, 1.0) })
        );
        assert_eq!(check_inertia(&Mat3::zeros()), Err(InertiaFault::NotPositive { moments: Vec3::zeros() }));
        let mut skew = diagonal(1.0, 1.0, 1.0);
        skew[(0, 2)] = 0.1;
        assert_eq!(
            check_inertia(&skew),
            Err(InertiaFault::NotSymmetric { row: 0, column: 2, upper: 0.1, lower: 0.0 })
        );
        let mut broken = diagonal(1.0, 1.0, 1.0);
        broken[(1, 2)] = f64::INFINITY;
        assert_eq!(
            check_inertia(&broken),
            Err(InertiaFault::NotFinite { row: 1, column: 2, value: f64::INFINITY })
        );
    }

    #[test]
    fn products_of_inertia_count() {
        // Eigenvalues 0.1, 1.9 and 1: a triangle violation that the diagonal does not show.
        let m = Mat3::new(1.0, 0.9, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0, 1.0);
        assert!(matches!(check_inertia(&m), Err(InertiaFault::Triangle { .. })));
    }
}

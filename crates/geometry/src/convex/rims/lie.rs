//! How an end lies on the plane.

use std::f64::consts::TAU;

/// How an end lies on the plane: angles are about the solid's axis, from its x axis (rad).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lie {
    /// It touches with the lowest point of its rim, its point `low`, which was at this angle last; what is apart may do so.
    Rolls {
        /// Index of that point.
        low: usize,
        /// Where it was.
        angle: f64,
    },
    /// It is flat, its point 0 at this angle.
    Flat {
        /// Where that point is.
        angle: f64,
    },
}

/// Bits of an angle in the code of a [`Lie`], of an end that rolls and of one that is flat.
const BITS: [u32; 2] = [29, 31];

impl Lie {
    /// As a number; 0 is an end that is apart.
    pub fn code(self) -> u32 {
        let turns = |angle: f64, bits: u32| {
            let steps = f64::from(1_u32 << bits);
            ((angle / TAU).rem_euclid(1.0) * steps).round() as u32 & ((1 << bits) - 1)
        };
        match self {
            Self::Rolls { low, angle } => (low as u32) << BITS[0] | turns(angle, BITS[0]),
            Self::Flat { angle } => 1 << BITS[1] | turns(angle, BITS[1]),
        }
    }

    /// From that number.
    pub fn from_code(code: u32) -> Self {
        let angle = |bits: u32| f64::from(code & ((1 << bits) - 1)) / f64::from(1_u32 << bits) * TAU;
        if code >> BITS[1] == 1 {
            Self::Flat { angle: angle(BITS[1]) }
        } else {
            Self::Rolls { low: (code >> BITS[0]) as usize, angle: angle(BITS[0]) }
        }
    }
}

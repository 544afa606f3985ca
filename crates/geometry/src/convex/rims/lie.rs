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
    /// A side or an edge that lies along the plane reaches over the border of the face there: it touches where it crosses that, in place of
    /// its end's point `low`.
    Across {
        /// Index of that point.
        low: usize,
        /// Of a side, the number of the border; of an edge, its other end.
        number: usize,
    },
    /// It is flat, its point 0 at this angle.
    Flat {
        /// Where that point is.
        angle: f64,
    },
}

/// Bits of an angle in the code of a [`Lie`], of an end that rolls and of one that is flat, and of the number that tells what crosses.
const ROLLS: u32 = 29;
const FLAT: u32 = 30;
const ACROSS: u32 = 28;
/// What comes before these bits: 0 and the point; 10; 11 and the point.
const IS_FLAT: u32 = 0b10;
const IS_ACROSS: u32 = 0b11;

impl Lie {
    /// As a number; 0 is an end that is apart.
    pub fn code(self) -> u32 {
        let turns = |angle: f64, bits: u32| {
            let steps = f64::from(1_u32 << bits);
            ((angle / TAU).rem_euclid(1.0) * steps).round() as u32 & ((1 << bits) - 1)
        };
        match self {
            Self::Rolls { low, angle } => (low as u32) << ROLLS | turns(angle, ROLLS),
            Self::Flat { angle } => IS_FLAT << FLAT | turns(angle, FLAT),
            Self::Across { low, number } => IS_ACROSS << FLAT | (low as u32) << ACROSS | number as u32,
        }
    }

    /// From that number.
    pub fn from_code(code: u32) -> Self {
        let angle = |bits: u32| f64::from(code & ((1 << bits) - 1)) / f64::from(1_u32 << bits) * TAU;
        let low = |bits: u32| (code >> bits & 0b11) as usize;
        match code >> FLAT {
            IS_FLAT => Self::Flat { angle: angle(FLAT) },
            IS_ACROSS => Self::Across { low: low(ACROSS), number: (code & ((1 << ACROSS) - 1)) as usize },
            _ => Self::Rolls { low: low(ROLLS), angle: angle(ROLLS) },
        }
    }
}

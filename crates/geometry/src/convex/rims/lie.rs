//! How an end lies on the plane.

use std::f64::consts::TAU;

use carom_math::Vec3;

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
    /// It is flat, and reaches over the border of the face there: its points are where rays from its midst come to what bounds the part that touches.
    Part {
        /// Where the ray to its point 0 leads.
        angle: f64,
        /// Where the rays begin.
        about: About,
    },
}

/// A place in the midst of a part of a disc, fixed to the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    place: [f32; 2],
    /// Number of the least distance that it keeps.
    least: u32,
}

/// Distances, over the radius, that what bounds the part may come as near as to its midst; at first it is twice as far.
const LEAST: [f64; 3] = [0.1, 0.01, 1e-3];

impl About {
    /// Near a place that is so far from what bounds the part, both over the radius; none where that is too near.
    pub(super) fn of(place: &Vec3, margin: f64) -> Option<Self> {
        let least = LEAST.iter().position(|least| margin >= 2.0 * least)? as u32;
        Some(Self { place: [place.x as f32, place.y as f32], least })
    }

    /// Is it as far from what bounds the part as any is asked to be?
    pub(super) fn is_roomy(&self) -> bool {
        self.least == 0
    }

    /// Where it is, over the radius, in the solid's axes from the middle of the end.
    pub(super) fn place(self) -> Vec3 {
        Vec3::new(f64::from(self.place[0]), f64::from(self.place[1]), 0.0)
    }

    /// The least distance from what bounds the part, over the radius.
    pub(super) fn least(self) -> f64 {
        LEAST[self.least as usize]
    }

    fn codes(self) -> [u32; 3] {
        [self.least + 1, self.place[0].to_bits(), self.place[1].to_bits()]
    }

    fn from_codes([least, x, y]: [u32; 3]) -> Option<Self> {
        let least = least.checked_sub(1)?;
        Some(Self { place: [x, y].map(f32::from_bits), least })
    }
}

/// Bits of an angle in the code of a [`Lie`], of an end that rolls and of one that is flat, and of the number that tells what crosses.
const ROLLS: u32 = 29;
const FLAT: u32 = 30;
const ACROSS: u32 = 28;
/// What comes before these bits: 0 and the point; 10; 11 and the point.
const IS_FLAT: u32 = 0b10;
const IS_ACROSS: u32 = 0b11;

impl Lie {
    /// As numbers, each zero of an end that is apart. Only an end with several points needs more than the first.
    pub fn codes(self) -> [u32; 4] {
        let [least, x, y] = if let Self::Part { about, .. } = self { about.codes() } else { [0; 3] };
        [self.code(), least, x, y]
    }

    fn code(self) -> u32 {
        let turns = |angle: f64, bits: u32| {
            let steps = f64::from(1_u32 << bits);
            ((angle / TAU).rem_euclid(1.0) * steps).round() as u32 & ((1 << bits) - 1)
        };
        match self {
            Self::Rolls { low, angle } => (low as u32) << ROLLS | turns(angle, ROLLS),
            Self::Flat { angle } | Self::Part { angle, .. } => IS_FLAT << FLAT | turns(angle, FLAT),
            Self::Across { low, number } => IS_ACROSS << FLAT | (low as u32) << ACROSS | number as u32,
        }
    }

    /// From those numbers.
    pub fn from_codes([code, least, x, y]: [u32; 4]) -> Self {
        let angle = |bits: u32| f64::from(code & ((1 << bits) - 1)) / f64::from(1_u32 << bits) * TAU;
        let low = |bits: u32| (code >> bits & 0b11) as usize;
        match code >> FLAT {
            IS_FLAT => match About::from_codes([least, x, y]) {
                None => Self::Flat { angle: angle(FLAT) },
                Some(about) => Self::Part { angle: angle(FLAT), about },
            },
            IS_ACROSS => Self::Across { low: low(ACROSS), number: (code & ((1 << ACROSS) - 1)) as usize },
            _ => Self::Rolls { low: low(ROLLS), angle: angle(ROLLS) },
        }
    }

    /// Of an end that is apart.
    pub fn apart() -> Self {
        Self::from_codes([0; 4])
    }
}

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

/// A place in the midst of a part of a disc, on a grid that is fixed to the solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    x: i16,
    y: i16,
    /// Number of the least distance that it keeps.
    least: u8,
}

/// Distances, over the radius, that what bounds a part may come as near as to its midst; at first it is twice as far.
const LEAST: [f64; 3] = [0.1, 0.01, 1e-3];
/// Steps of the grid in the radius.
const GRID: i16 = 16_383;
/// Bits of a coordinate in the code of such a place.
const PLACE: u32 = 15;

impl About {
    /// Near a place that is so far from what bounds the part, both over the radius; none where that is too near.
    pub(super) fn of(place: &Vec3, margin: f64) -> Option<Self> {
        let least = LEAST.iter().position(|least| margin >= 2.0 * least)? as u8;
        let step =
            |share: f64| (share * f64::from(GRID)).round().clamp(-f64::from(GRID), f64::from(GRID)) as i16;
        Some(Self { x: step(place.x), y: step(place.y), least })
    }

    /// Is it as far from what bounds the part as any is asked to be?
    pub(super) fn is_roomy(&self) -> bool {
        self.least == 0
    }

    /// Where it is, over the radius, in the solid's axes from the middle of the end.
    pub(super) fn place(self) -> Vec3 {
        Vec3::new(f64::from(self.x), f64::from(self.y), 0.0) / f64::from(GRID)
    }

    /// The least distance from what bounds the part, over the radius.
    pub(super) fn least(self) -> f64 {
        LEAST[usize::from(self.least)]
    }

    fn code(self) -> u32 {
        let coordinate = |steps: i16| (i32::from(steps) + i32::from(GRID)) as u32;
        (u32::from(self.least) + 1) << (2 * PLACE) | coordinate(self.x) << PLACE | coordinate(self.y)
    }

    fn from_code(code: u32) -> Option<Self> {
        let coordinate = |steps: u32| ((steps & ((1 << PLACE) - 1)) as i32 - i32::from(GRID)) as i16;
        let least = (code >> (2 * PLACE)).checked_sub(1)? as u8;
        Some(Self { x: coordinate(code >> PLACE), y: coordinate(code), least })
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
    /// As numbers; 0 and 0 are an end that is apart. Only an end with several points needs the second.
    pub fn codes(self) -> [u32; 2] {
        match self {
            Self::Part { angle, about } => [Self::Flat { angle }.code(), about.code()],
            lie => [lie.code(), 0],
        }
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
    pub fn from_codes([code, about]: [u32; 2]) -> Self {
        let angle = |bits: u32| f64::from(code & ((1 << bits) - 1)) / f64::from(1_u32 << bits) * TAU;
        let low = |bits: u32| (code >> bits & 0b11) as usize;
        match code >> FLAT {
            IS_FLAT => match About::from_code(about) {
                None => Self::Flat { angle: angle(FLAT) },
                Some(about) => Self::Part { angle: angle(FLAT), about },
            },
            IS_ACROSS => Self::Across { low: low(ACROSS), number: (code & ((1 << ACROSS) - 1)) as usize },
            _ => Self::Rolls { low: low(ROLLS), angle: angle(ROLLS) },
        }
    }

    /// Of an end that is apart.
    pub fn apart() -> Self {
        Self::from_codes([0, 0])
    }
}

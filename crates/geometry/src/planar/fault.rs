use std::fmt;

/// Why points are no outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlineFault {
    /// Fewer than three points.
    TooFew {
        /// How many there are.
        points: usize,
    },
    /// A coordinate that is no finite number.
    NotFinite {
        /// Index of the point.
        point: usize,
    },
    /// Two points in a row are the same; the outline closes by itself.
    Repeated {
        /// Index of the second one; 0 if the last is the first again.
        point: usize,
    },
    /// Two edges cross or touch; edge k goes from point k to the next.
    Crossing {
        /// Indices of the edges.
        edges: [usize; 2],
        /// A point of both, about (m).
        at: [f64; 2],
    },
    /// All points are on one line.
    Flat,
    /// The points go round clockwise.
    Clockwise {
        /// Area, negative (m²).
        area: f64,
    },
}

impl fmt::Display for OutlineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { points } => write!(f, "has {points} points, and needs three or more"),
            Self::NotFinite { point } => write!(f, "has a coordinate of point {point} that is not finite"),
            Self::Repeated { point: 0 } => write!(f, "ends with its first point, to which it returns anyway"),
            Self::Repeated { point } => write!(f, "has points {} and {point} in one place", point - 1),
            Self::Crossing { edges: [first, second], at: [x, y] } => write!(
                f,
                "crosses or touches itself: the edges from points {first} and {second} meet near [{x:.6e}, {y:.6e}] m"
            ),
            Self::Flat => write!(f, "has all points on one line"),
            Self::Clockwise { area } => write!(f, "goes round clockwise (its area is {area:.4e} m^2)"),
        }
    }
}

impl std::error::Error for OutlineFault {}

//! Which pairs of many shapes can touch: candidates from bounding balls, and how long they stay valid.
//!
//! Knows balls, planes and displacements, no bodies and no time but that of certificates, which is data.
//!
//! ```
//! use carom_geometry::broadphase::{Ball, Candidates};
//! use carom_math::Vec3;
//!
//! let ball = |x: f64| Ball { centre: Vec3::x() * x, radius: 0.5 };
//! let mut near = Candidates::default();
//! near.update(&[ball(0.0), ball(0.9), ball(5.0)], &[], 0.1)?;
//! assert_eq!(near.pairs(), [[0, 1]]);
//! # Ok::<(), carom_geometry::broadphase::BroadPhaseFault>(())
//! ```

mod candidates;
mod certificate;
mod grid;
mod planes;

use std::fmt;

use carom_math::Vec3;

pub use candidates::Candidates;
pub use certificate::{Certificates, MotionBound};
pub use grid::GridBuffers;
pub use planes::Plane;

/// Ball around a shape, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre (m).
    pub centre: Vec3,
    /// Radius ≥ 0 (m).
    pub radius: f64,
}

/// Indices of two balls, the lower first.
pub type Pair = [u32; 2];

/// What keeps a broad phase from its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BroadPhaseFault {
    /// A centre or radius is infinite or not a number, or a radius negative.
    BadBall {
        /// Index of the first such ball.
        ball: usize,
        /// The ball.
        found: Ball,
    },
}

impl fmt::Display for BroadPhaseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::BadBall { ball, found } = self;
        write!(f, "ball {ball} is none: {found:?}")
    }
}

impl std::error::Error for BroadPhaseFault {}

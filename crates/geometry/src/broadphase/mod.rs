//! Which pairs of many shapes can touch: candidates from bounding balls, and how long they stay valid.
//!
//! Knows balls, planes and displacements, no bodies and no time but that of certificates, which is data.

mod candidates;
mod certificate;
mod grid;
mod planes;

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

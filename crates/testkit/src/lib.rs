//! Oracles, closed forms and assertions shared by the tests of Carom. A development dependency only.

mod double_double;
mod pieces;
mod real;
mod rng;
mod search;
mod support;

pub use double_double::DoubleDouble;
pub use pieces::PIECES;
pub use real::{Real, dot};
pub use rng::SplitMix64;
pub use support::{SupportCore, SupportDifference, SupportSolid};

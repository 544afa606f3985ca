//! Oracles, closed forms and assertions shared by the tests of Carom. A development dependency only.

mod double_double;
mod rng;

pub use double_double::DoubleDouble;
pub use rng::SplitMix64;

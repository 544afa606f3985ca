//! Oracles, closed forms and assertions shared by the tests of Carom. A development dependency only.

mod rng;

pub use rng::SplitMix64;

//! Force laws of point contacts: what a user states ([`Law`], [`Material`]) and what a pair runs with.
//!
//! Signs: penetration δ = −gap > 0, approach speed δ̇ > 0 while closing, forces on B.

mod spec;

pub use spec::{FrictionKind, Law, Material, MaterialPair, NormalKind, PointLaw, Rolling};

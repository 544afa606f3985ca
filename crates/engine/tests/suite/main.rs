//! Physics of whole runs: closed forms, invariants, balances, limits. One binary, one module a subject.
#![allow(missing_docs)]

mod ali3p;
mod analysis;
mod areal;
mod areal_outputs;
mod auto;
mod convex;
mod convex_copies;
mod convex_crossings;
mod convex_passages;
mod convex_search;
mod crowd;
mod determinism;
mod drives;
mod friction;
mod functions;
mod impact;
mod integrators;
mod invariance;
mod laws;
mod ledger;
mod limits;
mod mechanism;
mod modes;
mod neighbours;
mod peaks;
mod rest;
mod scene;
mod shapes;
mod solids;
mod tangent;
mod tree;
mod tree_tangent;

//! Physics of whole runs: closed forms, invariants, balances, limits. One binary, one module a subject.
#![allow(missing_docs)]

mod impact;

mod scene;

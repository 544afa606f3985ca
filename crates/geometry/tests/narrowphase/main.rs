//! Suites over every cell of the pair table: each holds one property for all pairs.

mod accuracy;
mod closed_forms;
mod continuity;
mod degenerate;
mod envelope;
mod frame_invariance;
mod minimise;
mod oracle;
mod scene;
mod surfaces;
mod swap;
mod table;

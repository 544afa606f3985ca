//! Studies: one model in many variants.
//!
//! A [`Plan`] lists the runs of a study file ([`carom_io::study`]), always the same ones in the same order. Whoever makes a run
//! ([`make_run`]) leaves a run folder and gives back one small [`Row`]; a [`Ledger`] keeps the rows line by line, so that a kill costs
//! the runs under way alone, and makes the table `study.parquet` and the page `study.html` of them. [`run_here`] has the runs made by worker processes of this
//! machine; anything else that can call [`make_run`] will do.

mod examine;
mod inputs;
mod ledger;
mod page;
mod plan;
mod pool;
mod row;
mod run;
mod sample;
mod sensitivity;

pub use examine::Examined;
pub use ledger::{Ledger, Shard, read_rows};
pub use plan::{Case, Plan};
pub use pool::{Tally, run_here, work};
pub use row::Row;
pub use run::{Reports, make_run};

/// Code of a run that has killed its worker.
pub const KILLS_ITS_WORKER: &str = "E0902";
/// Code of a folder that holds another study.
pub const OTHER_STUDY: &str = "E0903";

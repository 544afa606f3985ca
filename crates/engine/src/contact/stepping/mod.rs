//! Rigid contacts as a time-stepping method sees them: which may touch in a step (`near`), their rows on velocities and the Delassus
//! operator, block by block (`coupling`), velocities that impulses make (`push`); what each contact has done
//! (`touch`).

mod coupling;
mod near;
mod touch;

pub(crate) use coupling::Coupling;
pub(crate) use near::{NearPoint, find_near, measure_near};
pub(crate) use touch::{Touch, commit_touches};

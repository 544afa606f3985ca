//! Rigid (set-valued) contact: no force law. Closed contacts are rows w_N, w_T on both bodies, whose multipliers follow from the
//! accelerations that they demand (nonsmooth; Pfeiffer & Glocker 1996, in space).
//!
//! Between events what each closed contact does is frozen ([`Hold`]): it sticks (three bilateral rows), or slides with friction
//! against its slip; `multipliers` solves for the forces in every evaluation, by the linear system of `frozen`, whose slips that have just
//! begun turn at once (`turning`). `settle` takes an event:
//! impacts, of which `rest` says which are the last, and then what `decide` says by the cone problem of the accelerations (`cone`, `polyhedral`). Faces that lie flat are struck at once (`flush`). Bodies that do not hang together are problems
//! of their own (`islands`). `rows` and `delassus` are what any method needs that treats contacts as constraints.

mod cone;
mod decide;
mod delassus;
mod drift;
mod ending;
mod failure;
mod flush;
mod frozen;
mod hold;
mod impact;
mod islands;
mod jam;
mod member;
mod multipliers;
mod polyhedral;
mod project;
mod rest;
mod rows;
mod settle;
mod several;
mod single;
mod sparing;
mod turning;
mod watch;

pub(super) use flush::{close_struck, takes_over};
pub(crate) use hold::{Hold, Holding};
pub(crate) use jam::find_jammed;
pub(crate) use multipliers::{RigidBuffers, STILL, update_multipliers};
pub(crate) use project::{holds_any, is_off_contacts, return_to_contacts};
pub(crate) use rows::RigidPoint;
pub(crate) use settle::{DRIFT, OVERLAP, RigidFault, settle};
pub(crate) use single::{arm_of, cable_of, law_of, single_motion, write_single};
pub(crate) use watch::{IDLE, after_step, holding_function, is_located, keep_holds, watched_changes};

//! Patches of areal contact and how each of them began: one end of a dumbbell rests while the other comes down.
//!
//! A patch is a set of active elements that lie side by side, told by the cells of a grid ([`crate::system::PatchGrid`]) that they
//! occupy. It goes on from accepted state to accepted state where its cells do, or their neighbours. A patch that grew out of none
//! has a begin of its own: time, place, approach speed, and the motion that restitution is measured against. Of patches
//! that merge the one that carries most goes on; parts of one that splits have its begin each.

pub(crate) mod begin;
mod book;
mod groups;
pub(crate) mod hit;
pub(crate) mod regroup;

pub(crate) use begin::PatchSeed;
pub(crate) use book::{BegunPatch, PatchBook};
pub(crate) use groups::PatchGroups;

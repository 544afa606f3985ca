//! Two trees of boxes with eight children a node, and the descent through both that lists the pairs of a line, or a triangle,
//! and a triangle that are near each other.

mod base_tree;
mod descent;
mod divide;
mod ends;
mod leaf;
mod patch;
mod query;
mod target_tree;

pub(crate) use base_tree::{BaseNode, BaseTree, Cluster, Line};
pub(crate) use descent::{Descent, Found, Near};
pub(crate) use patch::Patch;
pub(crate) use target_tree::TargetTree;

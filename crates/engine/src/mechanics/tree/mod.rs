//! Kinematic trees in joint coordinates: links, recursive kinematics, and the algorithms of Featherstone (Rigid
//! Body Dynamics Algorithms, 2008), written in world axes about each body's centre of mass, so that passing from
//! body to body is a shift and never a rotation. Derivatives are about one point for a whole tree.

mod across;
mod articulated;
mod chain;
mod composite;
mod coupled;
mod couplings;
mod derivatives;
mod inverse_dynamics;
mod jacobian;
mod link;
mod mass_matrix;
mod response;
mod sparse_factor;
mod workspace;

pub(crate) use across::across;
pub(crate) use chain::Chain;
pub(crate) use couplings::{Couplings, Ratio};
pub(crate) use derivatives::DynamicsDerivatives;
pub(crate) use inverse_dynamics::transmitted_wrenches;
pub(crate) use jacobian::{path_to_root, velocity_columns};
pub(crate) use link::{Link, PrismaticTable, RevoluteTable, Shortcut};
pub(crate) use mass_matrix::{mass_matrix, visit_mass};
pub(crate) use sparse_factor::SparseFactor;
pub(crate) use workspace::TreeWorkspace;

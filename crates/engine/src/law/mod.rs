//! Force laws of contacts: what a user states ([`Law`], [`Material`]) and what a contact runs with
//! ([`NormalLaw`], [`Friction`], [`RollingResistance`]).
//!
//! Signs: penetration δ = −gap > 0, approach speed δ̇ > 0 while closing, forces on B.

mod areal;
mod damping_factor;
mod delivered;
mod friction;
mod hertz;
mod kelvin_voigt;
mod normal;
mod resolve;
mod resolve_areal;
mod resolve_volume;
mod rigid;
mod rolling;
mod spec;
mod volume;

pub use areal::{ArealDamping, ArealLaw, Pressure, layer_modulus};
use damping_factor::needs_minimum;
pub use damping_factor::{RESTITUTION_MIN, damping_factor};
pub use delivered::{delivered_restitution, restitution_table_markdown};
pub use friction::{Bristle, BristleLaw, Coulomb, Dwelling, Friction, Grip, Hold};
pub use hertz::{ContactRadius, effective_modulus, hertz_stiffness, reduced_radius};
pub use kelvin_voigt::damping_ratio;
pub use normal::{Damping, Exponent, NormalForce, NormalLaw};
pub use resolve::{PairLaw, Partners, resolve};
pub use resolve_areal::{ArealPairLaw, ArealPartners, resolve_areal};
pub(crate) use resolve_areal::{DepthEstimate, RESERVE};
pub use resolve_volume::{VolumePairLaw, VolumePartners, resolve_volume};
pub(crate) use rigid::kept_share;
pub use rigid::{ImpactLaw, RigidBlock, RigidLaw};
pub use rolling::RollingResistance;
pub use spec::{
    ArealBlock, ArealForm, BristleKind, FrictionKind, Law, LayerSide, Layers, Material, MaterialPair,
    NormalKind, PointLaw, Rolling, VolumeBlock,
};
pub use volume::{VolumeLaw, VolumePressure};

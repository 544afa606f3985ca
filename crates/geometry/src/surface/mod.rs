//! Generators of triangle surfaces: pure functions of dimensions and a resolution, the same bits always.
//!
//! Surfaces of solids are closed, vertices are shared, triangles are counter-clockwise seen from outside. All
//! vertices lie on the surface (of curved ones, that is; facets cut corners), so volume and area fall short of
//! the solid's by O(h²) in the edge length h; [`Round::balance`] moves them out so far that this is made good. Each shape stands in its frame as in [`crate::Shape`] and
//! [`crate::convex::Core`]. Bad dimensions are a [`ShapeFault`] that names the argument.
//!
//! ```
//! use carom_geometry::surface::{Resolution, torus};
//!
//! let ring = torus(0.2, 0.05, Resolution::Facets(2000))?;
//! assert!(ring.topology().is_ok_and(|topology| topology.closed));
//! # Ok::<(), carom_geometry::shape::ShapeFault>(())
//! ```

mod arc_length;
mod beam;
mod block;
mod bowl;
mod capsule;
mod convex;
mod disc;
mod ellipsoid;
mod foot;
mod frustum;
mod funnel;
mod gear;
mod hawse;
mod hull;
mod loft;
mod peanut;
mod pierced;
mod rectangle;
mod resolution;
mod round;
mod rounded;
mod slotted;
mod sphere;
mod subdivide;
mod superellipsoid;
mod terrain;
mod tessellate;
mod torus;
mod wire;

pub use beam::beam;
pub use block::block;
pub use bowl::{Bowl, bowl};
pub use capsule::capsule;
pub use convex::convex;
pub use ellipsoid::ellipsoid;
pub use foot::{Foot, foot};
pub use frustum::{cylinder, frustum};
pub use funnel::funnel;
pub use gear::{Gear, gear, gear_outline};
pub use hawse::{Hawse, hawse};
pub use hull::hull;
pub use peanut::{Peanut, peanut};
pub use rectangle::rectangle;
pub use resolution::{MAX_TRIANGLES, Resolution};
pub use round::Round;
pub use slotted::{SlottedPlate, slotted_plate};
pub use sphere::sphere;
pub use subdivide::subdivide;
pub use superellipsoid::superellipsoid;
pub use terrain::{Terrain, terrain};
pub use tessellate::tessellate;
pub use torus::{torus, torus_grid};
pub use wire::{Wire, wire};

use crate::shape::ShapeFault;

const LENGTH: &str = "a positive, finite length in m";
const LENGTH_OR_ZERO: &str = "a finite length in m, zero or larger";

/// The first condition that does not hold, as a fault. Each line: argument, value, condition, what is expected.
fn check(lines: &[(&'static str, f64, bool, &'static str)]) -> Result<(), ShapeFault> {
    match lines.iter().find(|(_, value, holds, _)| !(value.is_finite() && *holds)) {
        Some(&(field, value, _, expected)) => Err(ShapeFault { field, value, expected }),
        None => Ok(()),
    }
}

/// All lengths are finite and positive.
fn check_lengths(lengths: &[(&'static str, f64)]) -> Result<(), ShapeFault> {
    let lines: Vec<_> = lengths.iter().map(|&(field, value)| (field, value, value > 0.0, LENGTH)).collect();
    check(&lines)
}

/// Number of segments near `spacing` that a length is cut into, at least one. More than there may be triangles are told by their
/// number: they need not be made to be counted.
fn segments(length: f64, spacing: f64) -> u32 {
    (length / spacing).round().clamp(1.0, MAX_TRIANGLES as f64) as u32
}

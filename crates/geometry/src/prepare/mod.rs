//! Meshes as users have them: what is wrong with one, and what can be done about it.
//!
//! [`survey`] examines a mesh and changes nothing. [`repair`] welds, removes what is degenerate or there twice, turns triangles and
//! closes small holes, and counts all of it; [`refine`] cuts long edges, [`simplify`] collapses short ones; [`convex_parts`] covers a
//! solid by convex ones, and [`thin_hull`] leaves out vertices of one. Nothing of this happens
//! unasked: contact sees exactly the triangles that were given.
//!
//! ```
//! use carom_geometry::prepare::{RepairOptions, repair, survey};
//! use carom_geometry::surface::{Resolution, block};
//! use carom_math::Vec3;
//!
//! let mut cube = block(Vec3::repeat(0.5), Resolution::Divisions(1))?;
//! cube.triangles[3].swap(1, 2);
//! cube.triangles.pop();
//! let found = survey(&cube)?;
//! assert_eq!((found.diagnosis.flipped.count, found.borders.len()), (1, 1));
//!
//! let repaired = repair(&cube, &RepairOptions { tolerance: 1e-9, largest_hole: Some(2.0) })?;
//! assert_eq!((repaired.flipped, repaired.filled_holes), (1, 1));
//! assert!((repaired.mesh.signed_volume() - 1.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod borders;
mod convex_parts;
mod crossings;
mod deviation;
mod fans;
mod flat;
mod holes;
mod neighbours;
mod refine;
mod repair;
mod simplify;
mod survey;
mod thin_hull;
mod twice;

pub use borders::Border;
pub use convex_parts::{ConvexParts, Reach, convex_parts};
pub use crossings::{Crossing, Crossings};
pub use deviation::{Deviation, deviation, distance_beyond};
pub use refine::{RefineFault, refine};
pub use repair::{RepairOptions, Repaired, repair};
pub use simplify::{Simplified, Target, simplify};
pub use survey::{MeshSurvey, survey};
pub use thin_hull::thin_hull;

//! Areal contact of two triangle surfaces: where penetration lines of the one, the base, meet the other, the target
//! (polygonal contact model; Hippmann, "An algorithm for compliant contact between complexly shaped bodies", Multibody
//! Syst. Dyn. 12 (2004) 345–362).
//!
//! Every triangle of the base is a contact element with barycentre o, outward unit normal n and area. Its penetration
//! line runs from o along d = −n, into the base's body, over a length called reach. Over all triangles j of the target,
//! with outward normals m_j, t_j is the distance along the line where it meets j, if 0 ≤ t_j ≤ reach. The penetration
//! is u = min t_j, of equal ones that of the smallest j. The element is active if n·m_j < 0 there, and invalid, met
//! from outside, if not.
//!
//! A closed target has the barycentres of active elements in it. Of an open one that is a matter of where its solid is taken to end:
//! [`crate::clearance::Borders`].
//!
//! - [`penetration_brute_force`] is this rule as it stands.
//! - [`PenetrationSearch`] gives the same bits, fast, on any mesh.
//! - [`IntersectionSearch`] is the classic construction, by contours and active areas; for closed surfaces.
//! - [`PatchSearch`] joins active elements to patches.
//!
//! Elements may be finer than the triangles of the base ([`BaseSurface::refined`]): halves of halves of them, made only where
//! the target is near.
//!
//! How the search is fast: one formula (`ray.rs`) decides, and all else only says where it need not be asked. Two trees
//! with eight children a node (`near/tree/`) list the pairs of a line and a triangle that are nearer than a skin. As long as no
//! point has moved by more than that (`near/motion.rs`), the list holds every pair that can meet, and a search is one
//! stream through blocks of eight pairs (`list/block.rs`). How old a list is, which instructions are used and what was
//! asked before change nothing: every way gives the least depth of the same numbers.
//!
//! ```
//! use carom_geometry::polygonal::{BaseSurface, PenetrationSearch, TargetSurface};
//! use carom_geometry::surface::{Resolution, block, sphere};
//! use carom_math::{Pose, Vec3};
//!
//! let ball = BaseSurface::new(&sphere(0.1, Resolution::Facets(2000))?, 0.01)?;
//! let plate = TargetSurface::new(&block(Vec3::new(0.5, 0.5, 0.05), Resolution::Divisions(1))?)?;
//! let mut hits = Vec::new();
//! // The ball's lowest point is 1 mm in the plate.
//! let x_tb = Pose::from_translation(Vec3::z() * (0.05 + 0.1 - 0.001));
//! PenetrationSearch::new(&ball, &plate).search(&ball, &plate, &x_tb, &mut hits)?;
//! let deepest = hits.iter().map(|hit| hit.depth).fold(0.0, f64::max);
//! assert!(deepest > 0.0 && deepest <= 0.001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accuracy;
mod base;
mod brute_force;
mod classic;
mod edges;
mod hit;
mod list;
mod patches;
mod ray;
mod search;
mod target;
mod zones;

pub use crate::near::{
    BaseElement, Cell, Degenerate, EdgeLine, MOST_BISECTIONS, MOST_LEAVES, SearchFault, SimdLevel,
    SurfaceFault,
};
pub use base::BaseSurface;
pub use brute_force::penetration_brute_force;
pub use classic::{IntersectionCounters, IntersectionSearch};
pub use edges::GRAIN;
pub use hit::{ElementHit, HitStatus, SearchCounters};
pub use patches::{Patch, PatchSearch};
pub use search::PenetrationSearch;
pub use target::TargetSurface;
pub use zones::{EdgeZones, MarkedEdges, ShareAround};

//! Planar shapes: outlines in the xy plane of their frame, of a stated thickness along z, and where two of them touch.
//!
//! A polygon touches with its convex vertices, a circle with its rim; each vertex, and each edge that a circle may lie
//! on, is a feature with a contact of its own ([`contact`]). Rigid vertices in hollows touch two edges ([`second_features`]). The gap of a feature is a signed distance, and a lower bound
//! of what must be travelled until it touches. Detection is in two stages, boxes and then points and edges
//! ([`Polygon::nearest`], [`find_in_skin`]; Slavič and Boltežar 2006, section 3.2).

mod arrival;
mod barrier;
mod check;
mod circle;
mod corner;
mod course;
mod crossed;
mod edge;
mod fault;
mod feature;
mod held;
mod hollow;
mod nearest;
mod placement;
mod plane;
mod polygon;
mod profile;
mod rates;
mod shape;
mod skin;
mod solid;
mod tree;
mod triangulate;
mod vertex;

pub use arrival::Within;
pub use course::{Looks, least_gap};
pub use crossed::crossed;
pub use fault::OutlineFault;
pub use feature::{
    contact, contact_against, count_features, feature_name, is_own_place, is_served, second_features,
};
pub use held::{
    gives_way, met_at_corner, next_features, on_held_piece, other_piece, piece_after, piece_under,
    room_on_piece,
};
pub use hollow::Against;
pub use nearest::Nearest;
pub use placement::Planar;
pub use polygon::Polygon;
pub use profile::{Commutator, Ratchet};
pub use rates::rates;
pub use shape::{Outline, PlanarShape};
pub use skin::{InSkin, find_in_skin, find_in_skin_by_all_pairs};
pub use triangulate::triangulate;

use carom_math::Vec2;

/// z component of the cross product: positive if `b` points to the left of `a`.
#[inline]
pub(crate) fn cross(a: &Vec2, b: &Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

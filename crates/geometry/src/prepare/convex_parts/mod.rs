//! A solid as convex parts.

mod clip;
mod concave;
mod reach;
#[cfg(test)]
mod tests;

use carom_math::Vec3;

use crate::clearance::ClearanceTree;
use crate::convex::{ConvexHull, NotConvex};
use crate::{MassProperties, TriangleMesh};
use clip::{Chain, Plane};
use concave::{ConcaveEdge, concave_edges};
pub use reach::Reach;
use reach::find_reach;

/// Share of the solid's volume below which a hull has none beyond its part: rounding.
const ROUNDING: f64 = 1e-9;
/// Planes that are tried for a cut, and triangles that all of them together may go through.
const MOST_PLANES: usize = 72;
const MOST_WORK: usize = 400_000;
/// The least of them, and those across the axes.
const LEAST_PLANES: usize = 24;
const ACROSS: usize = 9;

/// Convex solids that cover a solid.
#[derive(Clone, Debug)]
pub struct ConvexParts {
    /// Every point of the solid is in one of them.
    pub hulls: Vec<ConvexHull>,
    /// Volume of all hulls less that of the solid (m³).
    pub excess_volume: f64,
    /// How far they reach beyond the solid.
    pub reach: Reach,
}

/// A part of the solid, as its cuts have left it.
struct Part {
    chain: Chain,
    edges: Vec<ConcaveEdge>,
    hull: ConvexHull,
    /// Volume of its hull less its own (m³).
    excess: f64,
    reach: Reach,
}

/// Cuts a solid by planes into parts until the convex hulls of the parts reach no farther beyond it than `allowed` (m), or there are `most`.
///
/// The part whose hull reaches farthest is cut next, by the plane that leaves the least volume in both hulls, out of those of the faces at
/// concave edges, between them, and across the axes (a greedy decomposition, as in Mamou & Ghorbel, ICIP 2009, with cuts at dents).
/// Parts are chains of triangles with caps: their volumes are exact, and what a hull has beyond its part is none where they agree.
///
/// # Errors
/// [`NotConvex::NoSolid`] of a mesh that bounds no solid, [`NotConvex::Hull`] of a flat one.
pub fn convex_parts(mesh: &TriangleMesh, allowed: f64, most: usize) -> Result<ConvexParts, NotConvex> {
    let whole = MassProperties::of_mesh(mesh, 1.0).map_err(NotConvex::NoSolid)?;
    let tree = ClearanceTree::new(mesh)
        .map_err(|_| NotConvex::Hull(crate::convex::HullFault::TooFew { points: 0 }))?;
    let least = ROUNDING * whole.mass;
    let measured = |chain: Chain, edges: Vec<ConcaveEdge>| {
        let hull = chain.hull()?;
        let excess = volume(&hull) - chain.volume();
        let reach = if excess > least { find_reach(&hull, &tree) } else { Reach::default() };
        Ok(Part { chain, edges, hull, excess, reach })
    };
    let chain = Chain::of_mesh(mesh);
    let mut parts = vec![measured(chain, concave_edges(mesh)).map_err(NotConvex::Hull)?];
    while parts.len() < most {
        let Some((worst, _)) = farthest(&parts).filter(|(_, part)| part.reach.at_most > allowed) else {
            break;
        };
        let Some(plane) = best_plane(&parts[worst]) else { break };
        let Part { chain, edges, .. } = parts.swap_remove(worst);
        for plane in [plane, plane.turned()] {
            let own = edges.iter().filter_map(|edge| edge.clipped(&plane)).collect();
            parts.push(measured(chain.clip(&plane), own).map_err(NotConvex::Hull)?);
        }
    }
    let reach = farthest(&parts).map_or(Reach::default(), |(_, part)| part.reach);
    let excess_volume = parts.iter().map(|part| part.excess.max(0.0)).sum();
    Ok(ConvexParts { hulls: parts.into_iter().map(|part| part.hull).collect(), excess_volume, reach })
}

/// The part whose hull reaches farthest; of equal ones the first.
fn farthest(parts: &[Part]) -> Option<(usize, &Part)> {
    let order =
        |a: &Part, b: &Part| a.reach.at_most.total_cmp(&b.reach.at_most).then(a.excess.total_cmp(&b.excess));
    parts.iter().enumerate().rev().max_by(|a, b| order(a.1, b.1))
}

fn volume(hull: &ConvexHull) -> f64 {
    hull.mass_properties(1.0).map_or(0.0, |mass| mass.mass)
}

/// The plane that leaves the least volume in the hulls of both sides; none that leaves something on both.
fn best_plane(part: &Part) -> Option<Plane> {
    let mut best: Option<(f64, Plane)> = None;
    for plane in planes(part) {
        let sides =
            [plane, plane.turned()].map(|plane| part.chain.clip(&plane).hull().map(|hull| volume(&hull)));
        if let [Ok(one), Ok(other)] = sides
            && best.is_none_or(|(least, _)| one + other < least)
        {
            best = Some((one + other, plane));
        }
    }
    best.map(|(_, plane)| plane)
}

/// Planes to try: of both faces at a concave edge and between them, of the longest edges first; and across the axes.
fn planes(part: &Part) -> Vec<Plane> {
    let vertices = part.hull.vertices();
    let (low, high) =
        vertices.iter().fold((vertices[0], vertices[0]), |(low, high), v| (low.inf(v), high.sup(v)));
    let most = (MOST_WORK / part.chain.len().max(1)).clamp(LEAST_PLANES, MOST_PLANES);
    let mut edges: Vec<&ConcaveEdge> = part.edges.iter().collect();
    edges.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    let mut planes: Vec<Plane> = edges.iter().flat_map(|edge| edge.planes()).take(most - ACROSS).collect();
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        for share in [0.5, 0.25, 0.75] {
            planes.push(Plane::through(&(low + share * (high - low)), axis));
        }
    }
    planes
}

//! A solid as convex parts.

mod clip;
mod concave;
mod reach;
#[cfg(test)]
mod tests;
mod wedge;

use carom_math::Vec3;

use crate::clearance::ClearanceTree;
use crate::convex::{ConvexHull, NotConvex};
use crate::{MassProperties, TriangleMesh};
use clip::{Chain, Plane};
use concave::{ConcaveEdge, concave_edges};
pub use reach::Reach;
use reach::ReachSearch;

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
struct Part<'a> {
    chain: Chain,
    /// What of the solid's surface it has.
    points: Vec<Vec3>,
    edges: Vec<ConcaveEdge>,
    hull: ConvexHull,
    /// Volume of its hull less its own (m³).
    excess: f64,
    reach: ReachSearch<'a>,
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
        let points = chain.points();
        let hull = ConvexHull::of_points(&points)?;
        let excess = ConvexHull::volume_of_points(hull.vertices())? - chain.volume();
        let reach = if excess > least { ReachSearch::new(&hull, &tree) } else { ReachSearch::none(&tree) };
        Ok(Part { chain, points, edges, hull, excess, reach })
    };
    let chain = Chain::of_mesh(mesh);
    let mut parts = vec![measured(chain, concave_edges(mesh)).map_err(NotConvex::Hull)?];
    while parts.len() < most {
        let worst = farthest(&mut parts, allowed);
        if parts[worst].reach.reach().at_most <= allowed {
            break;
        }
        let Part { chain, edges, .. } = &parts[worst];
        let half = |plane: &Plane| {
            let own = edges.iter().filter_map(|edge| edge.clipped(plane)).collect();
            measured(chain.clip(plane), own)
        };
        // Of some planes a side has volume by rounding alone, and no hull.
        let halves = |plane: &Plane| Some([half(plane).ok()?, half(&plane.turned()).ok()?]);
        let Some(halves) = ranked_planes(&parts[worst]).iter().find_map(halves) else { break };
        parts.swap_remove(worst);
        parts.extend(halves);
    }
    let worst = farthest(&mut parts, f64::INFINITY);
    let reach = parts[worst].reach.reach();
    let excess_volume = parts.iter().map(|part| part.excess.max(0.0)).sum();
    Ok(ConvexParts { hulls: parts.into_iter().map(|part| part.hull).collect(), excess_volume, reach })
}

/// The part whose hull reaches farthest; of equal ones the first. Its bounds are as narrow as they get, unless wide ones tell that it
/// reaches farther than all others and than `allowed`.
fn farthest(parts: &mut [Part<'_>], allowed: f64) -> usize {
    let at_most = |part: &Part<'_>| part.reach.reach().at_most;
    let order =
        |a: &Part<'_>, b: &Part<'_>| at_most(a).total_cmp(&at_most(b)).then(a.excess.total_cmp(&b.excess));
    loop {
        let last = parts.iter().enumerate().rev().max_by(|a, b| order(a.1, b.1));
        let (worst, part) = last.expect("there is a part");
        let at_least = part.reach.reach().at_least;
        let is_beyond = |(k, other): (usize, &Part<'_>)| k == worst || at_most(other) < at_least;
        if part.reach.is_narrow() || at_least > allowed && parts.iter().enumerate().all(is_beyond) {
            return worst;
        }
        parts[worst].reach.narrow();
    }
}

/// Planes that leave something on both sides, those first that leave the least volume in the hulls of both.
fn ranked_planes(part: &Part<'_>) -> Vec<Plane> {
    let measured = planes(part).into_iter().filter_map(|plane| {
        let [one, other] = part.chain.points_beside(&plane, &part.points);
        let volume = ConvexHull::volume_of_points(&one).ok()? + ConvexHull::volume_of_points(&other).ok()?;
        Some((volume, plane))
    });
    let mut measured: Vec<(f64, Plane)> = measured.collect();
    measured.sort_by(|a, b| a.0.total_cmp(&b.0));
    measured.into_iter().map(|(_, plane)| plane).collect()
}

/// Planes to try: of both faces at a concave edge and between them, of the longest edges first; and across the axes.
fn planes(part: &Part<'_>) -> Vec<Plane> {
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

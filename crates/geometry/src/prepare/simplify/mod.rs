//! Fewer triangles for nearly the same surface.

mod flips;
mod quadric;
mod surface;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use carom_math::Vec3;

use super::crossings::{Crossings, find_crossings};
use super::deviation::{Deviation, deviation};
use crate::TriangleMesh;
use crate::clearance::ClearanceTree;
use crate::mesh::weld;
use crate::near::SurfaceFault;
use surface::Surface;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// With so many triangles, or fewer.
    Triangles(usize),
    /// With as few as stay within this distance of the given surface, both ways (m).
    Within(f64),
}

/// A simplified mesh and how far it is from the one that was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Simplified {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Measured on the result, not summed up on the way.
    pub deviation: Deviation,
    /// Where it meets itself although the given one does not, which no target within a distance lets it.
    pub crossings: Option<Crossings>,
}

/// How often a result that is too far away is made again with less.
const MOST_ROUNDS: usize = 12;
/// Mean distance from the planes that is tried first, as a share of the distance asked for: the mean is over planes of a whole
/// neighbourhood, which a vertex is farther from than from the surface.
const FIRST_SHARE: f64 = 4.0;
/// What it is multiplied with if the result is too far away.
const LESS: f64 = 0.6;
/// First limit on the way to a number of triangles, as a share of the extent: above rounding, below all that is seen.
const LEAST_SHARE: f64 = 1e-6;
/// What the next is greater by.
const MORE: f64 = 2.0;
/// Share of the squared length of an edge that is added to its cost: of several that cost nothing the shortest goes first.
const SHORT_FIRST: f64 = 1e-8;

/// Collapses edges, the cheapest first, by the squared distances from the planes of the triangles that were there (Garland and
/// Heckbert, "Surface simplification using quadric error metrics", Proc. SIGGRAPH 97, 209–216). Planes across borders keep those.
///
/// No collapse changes the topology (the link condition: Dey, Edelsbrunner, Guha and Nekhayev, Publ. Inst. Math. Beograd 66 (1999)
/// 23–45), turns a triangle over or makes it flat; vertices at edges with more than two triangles, or at which the surface hangs
/// together in a point, stay. So a closed manifold stays one, with the same parts and handles. Where vertices of a flat face keep each
/// other from going, edges inside it are turned. Vertices at equal positions become one first.
///
/// Parts that are nearer to each other than they move may come to cross: with a number of triangles that is told
/// ([`Simplified::crossings`]), within a distance there are more triangles then. Both as far as the given mesh does not cross itself.
///
/// The result may have more triangles than asked for where no collapse is left.
///
/// # Errors
/// [`SurfaceFault`] for a mesh that is not usable.
pub fn simplify(mesh: &TriangleMesh, target: Target) -> Result<Simplified, SurfaceFault> {
    let welded = weld(mesh, 0.0).map_err(SurfaceFault::Mesh)?.mesh;
    welded.validate().map_err(SurfaceFault::Mesh)?;
    let was_sound = crossings_of(&welded).is_some_and(|crossings| crossings.count == 0);
    let measured = |simple: TriangleMesh| {
        let crossings = crossings_of(&simple).filter(|crossings| was_sound && crossings.count > 0);
        deviation(mesh, &simple).map(|deviation| Simplified { mesh: simple, deviation, crossings })
    };
    let most = match target {
        Target::Triangles(count) => return measured(collapse_to(&welded, count)),
        Target::Within(most) => most,
    };
    let mut limit = FIRST_SHARE * most;
    for _ in 0..MOST_ROUNDS {
        let simple = measured(collapse_within(&welded, limit))?;
        if simple.deviation.at_most <= most && simple.crossings.is_none() {
            return Ok(simple);
        }
        limit *= LESS;
    }
    measured(welded)
}

/// Down to so many triangles, with limits that grow: what costs little goes first, also what had to wait until its surroundings had gone.
fn collapse_to(mesh: &TriangleMesh, triangles: usize) -> TriangleMesh {
    let mut surface = Surface::new(mesh);
    let size = mesh.extent().norm();
    let mut limit = LEAST_SHARE * size;
    while surface.triangles() > triangles && limit < size {
        collapse_all(&mut surface, triangles, limit);
        limit *= MORE;
    }
    surface.into_mesh()
}

/// As far as it goes by collapses whose mean distance from the planes is within a limit (m).
fn collapse_within(mesh: &TriangleMesh, limit: f64) -> TriangleMesh {
    let mut surface = Surface::new(mesh);
    collapse_all(&mut surface, 0, limit);
    surface.into_mesh()
}

fn crossings_of(mesh: &TriangleMesh) -> Option<Crossings> {
    find_crossings(mesh, &ClearanceTree::new(mesh).ok()?)
}

/// Rounds over all edges: what could not go may be free to go once what is around it has gone, or has other edges.
fn collapse_all(surface: &mut Surface, triangles: usize, limit: f64) {
    loop {
        let before = surface.triangles();
        collapse_cheapest(surface, triangles, limit);
        if surface.triangles() == before {
            turn_and_collapse(surface, triangles, limit);
        }
        if surface.triangles() == before || surface.triangles() <= triangles {
            return;
        }
    }
}

fn collapse_cheapest(surface: &mut Surface, triangles: usize, limit: f64) {
    let mut waiting: BinaryHeap<Collapse> = BinaryHeap::new();
    for v in 0..surface.vertices() {
        let ahead = surface.ring(v).into_iter().filter(|w| *w > v);
        waiting.extend(ahead.filter_map(|w| Collapse::new(surface, [v, w], 0, limit)));
    }
    while surface.triangles() > triangles
        && let Some(next) = waiting.pop()
    {
        if !surface.is_current(next.ends, next.stamps) || !surface.keeps_topology(next.ends) {
            continue;
        }
        if !surface.keeps_upright(next.ends, &next.place) {
            waiting.extend(Collapse::new(surface, next.ends, next.choice + 1, limit));
            continue;
        }
        let [kept, _] = next.ends;
        surface.collapse(next.ends, &next.place);
        let edges = surface.ring(kept).into_iter().map(|w| [kept.min(w), kept.max(w)]);
        waiting.extend(edges.filter_map(|ends| Collapse::new(surface, ends, 0, limit)));
    }
}

/// Takes vertices away that could go into a neighbour within the limit but for what is around them, after edges in flat faces have
/// turned away from them.
fn turn_and_collapse(surface: &mut Surface, triangles: usize, limit: f64) {
    for v in 0..surface.vertices() {
        if surface.triangles() <= triangles {
            return;
        }
        let is_within = |surface: &Surface, w: u32| {
            let quadric = surface.quadric([v, w]);
            quadric.error(&surface.vertex(w)) <= limit * limit * quadric.weight
        };
        if !surface.ring(v).into_iter().any(|w| is_within(surface, w)) || !surface.turn_edges_away(v) {
            continue;
        }
        let fits = |surface: &Surface, w: u32| {
            surface.is_free([w, v])
                && is_within(surface, w)
                && surface.keeps_topology([w, v])
                && surface.keeps_upright([w, v], &surface.vertex(w))
        };
        if let Some(w) = surface.ring(v).into_iter().find(|w| fits(surface, *w)) {
            surface.collapse([w, v], &surface.vertex(w));
        }
    }
}

/// An edge that may become a vertex.
#[derive(Clone, Copy, Debug)]
struct Collapse {
    cost: f64,
    ends: [u32; 2],
    stamps: [u32; 2],
    /// Where that vertex is: in the best place, or if that does not fit in the next best of it and the two ends.
    choice: usize,
    place: Vec3,
}

impl Collapse {
    fn new(surface: &Surface, ends: [u32; 2], choice: usize, limit: f64) -> Option<Self> {
        if !surface.is_free(ends) {
            return None;
        }
        let quadric = surface.quadric(ends);
        let [a, b] = ends.map(|v| surface.vertex(v));
        let mut places = [quadric.best(&(0.5 * (a + b))), a, b];
        // Rounding may make an end better than the best place.
        places.sort_by(|x, y| quadric.error(x).total_cmp(&quadric.error(y)));
        let place = *places.get(choice)?;
        let error = quadric.error(&place);
        let length = (b - a).norm();
        // Far from both ends only a plane that is badly known would put it.
        let is_near = (place - 0.5 * (a + b)).norm() <= 2.0 * length;
        let cost = error + SHORT_FIRST * quadric.weight * length * length;
        let is_within = error <= limit * limit * quadric.weight;
        if !(is_near && is_within && cost.is_finite()) {
            return Self::new(surface, ends, choice + 1, limit);
        }
        Some(Self { cost, ends, stamps: surface.stamps(ends), choice, place })
    }
}

/// The cheapest is the greatest, and of equal ones that with the lowest numbers.
impl Ord for Collapse {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .cost
            .total_cmp(&self.cost)
            .then(other.ends.cmp(&self.ends))
            .then(other.stamps.cmp(&self.stamps))
            .then(other.choice.cmp(&self.choice))
    }
}

impl PartialOrd for Collapse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Collapse {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Collapse {}

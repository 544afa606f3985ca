//! Closed chains of triangles, and what planes leave of them.

use carom_math::Vec3;

use crate::TriangleMesh;

/// Distance from a plane, relative to the size of the chain, up to which a point is on it.
const ON_PLANE: f64 = 1e-10;

/// The half-space n·x ≤ c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: Vec3,
    pub(super) offset: f64,
}

impl Plane {
    pub(super) fn through(point: &Vec3, normal: Vec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// The other side.
    pub(super) fn turned(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    pub(super) fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [Vec3; 3],
    /// Closes a cut. Caps are fans about a point, of which parts may lie outside of the solid and take each other away: only their
    /// sum is the cap.
    is_cap: bool,
}

impl Facet {
    /// What lies in a plane belongs to the side that it bounds: is that the one below?
    fn bounds(&self, plane: &Plane) -> bool {
        let [a, b, c] = self.corners;
        (b - a).cross(&(c - a)).dot(&plane.normal) > 0.0
    }
}

/// Triangles whose sum is the boundary of a part of a solid.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    facets: Vec<Facet>,
    /// Distance up to which a point is on a plane (m).
    on_plane: f64,
}

impl Chain {
    pub(super) fn of_mesh(mesh: &TriangleMesh) -> Self {
        let facets = mesh.corners().map(|corners| Facet { corners, is_cap: false }).collect();
        Self { facets, on_plane: ON_PLANE * mesh.extent().norm() }
    }

    pub(super) fn len(&self) -> usize {
        self.facets.len()
    }

    /// Volume that it encloses (m³), by the divergence theorem about a corner of its own.
    pub(super) fn volume(&self) -> f64 {
        let Some(first) = self.facets.first() else { return 0.0 };
        let o = first.corners[0];
        let six = self.facets.iter().map(|f| {
            let [a, b, c] = f.corners.map(|p| p - o);
            a.dot(&b.cross(&c))
        });
        six.sum::<f64>() / 6.0
    }

    /// Points that it has of the solid's surface, in the order of their coordinates: their hull is the part's.
    pub(super) fn points(&self) -> Vec<Vec3> {
        let own = self.facets.iter().filter(|facet| !facet.is_cap);
        let mut points: Vec<Vec3> = own.flat_map(|facet| facet.corners).collect();
        let order =
            |a: &Vec3, b: &Vec3| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z));
        points.sort_unstable_by(order);
        points.dedup();
        points
    }

    /// What a plane leaves of its `points` on both sides, with those of the cut; some of these come twice. These are the points of both
    /// chains that [`Chain::clip`] gives, without their facets.
    pub(super) fn points_beside(&self, plane: &Plane, points: &[Vec3]) -> [Vec<Vec3>; 2] {
        let mut sides = [Vec::with_capacity(points.len()), Vec::with_capacity(points.len())];
        for point in points {
            let height = self.height(plane, point);
            if height != 0.0 {
                sides[usize::from(height > 0.0)].push(*point);
            }
        }
        for facet in self.facets.iter().filter(|facet| !facet.is_cap) {
            let heights = facet.corners.map(|p| self.height(plane, &p));
            let (low, high) = (heights.iter().any(|h| *h < 0.0), heights.iter().any(|h| *h > 0.0));
            if heights.iter().all(|h| *h != 0.0) && low != high {
                continue;
            }
            // One in the plane is on the side that it bounds, with all of its corners.
            let is_in = match (low, high) {
                (false, false) => [facet.bounds(plane), !facet.bounds(plane)],
                sides => sides.into(),
            };
            for k in 0..3 {
                let (p, q) = (facet.corners[k], facet.corners[(k + 1) % 3]);
                let (from, to) = (heights[k], heights[(k + 1) % 3]);
                let on = (from == 0.0).then_some(p);
                let cut = (from * to < 0.0).then(|| cut_of([p, q], [from, to], plane));
                for (side, _) in sides.iter_mut().zip(is_in).filter(|(_, is_in)| *is_in) {
                    side.extend(on.iter().chain(&cut));
                }
            }
        }
        sides
    }

    /// Height of a point over a plane (m), 0 to rounding.
    fn height(&self, plane: &Plane, point: &Vec3) -> f64 {
        let height = plane.height(point);
        if height.abs() <= self.on_plane { 0.0 } else { height }
    }

    /// What of it is in a half-space, closed by a cap.
    pub(super) fn clip(&self, plane: &Plane) -> Self {
        let mut facets = Vec::with_capacity(self.facets.len());
        let mut cuts = Vec::new();
        for facet in &self.facets {
            let heights = facet.corners.map(|p| self.height(plane, &p));
            let is_kept = heights.iter().any(|h| *h < 0.0) || heights == [0.0; 3] && facet.bounds(plane);
            if is_kept {
                add_clipped(facet, heights, plane, &mut facets, &mut cuts);
            }
        }
        if let Some(&[o, _]) = cuts.first() {
            let cap = |&[p, q]: &[Vec3; 2]| Facet { corners: [o, q, p], is_cap: true };
            facets.extend(cuts[1..].iter().map(cap));
        }
        Self { facets, on_plane: self.on_plane }
    }
}

/// Where an edge goes through a plane: the same point from both sides of the edge, which share it.
fn cut_of([p, q]: [Vec3; 2], [from, to]: [f64; 2], plane: &Plane) -> Vec3 {
    let (low, high, below, above) = if from < to { (p, q, from, to) } else { (q, p, to, from) };
    let cut = low + (high - low) * (below / (below - above));
    cut - plane.normal * plane.height(&cut)
}

/// Adds what of a triangle is below a plane, and its edges in the plane.
fn add_clipped(
    facet: &Facet,
    heights: [f64; 3],
    plane: &Plane,
    facets: &mut Vec<Facet>,
    cuts: &mut Vec<[Vec3; 2]>,
) {
    // At most one corner more, and whether it is in the plane.
    let mut polygon: Vec<(Vec3, bool)> = Vec::with_capacity(4);
    for k in 0..3 {
        let (p, q) = (facet.corners[k], facet.corners[(k + 1) % 3]);
        let (from, to) = (heights[k], heights[(k + 1) % 3]);
        if from <= 0.0 {
            polygon.push((p, from == 0.0));
        }
        if from * to < 0.0 {
            polygon.push((cut_of([p, q], [from, to], plane), true));
        }
    }
    for k in 0..polygon.len() {
        let ((p, p_on), (q, q_on)) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        if p_on && q_on {
            cuts.push([p, q]);
        }
    }
    for k in 1..polygon.len().saturating_sub(1) {
        facets.push(Facet { corners: [polygon[0].0, polygon[k].0, polygon[k + 1].0], ..*facet });
    }
}

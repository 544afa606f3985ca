use carom_math::Vec3;

use super::quadric::Quadric;
use crate::TriangleMesh;
use crate::prepare::fans::is_pinched;
use crate::prepare::neighbours::Neighbours;

/// Weight of the planes across borders, for an edge of one metre as for an area of a square metre.
const BORDER_WEIGHT: f64 = 10.0;
/// Cosine of the angle by which a collapse may turn a triangle.
const MOST_TURN: f64 = 0.2;
/// Height over the longest edge, relative to it, below which a triangle is not made flatter.
const THIN: f64 = 1e-3;

/// A mesh under collapses of its edges.
pub(super) struct Surface {
    vertices: Vec<Vec3>,
    quadrics: Vec<Quadric>,
    /// Corners; none where a triangle is gone.
    triangles: Vec<Option<[u32; 3]>>,
    count: usize,
    /// Triangles at each vertex.
    around: Vec<Vec<u32>>,
    is_locked: Vec<bool>,
    /// How often a vertex has changed.
    stamp: Vec<u32>,
    /// Middle of the bounding box, about which all numbers are.
    origin: Vec3,
}

impl Surface {
    /// Of a valid mesh without equal positions.
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let (low, high) = mesh.bounds();
        let origin = 0.5 * (low + high);
        let vertices: Vec<Vec3> = mesh.vertices.iter().map(|v| v - origin).collect();
        let neighbours = Neighbours::of(mesh);
        let mut surface = Self {
            quadrics: vec![Quadric::zero(); vertices.len()],
            triangles: mesh.triangles.iter().copied().map(Some).collect(),
            count: mesh.triangles.len(),
            around: vec![Vec::new(); vertices.len()],
            is_locked: is_pinched(mesh, &neighbours),
            stamp: vec![0; vertices.len()],
            vertices,
            origin,
        };
        for (t, corners) in (0..).zip(&mesh.triangles) {
            corners.iter().for_each(|&v| surface.around[v as usize].push(t));
            let places = corners.map(|v| surface.vertices[v as usize]);
            let doubled = doubled_area(&places);
            let area = doubled.norm();
            if area > 0.0 {
                surface.add_plane(corners, &(doubled / area), &places[0], 0.5 * area);
            }
        }
        for sides in neighbours.edges() {
            let ends = [sides[0].low, sides[0].high];
            match sides {
                [side] => {
                    let [a, b] = ends.map(|v| surface.vertices[v as usize]);
                    let corners =
                        mesh.triangles[side.triangle as usize].map(|v| surface.vertices[v as usize]);
                    let across = (b - a).cross(&doubled_area(&corners));
                    let size = across.norm();
                    if size > 0.0 {
                        let weight = BORDER_WEIGHT * (b - a).norm_squared();
                        surface.add_plane(&ends, &(across / size), &a, weight);
                    }
                }
                [one, two] if one.forward != two.forward => {}
                _ => ends.iter().for_each(|&v| surface.is_locked[v as usize] = true),
            }
        }
        surface
    }

    fn add_plane(&mut self, vertices: &[u32], normal: &Vec3, through: &Vec3, weight: f64) {
        let plane = Quadric::of_plane(normal, normal.dot(through), weight);
        vertices.iter().for_each(|&v| self.quadrics[v as usize].add(&plane));
    }

    pub(super) fn triangles(&self) -> usize {
        self.count
    }

    /// Numbers of vertices, of which some are gone.
    pub(super) fn vertices(&self) -> u32 {
        self.vertices.len() as u32
    }

    pub(super) fn vertex(&self, v: u32) -> Vec3 {
        self.vertices[v as usize]
    }

    pub(super) fn quadric(&self, [a, b]: [u32; 2]) -> Quadric {
        let mut sum = self.quadrics[a as usize];
        sum.add(&self.quadrics[b as usize]);
        sum
    }

    pub(super) fn is_free(&self, ends: [u32; 2]) -> bool {
        ends.iter().all(|&v| !self.is_locked[v as usize])
    }

    pub(super) fn stamps(&self, ends: [u32; 2]) -> [u32; 2] {
        ends.map(|v| self.stamp[v as usize])
    }

    /// Whether nothing has changed at the ends of an edge since.
    pub(super) fn is_current(&self, ends: [u32; 2], stamps: [u32; 2]) -> bool {
        self.stamps(ends) == stamps
    }

    fn at(&self, v: u32) -> impl Iterator<Item = [u32; 3]> {
        self.around[v as usize].iter().filter_map(|&t| self.triangles[t as usize])
    }

    /// Vertices that share a triangle with one, ascending.
    pub(super) fn ring(&self, v: u32) -> Vec<u32> {
        let mut ring: Vec<u32> = self.at(v).flatten().filter(|w| *w != v).collect();
        ring.sort_unstable();
        ring.dedup();
        ring
    }

    /// Whether an edge can become a vertex without a change of topology.
    pub(super) fn keeps_topology(&self, [a, b]: [u32; 2]) -> bool {
        let rings = [self.ring(a), self.ring(b)];
        let common: Vec<u32> =
            rings[0].iter().copied().filter(|v| rings[1].binary_search(v).is_ok()).collect();
        let at_edge = self.at(a).filter(|corners| corners.contains(&b)).count();
        if at_edge == 0 || common.len() != at_edge {
            return false;
        }
        let is_border = |v: u32, ring: &Vec<u32>| self.at(v).count() != ring.len();
        if at_edge == 2 && is_border(a, &rings[0]) && is_border(b, &rings[1]) {
            return false;
        }
        // The ends of a tetrahedron's edge see the same edge across.
        let sees_across = |corners: [u32; 3]| corners.iter().filter(|v| common.contains(v)).count() == 2;
        !self.at(a).filter(|corners| !corners.contains(&b)).any(sees_across)
    }

    /// Whether an edge can become a vertex there without a triangle turned over or one made flat.
    pub(super) fn keeps_upright(&self, [a, b]: [u32; 2], place: &Vec3) -> bool {
        let stays = |v: u32, other: u32| {
            let mut own = self.at(v).filter(|corners| !corners.contains(&other));
            own.all(|corners| self.stays_upright(&corners, v, place))
        };
        stays(a, b) && stays(b, a)
    }

    fn stays_upright(&self, corners: &[u32; 3], moved: u32, place: &Vec3) -> bool {
        let before = corners.map(|v| self.vertices[v as usize]);
        let after = corners.map(|v| if v == moved { *place } else { self.vertices[v as usize] });
        let (old, new) = (doubled_area(&before), doubled_area(&after));
        let (was, is) = (thinness(&old, &before), thinness(&new, &after));
        // Also false where it is no number.
        old.dot(&new) >= MOST_TURN * old.norm() * new.norm() && is_thick(was, is)
    }

    /// The triangles at two vertices.
    pub(super) fn with_both(&self, v: u32, w: u32) -> Vec<(u32, [u32; 3])> {
        let of = |&t: &u32| self.triangles[t as usize].map(|corners| (t, corners));
        self.around[v as usize].iter().filter_map(of).filter(|(_, corners)| corners.contains(&w)).collect()
    }

    /// Gives triangles other corners.
    pub(super) fn set_triangles(&mut self, triangles: [u32; 2], corners: [[u32; 3]; 2]) {
        for t in triangles {
            for v in self.triangles[t as usize].take().into_iter().flatten() {
                self.around[v as usize].retain(|other| *other != t);
            }
        }
        for (t, corners) in triangles.into_iter().zip(corners) {
            self.triangles[t as usize] = Some(corners);
            for v in corners {
                let around = &mut self.around[v as usize];
                around.insert(around.partition_point(|other| *other < t), t);
            }
        }
        corners.iter().flatten().for_each(|&v| self.stamp[v as usize] += 1);
    }

    /// The first end goes there, and the second is gone.
    pub(super) fn collapse(&mut self, [kept, gone]: [u32; 2], place: &Vec3) {
        self.quadrics[kept as usize] = self.quadric([kept, gone]);
        self.vertices[kept as usize] = *place;
        for t in std::mem::take(&mut self.around[gone as usize]) {
            let Some(corners) = &mut self.triangles[t as usize] else { continue };
            if corners.contains(&kept) {
                self.triangles[t as usize] = None;
                self.count -= 1;
            } else {
                corners.iter_mut().filter(|v| **v == gone).for_each(|v| *v = kept);
                self.around[kept as usize].push(t);
            }
        }
        let triangles = &self.triangles;
        self.around[kept as usize].retain(|&t| triangles[t as usize].is_some());
        self.around[kept as usize].sort_unstable();
        self.stamp[kept as usize] += 1;
        self.stamp[gone as usize] += 1;
    }

    /// What is left, vertices and triangles in their order.
    pub(super) fn into_mesh(self) -> TriangleMesh {
        let mut number: Vec<Option<u32>> = vec![None; self.vertices.len()];
        let triangles: Vec<[u32; 3]> = self.triangles.into_iter().flatten().collect();
        triangles.iter().flatten().for_each(|&v| number[v as usize] = Some(0));
        let mut vertices = Vec::new();
        for (number, place) in number.iter_mut().zip(&self.vertices) {
            if let Some(number) = number {
                *number = vertices.len() as u32;
                vertices.push(place + self.origin);
            }
        }
        let triangles = triangles.iter().map(|t| t.map(|v| number[v as usize].unwrap_or(0))).collect();
        TriangleMesh { vertices, triangles }
    }
}

/// Is a triangle thick enough that was as thick as that?
pub(super) fn is_thick(was: f64, is: f64) -> bool {
    (is >= THIN || is >= was) && is > 0.0
}

/// Height of a triangle over its longest edge, relative to it.
pub(super) fn thinness(doubled_area: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    doubled_area.norm() / (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared())
}

pub(super) fn doubled_area([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a))
}

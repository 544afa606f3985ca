//! Polyhedra with a rounding radius: the sum of a polyhedron and a ball.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use carom_math::Vec3;

use super::{Resolution, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Faces whose normals differ by less lie in one plane (rad).
const ONE_PLANE: f64 = 1e-3;
/// A right angle is rounded by as many facets at least, others by more or fewer: edges between them are not sharp.
pub(super) const LEAST_ARCS: u32 = 4;
/// An edge is rounded by as many at most: facets much smaller than those of the faces cost more than they show.
const MOST_ARCS: u32 = 32;
/// Sharp surfaces that are tried until one has the number of facets that is asked for.
const TRIALS: usize = 5;

/// Surface of the sum of a convex polyhedron and a ball: faces moved out by the radius, cylinders along edges, spherical
/// polygons at corners. `sharp` makes the polyhedron's triangles at a resolution. The facets of the sharpest edge are as wide as
/// those of the faces, within limits, and all edges have as many. `Divisions` are those of the polyhedron.
pub(super) fn rounded(
    radius: f64,
    resolution: Resolution,
    sharp: impl Fn(Resolution) -> Result<TriangleMesh, ShapeFault>,
) -> Result<TriangleMesh, ShapeFault> {
    let Resolution::Facets(wanted) = resolution else {
        return Ok(Rounding::new(&sharp(resolution)?, radius).mesh());
    };
    let mut facets = wanted;
    let mut best: Option<TriangleMesh> = None;
    for _ in 0..TRIALS {
        let mesh = Rounding::new(&sharp(Resolution::Facets(facets))?, radius).mesh();
        let count = mesh.triangles.len();
        let is_nearer =
            |other: &TriangleMesh| count.abs_diff(wanted) < other.triangles.len().abs_diff(wanted);
        if best.as_ref().is_none_or(is_nearer) {
            best = Some(mesh);
        }
        let next = (facets as f64 * wanted as f64 / count as f64).round().max(1.0) as usize;
        if next == facets {
            break;
        }
        facets = next;
    }
    Ok(best.expect("one trial was made"))
}

/// A polyhedron of which every corner has become one vertex for each face that meets there.
struct Rounding<'a> {
    sharp: &'a TriangleMesh,
    radius: f64,
    /// Facets across an edge.
    arcs: u32,
    normals: Vec<Vec3>,
    /// Triangle on the left of each directed edge.
    left: BTreeMap<[u32; 2], u32>,
    /// By triangle and corner: its moved vertex.
    moved: Vec<[u32; 3]>,
    /// By moved vertex: where the polyhedron's is, and the normal that it was moved along.
    origins: Vec<(Vec3, Vec3)>,
    /// First of the vertices on the arc between two moved vertices of one corner, the smaller number first.
    known: BTreeMap<[u32; 2], u32>,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Rounding<'a> {
    fn new(sharp: &'a TriangleMesh, radius: f64) -> Self {
        let crosses: Vec<Vec3> = sharp.corners().map(|[a, b, c]| (b - a).cross(&(c - a))).collect();
        let mean_area = crosses.iter().map(|cross| 0.5 * cross.norm()).sum::<f64>() / crosses.len() as f64;
        let normals: Vec<Vec3> = crosses.iter().map(|cross| cross.normalize()).collect();
        let sides = sharp.triangles.iter().zip(0_u32..);
        let left: BTreeMap<[u32; 2], u32> =
            sides.flat_map(|(&[a, b, c], t)| [([a, b], t), ([b, c], t), ([c, a], t)]).collect();
        let angle_at =
            |([a, b], t): (&[u32; 2], &u32)| angle(&normals[*t as usize], &normals[left[&[*b, *a]] as usize]);
        let sharpest = left.iter().map(angle_at).fold(0.0, f64::max);
        let least = (f64::from(LEAST_ARCS) * sharpest / FRAC_PI_2).ceil() as u32;
        Self {
            sharp,
            radius,
            // Edges of triangles that are half squares.
            arcs: segments(sharpest * radius, (2.0 * mean_area).sqrt()).clamp(least.max(1), MOST_ARCS),
            normals,
            left,
            moved: vec![[u32::MAX; 3]; sharp.triangles.len()],
            origins: Vec::new(),
            known: BTreeMap::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
        }
    }

    fn mesh(mut self) -> TriangleMesh {
        let faces_of_corners: Vec<Vec<u32>> = self.first_triangles().map(|(v, t)| self.split(v, t)).collect();
        self.triangles.clone_from(&self.moved);
        self.round_edges();
        for faces in faces_of_corners {
            for pair in faces.get(1..).unwrap_or_default().windows(2) {
                self.round_corner([faces[0], pair[0], pair[1]]);
            }
        }
        TriangleMesh { vertices: self.vertices, triangles: self.triangles }
    }

    /// Every vertex with the first triangle that has it.
    fn first_triangles(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let mut first = vec![None; self.sharp.vertices.len()];
        for (t, triangle) in self.sharp.triangles.iter().enumerate().rev() {
            triangle.iter().for_each(|&v| first[v as usize] = Some(t as u32));
        }
        (0_u32..).zip(first).filter_map(|(v, t)| Some((v, t?)))
    }

    fn corner_of(&self, triangle: u32, vertex: u32) -> usize {
        let corners = &self.sharp.triangles[triangle as usize];
        corners.iter().position(|&v| v == vertex).expect("a triangle about the vertex")
    }

    /// Do two triangles make an edge?
    fn is_edge(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|t| &self.normals[t as usize]);
        angle(a, b) > ONE_PLANE
    }

    /// Gives a vertex one moved vertex for each face about it; these, counter-clockwise.
    fn split(&mut self, vertex: u32, start: u32) -> Vec<u32> {
        let mut ring = vec![start];
        loop {
            let last = ring[ring.len() - 1];
            let before = self.sharp.triangles[last as usize][(self.corner_of(last, vertex) + 2) % 3];
            match self.left[&[vertex, before]] {
                next if next == start => break,
                next => ring.push(next),
            }
        }
        let n = ring.len();
        // Faces begin behind an edge; a vertex within a face has none.
        let begins = (0..n).find(|&k| self.is_edge(ring[(k + n - 1) % n], ring[k])).unwrap_or(0);
        ring.rotate_left(begins);
        let mut faces = Vec::new();
        for (k, &triangle) in ring.iter().enumerate() {
            if k == 0 || self.is_edge(ring[k - 1], triangle) {
                let (at, normal) = (self.sharp.vertices[vertex as usize], self.normals[triangle as usize]);
                faces.push(self.vertices.len() as u32);
                self.origins.push((at, normal));
                self.vertices.push(at + normal * self.radius);
            }
            let corner = self.corner_of(triangle, vertex);
            self.moved[triangle as usize][corner] = faces[faces.len() - 1];
        }
        faces
    }

    /// Vertices from one moved vertex of a corner to another, both included, along a great circle.
    fn arc(&mut self, from: u32, to: u32) -> Vec<u32> {
        if from == to {
            return vec![from];
        }
        let [low, high] = [from.min(to), from.max(to)];
        let first = match self.known.get(&[low, high]) {
            Some(&first) => first,
            None => {
                let first = self.vertices.len() as u32;
                let (at, [a, b]) =
                    (self.origins[low as usize].0, [low, high].map(|v| self.origins[v as usize].1));
                for k in 1..self.arcs {
                    let direction = between(&a, &b, f64::from(k) / f64::from(self.arcs));
                    self.vertices.push(at + direction * self.radius);
                }
                self.known.insert([low, high], first);
                first
            }
        };
        let inner = first..first + self.arcs - 1;
        let arc = std::iter::once(low).chain(inner).chain([high]);
        if from == low { arc.collect() } else { arc.collect::<Vec<_>>().into_iter().rev().collect() }
    }

    fn round_edges(&mut self) {
        let edges: Vec<([u32; 2], u32)> = self.left.iter().map(|(&edge, &t)| (edge, t)).collect();
        for ([a, b], t) in edges {
            let other = self.left[&[b, a]];
            if a > b || !self.is_edge(t, other) {
                continue;
            }
            let ends = [a, b].map(|v| {
                let [from, to] = [t, other].map(|side| self.moved[side as usize][self.corner_of(side, v)]);
                self.arc(from, to)
            });
            // At one end the normals of both faces may be one, and the arc a point.
            let [at_a, at_b] = ends.each_ref().map(|arc| |k: usize| arc[k.min(arc.len() - 1)]);
            for k in 1..ends[0].len().max(ends[1].len()) {
                let [a, b, next_a, next_b] = [at_a(k - 1), at_b(k - 1), at_a(k), at_b(k)];
                if a != next_a {
                    self.triangles.push([b, a, next_a]);
                }
                if b != next_b {
                    self.triangles.push([b, next_a, next_b]);
                }
            }
        }
    }

    /// The part of a corner's sphere between three normals, in rows from the first one on.
    fn round_corner(&mut self, [top, right, left]: [u32; 3]) {
        let [down_right, down_left, last] =
            [(top, right), (top, left), (right, left)].map(|(a, b)| self.arc(a, b));
        let at = self.origins[top as usize].0;
        let mut above = vec![top];
        for row in 1..=self.arcs {
            let ends = [down_right[row as usize], down_left[row as usize]];
            let [a, b] = ends.map(|v| (self.vertices[v as usize] - at) / self.radius);
            let mut points = vec![ends[0]];
            for k in 1..row {
                points.push(self.vertices.len() as u32);
                let direction = between(&a, &b, f64::from(k) / f64::from(row));
                self.vertices.push(at + direction * self.radius);
            }
            points.push(ends[1]);
            if row == self.arcs {
                self.vertices.truncate(self.vertices.len() - (row as usize - 1));
                points.clone_from(&last);
            }
            for k in 1..points.len() {
                self.triangles.push([above[k - 1], points[k - 1], points[k]]);
                if k < above.len() {
                    self.triangles.push([above[k - 1], points[k], above[k]]);
                }
            }
            above = points;
        }
    }
}

/// The unit vector at a share of the great circle from one unit vector to another (Shoemake, "Animating rotation with
/// quaternion curves", SIGGRAPH 1985).
fn between(a: &Vec3, b: &Vec3, share: f64) -> Vec3 {
    let angle = angle(a, b);
    let sum = a * libm::sin((1.0 - share) * angle) + b * libm::sin(share * angle);
    sum.normalize()
}

/// Between two unit vectors (rad).
fn angle(a: &Vec3, b: &Vec3) -> f64 {
    libm::atan2(a.cross(b).norm(), a.dot(b))
}

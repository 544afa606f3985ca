use carom_math::Vec3;

use super::{Deepest, ROUNDING};
use crate::convex::difference::Pair;

/// Vertices of the inner polytope before the search gives up. Polytopes take about ten, curved cores at a
/// tolerance of 10⁻⁴ about thirty.
pub(super) const VERTICES: usize = 255;

/// Faces ever made: each new vertex makes about six.
const FACES: usize = 2048;

/// Double area relative to the square of the largest coordinate below which a triangle is a sliver without normal.
const SLIVER: f64 = 1e-26;

#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [u8; 3],
    /// Face across the edge from corner k to corner k + 1.
    pub(super) neighbours: [u16; 3],
    pub(super) normal: Vec3,
    pub(super) distance: f64,
    pub(super) alive: bool,
}

/// Buffers of the depth search, made once and used for any pair: nothing in them outlives a call.
#[derive(Clone, Debug)]
pub(in crate::convex) struct Buffers {
    pub(super) vertices: Vec<Pair>,
    pub(super) faces: Vec<Face>,
    /// Edges (from, to, face beyond) that border what a new vertex sees.
    horizon: Vec<(u8, u8, u16)>,
    /// Faces being walked: (face, edge of entry, edges done).
    stack: Vec<(u16, u8, u8)>,
}

impl Buffers {
    pub(in crate::convex) fn new() -> Self {
        Self {
            vertices: Vec::with_capacity(VERTICES + 1),
            faces: Vec::with_capacity(FACES),
            horizon: Vec::with_capacity(FACES),
            stack: Vec::with_capacity(FACES),
        }
    }
}

pub(super) struct Polytope<'a> {
    pub(super) buffers: &'a mut Buffers,
    /// Largest coordinate met (m).
    pub(super) scale: f64,
}

impl<'a> Polytope<'a> {
    /// The fourth corner lies below the first three, counter-clockwise from above.
    pub(super) fn new(largest: f64, corners: [Pair; 4], buffers: &'a mut Buffers) -> Self {
        buffers.vertices.clear();
        buffers.vertices.extend_from_slice(&corners);
        buffers.faces.clear();
        let scale = corners.iter().map(|p| p.w.amax()).fold(largest, f64::max);
        let mut polytope = Self { buffers, scale };
        for (corners, neighbours) in
            [([0, 1, 2], [3, 1, 2]), ([2, 1, 3], [0, 3, 2]), ([0, 2, 3], [0, 1, 3]), ([1, 0, 3], [0, 2, 1])]
        {
            polytope.push_face(corners, neighbours);
        }
        polytope
    }

    fn push_face(&mut self, corners: [u8; 3], neighbours: [u16; 3]) {
        let [a, b, c] = corners.map(|k| self.buffers.vertices[k as usize].w);
        let area = (b - a).cross(&(c - a));
        let size = area.norm();
        // A sliver has no normal; its neighbours hold the same surface.
        let is_sliver = size <= SLIVER * self.scale * self.scale;
        let normal = if is_sliver { Vec3::zeros() } else { area / size };
        let distance =
            if is_sliver { f64::INFINITY } else { normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c)) };
        self.buffers.faces.push(Face { corners, neighbours, normal, distance, alive: true });
    }

    /// The first of the nearest faces.
    pub(super) fn find_nearest(&self) -> usize {
        let mut best = (0, f64::INFINITY);
        for (index, face) in self.buffers.faces.iter().enumerate() {
            if face.alive && face.distance < best.1 {
                best = (index, face.distance);
            }
        }
        best.0
    }

    /// Joins the vertex to the horizon that it sees; false if there is no room or rounding broke the surface.
    pub(super) fn add(&mut self, seen: usize, new: Pair) -> bool {
        let Buffers { vertices, faces, horizon, stack } = &mut *self.buffers;
        let apex = vertices.len() as u8;
        vertices.push(new);
        horizon.clear();
        stack.clear();
        stack.push((seen as u16, 0, 0));
        faces[seen].alive = false;
        while let Some(&mut (face, entry, ref mut done)) = stack.last_mut() {
            if *done == 3 {
                stack.pop();
                continue;
            }
            let edge = usize::from((entry + *done) % 3);
            *done += 1;
            let Face { corners, neighbours, .. } = faces[face as usize];
            let beyond = neighbours[edge];
            let other = &mut faces[beyond as usize];
            if !other.alive {
                continue;
            }
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            if other.normal.dot(&new.w) > other.distance + ROUNDING * self.scale {
                let Some(back) = other.corners.iter().position(|&c| c == to) else { return false };
                other.alive = false;
                stack.push((beyond, back as u8, 0));
            } else {
                horizon.push((from, to, beyond));
            }
        }
        let (first, count) = (faces.len(), horizon.len());
        let is_loop = (0..count).all(|k| horizon[k].1 == horizon[(k + 1) % count].0);
        if !is_loop || first + count > FACES {
            return false;
        }
        for k in 0..count {
            let (from, to, beyond) = self.buffers.horizon[k];
            let neighbours =
                [beyond, (first + (k + 1) % count) as u16, (first + (k + count - 1) % count) as u16];
            self.push_face([from, to, apex], neighbours);
            let outer = &mut self.buffers.faces[beyond as usize];
            let Some(edge) = outer.corners.iter().position(|&c| c == to) else { return false };
            outer.neighbours[edge] = (first + k) as u16;
        }
        true
    }

    /// The plane of the nearest face; of the faces in that plane the one that holds the foot of the origin.
    pub(super) fn finish(&self, nearest: usize) -> Deepest {
        let Face { normal, distance, .. } = self.buffers.faces[nearest];
        let is_in_plane = |face: &Face| {
            face.corners.iter().all(|&k| {
                let height = normal.dot(&self.buffers.vertices[k as usize].w) - distance;
                height.abs() <= ROUNDING * self.scale
            })
        };
        let mut best = (f64::NEG_INFINITY, nearest);
        for (index, face) in self.buffers.faces.iter().enumerate() {
            if face.alive && face.distance <= distance + ROUNDING * self.scale && is_in_plane(face) {
                let weights = self.weights(face, &(distance * normal), &normal);
                let smallest = weights.into_iter().fold(f64::INFINITY, f64::min);
                if smallest > best.0 {
                    best = (smallest, index);
                }
            }
        }
        self.corners_of(best.1, nearest)
    }

    /// Corners of a face in the plane of another, with that one's distance as depth. The fourth corner is the vertex
    /// farthest below.
    pub(super) fn corners_of(&self, index: usize, plane: usize) -> Deepest {
        let face = &self.buffers.faces[index];
        let Face { normal, distance, .. } = self.buffers.faces[plane];
        let mut lowest = (0, f64::INFINITY);
        for (k, vertex) in self.buffers.vertices.iter().enumerate() {
            let height = normal.dot(&vertex.w);
            if height < lowest.1 {
                lowest = (k, height);
            }
        }
        let [a, b, c] = face.corners.map(|k| self.buffers.vertices[k as usize]);
        let pairs = [a, b, c, self.buffers.vertices[lowest.0]];
        let weights = self.weights(face, &(distance * normal), &normal).map(|w| w.max(0.0));
        let sum: f64 = weights.iter().sum();
        let weights = if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] };
        Deepest { normal, depth: distance, pairs, weights, rival: f64::NEG_INFINITY }
    }

    /// Least distance of the faces in other directions.
    pub(super) fn find_rival(&self, normal: &Vec3, apart: f64) -> f64 {
        let others = self.buffers.faces.iter().filter(|face| face.alive && normal.dot(&face.normal) < apart);
        others.map(|face| face.distance).fold(f64::INFINITY, f64::min)
    }

    /// Barycentric coordinates of a point in a face, of which `normal` is the normal.
    fn weights(&self, face: &Face, point: &Vec3, normal: &Vec3) -> [f64; 3] {
        let [a, b, c] = face.corners.map(|k| self.buffers.vertices[k as usize].w);
        let area = |p: &Vec3, q: &Vec3| normal.dot(&(p - point).cross(&(q - point)));
        let parts = [area(&b, &c), area(&c, &a), area(&a, &b)];
        let whole = parts[0] + parts[1] + parts[2];
        if whole > 0.0 { parts.map(|part| part / whole) } else { [f64::NEG_INFINITY; 3] }
    }
}

use carom_math::Vec3;

use super::{Deepest, Known, ROUNDING};
use crate::convex::difference::Pair;
use crate::convex::triangle::{side_of_triangle, unit_normal};

/// Vertices of the inner polytope before the search gives up. Polytopes take about ten, curved cores at a
/// tolerance of 10⁻⁴ about thirty.
pub(super) const VERTICES: usize = 255;

/// Faces ever made: each new vertex makes about six.
const FACES: usize = 2048;

#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [u8; 3],
    /// Face across the edge from corner k to corner k + 1.
    pub(super) neighbours: [u16; 3],
    pub(super) normal: Vec3,
    pub(super) distance: f64,
    pub(super) alive: bool,
}

impl Face {
    fn is_far_from(&self, known: &[Known], apart: f64) -> bool {
        known.iter().all(|other| self.normal.dot(&other.normal) < apart)
    }
}

/// What came of the support along the normal of a face.
pub(super) enum Addition {
    /// It is a vertex now.
    Added,
    /// It is not outside: the face is spent.
    Inside,
    /// There is no room.
    Full,
}

/// Buffers of the depth search, made once and used for any pair: nothing in them outlives a call.
#[derive(Clone, Debug)]
pub(in crate::convex) struct Buffers {
    pub(super) vertices: Vec<Pair>,
    pub(super) faces: Vec<Face>,
    /// Distances of the faces that may be refined; infinite for the others: those not alive, spent ones, along whose
    /// normals the support is in the polytope already, and those near known directions.
    open: Vec<f64>,
    /// Edges that border what a new vertex sees: (from, to, face beyond, its edge).
    horizon: Vec<(u8, u8, u16, u8)>,
    /// Faces being walked: (face, edge of entry, edges done).
    stack: Vec<(u16, u8, u8)>,
}

impl Buffers {
    pub(in crate::convex) fn new() -> Self {
        Self {
            vertices: Vec::with_capacity(VERTICES + 1),
            faces: Vec::with_capacity(FACES),
            open: Vec::with_capacity(FACES),
            horizon: Vec::with_capacity(FACES),
            stack: Vec::with_capacity(FACES),
        }
    }
}

/// The least of numbers; lanes side by side are vector instructions.
fn least_of(numbers: &[f64]) -> f64 {
    let lesser = |x: f64, y: f64| if y < x { y } else { x };
    let (lanes, rest) = numbers.as_chunks::<8>();
    let least = lanes
        .iter()
        .fold([f64::INFINITY; 8], |least, lane| std::array::from_fn(|k| lesser(least[k], lane[k])));
    least.iter().chain(rest).fold(f64::INFINITY, |least, &x| lesser(least, x))
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
        buffers.open.clear();
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
        let normal = unit_normal([&a, &b, &c]);
        let distance = normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c));
        self.buffers.faces.push(Face { corners, neighbours, normal, distance, alive: true });
        self.buffers.open.push(distance);
    }

    fn kill(&mut self, face: usize) {
        self.buffers.faces[face].alive = false;
        self.buffers.open[face] = f64::INFINITY;
    }

    /// Closes the faces near known directions, of those from index `first` on.
    pub(super) fn close_known(&mut self, first: usize, known: &[Known], apart: f64) {
        let Buffers { faces, open, .. } = &mut *self.buffers;
        for (face, distance) in faces[first..].iter().zip(&mut open[first..]) {
            if !face.is_far_from(known, apart) {
                *distance = f64::INFINITY;
            }
        }
    }

    /// The first of the nearest open faces.
    pub(super) fn find_nearest(&self) -> Option<usize> {
        let least = least_of(&self.buffers.open);
        let is_nearest = |distance: &f64| *distance == least && least < f64::INFINITY;
        self.buffers.open.iter().position(is_nearest)
    }

    /// Side of a face on which a point lies, exactly: > 0 outside, 0 in its plane.
    fn side_of(&self, face: &Face, w: &Vec3) -> f64 {
        side_of_triangle(face.corners.map(|k| &self.buffers.vertices[k as usize].w), w)
    }

    /// The convex hull of the polytope and the support along the normal of the face `from`: the signs are exact, so
    /// that the surface stays closed and convex however thin its faces are. What lies in the plane of a face takes
    /// its place, so that no face has its corners on a line.
    pub(super) fn add(&mut self, from: usize, new: Pair) -> Addition {
        let faces = &self.buffers.faces;
        let sees = |face: &Face| face.alive && self.side_of(face, &new.w) > 0.0;
        let seen = if sees(&faces[from]) { Some(from) } else { faces.iter().position(sees) };
        let Some(seen) = seen else {
            self.buffers.open[from] = f64::INFINITY;
            return Addition::Inside;
        };
        if self.buffers.vertices.len() >= VERTICES {
            return Addition::Full;
        }
        let apex = self.buffers.vertices.len() as u8;
        self.buffers.vertices.push(new);
        self.remove_visible(seen, &new.w);
        let (first, count) = (self.buffers.faces.len(), self.buffers.horizon.len());
        if first + count > FACES {
            return Addition::Full;
        }
        for k in 0..count {
            let (from, to, beyond, edge) = self.buffers.horizon[k];
            let neighbours =
                [beyond, (first + (k + 1) % count) as u16, (first + (k + count - 1) % count) as u16];
            self.push_face([from, to, apex], neighbours);
            self.buffers.faces[beyond as usize].neighbours[edge as usize] = (first + k) as u16;
        }
        Addition::Added
    }

    /// Kills the faces that see the point, from one of them on, or have it in their plane. What borders them comes
    /// out as a loop, counter-clockwise.
    fn remove_visible(&mut self, seen: usize, w: &Vec3) {
        self.buffers.horizon.clear();
        self.buffers.stack.clear();
        self.buffers.stack.push((seen as u16, 0, 0));
        self.kill(seen);
        while let Some((face, entry, done)) = self.buffers.stack.pop() {
            if done == 3 {
                continue;
            }
            self.buffers.stack.push((face, entry, done + 1));
            let edge = usize::from((entry + done) % 3);
            let Face { corners, neighbours, .. } = self.buffers.faces[face as usize];
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            let beyond = neighbours[edge];
            let other = self.buffers.faces[beyond as usize];
            if !other.alive {
                continue;
            }
            // Neighbours share an edge, in opposite directions.
            let back = (0..3).fold(0, |back, k| if other.corners[k] == to { k } else { back }) as u8;
            if self.side_of(&other, w) >= 0.0 {
                self.kill(beyond as usize);
                self.buffers.stack.push((beyond, back, 0));
            } else {
                self.buffers.horizon.push((from, to, beyond, back));
            }
        }
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
        Deepest { normal, depth: distance, pairs, weights }
    }

    /// Least distance of the faces in other directions, but for known ones.
    pub(super) fn find_rival(&self, normal: &Vec3, known: &[Known], apart: f64) -> f64 {
        let is_rival =
            |face: &&Face| face.alive && normal.dot(&face.normal) < apart && face.is_far_from(known, apart);
        self.buffers.faces.iter().filter(is_rival).map(|face| face.distance).fold(f64::INFINITY, f64::min)
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

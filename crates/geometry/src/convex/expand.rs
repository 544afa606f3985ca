use carom_math::{Vec3, orthonormal_basis};

use super::difference::{Difference, Pair};

/// Vertices of the inner polytope before the search gives up. Polytopes take about ten, curved cores at a
/// tolerance of 10⁻⁴ about thirty.
const VERTICES: usize = 255;

/// Faces ever made: each new vertex makes about six.
const FACES: usize = 2048;

/// Thickness relative to the largest coordinate below which C counts as flat.
const FLAT: f64 = 1e-13;

/// What rounding leaves of a support distance, relative to the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Cosine of the angle (11°) within which directions are not among the rivals of a face of a polytope: what is
/// within it is proven otherwise.
pub(super) const APART: f64 = 0.98;

/// The same (6°) for curved cores, where it is taken for granted that one minimum of the depth has no second one so
/// near.
const APART_CURVED: f64 = 0.995;

/// Answer of the depth search.
pub(super) enum Depth {
    /// The nearest face.
    Face(Deepest),
    /// C has no volume: the unit normal of its plane, or of the separation of two lines, toward B; depth 0.
    Flat(Vec3),
    /// The polytope reached its limit, or rounding broke it: the best plane met, and by how much (m) its depth
    /// may be too large. Solids of revolution with a common axis have the same depth all around.
    Unsure(Deepest, f64),
}

/// The face of C nearest to the origin: a plane n·w = depth that supports C, and points that carry the
/// nearest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deepest {
    /// Unit normal from A to B, in A's frame.
    pub(super) normal: Vec3,
    /// Depth (m), ≥ 0 to rounding for overlapping cores.
    pub(super) depth: f64,
    /// Corners of the face and a vertex far below it: a start for the next search.
    pub(super) pairs: [Pair; 4],
    /// Weights of the corners.
    pub(super) weights: [f64; 3],
    /// No direction farther from the normal than [`APART`], or [`APART_CURVED`], has less depth than this (m).
    pub(super) rival: f64,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u8; 3],
    /// Face across the edge from corner k to corner k + 1.
    neighbours: [u16; 3],
    normal: Vec3,
    distance: f64,
    alive: bool,
}

/// Buffers of the depth search, made once and used for any pair: nothing in them outlives a call.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    vertices: Vec<Pair>,
    faces: Vec<Face>,
    /// Edges (from, to, face beyond) that border what a new vertex sees.
    horizon: Vec<(u8, u8, u16)>,
    /// Faces being walked: (face, edge of entry, edges done).
    stack: Vec<(u16, u8, u8)>,
}

impl Buffers {
    pub(super) fn new() -> Self {
        Self {
            vertices: Vec::with_capacity(VERTICES + 1),
            faces: Vec::with_capacity(FACES),
            horizon: Vec::with_capacity(FACES),
            stack: Vec::with_capacity(FACES),
        }
    }
}

struct Polytope<'a> {
    buffers: &'a mut Buffers,
    /// Largest coordinate met (m).
    scale: f64,
}

/// Minimum translation of two overlapping cores: expands a polytope within C at the face with the least signed
/// distance from the origin, until a support of C confirms that face to `tolerance` times the distance (0: to
/// rounding, which polytopes reach in finitely many steps).
///
/// The least distance over the faces is a lower bound of the depth and the support an upper bound, so that
/// the answer is global. Distances carry signs: the polytope need not hold the origin, and touching cores are
/// no special case. C without volume (two segments, say) gives its plane's normal and depth 0.
///
/// `start` are four points of C from an earlier answer, or fewer.
///
/// After van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001), with
/// signed distances in place of an initial polytope around the origin.
pub(super) fn find_depth(
    difference: &Difference<'_>,
    start: &[Pair],
    tolerance: f64,
    buffers: &mut Buffers,
) -> Depth {
    let corners = match usable_start(start) {
        Some(corners) => corners,
        None => match find_tetrahedron(difference) {
            Ok(corners) => corners,
            Err(normal) => return Depth::Flat(normal),
        },
    };
    let mut polytope = Polytope::new(difference.x_ab.translation.amax(), corners, buffers);
    let mut best: Option<Deepest> = None;
    loop {
        let nearest = polytope.find_nearest();
        let face = polytope.buffers.faces[nearest];
        let first = &polytope.buffers.vertices[face.corners[0] as usize];
        let new = difference.support(&face.normal, first);
        polytope.scale = polytope.scale.max(new.w.amax());
        let depth = face.normal.dot(&new.w);
        let allowed = ROUNDING * polytope.scale + tolerance * face.distance.abs();
        if depth - face.distance <= allowed {
            let apart = if difference.is_curved() { APART_CURVED } else { APART };
            let rival = polytope.find_rival(&face.normal, apart);
            return Depth::Face(Deepest { depth, rival, ..polytope.finish(nearest) });
        }
        if best.as_ref().is_none_or(|best| depth < best.depth) {
            best = Some(Deepest { depth, ..polytope.corners_of(nearest) });
        }
        if polytope.buffers.vertices.len() >= VERTICES || !polytope.add(nearest, new) {
            let best = best.unwrap_or_else(|| polytope.corners_of(nearest));
            return Depth::Unsure(best, best.depth - face.distance);
        }
    }
}

/// A tetrahedron from the last answer, if it has a volume at the present poses.
fn usable_start(start: &[Pair]) -> Option<[Pair; 4]> {
    let &[a, b, c, d] = start else { return None };
    let volume = (b.w - a.w).cross(&(c.w - a.w)).dot(&(d.w - a.w));
    let size = [b, c, d].iter().map(|p| (p.w - a.w).amax()).fold(0.0, f64::max);
    if volume.abs() <= 1e-6 * size * size * size {
        return None;
    }
    // The last corner lies below the first three.
    Some(if volume < 0.0 { [a, b, c, d] } else { [a, c, b, d] })
}

/// Four supports of C that span a volume; else the normal of flat C.
fn find_tetrahedron(difference: &Difference<'_>) -> Result<[Pair; 4], Vec3> {
    let between = difference.between();
    let first = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let a = difference.support(&first, &Pair::EMPTY);
    let b = difference.support(&-first, &a);
    let along = b.w - a.w;
    let size = difference.a.bounding_radius() + difference.b.bounding_radius();
    if along.norm() <= FLAT * size {
        return Err(first.normalize());
    }
    let (t1, t2) = orthonormal_basis(&along.normalize());
    // The support farthest off the line, over both signs of two directions across it.
    let off_line = |p: &Pair| along.cross(&(p.w - a.w)).norm() / along.norm();
    let mut c = difference.support(&t1, &a);
    for direction in [-t1, t2, -t2] {
        let other = difference.support(&direction, &a);
        if off_line(&other) > off_line(&c) {
            c = other;
        }
    }
    if off_line(&c) <= FLAT * size {
        return Err(t1);
    }
    let normal = along.cross(&(c.w - a.w)).normalize();
    let above = difference.support(&normal, &a);
    let below = difference.support(&-normal, &a);
    let height = |p: &Pair| normal.dot(&(p.w - a.w));
    let (up, down) = (height(&above), -height(&below));
    if up.max(down) <= FLAT * size {
        return Err(if normal.dot(&between) < 0.0 { -normal } else { normal });
    }
    Ok(if down >= up { [a, b, c, below] } else { [a, c, b, above] })
}

impl<'a> Polytope<'a> {
    /// The fourth corner lies below the first three, counter-clockwise from above.
    fn new(largest: f64, corners: [Pair; 4], buffers: &'a mut Buffers) -> Self {
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
        let is_sliver = size <= FLAT * FLAT * self.scale * self.scale;
        let normal = if is_sliver { Vec3::zeros() } else { area / size };
        let distance =
            if is_sliver { f64::INFINITY } else { normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c)) };
        self.buffers.faces.push(Face { corners, neighbours, normal, distance, alive: true });
    }

    /// The first of the nearest faces.
    fn find_nearest(&self) -> usize {
        let mut best = (0, f64::INFINITY);
        for (index, face) in self.buffers.faces.iter().enumerate() {
            if face.alive && face.distance < best.1 {
                best = (index, face.distance);
            }
        }
        best.0
    }

    /// Joins the vertex to the horizon that it sees; false if there is no room or rounding broke the surface.
    fn add(&mut self, seen: usize, new: Pair) -> bool {
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

    /// The nearest face; of coplanar ones the one that holds the foot of the origin. The fourth corner is the
    /// vertex farthest below it.
    fn finish(&self, nearest: usize) -> Deepest {
        let limit = self.buffers.faces[nearest].distance + ROUNDING * self.scale;
        let mut best = (f64::NEG_INFINITY, nearest);
        for (index, face) in self.buffers.faces.iter().enumerate() {
            if face.alive
                && face.distance <= limit
                && face.normal.dot(&self.buffers.faces[nearest].normal) > 0.999
            {
                let smallest = self.weights(face).into_iter().fold(f64::INFINITY, f64::min);
                if smallest > best.0 {
                    best = (smallest, index);
                }
            }
        }
        self.corners_of(best.1)
    }

    /// A face with its distance as depth.
    fn corners_of(&self, index: usize) -> Deepest {
        let face = &self.buffers.faces[index];
        let mut lowest = (0, f64::INFINITY);
        for (k, vertex) in self.buffers.vertices.iter().enumerate() {
            let height = face.normal.dot(&vertex.w);
            if height < lowest.1 {
                lowest = (k, height);
            }
        }
        let [a, b, c] = face.corners.map(|k| self.buffers.vertices[k as usize]);
        let pairs = [a, b, c, self.buffers.vertices[lowest.0]];
        let weights = self.weights(face).map(|w| w.max(0.0));
        let sum: f64 = weights.iter().sum();
        let weights = if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] };
        Deepest { normal: face.normal, depth: face.distance, pairs, weights, rival: f64::NEG_INFINITY }
    }

    /// Least distance of the faces in other directions.
    fn find_rival(&self, normal: &Vec3, apart: f64) -> f64 {
        let others = self.buffers.faces.iter().filter(|face| face.alive && normal.dot(&face.normal) < apart);
        others.map(|face| face.distance).fold(f64::INFINITY, f64::min)
    }

    /// Barycentric coordinates of the foot of the origin in the plane of a face.
    fn weights(&self, face: &Face) -> [f64; 3] {
        let [a, b, c] = face.corners.map(|k| self.buffers.vertices[k as usize].w);
        let foot = face.distance * face.normal;
        let area = |p: &Vec3, q: &Vec3| face.normal.dot(&(p - foot).cross(&(q - foot)));
        let parts = [area(&b, &c), area(&c, &a), area(&a, &b)];
        let whole = parts[0] + parts[1] + parts[2];
        if whole > 0.0 { parts.map(|part| part / whole) } else { [f64::NEG_INFINITY; 3] }
    }
}

use std::collections::BTreeMap;

use carom_math::Vec3;

use crate::convex::{ConvexShape, Core, Side};

/// Height of a vertex over a face that it is a corner of, over the solid's size.
const ON_FACE: f64 = 1e-9;

/// A convex solid by the vertices, edges and faces of its core, in its frame. A capsule's core is one edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    /// Radius by which the core is rounded (m).
    pub(super) rounding: f64,
    pub(super) vertices: Vec<Vec3>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    /// By vertex: unit vectors along the edges that leave it.
    pub(super) spokes: Vec<Vec<Vec3>>,
    /// Radius of the ball about the origin that holds the core (m).
    pub(super) radius: f64,
    /// Least distance of a face from the farthest vertex behind it (m).
    pub(super) width: f64,
}

/// The plane normal · x = offset, the solid behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    pub(super) normal: Vec3,
    pub(super) offset: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Vertices at its ends.
    pub(super) ends: [usize; 2],
    pub(super) middle: Vec3,
    /// Unit vector.
    pub(super) along: Vec3,
    pub(super) half_length: f64,
    /// Unit vectors across the edge into the faces on its two sides; zero of a capsule's, which has none.
    pub(super) inward: [Vec3; 2],
}

impl Face {
    pub(super) fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

impl Edge {
    /// The greatest coordinate of a point of it along a direction.
    pub(super) fn reach(&self, direction: &Vec3) -> f64 {
        direction.dot(&self.middle) + self.half_length * direction.dot(&self.along).abs()
    }
}

impl Polyhedron {
    /// Of boxes and hulls, sharp or rounded, and capsules; `None` for solids whose cores are round, and for balls, which touch at one point.
    pub fn of(shape: &ConvexShape) -> Option<Self> {
        let core = match &shape.core {
            Core::Box { half } => Self::block(half),
            Core::Hull(hull) => {
                let faces = hull.faces().iter().map(|face| (face.normal, face.corners.clone())).collect();
                Self::new(hull.vertices().to_vec(), faces)
            }
            Core::Segment { half_length } if shape.radius > 0.0 => Self::segment(*half_length),
            _ => return None,
        };
        Some(Self { rounding: shape.radius, ..core })
    }

    /// Has it faces, or is it the edge in a capsule?
    pub(in crate::convex) fn is_solid(&self) -> bool {
        !self.faces.is_empty()
    }

    /// Number of its faces.
    pub(in crate::convex) fn count_faces(&self) -> usize {
        self.faces.len()
    }

    /// Outward normal of a face, and the middle of its corners (m).
    pub(in crate::convex) fn plane(&self, face: usize) -> (Vec3, Vec3) {
        let face = &self.faces[face];
        let corners = || self.vertices.iter().filter(|vertex| self.is_on(face, vertex));
        (face.normal, corners().sum::<Vec3>() / corners().count() as f64)
    }

    /// Its vertices (m).
    pub(in crate::convex) fn corners(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Largest distance of a corner from the middle of a face, or of the edge in a capsule (m).
    pub(in crate::convex) fn largest_flat(&self) -> f64 {
        let reach = |face: usize| {
            let (_, middle) = self.plane(face);
            let corners = self.vertices.iter().filter(|vertex| self.is_on(&self.faces[face], vertex));
            corners.map(|corner| (corner - middle).norm()).fold(0.0, f64::max)
        };
        let of_faces = (0..self.faces.len()).map(reach).fold(0.0, f64::max);
        if self.is_solid() { of_faces } else { self.radius }
    }

    /// Is a vertex a corner of a face?
    fn is_on(&self, face: &Face, vertex: &Vec3) -> bool {
        face.height(vertex).abs() <= ON_FACE * self.radius
    }

    /// The sides of a face.
    pub(in crate::convex) fn sides(&self, face: usize) -> impl Iterator<Item = Side> + '_ {
        let face = &self.faces[face];
        let is_side = |edge: &&Edge| edge.ends.iter().all(|&end| self.is_on(face, &self.vertices[end]));
        self.edges.iter().filter(is_side).map(|edge| {
            let [first, second] = edge.inward;
            let is_first = first.dot(&face.normal).abs() <= second.dot(&face.normal).abs();
            let (inward, beyond) = if is_first { (first, second) } else { (second, first) };
            Side { across: -inward, offset: -inward.dot(&edge.middle), beyond, rounding: self.rounding }
        })
    }

    /// Its edges: the vertices at both ends, and unit vectors across it into the faces on its two sides.
    pub(in crate::convex) fn ridges(&self) -> impl Iterator<Item = ([usize; 2], [Vec3; 2])> + '_ {
        self.edges.iter().map(|edge| (edge.ends, edge.inward))
    }

    /// Edges that end in a vertex.
    pub(super) fn edges_at(&self, vertex: usize) -> impl Iterator<Item = usize> {
        (0..self.edges.len()).filter(move |&edge| self.edges[edge].ends.contains(&vertex))
    }

    fn segment(half_length: f64) -> Self {
        let along = Vec3::z();
        Self {
            rounding: 0.0,
            vertices: vec![-half_length * along, half_length * along],
            faces: Vec::new(),
            edges: vec![Edge {
                ends: [0, 1],
                middle: Vec3::zeros(),
                along,
                half_length,
                inward: [Vec3::zeros(); 2],
            }],
            spokes: vec![vec![along], vec![-along]],
            radius: half_length,
            width: 0.0,
        }
    }

    fn block(half: &Vec3) -> Self {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let vertices = (0..8).map(|k| Vec3::from_fn(|axis, _| sign(k, axis) * half[axis])).collect();
        let faces = (0..6).map(|face| {
            let (axis, up) = (face / 2, face % 2);
            let [u, v] = [1, 2].map(|k| 1 << ((axis + k) % 3));
            let first = up << axis;
            let corners = [first, first | u, first | u | v, first | v].map(|corner| corner as u32);
            (Vec3::ith(axis, sign(first, axis)), corners.to_vec())
        });
        Self::new(vertices, faces.collect())
    }

    /// From faces, each with its outward normal and its corners in turn.
    fn new(vertices: Vec<Vec3>, loops: Vec<(Vec3, Vec<u32>)>) -> Self {
        let at = |vertex: u32| vertices[vertex as usize];
        let faces: Vec<Face> = loops
            .iter()
            .map(|(normal, corners)| {
                let offset = corners.iter().map(|&c| normal.dot(&at(c))).fold(f64::NEG_INFINITY, f64::max);
                Face { normal: *normal, offset }
            })
            .collect();
        let mut sides: BTreeMap<(u32, u32), Vec<Vec3>> = BTreeMap::new();
        for (_, corners) in &loops {
            let centre = corners.iter().map(|&c| at(c)).sum::<Vec3>() / corners.len() as f64;
            for (k, &from) in corners.iter().enumerate() {
                let to = corners[(k + 1) % corners.len()];
                let along = (at(to) - at(from)).normalize();
                let arm = centre - at(from);
                let inward = (arm - along * along.dot(&arm)).normalize();
                sides.entry((from.min(to), from.max(to))).or_default().push(inward);
            }
        }
        let mut spokes = vec![Vec::new(); vertices.len()];
        let mut edges = Vec::with_capacity(sides.len());
        for (&(from, to), inward) in &sides {
            let &[first, second] = &inward[..] else { continue };
            let whole = at(to) - at(from);
            let along = whole.normalize();
            spokes[from as usize].push(along);
            spokes[to as usize].push(-along);
            edges.push(Edge {
                ends: [from, to].map(|vertex| vertex as usize),
                middle: 0.5 * (at(from) + at(to)),
                along,
                half_length: 0.5 * whole.norm(),
                inward: [first, second],
            });
        }
        let radius = vertices.iter().map(Vec3::norm).fold(0.0, f64::max);
        let depth = |face: &Face| vertices.iter().map(|v| -face.height(v)).fold(0.0, f64::max);
        let width = faces.iter().map(depth).fold(f64::INFINITY, f64::min);
        Self { rounding: 0.0, vertices, faces, edges, spokes, radius, width }
    }

    /// The greatest coordinate of a vertex along a direction.
    pub(super) fn reach(&self, direction: &Vec3) -> f64 {
        self.vertices.iter().map(|v| direction.dot(v)).fold(f64::NEG_INFINITY, f64::max)
    }
}

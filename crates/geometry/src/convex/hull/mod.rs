//! Convex hulls of points.

mod check;
mod convexity;
mod faces;
mod quickhull;

use std::collections::BTreeSet;
use std::fmt;

use carom_math::Vec3;

use super::core::SurfacePoint;
use crate::mesh::find_representatives;
use crate::{MassFault, MassProperties, TriangleMesh};

pub use check::HullDefect;
pub use convexity::NotConvex;
pub use faces::HullFace;
use faces::merge_coplanar;
use quickhull::find_triangles;

/// Up to this many vertices all are compared; above, the search climbs from neighbour to neighbour.
const BRUTE_FORCE: usize = 16;

/// Convex hull of points: a polyhedron. Made once, then only read.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    vertices: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    triangles: Vec<[u32; 3]>,
    faces: Vec<HullFace>,
    /// Vertices joined to vertex k by an edge of a triangle: `neighbours[first_neighbour[k]..first_neighbour[k + 1]]`.
    neighbours: Vec<u32>,
    first_neighbour: Vec<u32>,
    /// Faces at vertex k, in the same form.
    vertex_faces: Vec<u32>,
    first_vertex_face: Vec<u32>,
    centroid: Vec3,
    bounding_radius: f64,
}

/// Why points have no hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HullFault {
    /// Fewer than four points.
    TooFew {
        /// How many there are.
        points: usize,
    },
    /// A coordinate is infinite or not a number.
    NotFinite {
        /// Index of the first such point.
        point: usize,
        /// Its coordinates (m).
        position: Vec3,
    },
    /// All points are equal, on a line or in a plane, to rounding.
    Flat {
        /// Largest distance from the plane of best fit that was found (m).
        thickness: f64,
        /// Largest extent of the points (m).
        extent: f64,
    },
    /// What was built is not a convex polyhedron: a defect of the program.
    Defect(HullDefect),
}

impl fmt::Display for HullFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { points } => write!(f, "{points} points are too few for a hull"),
            Self::NotFinite { point, .. } => write!(f, "point {point} is not finite"),
            Self::Flat { extent: 0.0, .. } => write!(f, "all points are the same, and have no hull"),
            Self::Flat { thickness, extent } => {
                let thick = if *thickness == 0.0 { String::new() } else { format!(" to {thickness:.1e} m") };
                write!(f, "the points lie in one plane{thick} and have no hull (extent {extent} m)")
            }
            Self::Defect(defect) => {
                write!(f, "the hull that was built is not convex ({defect:?}), which is a defect of Carom")
            }
        }
    }
}

impl std::error::Error for HullFault {}

/// Units in the last place of the largest coordinate that points which are merged are apart.
const TWINS: f64 = 16.0;

impl ConvexHull {
    /// Convex hull of points, by quickhull (Barber, Dobkin & Huhdanpaa, ACM TOMS 22 (1996)) with exact
    /// orientation tests (Shewchuk, DCG 18 (1997)): points in the plane of a face or inside never become
    /// vertices because of rounding. The result is checked: Euler's formula, two triangles at each edge,
    /// no point outside.
    pub fn of_points(points: &[Vec3]) -> Result<Self, HullFault> {
        refuse_unusable(points)?;
        let triangles = find_triangles(points)?;
        // Vertices in the order of the points.
        let mut number = vec![u32::MAX; points.len()];
        for &corner in triangles.iter().flatten() {
            number[corner] = 0;
        }
        let mut vertices = Vec::new();
        for (slot, point) in number.iter_mut().zip(points) {
            if *slot == 0 {
                *slot = vertices.len() as u32;
                vertices.push(*point);
            }
        }
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|corner| number[corner])).collect();
        if let Err(defect) = check::check_hull(&vertices, &triangles, points) {
            return Self::of_merged(points).unwrap_or(Err(HullFault::Defect(defect)));
        }
        let edges = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        let (first_neighbour, neighbours) = group(vertices.len(), edges);
        let (faces, face_of) = merge_coplanar(&vertices, &triangles);
        let by_vertex = triangles.iter().zip(&face_of).flat_map(|(t, &f)| t.map(|vertex| (vertex, f as u32)));
        let incidence: BTreeSet<(u32, u32)> = by_vertex.collect();
        let (first_vertex_face, vertex_faces) = group(vertices.len(), incidence.iter().copied());
        let centroid = vertices.iter().fold(Vec3::zeros(), |sum, v| sum + v) / vertices.len() as f64;
        let bounding_radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        Ok(Self {
            vertices,
            triangles,
            faces,
            neighbours,
            first_neighbour,
            vertex_faces,
            first_vertex_face,
            centroid,
            bounding_radius,
        })
    }

    /// Volume of the convex hull of points (m³), V = Σ (a·b×c)/6 over its triangles, for comparing many: without the faces and the check of
    /// a hull that is kept, which cost several times as much.
    ///
    /// # Errors
    /// As [`ConvexHull::of_points`], but for [`HullFault::Defect`].
    pub fn volume_of_points(points: &[Vec3]) -> Result<f64, HullFault> {
        refuse_unusable(points)?;
        let six = find_triangles(points)?.into_iter().map(|corners| {
            let [a, b, c] = corners.map(|corner| points[corner] - points[0]);
            a.dot(&b.cross(&c))
        });
        Ok(six.sum::<f64>() / 6.0)
    }

    /// The hull with points as one that are no farther apart than their coordinates' rounding, if there are such: the faces between them have no normals.
    fn of_merged(points: &[Vec3]) -> Option<Result<Self, HullFault>> {
        let largest = points.iter().map(Vec3::amax).fold(0.0, f64::max);
        let first = find_representatives(points, TWINS * f64::EPSILON * largest);
        let is_first = |(index, first): &(usize, &u32)| *index == **first as usize;
        let merged: Vec<Vec3> = first.iter().enumerate().filter(is_first).map(|(k, _)| points[k]).collect();
        (merged.len() < points.len()).then(|| Self::of_points(&merged))
    }

    /// Convex hull of a mesh's vertices.
    pub fn of_mesh(mesh: &TriangleMesh) -> Result<Self, HullFault> {
        Self::of_points(&mesh.vertices)
    }

    /// Vertices (m), in the order of the points.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Faces: coplanar triangles are one.
    pub fn faces(&self) -> &[HullFace] {
        &self.faces
    }

    /// Length of the shortest edge between two faces (m).
    pub fn shortest_edge(&self) -> f64 {
        let corner = |face: &HullFace, k: usize| self.vertices[face.corners[k % face.corners.len()] as usize];
        let length = |face: &HullFace, k: usize| (corner(face, k + 1) - corner(face, k)).norm();
        let lengths = self.faces.iter().flat_map(|f| (0..f.corners.len()).map(move |k| length(f, k)));
        lengths.fold(f64::INFINITY, f64::min)
    }

    /// Mass properties of the polyhedron.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassFault> {
        let mesh = TriangleMesh { vertices: self.vertices.clone(), triangles: self.triangles.clone() };
        MassProperties::of_mesh(&mesh, density)
    }

    /// Mean of the vertices (m).
    pub(super) fn centroid(&self) -> Vec3 {
        self.centroid
    }

    /// Largest distance of a vertex from the origin (m).
    pub(super) fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Faces that have a vertex, as a corner or, of surfaces that are cut into more triangles than they need, within an edge or within them.
    pub(super) fn faces_at(&self, vertex: u32) -> impl Iterator<Item = &HullFace> {
        self.face_indices_at(vertex).map(|face| &self.faces[face])
    }

    /// The same by their indices.
    pub(super) fn face_indices_at(&self, vertex: u32) -> impl Iterator<Item = usize> {
        let range = self.first_vertex_face[vertex as usize]..self.first_vertex_face[vertex as usize + 1];
        range.map(|k| self.vertex_faces[k as usize] as usize)
    }

    /// Farthest vertex along `d`, the first of equals on the way of the search.
    #[inline]
    pub(super) fn support(&self, d: &Vec3, hint: u32) -> SurfacePoint {
        let mut best = if (hint as usize) < self.vertices.len() { hint as usize } else { 0 };
        let mut reach = self.vertices[best].dot(d);
        if self.vertices.len() <= BRUTE_FORCE {
            for (index, vertex) in self.vertices.iter().enumerate() {
                let other = vertex.dot(d);
                if other > reach {
                    (best, reach) = (index, other);
                }
            }
        } else {
            loop {
                let from = best;
                let range = self.first_neighbour[from] as usize..self.first_neighbour[from + 1] as usize;
                for &index in &self.neighbours[range] {
                    let other = self.vertices[index as usize].dot(d);
                    if other > reach {
                        (best, reach) = (index as usize, other);
                    }
                }
                if best == from {
                    break;
                }
            }
        }
        SurfacePoint { point: self.vertices[best], branch: best as u32 }
    }
}

/// Points that are too few, or not finite.
fn refuse_unusable(points: &[Vec3]) -> Result<(), HullFault> {
    if points.len() < 4 {
        return Err(HullFault::TooFew { points: points.len() });
    }
    match points.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        Some(point) => Err(HullFault::NotFinite { point, position: points[point] }),
        None => Ok(()),
    }
}

/// Pairs (key, value) grouped by key: start of each group and the values, in the order given.
fn group(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; keys + 1];
    for (key, _) in pairs.clone() {
        first[key as usize + 1] += 1;
    }
    for k in 0..keys {
        first[k + 1] += first[k];
    }
    let mut next = first.clone();
    let mut values = vec![0; first[keys] as usize];
    for (key, value) in pairs {
        values[next[key as usize] as usize] = value;
        next[key as usize] += 1;
    }
    (first, values)
}

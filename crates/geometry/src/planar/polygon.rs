use carom_math::Vec2;

use super::check::{check, signed_area};
use super::corner::Corner;
use super::edge::Edge;
use super::hollow::runs;
use super::tree::Tree;
use super::{OutlineFault, cross};

/// A closed outline of straight edges, counter-clockwise, that does not meet itself. Edge k goes from point k to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    points: Vec<Vec2>,
    pub(super) edges: Vec<Edge>,
    pub(super) corners: Vec<Corner>,
    /// Points that may touch, ascending.
    convex: Vec<u32>,
    pub(super) tree: Tree,
    /// Of each edge, where there are hollows.
    pub(super) runs: Vec<u32>,
}

impl Polygon {
    /// From its points, counter-clockwise (m).
    ///
    /// # Errors
    ///
    /// What is wrong with them first: fewer than three, repeated, on one line, crossing, clockwise.
    ///
    /// ```
    /// use carom_geometry::planar::{OutlineFault, Polygon};
    ///
    /// let square = |points: [[f64; 2]; 4]| Polygon::new(points.map(Into::into).to_vec());
    /// assert_eq!(square([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]).unwrap().area(), 2.0);
    /// let bow = square([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).unwrap_err();
    /// assert_eq!(bow, OutlineFault::Crossing { edges: [0, 2], at: [0.5, 0.5] });
    /// ```
    pub fn new(points: Vec<Vec2>) -> Result<Self, OutlineFault> {
        let (edges, tree) = check(&points)?;
        let before = |k: usize| &edges[(k + edges.len() - 1) % edges.len()];
        let corners: Vec<Corner> = (0..edges.len()).map(|k| Corner::between(before(k), &edges[k])).collect();
        let convex = (0..edges.len() as u32).filter(|&k| corners[k as usize].is_convex).collect();
        Ok(Self { runs: runs(&corners), points, edges, corners, convex, tree })
    }

    /// A rectangle about the origin (m).
    ///
    /// # Errors
    ///
    /// A size that is zero or no number.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, OutlineFault> {
        let (x, y) = (0.5 * width, 0.5 * height);
        Self::new([(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Vec2::new(x, y)).to_vec())
    }

    /// Its points, counter-clockwise (m).
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Indices of the points that point outwards.
    pub fn convex_points(&self) -> &[u32] {
        &self.convex
    }

    /// Area (m²).
    pub fn area(&self) -> f64 {
        signed_area(&self.points)
    }

    /// Corners of the box along the axes that holds it (m).
    pub fn bounds(&self) -> [Vec2; 2] {
        let root = &self.tree.nodes[0];
        [root.low, root.high]
    }

    /// Its size (m): the longer side of that box.
    pub(super) fn size(&self) -> f64 {
        let [low, high] = self.bounds();
        (high - low).max()
    }

    /// Area (m²), centroid (m), and second moments ∫x², ∫y², ∫xy about the centroid (m⁴), by sums of triangles from the first
    /// point.
    pub(super) fn moments(&self) -> (f64, Vec2, [f64; 3]) {
        let origin = self.points[0];
        let triangles = || {
            self.points.windows(2).map(move |pair| {
                let (a, b) = (pair[0] - origin, pair[1] - origin);
                (0.5 * cross(&a, &b), a, b)
            })
        };
        let area: f64 = triangles().map(|(area, ..)| area).sum();
        let centre = triangles().fold(Vec2::zeros(), |sum, (area, a, b)| sum + (a + b) * (area / 3.0)) / area;
        // Of a triangle with corners p, q, r about any point: A/12 (Σ pᵢpⱼ + ΣpᵢΣpⱼ).
        let second = |i: usize, j: usize| -> f64 {
            let of_triangle = |(area, a, b): (f64, Vec2, Vec2)| {
                let [p, q, r] = [Vec2::zeros(), a, b].map(|x| x - centre);
                let sum = p + q + r;
                area / 12.0 * (p[i] * p[j] + q[i] * q[j] + r[i] * r[j] + sum[i] * sum[j])
            };
            triangles().map(of_triangle).sum()
        };
        (area, origin + centre, [second(0, 0), second(1, 1), second(0, 1)])
    }
}

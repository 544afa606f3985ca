use carom_math::Vec3;

use crate::TriangleMesh;
use crate::clearance::{ClearanceTree, triangle_separation};
use crate::near::SurfaceFault;

/// How often a piece that no triangle bounds well is halved.
const MOST_HALVINGS: u32 = 10;
/// Pieces that are looked at for each triangle of both surfaces.
const MOST_PIECES: usize = 100;
/// Share of the deviation that bounds may be apart.
const ACCURACY: f64 = 0.02;
/// Share of the extent that bounds may be apart.
const ROUNDING: f64 = 1e-9;

/// How far two surfaces are from each other at most (m): the Hausdorff distance lies between the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// A point of one of the surfaces is this far from the other.
    pub at_least: f64,
    /// No point of either is farther from the other.
    pub at_most: f64,
}

/// The greater of the largest distances of points of one surface from the other, both ways.
///
/// The bounds are exact: over a convex piece of a plane the distance from a triangle is convex, so that it is largest at a corner of the
/// piece, and from place to place the distance from a surface grows by no more than the way. Each triangle is cut along the edges of
/// those that are nearest to its pieces, so that over flat parts nothing is lost, and halved where that does not help, until the bounds
/// are near each other or have had as many pieces as there is time for (bounds that are refined as in Tang, Lee and Kim, ACM Trans.
/// Graph. 28 (2009) 74).
///
/// # Errors
/// [`SurfaceFault`] for a mesh that is not usable.
pub fn deviation(a: &TriangleMesh, b: &TriangleMesh) -> Result<Deviation, SurfaceFault> {
    let trees = [ClearanceTree::new(a)?, ClearanceTree::new(b)?];
    let pieces = MOST_PIECES * (a.triangles.len() + b.triangles.len());
    let rounding = ROUNDING * a.extent().norm().max(b.extent().norm());
    let mut search = Search { to: &trees[1], rounding, pieces, at_least: 0.0, at_most: 0.0 };
    for (mesh, to) in [(a, &trees[1]), (b, &trees[0])] {
        search.to = to;
        mesh.corners().for_each(|corners| search.pass_over(&corners));
    }
    Ok(Deviation { at_least: search.at_least, at_most: search.at_most.max(search.at_least) })
}

/// How far points of a surface are from another one at most (m), between bounds that are found as those of [`deviation`]. Of a convex
/// hull and its mesh it is how far the hull reaches beyond the mesh.
///
/// # Errors
/// [`SurfaceFault`] for a mesh that is not usable.
pub fn distance_beyond(surface: &TriangleMesh, from: &TriangleMesh) -> Result<Deviation, SurfaceFault> {
    let to = ClearanceTree::new(from)?;
    let pieces = MOST_PIECES * surface.triangles.len();
    let rounding = ROUNDING * surface.extent().norm().max(from.extent().norm());
    let mut search = Search { to: &to, rounding, pieces, at_least: 0.0, at_most: 0.0 };
    let corners_of = |t: &[u32; 3]| t.map(|k| surface.vertices[k as usize]);
    let size = |t: &[u32; 3]| {
        let [a, b, c] = corners_of(t);
        (b - a).cross(&(c - a)).norm()
    };
    // Large triangles first: what is far is found soon, and small ones cannot be farther.
    let mut triangles = surface.triangles.clone();
    triangles.sort_by(|s, t| size(t).total_cmp(&size(s)));
    let mut distances = vec![None; surface.vertices.len()];
    for triangle in &triangles {
        let corners = corners_of(triangle);
        let farthest = triangle.iter().zip(&corners).fold(0.0, |most: f64, (&k, corner)| {
            most.max(*distances[k as usize].get_or_insert_with(|| search.nearest(corner).0))
        });
        // No point of a triangle is farther from its nearest corner than one of an equilateral one with its longest edge.
        let [a, b, c] = corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let upper = farthest + longest / 3_f64.sqrt();
        if upper <= search.enough() {
            search.at_most = search.at_most.max(upper);
        } else {
            search.bound(corners.to_vec());
        }
    }
    Ok(Deviation { at_least: search.at_least, at_most: search.at_most.max(search.at_least) })
}

struct Search<'a> {
    to: &'a ClearanceTree,
    rounding: f64,
    pieces: usize,
    at_least: f64,
    at_most: f64,
}

/// A convex polygon.
type Piece = Vec<Vec3>;

impl Search<'_> {
    fn pass_over(&mut self, corners: &[Vec3; 3]) {
        for corner in corners {
            self.nearest(corner);
        }
        self.bound(corners.to_vec());
    }

    fn nearest(&mut self, point: &Vec3) -> (f64, u32) {
        let near = self.to.nearest(point);
        self.at_least = self.at_least.max(near.0);
        near
    }

    fn bound(&mut self, piece: Piece) {
        let mut waiting = vec![(piece, MOST_HALVINGS)];
        while let Some((piece, halvings)) = waiting.pop() {
            let middle: Vec3 = piece.iter().sum::<Vec3>() / piece.len() as f64;
            let (distance, triangle) = self.nearest(&middle);
            let target = self.to.triangle(triangle);
            let from_target = |piece: &[Vec3]| {
                let distance = |p: &Vec3| triangle_separation(&[*p; 3], &target).distance;
                piece.iter().map(distance).fold(0.0, f64::max)
            };
            let way = piece.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
            let upper = from_target(&piece).min(distance + way);
            self.pieces = self.pieces.saturating_sub(1);
            if upper <= self.enough() || self.pieces == 0 {
                self.at_most = self.at_most.max(upper);
                continue;
            }
            let (within, beyond) = cut_along_edges(&piece, &target, self.rounding);
            if within.len() >= 3 && !beyond.is_empty() {
                waiting.extend(beyond.into_iter().map(|piece| (piece, halvings)));
                waiting.push((within, halvings));
            } else if halvings == 0 {
                self.at_most = self.at_most.max(upper);
            } else {
                let farthest = |from: &Vec3| {
                    let arms = piece.iter().map(|p| p - from);
                    arms.fold(Vec3::zeros(), |best, arm| if arm.norm() > best.norm() { arm } else { best })
                };
                let across = farthest(&(middle + farthest(&middle)));
                let halves = cut(&piece, &across, across.dot(&middle), 0.0);
                waiting.extend(
                    halves.into_iter().filter(|half| half.len() >= 3).map(|half| (half, halvings - 1)),
                );
            }
        }
    }

    fn enough(&self) -> f64 {
        self.at_least * (1.0 + ACCURACY) + self.rounding
    }
}

/// What of a piece lies over a triangle, and what beyond its edges.
fn cut_along_edges(piece: &Piece, target: &[Vec3; 3], rounding: f64) -> (Piece, Vec<Piece>) {
    let [a, b, c] = target;
    let normal = (b - a).cross(&(c - a));
    let (mut within, mut beyond) = (piece.clone(), Vec::new());
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let outward = (to - from).cross(&normal);
        let size = outward.norm();
        if size > 0.0 {
            let outward = outward / size;
            let [inner, outer] = cut(&within, &outward, outward.dot(from), rounding);
            within = inner;
            beyond.extend(Some(outer).filter(|outer| outer.len() >= 3));
        }
    }
    (within, beyond)
}

/// The parts of a convex polygon with n·x up to h and above; all of it is in one of them if it is not farther than `slack` in the other.
fn cut(piece: &[Vec3], normal: &Vec3, offset: f64, slack: f64) -> [Piece; 2] {
    let heights: Vec<f64> = piece.iter().map(|p| normal.dot(p) - offset).collect();
    if heights.iter().all(|h| *h <= slack) {
        return [piece.to_vec(), Piece::new()];
    }
    if heights.iter().all(|h| *h >= -slack) {
        return [Piece::new(), piece.to_vec()];
    }
    let mut parts = [Piece::new(), Piece::new()];
    for k in 0..piece.len() {
        let next = (k + 1) % piece.len();
        let (h, h_next) = (heights[k], heights[next]);
        if h <= 0.0 {
            parts[0].push(piece[k]);
        }
        if h >= 0.0 {
            parts[1].push(piece[k]);
        }
        if (h < 0.0 && h_next > 0.0) || (h > 0.0 && h_next < 0.0) {
            let point = piece[k] + h / (h - h_next) * (piece[next] - piece[k]);
            parts.iter_mut().for_each(|part| part.push(point));
        }
    }
    parts
}

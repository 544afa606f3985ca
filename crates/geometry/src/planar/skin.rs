//! The two-stage detection of Slavič and Boltežar 2006, section 3.2: boxes of both outlines, then points in the skin.

use carom_math::Vec2;

use super::Polygon;
use super::placement::Planar;
use super::tree::Node;

/// A vertex of one polygon inside the skin of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InSkin {
    /// The vertex is B's; else A's.
    pub of_b: bool,
    /// Its index.
    pub vertex: usize,
    /// Edge of the other polygon that it is under.
    pub edge: usize,
    /// Depth under the edge (m).
    pub depth: f64,
}

/// Vertices of each of two polygons that are inside the other, less deep than the skin (m), by walking both trees of
/// boxes at once, those of one turned in the frame of the other. Which edge a vertex is under is told by the lines that halve the
/// angles at the edge's ends (eq. 33–36); on such a line it is under both, and the lower edge has it.
///
/// In the order of the vertices, those of A first.
pub fn find_in_skin(a: &Polygon, b: &Polygon, b_in_a: &Planar, a_in_b: &Planar, skin: f64) -> Vec<InSkin> {
    let mut found = Vec::new();
    for (of_b, own, other, place) in [(false, a, b, a_in_b), (true, b, a, b_in_a)] {
        let mut stack = vec![(0, 0)];
        while let Some((i, j)) = stack.pop() {
            let (node, target) = (&own.tree.nodes[i], &other.tree.nodes[j]);
            if are_apart(node, target, place, skin) {
                continue;
            }
            match (node.is_leaf(), target.is_leaf()) {
                (true, true) => {
                    for vertex in node.edges() {
                        let point = place.point(&own.points()[vertex]);
                        for edge in target.edges() {
                            if let Some(depth) = depth_in_skin(other, edge, &point, skin) {
                                found.push(InSkin { of_b, vertex, edge, depth });
                            }
                        }
                    }
                }
                (false, true) => stack.extend([(node.second as usize, j), (i + 1, j)]),
                // The larger box is halved.
                (false, false) if extent(node) > extent(target) => {
                    stack.extend([(node.second as usize, j), (i + 1, j)]);
                }
                _ => stack.extend([(i, target.second as usize), (i, j + 1)]),
            }
        }
    }
    keep_first(found)
}

/// The same by all pairs of points and edges.
pub fn find_in_skin_by_all_pairs(
    a: &Polygon,
    b: &Polygon,
    b_in_a: &Planar,
    a_in_b: &Planar,
    skin: f64,
) -> Vec<InSkin> {
    let mut found = Vec::new();
    for (of_b, own, other, place) in [(false, a, b, a_in_b), (true, b, a, b_in_a)] {
        for (vertex, point) in own.points().iter().enumerate() {
            let point = place.point(point);
            for edge in 0..other.points().len() {
                if let Some(depth) = depth_in_skin(other, edge, &point, skin) {
                    found.push(InSkin { of_b, vertex, edge, depth });
                }
            }
        }
    }
    keep_first(found)
}

fn keep_first(mut found: Vec<InSkin>) -> Vec<InSkin> {
    found.sort_unstable_by_key(|hit| (hit.of_b, hit.vertex, hit.edge));
    found.dedup_by_key(|hit| (hit.of_b, hit.vertex));
    found
}

fn extent(node: &Node) -> f64 {
    (node.high - node.low).norm_squared()
}

/// Depth of a point under an edge if it is in its part of the skin: on the left (eq. 33), between the lines that halve the
/// angles at both ends (eq. 34, 35), and not farther from the edge than the skin (eq. 36, where the depth stands for the distance;
/// beside a sharp reflex corner they differ).
fn depth_in_skin(polygon: &Polygon, index: usize, point: &Vec2, skin: f64) -> Option<f64> {
    let edge = &polygon.edges[index];
    let foot = edge.foot(point);
    let depth = -foot.height;
    if !(depth >= 0.0 && foot.square <= skin * skin) {
        return None;
    }
    let next = (index + 1) % polygon.edges.len();
    let beside = |corner: usize, from: &Vec2| super::cross(&polygon.corners[corner].outward, &(point - from));
    // Seen outwards along the bisector of a corner, the edge that starts there is on the left, the one that ends there on the right.
    let is_between = beside(index, &edge.start) >= 0.0 && beside(next, &edge.end) <= 0.0;
    is_between.then_some(depth)
}

/// Do two boxes not meet, one along the axes of its own polygon and placed in the frame of the other, which counts as wider by
/// the skin? Two axes of each.
fn are_apart(node: &Node, target: &Node, place: &Planar, skin: f64) -> bool {
    let half = |n: &Node| 0.5 * (n.high - n.low);
    let middle = |n: &Node| 0.5 * (n.high + n.low);
    let (own, other) = (half(node), half(target) + Vec2::repeat(skin));
    let [x, y] = [Vec2::x(), Vec2::y()].map(|axis| place.turned(&axis));
    let between = place.point(&middle(node)) - middle(target);
    let rounding = 8.0 * f64::EPSILON * (between.amax() + own.amax() + other.amax());
    let reach = |axis: &Vec2| {
        own.x * x.dot(axis).abs()
            + own.y * y.dot(axis).abs()
            + other.x * axis.x.abs()
            + other.y * axis.y.abs()
    };
    [Vec2::x(), Vec2::y(), x, y].iter().any(|axis| between.dot(axis).abs() > reach(axis) + rounding)
}

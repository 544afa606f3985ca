//! What is wrong with an outline, exactly: signs of areas are those of the stated coordinates.

use carom_math::Vec2;
use robust::{Coord, orient2d};

use super::OutlineFault;
use super::edge::Edge;
use super::tree::Tree;

/// The first fault of an outline, with its edges and their tree if there is none.
pub(super) fn check(points: &[Vec2]) -> Result<(Vec<Edge>, Tree), OutlineFault> {
    if points.len() < 3 {
        return Err(OutlineFault::TooFew { points: points.len() });
    }
    if let Some(point) = points.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
        return Err(OutlineFault::NotFinite { point });
    }
    let next = |k: usize| (k + 1) % points.len();
    if let Some(k) = (0..points.len()).find(|&k| points[k] == points[next(k)]) {
        return Err(OutlineFault::Repeated { point: next(k) });
    }
    if (0..points.len()).all(|k| side(&points[0], &points[1], &points[k]) == 0.0) {
        return Err(OutlineFault::Flat);
    }
    let edges: Vec<Edge> = (0..points.len()).map(|k| Edge::between(points[k], points[next(k)])).collect();
    let tree = Tree::over(&edges);
    find_crossing(&edges, &tree)?;
    let area = signed_area(points);
    if area < 0.0 { Err(OutlineFault::Clockwise { area }) } else { Ok((edges, tree)) }
}

/// Area by the sum of triangles from the first point, positive counter-clockwise (m²).
pub(super) fn signed_area(points: &[Vec2]) -> f64 {
    let arms = points.windows(2).map(|pair| (pair[0] - points[0], pair[1] - points[0]));
    arms.map(|(a, b)| 0.5 * super::cross(&a, &b)).sum()
}

fn find_crossing(edges: &[Edge], tree: &Tree) -> Result<(), OutlineFault> {
    for (first, edge) in edges.iter().enumerate() {
        let mut met = None;
        tree.for_each_meeting(edge, |second| {
            if second > first && met.is_none() && meet(edges, first, second) {
                met = Some(second);
            }
        });
        if let Some(second) = met {
            let at = near(edge, &edges[second]);
            return Err(OutlineFault::Crossing { edges: [first, second], at: [at.x, at.y] });
        }
    }
    Ok(())
}

/// Do two edges of an outline have a point in common that is not the corner between them?
fn meet(edges: &[Edge], first: usize, second: usize) -> bool {
    let (a, b) = (&edges[first], &edges[second]);
    let follows = |k: usize, next: usize| (k + 1) % edges.len() == next;
    if follows(first, second) {
        return goes_back(a, b);
    }
    if follows(second, first) {
        return goes_back(b, a);
    }
    let of_a = [side(&b.start, &b.end, &a.start), side(&b.start, &b.end, &a.end)];
    let of_b = [side(&a.start, &a.end, &b.start), side(&a.start, &a.end, &b.end)];
    let crosses = |[p, q]: [f64; 2]| p <= 0.0 && q >= 0.0 || p >= 0.0 && q <= 0.0;
    // On one line their boxes tell.
    let box_of = |edge: &Edge| (edge.start.inf(&edge.end), edge.start.sup(&edge.end));
    let ((low, high), (other_low, other_high)) = (box_of(a), box_of(b));
    let is_apart = (0..2).any(|k| low[k] > other_high[k] || other_low[k] > high[k]);
    crosses(of_a) && crosses(of_b) && !is_apart
}

/// Does an edge go back along the one before?
fn goes_back(edge: &Edge, next: &Edge) -> bool {
    side(&edge.start, &edge.end, &next.end) == 0.0 && edge.along.dot(&next.along) < 0.0
}

/// Sign of the area of a triangle: positive counter-clockwise.
fn side(a: &Vec2, b: &Vec2, c: &Vec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
    orient2d(a, b, c)
}

/// A place where two edges meet, about.
fn near(a: &Edge, b: &Edge) -> Vec2 {
    let turn = a.turn_to(b);
    let place = super::cross(&(b.start - a.start), &b.along) / turn;
    if turn != 0.0 { a.start + a.along * place.clamp(0.0, a.length) } else { 0.5 * (a.start + b.start) }
}

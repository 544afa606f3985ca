use carom_math::Vec3;

use super::difference::{Difference, Pair};
use super::simplex::nearest;

/// Distances below this share of the largest coordinate are contact to rounding.
pub(super) const TOUCHING: f64 = 1e-14;

/// What rounding leaves of the duality gap, relative to coordinate times distance.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Iterations before the search gives up. Polytopes take about ten, curved cores at a relative gap of 1e-12
/// about sixty.
const LIMIT: usize = 500;

/// Result of the distance search.
pub(super) enum Distance {
    /// The cores are apart.
    Apart(Nearest),
    /// They touch or overlap; the last simplex.
    Overlap(Nearest),
    /// The limit of iterations was reached.
    Exhausted,
}

/// The point of C nearest to the origin, as a convex combination of points of C.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) pairs: [Pair; 4],
    pub(super) weights: [f64; 4],
    pub(super) count: usize,
    /// Distance (m) less that of the support plane across it; infinite where no support was asked for.
    pub(super) excess: f64,
}

impl Nearest {
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs[..self.count]
    }

    /// The point itself (m).
    pub(super) fn point(&self) -> Vec3 {
        (0..self.count).map(|k| self.weights[k] * self.pairs[k].w).sum()
    }

    /// Reduces to the corners that carry the nearest point.
    fn reduce(&mut self) {
        let mut corners = [Vec3::zeros(); 4];
        for (corner, pair) in corners.iter_mut().zip(self.pairs()) {
            *corner = pair.w;
        }
        let weights = nearest(&corners[..self.count]);
        let mut kept = 0;
        for k in 0..self.count {
            if weights[k] > 0.0 {
                self.pairs[kept] = self.pairs[k];
                self.weights[kept] = weights[k];
                kept += 1;
            }
        }
        self.count = kept;
    }
}

/// Distance of the origin from C by the algorithm of Gilbert, Johnson & Keerthi (1988), from a simplex of points
/// of C (may be empty) and a direction from A to B.
///
/// Ends when the relative duality gap ‖v‖² − v·w ≤ `tolerance` ‖v‖², so that ‖v‖ is right to `tolerance`/2,
/// or at rounding; on polytopes when a support point repeats, which is finite.
pub(super) fn find_distance(
    difference: &Difference<'_>,
    start: &[Pair],
    n: &Vec3,
    tolerance: f64,
) -> Distance {
    let mut simplex =
        Nearest { pairs: [Pair::EMPTY; 4], weights: [0.0; 4], count: start.len(), excess: f64::INFINITY };
    simplex.pairs[..start.len()].copy_from_slice(start);
    if start.is_empty() {
        simplex.pairs[0] = difference.support(n, &Pair::EMPTY);
        simplex.count = 1;
    }
    let mut last = f64::INFINITY;
    for _ in 0..LIMIT {
        let scale = simplex.pairs().iter().map(|p| p.w.amax()).fold(0.0, f64::max);
        simplex.reduce();
        let v = simplex.point();
        let squared = v.norm_squared();
        if squared <= (TOUCHING * scale) * (TOUCHING * scale) || simplex.count == 4 {
            return Distance::Overlap(simplex);
        }
        if squared >= last {
            // Nearer is below rounding.
            simplex.excess = f64::INFINITY;
            return Distance::Apart(simplex);
        }
        last = squared;
        let new = difference.support(&-v, &simplex.pairs[simplex.count - 1]);
        let gap = squared - v.dot(&new.w);
        let repeated = simplex.pairs().iter().any(|p| p.w == new.w);
        simplex.excess = gap / squared.sqrt();
        if repeated || gap <= tolerance * squared + ROUNDING * scale * squared.sqrt() {
            return Distance::Apart(simplex);
        }
        simplex.pairs[simplex.count] = new;
        simplex.count += 1;
    }
    Distance::Exhausted
}

use carom_math::Vec3;

use super::grid::{GridBuffers, find_pairs};
use super::planes::{Plane, find_plane_pairs};
use super::{Ball, BroadPhaseFault, Pair};

/// Balls that are compared side by side.
const CHAINS: usize = 4;

/// Lists of the pairs that are nearer than a skin, valid until the balls have moved by it.
///
/// A pair of balls that is not in the list was farther apart than the skin when the list was made, and cannot
/// touch before the ways of its two balls add up to the skin. The lists are a superset of what touches, in
/// ascending order: how old they are never shows in results that ask each pair for its own gap.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pairs: Vec<Pair>,
    plane_pairs: Vec<Pair>,
    /// Where the balls were when the lists were made.
    centres: Vec<Vec3>,
    planes: Vec<Plane>,
    skin: f64,
    buffers: GridBuffers,
}

impl Candidates {
    /// Makes the lists for a skin ≥ 0 (m).
    pub fn rebuild(&mut self, balls: &[Ball], planes: &[Plane], skin: f64) -> Result<(), BroadPhaseFault> {
        // Until the lists are whole they are not valid for any balls.
        self.centres.clear();
        find_pairs(balls, skin, &mut self.buffers, &mut self.pairs)?;
        find_plane_pairs(planes, balls, skin, &mut self.plane_pairs);
        self.skin = skin;
        self.centres.extend(balls.iter().map(|ball| ball.centre));
        self.planes.clear();
        self.planes.extend_from_slice(planes);
        Ok(())
    }

    /// Whether the lists still hold all that can touch: the two longest ways of balls since they were made add up to
    /// no more than the skin, and planes have not moved. Radii must be the same.
    pub fn are_valid(&self, balls: &[Ball], planes: &[Plane]) -> bool {
        if balls.len() != self.centres.len() || planes != self.planes {
            return false;
        }
        let [longest, second] = longest_ways(balls, &self.centres);
        // Not a number is not valid.
        longest.sqrt() + second.sqrt() <= self.skin
    }

    /// Makes the lists again if they are not valid any more; says whether it did.
    pub fn update(&mut self, balls: &[Ball], planes: &[Plane], skin: f64) -> Result<bool, BroadPhaseFault> {
        if self.are_valid(balls, planes) && skin == self.skin {
            return Ok(false);
        }
        self.rebuild(balls, planes, skin)?;
        Ok(true)
    }

    /// Pairs of balls, ascending.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Pairs of a plane and a ball, ascending.
    pub fn plane_pairs(&self) -> &[Pair] {
        &self.plane_pairs
    }
}

/// Squares of the two longest ways of balls from their old centres (m²); no numbers if a centre has become none.
fn longest_ways(balls: &[Ball], centres: &[Vec3]) -> [f64; 2] {
    let greater = |x: f64, y: f64| if x > y { x } else { y };
    let lesser = |x: f64, y: f64| if x < y { x } else { y };
    // One chain of comparisons would wait for itself.
    let (mut longest, mut second, mut sum) = ([0.0; CHAINS], [0.0; CHAINS], [0.0; CHAINS]);
    for (balls, centres) in balls.chunks(CHAINS).zip(centres.chunks(CHAINS)) {
        for (k, (ball, centre)) in balls.iter().zip(centres).enumerate() {
            let way = (ball.centre - centre).norm_squared();
            second[k] = greater(second[k], lesser(way, longest[k]));
            longest[k] = greater(longest[k], way);
            sum[k] += way;
        }
    }
    let mut ways = [0.0; 2];
    for way in longest.into_iter().chain(second) {
        ways = [greater(ways[0], way), greater(ways[1], lesser(ways[0], way))];
    }
    let is_number = sum.iter().all(|sum| !sum.is_nan());
    if is_number { ways } else { [f64::NAN; 2] }
}

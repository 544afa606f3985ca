use carom_math::Vec3;

use super::grid::{GridBuffers, find_pairs};
use super::planes::{Plane, find_plane_pairs};
use super::{Ball, BroadPhaseFault, Pair};

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
        let (mut longest, mut second) = (0.0_f64, 0.0_f64);
        for (ball, centre) in balls.iter().zip(&self.centres) {
            let way = (ball.centre - centre).norm_squared();
            if way > longest {
                (longest, second) = (way, longest);
            } else {
                second = second.max(way);
            }
        }
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

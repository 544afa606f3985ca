use carom_math::Vec3;

use super::rectangle::grid;
use super::{LENGTH, check};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Largest number of levels: 2¹¹ cells along an edge, 8 388 608 triangles.
const MAX_LEVELS: u32 = 11;

/// Dimensions of a fractal terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain {
    /// Edge length of the square, which has a corner at the origin and edges along +x and +y (m).
    pub size: f64,
    /// Height of the highest point above the lowest, which is at z = 0 (m).
    pub relief: f64,
    /// Hurst exponent H in 0 … 1: the root mean square of the height difference between points at a distance d
    /// grows about as dᴴ. Near 1 hills are smooth, near 0 jagged.
    pub hurst: f64,
    /// Chooses the terrain: equal seeds give equal bits.
    pub seed: u64,
    /// The square has 2ᵏ by 2ᵏ cells of two triangles each.
    pub levels: u32,
}

/// Fractal terrain as an open surface with +z outside, by midpoint displacement on the diamond and square lattices
/// (Fournier, Fussell & Carpenter, Comm. ACM 25 (1982)): each new point is the mean of its nearest neighbours on the
/// coarser lattice plus a uniform random number, whose range shrinks by 2^(−H/2) from lattice to lattice, as their
/// spacing shrinks by √2. Seven levels make 32 768 triangles.
pub fn terrain(terrain: &Terrain) -> Result<TriangleMesh, ShapeFault> {
    let Terrain { size, relief, hurst, seed, levels } = *terrain;
    check(&[
        ("size", size, size > 0.0, LENGTH),
        ("relief", relief, relief > 0.0, LENGTH),
        ("hurst", hurst, hurst > 0.0 && hurst < 1.0, "a Hurst exponent between 0 and 1"),
        ("levels", f64::from(levels), levels <= MAX_LEVELS, "at most 11 levels: 8 388 608 triangles"),
    ])?;
    let heights = Heights::displaced(levels, hurst, seed);
    let low = heights.values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let cells = heights.points - 1;
    let along = |i: usize| size * (i as f64 / cells as f64);
    Ok(grid(cells as u32, cells as u32, |i, j| {
        let (i, j) = (i as usize, j as usize);
        Vec3::new(along(i), along(j), relief * ((heights.at(i, j) - low) / (high - low)))
    }))
}

/// Heights on a square lattice, row by row.
struct Heights {
    points: usize,
    values: Vec<f64>,
    seed: u64,
}

impl Heights {
    fn displaced(levels: u32, hurst: f64, seed: u64) -> Self {
        let cells = 1_usize << levels;
        let points = cells + 1;
        let mut heights = Self { points, values: vec![0.0; points * points], seed };
        for (i, j) in [(0, 0), (cells, 0), (0, cells), (cells, cells)] {
            heights.set(i, j, 0.0, 1.0);
        }
        let shrink = libm::exp2(-0.5 * hurst);
        let mut range = 1.0;
        let mut step = cells;
        while step > 1 {
            let half = step / 2;
            range *= shrink;
            for j in (half..points).step_by(step) {
                for i in (half..points).step_by(step) {
                    let sum = heights.at(i - half, j - half)
                        + heights.at(i + half, j - half)
                        + heights.at(i - half, j + half)
                        + heights.at(i + half, j + half);
                    heights.set(i, j, 0.25 * sum, range);
                }
            }
            range *= shrink;
            for j in (0..points).step_by(half) {
                let first = if (j / half).is_multiple_of(2) { half } else { 0 };
                for i in (first..points).step_by(step) {
                    heights.set(i, j, heights.mean_of_neighbours(i, j, half), range);
                }
            }
            step = half;
        }
        heights
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[j * self.points + i]
    }

    fn set(&mut self, i: usize, j: usize, mean: f64, range: f64) {
        let place = j * self.points + i;
        self.values[place] = mean + range * random(self.seed, place as u64);
    }

    /// Mean over the points at `distance` in the four directions; three on the border.
    fn mean_of_neighbours(&self, i: usize, j: usize, distance: usize) -> f64 {
        let mut sum = 0.0;
        let mut count = 0.0;
        let mut add = |neighbour: Option<(usize, usize)>| {
            if let Some((i, j)) = neighbour.filter(|(i, j)| *i < self.points && *j < self.points) {
                sum += self.at(i, j);
                count += 1.0;
            }
        };
        add(i.checked_sub(distance).map(|i| (i, j)));
        add(Some((i + distance, j)));
        add(j.checked_sub(distance).map(|j| (i, j)));
        add(Some((i, j + distance)));
        sum / count
    }
}

/// Uniform in [−1, 1): the number at a position of the sequence SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). A
/// function of the place, so that the order of the work does not matter.
fn random(seed: u64, position: u64) -> f64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(position.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::SplitMix64;

    #[test]
    fn random_numbers_are_those_of_the_sequence() {
        let mut rng = SplitMix64::new(42);
        for position in 0..100 {
            // Both are multiples of 2⁻⁵³ below 2, and so exact.
            assert_eq!(random(42, position), rng.uniform(-1.0, 1.0));
        }
    }
}

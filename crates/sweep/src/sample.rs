//! Points of the unit cube, and what they are in a distribution.

use carom_io::study::{Distribution, SampleMethod};

/// Degree, inner coefficients and first direction numbers of the primitive polynomials of dimensions 2 to 16: Joe and Kuo,
/// Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008), table new-joe-kuo-6.
const DIRECTIONS: [(usize, u32, &[u32]); 15] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
];
/// Digits of a Sobol number.
const BITS: usize = 32;

/// `count` points in the open unit cube of some dimension.
pub(crate) fn points(method: SampleMethod, dimension: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random(seed);
    match method {
        SampleMethod::Random => (0..count).map(|_| (0..dimension).map(|_| random.unit()).collect()).collect(),
        SampleMethod::LatinHypercube => latin_hypercube(dimension, count, &mut random),
        SampleMethod::Sobol => sobol(dimension, count, &mut random),
    }
}

/// Each dimension has one point in each of `count` equal slices.
fn latin_hypercube(dimension: usize, count: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut points = vec![vec![0.0; dimension]; count];
    for axis in 0..dimension {
        let mut slices: Vec<usize> = (0..count).collect();
        // Fisher and Yates.
        for last in (1..count).rev() {
            slices.swap(last, (random.unit() * (last + 1) as f64) as usize);
        }
        for (point, slice) in points.iter_mut().zip(slices) {
            point[axis] = (slice as f64 + random.unit()) / count as f64;
        }
    }
    points
}

/// The sequence without its first point, the corner of the cube: what has an infinite quantile is no value of a key. Dimensions
/// beyond those of the table are independent random numbers.
fn sobol(dimension: usize, count: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let directions: Vec<[u32; BITS]> = (0..dimension.min(DIRECTIONS.len() + 1)).map(directions).collect();
    let mut state = vec![0u32; directions.len()];
    let scale = libm::exp2(-(BITS as f64));
    let mut next = |index: usize| {
        for (number, direction) in state.iter_mut().zip(&directions) {
            *number ^= direction[index.trailing_ones() as usize];
        }
        let drawn = state.iter().map(|number| f64::from(*number) * scale);
        drawn.chain((directions.len()..dimension).map(|_| random.unit())).collect()
    };
    (0..count).map(&mut next).collect()
}

/// Direction numbers of a dimension, Bratley and Fox, ACM TOMS 14 (1988), 659.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0; BITS];
    let Some((degree, inner, first)) = dimension.checked_sub(1).map(|index| DIRECTIONS[index]) else {
        return std::array::from_fn(|k| 1 << (BITS - 1 - k));
    };
    for k in 0..BITS {
        v[k] = if k < degree {
            first[k] << (BITS - 1 - k)
        } else {
            let mut number = v[k - degree] ^ (v[k - degree] >> degree);
            for j in 1..degree {
                if (inner >> (degree - 1 - j)) & 1 == 1 {
                    number ^= v[k - j];
                }
            }
            number
        };
    }
    v
}

/// SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
struct Random(u64);

impl Random {
    /// A number between 0 and 1, both left out.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z >> 11) as f64 + 0.5) * libm::exp2(-53.0)
    }
}

/// The value below which a share `u` of a distribution is.
pub(crate) fn quantile(distribution: Distribution, u: f64) -> f64 {
    match distribution {
        Distribution::Uniform(low, high) => low + u * (high - low),
        Distribution::Normal(mean, deviation) => mean + deviation * standard_normal(u),
        Distribution::LogNormal(median, deviation) => median * libm::exp(deviation * standard_normal(u)),
    }
}

/// Quantile of the standard normal distribution: Newton's method on Φ(x) = erfc(−x/√2)/2, in the lower half, where nothing cancels.
fn standard_normal(u: f64) -> f64 {
    if u > 0.5 {
        return -standard_normal(1.0 - u);
    }
    // From the side where ln Φ is concave and Newton's method on it does not overshoot.
    let mut x = 0.0;
    for _ in 0..60 {
        let below = 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
        let density = libm::exp(-0.5 * x * x) / libm::sqrt(2.0 * std::f64::consts::PI);
        let step = (libm::log(u) - libm::log(below)) * below / density;
        x += step;
        if step.abs() <= 1e-15 * x.abs() {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First points of `scipy.stats.qmc.Sobol(d=5, scramble=False)`, behind the corner.
    #[test]
    fn the_sobol_sequence_is_that_of_joe_and_kuo() {
        let wanted = [
            [0.5, 0.5, 0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25, 0.25, 0.75],
            [0.25, 0.75, 0.75, 0.75, 0.25],
            [0.375, 0.375, 0.625, 0.875, 0.375],
            [0.875, 0.875, 0.125, 0.375, 0.875],
            [0.625, 0.125, 0.875, 0.625, 0.625],
            [0.125, 0.625, 0.375, 0.125, 0.125],
        ];
        assert_eq!(points(SampleMethod::Sobol, 5, 7, 0), wanted);
        // 2^k - 1 points and the corner have one in each slice of each dimension.
        for axis in 0..16 {
            let mut slices: Vec<_> = points(SampleMethod::Sobol, 16, 255, 0)
                .iter()
                .map(|point| (point[axis] * 256.0) as usize)
                .collect();
            slices.sort_unstable();
            assert_eq!(slices, (1..256).collect::<Vec<_>>(), "dimension {axis}");
        }
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_slice_and_a_seed_its_own() {
        let points_of = |seed| points(SampleMethod::LatinHypercube, 3, 50, seed);
        for axis in 0..3 {
            let mut slices: Vec<_> = points_of(1).iter().map(|point| (point[axis] * 50.0) as usize).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..50).collect::<Vec<_>>());
        }
        assert_eq!(points_of(1), points_of(1));
        assert_ne!(points_of(1), points_of(2));
    }

    /// Tables of the normal distribution.
    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (u, x) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.025, -1.959_963_984_540_054),
            (1e-10, -6.361_340_902_404_056),
            (0.841_344_746_068_542_9, 1.0),
        ] {
            assert!((standard_normal(u) - x).abs() < 1e-13, "{u}: {}", standard_normal(u));
        }
        let log = quantile(Distribution::LogNormal(2.0, 0.5), 0.841_344_746_068_542_9);
        assert!((log - 2.0 * libm::exp(0.5)).abs() < 1e-13);
        assert_eq!(quantile(Distribution::Uniform(1.0, 3.0), 0.25), 1.5);
    }
}

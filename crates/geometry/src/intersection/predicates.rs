use carom_math::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// A point with its number: all points of one question must have different ones.
pub(super) type Numbered = (u32, Vec3);

/// Sign of the determinant of a − d, b − d, c − d: true if it is positive, that is if d is behind the triangle a, b, c,
/// which is counter-clockwise seen from its front. It is never zero: the coordinates count as moved by infinitely small
/// amounts, coordinate j of the point of rank i by ε^(2^(3 i + 2 − j)), ranks being the order of the numbers
/// (simulation of simplicity: Edelsbrunner and Mücke, ACM Trans. Graph. 9 (1990) 66–104).
///
/// The determinant is that of the four rows (x, y, z, 1). Its expansion in ε has a term for every choice of moved
/// entries of different rows and columns; the bits 3 i + 2 − j of the choice, read as a number, are its order. The first
/// that does not vanish decides, at the latest that of three entries, whose cofactor is 1.
#[inline]
pub fn sign_of_volume(points: [(u32, Vec3); 4]) -> bool {
    filtered_sign(&points).unwrap_or_else(|| exact_sign(points))
}

/// Bound of the rounding of the determinant, relative to the sum of the sizes of its products, (7 + 56 u) u with u = 2⁻⁵³ (Shewchuk,
/// Discrete Comput. Geom. 18 (1997) 305–363, o3derrboundA).
const ROUNDING: f64 = (7.0 + 56.0 * 0.5 * f64::EPSILON) * 0.5 * f64::EPSILON;

/// The sign where rounding cannot have changed it, as for all but a few points.
#[inline(always)]
fn filtered_sign(points: &[Numbered; 4]) -> Option<bool> {
    let d = points[3].1;
    let arm = |k: usize| [points[k].1.x - d.x, points[k].1.y - d.y, points[k].1.z - d.z];
    let [a, b, c] = [arm(0), arm(1), arm(2)];
    let products = |p: [f64; 3], q: [f64; 3]| (p[0] * q[1], q[0] * p[1]);
    let terms = [(products(b, c), a[2]), (products(c, a), b[2]), (products(a, b), c[2])];
    let (mut volume, mut size) = (0.0, 0.0);
    for ((plus, minus), height) in terms {
        volume += height * (plus - minus);
        size += (plus.abs() + minus.abs()) * height.abs();
    }
    (volume.abs() > ROUNDING * size).then_some(volume > 0.0)
}

#[cold]
fn exact_sign(points: [Numbered; 4]) -> bool {
    let [a, b, c, d] = points.map(|(_, p)| Coord3D { x: p.x, y: p.y, z: p.z });
    let volume = orient3d(a, b, c, d);
    if volume != 0.0 { volume > 0.0 } else { sign_by_ranks(points) }
}

/// Choice of entries after which no further one is needed: x of the first, y of the second, z of the third point.
const LAST_CHOICE: u32 = 0b1_010_100;

fn sign_by_ranks(mut points: [Numbered; 4]) -> bool {
    let mut is_odd = false;
    for end in (1..4).rev() {
        for k in 0..end {
            if points[k].0 > points[k + 1].0 {
                points.swap(k, k + 1);
                is_odd = !is_odd;
            }
        }
    }
    let rows = points.map(|(_, p)| p);
    for choice in 1..=LAST_CHOICE {
        let sign = term(&rows, choice);
        if sign != 0.0 {
            return (sign > 0.0) != is_odd;
        }
    }
    unreachable!("the last choice has cofactor one")
}

/// Sign of the cofactor of a choice of entries (bit 3 i + 2 − j: row i, column j); zero if two share a row or column.
fn term(rows: &[Vec3; 4], choice: u32) -> f64 {
    let chosen = |i: usize, j: usize| choice >> (3 * i + 2 - j) & 1 == 1;
    let in_row = |i: usize| (0..3).filter(|&j| chosen(i, j)).count();
    let in_column = |j: usize| (0..4).filter(|&i| chosen(i, j)).count();
    if (0..4).any(|i| in_row(i) > 1) || (0..3).any(|j| in_column(j) > 1) {
        return 0.0;
    }
    let mut rest = (0..4).filter(|&i| in_row(i) == 0).map(|i| rows[i]);
    let mut columns = (0..3).filter(|&j| in_column(j) == 0);
    let mut row = || rest.next().unwrap_or_else(Vec3::zeros);
    let minor = match choice.count_ones() {
        1 => {
            let (u, v) = (columns.next().unwrap_or(0), columns.next().unwrap_or(0));
            let mut point = || {
                let p = row();
                Coord { x: p[u], y: p[v] }
            };
            orient2d(point(), point(), point())
        }
        2 => {
            let u = columns.next().unwrap_or(0);
            let (p, q) = (row(), row());
            // Not the difference, which could underflow.
            f64::from(p[u] > q[u]) - f64::from(p[u] < q[u])
        }
        _ => 1.0,
    };
    if is_odd_choice(&chosen) { -minor } else { minor }
}

/// Whether the sum of rows and columns and the inversions among the entries are odd together.
fn is_odd_choice(chosen: &impl Fn(usize, usize) -> bool) -> bool {
    let entries = || (0..4).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|&(i, j)| chosen(i, j));
    let sum: usize = entries().map(|(i, j)| i + j).sum();
    let inversions =
        entries().map(|(i, j)| entries().filter(|&(k, l)| k > i && l < j).count()).sum::<usize>();
    (sum + inversions) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::SplitMix64;

    #[test]
    fn the_sign_is_that_of_the_volume() {
        let corner = [(0, Vec3::x()), (1, Vec3::y()), (2, Vec3::z()), (3, Vec3::zeros())];
        assert!(sign_of_volume(corner));
        // Behind a triangle that is counter-clockwise seen from above.
        let flat = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let at =
            |z: f64| sign_of_volume([(0, flat[0]), (1, flat[1]), (2, flat[2]), (3, Vec3::new(0.2, 0.2, z))]);
        assert!(at(-1e-300) && !at(1e-300));
    }

    /// Points on a small grid are degenerate in every way. Really moving them, by amounts in the order of the symbolic
    /// ones but finite, must give the same signs; integers keep the determinant exact.
    #[test]
    fn degenerate_signs_are_those_of_points_moved_a_little() {
        let mut rng = SplitMix64::new(5);
        let mut degenerate = 0;
        for _ in 0..20_000 {
            let grid: [[i128; 3]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.index(3) as i128 - 1));
            let mut ids = [0_u32, 1, 2, 3];
            for k in (1..4).rev() {
                ids.swap(k, rng.index(k + 1));
            }
            let points: [Numbered; 4] =
                std::array::from_fn(|k| (ids[k], Vec3::from(grid[k].map(|x| x as f64))));
            let expected = moved_sign(&grid, &ids);
            degenerate += usize::from(orient3d_of(&grid) == 0);
            assert_eq!(sign_of_volume(points), expected, "{points:?}");
        }
        assert!(degenerate > 5_000);
    }

    fn orient3d_of(grid: &[[i128; 3]; 4]) -> i128 {
        let row = |k: usize| -> [i128; 3] { std::array::from_fn(|j| grid[k][j] - grid[3][j]) };
        let [a, b, c] = [row(0), row(1), row(2)];
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    }

    /// Polynomial in ε as a map from exponent to integer coefficient; the determinant expanded in full.
    fn moved_sign(grid: &[[i128; 3]; 4], ids: &[u32; 4]) -> bool {
        use std::collections::BTreeMap;
        type Polynomial = BTreeMap<u32, i128>;
        let times = |p: &Polynomial, q: &Polynomial| {
            let mut product = Polynomial::new();
            for (i, x) in p {
                for (j, y) in q {
                    *product.entry(i + j).or_default() += x * y;
                }
            }
            product
        };
        let entry = |k: usize, j: usize| {
            if j == 3 {
                return Polynomial::from([(0, 1)]);
            }
            Polynomial::from([(0, grid[k][j]), (1 << (3 * ids[k] + 2 - j as u32), 1)])
        };
        let mut determinant = Polynomial::new();
        for p in permutations() {
            let mut product = Polynomial::from([(0, 1)]);
            for k in 0..4 {
                product = times(&product, &entry(k, p[k]));
            }
            let inversions = (0..4).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|&(j, i)| p[j] > p[i]);
            let sign = if inversions.count() % 2 == 0 { 1 } else { -1 };
            for (exponent, x) in product {
                *determinant.entry(exponent).or_default() += sign * x;
            }
        }
        determinant.into_values().find(|x| *x != 0).unwrap() > 0
    }

    fn permutations() -> Vec<[usize; 4]> {
        let mut all = Vec::new();
        for code in 0..256_usize {
            let p = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
            if (0..4).all(|k| p.contains(&k)) {
                all.push(p);
            }
        }
        all
    }
}

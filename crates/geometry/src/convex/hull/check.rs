use std::collections::BTreeSet;

use carom_math::Vec3;

/// What is wrong with a hull that was built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HullDefect {
    /// An edge is not walked once in each direction.
    Edge {
        /// Vertices of the first such edge.
        vertices: [u32; 2],
    },
    /// Vertices − edges + triangles is not 2.
    Euler {
        /// What it is.
        characteristic: i64,
    },
    /// A point lies outside a triangle by more than rounding.
    Outside {
        /// Index of the point.
        point: usize,
        /// Its height over the triangle's plane (m).
        height: f64,
    },
}

/// Height over a plane that rounding leaves, relative to the largest coordinate. Slivers have normals of few
/// digits, so that this is a check against blunders; the tests that built the hull were exact.
const ROUNDING: f64 = 1e-9;

/// Pairs of triangle and point that are tested in a fraction of a second.
const MOST_TESTS: usize = 100_000_000;

/// Closed, of the topology of a ball, and no point outside.
pub(super) fn check_hull(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    points: &[Vec3],
) -> Result<(), HullDefect> {
    let mut edges = BTreeSet::new();
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if !edges.insert((from, to)) {
                return Err(HullDefect::Edge { vertices: [from, to] });
            }
        }
    }
    if let Some(&(from, to)) = edges.iter().find(|&&(from, to)| !edges.contains(&(to, from))) {
        return Err(HullDefect::Edge { vertices: [from, to] });
    }
    let characteristic = vertices.len() as i64 - edges.len() as i64 / 2 + triangles.len() as i64;
    if characteristic != 2 {
        return Err(HullDefect::Euler { characteristic });
    }
    // Every point of a small set; of a large one those that became vertices, which show whether it is convex.
    let points = if triangles.len() * points.len() <= MOST_TESTS { points } else { vertices };
    let largest = points.iter().map(Vec3::amax).fold(0.0, f64::max);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|k| vertices[k as usize]);
        let area = (b - a).cross(&(c - a));
        let shortest = [b - a, c - b, a - c].iter().map(Vec3::norm_squared).fold(f64::INFINITY, f64::min);
        if area.norm() < 1e-6 * shortest {
            continue;
        }
        let normal = area.normalize();
        for (point, p) in points.iter().enumerate() {
            let height = normal.dot(&(p - a));
            if height > ROUNDING * largest {
                return Err(HullDefect::Outside { point, height });
            }
        }
    }
    Ok(())
}

use carom_math::Vec3;

use super::bisect::cut_in_two;

/// Triangles that are to be cut more often are cells apart, so that leaves are no finer than where they must be; in a larger share of
/// a triangle the leaves are finer, and there are fewer cells to be stored.
const MOST_CUTS: u8 = 6;

/// How much longer leaves may be with the distance from what they must be fine for.
const SLOPE: f64 = 1.0;

/// A triangle of a base, or a part of it made by bisections, whose leaves are all as many bisections down.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub(super) triangle: u32,
    pub(super) corners: [Vec3; 3],
    pub(super) depth: u8,
}

/// An edge of a triangle, or a corner, where leaves must be fine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeLine {
    /// Its ends, at one place of a corner.
    pub ends: [Vec3; 2],
    /// Longest leaf there (m).
    pub length: f64,
}

impl Cell {
    /// A triangle of the mesh that is bisected `depth` times.
    pub fn whole(triangle: u32, corners: [Vec3; 3], depth: u8) -> Self {
        Self { triangle, corners, depth }
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        1 << self.depth
    }

    /// Is it an element as it is?
    pub(crate) fn is_leaf(&self) -> bool {
        self.depth == 0
    }

    /// Cuts it into parts whose leaves are no longer than stated at each of the lines, and grow with the distance from it, nor are they
    /// fewer bisections down. They come in the order of their paths, until `add` says that there are too many.
    pub fn grade(self, lines: &[EdgeLine], add: &mut impl FnMut(Self) -> bool) -> bool {
        let [a, b, c] = &self.corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let asked = |line: &EdgeLine| {
            let away = self.corners.iter().map(|p| distance(p, &line.ends)).fold(f64::INFINITY, f64::min);
            line.length.max(SLOPE * away)
        };
        let asked = lines.iter().map(asked).fold(f64::INFINITY, f64::min);
        // Two bisections halve the edges.
        let cuts = (2.0 * libm::log2(longest / asked)).ceil().max(0.0);
        if cuts <= f64::from(self.depth.max(MOST_CUTS)) {
            return add(Self { depth: self.depth.max(cuts as u8), ..self });
        }
        let depth = self.depth.saturating_sub(1);
        cut_in_two(&self.corners).into_iter().all(|corners| Self { corners, depth, ..self }.grade(lines, add))
    }
}

/// Of a point from a line between two points, which may be one (m).
fn distance(p: &Vec3, [from, to]: &[Vec3; 2]) -> f64 {
    let (along, rest) = (to - from, p - from);
    let squared = along.norm_squared();
    let share = if squared > 0.0 { (rest.dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (rest - along * share).norm()
}

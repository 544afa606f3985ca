//! What is near each other on the bases of an areal pair: a grid of cells. Active elements in one cell, or in neighbouring ones,
//! belong to one patch.

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// A cell of the grid, by its place along the axes.
pub(crate) type Cell = [i32; 3];

/// Edges of elements in a cell: neighbours on a surface are never two cells apart.
const EDGES: f64 = 2.0;
/// Share of the elements whose longest edge the cells are made for.
const USUAL: f64 = 0.9;

/// Cells in the axes of the first base.
pub(crate) struct PatchGrid {
    /// A corner of a cell, which lies on the surface wherever its frame is (m).
    origin: Vec3,
    /// Cells in a metre.
    per_metre: f64,
    /// By base and triangle: its elements may be longer than a cell and occupy those of their corners, too. Empty if there are
    /// none.
    is_long: Vec<Vec<bool>>,
}

impl PatchGrid {
    /// For bases with the numbers of bisections of their triangles.
    pub(crate) fn new(bases: &[(&TriangleMesh, &[u8])]) -> Self {
        // Two bisections halve the edges.
        let edges = |(mesh, depths): &(&TriangleMesh, &[u8])| -> Vec<(f64, f64)> {
            let edge = |(corners, &depth): ([Vec3; 3], &u8)| {
                let [a, b, c] = corners;
                let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
                let halvings = f64::from(1_u32 << depth).sqrt();
                (longest / halvings, f64::from(1_u32 << depth))
            };
            mesh.corners().zip(*depths).map(edge).collect()
        };
        let by_base: Vec<_> = bases.iter().map(edges).collect();
        let mut all: Vec<_> = by_base.iter().flatten().copied().collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let elements: f64 = all.iter().map(|(_, count)| count).sum();
        let mut sum = 0.0;
        let usual = all.iter().find(|(_, count)| {
            sum += count;
            sum >= USUAL * elements
        });
        let size = (EDGES * usual.map_or(0.0, |usual| usual.0)).max(f64::MIN_POSITIVE);
        let is_long = by_base.iter().map(|edges| {
            let is_long: Vec<bool> = edges.iter().map(|(edge, _)| *edge > size).collect();
            if is_long.contains(&true) { is_long } else { Vec::new() }
        });
        let origin = bases.first().and_then(|(mesh, _)| mesh.vertices.first().copied());
        let is_long = is_long.collect();
        // The smallest numbers have no reciprocal.
        let per_metre = (1.0 / size).min(f64::MAX);
        Self { origin: origin.unwrap_or_else(Vec3::zeros), per_metre, is_long }
    }

    /// The cell of a place in the axes of the first base.
    #[inline]
    pub(crate) fn cell(&self, place: &Vec3) -> Cell {
        ((place - self.origin) * self.per_metre).map(floor).into()
    }

    /// May elements of a triangle be longer than a cell?
    #[inline]
    pub(crate) fn is_long(&self, base: usize, triangle: impl FnOnce() -> u32) -> bool {
        let is_long = &self.is_long[base];
        !is_long.is_empty() && is_long[triangle() as usize]
    }
}

/// The greatest whole number not above x, within the range of the type. It is asked for once per element and step: a call of
/// the mathematical library would be most of its cost.
#[inline]
fn floor(x: f64) -> i32 {
    let toward_zero = x as i32;
    toward_zero.saturating_sub(i32::from(f64::from(toward_zero) > x))
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, block, rectangle};

    use super::*;

    #[test]
    fn cells_are_made_for_nine_in_ten_elements() {
        // 128 triangles with edges of √2/4 m, and of 12 others 4 with longer ones.
        let mut mesh = rectangle(1.0, 1.0, Resolution::Divisions(8)).unwrap();
        let bar = block(Vec3::new(0.1, 0.1, 5.0), Resolution::Divisions(1)).unwrap();
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(&bar.vertices);
        mesh.triangles.extend(bar.triangles.iter().map(|t| t.map(|v| v + first)));
        let grid = PatchGrid::new(&[(&mesh, &vec![0; mesh.triangles.len()])]);
        assert!((1.0 / grid.per_metre - 0.5 * 2.0_f64.sqrt()).abs() < 1e-12, "{}", grid.per_metre);
        assert_eq!(grid.is_long[0].iter().filter(|is_long| **is_long).count(), 8);
        // Cut eight times the long ones are short: a 16th of 10 m.
        let cut: Vec<u8> =
            mesh.triangles.iter().enumerate().map(|(t, _)| if t < 128 { 0 } else { 8 }).collect();
        let grid = PatchGrid::new(&[(&mesh, &cut)]);
        assert!(grid.is_long[0].is_empty() && !grid.is_long(0, || 130));
        let place = Vec3::new(0.3, -0.2, 0.0) + mesh.vertices[0];
        assert_eq!(grid.cell(&place), [0, -1, 0]);
        for (x, below) in [(-1.0, -1), (-1.5, -2), (-0.0, 0), (2.9, 2), (1e300, i32::MAX), (-1e300, i32::MIN)]
        {
            assert_eq!(floor(x), below, "{x}");
        }
    }
}

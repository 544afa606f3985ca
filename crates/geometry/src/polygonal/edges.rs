//! Elements of a base fine enough along edges and at corners that stick out, for what they press into to be felt in time.
//!
//! An edge that falls off to both sides with the slope s (the tangent of the angle to the plane that touches it) and is δ deep in a
//! flat face has δ/s of its faces in contact on either side of it. Where it crosses another edge that is as sharp it has no more
//! of its length in contact, and a corner no more around it. So leaves that are there no longer than [`GRAIN`] δ/s are in contact at a
//! depth of about δ, and grow with the distance from there. An edge that crosses a blunter one has more of its length in contact: the
//! sharper one feels it. Where both surfaces have corners, faces of the one meet those of the other, and each must be a base.

use crate::TriangleMesh;
use crate::mesh::Sharpness;

use super::accuracy::Refinement;
use super::{BaseSurface, Cell, EdgeLine, MOST_LEAVES, SurfaceFault};

/// Length of leaves over the extent of what an edge or a corner has in contact.
pub const GRAIN: f64 = 2.0;

/// Cells that may be stored in addition to the triangles.
const MOST_CELLS: usize = 1 << 17;

impl Refinement {
    /// Of the base `mesh` with leaves so fine at its edges and corners that what is `depth` deep is felt (m); or as fine as there is
    /// room for.
    #[must_use]
    pub fn graded(mut self, mesh: &TriangleMesh, sharpness: &[Sharpness], depth: f64) -> Self {
        // Leaves of rounding's size are as good as points.
        let mut length = (GRAIN * depth).max(f64::EPSILON * mesh.extent().norm());
        loop {
            if let Some(cells) = cells(mesh, &self.depths, sharpness, length) {
                self.elements = cells.iter().map(Cell::leaves).sum();
                self.cells = cells;
                return self;
            }
            length *= 2.0;
        }
    }

    /// The base that it is made for, with penetration lines of the length `reach` (m).
    pub fn base(&self, mesh: &TriangleMesh, reach: f64) -> Result<BaseSurface, SurfaceFault> {
        match self.cells.len() {
            0 => BaseSurface::refined(mesh, &self.depths, reach),
            _ => BaseSurface::graded(mesh, &self.cells, reach),
        }
    }
}

/// The triangles cut where leaves must be as long as `length` beside an edge with the slope 1 (m); none if they are too many.
fn cells(mesh: &TriangleMesh, depths: &[u8], sharpness: &[Sharpness], length: f64) -> Option<Vec<Cell>> {
    let most = mesh.triangles.len() + MOST_CELLS;
    let mut cells = Vec::with_capacity(mesh.triangles.len());
    let mut leaves = 0;
    for (k, corners) in mesh.corners().enumerate() {
        let Sharpness { edges, corners: tips, .. } = &sharpness[k];
        let mut lines = Vec::with_capacity(6);
        for at in 0..3 {
            let [from, to] = [corners[at], corners[(at + 1) % 3]];
            for (ends, steepness) in [([from, to], edges[at]), ([from, from], tips[at])] {
                lines.extend((steepness > 0.0).then(|| EdgeLine { ends, length: length / steepness }));
            }
        }
        let mut add = |cell: Cell| {
            leaves += cell.leaves();
            cells.push(cell);
            cells.len() <= most && leaves <= MOST_LEAVES
        };
        if !Cell::whole(k as u32, corners, depths[k]).grade(&lines, &mut add) {
            return None;
        }
    }
    Some(cells)
}

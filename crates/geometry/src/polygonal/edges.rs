//! Elements of a base fine enough along edges and at corners that stick out, for what they press into to be felt in time.
//!
//! An edge that falls off to both sides with the slope s (the tangent of the angle to the plane that touches it) and is δ deep in a
//! flat face has δ/s of its faces in contact on either side of it. Where it crosses another edge that is as sharp it has no more
//! of its length in contact, and a corner no more around it. So leaves that are there no longer than [`GRAIN`] δ/s are in contact at a
//! depth of about δ, and grow with the distance from there. An edge that crosses a blunter one has more of its length in contact: the
//! sharper one feels it. Where both surfaces have corners, faces of the one meet those of the other, and each must be a base.

use carom_math::Vec3;

use crate::TriangleMesh;
use crate::mesh::Sharpness;

use super::accuracy::Refinement;
use super::{BaseSurface, Cell, EdgeLine, MOST_LEAVES, SurfaceFault};

/// Length of leaves over the extent of what an edge or a corner has in contact.
pub const GRAIN: f64 = 2.0;

/// Slope from which on the faces beside an edge may meet a face at a slant: two that differ by 25° in direction.
const SHARP: f64 = 0.22;

/// How far from an edge its faces are in contact at a slant of 25° when it is ten times as deep as what must be felt, over that depth.
const WIDTH: f64 = 24.0;

/// Cells that may be stored in addition to the triangles.
const MOST_CELLS: usize = 1 << 17;

impl Refinement {
    /// Of the base `mesh` with leaves so fine at its edges and corners that what is `depth` deep is felt (m); or as fine as there is
    /// room for.
    #[must_use]
    pub fn graded(mut self, mesh: &TriangleMesh, sharpness: &[Sharpness], depth: f64) -> Self {
        let mut length = GRAIN * depth;
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

/// An edge, or a corner of no length.
#[derive(Clone, Copy, Debug)]
struct Zone {
    from: Vec3,
    along: Vec3,
    /// Its product with a point seen from `from` is 0 at that end, and 1 at the other.
    part: Vec3,
}

impl Zone {
    fn new(from: Vec3, to: Vec3) -> Self {
        let along = to - from;
        let square = along.norm_squared();
        Self { from, along, part: if square > 0.0 { along / square } else { along } }
    }

    /// Squared distance of a point (m²).
    fn square(&self, point: &Vec3) -> f64 {
        let from = point - self.from;
        (from - self.along * from.dot(&self.part).clamp(0.0, 1.0)).norm_squared()
    }
}

/// What of a surface is beside some of its edges and corners.
#[derive(Clone, Debug, Default)]
pub struct EdgeZones {
    /// By triangle, one after the other.
    lines: Vec<Zone>,
    /// The first line of each triangle, and behind the last one the number of lines.
    first: Vec<u32>,
    /// What is nearer is beside an edge (m).
    width: f64,
}

impl EdgeZones {
    /// Beside sharp edges and corners of a mesh, where what is `depth` deep must be felt (m).
    pub fn sharp(mesh: &TriangleMesh, sharpness: &[Sharpness], depth: f64) -> Self {
        let is_sharp = |steepness: f64| steepness >= SHARP;
        Self::new(mesh, WIDTH * depth, |k| {
            [sharpness[k].edges.map(is_sharp), sharpness[k].corners.map(is_sharp)]
        })
    }

    /// Beside all edges and corners at which flat faces of it end.
    pub fn bends(mesh: &TriangleMesh, sharpness: &[Sharpness], depth: f64) -> Self {
        Self::new(mesh, WIDTH * depth, |k| sharpness[k].bends)
    }

    /// Of the edges and corners of each triangle that are asked for.
    fn new(mesh: &TriangleMesh, width: f64, asked: impl Fn(usize) -> [[bool; 3]; 2]) -> Self {
        let mut zones = Self { lines: Vec::new(), first: vec![0], width };
        for (triangle, corners) in mesh.corners().enumerate() {
            let [edges, tips] = asked(triangle);
            for at in 0..3 {
                let (before, [from, to]) = ((at + 2) % 3, [corners[at], corners[(at + 1) % 3]]);
                zones.lines.extend(edges[at].then(|| Zone::new(from, to)));
                let is_tip = tips[at] && !edges[at] && !edges[before];
                zones.lines.extend(is_tip.then(|| Zone::new(from, from)));
            }
            zones.first.push(zones.lines.len() as u32);
        }
        zones
    }

    /// Has the surface none?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How much a point of a triangle belongs to the edges beside it: from 1 to 0 between their width and twice that.
    pub fn share(&self, triangle: u32, point: &Vec3) -> f64 {
        let [from, to] = [triangle, triangle + 1].map(|k| self.first[k as usize] as usize);
        let square = self.lines[from..to].iter().map(|zone| zone.square(point)).fold(f64::INFINITY, f64::min);
        if square >= 4.0 * self.width * self.width {
            return 0.0;
        }
        let x = (2.0 - square.sqrt() / self.width).clamp(0.0, 1.0);
        x * x * (3.0 - 2.0 * x)
    }
}

use carom_math::Vec3;

use super::cracks::{Cracks, find_cracks};
use super::edges::{EdgeSides, Side};
use super::topology::is_flat;
use super::weld::find_representatives;
use super::{MeshFault, TriangleMesh};

/// Angle between the normals of neighbours (rad) from which the edge between them is sharp.
const SHARP: f64 = std::f64::consts::FRAC_PI_2;
/// What rounding may take off the angle of a right-angled edge (rad).
const SHARP_ROUNDING: f64 = 1e-9;

/// How many there are of something, and the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Findings<T> {
    /// How many.
    pub count: usize,
    /// The first one, in the order of the triangles or edges.
    pub first: Option<T>,
}

impl<T> Findings<T> {
    pub(crate) fn of(mut found: impl Iterator<Item = T>) -> Self {
        let first = found.next();
        Self { count: found.count() + usize::from(first.is_some()), first }
    }
}

/// Two neighbours at an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharpEdge {
    /// The triangles, the lower index first.
    pub triangles: [usize; 2],
    /// Middle of the edge (m).
    pub middle: Vec3,
    /// Angle between their outward normals (rad), 0 for coplanar neighbours.
    pub angle: f64,
}

/// What makes a surface unsuitable for areal contact, or for contact by regions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDiagnosis {
    /// Edges at which the outward normals of the neighbours differ by 90° or more and that stick out: penetrations
    /// jump where the other surface passes them, and energy is not conserved.
    pub sharp: Findings<SharpEdge>,
    /// The same for edges of re-entrant corners, where penetrations do not jump.
    pub sharp_inside: Findings<SharpEdge>,
    /// Triangles with two corners at one place, or flat to rounding: they have no normal.
    pub degenerate: Findings<usize>,
    /// Triangles with the same three corners as an earlier one, either way round: their contact counts twice.
    pub duplicate: Findings<usize>,
    /// Triangles that are turned against the rest of their component.
    pub flipped: Findings<usize>,
    /// Closed components of negative volume, by their first triangle: cavities, or surfaces turned inwards.
    pub inward: Findings<usize>,
    /// Borders that run along each other: where the surface does not quite close.
    pub cracks: Option<Cracks>,
    /// Mean length of the edges (m).
    pub mean_edge: f64,
}

impl SurfaceDiagnosis {
    /// Whether penetration lines of length `u_max` (m) are at most twice as long as the edges are on average. The boxes
    /// of longer ones overlap so much that they cull badly.
    pub fn is_fine_for(&self, u_max: f64) -> bool {
        u_max <= 2.0 * self.mean_edge
    }
}

impl TriangleMesh {
    /// Examines the surface for areal contact without changing it. Vertices at equal positions count as one.
    pub fn diagnose(&self) -> Result<SurfaceDiagnosis, MeshFault> {
        let components = self.components()?;
        let sides = EdgeSides::of(self);
        let sharp = |outside: bool| {
            let edge = move |pair| self.find_sharp_edge(pair).filter(|(_, convex)| *convex == outside);
            Findings::of(sides.pairs().filter_map(edge).map(|(edge, _)| edge))
        };
        let degenerate = self.corners().enumerate().filter(|(_, corners)| is_flat(corners));
        Ok(SurfaceDiagnosis {
            sharp: sharp(true),
            sharp_inside: sharp(false),
            degenerate: Findings::of(degenerate.map(|(triangle, _)| triangle)),
            duplicate: Findings::of(self.find_duplicates().into_iter()),
            flipped: Findings {
                count: components.iter().map(|component| component.flipped).sum(),
                first: components.iter().filter_map(|component| component.first_flipped).min(),
            },
            inward: Findings::of(
                components.iter().filter(|c| c.closed && c.signed_volume < 0.0).map(|c| c.first),
            ),
            cracks: find_cracks(self, &sides),
            mean_edge: sides.mean_length(self),
        })
    }

    /// Triangles with an edge longer than `size` (m): too coarse for contact patches of that size.
    pub fn find_coarse(&self, size: f64) -> Findings<usize> {
        let is_coarse = |[a, b, c]: [Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm()) > size;
        Findings::of(self.corners().enumerate().filter(|(_, corners)| is_coarse(*corners)).map(|(k, _)| k))
    }

    /// The edge between two neighbours if it is sharp, and whether it sticks out.
    fn find_sharp_edge(&self, [one, two]: [Side; 2]) -> Option<(SharpEdge, bool)> {
        let corners = |side: Side| self.triangles[side.triangle as usize].map(|k| self.vertices[k as usize]);
        let (a, b) = (corners(one), corners(two));
        if is_flat(&a) || is_flat(&b) {
            return None;
        }
        let normal = |[p, q, r]: [Vec3; 3]| (q - p).cross(&(r - p)).normalize();
        // Neighbours that walk their edge the same way are turned against each other.
        let turn = if one.forward == two.forward { -1.0 } else { 1.0 };
        let (n, m) = (normal(a), turn * normal(b));
        let angle = libm::atan2(n.cross(&m).norm(), n.dot(&m));
        let (at, across) = (usize::from(one.corner), usize::from(two.corner));
        let (from, to, beyond) = (a[at], a[(at + 1) % 3], b[(across + 2) % 3]);
        // Sides are sorted by their triangles.
        let triangles = [one.triangle, two.triangle].map(|triangle| triangle as usize);
        let edge = SharpEdge { triangles, middle: 0.5 * (from + to), angle };
        (angle >= SHARP - SHARP_ROUNDING).then_some((edge, n.dot(&(beyond - from)) < 0.0))
    }

    /// Triangles with the corners of an earlier one, in their order.
    fn find_duplicates(&self) -> Vec<usize> {
        let same = find_representatives(&self.vertices, 0.0);
        let mut keys: Vec<([u32; 3], usize)> = Vec::with_capacity(self.triangles.len());
        for (triangle, corners) in self.triangles.iter().enumerate() {
            let mut key = corners.map(|k| same[k as usize]);
            key.sort_unstable();
            keys.push((key, triangle));
        }
        keys.sort_unstable();
        let mut found: Vec<usize> =
            keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
        found.sort_unstable();
        found
    }
}

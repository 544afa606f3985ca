//! Is a mesh the boundary of a convex solid?

use std::fmt;

use carom_math::Vec3;

use super::{ConvexHull, HullFault};
use crate::mesh::weld;
use crate::{MassFault, MassProperties, TriangleMesh};

/// Why a mesh is not the boundary of a convex solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotConvex {
    /// It bounds no solid: open, inside out, without volume, unusable.
    NoSolid(MassFault),
    /// Its points have no hull.
    Hull(HullFault),
    /// Some edges are those of dents.
    Concave {
        /// Number of such edges.
        edges: usize,
        /// How far the middle of the deepest one lies below the hull's surface (m).
        depth: f64,
        /// That middle (m).
        at: Vec3,
    },
    /// No edge is concave, but a vertex lies in front of a triangle: the surface has several pieces, or winds round
    /// more than once.
    SeveralTurns {
        /// The first such vertex (m).
        at: Vec3,
    },
}

impl fmt::Display for NotConvex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |at: &Vec3| format!("[{:.4}, {:.4}, {:.4}] m of its frame", at.x, at.y, at.z);
        match self {
            Self::Concave { edges, depth, at } => write!(
                f,
                "is not convex: {edges} concave edge{}, the deepest {depth:.3e} m below its hull near {}",
                if *edges == 1 { "" } else { "s" },
                place(at)
            ),
            Self::SeveralTurns { at } => write!(
                f,
                "is not convex: no edge is concave, but it has several pieces or winds round twice; one is near {}",
                place(at)
            ),
            Self::NoSolid(
                fault
                @ (MassFault::Open { .. } | MassFault::Misoriented { .. } | MassFault::InsideOut { .. }),
            ) => fault.fmt(f),
            Self::NoSolid(_) | Self::Hull(_) => write!(f, "encloses no volume"),
        }
    }
}

impl std::error::Error for NotConvex {}

/// Height of a vertex over the plane of a triangle, relative to the largest extent of the mesh, up to which it counts as
/// in it.
const TOLERANCE: f64 = 1e-9;

/// Triangles that are thinner than this share of the extent have a normal of too few digits for a plane that is to hold
/// to [`TOLERANCE`] across the mesh; the planes of their neighbours bound the solid in their place.
const SLIVER: f64 = 1e-6;

/// Rounding of heights, relative to the extent: what counts as a dent once the mesh is known to have some.
const ROUNDING: f64 = 1e-13;

/// Plane of a triangle.
struct Plane {
    normal: Vec3,
    point: Vec3,
}

impl Plane {
    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(&(p - self.point))
    }
}

/// An edge of a triangle: its ends, the lower first, the triangle and its third corner.
type Side = ([u32; 2], usize, u32);

impl ConvexHull {
    /// The hull of a convex mesh, which is the same solid. Convex is a mesh that is closed, with its triangles
    /// counter-clockwise seen from outside, and every vertex of which lies behind the plane of every triangle, up to
    /// 1e-9 of the largest extent.
    pub fn of_convex_mesh(mesh: &TriangleMesh) -> Result<Self, NotConvex> {
        MassProperties::of_mesh(mesh, 1.0).map_err(NotConvex::NoSolid)?;
        let mesh = weld(mesh, 0.0).map_err(|fault| NotConvex::NoSolid(MassFault::Mesh(fault)))?.mesh;
        let hull = Self::of_mesh(&mesh).map_err(NotConvex::Hull)?;
        let extent = mesh.extent().amax();
        let planes: Vec<Option<Plane>> = mesh.corners().map(|c| plane_of(&c, SLIVER * extent)).collect();
        let in_front = |plane: &Plane| {
            let highest = hull.support(&plane.normal, 0).point;
            (plane.height(&highest) > TOLERANCE * extent).then_some(highest)
        };
        match planes.iter().flatten().find_map(in_front) {
            None => Ok(hull),
            Some(at) => Err(find_dents(&mesh, &planes, &hull, ROUNDING * extent)
                .unwrap_or(NotConvex::SeveralTurns { at })),
        }
    }

    /// Distance of a point inside from the surface (m).
    fn depth_of(&self, p: &Vec3) -> f64 {
        let corner = |face: &super::HullFace| self.vertices[face.corners[0] as usize];
        self.faces.iter().map(|f| f.normal.dot(&(corner(f) - p))).fold(f64::INFINITY, f64::min)
    }
}

/// `None` for slivers.
fn plane_of(&[a, b, c]: &[Vec3; 3], thinnest: f64) -> Option<Plane> {
    let doubled_area = (b - a).cross(&(c - a));
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let size = doubled_area.norm();
    (size > thinnest * longest).then(|| Plane { normal: doubled_area / size, point: a })
}

/// Edges across which one triangle's third corner lies in front of the other triangle.
fn find_dents(
    mesh: &TriangleMesh,
    planes: &[Option<Plane>],
    hull: &ConvexHull,
    tolerance: f64,
) -> Option<NotConvex> {
    let side = |from: u32, to: u32, triangle, third| ([from.min(to), from.max(to)], triangle, third);
    let mut sides: Vec<Side> =
        mesh.triangles.iter().enumerate().fold(Vec::new(), |mut all, (t, &[a, b, c])| {
            all.extend([side(a, b, t, c), side(b, c, t, a), side(c, a, t, b)]);
            all
        });
    sides.sort_unstable();
    let vertex = |k: u32| mesh.vertices[k as usize];
    let is_in_front = |triangle: usize, third: u32| {
        planes[triangle].as_ref().is_some_and(|plane| plane.height(&vertex(third)) > tolerance)
    };
    let is_concave = |sides: &[Side]| {
        sides
            .iter()
            .any(|&(_, t, _)| sides.iter().any(|&(_, other, third)| other != t && is_in_front(t, third)))
    };
    let (mut edges, mut depth, mut at) = (0, f64::NEG_INFINITY, Vec3::zeros());
    for sides in sides.chunk_by(|s, t| s.0 == t.0).filter(|sides| is_concave(sides)) {
        let [from, to] = sides[0].0.map(vertex);
        let middle = 0.5 * (from + to);
        let own = hull.depth_of(&middle);
        edges += 1;
        if own > depth {
            (depth, at) = (own, middle);
        }
    }
    (edges > 0).then_some(NotConvex::Concave { edges, depth, at })
}

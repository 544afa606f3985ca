use carom_math::{Pose, Vec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::TriangleMesh;
use crate::clearance::{ClearanceTree, ClearanceWorkspace, intersects, meets_segment, near_triangles};
use crate::mesh::{find_representatives, is_flat};

/// How many crossings have their place told.
const MOST_PLACES: usize = 10;
/// Pairs of near triangles that are asked, for each triangle of the mesh.
const MOST_PAIRS: usize = 200;

/// Two triangles of a mesh that meet otherwise than in the corners and edges that they share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The triangles, the lower index first.
    pub triangles: [u32; 2],
    /// Middle of the first one (m).
    pub place: Vec3,
}

/// Where a surface meets itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossings {
    /// Pairs of triangles.
    pub count: usize,
    /// The first ten, in the order of their indices.
    pub first: Vec<Crossing>,
}

/// Pairs of triangles that cross, touch or lie on each other, by exact signs ([`intersects`]) of the coordinates as they are: what
/// shares a corner must have no other point in common, what shares an edge must not be folded onto it. Degenerate triangles and copies
/// of triangles are left out. None if so many triangles lie on top of each other that it would take too long.
pub(super) fn find_crossings(mesh: &TriangleMesh, tree: &ClearanceTree) -> Option<Crossings> {
    let limit = MOST_PAIRS.saturating_mul(mesh.triangles.len()).saturating_add(1000);
    let mut near = Vec::new();
    let mut workspace = ClearanceWorkspace::new();
    if !near_triangles(tree, tree, &Pose::identity(), 0.0, limit, &mut workspace, &mut near) {
        return None;
    }
    let same = find_representatives(&mesh.vertices, 0.0);
    let corners: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
    let is_sound: Vec<bool> = mesh.corners().map(|corners| !is_flat(&corners)).collect();
    let mut crossings = Crossings { count: 0, first: Vec::new() };
    for [t, u] in near {
        let sound = t < u && is_sound[t as usize] && is_sound[u as usize];
        if sound && cross(mesh, &corners[t as usize], &corners[u as usize]) {
            crossings.count += 1;
            if crossings.first.len() < MOST_PLACES {
                let place = mesh.triangle(t).iter().sum::<Vec3>() / 3.0;
                crossings.first.push(Crossing { triangles: [t, u], place });
            }
        }
    }
    Some(crossings)
}

fn cross(mesh: &TriangleMesh, t: &[u32; 3], u: &[u32; 3]) -> bool {
    let place = |v: u32| mesh.vertices[v as usize];
    let (of_t, of_u) = (t.map(place), u.map(place));
    let shared: Vec<u32> = t.iter().copied().filter(|v| u.contains(v)).collect();
    let rest = |corners: &[u32; 3]| {
        corners.iter().copied().filter(|v| !shared.contains(v)).map(place).collect::<Vec<_>>()
    };
    match (shared.as_slice(), rest(t).as_slice(), rest(u).as_slice()) {
        ([], _, _) => intersects(&of_t, &of_u),
        ([_], [a, b], [c, d]) => meets_segment(a, b, &of_u) || meets_segment(c, d, &of_t),
        ([a, b], [c], [d]) => is_folded(&place(*a), &place(*b), c, d),
        _ => false,
    }
}

/// Whether the triangles abc and abd lie in one plane and on one side of their edge.
fn is_folded(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> bool {
    let [p, q, r, s] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    if orient3d(p, q, r, s) != 0.0 {
        return false;
    }
    (0..3).any(|axis| {
        let [p, q, r, s] = [a, b, c, d].map(|p| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] });
        let (of_c, of_d) = (orient2d(p, q, r), orient2d(p, q, s));
        (of_c > 0.0 && of_d > 0.0) || (of_c < 0.0 && of_d < 0.0)
    })
}

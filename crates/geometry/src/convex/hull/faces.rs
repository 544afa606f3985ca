use std::collections::{BTreeMap, BTreeSet};

use carom_math::Vec3;

/// A face of a hull: coplanar triangles joined.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFace {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Vertex indices, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
}

/// Distance from the plane of a face, relative to the extent of the hull, up to which a vertex belongs to it: the
/// rounding of coordinates that went through a rotation.
const COPLANAR: f64 = 1e-13;

/// Joins triangles across edges while their vertices lie in one plane to rounding. Returns the faces, and by triangle the index of the one
/// that it is a part of.
pub(super) fn merge_coplanar(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<HullFace>, Vec<usize>) {
    let extent = vertices.iter().map(|v| (v - vertices[0]).amax()).fold(0.0, f64::max);
    let mut across = BTreeMap::new();
    for (index, &[a, b, c]) in triangles.iter().enumerate() {
        for edge in [(a, b), (b, c), (c, a)] {
            across.insert(edge, index);
        }
    }
    let doubled_area = |t: usize| {
        let [a, b, c] = triangles[t].map(|k| vertices[k as usize]);
        (b - a).cross(&(c - a))
    };
    // Largest first: its normal has the most digits.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&s, &t| doubled_area(t).norm().total_cmp(&doubled_area(s).norm()).then(s.cmp(&t)));
    let mut owner = vec![usize::MAX; triangles.len()];
    let mut faces = Vec::new();
    for seed in order {
        if owner[seed] != usize::MAX {
            continue;
        }
        let normal = doubled_area(seed).normalize();
        let origin = vertices[triangles[seed][0] as usize];
        let is_in_plane =
            |vertex: u32| normal.dot(&(vertices[vertex as usize] - origin)).abs() <= COPLANAR * extent;
        let mut members = vec![seed];
        owner[seed] = faces.len();
        let mut done = 0;
        while done < members.len() {
            let [a, b, c] = triangles[members[done]];
            for edge in [(b, a), (c, b), (a, c)] {
                let other = across[&edge];
                if owner[other] == usize::MAX && triangles[other].iter().all(|&v| is_in_plane(v)) {
                    owner[other] = faces.len();
                    members.push(other);
                }
            }
            done += 1;
        }
        let corners = walk_border(vertices, triangles, &members, extent);
        faces.push(HullFace { normal, corners });
    }
    (faces, owner)
}

/// Corners of the border of joined triangles, without those in the middle of a straight side.
fn walk_border(vertices: &[Vec3], triangles: &[[u32; 3]], members: &[usize], extent: f64) -> Vec<u32> {
    let edges: BTreeSet<(u32, u32)> =
        members.iter().map(|&m| triangles[m]).flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    // An edge walked both ways is inside.
    let next: BTreeMap<u32, u32> =
        edges.iter().filter(|&&(from, to)| !edges.contains(&(to, from))).copied().collect();
    let Some((&start, _)) = next.first_key_value() else { return Vec::new() };
    let mut border = vec![start];
    let mut at = next[&start];
    while at != start && border.len() <= next.len() {
        border.push(at);
        at = next[&at];
    }
    let count = border.len();
    let is_corner = |k: usize| {
        let [p, q, r] = [k + count - 1, k, k + 1].map(|i| vertices[border[i % count] as usize]);
        let side = r - p;
        side.cross(&(q - p)).norm() > COPLANAR * extent * side.norm()
    };
    (0..count).filter(|&k| is_corner(k)).map(|k| border[k]).collect()
}

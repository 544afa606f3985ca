use std::collections::BTreeMap;

use carom_math::Vec3;

use crate::TriangleMesh;
use crate::mesh::is_flat;

/// Rounds over all triangles: what a swap leaves flat goes in the next.
const MOST_ROUNDS: usize = 32;

/// Triangles at an edge, by its vertices, the lower first.
type Edges = BTreeMap<[u32; 2], Vec<usize>>;

/// Takes away triangles that are no higher over their longest edge than `tolerance` (m), or flat to rounding: the edge is swapped, so
/// that the neighbour across it is cut at the third corner and no crack is left, or the triangle is dropped where there is no neighbour.
/// Returns how many edges were swapped and how many triangles dropped. One at an edge with more than two triangles stays.
pub(super) fn remove_flat(mesh: &mut TriangleMesh, tolerance: f64) -> [usize; 2] {
    let mut edges = Edges::new();
    for (t, corners) in mesh.triangles.iter().enumerate() {
        sides(corners).for_each(|edge| edges.entry(edge).or_default().push(t));
    }
    let mut is_gone = vec![false; mesh.triangles.len()];
    let (mut swapped, mut dropped) = (0, 0);
    for _ in 0..MOST_ROUNDS {
        let before = swapped + dropped;
        for t in 0..mesh.triangles.len() {
            if is_gone[t] {
                continue;
            }
            let Some([a, b, c]) = flat_corners(mesh, t, tolerance) else { continue };
            let across: Vec<usize> =
                edges[&[a.min(b), a.max(b)]].iter().copied().filter(|&u| u != t).collect();
            let own = mesh.triangles[t];
            match across[..] {
                [] => {
                    is_gone[t] = true;
                    leave(&mut edges, &own, t);
                    dropped += 1;
                }
                [u] if !mesh.triangles[u].contains(&c) => {
                    let other = mesh.triangles[u];
                    let with = |gone: u32| other.map(|v| if v == gone { c } else { v });
                    leave(&mut edges, &own, t);
                    leave(&mut edges, &other, u);
                    (mesh.triangles[u], mesh.triangles[t]) = (with(a), with(b));
                    for k in [t, u] {
                        sides(&mesh.triangles[k]).for_each(|edge| edges.entry(edge).or_default().push(k));
                    }
                    swapped += 1;
                }
                _ => {}
            }
        }
        if swapped + dropped == before {
            break;
        }
    }
    let mut gone = is_gone.into_iter();
    mesh.triangles.retain(|_| !gone.next().unwrap_or(false));
    [swapped, dropped]
}

fn sides(&[a, b, c]: &[u32; 3]) -> impl Iterator<Item = [u32; 2]> {
    [(a, b), (b, c), (c, a)].into_iter().map(|(from, to)| [from.min(to), from.max(to)])
}

fn leave(edges: &mut Edges, corners: &[u32; 3], triangle: usize) {
    for edge in sides(corners) {
        edges.entry(edge).or_default().retain(|&t| t != triangle);
    }
}

/// Ends of the longest edge of a flat triangle and its third corner.
fn flat_corners(mesh: &TriangleMesh, triangle: usize, tolerance: f64) -> Option<[u32; 3]> {
    let corners = mesh.triangles[triangle];
    let places: [Vec3; 3] = corners.map(|v| mesh.vertices[v as usize]);
    let longest = longest_edge(&places);
    is_low(&places, tolerance).then(|| [0, 1, 2].map(|k| corners[(longest + k) % 3]))
}

/// No higher over its longest edge than `tolerance` (m), or flat to rounding.
pub(super) fn is_low(corners: &[Vec3; 3], tolerance: f64) -> bool {
    let k = longest_edge(corners);
    let length = (corners[(k + 1) % 3] - corners[k]).norm();
    let doubled_area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
    doubled_area <= tolerance * length || is_flat(corners)
}

/// The corner that it begins at.
fn longest_edge(corners: &[Vec3; 3]) -> usize {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm();
    (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best })
}

use std::collections::BTreeMap;
use std::fmt;

use crate::TriangleMesh;
use crate::mesh::MeshFault;
use crate::surface::MAX_TRIANGLES;

/// Why a mesh is not refined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RefineFault {
    /// It is not usable as data.
    Mesh(MeshFault),
    /// The length is not positive and finite (m).
    Length(f64),
    /// More triangles than a surface may have would come out.
    TooMany {
        /// The length that was asked for (m).
        length: f64,
    },
}

impl fmt::Display for RefineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(fault) => fault.fmt(f),
            Self::Length(length) => write!(f, "edges cannot become as short as {length} m"),
            Self::TooMany { length } => {
                write!(f, "with edges of {length} m it would have more than {MAX_TRIANGLES} triangles")
            }
        }
    }
}

impl std::error::Error for RefineFault {}

/// The same surface with no edge longer than `longest` (m): all longer ones are halved, as often as it takes, and each triangle is cut
/// into two, three or four at the middles of its edges. Neighbours share the middles, so that no cracks come; vertices keep their
/// numbers, and new ones follow.
///
/// # Errors
/// [`RefineFault`].
pub fn refine(mesh: &TriangleMesh, longest: f64) -> Result<TriangleMesh, RefineFault> {
    mesh.validate().map_err(RefineFault::Mesh)?;
    if !(longest.is_finite() && longest > 0.0) {
        return Err(RefineFault::Length(longest));
    }
    // No triangle with such edges is larger than one with three of them.
    let largest = 0.25 * 3.0_f64.sqrt() * longest * longest;
    let area: f64 = mesh.corners().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
    if area > largest * MAX_TRIANGLES as f64 {
        return Err(RefineFault::TooMany { length: longest });
    }
    let mut refined = mesh.clone();
    while cut_long_edges(&mut refined, longest) {
        if refined.triangles.len() > MAX_TRIANGLES {
            return Err(RefineFault::TooMany { length: longest });
        }
    }
    Ok(refined)
}

/// Halves all edges that are too long, once; false if there is none.
fn cut_long_edges(mesh: &mut TriangleMesh, longest: f64) -> bool {
    let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut triangles = Vec::with_capacity(2 * mesh.triangles.len());
    for &corners in &mesh.triangles {
        let mut middle = |k: usize| {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            // From the lower one, so that neighbours have the same bits.
            let ends = [from.min(to), from.max(to)];
            let [a, b] = ends.map(|v| mesh.vertices[v as usize]);
            ((b - a).norm() > longest).then(|| {
                *middles.entry(ends).or_insert_with(|| {
                    mesh.vertices.push(a + 0.5 * (b - a));
                    (mesh.vertices.len() - 1) as u32
                })
            })
        };
        cut(corners, [middle(0), middle(1), middle(2)], &mut triangles, |a, b| {
            (mesh.vertices[a as usize] - mesh.vertices[b as usize]).norm_squared()
        });
    }
    mesh.triangles = triangles;
    !middles.is_empty()
}

/// Cuts a triangle at the middles of its edges, of which `middles[k]` lies between corners k and k + 1.
fn cut(
    corners: [u32; 3],
    middles: [Option<u32>; 3],
    triangles: &mut Vec<[u32; 3]>,
    squared_distance: impl Fn(u32, u32) -> f64,
) {
    let turned = |k: usize| [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
    match middles {
        [None, None, None] => triangles.push(corners),
        [Some(x), Some(y), Some(z)] => {
            let [a, b, c] = corners;
            triangles.extend([[a, x, z], [x, b, y], [z, y, c], [x, y, z]]);
        }
        _ => {
            let count = middles.iter().flatten().count();
            // One cut edge, or the one that is whole, comes first.
            let first = (0..3).find(|&k| middles[k].is_some() == (count == 1)).unwrap_or(0);
            let [a, b, c] = turned(first);
            let middle = |k: usize| middles[(first + k) % 3];
            match (middle(0), middle(1), middle(2)) {
                (Some(x), _, _) => triangles.extend([[a, x, c], [x, b, c]]),
                (None, Some(y), Some(z)) => {
                    triangles.push([z, y, c]);
                    // Along the shorter diagonal of what is left.
                    if squared_distance(a, y) <= squared_distance(b, z) {
                        triangles.extend([[a, b, y], [a, y, z]]);
                    } else {
                        triangles.extend([[a, b, z], [b, y, z]]);
                    }
                }
                _ => triangles.push(corners),
            }
        }
    }
}

use std::collections::{BTreeMap, BTreeSet};

use carom_math::Vec3;

use super::TriangleMesh;
use super::edges::EdgeSides;

/// Borders this near each other, in mean edges, were meant to be one seam.
const WIDEST: f64 = 1e-3;

/// Borders that run along each other without a common vertex: a surface that does not quite close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cracks {
    /// Vertices of borders that lie on another border, nearly.
    pub corners: usize,
    /// The farthest that one of them is from it (m).
    pub width: f64,
    /// The first of them (m).
    pub place: Vec3,
}

impl Cracks {
    /// A tolerance that welds them: twice the width, rounded up to one digit (m).
    pub fn tolerance(&self) -> f64 {
        let digit = libm::pow(10.0, libm::log10(2.0 * self.width).floor());
        if self.width > 0.0 { (2.0 * self.width / digit).ceil() * digit } else { 0.0 }
    }
}

/// A border edge by its ends.
#[derive(Clone, Copy)]
struct Seam {
    ends: [u32; 2],
    low: f64,
    high: f64,
}

/// Sweeps along x over vertices and edges of borders.
pub(super) fn find_cracks(mesh: &TriangleMesh, sides: &EdgeSides) -> Option<Cracks> {
    let reach = WIDEST * sides.mean_length(mesh);
    let place = |v: u32| mesh.vertices[v as usize];
    let mut seams: Vec<Seam> = sides
        .groups()
        .filter(|sides| sides.len() == 1)
        .map(|sides| {
            let ends = [sides[0].low, sides[0].high];
            let [p, q] = ends.map(|v| place(v).x);
            Seam { ends, low: p.min(q) - reach, high: p.max(q) + reach }
        })
        .collect();
    seams.sort_by(|a, b| a.low.total_cmp(&b.low).then(a.ends.cmp(&b.ends)));
    // An edge shorter than a crack is wide does not make one.
    let mut own: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for Seam { ends: [p, q], .. } in &seams {
        for (v, other) in [(*p, *q), (*q, *p)] {
            let near = own.entry(v).or_default();
            near.insert(v);
            if (place(v) - place(other)).norm() <= reach {
                near.insert(other);
            }
        }
    }
    let mut vertices: Vec<u32> = own.keys().copied().collect();
    vertices.sort_by(|a, b| place(*a).x.total_cmp(&place(*b).x).then(a.cmp(b)));
    let (mut next, mut active): (usize, Vec<Seam>) = (0, Vec::new());
    let (mut corners, mut width, mut first) = (0, 0.0_f64, u32::MAX);
    for v in vertices {
        let at = place(v);
        while next < seams.len() && seams[next].low <= at.x {
            active.push(seams[next]);
            next += 1;
        }
        active.retain(|seam| seam.high >= at.x);
        let others = active.iter().filter(|seam| !seam.ends.iter().any(|end| own[&v].contains(end)));
        let distance =
            others.map(|seam| distance_to(&at, seam.ends.map(place))).fold(f64::INFINITY, f64::min);
        if distance <= reach {
            corners += 1;
            width = width.max(distance);
            first = first.min(v);
        }
    }
    (corners > 0).then(|| Cracks { corners, width, place: place(first) })
}

/// Distance of a point from a segment (m).
fn distance_to(point: &Vec3, [p, q]: [Vec3; 2]) -> f64 {
    let (along, arm) = (q - p, point - p);
    let share = (arm.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (arm - share * along).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, block};
    use carom_testkit::SplitMix64;

    fn cracks(mesh: &TriangleMesh) -> Option<Cracks> {
        find_cracks(mesh, &EdgeSides::of(mesh))
    }

    fn cube() -> TriangleMesh {
        block(Vec3::repeat(0.5), Resolution::Divisions(3)).unwrap()
    }

    #[test]
    fn what_is_closed_or_really_open_has_none() {
        let mut mesh = cube();
        assert_eq!(cracks(&mesh), None);
        mesh.triangles.truncate(60);
        assert_eq!(cracks(&mesh), None);
    }

    /// Triangles each with corners of their own, a micrometre off.
    #[test]
    fn shaken_triangles_are_apart_by_as_much_as_they_were_shaken() {
        let mut rng = SplitMix64::new(5);
        let whole = cube();
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        for corners in whole.corners() {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(corners.map(|corner| corner + 1e-6 * rng.unit_vector()));
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        let found = cracks(&mesh).expect("cracks");
        assert_eq!(found.corners, mesh.vertices.len());
        assert!((5e-7..2e-6).contains(&found.width), "{}", found.width);
        assert!(found.tolerance() >= 2.0 * found.width && found.tolerance() <= 4.0 * found.width);
        let welded = super::super::weld(&mesh, found.tolerance()).unwrap();
        assert!(welded.mesh.topology().unwrap().closed);
    }

    /// An edge with a vertex on one side only.
    #[test]
    fn a_vertex_on_the_edge_of_a_neighbour_is_a_crack_without_a_width() {
        let mut mesh = cube();
        let [a, b, c] = mesh.triangles[0];
        let middle = mesh.vertices.len() as u32;
        mesh.vertices.push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
        mesh.triangles[0] = [a, middle, c];
        mesh.triangles.push([middle, b, c]);
        let found = cracks(&mesh).expect("a crack");
        assert_eq!((found.corners, found.place), (1, mesh.vertices[middle as usize]));
        assert!(found.width < 1e-15);
    }
}

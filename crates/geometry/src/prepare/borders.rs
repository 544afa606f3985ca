use std::collections::BTreeMap;

use carom_math::Vec3;

use super::neighbours::Neighbours;
use crate::TriangleMesh;
use crate::mesh::Side;

/// Edges with a triangle on one side only, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// Vertices along it, in the direction in which the triangle at the first edge walks that edge; of equal positions the first. A
    /// loop does not name its first again.
    pub vertices: Vec<u32>,
    /// It comes back to where it begins. One that does not ends at an edge with more than two triangles.
    pub is_loop: bool,
    /// Length (m).
    pub length: f64,
}

impl Border {
    /// Greatest distance of two of its vertices (m), as far as it is not above `enough`.
    pub(super) fn size(&self, mesh: &TriangleMesh, enough: f64) -> f64 {
        let mut size = 0.0_f64;
        for (k, &v) in self.vertices.iter().enumerate() {
            let place = mesh.vertices[v as usize];
            for &w in &self.vertices[..k] {
                size = size.max((mesh.vertices[w as usize] - place).norm());
            }
            if size > enough {
                break;
            }
        }
        size
    }

    /// Its first vertex (m).
    pub fn place(&self, mesh: &TriangleMesh) -> Vec3 {
        mesh.vertices[self.vertices[0] as usize]
    }
}

/// All borders, in the order of their lowest edges. At a vertex with several, each goes on along the triangles that are connected there,
/// and one that comes to a vertex twice is two: no loop visits a vertex twice.
pub(super) fn find_borders(mesh: &TriangleMesh, neighbours: &Neighbours) -> Vec<Border> {
    let mut is_walked = vec![false; neighbours.edges().count()];
    let mut borders = Vec::new();
    for (edge, sides) in neighbours.edges().enumerate() {
        let [first] = sides else { continue };
        if is_walked[edge] {
            continue;
        }
        is_walked[edge] = true;
        let [from, to] = if first.forward { [first.low, first.high] } else { [first.high, first.low] };
        let mut vertices = vec![from];
        let is_loop = walk(neighbours, first, to, &mut is_walked, &mut vertices);
        if !is_loop {
            // What lies before its first edge.
            let mut before = vec![to];
            walk(neighbours, first, from, &mut is_walked, &mut before);
            before.reverse();
            before.pop();
            before.pop();
            before.extend(vertices);
            vertices = before;
        }
        if is_loop {
            borders.extend(simple_loops(vertices).into_iter().map(|vertices| measured(mesh, vertices, true)));
        } else {
            borders.push(measured(mesh, vertices, false));
        }
    }
    borders
}

fn measured(mesh: &TriangleMesh, vertices: Vec<u32>, is_loop: bool) -> Border {
    let place = |k: usize| mesh.vertices[vertices[k % vertices.len()] as usize];
    let steps = if is_loop { vertices.len() } else { vertices.len() - 1 };
    let length = (0..steps).map(|k| (place(k + 1) - place(k)).norm()).sum();
    Border { vertices, is_loop, length }
}

/// A loop without those that it makes on the way, and then those.
fn simple_loops(vertices: Vec<u32>) -> Vec<Vec<u32>> {
    let (mut path, mut loops): (Vec<u32>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    let mut place: BTreeMap<u32, usize> = BTreeMap::new();
    for v in vertices {
        if let Some(&first) = place.get(&v) {
            let inner = path.split_off(first);
            for w in &inner {
                place.remove(w);
            }
            loops.push(inner);
        }
        place.insert(v, path.len());
        path.push(v);
    }
    loops.insert(0, path);
    loops
}

/// Goes from border edge to border edge, `at` being the end of the first that lies ahead; true if it comes back to the first.
fn walk(
    neighbours: &Neighbours,
    first: &Side,
    mut at: u32,
    is_walked: &mut [bool],
    vertices: &mut Vec<u32>,
) -> bool {
    let mut side = *first;
    loop {
        let next = next_around(neighbours, &side, at);
        if let Some(next) = &next
            && (next.triangle, next.corner) == (first.triangle, first.corner)
        {
            return true;
        }
        vertices.push(at);
        let Some(next) = next else { return false };
        is_walked[neighbours.edge(next.triangle, usize::from(next.corner)) as usize] = true;
        at = if at == next.low { next.high } else { next.low };
        side = next;
    }
}

/// The border edge on the other side of the triangles around a vertex; none if an edge with more than two is between.
fn next_around(neighbours: &Neighbours, border: &Side, vertex: u32) -> Option<Side> {
    let mut side = *border;
    loop {
        let corner = Neighbours::corner_at(&side, vertex);
        // Of the two edges at the corner the one that it did not come by.
        let own = usize::from(side.corner);
        let other = if corner == own { (corner + 2) % 3 } else { corner };
        let sides = neighbours.at(neighbours.edge(side.triangle, other));
        match sides {
            [last] => return Some(*last),
            [one, two] => side = if one.triangle == side.triangle { *two } else { *one },
            _ => return None,
        }
    }
}

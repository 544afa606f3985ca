use super::flat::remove_flat;
use super::holes::fill_holes;
use super::twice::remove_copies;
use crate::TriangleMesh;
use crate::clearance::ClearanceTree;
use crate::mesh::{Component, MeshFault, Parts, weld};

/// What may be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions {
    /// Vertices up to this far apart become one, and triangles up to this height over their longest edge go (m, ≥ 0).
    pub tolerance: f64,
    /// Holes with no two corners farther apart are closed (m); none but cracks without a width if it is left out.
    pub largest_hole: Option<f64>,
}

/// A repaired mesh, and all that was done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The mesh. Where nothing had to be done it is the one that was given.
    pub mesh: TriangleMesh,
    /// Vertices that became one with an earlier one.
    pub merged_vertices: usize,
    /// Triangles that lost a corner by that, and flat ones without a neighbour across their longest edge: dropped.
    pub degenerate: usize,
    /// Flat triangles that were taken away by swapping their longest edge, those included that closed cracks.
    pub swapped: usize,
    /// Copies of triangles that were dropped.
    pub copies: usize,
    /// Triangles that lie on an earlier one the other way round and stayed: the other side of a sheet, or of a wall between solids.
    pub opposite: usize,
    /// Triangles that were turned because they were against their neighbours.
    pub flipped: usize,
    /// Parts that were turned as a whole because they were inside out. What lies within a part is turned with it: a cavity stays one.
    pub turned_parts: usize,
    /// Holes that were closed.
    pub filled_holes: usize,
    /// Triangles that closed them.
    pub filled_triangles: usize,
    /// Cracks without a width that were closed, as along an edge with a vertex on one side only.
    pub closed_cracks: usize,
    /// Borders that stay; they were not asked for, are too large, end at edges with more than two triangles, or have no triangles
    /// that fit.
    pub borders_left: usize,
}

impl Repaired {
    /// Nothing was done.
    pub fn is_unchanged(&self) -> bool {
        let done = [
            self.merged_vertices,
            self.degenerate,
            self.swapped,
            self.copies,
            self.flipped,
            self.turned_parts,
            self.filled_holes,
            self.closed_cracks,
        ];
        done.iter().all(|count| *count == 0)
    }
}

/// Repairs what can be repaired without a guess: vertices that should be one are, flat triangles and copies go, triangles are turned
/// until all agree and normals point outwards. Holes are closed on request. Surfaces that cross themselves and edges with more than
/// two triangles stay as they are ([`super::survey`] tells of them).
///
/// # Errors
/// [`MeshFault`] if the mesh is not usable as data, or nothing is left of it.
pub fn repair(mesh: &TriangleMesh, options: &RepairOptions) -> Result<Repaired, MeshFault> {
    let welded = weld(mesh, options.tolerance)?;
    let mut repaired = welded.mesh;
    let [swapped, dropped] = remove_flat(&mut repaired, options.tolerance);
    let [copies, opposite] = remove_copies(&mut repaired);
    repaired.validate()?;
    let (mut repaired, flipped, turned_parts) = turn(&repaired)?;
    let filling = fill_holes(&mut repaired, options.largest_hole.unwrap_or(0.0), options.tolerance);
    let (mut turned_parts, mut swapped) = (turned_parts, swapped);
    if filling.cracks > 0 {
        swapped += remove_flat(&mut repaired, options.tolerance)[0];
    }
    if filling.holes + filling.cracks > 0 {
        // Only now it is known where the outside of a part that was open is.
        let (closed, _, turned) = turn(&repaired)?;
        repaired = closed;
        turned_parts += turned;
    }
    Ok(Repaired {
        mesh: repaired,
        merged_vertices: welded.merged_vertices,
        degenerate: welded.dropped_triangles + dropped,
        swapped,
        copies,
        opposite,
        flipped,
        turned_parts,
        filled_holes: filling.holes,
        filled_triangles: filling.triangles,
        closed_cracks: filling.cracks,
        borders_left: filling.left,
    })
}

/// Turns triangles until those of each part agree, and whole parts until the outermost of those that lie within each other enclose a
/// positive volume. Returns the mesh, the number of triangles turned against their parts, and that of the parts.
fn turn(mesh: &TriangleMesh) -> Result<(TriangleMesh, usize, usize), MeshFault> {
    let components = mesh.components()?;
    let flipped = components.iter().map(|component| component.flipped).sum();
    let is_turned = find_inside_out(mesh, &components)?;
    let turned = is_turned.iter().filter(|is_turned| **is_turned).count();
    Ok((mesh.aligned_and_turned(|component| is_turned[component]), flipped, turned))
}

/// Which parts are to be turned.
fn find_inside_out(mesh: &TriangleMesh, components: &[Component]) -> Result<Vec<bool>, MeshFault> {
    let of_triangle = Parts::of(mesh).component;
    let outward = mesh.aligned(true)?;
    let part = |number: usize| {
        let own = outward.triangles.iter().zip(&of_triangle).filter(|(_, part)| **part == number);
        TriangleMesh {
            vertices: outward.vertices.clone(),
            triangles: own.map(|(corners, _)| *corners).collect(),
        }
    };
    let is_negative = |component: &Component| component.closed && component.signed_volume < 0.0;
    let closed: Vec<usize> = (0..components.len()).filter(|k| components[*k].closed).collect();
    if closed.len() < 2 {
        return Ok(components.iter().map(is_negative).collect());
    }
    let trees: Vec<Option<ClearanceTree>> =
        closed.iter().map(|&k| ClearanceTree::new(&part(k)).ok()).collect();
    let size = |k: usize| components[k].signed_volume.abs();
    let mut is_turned = vec![false; components.len()];
    for &k in &closed {
        let corner = mesh.triangle(components[k].first as u32)[0];
        let around = closed.iter().zip(&trees).filter(|(other, tree)| {
            **other != k && size(**other) > size(k) && tree.as_ref().is_some_and(|t| t.is_inside(&corner))
        });
        let outermost = around.map(|(other, _)| *other).fold(k, |a, b| if size(b) > size(a) { b } else { a });
        is_turned[k] = is_negative(&components[outermost]);
    }
    Ok(is_turned)
}

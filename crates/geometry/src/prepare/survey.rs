use super::borders::{Border, find_borders};
use super::crossings::{Crossings, find_crossings};
use super::fans::find_pinched;
use super::neighbours::Neighbours;
use crate::clearance::{ClearanceTree, Wall};
use crate::convex::{ConvexHull, NotConvex};
use crate::mesh::{
    Component, Findings, MeshFault, MeshTopology, SurfaceDiagnosis, find_representatives, is_flat,
};
use crate::{MassFault, MassProperties, TriangleMesh};

/// Height over the longest edge, relative to that edge, below which a triangle is a sliver.
const SLIVER: f64 = 0.01;

/// All that can be said of a mesh. Vertices at equal positions count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSurvey {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of different positions that triangles use.
    pub vertices: usize,
    /// Edges, borders, what is degenerate, bounding box, enclosed volume.
    pub topology: MeshTopology,
    /// Sharp edges, copies, triangles and parts that are turned.
    pub diagnosis: SurfaceDiagnosis,
    /// Parts.
    pub components: Vec<Component>,
    /// Borders, in the order of their lowest edges.
    pub borders: Vec<Border>,
    /// Vertices at which the surface hangs together in a point only.
    pub pinched: Findings<u32>,
    /// Triangles that are not degenerate and lower than a hundredth of their longest edge.
    pub slivers: Findings<usize>,
    /// Where the surface meets itself. None if there are too many pairs of near triangles to be asked.
    pub crossings: Option<Crossings>,
    /// Area of all triangles (m²).
    pub area: f64,
    /// Median length of the edges (m).
    pub median_edge: f64,
    /// Volume, centre and inertia of the interior for a density of 1 kg/m³, or why there is none.
    pub solid: Result<MassProperties, MassFault>,
    /// Whether it bounds a convex solid, or why not.
    pub convexity: Result<(), NotConvex>,
    /// Where the closed parts are thinnest between two sides that face away from each other.
    pub thinnest: Option<Wall>,
}

impl MeshSurvey {
    /// Nothing of it is for [`super::repair`] to mend.
    pub fn is_sound(&self) -> bool {
        let none = [
            self.topology.boundary.count,
            self.topology.non_manifold.count,
            self.topology.misoriented.count,
            self.topology.degenerate_triangles,
            self.diagnosis.duplicate.count,
            self.pinched.count,
        ];
        none.iter().all(|count| *count == 0)
            && self.crossings.as_ref().is_some_and(|crossings| crossings.count == 0)
            && self.solid.is_ok()
    }
}

/// Examines a mesh. It takes some microseconds a triangle and changes nothing.
///
/// # Errors
/// [`MeshFault`] if it is not usable as data.
pub fn survey(mesh: &TriangleMesh) -> Result<MeshSurvey, MeshFault> {
    let topology = mesh.topology()?;
    let diagnosis = mesh.diagnose()?;
    let neighbours = Neighbours::of(mesh);
    let tree = ClearanceTree::new(mesh).ok();
    let same = find_representatives(&mesh.vertices, 0.0);
    let mut is_used = vec![false; mesh.vertices.len()];
    for v in mesh.triangles.iter().flatten() {
        is_used[same[*v as usize] as usize] = true;
    }
    let slivers = mesh.corners().zip(0..).filter(|([a, b, c], _)| {
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        (b - a).cross(&(c - a)).norm() < SLIVER * longest && !is_flat(&[*a, *b, *c])
    });
    let extent = mesh.extent().norm();
    Ok(MeshSurvey {
        triangles: mesh.triangles.len(),
        vertices: is_used.iter().filter(|is_used| **is_used).count(),
        components: mesh.components()?,
        borders: find_borders(mesh, &neighbours),
        pinched: find_pinched(mesh, &neighbours),
        slivers: Findings::of(slivers.map(|(_, triangle)| triangle)),
        crossings: tree.as_ref().and_then(|tree| find_crossings(mesh, tree)),
        area: mesh.corners().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum(),
        median_edge: median_edge(mesh, &neighbours),
        solid: MassProperties::of_mesh(mesh, 1.0),
        convexity: ConvexHull::of_convex_mesh(mesh).map(drop),
        thinnest: tree.and_then(|tree| tree.thinnest_sheet(extent)),
        topology,
        diagnosis,
    })
}

/// The lower one of the two in the middle.
fn median_edge(mesh: &TriangleMesh, neighbours: &Neighbours) -> f64 {
    let length = |low: u32, high: u32| (mesh.vertices[high as usize] - mesh.vertices[low as usize]).norm();
    let mut lengths: Vec<f64> = neighbours.edges().map(|sides| length(sides[0].low, sides[0].high)).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

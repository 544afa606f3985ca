use super::subdivide;
use crate::TriangleMesh;
use crate::convex::ConvexHull;
use crate::shape::ShapeFault;

/// Surface of a convex hull, its triangles cut at the midpoints of their edges `subdivisions` times
/// ([`subdivide`]).
pub fn hull(hull: &ConvexHull, subdivisions: u32) -> Result<TriangleMesh, ShapeFault> {
    let triangles = hull.triangles().to_vec();
    subdivide(&TriangleMesh { vertices: hull.vertices().to_vec(), triangles }, subdivisions)
}

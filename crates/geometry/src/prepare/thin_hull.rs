use carom_math::Vec3;

use crate::TriangleMesh;
use crate::clearance::ClearanceTree;
use crate::convex::ConvexHull;

/// A hull of some of the vertices of `hull`, from which no point of it is farther than `error` (m): the vertices that are farthest in
/// the directions of the axes, then from round to round over each triangle the one that is farthest beyond it.
///
/// What is left out is distances from the hull that is made, not heights over its planes, so that nothing is lost at a sharp edge. The hull
/// itself where nothing can be left out.
pub fn thin_hull(hull: &ConvexHull, error: f64) -> ConvexHull {
    try_to_thin(hull, error)
        .filter(|thin| thin.vertices().len() < hull.vertices().len())
        .unwrap_or_else(|| hull.clone())
}

/// Nothing where a round has no hull: of very flat ones.
fn try_to_thin(hull: &ConvexHull, error: f64) -> Option<ConvexHull> {
    let vertices = hull.vertices();
    let mut is_kept = vec![false; vertices.len()];
    for direction in directions() {
        let reach = |k: &usize| vertices[*k].dot(&direction);
        let farthest = (0..vertices.len()).max_by(|a, b| reach(a).total_cmp(&reach(b)))?;
        is_kept[farthest] = true;
    }
    loop {
        let kept: Vec<Vec3> =
            vertices.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(v, _)| *v).collect();
        let thin = ConvexHull::of_points(&kept).ok()?;
        let surface =
            TriangleMesh { vertices: thin.vertices().to_vec(), triangles: thin.triangles().to_vec() };
        let tree = ClearanceTree::new(&surface).ok()?;
        let mut farthest = vec![(error, None); thin.triangles().len()];
        for (k, vertex) in vertices.iter().enumerate().filter(|(k, _)| !is_kept[*k]) {
            let (distance, triangle) = tree.nearest(vertex);
            let most = &mut farthest[triangle as usize];
            if distance > most.0 {
                *most = (distance, Some(k));
            }
        }
        let before = kept.len();
        farthest.iter().filter_map(|(_, k)| *k).for_each(|k| is_kept[k] = true);
        if is_kept.iter().filter(|kept| **kept).count() == before {
            return Some(thin);
        }
    }
}

/// The axes and the diagonals of a cube, both ways.
fn directions() -> impl Iterator<Item = Vec3> {
    let steps = || [-1.0, 0.0, 1.0].into_iter();
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))));
    all.filter(|d| *d != Vec3::zeros())
}

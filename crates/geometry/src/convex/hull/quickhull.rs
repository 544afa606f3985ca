use carom_math::Vec3;

use super::HullFault;
use crate::convex::triangle::side_of_triangle;

/// Thickness relative to the extent below which points count as lying in a plane: mass properties and normals
/// of thinner solids have no digits left.
const FLATTEST: f64 = 1e-10;

/// A triangle of the hull under construction.
struct Face {
    corners: [usize; 3],
    /// Face across the edge from corner k to corner k + 1.
    neighbours: [usize; 3],
    /// Points strictly above it that no other face has.
    outside: Vec<usize>,
    alive: bool,
}

/// Hull under construction.
struct Hull<'a> {
    points: &'a [Vec3],
    faces: Vec<Face>,
}

/// Triangles of the convex hull, as indices of points, counter-clockwise seen from outside.
pub(super) fn find_triangles(points: &[Vec3]) -> Result<Vec<[usize; 3]>, HullFault> {
    let tetrahedron = find_tetrahedron(points)?;
    let mut hull = Hull { points, faces: Vec::new() };
    hull.start(tetrahedron);
    // Faces are appended, so that a single pass meets every face that is ever alive.
    let mut current = 0;
    while current < hull.faces.len() {
        if hull.faces[current].alive && !hull.faces[current].outside.is_empty() {
            hull.add_farthest(current);
        }
        current += 1;
    }
    Ok(hull.faces.iter().filter(|face| face.alive).map(|face| face.corners).collect())
}

/// Four points that span a volume, positively oriented: the extremes along the longest axis, the point farthest
/// from their line, the point farthest from that plane.
fn find_tetrahedron(points: &[Vec3]) -> Result<[usize; 4], HullFault> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, point) in points.iter().enumerate() {
            let value = measure(point);
            if value > best.1 {
                best = (index, value);
            }
        }
        best
    };
    let spans = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| {
        let (low, high) = (farthest(&|p| -p.dot(&axis)), farthest(&|p| p.dot(&axis)));
        (low.0, high.0, high.1 + low.1)
    });
    let mut longest = spans[0];
    for span in &spans[1..] {
        if span.2 > longest.2 {
            longest = *span;
        }
    }
    let (a, b, extent) = longest;
    let along = points[b] - points[a];
    let (c, _) = farthest(&|p| along.cross(&(p - points[a])).norm_squared());
    let normal = along.cross(&(points[c] - points[a]));
    let (d, _) = farthest(&|p| normal.dot(&(p - points[a])).abs());
    let size = normal.norm();
    let thickness = if size > 0.0 { normal.dot(&(points[d] - points[a])).abs() / size } else { 0.0 };
    if thickness <= FLATTEST * extent {
        return Err(HullFault::Flat { thickness, extent });
    }
    Ok(if is_above(points, [a, b, c], d) { [a, c, b, d] } else { [a, b, c, d] })
}

/// Exact: the point lies strictly on the outer side of the triangle.
fn is_above(points: &[Vec3], [a, b, c]: [usize; 3], p: usize) -> bool {
    side_of_triangle([a, b, c].map(|k| &points[k]), &points[p]) > 0.0
}

impl Hull<'_> {
    /// The point d lies below the triangle a, b, c.
    fn start(&mut self, [a, b, c, d]: [usize; 4]) {
        let faces =
            [([a, b, c], [3, 1, 2]), ([c, b, d], [0, 3, 2]), ([a, c, d], [0, 1, 3]), ([b, a, d], [0, 2, 1])];
        for (corners, neighbours) in faces {
            self.faces.push(Face { corners, neighbours, outside: Vec::new(), alive: true });
        }
        let all = (0..self.points.len()).collect();
        self.distribute(all, 0);
    }

    /// Gives each point to the first face from `first` on that it is above; points above none are inside.
    fn distribute(&mut self, orphans: Vec<usize>, first: usize) {
        for point in orphans {
            let corners = |face: &Face| face.corners;
            if let Some(face) =
                (first..self.faces.len()).find(|&f| is_above(self.points, corners(&self.faces[f]), point))
            {
                self.faces[face].outside.push(point);
            }
        }
    }

    fn add_farthest(&mut self, face: usize) {
        let [a, b, c] = self.faces[face].corners.map(|k| self.points[k]);
        let normal = (b - a).cross(&(c - a));
        let height = |point: usize| normal.dot(&(self.points[point] - a));
        let outside = &self.faces[face].outside;
        let apex =
            outside[1..].iter().fold(outside[0], |best, &p| if height(p) > height(best) { p } else { best });
        let mut horizon = Vec::new();
        let mut orphans = Vec::new();
        self.remove_visible(face, apex, &mut horizon, &mut orphans);
        orphans.retain(|&p| p != apex);
        let first = self.faces.len();
        let count = horizon.len();
        for (k, &(from, to, beyond)) in horizon.iter().enumerate() {
            let neighbours = [beyond, first + (k + 1) % count, first + (k + count - 1) % count];
            self.faces.push(Face { corners: [from, to, apex], neighbours, outside: Vec::new(), alive: true });
            let corners = self.faces[beyond].corners;
            let edge = (0..3).find(|&e| corners[e] == to && corners[(e + 1) % 3] == from);
            self.faces[beyond].neighbours[edge.expect("neighbours share an edge")] = first + k;
        }
        self.distribute(orphans, first);
    }

    /// Kills the faces that see the apex, walking around them so that the horizon comes out as a loop of
    /// edges (from, to, face beyond), counter-clockwise.
    fn remove_visible(
        &mut self,
        start: usize,
        apex: usize,
        horizon: &mut Vec<(usize, usize, usize)>,
        orphans: &mut Vec<usize>,
    ) {
        // Depth first, each face entered across its edge `entry`: (face, entry, edges done).
        let mut stack = vec![(start, 0, 0)];
        self.kill(start, orphans);
        while let Some((face, entry, done)) = stack.pop() {
            if done == 3 {
                continue;
            }
            stack.push((face, entry, done + 1));
            let edge = (entry + done) % 3;
            let beyond = self.faces[face].neighbours[edge];
            if !self.faces[beyond].alive {
                continue;
            }
            let corners = self.faces[face].corners;
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            if is_above(self.points, self.faces[beyond].corners, apex) {
                let others = self.faces[beyond].corners;
                let back = (0..3).find(|&e| others[e] == to && others[(e + 1) % 3] == from);
                self.kill(beyond, orphans);
                stack.push((beyond, back.expect("neighbours share an edge"), 0));
            } else {
                horizon.push((from, to, beyond));
            }
        }
    }

    fn kill(&mut self, face: usize, orphans: &mut Vec<usize>) {
        self.faces[face].alive = false;
        orphans.append(&mut self.faces[face].outside);
    }
}

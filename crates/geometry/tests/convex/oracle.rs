//! Distance and depth of polytopes by brute force over all features.

use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_math::Vec3;

use crate::kit::Scene;

/// Triangles and edges of a solid's core in world axes.
pub(crate) struct Mesh {
    vertices: Vec<Vec3>,
    /// The vertices in the core's frame.
    pub(crate) local: Vec<Vec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
    pub(crate) edges: Vec<[usize; 2]>,
}

pub(crate) fn mesh(shape: &ConvexShape, x: &carom_math::Pose) -> Mesh {
    let hull = match &shape.core {
        Core::Box { half } => {
            let corner = |k: usize| {
                let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)))
            };
            ConvexHull::of_points(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
        }
        Core::Hull(hull) => ConvexHull::clone(hull),
        other => panic!("not a polytope: {other:?}"),
    };
    let triangles: Vec<[usize; 3]> = hull.triangles().iter().map(|t| t.map(|k| k as usize)).collect();
    let mut edges: Vec<[usize; 2]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).filter(|[a, b]| a < b).collect();
    edges.sort();
    let vertices = hull.vertices().iter().map(|v| x.transform_point(v)).collect();
    Mesh { vertices, local: hull.vertices().to_vec(), triangles, edges }
}

/// Signed distance: the largest separation over all face normals and cross products of edges if positive
/// nowhere, else the least distance over all vertex–face and edge–edge pairs.
pub(crate) fn brute_force(scene: &Scene) -> f64 {
    let (a, b) = (mesh(&scene.a, &scene.x_wa), mesh(&scene.b, &scene.x_wb));
    let radii = scene.a.radius + scene.b.radius;
    let deepest = separating_axis(&a, &b);
    if deepest <= 0.0 {
        return deepest - radii;
    }
    let mut least = f64::INFINITY;
    for (from, to) in [(&a, &b), (&b, &a)] {
        for vertex in &from.vertices {
            for triangle in &to.triangles {
                let corners = triangle.map(|k| to.vertices[k]);
                least = least.min(point_triangle(vertex, &corners));
            }
        }
    }
    for &[i, j] in &a.edges {
        for &[k, l] in &b.edges {
            least =
                least.min(segment_segment(&a.vertices[i], &a.vertices[j], &b.vertices[k], &b.vertices[l]));
        }
    }
    least - radii
}

fn separating_axis(a: &Mesh, b: &Mesh) -> f64 {
    let separation = |n: &Vec3| {
        let reach = |mesh: &Mesh, s: f64| {
            mesh.vertices.iter().map(|v| s * n.dot(v)).fold(f64::NEG_INFINITY, f64::max)
        };
        -reach(b, -1.0) - reach(a, 1.0)
    };
    let mut best = f64::NEG_INFINITY;
    let mut try_axis = |v: Vec3| {
        // However few digits nearly parallel edges leave of it: each direction bounds the separation from below.
        if v.norm() > 0.0 {
            let n = v.normalize();
            best = best.max(separation(&n)).max(separation(&-n));
        }
    };
    for mesh in [a, b] {
        for t in &mesh.triangles {
            let [p, q, r] = t.map(|k| mesh.vertices[k]);
            try_axis((q - p).cross(&(r - p)));
        }
    }
    for &[i, j] in &a.edges {
        for &[k, l] in &b.edges {
            try_axis((a.vertices[j] - a.vertices[i]).cross(&(b.vertices[l] - b.vertices[k])));
        }
    }
    best
}

fn point_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let inside = [(a, b), (b, c), (c, a)].iter().all(|(u, v)| n.dot(&(*v - *u).cross(&(p - *u))) >= 0.0);
    if inside {
        return (n.dot(&(p - a)) / n.norm()).abs();
    }
    [(a, b), (b, c), (c, a)].iter().map(|(u, v)| segment_segment(p, p, u, v)).fold(f64::INFINITY, f64::min)
}

/// Both segments may be points.
fn segment_segment(p: &Vec3, q: &Vec3, r: &Vec3, s: &Vec3) -> f64 {
    let foot = |x: &Vec3, a: &Vec3, b: &Vec3| {
        let d = b - a;
        let t =
            if d.norm_squared() > 0.0 { ((x - a).dot(&d) / d.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
        (x - (a + t * d)).norm()
    };
    let mut least = foot(p, r, s).min(foot(q, r, s)).min(foot(r, p, q)).min(foot(s, p, q));
    let (u, v, w) = (q - p, s - r, r - p);
    let n = u.cross(&v);
    let squared = n.norm_squared();
    if squared > 1e-20 {
        let t = w.cross(&v).dot(&n) / squared;
        let z = w.cross(&u).dot(&n) / squared;
        if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&z) {
            least = least.min((w + z * v - t * u).norm());
        }
    }
    least
}

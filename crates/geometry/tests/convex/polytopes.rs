//! Distance and depth of polytopes against brute force over all features.

use carom_geometry::convex::{ConvexCache, ConvexHull, ConvexShape, Core};
use carom_math::{Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{POLYTOPES, Scene, random_scene};

/// Triangles and edges of a solid's core in world axes.
struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[usize; 3]>,
    edges: Vec<[usize; 2]>,
}

fn mesh(shape: &ConvexShape, x: &carom_math::Pose) -> Mesh {
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
    Mesh { vertices: hull.vertices().iter().map(|v| x.transform_point(v)).collect(), triangles, edges }
}

/// Signed distance: the largest separation over all face normals and cross products of edges if positive
/// nowhere, else the least distance over all vertex–face and edge–edge pairs.
fn brute_force(scene: &Scene) -> f64 {
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
        if v.norm() > 1e-9 {
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

fn check(scene: &Scene, tolerance: f64) {
    let contact = scene.contact();
    let expected = brute_force(scene);
    assert!(
        (contact.gap - expected).abs() < tolerance,
        "{} for {expected}, off by {:e}: {scene:?}",
        contact.gap,
        contact.gap - expected
    );
    assert!((contact.normal.norm() - 1.0).abs() < 1e-14);
    // The normal separates as well as the gap says. The direction of a core distance d is uncertain by ε/d.
    let core_distance = contact.gap + scene.a.radius + scene.b.radius;
    let uncertain = if core_distance > 0.0 { 4e-15 / core_distance } else { 0.0 };
    let separation = scene.separation(&contact.normal);
    assert!((separation - contact.gap).abs() < tolerance + uncertain, "{separation} {contact:?} {scene:?}");
}

#[test]
fn random_pairs_apart_shallow_and_deep() {
    let mut rng = SplitMix64::new(21);
    for a in POLYTOPES {
        for b in POLYTOPES {
            for round in 0..120 {
                let scene = random_scene(a, b, &mut rng);
                let wanted = match round % 4 {
                    0 => rng.uniform(0.0, 0.5),
                    1 => 10f64.powf(rng.uniform(-13.0, -2.0)),
                    2 => -(10f64.powf(rng.uniform(-13.0, -2.0))),
                    _ => rng.uniform(-0.3, 0.0),
                };
                // A few roundings of lengths of 3 m; separations of slivers cost another digit.
                check(&scene.clone().at_gap(wanted), 1e-13);
                check(&scene, 1e-13);
            }
        }
    }
}

#[test]
fn aligned_boxes_touch_along_faces_edges_and_corners() {
    let half = Vec3::new(0.3, 0.2, 0.1);
    let block = || ConvexShape::sharp(Core::Box { half });
    for turn in [0.0, 0.3, 1e-9, std::f64::consts::FRAC_PI_2] {
        for shift in [
            Vec3::new(0.6, 0.0, 0.0),
            Vec3::new(0.6, 0.4, 0.0),
            Vec3::new(0.6, 0.4, 0.2),
            Vec3::new(0.1, 0.05, 0.2),
            Vec3::new(0.0, 0.0, 0.2 - 1e-6),
            Vec3::zeros(),
        ] {
            let rotation = Quaternion::from_axis_angle(&Vec3::z(), turn).to_matrix();
            let pose = |translation| carom_math::Pose { rotation: carom_math::Mat3::identity(), translation };
            let mut scene = Scene { a: block(), b: block(), x_wa: pose(Vec3::zeros()), x_wb: pose(shift) };
            scene.x_wb.rotation = rotation;
            check(&scene, 1e-13);
        }
    }
}

#[test]
fn warm_starts_change_nothing_but_rounding() {
    let mut rng = SplitMix64::new(22);
    for a in POLYTOPES {
        for b in POLYTOPES {
            for _ in 0..60 {
                let gap = rng.uniform(-0.05, 0.05);
                let mut scene = random_scene(a, b, &mut rng).at_gap(gap);
                let mut cache = ConvexCache::COLD;
                for _ in 0..10 {
                    let warm = scene.contact_from(&cache);
                    cache = warm.cache;
                    assert!((warm.point.gap - scene.contact().gap).abs() < 1e-13, "{scene:?}");
                    scene.x_wb.translation += rng.vector_in_cube(0.02);
                    let turn = Quaternion::from_axis_angle(&rng.unit_vector(), 0.02).to_matrix();
                    scene.x_wb.rotation = turn * scene.x_wb.rotation;
                }
            }
        }
    }
}

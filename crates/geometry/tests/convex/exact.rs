//! Distance of polytopes apart with twice the digits, over all pairs of features.

use carom_geometry::convex::ConvexShape;
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::{DoubleDouble, SplitMix64};

use crate::kit::{Scene, random_shape};
use crate::oracle::{Mesh, mesh};

type Wide = [DoubleDouble; 3];

fn wide(v: &Vec3) -> Wide {
    [v.x, v.y, v.z].map(DoubleDouble::from)
}

fn sub(a: &Wide, b: &Wide) -> Wide {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: &Wide, b: &Wide) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Wide, b: &Wide) -> Wide {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn along(a: &Wide, t: DoubleDouble, d: &Wide) -> Wide {
    [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]]
}

fn place(x: &Pose, v: &Vec3) -> Wide {
    let v = wide(v);
    let row = |i: usize| wide(&x.rotation.row(i).transpose());
    let moved = [dot(&row(0), &v), dot(&row(1), &v), dot(&row(2), &v)];
    along(&moved, DoubleDouble::from(1.0), &wide(&x.translation))
}

/// Squared distance of a point from a segment.
fn point_segment(p: &Wide, a: &Wide, b: &Wide) -> DoubleDouble {
    let d = sub(b, a);
    let (zero, one) = (DoubleDouble::ZERO, DoubleDouble::from(1.0));
    let t = (dot(&sub(p, a), &d) / dot(&d, &d)).clamp(zero, one);
    let off = sub(p, &along(a, t, &d));
    dot(&off, &off)
}

/// Squared distance of two lines that cross within both segments.
fn crossing(p: &Wide, q: &Wide, r: &Wide, s: &Wide) -> Option<DoubleDouble> {
    let (u, v, w) = (sub(q, p), sub(s, r), sub(r, p));
    let n = cross(&u, &v);
    let squared = dot(&n, &n);
    // Parallel to the last of the digits: ends and feet have the distance.
    if squared.to_f64() <= 1e-50 {
        return None;
    }
    let t = dot(&cross(&w, &v), &n) / squared;
    let z = dot(&cross(&w, &u), &n) / squared;
    let within = |x: DoubleDouble| (0.0..=1.0).contains(&x.to_f64());
    let height = dot(&w, &n);
    (within(t) && within(z)).then(|| height * height / squared)
}

/// Squared distance of a point from a triangle's plane, if its foot is within.
fn point_triangle(p: &Wide, [a, b, c]: [&Wide; 3]) -> Option<DoubleDouble> {
    let n = cross(&sub(b, a), &sub(c, a));
    let inside = [(a, b), (b, c), (c, a)]
        .into_iter()
        .all(|(u, v)| dot(&n, &cross(&sub(v, u), &sub(p, u))).to_f64() >= 0.0);
    let height = dot(&n, &sub(p, a));
    inside.then(|| height * height / dot(&n, &n))
}

/// Distance of cores that are apart (m).
fn distance(scene: &Scene) -> f64 {
    let at = |mesh: &Mesh, x: &Pose| -> Vec<Wide> { mesh.local.iter().map(|v| place(x, v)).collect() };
    let (a, b) = (mesh(&scene.a, &scene.x_wa), mesh(&scene.b, &scene.x_wb));
    let (of_a, of_b) = (at(&a, &scene.x_wa), at(&b, &scene.x_wb));
    let mut least = DoubleDouble::from(f64::MAX);
    for (points, edges, mesh) in [(&of_a, &of_b, &b), (&of_b, &of_a, &a)] {
        for p in points {
            for t in &mesh.triangles {
                least = point_triangle(p, t.map(|k| &edges[k])).map_or(least, |d| least.min(d));
            }
            for e in &mesh.edges {
                least = least.min(point_segment(p, &edges[e[0]], &edges[e[1]]));
            }
        }
    }
    for &[i, j] in &a.edges {
        for &[k, l] in &b.edges {
            least = crossing(&of_a[i], &of_a[j], &of_b[k], &of_b[l]).map_or(least, |d| least.min(d));
        }
    }
    least.sqrt().to_f64()
}

/// Some 1 m large: turned by right angles, with a tilt that is none, rounding, or small.
fn nearly_aligned(a: ConvexShape, b: ConvexShape, rng: &mut SplitMix64) -> Scene {
    let base = rng.rotation().to_matrix();
    let tilt = if rng.index(8) == 0 { 0.0 } else { 10f64.powf(rng.uniform(-17.0, -1.0)) };
    let axis = if rng.index(2) == 0 { rng.unit_vector() } else { Vec3::ith(rng.index(3), 1.0) };
    let turn = Quaternion::from_axis_angle(&axis, tilt).to_matrix();
    let x_wa = Pose { rotation: base, translation: rng.vector_in_cube(1.0) };
    let mut coordinate = || match rng.index(3) {
        0 => 10f64.powf(rng.uniform(-17.0, -2.0)),
        _ => rng.uniform(-2.0, 2.0),
    };
    let offset = Vec3::new(coordinate(), coordinate(), coordinate());
    let x_wb = Pose { rotation: base * turn, translation: x_wa.translation + base * offset };
    Scene { a, b, x_wa, x_wb }
}

#[test]
fn distances_of_nearly_aligned_polytopes_have_all_their_digits() {
    let mut rng = SplitMix64::new(91);
    for round in 0..600 {
        let names = [["box", "box"], ["box", "hull"], ["hull", "hull"]][round % 3];
        let [a, b] = names.map(|name| random_shape(name, &mut rng));
        // The same hull twice has parallel faces and edges.
        let b = if names == ["hull", "hull"] { a.clone() } else { b };
        let mut scene = nearly_aligned(a, b, &mut rng);
        if round % 2 == 0 {
            let gap = 10f64.powf(rng.uniform(-9.0, -0.5));
            scene = scene.at_gap(gap);
        }
        let contact = scene.contact();
        if contact.gap > 1e-12 {
            let error = contact.gap - distance(&scene);
            assert!(error.abs() < 1e-13, "{error:e}, gap {:e}: {scene:?}", contact.gap);
        }
    }
}

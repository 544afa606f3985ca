//! Shares of places beside edges are continuous functions of the place.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::Sharpness;
use carom_geometry::polygonal::{EdgeZones, MarkedEdges};
use carom_geometry::surface::{Resolution, cylinder, subdivide};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::meshes;

/// Over the width of a zone in depths that are to be felt.
const WIDTH: f64 = 24.0;

fn sharp_and_bent(mesh: &TriangleMesh, depth: f64) -> [EdgeZones; 2] {
    let sharpness = Sharpness::of(mesh);
    [MarkedEdges::sharp, MarkedEdges::bends].map(|mark| mark(mesh, &sharpness).zones(mesh, depth))
}

/// From 1 to 0 between the width and twice that.
fn ramp(distance: f64, width: f64) -> f64 {
    let x = (2.0 - distance / width).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The face z = `half` of a cube knows its four edges wherever it is cut: along a path over its diagonals a share changes by no more than
/// 1.5 over the width a metre, and is that of the distance from the face's border.
#[test]
fn shares_are_continuous_over_the_cuts_of_a_face() {
    let (half, depth) = (0.5, 2e-3);
    let width = WIDTH * depth;
    let mut rng = SplitMix64::new(464);
    for divisions in [1, 3, 8] {
        let mesh = meshes::block(Vec3::repeat(half), divisions, 0.0);
        let zones = sharp_and_bent(&mesh, depth);
        let is_top = |index: &u32| mesh.triangle(*index).iter().all(|p| (p.z - half).abs() < 1e-12);
        let top: Vec<u32> = (0..mesh.triangles.len() as u32).filter(is_top).collect();
        let holds = |index: u32, p: &Vec3| {
            let [a, b, c] = mesh.triangle(index);
            [(a, b), (b, c), (c, a)].iter().all(|(u, v)| (v - u).cross(&(p - u)).z >= -1e-12)
        };
        let mut ramps = 0;
        for _ in 0..40 {
            let mut end = || Vec3::new(rng.uniform(-half, half), rng.uniform(-half, half), half);
            let ends = [end(), end()];
            let step = (ends[1] - ends[0]) / 500.0;
            let mut last = [f64::NAN; 2];
            for k in 0..=500 {
                let p = ends[0] + step * f64::from(k);
                let triangle = *top.iter().find(|index| holds(**index, &p)).expect("the face is covered");
                let shares = zones.each_ref().map(|zones| zones.share(triangle, &p));
                let known = ramp((half - p.x.abs()).min(half - p.y.abs()), width);
                for (share, last) in shares.iter().zip(last) {
                    let jump = (share - last).abs();
                    assert!(k == 0 || jump <= 1.5 / width * step.norm() + 1e-12, "{divisions} {p:?}: {jump}");
                    assert!((share - known).abs() < 1e-12, "{divisions} {p:?}: {share} {known}");
                }
                last = shares;
                ramps += usize::from(known > 0.0 && known < 1.0);
            }
        }
        assert!(ramps > 2000, "{ramps}");
    }
}

/// Places nearer than a share's radius have that share in every bit, and radii reach to where shares change.
#[test]
fn shares_are_the_same_within_their_radius() {
    let (half, depth) = (0.5, 2e-3);
    let mut rng = SplitMix64::new(20);
    let mesh = meshes::block(Vec3::repeat(half), 3, 0.0);
    let [zones, _] = sharp_and_bent(&mesh, depth);
    let mut steady = [0; 2];
    for _ in 0..4000 {
        let index = rng.index(mesh.triangles.len()) as u32;
        let [a, b, c] = mesh.triangle(index);
        let mut place = || {
            let (u, v) = (rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0));
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            a + u * (b - a) + v * (c - a)
        };
        let p = place();
        let around = zones.share_around(index, &p);
        for _ in 0..8 {
            let way = place() - p;
            if around.radius <= 0.0 || way.norm() == 0.0 {
                continue;
            }
            let q = p + way * (0.999_999 * around.radius / way.norm()).min(1.0);
            assert_eq!(zones.share(index, &q).to_bits(), around.share.to_bits(), "{index} {p:?} {q:?}");
            steady[usize::from(around.share > 0.0)] += 1;
        }
        let changes = around.share > 0.0 && around.share < 1.0;
        assert!(changes == (around.radius == 0.0), "{around:?}");
    }
    assert!(steady.iter().all(|count| *count > 2000), "{steady:?}");
}

/// Triangles that have an edge in common give the same shares to its places, on flat and on curved surfaces, cut well or badly.
#[test]
fn neighbours_agree_on_their_common_edge() {
    let mut rng = SplitMix64::new(13);
    let block = meshes::block(Vec3::new(0.3, 0.2, 0.1), 3, 0.0);
    let rod = cylinder(0.2, 0.5, Resolution::Divisions(24)).unwrap();
    let fine = subdivide(&rod, 1).unwrap();
    for (name, mesh) in [("block", &block), ("rod", &rod), ("fine", &fine)] {
        let (mut edges, mut ramps) = (0, 0);
        for zones in sharp_and_bent(mesh, 1e-3) {
            for a in 0..mesh.triangles.len() as u32 {
                for b in 0..a {
                    let [one, other] = [a, b].map(|k| mesh.triangle(k));
                    let common: Vec<Vec3> = one.into_iter().filter(|p| other.contains(p)).collect();
                    let &[from, to] = &common[..] else { continue };
                    edges += 1;
                    for _ in 0..5 {
                        let p = from + (to - from) * rng.uniform(0.0, 1.0);
                        let [share, beyond] = [a, b].map(|k| zones.share(k, &p));
                        assert!((share - beyond).abs() < 1e-9, "{name} {a} {b} {p:?}: {share} {beyond}");
                        ramps += usize::from(share > 0.0 && share < 1.0);
                    }
                }
            }
        }
        assert!(edges > 100 && ramps > 30, "{name}: {edges} {ramps}");
    }
}

/// A fan of so many triangles that each would know thousands of edges: zones are narrower there, and as continuous.
#[test]
fn zones_of_faces_with_too_many_edges_are_narrower() {
    let (count, radius) = (3000_u32, 0.1);
    let rim = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
    };
    let mut mesh = TriangleMesh { vertices: (0..count).map(rim).collect(), triangles: Vec::new() };
    mesh.vertices.push(Vec3::zeros());
    mesh.triangles.extend((0..count).map(|k| [count, k, (k + 1) % count]));
    let depth = 0.1 * radius;
    let [zones, _] = sharp_and_bent(&mesh, depth);
    let share = |triangle: u32, at: f64| zones.share(triangle, &(rim(triangle) * at));
    assert!(share(0, 1.0) == 1.0 && share(0, 0.0) < 1.0, "{}", share(0, 0.0));
    let mut ramps = 0;
    for k in 1..count {
        for at in [0.2, 0.5, 0.8, 0.95] {
            let [one, other] = [k, k - 1].map(|triangle| zones.share(triangle, &(rim(k) * at)));
            assert!((one - other).abs() < 1e-12, "{k} {at}: {one} {other}");
            ramps += usize::from(one > 0.0 && one < 1.0);
        }
    }
    assert!(ramps > 100, "{ramps}");
}

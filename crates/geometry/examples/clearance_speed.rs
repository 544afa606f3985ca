//! Times of searches for clearance: `cargo run --release -p carom-geometry --example clearance_speed`.
//!
//! Each line: two surfaces a gap apart; the separation anew and with the last nearest triangles for a hint (poses that move by
//! little between), with infinity and with half of the gap for enough; then the test for touch.
#![allow(missing_docs, clippy::print_stdout)]

use std::time::Instant;

use carom_geometry::TriangleMesh;
use carom_geometry::clearance::{ClearanceTree, ClearanceWorkspace, separation, touching};
use carom_geometry::surface::{Foot, Resolution, Terrain, foot, sphere, terrain, torus};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

const RUNS: usize = 9;

fn main() {
    let ring = torus(1.0, 0.3, Resolution::Facets(4096)).unwrap();
    let ball = sphere(1.0, Resolution::Facets(500)).unwrap();
    let hills = Terrain { size: 20.0, relief: 1.0, hurst: 0.8, seed: 1, levels: 8 };
    let ground = terrain(&hills).unwrap();
    let sole = Foot { length: 0.3, width: 0.15, height: 0.05, chamfer: 0.005 };
    let sole = foot(&sole, Resolution::Facets(4000)).unwrap();
    println!("us a search: gap (m), anew, warm, half anew, half warm, touch; boxes opened anew and warm");
    time_scene("torus 4096 / sphere 500", &ring, &ball, Vec3::new(0.1, 0.0, 1.0));
    time_scene("terrain 131072 / foot 4000", &ground, &sole, Vec3::new(10.0, 10.0, 2.0));
    let fine = torus(1.0, 0.3, Resolution::Facets(1_000_000)).unwrap();
    let pairs: Vec<[Vec3; 3]> = ring.corners().take(200).collect();
    let mut sum = 0.0;
    let start = Instant::now();
    for t in &pairs {
        for u in &pairs {
            sum += carom_geometry::clearance::triangle_separation(t, u).distance;
        }
    }
    println!(
        "two triangles: {:.3} us ({sum})",
        start.elapsed().as_secs_f64() * 1e6 / pairs.len().pow(2) as f64
    );
    let start = Instant::now();
    let tree = ClearanceTree::new(&fine).unwrap();
    println!("tree of {} triangles: {:.2} s", tree.triangles(), start.elapsed().as_secs_f64());
}

fn time_scene(name: &str, a: &TriangleMesh, b: &TriangleMesh, above: Vec3) {
    let trees = [a, b].map(|mesh| ClearanceTree::new(mesh).unwrap());
    for gap in [0.001, 0.1, 1.0] {
        let start = lower(&trees, above, gap);
        let mut rng = SplitMix64::new(3);
        // A walk with steps of a hundredth of the gap.
        let mut poses = Vec::new();
        let (mut shift, mut turn) = (Vec3::zeros(), Vec3::zeros());
        for _ in 0..200 {
            shift += 0.01 * gap * rng.vector_in_cube(0.5);
            turn += 0.01 * gap * rng.vector_in_cube(0.5);
            let rotation = Quaternion::from_rotation_vector(&turn).to_matrix();
            poses.push(Pose { rotation: rotation * start.rotation, translation: start.translation + shift });
        }
        let mut workspace = ClearanceWorkspace::new();
        let mut visits = [(0, 0); 2];
        let mut time = |share: f64, is_warm: bool| {
            let before = (workspace.visits(), workspace.pairs());
            let enough = if share < 1.0 { share * gap } else { f64::INFINITY };
            let us = least(&poses, |pose, hint| {
                let hint = hint.filter(|_| is_warm);
                let found = separation(&trees[0], &trees[1], pose, enough, hint, &mut workspace);
                found.nearest.map(|n| n.triangles).or(hint)
            });
            let mean = |count: u64| count / (RUNS * poses.len()) as u64;
            visits[usize::from(is_warm)] =
                (mean(workspace.visits() - before.0), mean(workspace.pairs() - before.1));
            us
        };
        let half = [time(0.5, false), time(0.5, true)];
        let all = [time(1.0, false), time(1.0, true)];
        let touch = least(&poses, |pose, _| touching(&trees[0], &trees[1], pose, None, &mut workspace));
        println!(
            "{name}: {gap}: {:.2} {:.2} {:.2} {:.2} {touch:.2}; {visits:?}",
            all[0], all[1], half[0], half[1]
        );
    }
}

/// Mean over poses of the least time of several runs (us), which do the same.
fn least(poses: &[Pose], mut find: impl FnMut(&Pose, Option<[u32; 2]>) -> Option<[u32; 2]>) -> f64 {
    let mut least = vec![f64::INFINITY; poses.len()];
    for _ in 0..RUNS {
        let mut hint = None;
        for (k, pose) in poses.iter().enumerate() {
            let start = Instant::now();
            hint = find(pose, hint);
            least[k] = least[k].min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    least.iter().sum::<f64>() / poses.len() as f64
}

/// The pose straight below `above` with that gap.
fn lower(trees: &[ClearanceTree; 2], above: Vec3, gap: f64) -> Pose {
    let mut workspace = ClearanceWorkspace::new();
    let mut pose = Pose::from_translation(above + 3.0 * Vec3::z());
    for _ in 0..200 {
        let found = separation(&trees[0], &trees[1], &pose, f64::INFINITY, None, &mut workspace);
        pose.translation.z -= found.distance - gap;
    }
    pose
}

//! Times of the search for regions: `cargo run --release -p carom-geometry --example region_speed`.
//!
//! Each line: a pair of surfaces at poses that move by small steps (coherent), by those between the stages of an integrator (stages),
//! and by large ones (cold: lists are made each time). `region_speed NAME ROUNDS` takes the pairs with NAME in their names and that many rounds over their poses, of which the fastest
//! counts: one round under callgrind gives instructions, which a busy machine does not change.
#![allow(missing_docs, clippy::print_stdout)]

#[path = "../tests/polygonal/meshes.rs"]
#[allow(dead_code)]
mod meshes;

use std::time::Instant;

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{MeshSurface, RegionSearch};
use carom_geometry::surface::{self, Foot, Gear, Resolution, Terrain};
use carom_math::{Pose, Quaternion, Vec3};

fn time(name: &str, a: &TriangleMesh, b: &TriangleMesh, pose: &Pose, step: f64, turn: f64) {
    let mut args = std::env::args().skip(1);
    if args.next().is_some_and(|wanted| !name.contains(&wanted)) {
        return;
    }
    let rounds: u64 = args.next().map_or(20, |rounds| rounds.parse().expect("a number of rounds"));
    let (a, b) = (MeshSurface::new(a).unwrap(), MeshSurface::new(b).unwrap());
    let mut search = RegionSearch::new(&a, &b);
    let poses: Vec<Pose> = (0..400)
        .map(|k| {
            let angle = f64::from(k);
            let way = Vec3::new(libm::sin(angle), libm::cos(0.7 * angle), libm::sin(1.3 * angle));
            let turned = Quaternion::from_axis_angle(&Vec3::z(), turn * angle).to_matrix();
            Pose { rotation: turned * pose.rotation, translation: pose.translation + step * way }
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let before = search.counters();
        let start = Instant::now();
        let (mut nodes, mut regions) = (0, 0);
        for pose in &poses {
            search.find(&a, &b, pose).unwrap();
            nodes += search.contours().nodes().len();
            regions += search.regions().len();
        }
        let each = start.elapsed().as_secs_f64() / poses.len() as f64;
        if each < best {
            best = each;
        }
        let after = search.counters();
        if search.counters().searches == rounds * poses.len() as u64 {
            let count = |now: u64, then: u64| (now - then) as f64 / poses.len() as f64;
            println!(
                "{name:<28} {:>8.1} us  nodes {:>6.1}  regions {:>4.2}  exact {:>7.1}  rebuilds {:>5.3}  edges {:>8.1}  boxes {:>8.1}",
                1e6 * best,
                nodes as f64 / poses.len() as f64,
                regions as f64 / poses.len() as f64,
                count(after.exact_tests, before.exact_tests),
                count(after.rebuilds, before.rebuilds),
                count(after.edge_tests, before.edge_tests),
                count(after.box_tests, before.box_tests),
            );
        }
    }
}

fn main() {
    let annulus = (meshes::torus(1.0, 0.3, 48, 24), meshes::sphere(1.0, 8));
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    time("torus sphere coherent", &annulus.0, &annulus.1, &at(0.0, 0.0, -0.76), 1e-4, 1e-5);
    time("torus sphere stages", &annulus.0, &annulus.1, &at(0.0, 0.0, -0.76), 1e-6, 1e-7);
    time("torus sphere cold", &annulus.0, &annulus.1, &at(0.0, 0.0, -0.76), 0.01, 1.0);
    let ring = (meshes::torus(1.0, 0.3, 32, 16), meshes::sphere(1.0, 5));
    time("coarse ring coherent", &ring.0, &ring.1, &at(0.0, 0.0, -0.76), 1e-4, 1e-5);
    time("coarse ring stages", &ring.0, &ring.1, &at(0.0, 0.0, -0.76), 1e-6, 1e-7);
    time("coarse ring cold", &ring.0, &ring.1, &at(0.0, 0.0, -0.76), 0.01, 1.0);
    let block = meshes::block(Vec3::repeat(0.5), 1, 0.0);
    time("two boxes coherent", &block, &block, &at(0.1, 0.2, 0.99), 1e-4, 1e-5);
    let gear = |teeth: u32| {
        let gear = Gear {
            teeth,
            module: 2e-3,
            pressure_angle: 0.35,
            width: 0.02,
            backlash: 0.0,
            profile_points: 60,
            layers: 3,
        };
        surface::gear(&gear).unwrap()
    };
    // Deeper than they would mesh, so that flanks are in each other, and not with their ends in one plane.
    let (pinion, wheel) = (gear(20), gear(31));
    time("gears coherent", &pinion, &wheel, &at(0.0505, 0.0, 0.003), 1e-7, 1e-6);
    time("gears stages", &pinion, &wheel, &at(0.0505, 0.0, 0.003), 1e-9, 1e-8);
    time("gears cold", &pinion, &wheel, &at(0.0505, 0.0, 0.003), 2e-4, 0.1);
    let ground = Terrain { size: 10.0, relief: 1.0, hurst: 0.8, seed: 1, levels: 7 };
    let (ground, shoe) =
        (surface::terrain(&ground).unwrap(), surface::foot(&Foot::ROVER, Resolution::Facets(570)).unwrap());
    // As deep in the ground under it as the shoe is high.
    let under = ground.vertices.iter().min_by(|a, b| a.xy().norm().total_cmp(&b.xy().norm())).unwrap();
    let pose = at(under.x, under.y, under.z + 0.005);
    time("shoe terrain coherent", &shoe, &ground, &pose, 1e-5, 1e-5);
    time("shoe terrain stages", &shoe, &ground, &pose, 1e-7, 1e-7);
    time("shoe terrain cold", &shoe, &ground, &pose, 3e-3, 1.0);
}

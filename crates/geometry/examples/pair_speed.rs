//! Times of a search for all triangles that cut each other, at poses that have nothing to do with each other:
//! `cargo run --release -p carom-geometry --example pair_speed -- DIR [ROUNDS]`, with the meshes and poses that other libraries are
//! timed with: `NAME.obj`, and `poses_PAIR.txt` with lines w x y z tx ty tz, the pose of the second mesh in the first one's frame.
#![allow(missing_docs, clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{MeshSurface, PairSearch};
use carom_math::{Pose, Quaternion, Vec3};

const PAIRS: [(&str, &str, &str); 5] = [
    ("torus_sphere", "torus4096", "sphere500"),
    ("torus_sphere_deep", "torus4096", "sphere500"),
    ("gear_gear", "gear20000", "gear20000"),
    ("gear_gear_deep", "gear20000", "gear20000"),
    ("terrain_foot", "terrain32768", "foot570"),
];

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn surface(path: &Path) -> MeshSurface {
    let text = std::fs::read_to_string(path).expect("a mesh");
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("v ") {
            let x = numbers(rest);
            vertices.push(Vec3::new(x[0], x[1], x[2]));
        } else if let Some(rest) = line.strip_prefix("f ") {
            let corners = numbers(rest);
            triangles.push([0, 1, 2].map(|k| corners[k] as u32 - 1));
        }
    }
    MeshSurface::new(&TriangleMesh { vertices, triangles }).expect("a surface")
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder of meshes and poses");
    let rounds: u32 = args.next().map_or(20, |rounds| rounds.parse().expect("a number of rounds"));
    let folder = Path::new(&folder);
    for (pair, a, b) in PAIRS {
        let [a, b] = [a, b].map(|name| surface(&folder.join(format!("{name}.obj"))));
        let text = std::fs::read_to_string(folder.join(format!("poses_{pair}.txt"))).expect("poses");
        let poses: Vec<Pose> = text
            .lines()
            .map(numbers)
            .map(|x| Pose {
                rotation: Quaternion::new(x[0], x[1], x[2], x[3]).to_matrix(),
                translation: Vec3::new(x[4], x[5], x[6]),
            })
            .collect();
        // What moves is the second mesh.
        let mut search = PairSearch::new(&b, &a);
        let mut best = f64::INFINITY;
        let mut pairs = 0;
        for _ in 0..rounds {
            let start = Instant::now();
            pairs = poses.iter().map(|pose| search.find(&b, &a, pose).unwrap().len()).sum();
            best = best.min(start.elapsed().as_secs_f64() / poses.len() as f64);
        }
        println!("{pair:<20} {:>8.1} us  pairs {:>7.2}", 1e6 * best, pairs as f64 / poses.len() as f64);
    }
}

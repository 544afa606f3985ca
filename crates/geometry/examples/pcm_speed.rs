//! Times of the search for penetrations: `cargo run --release -p carom-geometry --example pcm_speed`.
//!
//! Each line: a base over a target, poses that move by small steps (coherent), by large ones (cold: a list is made each
//! time), with all instructions of this machine and with plain ones.
#![allow(missing_docs, clippy::print_stdout)]

#[path = "../tests/polygonal/meshes.rs"]
#[allow(dead_code)]
mod meshes;

use std::time::Instant;

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::ClosedSurface;
use carom_geometry::polygonal::IntersectionSearch;
use carom_geometry::polygonal::{
    BaseSurface, ElementHit, PenetrationSearch, SearchCounters, SimdLevel, TargetSurface,
};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

struct Scene {
    name: &'static str,
    base: BaseSurface,
    target: TargetSurface,
    pose: Pose,
    /// Poses far from each other with about the same contact.
    far: Vec<Pose>,
}

fn scene(
    name: &'static str,
    base: &TriangleMesh,
    target: &TriangleMesh,
    reach: f64,
    far: Vec<Pose>,
) -> Scene {
    Scene {
        name,
        base: BaseSurface::new(base, reach).unwrap(),
        target: TargetSurface::new(target).unwrap(),
        pose: far[0],
        far,
    }
}

/// The sphere turned about its centre, over a torus in a given place.
fn turned(x: f64, y: f64, z: f64) -> Vec<Pose> {
    let mut rng = SplitMix64::new(2);
    let torus = Pose::from_translation(Vec3::new(x, y, z));
    let turn = |rng: &mut SplitMix64| Pose { rotation: rng.rotation().to_matrix(), ..Pose::identity() };
    (0..200).map(|_| turn(&mut rng).compose(&torus)).collect()
}

/// Upward unit normal of the hills, by differences.
fn hills_normal(x: f64, y: f64) -> Vec3 {
    let h = 1e-5;
    let slope =
        |dx: f64, dy: f64| (meshes::hills(x + dx, y + dy) - meshes::hills(x - dx, y - dy)) / (2.0 * h);
    Vec3::new(-slope(h, 0.0), -slope(0.0, h), 1.0).normalize()
}

/// The foot within a step on the terrain, its middle at a height above the ground: lists are of no use from one pose to
/// the next, but caches hold what is near.
fn steps(height: f64) -> Vec<Pose> {
    let mut rng = SplitMix64::new(3);
    let step = |rng: &mut SplitMix64| {
        let (x, y) = (rng.uniform(0.2, 0.4), rng.uniform(0.1, 0.3));
        let normal = hills_normal(x, y);
        let tilt = Quaternion::between(&Vec3::z(), &normal);
        let heading = Quaternion::from_axis_angle(&Vec3::z(), rng.uniform(0.0, 6.0));
        let place = Vec3::new(x, y, meshes::hills(x, y)) + height * normal;
        Pose { rotation: tilt.multiply(&heading).to_matrix(), translation: place }
    };
    (0..200).map(|_| step(&mut rng)).collect()
}

fn scenes() -> Vec<Scene> {
    let torus = meshes::torus(1.0, 0.3, 64, 32);
    let sphere = meshes::sphere(1.0, 5);
    let foot = meshes::block(Vec3::new(0.06, 0.04, 0.02), 7, 0.5);
    let terrain = meshes::terrain(10.0, 128, meshes::hills);
    vec![
        scene("torus base, sphere, annular", &torus, &sphere, 0.03, turned(0.001, 0.0, -0.815)),
        scene("torus base, sphere, one side", &torus, &sphere, 0.03, turned(0.0, 1.88, -0.90)),
        scene("torus base, sphere, outside", &torus, &sphere, 0.03, turned(0.0, 2.29, 0.0)),
        scene("torus base, sphere, 10 cm apart", &torus, &sphere, 0.03, turned(0.0, 0.0, -0.95)),
        scene("foot on terrain", &foot, &terrain, 0.01, steps(0.0175)),
        scene("foot 5 cm above terrain", &foot, &terrain, 0.01, steps(0.07)),
    ]
}

/// A ball in a pyramid of four triangles that stands on its point, cut 0 to 6 times into quarters: the cost should not
/// depend on that.
fn funnels() {
    let ball = meshes::sphere(0.1, 7);
    let rim = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| Vec3::new(x, y, 0.5));
    let faces: Vec<_> = (0..4).map(|k| [Vec3::zeros(), rim[k], rim[(k + 1) % 4]]).collect();
    for cuts in 0..7 {
        let funnel = meshes::subdivided(&faces, 1 << cuts);
        // Distance of the ball's middle from the faces is z/√1.25.
        let place = Pose::from_translation(Vec3::new(0.0, 0.0, 0.09 * 1.25_f64.sqrt()));
        let turn = |k: i32| Quaternion::from_axis_angle(&Vec3::new(1.0, 2.0, 3.0), f64::from(k)).to_matrix();
        let far = (0..100).map(|k| Pose { rotation: turn(k), ..place }).collect();
        print_times(
            &scene("ball in funnel", &ball, &funnel, 0.05, far),
            &format!("{} triangles", funnel.triangles.len()),
        );
    }
}

/// Contours, areas and elements of the classic construction.
fn time_classic() {
    let (torus, sphere) = (meshes::torus(1.0, 0.3, 64, 32), meshes::sphere(1.0, 5));
    let (base, target) = (BaseSurface::new(&torus, 0.03).unwrap(), TargetSurface::new(&sphere).unwrap());
    let closed = [&torus, &sphere].map(|mesh| ClosedSurface::new(mesh).unwrap());
    let mut search = IntersectionSearch::new(&closed[0], &closed[1]);
    let mut hits = Vec::new();
    let mut total = 0.0;
    let poses = turned(0.001, 0.0, -0.815);
    for pose in &poses {
        let once = || {
            let start = Instant::now();
            search.search((&closed[0], &base), (&closed[1], &target), pose, &mut hits).unwrap();
            start.elapsed().as_secs_f64() * 1e6
        };
        total += std::iter::repeat_with(once).take(9).fold(f64::INFINITY, f64::min);
    }
    let mean = total / poses.len() as f64;
    println!("classic construction, torus and sphere, annular: {mean:.1} us, {:?}", search.counters());
}

/// Mean over the poses, visited one after the other, of the least time of several rounds (us): other programs disturb
/// only what they interrupt.
fn time(search: &mut PenetrationSearch, scene: &Scene, poses: &[Pose], hits: &mut Vec<ElementHit>) -> f64 {
    let mut least = vec![f64::INFINITY; poses.len()];
    for _ in 0..15 {
        for (pose, least) in poses.iter().zip(&mut least) {
            let start = Instant::now();
            search.search(&scene.base, &scene.target, pose, hits).unwrap();
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    least.iter().sum::<f64>() / least.len() as f64
}

fn shaken(scene: &Scene, step: f64, count: usize) -> Vec<Pose> {
    let mut rng = SplitMix64::new(1);
    let shake = |rng: &mut SplitMix64| Pose {
        rotation: Quaternion::from_rotation_vector(&rng.vector_in_cube(step)).to_matrix(),
        translation: rng.vector_in_cube(step),
    };
    (0..count).map(|_| scene.pose.compose(&shake(&mut rng))).collect()
}

fn main() {
    // Only scenes whose name contains the argument.
    let wanted = std::env::args().nth(1).unwrap_or_default();
    if "bounces".contains(&wanted) {
        time_bounce();
    }
    if "funnel".contains(&wanted) {
        funnels();
    }
    if "classic".contains(&wanted) {
        time_classic();
    }
    for scene in scenes().into_iter().filter(|scene| scene.name.contains(&wanted)) {
        print_times(&scene, scene.name);
    }
}

fn print_times(scene: &Scene, name: &str) {
    println!("{name}");
    for (name, simd) in [("detected", SimdLevel::detect()), ("plain", SimdLevel::plain())] {
        let mut hits = Vec::new();
        let mut search = PenetrationSearch::with_simd(&scene.base, &scene.target, simd);
        let coherent = shaken(scene, 1e-5, 200);
        let warm = time(&mut search, scene, &coherent, &mut hits);
        let active = hits.iter().filter(|hit| hit.is_active()).count();
        let pairs = search.counters().listed_pairs;
        let mut search = PenetrationSearch::with_simd(&scene.base, &scene.target, simd);
        let cold = time(&mut search, scene, &scene.far, &mut hits);
        let after = search.counters();
        let per = |n: u64| n as f64 / after.rebuilds.max(1) as f64;
        println!(
            "  {name:9} coherent {warm:7.3} us ({active} active, {pairs} pairs)   cold {cold:7.2} us ({:.2} lists a search, \
             each {:.0} box and {:.0} line tests)",
            after.rebuilds as f64 / after.searches as f64,
            per(after.box_tests),
            per(after.ray_tests),
        );
    }
}

/// A sphere of 10 kg falls on a torus without friction: poses of 5 s in 80 000 steps.
fn bounce(base: &BaseSurface, target: &TargetSurface) -> Vec<Pose> {
    let (stiffness, damping) = (1e6 * 0.6 / (1.4 * 0.2) / 0.01, 1e4);
    let (mass, inertia, steps) = (10.0, 0.5, 80_000);
    let step = 5.0 / f64::from(steps);
    let mut search = PenetrationSearch::new(base, target);
    let mut hits = Vec::new();
    let (mut position, mut velocity) = (Vec3::new(0.1, 0.0, 1.2), Vec3::zeros());
    let (mut rotation, mut spin) = (Quaternion::IDENTITY, Vec3::zeros());
    let mut poses = Vec::new();
    for _ in 0..steps {
        let x_bt = Pose { rotation: rotation.to_matrix(), translation: position };
        poses.push(x_bt.inverse());
        search.search(base, target, &poses[poses.len() - 1], &mut hits).unwrap();
        let (mut force, mut torque) = (-9.81 * mass * Vec3::z(), Vec3::zeros());
        for hit in hits.iter().filter(|hit| hit.is_active()) {
            let element = base.element(hit.element);
            let lever = element.barycentre - position;
            let approach = -element.normal.dot(&(velocity + spin.cross(&lever)));
            let pressure = (stiffness * hit.depth + damping * approach).max(0.0);
            let share = pressure * element.area * element.normal;
            force += share;
            torque += lever.cross(&share);
        }
        velocity += step / mass * force;
        spin += step / inertia * torque;
        position += step * velocity;
        rotation = Quaternion::from_rotation_vector(&(step * spin)).multiply(&rotation).normalized();
    }
    poses
}

/// Mean time of a search over the bouncing sphere, each the least of several runs, which do the same.
fn time_bounce() {
    let base = BaseSurface::new(&meshes::torus(1.0, 0.3, 64, 32), 0.045).unwrap();
    let target = TargetSurface::new(&meshes::sphere(1.0, 5)).unwrap();
    let poses = bounce(&base, &target);
    let mut least = vec![f64::INFINITY; poses.len()];
    let mut touches = vec![false; poses.len()];
    let mut counters = SearchCounters::default();
    for _ in 0..9 {
        let mut search = PenetrationSearch::new(&base, &target);
        let mut hits = Vec::new();
        for (k, pose) in poses.iter().enumerate() {
            let start = Instant::now();
            search.search(&base, &target, pose, &mut hits).unwrap();
            least[k] = least[k].min(start.elapsed().as_secs_f64() * 1e6);
            touches[k] = !hits.is_empty();
        }
        counters = search.counters();
    }
    let contacts = touches.iter().filter(|touch| **touch).count();
    let in_contact: f64 = least.iter().zip(&touches).filter(|(_, touch)| **touch).map(|(t, _)| t).sum();
    println!(
        "sphere bounces on torus for 5 s: {:.3} us a search, {:.3} us in contact ({contacts} of {}), {counters:?}",
        least.iter().sum::<f64>() / poses.len() as f64,
        in_contact / contacts as f64,
        poses.len(),
    );
}

//! Scenes by seed.

use carom_engine::law::Law;
use carom_engine::model::{IntegratorKind, Method};
use carom_geometry::surface::{self, Resolution};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use super::Flight;
use crate::build::{areal_law, point_law, volume_law};
use crate::motion::{Drive, Motion};
use crate::part::{Part, pick, spread};
use crate::surface::Surface;

const INTEGRATORS: [IntegratorKind; 7] = IntegratorKind::SMOOTH;

/// How bodies come together.
struct Approach {
    speed: f64,
    gravity: Vec3,
    spins: [f64; 2],
}

impl Approach {
    fn draw(rng: &mut SplitMix64) -> Self {
        let gravity = if rng.index(2) == 0 { Vec3::new(0.0, 0.0, -9.81) } else { Vec3::zeros() };
        let mut spin = || if rng.index(5) < 3 { 0.0 } else { spread(rng, 0.1, 1000.0) };
        let spins = [spin(), spin()];
        Self { speed: spread(rng, 0.01, 1000.0), gravity, spins }
    }
}

impl Flight {
    /// Points and convex solids.
    pub(crate) fn of_points(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x70_6f69_6e74 ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 10.0);
        let other = (size * spread(&mut rng, 0.03, 30.0)).clamp(1e-3, 10.0);
        let (a, b, kind) = convex_pair(&mut rng, size, other);
        let has_kernel = matches!(
            (&a.surface, &b.surface),
            (
                Surface::HalfSpace | Surface::Ball(_) | Surface::Capsule(..),
                Surface::Ball(_) | Surface::Capsule(..)
            )
        );
        let searched = !matches!(a.surface, Surface::Cavity(_));
        let methods: &[Method] = match (has_kernel, searched) {
            (true, _) => &[Method::Auto, Method::Analytic, Method::Convex],
            (false, true) => &[Method::Auto, Method::Convex],
            (false, false) => &[Method::Auto, Method::Analytic],
        };
        let method = pick(&mut rng, methods);
        Self::draw(&mut rng, [a, b], kind, method)
    }

    /// Triangle surfaces.
    pub(crate) fn of_surfaces(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x6172_6561 ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 10.0);
        let other = (size * spread(&mut rng, 0.2, 5.0)).clamp(1e-3, 10.0);
        let (a, b) = match rng.index(10) {
            0 => (Part::hollow_mesh(&mut rng, size), Part::closed_mesh(&mut rng, size * 0.3)),
            1..4 => (Part::open_mesh(&mut rng, size), Part::closed_mesh(&mut rng, other)),
            _ => (Part::closed_mesh(&mut rng, size), Part::closed_mesh(&mut rng, other)),
        };
        let first = |name: &str| name.split(',').next().unwrap_or("").to_owned();
        let kind = format!("pcm: {}", first(&a.name));
        Self::draw(&mut rng, [a, b], kind, Method::Pcm)
    }

    /// Open triangle surfaces that are approached from behind, where their solid is taken to be.
    pub(crate) fn of_backs(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x6261_636b ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 10.0);
        let other = (size * spread(&mut rng, 0.2, 5.0)).clamp(1e-3, 10.0);
        let (mut a, b) = (Part::open_mesh(&mut rng, size), Part::closed_mesh(&mut rng, other));
        a.front = a.front.map(|front| -front);
        let kind = format!("back: {}", a.name.split(',').next().unwrap_or(""));
        Self::draw(&mut rng, [a, b], kind, Method::Pcm)
    }

    /// Triangle surfaces by regions: by depth and by volume.
    pub(crate) fn of_regions(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x7265_6769 ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 10.0);
        let other = (size * spread(&mut rng, 0.2, 5.0)).clamp(1e-3, 10.0);
        let a = match rng.index(10) {
            0..3 => Part::open_mesh(&mut rng, size),
            _ => Part::closed_mesh(&mut rng, size),
        };
        let b = Part::closed_mesh(&mut rng, other);
        let is_by_volume = rng.index(2) == 0;
        let kind = if is_by_volume { "regions by volume" } else { "regions by depth" };
        let mut scene = Self::draw(&mut rng, [a, b], kind.to_owned(), Method::Region);
        scene.wide = false;
        if is_by_volume {
            scene.law = by_volume(&scene);
        }
        scene
    }

    /// A head on a slide that a function drives, and a body at rest or in flight.
    pub(crate) fn of_drives(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x6472_6976 ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 1.0);
        let areal = rng.index(3) == 0;
        let (a, b, method) = if areal {
            let a = Part::closed_mesh(&mut rng, size);
            (a, Part::closed_mesh(&mut rng, size), Method::Pcm)
        } else {
            let head = match rng.index(3) {
                0 => Part::ball(size),
                1 => Part::capsule(0.3 * size, size),
                _ => Part::block(Vec3::new(0.5 * size, size, spread(&mut rng, 0.05, 1.0) * size)),
            };
            (head, Part::ball(0.5 * size), Method::Auto)
        };
        let orientation = rng.rotation();
        let towards = rng.unit_vector();
        // At rest B stands farther off than either reaches; the head's travel goes beyond or falls short of it.
        let off = (a.radius + b.radius) * rng.uniform(1.05, 2.0);
        let beside = towards.cross(&rng.unit_vector()).normalize() * (0.5 * b.radius * rng.uniform(0.0, 1.0));
        let travel = off * rng.uniform(0.4, 1.5);
        let duration = spread(&mut rng, 1e-4, 1.0).max(travel / 300.0);
        let drive = if rng.index(2) == 0 {
            Drive::Bump { height: travel, at: duration * spread(&mut rng, 10.0, 3000.0), width: duration }
        } else {
            Drive::Swing { amplitude: travel, omega: 1.0 / duration }
        };
        let t_end = match drive {
            Drive::Bump { at, width, .. } => at + 5.0 * width,
            Drive::Swing { omega, .. } => 10.0 / omega,
        };
        let a_at = Pose { rotation: orientation.to_matrix(), translation: rng.vector_in_cube(size) };
        let head = Motion { drive: Some((towards, drive)), ..Motion::rest(&a_at) };
        let b_at = Pose {
            rotation: rng.rotation().to_matrix(),
            translation: a_at.translation + off * towards + beside,
        };
        let motions = [head, Motion::rest(&b_at)];
        let masses = [&a, &b].map(|p| 1000.0 * p.radius.powi(3));
        let speed = travel / duration;
        let law = law_for(method, [&a, &b], masses[1], speed, 1.0);
        let (integrator, rtol) = (pick(&mut rng, &INTEGRATORS), 1e-6);
        let wide = rng.index(5) == 0 && method != Method::Pcm;
        let kind = if areal { "driven: pcm" } else { "driven: points" };
        let after = 0.5 * duration;
        let beyond = if rng.index(2) == 0 { 0.0 } else { duration * spread(&mut rng, 1.0, 100.0) };
        Self {
            kind: kind.to_owned(),
            parts: [a, b],
            motions,
            method,
            law,
            integrator,
            rtol,
            masses,
            t_end,
            after,
            beyond,
            wide,
        }
    }

    /// Something thin that turns about a hinge, and something that flies through where it turns.
    pub(crate) fn of_fans(seed: u64) -> Self {
        let mut rng = SplitMix64::new(0x6661_6e73 ^ (seed << 20));
        let size = spread(&mut rng, 1e-3, 3.0);
        let areal = rng.index(3) == 0;
        let method = if areal { Method::Pcm } else { Method::Auto };
        let slim = size * spread(&mut rng, 0.01, 0.1);
        let (a, b) = match (areal, rng.index(2)) {
            (false, 0) => (Part::capsule(slim, size), Part::ball(size * spread(&mut rng, 0.02, 0.5))),
            (false, _) => (Part::block(Vec3::new(0.2 * size, slim, size)), Part::capsule(slim, 0.3 * size)),
            (true, _) => {
                let half = Vec3::new(0.2 * size, slim, size);
                let blade =
                    surface::block(half, Resolution::Divisions(1 + rng.index(8) as u32)).expect("a blade");
                let ball = 0.3 * size;
                let mesh = surface::sphere(ball, Resolution::Facets(180)).expect("a sphere");
                let blade = Part::mesh("blade".to_owned(), blade, 2.0 * slim, vec![Vec3::zeros()]);
                (blade, Part::mesh("sphere".to_owned(), mesh, 2.0 * ball, vec![Vec3::zeros()]))
            }
        };
        let pose = rng.rotation();
        let along = pose.to_matrix() * Vec3::z();
        let omega = spread(&mut rng, 1.0, 1000.0);
        let place = rng.vector_in_cube(size);
        let mut fan = Motion::rest(&Pose { rotation: pose.to_matrix(), translation: place });
        fan.spin = pose.to_matrix() * Vec3::x() * omega;
        let pivot = place - along * (size * rng.uniform(0.0, 1.2));
        fan.pivot = Some(pivot);
        let arm = fan.arm() + size;
        // So long that the fan turns some hundred times at most.
        let turns = spread(&mut rng, 0.3, 100.0);
        let time = std::f64::consts::TAU * turns / omega;
        let reach = arm + b.radius;
        let speed = 1.5 * reach / time * spread(&mut rng, 1.0, 30.0);
        let towards = rng.unit_vector();
        let aim = pivot + rng.unit_vector() * (arm * rng.uniform(0.0, 1.0));
        let mut body =
            Motion::rest(&Pose { rotation: rng.rotation().to_matrix(), translation: Vec3::zeros() });
        body.velocity = towards * speed;
        body.position = aim - towards * (speed * time);
        let masses = [&a, &b].map(|p| 1000.0 * p.radius.powi(3));
        let law = law_for(method, [&a, &b], masses[0].min(masses[1]), speed + omega * arm, 1.0);
        let integrator = pick(&mut rng, &INTEGRATORS);
        let kind = if areal { "fan: pcm" } else { "fan: points" }.to_owned();
        let beyond = if rng.index(2) == 0 { 0.0 } else { time * spread(&mut rng, 1.0, 10.0) };
        let wide = rng.index(5) == 0 && method != Method::Pcm;
        let (t_end, after) = (2.0 * time, b.radius / (speed + omega * arm));
        let parts = [a, b];
        let motions = [fan, body];
        Self { kind, parts, motions, method, law, integrator, rtol: 1e-6, masses, t_end, after, beyond, wide }
    }

    fn draw(rng: &mut SplitMix64, parts: [Part; 2], kind: String, method: Method) -> Self {
        let [a, b] = &parts;
        let mut approach = Approach::draw(rng);
        let inside = a.room.is_some();
        let stands = a.front.is_some() || inside || rng.index(10) < 6;
        if stands {
            approach.spins[0] = 0.0;
        }
        let xa =
            Pose { rotation: rng.rotation().to_matrix(), translation: rng.vector_in_cube(10.0 * b.radius) };
        // The relative velocity that B is to arrive with.
        let any = rng.unit_vector();
        let slant = rng.uniform(0.0, 0.9);
        let direction = a.front.map_or(any, |front| -(xa.rotation * (front + any * slant)).normalize());
        let reach = a.radius + b.radius;
        let time = spread(rng, 1.2, 1000.0) * reach / approach.speed;
        if time > 100.0 {
            // Falls from the edge of space are another matter.
            approach.gravity = Vec3::zeros();
        }
        for spin in &mut approach.spins {
            *spin = spin.min(2000.0 / time);
        }
        let off = match rng.index(10) {
            0 => 0.0,
            1..6 => rng.uniform(0.0, 0.5),
            6..9 => rng.uniform(0.0, 1.0),
            _ => rng.uniform(0.8, 1.1),
        };
        let across = direction.cross(&rng.unit_vector()).normalize() * (off * reach);
        let free = |stands: bool| if stands { Vec3::zeros() } else { approach.gravity };
        let mut motion_a = Motion::rest(&xa);
        motion_a.gravity = free(stands);
        if !stands {
            motion_a.velocity = rng.unit_vector() * approach.speed * rng.uniform(0.0, 0.5);
            motion_a.spin = motion_a.orientation.to_matrix() * Vec3::new(0.0, 0.0, approach.spins[0]);
        }
        let orientation = rng.rotation();
        let mut motion_b =
            Motion::rest(&Pose { rotation: orientation.to_matrix(), translation: Vec3::zeros() });
        motion_b.gravity = approach.gravity;
        motion_b.spin = motion_b.orientation.to_matrix() * Vec3::new(0.0, 0.0, approach.spins[1]);
        let mut t_end = 1.5 * time;
        if inside {
            // From a place inside of the hollow to its wall.
            let radius = a.room.expect("just seen");
            motion_b.position =
                xa.translation + rng.unit_vector() * (rng.uniform(0.0, 0.9) * (radius - b.radius));
            motion_b.velocity = direction * approach.speed;
            t_end = 4.0 * radius / approach.speed;
        } else {
            let fall = approach.gravity - motion_a.gravity;
            let arrives = direction * approach.speed;
            let from = motion_a.velocity + arrives - fall * time;
            motion_b.velocity = from;
            let relative = from - motion_a.velocity;
            motion_b.position = xa.translation + across - relative * time - fall * (0.5 * time * time);
        }
        let masses = [a, b].map(|p| 1000.0 * p.radius.max(1e-3).powi(3));
        let mass = if stands { masses[1] } else { masses[0] * masses[1] / (masses[0] + masses[1]) };
        let tips = approach.spins[0] * a.radius + approach.spins[1] * b.radius;
        let restitution = pick(rng, &[1.0, 1.0, 0.5, 0.8]);
        // It may touch before or after the place that it is aimed at.
        let fastest = (approach.speed.powi(2) + 4.0 * approach.gravity.norm() * reach).sqrt();
        let law = law_for(method, [a, b], mass, fastest + tips, restitution);
        let integrator = pick(rng, &INTEGRATORS);
        let mut rtol: f64 = pick(rng, &[1e-6, 1e-6, 1e-6, 1e-6, 1e-4, 1e-9]);
        if matches!(integrator, IntegratorKind::Bdf | IntegratorKind::Rodas3) {
            // Fast turns would be millions of steps.
            rtol = rtol.max(1e-6);
        }
        let after = 2.0 * (b.radius + a.wall.min(a.radius)) / fastest;
        let wide = rng.index(5) == 0 && method != Method::Pcm;
        // Not where it would bounce, and bounce again.
        let turns = approach.spins[0].max(approach.spins[1]);
        let lasts = if inside || a.front.is_some() { 0.0 } else { 2000.0 / turns };
        let beyond = if rng.index(2) == 0 { 0.0 } else { (time * spread(rng, 1.0, 100.0)).min(lasts) };
        Self {
            kind,
            parts,
            motions: [motion_a, motion_b],
            method,
            law,
            integrator,
            rtol,
            masses,
            t_end,
            after,
            beyond,
            wide,
        }
    }
}

/// A law under which the bodies meet with a penetration that is small against them.
fn law_for(method: Method, parts: [&Part; 2], mass: f64, speed: f64, restitution: f64) -> Law {
    let [a, b] = parts;
    let wall = a.wall.min(b.wall).min(b.radius);
    let energy = 0.5 * mass * speed * speed;
    if method == Method::Pcm {
        // The corner of a cube that is δ deep in a face holds 0.3 c δ⁴.
        let u_max = 0.2 * wall;
        let depth = 0.7 * u_max;
        return areal_law(energy / (0.3 * depth.powi(4)), 0.0, Some(u_max));
    }
    let depth = 0.02 * wall;
    point_law(2.5 * energy / depth.powf(2.5), restitution)
}

/// A law by volume in place of one by depth that takes the same energy at the same depth: over a quarter of the width of what
/// meets.
fn by_volume(scene: &Flight) -> Law {
    let [a, b] = &scene.parts;
    let point = scene.law.point.expect("a law by depth");
    let depth = 0.02 * a.wall.min(b.wall).min(b.radius);
    let energy = point.stiffness.expect("a stiffness") * depth.powf(2.5) / 2.5;
    let breadth = 0.25 * if a.front.is_some() { b.radius } else { a.radius.min(b.radius) };
    let volume = breadth * breadth * depth;
    volume_law(2.0 * energy / (volume * volume), point.restitution.unwrap_or(1.0))
}

/// Two convex solids between which the oracle knows the distance.
fn convex_pair(rng: &mut SplitMix64, size: f64, other: f64) -> (Part, Part, String) {
    let needle = |rng: &mut SplitMix64, size: f64| Part::capsule(size * spread(rng, 1e-3, 0.03), size);
    let capsule = |rng: &mut SplitMix64, size: f64| Part::capsule(size * spread(rng, 0.1, 1.0), size);
    let block = |rng: &mut SplitMix64, size: f64| {
        Part::block(Vec3::new(size, size * rng.uniform(0.2, 1.0), size * rng.uniform(0.1, 1.0)))
    };
    let plate = |rng: &mut SplitMix64, size: f64| {
        Part::block(Vec3::new(size, size * rng.uniform(0.3, 1.0), size * spread(rng, 1e-3, 0.05)))
    };
    let cylinder = |rng: &mut SplitMix64, size: f64| Part::cylinder(size, size * spread(rng, 0.1, 3.0));
    let solid = |rng: &mut SplitMix64, which: usize, size: f64| match which {
        0 => Part::ball(size),
        1 => capsule(rng, size),
        2 => needle(rng, size),
        3 => block(rng, size),
        4 => plate(rng, size),
        5 => cylinder(rng, size),
        6 => {
            let as_mesh = rng.index(2) == 0;
            Part::hull(rng, size, as_mesh)
        }
        7 => Part::ellipsoid(Vec3::new(size, size * rng.uniform(0.2, 1.0), size * rng.uniform(0.2, 1.0))),
        _ => Part::frustum(size, size * rng.uniform(0.2, 1.0), size),
    };
    const NAMES: [&str; 9] =
        ["ball", "capsule", "needle", "box", "plate", "cylinder", "hull", "ellipsoid", "frustum"];
    match rng.index(12) {
        0 | 1 => {
            let which = rng.index(9);
            (Part::half_space(), solid(rng, which, size), format!("half-space, {}", NAMES[which]))
        }
        2 => (
            Part::cavity(size.max(2e-3)),
            Part::ball(size.max(2e-3) * rng.uniform(0.05, 0.8)),
            "hollow ball, ball".to_owned(),
        ),
        _ => loop {
            let (mut i, mut j) = (rng.index(7), rng.index(7));
            // The oracle does not know two cylinders.
            if i == 5 && j == 5 {
                continue;
            }
            // Half of them with something round.
            if rng.index(2) == 0 {
                (i, j) = (i, j.min(2));
            }
            let (a, b) = (solid(rng, i, size), solid(rng, j, other));
            break (a, b, format!("{}, {}", NAMES[i.min(j)], NAMES[i.max(j)]));
        },
    }
}

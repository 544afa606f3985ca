//! Two bodies that fly at each other, or at something that stands or is driven: drawn by seed, run, and judged.

use carom_engine::law::Law;
use carom_engine::model::{Body, IntegratorKind, JointKind, Method, Motor, ShapeRef, WideLine};
use carom_engine::record::BodyState;
use carom_engine::{Model, Outcome, StateMeasure, System};
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::build::{areal_law, at, body, fixed, joint, model, point_law, round};
use crate::motion::{Drive, Motion, closing_speed};
use crate::part::{Part, pick, spread};
use crate::referee::{Judgement, Verdict};
use crate::surface::{Surface, distance};
use crate::touch::{Encounter, Finding, Touch};
use crate::watch::{Watch, failure, run_system};

/// A scene before it is run: A and B with their motions, one of which may be that of something fixed.
pub(crate) struct Flight {
    pub(crate) kind: String,
    pub(crate) parts: [Part; 2],
    pub(crate) motions: [Motion; 2],
    pub(crate) method: Method,
    pub(crate) law: Law,
    pub(crate) integrator: IntegratorKind,
    pub(crate) rtol: f64,
    pub(crate) masses: [f64; 2],
    /// If nothing touches, how long to look (s).
    pub(crate) t_end: f64,
    /// How long to go on after the touch (s).
    pub(crate) after: f64,
    /// And how much longer the run is told to last (s): that must not show.
    pub(crate) beyond: f64,
    /// The pair is not listed: it comes up when a broad phase finds the surfaces near each other.
    pub(crate) wide: bool,
}

const INTEGRATORS: [IntegratorKind; 7] = IntegratorKind::ALL;

/// Times the tolerance of positions: what is less deep, or nearer, is left out.
const CLEAR: f64 = 20.0;

/// Looks at a distance that the oracle is given, times the number of pairs of triangles.
const LOOKS: f64 = 4e7;

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

/// Moments of inertia over m R² of bodies that turn about their z axes.
const ABOUT_Z: [f64; 3] = [0.25, 0.3, 0.4];

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
        let open = rng.index(4) == 0;
        let a = if open { Part::open_mesh(&mut rng, size) } else { Part::closed_mesh(&mut rng, size) };
        let b = Part::closed_mesh(&mut rng, other);
        let first = |name: &str| name.split(',').next().unwrap_or("").to_owned();
        let kind = format!("pcm: {}", first(&a.name));
        Self::draw(&mut rng, [a, b], kind, Method::Pcm)
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
        let inside = matches!(a.surface, Surface::Cavity(_));
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
            let Surface::Cavity(radius) = a.surface else { unreachable!("just seen") };
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

    fn is_fixed(&self, side: usize) -> bool {
        let m = &self.motions[side];
        side == 0
            && m.drive.is_none()
            && m.velocity == Vec3::zeros()
            && m.spin == Vec3::zeros()
            && m.gravity == Vec3::zeros()
    }

    fn describe(&self) -> String {
        let of = |m: &Motion| {
            let drive = m.drive.map_or(String::new(), |(_, drive)| format!(", {drive:?}"));
            format!("v {:.3e} m/s, spin {:.3e} rad/s{drive}", m.velocity.norm(), m.spin.norm())
        };
        let [a, b] = &self.parts;
        format!(
            "{} ({}) and {} ({}), {}{} {} rtol {:.0e}",
            a.name,
            if self.is_fixed(0) { "fixed".to_owned() } else { of(&self.motions[0]) },
            b.name,
            of(&self.motions[1]),
            if self.wide { "wide " } else { "" },
            self.method.name(),
            self.integrator.name(),
            self.rtol
        )
    }

    pub(crate) fn model(&self, t_end: f64) -> Model {
        let mut bodies: Vec<Body> = Vec::new();
        for (side, name) in ["a", "b"].into_iter().enumerate() {
            let (part, motion, mass) = (&self.parts[side], &self.motions[side], self.masses[side]);
            let shape = Some(part.shape.clone());
            let made = if self.is_fixed(side) {
                fixed(name, shape)
            } else if motion.spin == Vec3::zeros() || matches!(part.surface, Surface::Ball(_)) {
                round(name, mass, part.radius, shape)
            } else {
                let moments = Vec3::from(ABOUT_Z) * (mass * part.radius * part.radius);
                body(name, mass, Mat3::from_diagonal(&moments), shape)
            };
            bodies.push(Body {
                position: motion.position,
                orientation: motion.orientation,
                velocity: motion.velocity,
                angular_velocity: motion.spin,
                ..made
            });
        }
        let mut model = model(bodies, self.law.clone(), self.method);
        self.add_guide(&mut model);
        if self.wide {
            let side = |body| vec![ShapeRef { body, shape: 0 }];
            let patterns = ["a", "b"].map(str::to_owned);
            model.pairs.clear();
            model.wide_lines.push(WideLine { line: Some(0), patterns, sides: [side(0), side(1)] });
        }
        model.gravity = self.motions[1].gravity;
        model.solver.method = self.integrator;
        model.solver.rtol = self.rtol;
        model.solver.t_end = t_end;
        model.solver.max_steps = 100_000;
        model
    }

    /// The slide or hinge of A, if it is on one.
    fn add_guide(&self, model: &mut Model) {
        let motion = &self.motions[0];
        let (axis, kind, place) = match (motion.drive, motion.pivot) {
            (Some((direction, _)), _) => (direction, JointKind::Prismatic, motion.position),
            (None, Some(pivot)) => (motion.spin.normalize(), JointKind::Revolute, pivot),
            (None, None) => return,
        };
        model.bodies.push(fixed("ground", None));
        model.bodies[0].pose_stated = false;
        model.bodies[0].velocity_stated = false;
        let along = Quaternion::between(&Vec3::z(), &axis).to_matrix();
        let to_body = motion.orientation.to_matrix();
        let on_body = Pose {
            rotation: to_body.tr_mul(&along),
            translation: to_body.tr_mul(&(place - motion.position)),
        };
        let mut guide =
            joint("guide", kind, at(2, Pose { rotation: along, translation: place }), at(0, on_body));
        match motion.drive {
            Some((_, drive)) => guide.elements[0].motor = Some(Motor::Position(drive.function())),
            None => {
                guide.position = Some(vec![0.0]);
                guide.velocity = Some(vec![motion.spin.norm()]);
            }
        }
        model.joints.push(guide);
    }

    fn encounter(&self, clear: f64) -> Encounter<'_> {
        let [a, b] = &self.parts;
        let count = |p: &Part| match &p.surface {
            Surface::Facets(facets) => facets.triangles().len() as f64,
            _ => 1.0,
        };
        let turns = |p: &Part| if matches!(p.surface, Surface::Ball(_)) { 0.0 } else { p.radius };
        let size = 0.5 * a.wall.min(b.wall).min(b.radius);
        let looks = (LOOKS / (count(a) * count(b)).max(100.0)).max(3000.0) as u64;
        Encounter {
            surfaces: [&a.surface, &b.surface],
            motions: [&self.motions[0], &self.motions[1]],
            radii: [turns(a), turns(b)],
            size,
            t_end: self.t_end,
            clear,
            looks,
        }
    }

    pub(crate) fn judge(&self) -> Judgement {
        let (verdict, happened) = self.judged();
        Judgement { verdict, kind: self.kind.clone(), words: format!("{}: {happened}", self.describe()) }
    }

    fn judged(&self) -> (Verdict, String) {
        let compiled = System::compile(&self.model(self.t_end));
        let system = match compiled {
            Ok(system) => system,
            Err(problems) => return (Verdict::Failed, format!("does not compile: {:?}", problems[0])),
        };
        let tolerance = self.tolerance(&system);
        let clear = CLEAR * tolerance;
        let encounter = self.encounter(clear);
        let [xa, xb] = [0, 1].map(|side| self.motions[side].pose(0.0));
        let starts = distance(&self.parts[0].surface, &xa, &self.parts[1].surface, &xb);
        if starts.is_none_or(|d| d <= 3.0 * clear) {
            return (Verdict::Unclear, "too near at the start".to_owned());
        }
        match encounter.first_touch() {
            Finding::Unclear(why) => (Verdict::Unclear, why.to_owned()),
            Finding::Apart(apart) => self.judge_miss(&system, apart, tolerance),
            Finding::Touch(touch) => self.judge_touch(&encounter, &touch, tolerance),
        }
    }

    /// What a position may be wrong by in one step (m).
    fn tolerance(&self, system: &System) -> f64 {
        let finest = |measure| system.finest_tolerance(measure).unwrap_or(0.0);
        let turning = [0, 1].map(|side| {
            let (motion, part) = (&self.motions[side], &self.parts[side]);
            let shows = motion.spin.norm() > 0.0 && !matches!(part.surface, Surface::Ball(_));
            motion.arm() + if shows { part.radius } else { 0.0 }
        });
        let places = self.motions.iter().flat_map(|m| [m.pose(0.0), m.pose(self.t_end)]);
        let far = places.map(|x| x.translation.norm()).fold(0.0, f64::max);
        finest(StateMeasure::Length)
            + (turning[0] + turning[1]) * finest(StateMeasure::Angle)
            + 8.0 * f64::EPSILON * far
    }

    fn judge_miss(&self, system: &System, apart: f64, tolerance: f64) -> (Verdict, String) {
        let (outcome, watch) = run_system(system);
        if let Some(stopped) = stopped(&outcome) {
            return stopped;
        }
        match watch.begin() {
            None => (Verdict::Right, format!("apart by {apart:.2e}")),
            Some(_) if apart < allowance(&watch) * tolerance => {
                (Verdict::Unclear, "within what errors of steps add up to".to_owned())
            }
            Some(event) => {
                (Verdict::Phantom, format!("begins at {:.6e}, apart by {apart:.2e} m", event.time))
            }
        }
    }

    fn judge_touch(&self, encounter: &Encounter<'_>, touch: &Touch, tolerance: f64) -> (Verdict, String) {
        let t_end = touch.time + self.after + self.beyond;
        let mut model = self.model(t_end);
        // Denser after the touch, so that a wall that is passed is seen to be passed.
        model.output.probes =
            (1..=100).map(|k| touch.time + self.after * (f64::from(k) / 100.0).powi(2)).collect();
        let system = System::compile(&model).expect("compiled before");
        let (outcome, watch) = run_system(&system);
        let what = format!("touch at {:.9e} s with {:.3e} m/s", touch.time, touch.approach);
        let Some(event) = watch.begin() else {
            return match stopped(&outcome) {
                Some((verdict, words)) => (verdict, format!("{what}; {words}")),
                None => (Verdict::Unseen, format!("{what}; {} steps to {t_end:.3e}", watch.steps)),
            };
        };
        let ulp = 16.0 * f64::EPSILON * touch.time;
        let allowed = allowance(&watch) * tolerance / touch.approach + ulp;
        let off = event.time - touch.time;
        if off.abs() > allowed {
            let verdict = if off > 0.0 { Verdict::Late } else { Verdict::Early };
            let off_by = encounter.distance(event.time);
            return (
                verdict,
                format!("{what}; begins {off:.2e} s off, {allowed:.2e} allowed, distance {off_by:.2e}"),
            );
        }
        if let Some(words) = self.passed(&watch) {
            let end = failure(&outcome).map_or("finished".to_owned(), |e| e.to_string());
            return (Verdict::Passed, format!("{what}; {words}; {end}"));
        }
        match stopped(&outcome) {
            Some((Verdict::Unclear, _)) | None => (Verdict::Right, what),
            Some((verdict, words)) => (verdict, format!("{what}; {words}")),
        }
    }

    /// Is a point deep inside of one body inside the other, or has the way of a centre led through the other?
    fn passed(&self, watch: &Watch) -> Option<String> {
        let [a, b] = &self.parts;
        let pose =
            |state: &BodyState| Pose { rotation: state.orientation.to_matrix(), translation: state.position };
        let mut before: Option<(Vec3, Mat3)> = None;
        for (time, bodies) in &watch.probes {
            let [xa, xb] = [pose(&bodies[0]), pose(&bodies[1])];
            let in_a = |p: &Vec3| xa.inverse_transform_point(&xb.transform_point(p));
            let in_b = |p: &Vec3| xb.inverse_transform_point(&xa.transform_point(p));
            let held = b.inner.iter().any(|p| a.surface.holds(&in_a(p)))
                || a.inner.iter().any(|p| b.surface.holds(&in_b(p)));
            if held {
                return Some(format!("inside at {time:.6e} s"));
            }
            let centre = in_a(&Vec3::zeros());
            if let Some((last, _)) = before.filter(|(_, r)| (r - xa.rotation).norm() < 0.3) {
                let on_the_way = (1..20).map(|k| last + (centre - last) * (f64::from(k) / 20.0));
                let through = a.front.is_none() && on_the_way.into_iter().any(|p| a.surface.holds(&p));
                if through || crosses(&a.surface, a.front.is_some(), &last, &centre) {
                    return Some(format!("through before {time:.6e} s"));
                }
            }
            before = Some((centre, xa.rotation));
        }
        None
    }
}

/// Does the way from one point to another lead through an open surface?
fn crosses(surface: &Surface, open: bool, from: &Vec3, to: &Vec3) -> bool {
    match surface {
        Surface::Facets(facets) if open => {
            facets.triangles().iter().any(|t| crate::distance::segment_triangle(&[*from, *to], t) == 0.0)
        }
        _ => false,
    }
}

/// Times the tolerance that a run may be off at its first begin: errors of its steps add up.
pub(crate) fn allowance(watch: &Watch) -> f64 {
    100.0 + watch.steps_to_begin as f64
}

/// How a run that has not finished is judged.
pub(crate) fn stopped(outcome: &Outcome) -> Option<(Verdict, String)> {
    let error = failure(outcome)?;
    let verdict = match error.code {
        // A bound of the test's own.
        "E0604" => Verdict::Unclear,
        _ if error.pair.is_some() => Verdict::Told,
        _ => Verdict::Failed,
    };
    Some((verdict, error.to_string()))
}

/// A law under which the bodies meet with a penetration that is small against them.
fn law_for(method: Method, parts: [&Part; 2], mass: f64, speed: f64, restitution: f64) -> Law {
    let [a, b] = parts;
    let wall = a.wall.min(b.wall).min(b.radius);
    let energy = 0.5 * mass * speed * speed;
    if method == Method::Pcm {
        let u_max = 0.2 * wall;
        let breadth = 0.3 * if a.front.is_some() { b.radius } else { a.radius.min(b.radius) };
        let depth = 0.3 * u_max;
        return areal_law(2.0 * energy / (breadth * breadth * depth * depth), 0.0, Some(u_max));
    }
    let depth = 0.02 * wall;
    point_law(2.5 * energy / depth.powf(2.5), restitution)
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

/// The motion of two bodies in free flight is bounded by what the oracle takes for its bound.
#[test]
fn bounds_of_closing_speeds_hold() {
    for seed in 0..200 {
        let flight = match seed % 3 {
            0 => Flight::of_points(seed),
            1 => Flight::of_drives(seed),
            _ => Flight::of_fans(seed),
        };
        let encounter = flight.encounter(1e-9);
        let [from, to] = [0.3, 0.9].map(|s| s * flight.t_end);
        for k in 0..20 {
            let times = [k, k + 1].map(|k| from + (to - from) * f64::from(k) / 20.0);
            let [d0, d1] = times.map(|t| encounter.distance(t));
            let bound = closing_speed(encounter.motions, encounter.radii, times) * (times[1] - times[0]);
            // Distances of overlapping triangle surfaces are zero, those of others less than that.
            assert!((d1 - d0).abs() <= bound * (1.0 + 1e-9) + 1e-9, "seed {seed}: {d0} {d1} {bound}");
        }
    }
}

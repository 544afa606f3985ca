//! What is wrong with a model as physics, whoever stated it. Each finding names the value by its path in
//! the model file.

use carom_geometry::Shape;
use carom_geometry::mass::{InertiaFault, TRIANGLE_TOLERANCE, check_inertia};
use carom_math::Vec3;

use super::time_bounds::check_lengths_of_time;
use super::validate_mechanism::{check_mechanism, find_unheld};
use super::validate_shape::check_shape;
use super::{
    Body, BodyShape, ConstraintKind, Detection, Method, Model, ShapeRef, Side, Solid, describe, detect,
};
use crate::Problem;
use crate::law::{FrictionKind, Law, Material, MaterialPair};

impl Model {
    /// What is wrong with the parts, before anything is put together.
    pub(crate) fn find_faults(&self, solids: &[Vec<Solid>]) -> Vec<Problem> {
        let mut problems = Vec::new();
        for body in &self.bodies {
            check_body(self, body, &mut problems);
        }
        self.materials.iter().for_each(|m| check_material(m, &mut problems));
        self.material_pairs.iter().for_each(|p| check_material_pair(p, &mut problems));
        self.laws.iter().for_each(|l| check_law(l, &mut problems));
        check_finite("world.gravity", &self.gravity, "gravity", &mut problems);
        self.check_pairs(solids, &mut problems);
        self.check_detection(&mut problems);
        self.check_settings(&mut problems);
        check_mechanism(self, &mut problems);
        problems
    }

    fn shape(&self, reference: ShapeRef) -> Option<&BodyShape> {
        self.bodies.get(reference.body)?.shapes.get(reference.shape)
    }

    fn check_pairs(&self, solids: &[Vec<Solid>], problems: &mut Vec<Problem>) {
        for pair in &self.pairs {
            let Some(line) = self.contact_lines.get(pair.line) else {
                problems.push(Problem::new(
                    "E0203",
                    "contact",
                    format!("pair \"{}\" has no contact line", pair.name),
                ));
                continue;
            };
            let path = format!("contact.{}", line.name);
            let (Some(a), Some(b)) = (self.shape(pair.a), self.shape(pair.b)) else {
                problems.push(Problem::new(
                    "E0203",
                    path,
                    format!("pair \"{}\" names a shape that does not exist", pair.name),
                ));
                continue;
            };
            if line.law >= self.laws.len() {
                problems.push(Problem::new(
                    "E0203",
                    path,
                    format!("pair \"{}\" names a law that does not exist", pair.name),
                ));
                continue;
            }
            let same = pair.a.body == pair.b.body;
            if same || (self.bodies[pair.a.body].fixed && self.bodies[pair.b.body].fixed) {
                let why = if same { "are on one body" } else { "are both fixed" };
                let message = format!("\"{}\" and \"{}\" {why} and cannot meet", a.name, b.name);
                problems
                    .push(Problem::new("E0402", path, message).expected("two bodies of which one can move"));
            } else {
                let sides = [(a, pair.a), (b, pair.b)].map(|(s, at)| {
                    let solid = &solids[at.body][at.shape];
                    Side { name: &s.name, shape: &s.shape, solid }
                });
                if let Err(refusal) = detect(line.finder(), sides) {
                    problems.push(describe(refusal, line.finder(), sides, &path));
                }
            }
        }
    }

    /// Options of the portal search, and that a line that states them can use them.
    fn check_detection(&self, problems: &mut Vec<Problem>) {
        for line in &self.contact_lines {
            let path = format!("contact.{}", line.name);
            let inside = |x: f64| x > 0.0 && x <= 1.0;
            check_range(
                format!("{path}.accuracy"),
                line.accuracy,
                inside,
                "above 0 and at most 100 %",
                problems,
            );
            let Detection::Mpr(options) = line.detection else { continue };
            let tolerance = Some(options.relative_tolerance);
            let inside = |x: f64| x > 0.0 && x < 1.0;
            check_range(format!("{path}.mpr_tolerance"), tolerance, inside, "above 0 and below 1", problems);
            let iterations = Some(options.iterations as f64);
            check_range(format!("{path}.mpr_iterations"), iterations, |x| x > 0.0, "positive", problems);
            if !matches!(line.finder(), Method::Convex | Method::Auto) {
                let message = format!("method \"{}\" has no portal search", line.method.name());
                let problem = Problem::new("E0406", format!("{path}.detect"), message);
                problems.push(problem.help("use method = \"convex\", or \"auto\""));
            }
        }
    }

    fn check_settings(&self, problems: &mut Vec<Problem>) {
        let s = &self.solver;
        let mut positive = |key: &str, value: Option<f64>, code: &'static str, unit: &str| {
            if let Some(value) = value.filter(|v| !(v.is_finite() && *v > 0.0)) {
                let name = key.rsplit('.').next().unwrap_or(key);
                let message = format!("{name} must be positive, got {}{unit}", short(value));
                problems.push(Problem::new(code, key, message).expected(format!("{name} > 0")));
            }
        };
        positive("solver.t_end", Some(s.t_end), "E0502", " s");
        positive("solver.rtol", Some(s.rtol), "E0502", "");
        positive("solver.h_max", s.h_max, "E0502", " s");
        positive("solver.h_min", s.h_min, "E0502", " s");
        positive("solver.h_first", s.h_first, "E0502", " s");
        positive("solver.atol.length", s.atol.length, "E0502", " m");
        positive("solver.atol.angle", s.atol.angle, "E0502", " rad");
        positive("solver.atol.velocity", s.atol.velocity, "E0502", " m/s");
        positive("solver.atol.angular_velocity", s.atol.angular_velocity, "E0502", " rad/s");
        positive("solver.atol.energy", s.atol.energy, "E0502", " J");
        positive("output.patches", self.output.patches, "E0508", " s");
        positive("output.every", self.output.every, "E0508", " s");
        check_lengths_of_time(self, problems);
        if let (Some(patches), Some(every)) = (self.output.patches, self.output.every) {
            let frames = patches / every;
            if !(frames >= 1.0 - 1e-9 && (frames - frames.round()).abs() < 1e-9 * frames) {
                let message =
                    format!("output.patches = {patches:?} s is no multiple of output.every = {every:?} s");
                let problem = Problem::new("E0508", "output.patches", message);
                problems.push(problem.help("patches are recorded at every so many output times"));
            }
        }
        if s.rtol >= 1.0 {
            let message = format!("rtol must be below 1, got {}", s.rtol);
            problems.push(Problem::new("E0502", "solver.rtol", message).help("1e-6 is usual"));
        } else if s.rtol > 0.0 && s.rtol < 10.0 * f64::EPSILON {
            let message = format!("rtol = {} asks for more digits than a double has", short(s.rtol));
            problems.push(
                Problem::new("E0502", "solver.rtol", message)
                    .expected("rtol ≥ 2.3e-15")
                    .help("1e-12 is the finest that pays"),
            );
        }
        if let (Some(low), Some(high)) = (s.h_min, s.h_max)
            && low > high
            && high > 0.0
        {
            let message = format!("h_min = {low:?} s is larger than h_max = {high:?} s");
            problems.push(Problem::new("E0503", "solver.h_min", message).expected("h_min ≤ h_max"));
        }
        if !CONTACT_TOLERANCES.contains(&s.contact_tolerance) {
            let message = format!("contact_tolerance = {} is out of its range", short(s.contact_tolerance));
            let problem = Problem::new("E0502", "solver.contact_tolerance", message);
            problems.push(
                problem
                    .expected("from 1e-12 to 0.1")
                    .help("1e-10 is exact to rounding, 0.03 as cheap as it gets"),
            );
        }
        for (key, value) in [("max_steps", s.max_steps), ("max_events", s.max_events)] {
            if value == 0 {
                problems.push(Problem::new(
                    "E0502",
                    format!("solver.{key}"),
                    format!("{key} must be at least 1, got 0"),
                ));
            }
        }
    }

    /// A run needs states, and only moving bodies have any.
    pub(crate) fn check_that_something_moves(&self, problems: &mut Vec<Problem>) {
        if self.bodies.iter().any(|body| !body.fixed) {
            return;
        }
        let why = match self.bodies.len() {
            0 => "the model has no bodies".to_owned(),
            1 => format!("\"{}\", its only body, is fixed", self.bodies[0].name),
            count => format!("all {count} bodies are fixed"),
        };
        let problem = Problem::new("E0318", "body", format!("nothing in the model can move: {why}"));
        problems.push(problem.expected("at least one body that can move").help(
            "remove fixed = true from a body that is to move, and give it mass and inertia or a density",
        ));
    }

    /// A body that nothing can hold falls for ever.
    pub(crate) fn warn_of_endless_fall(&self, problems: &mut Vec<Problem>) {
        if self.gravity == Vec3::zeros() {
            return;
        }
        for (body, joined) in find_unheld(self) {
            let name = &self.bodies[body].name;
            let (message, help) = if joined == 1 {
                (
                    format!("nothing can hold \"{name}\": it is in no contact pair and falls for ever"),
                    "name it in a contact line, or allow W0302 if that is meant",
                )
            } else {
                (
                    format!(
                        "nothing can hold \"{name}\" and what is joined to it ({joined} bodies): they fall for ever"
                    ),
                    "name one in a contact line, join one to something fixed, or allow W0302 if that is meant",
                )
            };
            problems.push(Problem::new("W0302", format!("body.{name}"), message).help(help));
        }
    }
}

pub(super) fn check_finite(path: &str, v: &Vec3, what: &str, problems: &mut Vec<Problem>) {
    for k in 0..3 {
        if !v[k].is_finite() {
            problems.push(Problem::new(
                "E0102",
                format!("{path}[{k}]"),
                format!("{what} is not finite (got {})", v[k]),
            ));
        }
    }
}

fn check_body(model: &Model, body: &Body, problems: &mut Vec<Problem>) {
    let path = format!("body.{}", body.name);
    for (key, v) in
        [("pos", body.position), ("vel", body.velocity), ("omega", body.angular_velocity), ("com", body.com)]
    {
        check_finite(&format!("{path}.{key}"), &v, &format!("{key} of \"{}\"", body.name), problems);
    }
    let norm = body.orientation.norm();
    if norm.is_nan() || (norm - 1.0).abs() > 1e-6 {
        let message = format!("|quat| of \"{}\" = {norm:.4}, expected 1", body.name);
        problems.push(
            Problem::new("E0105", format!("{path}.rot"), message).help("divide the quaternion by its length"),
        );
    }
    for shape in &body.shapes {
        check_shape(body, shape, problems);
    }
    if body.fixed {
        return;
    }
    if !(body.mass.is_finite() && body.mass > 0.0) {
        let message = format!("mass of \"{}\" must be positive, got {} kg", body.name, body.mass);
        problems.push(Problem::new("E0311", format!("{path}.mass"), message).expected("a mass > 0"));
    } else if let Err(fault) = check_inertia(&body.inertia)
        && !is_held_without_inertia(model, body, fault)
    {
        problems.push(describe_inertia(body, &path, fault));
    }
}

/// A point mass, or a thin rod, whose turning a joint or constraint may hold: whether one does is seen where the model is
/// compiled.
fn is_held_without_inertia(model: &Model, body: &Body, fault: InertiaFault) -> bool {
    let InertiaFault::NotPositive { moments: m } = fault else { return false };
    let is_possible = m.x >= 0.0 && m.z <= (m.x + m.y) * (1.0 + TRIANGLE_TOLERANCE);
    let is_it = |index: usize| model.bodies[index].name == body.name;
    let is_joined = model.joints.iter().any(|joint| is_it(joint.a.body) || is_it(joint.b.body));
    let is_constrained = model.constraints.iter().any(|constraint| match &constraint.kind {
        ConstraintKind::PointOnPoint { a, b }
        | ConstraintKind::Distance { a, b, .. }
        | ConstraintKind::Rolling { a, b, .. } => is_it(a.body) || is_it(b.body),
        ConstraintKind::Coupling { .. } => false,
    });
    is_possible && (is_joined || is_constrained)
}

fn describe_inertia(body: &Body, path: &str, fault: InertiaFault) -> Problem {
    let name = &body.name;
    let list = |m: Vec3| format!("{}, {}, {} kg m^2", short(m.x), short(m.y), short(m.z));
    let (message, expected) = match fault {
        InertiaFault::NotFinite { value, .. } => {
            (format!("inertia of \"{name}\" is not finite (got {value})"), "finite moments")
        }
        InertiaFault::NotSymmetric { upper, lower, .. } => (
            format!("inertia of \"{name}\" is not symmetric: {upper} and {lower} kg m^2 face each other"),
            "a symmetric tensor",
        ),
        InertiaFault::NotPositive { moments } => (
            format!("inertia of \"{name}\": principal moments {} must all be positive", list(moments)),
            "principal moments above 0",
        ),
        InertiaFault::Triangle { moments: m } => (
            format!(
                "inertia of \"{name}\": principal moments {} break the triangle inequality ({} > {}); no rigid body has them",
                list(m),
                short(m.z),
                short(m.x + m.y)
            ),
            "the largest principal moment at most the sum of the others",
        ),
    };
    let problem = Problem::new("E0312", format!("{path}.inertia"), message).expected(expected);
    let sphere = body.shapes.iter().find_map(|s| match s.shape {
        Shape::Sphere { radius, hollow: false } => Some(radius),
        _ => None,
    });
    match sphere {
        Some(r) => {
            let moment = short(0.4 * body.mass * r * r);
            problem.help(format!(
                "for a solid sphere of {} kg and {} m: {moment} kg m^2",
                short(body.mass),
                short(r)
            ))
        }
        None => problem.help("remove `inertia` to derive it from the solid shapes"),
    }
}

/// Six digits, as many as needed.
pub(super) fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded != 0.0 && (rounded.abs() < 1e-4 || rounded.abs() >= 1e7) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// A named value with what is allowed for it.
fn check_range(
    path: String,
    value: Option<f64>,
    allowed: impl Fn(f64) -> bool,
    expected: &str,
    problems: &mut Vec<Problem>,
) {
    if let Some(value) = value.filter(|v| !(v.is_finite() && allowed(*v))) {
        let message = format!("{path} must be {expected}, got {}", short(value));
        problems.push(Problem::new("E0406", path, message).expected(expected));
    }
}

/// What contacts of `moreau` may be solved to: rounding comes up at 1e-12, and beyond a tenth of the speeds nothing holds.
const CONTACT_TOLERANCES: std::ops::RangeInclusive<f64> = 1e-12..=0.1;
const POSITIVE: (fn(f64) -> bool, &str) = (|x| x > 0.0, "positive");
const NOT_NEGATIVE: (fn(f64) -> bool, &str) = (|x| x >= 0.0, "0 or more");
const POISSON: (fn(f64) -> bool, &str) = (|x| x > -1.0 && x <= 0.5, "above -1 and at most 0.5");
const SHARE: (fn(f64) -> bool, &str) = (|x| (0.0..=1.0).contains(&x), "from 0 to 1");

fn check_material(material: &Material, problems: &mut Vec<Problem>) {
    let path = format!("material.{}", material.name);
    for (key, value, (allowed, expected)) in [
        ("density", material.density, POSITIVE),
        ("E", material.young_modulus, POSITIVE),
        ("nu", material.poisson_ratio, POISSON),
    ] {
        check_range(format!("{path}.{key}"), value, allowed, expected, problems);
    }
}

fn check_material_pair(pair: &MaterialPair, problems: &mut Vec<Problem>) {
    let path = format!("material_pair.{}|{}", pair.materials[0], pair.materials[1]);
    for (key, value, (allowed, expected)) in [
        ("restitution", pair.restitution, SHARE),
        ("mu", pair.mu, NOT_NEGATIVE),
        ("mu_roll", pair.mu_roll, NOT_NEGATIVE),
    ] {
        check_range(format!("{path}.{key}"), value, allowed, expected, problems);
    }
}

fn check_law(law: &Law, problems: &mut Vec<Problem>) {
    let path = format!("law.{}", law.name);
    for (key, value, (allowed, expected)) in [
        ("E", law.young_modulus, POSITIVE),
        ("nu", law.poisson_ratio, POISSON),
        ("mu", law.mu, NOT_NEGATIVE),
        ("mu_s", law.mu_static, NOT_NEGATIVE),
        ("mu_visc", Some(law.mu_visc), NOT_NEGATIVE),
        ("v_reg", law.v_reg, POSITIVE),
        ("mu_roll", law.rolling.mu_roll, NOT_NEGATIVE),
        ("mu_spin", law.rolling.mu_spin, NOT_NEGATIVE),
        ("roll_arm", law.rolling.roll_arm, NOT_NEGATIVE),
        ("spin_arm", law.rolling.spin_arm, NOT_NEGATIVE),
        ("w_reg", law.rolling.w_reg, POSITIVE),
    ] {
        check_range(format!("{path}.{key}"), value, allowed, expected, problems);
    }
    if let (Some(mu), Some(mu_s)) = (law.mu, law.mu_static)
        && mu_s < mu
    {
        let message =
            format!("static friction mu_s = {mu_s} of law \"{}\" is below the dynamic mu = {mu}", law.name);
        problems.push(Problem::new("E0407", format!("{path}.mu_s"), message).expected("mu_s ≥ mu"));
    }
    if let Some(areal) = &law.areal {
        for (key, value, (allowed, expected)) in
            [("restitution", areal.restitution, SHARE), ("v_small", Some(areal.v_small), POSITIVE)]
        {
            check_range(format!("{path}.pcm.{key}"), value, allowed, expected, problems);
        }
    }
    let Some(point) = &law.point else { return };
    let path = format!("{path}.point");
    for (key, value, (allowed, expected)) in [
        ("stiffness", point.stiffness, POSITIVE),
        ("exponent", Some(point.exponent), ((|x| x >= 1.0) as fn(f64) -> bool, "1 or more")),
        ("restitution", point.restitution, SHARE),
        ("stiffness_scale", Some(point.stiffness_scale), (|x| x > 0.0 && x <= 1.0, "above 0 and at most 1")),
        ("damping_max", Some(point.damping_max), POSITIVE),
        ("v_small", Some(point.v_small), POSITIVE),
        ("w_small", Some(point.w_small), POSITIVE),
    ] {
        check_range(format!("{path}.{key}"), value, allowed, expected, problems);
    }
    if let FrictionKind::Ambrosio { v0, v1 } = point.friction {
        for (key, value) in [("v0", v0), ("v1", v1)] {
            check_range(format!("{path}.{key}"), value, NOT_NEGATIVE.0, NOT_NEGATIVE.1, problems);
        }
    }
    if let Some(bristle) = point.friction.bristle() {
        let dwell_time = match point.friction {
            FrictionKind::Bristle { dwell_time, .. } => Some(dwell_time),
            _ => None,
        };
        for (key, value) in [
            ("v_stick", bristle.v_stick),
            ("k_t", bristle.stiffness),
            ("c_t", bristle.damping),
            ("dwell_time", dwell_time),
        ] {
            check_range(format!("{path}.{key}"), value, POSITIVE.0, POSITIVE.1, problems);
        }
    }
}

//! What is wrong with joints, forces and constraints as physics. Paths are those of the model file:
//! `joint.knee.spring.stiffness`, or `joint.knee.spring[1].stiffness` where there are several coordinates.

use std::cmp::Ordering;

use carom_math::Vec3;

use super::driven::find_position_jump;
use super::validate::short;
use super::validate_force::attachments_of_force;
use super::validate_formulation::{check_formulation, check_kkt_only};
use super::validate_stepping::check_stepping;
use super::{
    Attachment, AxisElements, AxisLimit, AxisMeasure, Constraint, ConstraintKind, ForceKind, Joint,
    JointCoordinate, JointKind, Model, Motor, Sliding, Stop, Turning,
};
use crate::Problem;
use crate::function::TimeFunction;

/// Sine of the least angle between the axes of a universal joint.
const LEAST_ANGLE: f64 = 1e-6;
/// Start values that differ by less, relative to their size, are the same.
const SAME_START: f64 = 1e-9;

/// Everything that is wrong with the mechanism of a model.
pub(super) fn check_mechanism(model: &Model, problems: &mut Vec<Problem>) {
    let mut check = Check { model, problems };
    model.joints.iter().for_each(|j| check.joint(j));
    model.forces.iter().for_each(|f| check.force(f));
    model.constraints.iter().for_each(|c| check.constraint(c));
    check_formulation(&model.solver, check.problems);
    check_kkt_only(model, check.problems);
    check_stepping(model, check.problems);
    if let Some(world) = model.bodies.iter().find(|b| b.name == "world" && !b.fixed) {
        let message = "the body \"world\" must be fixed: joints and forces know it as what does not move";
        let problem = Problem::new("E0329", "body.world", message).expected("fixed = true");
        check.problems.push(problem.help(format!("rename the body, or fix it (mass {} kg)", world.mass)));
    }
}

/// Bodies that nothing can hold, as groups of bodies that are joined: the first one and how many they are.
/// What holds is a contact, or something fixed. An applied force may hold what it acts on.
pub(super) fn find_unheld(model: &Model) -> Vec<(usize, usize)> {
    let mut groups = Groups::new(model.bodies.len());
    let mut holds: Vec<bool> = model.bodies.iter().map(|b| b.fixed).collect();
    for pair in &model.pairs {
        holds[pair.a.body] = true;
        holds[pair.b.body] = true;
    }
    for surface in model.wide_lines.iter().filter(|w| w.line.is_some()).flat_map(|w| w.sides.iter().flatten())
    {
        holds[surface.body] = true;
    }
    // A free joint holds nothing.
    for joint in model.joints.iter().filter(|j| j.kind != JointKind::Free) {
        groups.join(joint.a.body, joint.b.body);
    }
    for force in &model.forces {
        match &force.kind {
            ForceKind::Force { on, .. } => holds[on.body] = true,
            ForceKind::Torque { .. } | ForceKind::Drag { .. } => {}
            kind => groups.join_all(&attachments_of_force(kind)),
        }
    }
    for constraint in &model.constraints {
        groups.join_all(&attachments_of_constraint(&constraint.kind));
    }
    let mut held = vec![false; model.bodies.len()];
    let mut size = vec![0; model.bodies.len()];
    for body in 0..model.bodies.len() {
        let root = groups.root(body);
        held[root] |= holds[body];
        size[root] += 1;
    }
    // The root of a group is its first body.
    (0..model.bodies.len()).filter(|b| size[*b] > 0 && !held[*b]).map(|b| (b, size[b])).collect()
}

/// Disjoint sets of bodies.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut body: usize) -> usize {
        while self.0[body] != body {
            self.0[body] = self.0[self.0[body]];
            body = self.0[body];
        }
        body
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn join_all(&mut self, frames: &[&Attachment]) {
        frames.windows(2).for_each(|w| self.join(w[0].body, w[1].body));
    }
}

/// The frames of a constraint; none if it is about coordinates.
pub(super) fn attachments_of_constraint(kind: &ConstraintKind) -> Vec<&Attachment> {
    match kind {
        ConstraintKind::PointOnPoint { a, b }
        | ConstraintKind::Distance { a, b, .. }
        | ConstraintKind::Rolling { a, b, .. } => vec![a, b],
        ConstraintKind::Coupling { .. } => Vec::new(),
    }
}

/// A range of values with its words.
pub(super) type Range = (fn(f64) -> bool, &'static str);

pub(super) const POSITIVE: Range = (|x| x > 0.0, "positive");
pub(super) const NOT_NEGATIVE: Range = (|x| x >= 0.0, "0 or more");
const NOT_ZERO: Range = (|x| x != 0.0, "other than 0");
const ONE_OR_MORE: Range = (|x| x >= 1.0, "1 or more");
const SHARE: Range = (|x| (0.0..=1.0).contains(&x), "from 0 to 1");

pub(super) struct Check<'m, 'p> {
    pub(super) model: &'m Model,
    problems: &'p mut Vec<Problem>,
}

impl Check<'_, '_> {
    pub(super) fn push(
        &mut self,
        code: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Problem {
        self.problems.push(Problem::new(code, path, message));
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    pub(super) fn range(&mut self, path: String, value: f64, (allowed, expected): Range) {
        if !(value.is_finite() && allowed(value)) {
            let message = format!("{path} must be {expected}, got {}", short(value));
            self.push("E0324", path, message).expected = Some(expected.to_owned());
        }
    }

    /// Bodies that exist, that differ, and of which one can move. False if one does not exist.
    pub(super) fn bodies(&mut self, path: &str, frames: &[&Attachment], kind: &str) -> bool {
        if frames.iter().any(|f| f.body >= self.model.bodies.len()) {
            self.push("E0203", path, format!("{path} names a body that does not exist")).expected =
                Some("an index of a body".to_owned());
            return false;
        }
        let Some(first) = frames.first() else { return true };
        let name = |f: &Attachment| self.model.bodies[f.body].name.clone();
        if frames.len() > 1 && frames.iter().all(|f| f.body == first.body) {
            let message = format!("{kind} \"{}\" joins body \"{}\" to itself", last_of(path), name(first));
            let at = if matches!(kind, "cable") { format!("{path}.path") } else { format!("{path}.b.body") };
            let problem = self.push("E0320", at, message);
            problem.expected = Some("two different bodies".to_owned());
            problem.help = Some("what is not on a body is on \"world\"".to_owned());
        } else if frames.iter().all(|f| self.model.bodies[f.body].fixed) {
            let names: Vec<String> = frames.iter().map(|f| format!("\"{}\"", name(f))).collect();
            let message = if names.len() == 1 {
                format!("{kind} \"{}\" acts on {}, which is fixed: it has no effect", last_of(path), names[0])
            } else {
                let all = names.join(" and ");
                format!("{kind} \"{}\" joins {all}, which are fixed: it has no effect", last_of(path))
            };
            self.push("W0303", path, message).help =
                Some("let one of them move, remove the entry, or allow W0303".to_owned());
        }
        true
    }

    fn joint(&mut self, joint: &Joint) {
        let path = format!("joint.{}", joint.name);
        if !self.bodies(&path, &[&joint.a, &joint.b], "joint") {
            return;
        }
        if let Sliding::Thread { lead } = joint.kind.sliding() {
            self.range(format!("{path}.lead"), lead, NOT_ZERO);
        }
        if let Turning::Cardan { second } = joint.kind.turning()
            && !is_at_least(second.cross(&Vec3::z()).norm(), LEAST_ANGLE)
        {
            let message = format!("the axes of joint \"{}\" are parallel", joint.name);
            self.push("E0321", format!("{path}.axes"), message).expected =
                Some("two directions that differ".to_owned());
        }
        let freedoms = joint.kind.freedoms();
        for (key, values, count) in
            [("position", &joint.position, joint.kind.coordinates()), ("velocity", &joint.velocity, freedoms)]
        {
            if let Some(values) = values.as_ref().filter(|v| v.len() != count) {
                let message = format!("{path}.{key} has {} values, the joint has {count}", values.len());
                self.push("E0322", format!("{path}.{key}"), message).expected =
                    Some(format!("{count} values"));
            }
        }
        if joint.elements.len() != freedoms {
            let message = format!(
                "{path} has elements for {} freedoms, the joint has {freedoms}",
                joint.elements.len()
            );
            self.push("E0322", path, message).expected = Some(format!("{freedoms} entries"));
            return;
        }
        if joint.kind.axes().is_empty() && !joint.elements.iter().all(AxisElements::needs_none) {
            let message = format!("joint \"{}\" has no coordinate that is one number", joint.name);
            self.push("E0322", path, message).expected =
                Some("friction and armature alone along its freedoms".to_owned());
            return;
        }
        for (axis, elements) in joint.elements.iter().enumerate() {
            let of = |key: &str| {
                if freedoms == 1 { format!("{path}.{key}") } else { format!("{path}.{key}[{axis}]") }
            };
            self.elements(joint, axis, elements, &of);
        }
    }

    fn elements(&mut self, joint: &Joint, axis: usize, e: &AxisElements, of: &dyn Fn(&str) -> String) {
        if let Some(spring) = e.spring {
            self.range(format!("{}.stiffness", of("spring")), spring.stiffness, NOT_NEGATIVE);
            self.range(format!("{}.damping", of("spring")), spring.damping, NOT_NEGATIVE);
        }
        let key = match joint.kind.measure(axis) {
            AxisMeasure::Angle => "torque",
            AxisMeasure::Length => "force",
        };
        if let Some(servo) = &e.servo {
            let path = of("servo");
            self.range(format!("{path}.stiffness"), servo.stiffness, NOT_NEGATIVE);
            self.range(format!("{path}.damping"), servo.damping, NOT_NEGATIVE);
            self.function(&format!("{path}.target"), &servo.target, 1);
            if let Some(effort) = servo.effort {
                self.range(format!("{path}.{key}"), effort, POSITIVE);
            }
        }
        if let Some(friction) = e.friction {
            self.range(format!("{}.{key}", of("friction")), friction.force, NOT_NEGATIVE);
            self.range(format!("{}.v_reg", of("friction")), friction.v_reg, POSITIVE);
        }
        let reflected = if e.armature == 0.0 { "armature".to_owned() } else { of("armature") };
        self.range(reflected, e.armature, NOT_NEGATIVE);
        if let Some(range) = e.actuator_range {
            self.order(format!("{}.{key}", of("actuators")), range);
        }
        if let Some(speed) = e.rated_speed {
            self.range(format!("{}.speed", of("rating")), speed, POSITIVE);
        }
        let scalar = |values: &Option<Vec<f64>>| values.as_ref().and_then(|v| v.get(axis).copied());
        let (position, velocity) = (scalar(&joint.position), scalar(&joint.velocity));
        if let Some(limit) = e.limit {
            self.limit(joint, axis, &of("limit"), limit, position);
        }
        if let Some(motor) = &e.motor {
            self.motor(joint, axis, motor, &of("motor"), position, velocity);
        }
    }

    fn limit(&mut self, joint: &Joint, axis: usize, path: &str, limit: AxisLimit, position: Option<f64>) {
        let unit = unit_of(joint, axis);
        match (limit.lower, limit.upper) {
            (None, None) => {
                self.push("E0323", path, format!("{path} has neither `lower` nor `upper`")).expected =
                    Some("at least one bound".to_owned());
            }
            (Some(low), Some(high)) if low.partial_cmp(&high) != Some(Ordering::Less) => {
                let (low, high) = (short(low), short(high));
                let message = format!("{path}: lower = {low} {unit} is not below upper = {high} {unit}");
                self.push("E0323", format!("{path}.lower"), message).expected =
                    Some("lower < upper".to_owned());
            }
            (low, high) => {
                let outside = |p: &f64| low.is_some_and(|l| *p < l) || high.is_some_and(|h| *p > h);
                if let Some(p) = position.filter(outside) {
                    let message =
                        format!("joint \"{}\" starts at {} {unit}, beyond its limit", joint.name, short(p));
                    self.push("W0304", format!("joint.{}.position", joint.name), message).help =
                        Some("start within the limits, or allow W0304 if that is meant".to_owned());
                }
            }
        }
        match limit.stop {
            Stop::Compliant { stiffness, exponent, restitution } => {
                if let Some(stiffness) = stiffness {
                    self.range(format!("{path}.stiffness"), stiffness, POSITIVE);
                }
                self.range(format!("{path}.exponent"), exponent, ONE_OR_MORE);
                self.range(format!("{path}.restitution"), restitution, SHARE);
            }
            Stop::Rigid { restitution, .. } => {
                self.range(format!("{path}.nonsmooth.e_n"), restitution, SHARE);
            }
        }
    }

    fn motor(
        &mut self,
        joint: &Joint,
        axis: usize,
        motor: &Motor,
        path: &str,
        position: Option<f64>,
        velocity: Option<f64>,
    ) {
        let (key, function, derivatives) = match motor {
            Motor::Position(f) => ("position", f, 2),
            Motor::Velocity(f) => ("speed", f, 1),
            Motor::Force(f) if joint.kind.axes()[axis] == AxisMeasure::Angle => ("torque", f, 0),
            Motor::Force(f) => ("force", f, 0),
        };
        let of_key = format!("{path}.{key}");
        if !self.function(&of_key, function, derivatives) {
            return;
        }
        let t_end = self.model.solver.t_end;
        self.problems.extend(find_position_jump(joint, axis, motor, &of_key, t_end));
        let start = function.jet(0.0);
        let (wanted_position, wanted_velocity) = match motor {
            Motor::Position(_) => (Some(start.value), Some(start.rate)),
            Motor::Velocity(_) => (None, Some(start.value)),
            Motor::Force(_) => (None, None),
        };
        for (key, stated, wanted) in
            [("position", position, wanted_position), ("velocity", velocity, wanted_velocity)]
        {
            let (Some(stated), Some(wanted)) = (stated, wanted) else { continue };
            if (stated - wanted).abs() > SAME_START * (1.0 + wanted.abs()) {
                let unit = unit_of(joint, axis);
                let unit = if key == "velocity" { format!("{unit}/s") } else { unit.to_owned() };
                let (stated, wanted) = (short(stated), short(wanted));
                let message = format!(
                    "{key} {stated} {unit} of joint \"{}\" contradicts its motor, which starts at {wanted} {unit}",
                    joint.name
                );
                let problem = self.push("E0326", format!("joint.{}.{key}", joint.name), message);
                problem.expected = Some(format!("{wanted} {unit} at t = 0"));
                problem.help = Some(format!("remove `{key}`: the motor prescribes it"));
            }
        }
    }

    /// A function has a value, and derivatives where they are needed, at both ends of the run.
    pub(super) fn function(&mut self, path: &str, function: &TimeFunction, derivatives: usize) -> bool {
        for t in [0.0, self.model.solver.t_end] {
            let jet = function.jet(t);
            let values =
                [("value", jet.value), ("derivative", jet.rate), ("second derivative", jet.acceleration)];
            let bad = values[..=derivatives].iter().find(|v| !v.1.is_finite());
            if let Some((what, value)) = bad {
                let problem = self.push("E0117", path, format!("{path}: its {what} at t = {t} s is {value}"));
                problem.expected = Some("finite numbers during the whole run".to_owned());
                problem.help = Some(match derivatives {
                    0 => "avoid roots of negative numbers and divisions by 0".to_owned(),
                    _ => "what a motor prescribes must have finite derivatives too".to_owned(),
                });
                return false;
            }
        }
        true
    }

    fn constraint(&mut self, constraint: &Constraint) {
        let path = format!("constraint.{}", constraint.name);
        let frames = attachments_of_constraint(&constraint.kind);
        if !self.bodies(&path, &frames, "constraint") {
            return;
        }
        match &constraint.kind {
            ConstraintKind::PointOnPoint { .. } => {}
            ConstraintKind::Distance { length, .. } => {
                if let Some(length) = length.filter(|l| !(*l > 0.0 && l.is_finite())) {
                    let at = format!("{path}.length");
                    let message = format!("{at} must be positive, got {}", short(length));
                    let problem = self.push("E0324", at, message);
                    problem.expected = Some("positive".to_owned());
                    problem.help = Some("for points that coincide write type = \"point\"".to_owned());
                }
            }
            ConstraintKind::Rolling { radius, axis, .. } => {
                self.range(format!("{path}.radius"), *radius, POSITIVE);
                if axis.is_some_and(|a| !is_at_least(a.norm(), f64::MIN_POSITIVE)) {
                    self.push("E0315", format!("{path}.axis"), format!("{path}.axis has no direction"));
                }
            }
            ConstraintKind::Coupling { terms, .. } => self.coupling(&constraint.name, &path, terms),
        }
    }

    fn coupling(&mut self, name: &str, path: &str, terms: &[(JointCoordinate, f64)]) {
        let title = format!("constraint \"{name}\"");
        if self.terms(&title, path, terms, |kind| kind.axes().len())
            && terms.iter().all(|t| self.is_driven(t.0))
        {
            self.bad_terms(path, format!("every coordinate of {title} is driven by a motor already"));
        }
    }

    /// Coordinates that exist, each once, with factors; `count`: how many a joint has. False if there is something wrong.
    pub(super) fn terms(
        &mut self,
        title: &str,
        path: &str,
        terms: &[(JointCoordinate, f64)],
        count: fn(JointKind) -> usize,
    ) -> bool {
        let exists =
            |c: &JointCoordinate| self.model.joints.get(c.joint).is_some_and(|j| c.axis < count(j.kind));
        let message = if terms.is_empty() {
            format!("{title} couples no coordinates")
        } else if !terms.iter().all(|t| exists(&t.0)) {
            format!("{title} names a coordinate that does not exist")
        } else if (1..terms.len()).any(|k| terms[..k].iter().any(|t| t.0 == terms[k].0)) {
            format!("{title} names a coordinate twice")
        } else if let Some(k) = terms.iter().position(|t| !(t.1.is_finite() && t.1 != 0.0)) {
            format!("{title} has the factor {} on coordinate {k}", terms[k].1)
        } else {
            return true;
        };
        self.bad_terms(path, message);
        false
    }

    fn bad_terms(&mut self, path: &str, message: String) {
        let problem = self.push("E0331", path, message);
        problem.expected =
            Some("different coordinates with factors other than 0, one of them not driven".to_owned());
    }

    /// Does a motor prescribe the coordinate?
    fn is_driven(&self, c: JointCoordinate) -> bool {
        let motor = self.model.joints[c.joint].elements.get(c.axis).and_then(|e| e.motor.as_ref());
        matches!(motor, Some(Motor::Position(_) | Motor::Velocity(_)))
    }
}

pub(super) fn unit_of(joint: &Joint, axis: usize) -> &'static str {
    joint.kind.axes()[axis].unit()
}

/// a ≥ b, false where one is not a number.
pub(super) fn is_at_least(a: f64, b: f64) -> bool {
    a >= b
}

/// Name of a part from its path `joint.leg.knee`.
fn last_of(path: &str) -> &str {
    path.split_once('.').map_or(path, |(_, name)| name)
}

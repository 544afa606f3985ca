//! Bodies that move together, with the energy that they can bring to a contact.

use carom_geometry::Shape;
use carom_math::Vec3;

use crate::function::TimeFunction;
use crate::mechanics::Workspace;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::force::{Account, actuator_motion, evaluate_force};
use crate::mechanics::{CableData, Equation, ForceData, JointData};
use crate::model::{ActivationKind, Actuator, AxisMeasure, JointKind, Model, Motor, Sliding};
use crate::system::System;

/// Cosine to the upward direction from which a triangle can be stood on.
const UPWARD: f64 = 0.1;

/// Parts of the run over which functions of time are bounded one by one.
const PARTS: u32 = 256;

/// What acts along a line, or about an axis through a place: a speed, a way or a force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    /// Place of the axis (m); `None` along a line.
    axis: Option<Vec3>,
    amount: f64,
}

impl Action {
    /// Lever of what turns about an axis, at a place (m); else 1.
    fn lever(&self, place: &Vec3) -> f64 {
        self.axis.map_or(1.0, |axis| (place - axis).norm())
    }
}

/// Bodies that joints, constraints and force elements connect.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) bodies: usize,
    /// kg
    pub(super) mass: f64,
    /// Of its motion at the start, of falling as far as it can, stored in its springs (J).
    pub(super) energy: f64,
    /// Is it held by what is fixed?
    pub(super) is_held: bool,
    /// Largest forces and torques that motors, actuators and applied loads exert.
    loads: Vec<Action>,
    /// Largest speeds that motors prescribe, and ways that they go.
    speeds: Vec<Action>,
    ways: Vec<Action>,
    /// Groups that can meet, over others, have the same number.
    pub(super) meets: usize,
}

impl Group {
    /// Sum of the forces that its loads can exert at a place (N).
    pub(super) fn load(&self, place: &Vec3) -> f64 {
        let force = |load: &Action| load.amount / load.lever(place).max(f64::MIN_POSITIVE);
        self.loads.iter().map(force).filter(|f| f.is_finite()).sum()
    }

    /// Largest speed there that motors prescribe (m/s); `None` if they prescribe no motion.
    pub(super) fn driven_speed(&self, place: &Vec3) -> Option<f64> {
        (!self.speeds.is_empty()).then(|| self.speeds.iter().map(|a| a.amount * a.lever(place)).sum())
    }

    /// Longest way there that they prescribe (m).
    pub(super) fn driven_way(&self, place: &Vec3) -> f64 {
        self.ways.iter().map(|a| a.amount * a.lever(place)).sum()
    }
}

/// Sets that are joined.
struct Union(Vec<usize>);

impl Union {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn find(&mut self, k: usize) -> usize {
        let mut root = k;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Groups of a model at its start, and which body belongs to which; fixed bodies belong to none.
pub(super) fn find_groups(
    system: &System,
    model: &Model,
    at_start: &Workspace<'_>,
) -> (Vec<Option<usize>>, Vec<Group>) {
    let bodies = model.bodies.len();
    let is_fixed = |body: usize| model.bodies[body].fixed;
    let mut held = vec![false; bodies];
    let mut together = Union::new(bodies);
    for (linked, holds) in connections(system) {
        let moving: Vec<usize> = linked.iter().copied().filter(|&b| !is_fixed(b)).collect();
        moving.windows(2).for_each(|pair| together.join(pair[0], pair[1]));
        if holds && moving.len() < linked.len() {
            moving.iter().for_each(|&body| held[body] = true);
        }
    }
    let mut group_of = vec![None; bodies];
    let mut groups: Vec<Group> = Vec::new();
    for body in (0..bodies).filter(|&b| !is_fixed(b)) {
        let root = together.find(body);
        let group = *group_of[root].get_or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        group_of[body] = Some(group);
        let own = &mut groups[group];
        own.bodies += 1;
        own.mass += system.mechanics.bodies[body].mass;
        own.is_held |= held[body];
        own.energy += kinetic_energy(system, at_start, body);
    }
    find_meetings(model, &group_of, &mut groups);
    add_forces(system, at_start, &group_of, &mut groups);
    add_joints(system, at_start, &group_of, &mut groups);
    add_falls(system, model, at_start, &group_of, &mut groups);
    (group_of, groups)
}

/// A free joint stands for the freedoms of a body that nothing holds.
fn holds(joint: &JointData) -> bool {
    joint.kind != JointKind::Free
}

/// Bodies that something connects, and whether it holds them to each other.
fn connections(system: &System) -> Vec<(Vec<usize>, bool)> {
    let of_joint =
        |joint: usize| vec![system.mechanics.joints[joint].a.body, system.mechanics.joints[joint].b.body];
    let joints = system.mechanics.joints.iter().enumerate().map(|(j, data)| (of_joint(j), holds(data)));
    let forces = system.mechanics.forces.iter().map(|force| (force.bodies().collect(), false));
    let constraints = system.mechanics.constraints.iter().map(|constraint| match &constraint.equation {
        Equation::Closure { joint } => (of_joint(*joint), true),
        Equation::Drive { at, .. } => (of_joint(at.joint), true),
        Equation::Point { a, b } | Equation::Distance { a, b, .. } | Equation::Rolling { a, b, .. } => {
            (vec![a.body, b.body], true)
        }
        Equation::Coupling { terms, .. } => {
            (terms.iter().flat_map(|(at, _)| of_joint(at.joint)).collect(), true)
        }
        Equation::Cable { force } => (system.mechanics.forces[*force].bodies().collect(), false),
    });
    joints.chain(forces).chain(constraints).collect()
}

/// ½ m v² + ½ ω·Iω, and that of the armature of the joint that carries the body (J).
fn kinetic_energy(system: &System, at_start: &Workspace<'_>, body: usize) -> f64 {
    let (data, motion) = (&system.mechanics.bodies[body], &at_start.bodies[body]);
    let omega = motion.pose.rotation.tr_mul(&motion.angular_velocity);
    let armature =
        data.link.map_or(0.0, |link| system.mechanics.links[link].energy_of_armature(&at_start.state));
    armature + 0.5 * (data.mass * motion.velocity.norm_squared() + omega.dot(&(data.inertia * omega)))
}

/// Which groups can meet by contact lines.
fn find_meetings(model: &Model, group_of: &[Option<usize>], groups: &mut [Group]) {
    let mut meetings = Union::new(groups.len());
    for pair in &model.pairs {
        if let [Some(a), Some(b)] = [pair.a, pair.b].map(|s| group_of[s.body]) {
            meetings.join(a, b);
        }
    }
    for wide in model.wide_lines.iter().filter(|wide| wide.line.is_some()) {
        let mut all = wide.sides.iter().flatten().filter_map(|s| group_of[s.body]);
        if let Some(first) = all.next() {
            all.for_each(|group| meetings.join(first, group));
        }
    }
    for (k, group) in groups.iter_mut().enumerate() {
        group.meets = meetings.find(k);
    }
}

/// Largest |f|, |ḟ| and hi − lo of f over the run.
fn bounds(function: &TimeFunction, t_end: f64) -> [f64; 3] {
    let part = t_end / f64::from(PARTS);
    let size = |[lo, hi]: [f64; 2]| hi.abs().max(lo.abs());
    let (mut value, mut rate, mut lo, mut hi) = (0.0_f64, 0.0_f64, f64::INFINITY, f64::NEG_INFINITY);
    for k in 0..PARTS {
        let range = function.range(f64::from(k) * part, f64::from(k + 1) * part);
        value = value.max(size(range.value));
        rate = rate.max(size(range.rate));
        lo = lo.min(range.value[0]);
        hi = hi.max(range.value[1]);
    }
    [value, rate, hi - lo]
}

/// What force elements have stored, and what they can exert.
fn add_forces(system: &System, at_start: &Workspace<'_>, group_of: &[Option<usize>], groups: &mut [Group]) {
    let t_end = system.settings.t_end;
    let largest = |function: &TimeFunction| bounds(function, t_end)[0];
    let norm =
        |components: &[TimeFunction; 3]| components.iter().map(|c| largest(c).powi(2)).sum::<f64>().sqrt();
    let mut unused = vec![carom_math::Wrench::ZERO; system.mechanics.bodies.len()];
    for (index, force) in system.mechanics.forces.iter().enumerate() {
        if let ForceData::Actuator(actuator) = force {
            add_actuator(&actuator.law, system, at_start, group_of, groups);
        }
        let Some(group) = force.bodies().find_map(|body| group_of[body]) else { continue };
        let group = &mut groups[group];
        let mut account = Account::default();
        evaluate_force(&at_start.here(), index, &mut unused, &mut [], &mut account);
        group.energy += account.potential;
        let place = |body: usize| at_start.bodies[body].pose.translation;
        match force {
            ForceData::SpringDamper { actuator, .. } => {
                group.loads.push(Action { axis: None, amount: largest(actuator) });
            }
            ForceData::TorsionSpring { a, actuator, .. } => {
                let axis = at_start.bodies[a.body].pose.compose(&a.pose).translation;
                group.loads.push(Action { axis: Some(axis), amount: largest(actuator) });
            }
            ForceData::Force { components, .. } => {
                group.loads.push(Action { axis: None, amount: norm(components) });
            }
            ForceData::Torque { on, components, .. } => {
                group.loads.push(Action { axis: Some(place(on.body)), amount: norm(components) });
            }
            ForceData::Cable(CableData { rate: Some(rate), .. }) => {
                let speed = largest(rate);
                group.speeds.push(Action { axis: None, amount: speed });
                group.ways.push(Action { axis: None, amount: speed * t_end });
            }
            ForceData::Cable(_)
            | ForceData::Bushing { .. }
            | ForceData::Drag { .. }
            | ForceData::Actuator(_) => {}
        }
    }
}

/// What an actuator does on each coordinate: its control and bias as a load, its stiffness as a spring that is stretched at the start;
/// neither exceeds its range.
fn add_actuator(
    actuator: &Actuator,
    system: &System,
    at_start: &Workspace<'_>,
    group_of: &[Option<usize>],
    groups: &mut [Group],
) {
    let greatest_of =
        |range: Option<[f64; 2]>| range.map_or(f64::INFINITY, |[least, most]| least.abs().max(most.abs()));
    let t_end = system.settings.t_end;
    let control = bounds(&actuator.control, t_end)[0].min(greatest_of(actuator.control_range));
    let control = actuator.activation.map_or(control, |own| {
        let grown = match own.kind {
            ActivationKind::Filter => control.max(own.initial.abs()),
            ActivationKind::Integrator => own.initial.abs() + control * t_end,
        };
        grown.min(greatest_of(own.range))
    });
    let greatest = greatest_of(actuator.effort_range);
    let load = (actuator.gain.abs() * control + actuator.bias.abs()).min(greatest);
    let [length, _] = actuator_motion(&at_start.here(), actuator);
    let stored = 0.5 * actuator.stiffness.abs() * length * length;
    for &(at, factor) in &actuator.terms {
        let joint = &system.mechanics.joints[at.joint];
        let Some(group) = [joint.a.body, joint.b.body].into_iter().find_map(|body| group_of[body]) else {
            continue;
        };
        let is_angle = joint.kind.measure(at.axis) == AxisMeasure::Angle;
        let place = at_start.bodies[joint.a.body].pose.compose(&joint.a.pose).translation;
        groups[group].loads.push(Action { axis: is_angle.then_some(place), amount: factor.abs() * load });
        groups[group].energy += stored.min(greatest * length.abs());
    }
}

/// What springs along joint coordinates have stored, and what motors do.
fn add_joints(system: &System, at_start: &Workspace<'_>, group_of: &[Option<usize>], groups: &mut [Group]) {
    let t_end = system.settings.t_end;
    for (index, joint) in system.mechanics.joints.iter().enumerate() {
        let Some(group) = [joint.a.body, joint.b.body].into_iter().find_map(|body| group_of[body]) else {
            continue;
        };
        let group = &mut groups[group];
        let (q, _) = joint_axes(&at_start.here(), index);
        let place = at_start.bodies[joint.a.body].pose.compose(&joint.a.pose).translation;
        for (axis, element) in joint.elements.iter().enumerate() {
            if let Some(spring) = element.spring {
                let stretch = q[axis] - spring.rest;
                group.energy += 0.5 * spring.stiffness * stretch * stretch;
            }
            if let Some(servo) = &element.servo {
                // What it gives on the way to its targets, as its spring or with its greatest effort.
                let [low, high] = servo.target.range(0.0, t_end).value;
                let way = (q[axis] - low).abs().max((q[axis] - high).abs());
                let most = servo.effort.unwrap_or(f64::INFINITY);
                group.energy += way * most.min(0.5 * servo.stiffness * way);
            }
            let is_angle = joint.kind.measure(axis) == AxisMeasure::Angle;
            let action = |amount: f64| Action { axis: is_angle.then_some(place), amount };
            match &element.motor {
                Some(Motor::Position(function)) => {
                    let [_, rate, way] = bounds(function, t_end);
                    group.speeds.push(action(rate));
                    group.ways.push(action(way));
                }
                Some(Motor::Velocity(function)) => {
                    let [speed, ..] = bounds(function, t_end);
                    group.speeds.push(action(speed));
                    group.ways.push(action(speed * t_end));
                }
                Some(Motor::Force(function)) => group.loads.push(action(bounds(function, t_end)[0])),
                None => {}
            }
        }
    }
}

/// Gravity's work on each body as it falls: onto the lowest place that faces upwards of what it may meet and what
/// does not fall itself, or round the joints that hold it. What falls beside its partner gains nothing against it.
fn add_falls(
    system: &System,
    model: &Model,
    at_start: &Workspace<'_>,
    group_of: &[Option<usize>],
    groups: &mut [Group],
) {
    let g = system.mechanics.gravity.norm();
    if g == 0.0 {
        return;
    }
    let up = -system.mechanics.gravity / g;
    let held_falls: Vec<Option<f64>> = (0..model.bodies.len())
        .map(|body| fall_round_joints(system, model, at_start, &groups[group_of[body]?], body, &up))
        .collect();
    let mut floors = vec![f64::INFINITY; groups.len()];
    let mut lower = |group: Option<usize>, height: f64, groups: &[Group]| {
        if let Some(group) = group {
            let floor = &mut floors[groups[group].meets];
            *floor = floor.min(height);
        }
    };
    let offset = |body: usize| model.bodies[..body].iter().map(|b| b.shapes.len()).sum::<usize>();
    let sides = model.pairs.iter().flat_map(|p| [(p.a, p.b), (p.b, p.a)]);
    let wide = model.wide_lines.iter().filter(|wide| wide.line.is_some()).flat_map(|wide| {
        let all = || wide.sides.iter().flatten().copied();
        let moving = all().find(|s| group_of[s.body].is_some());
        all().filter_map(move |s| Some((s, moving?)))
    });
    for (stands, meets) in sides.chain(wide) {
        let stays = match group_of[stands.body] {
            None => Some(0.0),
            Some(group) if groups[group].is_held => held_falls[stands.body],
            Some(_) => None,
        };
        if let Some(fall) = stays {
            let surface = offset(stands.body) + stands.shape;
            let height = lowest_upward(system, at_start, surface, &up) - fall;
            lower(group_of[meets.body], height, groups);
        }
    }
    let mut first = 0;
    for (body, own) in model.bodies.iter().enumerate() {
        let surfaces = first..first + own.shapes.len();
        first = surfaces.end;
        let Some(group) = group_of[body] else { continue };
        let floor = floors[groups[group].meets];
        let centre = up.dot(&at_start.bodies[body].pose.translation);
        let lowest = surfaces.map(|s| lowest_point(system, at_start, s, &up)).fold(f64::INFINITY, f64::min);
        let lowest = if lowest.is_finite() { lowest } else { centre };
        let onto_floor = if floor.is_finite() { (lowest - floor).max(0.0) } else { 0.0 };
        let fall = held_falls[body].unwrap_or(onto_floor);
        groups[group].energy += system.mechanics.bodies[body].mass * g * fall;
    }
}

/// How far the centre of a body can fall that is held by joints which turn only (m): from where it is to right below.
fn fall_round_joints(
    system: &System,
    model: &Model,
    at_start: &Workspace<'_>,
    group: &Group,
    body: usize,
    up: &Vec3,
) -> Option<f64> {
    let holding = || system.mechanics.joints.iter().filter(|joint| holds(joint));
    if !group.is_held || !holding().all(|joint| joint.kind.sliding() == Sliding::None) {
        return None;
    }
    let centre = at_start.bodies[body].pose.translation;
    let anchors = holding().filter(|j| [j.a.body, j.b.body].iter().any(|&b| model.bodies[b].fixed));
    let arms = anchors.map(|j| centre - at_start.bodies[j.a.body].pose.compose(&j.a.pose).translation);
    arms.map(|arm| arm.norm() + up.dot(&arm)).reduce(f64::min)
}

/// Height of the lowest point of a surface (m).
fn lowest_point(system: &System, at_start: &Workspace<'_>, surface: usize, up: &Vec3) -> f64 {
    let pose = system.surfaces[surface].place(&at_start.bodies);
    match system.areal_surfaces[surface].mesh() {
        Some(Ok(mesh)) => {
            mesh.vertices.iter().map(|v| up.dot(&pose.transform_point(v))).fold(f64::INFINITY, f64::min)
        }
        _ => up.dot(&pose.translation) - system.surfaces[surface].shape.bounding_radius(),
    }
}

/// Height of the lowest place of a surface that faces upwards (m).
fn lowest_upward(system: &System, at_start: &Workspace<'_>, surface: usize, up: &Vec3) -> f64 {
    let pose = system.surfaces[surface].place(&at_start.bodies);
    let shape = &system.surfaces[surface].shape;
    let Some(Ok(mesh)) = system.areal_surfaces[surface].mesh() else {
        let below = if matches!(shape, Shape::HalfSpace) { 0.0 } else { shape.bounding_radius() };
        return up.dot(&pose.translation) - below;
    };
    let faces = mesh.corners().map(|corners| corners.map(|v| pose.transform_point(&v)));
    let upward = faces.filter(|[a, b, c]| {
        let normal = (b - a).cross(&(c - a));
        up.dot(&normal) > UPWARD * normal.norm()
    });
    upward.flatten().map(|v| up.dot(&v)).fold(f64::INFINITY, f64::min)
}

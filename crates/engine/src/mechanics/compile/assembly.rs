//! The state at t = 0: joints at their stated coordinates or where the stated poses put them, loops closed by Newton's
//! method with the least motion, velocities made consistent.

use carom_math::{Pose, Twist};

use super::elements::{compile_constraints, compile_forces, compile_joints, resolve_lengths, shared_ranges};
use super::forest::{Forest, build_forest};
use super::told_start::{note_moved_bodies, note_passed_limits};
use crate::function::TimeFunction;
use crate::mechanics::constraint::{JointView, joint_axes};
use crate::mechanics::joint;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::states::body_states;
use crate::mechanics::tree::across;
use crate::mechanics::{
    ActuatorData, BodyData, ConstraintData, Equation, ForceData, Held, JointRole, Mechanics, Misfit, Owner,
    Workspace,
};
use crate::model::{AxisElements, Coordinates, Joint, JointCoordinate, Model};
use crate::{Note, Problem};

/// Corrections before loops count as impossible to close.
const ASSEMBLY_CORRECTIONS: usize = 100;
/// Bent starts that are tried, each bent by up to half of this more (m or rad) than the one before.
const BENDS: usize = 6;
const BEND: f64 = 0.1;
/// Golden ratio: its multiples spread evenly.
const GOLDEN: f64 = 1.618_033_988_749_895;
/// A stated pose that the joints move by more than this is worth a note (m and rad).
pub(super) const NOTABLE: f64 = 1e-6;

impl Mechanics {
    /// Takes links and numbers their states.
    pub(super) fn set_links(&mut self, forest: Forest, model: &Model) {
        for (index, link) in forest.links.iter().enumerate() {
            self.bodies[link.body].link = Some(index);
        }
        self.link_of_freedom =
            forest.links.iter().enumerate().flat_map(|(l, link)| link.freedoms().map(move |_| l)).collect();
        self.tree_end = vec![0; forest.links.len()];
        for (index, link) in forest.links.iter().enumerate() {
            self.tree_end[link.tree] = index + 1;
        }
        self.links = forest.links;
        compile_joints(self, model, &forest.roles);
    }

    /// Six coordinates for every body, at the start that has been found.
    pub(super) fn use_body_coordinates(&mut self, model: &Model) {
        let at_start = Workspace::at_start(self);
        let bodies = at_start.bodies.clone();
        let axes: Vec<([f64; 3], [f64; 3])> =
            (0..self.joints.len()).map(|joint| joint_axes(&at_start.here(), joint)).collect();
        let auxiliary = self.initial[self.link_states()..].to_vec();
        drop(at_start);
        let orientations: Vec<_> =
            body_states(self, &self.initial, &bodies).iter().map(|s| s.orientation).collect();
        self.set_links(build_forest(model, Coordinates::Body), model);
        let mut initial = vec![0.0; self.link_states()];
        for link in &self.links {
            let (y, body) = (&mut initial[link.states()], &bodies[link.body]);
            let (q, spin) = (orientations[link.body], body.pose.rotation.tr_mul(&body.angular_velocity));
            y[0..3].copy_from_slice(body.pose.translation.as_slice());
            y[3..7].copy_from_slice(&[q.w, q.x, q.y, q.z]);
            y[7..10].copy_from_slice(body.velocity.as_slice());
            y[10..13].copy_from_slice(spin.as_slice());
        }
        initial.extend(auxiliary);
        self.initial = initial;
        self.forces = compile_forces(self, model).expect("they compiled in joint coordinates");
        self.constraints = compile_constraints(self, model);
        // Lengths and offsets that the start gave are those of the start still.
        self.initial_angles = vec![0.0; self.angles];
        for (data, (q, _)) in self.joints.iter().zip(&axes) {
            let n = if data.role == JointRole::Closes { data.kind.axes().len() } else { 0 };
            self.initial_angles[data.first_angle..data.first_angle + n].copy_from_slice(&q[..n]);
        }
        let settled = resolve_lengths(self, model);
        debug_assert!(settled.is_ok(), "lengths of the start resolve in any coordinates");
    }
}

/// Finds the start; the mechanics' links and joints are set.
pub(super) fn assemble(mechanics: &mut Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    mechanics.forces = compile_forces(mechanics, model).map_err(|p| vec![p])?;
    mechanics.shared_ranges = shared_ranges(model);
    mechanics.constraints = compile_constraints(mechanics, model);
    mechanics.initial = vec![0.0; mechanics.states()];
    for force in &mechanics.forces {
        if let ForceData::Actuator(ActuatorData { law, activation: Some(state) }) = force {
            mechanics.initial[*state] = law.activation.map_or(0.0, |own| own.initial);
        }
    }
    mechanics.initial_angles = vec![0.0; mechanics.angles];
    place_links(mechanics, model);
    let stated = stated_coordinates(model, |j| j.position.as_deref());
    close_loops(mechanics, model, &stated)?;
    note_passed_limits(mechanics, model);
    note_moved_bodies(mechanics, model);
    resolve_lengths(mechanics, model).map_err(|p| vec![p])?;
    set_velocities(mechanics, model)?;
    mechanics.is_mechanism = !mechanics.constraints.is_empty()
        || mechanics.auxiliary > 0
        || mechanics.links.iter().any(|l| !l.lone);
    Ok(())
}

/// Coordinates along the tree: as stated, else from stated poses, else zero.
fn place_links(mechanics: &mut Mechanics, model: &Model) {
    let mut bodies: Vec<BodyKinematics> = mechanics.bodies.iter().map(|b| b.initial).collect();
    for index in 0..mechanics.links.len() {
        let link = mechanics.links[index].clone();
        let (nq, body) = (link.kind.coordinates(), &model.bodies[link.body]);
        let Some((parent, joint)) = link.parent_body.zip(link.joint) else {
            let y = &mut mechanics.initial[link.states()];
            let q = body.orientation.normalized();
            y[..3].copy_from_slice(bodies[link.body].pose.translation.as_slice());
            y[3..7].copy_from_slice(&[q.w, q.x, q.y, q.z]);
            continue;
        };
        let data = &mechanics.joints[joint];
        let q = match &model.joints[joint].position {
            Some(stated) => {
                let mut q = joint::zero(link.kind);
                q[..nq].copy_from_slice(stated);
                q
            }
            None if body.pose_stated => {
                let view = JointView::between(data, &bodies[data.a.body], &bodies[data.b.body]);
                let q = joint::coordinates(link.kind, &view.pose, &[0.0; 3]);
                let turns = turns_of_limits(&model.joints[joint], &q);
                joint::coordinates(link.kind, &view.pose, &turns)
            }
            None => joint::zero(link.kind),
        };
        mechanics.initial[link.coordinates()].copy_from_slice(&q[..nq]);
        let states = mechanics.initial[link.states()].to_vec();
        let mut columns = [Twist::ZERO; 6];
        bodies[link.body] =
            across(&link, &bodies[parent], &states, &mut columns[..link.kind.freedoms()]).body;
    }
}

/// A little less than half a turn (rad).
const NEARLY_HALF: f64 = 3.0;

/// Angles near which a joint's coordinates are, of those that a pose gives up to whole turns: zero, or, for what would then start beyond its limits, the
/// middle of what these leave, and above or below a single one a little less than half a turn from it.
fn turns_of_limits(joint: &Joint, q: &[f64]) -> Vec<f64> {
    let near = |(elements, q): (&AxisElements, &f64)| {
        let Some(limit) = elements.limit else { return 0.0 };
        let bounds = (limit.lower, limit.upper);
        match bounds {
            _ if beyond(bounds, *q) <= NOTABLE => 0.0,
            (Some(lower), Some(upper)) => 0.5 * (lower + upper),
            (Some(lower), None) => lower + NEARLY_HALF,
            (None, Some(upper)) => upper - NEARLY_HALF,
            (None, None) => 0.0,
        }
    };
    joint.elements.iter().zip(q).map(near).collect()
}

/// How far a coordinate is beyond a lower and an upper bound; below zero where it is between them.
pub(super) fn beyond((lower, upper): (Option<f64>, Option<f64>), q: f64) -> f64 {
    (lower.unwrap_or(f64::NEG_INFINITY) - q).max(q - upper.unwrap_or(f64::INFINITY))
}

/// Scalar coordinates that the model states.
fn stated_coordinates(
    model: &Model,
    values: impl Fn(&Joint) -> Option<&[f64]>,
) -> Vec<(JointCoordinate, f64)> {
    let joints = model.joints.iter().enumerate();
    joints
        .filter(|(_, j)| !j.kind.axes().is_empty())
        .filter_map(|(joint, j)| Some((joint, values(j)?)))
        .flat_map(|(joint, values)| {
            values.iter().enumerate().map(move |(axis, value)| (JointCoordinate { joint, axis }, *value))
        })
        .collect()
}

/// Adds rows that hold stated values, by position or velocity; returns how many groups there were before.
fn hold(mechanics: &mut Mechanics, stated: &[(JointCoordinate, f64)], by_velocity: bool) -> usize {
    let before = mechanics.constraints.len();
    mechanics.constraints.extend(stated.iter().map(|&(at, value)| ConstraintData {
        owner: Owner::Start(at.joint, at.axis),
        equation: Equation::Drive { at, function: TimeFunction::Constant(value), by_velocity },
    }));
    before
}

/// Newton's method on all position constraints, first with the stated coordinates held, then without.
fn close_loops(
    mechanics: &mut Mechanics,
    model: &Model,
    stated: &[(JointCoordinate, f64)],
) -> Result<(), Vec<Problem>> {
    if mechanics.constraints.is_empty() {
        return Ok(());
    }
    let before = hold(mechanics, stated, false);
    let held = try_to_close(mechanics);
    mechanics.constraints.truncate(before);
    let Err(missed) = held else { return Ok(()) };
    match try_to_close(mechanics) {
        Ok(()) => {
            let message = format!(
                "the loops do not close at the stated joint coordinates (they miss by {:.2e} m or rad): the coordinates were changed",
                missed.violation
            );
            mechanics.notes.push(Note::new("N0301", message));
            Ok(())
        }
        Err(misfit) => Err(vec![unclosable(mechanics, model, &misfit)]),
    }
}

/// Newton's method from the start, then from bent starts: a chain that begins stretched knows no direction to fold in.
fn try_to_close(mechanics: &mut Mechanics) -> Result<(), Misfit> {
    let mut workspace = Workspace::new(Held::Lent(mechanics));
    let mut missed = None;
    for bend in 0..=BENDS {
        let mut y = mechanics.initial.clone();
        bend_joints(mechanics, &mut y, bend);
        workspace.angles.copy_from_slice(&mechanics.initial_angles);
        match workspace.close_constraints(0.0, &mut y, ASSEMBLY_CORRECTIONS) {
            Ok(()) => {
                let angles = workspace.angles.clone();
                drop(workspace);
                mechanics.initial = y;
                mechanics.initial_angles = angles;
                if bend > 0 {
                    let message = "the loops close only away from the stated start: the joints were bent to find a position; \
                                   state joint coordinates to choose another";
                    mechanics.notes.push(Note::new("N0302", message));
                }
                return Ok(());
            }
            Err(misfit) => missed = missed.or(Some(misfit)),
        }
    }
    Err(missed.expect("the start itself was tried"))
}

/// Moves all joints by amounts without pattern, the more the later the try.
fn bend_joints(mechanics: &Mechanics, y: &mut [f64], bend: usize) {
    for link in mechanics.links.iter().filter(|l| !l.is_root()) {
        let amounts = link.freedoms().map(|f| {
            let spread = (GOLDEN * (f + 1) as f64 + 0.37 * bend as f64).fract() - 0.5;
            BEND * bend as f64 * spread
        });
        joint::displace(link.kind, &mut y[link.coordinates()], &amounts.collect::<Vec<_>>());
    }
}

fn unclosable(mechanics: &Mechanics, model: &Model, misfit: &Misfit) -> Problem {
    let (path, name) = owner_names(mechanics, model, misfit.group);
    Problem::new(
        "E0330",
        path,
        format!(
            "{name} cannot close: {:.3e} m or rad are missing where Newton's method ends",
            misfit.violation
        ),
    )
    .expected("frames that the joints can bring together")
    .help("check lengths, attachment points and axes; state joint coordinates near the closed position")
}

/// Path in the model file and words for the owner of a constraint group.
pub(super) fn owner_names(mechanics: &Mechanics, model: &Model, group: usize) -> (String, String) {
    match mechanics.constraints[group].owner {
        Owner::Joint(j) => {
            (format!("joint.{}", model.joints[j].name), format!("joint \"{}\"", model.joints[j].name))
        }
        Owner::Motor(j, _) => {
            let name = &model.joints[j].name;
            (format!("joint.{name}.motor"), format!("the motor of joint \"{name}\""))
        }
        Owner::Start(j, _) => {
            let name = &model.joints[j].name;
            (format!("joint.{name}"), format!("the stated start of joint \"{name}\""))
        }
        Owner::Constraint(c) => {
            let name = &model.constraints[c].name;
            (format!("constraint.{name}"), format!("constraint \"{name}\""))
        }
        Owner::Cable(f) => {
            (format!("force.{}", model.forces[f].name), format!("cable \"{}\"", model.forces[f].name))
        }
    }
}

/// What given motions move coordinates by at the start, of those that joints have in trees.
fn given_velocities(mechanics: &Mechanics) -> Vec<(JointCoordinate, f64)> {
    let given = |data: &ConstraintData| {
        let Equation::Drive { at, function, by_velocity } = &data.equation else { return None };
        let jet = function.jet(0.0);
        Some((*at, if *by_velocity { jet.value } else { jet.rate }))
    };
    mechanics.constraints.iter().filter_map(given).collect()
}

/// Velocities: as stated for joints, else of what is driven as its motion is given, else from stated velocities of bodies, else zero; then made
/// consistent. What a driven joint carries goes with it: it was not at rest before.
fn set_velocities(mechanics: &mut Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    let poses: Vec<Pose> = Workspace::at_start(mechanics).bodies.iter().map(|b| b.pose).collect();
    let mut bodies: Vec<BodyKinematics> =
        mechanics.bodies.iter().zip(&poses).map(|(data, &pose)| stated_motion(data, pose)).collect();
    let given = given_velocities(mechanics);
    for index in 0..mechanics.links.len() {
        let link = mechanics.links[index].clone();
        let body = &model.bodies[link.body];
        let mut v = [0.0; 6];
        match link.parent_body.zip(link.joint) {
            None => {
                let motion = &bodies[link.body];
                v[..3].copy_from_slice(motion.velocity.as_slice());
                v[3..].copy_from_slice(motion.pose.rotation.tr_mul(&motion.angular_velocity).as_slice());
            }
            Some((_, joint)) => match &model.joints[joint].velocity {
                Some(stated) => v[..stated.len()].copy_from_slice(stated),
                None if body.velocity_stated => {
                    let data = &mechanics.joints[joint];
                    let view = JointView::between(data, &bodies[data.a.body], &bodies[data.b.body]);
                    let q = &mechanics.initial[link.coordinates()];
                    v = joint::rates(
                        &joint::motion(link.kind, q, &[0.0; 6]),
                        link.kind.freedoms(),
                        &view.twist(),
                    );
                }
                None => {}
            },
        }
        if let Some(joint) = link.joint.filter(|&joint| model.joints[joint].velocity.is_none()) {
            for (at, velocity) in given.iter().filter(|(at, _)| at.joint == joint) {
                v[at.axis] = *velocity;
            }
        }
        mechanics.initial[link.velocities()].copy_from_slice(&v[..link.kind.freedoms()]);
        if let Some(parent) = link.parent_body {
            let states = mechanics.initial[link.states()].to_vec();
            let mut columns = [Twist::ZERO; 6];
            bodies[link.body] =
                across(&link, &bodies[parent], &states, &mut columns[..link.kind.freedoms()]).body;
        }
    }
    if mechanics.constraints.is_empty() {
        return Ok(());
    }
    let stated = stated_coordinates(model, |j| j.velocity.as_deref());
    let start = mechanics.initial.clone();
    let before = hold(mechanics, &stated, true);
    let held = try_to_settle(mechanics);
    mechanics.constraints.truncate(before);
    if held.is_ok() {
        note_redundancy(mechanics, model);
        return Ok(());
    }
    mechanics.initial = start;
    match try_to_settle(mechanics) {
        Ok(()) => {
            let message =
                "the stated joint velocities do not fit the constraints: the nearest that do were taken";
            mechanics.notes.push(Note::new("N0304", message));
            note_redundancy(mechanics, model);
            Ok(())
        }
        Err(misfit) => {
            let (path, name) = owner_names(mechanics, model, misfit.group);
            let message = format!(
                "{name} contradicts the other constraints: they demand velocities that differ by {:.3e} m/s or rad/s",
                misfit.violation
            );
            Err(vec![
                Problem::new("E0333", path, message)
                    .help("remove one of the constraints that drive the same freedom"),
            ])
        }
    }
}

fn stated_motion(data: &BodyData, pose: Pose) -> BodyKinematics {
    BodyKinematics { pose, ..data.initial }
}

fn try_to_settle(mechanics: &mut Mechanics) -> Result<(), Misfit> {
    let mut y = mechanics.initial.clone();
    {
        let mut workspace = Workspace::at_start(mechanics);
        workspace.hang_slack_cables();
        workspace.settle_velocities(0.0, &mut y)?;
    }
    mechanics.initial = y;
    Ok(())
}

/// Rows that say what others say already: their reactions are not unique.
fn note_redundancy(mechanics: &mut Mechanics, model: &Model) {
    let mut workspace = Workspace::new(Held::Lent(mechanics));
    let dependent = workspace.dependent_groups(0.0, &mechanics.initial);
    let rows = workspace.mechanism.solver.rows.len();
    let rank = workspace.mechanism.solver.factor.rank();
    let askew = workspace.mechanism.solver.askew(&workspace.mechanics, &workspace.bodies);
    drop(workspace);
    if let Some(&(group, share)) = askew.first() {
        let message = format!(
            "{} holds what its joints leave free by {share:.1e} of a free motion only: axes that are parallel up to the digits they are stated with lock what they close",
            owner_names(mechanics, model, group).1
        );
        mechanics.notes.push(Note::new("W0306", message));
    }
    if dependent.is_empty() {
        return;
    }
    let names: Vec<String> = dependent.iter().map(|&group| owner_names(mechanics, model, group).1).collect();
    let message = format!(
        "{} of {rows} constraint equations repeat others (of {}): motion is unique, reactions are not; those of the closing joints are of least norm, over all joints in body coordinates",
        rows - rank,
        names.join(", ")
    );
    mechanics.notes.push(Note::new("N0305", message));
}

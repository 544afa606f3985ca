//! A keyframe as the start: coordinates, velocities and controls by their order in the file.

use carom_engine::Problem;
use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{Actuator, Robot};
use super::super::xml::Element;
use super::{FileJoint, FileKind};

/// Attributes of a key that say nothing of the start.
const WITHOUT_EFFECT: [&str; 3] = ["name", "time", "user"];

/// Starts from the key that the options name; says which there are if they name none. Without an error the robot has the start.
pub(super) fn apply(root: &Element, joints: &[FileJoint], robot: &mut Robot, context: &Context<'_>) {
    let keys: Vec<&Element> = root.all("keyframe").flat_map(|frame| frame.all("key")).collect();
    let title = |(k, key): (usize, &&Element)| key.text("name").map_or_else(|| k.to_string(), str::to_owned);
    let names: Vec<String> = keys.iter().enumerate().map(title).collect();
    keys.iter().for_each(|key| key.mark_tree());
    let Some(wanted) = &context.options.keyframe else {
        if let Some(first) = keys.first() {
            let text = format!("--keyframe starts from one of the file's keyframes: {}", names.join(", "));
            context.choice(text, Some(first.span));
        }
        return;
    };
    let by_name = names.iter().position(|name| name == wanted);
    let Some(key) = by_name.or_else(|| wanted.parse().ok()).and_then(|k: usize| keys.get(k).copied()) else {
        let mut problem = Problem::new(
            "E0807",
            "",
            format!("the file has no keyframe \"{wanted}\", which --keyframe names"),
        );
        problem.help = help_for(wanted, names.iter().map(String::as_str));
        return context.report(problem, root.span);
    };
    robot.has_stated_start = true;
    // Keys that came by an attachment have numbers of what came by it.
    let came_along = |attachments: &[String]| key.attachments.iter().all(|path| attachments.contains(path));
    let joints: Vec<&FileJoint> = joints.iter().filter(|j| came_along(&j.attachments)).collect();
    let actuators = root.all("actuator").flat_map(|section| &section.children).enumerate();
    let actuators: Vec<usize> =
        actuators.filter(|(_, e)| came_along(&e.attachments)).map(|(number, _)| number).collect();
    if let Some(q) = read(key, "qpos", joints.iter().map(|j| j.kind.coordinates()).sum(), context) {
        place(&q, &joints, robot);
        keep_out_of_margins(robot, context);
    }
    if let Some(v) = read(key, "qvel", joints.iter().map(|j| j.kind.freedoms()).sum(), context) {
        move_by(&v, &joints, robot);
    }
    if let Some(controls) = read(key, "ctrl", actuators.len(), context) {
        let control = |of: Option<usize>| actuators.iter().position(|k| Some(*k) == of).map(|k| controls[k]);
        for actuator in &mut robot.actuators {
            actuator.control = control(actuator.number).unwrap_or(actuator.control);
        }
        for load in &mut robot.loads {
            load.control = control(load.number).unwrap_or(load.control);
        }
    }
    activate(key, &actuators, robot, context);
    for other in key.attributes.iter().filter(|a| !["qpos", "qvel", "ctrl", "act"].contains(&a.name.as_str()))
    {
        if !WITHOUT_EFFECT.contains(&other.name.as_str()) {
            let problem =
                Problem::new("W0801", "", format!("`{}` of a keyframe is not taken over", other.name))
                    .help("bodies that other programs move are not there");
            context.report(problem, other.span);
        }
    }
}

/// Activations, by the order of the actuators that have one, where all of those are taken over.
fn activate(key: &Element, actuators: &[usize], robot: &mut Robot, context: &Context<'_>) {
    let Some(numbers) = key.numbers("act", context) else { return };
    let is_meant = |a: &Actuator| a.number.is_some_and(|number| actuators.contains(&number));
    let activated = robot.actuators.iter().filter(|a| is_meant(a) && a.activation.is_some());
    if activated.count() != numbers.len() {
        let problem = Problem::new("W0801", "", "`act` of a keyframe is not taken over")
            .help("not all actuators with an activation are taken over");
        return context.report(problem, key.place("act"));
    }
    let meant = robot.actuators.iter_mut().filter(|actuator| is_meant(actuator));
    let own = meant.filter_map(|actuator| actuator.activation.as_mut());
    for (own, number) in own.zip(numbers) {
        own.initial = own.within_range(number);
        if own.initial != number {
            let text = "activations that the keyframe has beyond their ranges start at the ends of these";
            context.choice(text, Some(key.place("act")));
        }
    }
}

/// Numbers of a key, as many as there must be.
fn read(key: &Element, attribute: &str, count: usize, context: &Context<'_>) -> Option<Vec<f64>> {
    let numbers = key.numbers(attribute, context)?;
    if numbers.len() == count {
        return Some(numbers);
    }
    let message =
        format!("{attribute} of {} has {} numbers, the model has {count}", key.title(), numbers.len());
    context.report(
        Problem::new("E0805", "", message).expected(format!("{count} numbers")),
        key.place(attribute),
    );
    None
}

/// Where a keyframe has a joint within its range, but within the margin of an end, where MuJoCo would lift it, the limit is there: it would
/// throw it back.
fn keep_out_of_margins(robot: &mut Robot, context: &Context<'_>) {
    for joint in &mut robot.joints {
        for axis in &mut joint.axes {
            let Some([lowest, highest]) = axis.range else { continue };
            let lower = axis.lower.map(|q| q.min(axis.start.max(lowest)));
            let upper = axis.upper.map(|q| q.max(axis.start.min(highest)));
            if (lower, upper) != (axis.lower, axis.upper) {
                let message = "the margin of a joint's limit is not taken over in full: the keyframe has the joint within it";
                let problem = Problem::new("W0801", "", message).help("the limit is where the joint starts");
                context.warn_once(message, problem, joint.span);
            }
            (axis.lower, axis.upper) = (lower, upper);
        }
    }
}

fn place(q: &[f64], joints: &[&FileJoint], robot: &mut Robot) {
    let mut rest = q;
    for file in joints {
        let (own, after) = rest.split_at(file.kind.coordinates());
        rest = after;
        let joint = &mut robot.joints[file.joint];
        match (file.kind, own) {
            (FileKind::Free, [x, y, z, turn @ ..]) => {
                let pose =
                    Pose { rotation: quaternion(turn).to_matrix(), translation: Vec3::new(*x, *y, *z) };
                joint.frame_a = pose.compose(&joint.frame_b);
            }
            (FileKind::Ball, turn) => joint.start_turn = Some(quaternion(turn)),
            (_, [value, ..]) => {
                if let Some(axis) = file.axis(robot) {
                    axis.start = value - file.reference;
                }
            }
            _ => {}
        }
    }
}

fn quaternion(numbers: &[f64]) -> Quaternion {
    let q = Quaternion::new(numbers[0], numbers[1], numbers[2], numbers[3]);
    // MuJoCo takes a quaternion of zeros for no rotation.
    if q.norm() > 0.0 { q.normalized() } else { Quaternion::new(1.0, 0.0, 0.0, 0.0) }
}

/// Free: velocity of the origin in world axes, angular velocity in those of the body; ball: in those of the body.
fn move_by(v: &[f64], joints: &[&FileJoint], robot: &mut Robot) {
    let mut rest = v;
    for file in joints {
        let (own, after) = rest.split_at(file.kind.freedoms());
        rest = after;
        match (file.kind, own) {
            (FileKind::Free, [x, y, z, p, q, r]) => {
                let turn = robot.joints[file.joint].pose().rotation;
                let link = &mut robot.links[robot.joints[file.joint].b];
                link.velocity = Vec3::new(*x, *y, *z);
                link.angular_velocity = turn * Vec3::new(*p, *q, *r);
            }
            (FileKind::Ball, [p, q, r]) => robot.joints[file.joint].start_spin = Some(Vec3::new(*p, *q, *r)),
            (_, [value, ..]) => {
                if let Some(axis) = file.axis(robot) {
                    axis.speed = *value;
                }
            }
            _ => {}
        }
    }
}

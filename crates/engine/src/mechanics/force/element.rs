use carom_math::{Vec3, Wrench};

use super::Account;
use crate::function::Jet;
use crate::mechanics::Configuration;
use crate::mechanics::JointRole;
use crate::mechanics::constraint::{JointView, joint_axes};
use crate::mechanics::joint;
use crate::model::{AxisElements, AxisServo, Motor};

/// Efforts of springs, friction, servos and motors along the freedoms of all joints: onto these where they are states, else as
/// wrenches on the bodies. `efforts` by freedom, `by_joint` for results.
pub(crate) fn evaluate_elements(
    here: &Configuration<'_>,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
    by_joint: &mut [[f64; 3]],
    account: &mut Account,
) {
    for (index, data) in here.mechanics.joints.iter().enumerate() {
        by_joint[index] = [0.0; 3];
        if data.elements.iter().all(is_passive) {
            continue;
        }
        if data.kind.axes().is_empty() {
            add_friction_of_rotation(here, index, efforts, account);
            continue;
        }
        let (q, v) = joint_axes(here, index);
        for (axis, element) in data.elements.iter().enumerate() {
            let set = here.controls.motors[index][axis];
            by_joint[index][axis] = effort(element, [q[axis], v[axis]], set, here.time, account);
        }
        let n = data.elements.len();
        match data.role {
            JointRole::Carries { link } => {
                let freedoms = here.mechanics.links[link].freedoms();
                for (effort, by_joint) in efforts[freedoms].iter_mut().zip(by_joint[index]) {
                    *effort += by_joint;
                }
            }
            JointRole::Closes => {
                let values = by_joint[index];
                add_closing_effort(here, index, &values[..n], wrenches);
            }
        }
    }
}

/// Friction along the freedoms of a joint whose coordinates are a quaternion. It carries its body (E0336).
fn add_friction_of_rotation(
    here: &Configuration<'_>,
    joint: usize,
    efforts: &mut [f64],
    account: &mut Account,
) {
    let data = &here.mechanics.joints[joint];
    let JointRole::Carries { link } = data.role else { return };
    let link = &here.mechanics.links[link];
    let velocities = &here.state[link.velocities()];
    for ((element, v), sum) in data.elements.iter().zip(velocities).zip(&mut efforts[link.freedoms()]) {
        *sum += friction(element, *v, account);
    }
}

/// Limits are contacts and motors by motion are constraints: only the rest makes efforts.
fn is_passive(element: &AxisElements) -> bool {
    element.spring.is_none()
        && element.servo.is_none()
        && element.friction.is_none()
        && !matches!(element.motor, Some(Motor::Force(_)))
}

/// What a servo follows: its target and the target's rate. What is set for a joint without a motor is the target of its servo.
fn servo_target(element: &AxisElements, servo: &AxisServo, set: Option<f64>, time: f64) -> [f64; 2] {
    match set.filter(|_| element.motor.is_none()) {
        Some(target) => [target, 0.0],
        None => {
            let Jet { value, rate, .. } = servo.target.jet(time);
            [value, rate]
        }
    }
}

/// Effort along an axis at coordinate and velocity; `set`: that of its motor, or the target of its servo, if it was set.
fn effort(
    element: &AxisElements,
    [q, v]: [f64; 2],
    set: Option<f64>,
    time: f64,
    account: &mut Account,
) -> f64 {
    let mut sum = 0.0;
    if let Some(spring) = element.spring {
        let stretch = q - spring.rest;
        sum -= spring.stiffness * stretch + spring.damping * v;
        account.potential += 0.5 * spring.stiffness * stretch * stretch;
        account.viscous += spring.damping * v * v;
    }
    sum += friction(element, v, account);
    if let Some(servo) = &element.servo {
        let (drive, _) = servo.effort_at([q, v], servo_target(element, servo, set, time));
        sum += drive;
        account.motors += drive * v;
    }
    if let Some(Motor::Force(function)) = &element.motor {
        let drive = set.unwrap_or_else(|| function.value(time));
        sum += drive;
        account.motors += drive * v;
    }
    sum
}

/// Effort of dry friction at a velocity, 0 without it.
fn friction(element: &AxisElements, v: f64, account: &mut Account) -> f64 {
    let Some(friction) = element.friction else { return 0.0 };
    let force = friction.force * libm::tanh(v / friction.v_reg);
    account.friction += force * v;
    -force
}

/// Slopes of the effort along an axis by its coordinate q and by its velocity v, with what is set and at a time.
pub(crate) fn axis_slopes(element: &AxisElements, [q, v]: [f64; 2], set: Option<f64>, time: f64) -> [f64; 2] {
    let [mut by_place, mut by_speed] = [0.0; 2];
    if let Some(spring) = element.spring {
        by_place -= spring.stiffness;
        by_speed -= spring.damping;
    }
    if let Some(friction) = element.friction {
        let tanh = libm::tanh(v / friction.v_reg);
        by_speed -= friction.force / friction.v_reg * (1.0 - tanh * tanh);
    }
    if let Some(servo) = &element.servo {
        let (_, [place, speed]) = servo.effort_at([q, v], servo_target(element, servo, set, time));
        by_place += place;
        by_speed += speed;
    }
    [by_place, by_speed]
}

/// Adds efforts along the axes of a joint that closes a loop to the wrenches on its bodies.
fn add_closing_effort(here: &Configuration<'_>, joint: usize, efforts: &[f64], wrenches: &mut [Wrench]) {
    let data = &here.mechanics.joints[joint];
    let view = JointView::new(here, joint);
    let Wrench { force, torque } = wrench_on_b(here, joint, &view, efforts);
    let torque = Wrench::new(torque, Vec3::zeros());
    let [arm_a, arm_b] = view.pair.arms;
    wrenches[data.a.body] += -(Wrench::of_force(force, &arm_a) + torque);
    wrenches[data.b.body] += Wrench::of_force(force, &arm_b) + torque;
}

/// What efforts along the axes of a joint that closes a loop (N, N m) do on B at M's origin, in world axes.
pub(crate) fn closing_wrench(here: &Configuration<'_>, joint: usize, efforts: &[f64; 3]) -> Wrench {
    let n = here.mechanics.joints[joint].kind.axes().len();
    wrench_on_b(here, joint, &JointView::new(here, joint), &efforts[..n])
}

fn wrench_on_b(here: &Configuration<'_>, joint: usize, view: &JointView, efforts: &[f64]) -> Wrench {
    let data = &here.mechanics.joints[joint];
    let near = &here.angles[data.first_angle..data.first_angle + efforts.len()];
    let q = joint::coordinates(data.kind, &view.pose, near);
    let local = joint::reaction(&joint::motion(data.kind, &q, &[0.0; 6]), efforts);
    Wrench::new(view.f * local.torque, view.f * local.force)
}

/// Adds an effort along one axis of a joint, as a stop does.
pub(crate) fn add_axis_effort(
    here: &Configuration<'_>,
    joint: usize,
    axis: usize,
    effort: f64,
    wrenches: &mut [Wrench],
    efforts: &mut [f64],
) {
    let data = &here.mechanics.joints[joint];
    match data.role {
        JointRole::Carries { link } => efforts[here.mechanics.links[link].first_freedom + axis] += effort,
        JointRole::Closes => {
            let mut values = [0.0; 3];
            values[axis] = effort;
            add_closing_effort(here, joint, &values[..data.kind.axes().len()], wrenches);
        }
    }
}

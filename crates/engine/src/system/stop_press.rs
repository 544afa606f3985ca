//! What is stated to push a joint coordinate beyond its limits.

use crate::function::TimeFunction;
use crate::mechanics::Configuration;
use crate::mechanics::constraint::joint_freedom;
use crate::model::{
    ActivationKind, Actuator, AxisElements, AxisServo, AxisSpring, ForceKind, JointCoordinate, Model, Motor,
};

/// Least and greatest of what is not a number yet (N, N m, or a control).
type Range = [f64; 2];

/// Of what nothing is stated.
const ANY: Range = [f64::NEG_INFINITY, f64::INFINITY];

/// Greatest effort (N or N m) with which the elements of a coordinate, and actuators, hold it at one of its limits. What may push
/// without end is not stated, and does not count.
pub(super) fn push_at_bounds(
    model: &Model,
    here: &Configuration<'_>,
    [joint, axis]: [usize; 2],
    bounds: Range,
) -> f64 {
    let pushes = [(bounds[0], -1.0), (bounds[1], 1.0)].into_iter().filter(|(bound, _)| bound.is_finite());
    let of_bound = |(bound, outward): (f64, f64)| {
        let own = of_elements(&model.joints[joint].elements[axis], bound, outward);
        let actuators = model.forces.iter().filter_map(|force| match &force.kind {
            ForceKind::Actuator(actuator) => Some(actuator),
            _ => None,
        });
        let coordinate = JointCoordinate { joint, axis };
        let driven = actuators.map(|actuator| of_actuator(actuator, here, coordinate, bound, outward));
        own + driven.sum::<f64>()
    };
    pushes.map(of_bound).fold(0.0, f64::max)
}

/// What a function of time is stated to be, however long a run looks at it: a constant, or anything in a table. An expression says
/// no range, and what is known of it in an interval grows with the interval.
fn stated(function: &TimeFunction) -> Range {
    match function {
        TimeFunction::Program(_) => ANY,
        function => function.range(0.0, f64::INFINITY).value,
    }
}

/// What of a range pushes outward.
fn outward_of(range: Range, outward: f64) -> f64 {
    let push = if outward > 0.0 { range[1] } else { -range[0] };
    if push.is_finite() { push.max(0.0) } else { 0.0 }
}

fn of_elements(elements: &AxisElements, bound: f64, outward: f64) -> f64 {
    let spring = elements.spring.as_ref().map_or(0.0, |AxisSpring { stiffness, rest, .. }| {
        outward_of([stiffness * (rest - bound); 2], outward)
    });
    let servo = elements.servo.as_ref().map_or(0.0, |AxisServo { stiffness, target, effort, .. }| {
        // Targets are set during runs: its most is what it may come to.
        let target = stated(target).map(|target| stiffness * (target - bound));
        effort.unwrap_or_else(|| outward_of(target, outward))
    });
    let motor = match &elements.motor {
        Some(Motor::Force(effort)) => outward_of(stated(effort), outward),
        _ => 0.0,
    };
    spring + servo + motor
}

/// Of an actuator that holds a coordinate at its bound, all others of its where they start.
fn of_actuator(
    actuator: &Actuator,
    here: &Configuration<'_>,
    at: JointCoordinate,
    bound: f64,
    outward: f64,
) -> f64 {
    let factor: f64 = actuator.terms.iter().filter(|(term, _)| *term == at).map(|(_, factor)| factor).sum();
    if factor == 0.0 {
        return 0.0;
    }
    let way: f64 = if actuator.stiffness == 0.0 {
        0.0
    } else {
        let place = |(term, factor): &(JointCoordinate, f64)| {
            factor * if *term == at { bound } else { joint_freedom(here, *term)[0] }
        };
        actuator.terms.iter().map(place).sum()
    };
    let gained = |control: f64| if actuator.gain == 0.0 { 0.0 } else { actuator.gain * control };
    let [least, most] = controls(actuator).map(gained);
    let still = actuator.bias - actuator.stiffness * way;
    let limits = actuator.effort_range.unwrap_or(ANY);
    let efforts =
        [least.min(most), least.max(most)].map(|e| factor * (e + still).max(limits[0]).min(limits[1]));
    outward_of([efforts[0].min(efforts[1]), efforts[0].max(efforts[1])], outward)
}

/// What may act of a control, or of the activation in its place. Controls are set during runs: within their range, or that of the
/// effort, if there is one.
fn controls(actuator: &Actuator) -> Range {
    let control = match (actuator.control_range, actuator.effort_range, &actuator.control) {
        (Some(range), _, _) => range,
        (None, Some(_), _) => ANY,
        (None, None, control) => stated(control),
    };
    let Some(activation) = actuator.activation else { return control };
    let own = activation.range.unwrap_or(ANY);
    let reached = match activation.kind {
        ActivationKind::Filter => [control[0].min(activation.initial), control[1].max(activation.initial)],
        ActivationKind::Integrator => ANY,
    };
    [reached[0].max(own[0]), reached[1].min(own[1])]
}

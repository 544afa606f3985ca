//! Lengths of fixed tendons as coordinates: what limits a tendon, brakes it or has inertia along it acts on a slide that joints are
//! coupled to, as a rod's end is that slides as far as the tendon is long. Over one joint it acts on that.

use carom_geometry::MassProperties;
use carom_math::{Mat3, Pose, Vec3};

use super::super::context::Context;
use super::super::effective_inertia::{Inertia, greatest_load};
use super::super::massless::FRACTION;
use super::super::robot::{
    Axis, Constraint, ConstraintKind, Joint, JointKind, Link, Motion, Part, Robot, Term, WORLD,
};
use super::super::stop::Stop;
use super::super::touch::Softness;
use super::option::Disabled;
use crate::source::Span;

/// Radius of gyration of a slide's end, which does not turn (m).
const GYRATION: f64 = 0.01;

/// What acts along a fixed tendon beside springs and drives.
#[derive(Clone, Debug)]
pub(super) struct Restraint {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) terms: Vec<Term>,
    /// Ends of its range, and how far they give. Lengths are those of our coordinates, 0 at the pose of the file.
    pub(super) limit: Option<([f64; 2], Softness)>,
    /// Lengths between which its spring is slack, and the stiffness of that.
    pub(super) slack: Option<([f64; 2], f64)>,
    pub(super) friction: f64,
    pub(super) armature: f64,
}

impl Restraint {
    /// Without what flags switch off.
    fn enabled(mut self, disabled: Disabled) -> Self {
        self.limit = self.limit.filter(|_| !disabled.limit);
        self.slack = self.slack.filter(|_| !disabled.spring);
        if disabled.friction {
            self.friction = 0.0;
        }
        self
    }

    /// What of a tendon over one joint is that joint's: its friction and armature, and limits that are nowhere narrower than the joint's, or
    /// nowhere wider.
    fn settle_on_joint(&mut self, inertia: f64, robot: &mut Robot) {
        let [Term { joint, axis, factor }] = self.terms[..] else { return };
        let stop = self.limit.map(|(ends, softness)| (ends, self.stop_at_limit(softness, robot, inertia)));
        let axis = &mut robot.joints[joint].axes[axis];
        axis.friction += factor.abs() * std::mem::take(&mut self.friction);
        axis.armature += factor * factor * std::mem::take(&mut self.armature);
        let Some((ends, stop)) = stop else { return };
        let [one, other] = ends.map(|end| end / factor);
        let [lower, upper] = [one.min(other), one.max(other)];
        let own = [axis.lower.unwrap_or(f64::NEG_INFINITY), axis.upper.unwrap_or(f64::INFINITY)];
        if lower >= own[0] && upper <= own[1] && [lower, upper] != own {
            (axis.lower, axis.upper) = (Some(lower), Some(upper));
            axis.stop = Some(stop.geared(factor));
        } else if lower > own[0] || upper < own[1] {
            return;
        }
        self.limit = None;
    }

    /// Its coordinates: a second one where both a limit and a slack spring have stops.
    fn axes(&self, robot: &Robot, inertia: f64) -> Vec<Axis> {
        let stops = [
            self.limit.map(|(ends, softness)| (ends, self.stop_at_limit(softness, robot, inertia))),
            self.slack.map(|(ends, stiffness)| (ends, Stop::elastic(stiffness))),
        ];
        let mut axes: Vec<Axis> = stops
            .into_iter()
            .flatten()
            .map(|([lower, upper], stop)| {
                let (lower, upper) = (Some(lower), Some(upper));
                Axis { lower, upper, stop: Some(stop), ..Axis::new(Motion::Shift, across(&robot.gravity)) }
            })
            .collect();
        if axes.is_empty() && (self.friction != 0.0 || self.armature != 0.0) {
            axes.push(Axis::new(Motion::Shift, across(&robot.gravity)));
        }
        if let Some(first) = axes.first_mut() {
            (first.friction, first.armature) = (self.friction, self.armature);
        }
        axes
    }

    /// As far as MuJoCo's limit gives under the greatest load that weights are for the tendon.
    fn stop_at_limit(&self, softness: Softness, robot: &Robot, inertia: f64) -> Stop {
        let gravity = robot.gravity_or_earths();
        let loads = self.terms.iter().map(|term| greatest_load(robot, term, gravity) / term.factor.abs());
        let load = loads.fold(inertia * gravity, f64::max);
        Stop::giving(softness, load, inertia)
    }
}

/// The world's axis along which weights act least.
fn across(gravity: &Vec3) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[gravity.iamin()] = 1.0;
    axis
}

/// Gives tendons their coordinates, once masses are known; they start where the joints have them.
pub(super) fn apply(
    restraints: Vec<Restraint>,
    disabled: Disabled,
    robot: &mut Robot,
    context: &Context<'_>,
) {
    let matrix = Inertia::of(robot);
    for restraint in restraints {
        if is_held(&restraint.terms, robot) {
            continue;
        }
        let mut restraint = restraint.enabled(disabled);
        let inertia = matrix.felt_by(&restraint.terms);
        if inertia <= 0.0 {
            context.left_out(
                "limits, friction and armature of a tendon that moves no mass do nothing",
                restraint.span,
            );
            continue;
        }
        restraint.settle_on_joint(inertia, robot);
        for axis in restraint.axes(robot, inertia) {
            let text = "limits, friction, armature and slack springs of fixed tendons act on slides that follow their \
                        lengths, bodies of a billionth of what the tendon moves";
            context.choice(text, Some(restraint.span));
            add_slide(&restraint, axis, FRACTION * inertia, robot);
        }
    }
}

/// Does an equality hold the sum of these coordinates where it is? Nothing acts along it then that could be told from the equality.
fn is_held(terms: &[Term], robot: &Robot) -> bool {
    robot.constraints.iter().any(|constraint| {
        let ConstraintKind::Coupling { terms: held, .. } = &constraint.kind else { return false };
        let ratio = |own: &Term| {
            let same = held.iter().find(|other| (other.joint, other.axis) == (own.joint, own.axis));
            same.map(|other| other.factor / own.factor)
        };
        let ratios: Vec<Option<f64>> = terms.iter().map(ratio).collect();
        held.len() == terms.len() && ratios.iter().all(|r| r.is_some() && *r == ratios[0])
    })
}

/// A body on a slide beside what the tendon moves first, coupled to the tendon's joints.
fn add_slide(restraint: &Restraint, axis: Axis, mass: f64, robot: &mut Robot) {
    let (name, span) = (restraint.name.clone(), restraint.span);
    let beside = robot.links[robot.joints[restraint.terms[0].joint].b].pose.translation;
    let inertia = Mat3::from_diagonal_element(mass * GYRATION * GYRATION);
    let mut link = Link::new(name.clone(), span);
    link.parts.push(Part {
        solid: MassProperties { mass, com: Vec3::zeros(), inertia },
        span,
        of: name.clone(),
    });
    robot.links.push(link);
    let bare = Joint::bare(name.clone(), span, JointKind::Prismatic, [WORLD, robot.links.len() - 1]);
    robot.joints.push(Joint { frame_a: Pose::from_translation(beside), axes: vec![axis], ..bare });
    let slide = Term { joint: robot.joints.len() - 1, axis: 0, factor: 1.0 };
    let others = restraint.terms.iter().map(|t| Term { factor: -t.factor, ..*t });
    let terms = [slide].into_iter().chain(others).collect();
    let kind = ConstraintKind::Coupling { terms, offset: 0.0 };
    robot.constraints.push(Constraint { name: format!("{name}_length"), kind });
}

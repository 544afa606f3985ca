//! What a contact looks like inside an attempted step, on the path of its dense output: only the bodies concerned move.

use carom_math::{Pose, Twist, Vec3};
use carom_solvers::Stepper;
use carom_solvers::crossing::Look;

use super::finder::find_point;
use super::meshes::touch::touch_motion;
use super::placed::Placed;
use super::{Evaluator, PointMotion, stop_from};
use crate::mechanics::JointRole;
use crate::mechanics::constraint::closing_axes;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::tree::across;
use crate::path::StepPath;
use crate::system::{PairSource, StopData};

/// An attempted step of length `h` whose dense output is ready.
pub(crate) struct StepView<'a> {
    stepper: &'a dyn Stepper,
    path: &'a StepPath,
    pub(crate) h: f64,
}

/// A contact and where its surfaces are, in the order in which its finder takes them.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) motion: PointMotion,
    pub(crate) poses: [Pose; 2],
}

impl<'a> StepView<'a> {
    /// The step that the stepper has attempted last, and its path.
    pub(crate) fn new(stepper: &'a dyn Stepper, path: &'a StepPath) -> Self {
        Self { stepper, path, h: stepper.step() }
    }

    /// Contact point `after` seconds into the step.
    pub(crate) fn at(&self, evaluator: &Evaluator<'_>, contact: usize, after: f64) -> PointMotion {
        self.look(evaluator, contact, after).seen.motion
    }

    /// Gap and its rate `after` seconds into the step.
    pub(crate) fn look(&self, evaluator: &Evaluator<'_>, contact: usize, after: f64) -> Look<Seen> {
        let seen = self.see(evaluator, contact, after);
        Look { at: after, z: seen.motion.gap, rate: -seen.motion.approach, seen }
    }

    /// The start of the step: what the contact was seen to be there, if it was looked at.
    pub(super) fn look_at_start(
        &self,
        evaluator: &Evaluator<'_>,
        contact: usize,
        step_number: u64,
    ) -> Look<Seen> {
        let memory = &evaluator.contacts.memory[contact];
        // Only a search costs more than asking again.
        if memory.evaluated_at != step_number || evaluator.table.searched(contact).is_none() {
            return self.look(evaluator, contact, 0.0);
        }
        let poses = self.poses_at(evaluator, evaluator.table.contacts[contact].pair, 0.0);
        let (gap, normal, approach) = (memory.gap, memory.normal, memory.approach);
        let motion = PointMotion { gap, normal, approach, ..PointMotion::NEVER };
        Look { at: 0.0, z: gap, rate: -approach, seen: Seen { motion, poses } }
    }

    /// The end of the step, where the evaluator is: it may have been put back on constraints since the attempt.
    pub(super) fn look_at_end(&self, evaluator: &Evaluator<'_>, contact: usize) -> Look<Seen> {
        let motion = evaluator.motion_of(contact);
        let surfaces = evaluator.table.pairs[evaluator.table.contacts[contact].pair].source.surfaces();
        let pose = |s: usize| evaluator.surfaces[s];
        let poses = surfaces.map_or([Pose::identity(); 2], |(surfaces, _)| surfaces.map(pose));
        Look { at: self.h, z: motion.gap, rate: -motion.approach, seen: Seen { motion, poses } }
    }

    /// Poses of the surfaces of a pair, in the order of its finder.
    pub(super) fn poses_at(&self, evaluator: &Evaluator<'_>, pair: usize, after: f64) -> [Pose; 2] {
        let Some((surfaces, _)) = evaluator.table.pairs[pair].source.surfaces() else {
            return [Pose::identity(); 2];
        };
        surfaces.map(|s| {
            let surface = &evaluator.system.surfaces[s];
            self.body_at(evaluator, surface.body, self.theta(after)).pose.compose(&surface.pose)
        })
    }

    /// Poses of the surfaces of a pair whose finder takes them in the model's order, and the motions of its bodies.
    pub(super) fn placed_at(
        &self,
        evaluator: &Evaluator<'_>,
        pair: usize,
        after: f64,
    ) -> ([Pose; 2], [BodyKinematics; 2]) {
        let data = &evaluator.table.pairs[pair];
        let bodies = data.bodies.map(|body| self.body_at(evaluator, body, self.theta(after)));
        let surfaces = data.source.surfaces().map_or([0; 2], |(surfaces, _)| surfaces);
        let pose = |k: usize| bodies[k].pose.compose(&evaluator.system.surfaces[surfaces[k]].pose);
        ([pose(0), pose(1)], bodies)
    }

    /// Where the triangles of a contact of surfaces that were nearest, or touched, meet.
    pub(super) fn touch_at(&self, evaluator: &Evaluator<'_>, contact: usize, after: f64) -> PointMotion {
        let pair = evaluator.table.contacts[contact].pair;
        let Some(meshes) = evaluator.table.pairs[pair].source.meshes() else { return PointMotion::NEVER };
        let (poses, bodies) = self.placed_at(evaluator, pair, after);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        touch_motion(meshes, &placed, evaluator.contacts.memory[contact].triangles)
    }

    fn see(&self, evaluator: &Evaluator<'_>, contact: usize, after: f64) -> Seen {
        let system = &*evaluator.system;
        let data = &evaluator.table.contacts[contact];
        let pair = &evaluator.table.pairs[data.pair];
        let theta = self.theta(after);
        let Some((surfaces, swapped)) = pair.source.surfaces() else {
            let motion = match &pair.source {
                PairSource::Stop(stop) => self.stop_at(evaluator, stop, data.feature, theta),
                _ => PointMotion::NEVER,
            };
            return Seen { motion, poses: [Pose::identity(); 2] };
        };
        let bodies = pair.bodies.map(|body| self.body_at(evaluator, body, theta));
        let owners = if swapped { [1, 0] } else { [0, 1] };
        let poses = [0, 1].map(|k| bodies[owners[k]].pose.compose(&system.surfaces[surfaces[k]].pose));
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        let motion = find_point(evaluator, contact, &placed);
        Seen { motion, poses }
    }

    fn theta(&self, after: f64) -> f64 {
        if self.h > 0.0 { after / self.h } else { 0.0 }
    }

    /// Pose and velocity of a body, through the joints that carry it.
    pub(crate) fn body_at(&self, evaluator: &Evaluator<'_>, body: usize, theta: f64) -> BodyKinematics {
        let system = &*evaluator.system;
        let Some(index) = system.mechanics.bodies[body].link else { return evaluator.workspace.bodies[body] };
        if let Some(seen) = self.path.seen(body, theta) {
            return seen;
        }
        let link = &system.mechanics.links[index];
        let mut states = [0.0; 13];
        let states = &mut states[..link.states().len()];
        self.path.states(self.stepper, index, link, theta, states);
        let found = match link.parent_body {
            None => BodyKinematics::from_state(states),
            Some(parent) => {
                let parent = self.body_at(evaluator, parent, theta);
                across(link, &parent, states, &mut [Twist::ZERO; 6][..link.kind.freedoms()]).body
            }
        };
        self.path.see(body, theta, found);
        found
    }

    /// A state that belongs to no body.
    pub(crate) fn state_at(&self, state: usize, theta: f64) -> f64 {
        let mut value = [0.0];
        self.stepper.interpolate(theta, state..state + 1, &mut value);
        value[0]
    }

    fn stop_at(&self, evaluator: &Evaluator<'_>, stop: &StopData, feature: usize, theta: f64) -> PointMotion {
        let system = &*evaluator.system;
        let joint = &system.mechanics.joints[stop.joint];
        let (q, v) = match joint.role {
            JointRole::Carries { link } => {
                let (index, link) = (link, &system.mechanics.links[link]);
                let mut states = [0.0; 13];
                let states = &mut states[..link.states().len()];
                self.path.states(self.stepper, index, link, theta, states);
                (states[stop.axis], states[link.kind.coordinates() + stop.axis])
            }
            JointRole::Closes => {
                let [a, b] = [joint.a.body, joint.b.body].map(|body| self.body_at(evaluator, body, theta));
                let n = joint.kind.axes().len();
                let angles = &evaluator.workspace.angles;
                let near = &angles[joint.first_angle..joint.first_angle + n];
                let (q, v) = closing_axes(joint, &a, &b, near);
                (q[stop.axis], v[stop.axis])
            }
        };
        stop_from(stop, feature, q, v, Vec3::zeros(), Vec3::zeros())
    }
}

//! Looks ahead in an attempted step: which contact changes its mode first?

use carom_math::{Twist, Vec3};
use carom_solvers::Stepper;
use carom_solvers::crossing::{Limits, Sample, find_first_bracket};
use carom_solvers::root::find_right_root;

use super::convex::of_model;
use super::placed::Placed;
use super::{Evaluator, PointMotion, Transition, point_motion, stop_from};
use crate::constraint::closing_axes;
use crate::kinematics::BodyKinematics;
use crate::record::ContactMode;
use crate::system::{JointRole, PairSource, StopData, System};
use crate::tree::across;

/// Units in the last place of the distance's operands within which a gap counts as zero.
const GAP_ULPS: f64 = 8.0;

/// Rounding threshold ε of a gap (m).
pub(crate) fn gap_epsilon(point: &PointMotion) -> f64 {
    GAP_ULPS * f64::EPSILON * point.operands.max(point.gap.abs())
}

/// Angle (rad) that two bodies turn against each other, up to which the gaps seen at the ends and the middle of an interval
/// tell of those between.
const SMOOTH_TURN: f64 = 0.25;

/// The first change of mode in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Upcoming {
    /// From the start of the step (s).
    pub(crate) after: f64,
    pub(crate) contact: usize,
    pub(crate) transition: Transition,
}

/// What observation keeps between steps: how far each body's surface can have travelled.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    /// Upper bound of the path of any surface point of each body since the start (m).
    pub(crate) path: Vec<f64>,
    /// Bound of the surface speed of each body in the attempted step (m/s).
    pub(crate) speed: Vec<f64>,
    /// Bound of the angular speed of each body in the attempted step (rad/s).
    turn: Vec<f64>,
    /// Motion of each body at the last accepted state.
    start: Vec<Twist>,
}

impl Observer {
    pub(crate) fn new(system: &System) -> Self {
        let zero = vec![0.0; system.bodies.len()];
        Self {
            path: zero.clone(),
            speed: zero.clone(),
            turn: zero,
            start: vec![Twist::ZERO; system.bodies.len()],
        }
    }

    /// Keeps the motions at an accepted state, which the evaluator is at.
    pub(crate) fn note_start(&mut self, evaluator: &Evaluator<'_>) {
        for (start, body) in self.start.iter_mut().zip(&evaluator.bodies) {
            *start = Twist::new(body.angular_velocity, body.velocity);
        }
    }

    /// May [`Self::find_first`] look between the ends of the attempted step of length `h`? The evaluator is at its end.
    pub(crate) fn looks_inside(&self, evaluator: &Evaluator<'_>, h: f64) -> bool {
        let mut active = 0;
        (0..evaluator.contacts.memory.len()).any(|contact| {
            if evaluator.contacts.memory[contact].mode == ContactMode::Open {
                return self.is_within_reach(evaluator, contact, h);
            }
            active += 1;
            find_changes(evaluator, contact, &evaluator.forces[active - 1].point).next().is_some()
        })
    }

    /// Can an open contact close in the attempted step of length `h`, for all that its certificate says? Paths of
    /// bodies do not bound how far a joint has turned: stops hold none.
    fn is_within_reach(&self, evaluator: &Evaluator<'_>, contact: usize, h: f64) -> bool {
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        let [a, b] = pair.bodies;
        match pair.source {
            PairSource::Stop(_) => return true,
            PairSource::Cable(_) | PairSource::Areal(_) => return false,
            PairSource::Surfaces(_) | PairSource::Convex(_) => {}
        }
        self.path[a] + self.path[b] + (self.speed[a] + self.speed[b]) * h
            >= evaluator.contacts.memory[contact].certificate
    }

    /// First event in the attempted step of length `h` whose end the evaluator has just been at, if any. The speeds of the
    /// step are bounded.
    pub(crate) fn find_first(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        step_number: u64,
    ) -> Option<Upcoming> {
        let h = stepper.step();
        let mut first: Option<Upcoming> = None;
        let mut take = |candidate: Upcoming| {
            if first.is_none_or(|f| candidate.after < f.after) {
                first = Some(candidate);
            }
        };
        let view = StepView { stepper, h };
        let mut active = 0;
        for contact in 0..evaluator.contacts.memory.len() {
            if evaluator.contacts.memory[contact].mode == ContactMode::Open {
                if let Some(after) = self.find_closing(evaluator, &view, contact, step_number) {
                    take(Upcoming { after, contact, transition: Transition::Close });
                }
                continue;
            }
            let end = evaluator.forces[active].point;
            active += 1;
            for transition in find_changes(evaluator, contact, &end) {
                let z = |after: f64| {
                    zero_function(evaluator, contact, transition, &view.at(evaluator, contact, after))
                };
                let falls = transition == Transition::Release;
                let at_end = zero_function(evaluator, contact, transition, &end);
                let after = find_right_root(z, 0.0, h, at_end, falls);
                take(Upcoming { after, contact, transition });
            }
        }
        first
    }

    /// Takes gaps and certificates of the open contacts that were looked at from the end of a step that has
    /// been shortened to length `h`.
    pub(crate) fn refresh(&self, evaluator: &mut Evaluator<'_>, h: f64, step_number: u64) {
        for contact in 0..evaluator.contacts.memory.len() {
            let memory = &evaluator.contacts.memory[contact];
            if memory.mode != ContactMode::Open || memory.evaluated_at != step_number + 1 {
                continue;
            }
            let [a, b] = evaluator.table.pairs[evaluator.table.contacts[contact].pair].bodies;
            let end = evaluator.motion_of(contact);
            let memory = &mut evaluator.contacts.memory[contact];
            memory.gap = end.gap;
            memory.approach = end.approach;
            memory.certificate = self.path[a] + self.path[b] + (self.speed[a] + self.speed[b]) * h + end.gap;
        }
    }

    /// Takes the attempted step as done: paths grow by at most speed times time.
    pub(crate) fn advance(&mut self, h: f64) {
        for (path, speed) in self.path.iter_mut().zip(&self.speed) {
            // Rounding must not keep a long path from growing: it would be a certificate that never expires.
            if *speed > 0.0 {
                *path += (speed * h).max(f64::EPSILON * *path);
            }
        }
    }

    /// Largest speed of any surface point in the step: the larger of both ends and their difference on top,
    /// for what happens between. To be called with the evaluator at the end of the attempt.
    pub(crate) fn bound_speeds(&mut self, evaluator: &Evaluator<'_>) {
        for (index, data) in evaluator.system.bodies.iter().enumerate() {
            if data.link.is_none() {
                continue;
            }
            let (start, end) = (&self.start[index], &evaluator.bodies[index]);
            let (w0, w1) = (start.angular.norm(), end.angular_velocity.norm());
            let linear = start.linear.norm().max(end.velocity.norm()) + (end.velocity - start.linear).norm();
            let angular = w0.max(w1) + (w1 - w0).abs();
            let turning = if angular > 0.0 { angular * data.sweep_radius } else { 0.0 };
            self.speed[index] = linear + turning;
            self.turn[index] = angular;
        }
    }

    /// When an open contact closes, if it does. A pair whose gap is larger than what its bodies can have
    /// travelled since the gap was taken costs two additions.
    fn find_closing(
        &self,
        evaluator: &mut Evaluator<'_>,
        view: &StepView<'_>,
        contact: usize,
        step_number: u64,
    ) -> Option<f64> {
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        if matches!(pair.source, PairSource::Cable(_) | PairSource::Areal(_)) {
            return None;
        }
        let [a, b] = pair.bodies;
        let is_stop = matches!(pair.source, PairSource::Stop(_));
        let mut lipschitz = self.speed[a] + self.speed[b];
        let mut smooth = SMOOTH_TURN / (self.turn[a] + self.turn[b]);
        let travelled = self.path[a] + self.path[b];
        if !self.is_within_reach(evaluator, contact, view.h) {
            return None;
        }
        let memory = &evaluator.contacts.memory[contact];
        let (gap, approach) = if memory.evaluated_at == step_number {
            (memory.gap, memory.approach)
        } else {
            let start = view.at(evaluator, contact, 0.0);
            (start.gap, start.approach)
        };
        let end = evaluator.motion_of(contact);
        if is_stop {
            lipschitz = approach.abs().max(end.approach.abs()) + (end.approach - approach).abs();
            smooth = f64::INFINITY;
        }
        let memory = &mut evaluator.contacts.memory[contact];
        memory.gap = end.gap;
        memory.approach = end.approach;
        memory.evaluated_at = step_number + 1;
        memory.certificate = travelled + lipschitz * view.h + end.gap;
        let start = Sample { at: 0.0, z: gap.max(f64::MIN_POSITIVE), rate: -approach };
        let last = Sample { at: view.h, z: end.gap, rate: -end.approach };
        let mut sample = |at: f64| {
            let motion = view.at(evaluator, contact, at);
            Sample { at, z: motion.gap, rate: -motion.approach }
        };
        let limits = Limits { lipschitz, rounding: gap_epsilon(&end), smooth };
        let (left, right) = find_first_bracket(&mut sample, start, last, limits)?;
        let after =
            find_right_root(|after| view.at(evaluator, contact, after).gap, left, right.at, right.z, true);
        // Surfaces that part from a gap of zero may dip below it by rounding; they do not meet.
        (view.at(evaluator, contact, after).approach > 0.0).then_some(after)
    }
}

/// The changes of an active contact between the start of a step and its end. Areal contacts have none: their elements
/// come and go within the law.
fn find_changes(
    evaluator: &Evaluator<'_>,
    contact: usize,
    end: &PointMotion,
) -> impl Iterator<Item = Transition> {
    let areal = evaluator.is_areal(contact);
    let mode = evaluator.contacts.memory[contact].mode;
    let released = zero_function(evaluator, contact, Transition::Release, end);
    let opens = !areal && mode != ContactMode::Latched && end.gap > gap_epsilon(end);
    // Also where the step has passed the end of the contact too: the earlier root wins.
    let releases = !areal && mode == ContactMode::Closed && released < 0.0;
    let reengages = mode == ContactMode::Released && released > 0.0 && end.gap < 0.0;
    [(opens, Transition::Open), (releases, Transition::Release), (reengages, Transition::Reengage)]
        .into_iter()
        .filter_map(|(happens, transition)| happens.then_some(transition))
}

/// The function whose sign a transition waits for: the gap, or the law's release function.
pub(crate) fn zero_function(
    evaluator: &Evaluator<'_>,
    contact: usize,
    transition: Transition,
    motion: &PointMotion,
) -> f64 {
    match transition {
        Transition::Close | Transition::Open => motion.gap,
        Transition::Release | Transition::Reengage => {
            let damping = evaluator.contacts.memory[contact].frozen_damping;
            evaluator.table.contacts[contact].law.release_function(-motion.gap, motion.approach, damping)
        }
    }
}

/// Contact points inside an attempted step, from its dense output: only the two bodies concerned move.
pub(crate) struct StepView<'a> {
    pub(crate) stepper: &'a dyn Stepper,
    pub(crate) h: f64,
}

impl StepView<'_> {
    /// Contact point `after` seconds into the step.
    pub(crate) fn at(&self, evaluator: &Evaluator<'_>, contact: usize, after: f64) -> PointMotion {
        let system = evaluator.system;
        let data = &evaluator.table.contacts[contact];
        let pair = &evaluator.table.pairs[data.pair];
        let theta = if self.h > 0.0 { after / self.h } else { 0.0 };
        let surfaces = match &pair.source {
            PairSource::Surfaces(surfaces) => surfaces,
            PairSource::Convex(convex) => {
                let bodies = pair.bodies.map(|body| self.body_at(evaluator, body, theta));
                // The search may take the surfaces the other way round than the model.
                let owners = if convex.swapped { [1, 0] } else { [0, 1] };
                let [x_a, x_b] =
                    [0, 1].map(|k| bodies[owners[k]].pose.compose(&system.surfaces[convex.surfaces[k]].pose));
                let placed = Placed { poses: [&x_a, &x_b], bodies: [&bodies[0], &bodies[1]] };
                let cache = &evaluator.contacts.caches[data.pair];
                let (point, _) = evaluator.search.find(system, convex, contact, &placed, cache);
                return of_model(convex, &point, &placed);
            }
            PairSource::Stop(stop) => return self.stop_at(evaluator, stop, data.feature, theta),
            PairSource::Cable(_) | PairSource::Areal(_) => return PointMotion::NEVER,
        };
        let bodies = pair.bodies.map(|body| self.body_at(evaluator, body, theta));
        let [first, second] = surfaces.kernel_order.map(|surface| &system.surfaces[surface]);
        let order = if surfaces.swapped { [1, 0] } else { [0, 1] };
        point_motion(
            surfaces,
            data.feature,
            [&first.shape, &second.shape],
            [&bodies[order[0]].pose.compose(&first.pose), &bodies[order[1]].pose.compose(&second.pose)],
            [&bodies[0], &bodies[1]],
        )
    }

    /// Pose and velocity of a body, through the joints that carry it.
    pub(crate) fn body_at(&self, evaluator: &Evaluator<'_>, body: usize, theta: f64) -> BodyKinematics {
        let system = evaluator.system;
        let Some(link) = system.bodies[body].link.map(|l| &system.links[l]) else {
            return evaluator.bodies[body];
        };
        let mut states = [0.0; 13];
        let states = &mut states[..link.states().len()];
        self.stepper.interpolate(theta, link.states(), states);
        let Some(parent) = link.parent_body else { return BodyKinematics::from_state(states) };
        let parent = self.body_at(evaluator, parent, theta);
        across(link, &parent, states, &mut [Twist::ZERO; 6][..link.kind.freedoms()]).body
    }

    fn stop_at(&self, evaluator: &Evaluator<'_>, stop: &StopData, feature: usize, theta: f64) -> PointMotion {
        let system = evaluator.system;
        let joint = &system.joints[stop.joint];
        let (q, v) = match joint.role {
            JointRole::Carries { link } => {
                let link = &system.links[link];
                let mut states = [0.0; 13];
                let states = &mut states[..link.states().len()];
                self.stepper.interpolate(theta, link.states(), states);
                (states[stop.axis], states[link.kind.coordinates() + stop.axis])
            }
            JointRole::Closes => {
                let [a, b] = [joint.a.body, joint.b.body].map(|body| self.body_at(evaluator, body, theta));
                let n = joint.kind.axes().len();
                let angles = &evaluator.mechanism.angles;
                let near = &angles[joint.first_angle..joint.first_angle + n];
                let (q, v) = closing_axes(joint, &a, &b, near);
                (q[stop.axis], v[stop.axis])
            }
        };
        stop_from(stop, feature, q, v, Vec3::zeros(), Vec3::zeros())
    }
}

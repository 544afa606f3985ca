//! Where a [`Mechanics`] is in time and state, and what follows from that.

mod drives;
mod equations;
mod error;
mod linear;
mod mechanism;
mod project;
mod reactions;
mod resistance;
mod response;
mod restitution;
mod slack;

use carom_math::{Vec3, Wrench};

use super::constraint::joint_axes;
use super::force::{add_axis_effort, follow_turn, torsion_angle};
use super::kinematics::BodyKinematics;
use super::states::body_states;
use super::{Configuration, Controls, ForceData, Held, JointRole, Mechanics, newton_euler};
use crate::record::BodyState;

pub(crate) use mechanism::Mechanism;
pub(crate) use project::Misfit;
pub(crate) use response::{Direction, Response, ResponseBuffers};
pub(crate) use slack::{SLACKENING, TAUT, is_taut_at};

/// A mechanics at a time and state. Whoever owns it adds wrenches of its own (contacts) between [`Self::place`] and
/// [`Self::accelerate`]. Sized when it is made.
pub(crate) struct Workspace<'a> {
    pub(crate) mechanics: Held<'a, Mechanics>,
    pub(crate) time: f64,
    /// The last instant at which functions of time go on as they do now (s).
    pub(crate) piece_end: f64,
    pub(crate) state: Vec<f64>,
    pub(crate) bodies: Vec<BodyKinematics>,
    /// Angles of joints that close loops and of torsion springs at the last accepted state.
    pub(crate) angles: Vec<f64>,
    pub(crate) controls: Controls,
    /// On each body, about its centre of mass, in world axes; without those of constraints.
    pub(crate) wrenches: Vec<Wrench>,
    pub(crate) mechanism: Mechanism,
}

impl<'a> Workspace<'a> {
    /// Made, but nowhere yet: bodies are as the model states them.
    pub(crate) fn new(mechanics: Held<'a, Mechanics>) -> Self {
        let bodies: Vec<BodyKinematics> = mechanics.bodies.iter().map(|b| b.initial).collect();
        Self {
            time: 0.0,
            piece_end: f64::INFINITY,
            state: mechanics.initial.clone(),
            angles: mechanics.initial_angles.clone(),
            controls: Controls::none(mechanics.joints.len(), mechanics.forces.len()),
            wrenches: vec![Wrench::ZERO; bodies.len()],
            mechanism: Mechanism::new(&mechanics),
            bodies,
            mechanics,
        }
    }

    /// Placed at the start.
    pub(crate) fn at_start(mechanics: &'a Mechanics) -> Self {
        let mut workspace = Self::new(Held::Lent(mechanics));
        workspace.place(0.0, &mechanics.initial);
        workspace
    }

    /// The time that functions of time are taken at: a step that ends where one of them jumps sees what was before.
    pub(crate) fn clock(&self, t: f64) -> f64 {
        t.min(self.piece_end)
    }

    /// Motion of the bodies, gravity and force elements at a time and state.
    pub(crate) fn place(&mut self, t: f64, y: &[f64]) {
        self.time = self.clock(t);
        self.state.resize(y.len(), 0.0);
        self.state.copy_from_slice(y);
        self.mechanism.tree.update_kinematics(&self.mechanics.links, y, &mut self.bodies);
        for (wrench, body) in self.wrenches.iter_mut().zip(&self.mechanics.bodies) {
            *wrench = Wrench::new(Vec3::zeros(), self.mechanics.gravity * body.mass);
        }
        let (mechanism, here, wrenches) = self.parts();
        mechanism.update_forces(&here, wrenches);
    }

    /// What constraints and joints are computed from.
    pub(crate) fn here(&self) -> Configuration<'_> {
        Configuration {
            mechanics: &self.mechanics,
            time: self.time,
            state: &self.state,
            bodies: &self.bodies,
            angles: &self.angles,
            controls: &self.controls,
        }
    }

    /// The mechanism, what it is computed from, and the wrenches on the bodies.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut Mechanism, Configuration<'_>, &mut [Wrench]) {
        let here = Configuration {
            mechanics: &self.mechanics,
            time: self.time,
            state: &self.state,
            bodies: &self.bodies,
            angles: &self.angles,
            controls: &self.controls,
        };
        (&mut self.mechanism, here, &mut self.wrenches)
    }

    /// Rates of all states where it is, under the wrenches that have been added up; or the body whose rates are not finite.
    pub(crate) fn accelerate(&mut self, dydt: &mut [f64]) -> Result<(), usize> {
        let mechanics = &*self.mechanics;
        newton_euler::update_lone(mechanics, &self.state, &self.bodies, &self.wrenches, dydt)?;
        if !mechanics.is_mechanism {
            return Ok(());
        }
        let (mechanism, here, wrenches) = self.parts();
        let result = mechanism.accelerate(&here, wrenches, dydt);
        self.here().write_auxiliary_rates(dydt);
        result
    }

    /// Do powers take multipliers of constraints, or the efforts of given motions, which come with accelerations?
    pub(crate) fn powers_need_accelerations(&self) -> bool {
        // Rows that are linear do no work: what is on them stays there.
        self.mechanism.is_constrained() && !self.mechanics.is_linear
    }

    /// Adds an effort along a joint coordinate to what acts.
    pub(crate) fn add_axis_effort(&mut self, joint: usize, axis: usize, effort: f64) {
        let (mechanism, here, wrenches) = self.parts();
        add_axis_effort(&here, joint, axis, effort, wrenches, &mut mechanism.efforts);
    }

    /// Adds wrenches on bodies and efforts along freedoms to what acts.
    pub(crate) fn load(&mut self, loads: &Direction) {
        for (link, wrench) in &loads.wrenches {
            self.wrenches[self.mechanics.links[*link].body] += *wrench;
        }
        for (freedom, effort) in &loads.efforts {
            self.mechanism.efforts[*freedom] += effort;
        }
    }

    /// Remembers the angles of the accepted state where it is.
    pub(crate) fn commit_angles(&mut self) {
        if self.angles.is_empty() {
            return;
        }
        for index in 0..self.mechanics.joints.len() {
            let data = &self.mechanics.joints[index];
            if data.role == JointRole::Closes {
                let (n, first) = (data.kind.axes().len(), data.first_angle);
                let (q, _) = joint_axes(&self.here(), index);
                self.angles[first..first + n].copy_from_slice(&q[..n]);
            }
        }
        for index in 0..self.mechanics.forces.len() {
            match &self.mechanics.forces[index] {
                ForceData::TorsionSpring { a, b, first_angle, .. } => {
                    let first = *first_angle;
                    self.angles[first] = torsion_angle(&self.here(), [a, b], self.angles[first]);
                }
                ForceData::Bushing { a, b, first_angle, .. } => {
                    let first = *first_angle;
                    let kept = std::array::from_fn(|k| self.angles[first + k]);
                    let kept = follow_turn(&self.here(), [a, b], kept);
                    self.angles[first..first + kept.len()].copy_from_slice(&kept);
                }
                _ => {}
            }
        }
    }

    /// Farthest body from the origin, plus 1 (m): what rounding of positions goes with.
    fn size(&self) -> f64 {
        1.0 + self.bodies.iter().map(|b| b.pose.translation.amax()).fold(0.0, f64::max)
    }

    /// Did the constraints of the last evaluation almost lose rank?
    pub(crate) fn is_nearly_singular(&self) -> bool {
        self.mechanism.is_nearly_singular(&self.mechanics)
    }

    /// Takes from an error of the state y, at which it was placed last, what the projection onto the constraints will.
    pub(crate) fn filter_error(&mut self, y: &[f64], error: &mut [f64]) {
        // An error that is a sum of states and rates on linear rows has no part across them, up to
        // what linear solves with Jacobians by differences leave.
        let is_along = self.mechanics.is_driven_only || self.mechanics.is_linear;
        if self.mechanism.is_constrained() && !is_along {
            self.mechanism.filter_error(&self.mechanics, y, &self.bodies, error);
        }
    }

    /// 1/m of the mass that resists along a joint coordinate, with the constraints that hold.
    pub(crate) fn inverse_mass_of_axis(&mut self, joint: usize, axis: usize) -> f64 {
        let mut wrenches = vec![Wrench::ZERO; self.bodies.len()];
        let mut efforts = vec![0.0; self.mechanics.freedoms()];
        add_axis_effort(&self.here(), joint, axis, 1.0, &mut wrenches, &mut efforts);
        let freedoms: Vec<_> = efforts.into_iter().enumerate().filter(|(_, e)| *e != 0.0).collect();
        self.inverse_mass_under(&wrenches, &freedoms)
    }

    /// The same along the direction of wrenches on bodies and of efforts along freedoms.
    pub(crate) fn inverse_mass_under(&mut self, wrenches: &[Wrench], freedoms: &[(usize, f64)]) -> f64 {
        let moving = self.mechanics.links.iter().enumerate();
        let loads: Vec<_> =
            moving.map(|(l, link)| (l, wrenches[link.body])).filter(|(_, w)| *w != Wrench::ZERO).collect();
        let (mechanism, here, _) = self.parts();
        mechanism.inverse_mass_along(&here, &loads, freedoms)
    }
}

impl Mechanics {
    /// Bodies as they start, mechanisms assembled.
    pub(crate) fn bodies_at_start(&self) -> Vec<BodyState> {
        body_states(self, &self.initial, &Workspace::at_start(self).bodies)
    }
}

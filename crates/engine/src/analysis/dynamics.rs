use std::sync::Arc;

use carom_math::{Vec3, Wrench};
use nalgebra::DVector;

use super::freedom::{Freedom, freedoms};
use crate::contact::{Culprit, Evaluator, TangentWorkspace};
use crate::mechanics::constraint::cable_geometry;
use crate::mechanics::joint;
use crate::mechanics::states::{body_states, normalize};
use crate::mechanics::{ForceData, Held, JointRole, Owner};
use crate::outcome::RunError;
use crate::record::{BodyState, ContactMode};
use crate::system::System;

/// Which loads count among the known forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loads {
    /// None: what is left are inertia and velocity terms.
    Nothing,
    /// Gravity.
    Gravity,
    /// Gravity, force elements, springs, dampers, friction and torques of joints, and contacts that overlap.
    All,
}

/// Slack, as a share of its path, up to which an inextensible cable counts as taut.
const TAUT: f64 = 1e-9;

/// A system at a time and state, with everything computed there.
///
/// Contacts take part if their surfaces overlap at the state, with the elastic force of their law and without its
/// damping, which belongs to an impact; friction has no force where nothing slides. Inextensible cables that are taut
/// at the state hold, in both directions.
pub struct Dynamics<'a> {
    pub(super) evaluator: Evaluator<'a>,
    pub(super) freedoms: Vec<Freedom>,
    /// Wrenches on the bodies under all loads.
    pub(super) wrenches: Vec<Wrench>,
    /// Efforts of elements along the freedoms.
    pub(super) efforts: Vec<f64>,
    /// Made when derivatives are first asked for.
    pub(super) tangents: Option<TangentWorkspace>,
}

impl<'a> Dynamics<'a> {
    /// At the start of the model, t = 0.
    pub fn new(system: &'a System) -> Self {
        Self::of(Held::Lent(system))
    }

    /// The same of a system that others hold, too.
    pub fn shared(system: Arc<System>) -> Dynamics<'static> {
        Dynamics::of(Held::Shared(system))
    }

    fn of(held: Held<'a, System>) -> Self {
        let mut evaluator = Evaluator::of(held.clone());
        let system = &*held;
        for memory in &mut evaluator.contacts.memory {
            memory.frozen_damping = 0.0;
        }
        let mut dynamics = Self {
            wrenches: vec![Wrench::ZERO; system.mechanics.bodies.len()],
            efforts: vec![0.0; system.freedoms()],
            freedoms: freedoms(system),
            tangents: None,
            evaluator,
        };
        dynamics.set_state(0.0, &system.mechanics.initial);
        dynamics
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.evaluator.system
    }

    /// The system, while the rest is changed.
    pub(super) fn held(&self) -> Held<'a, System> {
        self.evaluator.system.clone()
    }

    /// Names and kinds of the freedoms, in the order of all vectors and matrices.
    pub fn freedoms(&self) -> &[Freedom] {
        &self.freedoms
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.evaluator.workspace.time
    }

    /// State: for each link of the trees its coordinates, then its velocities; then lengths paid out by cables.
    pub fn state(&self) -> &[f64] {
        &self.evaluator.workspace.state
    }

    /// Bodies' frames, in world axes.
    pub fn bodies(&self) -> Vec<BodyState> {
        let at = &self.evaluator.workspace;
        body_states(&at.mechanics, &at.state, &at.bodies)
    }

    /// Number of contacts that overlap at the state.
    pub fn contacts(&self) -> usize {
        let active = self.evaluator.contacts.active.iter().zip(&self.evaluator.forces);
        // Areal contacts are evaluated wherever their surfaces are.
        active
            .filter(|(contact, force)| !self.evaluator.is_mesh_contact(**contact) || force.normal > 0.0)
            .count()
    }

    /// Goes to a time (s) and state. Quaternions are put to length one.
    ///
    /// # Panics
    /// If the state has not [`System::states`] numbers.
    pub fn set_state(&mut self, time: f64, state: &[f64]) {
        self.go(time, state);
        let system = self.held();
        for (group, data) in system.mechanics.constraints.iter().enumerate() {
            let Owner::Cable(force) = data.owner else { continue };
            if let ForceData::Cable(cable) = &system.mechanics.forces[force] {
                let geometry = cable_geometry(&self.evaluator.workspace.here(), cable);
                let taut = geometry.path >= geometry.length - TAUT * geometry.path;
                self.evaluator.workspace.mechanism.holds[group] = taut;
            }
        }
    }

    /// The same with the cables that were taut before.
    pub(super) fn go(&mut self, time: f64, state: &[f64]) {
        let system = self.held();
        let mut y = state.to_vec();
        normalize(&system.mechanics, &mut y);
        self.evaluator.update(time, &y);
        self.evaluator.workspace.commit_angles();
        self.touch();
    }

    /// Finds the contacts that overlap and all loads.
    fn touch(&mut self) {
        let evaluator = &mut self.evaluator;
        let mut changed = false;
        for contact in 0..evaluator.contacts.memory.len() {
            if evaluator.is_mesh_contact(contact) {
                let memory = &mut evaluator.contacts.memory[contact];
                changed |= !memory.watched;
                memory.watched = true;
                continue;
            }
            let overlaps = evaluator.motion_of(contact).gap <= 0.0;
            let mode = if overlaps { ContactMode::Latched } else { ContactMode::Open };
            let memory = &mut evaluator.contacts.memory[contact];
            changed |= memory.mode != mode;
            memory.mode = mode;
        }
        let (time, state) = (evaluator.workspace.time, evaluator.workspace.state.clone());
        if changed {
            evaluator.rebuild_active();
            evaluator.update(time, &state);
        }
        let added = evaluator.add_contacts();
        self.wrenches.copy_from_slice(&evaluator.workspace.wrenches);
        // Forces that are not all there show in what is computed from them.
        if added.is_err() {
            self.wrenches.fill(Wrench::new(Vec3::repeat(f64::NAN), Vec3::repeat(f64::NAN)));
        }
        self.efforts.copy_from_slice(&evaluator.workspace.mechanism.efforts);
    }

    /// Coordinates of a joint whose coordinates are states; `None` if it closes a loop.
    pub fn joint_position(&self, joint: usize) -> Option<&[f64]> {
        self.link_of(joint)
            .map(|l| &self.evaluator.workspace.state[self.system().mechanics.links[l].coordinates()])
    }

    /// Velocities of such a joint.
    pub fn joint_velocity(&self, joint: usize) -> Option<&[f64]> {
        self.link_of(joint)
            .map(|l| &self.evaluator.workspace.state[self.system().mechanics.links[l].velocities()])
    }

    /// Writes coordinates (m, rad, quaternion) and velocities (m/s, rad/s) of a joint into a state, for
    /// [`Self::set_state`]. False if the joint closes a loop: its coordinates follow from others.
    ///
    /// # Panics
    /// If there are not as many numbers as the joint's kind has coordinates and freedoms.
    pub fn write_joint(&self, state: &mut [f64], joint: usize, position: &[f64], velocity: &[f64]) -> bool {
        let Some(link) = self.link_of(joint).map(|l| &self.system().mechanics.links[l]) else { return false };
        state[link.coordinates()].copy_from_slice(position);
        state[link.velocities()].copy_from_slice(velocity);
        true
    }

    /// Writes the state of a body that no joint carries, given by its frame. False if a joint carries it or it is
    /// fixed.
    pub fn write_body(&self, state: &mut [f64], body: usize, frame: &BodyState) -> bool {
        let data = &self.system().mechanics.bodies[body];
        let Some(link) = data.link.map(|l| &self.system().mechanics.links[l]).filter(|l| l.is_root()) else {
            return false;
        };
        let rotation = frame.orientation.to_matrix();
        let arm = rotation * data.com;
        let y = &mut state[link.states()];
        let (q, omega) = (frame.orientation, frame.angular_velocity);
        y[..3].copy_from_slice((frame.position + arm).as_slice());
        y[3..7].copy_from_slice(&[q.w, q.x, q.y, q.z]);
        y[7..10].copy_from_slice((frame.velocity + omega.cross(&arm)).as_slice());
        y[10..].copy_from_slice(rotation.tr_mul(&omega).as_slice());
        true
    }

    fn link_of(&self, joint: usize) -> Option<usize> {
        match self.system().mechanics.joints[joint].role {
            JointRole::Carries { link } => Some(link),
            JointRole::Closes => None,
        }
    }

    /// Velocities by freedom (m/s, rad/s).
    pub fn velocities(&self) -> DVector<f64> {
        let links = self.system().mechanics.links.iter();
        let all = links.flat_map(|l| self.evaluator.workspace.state[l.velocities()].iter().copied());
        DVector::from_iterator(self.freedoms.len(), all)
    }

    /// State with other velocities.
    pub fn state_with_velocities(&self, velocities: &DVector<f64>) -> Vec<f64> {
        let mut state = self.evaluator.workspace.state.clone();
        for link in &self.system().mechanics.links {
            state[link.velocities()].copy_from_slice(&velocities.as_slice()[link.freedoms()]);
        }
        state
    }

    /// State with coordinates displaced along the freedoms; rotations are turned by the rotation vector.
    pub fn displaced_state(&self, displacement: &DVector<f64>) -> Vec<f64> {
        let mut state = self.evaluator.workspace.state.clone();
        for link in &self.system().mechanics.links {
            let d = &displacement.as_slice()[link.freedoms()];
            joint::displace(link.kind, &mut state[link.coordinates()], d);
        }
        state
    }

    /// E0605 with the name of what could not be evaluated.
    pub(super) fn failure_of_evaluation(&self) -> RunError {
        let info = self.system().info();
        if let Some((contact, fault)) = self.evaluator.search.fault() {
            return fault.failure(info.pairs[info.contacts[contact].pair].name.clone(), self.time());
        }
        if let Some(Culprit::Depth { contact, depth, .. }) = self.evaluator.culprit {
            let pair = info.pairs[info.contacts[contact].pair].name.clone();
            let message = format!(
                "pair \"{pair}\" penetrates {depth:.3e} m at t = {:.9} s, more than its u_max, or than three quarters of the target's wall",
                self.time()
            );
            let help = "start nearer to where it rests, or raise u_max of the law's [pcm] block".to_owned();
            return RunError {
                code: "E0614",
                message,
                time: self.time(),
                body: None,
                pair: Some(pair),
                help,
            };
        }
        let (body, pair, name) = match self.evaluator.culprit {
            Some(Culprit::Body(body)) => {
                let name = info.bodies[body].clone();
                (Some(name.clone()), None, format!("the state of body \"{name}\""))
            }
            Some(Culprit::Contact(contact) | Culprit::Depth { contact, .. }) => {
                let name = info.pairs[info.contacts[contact].pair].name.clone();
                (None, Some(name.clone()), format!("the force of pair \"{name}\""))
            }
            Some(Culprit::Constraint(misfit)) => (None, None, self.system().constraint_name(misfit.group)),
            None => (None, None, "the state".to_owned()),
        };
        RunError {
            code: "E0605",
            message: format!("forces cannot be evaluated: {name} is not finite at t = {:.9} s", self.time()),
            time: self.time(),
            body,
            pair,
            help: "look at masses, inertias and the stiffness of contacts".to_owned(),
        }
    }

    /// Wrenches on the bodies and efforts along the freedoms that a choice of loads makes.
    pub(super) fn known_loads(&self, loads: Loads) -> (Vec<Wrench>, Vec<f64>) {
        let system = self.system();
        match loads {
            Loads::All => (self.wrenches.clone(), self.efforts.clone()),
            _ => {
                let on = if loads == Loads::Gravity { 1.0 } else { 0.0 };
                let weight = |mass: f64| Wrench::new(Vec3::zeros(), system.mechanics.gravity * (mass * on));
                let wrenches = system.mechanics.bodies.iter().map(|b| weight(b.mass)).collect();
                (wrenches, vec![0.0; self.freedoms.len()])
            }
        }
    }
}

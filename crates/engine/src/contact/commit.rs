//! Changes of contact modes. Nothing else changes a contact's history.

use carom_math::Wrench;

use super::chatter::{self, Bounce};
use super::observe::{gap_epsilon, zero_function};
use super::{Evaluator, PointMotion};
use crate::constraint::Scene;
use crate::force::add_axis_effort;
use crate::law::Damping;
use crate::record::{ContactMode, Event, EventKind, Peaks};
use crate::system::PairSource;

/// A change of a contact's mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// Open → closed: the gap reached zero.
    Close,
    /// Closed or released → open: the gap opened.
    Open,
    /// Closed → released: the force reached zero.
    Release,
    /// Closed: another patch of areal surfaces begins.
    BeginPatch,
    /// Released → closed: the force came back.
    Reengage,
}

impl Evaluator<'_> {
    /// Closes every contact whose gap is zero or less, at the start of a run.
    pub(crate) fn commit_start(&mut self, log: &mut Vec<Event>) {
        for contact in 0..self.contacts.memory.len() {
            if self.is_areal(contact) {
                continue;
            }
            let point = self.motion_of(contact);
            if point.gap <= gap_epsilon(&point) {
                self.close(contact, 0.0, &point, log);
                // An overlap that parts faster than the law can push does not pull.
                if point.gap < 0.0 && zero_function(self, contact, Transition::Release, &point) < 0.0 {
                    self.change(contact, Transition::Release, 0.0, &point, log);
                }
            }
        }
    }

    /// Closes an areal contact whose surfaces touch at the start of a run.
    pub(super) fn close_at_start(&mut self, contact: usize, point: &PointMotion, log: &mut Vec<Event>) {
        self.close(contact, 0.0, point, log);
    }

    /// Begins a contact that is evaluated already: nothing restarts.
    pub(super) fn begin_smoothly(
        &mut self,
        contact: usize,
        time: f64,
        point: &PointMotion,
        log: &mut Vec<Event>,
    ) {
        // What the step has raised already is this contact's: it had nothing before.
        let before = self.contacts.memory[contact];
        self.close(contact, time, point, log);
        let memory = &mut self.contacts.memory[contact];
        memory.peaks = before.peaks;
        memory.impulse_normal = before.impulse_normal;
        memory.impulse_tangential = before.impulse_tangential;
    }

    /// Ends a contact that goes on being evaluated.
    pub(super) fn end_smoothly(
        &mut self,
        contact: usize,
        time: f64,
        point: &PointMotion,
        log: &mut Vec<Event>,
    ) {
        self.open(contact, time, point, log);
        let memory = &mut self.contacts.memory[contact];
        memory.watched = true;
        memory.peaks = Peaks::beginning(time);
        memory.impulse_normal = 0.0;
        memory.impulse_tangential.fill(0.0);
    }

    /// Commits the changes at an event: that of the contact which triggered it, whatever rounding left of
    /// its zero, and those of all others whose zero functions have their new sign by now.
    pub(crate) fn commit_event(
        &mut self,
        time: f64,
        trigger: Option<(usize, Transition)>,
        evaluated_at: u64,
        log: &mut Vec<Event>,
    ) {
        for contact in 0..self.contacts.memory.len() {
            let forced = trigger.filter(|(c, _)| *c == contact).map(|(_, transition)| transition);
            let memory = &self.contacts.memory[contact];
            // An open contact that was not evaluated at this state holds a certificate.
            let known = memory.mode != ContactMode::Open || memory.evaluated_at == evaluated_at;
            if forced.is_none() && (!known || self.is_areal(contact)) {
                continue;
            }
            let point = self.motion_of(contact);
            if let Some(transition) = forced.or_else(|| self.due(contact, &point)) {
                self.change(contact, transition, time, &point, log);
            }
        }
        self.contacts.rebuild_active();
    }

    /// Forgets what open contacts were taken to be at the end of an attempt that is not accepted, whose stamp this is.
    pub(crate) fn forget_attempt(&mut self, stamp: u64) {
        for memory in self.contacts.memory.iter_mut().filter(|memory| memory.evaluated_at == stamp) {
            memory.evaluated_at = u64::MAX;
            memory.certificate = f64::NEG_INFINITY;
        }
    }

    /// Change that the state itself asks for.
    fn due(&self, contact: usize, point: &PointMotion) -> Option<Transition> {
        let force = zero_function(self, contact, Transition::Release, point);
        let epsilon = gap_epsilon(point);
        match self.contacts.memory[contact].mode {
            ContactMode::Open => (point.gap <= epsilon && point.approach > 0.0).then_some(Transition::Close),
            ContactMode::Closed if point.gap > epsilon => Some(Transition::Open),
            ContactMode::Closed => (point.gap < 0.0 && force < 0.0).then_some(Transition::Release),
            ContactMode::Released if point.gap > epsilon => Some(Transition::Open),
            ContactMode::Released => (point.gap < 0.0 && force > 0.0).then_some(Transition::Reengage),
            ContactMode::Latched => None,
        }
    }

    fn change(
        &mut self,
        contact: usize,
        transition: Transition,
        time: f64,
        point: &PointMotion,
        log: &mut Vec<Event>,
    ) {
        match transition {
            Transition::Close => self.close(contact, time, point, log),
            Transition::Open => self.open(contact, time, point, log),
            // Taken where the accepted step is noted (`patches/regroup.rs`).
            Transition::BeginPatch => {}
            Transition::Release => {
                self.contacts.memory[contact].mode = ContactMode::Released;
                self.contacts.memory[contact].calm_since = time;
                log.push(self.event(EventKind::Release, contact, time, point));
            }
            Transition::Reengage => {
                self.contacts.memory[contact].mode = ContactMode::Closed;
                log.push(self.event(EventKind::Reengage, contact, time, point));
                let duration = self.table.contacts[contact]
                    .impact_duration(self.contacts.memory[contact].frozen_approach);
                let memory = &mut self.contacts.memory[contact];
                if chatter::note_reengagement(memory, time, duration) == Bounce::Chatters {
                    self.latch(contact, time, point, log);
                }
            }
        }
    }

    fn close(&mut self, contact: usize, time: f64, point: &PointMotion, log: &mut Vec<Event>) {
        let law = self.table.contacts[contact].law;
        // Other dampings do not ask for the mass, which takes a factorisation where joints hold the bodies.
        let needs_mass = matches!(law.damping, Damping::Additive { .. });
        let mass = if needs_mass { self.effective_mass(contact, point) } else { f64::INFINITY };
        let memory = &mut self.contacts.memory[contact];
        memory.mode = ContactMode::Closed;
        memory.begin = time;
        memory.frozen_approach = law.frozen_approach(point.approach);
        memory.frozen_damping = law.frozen_damping(point.approach, mass);
        memory.unfelt = 0.0;
        memory.normal = point.normal;
        memory.watched = false;
        memory.impulse_normal = 0.0;
        memory.impulse_tangential.fill(0.0);
        memory.begin_speed = point.approach;
        memory.peaks = Peaks::beginning(time);
        memory.peaks.penetration.raise(-point.gap, time);
        memory.stored = 0.0;
        memory.gap = point.gap;
        memory.approach = point.approach;
        let speed = memory.frozen_approach;
        self.begin_first_patch(contact, time, &point.position, speed);
        log.push(self.event(EventKind::ContactBegin, contact, time, point));
        let duration =
            self.table.contacts[contact].impact_duration(self.contacts.memory[contact].frozen_approach);
        if !self.is_areal(contact)
            && chatter::note_bounce(&mut self.contacts.memory[contact], time, duration) == Bounce::Chatters
        {
            self.latch(contact, time, point, log);
        }
    }

    /// From now on the clipped law acts, without events, until the contact has been calm.
    fn latch(&mut self, contact: usize, time: f64, point: &PointMotion, log: &mut Vec<Event>) {
        let memory = &mut self.contacts.memory[contact];
        memory.mode = ContactMode::Latched;
        memory.calm_since = time;
        memory.touching = true;
        log.push(self.event(EventKind::Latch, contact, time, point));
    }

    fn open(&mut self, contact: usize, time: f64, point: &PointMotion, log: &mut Vec<Event>) {
        self.note_harder_hits(contact, |_| true, log);
        self.contacts.books[self.table.contacts[contact].pair].clear();
        log.push(self.event(EventKind::ContactEnd, contact, time, point));
        let memory = &mut self.contacts.memory[contact];
        memory.mode = ContactMode::Open;
        memory.lasted = time - memory.begin;
        memory.end = time;
        memory.gap = point.gap;
        memory.approach = point.approach;
        memory.certificate = f64::NEG_INFINITY;
    }

    /// Lets go of latched contacts that have been calm; true if a mode has changed.
    pub(crate) fn commit_calm(&mut self, time: f64, log: &mut Vec<Event>) -> bool {
        let mut changed = false;
        for slot in 0..self.contacts.active.len() {
            let contact = self.contacts.active[slot];
            if self.contacts.memory[contact].mode != ContactMode::Latched {
                continue;
            }
            let point = self.motion_of(contact);
            if chatter::is_calm(&mut self.contacts.memory[contact], time, point.gap < 0.0) {
                log.push(self.event(EventKind::Unlatch, contact, time, &point));
                self.contacts.memory[contact].mode = ContactMode::Closed;
                if point.gap >= 0.0 {
                    self.open(contact, time, &point, log);
                }
                changed = true;
            }
        }
        if changed {
            self.contacts.rebuild_active();
        }
        changed
    }

    pub(super) fn event(&self, kind: EventKind, contact: usize, time: f64, point: &PointMotion) -> Event {
        let memory = &self.contacts.memory[contact];
        Event {
            time,
            kind,
            contact,
            gap: point.gap,
            normal: point.normal,
            position: point.position,
            approach_speed: point.approach,
            law_approach_speed: memory.frozen_approach,
            impulse_normal: memory.impulse_normal,
            impulse_tangential: memory.impulse_tangential,
            begin: memory.begin,
            begin_speed: memory.begin_speed,
            peaks: memory.peaks,
            stiffness: self.table.contacts[contact].law.stiffness,
            damping: memory.frozen_damping,
        }
    }

    /// m = (w_Nᵀ M⁻¹ w_N)⁻¹ (kg): what the contact has to accelerate along its normal.
    fn effective_mass(&mut self, contact: usize, point: &PointMotion) -> f64 {
        let data = &self.table.contacts[contact];
        let pair = &self.table.pairs[data.pair];
        let lone = |body: &usize| self.system.bodies[*body].link.is_none_or(|l| self.system.links[l].lone);
        if self.mechanism.is_constrained() || !pair.bodies.iter().all(lone) {
            return 1.0 / self.inverse_mass_in_mechanism(contact, point);
        }
        let inverse: f64 = pair
            .bodies
            .iter()
            .filter(|&&b| self.system.bodies[b].link.is_some())
            .map(|&b| {
                let (data, body) = (&self.system.bodies[b], &self.bodies[b]);
                let arm = (point.position - body.pose.translation).cross(&point.normal);
                let arm_body = body.pose.rotation.tr_mul(&arm);
                1.0 / data.mass + arm_body.dot(&(data.inverse_inertia * arm_body))
            })
            .sum();
        1.0 / inverse
    }

    /// The same through the joints and constraints that hold the bodies.
    fn inverse_mass_in_mechanism(&mut self, contact: usize, point: &PointMotion) -> f64 {
        let pair = &self.table.pairs[self.table.contacts[contact].pair];
        if let PairSource::Stop(stop) = &pair.source {
            return self.inverse_mass_of_axis(stop.joint, stop.axis);
        }
        let mut wrenches = vec![Wrench::ZERO; self.system.bodies.len()];
        for (body, sign) in [(pair.bodies[0], -1.0), (pair.bodies[1], 1.0)] {
            let arm = point.position - self.bodies[body].pose.translation;
            wrenches[body] += Wrench::of_force(point.normal * sign, &arm);
        }
        self.inverse_mass_under(&wrenches, &[])
    }

    /// The same along a joint coordinate.
    pub(crate) fn inverse_mass_of_axis(&mut self, joint: usize, axis: usize) -> f64 {
        let mut wrenches = vec![Wrench::ZERO; self.system.bodies.len()];
        let mut efforts = vec![0.0; self.system.freedoms()];
        add_axis_effort(&self.scene(), joint, axis, 1.0, &mut wrenches, &mut efforts);
        let freedoms: Vec<_> = efforts.into_iter().enumerate().filter(|(_, e)| *e != 0.0).collect();
        self.inverse_mass_under(&wrenches, &freedoms)
    }

    fn inverse_mass_under(&mut self, wrenches: &[Wrench], freedoms: &[(usize, f64)]) -> f64 {
        let system = &*self.system;
        let moving = system.links.iter().enumerate();
        let loads: Vec<_> =
            moving.map(|(l, link)| (l, wrenches[link.body])).filter(|(_, w)| *w != Wrench::ZERO).collect();
        let angles = std::mem::take(&mut self.mechanism.angles);
        let scene = Scene {
            system,
            time: self.time,
            state: &self.state,
            bodies: &self.bodies,
            angles: &angles,
            controls: &self.controls,
        };
        let inverse = self.mechanism.inverse_mass_along(&scene, &loads, freedoms);
        self.mechanism.angles = angles;
        inverse
    }
}

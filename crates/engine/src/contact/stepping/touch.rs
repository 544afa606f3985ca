use carom_math::Vec3;
use carom_solvers::friction::Triple;

use super::NearPoint;
use crate::contact::commit::event;
use crate::contact::rigid::single_motion;
use crate::contact::{Evaluator, PointMotion};
use crate::record::{ContactMode, Event, EventKind, Peaks};

/// A contact that is apart by more than this share of what the step's own impulses can make up for has ended.
const APART: f64 = 1e-6;

/// What a contact has done in a step, the sum of its points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) contact: usize,
    /// At the end of the step.
    pub(crate) motion: PointMotion,
    /// Impulses on B (N s), and where they act (m).
    pub(crate) normal: f64,
    pub(crate) tangential: Vec3,
    pub(crate) position: Vec3,
    /// Sum of the normal ones along their normals (N s).
    pushes: Vec3,
    /// Lost normal to the surfaces and along them (J).
    pub(crate) lost: [f64; 2],
    /// Slip of the point that presses most, after the step, and its size before it (m/s).
    pub(crate) sliding: Vec3,
    pub(crate) before: f64,
    /// Speed of approach before the step (m/s).
    pub(crate) approach: f64,
    most: f64,
}

impl Touch {
    /// One without impulses.
    pub(crate) fn of(contact: usize) -> Self {
        Self {
            contact,
            motion: PointMotion::NEVER,
            normal: 0.0,
            tangential: Vec3::zeros(),
            position: Vec3::zeros(),
            pushes: Vec3::zeros(),
            lost: [0.0; 2],
            sliding: Vec3::zeros(),
            before: 0.0,
            approach: f64::NEG_INFINITY,
            most: 0.0,
        }
    }

    /// Adds a point with its impulse and its velocities before and after: the loss is r · (u⁻ + u⁺)/2, exactly. What they are `ahead` of the middle
    /// by the end of the step, they were behind at its beginning.
    pub(crate) fn add(
        &mut self,
        point: &NearPoint,
        r: &Triple,
        before: &Triple,
        after: &Triple,
        ahead: &Triple,
    ) {
        let mean = |k: usize| 0.5 * (before[k] + after[k]);
        self.lost[0] -= r[0] * mean(0);
        self.lost[1] -= r[1] * mean(1) + r[2] * mean(2);
        let pressing = r[0] * point.arm;
        let pressed = self.normal + pressing;
        if pressed > 0.0 {
            self.position += (point.motion.position - self.position) * (pressing / pressed);
        }
        self.normal = pressed;
        self.pushes += pressing * point.axes[0];
        self.tangential += point.axes[1] * r[1] + point.axes[2] * r[2];
        self.approach = self.approach.max((ahead[0] - before[0]) / point.arm);
        if r[0] > self.most {
            self.most = r[0];
            self.sliding = point.axes[1] * (after[1] + ahead[1]) + point.axes[2] * (after[2] + ahead[2]);
            self.before = libm::hypot(before[1] - ahead[1], before[2] - ahead[2]);
        }
    }

    /// The normal along which it has pressed. By the end of the step another one may be nearer, as where two corners meet.
    pub(crate) fn pressed_along(&self) -> Vec3 {
        self.pushes.try_normalize(0.0).unwrap_or(self.motion.normal)
    }
}

/// Begins and ends contacts at the end of a step: one begins with its first impulse, and ends when a step has given it none and its
/// surfaces are apart. `closed` are those that touch, ascending.
pub(crate) fn commit_touches(
    evaluator: &mut Evaluator<'_>,
    touches: &[Touch],
    closed: &mut Vec<usize>,
    h: f64,
    time: f64,
    log: &mut Vec<Event>,
) {
    let mut stay = Vec::with_capacity(closed.len());
    let mut gone = std::mem::take(closed).into_iter().peekable();
    let length = evaluator.system.scales.length;
    for touch in touches {
        while let Some(contact) = gone.next_if(|contact| *contact < touch.contact) {
            let motion = single_motion(evaluator, contact);
            end(evaluator, contact, time, &motion, log);
        }
        let was_closed = gone.next_if(|contact| *contact == touch.contact).is_some();
        let is_pressed = touch.normal > 0.0;
        if !was_closed && is_pressed {
            begin(evaluator, touch, time, log);
        } else if was_closed && !is_pressed && touch.motion.gap > APART * length {
            end(evaluator, touch.contact, time, &touch.motion, log);
        }
        if evaluator.contacts.memory[touch.contact].mode == ContactMode::Closed {
            stay.push(touch.contact);
            let memory = &mut evaluator.contacts.memory[touch.contact];
            memory.impulse_normal += touch.normal;
            memory.impulse_tangential += touch.tangential;
            memory.peaks.force.raise(touch.normal / h, time);
            memory.peaks.penetration.raise(-touch.motion.gap, time);
        }
    }
    for contact in gone {
        let motion = single_motion(evaluator, contact);
        end(evaluator, contact, time, &motion, log);
    }
    *closed = stay;
}

fn begin(evaluator: &mut Evaluator<'_>, touch: &Touch, time: f64, log: &mut Vec<Event>) {
    let memory = &mut evaluator.contacts.memory[touch.contact];
    memory.mode = ContactMode::Closed;
    memory.begin = time;
    memory.begin_speed = touch.approach;
    memory.frozen_approach = touch.approach;
    memory.impulse_normal = 0.0;
    memory.impulse_tangential.fill(0.0);
    memory.peaks = Peaks::beginning(time);
    let point = PointMotion { approach: touch.approach, ..touch.motion };
    log.push(event(evaluator, EventKind::ContactBegin, touch.contact, time, &point));
}

fn end(evaluator: &mut Evaluator<'_>, contact: usize, time: f64, motion: &PointMotion, log: &mut Vec<Event>) {
    log.push(event(evaluator, EventKind::ContactEnd, contact, time, motion));
    let memory = &mut evaluator.contacts.memory[contact];
    memory.mode = ContactMode::Open;
    memory.lasted = time - memory.begin;
    memory.end = time;
}

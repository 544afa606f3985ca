//! Bristles: the states of contacts whose friction sticks.
//!
//! They stand after the states of the mechanics, three of every such contact in the order of the active ones, so that what is
//! open has none: their number changes where modes do, at events, where the integrator starts anew. A contact by regions
//! has one for each, an areal one for each patch (`grip.rs`, `hands.rs`). A bristle is zero when its contact begins; what it stores when the contact ends is
//! lost to friction. It is a vector in world axes ([`crate::law::Grip`]), which needs no axes on the surface that could
//! turn away under it, and no other care at a pole.

use std::ops::Range;

use carom_math::{Quaternion, Vec3};
use carom_solvers::ToleranceGroup;

use super::areal::grip::grip_patches;
use super::finder::find_point;
use super::hands::{HandBook, HandedOn};
use super::placed::Placed;
use super::point_force::force_at;
use super::regions::grip_regions;
use super::{ContactForce, Evaluator, PointMotion};
use crate::law::{Bristle, Friction, Grip};
use crate::system::PairSource;

/// A bristle that is kept while modes change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldBristle {
    pub(crate) contact: usize,
    /// Its number among those of its contact.
    pub(crate) number: usize,
    pub(crate) bristle: Bristle,
}

/// All bristles of an evaluation with their rates, as they stand in the state after what belongs to the mechanics.
#[derive(Debug, Default)]
pub(super) struct Bristled {
    found: Vec<f64>,
    rates: Vec<f64>,
}

impl Bristled {
    /// Of so many states, all zero.
    pub(super) fn clear(&mut self, states: usize) {
        for numbers in [&mut self.found, &mut self.rates] {
            numbers.clear();
            numbers.resize(states, 0.0);
        }
    }

    /// Takes the bristle whose states these are, and what its rates have more.
    pub(super) fn put(&mut self, states: Range<usize>, bristle: &Bristle, rate: &Bristle) {
        bristle.write(&mut self.found[states.clone()]);
        let mut sum = Bristle::from_state(&self.rates[states.clone()]);
        sum.deflection += rate.deflection;
        sum.dwell += rate.dwell;
        sum.write(&mut self.rates[states]);
    }

    /// A bristle.
    pub(super) fn found(&self, states: Range<usize>) -> Bristle {
        Bristle::from_state(&self.found[states])
    }

    /// Rates of a bristle.
    pub(super) fn rate(&self, states: Range<usize>) -> Bristle {
        Bristle::from_state(&self.rates[states])
    }
}

/// What a bristle is bent by.
pub(super) struct Bending<'a> {
    pub(super) friction: &'a Friction,
    pub(super) grip: Grip,
    /// Ω (1/s).
    pub(super) turning: Vec3,
    pub(super) normal: Vec3,
    /// Rate (1/s) at which a part along the normal is lost, where a single point can hold none: a manifold has left it, or a
    /// normal that goes on to another face.
    pub(super) straightens: f64,
}

impl Bending<'_> {
    /// Rates of a bristle in world axes.
    pub(super) fn rate(&self, bristle: &Bristle) -> Bristle {
        let mut rate = self.friction.hold(&self.grip, bristle).rate;
        let s = &bristle.deflection;
        rate.deflection += self.turning.cross(s) - self.normal * (self.straightens * self.normal.dot(s));
        rate
    }
}

/// Angle (rad), or share of the model's length, that differences of the normal displace B by: cuts off and rounds at 1e-10.
const INCREMENT: f64 = 1e-5;
/// Change of a normal over such a displacement that is no turn but the next facet or edge.
const JUMP: f64 = 0.1;

/// States of the bristles of an active contact.
pub(crate) fn bristle_states(evaluator: &Evaluator<'_>, slot: usize) -> Option<Range<usize>> {
    let first = evaluator.system.states() + evaluator.contacts.first_state[slot]?;
    Some(first..first + evaluator.contacts.bristles[slot] * states_of_one(evaluator, slot))
}

fn states_of_one(evaluator: &Evaluator<'_>, slot: usize) -> usize {
    let contact = &evaluator.table.contacts[evaluator.contacts.active[slot]];
    evaluator.table.pairs[contact.pair].friction.states()
}

/// The same of each, in their order.
fn states_of_each(evaluator: &Evaluator<'_>, slot: usize) -> impl Iterator<Item = Range<usize>> + use<> {
    let own = states_of_one(evaluator, slot);
    let all = bristle_states(evaluator, slot).unwrap_or_default();
    all.step_by(own.max(1)).map(move |first| first..first + own)
}

/// A bristle at the state evaluated last, or as the method that asks for it finds it, with its rates; a state of bodies alone has
/// none. `first` counts from the first state of bristles.
pub(super) fn bristle_at(evaluator: &Evaluator<'_>, first: usize, bending: &Bending<'_>) -> Bristle {
    if evaluator.implicit.acts {
        return evaluator.implicit.find(first, bending);
    }
    bristle_of_state(evaluator, first, bending.friction)
}

/// The same as the state has it.
pub(super) fn bristle_of_state(evaluator: &Evaluator<'_>, first: usize, friction: &Friction) -> Bristle {
    let first = evaluator.system.states() + first;
    let states = first..first + friction.states();
    evaluator.workspace.state.get(states).map_or(Bristle::default(), Bristle::from_state)
}

/// Keeps the bristles of a state.
pub(crate) fn hold_bristles(evaluator: &Evaluator<'_>, y: &[f64], held: &mut Vec<HeldBristle>) {
    held.clear();
    for (slot, &contact) in evaluator.contacts.active.iter().enumerate() {
        for (number, states) in states_of_each(evaluator, slot).enumerate() {
            held.push(HeldBristle { contact, number, bristle: Bristle::from_state(&y[states]) });
        }
    }
}

/// Who holds the regions or patches of a contact; contacts of another kind have none.
fn hand_book<'e>(evaluator: &'e Evaluator<'_>, contact: usize) -> Option<&'e HandBook> {
    let pair = evaluator.table.contacts[contact].pair;
    match &evaluator.table.pairs[pair].source {
        PairSource::Regions(_) => Some(&evaluator.contacts.region_books[pair].held),
        PairSource::Areal(_) => Some(&evaluator.contacts.books[pair].held),
        _ => None,
    }
}

/// Are there bristles of regions or patches that are not those of the state any more?
pub(crate) fn are_regrouped(evaluator: &Evaluator<'_>) -> bool {
    let with_bristles = evaluator.contacts.active.iter().zip(&evaluator.contacts.first_state);
    let is_regrouped = |contact: usize| hand_book(evaluator, contact).is_some_and(|held| held.is_regrouped);
    with_bristles.filter(|(_, state)| state.is_some()).any(|(&contact, _)| is_regrouped(contact))
}

/// From now on the bristles of a state are those of the contact's parts, one for each; says what that has changed of the energy.
pub(crate) fn take_bristles(evaluator: &mut Evaluator<'_>, contact: usize, held: &[HeldBristle]) -> HandedOn {
    let pair = evaluator.table.contacts[contact].pair;
    let friction = &evaluator.table.pairs[pair].friction;
    match &evaluator.table.pairs[pair].source {
        PairSource::Regions(_) => evaluator.contacts.region_books[pair].held.take(friction, held),
        PairSource::Areal(_) => evaluator.contacts.books[pair].held.take(friction, held),
        _ => HandedOn::default(),
    }
}

/// Gives a state of bodies the bristles of the contacts that are active now: those that are kept, and zeros.
pub(crate) fn set_bristles(evaluator: &Evaluator<'_>, y: &mut Vec<f64>, held: &[HeldBristle]) {
    y.resize(evaluator.system.states(), 0.0);
    y.resize(evaluator.system.states() + evaluator.contacts.states, 0.0);
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        let own = held.chunk_by(|a, b| a.contact == b.contact).find(|own| own[0].contact == contact);
        let Some(own) = own else { continue };
        for (number, states) in states_of_each(evaluator, slot).enumerate() {
            let bristle = match hand_book(evaluator, contact) {
                Some(book) => book.handed_on(number, own),
                None => own.get(number).map_or(Bristle::default(), |held| held.bristle),
            };
            bristle.write(&mut y[states]);
        }
    }
}

/// Adds the tolerances of all bristles: of deflections by what breaks away, of dwells by 1.
pub(crate) fn add_bristle_tolerances(evaluator: &Evaluator<'_>, groups: &mut Vec<ToleranceGroup>) {
    let rtol = evaluator.system.tolerances.relative;
    for (slot, &contact) in evaluator.contacts.active.iter().enumerate() {
        for states in states_of_each(evaluator, slot) {
            let friction = &evaluator.table.pairs[evaluator.table.contacts[contact].pair].friction;
            let atol = rtol * friction.bristle().map_or(1.0, |law| law.scale);
            groups.push(ToleranceGroup { start: states.start, len: 3, atol, rtol });
            for dwell in states.skip(3) {
                groups.push(ToleranceGroup { start: dwell, len: 1, atol: rtol, rtol: 0.0 });
            }
        }
    }
}

/// The contact whose bristle a group of tolerances belongs to, by its number among those of all bristles.
pub(crate) fn contact_of_bristle(evaluator: &Evaluator<'_>, group: usize) -> Option<usize> {
    let active = evaluator.contacts.active.iter().enumerate();
    let mut groups = active.flat_map(|(slot, &contact)| {
        let groups: usize = states_of_each(evaluator, slot).map(|states| states.len() - 2).sum();
        std::iter::repeat_n(contact, groups)
    });
    groups.nth(group)
}

/// Writes the bristles of the last evaluation into a state.
pub(super) fn write_bristles(evaluator: &Evaluator<'_>, y: &mut [f64]) {
    y[evaluator.system.states()..].copy_from_slice(&evaluator.bristled.found);
}

/// Writes the rates of all bristles, as they were found with the forces.
pub(super) fn write_bristle_rates(evaluator: &Evaluator<'_>, dydt: &mut [f64]) {
    dydt[evaluator.system.states()..].copy_from_slice(&evaluator.bristled.rates);
}

/// Adds what bristles do to the force of an active contact, whose normal part is known.
pub(super) fn grip(evaluator: &mut Evaluator<'_>, slot: usize, force: &mut ContactForce) {
    let Some(first) = evaluator.contacts.first_state[slot] else { return };
    let contact = evaluator.contacts.active[slot];
    // In statics no contact begins, and none has a bristle.
    if evaluator.contacts.memory[contact].grip_damping == 0.0 {
        return;
    }
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    match pair.source {
        PairSource::Regions(_) => return grip_regions(evaluator, slot, first, force),
        PairSource::Areal(_) => return grip_patches(evaluator, slot, first, force),
        _ => {}
    }
    let [a, b] = pair.bodies.map(|body| &evaluator.workspace.bodies[body]);
    let (position, normal) = (force.point.position, force.point.normal);
    let velocity = b.point_velocity(&position) - a.point_velocity(&position);
    let sliding = velocity - normal * normal.dot(&velocity);
    let radius = radius_about(evaluator, contact, force);
    let spin = (b.angular_velocity - a.angular_velocity).dot(&normal);
    let grip = Grip {
        pressing: force.normal.max(0.0),
        velocity: sliding + normal * (radius * spin),
        damping: evaluator.contacts.memory[contact].grip_damping,
    };
    let turning = turning(evaluator, contact, &force.point);
    let stiffness = pair.friction.bristle().map_or(0.0, |law| law.stiffness);
    let straightens = if radius == 0.0 { stiffness / grip.damping } else { 0.0 };
    let bending = Bending { friction: &pair.friction, grip, turning, normal, straightens };
    let bristle = bristle_at(evaluator, first, &bending);
    let hold = pair.friction.hold(&grip, &bristle);
    let twist = normal.dot(&hold.force);
    force.friction += hold.force - normal * twist;
    force.torque += normal * (radius * twist);
    force.gripped = pair.friction.stored(&bristle);
    let rate = bending.rate(&bristle);
    let storing = stiffness * bristle.deflection.dot(&rate.deflection);
    force.dissipation[1] -= hold.force.dot(&grip.velocity) + storing;
    let states = first..first + pair.friction.states();
    evaluator.bristled.put(states, &bristle, &rate);
}

/// Mean distance of the points of a manifold from where their forces act, by the forces (m); 0 of a single point.
fn radius_about(evaluator: &Evaluator<'_>, contact: usize, force: &ContactForce) -> f64 {
    let data = &evaluator.table.contacts[contact];
    let (pair, memory) = (&evaluator.table.pairs[data.pair], &evaluator.contacts.memory[contact]);
    if force.normal <= 0.0 || force.points[0] == force.points[1] {
        return 0.0;
    }
    let points = &evaluator.manifold_points[force.points[0]..force.points[1]];
    let share = ContactForce::shares(points);
    let moment: f64 = points
        .iter()
        .map(|point| {
            let normal = force_at(data, pair, memory, &point.motion, share(point)).normal;
            normal * (point.motion.position - force.point.position).norm()
        })
        .sum();
    moment / force.normal
}

/// Ω with which a bristle turns: n × ṅ + ½ ((ω_A + ω_B)·n) n, the normal's turn and the mean spin of both bodies about it.
fn turning(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> Vec3 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
    let normal = &point.normal;
    let rate = a.cross(normal) + normal_rate(evaluator, contact, point);
    normal.cross(&rate) + normal * (0.5 * (a + b).dot(normal))
}

/// ṅ less ω_A × n (1/s), by central differences of the finder along the motion of B against A: nothing where they move
/// as one, and for every finder alike.
fn normal_rate(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> Vec3 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let Some((surfaces, swapped)) = pair.source.surfaces() else { return Vec3::zeros() };
    let placed = Placed::of(surfaces, pair.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    let [a, b] = placed.bodies;
    let spin = b.angular_velocity - a.angular_velocity;
    let slip = b.point_velocity(&point.position) - a.point_velocity(&point.position);
    let fastest = spin.norm() + slip.norm() / evaluator.system.scales.length;
    let duration = INCREMENT / fastest;
    if !duration.is_finite() {
        return Vec3::zeros();
    }
    let of_b = if swapped { 0 } else { 1 };
    let mut pose = *placed.poses[of_b];
    let has_failed = evaluator.search.fault().is_some();
    let [before, after] = [-duration, duration].map(|time| {
        let turn = Quaternion::from_rotation_vector(&(spin * time)).to_matrix();
        pose.rotation = turn * placed.poses[of_b].rotation;
        pose.translation =
            point.position + slip * time + turn * (placed.poses[of_b].translation - point.position);
        let mut poses = placed.poses;
        poses[of_b] = &pose;
        find_point(evaluator, contact, &Placed { poses, ..placed }).normal
    });
    if !has_failed {
        evaluator.search.forget_fault();
    }
    let change = after - before;
    // Also where a search has failed, whose normal is none.
    let is_turn = change.norm() < JUMP && (before.norm_squared() - 1.0).abs() < JUMP;
    if is_turn { change / (2.0 * duration) } else { Vec3::zeros() }
}

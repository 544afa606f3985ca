//! Looks ahead in an attempted step: which contact changes its mode first? Open contacts are proven apart, or their first
//! touch is located (certificates.md 1, 2).

use std::cmp::Ordering;

use carom_solvers::Stepper;
use carom_solvers::crossing::{First, Look, Resolution, find_first_crossing};
use carom_solvers::root::find_right_root;

use super::course::Course;
use super::hovering::{hovers, slack_before_closing};
use super::kinks::KinkBook;
use super::meshes;
use super::meshes::touch::TouchSearch;
use super::passing::Unforeseen;
use super::rigid::IDLE;
use super::rims::{certified_share, is_silent};
use super::step_view::{Seen, StepView};
use super::{Evaluator, PointMotion, Transition};
use crate::mechanics::JointRole;
use crate::path::StepPath;
use crate::record::ContactMode;
use crate::system::{PairData, PairSource, StopData, System};

/// Units in the last place of the distance's operands within which a gap counts as zero.
const GAP_ULPS: f64 = 8.0;

/// Kinds of changes of an active contact in one step.
const CHANGES: usize = 3;

/// A rigid contact that has just parted and is apart at the end of the step, but comes near again within this share of it: stages of
/// implicit methods match no acceleration at the start, so that what they interpolate dips where forces have ended, and a step that ends
/// there would be the first of thousands. The next one tried is this share of it, in which a dip is smaller by the fourth power.
const DIP: f64 = 0.125;
const WITHOUT_DIP: f64 = 0.25;
/// Looks at one contact in one step. A gap that stays a few units in the last place above zero costs some thousands; what
/// takes more shortens the step.
const LOOKS: u32 = 20_000;

/// How far beyond what comes first in a step closings in a plane, where steps may be long, are looked for, over the time to it: surfaces
/// that touch there at the same time are not proven apart up to the last bit.
const BEYOND: f64 = 2.0;

/// Open contacts are near if they can close within so many steps like the attempted one.
const STEPS_NEAR: f64 = 3.0;

/// Rounding threshold ε of a gap (m).
pub(crate) fn gap_epsilon(point: &PointMotion) -> f64 {
    GAP_ULPS * f64::EPSILON * point.operands.max(point.gap.abs())
}

/// The first change of mode in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Upcoming {
    /// From the start of the step (s).
    pub(crate) after: f64,
    pub(crate) contact: usize,
    pub(crate) transition: Transition,
}

/// What lies ahead in an attempted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ahead {
    /// No change of mode.
    Nothing,
    /// The first one.
    Change(Upcoming),
    /// The contact is not proven apart beyond this time after the start of the step, which has to be shorter.
    Unknown { after: f64, contact: usize },
}

impl Ahead {
    /// When it comes, from the start of the step (s).
    pub(crate) fn after(&self) -> f64 {
        match self {
            Self::Nothing => f64::INFINITY,
            Self::Change(upcoming) => upcoming.after,
            Self::Unknown { after, .. } => *after,
        }
    }

    /// Keeps what comes first.
    pub(crate) fn take(&mut self, other: Self) {
        if other.after() < self.after() {
            *self = other;
        }
    }
}

/// The first touch of surfaces that are evaluated already and whose law starts smoothly: it is noted, and the step goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothBegin {
    pub(crate) contact: usize,
    /// From the start of the step (s).
    pub(crate) after: f64,
}

/// What observation keeps between steps: how far each body's surface can have travelled.
pub(crate) struct Observer {
    /// Upper bound of the path of any surface point of each body since the start (m).
    pub(crate) path: Vec<f64>,
    /// The same against the root of the body's tree.
    pub(crate) path_in_tree: Vec<f64>,
    /// The attempted step.
    pub(crate) step: StepPath,
    /// Begins in it that end no step.
    pub(crate) begins: Vec<SmoothBegin>,
    pub(super) touch: TouchSearch,
    /// Changes in it of clipped contacts, which end no step, and what they make wrong.
    pub(super) passing: Vec<Upcoming>,
    pub(crate) kinks: KinkBook,
    /// Contacts that would be clipped in it if it were made once more.
    pub(crate) unforeseen: Vec<Unforeseen>,
    /// Open contacts that can close soon.
    pub(crate) near: Vec<usize>,
    /// Upper bound of what each coordinate of each link has moved since the start (m or rad).
    pub(crate) path_of_coordinates: Vec<[f64; 3]>,
    /// By contact: the two paths that its certificate is about, by their places in `soon`.
    on_paths: Vec<[u32; 2]>,
    /// What paths come to in some steps such as the attempted one: of bodies in the world, of bodies in their trees, of
    /// coordinates; of what stays, and of what nothing bounds.
    soon: Vec<f64>,
}

/// The link and the axis whose coordinate a stop of a joint bounds, where the link's states have it.
fn coordinate_of(system: &System, stop: &StopData) -> Option<(usize, usize)> {
    match system.mechanics.joints[stop.joint].role {
        JointRole::Carries { link } => Some((link, stop.axis)),
        JointRole::Closes => None,
    }
}

impl Observer {
    pub(crate) fn new(system: &System) -> Self {
        let zero = vec![0.0; system.mechanics.bodies.len()];
        let contacts = system.table.contacts.len();
        Self {
            path: zero.clone(),
            path_in_tree: zero,
            path_of_coordinates: vec![[0.0; 3]; system.mechanics.links.len()],
            step: StepPath::new(system),
            begins: Vec::with_capacity(contacts),
            touch: TouchSearch::default(),
            // A contact may begin and end in a step, and let go in between.
            passing: Vec::with_capacity(3 * contacts),
            kinks: KinkBook::new(system),
            unforeseen: Vec::with_capacity(contacts),
            near: Vec::with_capacity(contacts),
            on_paths: Vec::with_capacity(contacts),
            soon: Vec::with_capacity(
                2 * system.mechanics.bodies.len() + 3 * system.mechanics.links.len() + 2,
            ),
        }
    }

    /// Takes the attempted step, whose dense output is ready.
    pub(crate) fn read(&mut self, system: &System, stepper: &dyn Stepper) {
        self.step.read(system, stepper);
    }

    /// What the sides of a pair can have moved towards each other since the start, and what they can move in the step (m or rad).
    /// Bodies that a tree carries together have moved against each other only, a stop by what its coordinate has.
    pub(super) fn travel(&self, evaluator: &Evaluator<'_>, pair: &PairData) -> [f64; 2] {
        if let PairSource::Stop(stop) = &pair.source {
            return coordinate_of(&evaluator.system, stop).map_or([0.0, f64::INFINITY], |(link, axis)| {
                [self.path_of_coordinates[link][axis], self.step.coordinates[link][axis].rate]
            });
        }
        let in_tree = evaluator.system.mechanics.is_in_one_tree(pair.bodies);
        let path = if in_tree { &self.path_in_tree } else { &self.path };
        let [a, b] = pair.bodies;
        [path[a] + path[b], self.step.relative_travel(pair.bodies, in_tree)]
    }

    /// Takes the paths of the contacts that have come up, and what all come to soon.
    fn look_at_paths(&mut self, evaluator: &Evaluator<'_>) {
        let (table, mechanics) = (&evaluator.table, &evaluator.system.mechanics);
        let (bodies, links) = (mechanics.bodies.len(), mechanics.links.len());
        let still = 2 * bodies + 3 * links;
        for data in &table.contacts[self.on_paths.len()..] {
            let pair = &table.pairs[data.pair];
            let places = match &pair.source {
                PairSource::Stop(stop) => match coordinate_of(&evaluator.system, stop) {
                    Some((link, axis)) => [2 * bodies + 3 * link + axis, still],
                    None => [still + 1; 2],
                },
                PairSource::Cable(_) => [still + 1; 2],
                _ if mechanics.is_in_one_tree(pair.bodies) => pair.bodies.map(|body| bodies + body),
                _ => pair.bodies,
            };
            self.on_paths.push(places.map(|place| place as u32));
        }
        let step = &self.step;
        let soon = |before: f64, ahead: f64| before + STEPS_NEAR * ahead;
        self.soon.clear();
        self.soon.extend(self.path.iter().zip(&step.bodies).map(|(path, body)| soon(*path, body.travel())));
        let in_trees = self.path_in_tree.iter().zip(&step.bodies);
        self.soon.extend(in_trees.map(|(path, body)| soon(*path, body.travel_in_tree())));
        let coordinates = self.path_of_coordinates.iter().flatten().zip(step.coordinates.iter().flatten());
        self.soon.extend(coordinates.map(|(path, bound)| soon(*path, bound.rate)));
        self.soon.extend([0.0, f64::INFINITY]);
    }

    /// Is an open contact so far from closing that its sides do not come near each other in some steps, whichever way they go? Costs an
    /// addition; what it does not say is asked for by [`Self::is_within_reach`].
    #[inline]
    fn is_far(&self, contact: usize, certificate: f64) -> bool {
        let [a, b] = self.on_paths[contact].map(|place| place as usize);
        self.soon[a] + self.soon[b] < certificate
    }

    /// Can an open contact close in `steps` such as the attempted one, for all that its certificate says?
    fn is_within_reach(&self, evaluator: &Evaluator<'_>, contact: usize, steps: f64) -> bool {
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        if matches!(pair.source, PairSource::Cable(_)) {
            return false;
        }
        let [before, ahead] = self.travel(evaluator, pair);
        // No number, or an infinite one, proves nothing.
        let certificate = evaluator.contacts.certificates[contact];
        (before + steps * ahead).partial_cmp(&certificate) != Some(Ordering::Less)
    }

    /// What comes first in the attempted step, whose end the evaluator has just been at. `but` is left out: the contact whose
    /// change the step has been shortened to. What comes later than `until` need not be found.
    pub(crate) fn find_first(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        step_number: u64,
        (but, until): (Option<usize>, f64),
    ) -> Ahead {
        let mut first = Ahead::Nothing;
        let mut active = 0;
        let kinks = stepper.kinks();
        self.begins.clear();
        self.passing.clear();
        self.unforeseen.clear();
        self.kinks.clear();
        if but.is_none() {
            self.near.clear();
        }
        self.look_at_paths(evaluator);
        for contact in 0..evaluator.contacts.memory.len() {
            let slot = active;
            let is_active = evaluator.contacts.active.get(slot) == Some(&contact);
            if !is_active && self.is_far(contact, evaluator.contacts.certificates[contact]) {
                continue;
            }
            active += usize::from(is_active);
            if but == Some(contact) {
                continue;
            }
            let memory = &evaluator.contacts.memory[contact];
            if memory.mode == ContactMode::Open {
                if is_silent(evaluator, contact) {
                    continue;
                }
                if memory.watched || self.is_within_reach(evaluator, contact, STEPS_NEAR) {
                    if let Err(place) = self.near.binary_search(&contact) {
                        self.near.insert(place, contact);
                    }
                    let is_in_plane = evaluator.table.is_in_plane(contact);
                    let until = if is_in_plane { BEYOND * until.min(first.after()) } else { f64::INFINITY };
                    let closing = self.find_closing(evaluator, stepper, (contact, until), step_number);
                    first.take(match (closing, &kinks) {
                        (Ahead::Change(begin), Some(kinks)) => {
                            self.pass_begin(evaluator, stepper, begin, kinks)
                        }
                        _ => closing,
                    });
                }
                continue;
            }
            if evaluator.table.is_rigid(contact) {
                continue;
            }
            if evaluator.is_mesh_contact(contact) {
                first.take(self.find_mesh_reopening(evaluator, stepper, contact));
                first.take(self.find_patch_begin(evaluator, stepper, contact));
                first.take(self.find_hit(evaluator, stepper, contact));
                first.take(self.find_region_change(evaluator, stepper, contact));
                continue;
            }
            let end = evaluator.forces[slot].point;
            let (mut changes, mut count) = ([None; CHANGES], 0);
            for transition in find_changes(evaluator, contact, &end) {
                let view = StepView::new(stepper, &self.step);
                let z = |after: f64| {
                    zero_function(evaluator, contact, transition, &view.at(evaluator, contact, after))
                };
                let falls = transition == Transition::Release;
                let at_end = zero_function(evaluator, contact, transition, &end);
                let after = find_right_root(z, 0.0, view.h, at_end, falls);
                changes[count] = Some(Upcoming { after, contact, transition });
                count += 1;
            }
            if count == 0 {
                first.take(self.find_reopening(evaluator, stepper, contact, &end));
                continue;
            }
            match kinks.filter(|_| evaluator.contacts.memory[contact].clipped) {
                Some(kinks) if self.pass_changes(evaluator, stepper.step(), slot, &changes, &kinks) => {}
                _ => changes.iter().flatten().for_each(|&change| first.take(Ahead::Change(change))),
            }
        }
        first
    }

    /// Takes the gaps of the open contacts that were looked at from the end of a step that has been shortened.
    pub(crate) fn refresh(&mut self, evaluator: &mut Evaluator<'_>, step_number: u64) {
        for place in 0..self.near.len() {
            let contact = self.near[place];
            let memory = &evaluator.contacts.memory[contact];
            if memory.mode == ContactMode::Open && memory.evaluated_at == step_number + 1 {
                if evaluator.is_mesh_contact(contact) {
                    self.note_distance(evaluator, contact, step_number + 1);
                    continue;
                }
                let end = evaluator.motion_of(contact);
                evaluator.contacts.memory[contact].note(&end, step_number + 1);
            }
        }
    }

    /// Takes the attempted step as done: paths grow, and the gaps at its end are certificates.
    pub(crate) fn advance(&mut self, evaluator: &mut Evaluator<'_>, step_number: u64) {
        for (index, body) in self.step.bodies.iter().enumerate() {
            grow(&mut self.path[index], body.travel());
            grow(&mut self.path_in_tree[index], body.travel_in_tree());
        }
        let coordinates = self.step.coordinates.iter().flatten();
        self.path_of_coordinates
            .iter_mut()
            .flatten()
            .zip(coordinates)
            .for_each(|(path, c)| grow(path, c.rate));
        let ended = self.passing.iter().map(|change| change.contact);
        for contact in self.near.iter().copied().chain(ended) {
            let memory = &evaluator.contacts.memory[contact];
            if memory.mode == ContactMode::Open && memory.evaluated_at == step_number + 1 {
                let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
                let travel = self.travel(evaluator, pair)[0];
                let share = certified_share(evaluator, contact, memory.gap);
                let certificate = if share > 0.0 { travel + share * memory.gap } else { f64::NEG_INFINITY };
                evaluator.contacts.certificates[contact] = certificate;
            }
        }
    }

    /// When an open contact closes, if it does and not later than something else. A pair whose gap is larger than what its bodies can
    /// have travelled since the gap was taken costs a few additions.
    fn find_closing(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        (contact, until): (usize, f64),
        step_number: u64,
    ) -> Ahead {
        let memory = &evaluator.contacts.memory[contact];
        let watched = memory.watched && !memory.clipped;
        if watched && meshes::approach::is_felt(evaluator, contact) {
            return self.find_felt_touch(evaluator, stepper, contact, step_number);
        }
        if !self.is_within_reach(evaluator, contact, 1.0) {
            return Ahead::Nothing;
        }
        if watched {
            return self.look_at_watched(evaluator, stepper, contact, step_number);
        }
        if evaluator.is_mesh_contact(contact) {
            return self.find_touch(evaluator, stepper, contact, step_number);
        }
        let view = &StepView::new(stepper, &self.step);
        let mut start = view.look_at_start(evaluator, contact, step_number);
        let mut end = view.look_at_end(evaluator, contact);
        evaluator.contacts.memory[contact].note(&end.seen.motion, step_number + 1);
        let evaluator = &*evaluator;
        // In a long step that something ends early most of the path is one that nothing goes along.
        if until < view.h {
            end = view.look(evaluator, contact, until);
        }
        let course = Course { evaluator, path: &self.step, contact, h: view.h };
        let resolution = Resolution {
            value: gap_epsilon(&end.seen.motion),
            time: f64::EPSILON * evaluator.workspace.time,
            looks: LOOKS,
        };
        let below = slack_before_closing(evaluator, contact, &start, resolution.value);
        let search = |[start, end]: [Look<Seen>; 2], slack: f64| {
            let with_slack = |look: Look<Seen>| Look { z: look.z + slack, ..look };
            let mut look = |at: f64| with_slack(view.look(evaluator, contact, at));
            let mut least = |a: &_, b: &_| course.least(a, b);
            find_first_crossing(&mut look, &mut least, with_slack(start), with_slack(end), resolution)
        };
        if hovers(evaluator, contact, [&start, &end])
            && matches!(search([start, end], IDLE * evaluator.system.scales.length), First::None)
        {
            return Ahead::Nothing;
        }
        for slack in [below, below + resolution.value] {
            match search([start, end], slack) {
                First::None => break,
                First::Unknown { from } => return Ahead::Unknown { after: from, contact },
                First::Between { left, right } => {
                    let gap = |after: f64| view.at(evaluator, contact, after).gap + slack;
                    let after = find_right_root(gap, left, right.at, right.z, true);
                    start = view.look(evaluator, contact, after);
                    // A corner that goes on from one face to another begins under it.
                    if start.rate < 0.0 || start.z + below < -resolution.value {
                        if below > 0.0 && end.z > below && after < DIP * end.at {
                            return Ahead::Unknown { after: WITHOUT_DIP * end.at, contact };
                        }
                        return Ahead::Change(Upcoming { after, contact, transition: Transition::Close });
                    }
                }
            }
        }
        Ahead::Nothing
    }
}

/// Rounding must not keep a long path from growing: it would be a certificate that never expires.
pub(crate) fn grow(path: &mut f64, by: f64) {
    if by > 0.0 {
        *path += by.max(f64::EPSILON * *path);
    }
}

/// The changes of an active contact between the start of a step and its end.
fn find_changes(
    evaluator: &Evaluator<'_>,
    contact: usize,
    end: &PointMotion,
) -> impl Iterator<Item = Transition> {
    let mode = evaluator.contacts.memory[contact].mode;
    let released = zero_function(evaluator, contact, Transition::Release, end);
    let opens = mode != ContactMode::Latched && end.gap > gap_epsilon(end);
    // Also where the step has passed the end of the contact too: the earlier root wins.
    let releases = mode == ContactMode::Closed && released < 0.0;
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
        Transition::Close | Transition::Open | Transition::BeginPatch | Transition::Regroup => motion.gap,
        // Known as a maximum.
        Transition::Hit => 0.0,
        // Forces that two bodies alone do not tell: `rigid::holding_function`.
        Transition::Leave
        | Transition::Detach
        | Transition::Slip
        | Transition::Stick
        | Transition::Contradict => f64::NAN,
        Transition::Release | Transition::Reengage => {
            let damping = evaluator.contacts.memory[contact].frozen_damping;
            evaluator.table.contacts[contact].law.release_function(-motion.gap, motion.approach, damping)
        }
    }
}

//! What an accepted step makes of the patches: which go on, begin, merge and split.

use carom_solvers::Stepper;

use super::begin::{Located, motion_of_seed};
use super::groups::{Group, to_grid};
use super::hit::{self, Taken};
use super::{BegunPatch, PatchBook, PatchGroups};
use crate::contact::areal;
use crate::contact::areal::begin::BeginMotion;
use crate::contact::commit;
use crate::contact::hands::{Hand, of_part, part_of};
use crate::contact::load;
use crate::contact::patches::begin;
use crate::contact::placed::Placed;
use crate::contact::{Evaluator, Observer, PointMotion, StepView, Transition, Upcoming};
use crate::record::{ContactMode, Event, EventKind};
use crate::system::ArealPair;

/// The accepted step at whose end the evaluator is.
pub(super) struct Done<'a> {
    view: &'a StepView<'a>,
    /// When it started and ended (s).
    start: f64,
    end: f64,
    /// When in it the contact began (s); 0 if before.
    begun: f64,
}

impl Observer {
    /// Takes the accepted step between two times, at whose end the evaluator is, into the patches of the contacts that are closed.
    /// `awaited` is the contact of which a patch begins at the end.
    pub(crate) fn note_patches(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        [start, end]: [f64; 2],
        change: Option<&Upcoming>,
        log: &mut Vec<Event>,
    ) {
        let view = StepView::new(stepper, &self.step);
        for slot in 0..evaluator.contacts.active.len() {
            let contact = evaluator.contacts.active[slot];
            let Some((areal, pair)) = areal::areal_pair(evaluator, contact) else { continue };
            if evaluator.contacts.memory[contact].mode == ContactMode::Open {
                continue;
            }
            let here = change.filter(|change| change.contact == contact).map(|change| change.transition);
            if here == Some(Transition::BeginPatch) {
                begin_awaited(evaluator, contact, (&areal, pair), end, log);
            }
            if evaluator.forces[slot].is_felt() {
                let begun = (evaluator.contacts.memory[contact].begin - start).max(0.0);
                let done = Done { view: &view, start, end, begun };
                regroup(evaluator, contact, (&areal, pair), Some(&done), log);
                let taken = if here == Some(Transition::Hit) { Taken::Motion } else { Taken::Speed };
                hit::take_hits(evaluator, contact, (&areal, pair), (end - start, end), taken);
                hit::note_hits(evaluator, contact, |_| false, log);
            } else {
                hit::note_hits(evaluator, contact, |_| true, log);
            }
        }
    }
}

/// Groups the elements of the last evaluation by the patches that they go on from. The workspace is to be given back.
pub(super) fn find_groups(evaluator: &mut Evaluator<'_>, areal: &ArealPair, pair: usize) -> PatchGroups {
    let mut groups = std::mem::take(&mut evaluator.groups);
    let placed = Placed::of(
        areal.meshes.surfaces,
        evaluator.table.pairs[pair].bodies,
        (&evaluator.surfaces, &evaluator.workspace.bodies),
    );
    if let Some(workspace) = &evaluator.areal[pair] {
        groups.find(areal, workspace, &placed, &evaluator.contacts.books[pair]);
    }
    groups
}

/// Gives it back.
pub(super) fn keep_groups(evaluator: &mut Evaluator<'_>, groups: PatchGroups) {
    evaluator.groups = groups;
}

/// Patches of contacts that are closed at the start of a run: all have its motion for their beginning.
pub(crate) fn group_at_start(evaluator: &mut Evaluator<'_>) {
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        let Some((areal, pair)) = areal::areal_pair(evaluator, contact) else { continue };
        if evaluator.contacts.memory[contact].mode == ContactMode::Open {
            continue;
        }
        if load::return_areal(evaluator, pair).is_some_and(|force| force.is_felt()) {
            regroup(evaluator, contact, (&areal, pair), None, &mut Vec::new());
            evaluator.contacts.books[pair].held.own();
        }
    }
}

/// The patch whose first element is awaited begins where the evaluator is, with the motion there.
fn begin_awaited(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (areal, pair): (&ArealPair, usize),
    end: f64,
    log: &mut Vec<Event>,
) {
    let Some(seed) = evaluator.contacts.books[pair].awaited.take() else { return };
    let data = &evaluator.table.pairs[pair];
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    let pass = &areal.passes[seed.pass];
    let motion = motion_of_seed(areal, &placed, &seed);
    let place = pass.base.element(seed.element).barycentre;
    let to_grid = to_grid(seed.pass, areal, &placed);
    let cell = areal.grid.cell(&to_grid.map_or(place, |x| x.transform_point(&place)));
    let speed = pass.law.reference_speed(motion.approach);
    let patch = BegunPatch::beginning(areal::begin::begin_motion(evaluator, contact), end, speed);
    if evaluator.contacts.books[pair].patch_in(&cell).is_none() {
        evaluator.contacts.books[pair].add(patch, cell);
        let point = PointMotion { approach: motion.approach, ..motion.point };
        log.push(commit::event_with_speed(evaluator, EventKind::PatchBegin, contact, end, &point, speed));
    }
}

/// The patches of a contact are the groups of elements where the evaluator is. Without a step that led here all that is new has
/// begun with the contact.
fn regroup(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (areal, pair): (&ArealPair, usize),
    done: Option<&Done<'_>>,
    log: &mut Vec<Event>,
) {
    let mut groups = find_groups(evaluator, areal, pair);
    groups.located.clear();
    if let Some(done) = done {
        begin::locate_begins(evaluator, done.view, (areal, pair), &mut groups, done.begun);
    }
    let goes_on = |patch: usize| groups.groups.iter().any(|group| group.patch == Some(patch as u32));
    hit::note_hits(evaluator, contact, |patch| !goes_on(patch), log);
    let mut next = std::mem::take(&mut groups.spare);
    next.clear();
    for (number, group) in groups.groups.iter().enumerate() {
        let found = groups.located.iter().find(|one| one.group == number);
        let mut patch = match (group.patch, found, done) {
            (Some(patch), ..) => evaluator.contacts.books[pair].patches[patch as usize],
            (None, Some(found), Some(done)) => {
                begin_found(evaluator, contact, (areal, pair), done, found, log)
            }
            // Active from the first on.
            _ => nearest_patch(evaluator, pair, &groups, number),
        };
        patch.load = group.load;
        next.patches.push(patch);
    }
    next.cells.extend(groups.cells());
    if let Some(done) = done {
        keep_new_begins(evaluator, pair, done.end, &groups, &mut next);
    }
    let is_gripped = evaluator.table.pairs[pair].friction.states() > 0;
    hand_on(&evaluator.contacts.books[pair], is_gripped, &mut groups, &mut next);
    groups.number_patches();
    groups.spare = std::mem::replace(&mut evaluator.contacts.books[pair], next);
    keep_groups(evaluator, groups);
}

/// Which bristles hold the patches of the next book. The elements of a group may come from several patches: it takes the part of their
/// bristles that goes with the loads. At the start of a run the state has a bristle for each at once.
fn hand_on(book: &PatchBook, is_gripped: bool, groups: &mut PatchGroups, next: &mut PatchBook) {
    if !is_gripped {
        return;
    }
    groups.find_flows(book);
    let flows = &groups.flows;
    let hands = flows.iter().flat_map(|flow| {
        let from = || flows.iter().filter(|other| other.patch == flow.patch);
        let all = from().map(|other| other.load).sum();
        let part = part_of(flow.load, all, from().count());
        let inherited = of_part(&book.held.hands, flow.patch as usize).iter();
        inherited.map(move |hand| Hand { part: flow.group, share: part * hand.share, ..*hand })
    });
    next.held.hands.extend(hands);
    next.held.shares.extend_from_slice(&book.held.shares);
    next.held.is_regrouped = book.held.is_regrouped;
    next.held.weigh(next.patches.iter().map(|patch| patch.load));
}

/// Rounding may leave the first element of a patch that begins here still apart.
fn keep_new_begins(
    evaluator: &Evaluator<'_>,
    pair: usize,
    end: f64,
    groups: &PatchGroups,
    next: &mut PatchBook,
) {
    let book = &evaluator.contacts.books[pair];
    for (cell, patch) in &book.cells {
        let begun = &book.patches[*patch as usize];
        let is_lost = groups.groups.iter().all(|group: &Group| group.patch != Some(*patch));
        if begun.load == 0.0 && begun.begin == end && is_lost && next.patch_in(cell).is_none() {
            next.add(*begun, *cell);
        }
    }
}

/// A patch that was found to begin in the step to here. It has a motion of its own, unless that of the nearest will do.
fn begin_found(
    evaluator: &Evaluator<'_>,
    contact: usize,
    (areal, pair): (&ArealPair, usize),
    Done { view, start, end, .. }: &Done<'_>,
    located: &Located,
    log: &mut Vec<Event>,
) -> BegunPatch {
    let (motion, is_shared) = begin::begin_at(evaluator, view, (areal, pair), located);
    let law = &areal.passes[located.seed.pass].law;
    let (time, speed) = ((start + located.after).min(*end), law.reference_speed(motion.approach));
    let point = PointMotion { approach: motion.approach, ..motion.point };
    log.push(commit::event_with_speed(evaluator, EventKind::PatchBegin, contact, time, &point, speed));
    let (poses, bodies) = view.placed_at(evaluator, pair, located.after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    let place = areal.passes[located.seed.pass].base.element(located.seed.element).barycentre;
    let to_grid = to_grid(located.seed.pass, areal, &placed);
    let cell = areal.grid.cell(&to_grid.map_or(place, |x| x.transform_point(&place)));
    let book = &evaluator.contacts.books[pair];
    let nearest = book.patches.get(book.nearest(&cell)).and_then(|patch| patch.motion);
    let own = || areal.keeps_approach().then(|| BeginMotion::of(areal, &placed));
    BegunPatch::beginning(if is_shared { nearest } else { own() }, time, speed)
}

fn nearest_patch(evaluator: &Evaluator<'_>, pair: usize, groups: &PatchGroups, number: usize) -> BegunPatch {
    let book = &evaluator.contacts.books[pair];
    let cell = groups.cells().find(|(_, group)| *group as usize == number).map(|(cell, _)| cell);
    let nearest = cell.map_or(0, |cell| book.nearest(&cell));
    book.patches.get(nearest).copied().unwrap_or_default()
}

//! Takes what an accepted step has made of the regions of a contact into its book, and notes what has begun, ended, merged and
//! split.

use carom_geometry::intersection::Side;
use carom_math::Vec3;
use carom_solvers::Stepper;

use super::book::{BegunRegion, have_common, mean, nearest};
use super::change::{Sought, return_regions, shares_beginning};
use super::{RegionBook, RegionWorkspace, region_pair};
use crate::contact::commit;
use crate::contact::{Evaluator, Observer, PointMotion, StepView};
use crate::record::{ContactMode, Event, EventKind};
use crate::system::RegionResponse;

/// A step that has been accepted.
struct Done<'a> {
    sought: Sought<'a>,
    start: f64,
    end: f64,
}

impl Observer {
    /// Takes the accepted step between two times, at whose end the evaluator is, into the regions of the contacts that are closed.
    pub(crate) fn note_regions(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        [start, end]: [f64; 2],
        log: &mut Vec<Event>,
    ) {
        let view = StepView::new(stepper, &self.step);
        for slot in 0..evaluator.contacts.active.len() {
            let contact = evaluator.contacts.active[slot];
            let Some((regions, pair)) = region_pair(evaluator, contact) else { continue };
            if evaluator.contacts.memory[contact].mode == ContactMode::Open {
                continue;
            }
            if let Some(workspace) = &mut evaluator.regions[pair] {
                // A contact that has begun in the step had no region yet when it was evaluated.
                let book = &evaluator.contacts.region_books[pair];
                workspace.lineage.find(&workspace.search, book, regions.meshes.travel_limit);
            }
            let done = Done { sought: Sought { view: &view, contact, pair }, start, end };
            note_ends(evaluator, &done, log);
            take(evaluator, contact, Some(&done), log);
        }
    }
}

/// Begins the one region of a contact, at a place, before any is seen.
pub(crate) fn begin_first(evaluator: &mut Evaluator<'_>, contact: usize, time: f64, place: &Vec3) {
    let Some((regions, pair)) = region_pair(evaluator, contact) else { return };
    let memory = &evaluator.contacts.memory[contact];
    let begun = BegunRegion {
        begin: time,
        speed: memory.frozen_approach,
        damping: memory.frozen_damping,
        point: evaluator.surfaces[regions.meshes.surfaces[1]].inverse_transform_point(place),
        ..BegunRegion::default()
    };
    let book = &mut evaluator.contacts.region_books[pair];
    book.clear();
    book.reserve(regions.surfaces.iter().map(|surface| surface.triangle_count()).sum());
    book.next = 1;
    book.regions.push(begun);
    book.held.begin();
}

/// Regions of contacts that are closed at the start of a run: all have its beginning.
pub(crate) fn group_at_start(evaluator: &mut Evaluator<'_>) {
    for slot in 0..evaluator.contacts.active.len() {
        let contact = evaluator.contacts.active[slot];
        if evaluator.contacts.memory[contact].mode != ContactMode::Open {
            return_regions(evaluator, contact);
            take(evaluator, contact, None, &mut Vec::new());
            let pair = evaluator.table.contacts[contact].pair;
            evaluator.contacts.region_books[pair].held.own();
        }
    }
}

/// Notes the regions that have ended in the step.
fn note_ends(evaluator: &mut Evaluator<'_>, done: &Done<'_>, log: &mut Vec<Event>) {
    let Done { sought, start, .. } = done;
    let (contact, pair) = (sought.contact, sought.pair);
    let mut has_moved = false;
    for index in 0..evaluator.contacts.region_books[pair].regions.len() {
        let Some(workspace) = &evaluator.regions[pair] else { return };
        let begun = &evaluator.contacts.region_books[pair].regions[index];
        // The last one ends with the contact.
        if !workspace.lineage.is_over(index) || workspace.loads.is_empty() || !begun.is_seen() {
            continue;
        }
        let is_over = |workspace: &RegionWorkspace, _: &RegionBook| workspace.lineage.is_over(index);
        let after = sought.when(evaluator, 0.0, &is_over).unwrap_or(0.0);
        has_moved = true;
        let begun = &evaluator.contacts.region_books[pair].regions[index];
        let (speed, point) = (begun.speed, begun.point);
        let x_wb = sought.view.poses_at(evaluator, pair, after)[1];
        let normal = evaluator.contacts.memory[contact].normal;
        let point =
            PointMotion { gap: 0.0, normal, position: x_wb.transform_point(&point), ..PointMotion::NEVER };
        log.push(commit::event_with_speed(
            evaluator,
            EventKind::RegionEnd,
            contact,
            start + after,
            &point,
            speed,
        ));
        return_regions(evaluator, contact);
    }
    if has_moved {
        return_regions(evaluator, contact);
    }
}

/// The regions where the evaluator is become the contact's. Without a step that led here all that is new has begun with it.
fn take(evaluator: &mut Evaluator<'_>, contact: usize, done: Option<&Done<'_>>, log: &mut Vec<Event>) {
    let Some((regions, pair)) = region_pair(evaluator, contact) else { return };
    let Some(found) = evaluator.regions[pair].as_ref().map(|workspace| workspace.loads.len()) else { return };
    // A contact of which no region is left has not ended before its surfaces part.
    if found == 0 {
        return;
    }
    let is_by_depth = matches!(regions.response, RegionResponse::Depth);
    let jump = done.filter(|_| is_by_depth).and_then(|done| force_jump(evaluator, done));
    let mut next = std::mem::take(&mut evaluator.contacts.region_books[pair].spare);
    next.clear();
    for index in 0..found {
        let Some(workspace) = &evaluator.regions[pair] else { return };
        let book = &evaluator.contacts.region_books[pair];
        let parents = workspace.lineage.parents(index);
        if parents.is_empty() {
            next.push(begin(evaluator, contact, index, done, log));
            continue;
        }
        let main = heaviest(book, parents);
        let children = workspace.lineage.children(main);
        let keeps = is_heaviest_child(workspace, index, main);
        let begun = BegunRegion {
            number: if keeps { book.regions[main].number } else { u32::MAX },
            begin: book.regions[main].begin,
            speed: mean(book, parents, |begun| begun.speed),
            damping: mean(book, parents, |begun| begun.damping),
            ..BegunRegion::default()
        };
        let was_seen = book.regions[main].is_seen();
        if let (Some(done), true) = (done, was_seen) {
            let point = workspace.loads[index].motion;
            let kinds = [
                (parents.len() > 1, EventKind::RegionMerge),
                (children > 1 && keeps, EventKind::RegionSplit),
            ];
            for (_, kind) in kinds.into_iter().filter(|(happens, _)| *happens) {
                let event = commit::event_with_speed(evaluator, kind, contact, done.end, &point, begun.speed);
                log.push(Event { force_jump: jump, ..event });
            }
        }
        next.push(begun);
    }
    store(evaluator, contact, next);
}

/// Writes where regions are, and numbers those that are new.
fn store(evaluator: &mut Evaluator<'_>, contact: usize, mut next: Vec<BegunRegion>) {
    let pair = evaluator.table.contacts[contact].pair;
    let friction_states = evaluator.table.pairs[pair].friction.states();
    let Some(workspace) = &mut evaluator.regions[pair] else { return };
    let book = &mut evaluator.contacts.region_books[pair];
    workspace.find_hands(&book.held.hands, book.regions.len());
    std::mem::swap(&mut book.held.hands, &mut workspace.hands);
    book.held.weigh(workspace.loads.iter().map(|load| load.normal));
    if friction_states == 0 {
        book.held.own();
    }
    for (index, (begun, load)) in next.iter_mut().zip(&workspace.loads).enumerate() {
        if begun.number == u32::MAX {
            begun.number = book.next;
            book.next += 1;
        }
        let region = &workspace.search.regions()[index];
        (begun.load, begun.stored) = (load.normal, load.potential);
        (begun.point, begun.extent) = (region.point, 0.5 * region.length);
    }
    book.replace(next, &workspace.search);
    book.awaited = None;
}

/// What the normal force has jumped by at a change of the regions that has ended the step (N).
fn force_jump(evaluator: &mut Evaluator<'_>, done: &Done<'_>) -> Option<f64> {
    let Sought { view, contact, pair } = done.sought;
    let before = evaluator.contacts.region_books[pair].awaited?;
    let earlier = done.sought.look(evaluator, (view.h - before).max(0.0))?.normal;
    let now = done.sought.look(evaluator, view.h)?.normal;
    return_regions(evaluator, contact);
    Some(now - earlier)
}

/// A region that has begun in the step, with its time and speed; noted unless it has been there from the contact's first touch on.
fn begin(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    index: usize,
    done: Option<&Done<'_>>,
    log: &mut Vec<Event>,
) -> BegunRegion {
    let pair = evaluator.table.contacts[contact].pair;
    let time = evaluator.workspace.time;
    let inherited = |evaluator: &Evaluator<'_>| {
        let book = &evaluator.contacts.region_books[pair];
        let point = evaluator.regions[pair].as_ref().map(|w| w.search.regions()[index].point);
        let known = nearest(book, &point.unwrap_or_default());
        let (begin, speed, damping) = known.map_or((time, 0.0, 0.0), |k| (k.begin, k.speed, k.damping));
        BegunRegion { number: u32::MAX, begin, speed, damping, ..BegunRegion::default() }
    };
    let Some(done) = done else { return inherited(evaluator) };
    let Some(workspace) = &mut evaluator.regions[pair] else { return inherited(evaluator) };
    let mut own = std::mem::take(&mut workspace.triangles);
    for (side, list) in [Side::A, Side::B].into_iter().zip(&mut own) {
        list.clear();
        list.extend_from_slice(workspace.search.triangles(index, side));
    }
    let region = find_begin(evaluator, contact, &own, done, inherited, log);
    if let Some(workspace) = &mut evaluator.regions[pair] {
        workspace.triangles = own;
    }
    region
}

/// The same of the region that covers these triangles at the end of the step; `inherited` is what it is without a beginning of
/// its own.
fn find_begin(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    own: &[Vec<u32>; 2],
    done: &Done<'_>,
    inherited: impl Fn(&Evaluator<'_>) -> BegunRegion,
    log: &mut Vec<Event>,
) -> BegunRegion {
    let pair = evaluator.table.contacts[contact].pair;
    let find_own = |workspace: &RegionWorkspace| {
        let is_own = |&found: &usize| {
            let [a, b] = [Side::A, Side::B].map(|side| workspace.search.triangles(found, side));
            workspace.lineage.parents(found).is_empty() && have_common(a, &own[0]) && have_common(b, &own[1])
        };
        (0..workspace.loads.len()).find(is_own)
    };
    let begun = (evaluator.contacts.memory[contact].begin - done.start).max(0.0);
    let is_there = |workspace: &RegionWorkspace, _: &RegionBook| find_own(workspace).is_some();
    let Some(after) = done.sought.when(evaluator, begun, &is_there) else {
        return_regions(evaluator, contact);
        return inherited(evaluator);
    };
    done.sought.look(evaluator, after);
    let law = evaluator.table.contacts[contact].law;
    let own_motion = |evaluator: &Evaluator<'_>| {
        let workspace = evaluator.regions[pair].as_ref()?;
        let found = find_own(workspace)?;
        let book = &evaluator.contacts.region_books[pair];
        Some((workspace.loads[found].motion, shares_beginning(workspace, found, book, &law)))
    };
    let at_begin = own_motion(evaluator).map(|(touch, is_shared)| {
        done.sought.look_ahead(evaluator, after, &touch.position);
        match own_motion(evaluator) {
            Some((PointMotion { approach, normal, sliding, .. }, is_shared)) => {
                (PointMotion { approach, normal, sliding, ..touch }, is_shared)
            }
            None => (touch, is_shared),
        }
    });
    return_regions(evaluator, contact);
    let mut region = inherited(evaluator);
    let Some((motion, is_shared)) = at_begin else { return region };
    let time = (done.start + after).min(done.end);
    region.begin = time;
    if !is_shared {
        region.speed = law.frozen_approach(motion.approach);
        // What needs a mass has that of the contact's first touch.
        region.damping = if law.jumps_at_touch() {
            evaluator.contacts.memory[contact].frozen_damping
        } else {
            law.frozen_damping(motion.approach, f64::INFINITY)
        };
    }
    log.push(commit::event_with_speed(
        evaluator,
        EventKind::RegionBegin,
        contact,
        time,
        &motion,
        region.speed,
    ));
    region
}

/// Of begun regions the one with the greatest load; of equal ones the first.
fn heaviest(book: &RegionBook, parents: &[u32]) -> usize {
    let mut best = parents[0] as usize;
    for &parent in &parents[1..] {
        if book.regions[parent as usize].load > book.regions[best].load {
            best = parent as usize;
        }
    }
    best
}

/// Of those that go on from a begun region, is this the one with the greatest load, or the first of equal ones?
fn is_heaviest_child(workspace: &RegionWorkspace, index: usize, parent: usize) -> bool {
    let is_child = |found: &usize| workspace.lineage.parents(*found).contains(&(parent as u32));
    let own = workspace.loads[index].normal;
    (0..workspace.loads.len()).filter(is_child).all(|found| {
        let other = workspace.loads[found].normal;
        other < own || (other == own && found >= index) || found == index
    })
}

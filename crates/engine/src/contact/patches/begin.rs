//! Where in a step a patch begins: when its first element does.

use carom_solvers::Stepper;
use carom_solvers::root::find_right_root;

use super::PatchGroups;
use super::groups::to_grid;
use crate::contact::areal;
use crate::contact::areal::begin::PassMotion;
use crate::contact::areal::{active, in_pass, motion_in_base};
use crate::contact::load;
use crate::contact::meshes;
use crate::contact::meshes::between;
use crate::contact::patches::regroup;
use crate::contact::placed::Placed;
use crate::contact::{Ahead, Evaluator, Observer, PointMotion, StepView, Transition, Upcoming};
use crate::system::{ArealPair, PairSource};

/// Rounds of the search for the first element of a patch.
const ROUNDS: usize = 64;
/// Share of a step within which elements begin at one time, and units in the last place of the time.
const SAME_TIME_SHARE: f64 = 1e-10;
const SAME_TIME_ULPS: f64 = 4.0;
/// A patch whose surfaces approach each other as fast as the beginning of the nearest patch says of its place, but for this
/// share, has that beginning: nothing restarts for it. On an annular seat they come in by the dozen.
const SHARED: f64 = 0.01;

/// The element with which a patch begins, and the triangle of the target that its line meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatchSeed {
    pub(super) pass: usize,
    pub(super) element: u32,
    pub(super) triangle: u32,
}

/// An element as a point of contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeedMotion {
    /// Its gap is −u against the plane of the triangle, and its approach the rate of u.
    pub(super) point: PointMotion,
    /// Speed at which the surfaces approach each other along its line (m/s).
    pub(super) approach: f64,
}

/// A begin that was found in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) group: usize,
    /// From the start of the step (s).
    pub(super) after: f64,
    pub(super) seed: PatchSeed,
}

/// A place in the step, and which group is looked for there.
struct Sought<'a> {
    areal: &'a ArealPair,
    pair: usize,
    groups: &'a PatchGroups,
    group: usize,
}

/// u = m·(q − o)/(m·d) of the line from o along d to the plane through q with the normal m, and its rate m·v/(m·d) with the
/// velocity v of the target where they meet.
pub(super) fn motion_of_seed(areal: &ArealPair, placed: &Placed<'_>, seed: &PatchSeed) -> SeedMotion {
    let pass = &areal.passes[seed.pass];
    let placed = in_pass(pass, placed);
    let [x_wb, x_wt] = placed.poses;
    let x_bt = between(x_wb, x_wt);
    let element = pass.base.element(seed.element);
    let d = -element.normal;
    let m = x_bt.rotation * pass.target.normal(seed.triangle);
    let [q, ..] = areal.meshes.trees[usize::from(pass.base_is_a)].triangle(seed.triangle);
    let along = m.dot(&d);
    let u = m.dot(&(x_bt.transform_point(&q) - element.barycentre)) / along;
    let motion = motion_in_base(&placed);
    let rate = m.dot(&motion.at(&(element.barycentre + d * u))) / along;
    let velocity = motion.at(&element.barycentre);
    let approach = d.dot(&velocity);
    let on_b = if pass.base_is_a { 1.0 } else { -1.0 };
    let position = x_wb.transform_point(&element.barycentre);
    let point = PointMotion {
        gap: -u,
        normal: x_wb.rotation * d * -on_b,
        position,
        approach: rate,
        sliding: x_wb.rotation * (velocity - d * approach) * on_b,
        operands: position.amax() + pass.base.radius(),
    };
    SeedMotion { point, approach }
}

/// The element that the next patch of a contact begins with, as a point, where the evaluator is.
fn awaited_point(evaluator: &Evaluator<'_>, contact: usize) -> PointMotion {
    let index = evaluator.table.contacts[contact].pair;
    let data = &evaluator.table.pairs[index];
    let (PairSource::Areal(areal), Some(seed)) = (&data.source, evaluator.contacts.books[index].awaited)
    else {
        return PointMotion::NEVER;
    };
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    motion_of_seed(areal, &placed, &seed).point
}

/// The point that a change is located by, where the evaluator is.
pub(crate) fn point_of(evaluator: &Evaluator<'_>, upcoming: &Upcoming) -> PointMotion {
    match upcoming.transition {
        Transition::BeginPatch => awaited_point(evaluator, upcoming.contact),
        _ => evaluator.motion_of(upcoming.contact),
    }
}

/// When the groups that go on from no patch begin, from `begun` on (s after the start of the step); of those whose elements
/// are active there already nothing. The evaluator is at the end of the step.
pub(super) fn locate_begins(
    evaluator: &mut Evaluator<'_>,
    view: &StepView<'_>,
    (areal, pair): (&ArealPair, usize),
    groups: &mut PatchGroups,
    begun: f64,
) {
    let mut located = std::mem::take(&mut groups.located);
    located.clear();
    for group in 0..groups.groups.len() {
        if groups.groups[group].patch.is_some() {
            continue;
        }
        let sought = Sought { areal, pair, groups, group };
        if let Some((after, seed)) = locate_begin(evaluator, view, &sought, begun) {
            located.push(Located { group, after, seed });
        }
    }
    groups.located = located;
    if groups.groups.iter().any(|group| group.patch.is_none()) {
        load::return_areal(evaluator, pair);
    }
}

fn locate_begin(
    evaluator: &mut Evaluator<'_>,
    view: &StepView<'_>,
    sought: &Sought<'_>,
    begun: f64,
) -> Option<(f64, PatchSeed)> {
    let tick =
        (SAME_TIME_SHARE * view.h).max(SAME_TIME_ULPS * f64::EPSILON * (evaluator.workspace.time + view.h));
    let (mut before, mut after) = (begun, view.h);
    if first_active(evaluator, view, sought, begun).is_some() {
        return None;
    }
    let mut first = first_active(evaluator, view, sought, after)?;
    for _ in 0..ROUNDS {
        let gap = |at: f64| seed_at(evaluator, view, sought, &first, at).point.gap;
        let begin = if gap(before) > 0.0 {
            find_right_root(gap, before, after, gap(after).min(0.0), true)
        } else {
            // Its line has met another triangle first.
            0.5 * (before + after)
        };
        // Others that begin before?
        let earlier = (begin - tick).max(before);
        if let Some(seed) = first_active(evaluator, view, sought, earlier) {
            (after, first) = (earlier, seed);
            continue;
        }
        let later = begin + tick;
        if later >= after || first_active(evaluator, view, sought, later).is_some() {
            return Some((begin, first));
        }
        before = later;
        let middle = 0.5 * (before + after);
        match first_active(evaluator, view, sought, middle) {
            Some(seed) => (after, first) = (middle, seed),
            None => before = middle,
        }
    }
    Some((after, first))
}

/// Of the elements of a group that are active so long after the start of the step the one that has been for longest, by its
/// depth and rate.
fn first_active(
    evaluator: &mut Evaluator<'_>,
    view: &StepView<'_>,
    sought: &Sought<'_>,
    after: f64,
) -> Option<PatchSeed> {
    let Sought { areal, pair, groups, group } = sought;
    let (poses, bodies) = view.placed_at(evaluator, *pair, after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    let workspace = evaluator.areal[*pair].as_mut()?;
    let mut first: Option<(f64, PatchSeed)> = None;
    for (number, (pass, workspace)) in areal.passes.iter().zip(&mut workspace.passes).enumerate() {
        workspace.search(pass, in_pass(pass, &placed).poses).ok()?;
        let to_grid = to_grid(number, areal, &placed);
        for hit in active(&workspace.hits) {
            let element = workspace.element(pass, hit.element);
            let place = to_grid.as_ref().map(|x| x.transform_point(&element.barycentre));
            if !groups.is_at(&areal.grid.cell(&place.unwrap_or(element.barycentre)), *group) {
                continue;
            }
            let seed = PatchSeed { pass: number, element: hit.element, triangle: hit.triangle };
            let rate = motion_of_seed(areal, &placed, &seed).point.approach;
            let since = hit.depth / rate.max(f64::MIN_POSITIVE);
            if first.is_none_or(|(longest, _)| since > longest) {
                first = Some((since, seed));
            }
        }
    }
    first.map(|(_, seed)| seed)
}

fn seed_at(
    evaluator: &Evaluator<'_>,
    view: &StepView<'_>,
    sought: &Sought<'_>,
    seed: &PatchSeed,
    after: f64,
) -> SeedMotion {
    let (poses, bodies) = view.placed_at(evaluator, sought.pair, after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    motion_of_seed(sought.areal, &placed, seed)
}

/// The element with which a patch begins as a point, and whether the beginning of the nearest patch will do for it.
pub(super) fn begin_at(
    evaluator: &Evaluator<'_>,
    view: &StepView<'_>,
    (areal, pair): (&ArealPair, usize),
    located: &Located,
) -> (SeedMotion, bool) {
    let Located { seed, after, .. } = located;
    let (poses, bodies) = view.placed_at(evaluator, pair, *after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    let motion = motion_of_seed(areal, &placed, seed);
    let pass = &areal.passes[seed.pass];
    let placed = in_pass(pass, &placed);
    let of_pass = PassMotion::new(areal, &placed, Some(&evaluator.contacts.books[pair]), seed.pass);
    let known = pass.law.reference_speed(of_pass.approach_at_begin(&pass.base.element(seed.element)));
    let own = pass.law.reference_speed(motion.approach);
    (motion, !pass.law.keeps_approach() || (own - known).abs() <= SHARED * known)
}

impl Observer {
    /// The first begin of a patch of a closed contact that ends the attempted step, whose end the evaluator is at.
    pub(in crate::contact) fn find_patch_begin(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
    ) -> Ahead {
        let Some((areal, pair)) = areal::areal_pair(evaluator, contact) else {
            return Ahead::Nothing;
        };
        evaluator.contacts.books[pair].awaited = None;
        // Of other laws each element joins for itself.
        if !areal.keeps_approach() || !meshes::approach::is_felt(evaluator, contact) {
            return Ahead::Nothing;
        }
        let view = StepView::new(stepper, &self.step);
        let mut groups = regroup::find_groups(evaluator, &areal, pair);
        locate_begins(evaluator, &view, (&areal, pair), &mut groups, 0.0);
        let own = groups.located.iter().filter(|one| !begin_at(evaluator, &view, (&areal, pair), one).1);
        let first = own.min_by(|a, b| a.after.total_cmp(&b.after)).copied();
        regroup::keep_groups(evaluator, groups);
        let Some(Located { after, seed, .. }) = first else { return Ahead::Nothing };
        evaluator.contacts.books[pair].awaited = Some(seed);
        Ahead::Change(Upcoming { after, contact, transition: Transition::BeginPatch })
    }
}

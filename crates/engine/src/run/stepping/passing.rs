//! Contacts that would begin in a step, and pass: a corner that slides from one solid onto a flush one has its side ahead of it in the middle of the step,
//! and its face under it at the end. Taken along the normal that it has in the middle it would be stopped there. What gaps grow to on
//! straight lines decides as a rule; where the normal at the end is another one, the end itself does.

use super::attempt::bounces;
use super::{Stepping, positions, velocities};
use carom_geometry::planar::Within;
use carom_math::Vec3;

use crate::contact::{AtCorner, PointMotion, at_corner};
use crate::run::Simulation;

/// Cosine of the angle by which a normal may turn in half a step.
const SAME: f64 = 0.9;
/// Overlap at the end of a step, over the model's length, up to which a contact has passed: corrections of positions take it away.
const LEVEL: f64 = 1e-7;

/// Overlap over the least of a pair at which it counts as that.
const AS_DEEP: f64 = 1.01;

/// How far a corner goes by another one at most that it meets, over the model's length: what corrections of positions leave of a floor that both are on.
const BESIDE: f64 = 1e-7;

/// Finds near points that may pass, where the evaluator is, in the middle: of contacts that have not pressed before and may close, those whose normal is another one at the end of
/// the step without impulses.
pub(super) fn find(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) {
    let closed = positions::TOLERANCE * run.system.scales.length;
    work.passing.clear();
    work.passing.resize(work.near.len(), false);
    let may_close = |k: usize| {
        let point = &work.near[k];
        let comes = point.gap() + 0.5 * h * work.free[k][0].min(0.0) <= 0.5 * h * work.loaded[k];
        let is_open = point.gap() > closed && work.pressed[k].is_none();
        point.is_in_place && !point.is_single && is_open && comes && !bounces(work, k)
    };
    let closing: Vec<usize> = (0..work.near.len()).filter(|&k| may_close(k)).collect();
    if closing.is_empty() {
        return;
    }
    let normal_of = |run: &Simulation<'_>, k: usize| run.evaluator.motion_of(work.near[k].contact).normal;
    let normals: Vec<Vec3> = closing.iter().map(|&k| normal_of(run, k)).collect();
    let free = std::mem::take(&mut work.unloaded);
    go_to_end(run, work, &free, h);
    for (k, normal) in closing.into_iter().zip(normals) {
        work.passing[k] = run.evaluator.motion_of(work.near[k].contact).normal.dot(&normal) < SAME;
    }
    come_back(run, work, &free);
    work.unloaded = free;
}

/// Takes corners of outlines out that come to a corner within the step, or have come to one in the last, and give way to it; those that meet a side there
/// are taken along that. True where one is.
pub(super) fn meet_corners(run: &Simulation<'_>, work: &mut Stepping, h: f64) -> bool {
    let beside = BESIDE * run.system.scales.length;
    let mut is_retaken = false;
    for k in 0..work.near.len() {
        let (point, before, pressed) = (&work.near[k], work.before[k], work.pressed[k]);
        let velocity = point.axes[0] * before[0] + point.axes[1] * before[1] + point.axes[2] * before[2];
        // What came late in the last step has kept some of its speed, and is anywhere near the corner; what lies has none but rounding.
        let (deepest, across) = pressed.map_or((0.0, beside), |_| (-beside, beside.max(h * velocity.norm())));
        // Of two sides at a corner rounding says on which it lies; it stays on that which it has pressed.
        let is_turned = pressed.is_some_and(|normal| normal.dot(&point.axes[0]) < SAME);
        let comes =
            is_turned && point.gap() <= beside || before[0] < 0.0 && point.gap() + h * before[0] <= deepest;
        if point.is_single || work.passing[k] || !comes {
            continue;
        }
        match at_corner(&run.evaluator, point.contact, &velocity, (Within { time: h, across }, pressed)) {
            Some(AtCorner::GivesWay) => work.near[k].is_in_place = false,
            Some(AtCorner::Meets(motion)) if motion.normal != work.near[k].axes[0] => {
                work.near[k].retake(motion);
                is_retaken = true;
            }
            _ => {}
        }
    }
    is_retaken
}

/// Do near points that may pass overlap at the end of the step with velocities `new`? They do not pass then, and are taken as they are there: a corner
/// that comes from a floor to a ramp meets the ramp's face, which in the middle of the step it has not reached. Of a pair it is those that overlap least:
/// the ramp's own corner may be farther behind the face of the block that comes, along which nothing closes. What overlaps after their
/// impulses comes next. True where one does.
pub(super) fn stop_those_that_overlap(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) -> bool {
    let comes = |k: &usize| work.passing[*k] && work.near[*k].gap() + 0.5 * h * work.after[*k][0] < 0.0;
    let deepest = -LEVEL * run.system.scales.length;
    let closing: Vec<usize> = (0..work.near.len()).filter(comes).collect();
    if closing.is_empty() {
        return false;
    }
    let new = std::mem::take(&mut work.new);
    go_to_end(run, work, &new, h);
    let within = Within { time: h, across: BESIDE * run.system.scales.length };
    let at_end = closing.iter().filter_map(|&k| {
        let contact = work.near[k].contact;
        let end = run.evaluator.motion_of(contact);
        match at_corner(&run.evaluator, contact, &end.velocity(), (within, None)) {
            Some(AtCorner::GivesWay) => None,
            Some(AtCorner::Meets(met)) => Some((k, met)),
            None => Some((k, end)),
        }
    });
    let met: Vec<(usize, PointMotion)> = at_end.filter(|(_, end)| end.gap < deepest).collect();
    come_back(run, work, &new);
    work.new = new;
    let pair_of = |k: usize| run.evaluator.table.contacts[work.near[k].contact].pair;
    let least = |pair: usize| {
        let own = met.iter().filter(|(k, _)| pair_of(*k) == pair);
        own.map(|(_, end)| end.gap).fold(f64::NEG_INFINITY, f64::max)
    };
    let met: Vec<&(usize, PointMotion)> =
        met.iter().filter(|(k, end)| end.gap >= AS_DEEP * least(pair_of(*k))).collect();
    for &(k, end) in &met {
        work.passing[*k] = false;
        work.near[*k].turn_to(&run.evaluator, end, h);
    }
    !met.is_empty()
}

/// Has bodies where velocities lead to by the end of the step.
fn go_to_end(run: &mut Simulation<'_>, work: &mut Stepping, v: &[f64], h: f64) {
    let system = run.system.clone();
    work.end_state.clone_from(&work.state);
    velocities::displace(&system.mechanics, v, 0.5 * h, &mut work.end_state);
    velocities::put(&mut run.evaluator, v, &mut work.end_state);
    run.evaluator.update_surfaces();
}

/// Has them in the middle of the step again.
fn come_back(run: &mut Simulation<'_>, work: &mut Stepping, v: &[f64]) {
    velocities::put(&mut run.evaluator, v, &mut work.state);
    run.evaluator.update_surfaces();
}

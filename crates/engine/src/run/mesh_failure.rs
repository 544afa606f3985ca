//! Why a run with contact of triangle surfaces cannot go on: by regions, or by any method.

use super::{Simulation, advance};
use crate::contact::meshes::swallowed;
use crate::contact::regions;
use crate::contact::{Culprit, Unseen};
use crate::outcome::RunError;
use crate::system::{PairSource, RegionPair};

fn region_pair<'r>(run: &'r Simulation<'_>, contact: usize) -> Option<&'r RegionPair> {
    match &run.evaluator.table.pairs[run.evaluator.table.contacts[contact].pair].source {
        PairSource::Regions(regions) => Some(regions),
        _ => None,
    }
}

fn pair_name(run: &Simulation<'_>, contact: usize) -> String {
    run.evaluator.table.pair_info[run.evaluator.table.contacts[contact].pair].name.clone()
}

/// E0616 where a run goes on with one surface inside another that it has not seen enter (certificates.md 2, "Inside").
pub(super) fn check_containment(run: &Simulation<'_>) -> Result<(), RunError> {
    let Some(contact) = swallowed::swallowed_unseen(&run.evaluator) else { return Ok(()) };
    let time = run.stepper.time();
    let pair = pair_name(run, contact);
    Err(RunError {
        code: "E0616",
        message: format!(
            "one surface of pair \"{pair}\" is inside the other at t = {time:.9} s, where the run goes on, and it has not been seen to enter"
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "resume with the surfaces that the checkpoint was made with, or start anew".to_owned(),
    })
}

fn error(run: &Simulation<'_>, contact: usize, code: &'static str, message: String, help: &str) -> RunError {
    let pair = Some(pair_name(run, contact));
    RunError { code, message, time: run.stepper.time(), body: None, pair, help: help.to_owned() }
}

/// E0618: the least step takes surfaces that touch past each other.
pub(super) fn of_travel(run: &Simulation<'_>, contact: usize) -> Option<RunError> {
    let limit = region_pair(run, contact)?.meshes.travel_limit;
    let message = format!(
        "the surfaces of pair \"{}\" move so fast at t = {:.9} s that even the least step, {:.3e} s, takes them farther than {limit:.3e} m, a share of their thinnest wall, or of the smaller one",
        pair_name(run, contact),
        run.stepper.time(),
        advance::smallest_step(run)
    );
    Some(error(run, contact, "E0618", message, "lower h_min, or make the wall thicker"))
}

/// E0614: one surface is so deep in the other that it nears the far side of a wall; or E0616, it came from behind, where elements of
/// its far side look through it.
pub(super) fn of_depth(run: &Simulation<'_>, contact: usize, depth: f64) -> Option<RunError> {
    if is_from_behind(run, contact) {
        return unseen_at(run, Unseen::Behind { contact }, run.stepper.time());
    }
    let limit = region_pair(run, contact)?.depth_limit;
    let message = format!(
        "pair \"{}\" penetrates {depth:.3e} m after t = {:.9} s, and its thinnest wall lets it no deeper than {limit:.3e} m: a region that comes out on the far side pushes nothing back",
        pair_name(run, contact),
        run.stepper.time()
    );
    Some(error(run, contact, "E0614", message, "raise the stiffness of the law, or make the wall thicker"))
}

/// Do the triangles of an areal contact that touch, or did last, meet where one of an open surface moves towards its solid? Elements
/// see nothing from there, however fine they are.
fn is_from_behind(run: &Simulation<'_>, contact: usize) -> bool {
    let evaluator = &run.evaluator;
    let PairSource::Areal(areal) = &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source
    else {
        return false;
    };
    let point = evaluator.motion_of(contact);
    let of_b_against_a = point.sliding - point.normal * point.approach;
    [of_b_against_a, -of_b_against_a].into_iter().enumerate().any(|(side, velocity)| {
        let tree = &areal.meshes.trees[side];
        let [a, b, c] = tree.triangle(evaluator.contacts.memory[contact].triangles[side]);
        let x = &evaluator.surfaces[areal.meshes.surfaces[side]];
        let outward = x.rotation * (b - a).cross(&(c - a)).normalize();
        !tree.is_closed() && outward.dot(&velocity) > 0.5 * velocity.norm()
    })
}

/// E0616: surfaces that overlap have no region, or an open one is met from behind.
pub(super) fn of_unseen(run: &Simulation<'_>, unseen: Unseen) -> Option<RunError> {
    unseen_at(run, unseen, run.stepper.time() + run.stepper.step())
}

fn unseen_at(run: &Simulation<'_>, unseen: Unseen, time: f64) -> Option<RunError> {
    let (Unseen::Overlap { contact, .. } | Unseen::Inside { contact } | Unseen::Behind { contact }) = unseen;
    let unseen = if is_from_behind(run, contact) { Unseen::Behind { contact } } else { unseen };
    let stiffen =
        "raise the stiffness of the law so that surfaces stay near each other's borders, or lower h_max";
    let (contact, what, help) = match unseen {
        Unseen::Overlap { contact, depth } => {
            (contact, format!("touch over {depth:.3e} m and cut each other nowhere"), stiffen)
        }
        Unseen::Inside { contact } => {
            (contact, "are inside each other: nothing pushes them apart".to_owned(), stiffen)
        }
        Unseen::Behind { contact } => (
            contact,
            "meet from behind: an open one has its solid behind its triangles".to_owned(),
            "turn the triangles of the open surface, or close it",
        ),
    };
    if !matches!(unseen, Unseen::Behind { .. }) {
        region_pair(run, contact)?;
    }
    let at = run.evaluator.motion_of(contact).position;
    let message = format!(
        "the surfaces of pair \"{}\" {what}, at t = {time:.9} s, near [{:.6}, {:.6}, {:.6}] m",
        pair_name(run, contact),
        at.x,
        at.y,
        at.z
    );
    Some(RunError { time, ..error(run, contact, "E0616", message, help) })
}

/// E0615: the regions of the culprit cannot be found.
pub(super) fn of_search(run: &Simulation<'_>) -> Option<RunError> {
    let Some(Culprit::Contact(contact)) = run.evaluator.culprit else { return None };
    let fault = regions::fault_of(&run.evaluator, contact)?;
    let message = format!(
        "the regions of pair \"{}\" cannot be found after t = {:.9} s: {fault}",
        pair_name(run, contact),
        run.stepper.time()
    );
    let help = "make the surface larger than what it meets or close it, repair what cuts itself (`carom mesh info FILE` lists where), or use method = \"pcm\" with a pcm block in the law";
    Some(error(run, contact, "E0615", message, help))
}

//! Why a run with contact of triangle surfaces cannot go on: by regions, or by any method.

use carom_geometry::clearance::{ClearanceWorkspace, near_triangles};

use super::{Simulation, advance};
use crate::contact::meshes::{between, swallowed};
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

/// E0614: one surface is so deep in the other that it nears the far side of a wall; or E0616, it came where nothing sees it, and
/// elements of its far side look through it.
pub(super) fn of_depth(run: &Simulation<'_>, contact: usize, depth: f64) -> Option<RunError> {
    if let Some(blind) = blindness(run, contact) {
        return Some(of_blind(run, contact, blind, run.stepper.time()));
    }
    let limit = region_pair(run, contact)?.depth_limit;
    let message = format!(
        "pair \"{}\" penetrates {depth:.3e} m after t = {:.9} s, and its thinnest wall lets it no deeper than {limit:.3e} m: a region that comes out on the far side pushes nothing back",
        pair_name(run, contact),
        run.stepper.time()
    );
    Some(error(run, contact, "E0614", message, "raise the stiffness of the law, or make the wall thicker"))
}

/// What surfaces do that nothing sees, and what helps.
type Blind = (String, &'static str);

fn from_behind() -> Blind {
    (
        "meet from behind: an open one has its solid behind its triangles".to_owned(),
        "turn the triangles of the open surface, or close it",
    )
}

/// One surface is in the other: in what reaches without end around a part of it that is turned inwards, if there is one.
fn in_the_open(run: &Simulation<'_>, contact: usize) -> Option<Blind> {
    let table = &run.evaluator.table;
    let pair = table.contacts[contact].pair;
    let trees = match &table.pairs[pair].source {
        PairSource::Areal(areal) => &areal.meshes.trees,
        PairSource::Regions(regions) => &regions.meshes.trees,
        _ => return None,
    };
    let info = &table.pair_info[pair];
    trees.iter().zip([&info.a, &info.b]).find_map(|(tree, name)| {
        let triangle = tree.room()?;
        let what = format!(
            "are inside each other: the closed part of \"{name}\" from triangle {triangle} on is turned inwards, which makes a room of it and fills all around it"
        );
        Some((what, "turn it in its mesh, as `carom mesh repair` does, or start inside of it if it is a room"))
    })
}

/// Why elements of an areal contact see nothing of what its surfaces do, however fine they are, if that is so.
fn blindness(run: &Simulation<'_>, contact: usize) -> Option<Blind> {
    let evaluator = &run.evaluator;
    let pair = evaluator.table.contacts[contact].pair;
    let PairSource::Areal(areal) = &evaluator.table.pairs[pair].source else { return None };
    let (trees, surfaces) = (&areal.meshes.trees, areal.meshes.surfaces);
    let last = evaluator.contacts.memory[contact].triangles;
    let placed = surfaces.map(|surface| &evaluator.surfaces[surface]);
    let mut meeting = Vec::new();
    let (x_ab, mut workspace) = (between(placed[0], placed[1]), ClearanceWorkspace::new());
    near_triangles(&trees[0], &trees[1], &x_ab, 0.0, usize::MAX, &mut workspace, &mut meeting);
    meeting.push(last);
    let info = &evaluator.table.pair_info[pair];
    for (tree, side, name) in [(&trees[0], 0, &info.a), (&trees[1], 1, &info.b)] {
        let first =
            |is_wrong: &dyn Fn(u32) -> bool| meeting.iter().map(|pair| pair[side]).find(|t| is_wrong(*t));
        let faults = [
            (first(&|t| tree.is_turned(t)), "is turned against its neighbours (W0403)"),
            (
                first(&|t| tree.is_turned_inwards(t)),
                "belongs to a closed part that is turned inwards, in no other (N0403),",
            ),
        ];
        if let Some((triangle, fault)) = faults.into_iter().find_map(|(found, fault)| Some((found?, fault))) {
            let what = format!(
                "meet at triangle {triangle} of \"{name}\", which {fault} and sees, and is seen, from the wrong side alone"
            );
            return Some((what, "turn it in its mesh, as `carom mesh repair` does"));
        }
    }
    // Where a triangle of an open surface moves towards its solid.
    let point = evaluator.motion_of(contact);
    let of_b_against_a = point.sliding - point.normal * point.approach;
    let is_behind = [of_b_against_a, -of_b_against_a].into_iter().enumerate().any(|(side, velocity)| {
        let [a, b, c] = trees[side].triangle(last[side]);
        let outward = placed[side].rotation * (b - a).cross(&(c - a)).normalize();
        !trees[side].is_closed() && outward.dot(&velocity) > 0.5 * velocity.norm()
    });
    is_behind.then(from_behind)
}

/// E0616: surfaces that overlap have no region, or are where no element sees them, however fine it is.
pub(super) fn of_unseen(run: &Simulation<'_>, unseen: Unseen) -> Option<RunError> {
    let (Unseen::Overlap { contact, .. } | Unseen::Inside { contact } | Unseen::Behind { contact }) = unseen;
    let stiffen =
        "raise the stiffness of the law so that surfaces stay near each other's borders, or lower h_max";
    let is_inside = matches!(unseen, Unseen::Inside { .. });
    let in_the_open = is_inside.then(|| in_the_open(run, contact)).flatten();
    let blind = match (in_the_open.or_else(|| blindness(run, contact)), unseen) {
        (Some(blind), _) => blind,
        (None, Unseen::Behind { .. }) => from_behind(),
        (None, _) if region_pair(run, contact).is_none() => return None,
        (None, Unseen::Overlap { depth, .. }) => {
            (format!("touch over {depth:.3e} m and cut each other nowhere"), stiffen)
        }
        (None, Unseen::Inside { .. }) => {
            ("are inside each other: nothing pushes them apart".to_owned(), stiffen)
        }
    };
    Some(of_blind(run, contact, blind, run.stepper.time() + run.stepper.step()))
}

fn of_blind(run: &Simulation<'_>, contact: usize, (what, help): Blind, time: f64) -> RunError {
    let at = run.evaluator.motion_of(contact).position;
    let message = format!(
        "the surfaces of pair \"{}\" {what}, at t = {time:.9} s, near [{:.6}, {:.6}, {:.6}] m",
        pair_name(run, contact),
        at.x,
        at.y,
        at.z
    );
    RunError { time, ..error(run, contact, "E0616", message, help) }
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

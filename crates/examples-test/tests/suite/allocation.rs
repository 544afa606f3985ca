//! No example allocates in the second half of its run: neither evaluation, new lists of areal pairs included, nor events.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::{PairInfo, RunInfo};
use carom_engine::{EndReason, Outcome, Simulation, System};
use carom_examples_test::{Memory, load};

/// Buffers that an integrator is made of, at most.
const BUFFERS_OF_AN_INTEGRATOR: u64 = 80;

/// Tables that grow when pairs come up.
const BUFFERS_OF_PAIRS: u64 = 16;
/// Names of a pair that comes up, and of its contact.
const BUFFERS_OF_A_PAIR: u64 = 4;
/// Rows of patches and elements, and what finds patches: made where a patch of a contact is recorded for the first time, or
/// one with more elements than any before.
const BUFFERS_OF_PATCHES: u64 = 16;
/// Where more rigid contacts are closed than ever before: rows and responses of the point in three lists, nine each.
const BUFFERS_OF_A_RIGID_CONTACT: u64 = 30;
/// A place among the points may be taken by a contact whose bodies carry more links than any that was there before: wrenches, links and
/// freedoms of three directions, in three lists.
const BUFFERS_OF_A_PLACE: u64 = 27;
/// Where more of them are one problem than ever before: the tables of what is solved.
const BUFFERS_OF_A_RIGID_PROBLEM: u64 = 70;
/// Begins and ends of contacts of an example at most.
const CHANGES: usize = 1 << 20;
/// Parts of the message, the message, the text with its code, and the growth of their list.
const BUFFERS_OF_A_WARNING: u64 = 5;

/// Of the outcome of a run: bodies, totals of pairs and lines, a name for each line, and warnings.
fn allocations_of(outcome: &Outcome) -> u64 {
    3 + outcome.lines.len() as u64 + BUFFERS_OF_A_WARNING * outcome.warnings.len() as u64
}

/// Most contacts that were closed at a time, and most whose moving bodies hung together, by them or by joints. Those that come up with
/// their pairs have no names here, and hang together.
fn most_closed(info: &RunInfo, changes: &[(usize, bool)]) -> [u64; 2] {
    let is_of = |surface: &str, body: &str| {
        surface.strip_prefix(body).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let moving = |surface: &str| {
        let bodies = info.bodies.iter().zip(&info.fixed).enumerate();
        bodies
            .filter(|(_, (body, fixed))| !**fixed && is_of(surface, body))
            .map(|(index, _)| index)
            .next_back()
    };
    let sides = |contact: usize| {
        let pair = info.contacts.get(contact).map(|contact| &info.pairs[contact.pair]);
        let of_pair = |pair: &PairInfo| [&pair.a, &pair.b].into_iter().filter_map(|s| moving(s)).collect();
        pair.map_or_else(|| BTreeSet::from([usize::MAX]), of_pair)
    };
    let mut known: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut closed = BTreeSet::new();
    let mut most = [0, 0];
    for &(contact, begins) in changes {
        if !begins {
            closed.remove(&contact);
            continue;
        }
        closed.insert(contact);
        known.entry(contact).or_insert_with(|| sides(contact));
        most[0] = most[0].max(closed.len() as u64);
        if !info.joints.is_empty() {
            most[1] = most[0];
        }
        if closed.len() as u64 <= most[1] {
            continue;
        }
        let mut groups: Vec<(BTreeSet<usize>, u64)> = Vec::new();
        for &contact in &closed {
            let mut own = (known[&contact].clone(), 1);
            groups.retain(|(bodies, count)| {
                let is_apart = bodies.is_disjoint(&own.0);
                if !is_apart {
                    own.0.extend(bodies);
                    own.1 += count;
                }
                is_apart
            });
            groups.push(own);
        }
        most[1] = groups.iter().map(|(_, count)| *count).fold(most[1], u64::max);
    }
    most
}

fn second_half_allocates_nothing(name: &str) {
    // Allocations do not depend on the tolerance; a loose one saves time. A run breaks off after some dozens of steps, which
    // at rest could be the last ones.
    let solver = load(name, &[]).model.solver;
    let finely = format!("solver.h_max={} s", solver.t_end / 400.0);
    let has_steps = solver.method == IntegratorKind::Moreau;
    let changes = ["solver.rtol=1e-6", &finely];
    let loaded = load(name, if has_steps { &[] } else { &changes });
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut recorder = Memory {
        stop_after: Some(0.5 * loaded.model.solver.t_end),
        changes: Vec::with_capacity(CHANGES),
        ..Memory::default()
    };
    let mut simulation = Simulation::new(&system);
    assert_eq!(simulation.run(&mut recorder).unwrap().end, EndReason::Interrupted);
    let (switches, growths, patched) = (recorder.switches, recorder.growths, recorder.patched.len());
    let (regroupings, changes, pairs) = (recorder.regroupings, recorder.changes.len(), recorder.pairs);
    let mut outcome = None;
    let counted = allocation_counter::measure(|| outcome = simulation.run(&mut recorder).ok());
    let outcome = outcome.expect("the memory never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    // An integrator that takes over is made anew, pairs that come up make tables longer: both outside of all steps.
    let mut allowed = allocations_of(&outcome) + BUFFERS_OF_AN_INTEGRATOR * (recorder.switches - switches);
    // Each region has a bristle: where their number changes, an integrator has other states.
    allowed += BUFFERS_OF_AN_INTEGRATOR * (recorder.regroupings - regroupings);
    if loaded.model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth) {
        // In the problem of impacts and in that of forces, which grow each for itself.
        let before = most_closed(system.info(), &recorder.changes[..changes]);
        let after = most_closed(system.info(), &recorder.changes);
        allowed += 2 * BUFFERS_OF_A_RIGID_CONTACT * (after[0] - before[0]);
        allowed += 2 * BUFFERS_OF_A_RIGID_PROBLEM * (after[1] - before[1]);
        allowed += BUFFERS_OF_A_PLACE * before[0];
    }
    allowed += BUFFERS_OF_PAIRS * (recorder.growths - growths);
    if !recorder.patched.is_empty() || loaded.model.output.patches.is_some() {
        allowed += BUFFERS_OF_PATCHES * (1 + recorder.patched.len() - patched) as u64;
    }
    if has_steps {
        // The contact problem of a step is made for it, and gone with it.
        let left = u64::try_from(counted.count_current).unwrap_or(0);
        allowed += BUFFERS_OF_A_PAIR * (recorder.pairs - pairs);
        assert!(left <= allowed, "{counted:?}, {allowed} may be left");
        return;
    }
    assert!(counted.count_total <= allowed, "{counted:?}, {allowed} allowed");
}

super::for_every_example!(second_half_allocates_nothing);

//! No example allocates in the second half of its run: neither evaluation, new lists of areal pairs included, nor events.

use carom_engine::model::{IntegratorKind, Method};
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
/// Where more rigid contacts are closed than ever before: rows and responses of the point in three lists, nine each, and the tables
/// of what is solved with them, some 70; in the problem of impacts and in that of forces, which grow each for itself.
const BUFFERS_OF_A_RIGID_CONTACT: u64 = 100;
/// Parts of the message, the message, the text with its code, and the growth of their list.
const BUFFERS_OF_A_WARNING: u64 = 5;

/// Of the outcome of a run: bodies, totals of pairs and lines, a name for each line, and warnings.
fn allocations_of(outcome: &Outcome) -> u64 {
    3 + outcome.lines.len() as u64 + BUFFERS_OF_A_WARNING * outcome.warnings.len() as u64
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
    let mut recorder = Memory { stop_after: Some(0.5 * loaded.model.solver.t_end), ..Memory::default() };
    let mut simulation = Simulation::new(&system);
    assert_eq!(simulation.run(&mut recorder).unwrap().end, EndReason::Interrupted);
    let (switches, growths, patched) = (recorder.switches, recorder.growths, recorder.patched.len());
    let (regroupings, most_closed, pairs) = (recorder.regroupings, recorder.most_closed, recorder.pairs);
    let mut outcome = None;
    let counted = allocation_counter::measure(|| outcome = simulation.run(&mut recorder).ok());
    let outcome = outcome.expect("the memory never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    // An integrator that takes over is made anew, pairs that come up make tables longer: both outside of all steps.
    let mut allowed = allocations_of(&outcome) + BUFFERS_OF_AN_INTEGRATOR * (recorder.switches - switches);
    // Each region has a bristle: where their number changes, an integrator has other states.
    allowed += BUFFERS_OF_AN_INTEGRATOR * (recorder.regroupings - regroupings);
    if loaded.model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth) {
        allowed += 2 * BUFFERS_OF_A_RIGID_CONTACT * (recorder.most_closed - most_closed);
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

//! No example allocates in the second half of its run: neither evaluation nor events.

use carom_engine::{EndReason, Simulation, System};
use carom_examples_test::{Memory, load};

/// The outcome of a run consists of two vectors: bodies and totals of pairs.
const OUTCOME: u64 = 2;

fn second_half_allocates_nothing(name: &str) {
    // Allocations do not depend on the tolerance; a loose one saves time.
    let loaded = load(name, &["solver.rtol=1e-6"]);
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut recorder = Memory { stop_after: Some(0.5 * loaded.model.solver.t_end), ..Memory::default() };
    let mut simulation = Simulation::new(&system);
    assert_eq!(simulation.run(&mut recorder).unwrap().end, EndReason::Interrupted);
    let counted = allocation_counter::measure(|| {
        assert_eq!(simulation.run(&mut recorder).unwrap().end, EndReason::Finished);
    });
    assert!(counted.count_total <= OUTCOME, "{counted:?}");
}

super::for_every_example!(second_half_allocates_nothing);

//! The right-hand side allocates nothing after warm-up. A binary of its own, since it replaces the allocator.
#![allow(missing_docs)]

#[path = "suite/scene.rs"]
#[allow(dead_code)]
mod scene;

use std::ops::ControlFlow;

use carom_engine::law::NormalKind;
use carom_engine::record::{Event, Frame, Progress, RecordError, Recorder, StepRow};
use carom_engine::{EndReason, Simulation, System};
use carom_math::Vec3;

/// Breaks off once at half time; keeps nothing.
struct Halfway {
    half: f64,
    events: u64,
}

impl Recorder for Halfway {
    fn frame(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    fn probe(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    fn event(&mut self, _event: &Event) -> Result<(), RecordError> {
        self.events += 1;
        Ok(())
    }
    fn step(&mut self, _step: &StepRow) -> Result<(), RecordError> {
        Ok(())
    }
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if progress.time > self.half {
            self.half = f64::INFINITY;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    fn checkpoint(&mut self, _bytes: &[u8]) -> Result<(), RecordError> {
        Ok(())
    }
}

#[test]
fn second_half_of_a_run_allocates_nothing() {
    let mut law = scene::law(NormalKind::HuntCrossley, 0.8);
    law.mu = Some(0.3);
    let balls = (0..6).map(|i| {
        let f = f64::from(i);
        scene::ball(&format!("b{i}"), 0.2, 0.05, Vec3::new(0.02 * f, 0.01 * f, 0.2 + 0.15 * f))
    });
    let bodies = std::iter::once(scene::floor()).chain(balls).collect();
    let system = System::compile(&scene::model(bodies, law, 9.81, 2.0, 1e-6)).expect("a sound model");
    let mut recorder = Halfway { half: 1.0, events: 0 };
    let mut simulation = Simulation::new(&system);
    let first = simulation.run(&mut recorder).expect("the recorder never fails");
    assert_eq!(first.end, EndReason::Interrupted);
    let events = recorder.events;
    let counted = allocation_counter::measure(|| {
        let second = simulation.run(&mut recorder).expect("the recorder never fails");
        assert_eq!(second.end, EndReason::Finished);
    });
    assert!(recorder.events > events + 5, "events must happen in the second half");
    // The outcome itself is made of two vectors.
    assert!(counted.count_total <= 2, "{counted:?}");
}

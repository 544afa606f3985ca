//! What a run tells of itself as it goes on.

use std::ops::ControlFlow;

use carom_engine::record::{Progress, Recorder};
use carom_engine::{Simulation, System};
use carom_math::Vec3;

use crate::rigid::{law_of, make};
use crate::scene::{ball, floor};

#[derive(Default)]
struct Watcher(Vec<Progress>);

impl Recorder for Watcher {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0.push(*progress);
        ControlFlow::Continue(())
    }
}

/// The steps that are told, each as often as steps were made, add up to the time, and none is nothing: not where an event has just ended one
/// either, after which no step has been tried.
#[test]
fn steps_that_are_told_add_up_to_the_time() {
    let balls = (0..8).map(|k| {
        ball(&format!("ball {k}"), 1.0, 0.1, Vec3::new(f64::from(k), 0.0, 0.2 + 0.03 * f64::from(k)))
    });
    let model = make(std::iter::once(floor()).chain(balls).collect(), law_of(0.9, 0.0), 5.0);
    let system = System::compile(&model).expect("a sound model");
    let mut watcher = Watcher::default();
    Simulation::new(&system).run(&mut watcher).expect("the recorder never fails");
    assert!(watcher.0.len() > 3, "{} looks", watcher.0.len());
    let (mut sum, mut steps) = (0.0, 0);
    for look in &watcher.0 {
        assert!(look.step > 0.0 && look.statistics.events > 0);
        sum += look.step * (look.statistics.steps - steps) as f64;
        steps = look.statistics.steps;
        // A few roundings a look.
        assert!((sum - look.time).abs() < 1e-14, "{sum} for {}", look.time);
    }
}

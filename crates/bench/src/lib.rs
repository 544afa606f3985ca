//! What the benchmarks share: loading a shipped example, a chain of joints, convex pairs near contact, and a recorder
//! that keeps nothing.

mod balls;
mod bubbles;
mod chain;
mod convex;
mod random;
mod search_log;

use std::path::Path;
use std::time::Instant;

use carom::{Overrides, Study};
use carom_engine::record::Recorder;
use carom_engine::{Outcome, Simulation, System};

pub use balls::random_balls;
pub use bubbles::{BUBBLE_AND_CONTAINER, bubbles, closed_container};
pub use chain::chain;
pub use convex::{ConvexScene, convex_scenes, convex_shape, hull_points};
pub use search_log::SearchLog;

/// Keeps nothing, so that a run's time is the engine's.
pub struct Nothing;

impl Recorder for Nothing {}

/// A shipped example, compiled, with overrides of the form `path=value`.
///
/// # Panics
/// If the example does not load: a benchmark has nothing to measure then.
pub fn example(name: &str, overrides: &[&str]) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.toml"));
    let set = overrides.iter().map(|&s| s.to_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    Study::open_with(&path, &overrides).expect("a shipped example loads and compiles")
}

/// Runs a system to its end.
///
/// # Panics
/// Never: the recorder does not fail.
pub fn run(system: &System) -> Outcome {
    Simulation::new(system).run(&mut Nothing).expect("keeping nothing cannot fail")
}

/// Processor time of the thread where the system tells it, else the wall's (s).
pub fn processor_time() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told: Option<f64> = text.split_whitespace().next().and_then(|n| n.parse().ok());
    told.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |ns| 1e-9 * ns)
}

//! Every shipped example with every integrator: steps, evaluations, residual of the ledger, wall time.
//! `cargo run --release -p carom-bench --example integrators [RTOL [EXAMPLE …]]`
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{Nothing, example};
use carom_engine::model::IntegratorKind;
use carom_engine::{EndReason, Simulation};

const EXAMPLES: [&str; 13] = [
    "torus-sphere",
    "bouncing-ball",
    "rolling-ball",
    "billiard",
    "stairs",
    "bearing-planar",
    "bearing-axial",
    "pendulum",
    "heavy-top",
    "four-bar",
    "slider-crank",
    "governor",
    "robot-arm",
];

fn main() {
    let mut words = std::env::args().skip(1);
    let rtol = words.next().unwrap_or_else(|| "1e-6".to_owned());
    let wanted: Vec<String> = words.collect();
    println!("example integrator steps rejected evaluations jacobians events residual wall_s end");
    for name in EXAMPLES.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        for kind in IntegratorKind::SMOOTH.into_iter().filter(|&kind| kind != IntegratorKind::Auto) {
            let method = format!("solver.method=\"{}\"", kind.name());
            let study = example(name, &[&method, &format!("solver.rtol={rtol}")]);
            let outcome = match Simulation::new(study.system()).run(&mut Nothing) {
                Ok(outcome) => outcome,
                Err(error) => {
                    println!("{name} {} {error}", kind.name());
                    continue;
                }
            };
            let end = match &outcome.end {
                EndReason::Failed(error) => error.message.as_str(),
                _ => "",
            };
            let s = &outcome.statistics;
            println!(
                "{name} {} {} {} {} {} {} {:.1e} {:.3} {end}",
                kind.name(),
                s.steps,
                s.rejected,
                s.rhs,
                s.jacobians,
                s.events,
                outcome.residual_relative,
                s.wall_s
            );
        }
    }
}

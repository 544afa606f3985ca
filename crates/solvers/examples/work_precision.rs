//! Evaluations against errors of all integrators on problems with known solutions, one line a run:
//! `cargo run --release -p carom-solvers --example work_precision [PROBLEM …]`. `crates/bench/peers/integrators.py`
//! prints the same of other programs' integrators and compares.

#![allow(clippy::print_stdout)] // this is what it is for

#[path = "../tests/suite/drive.rs"]
mod drive;
#[path = "../tests/suite/problems.rs"]
mod problems;

use carom_solvers::{Bdf, DormandPrince45, DormandPrince853, Ode113, Radau5, Stepper};
use drive::{componentwise, solve};
use problems::Problem;

fn stepper(name: &str) -> Box<dyn Stepper> {
    match name {
        "ode45" => Box::new(DormandPrince45::new()),
        "dop853" => Box::new(DormandPrince853::new()),
        "ode113" => Box::new(Ode113::new()),
        "radau5" => Box::new(Radau5::new()),
        _ => Box::new(Bdf::new()),
    }
}

/// Problem, scale of its absolute tolerances, first step, integrators.
type Case = (fn() -> Problem, f64, f64, &'static [&'static str]);

const CASES: [Case; 5] = [
    (problems::arenstorf, 1.0, 1e-4, &["ode45", "dop853", "ode113"]),
    (problems::pleiades, 1.0, 1e-4, &["ode45", "dop853", "ode113"]),
    (problems::van_der_pol, 1.0, 1e-6, &["radau5", "bdf"]),
    (problems::robertson, 1e-6, 1e-6, &["radau5", "bdf"]),
    (problems::hires, 1e-4, 1e-4, &["radau5", "bdf"]),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("problem integrator rtol error evaluations steps rejected jacobians factorizations");
    for (problem, scale, first, integrators) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == problem().name) {
            continue;
        }
        for name in integrators {
            for exponent in 2..=13 {
                let rtol = 10.0_f64.powi(-exponent);
                let (mut ode, mut stepper) = (problem(), stepper(name));
                let (start, t_end) = (ode.start.clone(), ode.t_end);
                let tolerances = componentwise(start.len(), rtol, rtol * scale);
                let run = solve(&mut *stepper, &mut ode, &start, t_end, &tolerances, first);
                let stiff = ode.jacobian.is_some();
                let error =
                    if stiff { ode.relative_error(&run.y) } else { ode.error(&run.y[..ode.end.len()]) };
                let work = stepper.work();
                println!(
                    "{} {name} {rtol:e} {error:.3e} {} {} {} {} {}",
                    ode.name, ode.evaluations, run.steps, run.rejected, work.jacobians, work.factorizations
                );
            }
        }
    }
}

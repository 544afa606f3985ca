//! Spheres that fall into a box, by `moreau`: `pile N STEPS [STEP [FILE [TOLERANCE]]]`. Prints one JSON line with the processor time of a step, and
//! writes where the spheres are in the end, and how they move, a line each; `crates/bench/peers/spheres.py` holds that beside others.
#![allow(missing_docs, clippy::print_stdout)]

use std::fmt::Write;

use carom::{Overrides, Study};
use carom_bench::{Nothing, processor_time};
use carom_engine::Simulation;
use carom_engine::model::SolverSettings;
use carom_testkit::SplitMix64;

const RADIUS: f64 = 0.05;
const SPACING: f64 = 0.102;
const MASS: f64 = 1.0;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: f64| arguments.next().map_or(usual, |text| text.parse().expect("a number"));
    let (count, steps, step) = (number(1000.0) as usize, number(130.0) as usize, number(1e-3));
    let file = arguments.next();
    let tolerance = arguments
        .next()
        .map_or(SolverSettings::DEFAULT.contact_tolerance, |text| text.parse().expect("a number"));
    let text = scene(count, steps as f64 * step, step, tolerance);
    let study = Study::parse("pile", &text, ".".as_ref(), &Overrides::default()).expect("a sound model");
    let mut simulation = Simulation::new(study.system());
    let mut times = Vec::new();
    let end = steps as f64 * step;
    while simulation.time() < end - 0.5 * step {
        let start = processor_time();
        simulation.step_toward(end, &mut Nothing).expect("it runs");
        times.push(processor_time() - start);
    }
    let outcome = simulation.finish(&mut Nothing).expect("it ends");
    let mut states = String::new();
    for body in &outcome.bodies[1..] {
        let numbers = body.position.iter().chain(&body.velocity).chain(&body.angular_velocity);
        for x in numbers {
            let _ = write!(states, "{x:e} ");
        }
        states.push('\n');
    }
    if let Some(file) = file {
        std::fs::write(file, states).expect("a file that can be written");
    }
    let per_step = |times: &[f64]| 1e3 * times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "{{\"program\": \"Carom, moreau\", \"N\": {count}, \"h\": {step}, \"steps\": {}, \"ms\": {:.3}, \"ms_last_third\": {:.3}, \"residual\": {:.1e}, \"iterations\": {}}}",
        times.len(),
        per_step(&times),
        per_step(&times[2 * times.len() / 3..]),
        outcome.residual_relative,
        outcome.statistics.newton_iterations,
    );
}

/// The model.
fn scene(count: usize, t_end: f64, step: f64, tolerance: f64) -> String {
    let across = (count as f64).cbrt().ceil() as usize;
    let half = across as f64 * SPACING / 2.0 + 0.005;
    let mut random = SplitMix64::new(42);
    let mut text = String::from(
        "format = 1\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.rigid]\nmu = 0.3\nnonsmooth = { e_n = 0.0 }\n\
         [body.box]\nfixed = true\nshape.floor = { type = \"half-space\", normal = \"+z\" }\n",
    );
    for (name, normal, at) in [
        ("px", "-x", [half, 0.0]),
        ("nx", "+x", [-half, 0.0]),
        ("py", "-y", [0.0, half]),
        ("ny", "+y", [0.0, -half]),
    ] {
        let _ = writeln!(
            text,
            "shape.{name} = {{ type = \"half-space\", normal = \"{normal}\", at = [{}, {}, 0] }}",
            at[0], at[1]
        );
    }
    for i in 0..count {
        let place = |k: usize| (k as f64 - (across as f64 - 1.0) / 2.0) * SPACING;
        let [jitter_x, jitter_y] = [(); 2].map(|()| (random.uniform(0.0, 1.0) - 0.5) * 0.0016);
        let x = place(i % across) + jitter_x;
        let y = place(i / across % across) + jitter_y;
        let z = 0.051 + (i / across / across) as f64 * SPACING;
        let _ = writeln!(
            text,
            "[body.b{i}]\nmass = {MASS}\ninertia = {}\npos = [{x}, {y}, {z}]\nshape = {{ type = \"sphere\", radius = {RADIUS} }}",
            0.4 * MASS * RADIUS * RADIUS
        );
    }
    let _ = write!(
        text,
        "[contact]\nbox = {{ a = \"box.*\", b = \"b*\", method = \"nonsmooth\", law = \"rigid\" }}\n\
         balls = {{ a = \"b*\", b = \"b*\", method = \"nonsmooth\", law = \"rigid\" }}\n\
         [solver]\nmethod = \"moreau\"\nstep = {step}\nt_end = {t_end}\ncontact_tolerance = {tolerance}\n[output]\nevery = {t_end}\n"
    );
    text
}

//! A ball is juggled: it falls on a floor, and after each hit a push from below, chosen by what the floor has felt, brings it
//! back to its first height. Run it with `cargo run --release -p carom --example step_by_step`.
#![allow(clippy::print_stdout)] // an example speaks to its reader

use carom::{Error, Overrides, Study};

fn main() -> Result<(), Error> {
    let model = include_str!("juggled.toml");
    let study = Study::parse("juggled.toml", model, ".".as_ref(), &Overrides::default())?;
    let mut simulation = study.simulate();
    let mut hardest: f64 = 0.0;
    while simulation.time() < simulation.end() {
        simulation.step()?;
        let now = simulation.now()?;
        let [floor, _] = now.contact("floor")?;
        let ball = now.body("ball")?;
        hardest = hardest.max(floor.norm());
        // What it lacks of the energy for its first height, pushed in on the way up, up to half a metre.
        let lacks = 9.81 * (1.05 - ball.position.z) - 0.5 * ball.velocity.z.powi(2);
        let is_rising = ball.velocity.z > 0.0 && (0.05..0.5).contains(&ball.position.z);
        let push = if is_rising { (lacks / (0.55 - ball.position.z)).max(0.0) } else { 0.0 };
        simulation.set_force("push", Some([0.0, 0.0, push]))?;
    }
    let run = simulation.finish()?;
    let height = run.data.series("ball.z")?.values.into_iter().skip(100).fold(0.0, f64::max);
    println!(
        "hardest hit {hardest:.0} N, back up to {height:.2} m, energy residual {:.1e}",
        run.outcome.residual_relative
    );
    Ok(())
}

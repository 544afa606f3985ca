//! Writes reports and plots of two made-up runs into the folder given, for a look at them.

#![allow(clippy::print_stderr)] // the terminal chart is what is looked at

use std::path::PathBuf;

use carom_results::fixture::{self, FakeRun};

fn main() -> Result<(), carom_results::Error> {
    let root = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    for (name, run) in [("single", FakeRun::single_ball()), ("billiard", FakeRun::billiard())] {
        let dir = root.join(name);
        fixture::finished(&dir, &run);
        carom_report::write_report(&dir)?;
        let name = if name == "single" { "ball" } else { "rack[3].ball" };
        let chart = carom_report::plot(
            &[&dir],
            &[format!("{name}.z"), format!("{name}.x"), "drop.fn".to_owned()],
            false,
        )?;
        let size = carom_report::terminal::Terminal { width: 90, height: 16, colour: false };
        eprint!("{}", carom_report::terminal::draw(&chart, size));
        let path = dir.join("plot.svg");
        std::fs::write(&path, carom_report::svg::standalone(&chart))
            .map_err(|source| carom_results::Error::Write { path, source })?;
    }
    Ok(())
}

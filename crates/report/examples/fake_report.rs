//! Writes the reports of two made-up runs into the folder given, for a look at the page.

use std::path::PathBuf;

use carom_results::fixture::{self, FakeRun};

fn main() -> Result<(), carom_results::Error> {
    let root = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    for (name, run) in [("single", FakeRun::single_ball()), ("billiard", FakeRun::billiard())] {
        let dir = root.join(name);
        fixture::finished(&dir, &run);
        carom_report::write_report(&dir)?;
    }
    Ok(())
}

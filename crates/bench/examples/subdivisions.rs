//! Areal contact against the subdivision of a container (Hippmann 2023, Table 2 and Fig. 9): the example `bubbles`, its
//! container's triangles cut into four up to six times, by penetration lines and by the classic construction.
//! `cargo run --release -p carom-bench --example subdivisions [ROUNDS [PICTURE.svg]]`
//!
//! Times are wall time over right-hand sides of whole runs, least and median of the rounds. Tests are those of the
//! second bubble and the container, over its searches.
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{BUBBLE_AND_CONTAINER, SearchLog, bubbles};
use carom_engine::model::ArealDetection;
use carom_engine::record::SearchSample;
use carom_engine::{EndReason, Simulation, System};
use carom_report::chart::{Axis, Chart, Line, Panel};
use carom_report::svg;

const SUBDIVISIONS: u32 = 6;
const WAYS: [(ArealDetection, &str); 2] = [
    (ArealDetection::Penetration, "penetration lines"),
    (ArealDetection::Intersection, "classic construction"),
];

/// A way at a subdivision.
struct Case {
    way: usize,
    subdivisions: u32,
    system: System,
    times: Vec<f64>,
    log: SearchLog,
}

impl Case {
    fn new(way: usize, subdivisions: u32) -> Self {
        let system = bubbles(subdivisions, WAYS[way].0, &["expect={}"]);
        let log = SearchLog::new(&system, BUBBLE_AND_CONTAINER);
        Self { way, subdivisions, system, times: Vec::new(), log }
    }

    /// Runs once more; µs a right-hand side.
    fn run(&mut self) {
        self.log.rows.clear();
        let outcome = Simulation::new(&self.system).run(&mut self.log).expect("keeping rows cannot fail");
        assert!(matches!(outcome.end, EndReason::Finished), "{:?}", outcome.end);
        self.times.push(1e6 * outcome.statistics.wall_s / outcome.statistics.rhs as f64);
        self.times.sort_by(f64::total_cmp);
    }

    fn triangles(&self) -> u64 {
        4 << (2 * self.subdivisions)
    }

    fn row(&self) -> String {
        let last = self.log.rows.last().map_or(SearchSample::default(), |row| row.1);
        let mean = |tests: u64| format!("{:.1}", tests as f64 / last.searches as f64);
        format!(
            "| {} | {} | {:.1} | {:.1} | {} | {} | {} |",
            self.triangles(),
            WAYS[self.way].1,
            self.times[0],
            self.times[self.times.len() / 2],
            mean(last.box_tests),
            mean(last.edge_tests),
            mean(last.ray_tests),
        )
    }
}

/// Tests of triangles over time, a panel for each way; times without any test are left out.
fn picture(cases: &[Case]) -> Chart {
    let panels = WAYS.iter().enumerate().map(|(way, (_, name))| Panel {
        title: format!("{name}: tests of lines and edges against triangles, a search"),
        x: Axis::new("time", "s"),
        y: Axis::new(format!("tests a search, {name}"), ""),
        lines: cases.iter().filter(|case| case.way == way).map(line).collect(),
        x_range: cases.first().map(|case| [0.0, case.log.rows.last().map_or(1.0, |row| row.0)]),
        decades: true,
        ..Panel::default()
    });
    Chart { panels: panels.collect() }
}

fn line(case: &Case) -> Line {
    let (x, tests) = case.log.means(|sample| sample.edge_tests + sample.ray_tests);
    Line {
        name: format!("{} triangles", case.triangles()),
        x,
        y: tests.into_iter().map(f64::log10).collect(),
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let rounds = words.next().map_or(7, |word| word.parse().expect("a number of rounds"));
    let levels = (0..=SUBDIVISIONS).flat_map(|level| (0..WAYS.len()).map(move |way| Case::new(way, level)));
    let mut cases: Vec<Case> = levels.collect();
    for _ in 0..rounds {
        cases.iter_mut().for_each(Case::run);
    }
    println!("| triangles | elements by | least (µs) | median (µs) | box tests | edge tests | ray tests |");
    println!("|---|---|---|---|---|---|---|");
    cases.iter().for_each(|case| println!("{}", case.row()));
    if let Some(file) = words.next() {
        std::fs::write(&file, svg::standalone(&picture(&cases))).expect("the picture can be written");
        println!("\n{file}");
    }
}

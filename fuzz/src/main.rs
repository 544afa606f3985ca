//! Fuzzing on the stable compiler: seeds of the repository, changed at random by a seed that a message names, are read as a
//! user's files would be. A panic, and a round above its time, end with the input in a file.
//!
//!     cargo run -p carom-fuzz -- all --seconds 60
//!     cargo run -p carom-fuzz -- model --rounds 100000 --seed 7
//!     cargo run -p carom-fuzz -- run --rounds 5000 --program target/release/carom
#![allow(clippy::print_stdout, clippy::print_stderr)] // a terminal is all this program has

mod mutate;
mod process;
mod seeds;
mod target;

use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use carom_testkit::SplitMix64;

use target::Target;

const USAGE: &str = "usage: cargo run -p carom-fuzz -- TARGET|all [--rounds N] [--seconds S] [--seed K] [--program CAROM]

  model     model texts: read, checked, compiled
  run       model texts: the same, and those that compile are run for a while
  quantity  expressions of quantities
  urdf      robot files
  sdf       robot files of Gazebo and Drake
  mjcf      robot files of MuJoCo
  mesh      STL, OBJ and PLY
  folder    run folders, with and without checksums that fit

With --program each input is given to that command as a process of its own: its exit code, its time and its memory are
held to what the documentation promises.";

/// Longest time of one round; what takes longer is a finding.
const LONGEST: Duration = Duration::from_secs(20);

struct Options {
    targets: Vec<Target>,
    rounds: u64,
    time: Duration,
    seed: u64,
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(options) = read_options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let share = options.time / options.targets.len() as u32;
    let mut bad = 0;
    for target in &options.targets {
        bad += fuzz(*target, &options, share);
    }
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_options() -> Option<Options> {
    let mut words = std::env::args().skip(1);
    let name = words.next()?;
    let targets = match name.as_str() {
        "all" => Target::ALL.to_vec(),
        name => vec![Target::ALL.into_iter().find(|t| t.name() == name)?],
    };
    let mut options = Options { targets, rounds: u64::MAX, time: Duration::MAX, seed: 1, program: None };
    while let Some(word) = words.next() {
        let value = words.next()?;
        let number = value.parse::<u64>().ok();
        match word.as_str() {
            "--rounds" => options.rounds = number?,
            "--seconds" => options.time = Duration::from_secs(number?),
            "--seed" => options.seed = number?,
            "--program" => options.program = Some(PathBuf::from(value).canonicalize().ok()?),
            _ => return None,
        }
    }
    (options.rounds < u64::MAX || options.time < Duration::MAX).then_some(options)
}

/// Rounds of one target; how many were bad.
fn fuzz(target: Target, options: &Options, time: Duration) -> u64 {
    let scratch = std::env::temp_dir().join(format!("carom-fuzz-{}-{}", std::process::id(), target.name()));
    if let Err(error) = std::fs::create_dir_all(&scratch) {
        eprintln!("cannot make \"{}\": {error}", scratch.display());
        return 1;
    }
    let seeds = target.seeds(&scratch);
    if options.program.is_some() {
        process::furnish(&scratch);
    }
    let clock = Instant::now();
    let (mut rounds, mut bad, mut passed, mut longest) = (0, 0, 0, Duration::ZERO);
    while rounds < options.rounds && clock.elapsed() < time {
        let mut random =
            SplitMix64::new(options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(rounds));
        let (name, input) = mutate::pick(&seeds, &mut random);
        let round = Instant::now();
        let result = match &options.program {
            Some(program) => process::read(target, program, &name, &input, &scratch),
            // What the panic said is on the terminal.
            None => {
                panic::catch_unwind(|| target.read(&name, &input, &scratch)).map_err(|_| "a panic".to_owned())
            }
        };
        let took = round.elapsed();
        longest = longest.max(took);
        passed += u64::from(matches!(result, Ok(true)));
        if result.is_err() || took > LONGEST {
            bad += 1;
            if let Err(why) = result {
                eprintln!("{why}");
            }
            let file = PathBuf::from(format!("fuzz-{}-{}-{rounds}-{name}", target.name(), options.seed));
            let kept =
                std::fs::write(&file, &input).map_or_else(|e| e.to_string(), |()| file.display().to_string());
            eprintln!("{} round {rounds} of seed {}: {took:.1?}, input: {kept}", target.name(), options.seed);
        }
        rounds += 1;
    }
    // What stays behind is in the system's folder for such things.
    let _ = std::fs::remove_dir_all(&scratch);
    println!(
        "{:<9} {rounds} rounds in {:.0} s, {passed} read as they are, {bad} bad, the longest took {longest:.1?}",
        target.name(),
        clock.elapsed().as_secs_f64()
    );
    bad
}

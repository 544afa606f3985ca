//! Kills at random moments: what was flushed can be recovered, and the rest of the run has the same bits.
//!
//! `CAROM_KILLS=100 CAROM_SEED=7 cargo nextest run -p carom-cli --test suite kills` for a campaign.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;

use crate::kit::{Folder, assert_same_tables, long, signal};
use crate::size::balls;

/// Kills without a wish.
const KILLS: u64 = 9;
/// Rows reach the system at least this often, with something for a busy machine (s).
const FLUSHED: f64 = 2.0;

/// A pendulum between two stops, by an implicit multistep method.
const SWING: &str = r#"
format = 1
name   = "swing"

[world]
gravity = [0, "-9.81 m/s^2", 0]

[body.rod]
mass    = "2 kg"
inertia = "0.1 kg*m^2"

[joint.hinge]
type     = "revolute"
a        = { body = "world" }
b        = { body = "rod", at = [0, "0.5 m", 0] }
position = "1 rad"
limit    = { upper = "1.2 rad", lower = "-0.4 rad", stiffness = "1e4 N*m/rad", exponent = 1, restitution = 1 }

[solver]
method = "bdf"
t_end  = "T_END"
rtol   = 1e-7

[output]
every = "0.05 s"
steps = true
"#;

/// A box that slides, tips and rests on a floor, in torrents of events.
const TUMBLE: &str = r#"
format = 1
name   = "tumble"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.wood]
mu    = 0.1
point = { normal = "hunt-crossley", stiffness = "1e7 N/m^1.5", restitution = 0.95, friction = "coulomb" }

[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }

[body.brick]
mass  = "1 kg"
pos   = [0, 0, "0.5 m"]
rot   = { rpy = ["20 deg", "30 deg", 0] }
shape = { type = "box", size = ["0.2 m", "0.1 m", "0.06 m"] }

[contact]
floor = { a = "floor", b = "brick", method = "analytic", law = "wood" }

[solver]
t_end = "T_END"
rtol  = 1e-8

[output]
every = "2 ms"
"#;

/// Random numbers: xorshift.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A run, and the times that its progress has told, with the moments at which it did.
struct Watched {
    child: Child,
    told: mpsc::Receiver<(Instant, f64)>,
}

impl Watched {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (send, told) = mpsc::channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let time = serde_json::from_str::<Value>(&line).ok().and_then(|line| line["time_s"].as_f64());
                if let Some(time) = time {
                    let _ = send.send((Instant::now(), time));
                }
            }
        });
        Self { child, told }
    }

    /// Kills it; gives the time that must have been flushed (s), and whether it was still running.
    fn kill(mut self) -> (f64, bool) {
        let was_running = self.child.try_wait().unwrap().is_none();
        let now = Instant::now();
        if was_running {
            signal(&self.child, "-KILL");
        }
        self.child.wait().unwrap();
        let told: Vec<_> = self.told.into_iter().collect();
        let early = told.iter().filter(|(at, _)| now.duration_since(*at).as_secs_f64() > FLUSHED);
        (early.map(|(_, time)| *time).fold(0.0, f64::max), was_running)
    }
}

fn copy(folder: &Folder, from: &str, to: &str) {
    fs::create_dir(folder.path(to)).unwrap();
    for name in folder.list(from) {
        fs::copy(folder.path(&format!("{from}/{name}")), folder.path(&format!("{to}/{name}"))).unwrap();
    }
}

/// What a kill has left is recovered in a copy, up to `flushed`. True if the kill came after the end.
fn check_recovery(folder: &Folder, out: &str, flushed: f64) -> bool {
    if !folder.path(&format!("{out}/run.json")).is_file() {
        return false;
    }
    copy(folder, out, "copy");
    let said = folder.carom(&["recover", "copy"]).exits(0);
    let run = folder.carom(&["info", "copy", "--json"]).exits(0).json();
    let has_ended = run["end"]["reason"] == "finished";
    assert!(has_ended || run["end"]["reason"] == "killed", "{}", said.err);
    let time = run["end"]["time_s"].as_f64().unwrap();
    // The last row is an output time at or before the time that was told.
    assert!(time >= flushed - 0.3, "recovered to {time} s of {flushed} s");
    fs::remove_dir_all(folder.path("copy")).unwrap();
    has_ended
}

#[test]
#[allow(clippy::print_stdout)] // the count of a campaign
fn kills_at_random_lose_nothing() {
    let kills = env::var("CAROM_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let seed = env::var("CAROM_SEED").map_or(20_261_122, |number| number.parse().unwrap());
    let mut random = Random(seed);
    let folder = Folder::new();
    // Of the crowd pairs come up while it runs.
    let models = [
        ("long", long()),
        ("swing", SWING.replace("T_END", "300 s")),
        ("tumble", TUMBLE.replace("T_END", "4 s")),
        ("crowd", balls(3, "0.5 s")),
    ];
    let mut walls = Vec::new();
    for (name, text) in &models {
        folder.write(&format!("{name}.toml"), text);
        let start = Instant::now();
        folder
            .carom(&["run", &format!("{name}.toml"), "-o", &format!("whole-{name}"), "--no-report"])
            .exits(0);
        walls.push(start.elapsed().as_secs_f64());
    }
    let (mut done, mut resumed, mut fresh, mut number) = (0, 0, 0, 0);
    while done < kills {
        let (model, wall) = (&models[number % models.len()].0, walls[number % models.len()]);
        let (file, out) = (format!("{model}.toml"), format!("out{number}"));
        let args =
            ["run", &file, "-o", &out, "--no-report", "--checkpoint-every", "0.05", "--progress", "jsonl"];
        // Killed again and again while it goes on, at any moment from its start to what would be its end.
        for _ in 0..4 {
            let can_go_on = folder.path(&format!("{out}/checkpoint.bin")).is_file();
            let rest = if can_go_on { &["--resume"][..] } else { &[] };
            let run = Watched::start(&folder, &[&args[..], rest].concat());
            thread::sleep(Duration::from_secs_f64(wall * random.unit().powi(2)));
            let (flushed, was_running) = run.kill();
            if !was_running {
                break;
            }
            done += 1;
            if check_recovery(&folder, &out, flushed) {
                // Between its last file and its end: what is left is to be swept.
                folder.carom(&["recover", &out]).exits(0);
                break;
            }
        }
        let can_go_on = folder.path(&format!("{out}/checkpoint.bin")).is_file();
        let rest = if can_go_on { &["--resume"][..] } else { &[] };
        if can_go_on {
            resumed += 1
        } else {
            fresh += 1
        }
        let is_finished = folder.carom(&["info", &out, "--json"]);
        if is_finished.code != Some(0) || is_finished.json()["end"]["reason"] != "finished" {
            folder.carom(&[&args[..], rest].concat()).exits(0);
        }
        assert_same_tables(&folder.path(&format!("whole-{model}")), &folder.path(&out));
        let leftovers: Vec<_> =
            folder.list(&out).into_iter().filter(|f| f.ends_with(".tmp") || f.ends_with(".arrows")).collect();
        assert!(leftovers.is_empty(), "{leftovers:?}");
        fs::remove_dir_all(folder.path(&out)).unwrap();
        number += 1;
    }
    println!("{done} kills, {resumed} runs resumed, {fresh} without a checkpoint");
    assert!(resumed > 0);
}

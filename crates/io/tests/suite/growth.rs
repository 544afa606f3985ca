//! Checking takes time in proportion to what is checked: ten times the mistakes, links, attributes or letters take ten times as
//! long, not a hundred times.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use carom_engine::System;
use carom_io::import::{self, Options};
use carom_io::{Overrides, Style, load_str, render_report};

const HEAD: &str = "format = 1\n[world]\ngravity = [0, 0, 0]\n[solver]\nt_end = \"1 s\"\n";

/// Ten times the input may take this many times the time. What takes its square would take a hundred times; caches and the
/// logarithms of sorting take some, and so does a busy machine.
const MOST: f64 = 40.0;
/// Times below this are those of the machine (s).
const LEAST: f64 = 0.02;

fn check(text: &str) {
    match load_str("model.toml", text, Path::new(""), &Overrides::default()) {
        Ok(loaded) => drop(System::compile(&loaded.model)),
        Err(report) => assert!(!render_report(&report, Style::Plain).is_empty()),
    }
}

fn robot(text: &str) {
    drop(import::urdf(text, Path::new("r.urdf"), &Options::default()));
}

/// The shortest of a few times (s).
fn time(work: impl Fn()) -> f64 {
    let once = || {
        let clock = Instant::now();
        work();
        clock.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn grows_linearly(what: &str, n: usize, read: fn(&str), write: impl Fn(usize) -> String) {
    let (few, many) = (write(n), write(10 * n));
    let (short, long) = (time(|| read(&few)).max(LEAST), time(|| read(&many)));
    assert!(long < MOST * short, "{what}: {n} take {short:.3} s, ten times as many {long:.3} s");
}

fn repeat(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).fold(HEAD.to_owned(), |mut text, k| {
        let _ = writeln!(text, "{}", line(k));
        text
    })
}

#[test]
fn mistakes() {
    grows_linearly("unknown keys", 2000, check, |n| repeat(n, |k| format!("[body.b{k}]\nmas = \"1 kg\"")));
    grows_linearly("wrong values", 2000, check, |n| {
        repeat(n, |k| format!("[body.b{k}]\nmass = \"-1 kg\"\ninertia = \"1 kg*m^2\""))
    });
    grows_linearly("unknown bodies", 500, check, |n| {
        repeat(n, |k| {
            format!(
                "[body.b{k}]\nmass = \"1 kg\"\ninertia = \"1 kg*m^2\"\n[force.f{k}]\ntype = \"force\"\non = {{ body = \"c{k}\" }}\nforce = [0, 0, 0]"
            )
        })
    });
}

#[test]
fn keys_and_letters() {
    grows_linearly("keys", 4000, check, |n| {
        format!("{HEAD}[body.b]\nmass = \"1 kg\"\n")
            + &(0..n).map(|k| format!("k{k} = 1\n")).collect::<String>()
    });
    grows_linearly("letters", 10_000, check, |n| {
        format!("{HEAD}[body.b]\nmass = \"1 kg\"\n{} = 1\n", "k".repeat(n))
    });
    grows_linearly("letters of a name", 10_000, check, |n| {
        format!(
            "{HEAD}[body.{}]\nmass = \"1 kg\"\n[joint.j]\ntype = \"fixed\"\na = {{ body = \"world\" }}\nb = {{ body = \"{}\" }}\n",
            "k".repeat(n),
            "l".repeat(n)
        )
    });
}

#[test]
fn chains() {
    grows_linearly("links", 400, check, |n| {
        repeat(n, |k| {
            let a = if k == 0 { "world".to_owned() } else { format!("b{}", k - 1) };
            format!(
                "[body.b{k}]\nmass = \"1 kg\"\ninertia = \"1 kg*m^2\"\n[joint.j{k}]\ntype = \"revolute\"\naxis = [0, 1, 0]\na = {{ body = \"{a}\" }}\nb = {{ body = \"b{k}\", at = [0, 0, \"1 m\"] }}"
            )
        })
    });
    grows_linearly("links of a robot", 1000, robot, |n| {
        let links: String = (0..=n).map(|k| format!("<link name=\"b{k}\"/>")).collect();
        let joints = (0..n).map(|k| {
            format!("<joint name=\"j{k}\" type=\"continuous\"><parent link=\"b{k}\"/><child link=\"b{}\"/></joint>", k + 1)
        });
        format!("<robot name=\"r\">{links}{}</robot>", joints.collect::<String>())
    });
}

#[test]
fn attributes() {
    grows_linearly("attributes", 1000, robot, |n| {
        let attributes: String = (0..n).map(|k| format!(" k{k}=\"1\"")).collect();
        format!("<robot name=\"r\"><link name=\"a\"{attributes}/></robot>")
    });
}

/// Bodies that are free, of which none touches: what one feels of its own joints does not take the mass matrix of all.
#[test]
fn free_bodies() {
    let read = |text: &str| drop(import::mjcf(text, Path::new("m.xml"), &Options::default()));
    grows_linearly("free bodies", 60, read, |n| {
        let body = |k: usize| {
            format!(
                "<body name=\"b{k}\" pos=\"{k} 0 1\"><freejoint/><geom size=\".1\" contype=\"0\" conaffinity=\"0\"/></body>"
            )
        };
        format!("<mujoco><worldbody>{}</worldbody></mujoco>", (0..n).map(body).collect::<String>())
    });
}

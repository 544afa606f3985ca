use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::manifest::Verdict;
use carom_results::{Manifest, RunWriter};

use std::fs;

use super::*;

fn report(dir: &TempDir) -> String {
    fs::read_to_string(write_report(dir.path()).unwrap()).unwrap()
}

fn finished(run: &FakeRun) -> (TempDir, String) {
    let dir = TempDir::new("report");
    fixture::finished(dir.path(), run);
    let html = report(&dir);
    (dir, html)
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let (_dir, html) = finished(&FakeRun::single_ball());
    for forbidden in ["http", "src=", "@import", "url(", "<link", "//cdn"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_page_says_what_was_run_and_what_came_out() {
    let (_dir, html) = finished(&FakeRun::single_ball());
    for wanted in [
        "<h1>bouncing-ball <span class=\"badge good\">finished",
        "3f9a1c22",
        "ode45, rtol 1e-6",
        "Position z",
        "Normal force",
        "Penetration",
        "Residual",
        "contact begin",
        "hertz K 1.23e8",
        "W0601",
        "params.e=0.8",
        "states.parquet",
        "format = 1",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert!(!html.contains("Expectations"), "none were asked for");
    assert!(html.contains("greatest normal force") && html.contains("drop at "), "with its pair and time");
}

#[test]
fn many_bodies_and_pairs_are_folded() {
    let (_dir, html) = finished(&FakeRun::billiard());
    assert!(html.contains("of 16; the others are folded below"));
    assert!(html.contains("Bodies 9 to 16") && html.contains("pairs that never touched"));
    assert!(html.contains("The first 200 of"));
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
}

#[test]
fn a_mechanism_shows_its_joints_forces_and_constraints() {
    let (_dir, html) = finished(&FakeRun::mechanism());
    for wanted in [
        "<h2>Joints</h2>",
        "<h2>Forces and constraints</h2>",
        "9 joints, 7 forces, 4 constraints, 1 pair may touch",
        "<b>Joint angle</b>",
        "<b>Joint displacement</b>",
        "<b>Reaction force (1 to 8 of 9)</b>",
        "<b>Reaction torque (9 to 9 of 9)</b>",
        "More joints",
        "<b>Violation of the constraints (m or rad)</b>",
        "Joints at 2",
        "sleeve.q1",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    let (_dir, plain) = finished(&FakeRun::single_ball());
    assert!(!plain.contains("Joints</h2>") && !plain.contains("Forces</h2>"));
}

#[test]
fn expectations_and_text_of_users_are_shown_safely() {
    let dir = TempDir::new("verdicts");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let mut manifest = Manifest::read(dir.path()).unwrap();
    manifest.name = "<script>alert(1)</script>".into();
    manifest.warnings = vec!["<b>loud</b>".into()];
    let verdict = |quantity: &str, passed| Verdict {
        quantity: quantity.into(),
        wanted: "below 1e-4".into(),
        unit: "m".into(),
        measured: 2.5e-5,
        passed,
    };
    manifest.expectations = vec![verdict("ball.z @ end", true), verdict("drop.fn max", false)];
    manifest.write(dir.path()).unwrap();
    let html = report(&dir);
    assert!(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert(1)"));
    assert!(html.contains("&lt;b&gt;loud"));
    assert!(
        html.contains("1 of 2 failed") && html.contains("25\u{a0}µm") && html.contains("badge bad\">FAIL")
    );
}

#[test]
fn killed_and_running_runs_have_a_page_too() {
    let dir = TempDir::new("killed");
    let run = FakeRun { stops_after: Some(60), ..FakeRun::single_ball() };
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    writer.set_checkpoint_interval(std::time::Duration::ZERO);
    assert!(report(&dir).contains("badge fair\">running"), "before the first row");
    run.run(&mut writer, None);
    drop(writer);
    assert!(report(&dir).contains("Position z"));
    carom_results::recover(&fixture::folder(dir.path())).unwrap();
    assert!(report(&dir).contains("badge fair\">killed"));
}

#[test]
fn a_failed_run_names_the_culprit() {
    let dir = TempDir::new("failed");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let mut manifest = Manifest::read(dir.path()).unwrap();
    manifest.end.reason = "failed".into();
    manifest.end.problem = Some(carom_results::manifest::Problem {
        code: "E0601".into(),
        message: "state of \"ball\" became NaN".into(),
        help: "a smaller rtol".into(),
        body: Some("ball".into()),
        pair: None,
    });
    manifest.write(dir.path()).unwrap();
    let html = report(&dir);
    assert!(html.contains("badge bad\">failed") && html.contains("state of &quot;ball&quot; became NaN"));
}

/// Where there is no page for the scene, the report has stills, which come with it.
#[test]
fn a_report_without_the_page_has_stills() {
    let dir = TempDir::new("stills");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let data = RunData::open(dir.path()).unwrap();
    let html = scene::stills(&data).unwrap();
    let (_, rest) = html.split_once("src=\"data:image/png;base64,").unwrap();
    let picture = STANDARD.decode(rest.split_once('"').unwrap().0).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    assert!(picture.len() < 100_000 && html.matches("src=").count() == 1, "{} bytes", picture.len());
    assert_eq!(scene::stills(&data).unwrap(), html);
}

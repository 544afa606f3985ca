use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_engine::Recorder;
use carom_engine::model::IntegratorKind;
use carom_engine::record::{ElementSample, Frame, PatchSample, RecordError, Switch, SwitchReason};
use carom_math::Vec3;
use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::manifest::Verdict;
use carom_results::{Manifest, MemoryWriter, RunWriter};

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

/// A recorder of patches and methods beside the frames of a made-up run.
struct Beside<'a> {
    writer: &'a mut MemoryWriter,
    /// Of the frame at each time: patches, and elements.
    worst: &'a dyn Fn(f64) -> (Vec<PatchSample>, Vec<ElementSample>),
}

impl Recorder for Beside<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let (patches, elements) = (self.worst)(frame.time);
        self.writer.frame(&Frame { patches: &patches, elements: &elements, ..*frame })
    }
}

/// Of a pair whose patches are two the maps have both, at the moments of the greatest pressure, of the greatest force of both together
/// and of the largest area, each by itself where they differ.
#[test]
fn maps_of_the_worst_moments_have_all_patches() {
    let run = FakeRun { frames: 100, ..FakeRun::single_ball() };
    let info = run.info();
    // In frames 10, 20 and 30 one of the three is greatest; one patch alone has more force in frame 40 than either of two.
    let worst = |time: f64| {
        let frame = (time * 50.0).round() as u32;
        let [pressure, force, area, alone] = [10, 20, 30, 40].map(|own| f64::from(u8::from(frame == own)));
        let patch = |number: u32, side: f64| {
            let position = Vec3::new(side, 0.0, 0.0);
            let own = if number == 0 { 1.0 } else { 1.0 - alone };
            let area = 2e-4 * (1.0 + area);
            let patch = PatchSample {
                contact: 0,
                patch: number,
                elements: 1,
                area,
                position,
                force: Vec3::z() * (4.0 + 4.0 * force + 6.0 * alone) * own,
                torque: Vec3::zeros(),
                pressure: 2e4 * (1.0 + pressure),
                penetration: 1e-3,
            };
            let corners = [(0.0, 0.0), (0.02, 0.0), (0.0, 0.02)];
            let element = ElementSample {
                contact: 0,
                patch: number,
                base_is_a: true,
                element: number,
                leaf: 0,
                area,
                corners: corners.map(|(x, y)| position + Vec3::new(x, y, 0.0)),
                position,
                penetration: 1e-3,
                pressure: patch.pressure,
                normal: Vec3::z(),
                shear: Vec3::zeros(),
                slip: Vec3::zeros(),
            };
            (patch, element)
        };
        [patch(0, 0.0), patch(1, 0.3)].into_iter().unzip()
    };
    let mut writer = MemoryWriter::new(&info, fixture::provenance("3f9a1c22d4e5f607"));
    let outcome = run.run(&mut Beside { writer: &mut writer, worst: &worst }, None);
    let data = writer.finish(&outcome);
    let html = page(&data).unwrap();
    let titles = ["pressure, 2 patches, at 0.2", "force, 2 patches, at 0.4", "area, 2 patches, at 0.6"];
    for title in titles {
        assert!(html.contains(&format!("Pressure of drop: greatest {title}\u{a0}s")), "{title}");
    }
    assert_eq!(html.matches("class=\"map\"").count(), 3);
    // Both triangles are in each.
    let maps = html.split("data:image/svg+xml;base64,").skip(1);
    for map in maps {
        let svg = String::from_utf8(STANDARD.decode(map.split_once('"').unwrap().0).unwrap()).unwrap();
        assert_eq!(svg.matches("<polygon").count(), 2, "{svg}");
    }
}

#[test]
fn all_integrators_that_were_used_are_named() {
    let run = FakeRun { frames: 20, ..FakeRun::single_ball() };
    let mut writer = MemoryWriter::new(&run.info(), fixture::provenance("3f9a1c22d4e5f607"));
    let reason = SwitchReason::Stiff { steps: 15, step: 1e-3, stiffness: 3.0 };
    for to in [IntegratorKind::Radau5, IntegratorKind::Ode113, IntegratorKind::Radau5] {
        writer.switch(&Switch { time: 1.0, from: IntegratorKind::Ode45, to, reason }).unwrap();
    }
    let outcome = run.run(&mut writer, None);
    let html = page(&writer.finish(&outcome)).unwrap();
    assert!(html.contains("ode45 and radau5 and ode113, rtol 1e-6"), "each once, in the order they came");
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

//! `carom plot`.

use carom_report::pressure_map;
use carom_results::tables::Table;
use carom_results::{PatchRequest, PatchTime, RunData};

use crate::kit::{DROP, Folder};

#[test]
fn quantities_are_drawn_and_listed() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "--out", "out", "--no-report"]).exits(0);
    let drawn = folder.carom(&["plot", "out", "ball.z", "ball.vz"]).exits(0);
    assert!(drawn.out.contains("ball.z (m)") && drawn.out.contains("ball.vz (m/s)"), "{}", drawn.out);
    assert!(!drawn.out.contains('\x1b'));
    folder.carom(&["plot", "out", "ball.z", "-o", "z.svg"]).exits(0);
    assert!(folder.read("z.svg").starts_with("<svg"));
    let csv = folder.carom(&["plot", "out", "ball.z", "ball.vz_m_s", "--csv"]).exits(0);
    assert_eq!(csv.out.lines().next(), Some("time_s,ball.z_m,ball.vz_m_s"));
    assert_eq!(csv.out.lines().nth(1), Some("0.0,1.1,0.0"));
    assert_eq!(csv.out.lines().count(), 102);
    let unknown = folder.carom(&["plot", "out", "bal.z"]).exits(2);
    assert!(unknown.err.contains("did you mean \"ball.z\"?"), "{}", unknown.err);
    let none = folder.carom(&["plot", "out"]).exits(2);
    assert!(none.err.contains("ball.angular_speed"), "{}", none.err);
    folder.carom(&["plot", "out", "ball.z", "-o", "z.png"]).exits(2);
}

/// A faceted ball that is pressed askew onto a block.
const PRESSED: &str = r#"
format = 1
name = "pressed"

[world]
gravity = [0, "2 m/s^2", "-9.81 m/s^2"]

[law.foam]
E = "1 MPa"
nu = 0.4
mu = 0.3
v_reg = "1 mm/s"
pcm = { layer = "10 mm", u_max = "20 mm", damping = "10 kN*s/m^3" }

[body.block]
fixed = true
shape = { type = "box", size = ["1 m", "1 m", "0.4 m"] }

[body.ball]
mass = "10 kg"
inertia = "0.1 kg*m^2"
pos = [0, 0, "0.398 m"]
shape = { type = "sphere", radius = "0.2 m", facets = 20000 }

[contact]
press = { a = "block", b = "ball", method = "pcm", law = "foam", base = "b", accuracy = "off" }

[solver]
t_end = "40 ms"

[output]
every = "2 ms"
patches = "4 ms"
searches = true
"#;

/// The picture has one polygon an element, and what it is drawn from adds up to the contact's force.
#[test]
fn the_pressure_on_a_patch_is_drawn() {
    let folder = Folder::with("pressed.toml", PRESSED);
    folder.carom(&["run", "pressed.toml", "--out", "out", "--no-report"]).exits(0);
    let drawn =
        folder.carom(&["plot", "out", "--pressure", "press", "--at", "0.004", "-o", "p.svg"]).exits(0);
    assert_eq!(drawn.out.trim(), "p.svg");
    let run = folder.path("out");
    let request = PatchRequest { pair: "press".to_owned(), patch: None, time: PatchTime::At(0.004) };
    let map = pressure_map(&run, &request, None).unwrap();
    let svg = folder.read("p.svg");
    assert!(map.patch.elements.len() > 20);
    assert_eq!(svg.matches("<polygon").count(), map.patch.elements.len());
    assert!(
        svg.contains("press, patch 0, at 4\u{a0}ms") && svg.contains("pressure (kPa)"),
        "{}",
        &svg[..900]
    );

    let data = RunData::open(&run).unwrap();
    let at = |name: &str| {
        let series = data.series(name).unwrap();
        series.values[series.time.iter().position(|t| *t == map.patch.time).unwrap()]
    };
    let mut force = [0.0; 3];
    for e in &map.patch.elements {
        let [[x0, y0], [x1, y1], [x2, y2]] = e.corners.map(|corner| map.place(corner));
        let shown = 0.5 * ((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)).abs();
        let along: f64 = (0..3).map(|i| e.normal[i] * map.axes[2][i]).sum();
        assert!((shown - e.area * along.abs()).abs() < 1e-12 * e.area.max(1e-3), "{shown} {}", e.area);
        (0..3).for_each(|i| force[i] += (e.normal[i] * e.pressure + e.shear[i]) * e.area);
    }
    let scale = at("press.fn");
    // Normals of a ball's elements are spread about the normal of their sum, z: normal and friction forces are its
    // parts.
    for (i, name) in ["ftx", "fty", "ftz"].into_iter().enumerate() {
        assert!((force[i] - map.patch.force[i]).abs() < 1e-12 * scale);
        let across = at(&format!("press.{name}"));
        assert!(across.abs() <= 0.3 * scale * (1.0 + 1e-9));
    }
    let row = data.table(Table::Contacts).unwrap();
    let time = row.floats("time").unwrap().iter().position(|t| *t == map.patch.time).unwrap();
    for (axis, i) in ["x", "y", "z"].into_iter().zip(0..) {
        let number = |name: String| row.floats(&name).unwrap()[time];
        let total = number(format!("n{axis}")) * number("fn".to_owned()) + number(format!("ft{axis}"));
        assert!((force[i] - total).abs() < 1e-12 * scale, "{axis} {} {total}", force[i]);
    }

    let part =
        ["plot", "out", "--pressure", "press", "--at", "0.004", "--window", "-0.01,0,0.02", "-o", "w.svg"];
    folder.carom(&part).exits(0);
    let inside = folder.read("w.svg").matches("<polygon").count();
    assert!(inside > 0 && inside < map.patch.elements.len());
    let missing =
        folder.carom(&["plot", "out", "--pressure", "press", "--at", "0.01", "-o", "p.svg"]).exits(2);
    assert!(missing.err.contains("times with one, from 0 to"), "{}", missing.err);
    let unknown = folder.carom(&["plot", "out", "--pressure", "pres", "-o", "p.svg"]).exits(2);
    assert!(unknown.err.contains("did you mean \"press\"?"), "{}", unknown.err);
    folder.carom(&["plot", "out", "--pressure", "press"]).exits(2);
    folder.carom(&["plot", "out", "--pressure", "press", "--window", "1,2", "-o", "p.svg"]).exits(2);
}

/// Both ways to the elements in one chart: the classic construction makes every search anew.
#[test]
fn costs_of_two_runs_are_drawn_beside_each_other() {
    let folder = Folder::with("pressed.toml", PRESSED);
    folder.carom(&["run", "pressed.toml", "--out", "lines", "--no-report"]).exits(0);
    let classic = "contact.press.detect=\"intersection\"";
    folder.carom(&["run", "pressed.toml", "--out", "classic", "--no-report", "--set", classic]).exits(0);
    let names = ["press.box_tests_per_search", "press.ray_tests_per_search"];
    let both = [&["plot", "lines"], &names[..], &["--with", "classic", "--log"]].concat();
    folder.carom(&[&both[..], &["-o", "costs.svg"]].concat()).exits(0);
    let svg = folder.read("costs.svg");
    for name in names {
        for run in ["lines", "classic"] {
            assert!(svg.contains(&format!("{name} ({run})")), "{name} {run}");
        }
    }
    folder.carom(&both).exits(0);
    let values =
        |run: &str, name: &str| RunData::open(&folder.path(run)).unwrap().series(name).unwrap().values;
    assert_eq!(values("lines", "ball.z"), values("classic", "ball.z"));
    assert!(values("classic", "press.rebuilds_per_search").iter().all(|v| *v == 1.0));
    // Lists serve many searches while the surfaces touch, up to 20 ms; in flight the steps are longer than they reach.
    assert!(values("lines", "press.rebuilds_per_search")[1..=10].iter().all(|v| *v < 0.5));
    folder
        .carom(&["run", "pressed.toml", "--out", "off", "--no-report", "--set", "output.searches=false"])
        .exits(0);
    let off = folder.carom(&["plot", "off", names[0]]).exits(2);
    assert!(off.err.contains("output.searches = true"), "{}", off.err);
}

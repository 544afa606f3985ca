//! A thousand bodies and some thousand pairs that come near each other: what a run leaves stays small, and both forms
//! of states say the same.

use std::fmt::Write;

use carom_results::RunData;

use crate::kit::Folder;

/// Balls in a cube, a little off their places, that all fall a little way onto a floor; `many` along each edge.
pub(crate) fn balls(many: u32, t_end: &str) -> String {
    let mut text = String::from(
        r#"
format = 1
name   = "crowd"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.rubber]
E     = "5 MPa"
nu    = 0.49
mu    = 0.3
v_reg = "0.1 m/s"
point = { normal = "exact", restitution = 0.5, friction = "coulomb" }

[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }

[component.sphere.body.ball]
density = "1100 kg/m^3"
shape   = { type = "sphere", radius = "20 mm" }
"#,
    );
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        r#"
[use.sphere]
component = "sphere"
count = {count}
let   = {{ layer = "floor(i/{layer})", row = "floor(i/{many}) - {many}*layer", col = "i - {layer}*layer - {many}*row" }}
pos   = ["(col + 0.5)*42 mm + 0.4 mm*sin(i)", "(row + 0.5)*42 mm + 0.4 mm*cos(i)", "(layer + 0.5)*42 mm"]

[contact]
floor   = {{ a = "floor", b = "sphere[*].ball", method = "analytic", law = "rubber" }}
spheres = {{ a = "sphere[*].ball", b = "sphere[*].ball", method = "analytic", law = "rubber" }}

[solver]
t_end = "{t_end}"
rtol  = 1e-6

[output]
every = "{t_end}/24"
"#,
        count = many.pow(3),
        layer = many.pow(2),
    );
    text
}

fn size(folder: &Folder, file: &str) -> u64 {
    folder.path(file).metadata().unwrap().len()
}

#[test]
fn a_thousand_bodies_leave_small_files() {
    let folder = Folder::with("crowd.toml", &balls(10, "24 ms"));
    folder.carom(&["run", "crowd.toml", "-o", "out", "--checkpoint-every", "0.5"]).exits(0);
    let run = RunData::open(&folder.path("out")).unwrap();
    assert_eq!(run.times().unwrap().len(), 25);
    let pairs = run.scene().pairs.len();
    assert!(pairs > 4000, "{pairs} pairs");
    for (file, most) in [("run.json", 2_000_000), ("report.html", 2_000_000), ("checkpoint.bin", 5_000_000)] {
        if file == "checkpoint.bin" && !folder.path("out/checkpoint.bin").is_file() {
            continue;
        }
        let size = size(&folder, &format!("out/{file}"));
        assert!(size < most, "{file} has {size} bytes");
    }
    let page = folder.read("out/report.html");
    assert!(page.contains("<code>pairs.parquet</code>"), "the page says what it leaves out");
    // Long and wide: a body's quantities are the same.
    assert!(run.scene().is_long());
    let end = &run.manifest().final_bodies[500];
    let name = &run.scene().bodies[500].name;
    for (base, value) in
        [("x", end.position_m[0]), ("qw", end.quaternion_wxyz[0]), ("vz", end.velocity_m_s[2])]
    {
        assert_eq!(run.series(&format!("{name}.{base}")).unwrap().values.last(), Some(&value));
    }
    let csv = folder.carom(&["plot", "out", "sphere[499].ball.z", "--csv"]).exits(0).out;
    assert_eq!(csv.lines().count(), 26);
    folder.carom(&["convert", "out", "states.csv"]).exits(0);
    assert!(folder.read("states.csv").starts_with("time_s,body,x_m,"));
    assert_eq!(folder.read("states.csv").lines().count(), 1 + 25 * 1001);
}

//! `carom check`, `schema` and `explain`.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::kit::{DROP, Folder, said_by};

#[test]
fn a_good_model_is_described() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["check", "drop.toml"]).exits(0);
    for word in ["1 moving, 1 fixed", "1 pair", "delivers", "ode45", "position", "length", "101 frames"] {
        assert!(said.out.contains(word), "{word} in {}", said.out);
    }
    assert!(said.err.contains("no errors, no warnings"));
    assert!(!folder.path("runs").exists());
    let pairs = folder.carom(&["check", "drop.toml", "--pairs"]).exits(0);
    assert!(pairs.out.contains("floor: floor and ball, analytic"), "{}", pairs.out);
}

#[test]
fn errors_come_with_file_line_and_column() {
    let folder = Folder::with("drop.toml", &DROP.replace("\"1 kg\"", "\"-1 kg\"").replace("0.1 m", "0.1 s"));
    let said = folder.carom(&["check", "drop.toml"]).exits(1);
    assert!(said.err.contains("error[E0311]") && said.err.contains("--> drop.toml:16:9"), "{}", said.err);
    assert!(said.err.contains("--> drop.toml:18:") && said.err.contains("2 errors"), "{}", said.err);
    assert!(said.err.contains("carom explain E0311"));
    folder.carom(&["run", "drop.toml"]).exits(2);
}

#[test]
fn a_file_that_cannot_be_read_is_another_code() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["check", "dorp.toml"]).exits(2);
    assert!(said.err.contains("dorp.toml") && said.err.contains("drop.toml"), "{}", said.err);
    folder.carom(&["run", "dorp.toml"]).exits(2);
    folder.carom(&["check", "drop.toml", "dorp.toml"]).exits(2);
}

#[test]
fn json_has_diagnostics_and_models() {
    let folder = Folder::with("drop.toml", DROP);
    folder.write("bad.toml", &DROP.replace("\"1 kg\"", "\"-1 kg\""));
    let report = folder.carom(&["check", "drop.toml", "bad.toml", "--json"]).exits(1).json();
    assert_eq!((&report["schema"], &report["errors"]), (&Value::from(1), &Value::from(1)));
    let diagnostic = &report["diagnostics"][0];
    assert_eq!((&diagnostic["file"], &diagnostic["line"]), (&Value::from("bad.toml"), &Value::from(16)));
    let model = &report["models"][0];
    assert_eq!(model["name"], "drop");
    assert_eq!(model["pairs"][0]["name"], "floor");
    assert_eq!(model["solver"]["rtol"], 1e-9);
    assert!(model["solver"]["atol"]["length_m"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_model_can_come_from_standard_input() {
    let folder = Folder::new();
    for (model, code) in [(DROP.to_owned(), 0), (DROP.replace("\"1 kg\"", "\"-1 kg\""), 1)] {
        let mut child = folder
            .command(&["check", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(model.as_bytes()).unwrap();
        let said = said_by(child).exits(code);
        assert_eq!(said.err.contains("--> <stdin>:16:9"), code == 1, "{}", said.err);
    }
}

#[test]
fn the_resolved_model_is_numbers_in_si() {
    let folder = Folder::with("drop.toml", DROP);
    let resolved = folder.carom(&["check", "drop.toml", "--resolved"]).exits(0).out;
    assert!(resolved.contains("\n[body.ball]\nmass = 1.0\n"), "{resolved}");
    assert!(resolved.contains("\n[output]\nevery = 0.01\n"), "{resolved}");
    let again = Folder::with("resolved.toml", &resolved);
    assert_eq!(again.carom(&["check", "resolved.toml", "--resolved"]).exits(0).out, resolved);
}

#[test]
fn the_schema_is_printed_for_people_and_for_editors() {
    let folder = Folder::new();
    let table = folder.carom(&["schema"]).exits(0);
    assert!(table.out.contains("[solver]") && table.out.contains("t_end"));
    let schema = folder.carom(&["schema", "--format", "json-schema"]).exits(0).json();
    assert!(schema["properties"]["solver"].is_object());
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new();
    assert!(folder.carom(&["explain", "E0311"]).exits(0).out.starts_with("E0311: "));
    let unknown = folder.carom(&["explain", "E031"]).exits(2);
    assert!(unknown.err.contains("there is no code E031"), "{}", unknown.err);
}

/// Pairs that are made as bodies come near each other are none yet when a model is checked.
#[test]
fn rims_are_told_of_in_crowds_too() {
    let mut cans =
        "format = 1\nname = \"cans\"\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.tin]\nmu = 0.4\n\
        nonsmooth = { e_n = 0.3 }\n[body.floor]\nfixed = true\nshape = { type = \"half-space\" }\n"
            .to_owned();
    for k in 0..400 {
        cans += &format!(
            "[body.can{k}]\nshape = {{ type = \"cylinder\", radius = \"50 mm\", length = \"0.1 m\", density = \"1 g/cm^3\" }}\n\
             pos = [{}, {}, \"0.2 m\"]\n",
            0.2 * f64::from(k % 20),
            0.2 * f64::from(k / 20),
        );
    }
    cans += "[contact.all]\na = \"*\"\nb = \"*\"\nlaw = \"tin\"\nmethod = \"nonsmooth\"\n[solver]\nt_end = \"1 s\"\n";
    let folder = Folder::with("cans.toml", &cans);
    let said = folder.carom(&["check", "cans.toml"]).exits(0);
    assert!(said.out.contains("1 line, 0 pairs") && said.err.contains("warning[W0517]"), "{}", said.err);
    folder.write("cans.toml", &cans.replace("t_end", "method = \"moreau\"\nstep = \"1 ms\"\nt_end"));
    assert!(!folder.carom(&["check", "cans.toml"]).exits(0).err.contains("W0517"));
}

/// A can stands on a box that has room for its end, as on a half-space; on a smaller one it has one point.
#[test]
fn rims_are_told_of_over_faces_without_room() {
    let model = "format = 1\nname = \"can\"\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.tin]\nmu = 0.4\n\
        nonsmooth = { e_n = 0.3 }\n[body.table]\nfixed = true\n\
        shape = { type = \"box\", size = [\"0.4 m\", \"0.12 m\", \"20 mm\"] }\n[body.can]\npos = [0, 0, \"2 m\"]\n\
        shape = { type = \"cylinder\", radius = \"50 mm\", length = \"0.1 m\", density = \"1 g/cm^3\" }\n\
        [contact]\ndrop = { a = \"table\", b = \"can\", law = \"tin\", method = \"nonsmooth\" }\n[solver]\nt_end = \"1 s\"\n";
    let folder = Folder::with("can.toml", model);
    assert!(!folder.carom(&["check", "can.toml"]).exits(0).err.contains("W0517"));
    folder.write("can.toml", &model.replace("0.12 m", "0.09 m"));
    let said = folder.carom(&["check", "can.toml"]).exits(0);
    assert!(said.err.contains("warning[W0517]"), "{}", said.err);
    // A beam has one, whatever it lies on.
    let link = r#"type = "beam", length = "60 mm", width = "30 mm", thickness = "12 mm""#;
    let beam = model.replace(r#"type = "cylinder", radius = "50 mm", length = "0.1 m""#, link);
    for floor in [r#"type = "box", size = ["0.4 m", "0.12 m", "20 mm"]"#, r#"type = "half-space""#] {
        folder
            .write("can.toml", &beam.replace(r#"type = "box", size = ["0.4 m", "0.12 m", "20 mm"]"#, floor));
        let said = folder.carom(&["check", "can.toml"]).exits(0);
        assert!(said.err.contains("warning[W0517]") && said.err.contains("beam"), "{}", said.err);
    }
}

#[test]
fn rims_are_told_of_over_meshes() {
    let corners = ["0 0 0", "0.1 0 0", "0 0.1 0", "0 0 0.1"];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let facet = |face: [usize; 3]| {
        let [a, b, c] = face.map(|corner| corners[corner]);
        format!("facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n")
    };
    let model = "format = 1\nname = \"can\"\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.tin]\nmu = 0.4\n\
        nonsmooth = { e_n = 0.3 }\n[body.rock]\nfixed = true\n\
        shape = { type = \"mesh\", file = \"rock.stl\", unit = \"m\" }\n[body.can]\npos = [0, 0, \"2 m\"]\n\
        shape = { type = \"cylinder\", radius = \"50 mm\", length = \"0.1 m\", density = \"1 g/cm^3\" }\n\
        [contact]\ndrop = { a = \"rock\", b = \"can\", law = \"tin\", method = \"nonsmooth\" }\n[solver]\nt_end = \"1 s\"\n";
    let folder = Folder::with("can.toml", model);
    folder.write("rock.stl", &format!("solid rock\n{}endsolid rock\n", faces.map(facet).concat()));
    let said = folder.carom(&["check", "can.toml"]).exits(0);
    assert!(said.err.contains("warning[W0517]"), "{}", said.err);
}

/// Each vertex and each two edges of a prism and a box are contacts of their own. Where the pairs of a model have no room for all of them, which is told, a
/// face that lies on another has one.
#[test]
fn polyhedra_of_too_many_features_are_told_of() {
    let model = |sides: u32| {
        let corner = |k: u32| {
            let (sin, cos) = (2.0 * std::f64::consts::PI * f64::from(k) / f64::from(sides)).sin_cos();
            format!("[{}, {}, -0.05], [{}, {}, 0.05]", 0.05 * cos, 0.05 * sin, 0.05 * cos, 0.05 * sin)
        };
        let points = (0..sides).map(corner).collect::<Vec<_>>().join(", ");
        format!(
            "format = 1\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.tin]\nmu = 0.4\nnonsmooth = {{ e_n = 0.3 }}\n\
             [body.table]\nfixed = true\nshape = {{ type = \"box\", size = [\"0.4 m\", \"0.4 m\", \"20 mm\"] }}\n\
             [body.can]\npos = [0, 0, \"2 m\"]\nshape = {{ type = \"hull\", points = [{points}], density = \"1 g/cm^3\" }}\n\
             [contact]\ndrop = {{ a = \"table\", b = \"can\", law = \"tin\", method = \"nonsmooth\" }}\n[solver]\nt_end = \"1 s\"\n"
        )
    };
    let folder = Folder::with("can.toml", &model(64));
    assert!(!folder.carom(&["check", "can.toml"]).exits(0).err.contains("W0517"));
    // 12 edges against 3 times as many as sides.
    folder.write("can.toml", &model(1500));
    let said = folder.carom(&["check", "can.toml"]).exits(0);
    assert!(said.err.contains("warning[W0517]") && said.err.contains("pairs of edges"), "{}", said.err);
    folder.write("can.toml", &model(1500).replace("t_end", "method = \"moreau\"\nstep = \"1 ms\"\nt_end"));
    assert!(!folder.carom(&["check", "can.toml"]).exits(0).err.contains("W0517"));
}

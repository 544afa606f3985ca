//! The defaults and ranges of the schema are those of the reader.

use std::path::Path;

use crate::kit::{load, try_load};
use carom_io::schema::{PLANAR_TYPES, Range, Row, Value, rows};
use carom_io::{Overrides, load_str};

/// Lines of the keys but for one.
fn but(key: &str, lines: &[(&str, &str)]) -> String {
    lines.iter().filter(|(k, _)| *k != key).map(|(k, v)| format!("{k} = {v}\n")).collect()
}

/// Keys that a shape of this type needs.
fn shape_keys(kind: &str) -> &'static [(&'static str, &'static str)] {
    match kind {
        "sphere" => &[("radius", "0.1")],
        "box" => &[("size", "[1, 1, 1]")],
        "cylinder" | "capsule" | "cone" => &[("radius", "0.1"), ("length", "1")],
        "frustum" => &[("radii", "[0.1, 0.2]"), ("length", "1")],
        "beam" => &[("length", "1"), ("width", "0.2"), ("thickness", "0.1")],
        "ellipsoid" => &[("semi_axes", "[1, 2, 3]")],
        "superellipsoid" => &[("semi_axes", "[1, 2, 3]"), ("exponents", "[1, 1]")],
        "hull" => &[("points", "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]")],
        "mesh" => &[("file", "\"tetrahedron.obj\""), ("unit", "\"m\"")],
        "convex-parts" => &[("file", "\"tetrahedron.obj\""), ("unit", "\"m\""), ("error", "0.001")],
        "torus" => &[("ring", "1"), ("tube", "0.1"), ("facets", "200")],
        "funnel" => &[("side", "1"), ("height", "0.2")],
        "terrain" => &[("side", "1"), ("relief", "0.1")],
        "gear" => &[("module", "0.01"), ("teeth", "20"), ("width", "0.01")],
        "wire" => &[("path", "[[0, 0, 0], [1, 0, 0]]"), ("radius", "0.1"), ("facets", "200")],
        "hawse" => &[
            ("length", "6"),
            ("width", "4"),
            ("thickness", "0.3"),
            ("bore", "0.4"),
            ("wall", "0.1"),
            ("pipe", "3"),
            ("facets", "2000"),
        ],
        "polygon" => &[("points", "[[0, 0], [1, 0], [0, 1]]")],
        "gear-outline" => &[("module", "0.01"), ("teeth", "20")],
        "commutator" => &[("radius", "0.1"), ("bars", "12"), ("slot", "0.001"), ("depth", "0.01")],
        "half-space" => &[],
        other => panic!("no model has a {other} with a default"),
    }
}

/// Keys that a joint of this type needs.
fn joint_keys(kind: &str) -> &'static str {
    match kind {
        "screw" => "lead = 0.001\n",
        "universal" => "axes = [\"x\", \"y\"]\n",
        _ => "",
    }
}

/// A joint on the moving body with one more table.
fn joint(table: &str) -> String {
    format!("[joint.j]\ntype = \"revolute\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n{table}")
}

fn one(section: &str, key: &str, lines: &[(&str, &str)], entry: &str) -> String {
    format!("[{section}]\n{}{entry}\n", but(key, lines))
}

/// Lines for the top of the file, for `[solver]`, and other tables, in which the key of a row is stated by
/// `entry`, or is left out if that is empty.
fn parts(row: &Row, kind: &str, entry: &str) -> [String; 3] {
    let own = |lines: &[(&str, &str)]| format!("{}{entry}\n", but(row.key, lines));
    let ends = "a = { body = \"base\" }\nb = { body = \"link\" }\n";
    let tables = match row.section {
        "" => return [format!("{entry}\n"), String::new(), String::new()],
        "solver" => {
            let method =
                if row.key == "contact_tolerance" { "method = \"moreau\"\nstep = 0.001\n" } else { "" };
            return [String::new(), format!("{method}{entry}\n"), String::new()];
        }
        "formulation" => {
            let solver = format!("formulation = {{ type = \"ali3p\"{} }}\n", in_line(entry));
            return [String::new(), solver, String::new()];
        }
        "law.*" => one("law.x", row.key, &[], entry),
        "law.*.point" => format!("[law.x]\nmu = 0.3\n{}", one("law.x.point", row.key, &[], entry)),
        "law.*.volume" => one("law.x.volume", row.key, &[], entry),
        "law.*.pcm" => {
            let lines: &[_] = match row.key {
                "layer_a" => &[("layer_b", "0.01")],
                "layer_b" => &[("layer_a", "0.01")],
                "v_small" => &[("layer", "0.01"), ("restitution", "0.5")],
                _ => &[("layer", "0.01")],
            };
            one("law.x.pcm", row.key, lines, entry)
        }
        "law.*.pcm.damping" => {
            let damping =
                one("law.x.pcm.damping", row.key, &[("compression", "1"), ("expansion", "1")], entry);
            format!("[law.x.pcm]\nlayer = 0.01\n{damping}")
        }
        "law.*.nonsmooth" => one("law.x.nonsmooth", row.key, &[("e_n", "0.5")], entry),
        "body.*" => {
            let lines: &[_] = match row.key {
                "fixed" => &[("mass", "1"), ("inertia", "1"), ("pos", "[7, 7, 7]")],
                "mass" => &[("inertia", "1")],
                "density" => &[("shape", "{ type = \"sphere\", radius = 0.1 }")],
                _ => &[("fixed", "true")],
            };
            one("body.extra", row.key, lines, entry)
        }
        "shape" => {
            let more = if row.key == "closed" { "hollow = true\n" } else { "" };
            // A hull of points has no scale.
            let keys = own(shape_keys(if row.key == "scale" && kind == "hull" { "mesh" } else { kind }));
            format!(
                "[body.extra]\nfixed = true\npos = [100, 0, 0]\n\
                 [body.extra.shape]\ntype = \"{kind}\"\n{more}{keys}"
            )
        }
        "component.*" | "use.*" => {
            let (of_component, of_use) = if row.section == "use.*" { ("", entry) } else { (entry, "") };
            format!(
                "[component.c]\n{of_component}\n[component.c.body.p]\nfixed = true\n\
                 [use.u]\ncomponent = \"c\"\n{of_use}\n"
            )
        }
        "contact.*" => {
            let lines: &[_] = match row.key {
                "mpr_tolerance" | "mpr_iterations" => {
                    &[("a", "\"base\""), ("b", "\"link\""), ("law", "\"x\""), ("detect", "\"mpr\"")]
                }
                "method" => &[("a", "\"base\""), ("b", "\"link\""), ("law", "\"x\"")],
                _ => &[("a", "\"base\""), ("b", "\"link\""), ("law", "\"x\""), ("method", "\"pcm\"")],
            };
            let law = "[law.x]\nE = 1e6\nnu = 0.3\npoint = { restitution = 0.5 }\npcm = { layer = 0.01 }\n";
            format!("{law}{}", one("contact.c", row.key, lines, entry))
        }
        "joint.*" => format!("[joint.j]\ntype = \"{kind}\"\n{ends}{}{entry}\n", joint_keys(kind)),
        "attachment" => {
            format!(
                "[joint.j]\ntype = \"revolute\"\na = {{ body = \"base\"{} }}\nb = {{ body = \"link\" }}\n",
                in_line(entry)
            )
        }
        "spring" | "servo" => {
            let other = if row.key == "damping" { "stiffness = 3" } else { "damping = 3" };
            joint(&format!("{} = {{ {other}{} }}\n", row.section, in_line(entry)))
        }
        "armature" => joint(&format!("armature = {{ inertia = 3{} }}\n", in_line(entry))),
        "actuators" => joint(&format!(
            "actuators = {{ {} }}\n",
            if entry.is_empty() { "torque = [-1, 3]" } else { entry }
        )),
        "rating" => {
            joint(&format!("rating = {{ {} }}\n", if entry.is_empty() { "speed = 3" } else { entry }))
        }
        "limit" => joint(&format!("limit = {{ upper = \"1 rad\"{} }}\n", in_line(entry))),
        "limit.nonsmooth" => {
            let block = one("joint.j.limit.nonsmooth", row.key, &[("e_n", "0.5")], entry);
            joint(&format!("limit.upper = \"1 rad\"\n{block}"))
        }
        "weld" => format!(
            "[component.c.body.p]\nmass = 1\ninertia = 1\n\
             [use.u]\ncomponent = \"c\"\nweld = {{ part = \"p\", to = \"base\"{} }}\n",
            in_line(entry)
        ),
        "force.*" => {
            let (lines, more): (&[_], _) = match (kind, row.key) {
                ("cable", _) => {
                    (&[("stiffness", "3")], "path = [{ body = \"base\" }, { body = \"link\" }]\n")
                }
                ("drag", "angular") => (&[("linear", "3")], "on = { body = \"link\" }\n"),
                ("drag", _) => (&[("angular", "3")], "on = { body = \"link\" }\n"),
                ("force" | "torque", _) => (&[], "on = { body = \"link\" }\n"),
                ("actuator", "initial_activation") => {
                    (&[("activation", "\"integrator\"")], "terms = [{ joint = \"j\" }]\n")
                }
                ("actuator", _) => (&[], "terms = [{ joint = \"j\" }]\n"),
                ("bushing", "stiffness") => (&[("damping", "[1, 1, 1, 1, 1, 1]")], ends),
                ("bushing", _) => (&[("stiffness", "[1, 1, 1, 1, 1, 1]")], ends),
                (_, "stiffness") => (&[("damping", "3")], ends),
                _ => (&[("stiffness", "3")], ends),
            };
            let components = if kind == "force" || kind == "torque" {
                format!("{kind} = [1, 2, 3]\n")
            } else {
                String::new()
            };
            let driven = if kind == "actuator" { joint("") } else { String::new() };
            format!("{driven}[force.f]\ntype = \"{kind}\"\n{more}{components}{}", own(lines))
        }
        "cable.point" => format!(
            "[force.f]\ntype = \"cable\"\nstiffness = 3\n\
             path = [{{ body = \"base\" }}, {{ body = \"second\"{} }}, {{ body = \"link\" }}]\n",
            in_line(entry)
        ),
        "constraint.*" => {
            let joints = format!("{}{}", joint(""), second_joint());
            let (joints, more) = match kind {
                "gear" => (joints, "joints = [\"j\", \"k\"]\nratio = 2\n"),
                "coupling" => (joints, "terms = [{ joint = \"j\" }, { joint = \"k\" }]\n"),
                _ => (String::new(), ends),
            };
            format!("{joints}[constraint.c]\ntype = \"{kind}\"\n{more}{entry}\n")
        }
        "coupling.term" => format!(
            "{}{}[constraint.c]\ntype = \"coupling\"\nterms = [{{ joint = \"j\"{} }}, {{ joint = \"k\" }}]\n",
            joint(""),
            second_joint(),
            in_line(entry)
        ),
        "output" => one("output", row.key, &[], entry),
        "expect.*" => one("expect.\"link.x @ end\"", row.key, &[("value", "1"), ("tol", "1")], entry),
        other => panic!("[{other}] has a default or a range, and no model to try it"),
    };
    [String::new(), String::new(), tables]
}

fn second_joint() -> String {
    joint("").replace("joint.j", "joint.k").replace("\"link\"", "\"second\"")
}

/// One more entry of a table on one line.
fn in_line(entry: &str) -> String {
    if entry.is_empty() { String::new() } else { format!(", {entry}") }
}

fn model(row: &Row, kind: &str, entry: &str) -> String {
    let [top, solver, tables] = parts(row, kind, entry);
    let ball = "shape = { type = \"sphere\", radius = 0.1 }";
    let is_planar = row.section == "shape" && PLANAR_TYPES.contains(&kind);
    let plane = if is_planar { "plane = \"xy\"\n" } else { "" };
    format!(
        "format = 1\n{top}[world]\n{plane}gravity = [0, 0, 0]\n[solver]\nt_end = \"1 s\"\n{solver}\
         [body.base]\nfixed = true\n{ball}\n[body.link]\nmass = 1\npos = [1, 0, 0]\n{ball}\n\
         [body.second]\nmass = 1\npos = [0, 1, 0]\n{ball}\n{tables}"
    )
}

/// Types of the section in which the key is tried.
fn types(row: &Row) -> Vec<&'static str> {
    match (row.section, row.types) {
        ("shape", []) => vec!["sphere"],
        // An outline comes from another file.
        ("shape", types) if row.key == "scale" => only(types, &["hull", "mesh"]),
        ("joint.*", []) => vec!["revolute"],
        (_, []) => vec![""],
        // Several coordinates take a list; of the types left out here the words say something else.
        ("joint.*", types) if row.key == "zero" => only(types, &["revolute", "prismatic", "screw"]),
        ("force.*", types) if row.key == "stiffness" => {
            only(types, &["spring-damper", "torsion-spring", "actuator"])
        }
        ("force.*", types) if row.key == "damping" => {
            only(types, &["spring-damper", "torsion-spring", "cable", "actuator"])
        }
        (_, types) => types.to_vec(),
    }
}

fn only(types: &[&'static str], wanted: &[&str]) -> Vec<&'static str> {
    types.iter().copied().filter(|t| wanted.contains(t)).collect()
}

/// A file that states the default of a key is the same model as one that leaves it out, and what is written
/// of either loads again: all of its keys are in the schema.
#[test]
fn a_default_that_is_stated_changes_nothing() {
    let mut tried = 0;
    for row in rows() {
        let Some(default) = row.stated_default() else { continue };
        for kind in types(row) {
            let without = load(&model(row, kind, ""));
            let with = load(&model(row, kind, &format!("{} = {default}", row.key)));
            let what = format!("[{}] {kind} {} = {default}", row.section, row.key);
            assert_eq!(without.resolved, with.resolved, "{what}");
            assert_eq!(without.to_toml(), with.to_toml(), "{what}");
            let written = load_str("model.toml", &without.to_toml(), Path::new("."), &Overrides::default());
            assert_eq!(written.unwrap().resolved, without.resolved, "{what}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

/// Another number than the default is another model: the comparison above sees what a key does.
#[test]
fn a_number_that_is_not_the_default_changes_the_model() {
    // A joint with one coordinate has no other.
    let exceptions = ["axis"];
    let mut tried = 0;
    for row in rows().filter(|row| !exceptions.contains(&row.key)) {
        let other = match row.default.value() {
            Some(Value::Number(x)) => 0.9 * x + 0.001,
            _ => continue,
        };
        for kind in types(row) {
            let angle = matches!(
                (row.section, row.key, kind),
                ("joint.*", "zero", "revolute" | "screw") | ("spring", "rest", _) | ("servo", "target", _)
            );
            let value = if angle { format!("\"{other} rad\"") } else { other.to_string() };
            let without = load(&model(row, kind, ""));
            let with = load(&model(row, kind, &format!("{} = {value}", row.key)));
            let what = format!("[{}] {kind} {} = {value}", row.section, row.key);
            assert_ne!(without.to_toml(), with.to_toml(), "{what}");
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

/// The default of a joint's regularisation velocity depends on what the coordinate measures.
#[test]
fn a_default_by_coordinate_is_the_one_of_what_it_measures() {
    let row = rows().find(|row| row.section == "friction" && row.key == "v_reg").unwrap();
    let Some(Value::ByCoordinate(both)) = row.default.value() else { panic!("{:?}", row.default) };
    for ((kind, force), (value, unit)) in
        [("revolute", "torque"), ("prismatic", "force")].into_iter().zip(both)
    {
        let with = |more: &str| {
            let joint = format!(
                "[joint.j]\ntype = \"{kind}\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n\
                 friction = {{ {force} = 1{more} }}\n"
            );
            load(&crate::kit::links(&joint)).to_toml()
        };
        assert_eq!(with(""), with(&format!(", v_reg = \"{value} {unit}\"")));
    }
}

/// What a range leaves out is an error that names the key.
#[test]
fn a_number_outside_its_range_is_an_error_that_names_the_key() {
    let mut tried = 0;
    for row in rows() {
        let (outside, inside): (&[f64], f64) = match row.range {
            Range::Any => continue,
            Range::Positive => (&[0.0, -1.0], 0.5),
            Range::NotNegative => (&[-1.0], 0.5),
            Range::To(high) => (&[-0.1, high + 0.1], high),
            Range::Below(high) => (&[-0.1, high], 0.5 * high),
        };
        let of_shape = if row.key == "error" { "convex-parts" } else { "mesh" };
        for kind in if row.section == "shape" { vec![of_shape] } else { types(row) } {
            let with = |x: f64| try_load(&model(row, kind, &format!("{} = {x}", row.key)));
            assert!(with(inside).is_ok(), "[{}] {} = {inside}", row.section, row.key);
            for x in outside {
                let Err(report) = with(*x) else { panic!("[{}] {} = {x} loads", row.section, row.key) };
                let names = report.diagnostics.iter().any(|d| d.problem.path.ends_with(row.key));
                assert!(names, "[{}] {} = {x}: {:?}", row.section, row.key, report.diagnostics);
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

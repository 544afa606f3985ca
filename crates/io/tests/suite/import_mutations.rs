//! Robot files with one value replaced: the importer gives errors, or a model file that its reader accepts.

use std::path::Path;

use crate::import_kit::{joint, link};
use carom_io::import::{self, Import, Options};
use carom_io::{Overrides, Style, load_str, render_report};

const VALUES: [&str; 12] = [
    "",
    "0",
    "-1",
    "nan",
    "1e308",
    "1e30",
    "1e-30",
    "0 0 0",
    "1 2",
    "no such word",
    "\u{e9}\"",
    "9 9 9 9 9 9 9 9 9 9",
];

/// Every value between quotes, replaced by each of the others.
fn mutations(text: &str) -> impl Iterator<Item = String> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(k, _)| k).collect();
    let spans: Vec<(usize, usize)> = quotes.chunks_exact(2).map(|q| (q[0] + 1, q[1])).collect();
    replaced(text, spans)
}

/// The same of every text between an element's begin and end.
fn text_mutations(text: &str) -> impl Iterator<Item = String> {
    let ends = text.match_indices("</").filter_map(|(end, _)| Some((text[..end].rfind('>')? + 1, end)));
    replaced(text, ends.filter(|(start, end)| start < end).collect())
}

fn replaced(text: &str, spans: Vec<(usize, usize)>) -> impl Iterator<Item = String> {
    spans.into_iter().flat_map(move |(start, end)| {
        VALUES.map(|value| format!("{}{value}{}", &text[..start], &text[end..]))
    })
}

fn holds(text: &str, import: &Import) {
    assert_eq!(import.has_errors(), import.toml.is_empty());
    if import.has_errors() {
        return;
    }
    if let Err(report) = load_str("r.toml", &import.toml, Path::new("."), &Overrides::default()) {
        panic!("{text}\n{}\n{}", import.toml, render_report(&report, Style::Plain));
    }
}

#[test]
fn urdf_values() {
    let shapes = "<collision name=\"s\"><origin xyz=\"0 0 1\" rpy=\"0 1 0\"/><geometry><box size=\"1 1 1\"/></geometry></collision>\
                  <collision><geometry><cylinder radius=\"1\" length=\"2\"/></geometry></collision>";
    let text = "<robot name=\"r\">".to_owned()
        + &link("a", shapes)
        + &link("b", "")
        + &link("c", "")
        + &joint(
            "j",
            "revolute",
            "a",
            "b",
            "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/><dynamics damping=\"1\" friction=\"2\"/>",
        )
        + &joint("k", "continuous", "b", "c", "<mimic joint=\"j\" multiplier=\"2\" offset=\"1\"/>")
        + "</robot>";
    for mutated in mutations(&text) {
        holds(&mutated, &import::urdf(&mutated, Path::new("r.urdf"), &Options::default()));
    }
}

#[test]
fn mjcf_values() {
    let text = "<mujoco model=\"m\"><compiler angle=\"radian\" eulerseq=\"xyz\" settotalmass=\"3\"/><option gravity=\"0 0 -9\"/>\
        <default><joint damping=\"1\"/><default class=\"c\"><geom size=\"0.1\" friction=\"0.5\"/></default></default>\
        <worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"a\" pos=\"0 0 1\" euler=\"0 1 0\" childclass=\"c\"><freejoint/><geom/>\
        <geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" mass=\"1\"/><body name=\"b\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\
        <joint name=\"j\" axis=\"0 0 1\" range=\"-1 1\" ref=\"0.1\" stiffness=\"2\" springref=\"0.3\" frictionloss=\"0.1\"/>\
        <joint name=\"k\" type=\"hinge\" axis=\"1 0 0\" pos=\"0 0 0\"/><geom type=\"box\" size=\"1 1 1\" quat=\"1 0 0 0\"/></body></body></worldbody>\
        <tendon><fixed name=\"t\" stiffness=\"1\" springlength=\"0.5\"><joint joint=\"j\" coef=\"2\"/><joint joint=\"k\"/></fixed></tendon>\
        <actuator><position joint=\"j\" kp=\"2\" gear=\"1\" ctrlrange=\"-1 1\" dampratio=\"1\" inheritrange=\"1\"/><motor tendon=\"t\" forcerange=\"-1 2\"/></actuator>\
        <keyframe><key name=\"s\" qpos=\"0 0 1 1 0 0 0 0.1 0.2\" qvel=\"0 0 0 0 0 0 1 2\" ctrl=\"1 0\"/></keyframe>\
        <equality><joint joint1=\"j\" joint2=\"k\" polycoef=\"0 1\"/><connect body1=\"a\" body2=\"b\" anchor=\"0 0 0\"/></equality></mujoco>";
    for mutated in mutations(text) {
        let split = Options { split_joints: true, ..Options::default() };
        let started = Options { keyframe: Some("s".to_owned()), ..Options::default() };
        for options in [Options::default(), split, started] {
            holds(&mutated, &import::mjcf(&mutated, Path::new("m.xml"), &options));
        }
    }
}

#[test]
fn sdf_values() {
    let text = include_str!("../models/sdf/arm.sdf").split_once("?>").unwrap().1;
    let nested = include_str!("../models/sdf/gripper/gripper.sdf").split_once("?>").unwrap().1;
    for text in [text, nested] {
        // Beside a body of 1e30 kg nothing resists the turning of the others.
        for mutated in mutations(text).chain(text_mutations(text)).filter(|text| !text.contains(">1e30<")) {
            holds(&mutated, &import::sdf(&mutated, Path::new("r.sdf"), &Options::default()));
        }
    }
}

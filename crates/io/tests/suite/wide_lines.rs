//! Contact lines with too many pairs to list.

use carom_engine::System;
use carom_engine::model::ShapeRef;

use crate::kit::load;

/// 150 balls above a floor; 11175 pairs of balls.
fn balls(contacts: &str) -> String {
    format!(
        "format = 1\nname = \"balls\"\n[world]\ngravity = [0, 0, -9.81]\n[solver]\nt_end = \"1 s\"\n\
         [law.hard]\npoint = {{ restitution = 0.5, stiffness = \"1e7 N/m^1.5\" }}\n\
         [body.floor]\nfixed = true\nshape = {{ type = \"half-space\", normal = \"+z\" }}\n\
         [component.ball]\nbody.ball = {{ mass = 1, inertia = 0.004, pos = [0, 0, 0], shape = {{ type = \"sphere\", radius = 0.1 }} }}\n\
         [use.ball]\ncomponent = \"ball\"\ncount = 150\npos = [\"i * (1 m)\", 0, \"1 m\"]\n\
         [contact]\nfloor = {{ a = \"floor\", b = \"ball[*].ball\", method = \"analytic\", law = \"hard\" }}\n{contacts}"
    )
}

const ALL: &str =
    "all = { a = \"ball[*].ball\", b = \"ball[*].ball\", method = \"analytic\", law = \"hard\" }\n";

fn ball(index: usize) -> ShapeRef {
    ShapeRef { body: index + 1, shape: 0 }
}

#[test]
fn pairs_of_many_surfaces_are_not_listed() {
    let model = load(&balls(ALL)).model;
    assert_eq!((model.pairs.len(), model.wide_lines.len()), (150, 1));
    let wide = &model.wide_lines[0];
    assert_eq!((wide.line, wide.len()), (Some(1), 150 * 149 / 2));
    assert_eq!(wide.patterns, ["ball[*].ball", "ball[*].ball"]);
    assert_eq!(wide.order(ball(9), ball(4)), Some((ball(4), ball(9))));
    assert_eq!(wide.order(ball(9), ShapeRef { body: 0, shape: 0 }), None);
    let system = System::compile(&model).unwrap();
    let lines = &system.info().wide_lines;
    assert_eq!((lines.len(), lines[0].name.as_str(), lines[0].pairs), (1, "all", 11175));
    assert!(lines[0].laws.len() == 1 && lines[0].laws[0].contains("e7"), "{:?}", lines[0].laws);
}

#[test]
fn exact_lines_win_over_wide_ones() {
    let one = "one = { a = \"ball[7].ball\", b = \"ball[3].ball\", method = \"analytic\", law = \"hard\" }\n";
    let off = "off = { a = \"ball[5].ball\", b = \"ball[6].ball\", method = \"off\" }\n";
    for text in [balls(&format!("{ALL}{one}{off}")), balls(&format!("{one}{off}{ALL}"))] {
        let model = load(&text).model;
        let own = model.pairs.iter().find(|p| p.name == "one").expect("listed");
        assert_eq!((own.a, own.b), (ball(7), ball(3)));
        assert_eq!(model.pairs_off, [(ball(5), ball(6))]);
    }
}

#[test]
fn a_later_wide_line_wins() {
    let again = ALL.replace("all =", "again =");
    let model = load(&balls(&format!("{ALL}{again}"))).model;
    let lines: Vec<_> = model.wide_lines.iter().map(|w| w.line).collect();
    assert_eq!(lines, [Some(2), Some(1)]);
    let off =
        ALL.replace("all =", "none =").replace("method = \"analytic\", law = \"hard\"", "method = \"off\"");
    let model = load(&balls(&format!("{ALL}{off}"))).model;
    assert_eq!(model.wide_lines[0].line, None);
}

#[test]
fn wide_lines_survive_the_resolved_model() {
    let one = "one = { a = \"ball[7].ball\", b = \"ball[3].ball\", method = \"off\" }\n";
    let none =
        ALL.replace("all =", "none =").replace("method = \"analytic\", law = \"hard\"", "method = \"off\"");
    let again = ALL.replace("all =", "again =");
    let mut hashes = Vec::new();
    for lines in [
        ALL.to_owned(),
        format!("{ALL}{one}"),
        format!("{ALL}{none}"),
        format!("{ALL}{none}{again}"),
        format!("{none}{ALL}{again}{one}"),
    ] {
        let first = load(&balls(&lines));
        let second = load(&first.to_toml());
        assert_eq!(first.model.wide_lines, second.model.wide_lines, "{lines}");
        assert_eq!(first.model.pairs_off, second.model.pairs_off, "{lines}");
        assert_eq!(first.hash, second.hash, "{lines}");
        hashes.push(first.hash);
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 5, "models that differ in what touches have one hash");
}

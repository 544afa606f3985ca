//! Every word of the schema is read.

use std::path::Path;

use carom_io::schema::{Kind, rows};
use carom_io::{Overrides, load_str};

/// Keys that take words, and where they stand in a model.
const WORDS: [(&str, &str, &str); 22] = [
    ("world", "plane", "[world]\nplane = \"WORD\"\ngravity = [0, 0]"),
    ("law.*.point", "normal", "[law.x]\npoint = { normal = \"WORD\" }"),
    ("law.*.point", "friction", "[law.x]\nmu = 0.3\npoint = { friction = \"WORD\" }"),
    ("law.*.pcm", "damping_form", "[law.x]\npcm = { layer = 1, damping_form = \"WORD\" }"),
    ("law.*.pcm", "beyond_u_max", "[law.x]\npcm = { layer = 1, beyond_u_max = \"WORD\" }"),
    ("shape", "type", "[body.three]\nfixed = true\nshape = { type = \"WORD\" }"),
    (
        "contact.*",
        "method",
        "[law.x]\n[contact]\nc = { a = \"one\", b = \"two\", law = \"x\", method = \"WORD\" }",
    ),
    (
        "contact.*",
        "detect",
        "[law.x]\n[contact]\nc = { a = \"one\", b = \"two\", law = \"x\", detect = \"WORD\" }",
    ),
    (
        "contact.*",
        "base",
        "[law.x]\n[contact]\nc = { a = \"one\", b = \"two\", law = \"x\", base = \"WORD\" }",
    ),
    (
        "contact.*",
        "layer_on",
        "[law.x]\n[contact]\nc = { a = \"one\", b = \"two\", law = \"x\", layer_on = \"WORD\" }",
    ),
    ("law.*.nonsmooth", "impact", "[law.x]\nnonsmooth = { e_n = 0.5, impact = \"WORD\" }"),
    (
        "limit.nonsmooth",
        "impact",
        "[joint.j]\ntype = \"revolute\"\na = { body = \"one\" }\nb = { body = \"two\" }\n\
         limit = { upper = 1, nonsmooth = { e_n = 0.5, impact = \"WORD\" } }",
    ),
    (
        "joint.*",
        "type",
        "[joint.j]\ntype = \"WORD\"\na = { body = \"one\" }\nb = { body = \"two\" }\naxes = [\"x\"]",
    ),
    (
        "function",
        "interpolation",
        "[force.f]\ntype = \"spring-damper\"\na = { body = \"one\" }\nb = { body = \"two\" }\n\
         force = { table = [[0, 0], [1, 1]], interpolation = \"WORD\" }",
    ),
    ("force.*", "type", "[force.f]\ntype = \"WORD\"\na = { body = \"one\" }\nb = { body = \"two\" }"),
    (
        "force.*",
        "axes",
        "[force.f]\ntype = \"force\"\non = { body = \"two\" }\nforce = [1, 2, 3]\naxes = \"WORD\"",
    ),
    (
        "force.*",
        "activation",
        "[joint.j]\ntype = \"revolute\"\na = { body = \"one\" }\nb = { body = \"two\" }\n\
         [force.f]\ntype = \"actuator\"\nterms = [{ joint = \"j\" }]\nactivation = \"WORD\"",
    ),
    (
        "constraint.*",
        "type",
        "[constraint.c]\ntype = \"WORD\"\na = { body = \"one\" }\nb = { body = \"two\" }",
    ),
    ("solver", "method", "[solver]\nt_end = \"1 s\"\nmethod = \"WORD\""),
    ("solver", "coordinates", "[solver]\nt_end = \"1 s\"\ncoordinates = \"WORD\""),
    ("solver", "formulation", "[solver]\nt_end = \"1 s\"\nformulation = \"WORD\""),
    ("formulation", "type", "[solver]\nt_end = \"1 s\"\nformulation = { type = \"WORD\" }"),
];

/// A word of the schema that nothing reads is a panic, and so found here.
#[test]
fn every_word_has_its_reader() {
    let mut words = 0;
    for row in rows() {
        let (Kind::Word(all) | Kind::WordOrTable(all, _)) = row.kind else { continue };
        let text = WORDS.iter().find(|w| w.0 == row.section && w.1 == row.key);
        let (.., text) = text.unwrap_or_else(|| panic!("no model has {} of [{}]", row.key, row.section));
        for word in all {
            let bodies = "[body.one]\nfixed = true\n[body.two]\nmass = \"1 kg\"\n\
                          shape = { type = \"sphere\", radius = \"1 m\" }";
            let text = format!("format = 1\n{bodies}\n{}\n", text.replace("WORD", word));
            // Most lack something else: that is told as an error, after the word was read.
            let _ = load_str("words", &text, Path::new("."), &Overrides::default());
            words += 1;
        }
    }
    assert!(words > 100, "{words}");
}

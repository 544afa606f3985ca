//! What the tests of this folder share.

use std::path::Path;

use carom_engine::Model;
use carom_engine::model::{Body, Joint};
use carom_io::{LoadedModel, Overrides, Report, Style, load_str, render_report};

pub(crate) fn try_load(text: &str) -> Result<LoadedModel, Report> {
    load_str("model.toml", text, Path::new("tests/models"), &Overrides::default())
}

pub(crate) fn load(text: &str) -> LoadedModel {
    match try_load(text) {
        Ok(loaded) => loaded,
        Err(report) => panic!("{}", render_report(&report, Style::Plain)),
    }
}

pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    match try_load(text) {
        Ok(loaded) => loaded.warnings.iter().map(|d| d.problem.code).collect(),
        Err(report) => report.diagnostics.iter().map(|d| d.problem.code).collect(),
    }
}

/// Two bodies, `base` fixed and `link` free to move, with other tables added.
pub(crate) fn links(more: &str) -> String {
    format!(
        "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[solver]\nt_end = \"1 s\"\n\
         [body.base]\nfixed = true\n[body.link]\nmass = \"1 kg\"\ninertia = 0.1\n\
         [body.second]\nmass = \"1 kg\"\ninertia = 0.1\n{more}"
    )
}

pub(crate) fn body<'m>(model: &'m Model, name: &str) -> &'m Body {
    model.bodies.iter().find(|b| b.name == name).unwrap()
}

pub(crate) fn joint<'m>(model: &'m Model, name: &str) -> &'m Joint {
    model.joints.iter().find(|j| j.name == name).unwrap()
}

/// The only joint of a model of two bodies: type and other keys.
pub(crate) fn joint_of(kind: &str, keys: &str) -> Joint {
    let text = links(&format!(
        "[joint.j]\ntype = \"{kind}\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n{keys}\n"
    ));
    load(&text).model.joints.remove(0)
}

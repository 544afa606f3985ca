//! Where the run comes from and what the folder holds.

use carom_results::{Error, MODEL_TOML, read_model_file};

use super::Context;
use super::figure::folded;
use super::table::{Cell, table};
use super::tables::facts;
use crate::escape::escape;
use crate::scale::{count, quantity};

/// A model file longer than this is not repeated in the page.
const MOST_BYTES: u64 = 200_000;

/// The section.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let m = context.data.manifest();
    let p = &m.provenance;
    let known = |text: &Option<String>| text.clone().unwrap_or_default();
    let resumed =
        if m.timing.resumed == 0 { String::new() } else { format!(", resumed {} times", m.timing.resumed) };
    let host = [&p.host.name, &p.host.cpu, &p.host.system].map(String::as_str);
    let host: Vec<&str> = host.into_iter().filter(|text| !text.is_empty()).collect();
    let html = facts(&[
        ("model", escape(&known(&p.model.file))),
        ("model hash", code(&p.model.hash)),
        ("command", code(&p.command.line.join(" "))),
        ("overrides", code(&p.command.overrides.join(" "))),
        ("program", escape(&program(m))),
        ("solver", escape(&p.solver.describe())),
        ("why", escape(&p.solver.reason)),
        ("absolute tolerances", escape(&tolerances(context))),
        ("units", escape(&m.units)),
        ("machine", escape(&host.join(", "))),
        ("threads", format!("{} of {}", p.host.threads, p.host.cores)),
        ("started", escape(&format!("{}{resumed}", m.timing.started))),
        ("ended", escape(&known(&m.timing.ended))),
        ("wall time with output", quantity(m.timing.wall_s, "s")),
    ]);
    Ok(format!("{html}{}{}", files(context), model(context)))
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", escape(text)) }
}

fn program(m: &carom_results::Manifest) -> String {
    let p = &m.provenance.program;
    let git = p.git_hash.as_ref().map(|hash| format!(", commit {hash}")).unwrap_or_default();
    let rustc = p.rustc.as_ref().map(|version| format!(", {version}")).unwrap_or_default();
    format!("Carom {}{git}{rustc}", p.version)
}

fn tolerances(context: &Context<'_>) -> String {
    let a = context.data.manifest().provenance.solver.atol;
    [
        (a.length_m, "m"),
        (a.angle_rad, "rad"),
        (a.velocity_m_s, "m/s"),
        (a.angular_velocity_rad_s, "rad/s"),
        (a.energy_j, "J"),
    ]
    .iter()
    .filter_map(|(value, unit)| value.map(|v| format!("{v:?}\u{a0}{unit}")))
    .collect::<Vec<_>>()
    .join(", ")
}

fn files(context: &Context<'_>) -> String {
    let tables = &context.data.manifest().tables;
    if tables.is_empty() {
        return String::new();
    }
    let rows = tables.iter().map(|t| vec![Cell::code(&t.file), Cell::number(count(t.rows))]);
    let note = "<p class=\"dim\">In the run folder; column names end in their units, and every field carries unit, \
                frame and meaning. For example <code>pandas.read_parquet(\"states.parquet\")</code>.</p>\n";
    format!("<h3>Tables</h3>\n{note}{}", table(&["file", "#rows"], rows))
}

/// The model file as given; left out if it is not there, which a lone run.json allows.
fn model(context: &Context<'_>) -> String {
    read_model_file(context.data.dir(), MODEL_TOML, MOST_BYTES)
        .map(|text| folded("Model file", &format!("<pre>{}</pre>\n", escape(&text))))
        .unwrap_or_default()
}

//! A model in a few lines: what `carom check` says when nothing is wrong.

use std::fmt::Write;
use std::path::Path;

use carom_engine::System;
use carom_engine::model::Model;
use carom_io::{LoadedModel, PairRow};
use carom_results::Scene;
use carom_results::tables::{Table, states};

/// Laws that are shown of one contact line.
const LAWS_SHOWN: usize = 3;

/// Frames that a run records: one at the start, then one every interval, and one at the end.
pub(crate) fn frames(model: &Model, system: &System) -> u64 {
    ((model.solver.t_end / system.output_every()).ceil() as u64).saturating_add(1)
}

/// What the model is and how it will be run.
pub(crate) fn model(file: &Path, loaded: &LoadedModel, system: &System) -> String {
    let model = &loaded.model;
    let info = system.info();
    let fixed = info.fixed.iter().filter(|fixed| **fixed).count();
    let solver = carom::solver_of(model, system);
    let scales = system.scales();
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.2e}"));
    let mut text = format!("{} ({})\n", model.name, file.display());
    let mut row = |label: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {label:<9} {value}");
    };
    row("bodies", format!("{} moving, {fixed} fixed; {} states", info.bodies.len() - fixed, system.states()));
    let parts = [
        kinds("joint", info.joints.iter().map(|(_, kind)| kind.name())),
        kinds("force", info.forces.iter().map(|(_, kind)| *kind)),
        kinds("constraint", info.constraints.iter().map(|(_, kind)| *kind)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        row("mechanism", parts.join(", "));
    }
    row(
        "contacts",
        format!(
            "{}, {}, {}",
            count(model.contact_lines.len(), "line"),
            count(info.pairs.len(), "pair"),
            count(info.contacts.len(), "contact")
        ),
    );
    for line in &info.wide_lines {
        row(
            "",
            format!(
                "{}: {} more, each looked at when its surfaces come near",
                line.name,
                count(line.pairs, "pair")
            ),
        );
    }
    for (label, value) in laws(system) {
        row(&label, value);
    }
    let reason = if solver.reason.is_empty() { String::new() } else { format!(" ({})", solver.reason) };
    row("solver", format!("{}{reason}", solver.method));
    row("end", format!("{} s", solver.t_end_s));
    row(
        "tolerance",
        format!(
            "relative {:.1e}; position {} m, angle {} rad, velocity {} m/s, angular velocity {} rad/s, losses {} J a step",
            solver.rtol,
            number(solver.atol.length_m),
            number(solver.atol.angle_rad),
            number(solver.atol.velocity_m_s),
            number(solver.atol.angular_velocity_rad_s),
            number(solver.atol.energy_j)
        ),
    );
    row(
        "scales",
        format!(
            "length {:.3e} m, velocity {:.3e} m/s, energy {:.3e} J, v_reg {:.3e} m/s",
            scales.length, scales.velocity, scales.energy, scales.v_reg
        ),
    );
    let frames = frames(model, system);
    let scene = Scene::new(info);
    let numbers = states::numbers(&scene) + Table::Energy.columns(&scene).len();
    let bytes = 8 * frames * numbers as u64;
    row(
        "results",
        format!("{frames} frames, about {} before compression, beside contacts and events", size(bytes)),
    );
    for note in loaded.notes.iter().chain(system.notes()) {
        row("note", note.text());
    }
    text
}

/// `3 joints (2 revolute, 1 prismatic)`, kinds in the order of their first use; nothing of none.
fn kinds<'a>(part: &str, words: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, number)) => *number += 1,
            None => counts.push((word, 1)),
        }
    }
    let total: usize = counts.iter().map(|(_, number)| number).sum();
    let list: Vec<String> = counts.iter().map(|(word, number)| format!("{number} {word}")).collect();
    (total > 0).then(|| format!("{} ({})", count(total, part), list.join(", ")))
}

/// The laws of each contact line in resolved numbers, with the restitution they deliver.
fn laws(system: &System) -> Vec<(String, String)> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    let info = system.info();
    let listed = info.pairs.iter().map(|pair| (&pair.line, &pair.law));
    let wide = info.wide_lines.iter().flat_map(|line| line.laws.iter().map(move |law| (&line.name, law)));
    for (name, law) in listed.chain(wide) {
        let position = lines.iter().position(|(line, _)| line == name).unwrap_or_else(|| {
            lines.push((name, Vec::new()));
            lines.len() - 1
        });
        let laws = &mut lines[position].1;
        if !laws.contains(&law.as_str()) {
            laws.push(law);
        }
    }
    let mut rows = Vec::new();
    for (line, laws) in lines {
        for law in laws.iter().take(LAWS_SHOWN) {
            rows.push(("law".to_owned(), format!("{line}: {law}")));
        }
        if laws.len() > LAWS_SHOWN {
            let more = laws.len() - LAWS_SHOWN;
            rows.push((String::new(), format!("and {more} more (--pairs lists them)")));
        }
    }
    rows
}

/// One line per pair; why it has no closed form, and the law's numbers, where they are not those of the pair before.
pub(crate) fn pairs(rows: &[PairRow]) -> String {
    let mut text = String::new();
    let (mut before, mut reason_before) = ("", None);
    for pair in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  pair      {}: {} and {}, {} by {}, law {}",
            pair.name, pair.a, pair.b, pair.method, pair.kernel, pair.law
        );
        if let Some(reason) = pair.not_analytic.filter(|_| pair.not_analytic != reason_before) {
            let _ = writeln!(text, "            not analytic: {reason}");
        }
        reason_before = pair.not_analytic;
        if pair.resolved != before {
            let _ = writeln!(text, "            {}", pair.resolved);
            before = &pair.resolved;
        }
    }
    text
}

fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

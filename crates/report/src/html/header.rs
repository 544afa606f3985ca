//! The top of the page: what was run, how it ended, key numbers, expectations, warnings.

use carom_results::manifest::TotalsRecord;
use carom_results::{Manifest, RunData, ScenePair};

use super::table::{Cell, table};
use crate::escape::escape;
use crate::scale::{count, number, quantity};

/// Title, end reason, one line of provenance.
pub(super) fn header(data: &RunData) -> String {
    let m = data.manifest();
    let p = &m.provenance;
    let solver = if p.solver.method.is_empty() { String::new() } else { p.solver.describe() };
    let hash: String = p.model.hash.chars().take(8).collect();
    let line: Vec<String> = [
        p.model.file.clone().unwrap_or_default(),
        if hash.is_empty() { hash } else { format!("model {hash}") },
        format!("Carom {}", p.program.version),
        solver,
        m.timing.started.replace('T', " ").replace('Z', " UTC"),
    ]
    .into_iter()
    .filter(|text| !text.is_empty())
    .map(|text| format!("<span>{}</span>", escape(&text)))
    .collect();
    format!(
        "<header>\n<p class=\"brand\">Carom run report</p>\n<h1>{} <span class=\"badge {class}\">{reason}</span></h1>\n\
         <p class=\"facts\">{}</p>\n{}</header>\n",
        escape(&m.name),
        line.join(""),
        problem(m),
        class = end_class(&m.end.reason),
        reason = escape(&m.end.reason),
    )
}

fn end_class(reason: &str) -> &'static str {
    match reason {
        "finished" => "good",
        "failed" => "bad",
        _ => "fair",
    }
}

fn problem(m: &Manifest) -> String {
    let Some(problem) = &m.end.problem else { return String::new() };
    let help =
        if problem.help.is_empty() { String::new() } else { format!("<p>{}</p>", escape(&problem.help)) };
    format!(
        "<div class=\"note bad\"><p><b>{}</b> {} <span class=\"dim\">(stopped at {})</span></p>{help}</div>\n",
        escape(&problem.code),
        escape(&problem.message),
        quantity(m.end.time_s, "s"),
    )
}

/// Key numbers, expectations and warnings.
pub(super) fn summary(data: &RunData) -> String {
    let m = data.manifest();
    format!("{}{}{}", cards(data), expectations(m), warnings(m))
}

fn cards(data: &RunData) -> String {
    let m = data.manifest();
    let moving = m.scene.bodies.iter().filter(|b| !b.fixed).count();
    let times = format!("{} output times", count(data.output_times()));
    let mut cards = vec![card("simulated", &time_reached(m), &times)];
    if let Some(s) = &m.statistics {
        let realtime = m.end.time_s / s.wall_s;
        let factor =
            if realtime.is_finite() { format!("{} × real time", number(realtime)) } else { String::new() };
        cards.push(card("computed in", &quantity(s.wall_s, "s"), &factor));
        let work = format!("{} rejected, {} right-hand sides", count(s.rejected), count(s.rhs));
        cards.push(card("steps", &count(s.steps), &work));
        cards.push(card("contact events", &count(s.events), ""));
    }
    cards.push(card("moving bodies", &moving.to_string(), &parts(m)));
    if let Some((totals, pair)) = greatest(m, |t| t.max_fn_n) {
        let at = format!("{} at {}", pair.name, quantity(totals.max_fn_time_s, "s"));
        let name = if pair.is_cable() { "greatest tension" } else { "greatest normal force" };
        cards.push(card(name, &quantity(totals.max_fn_n, pair.unit("N")), &at));
    }
    if let Some((totals, pair)) = greatest(m, |t| t.max_penetration_m) {
        let depth = quantity(totals.max_penetration_m, pair.unit("m"));
        let at = format!("{} at {}", pair.name, quantity(totals.max_penetration_time_s, "s"));
        let name = if pair.is_cable() { "greatest stretch" } else { "greatest penetration" };
        cards.push(card(name, &depth, &at));
    }
    if let Some(e) = &m.energy {
        let moved = format!("of {} {}", quantity(e.reference(), "J"), e.reference_word());
        cards.push(card("energy residual", &number(e.residual_relative), &moved));
    }
    format!("<div class=\"cards\">\n{}</div>\n", cards.concat())
}

/// The pair with the greatest of something: of surfaces, and only where none of them has any, of stops of joints, whose angles
/// and torques are not to be ranked with lengths and forces.
fn greatest(m: &Manifest, of: impl Fn(&TotalsRecord) -> f64) -> Option<(&TotalsRecord, &ScenePair)> {
    let all = || m.totals.iter().zip(&m.scene.pairs).filter(|(totals, _)| of(totals) > 0.0);
    let most = |a: &(&TotalsRecord, &ScenePair), b: &(&TotalsRecord, &ScenePair)| of(a.0).total_cmp(&of(b.0));
    let touching = all().filter(|(_, pair)| pair.is_of_surfaces()).max_by(most);
    touching.or_else(|| all().max_by(most))
}

/// What the bodies have to do with: joints, forces, constraints, pairs.
fn parts(m: &Manifest) -> String {
    let scene = &m.scene;
    let plural = |n: usize, one: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{} {one}s", count(n as u64)),
    };
    let parts = [
        (scene.joints.len(), "joint"),
        (scene.forces.len(), "force"),
        (scene.constraints.len(), "constraint"),
    ];
    let mut words: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, one)| plural(n, one)).collect();
    let pairs = scene.pairs.iter().filter(|pair| !pair.is_cable()).count();
    if pairs > 0 || words.is_empty() {
        words.push(format!("{} may touch", plural(pairs, "pair")));
    }
    words.join(", ")
}

fn time_reached(m: &Manifest) -> String {
    let planned = m.provenance.solver.t_end_s;
    if planned > m.end.time_s {
        format!("{} of {}", quantity(m.end.time_s, "s"), quantity(planned, "s"))
    } else {
        quantity(m.end.time_s, "s")
    }
}

pub(super) fn card(name: &str, value: &str, more: &str) -> String {
    format!(
        "<div class=\"card\"><span>{}</span><b>{}</b><small>{}</small></div>\n",
        escape(name),
        escape(value),
        // Long names break at their joints.
        escape(more).replace('|', "|<wbr>")
    )
}

fn expectations(m: &Manifest) -> String {
    if m.expectations.is_empty() {
        return String::new();
    }
    let failed = m.expectations.iter().filter(|v| !v.passed).count();
    let title = match failed {
        0 => format!("Expectations: all {} met", m.expectations.len()),
        n => format!("Expectations: {n} of {} failed", m.expectations.len()),
    };
    let rows = m.expectations.iter().map(|v| {
        let verdict = if v.passed { Cell::badge("pass", "good") } else { Cell::badge("FAIL", "bad") };
        vec![
            verdict,
            Cell::code(&v.quantity),
            Cell::number(quantity(v.measured, &v.unit)),
            Cell::text(&v.wanted),
        ]
    });
    let table = table(&["", "quantity", "#measured", "wanted"], rows);
    format!("<section>\n<h2>{}</h2>\n{table}</section>\n", escape(&title))
}

fn warnings(m: &Manifest) -> String {
    let (notes, warnings): (Vec<&str>, Vec<&str>) =
        m.warnings.iter().map(String::as_str).partition(|text| text.starts_with('N'));
    remarks("warning", "fair", &warnings) + &remarks("note", "", &notes)
}

/// A box of remarks of one kind; nothing of none.
fn remarks(kind: &str, class: &str, all: &[&str]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let items: String = all.iter().map(|text| format!("<li>{}</li>", escape(text))).collect();
    let title = if all.len() == 1 { format!("1 {kind}") } else { format!("{} {kind}s", all.len()) };
    format!("<div class=\"note {class}\"><p><b>{title}</b></p><ul>{items}</ul></div>\n")
}

//! The event log and the pairs.

use std::collections::HashMap;

use carom_results::manifest::TotalsRecord;
use carom_results::{Error, EventRow, ScenePair};

use super::Context;
use super::figure::folded;
use super::table::{Cell, table};
use crate::escape::escape;
use crate::scale::{count, number, quantity};

/// Events shown; the table has the rest.
const MOST_EVENTS: usize = 200;
/// Pairs in each list; the table has the rest.
const MOST_PAIRS: usize = 200;

/// The event log; empty if nothing happened.
pub(super) fn events(context: &Context<'_>) -> Result<String, Error> {
    let (events, total) = context.data.first_events(MOST_EVENTS)?;
    if events.is_empty() {
        return Ok(String::new());
    }
    let is_cut = total > events.len() as u64;
    let total = count(total);
    let note = if is_cut {
        format!("The first {MOST_EVENTS} of {total} events; all are in <code>events.parquet</code>.")
    } else {
        format!("{total} events.")
    };
    let pairs: HashMap<&str, &ScenePair> =
        context.data.scene().pairs.iter().map(|pair| (pair.name.as_str(), pair)).collect();
    let rows = events.iter().map(|event| event_row(event, pairs.get(event.pair.as_str()).copied()));
    let heads = [
        "#time",
        "kind",
        "pair",
        "#approach speed",
        "#impulse",
        "#greatest penetration",
        "#greatest force",
        "point (m)",
    ];
    Ok(format!("<p class=\"dim\">{note}</p>\n<div class=\"tall\">{}</div>\n", table(&heads, rows)))
}

fn event_row(event: &EventRow, of: Option<&ScenePair>) -> Vec<Cell> {
    let unit = |unit| of.map_or(unit, |pair| pair.unit(unit));
    let pair = if event.feature.is_empty() {
        event.pair.clone()
    } else {
        format!("{} {}", event.pair, event.feature)
    };
    let unless_zero = |value: f64, own: &'static str| {
        Cell::number(if value == 0.0 { "–".to_owned() } else { quantity(value, unit(own)) })
    };
    vec![
        Cell::number(format!("{:.9}\u{a0}s", event.time)),
        Cell::text(&event.kind.replace('_', " ")),
        Cell::code(&pair),
        Cell::number(quantity(event.approach_speed, unit("m/s"))),
        unless_zero(event.impulse_normal, "N s"),
        unless_zero(event.max_penetration, "m"),
        unless_zero(event.max_force, "N"),
        Cell::text(&event.position.map(number).join(", ")),
    ]
}

/// Pairs with their laws and totals: those that touched, then the others folded.
pub(super) fn pairs(context: &Context<'_>) -> Result<String, Error> {
    let m = context.data.manifest();
    let restitutions = context.data.restitutions()?;
    let with_totals = |i: usize| (&m.scene.pairs[i], m.totals.get(i).copied());
    let all = (0..m.scene.pairs.len()).map(with_totals);
    let (mut touched, idle): (Vec<_>, Vec<_>) =
        all.partition(|(_, t)| t.is_none_or(|t| t.begins > 0 || t.max_penetration_m > 0.0));
    touched.sort_by(|a, b| impulse(b.1).total_cmp(&impulse(a.1)));
    let mut html = String::new();
    if !touched.is_empty() {
        let rows = touched
            .iter()
            .take(MOST_PAIRS)
            .map(|(pair, totals)| pair_row(pair, *totals, restitutions.get(pair.name.as_str())));
        let heads = [
            "pair",
            "#begins",
            "#greatest penetration",
            "#greatest force",
            "#at",
            "#greatest pressure",
            "#normal impulse",
            "#lost",
            "#model defect",
            "#restitution",
            "kernel",
            "law",
        ];
        html.push_str(&format!(
            "<h3>Pairs <small>{} touched, of {}</small></h3>\n{}<div class=\"tall\">{}</div>\n",
            count(touched.len() as u64),
            count(m.scene.pairs.len() as u64),
            choice(touched.len(), "with the greatest impulses"),
            table(&heads, rows)
        ));
    }
    if !idle.is_empty() {
        let rows = idle
            .iter()
            .take(MOST_PAIRS)
            .map(|(pair, _)| vec![Cell::code(&pair.name), Cell::text(&pair.kernel), Cell::long(&pair.law)]);
        html.push_str(&folded(
            &format!("{} pairs that never touched", count(idle.len() as u64)),
            &(choice(idle.len(), "in the order of the model") + &table(&["pair", "kernel", "law"], rows)),
        ));
    }
    Ok(html)
}

/// Says that a list shows some of the pairs, and which.
fn choice(total: usize, which: &str) -> String {
    if total <= MOST_PAIRS {
        return String::new();
    }
    let total = count(total as u64);
    format!(
        "<p class=\"dim\">The first {MOST_PAIRS} of {total}, {which}; all are in <code>pairs.parquet</code>.</p>\n"
    )
}

fn impulse(totals: Option<TotalsRecord>) -> f64 {
    totals.map_or(0.0, |t| t.impulse_n_s)
}

fn pair_row(pair: &ScenePair, totals: Option<TotalsRecord>, restitution: Option<&[f64; 2]>) -> Vec<Cell> {
    let mut cells = vec![Cell::code(&pair.name)];
    match totals {
        Some(t) => cells.extend([
            Cell::number(count(t.begins)),
            Cell::number(quantity(t.max_penetration_m, pair.unit("m"))),
            Cell::number(quantity(t.max_fn_n, pair.unit("N"))),
            Cell::number(format!("{:.6}\u{a0}s", t.max_fn_time_s)),
            Cell::number(match t.max_pressure_pa {
                0.0 => "–".to_owned(),
                pressure => quantity(pressure, "Pa"),
            }),
            Cell::number(quantity(t.impulse_n_s, pair.unit("N s"))),
            Cell::number(quantity(t.dissipated_j, "J")),
            Cell::number(quantity(t.model_defect_j, "J")),
        ]),
        None => cells.extend((0..8).map(|_| Cell::number("–".to_owned()))),
    }
    cells.push(Cell::number(restitution.map_or("–".to_owned(), range)));
    cells.push(Cell::text(&pair.kernel));
    cells.push(Cell::long(&pair.law));
    cells
}

fn range([low, high]: &[f64; 2]) -> String {
    let (low, high) = (number(*low), number(*high));
    if low == high { low } else { format!("{low} … {high}") }
}

/// A list of facts: names and safe HTML.
pub(super) fn facts(facts: &[(&str, String)]) -> String {
    let rows: String = facts
        .iter()
        .filter(|(_, html)| !html.is_empty())
        .map(|(name, html)| format!("<dt>{}</dt><dd>{html}</dd>\n", escape(name)))
        .collect();
    format!("<dl>\n{rows}</dl>\n")
}

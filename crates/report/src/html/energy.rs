//! Energy: what is stored, what has left, and what the accounts fail to balance.

use carom_results::{Error, Series};

use super::Context;
use super::figure::{grid, over_time};
use super::table::{Cell, table};
use crate::plot::time_panel;
use crate::scale::{number, quantity};

const STORED: [&str; 5] = ["kinetic", "gravity", "springs", "contact_elastic", "mechanical"];
const MOVED: [&str; 8] = [
    "work_motors",
    "work_external",
    "dissipated_normal",
    "dissipated_friction",
    "dissipated_viscous",
    "dissipated_impact",
    "projection",
    "model_defect",
];

/// The section.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let mut html = String::new();
    for (title, accounts) in
        [("Stored", &STORED[..]), ("Work and losses since the start", &MOVED), ("Residual", &["residual"])]
    {
        let series = used(context, accounts)?;
        if !series.is_empty() {
            html.push_str(&over_time(context, time_panel(title, "energy", series)));
        }
    }
    let steps = context.data.series("steps.h")?;
    if !steps.values.is_empty() {
        let series = vec![Series { name: "h".to_owned(), ..steps }];
        html.push_str(&over_time(context, time_panel("Step size", "step", series)));
    }
    Ok(format!("{}{}", grid(&html), ledger(context)))
}

/// Accounts that are ever anything but zero.
fn used(context: &Context<'_>, accounts: &[&str]) -> Result<Vec<Series>, Error> {
    let mut series = Vec::new();
    for account in accounts {
        let one = context.data.series(&format!("energy.{account}"))?;
        if one.values.iter().any(|v| *v != 0.0) {
            series.push(Series { name: account.replace('_', " "), ..one });
        }
    }
    Ok(series)
}

/// Accounts at the end.
fn ledger(context: &Context<'_>) -> String {
    let Some(energy) = &context.data.manifest().energy else { return String::new() };
    let accounts = energy.accounts();
    let rows = accounts
        .iter()
        .filter(|(name, value)| *value != 0.0 || *name == "residual")
        .map(|(name, value)| vec![Cell::text(&name.replace('_', " ")), Cell::number(quantity(*value, "J"))]);
    let note = format!(
        "<p class=\"dim\">Every account is computed on its own. The residual, what they fail to balance, measures the \
         integration: at most {} of the {} that {}.</p>\n",
        number(energy.residual_relative),
        quantity(energy.reference(), "J"),
        if energy.reference_word() == "moved" {
            "moved between the accounts"
        } else {
            "is there, since none moves"
        },
    );
    format!("{note}{}", table(&["account at the end", "#energy"], rows))
}

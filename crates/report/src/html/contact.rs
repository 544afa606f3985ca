//! Contacts: forces and penetrations by line, the pairs with their laws.

use carom_results::{Error, Series};

use super::figure::{PER_CHART, folded, grid, over_time};
use super::{Context, area, tables, worst};
use crate::peaks::{Peaks, peak_dots};
use crate::plot::time_panel;

/// The section; empty if nothing can touch.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let scene = context.data.scene();
    if scene.pairs.is_empty() {
        return Ok(String::new());
    }
    let lines: Vec<String> = scene.lines().into_iter().map(str::to_owned).collect();
    let pairs = busiest_pairs(context);
    let peaks = Peaks::of(context.data, lines.iter().chain(&pairs).map(String::as_str))?;
    let mut html = grid(&(charts(context, &lines, &peaks, "")? + &area::chart(context, &lines)?));
    if html.is_empty() {
        html.push_str("<p class=\"dim\">No contact was closed at any output time.</p>\n");
    } else {
        html.push_str(
            "<p class=\"dim\">Curves show the output times; points are the located peaks of single contacts, also of those that \
             lie between two output times. Where several touch at once the curve is their sum.</p>\n",
        );
    }
    if scene.pairs.iter().filter(|pair| !pair.is_cable()).count() > lines.len() && !pairs.is_empty() {
        let title = format!("Forces of the {} pairs with the greatest impulse", pairs.len());
        html.push_str(&folded(&title, &grid(&charts(context, &pairs, &peaks, " by pair")?)));
    }
    html.push_str(&worst::maps(context)?);
    html.push_str(&tables::pairs(context)?);
    Ok(html)
}

/// Names of the pairs with the greatest impulse; charts of cables are those of force elements.
fn busiest_pairs(context: &Context<'_>) -> Vec<String> {
    let m = context.data.manifest();
    let mut pairs: Vec<_> =
        m.totals.iter().zip(&m.scene.pairs).filter(|(t, p)| t.impulse_n_s > 0.0 && !p.is_cable()).collect();
    pairs.sort_by(|a, b| b.0.impulse_n_s.total_cmp(&a.0.impulse_n_s));
    pairs.into_iter().take(PER_CHART).map(|(_, pair)| pair.name.clone()).collect()
}

fn charts(context: &Context<'_>, owners: &[String], peaks: &Peaks, suffix: &str) -> Result<String, Error> {
    let mut html = String::new();
    for (title, at_limits, label, quantity) in [
        ("Normal force", "Torque at limits", "normal force", "fn"),
        ("Friction force", "", "friction force", "ft"),
        ("Penetration", "Angle beyond limits", "penetration", "penetration"),
        ("Pressure", "", "pressure", "pressure"),
    ] {
        let mut curves = Vec::new();
        for owner in owners {
            let series = context.data.series(&format!("{owner}.{quantity}"))?;
            let peaks = peaks.get(owner, quantity);
            if !peaks.is_empty() || series.values.iter().any(|v| *v != 0.0) {
                curves.push((Series { name: owner.clone(), ..series }, peaks));
            }
        }
        // Limits of angles have other units than what touches.
        let (limits, touching): (Vec<_>, Vec<_>) =
            curves.into_iter().partition(|(curve, _)| context.data.scene().is_angular(&curve.name));
        for (title, curves) in [(title, touching), (at_limits, limits)] {
            for (index, part) in curves.chunks(PER_CHART).enumerate() {
                let more = if index == 0 { "" } else { " (continued)" };
                html.push_str(&chart(context, &format!("{title}{suffix}{more}"), label, part));
            }
        }
    }
    Ok(html)
}

/// Curves with their peaks as points.
fn chart(context: &Context<'_>, title: &str, label: &str, curves: &[(Series, &[(f64, f64)])]) -> String {
    let series = curves.iter().map(|(series, _)| series.clone()).collect();
    let mut panel = time_panel(title, label, series);
    let dots = curves.iter().enumerate().filter(|(_, (_, peaks))| !peaks.is_empty());
    panel.dots = dots.map(|(line, (_, peaks))| peak_dots(line, peaks)).collect();
    over_time(context, panel)
}

//! What a person reads when a run has ended.

use std::fmt::Write;
use std::time::Duration;

use carom_results::manifest::{TotalsRecord, Verdict};
use carom_results::{Manifest, ScenePair};

use crate::progress::grouped;

/// Pairs that are shown.
const WORST: usize = 5;

/// Wall time by part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// Reading and compiling the model.
    pub(crate) load: Duration,
    /// Running and recording.
    pub(crate) run: Duration,
    /// Converting tables and writing the report.
    pub(crate) finish: Duration,
}

/// A few lines about a run.
pub(crate) fn text(manifest: &Manifest, times: Option<&Times>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}  {} at t = {} s", manifest.name, manifest.end.reason, manifest.end.time_s);
    if let Some(s) = &manifest.statistics {
        let _ = writeln!(
            text,
            "  steps     {} (rejected {}), right-hand sides {}, events {}",
            grouped(s.steps),
            grouped(s.rejected),
            grouped(s.rhs),
            grouped(s.events)
        );
        if s.jacobians > 0 {
            let _ = writeln!(
                text,
                "  implicit  Jacobians {}, factorisations {}, Newton iterations {}",
                grouped(s.jacobians),
                grouped(s.factorizations),
                grouped(s.newton_iterations)
            );
        }
        if let Some(times) = times {
            let output = (times.run.as_secs_f64() - s.wall_s).max(0.0) + times.finish.as_secs_f64();
            let _ = writeln!(
                text,
                "  time      load {:.2} s, solve {:.2} s, output {output:.2} s ({:.3} x realtime)",
                times.load.as_secs_f64(),
                s.wall_s,
                manifest.end.time_s / s.wall_s
            );
        }
    }
    if let Some(energy) = &manifest.energy {
        let _ = writeln!(
            text,
            "  energy    residual {:.1e} of {:.3e} J {}",
            energy.residual_relative,
            energy.reference(),
            energy.reference_word()
        );
    }
    text.push_str(&model_defect(manifest));
    text.push_str(&depths(manifest));
    for warning in &manifest.warnings {
        let label = if warning.starts_with('N') { "note" } else { "warning" };
        let _ = writeln!(text, "  {label:<9} {warning}");
    }
    text
}

/// What contacts have stored beyond the work on them, and the pair whose contacts of areas have most of it.
fn model_defect(manifest: &Manifest) -> String {
    let Some(energy) = manifest.energy.as_ref().filter(|energy| energy.model_defect_j != 0.0) else {
        return String::new();
    };
    let all = format!("  defect    {:.1e} J stored beyond the work on contacts\n", energy.model_defect_j);
    all + &worst_defect(manifest)
}

/// The pair whose contacts of areas have stored most energy that no work accounts for, if there is any.
fn worst_defect(manifest: &Manifest) -> String {
    let of_areas = manifest.scene.pairs.iter().zip(&manifest.totals);
    let of_areas = of_areas.filter_map(|(pair, t)| {
        t.worst_jump.filter(|jump| jump.triangle.is_some()).map(|jump| (pair, t.model_defect_j, jump))
    });
    of_areas.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map_or(String::new(), |(pair, defect, jump)| {
        format!("            {defect:.1e} J of {}, most {}\n", pair.name, jump.describe(pair))
    })
}

/// Greatest penetrations, the worst pairs first, with the greatest forces and pressures of the same pairs.
fn depths(manifest: &Manifest) -> String {
    let mut pairs: Vec<(&ScenePair, &TotalsRecord)> = manifest
        .scene
        .pairs
        .iter()
        .zip(&manifest.totals)
        .filter(|(_, totals)| totals.begins > 0 || totals.max_penetration_m > 0.0)
        .collect();
    // Those of rigid pairs are rounding.
    let depth = |(pair, t): &(&ScenePair, &TotalsRecord)| match pair.law.starts_with("rigid") {
        true => f64::NEG_INFINITY,
        false => t.max_penetration_m,
    };
    let loss = |(_, t): &(&ScenePair, &TotalsRecord)| t.dissipated_j;
    pairs.sort_by(|a, b| depth(b).total_cmp(&depth(a)).then(loss(b).total_cmp(&loss(a))));
    let width = pairs.iter().take(WORST).map(|(pair, _)| pair.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (rank, (pair, t)) in pairs.iter().take(WORST).enumerate() {
        // Rigid surfaces have no depth but rounding, and impacts no force.
        let is_rigid = pair.law.starts_with("rigid");
        let label = match rank {
            0 if is_rigid => "rigid",
            0 => "deepest",
            _ => "",
        };
        let _ = write!(text, "  {label:<9} {:<width$}  ", pair.name);
        if is_rigid {
            let plural = if t.begins == 1 { "contact" } else { "contacts" };
            let (force, unit) = (t.max_fn_n, pair.unit("N"));
            let lost = t.dissipated_j;
            let _ = writeln!(
                text,
                "{} {plural}, lost {lost:.3e} J, force between impacts up to {force:.3e} {unit}",
                t.begins
            );
            continue;
        }
        let _ = write!(
            text,
            "{:.3e} {}, force {:.3e} {} at {:.6} s",
            t.max_penetration_m,
            pair.unit("m"),
            t.max_fn_n,
            pair.unit("N"),
            t.max_fn_time_s
        );
        if t.max_pressure_pa > 0.0 {
            let _ = write!(text, ", pressure {:.3e} Pa", t.max_pressure_pa);
        }
        text.push('\n');
    }
    if pairs.len() > WORST {
        let _ = writeln!(text, "            and {} more pairs", pairs.len() - WORST);
    }
    text
}

/// One line per expectation.
pub(crate) fn verdicts(verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    for v in verdicts {
        let word = if v.passed { "met   " } else { "FAILED" };
        let unit = if v.unit.is_empty() { String::new() } else { format!(" {}", v.unit) };
        let _ = writeln!(text, "  {word}    {}: {}{unit}, wanted {}{unit}", v.quantity, v.measured, v.wanted);
    }
    text
}

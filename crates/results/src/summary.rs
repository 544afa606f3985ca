//! A run in plain text: what `carom info` prints.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use crate::manifest::{EnergyRecord, FinalJoint, Manifest, TotalsRecord};
use crate::tables::{derived, joints};
use crate::{Error, Held, RunData, SceneJoint, ScenePair, held};

/// Pairs listed, those with the greatest impulse first.
const MOST_PAIRS: usize = 40;

/// Pairs listed with what they store beyond the work on them, the worst first.
const MOST_DEFECTS: usize = 10;

/// Pairs listed with their greatest pressure.
const MOST_PRESSURES: usize = 10;

/// Joints listed, in the order of the model.
const MOST_JOINTS: usize = 40;

/// Provenance, statistics, energy ledger, joints, pairs, warnings.
pub fn summary(data: &RunData) -> Result<String, Error> {
    let m = data.manifest();
    let mut text = String::new();
    let restitutions = data.restitutions()?;
    // Writing to a string does not fail.
    let _ = provenance(&mut text, data)
        .and_then(|()| statistics(&mut text, m))
        .and_then(|()| m.energy.as_ref().map_or(Ok(()), |energy| ledger(&mut text, energy)))
        .and_then(|()| final_joints(&mut text, m))
        .and_then(|()| pairs(&mut text, m, &restitutions))
        .and_then(|()| notes(&mut text, m));
    Ok(text)
}

/// Whether a run that has not ended is under way, by the lock of its folder.
fn state(dir: &Path) -> String {
    let recover = format!("carom recover {} saves what it has left", dir.display());
    match held(dir) {
        Held::Yes(Some(owner)) => format!("under way: {owner}"),
        Held::Yes(None) => "under way".to_owned(),
        Held::No => format!("was killed: {recover}"),
        Held::Elsewhere(owner) => {
            format!("under way or killed on another host: {owner}; if killed, {recover} with --force")
        }
    }
}

fn provenance(out: &mut String, data: &RunData) -> std::fmt::Result {
    let m = data.manifest();
    let p = &m.provenance;
    let hash: String = p.model.hash.chars().take(8).collect();
    writeln!(out, "{} ({hash})  {} at t = {:?} s", m.name, m.end.reason, m.end.time_s)?;
    if let Some(problem) = &m.end.problem {
        writeln!(out, "  {} {}", problem.code, problem.message)?;
    }
    if m.is_running() {
        writeln!(out, "  {}", state(data.dir()))?;
    }
    let mut row = |name: &str, value: &str| match value {
        "" => Ok(()),
        value => writeln!(out, "  {name:<10}{value}"),
    };
    row("model", p.model.file.as_deref().unwrap_or(""))?;
    row("command", &p.command.line.join(" "))?;
    let commit = p.program.git_hash.as_ref().map(|hash| format!(", commit {hash}")).unwrap_or_default();
    row("program", &format!("carom {}{commit}", p.program.version))?;
    row("solver", &p.solver.describe())?;
    row("machine", &format!("{} ({}), {} threads", p.host.cpu, p.host.system, p.host.threads))?;
    row("started", &m.timing.started)?;
    for table in &m.tables {
        row("table", &format!("{} ({} rows)", table.file, table.rows))?;
    }
    Ok(())
}

fn statistics(out: &mut String, m: &Manifest) -> std::fmt::Result {
    let Some(s) = &m.statistics else { return Ok(()) };
    writeln!(
        out,
        "\nsteps {} (rejected {})  rhs {}  events {}  wall {:.3} s",
        s.steps, s.rejected, s.rhs, s.events, s.wall_s
    )?;
    if s.jacobians == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "jacobians {}  factorizations {}  newton iterations {}",
        s.jacobians, s.factorizations, s.newton_iterations
    )
}

fn ledger(out: &mut String, energy: &EnergyRecord) -> std::fmt::Result {
    writeln!(out, "\nenergy at the end (J)")?;
    for (name, value) in energy.accounts() {
        if value != 0.0 || name == "residual" {
            writeln!(out, "  {name:<22}{value:>14.6e}")?;
        }
    }
    writeln!(out, "  {:<22}{:>14.6e}", "energy moved", energy.energy_moved_j)?;
    if energy.reference_word() == "there" {
        writeln!(out, "  {:<22}{:>14.6e}", "energy there", energy.reference())?;
    }
    writeln!(out, "  {:<22}{:>14.3e}", "residual, relative", energy.residual_relative)
}

/// Where the joints are at the end, and how hard they hold.
fn final_joints(out: &mut String, m: &Manifest) -> std::fmt::Result {
    let all: Vec<_> = m.scene.joints.iter().zip(&m.final_joints).collect();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\njoints at the end")?;
    let shown = &all[..all.len().min(MOST_JOINTS)];
    let width = shown.iter().map(|(joint, _)| joint.name.chars().count()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "  {:<width$}  {:<11}  {:>11}  {:>12}  position",
        "joint", "kind", "force (N)", "torque (N m)"
    )?;
    for (joint, end) in shown {
        let [force, torque] = [end.force_n, end.torque_n_m].map(derived::norm);
        writeln!(
            out,
            "  {:<width$}  {:<11}  {force:>11.4e}  {torque:>12.4e}  {}",
            joint.name,
            joint.kind.name(),
            position(joint, end)
        )?;
    }
    match all.len() - shown.len() {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}

/// Coordinates with their units; a quaternion has none.
fn position(joint: &SceneJoint, end: &FinalJoint) -> String {
    let columns = joints::columns(joint);
    let coordinates = end.position.iter().zip(&columns);
    let text = coordinates.map(|(value, column)| format!("{value:.6} {}", column.unit).trim_end().to_owned());
    text.collect::<Vec<_>>().join(", ")
}

fn pairs(out: &mut String, m: &Manifest, restitutions: &HashMap<String, [f64; 2]>) -> std::fmt::Result {
    let mut touched: Vec<_> = m.scene.pairs.iter().zip(&m.totals).filter(|(_, t)| t.begins > 0).collect();
    if touched.is_empty() {
        return Ok(());
    }
    touched.sort_by(|a, b| b.1.impulse_n_s.total_cmp(&a.1.impulse_n_s));
    writeln!(out, "\npairs: {} touched of {}", touched.len(), m.scene.pairs.len())?;
    let shown = &touched[..touched.len().min(MOST_PAIRS)];
    let width = shown.iter().map(|(pair, _)| pair.name.chars().count()).max().unwrap_or(0).max(4);
    writeln!(
        out,
        "  {:<width$}  {:>7}  {:>16}  {:>17}  {:>14}  {:>18}  {:>11}  restitution",
        "pair", "begins", "penetration", "normal force", "at", "impulse", "lost (J)"
    )?;
    for (pair, t) in shown {
        writeln!(
            out,
            "  {:<width$}  {:>7}  {:>16}  {:>17}  {:>14}  {:>18}  {:>11.4e}  {}",
            pair.name,
            t.begins,
            format!("{:.6e} {}", t.max_penetration_m, pair.unit("m")),
            format!("{:.6e} {}", t.max_fn_n, pair.unit("N")),
            format!("{:.9} s", t.max_fn_time_s),
            format!("{:.6e} {}", t.impulse_n_s, pair.unit("N s")),
            t.dissipated_j,
            restitutions.get(&pair.name).map_or("-".to_owned(), spread)
        )?;
    }
    if touched.len() > shown.len() {
        writeln!(out, "  and {} more with smaller impulses", touched.len() - shown.len())?;
    }
    pressures(out, &touched)?;
    defects(out, &touched)
}

/// Greatest pressures of areal contact, the highest first.
fn pressures(out: &mut String, touched: &[(&ScenePair, &TotalsRecord)]) -> std::fmt::Result {
    let mut all: Vec<_> = touched.iter().filter(|(_, t)| t.max_pressure_pa > 0.0).collect();
    all.sort_by(|a, b| b.1.max_pressure_pa.total_cmp(&a.1.max_pressure_pa));
    if !all.is_empty() {
        writeln!(out, "\ngreatest pressures")?;
    }
    for (pair, t) in all.iter().take(MOST_PRESSURES) {
        writeln!(out, "  {}  {:.6e} Pa at {:.9} s", pair.name, t.max_pressure_pa, t.max_pressure_time_s)?;
    }
    Ok(())
}

/// Pairs that have stored energy which no work accounts for, the worst first.
fn defects(out: &mut String, touched: &[(&ScenePair, &TotalsRecord)]) -> std::fmt::Result {
    let mut all: Vec<_> = touched
        .iter()
        .filter_map(|(pair, t)| t.worst_jump.map(|jump| (*pair, t.model_defect_j, jump)))
        .collect();
    all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    if !all.is_empty() {
        writeln!(out, "\nmodel defects: energy stored beyond the work on the contacts")?;
    }
    for (pair, defect, jump) in all.iter().take(MOST_DEFECTS) {
        writeln!(out, "  {}  {defect:.4e} J, most of all {}", pair.name, jump.describe(pair))?;
    }
    Ok(())
}

fn spread([low, high]: &[f64; 2]) -> String {
    if high - low < 5e-5 { format!("{low:.4}") } else { format!("{low:.4} to {high:.4}") }
}

fn notes(out: &mut String, m: &Manifest) -> std::fmt::Result {
    for verdict in &m.expectations {
        let word = if verdict.passed { "pass" } else { "FAIL" };
        let v = verdict;
        writeln!(out, "\n{word}  {}: {:?} {}, wanted {}", v.quantity, v.measured, v.unit, v.wanted)?;
    }
    m.warnings.iter().try_for_each(|warning| {
        let label = if warning.starts_with('N') { "note" } else { "warning" };
        writeln!(out, "\n{label}: {warning}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};

    #[test]
    fn it_says_what_matters() {
        let dir = TempDir::new("summary");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let text = summary(&RunData::open(dir.path()).unwrap()).unwrap();
        for wanted in [
            "bouncing-ball (3f9a1c22)  finished at t = 2.0 s",
            "ode45, rtol 1e-6",
            "steps 200 (rejected 28)",
            "residual, relative",
            "0.8000",
            "warning: W0601",
            "states.parquet (201 rows)",
        ] {
            assert!(text.contains(wanted), "{wanted} in\n{text}");
        }
    }

    #[test]
    fn joints_are_listed_with_their_reactions() {
        let dir = TempDir::new("summary-joints");
        fixture::finished(dir.path(), &FakeRun::mechanism());
        let text = summary(&RunData::open(dir.path()).unwrap()).unwrap();
        let hinge = text.lines().find(|line| line.contains("revolute")).unwrap();
        assert!(hinge.starts_with("  hinge ") && hinge.ends_with("0.909297 rad"), "{hinge}");
        assert!(text.lines().any(|line| line.contains("weld") && line.contains("fixed")));
    }

    #[test]
    fn many_pairs_are_cut_with_their_number() {
        let dir = TempDir::new("summary-many");
        fixture::finished(dir.path(), &FakeRun { frames: 50, ..FakeRun::billiard() });
        let text = summary(&RunData::open(dir.path()).unwrap()).unwrap();
        assert!(text.contains("more with smaller impulses") && text.lines().count() < 80);
    }
}

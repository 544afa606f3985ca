//! Ropes that do not stretch pull, and never push: which of them are taut in an equilibrium follows from the search.

use super::differences;
use super::equilibrium::close;
use super::{Dynamics, EquilibriumLimits};
use crate::mechanics::constraint::cable_geometry;
use crate::mechanics::{ForceData, Owner};
use crate::outcome::RunError;

/// Overlength of a slack rope, over its path, and push of a taut one, over all multipliers, that rounding may leave.
const ROUNDED: f64 = 1e-9;
/// Searches per rope: it may have to be let go and taken again as others are.
const CHANGES: usize = 4;

/// The rope that pushes most at a balance of forces, or the one that is too long by most, by its group. None if every rope is taut and
/// pulls, or is slack.
fn find_worst(dynamics: &mut Dynamics<'_>) -> Option<usize> {
    let multipliers = differences::balance(dynamics).multipliers;
    let rows = &dynamics.evaluator.workspace.mechanism.solver.rows;
    let largest = multipliers.amax();
    let here = dynamics.evaluator.workspace.here();
    let holds = &dynamics.evaluator.workspace.mechanism.holds;
    let mut worst: Option<(usize, f64)> = None;
    for (group, data) in here.mechanics.constraints.iter().enumerate() {
        let Owner::Cable(force) = data.owner else { continue };
        let ForceData::Cable(cable) = &here.mechanics.forces[force] else { continue };
        let amiss = if holds[group] {
            // The multiplier is minus the tension.
            let row = rows.rows.iter().position(|row| row.group == group);
            row.map_or(0.0, |row| multipliers[row]) / largest.max(f64::MIN_POSITIVE)
        } else {
            let geometry = cable_geometry(&here, cable);
            (geometry.path - geometry.length) / geometry.path.max(f64::MIN_POSITIVE)
        };
        if amiss > ROUNDED && worst.is_none_or(|(_, most)| amiss > most) {
            worst = Some((group, amiss));
        }
    }
    worst.map(|(group, _)| group)
}

/// Searches until no rope pushes and none is too long.
pub(super) fn search_with_ropes<T>(
    dynamics: &mut Dynamics<'_>,
    limits: &EquilibriumLimits,
    search: impl Fn(&mut Dynamics<'_>, &EquilibriumLimits) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let constraints = &dynamics.system().mechanics.constraints;
    let ropes = constraints.iter().filter(|data| matches!(data.owner, Owner::Cable(_))).count();
    let mut changes = CHANGES * ropes;
    loop {
        let mut start = dynamics.state().to_vec();
        let found = search(dynamics, limits);
        let Some(group) = find_worst(dynamics) else { return found };
        if changes == 0 {
            let message = format!(
                "ropes go slack and taut in turn: no static equilibrium after {} searches",
                CHANGES * ropes
            );
            let help = "start nearer to the equilibrium".to_owned();
            return Err(RunError {
                code: "E0607",
                message,
                time: dynamics.time(),
                body: None,
                pair: None,
                help,
            });
        }
        changes -= 1;
        // What falls for ever is caught by a rope that is taken where it began to.
        if found.is_ok() {
            start.copy_from_slice(dynamics.state());
        }
        let hold = &mut dynamics.evaluator.workspace.mechanism.holds[group];
        *hold = !*hold;
        close(dynamics, &mut start)?;
    }
}

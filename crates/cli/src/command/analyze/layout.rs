//! Tables in plain text, and names with units.

use carom_engine::analysis::Freedom;
use carom_engine::model::AxisMeasure;
use carom_results::Scene;
use carom_results::tables::with_unit;

/// Columns side by side: the first to the left, numbers to the right.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| rows.iter().filter_map(|row| row.get(k)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|k| width(k).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let line: Vec<String> = cells
            .map(
                |(k, (cell, &width))| {
                    if k == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        text.push_str("  ");
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// All digits, for reading back.
pub(super) fn exact(value: f64) -> String {
    format!("{value:?}")
}

/// Words as cells.
pub(super) fn cells<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// Unit of a force along a freedom.
pub(super) fn effort_unit(freedom: &Freedom) -> &'static str {
    match freedom.measure {
        AxisMeasure::Angle => "N m",
        AxisMeasure::Length => "N",
    }
}

/// Name of a force along a freedom with its unit: that of the joint's column in the results (`hinge.effort_n_m`,
/// `leg.effort1_n`), and where there is none `ball.effort_rx_n_m`.
pub(super) fn effort_name(freedom: &Freedom, scene: &Scene) -> String {
    let word = freedom.name.rsplit('.').next().unwrap_or_default();
    let name = match freedom.joint.map(|joint| &scene.joints[joint]) {
        Some(joint) => match joint.kind.axes().len() {
            0 => format!("{}.effort_{word}", joint.columns),
            1 => format!("{}.effort", joint.columns),
            _ => format!("{}.effort{}", joint.columns, freedom.axis),
        },
        None => format!("{}.effort_{word}", scene.bodies[freedom.body].name),
    };
    with_unit(&name, effort_unit(freedom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [cells(["name", "x"]), cells(["a", "-1.5"]), cells(["longer", ""])];
        assert_eq!(columns(&rows), "  name       x\n  a       -1.5\n  longer\n");
    }
}

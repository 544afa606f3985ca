//! Force elements and constraints.

use carom_results::tables::forces;
use carom_results::{Error, SceneElement, Series};

use super::Context;
use super::curves::{Group, charts};

/// Title, label at the axis, column and unit.
const COLUMNS: [(&str, &str, &str, &str); 4] = [
    ("Force of the elements", "force", "value", "N"),
    ("Torque of the elements", "torque", "value", "N m"),
    ("Length", "length", "length", "m"),
    ("Angle", "angle", "angle", "rad"),
];

/// The section; empty without force elements and constraints.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let scene = context.data.scene();
    let mut groups = Vec::new();
    for (title, label, base, unit) in COLUMNS {
        let has = |force: &&SceneElement| {
            let name = format!("{}.{base}", force.columns);
            forces::columns(force).iter().any(|column| column.base == name && column.unit == unit)
        };
        groups.push(Group { title, label, curves: curves(context, scene.forces.iter().filter(has), base)? });
    }
    for (title, label, base) in [
        ("Force or torque of the constraints (N or N m)", "effort", "effort"),
        ("Violation of the constraints (m or rad)", "violation", "violation"),
    ] {
        groups.push(Group { title, label, curves: curves(context, scene.constraints.iter(), base)? });
    }
    Ok(charts(context, groups, "More elements"))
}

fn curves<'a>(
    context: &Context<'_>,
    elements: impl Iterator<Item = &'a SceneElement>,
    base: &str,
) -> Result<Vec<Series>, Error> {
    let curve = |element: &SceneElement| {
        let series = context.data.series(&format!("{}.{base}", element.columns))?;
        Ok(Series { name: element.name.clone(), ..series })
    };
    elements.map(curve).collect()
}

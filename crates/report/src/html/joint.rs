//! Joints: coordinates, velocities, reactions and efforts.

use carom_results::manifest::FinalJoint;
use carom_results::tables::{Column, joints};
use carom_results::{Error, SceneJoint, Series};

use super::Context;
use super::curves::{Group, charts};
use super::figure::folded;
use super::table::{Cell, table};
use crate::scale::quantity;

/// Joints in the table of the end.
const MOST_ROWS: usize = 200;

/// Title, label at the axis, letters that the columns begin with, and unit. Quaternions and the velocities of
/// spherical and free joints are left to the tables: the bodies show that motion.
const COLUMNS: [(&str, &str, &str, &str); 6] = [
    ("Joint angle", "angle", "q", "rad"),
    ("Joint displacement", "displacement", "q", "m"),
    ("Joint speed, turning", "speed", "v", "rad/s"),
    ("Joint speed, sliding", "speed", "v", "m/s"),
    ("Torque of springs, friction, limits and motors", "torque", "effort", "N m"),
    ("Force of springs, friction, limits and motors", "force", "effort", "N"),
];

/// The section; empty without joints.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let scene = context.data.scene();
    if scene.joints.is_empty() {
        return Ok(String::new());
    }
    let mut groups = Vec::new();
    for (title, label, base, unit) in COLUMNS {
        let mut curves = Vec::new();
        for joint in scene.joints.iter().filter(|joint| !joint.kind.axes().is_empty()) {
            for column in joints::columns(joint).iter().filter(|c| is_scalar(c, base) && c.unit == unit) {
                curves.push(named(context, &legend(joint, column), &column.base)?);
            }
        }
        groups.push(Group { title, label, curves });
    }
    for (place, title, label, size) in
        [(4, "Reaction force", "force", "f"), (5, "Reaction torque", "torque", "m")]
    {
        let of = |joint: &SceneJoint| named(context, &joint.name, &format!("{}.{size}", joint.columns));
        let curves = scene.joints.iter().map(of).collect::<Result<_, _>>()?;
        groups.insert(place, Group { title, label, curves });
    }
    Ok(format!("{}{}", charts(context, groups, "More joints"), final_joints(context)))
}

/// Is it `q` or `q0`, `q1` …?
fn is_scalar(column: &Column, base: &str) -> bool {
    let own = column.base.rsplit('.').next().and_then(|own| own.strip_prefix(base));
    own.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// The joint's name, and which of several coordinates.
fn legend(joint: &SceneJoint, column: &Column) -> String {
    match column.base.rsplit_once('.') {
        Some((_, own)) if joint.kind.axes().len() > 1 => format!("{}.{own}", joint.name),
        _ => joint.name.clone(),
    }
}

fn named(context: &Context<'_>, name: &str, quantity: &str) -> Result<Series, Error> {
    Ok(Series { name: name.to_owned(), ..context.data.series(quantity)? })
}

fn final_joints(context: &Context<'_>) -> String {
    let m = context.data.manifest();
    let rows: Vec<_> = m.scene.joints.iter().zip(&m.final_joints).take(MOST_ROWS).map(final_row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["joint", "kind", "position", "velocity", "#reaction force", "#reaction torque", "effort"];
    let title = if m.scene.joints.len() > MOST_ROWS {
        format!("The first {MOST_ROWS} joints at {}", quantity(m.end.time_s, "s"))
    } else {
        format!("Joints at {}", quantity(m.end.time_s, "s"))
    };
    folded(&title, &table(&heads, rows))
}

fn final_row((joint, end): (&SceneJoint, &FinalJoint)) -> Vec<Cell> {
    // In the order of the columns; the reaction's six stand between the velocities and the efforts.
    let units: Vec<&str> = joints::columns(joint).iter().map(|c| c.unit).collect();
    let (positions, rest) = units.split_at(joint.kind.coordinates());
    let (velocities, rest) = rest.split_at(joint.kind.freedoms());
    let list = |values: &[f64], units: &[&str]| {
        let values = values.iter().zip(units).map(|(value, unit)| quantity(*value, unit));
        Cell::text(&values.collect::<Vec<_>>().join(", "))
    };
    let size = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
    vec![
        Cell::code(&joint.name),
        Cell::text(joint.kind.name()),
        list(&end.position, positions),
        list(&end.velocity, velocities),
        Cell::number(quantity(size(end.force_n), "N")),
        Cell::number(quantity(size(end.torque_n_m), "N m")),
        list(&end.effort, &rest[6..]),
    ]
}

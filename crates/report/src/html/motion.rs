//! Motion: path in the two widest axes, positions and speeds of the moving bodies.

use carom_results::{Error, Series};

use super::Context;
use super::curves::spread;
use super::figure::{PER_CHART, folded, grid, over_time, path};
use super::table::{Cell, table};
use crate::chart::{Axis, Line, Panel};
use crate::plot::time_panel;
use crate::scale::{number, quantity};

/// Bodies with charts at all; the tables have the rest.
const MOST_BODIES: usize = 64;
/// Bodies in the table of the end.
const MOST_ROWS: usize = 200;
/// An axis whose travel is less than this part of the widest does not count as motion.
const NEGLIGIBLE: f64 = 1e-6;

struct Body {
    name: String,
    position: [Series; 3],
    /// Distance travelled (m).
    travelled: f64,
}

/// The section; empty if nothing moves.
pub(super) fn section(context: &Context<'_>) -> Result<String, Error> {
    let mut bodies = moving(context)?;
    if bodies.is_empty() {
        return Ok(String::new());
    }
    let total = bodies.len();
    if total > PER_CHART {
        bodies.sort_by(|a, b| b.travelled.total_cmp(&a.travelled));
    }
    let axes = moved_axes(&bodies);
    let mut html = String::new();
    if total > PER_CHART {
        html.push_str(&format!(
            "<p class=\"dim\">The {PER_CHART} bodies that travel farthest, of {total}; {} are folded below.</p>\n",
            if total > MOST_BODIES { format!("the next, up to {MOST_BODIES},") } else { "the others".to_owned() }
        ));
    }
    let mut groups = bodies[..total.min(MOST_BODIES)].chunks(PER_CHART);
    if let Some(first) = groups.next() {
        html.push_str(&grid(&charts(context, first, &axes)?));
    }
    for (index, group) in groups.enumerate() {
        let from = (index + 1) * PER_CHART;
        let title = format!("Bodies {} to {}", from + 1, from + group.len());
        html.push_str(&folded(&title, &grid(&charts(context, group, &axes)?)));
    }
    html.push_str(&final_states(context));
    Ok(html)
}

fn moving(context: &Context<'_>) -> Result<Vec<Body>, Error> {
    let data = context.data;
    let names = data.scene().bodies.iter().filter(|b| !b.fixed).map(|b| &b.name);
    names
        .map(|name| {
            let axis = |axis| data.series(&format!("{name}.{axis}"));
            let position = [axis("x")?, axis("y")?, axis("z")?];
            let travelled = travelled(&position);
            Ok(Body { name: name.clone(), position, travelled })
        })
        .collect()
}

fn travelled([x, y, z]: &[Series; 3]) -> f64 {
    let step = |s: &Series, i: usize| s.values[i] - s.values[i - 1];
    let lengths = (1..x.values.len()).map(|i| step(x, i).hypot(step(y, i)).hypot(step(z, i)));
    lengths.filter(|d| d.is_finite()).sum()
}

/// Axes along which something moves, widest first: index and travel.
fn moved_axes(bodies: &[Body]) -> Vec<(usize, f64)> {
    let widest = |axis: usize| bodies.iter().map(|b| spread(&b.position[axis])).fold(0.0, f64::max);
    let mut axes: Vec<(usize, f64)> = (0..3).map(|axis| (axis, widest(axis))).collect();
    axes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let limit = NEGLIGIBLE * axes[0].1;
    axes.retain(|(_, travel)| *travel > limit);
    axes
}

fn charts(context: &Context<'_>, bodies: &[Body], axes: &[(usize, f64)]) -> Result<String, Error> {
    let mut html = String::new();
    if let [(first, wide), (second, narrow), ..] = axes
        && *narrow > 1e-3 * wide
    {
        html.push_str(&path(&path_panel(bodies, *first, *second)));
    }
    let mut shown: Vec<usize> = axes.iter().map(|(axis, _)| *axis).collect();
    shown.sort_unstable();
    for axis in shown {
        let series = bodies.iter().map(|b| named(&b.name, b.position[axis].clone())).collect();
        let name = ["x", "y", "z"][axis];
        html.push_str(&over_time(context, time_panel(&format!("Position {name}"), name, series)));
    }
    for (title, label, quantity) in
        [("Speed", "speed", "speed"), ("Angular speed", "angular speed", "angular_speed")]
    {
        let of = |b: &Body| Ok(named(&b.name, context.data.series(&format!("{}.{quantity}", b.name))?));
        let series = bodies.iter().map(of).collect::<Result<Vec<Series>, Error>>()?;
        if series.iter().any(|s| s.values.iter().any(|v| *v != 0.0)) {
            html.push_str(&over_time(context, time_panel(title, label, series)));
        }
    }
    Ok(html)
}

fn named(name: &str, series: Series) -> Series {
    Series { name: name.to_owned(), ..series }
}

fn path_panel(bodies: &[Body], first: usize, second: usize) -> Panel {
    // As on paper: x to the right, z up; of x and y, y up.
    let (across, up) = (first.min(second), first.max(second));
    let name = |axis: usize| ["x", "y", "z"][axis];
    let line = |b: &Body| Line {
        name: b.name.clone(),
        x: b.position[across].values.clone(),
        y: b.position[up].values.clone(),
    };
    Panel {
        title: format!("Path, seen along {}", name(3 - across - up)),
        x: Axis::new(name(across), "m"),
        y: Axis::new(name(up), "m"),
        lines: bodies.iter().map(line).collect(),
        equal_aspect: true,
        ..Panel::default()
    }
}

fn final_states(context: &Context<'_>) -> String {
    let m = context.data.manifest();
    let moving: Vec<_> = m.scene.bodies.iter().zip(&m.final_bodies).filter(|(body, _)| !body.fixed).collect();
    let rows: Vec<_> = moving
        .iter()
        .take(MOST_ROWS)
        .map(|(body, state)| {
            let mut cells = vec![Cell::code(&body.name)];
            cells.extend(state.position_m.map(|v| Cell::number(quantity(v, "m"))));
            cells.extend(state.velocity_m_s.map(|v| Cell::number(quantity(v, "m/s"))));
            cells.extend(state.angular_velocity_rad_s.map(|v| Cell::number(number(v))));
            cells
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["body", "#x", "#y", "#z", "#vx", "#vy", "#vz", "#ωx (rad/s)", "#ωy (rad/s)", "#ωz (rad/s)"];
    let title = match moving.len() {
        total if total > MOST_ROWS => {
            format!("The first {MOST_ROWS} of {total} bodies at {}", quantity(m.end.time_s, "s"))
        }
        _ => format!("Bodies at {}", quantity(m.end.time_s, "s")),
    };
    folded(&title, &table(&heads, rows))
}

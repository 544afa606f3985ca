//! Areal contact at its worst: pressure maps of the moments of greatest pressure, force and area, on the outlines of the surfaces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_results::{Error, PatchData, PatchTime, Worst, WorstMoment};

use super::Context;
use super::figure::grid;
use crate::escape::escape;
use crate::outline::outline;
use crate::plane::place;
use crate::pressure::{PressureMap, axes_of};
use crate::scale::{count, quantity};
use crate::svg;

/// Pairs with a map: those with the greatest pressures.
const MOST: usize = 4;
/// Elements of all maps together; more are too many lines for a page.
const MOST_ELEMENTS: usize = 30_000;
/// Outlines that are this many times as wide as the patches are shown in part.
const WIDE: f64 = 6.0;
/// How much is shown around the patches then, in parts of their width.
const AROUND: f64 = 3.0;

/// Maps with all patches of a pair at its worst moments; empty if none is recorded.
pub(super) fn maps(context: &Context<'_>) -> Result<String, Error> {
    let data = context.data;
    let m = data.manifest();
    let mut pairs: Vec<_> = m
        .totals
        .iter()
        .zip(&m.scene.pairs)
        .filter(|(t, pair)| pair.is_areal() && t.max_pressure_pa > 0.0)
        .collect();
    pairs.sort_by(|a, b| b.0.max_pressure_pa.total_cmp(&a.0.max_pressure_pa));
    pairs.truncate(MOST);
    if pairs.is_empty() {
        return Ok(String::new());
    }
    let names: Vec<&str> = pairs.iter().map(|(_, pair)| pair.name.as_str()).collect();
    let (recorded, moments) = data.worst_moments(&names)?;
    let shapes = data.shapes()?;
    let (mut html, mut room) = (String::new(), MOST_ELEMENTS);
    for WorstMoment { pair, time, of } in moments {
        let patches = recorded.patches(&pair, PatchTime::At(time))?;
        let number = patches.len();
        let Some(patch) = together(patches) else { continue };
        let Some(axes) = axes_of(&patch).filter(|_| patch.elements.len() <= room) else { continue };
        room -= patch.elements.len();
        let surfaces = pairs.iter().find(|(_, own)| own.name == pair).map(|(_, own)| [&*own.a, &*own.b]);
        let outline = match (&shapes, surfaces) {
            (Some(shapes), Some(surfaces)) => outline(data, shapes, &surfaces, patch.time, axes[2])?,
            _ => Vec::new(),
        };
        let plural =
            if number == 1 { "1 patch".to_owned() } else { format!("{} patches", count(number as u64)) };
        let title = format!("{pair}: greatest {}, {plural}, at {}", words(&of), quantity(patch.time, "s"));
        let window = window(&patch, &axes, &outline);
        let map = PressureMap { title, patch, outline, axes, window };
        html.push_str(&format!(
            "<figure><object class=\"map\" type=\"image/svg+xml\" aria-label=\"Pressure of {}\" \
             data=\"data:image/svg+xml;base64,{}\"></object></figure>\n",
            escape(&map.title),
            STANDARD.encode(svg::pressure(&map))
        ));
    }
    if html.is_empty() {
        return Ok(html);
    }
    Ok(format!(
        "<h3>Worst moments <small>of those recorded: all patches of a pair at its greatest pressure, force and area, on the \
         outlines of its surfaces</small></h3>\n{}",
        grid(&html)
    ))
}

/// What is greatest, as a list.
fn words(of: &[Worst]) -> String {
    let words: Vec<&str> = of
        .iter()
        .map(|worst| match worst {
            Worst::Pressure => "pressure",
            Worst::Force => "force",
            Worst::Area => "area",
        })
        .collect();
    match &words[..] {
        [first, second, third] => format!("{first}, {second} and {third}"),
        few => few.join(" and "),
    }
}

/// Patches of a pair as one, about their common centre of pressure.
fn together(patches: Vec<PatchData>) -> Option<PatchData> {
    let mut parts = patches.into_iter();
    let mut all = parts.next()?;
    for part in parts {
        all.area += part.area;
        all.force = [0, 1, 2].map(|axis| all.force[axis] + part.force[axis]);
        all.elements.extend(part.elements);
    }
    let load = |e: &carom_results::PatchElement| e.pressure * e.area;
    let whole: f64 = all.elements.iter().map(load).sum();
    if whole > 0.0 {
        all.position = [0, 1, 2]
            .map(|axis| all.elements.iter().map(|e| load(e) * e.position[axis]).sum::<f64>() / whole);
    }
    Some(all)
}

/// What is shown of surfaces that are much wider than the patches; all of others.
fn window(patch: &PatchData, axes: &[[f64; 3]; 3], outline: &[[[f64; 3]; 2]]) -> Option<[f64; 3]> {
    let extent = |points: &mut dyn Iterator<Item = [f64; 3]>| {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.map(|point| place(axes, patch.position, point)) {
            low = [0, 1].map(|axis| low[axis].min(point[axis]));
            high = [0, 1].map(|axis| high[axis].max(point[axis]));
        }
        (low, high)
    };
    let (low, high) = extent(&mut patch.elements.iter().flat_map(|e| e.corners));
    let (outer_low, outer_high) = extent(&mut outline.iter().flatten().copied());
    let width = (high[0] - low[0]).max(high[1] - low[1]);
    let outer = (outer_high[0] - outer_low[0]).max(outer_high[1] - outer_low[1]);
    let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
    (outer > WIDE * width).then_some([middle[0], middle[1], AROUND * width])
}

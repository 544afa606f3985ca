//! Contact area over time, from what is recorded of patches and regions.

use std::collections::HashMap;

use carom_results::tables::{Table, patches};
use carom_results::{Error, Series};

use super::Context;
use super::figure::{PER_CHART, over_time};
use crate::plot::time_panel;

/// A chart of the contact areas of lines, if any are recorded; of regions those whose contours are closed.
pub(super) fn chart(context: &Context<'_>, lines: &[String]) -> Result<String, Error> {
    let data = context.data;
    let scene = data.scene();
    let line_of: HashMap<&str, &str> =
        scene.pairs.iter().map(|pair| (pair.name.as_str(), pair.line.as_str())).collect();
    // Of a long run some of the output times are shown.
    let shown = data.times()?;
    let mut areas: HashMap<(String, u64), f64> = HashMap::new();
    for table in [Table::Patches, Table::Regions] {
        data.scan(table, &mut |batch| {
            let (Some(times), Some(own)) = (batch.floats("time"), batch.floats("area")) else {
                return Ok(());
            };
            let (keys, words) = batch.word_keys("pair").unwrap_or_default();
            let moments = batch.word_keys("moment");
            for row in 0..batch.rows() {
                let is_output =
                    moments.as_ref().is_none_or(|(keys, words)| words[keys[row] as usize] == patches::OUTPUT);
                let line = line_of.get(words[keys[row] as usize].as_str());
                let is_shown = || shown.binary_search_by(|t| t.total_cmp(&times[row])).is_ok();
                if let Some(line) = line.filter(|_| is_output && is_shown()) {
                    *areas.entry(((*line).to_owned(), times[row].to_bits())).or_default() += own[row];
                }
            }
            Ok(())
        })?;
    }
    let mut curves = Vec::new();
    for line in lines.iter().filter(|line| areas.keys().any(|(own, _)| own == *line)) {
        let force = data.series(&format!("{line}.fn"))?;
        let (mut time, mut values) = (Vec::new(), Vec::new());
        for (t, force) in force.time.iter().zip(&force.values) {
            // Where nothing presses there is none; where it is not recorded it is not known.
            let own = areas.get(&(line.clone(), t.to_bits())).copied();
            if let Some(area) = own.or((*force == 0.0).then_some(0.0)) {
                time.push(*t);
                values.push(area);
            }
        }
        let meaning = "area of contact";
        curves.push(Series { name: line.clone(), unit: "m²", meaning, time, values });
    }
    let charts = curves.chunks(PER_CHART).enumerate().map(|(index, part)| {
        let title = if index == 0 { "Contact area" } else { "Contact area (continued)" };
        over_time(context, time_panel(title, "area", part.to_vec()))
    });
    Ok(charts.collect())
}

//! Many curves of one kind: as many in a chart as there are colours, the liveliest first, the others folded.

use carom_results::Series;

use super::Context;
use super::figure::{PER_CHART, folded, grid, over_time};
use crate::plot::time_panel;

/// Curves of one kind that are drawn at all; the tables have the rest.
const MOST: usize = 64;

/// Curves that belong into one chart; they have one unit.
pub(super) struct Group {
    pub(super) title: &'static str,
    /// Quantity at the axis.
    pub(super) label: &'static str,
    pub(super) curves: Vec<Series>,
}

/// Charts of the groups side by side. `more` is the title over the curves for which the charts have no colours left.
pub(super) fn charts(context: &Context<'_>, groups: Vec<Group>, more: &str) -> String {
    let (mut shown, mut rest) = (String::new(), String::new());
    for mut group in groups {
        group.curves.retain(|curve| curve.values.iter().any(|v| *v != 0.0));
        let total = group.curves.len();
        if total > PER_CHART {
            group.curves.sort_by(|a, b| spread(b).total_cmp(&spread(a)));
        }
        for (index, part) in group.curves[..total.min(MOST)].chunks(PER_CHART).enumerate() {
            let first = index * PER_CHART;
            let title = if total > PER_CHART {
                format!("{} ({} to {} of {total})", group.title, first + 1, first + part.len())
            } else {
                group.title.to_owned()
            };
            let chart = over_time(context, time_panel(&title, group.label, part.to_vec()));
            if index == 0 { shown.push_str(&chart) } else { rest.push_str(&chart) }
        }
    }
    let rest = if rest.is_empty() { rest } else { folded(more, &grid(&rest)) };
    format!("{}{rest}", grid(&shown))
}

/// Greatest less smallest finite value.
pub(super) fn spread(series: &Series) -> f64 {
    let finite = || series.values.iter().copied().filter(|v| v.is_finite());
    finite().reduce(f64::max).unwrap_or(0.0) - finite().reduce(f64::min).unwrap_or(0.0)
}

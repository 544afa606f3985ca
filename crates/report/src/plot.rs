//! Quantities by name, as charts.

use std::path::Path;

use carom_results::{Error, RunData, Series};

use crate::chart::{Axis, Chart, Line, Panel};
use crate::peaks::{Peaks, peak_dots};

/// Chart of the quantities `names` of the runs in `run_dirs`: one panel per unit, in the order given. With several
/// runs the curves have the run's folder behind their names, and the events marked are the first run's. With
/// `decades` the vertical axes are logarithmic, and values that are not positive are left out.
pub fn plot(run_dirs: &[&Path], names: &[impl AsRef<str>], decades: bool) -> Result<Chart, Error> {
    let runs = run_dirs.iter().map(|dir| RunData::open(dir)).collect::<Result<Vec<_>, _>>()?;
    let folder = |dir: &&Path| dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let labels: Vec<_> = run_dirs.iter().map(|dir| folder(dir).unwrap_or_default()).collect();
    plot_data(&runs.iter().collect::<Vec<_>>(), &labels, names, decades)
}

/// The same of runs that are read already, with a label each.
pub fn plot_data(
    runs: &[&RunData],
    labels: &[impl AsRef<str>],
    names: &[impl AsRef<str>],
    decades: bool,
) -> Result<Chart, Error> {
    let marks = runs.first().map_or(Ok(Vec::new()), |data| event_times(data))?;
    let owners = || names.iter().filter_map(|name| Some(name.as_ref().rsplit_once('.')?.0));
    let located = runs.iter().map(|data| Peaks::of(data, owners())).collect::<Result<Vec<_>, _>>()?;
    let each = || runs.iter().zip(&located).zip(labels);
    let mut panels: Vec<Panel> = Vec::new();
    for (name, ((data, located), label)) in names.iter().flat_map(|name| each().map(move |run| (name, run))) {
        let mut series = data.series(name.as_ref())?;
        let (owner, quantity) = series.name.rsplit_once('.').unwrap_or(("", ""));
        let mut peaks = located.get(owner, quantity).to_vec();
        if runs.len() > 1 && !label.as_ref().is_empty() {
            series.name = format!("{} ({})", series.name, label.as_ref());
        }
        if decades {
            peaks.iter_mut().for_each(|(_, value)| *value = value.log10());
            series.values.iter_mut().for_each(|value| *value = value.log10());
        }
        let index = panels.iter().position(|panel| panel.y.unit == series.unit).unwrap_or(panels.len());
        match panels.get_mut(index) {
            Some(panel) => panel.lines.push(line(series)),
            None => panels.push(Panel { marks: marks.clone(), decades, ..time_panel("", "", vec![series]) }),
        }
        if !peaks.is_empty() {
            let panel = &mut panels[index];
            panel.dots.push(peak_dots(panel.lines.len() - 1, &peaks));
        }
    }
    for panel in &mut panels {
        panel.title = panel.lines.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", ");
    }
    Ok(Chart { panels })
}

/// Phase portraits: the quantities `names` of a run over another one of it, `against`, one panel each, with the runs' curves side by
/// side. Both are taken at the output times; those that have others (quantities of steps) are an error.
pub fn phase(run_dirs: &[&Path], names: &[impl AsRef<str>], against: &str) -> Result<Chart, Error> {
    let runs = run_dirs.iter().map(|dir| RunData::open(dir)).collect::<Result<Vec<_>, _>>()?;
    let mut panels = Vec::new();
    for name in names {
        let mut panel = Panel::default();
        for (data, dir) in runs.iter().zip(run_dirs) {
            let (across, up) = (data.series(against)?, data.series(name.as_ref())?);
            if across.time != up.time {
                let message = format!("\"{}\" and \"{against}\" have other times than each other", name.as_ref());
                return Err(Error::NoValue { message });
            }
            let folder = dir.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let curve = if runs.len() > 1 { format!("{} ({folder})", up.name) } else { up.name.clone() };
            panel.title = format!("{} over {}", up.name, across.name);
            (panel.x, panel.y) = (Axis::new(across.name, across.unit), Axis::new(up.name, up.unit));
            panel.lines.push(Line { name: curve, x: across.values, y: up.values });
        }
        panels.push(panel);
    }
    Ok(Chart { panels })
}

/// Parts of the time of a run of which a chart marks one event each: more than it has pixels.
const MARKS: f64 = 4000.0;

/// Times of contact begins (s); of many within a part of a pixel the first.
pub(crate) fn event_times(data: &RunData) -> Result<Vec<f64>, Error> {
    data.begins(data.manifest().end.time_s / MARKS)
}

/// Panel of quantities of one unit over time.
pub(crate) fn time_panel(title: &str, label: &str, series: Vec<Series>) -> Panel {
    let unit = series.first().map_or("", |s| s.unit);
    Panel {
        title: title.to_owned(),
        x: Axis::new("time", "s"),
        y: Axis::new(label, unit),
        lines: series.into_iter().map(line).collect(),
        ..Panel::default()
    }
}

fn line(series: Series) -> Line {
    Line { name: series.name, x: series.time, y: series.values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_results::fixture::{self, FakeRun, TempDir};

    #[test]
    fn quantities_of_one_unit_share_a_panel() {
        let dir = TempDir::new("plot");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let chart = plot(&[dir.path()], &["ball.z", "drop.fn", "ball.x_m"], false).unwrap();
        assert_eq!(chart.panels.len(), 2);
        assert_eq!((chart.panels[0].title.as_str(), chart.panels[0].y.unit), ("ball.z, ball.x", "m"));
        assert_eq!((chart.panels[1].title.as_str(), chart.panels[1].y.unit), ("drop.fn", "N"));
        assert_eq!(chart.panels[0].marks.len(), 3);
        // Peaks that no output time has are points of their curve.
        let [dots] = &chart.panels[1].dots[..] else { panic!("of one curve") };
        let totals = RunData::open(dir.path()).unwrap().manifest().totals[0];
        assert!(chart.panels[0].dots.is_empty() && dots.line == 0);
        assert_eq!((dots.x[0], dots.y[0]), (totals.max_fn_time_s, totals.max_fn_n));
        assert!(chart.panels[1].lines[0].y.iter().all(|y| *y < totals.max_fn_n));
    }

    #[test]
    fn phase_portraits_have_one_quantity_over_another() {
        let dir = TempDir::new("plot-phase");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let chart = phase(&[dir.path()], &["ball.vz"], "ball.z").unwrap();
        let [panel] = &chart.panels[..] else { panic!("one quantity") };
        assert_eq!((panel.x.unit, panel.y.unit), ("m", "m/s"));
        let data = RunData::open(dir.path()).unwrap();
        assert_eq!(panel.lines[0].x, data.series("ball.z").unwrap().values);
        assert_eq!(panel.lines[0].y, data.series("ball.vz").unwrap().values);
        assert!(panel.marks.is_empty(), "marks are times");
    }

    #[test]
    fn unknown_names_are_errors() {
        let dir = TempDir::new("plot-unknown");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let error = plot(&[dir.path()], &["bal.z"], false).unwrap_err();
        assert_eq!((error.code(), error.help().as_str()), ("E0707", "did you mean \"ball.z\"?"));
    }

    #[test]
    fn runs_lie_beside_each_other_in_decades() {
        let dirs = ["plot-one", "plot-two"].map(TempDir::new);
        for (dir, frames) in dirs.iter().zip([200, 100]) {
            fixture::finished(dir.path(), &FakeRun { frames, ..FakeRun::single_ball() });
        }
        let names = ["drop.box_tests_per_search", "drop.edge_tests_per_search"];
        let chart = plot(&dirs.each_ref().map(|dir| dir.path()), &names, true).unwrap();
        let [panel] = &chart.panels[..] else { panic!("one unit") };
        assert!(panel.decades && panel.lines.len() == 4);
        assert_eq!(panel.lines.iter().map(|l| l.y.len()).collect::<Vec<_>>(), [201, 101, 201, 101]);
        let folder = dirs[1].path().file_name().unwrap().to_string_lossy();
        assert_eq!(panel.lines[1].name, format!("drop.box_tests_per_search ({folder})"));
        // 20 a search, and 1 of edges.
        assert_eq!(panel.lines[1].y[50], 20f64.log10());
        assert_eq!(panel.bounds().unwrap()[1], [0.0, 20f64.log10()]);
        // Without contact there is no force, and a logarithm has no place for it.
        let chart = plot(&[dirs[0].path()], &["drop.fn"], true).unwrap();
        let [low, _] = chart.panels[0].bounds().unwrap()[1];
        assert!(low > -3.0 && chart.panels[0].lines[0].y.contains(&f64::NEG_INFINITY), "{low}");
    }
}

//! Quantities by name, as charts.

use std::path::Path;

use carom_results::{Error, RunData, Series};

use crate::chart::{Axis, Chart, Line, Panel};

/// Chart of the quantities `names` of the run in `run_dir`: one panel per unit, in the order given.
pub fn plot(run_dir: &Path, names: &[impl AsRef<str>]) -> Result<Chart, Error> {
    let data = RunData::open(run_dir)?;
    let marks = event_times(&data)?;
    let mut panels: Vec<Panel> = Vec::new();
    for name in names {
        let series = data.series(name.as_ref())?;
        match panels.iter_mut().find(|panel| panel.y.unit == series.unit) {
            Some(panel) => panel.lines.push(line(series)),
            None => panels.push(Panel { marks: marks.clone(), ..time_panel("", "", vec![series]) }),
        }
    }
    for panel in &mut panels {
        panel.title = panel.lines.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", ");
    }
    Ok(Chart { panels })
}

/// Times of contact begins (s).
pub(crate) fn event_times(data: &RunData) -> Result<Vec<f64>, Error> {
    Ok(data.events()?.iter().filter(|e| e.kind == "contact_begin").map(|e| e.time).collect())
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
        let chart = plot(dir.path(), &["ball.z", "drop.fn", "ball.x_m"]).unwrap();
        assert_eq!(chart.panels.len(), 2);
        assert_eq!((chart.panels[0].title.as_str(), chart.panels[0].y.unit), ("ball.z, ball.x", "m"));
        assert_eq!((chart.panels[1].title.as_str(), chart.panels[1].y.unit), ("drop.fn", "N"));
        assert_eq!(chart.panels[0].marks.len(), 3);
    }

    #[test]
    fn unknown_names_are_errors() {
        let dir = TempDir::new("plot-unknown");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let error = plot(dir.path(), &["bal.z"]).unwrap_err();
        assert_eq!((error.code(), error.help().as_str()), ("E0707", "did you mean \"ball.z\"?"));
    }
}

//! One run of a study: into its folder, and to a row.

use std::path::Path;
use std::thread;
use std::time::Duration;

use carom::{EndReason, Error, Overrides, Recording, RunData, RunFolder, Study};
use carom_io::probe_times;
use carom_report::write_report;
use carom_results::manifest::Host;
use carom_results::{REPORT_HTML, judge};

use crate::row::folder_of;
use crate::{Case, Plan, Row};

/// Between looks at a folder that another process holds.
const PATIENCE: Duration = Duration::from_millis(100);
/// Looks before that is an error: a worker whose study was killed ends with it.
const LOOKS: usize = 100;

/// Do the runs of a study get their reports?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reports {
    /// Each has `report.html`, which the page of the study opens.
    Written,
    /// They can be made of the folders later.
    LeftOut,
}

/// Makes a run of a study in the folder of the study, unless it is there already, and says what has come of it.
pub fn make_run(plan: &Plan, case: &Case, dir: &Path, reports: Reports) -> Row {
    match try_run(plan, case, dir, reports) {
        Ok(row) => Row { host: Host::detect(1).name, ..row },
        Err(error) => {
            let end = if matches!(error, Error::Model(_)) { "refused" } else { "failed" };
            Row::without_end(
                case,
                plan,
                end,
                error.code().unwrap_or_default(),
                first_line(&error.to_string()),
            )
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn try_run(plan: &Plan, case: &Case, dir: &Path, reports: Reports) -> Result<Row, Error> {
    let probes = probe_times(plan.study.results.iter().map(|(_, measure)| measure));
    let overrides = Overrides { set: plan.overrides(case), probes, ..Overrides::default() };
    let study = Study::open_with(&plan.study.model, &overrides)?;
    let folder = dir.join(folder_of(case.number));
    let mut ended = None;
    let is_new = study.finished_in(&folder).is_none();
    if is_new {
        let held = claim(&folder)?;
        let mut recorded = study.record(&Recording::of(&held), &mut ())?;
        let data = RunData::open(held.path())?;
        recorded.manifest.expectations = study.judge(&data)?;
        recorded.manifest.write(held.path())?;
        if let EndReason::Failed(error) = recorded.outcome.end {
            ended = Some(error);
        }
    }
    if reports == Reports::Written && (is_new || !folder.join(REPORT_HTML).is_file()) {
        write_report(&folder)?;
    }
    let data = RunData::open(&folder)?;
    let expectations: Vec<_> = plan.study.results.iter().map(|(_, measure)| measure.clone()).collect();
    let measured = judge(&data, &expectations)?;
    let manifest = data.manifest();
    let statistics = manifest.statistics.as_ref();
    Ok(Row {
        end: manifest.end.reason.clone(),
        code: ended.as_ref().map(|error| error.code.to_owned()).unwrap_or_default(),
        message: ended.map(|error| first_line(&error.to_string())).unwrap_or_default(),
        time: manifest.end.time_s,
        results: measured.iter().map(|m| Some(m.measured).filter(|value| value.is_finite())).collect(),
        steps: statistics.map_or(0, |s| s.steps),
        evaluations: statistics.map_or(0, |s| s.rhs),
        wall: statistics.map_or(0.0, |s| s.wall_s),
        ..Row::without_end(case, plan, "", "", String::new())
    })
}

/// The folder, as soon as a worker of before has left it.
fn claim(folder: &Path) -> Result<RunFolder, Error> {
    let mut looks = 0;
    loop {
        match RunFolder::claim(folder, false) {
            Err(error) if error.code() == "E0712" && looks < LOOKS => thread::sleep(PATIENCE),
            other => return Ok(other?),
        }
        looks += 1;
    }
}

//! Expectations of a model against its run.
//!
//! Extremes run over the output times, except those that the engine locates inside the steps (totals of pairs and lines:
//! the greatest normal force, penetration and pressure, the least normal force), and `energy.residual_relative`,
//! which is one number of the whole run.

use carom_engine::model::{Condition, Expectation, Moment};

use crate::manifest::Verdict;
use crate::tables::{Columns, Table};
use crate::{Error, RunData, Scene};

/// Words for kinds of events, beside the kinds themselves.
const KINDS: [(&str, &str); 2] = [("begin", "contact_begin"), ("end", "contact_end")];
const PLAIN_KINDS: [&str; 8] =
    ["contact_begin", "contact_end", "release", "reengage", "patch_begin", "hit_harder", "latch", "unlatch"];

/// Does a run with these names have what the expectation asks for? Before the run, so that a misspelt
/// name costs no run.
pub fn check_expectation(scene: &Scene, expectation: &Expectation) -> Result<(), Error> {
    let events = Columns::new(Table::Events.columns(scene));
    match (&expectation.moment, event_kind(scene, &expectation.quantity)) {
        (Moment::Event { column, .. }, Some(_)) => match events.floats(column) {
            Some(_) => Ok(()),
            None => Err(scene.unknown(&expectation.text, [])),
        },
        (Moment::Count, Some(_)) => Ok(()),
        (Moment::Event { .. }, None) => Err(scene.unknown(&expectation.quantity, [])),
        _ => scene.quantity(&expectation.quantity).map(|_| ()),
    }
}

/// Compares a run with an expectation. An unknown name or a time that was not recorded is an error.
pub fn evaluate(data: &RunData, expectation: &Expectation) -> Result<Verdict, Error> {
    check_expectation(data.scene(), expectation)?;
    let (measured, unit) = measure(data, expectation)?;
    Ok(Verdict {
        quantity: expectation.text.clone(),
        wanted: wanted(&expectation.condition),
        unit,
        measured,
        passed: expectation.condition.holds(measured),
    })
}

fn measure(data: &RunData, expectation: &Expectation) -> Result<(f64, String), Error> {
    let name = &expectation.quantity;
    let events = event_kind(data.scene(), name);
    match (&expectation.moment, events) {
        (Moment::Event { index, column }, Some(events)) => nth_event(data, &events, name, *index, column),
        (Moment::Count, Some(events)) => Ok((event_rows(data, &events)?.len() as f64, String::new())),
        (moment, _) => {
            let quantity = data.scene().quantity(name)?;
            Ok((at_moment(data, &quantity.name, moment)?, quantity.unit.to_owned()))
        }
    }
}

fn at_moment(data: &RunData, name: &str, moment: &Moment) -> Result<f64, Error> {
    let is_whole_run = matches!(moment, Moment::End | Moment::Max);
    if name == "energy.residual_relative" && is_whole_run {
        // The definition takes the greatest over all accepted steps already.
        data.series(name)?;
        return Ok(data.manifest().energy.map_or(f64::NAN, |e| e.residual_relative));
    }
    if let Some(located) = located(data, name, moment) {
        return Ok(located);
    }
    let none = |what: &str| Error::NoValue { message: format!("\"{name}\" has no value {what}") };
    match moment {
        Moment::At(time) => at_time(data, name, *time)?.ok_or_else(|| none(&format!("at {time:?} s"))),
        Moment::End => data.series(name)?.values.last().copied().ok_or_else(|| none("at the end")),
        Moment::Max => data.series(name)?.values.into_iter().reduce(greater).ok_or_else(|| none("at all")),
        Moment::Min => data.series(name)?.values.into_iter().reduce(smaller).ok_or_else(|| none("at all")),
        Moment::Count => Ok(data.series(name)?.values.len() as f64),
        Moment::Event { .. } => Err(none("as an event")),
    }
}

/// An extreme of a pair or line that the engine has located.
fn located(data: &RunData, name: &str, moment: &Moment) -> Option<f64> {
    let (owner, quantity) = name.rsplit_once('.')?;
    let pairs = data.scene().pairs_of(owner);
    let totals = || pairs.iter().filter_map(|&pair| data.manifest().totals.get(pair));
    let line = data.manifest().lines.iter().find(|line| line.name == owner && pairs.len() > 1);
    match (moment, quantity) {
        (Moment::Max, "penetration") => totals().map(|t| t.max_penetration_m).reduce(greater),
        (Moment::Max, "pressure") => totals().map(|t| t.max_pressure_pa).reduce(greater),
        // Of several pairs the sum has a peak of its own.
        (Moment::Max, "fn") => line.map(|l| l.max_fn_n).or_else(|| totals().map(|t| t.max_fn_n).next()),
        (Moment::Min, "fn") => line.map(|l| l.min_fn_n).or_else(|| totals().map(|t| t.min_fn_n).next()),
        _ => None,
    }
}

/// At a probe time, or an output time.
fn at_time(data: &RunData, name: &str, time: f64) -> Result<Option<f64>, Error> {
    if let Some(value) = data.probe(time, name)? {
        return Ok(Some(value));
    }
    let series = data.series(name)?;
    Ok(series.time.iter().position(|t| *t == time).map(|k| series.values[k]))
}

/// The greater one; not a number wins, so that it cannot hide.
fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller one; not a number wins, so that it cannot hide.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// Events of one kind of the pairs of one owner.
struct Events {
    kind: &'static str,
    pairs: Vec<usize>,
}

/// What `drop.begin` means; `None` if it names no events.
fn event_kind(scene: &Scene, name: &str) -> Option<Events> {
    let (owner, word) = name.rsplit_once('.')?;
    let short = KINDS.iter().find(|(short, _)| *short == word).map(|(_, kind)| *kind);
    let kind = short.or_else(|| PLAIN_KINDS.into_iter().find(|kind| *kind == word))?;
    let pairs = scene.pairs_of(owner);
    // Of a wide line pairs may come up later.
    let is_wide = scene.wide_lines.iter().any(|line| line == owner);
    (is_wide || !pairs.is_empty()).then_some(Events { kind, pairs })
}

/// Indices of the rows of the event log.
fn event_rows(data: &RunData, events: &Events) -> Result<Vec<usize>, Error> {
    let names: Vec<&str> = events.pairs.iter().map(|&p| data.scene().pairs[p].name.as_str()).collect();
    let table = data.table(Table::Events)?;
    let (Some(kinds), Some(pairs)) = (table.words("kind"), table.words("pair")) else {
        return Ok(Vec::new());
    };
    let rows = kinds.zip(pairs).enumerate();
    Ok(rows
        .filter(|(_, (kind, pair))| *kind == events.kind && names.contains(pair))
        .map(|(i, _)| i)
        .collect())
}

fn nth_event(
    data: &RunData,
    events: &Events,
    name: &str,
    index: usize,
    column: &str,
) -> Result<(f64, String), Error> {
    let rows = event_rows(data, events)?;
    let Some(&row) = rows.get(index) else {
        let message = format!("there is no {name}[{index}]: the run has {} of them", rows.len());
        return Err(Error::NoValue { message });
    };
    let table = data.table(Table::Events)?;
    let (Some(values), Some(at)) = (table.floats(column), table.find(column)) else {
        return Err(data.scene().unknown(column, []));
    };
    Ok((values[row], table.columns()[at].unit.to_owned()))
}

fn wanted(condition: &Condition) -> String {
    match condition {
        Condition::Near { value, tol } => format!("{value:?} ± {tol:?}"),
        Condition::Below(limit) => format!("below {limit:?}"),
        Condition::Above(limit) => format!("above {limit:?}"),
        Condition::Between(low, high) => format!("between {low:?} and {high:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};

    fn expectation(quantity: &str, moment: Moment, condition: Condition) -> Expectation {
        Expectation { text: format!("{quantity} …"), quantity: quantity.into(), moment, condition }
    }

    fn single() -> (TempDir, RunData) {
        let dir = TempDir::new("expect");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let data = RunData::open(dir.path()).unwrap();
        (dir, data)
    }

    fn event(index: usize, column: &str) -> Moment {
        Moment::Event { index, column: column.into() }
    }

    #[test]
    fn moments_and_conditions() {
        let (_dir, data) = single();
        let first = (2.0f64 / 9.81).sqrt();
        let speed = (2.0f64 * 9.81).sqrt();
        let near = |value| Condition::Near { value, tol: 1e-9 };
        let z = 1.05 - 0.5 * 9.81 * 0.25f64.powi(2);
        for (quantity, moment, condition) in [
            ("drop.begin", event(0, "time"), near(first)),
            ("drop.begin", event(0, "approach_speed_m_s"), near(speed)),
            ("drop.end", event(1, "approach_speed"), near(-0.64 * speed)),
            ("drop.begin", Moment::Count, near(3.0)),
            ("ball.z", Moment::At(0.25), near(z)),
            ("ball.z", Moment::At(0.0), near(1.05)),
            ("ball.z_m", Moment::Max, near(1.05)),
            ("ball.x", Moment::Min, near(0.3)),
            ("ball.x", Moment::End, Condition::Above(0.9)),
            ("ball.x", Moment::Count, near(201.0)),
            ("drop.penetration", Moment::Max, near(speed / 500.0)),
            ("drop.fn", Moment::Max, near(0.5 * 500.0 * speed)),
            ("drop.fn_n", Moment::Min, near(0.0)),
            ("drop.pressure", Moment::Max, near(1e3 * 0.5 * 500.0 * speed)),
            ("drop.end", event(0, "max_fn"), near(0.5 * 500.0 * speed)),
            ("drop.fn", Moment::At(0.25), Condition::Between(0.0, 0.0)),
            ("energy.residual_relative", Moment::End, near(3e-10)),
            ("energy.residual_relative", Moment::Max, Condition::Below(1e-8)),
        ] {
            let verdict = evaluate(&data, &expectation(quantity, moment.clone(), condition)).unwrap();
            assert!(verdict.passed, "{moment:?}: {verdict:?}");
        }
        let failing = expectation("ball.z", Moment::Max, Condition::Below(1.0));
        let verdict = evaluate(&data, &failing).unwrap();
        assert!(!verdict.passed);
        assert_eq!(
            (verdict.measured, verdict.unit.as_str(), verdict.wanted.as_str()),
            (1.05, "m", "below 1.0")
        );
    }

    #[test]
    fn joints_forces_and_constraints_have_expectations_too() {
        let dir = TempDir::new("expect-mechanism");
        fixture::finished(dir.path(), &FakeRun::mechanism());
        let data = RunData::open(dir.path()).unwrap();
        for (quantity, moment, value) in [
            ("hinge.q", Moment::At(0.25), 0.25f64.sin()),
            ("hinge.q_rad", Moment::End, 2.0f64.sin()),
            ("joint.ball.qw", Moment::At(1.25), 0.625f64.cos()),
            ("force.hinge.angle", Moment::At(0.0), 1.0),
            ("hinge.effort", Moment::Min, -5.0 * 1.57f64.sin()),
            ("pin.violation", Moment::At(0.0), 0.0),
        ] {
            let near = Condition::Near { value, tol: 1e-12 };
            let verdict = evaluate(&data, &expectation(quantity, moment, near)).unwrap();
            assert!(verdict.passed, "{verdict:?}");
        }
        let misspelt = expectation("hinge.p", Moment::End, Condition::Below(1.0));
        assert_eq!(check_expectation(data.scene(), &misspelt).unwrap_err().code(), "E0707");
    }

    #[test]
    fn unknown_names_and_times_are_errors() {
        let (_dir, data) = single();
        for (quantity, moment, code) in [
            ("bal.z", Moment::End, "E0707"),
            ("ball.begin", event(0, "time"), "E0707"),
            ("drop.begin", event(0, "tim"), "E0707"),
            ("drop.begin", event(0, "kind"), "E0707"),
            ("drop.begin", event(99, "time"), "E0709"),
            ("drop.begin", Moment::End, "E0707"),
            ("ball.z", Moment::At(0.1234), "E0709"),
        ] {
            let wrong = expectation(quantity, moment.clone(), Condition::Below(1.0));
            assert_eq!(evaluate(&data, &wrong).unwrap_err().code(), code, "{quantity} {moment:?}");
        }
    }

    #[test]
    fn wide_lines_have_events_before_their_pairs_come_up() {
        let (_dir, data) = single();
        let mut scene = data.scene().clone();
        scene.wide_lines.push("crowd".to_owned());
        let begins = expectation("crowd.begin", Moment::Count, Condition::Above(1.0));
        assert!(check_expectation(&scene, &begins).is_ok());
        assert_eq!(check_expectation(data.scene(), &begins).unwrap_err().code(), "E0707");
    }

    #[test]
    fn not_a_number_cannot_hide_among_extremes() {
        assert!([1.0, f64::NAN, 2.0].into_iter().reduce(greater).is_some_and(f64::is_nan));
        assert!([f64::NAN, 2.0].into_iter().reduce(smaller).is_some_and(f64::is_nan));
        assert_eq!([1.0, 3.0, 2.0].into_iter().reduce(greater), Some(3.0));
    }
}

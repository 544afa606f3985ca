//! Expectations of a model against its run.
//!
//! Extremes run over the output times, except those that the engine locates inside the steps (totals of pairs and lines:
//! the greatest normal force, penetration and pressure, the least normal force), and `energy.residual_relative`,
//! which is one number of the whole run.

mod asked;
mod events;

use asked::Asked;
use carom_engine::model::{Condition, Expectation, Moment};
use events::Events;

use crate::manifest::Verdict;
use crate::tables::{Columns, Table};
use crate::{Error, RunData, Scene};

/// Does a run with these names have what the expectation asks for? Before the run, so that a misspelt
/// name costs no run.
pub fn check_expectation(scene: &Scene, expectation: &Expectation) -> Result<(), Error> {
    let events = Columns::new(Table::Events.columns(scene));
    match (&expectation.moment, Events::named(scene, &expectation.quantity)) {
        (Moment::Event { column, .. }, Some(_)) => match events.floats(column) {
            Some(_) => Ok(()),
            None => Err(scene.unknown(&expectation.text, [])),
        },
        (Moment::Count, Some(_)) => Ok(()),
        (Moment::Event { .. }, None) => Err(scene.unknown(&expectation.quantity, [])),
        _ => scene.quantity(&expectation.quantity).map(|_| ()),
    }
}

/// Compares a run with its expectations, in memory that does not grow with the run; one verdict each, in their order. A value
/// that the run does not have, such as the time of an event that did not happen, is a failed expectation; an unknown name is
/// an error.
pub fn judge(data: &RunData, expectations: &[Expectation]) -> Result<Vec<Verdict>, Error> {
    let mut asked = Vec::new();
    for expectation in expectations {
        check_expectation(data.scene(), expectation)?;
        asked.push(Asked::new(data, expectation)?);
    }
    if asked.iter().any(Asked::is_of_events) {
        data.scan(Table::Events, &mut |batch| {
            asked.iter_mut().for_each(|asked| asked.take_events(batch));
            Ok(())
        })?;
    }
    let is_asked = |table: &Table| asked.iter().any(|asked| asked.tables().contains(table));
    let whole = |table: Table| (table, table.columns(data.scene()));
    let tables: Vec<_> = Table::ALL.into_iter().filter(is_asked).map(whole).collect();
    if !tables.is_empty() {
        data.for_each_block(tables, &mut |block| {
            asked.iter_mut().try_for_each(|asked| asked.take_block(block))
        })?;
    }
    Ok(asked.into_iter().map(|asked| verdict(asked.expectation(), asked.measured())).collect())
}

/// What it means that a number was measured, or why none was.
fn verdict(expectation: &Expectation, measured: Result<(f64, String), String>) -> Verdict {
    let quantity = expectation.text.clone();
    match measured {
        Ok((measured, unit)) => Verdict {
            quantity,
            wanted: wanted(&expectation.condition),
            unit,
            measured,
            passed: expectation.condition.holds(measured),
        },
        Err(message) => Verdict {
            quantity,
            wanted: format!("a value; {message}"),
            unit: String::new(),
            measured: f64::NAN,
            passed: false,
        },
    }
}

fn wanted(condition: &Condition) -> String {
    match condition {
        Condition::Near { value, tol } => format!("{} ± {}", short(*value), short(*tol)),
        Condition::Below(limit) => format!("below {}", short(*limit)),
        Condition::Above(limit) => format!("above {}", short(*limit)),
        Condition::Between(low, high) => format!("between {} and {}", short(*low), short(*high)),
    }
}

/// A limit for people: nine digits at most, and no zeros that say nothing. Verdicts are of the numbers themselves.
fn short(limit: f64) -> String {
    let text = format!("{:?}", format!("{limit:.8e}").parse().unwrap_or(limit));
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};

    #[test]
    fn limits_are_told_with_the_digits_that_matter() {
        let near = |value, tol| wanted(&Condition::Near { value, tol });
        assert_eq!(near(98.10000000000001, 0.9810000000000001), "98.1 ± 0.981");
        assert_eq!(near(0.0, 1e-9), "0 ± 1e-9");
        let between = Condition::Between(0.23107992185049084, 1e300);
        assert_eq!(wanted(&between), "between 0.231079922 and 1e300");
    }

    fn expectation(quantity: &str, moment: Moment, condition: Condition) -> Expectation {
        Expectation { text: format!("{quantity} …"), quantity: quantity.into(), moment, condition }
    }

    fn judge_one(data: &RunData, expectation: Expectation) -> Result<Verdict, Error> {
        Ok(judge(data, &[expectation])?.remove(0))
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
            let verdict = judge_one(&data, expectation(quantity, moment.clone(), condition)).unwrap();
            assert!(verdict.passed, "{moment:?}: {verdict:?}");
        }
        let failing = expectation("ball.z", Moment::Max, Condition::Below(1.0));
        let verdict = judge_one(&data, failing).unwrap();
        assert!(!verdict.passed);
        assert_eq!(
            (verdict.measured, verdict.unit.as_str(), verdict.wanted.as_str()),
            (1.05, "m", "below 1")
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
            let verdict = judge_one(&data, expectation(quantity, moment, near)).unwrap();
            assert!(verdict.passed, "{verdict:?}");
        }
        let misspelt = expectation("hinge.p", Moment::End, Condition::Below(1.0));
        assert_eq!(check_expectation(data.scene(), &misspelt).unwrap_err().code(), "E0707");
    }

    #[test]
    fn unknown_names_are_errors_and_what_did_not_happen_fails() {
        let (_dir, data) = single();
        for (quantity, moment, code) in [
            ("bal.z", Moment::End, "E0707"),
            ("ball.begin", event(0, "time"), "E0707"),
            ("drop.begin", event(0, "tim"), "E0707"),
            ("drop.begin", event(0, "kind"), "E0707"),
            ("drop.begin", Moment::End, "E0707"),
        ] {
            let wrong = expectation(quantity, moment.clone(), Condition::Below(1.0));
            assert_eq!(judge_one(&data, wrong).unwrap_err().code(), code, "{quantity} {moment:?}");
        }
        for (quantity, moment, wanted) in [
            ("drop.begin", event(99, "time"), "a value; there is no drop.begin[99]: the run has 3 of them"),
            ("ball.z", Moment::At(0.1234), "a value; \"ball.z\" has no value at 0.1234 s"),
        ] {
            let verdict = judge_one(&data, expectation(quantity, moment, Condition::Below(1.0))).unwrap();
            assert!(!verdict.passed && verdict.measured.is_nan() && verdict.wanted == wanted, "{verdict:?}");
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
}

//! Expectations of a model against the tables of its run.

use carom_engine::model::{Condition, Expectation, Moment};
use carom_results::manifest::Verdict;
use carom_results::tables::{Table, Values};
use carom_results::{Error, RunData};

use crate::failure::Failure;

/// What a quantity turned out to be, with its unit.
type Measured = (f64, &'static str);

/// One verdict per expectation, in their order.
pub(crate) fn judge(data: &RunData, expectations: &[Expectation]) -> Result<Vec<Verdict>, Failure> {
    let judge_one = |expectation: &Expectation| {
        let (measured, unit) = measure(data, expectation)?;
        Ok(Verdict {
            quantity: expectation.text.clone(),
            wanted: in_words(&expectation.condition),
            unit: unit.to_owned(),
            measured,
            passed: expectation.condition.holds(measured),
        })
    };
    expectations.iter().map(judge_one).collect()
}

fn in_words(condition: &Condition) -> String {
    match *condition {
        Condition::Near { value, tol } => format!("{value} ± {tol}"),
        Condition::Below(limit) => format!("below {limit}"),
        Condition::Above(limit) => format!("above {limit}"),
        Condition::Between(low, high) => format!("from {low} to {high}"),
    }
}

/// The value. A moment that the run does not have (no such event, no row) gives NaN, which meets no condition.
fn measure(data: &RunData, expectation: &Expectation) -> Result<Measured, Error> {
    let quantity = expectation.quantity.as_str();
    match &expectation.moment {
        Moment::At(time) => at(data, quantity, *time),
        Moment::Count => Ok((events(data, quantity)?.len() as f64, "")),
        Moment::Event { index, column } => event(data, quantity, *index, column),
        Moment::End | Moment::Max | Moment::Min => {
            if let Some(total) = total(data, quantity) {
                return Ok(total);
            }
            let series = data.series(quantity)?;
            let values = series.values.iter().copied();
            let value = match expectation.moment {
                Moment::End => values.last(),
                Moment::Max => values.reduce(f64::max),
                _ => values.reduce(f64::min),
            };
            Ok((value.unwrap_or(f64::NAN), series.unit))
        }
    }
}

/// Numbers about the run as a whole, exact between the output times.
fn total(data: &RunData, quantity: &str) -> Option<Measured> {
    let manifest = data.manifest();
    let (owner, name) = quantity.rsplit_once('.')?;
    if owner == "energy" && name == "residual_relative" {
        return Some((manifest.energy?.residual_relative, ""));
    }
    if owner == "statistics" {
        let s = manifest.statistics?;
        let count = match name {
            "steps" => s.steps,
            "rejected" => s.rejected,
            "rhs" => s.rhs,
            "events" => s.events,
            _ => return None,
        };
        return Some((count as f64, ""));
    }
    let pairs = data.scene().pairs_of(owner);
    let of_pairs = pairs.iter().filter_map(|&pair| manifest.totals.get(pair));
    match name {
        "max_penetration" | "max_penetration_m" if !pairs.is_empty() => {
            Some((of_pairs.map(|t| t.max_penetration_m).fold(0.0, f64::max), "m"))
        }
        "impulse" | "impulse_n_s" if !pairs.is_empty() => {
            Some((of_pairs.map(|t| t.impulse_n_s).sum(), "N s"))
        }
        "dissipated" | "dissipated_j" if !pairs.is_empty() => {
            Some((of_pairs.map(|t| t.dissipated_j).sum(), "J"))
        }
        _ => None,
    }
}

/// At a time: frames are recorded for it as probes.
fn at(data: &RunData, quantity: &str, time: f64) -> Result<Measured, Error> {
    let probes = data.table(Table::Probes)?;
    let row = probes.floats("time").and_then(|times| times.iter().position(|t| *t == time));
    if let (Some(row), Some(column)) = (row, probes.find(quantity))
        && let Values::Float(values) = probes.values(column)
    {
        return Ok((values[row], probes.columns()[column].unit));
    }
    let series = data.series(quantity)?;
    let row = series.time.iter().position(|t| *t == time);
    Ok((row.map_or(f64::NAN, |row| series.values[row]), series.unit))
}

/// Rows of the event log that `drop.begin` names.
fn events(data: &RunData, quantity: &str) -> Result<Vec<usize>, Error> {
    let unknown = || Error::NoValue {
        message: format!(
            "\"{quantity}\" names no events; there are LINE.begin, LINE.end, LINE.release, LINE.reengage, LINE.latch and LINE.unlatch"
        ),
    };
    let (owner, kind) = quantity.rsplit_once('.').ok_or_else(unknown)?;
    let kind = match kind {
        "begin" => "contact_begin",
        "end" => "contact_end",
        "release" | "reengage" | "latch" | "unlatch" => kind,
        _ => return Err(unknown()),
    };
    let scene = data.scene();
    let pairs: Vec<&str> =
        scene.pairs_of(owner).iter().map(|&pair| scene.pairs[pair].name.as_str()).collect();
    if pairs.is_empty() {
        return Err(unknown());
    }
    let table = data.table(Table::Events)?;
    let (Some(kinds), Some(names)) = (table.words("kind"), table.words("pair")) else {
        return Err(unknown());
    };
    let rows = kinds.zip(names).enumerate().filter(|(_, (k, name))| *k == kind && pairs.contains(name));
    Ok(rows.map(|(row, _)| row).collect())
}

/// Column of the k-th event of a kind.
fn event(data: &RunData, quantity: &str, index: usize, column: &str) -> Result<Measured, Error> {
    let rows = events(data, quantity)?;
    let table = data.table(Table::Events)?;
    let found = table.find(column).filter(|&c| matches!(table.values(c), Values::Float(_)));
    let (Some(at), Some(values)) = (found, table.floats(column)) else {
        let floats =
            table.columns().iter().enumerate().filter(|(c, _)| matches!(table.values(*c), Values::Float(_)));
        let known: Vec<&str> = floats.map(|(_, column)| column.base.as_str()).collect();
        return Err(Error::NoValue {
            message: format!("events have no column \"{column}\"; there are {}", known.join(", ")),
        });
    };
    Ok((rows.get(index).map_or(f64::NAN, |&row| values[row]), table.columns()[at].unit))
}

use carom_engine::Model;
use carom_engine::Problem;
use carom_engine::model::{Condition, Expectation, Force, ForceKind, Moment};

use super::part_quantity::{Part, dimension_at_stop, find_parts, part_names, stopped_axes};
use super::{Context, ScopeId, ScopeNames, Section};
use crate::document::Entry;
use crate::finding::Finding;
use crate::quantity::{Dimension, Failure, Quantity, evaluate, parse, parse_time};
use crate::suggest;

/// Columns of a body with their dimensions (results, table of states).
const BODY_COLUMNS: [(&str, Dimension); 15] = [
    ("x", Dimension::LENGTH),
    ("y", Dimension::LENGTH),
    ("z", Dimension::LENGTH),
    ("qw", Dimension::NONE),
    ("qx", Dimension::NONE),
    ("qy", Dimension::NONE),
    ("qz", Dimension::NONE),
    ("vx", Dimension::VELOCITY),
    ("vy", Dimension::VELOCITY),
    ("vz", Dimension::VELOCITY),
    ("wx", Dimension::ANGULAR_VELOCITY),
    ("wy", Dimension::ANGULAR_VELOCITY),
    ("wz", Dimension::ANGULAR_VELOCITY),
    ("speed", Dimension::VELOCITY),
    ("angular_speed", Dimension::ANGULAR_VELOCITY),
];

/// Units that may end a column name, as in `x_m`.
const COLUMN_UNITS: [(&str, Dimension); 10] = [
    ("_n_m", Dimension::ENERGY),
    ("_rad", Dimension::ANGLE),
    ("_m_s", Dimension::VELOCITY),
    ("_rad_s", Dimension::ANGULAR_VELOCITY),
    ("_n_s", Dimension::IMPULSE),
    ("_m", Dimension::LENGTH),
    ("_s", Dimension::TIME),
    ("_n", Dimension::FORCE),
    ("_j", Dimension::ENERGY),
    ("_pa", Dimension::PRESSURE),
];

/// Columns of contacts and pairs whose dimension is plain from the name.
const OTHER_COLUMNS: [(&str, Dimension); 28] = [
    ("gap", Dimension::LENGTH),
    ("penetration", Dimension::LENGTH),
    ("max_penetration", Dimension::LENGTH),
    ("max_penetration_time", Dimension::TIME),
    ("max_fn", Dimension::FORCE),
    ("max_fn_time", Dimension::TIME),
    ("max_pressure", Dimension::PRESSURE),
    ("max_pressure_time", Dimension::TIME),
    ("pressure", Dimension::PRESSURE),
    ("px", Dimension::LENGTH),
    ("py", Dimension::LENGTH),
    ("pz", Dimension::LENGTH),
    ("fn", Dimension::FORCE),
    ("ft", Dimension::FORCE),
    ("ftx", Dimension::FORCE),
    ("fty", Dimension::FORCE),
    ("ftz", Dimension::FORCE),
    ("mx", Dimension::ENERGY),
    ("my", Dimension::ENERGY),
    ("mz", Dimension::ENERGY),
    ("vtx", Dimension::VELOCITY),
    ("vty", Dimension::VELOCITY),
    ("vtz", Dimension::VELOCITY),
    ("power", Dimension::POWER),
    ("approach_speed", Dimension::VELOCITY),
    ("impulse", Dimension::IMPULSE),
    ("time", Dimension::TIME),
    ("residual_relative", Dimension::NONE),
];

/// Times (s) that expectations name, ascending: those at which all quantities are recorded for them.
pub fn probe_times<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Vec<f64> {
    let times = expectations.into_iter().filter_map(|e| match e.moment {
        Moment::At(time) => Some(time),
        _ => None,
    });
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

pub(crate) fn read_expectations(root: &Section<'_, '_>, model: &Model) -> Vec<Expectation> {
    let Some(table) = root.entry("expect").and_then(|e| e.node.as_table()) else { return Vec::new() };
    table.entries.iter().filter_map(|entry| read_expectation(root, entry, model)).collect()
}

fn read_expectation<'a>(root: &Section<'_, 'a>, entry: &'a Entry, model: &Model) -> Option<Expectation> {
    let path = format!("expect.{}", entry.key);
    let report = |problem: Problem| root.context.findings.push(Finding::at(problem, entry.key_span));
    let (quantity, moment) = match read_key(root.context, root.scope, &entry.key, &path) {
        Ok(parts) => parts,
        Err(problem) => {
            if let Some(problem) = problem {
                report(*problem);
            }
            return None;
        }
    };
    if let Moment::At(time) = moment
        && !(0.0..=model.solver.t_end).contains(&time)
    {
        let message = format!(
            "\"{}\" looks at {time:?} s, but the run is from 0 to {:?} s",
            entry.key, model.solver.t_end
        );
        let is_shortened = time > 0.0 && root.context.is_overridden("solver.t_end");
        report(if is_shortened {
            Problem::new("W0515", path, message).help("it is left out of this run")
        } else {
            Problem::new("E0504", path, message).help("write a time within the run, or `@ end`")
        });
        return None;
    }
    if let Err(problem) = check_subject(&quantity, &path, model) {
        // A line that could not be read is none of the model's, and may have the name of a body.
        let line = quantity.split('.').next().unwrap_or_default();
        if !root.context.findings.has_error_at(&format!("contact.{line}")) {
            report(*problem);
        }
        return None;
    }
    let dimension = expected_dimension(&moment, &quantity, model);
    let node_table = entry.node.as_table()?;
    let section = Section::new(root.context, "expect.*", node_table, entry.key_span, path, root.scope);
    let condition = read_condition(&section, dimension)?;
    Some(Expectation { text: entry.key.clone(), quantity, moment, condition })
}

/// Dimension of the values of an expectation; `None` if the name does not tell.
pub(crate) fn expected_dimension(moment: &Moment, quantity: &str, model: &Model) -> Option<Dimension> {
    match moment {
        Moment::Count => Some(Dimension::NONE),
        Moment::Event { column, .. } => column_dimension(column),
        _ => quantity_dimension(quantity, model),
    }
}

/// Quantity and moment of a key. The error is `None` if it is already reported.
fn read_key(
    context: &Context<'_>,
    scope: ScopeId,
    key: &str,
    path: &str,
) -> Result<(String, Moment), Option<Box<Problem>>> {
    let malformed = |message: String| {
        let problem = Problem::new("E0504", path, message).expected("\"QUANTITY @ TIME\", \"QUANTITY @ end\", \"QUANTITY max|min|final|count\" or \"line.begin[k].time\"");
        Some(Box::new(problem.help("such as \"ball.z @ 2 s\" = { value = \"1 m\", tol = \"1 mm\" }")))
    };
    let (quantity, moment) = if let Some((quantity, time)) = key.split_once('@') {
        let time = time.trim();
        let moment = if time == "end" {
            Moment::End
        } else {
            let names = ScopeNames { context, scope };
            match parse(time, &names).map_err(Failure::Error).and_then(|e| evaluate(&e, &names)) {
                Ok(Quantity { value, dimension }) if dimension.equals(Dimension::TIME) || value == 0.0 => {
                    Moment::At(value)
                }
                Ok(_) => return Err(malformed(format!("\"{time}\" in \"{key}\" is not a time"))),
                Err(Failure::Error(e)) => {
                    return Err(malformed(format!("\"{time}\" in \"{key}\" is not a time: {}", e.message)));
                }
                Err(Failure::Reported) => return Err(None),
            }
        };
        (quantity.trim(), moment)
    } else if let Some((quantity, word)) = key.trim().rsplit_once(char::is_whitespace) {
        let moment = over_what(word)
            .ok_or_else(|| malformed(format!("\"{word}\" in \"{key}\" says neither when nor over what")))?;
        (quantity.trim(), moment)
    } else {
        event_key(key)
            .ok_or_else(|| malformed(format!("\"{key}\" does not say when the quantity is looked at")))?
    };
    if quantity.is_empty() || quantity.contains(char::is_whitespace) {
        return Err(malformed(format!("\"{key}\" does not name one quantity")));
    }
    Ok((quantity.to_owned(), moment))
}

/// A quantity to be measured, by a key as that of an expectation, whose times are plain; nothing is demanded of it.
pub(crate) fn parse_measure(key: &str) -> Result<Expectation, String> {
    let (quantity, moment) = if let Some((quantity, time)) = key.split_once('@') {
        let time = time.trim();
        let moment = if time == "end" { Moment::End } else { Moment::At(parse_time(time)?) };
        (quantity, moment)
    } else if let Some((quantity, word)) = key.trim().rsplit_once(char::is_whitespace) {
        let moment = over_what(word).ok_or_else(|| format!("\"{word}\" says neither when nor over what"))?;
        (quantity, moment)
    } else {
        event_key(key).ok_or_else(|| format!("\"{key}\" does not say when the quantity is looked at"))?
    };
    let (text, quantity) = (key.to_owned(), quantity.trim().to_owned());
    let condition = Condition::Between(f64::NEG_INFINITY, f64::INFINITY);
    Ok(Expectation { text, quantity, moment, condition })
}

fn over_what(word: &str) -> Option<Moment> {
    match word {
        "max" => Some(Moment::Max),
        "min" => Some(Moment::Min),
        "final" => Some(Moment::End),
        "count" => Some(Moment::Count),
        _ => None,
    }
}

/// `drop.begin[0].time`: column of the k-th event of a kind.
fn event_key(key: &str) -> Option<(&str, Moment)> {
    let (event, column) = key.rsplit_once("].")?;
    let (quantity, index) = event.rsplit_once('[')?;
    let is_column = !column.is_empty() && !column.contains(['.', '[']);
    let index = index.parse().ok().filter(|_| is_column)?;
    Some((quantity, Moment::Event { index, column: column.to_owned() }))
}

/// The first part of a quantity is a body, a joint, force or constraint, a contact line or pair, or `energy`.
fn check_subject(quantity: &str, path: &str, model: &Model) -> Result<(), Box<Problem>> {
    let (subject, column) = quantity.rsplit_once('.').unwrap_or((quantity, ""));
    let parts = find_parts(subject, model);
    let has = |part: &Part| {
        let matches = |name: &str| name == column || name == without_unit(column);
        part.quantities.iter().any(|q| matches(&q.0))
    };
    let holder = parts.iter().position(has);
    let is_body = model.bodies.iter().any(|b| b.name == subject);
    if holder == Some(0) && (!is_body || subject != parts[0].name) {
        return Ok(());
    }
    let starts_with =
        |name: &str| quantity.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some(body) = model.bodies.iter().find(|b| starts_with(&b.name)) {
        let column = quantity[body.name.len()..].trim_start_matches('.');
        let known = BODY_COLUMNS.iter().map(|c| c.0);
        // A contact line may have the name of a body.
        let is_line = model.contact_lines.iter().any(|l| starts_with(&l.name));
        if is_line || known.clone().any(|c| c == column || c == without_unit(column)) {
            return Ok(());
        }
        let mut problem =
            Problem::new("E0505", path, format!("body \"{}\" has no quantity \"{column}\"", body.name));
        problem.help = match holder {
            // Names of parts come after those of bodies.
            Some(part) => Some(format!("did you mean \"{}.{quantity}\"?", parts[part].kind)),
            None => suggest::help(column, known),
        };
        return Err(Box::new(problem));
    }
    let lines = model.contact_lines.iter().map(|l| l.name.as_str());
    let pairs = model.pairs.iter().map(|p| p.name.as_str());
    let globals = ["energy", "statistics", "time"];
    let is_limit = !stopped_axes(subject, model).is_empty();
    // Cables go taut and slack as contacts begin and end.
    let is_cable = |force: &Force| force.name == subject && matches!(force.kind, ForceKind::Cable { .. });
    let is_of_cable = matches!(column, "begin" | "end") && model.forces.iter().any(is_cable);
    if is_limit || is_of_cable || lines.clone().chain(pairs).chain(globals).any(starts_with) {
        return Ok(());
    }
    if let Some(part) = parts.first() {
        let message = format!("{} \"{}\" has no quantity \"{column}\"", part.kind, part.name);
        let mut problem = Problem::new("E0505", path, message);
        problem.help = match holder {
            Some(other) => Some(format!("did you mean \"{}.{quantity}\"?", parts[other].kind)),
            None => suggest::help(column, part.quantities.iter().map(|q| q.0.as_str())),
        };
        return Err(Box::new(problem));
    }
    let first = quantity.rsplit_once('.').map_or(quantity, |(subject, _)| subject);
    let bodies = model.bodies.iter().map(|b| b.name.as_str());
    let known: Vec<&str> = bodies.chain(part_names(model)).chain(lines).chain(["energy"]).collect();
    let message = format!("there is no body, joint, force, contact line or account \"{first}\"");
    let mut problem = Problem::new("E0505", path, message);
    problem.help = suggest::help(first, known);
    Err(Box::new(problem))
}

fn without_unit(column: &str) -> &str {
    COLUMN_UNITS.iter().find_map(|(suffix, _)| column.strip_suffix(suffix)).unwrap_or(column)
}

/// Dimension of a quantity; `None` if the name does not tell.
fn quantity_dimension(quantity: &str, model: &Model) -> Option<Dimension> {
    let (subject, column) = quantity.rsplit_once('.').unwrap_or(("", quantity));
    let is_body = model.bodies.iter().any(|b| b.name == subject);
    if let Some(part) = find_parts(subject, model).first().filter(|_| !is_body) {
        let plain = without_unit(column);
        if let Some(q) = part.quantities.iter().find(|q| q.0 == column || q.0 == plain) {
            return q.1;
        }
    }
    let known = dimension_at_stop(subject, without_unit(column), model).or_else(|| column_dimension(column));
    if subject == "energy" { known.or(Some(Dimension::ENERGY)) } else { known }
}

/// Dimension of a column; `None` if the name does not tell.
fn column_dimension(column: &str) -> Option<Dimension> {
    let known = |name: &str| BODY_COLUMNS.iter().chain(&OTHER_COLUMNS).find(|c| c.0 == name).map(|c| c.1);
    known(column)
        .or_else(|| COLUMN_UNITS.iter().find(|(suffix, _)| column.ends_with(suffix)).map(|(_, d)| *d))
}

/// Exactly one of value + tol, below, above, between.
fn read_condition(section: &Section<'_, '_>, dimension: Option<Dimension>) -> Option<Condition> {
    let given: Vec<&str> =
        ["value", "below", "above", "between"].into_iter().filter(|k| section.has(k)).collect();
    if given.len() != 1 {
        let got = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        let message = format!("an expectation has exactly one condition, got {got}");
        let problem = Problem::new("E0504", section.path.clone(), message);
        let problem = problem.expected("`value` with `tol`, `below`, `above` or `between`");
        section.context.findings.push(Finding::at(problem, section.key_span));
        return None;
    }
    let number = |key: &str| match dimension {
        Some(d) => section.quantity_in(key, d),
        None => section
            .context
            .evaluate(section.node(key)?, section.scope, &section.path_of(key))
            .map(|q| q.value),
    };
    let checked_tol = |tol: f64| {
        if section.outside("tol", Some(tol)).is_none() {
            return Some(tol);
        }
        let message = format!("tol must {}, got {tol}", section.row("tol").range.demand());
        section.report("tol", section.problem("E0504", "tol", message));
        None
    };
    match given[0] {
        "value" => {
            if !section.has("tol") {
                section.report_missing("tol");
            }
            let (value, tol) = (number("value"), number("tol"));
            Some(Condition::Near { value: value?, tol: checked_tol(tol?)? })
        }
        "below" => number("below").map(Condition::Below),
        "above" => number("above").map(Condition::Above),
        _ => {
            let limits = section.quantities("between", dimension.unwrap_or(Dimension::NONE), &[2])?;
            if limits[0] > limits[1] {
                let message =
                    format!("between takes the lower limit first, got {} and {}", limits[0], limits[1]);
                section.report("between", section.problem("E0504", "between", message));
                return None;
            }
            Some(Condition::Between(limits[0], limits[1]))
        }
    }
}

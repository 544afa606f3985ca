//! Times that a run cannot keep: an end that is too far, rows without number, steps that time cannot resolve.

use super::Model;
use super::validate::short;
use crate::Problem;

/// Most rows that a table gets one at each output time.
const MOST_ROWS: f64 = 1e8;
/// Longest and shortest run (s): 32 000 years, and a time in which light does not cross an atom's nucleus.
const LONGEST: f64 = 1e12;
const SHORTEST: f64 = 1e-24;
/// Steps must be longer than this share of the end: sixteen units in the last place, below which a step adds nothing sure.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

pub(super) fn check_lengths_of_time(model: &Model, problems: &mut Vec<Problem>) {
    let s = &model.solver;
    let t_end = s.t_end;
    if !(t_end.is_finite() && t_end > 0.0) {
        return;
    }
    if !(SHORTEST..=LONGEST).contains(&t_end) {
        let message = format!("t_end = {} s is no length of a run", short(t_end));
        let problem = Problem::new("E0502", "solver.t_end", message);
        problems.push(problem.expected(format!("{SHORTEST:e} s to {LONGEST:e} s")));
        return;
    }
    for (key, every, what) in [
        ("output.every", model.output.every, "rows"),
        ("output.patches", model.output.patches, "records of patches"),
    ] {
        let rows = every.filter(|every| *every > 0.0).map_or(0.0, |every| t_end / every);
        if rows > MOST_ROWS {
            let name = key.rsplit('.').next().unwrap_or(key);
            let every = every.map(short).unwrap_or_default();
            let message = format!("{name} = {every} s gives {rows:.1e} {what} by t_end = {} s", short(t_end));
            let problem = Problem::new("E0508", key, message).expected(format!("at most {MOST_ROWS:.0e}"));
            problems.push(problem.help(format!("write {name} = \"{} s\" or more", short(t_end / MOST_ROWS))));
        }
    }
    for (key, step) in [("solver.h_max", s.h_max), ("solver.formulation.step", s.fixed_step())] {
        if let Some(step) = step.filter(|step| *step > 0.0 && *step < ROUNDING * t_end) {
            let name = key.rsplit('.').next().unwrap_or(key);
            let message = format!(
                "{name} = {} s is below what time near t_end = {} s can resolve",
                short(step),
                short(t_end)
            );
            let problem = Problem::new("E0502", key, message);
            problems.push(problem.expected(format!("at least {} s", short(ROUNDING * t_end))));
        }
    }
}

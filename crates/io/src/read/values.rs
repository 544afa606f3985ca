use carom_engine::Problem;

use super::{Context, ScopeId, ScopeNames};
use crate::document::{Node, Value};
use crate::finding::Finding;
use crate::quantity::{Dimension, ExpressionError, Failure, Quantity, evaluate, parse};
use crate::source::Span;

impl Context<'_> {
    /// Value of a node as an expression, whatever its dimension. A plain number has none.
    pub(crate) fn evaluate(&self, node: &Node, scope: ScopeId, path: &str) -> Option<Quantity> {
        match &node.value {
            Value::Integer(i) => Some(Quantity::number(*i as f64)),
            Value::Number(x) => Some(Quantity::number(*x)),
            Value::Text(text) => {
                let names = ScopeNames { context: self, scope };
                let result = parse(text, &names).map_err(Failure::Error).and_then(|e| evaluate(&e, &names));
                match result {
                    Ok(q) => Some(q),
                    Err(Failure::Reported) => None,
                    Err(Failure::Error(error)) => {
                        self.report_expression(node, text, path, error);
                        None
                    }
                }
            }
            Value::Broken => None,
            other => {
                let message = format!("{path} must be a number or an expression, got {}", other.type_name());
                let problem = Problem::new("E0106", path, message);
                self.findings
                    .push(Finding::at(problem.expected("a number, or a string with a unit"), node.span));
                None
            }
        }
    }

    pub(super) fn report_expression(&self, node: &Node, text: &str, path: &str, error: ExpressionError) {
        let mut problem = Problem::new(error.code, path, format!("{path}: {}", error.message));
        problem.expected = error.expected;
        problem.help = error.help;
        let span = self.span_within(node, text, error.start, error.end);
        self.findings.push(Finding::at(problem, span));
    }

    /// Place of bytes of a string. A string with escapes is meant as a whole.
    pub(crate) fn span_within(&self, node: &Node, text: &str, start: usize, end: usize) -> Span {
        let raw = self.sources.slice(node.span);
        let quoted = raw.len() == text.len() + 2 && raw.get(1..raw.len() - 1) == Some(text);
        let offset = if quoted {
            1
        } else if raw == text {
            0
        } else {
            return node.span;
        };
        let first = node.span.start + offset;
        Span { file: node.span.file, start: first + start, end: first + end.max(start + 1) }
    }

    /// Value of a node in SI units; a plain number is taken as SI.
    pub(crate) fn value(&self, node: &Node, dimension: Dimension, scope: ScopeId, path: &str) -> Option<f64> {
        let plain = matches!(node.value, Value::Integer(_) | Value::Number(_));
        let q = self.evaluate(node, scope, path)?;
        match self.check_dimension(q, dimension, plain, node, path) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.findings.push(Finding::at(*problem, node.span));
                None
            }
        }
    }

    pub(super) fn check_dimension(
        &self,
        q: Quantity,
        wanted: Dimension,
        plain: bool,
        node: &Node,
        path: &str,
    ) -> Result<f64, Box<Problem>> {
        let is_angle = wanted.equals(Dimension::ANGLE);
        if q.dimension.equals(Dimension::NONE) && q.value == 0.0 {
            return Ok(q.value);
        }
        if is_angle && q.dimension.equals(Dimension::NONE) {
            let problem =
                Problem::new("E0110", path, format!("{path} is an angle, got the bare number {}", q.value));
            return Err(Box::new(problem.expected("an angle with its unit").help(angle_help(q.value))));
        }
        if plain || (q.dimension.matches(wanted) && (!is_angle || q.dimension.equals(wanted))) {
            return within_bounds(q.value, wanted, path);
        }
        let got = if q.dimension.equals(Dimension::NONE) {
            "a plain number".to_owned()
        } else {
            format!("`{}`", q.dimension)
        };
        let expected = if wanted.equals(Dimension::NONE) {
            "a plain number".to_owned()
        } else {
            format!("a quantity in `{wanted}`")
        };
        let problem = Problem::new(
            "E0104",
            path,
            format!("{path} has the wrong dimension: expected {expected}, got {got}"),
        );
        let problem = problem.expected(expected);
        let text = node.as_text().unwrap_or_default();
        let inverse = wanted.power(-1.0);
        Err(Box::new(if q.dimension.matches(inverse) && text.contains('/') && !q.dimension.is_pure() {
            problem.help(unit_trap_help(text))
        } else if q.dimension.equals(Dimension::NONE) {
            problem.help(format!("write the unit, such as \"{} {wanted}\"", q.value))
        } else {
            problem
        }))
    }
}

/// Longest length (m), seven times the way to the sun: there places are rounded to a tenth of a millimetre, and nothing that
/// is there can be told from what is beside it.
const FARTHEST: f64 = 1e12;

fn within_bounds(value: f64, dimension: Dimension, path: &str) -> Result<f64, Box<Problem>> {
    // A function of time has no value yet, which passes.
    if dimension.equals(Dimension::LENGTH) && value.abs() > FARTHEST {
        let message = format!("{path} = {value:e} m is farther than places can be told apart");
        let problem = Problem::new("E0119", path, message);
        return Err(Box::new(problem.expected(format!("at most {FARTHEST:e} m"))));
    }
    Ok(value)
}

/// "1/10 m" is 1/(10 m); who writes it mostly means (1/10) m.
fn unit_trap_help(text: &str) -> String {
    let rule = "a unit binds to the number it follows";
    let parts = text.split_once('/').and_then(|(above, rest)| {
        let (below, unit) = rest.trim().split_once(char::is_whitespace)?;
        let is_number = |s: &str| s.trim().parse::<f64>().is_ok();
        (is_number(above) && is_number(below)).then(|| (above.trim(), below, unit.trim()))
    });
    match parts {
        Some((above, below, unit)) => {
            format!("{rule}: \"{text}\" is {above}/({below} {unit}); write \"({above}/{below}) {unit}\"")
        }
        None => format!(
            "{rule}, so that \"{text}\" divides by a quantity; put a fraction of a unit in parentheses: \"(10/128) m\""
        ),
    }
}

/// "90 deg" or "1.57 rad", whichever the user meant.
fn angle_help(value: f64) -> String {
    let short = |x: f64| {
        let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
        rounded.to_string()
    };
    if value.abs() > std::f64::consts::TAU {
        format!("write \"{value} deg\" or \"{} rad\"", short(value.to_radians()))
    } else {
        format!("write \"{value} rad\" or \"{} deg\"", short(value.to_degrees()))
    }
}

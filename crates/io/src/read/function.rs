use carom_engine::Problem;
use carom_engine::function::{Interpolation, Program, Table, TableFault, TimeFunction};

use super::{ScopeNames, Section};
use crate::document::{Node, Value};
use crate::finding::Finding;
use crate::quantity::{
    Compiled, Dimension, ExpressionError, Failure, NoNames, Quantity, WithTime, compile, parse, parse_long,
};

impl<'c, 'a> Section<'c, 'a> {
    /// The function of time under a key.
    pub(crate) fn function(
        &self,
        key: &str,
        dimension: Dimension,
        between: Interpolation,
    ) -> Option<TimeFunction> {
        self.function_of(self.node(key)?, &self.path_of(key), dimension, between)
    }

    /// Three functions of time, the components of a vector.
    pub(crate) fn functions(&self, key: &str, dimension: Dimension) -> Option<[TimeFunction; 3]> {
        if !self.has(key) {
            self.report_missing(key);
        }
        let node = self.node(key)?;
        let path = self.path_of(key);
        let items = match &node.value {
            Value::Array(items) if items.len() == 3 => items,
            Value::Broken => return None,
            other => {
                let got = match other {
                    Value::Array(items) => format!("{} entries", items.len()),
                    other => other.type_name().to_owned(),
                };
                let message = format!("{path} must be a list of 3 components, got {got}");
                self.report(key, self.problem("E0106", key, message).expected("[x, y, z]"));
                return None;
            }
        };
        let read = |k: usize| {
            let path = format!("{path}[{k}]");
            self.context.record_origin(&path, items[k].span);
            self.function_of(&items[k], &path, dimension, Interpolation::Linear)
        };
        let [x, y, z] = [read(0), read(1), read(2)];
        Some([x?, y?, z?])
    }

    fn function_of(
        &self,
        node: &'a Node,
        path: &str,
        dimension: Dimension,
        between: Interpolation,
    ) -> Option<TimeFunction> {
        match &node.value {
            Value::Text(text) => {
                let names = ScopeNames { context: self.context, scope: self.scope };
                let compiled = parse(text, &WithTime(&names))
                    .map_err(Failure::Error)
                    .and_then(|e| compile(&e, &names, false));
                self.program(node, text, path, compiled, Some(dimension))
            }
            Value::Table(table) => {
                let section = Section::new(self.context, "function", table, node.span, path, self.scope);
                section.table_or_program(dimension, between)
            }
            _ => self.context.value(node, dimension, self.scope, path).map(TimeFunction::Constant),
        }
    }

    /// `{ table, interpolation }` or `{ si }`.
    fn table_or_program(&self, dimension: Dimension, between: Interpolation) -> Option<TimeFunction> {
        if self.has("table") == self.has("si") {
            let message = format!("{} must have `table` or `si`", self.path);
            let problem = Problem::new("E0212", self.path.clone(), message)
                .expected("{ table = [[\"0 s\", …], …] }, an expression of `t`, or a quantity");
            self.context.findings.push(Finding::at(problem, self.key_span));
            return None;
        }
        if self.has("si") {
            let node = self.node("si")?;
            let text = self.text("si")?;
            let compiled = parse_long(&text, &WithTime(&NoNames))
                .map_err(Failure::Error)
                .and_then(|e| compile(&e, &NoNames, true));
            return self.program(node, &text, &self.path_of("si"), compiled, None);
        }
        let between = match self.has("interpolation") {
            true => self.kind_or_default("interpolation", &Interpolation::ALL, Interpolation::name, &[])?,
            false => between,
        };
        let points = self.points(dimension)?;
        Table::new(&points, between)
            .map(TimeFunction::Table)
            .map_err(|fault| self.report_table(fault, &points))
            .ok()
    }

    fn points(&self, dimension: Dimension) -> Option<Vec<(f64, f64)>> {
        let node = self.node("table")?;
        let path = self.path_of("table");
        let wrong = |node: &Node, path: &str, message: String| {
            if !matches!(node.value, Value::Broken) {
                let problem = Problem::new("E0106", path, message);
                let problem =
                    problem.expected("a list of points [time, value], such as [[\"0 s\", 0], [\"1 s\", 2]]");
                self.context.findings.push(Finding::at(problem, node.span));
            }
        };
        let Value::Array(items) = &node.value else {
            wrong(node, &path, format!("{path} must be a list of points, got {}", node.value.type_name()));
            return None;
        };
        let mut points = Vec::new();
        let mut complete = true;
        for (k, item) in items.iter().enumerate() {
            let path = format!("{path}[{k}]");
            self.context.record_origin(&path, item.span);
            let point = match &item.value {
                Value::Array(pair) if pair.len() == 2 => {
                    let value = |j: usize, dimension| {
                        self.context.value(&pair[j], dimension, self.scope, &format!("{path}[{j}]"))
                    };
                    let (time, value) = (value(0, Dimension::TIME), value(1, dimension));
                    time.zip(value)
                }
                _ => {
                    wrong(item, &path, format!("{path} must be a point [time, value]"));
                    None
                }
            };
            complete &= point.is_some();
            points.extend(point);
        }
        complete.then_some(points)
    }

    fn report_table(&self, fault: TableFault, points: &[(f64, f64)]) {
        let path = self.path_of("table");
        let (at, message, expected) = match fault {
            TableFault::TooShort => {
                (path.clone(), format!("{path} has {} point(s)", points.len()), "two points or more")
            }
            TableFault::Order(k) => (
                format!("{path}[{k}]"),
                format!(
                    "the times of {path} do not increase: {} s follows {} s",
                    points[k].0,
                    points[k - 1].0
                ),
                "times in increasing order",
            ),
            TableFault::NotFinite(k) => {
                (format!("{path}[{k}]"), format!("point {k} of {path} is not finite"), "finite numbers")
            }
        };
        let span = self.context.origin(&at).unwrap_or(self.key_span);
        let mut problem = Problem::new("E0115", at, message).expected(expected);
        if matches!(fault, TableFault::Order(_)) {
            problem = problem.help(
                "for a jump write two times that differ by a little; a prescribed position needs a ramp",
            );
        }
        self.context.findings.push(Finding::at(problem, span));
    }

    /// The engine's program of a compiled expression, its dimension checked.
    fn program(
        &self,
        node: &Node,
        text: &str,
        path: &str,
        compiled: Result<Compiled, Failure>,
        wanted: Option<Dimension>,
    ) -> Option<TimeFunction> {
        let Compiled { dimension, constant, ops } = match compiled {
            Ok(compiled) => compiled,
            Err(Failure::Reported) => return None,
            Err(Failure::Error(error)) => {
                self.context.report_expression(node, text, path, error);
                return None;
            }
        };
        if let Some(wanted) = wanted
            && let Some(problem) = self.wrong_dimension(constant, dimension, wanted, node, path)
        {
            self.context.findings.push(Finding::at(problem, node.span));
            return None;
        }
        if let Some(value) = constant {
            return Some(TimeFunction::Constant(value));
        }
        let Some(program) = Program::new(ops) else {
            let error = ExpressionError::new("E0116", (0, text.len()), "the expression is nested too deeply");
            let error = error.help("write nested parts first, as in ((… + 1)*x + 1)*x, or use a table");
            self.context.report_expression(node, text, path, error);
            return None;
        };
        Some(TimeFunction::Program(program))
    }

    fn wrong_dimension(
        &self,
        constant: Option<f64>,
        dimension: Dimension,
        wanted: Dimension,
        node: &Node,
        path: &str,
    ) -> Option<Problem> {
        if constant.is_none() && dimension.equals(Dimension::NONE) && wanted.equals(Dimension::ANGLE) {
            let problem = Problem::new(
                "E0110",
                path,
                format!("{path} is an angle, but its expression is a plain number"),
            );
            let help = "write the unit at the amplitude: \"0.5 rad*sin(2 rad/s*t)\"";
            return Some(problem.expected("an angle with its unit").help(help));
        }
        let q = Quantity { value: constant.unwrap_or(f64::NAN), dimension };
        self.context.check_dimension(q, wanted, false, node, path).err().map(|p| {
            let mut problem = *p;
            if constant.is_none() && dimension.equals(Dimension::NONE) {
                problem.help =
                    Some(format!("write the unit at the amplitude: \"2 {wanted}*sin(3 rad/s*t)\""));
            }
            problem
        })
    }
}

//! Functions of time as the model file writes them, in plain SI numbers.

use carom_engine::function::{Op, Program, TimeFunction};
use serde_json::{Value, json};

use super::x;

/// A function whose values are written by `value`.
pub(super) fn function(f: &TimeFunction, value: fn(f64) -> Value) -> Value {
    match f {
        TimeFunction::Constant(c) => value(*c),
        TimeFunction::Program(program) => json!({ "si": infix(program) }),
        TimeFunction::Table(table) => {
            let (points, between) = table.points();
            let points: Vec<Value> = points.map(|(t, v)| json!([x(t), value(v)])).collect();
            json!({ "table": points, "interpolation": between.name() })
        }
    }
}

/// How tightly an expression holds together, as the parser sees it.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Sum,
    Product,
    /// A sign before a power.
    Signed,
    Power,
    Primary,
}

struct Text {
    text: String,
    level: Level,
    /// The last operation, if it is `min` or `max`, which take any number of arguments.
    joins: Option<&'static str>,
}

impl Text {
    fn new(text: String, level: Level) -> Self {
        Self { text, level, joins: None }
    }

    fn at_least(self, level: Level) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }
}

/// The program as an expression that compiles to the same operations.
fn infix(program: &Program) -> String {
    let mut stack: Vec<Text> = Vec::new();
    for op in program.ops() {
        let text = match op {
            Op::Constant(c) if *c < 0.0 => Text::new(format!("{c:?}"), Level::Signed),
            Op::Constant(c) => Text::new(format!("{:?}", c + 0.0), Level::Primary),
            Op::Time => Text::new("t".to_owned(), Level::Primary),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Pow | Op::Atan2 | Op::Min | Op::Max => {
                let (b, a) = (stack.pop(), stack.pop());
                let (Some(a), Some(b)) = (a, b) else { continue };
                binary(*op, a, b)
            }
            Op::Neg => match stack.pop() {
                Some(a) => Text::new(format!("-{}", a.at_least(Level::Power)), Level::Signed),
                None => continue,
            },
            Op::Sqrt | Op::Sin | Op::Cos | Op::Tan | Op::Floor | Op::Abs => {
                let name = match op {
                    Op::Sqrt => "sqrt",
                    Op::Sin => "sin",
                    Op::Cos => "cos",
                    Op::Tan => "tan",
                    Op::Floor => "floor",
                    _ => "abs",
                };
                let Some(a) = stack.pop() else { continue };
                Text::new(format!("{name}({})", a.text), Level::Primary)
            }
        };
        stack.push(text);
    }
    stack.pop().map(|t| t.text).unwrap_or_default()
}

fn binary(op: Op, a: Text, b: Text) -> Text {
    // Operators of one level are read from the left; a right operand of that level needs a parenthesis.
    let chain = |word: &str, level: Level, next: Level| {
        Text::new(format!("{}{word}{}", a.text_at(level), b.text_at(next)), level)
    };
    match op {
        Op::Add => chain(" + ", Level::Sum, Level::Product),
        Op::Sub => chain(" - ", Level::Sum, Level::Product),
        Op::Mul => chain("*", Level::Product, Level::Signed),
        Op::Div => chain("/", Level::Product, Level::Signed),
        Op::Pow => {
            let text = format!("{}^{}", a.text_at(Level::Primary), b.text_at(Level::Signed));
            Text::new(text, Level::Power)
        }
        Op::Atan2 => Text::new(format!("atan2({}, {})", a.text, b.text), Level::Primary),
        _ => {
            let name = if matches!(op, Op::Min) { "min" } else { "max" };
            let before = match a.joins {
                Some(joined) if joined == name => a.text[..a.text.len() - 1].to_owned(),
                _ => format!("{name}({}", a.text),
            };
            let text = format!("{before}, {})", b.text);
            Text { text, level: Level::Primary, joins: Some(name) }
        }
    }
}

impl Text {
    fn text_at(&self, level: Level) -> String {
        Self::new(self.text.clone(), self.level).at_least(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::{NoNames, WithTime, compile, parse_long};

    #[test]
    fn expressions_come_back_as_the_same_program() {
        for text in [
            "t",
            "-t",
            "-t^2*3 - (t - (1 - t))/(2*t)/-t",
            "t^-2 - t^0.5 + (-t)^3 + (2*t)^2",
            "max(t, 1, min(t, 2), max(t, 3)) - -3*t",
            "atan2(sin(t), -cos(t))*abs(tan(t))/floor(sqrt(t))",
            "1e-7*t + 1e300*t - 0.1*(t*(t*t))",
            "min(max(t, 1), 2)*(-2.5)^2*t",
        ] {
            let program = |text: &str| {
                let parsed = parse_long(text, &WithTime(&NoNames)).unwrap();
                Program::new(compile(&parsed, &NoNames, true).unwrap().ops).unwrap()
            };
            let first = program(text);
            assert_eq!(program(&infix(&first)), first, "{text} as {}", infix(&first));
        }
    }
}

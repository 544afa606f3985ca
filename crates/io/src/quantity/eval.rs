use super::parse::{Expr, Function, Kind};
use super::unit::unit_names;
use super::{Dimension, ExpressionError, Failure, Quantity};
use crate::suggest;

/// What a name stands for.
pub(crate) enum Lookup {
    Found(Quantity),
    /// Its own definition is in error, which is reported there.
    Broken,
    Unknown,
}

/// Names an expression can use.
pub(crate) trait Names {
    fn lookup(&self, name: &str) -> Lookup;
    fn defines(&self, name: &str) -> bool;
    /// All names, for suggestions.
    fn all(&self) -> Vec<String>;
}

/// No names at all.
pub(crate) struct NoNames;

impl Names for NoNames {
    fn lookup(&self, _: &str) -> Lookup {
        Lookup::Unknown
    }

    fn defines(&self, _: &str) -> bool {
        false
    }

    fn all(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Value of a parsed expression.
pub(crate) fn evaluate(expr: &Expr, names: &dyn Names) -> Result<Quantity, Failure> {
    let at = (expr.start, expr.end);
    let result = match &expr.kind {
        Kind::Number(value, unit) => {
            Quantity { value: *value, dimension: unit.map_or(Dimension::NONE, |u| u.dimension) }
        }
        Kind::Name(name) => find_name(name, at, names)?,
        Kind::Negate(inner) => {
            let q = evaluate(inner, names)?;
            Quantity { value: -q.value, ..q }
        }
        Kind::Scaled(inner, unit) => {
            let q = evaluate(inner, names)?;
            let scale = scale_by_ten(q.value, unit.power_of_ten);
            Quantity { value: scale * unit.factor, dimension: q.dimension.times(unit.dimension) }
        }
        Kind::Binary(op, left, right) => {
            let (a, b) = (evaluate(left, names)?, evaluate(right, names)?);
            binary(*op, a, b, at, (right.start, right.end))?
        }
        Kind::Call(function, arguments) => {
            let values = arguments.iter().map(|a| evaluate(a, names)).collect::<Result<Vec<_>, _>>()?;
            call(*function, &values, at)?
        }
    };
    if !result.value.is_finite() {
        let error = ExpressionError::new("E0102", at, format!("the value is not finite ({})", result.value));
        return Err(error.expected("a finite number").into());
    }
    Ok(result)
}

fn scale_by_ten(value: f64, power: f64) -> f64 {
    // A division by an exact power of ten is rounded once; a product with its inverse twice.
    if power < 0.0 { value / libm::pow(10.0, -power) } else { value * libm::pow(10.0, power) }
}

fn find_name(name: &str, at: (usize, usize), names: &dyn Names) -> Result<Quantity, Failure> {
    match names.lookup(name) {
        Lookup::Found(q) => Ok(q),
        Lookup::Broken => Err(Failure::Reported),
        Lookup::Unknown => {
            let mut known = names.all();
            known.extend(unit_names().map(str::to_owned));
            let error = ExpressionError::new("E0108", at, format!("there is no parameter or unit `{name}`"));
            Err(match suggest::nearest(name, known.iter().map(String::as_str)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => match suggest::list(names.all().iter().map(String::as_str)) {
                    Some(all) => error.help(format!("names here: {all}")),
                    None => error.help("define it in [params]"),
                },
            }
            .into())
        }
    }
}

fn binary(
    op: char,
    a: Quantity,
    b: Quantity,
    at: (usize, usize),
    right: (usize, usize),
) -> Result<Quantity, ExpressionError> {
    match op {
        '+' | '-' => {
            let word = if op == '+' { "add" } else { "subtract" };
            let dimension = common_dimension(&[a, b], word, at)?;
            Ok(Quantity { value: if op == '+' { a.value + b.value } else { a.value - b.value }, dimension })
        }
        '*' => Ok(Quantity { value: a.value * b.value, dimension: a.dimension.times(b.dimension) }),
        '/' => {
            if b.value == 0.0 {
                return Err(ExpressionError::new("E0102", right, "division by zero")
                    .expected("a divisor other than 0"));
            }
            Ok(Quantity { value: a.value / b.value, dimension: a.dimension.times(b.dimension.power(-1.0)) })
        }
        _ => {
            if !b.dimension.is_pure() {
                let message = format!("the exponent must be a plain number, got {}", b.dimension);
                return Err(ExpressionError::new("E0104", right, message));
            }
            let value = if b.value == 2.0 { a.value * a.value } else { libm::pow(a.value, b.value) };
            Ok(Quantity { value, dimension: a.dimension.power(b.value) })
        }
    }
}

/// Dimension of terms that are added or compared. Radians multiply away, but a bare number other than 0
/// is no angle.
pub(super) fn common_dimension(
    values: &[Quantity],
    word: &str,
    at: (usize, usize),
) -> Result<Dimension, ExpressionError> {
    let mut common = values[0].dimension;
    for q in &values[1..] {
        if !q.dimension.matches(common) {
            let message =
                format!("cannot {word} {} and {}", describe(values[0].dimension), describe(q.dimension));
            return Err(ExpressionError::new("E0104", at, message).expected("terms of one dimension"));
        }
        if q.dimension.is_pure() && q.dimension.angle != common.angle {
            let bare_number = values.iter().any(|v| v.dimension.angle == 0.0 && v.value != 0.0);
            let angle = values.iter().map(|v| v.dimension).find(|d| d.angle != 0.0);
            if bare_number {
                let error =
                    ExpressionError::new("E0110", at, format!("cannot {word} an angle and a bare number"));
                return Err(error.help("write the unit: \"90 deg\" or \"1.57 rad\""));
            }
            common = angle.unwrap_or(common);
        }
    }
    Ok(common)
}

/// Dimension in words.
pub(crate) fn describe(dimension: Dimension) -> String {
    if dimension.equals(Dimension::NONE) { "a plain number".to_owned() } else { format!("`{dimension}`") }
}

fn call(function: Function, values: &[Quantity], at: (usize, usize)) -> Result<Quantity, ExpressionError> {
    let x = values[0];
    let pure = |name: &str| -> Result<(), ExpressionError> {
        if x.dimension.is_pure() {
            return Ok(());
        }
        let message = format!("`{name}` takes a plain number or an angle, got {}", describe(x.dimension));
        Err(ExpressionError::new("E0104", at, message))
    };
    match function {
        Function::Sqrt => {
            if x.value < 0.0 {
                let message = format!("square root of a negative number ({})", x.value);
                return Err(ExpressionError::new("E0102", at, message).expected("0 or more under the root"));
            }
            Ok(Quantity { value: x.value.sqrt(), dimension: x.dimension.power(0.5) })
        }
        Function::Sin => pure("sin").map(|()| Quantity::number(libm::sin(x.value))),
        Function::Cos => pure("cos").map(|()| Quantity::number(libm::cos(x.value))),
        Function::Tan => pure("tan").map(|()| Quantity::number(libm::tan(x.value))),
        Function::Atan2 => {
            common_dimension(values, "compare", at)?;
            Ok(Quantity { value: libm::atan2(x.value, values[1].value), dimension: Dimension::ANGLE })
        }
        Function::Floor => {
            pure("floor").map(|()| Quantity { value: x.value.floor(), dimension: x.dimension })
        }
        Function::Min | Function::Max => {
            let dimension = common_dimension(values, "compare", at)?;
            let pick = if function == Function::Min { f64::min } else { f64::max };
            Ok(Quantity { value: values.iter().map(|v| v.value).fold(x.value, pick), dimension })
        }
        Function::Abs => Ok(Quantity { value: x.value.abs(), ..x }),
    }
}

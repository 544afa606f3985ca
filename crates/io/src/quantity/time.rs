//! Expressions of time: dimensions checked once, then a program for the engine.

use carom_engine::function::Op;

use super::eval::{common_dimension, describe};
use super::parse::{Expr, Function, Kind};
use super::{Dimension, ExpressionError, Failure, Lookup, Names, Quantity, evaluate};

/// Name of the time in expressions.
const TIME: &str = "t";

/// What an expression of time compiles to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compiled {
    pub(crate) dimension: Dimension,
    /// The value, if the expression does not use the time.
    pub(crate) constant: Option<f64>,
    /// Operations in postfix order, SI units.
    pub(crate) ops: Vec<Op>,
}

impl Compiled {
    fn constant(q: Quantity) -> Self {
        Self { dimension: q.dimension, constant: Some(q.value), ops: vec![Op::Constant(q.value)] }
    }

    /// Stands for the value where only its dimension counts. One that varies is no zero.
    fn quantity(&self) -> Quantity {
        Quantity { value: self.constant.unwrap_or(f64::NAN), dimension: self.dimension }
    }
}

/// The names of a scope and the time.
pub(crate) struct WithTime<'n>(pub(crate) &'n dyn Names);

impl Names for WithTime<'_> {
    fn lookup(&self, name: &str) -> Lookup {
        self.0.lookup(name)
    }

    fn defines(&self, name: &str) -> bool {
        name == TIME || self.0.defines(name)
    }

    fn all(&self) -> Vec<String> {
        let mut names = self.0.all();
        names.push(TIME.to_owned());
        names
    }
}

/// Compiles an expression that may use the time `t`. With `plain` all numbers are SI and dimensions are
/// not looked at.
pub(crate) fn compile(expr: &Expr, names: &dyn Names, plain: bool) -> Result<Compiled, Failure> {
    let compiled = if uses_time(expr) {
        if names.defines(TIME) {
            let message = "`t` is the time here, and a parameter has the same name";
            let error = ExpressionError::new("E0111", (expr.start, expr.end), message);
            return Err(error.help("rename the parameter").into());
        }
        compile_varying(expr, names, plain)?
    } else {
        Compiled::constant(evaluate(expr, names)?)
    };
    Ok(if plain { Compiled { dimension: Dimension::NONE, ..compiled } } else { compiled })
}

fn uses_time(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Number(..) => false,
        Kind::Name(name) => name == TIME,
        Kind::Negate(inner) | Kind::Scaled(inner, _) => uses_time(inner),
        Kind::Binary(_, left, right) => uses_time(left) || uses_time(right),
        Kind::Call(_, arguments) => arguments.iter().any(uses_time),
    }
}

fn compile_varying(expr: &Expr, names: &dyn Names, plain: bool) -> Result<Compiled, Failure> {
    let varying = |dimension: Dimension, ops: Vec<Op>| Compiled { dimension, constant: None, ops };
    let at = (expr.start, expr.end);
    match &expr.kind {
        Kind::Number(..) => Ok(Compiled::constant(evaluate(expr, names)?)),
        Kind::Name(_) => Ok(varying(Dimension::TIME, vec![Op::Time])),
        Kind::Negate(inner) => {
            let mut inner = compile(inner, names, plain)?;
            inner.ops.push(Op::Neg);
            Ok(inner)
        }
        Kind::Scaled(inner, unit) => {
            let mut inner = compile(inner, names, plain)?;
            inner.dimension = inner.dimension.times(unit.dimension);
            let power = unit.power_of_ten;
            if power != 0.0 {
                inner.ops.push(Op::Constant(libm::pow(10.0, power.abs())));
                inner.ops.push(if power < 0.0 { Op::Div } else { Op::Mul });
            }
            if unit.factor != 1.0 {
                inner.ops.extend([Op::Constant(unit.factor), Op::Mul]);
            }
            Ok(inner)
        }
        Kind::Binary(op, left, right) => {
            let a = compile(left, names, plain)?;
            let b = compile(right, names, plain)?;
            let (dimension, op) = binary(*op, &a, &b, at, (right.start, right.end))?;
            Ok(varying(dimension, join(a.ops, b.ops, op)))
        }
        Kind::Call(function, arguments) => {
            let parts = arguments.iter().map(|a| compile(a, names, plain)).collect::<Result<Vec<_>, _>>()?;
            let (dimension, op) = call(*function, &parts, at)?;
            let mut parts = parts.into_iter();
            let mut ops = parts.next().map(|p| p.ops).unwrap_or_default();
            match op {
                Op::Min | Op::Max | Op::Atan2 => {
                    ops = parts.fold(ops, |ops, part| join(ops, part.ops, op));
                }
                op => ops.push(op),
            }
            Ok(varying(dimension, ops))
        }
    }
}

fn join(mut a: Vec<Op>, b: Vec<Op>, op: Op) -> Vec<Op> {
    a.extend(b);
    a.push(op);
    a
}

fn binary(
    op: char,
    a: &Compiled,
    b: &Compiled,
    at: (usize, usize),
    right: (usize, usize),
) -> Result<(Dimension, Op), ExpressionError> {
    let inverse = |d: Dimension| d.power(-1.0);
    match op {
        '+' => Ok((common_dimension(&[a.quantity(), b.quantity()], "add", at)?, Op::Add)),
        '-' => Ok((common_dimension(&[a.quantity(), b.quantity()], "subtract", at)?, Op::Sub)),
        '*' => Ok((a.dimension.times(b.dimension), Op::Mul)),
        '/' if b.constant == Some(0.0) => {
            Err(ExpressionError::new("E0102", right, "division by zero").expected("a divisor other than 0"))
        }
        '/' => Ok((a.dimension.times(inverse(b.dimension)), Op::Div)),
        _ => {
            let Some(exponent) = b.constant else {
                let error = ExpressionError::new(
                    "E0116",
                    right,
                    "the exponent of a function of time depends on time",
                );
                return Err(error
                    .expected("a constant exponent")
                    .help("write the values as a table: { table = [[\"0 s\", …], …] }"));
            };
            if !b.dimension.is_pure() {
                let message = format!("the exponent must be a plain number, got {}", b.dimension);
                return Err(ExpressionError::new("E0104", right, message).expected("a plain number"));
            }
            Ok((a.dimension.power(exponent), Op::Pow))
        }
    }
}

fn call(
    function: Function,
    parts: &[Compiled],
    at: (usize, usize),
) -> Result<(Dimension, Op), ExpressionError> {
    let dimension = parts[0].dimension;
    let quantities = || parts.iter().map(Compiled::quantity).collect::<Vec<_>>();
    let pure = |name: &str, op: Op| -> Result<Op, ExpressionError> {
        if dimension.is_pure() {
            return Ok(op);
        }
        let message = format!("`{name}` takes a plain number or an angle, got {}", describe(dimension));
        let error = ExpressionError::new("E0104", at, message).expected("a plain number or an angle");
        Err(if dimension.equals(Dimension::TIME) {
            error.help(format!("multiply the time by a frequency: {name}(2 rad/s*t)"))
        } else {
            error
        })
    };
    Ok(match function {
        Function::Sqrt => (dimension.power(0.5), Op::Sqrt),
        Function::Sin => (Dimension::NONE, pure("sin", Op::Sin)?),
        Function::Cos => (Dimension::NONE, pure("cos", Op::Cos)?),
        Function::Tan => (Dimension::NONE, pure("tan", Op::Tan)?),
        Function::Floor => (dimension, pure("floor", Op::Floor)?),
        Function::Abs => (dimension, Op::Abs),
        Function::Atan2 => {
            common_dimension(&quantities(), "compare", at)?;
            (Dimension::ANGLE, Op::Atan2)
        }
        Function::Min => (common_dimension(&quantities(), "compare", at)?, Op::Min),
        Function::Max => (common_dimension(&quantities(), "compare", at)?, Op::Max),
    })
}

#[cfg(test)]
mod tests {
    use carom_engine::function::{Program, TimeFunction};

    use super::*;
    use crate::quantity::{NoNames, parse};

    fn compiled(text: &str) -> Result<Compiled, Failure> {
        parse(text, &WithTime(&NoNames)).map_err(Failure::Error).and_then(|e| compile(&e, &NoNames, false))
    }

    fn code(text: &str) -> &'static str {
        match compiled(text) {
            Err(Failure::Error(e)) => e.code,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn values_follow_the_text() {
        type Case = (&'static str, Dimension, fn(f64) -> f64);
        let cases: [Case; 8] = [
            ("2 rad/s*t", Dimension::ANGLE, |t| 2.0 * t),
            ("10 deg*sin(3 rad/s*t)", Dimension::ANGLE, |t| 10.0_f64.to_radians() * (3.0 * t).sin()),
            ("5 N*t", Dimension::IMPULSE, |t| 5.0 * t),
            ("((t/(1 s))^2) mm", Dimension::LENGTH, |t| t * t / 1000.0),
            ("max(0 m, 1 m/s*t - 5 cm, 2 cm)", Dimension::LENGTH, |t| (t - 0.05).max(0.02)),
            ("-2^2*t", Dimension::TIME, |t| -4.0 * t),
            ("sqrt(t*(4 s))", Dimension::TIME, |t| (4.0 * t).sqrt()),
            ("abs(cos(1/s*t))*floor(t/(1 s)) rpm", Dimension::ANGULAR_VELOCITY, |t| {
                t.cos().abs() * t.floor() * std::f64::consts::PI / 30.0
            }),
        ];
        for (text, dimension, expected) in cases {
            let c = compiled(text).unwrap();
            assert!(c.dimension.matches(dimension), "{text} is {}", c.dimension);
            let f = TimeFunction::Program(Program::new(c.ops).unwrap());
            for t in [0.0, 0.3, 1.7, 2.5] {
                assert!((f.value(t) - expected(t)).abs() < 1e-14, "{text} at {t}: {}", f.value(t));
            }
        }
    }

    #[test]
    fn constants_are_folded() {
        let c = compiled("2*(3 m + 1 cm)/(2 s)*t").unwrap();
        assert_eq!(c.ops, [Op::Constant(3.01), Op::Time, Op::Mul]);
        assert_eq!(
            compiled("sin(30 deg)").unwrap().constant,
            Some(libm::sin(30.0 * (std::f64::consts::PI / 180.0)))
        );
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(code("1 m + t"), "E0104");
        assert_eq!(code("sin(t)"), "E0104");
        assert_eq!(code("2^(t/(1 s))"), "E0116");
        assert_eq!(code("t/0"), "E0102");
        assert_eq!(code("tt"), "E0108");
        assert_eq!(code("1 rad/s*t + 2"), "E0110");
    }
}

use super::Jet;

/// One operation of a [`Program`], on a stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Pushes a number.
    Constant(f64),
    /// Pushes the time (s).
    Time,
    /// a + b
    Add,
    /// a − b
    Sub,
    /// a · b
    Mul,
    /// a / b
    Div,
    /// a to the power of b; b is constant.
    Pow,
    /// −a
    Neg,
    /// √a
    Sqrt,
    /// sin a
    Sin,
    /// cos a
    Cos,
    /// tan a
    Tan,
    /// atan2(a, b)
    Atan2,
    /// ⌊a⌋
    Floor,
    /// The smaller of a and b.
    Min,
    /// The larger of a and b.
    Max,
    /// |a|
    Abs,
}

impl Op {
    /// Operands taken from the stack.
    pub(super) fn operands(self) -> usize {
        match self {
            Self::Constant(_) | Self::Time => 0,
            Self::Neg | Self::Sqrt | Self::Sin | Self::Cos | Self::Tan | Self::Floor | Self::Abs => 1,
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Pow
            | Self::Atan2
            | Self::Min
            | Self::Max => 2,
        }
    }
}

/// Deepest stack of a program: evaluation needs no memory of its own.
pub(super) const MAX_DEPTH: usize = 32;

/// An expression of time in postfix order.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    ops: Vec<Op>,
}

impl Program {
    /// A program that leaves one value and needs at most 32 places; `None` if it does not.
    pub fn new(ops: Vec<Op>) -> Option<Self> {
        let mut depth = 0_usize;
        for op in &ops {
            depth = depth.checked_sub(op.operands())? + 1;
            if depth > MAX_DEPTH {
                return None;
            }
        }
        (depth == 1).then_some(Self { ops })
    }

    /// Operations in postfix order.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Value and derivatives at time `t` (s).
    pub fn jet(&self, t: f64) -> Jet {
        let mut stack = [Jet::constant(0.0); MAX_DEPTH];
        let mut top = 0;
        for &op in &self.ops {
            let rest = top - op.operands();
            let (a, b) = (stack[rest], stack[(rest + 1).min(MAX_DEPTH - 1)]);
            stack[rest] = apply(op, t, a, b);
            top = rest + 1;
        }
        stack[0]
    }
}

pub(super) fn apply(op: Op, t: f64, a: Jet, b: Jet) -> Jet {
    let x = a.value;
    match op {
        Op::Constant(value) => Jet::constant(value),
        Op::Time => Jet::time(t),
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Pow => power(a, b.value),
        Op::Neg => -a,
        Op::Sqrt => {
            let root = x.sqrt();
            a.chain(root, 0.5 / root, -0.25 / (root * x))
        }
        Op::Sin => {
            let (sin, cos) = libm::sincos(x);
            a.chain(sin, cos, -sin)
        }
        Op::Cos => {
            let (sin, cos) = libm::sincos(x);
            a.chain(cos, -sin, -cos)
        }
        Op::Tan => {
            let tan = libm::tan(x);
            let slope = 1.0 + tan * tan;
            a.chain(tan, slope, 2.0 * tan * slope)
        }
        Op::Atan2 => arc_tangent(on_side(t, a), b),
        Op::Floor if t == 0.0 && x.floor() == x && !is_first(t, Jet::constant(x), a) => {
            Jet::constant(x - 1.0)
        }
        Op::Floor => Jet::constant(x.floor()),
        Op::Min => {
            if is_first(t, a, b) {
                a
            } else {
                b
            }
        }
        Op::Max => {
            if is_first(t, -a, -b) {
                a
            } else {
                b
            }
        }
        Op::Abs => {
            if is_first(t, Jet::constant(0.0), a) {
                a
            } else {
                -a
            }
        }
    }
}

/// Is a the smaller one, or the first of two that are equal? Nothing was before the start: there equal values go on as they do after it, by their
/// derivatives.
pub(super) fn is_first(t: f64, a: Jet, b: Jet) -> bool {
    let next = |jet: Jet| (jet.rate, jet.acceleration);
    a.value < b.value || a.value == b.value && (t != 0.0 || next(a) <= next(b))
}

/// A zero at the start with the sign of what comes after it.
pub(super) fn on_side(t: f64, a: Jet) -> Jet {
    let is_negative = t == 0.0 && a.value == 0.0 && !is_first(t, Jet::constant(0.0), a);
    Jet { value: if is_negative { -0.0 } else { a.value }, ..a }
}

/// aⁿ; derivatives of small whole powers have no division by a.
fn power(a: Jet, n: f64) -> Jet {
    let x = a.value;
    let term = |factor: f64, n: f64| if factor == 0.0 { 0.0 } else { factor * libm::pow(x, n) };
    a.chain(libm::pow(x, n), term(n, n - 1.0), term(n * (n - 1.0), n - 2.0))
}

/// atan2(y, x): θ̇ = (x ẏ − y ẋ)/r², θ̈ = (x ÿ − y ẍ)/r² − 2 θ̇ (x ẋ + y ẏ)/r².
fn arc_tangent(y: Jet, x: Jet) -> Jet {
    let square = x.value * x.value + y.value * y.value;
    let rate = (x.value * y.rate - y.value * x.rate) / square;
    let growth = (x.value * x.rate + y.value * y.rate) / square;
    Jet {
        value: libm::atan2(y.value, x.value),
        rate,
        acceleration: (x.value * y.acceleration - y.value * x.acceleration) / square - 2.0 * rate * growth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives against differences.
    #[test]
    fn jets_are_derivatives() {
        use Op::*;
        let programs = [
            vec![Time, Sin, Time, Constant(2.0), Pow, Mul, Constant(3.0), Time, Add, Div],
            vec![Time, Constant(1.0), Add, Sqrt, Time, Cos, Atan2],
            vec![Time, Tan, Time, Neg, Constant(1.5), Sub, Abs, Max],
        ];
        let h = 1e-4;
        for ops in programs {
            let program = Program::new(ops).unwrap();
            for t in [0.3, 0.7, 1.1] {
                let [a, b, c] = [t - h, t, t + h].map(|t| program.jet(t));
                let rate = (c.value - a.value) / (2.0 * h);
                let acceleration = (c.value - 2.0 * b.value + a.value) / (h * h);
                assert!((b.rate - rate).abs() < 1e-6 * (1.0 + rate.abs()), "{program:?} at {t}");
                let size = 1.0 + acceleration.abs();
                assert!((b.acceleration - acceleration).abs() < 1e-5 * size, "{program:?} at {t}");
            }
        }
    }

    #[test]
    fn programs_that_leave_no_single_value_are_refused() {
        assert!(Program::new(vec![]).is_none());
        assert!(Program::new(vec![Op::Add]).is_none());
        assert!(Program::new(vec![Op::Time, Op::Time]).is_none());
        assert!(Program::new(vec![Op::Time; 40]).is_none());
    }
}

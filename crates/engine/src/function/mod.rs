//! Functions of time: what motors, actuators and applied forces follow.

mod enclosure;
mod interval;
mod jet;
mod pieces;
mod program;
mod range;
mod stretch;
mod table;

pub use jet::Jet;
pub use pieces::{TooManyBreaks, ValueJump};
pub use program::{Op, Program};
pub use range::JetRange;
pub use table::{Interpolation, Table, TableFault};

/// A scalar function of time, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeFunction {
    /// The same at all times.
    Constant(f64),
    /// An expression.
    Program(Program),
    /// Interpolated between points; constant before the first and after the last.
    Table(Table),
}

impl TimeFunction {
    /// Value with first and second derivative at time `t` (s).
    pub fn jet(&self, t: f64) -> Jet {
        match self {
            Self::Constant(value) => Jet::constant(*value),
            Self::Program(program) => program.jet(t),
            Self::Table(table) => table.jet(t),
        }
    }

    /// Value at time `t` (s).
    pub fn value(&self, t: f64) -> f64 {
        self.jet(t).value
    }

    /// Bounds of value and derivatives in the interval from `t0` to `t1` (s), ends included: closed, with a margin for
    /// rounding; of second order in the length of the interval where the function is smooth.
    pub fn range(&self, t0: f64, t1: f64) -> JetRange {
        match self {
            Self::Constant(value) => JetRange { value: [*value; 2], rate: [0.0; 2], acceleration: [0.0; 2] },
            Self::Program(program) => program.stretch([t0, t1]).range(),
            Self::Table(table) => table.range([t0, t1]),
        }
    }
}

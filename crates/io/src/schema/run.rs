use super::table::{ANGULAR_VELOCITY, LENGTH, NUMBER, TIME, VELOCITY, row};
use super::{Kind, Row};
use crate::quantity::Dimension as D;

/// Words of `solver.formulation`.
const FORMULATION_WORDS: &[&str] = &["kkt", "ali3p"];

/// Keys of the run: solver, output, expectations.
pub(super) const RUN: &[Row] = &[
    row(
        "solver",
        "method",
        Kind::Word(&["auto", "ode45", "dop853", "ode113", "radau5", "bdf", "rodas3"]),
        "\"auto\"",
        "Integrator: explicit (ode45, dop853, ode113) or, for stiff models, implicit (radau5, bdf, rodas3).",
    ),
    row(
        "solver",
        "coordinates",
        Kind::Word(&["joint", "body"]),
        "\"joint\"",
        "Coordinates of mechanisms: those of the joints of a spanning tree, or six of every body.",
    ),
    row(
        "solver",
        "formulation",
        Kind::WordOrTable(FORMULATION_WORDS, "formulation"),
        "\"kkt\"",
        "How constraints are kept.",
    ),
    row("solver", "t_end", TIME, "required", "End of the run; it starts at 0."),
    row("solver", "rtol", NUMBER, "1e-6", "Relative tolerance."),
    row(
        "solver",
        "atol",
        Kind::Table("solver.atol"),
        "from rtol and the model's scales",
        "Absolute tolerances by kind of state.",
    ),
    row("solver", "h_max", TIME, "none", "Largest step."),
    row("solver", "h_min", TIME, "16 ulp of the time", "Smallest step; below it the run stops."),
    row("solver", "h_first", TIME, "chosen", "First step."),
    row("solver", "max_steps", Kind::Integer, "1000000000", "Limit of steps, accepted and rejected."),
    row("solver", "max_events", Kind::Integer, "10000000", "Limit of contact events."),
    row("formulation", "type", Kind::Word(FORMULATION_WORDS), "required", "Formulation."),
    row("formulation", "step", TIME, "by the tolerances", "ali3p: fixed step."),
    row("formulation", "penalty", NUMBER, "1e5", "ali3p: penalty factor, in units of trace(M)/n · 4/h²."),
    row("solver.atol", "length", LENGTH, "from the model's scale", "For positions."),
    row("solver.atol", "angle", Kind::Quantity(D::ANGLE), "from rtol", "For rotations."),
    row("solver.atol", "velocity", VELOCITY, "from the model's scale", "For velocities."),
    row(
        "solver.atol",
        "angular_velocity",
        ANGULAR_VELOCITY,
        "from the model's scale",
        "For angular velocities.",
    ),
    row(
        "solver.atol",
        "energy",
        Kind::Quantity(D::ENERGY),
        "from the model's scale",
        "For the sum of the ledger's losses, a step, in J.",
    ),
    row("output", "every", TIME, "t_end/200", "Time between recorded frames."),
    row("output", "steps", Kind::Bool, "false", "Also one row per accepted step."),
    row(
        "output",
        "patches",
        Kind::DependentQuantity("s, or \"off\""),
        "off",
        "Time between recorded pressure patches of areal contact.",
    ),
    row("output", "searches", Kind::Bool, "false", "Also what finding the elements of areal contact costs."),
    row("expect.*", "value", Kind::DependentQuantity("the quantity's unit"), "with tol", "Expected value."),
    row(
        "expect.*",
        "tol",
        Kind::DependentQuantity("the quantity's unit"),
        "with value",
        "Largest deviation from it.",
    ),
    row(
        "expect.*",
        "below",
        Kind::DependentQuantity("the quantity's unit"),
        "instead",
        "The quantity must be less.",
    ),
    row(
        "expect.*",
        "above",
        Kind::DependentQuantity("the quantity's unit"),
        "instead",
        "The quantity must be greater.",
    ),
    row(
        "expect.*",
        "between",
        Kind::DependentQuantities("2 quantities"),
        "instead",
        "The quantity must lie between the two.",
    ),
];

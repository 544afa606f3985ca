use carom_engine::model::{Coordinates, Formulation, IntegratorKind, SolverSettings};

use super::default::{NONE, REQUIRED, flag, number, whole, word, words};
use super::range::Range;
use super::row::{ANGULAR_VELOCITY, LENGTH, NUMBER, TIME, VELOCITY, row};
use super::words::{OFF, names};
use super::{Kind, Row};
use crate::quantity::Dimension as D;

/// Words of `solver.formulation`.
const FORMULATION_WORDS: &[&str] = names!(Formulation);

/// What the engine takes where nothing is stated.
const USUAL: SolverSettings = SolverSettings::DEFAULT;

/// Keys of the run: solver, output, expectations.
pub(super) const RUN: &[Row] = &[
    row(
        "solver",
        "method",
        Kind::Word(names!(IntegratorKind)),
        word(USUAL.method.name()),
        "Integrator: explicit, implicit for stiff models, or auto, which changes between both.",
    ),
    row(
        "solver",
        "coordinates",
        Kind::Word(names!(Coordinates)),
        word(USUAL.coordinates.name()),
        "Coordinates of mechanisms: those of the joints of a spanning tree, or six of every body.",
    ),
    row(
        "solver",
        "formulation",
        Kind::WordOrTable(FORMULATION_WORDS, "formulation"),
        word(USUAL.formulation.name()),
        "How constraints are kept.",
    ),
    row(
        "solver",
        "step",
        TIME,
        words("by the tolerances"),
        "Fixed step, of moreau and of integrators of one step.",
    ),
    row("solver", "t_end", TIME, REQUIRED, "End of the run; it starts at 0."),
    row("solver", "rtol", NUMBER, number(USUAL.rtol), "Relative tolerance."),
    row(
        "solver",
        "atol",
        Kind::Table("solver.atol"),
        words("from rtol and the model's scales"),
        "Absolute tolerances by kind of state.",
    ),
    row("solver", "h_max", TIME, NONE, "Largest step."),
    row("solver", "h_min", TIME, words("16 ulp of the time"), "Smallest step; below it the run stops."),
    row("solver", "h_first", TIME, words("chosen"), "First step."),
    row(
        "solver",
        "contact_tolerance",
        NUMBER,
        number(USUAL.contact_tolerance),
        "Of moreau: residual of contact problems over the fastest contact, and twice the penetration over the smallest shape.",
    ),
    row(
        "solver",
        "max_steps",
        Kind::Integer,
        whole(USUAL.max_steps),
        "Limit of steps, accepted and rejected.",
    ),
    row("solver", "max_events", Kind::Integer, whole(USUAL.max_events), "Limit of contact events."),
    row("formulation", "type", Kind::Word(FORMULATION_WORDS), REQUIRED, "Formulation."),
    row(
        "formulation",
        "step",
        TIME,
        words("by the tolerances"),
        "Fixed step, of ali3p and of integrators of one step.",
    ),
    row(
        "formulation",
        "penalty",
        NUMBER,
        number(Formulation::PENALTY),
        "ali3p: penalty factor, in units of trace(M)/n · 4/h².",
    ),
    row("solver.atol", "length", LENGTH, words("from the model's scale"), "For positions."),
    row("solver.atol", "angle", Kind::Quantity(D::ANGLE), words("from rtol"), "For rotations."),
    row("solver.atol", "velocity", VELOCITY, words("from the model's scale"), "For velocities."),
    row(
        "solver.atol",
        "angular_velocity",
        ANGULAR_VELOCITY,
        words("from the model's scale"),
        "For angular velocities.",
    ),
    row(
        "solver.atol",
        "energy",
        Kind::Quantity(D::ENERGY),
        words("from the model's scale"),
        "For the sum of the ledger's losses, a step, in J.",
    ),
    row(
        "output",
        "every",
        TIME,
        words("t_end/200, by `moreau` in whole steps"),
        "Time between recorded frames.",
    ),
    row("output", "steps", Kind::Bool, flag(false), "Also one row per accepted step."),
    row(
        "output",
        "patches",
        Kind::DependentQuantity("s, or \"off\""),
        word(OFF),
        "Time between recorded pressure patches of areal contact.",
    ),
    row(
        "output",
        "searches",
        Kind::Bool,
        flag(false),
        "Also what finding the elements of areal contact costs.",
    ),
    row(
        "expect.*",
        "value",
        Kind::DependentQuantity("the quantity's unit"),
        words("with tol"),
        "Expected value.",
    ),
    row(
        "expect.*",
        "tol",
        Kind::DependentQuantity("the quantity's unit"),
        words("with value"),
        "Largest deviation from it.",
    )
    .within(Range::Positive),
    row(
        "expect.*",
        "below",
        Kind::DependentQuantity("the quantity's unit"),
        words("instead"),
        "The quantity must be less.",
    ),
    row(
        "expect.*",
        "above",
        Kind::DependentQuantity("the quantity's unit"),
        words("instead"),
        "The quantity must be greater.",
    ),
    row(
        "expect.*",
        "between",
        Kind::DependentQuantities("2 quantities"),
        words("instead"),
        "The quantity must lie between the two.",
    ),
];

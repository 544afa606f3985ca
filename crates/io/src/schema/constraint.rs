use super::default::{REQUIRED, number, whole, word, words};
use super::mechanism::ATTACHMENT;
use super::row::{LENGTH, only, row};
use super::words::CONSTRAINT_TYPES;
use super::{Kind, Row};

/// Keys of constraints, and of the sums of coordinates that couplings and actuators have.
pub(super) const CONSTRAINT: &[Row] = &[
    row("constraint.*", "type", Kind::Word(&CONSTRAINT_TYPES), REQUIRED, "Kind of the constraint."),
    only(
        "constraint.*",
        "a",
        &["point", "distance", "rolling"],
        ATTACHMENT,
        REQUIRED,
        "Frame on body A; rolling: z is the plane's normal, on the wheel's side.",
    ),
    only(
        "constraint.*",
        "b",
        &["point", "distance", "rolling"],
        ATTACHMENT,
        REQUIRED,
        "Frame on body B; rolling: its origin is the wheel's centre.",
    ),
    only(
        "constraint.*",
        "length",
        &["distance"],
        Kind::DependentQuantity("m, or \"auto\""),
        word("auto").then(": that of the start"),
        "Distance of the two origins.",
    ),
    only(
        "constraint.*",
        "joints",
        &["gear"],
        Kind::List("two joints, \"NAME\" or \"NAME.q1\""),
        REQUIRED,
        "Joints whose coordinates q1, q2 follow q2 = ratio·q1 + offset; .qK picks one of several, from 0.",
    ),
    only(
        "constraint.*",
        "ratio",
        &["gear"],
        Kind::DependentQuantity("1, m/rad or rad/m"),
        REQUIRED,
        "Ratio of the second coordinate to the first.",
    ),
    only(
        "constraint.*",
        "terms",
        &["coupling"],
        Kind::Tables("coupling.term"),
        REQUIRED,
        "Coordinates with factors; the sum of the products keeps its value.",
    ),
    only(
        "constraint.*",
        "offset",
        &["gear", "coupling"],
        Kind::DependentQuantity("the sum's unit, or \"auto\""),
        word("auto").then(": that of the start"),
        "Value of the sum; of a gear, of q2 where q1 = 0.",
    ),
    only("constraint.*", "radius", &["rolling"], LENGTH, REQUIRED, "Radius of the wheel or ball."),
    only(
        "constraint.*",
        "axis",
        &["rolling"],
        Kind::Direction,
        words("none: a ball"),
        "Axis of a thin disc, in B's frame.",
    ),
    row("coupling.term", "joint", Kind::Text, REQUIRED, "Joint."),
    row(
        "coupling.term",
        "axis",
        Kind::Integer,
        whole(0),
        "Which of its coordinates, from 0; of what an actuator acts along, in spherical and free joints, of their 3 or 6 velocities.",
    ),
    row(
        "coupling.term",
        "factor",
        Kind::DependentQuantity("1, or a unit that makes the terms agree"),
        number(1.0),
        "Factor.",
    ),
];

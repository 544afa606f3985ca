use super::default::{NONE, REQUIRED, ZEROS, stated, words};
use super::row::row;
use super::{Kind, Row, Value};
use crate::quantity::Dimension as D;

/// Keys of components and their instances.
pub(super) const COMPONENT: &[Row] = &[
    row(
        "component.*",
        "params",
        Kind::Quantities,
        stated(Value::NoEntries),
        "Parameters with their defaults; [use.*] sets them by `with`.",
    ),
    row("component.*", "body", Kind::Named("body.*"), NONE, "Bodies of the component."),
    row("component.*", "use", Kind::Named("use.*"), NONE, "Components within the component."),
    row("component.*", "joint", Kind::Named("joint.*"), NONE, "Joints of the component."),
    row("component.*", "force", Kind::Named("force.*"), NONE, "Forces of the component."),
    row("component.*", "constraint", Kind::Named("constraint.*"), NONE, "Constraints of the component."),
    row("use.*", "component", Kind::Text, REQUIRED, "Name of the component."),
    row(
        "use.*",
        "count",
        Kind::Quantity(D::NONE),
        words("one, without an index"),
        "Number of instances: name[0], name[1] …; `i` is the index.",
    ),
    row(
        "use.*",
        "let",
        Kind::Quantities,
        stated(Value::NoEntries),
        "Names for the expressions of this table and of the component.",
    ),
    row("use.*", "with", Kind::Quantities, stated(Value::NoEntries), "Values of the component's parameters."),
    row("use.*", "pos", Kind::Vector(D::LENGTH), ZEROS, "Position of the component's origin."),
    row("use.*", "rot", Kind::Rotation, NONE, "Orientation of the component's frame."),
    row("use.*", "vel", Kind::Vector(D::VELOCITY), ZEROS, "Velocity of the component's origin."),
    row(
        "use.*",
        "omega",
        Kind::Vector(D::ANGULAR_VELOCITY),
        ZEROS,
        "Angular velocity of the component as one rigid piece.",
    ),
    row(
        "use.*",
        "weld",
        Kind::Table("weld"),
        NONE,
        "Fixes a body of the instance to another body, in place of pos and rot.",
    ),
];

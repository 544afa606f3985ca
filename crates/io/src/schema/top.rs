use carom_engine::model::Plane;

use super::default::{NONE, REQUIRED, flag, stated, words};
use super::row::row;
use super::words::names;
use super::{Kind, Row, Value};
use crate::quantity::Dimension as D;

/// Keys at the top of the file, of the world and of defaults.
pub(super) const TOP: &[Row] = &[
    row("", "format", Kind::Integer, REQUIRED, "Version of the format; must be 1."),
    row(
        "",
        "name",
        Kind::Text,
        words("name of the file"),
        "Name of the model, for titles and result folders.",
    ),
    row(
        "",
        "include",
        Kind::Texts,
        stated(Value::NoItems),
        "Files whose tables are joined with this one's; paths are relative to this file.",
    ),
    row(
        "",
        "extends",
        Kind::Text,
        NONE,
        "File that this one varies: its own entries replace those of that file.",
    ),
    row("", "allow", Kind::Texts, stated(Value::NoItems), "Codes of warnings that are known and accepted."),
    row("", "params", Kind::Quantities, stated(Value::NoEntries), "Named quantities for expressions."),
    row("", "world", Kind::Table("world"), NONE, "What holds for the whole scene."),
    row("", "default", Kind::Table("default"), NONE, "Defaults for the bodies and shapes of this file only."),
    row(
        "",
        "material",
        Kind::Named("material.*"),
        words("the shipped materials"),
        "Solid materials that shapes name.",
    ),
    row(
        "",
        "material_pair",
        Kind::Named("material_pair.*"),
        words("the shipped pairs"),
        "Data of two materials in contact.",
    ),
    row("", "law", Kind::Named("law.*"), NONE, "Contact laws that contact lines name."),
    row("", "body", Kind::Named("body.*"), NONE, "Rigid bodies."),
    row("", "component", Kind::Named("component.*"), NONE, "Templates that [use.*] places in the scene."),
    row("", "use", Kind::Named("use.*"), NONE, "Instances of components."),
    row(
        "",
        "contact",
        Kind::Named("contact.*"),
        NONE,
        "Which surfaces can touch, and how: one line per entry.",
    ),
    row("", "joint", Kind::Named("joint.*"), NONE, "Joints between bodies."),
    row("", "force", Kind::Named("force.*"), NONE, "Springs, cables and other forces."),
    row("", "constraint", Kind::Named("constraint.*"), NONE, "Constraints beside the joints."),
    row(
        "",
        "resolved",
        Kind::Bool,
        flag(false),
        "Names are whole paths, as `carom check --resolved` writes them.",
    ),
    row("", "solver", Kind::Table("solver"), REQUIRED, "Integrator, tolerances and limits."),
    row("", "output", Kind::Table("output"), NONE, "What is recorded when."),
    row("", "view", Kind::Free, NONE, "Hints for drawing; never alters the physics or the hash."),
    row(
        "",
        "expect",
        Kind::Named("expect.*"),
        NONE,
        "What a run must deliver, keyed by quantity, such as \"ball.x @ 6 s\".",
    ),
    row(
        "world",
        "gravity",
        Kind::Vector(D::ACCELERATION),
        words("required if anything can move"),
        "Gravity in world axes.",
    ),
    row(
        "world",
        "plane",
        Kind::Word(names!(Plane)),
        NONE,
        "Plane of a planar model: positions are two numbers, rotations one angle, and bodies without a joint hang on a planar one.",
    ),
    row("default", "body", Kind::Table("body.*"), NONE, "Keys for every body of this file that lacks them."),
    row(
        "default",
        "shape",
        Kind::Table("shape"),
        NONE,
        "Keys for every shape of this file that takes and lacks them.",
    ),
];

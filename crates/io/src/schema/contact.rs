use carom_engine::model::{ArealDetection, BaseSide, LayerSide, Method};
use carom_geometry::convex::MprOptions;

use super::default::{number, stated, whole, word, words};
use super::row::{NUMBER, row};
use super::words::{METHOD_SYNONYMS, OFF, names, with};
use super::{Kind, Row, Value};

/// Methods, the word that is none of them, and their other names.
const METHOD_WORDS: &[&str] = &with::<{ Method::ALL.len() + 1 + METHOD_SYNONYMS.len() }>(
    names!(Method),
    &[OFF, METHOD_SYNONYMS[0].0, METHOD_SYNONYMS[1].0],
    Method::ALL.len(),
);

/// Words of `detect`: the detections of points, then those of areal contact.
const DETECT_WORDS: &[&str] = &with::<{ 5 + ArealDetection::ALL.len() }>(
    names!(ArealDetection),
    &["auto", "analytic", "convex", "region", "mpr"],
    0,
);

/// Keys of contact lines.
pub(super) const CONTACT: &[Row] = &[
    row(
        "contact.*",
        "a",
        Kind::Text,
        words("required unless pairs"),
        "Body or shape A, or a pattern: \"*.ball\", \"table.cushion_*\", \"**.foot\". The normal points from A to B.",
    ),
    row(
        "contact.*",
        "b",
        Kind::Text,
        words("required unless pairs"),
        "Body or shape B, or a pattern. Reported forces act on B.",
    ),
    row(
        "contact.*",
        "pairs",
        Kind::List("list of pairs [\"a\", \"b\"]"),
        words("instead of a and b"),
        "The pairs one by one; each is named `line[a|b]`.",
    ),
    row(
        "contact.*",
        "method",
        Kind::Word(METHOD_WORDS),
        word(Method::Auto.name()),
        "How the contact is found and answered; \"off\" removes the pairs.",
    ),
    row("contact.*", "law", Kind::Text, words("required unless off"), "Contact law."),
    row(
        "contact.*",
        "detect",
        Kind::Word(DETECT_WORDS),
        words("the method's"),
        "Detection, where it is not the method's own: \"mpr\" takes depths along the line of centres; \"penetration\" (default) and \"intersection\" are pcm's; \"auto\" (default), \"analytic\" and \"convex\" find contacts of nonsmooth.",
    ),
    row(
        "contact.*",
        "mpr_tolerance",
        NUMBER,
        number(MprOptions::DEFAULT.relative_tolerance),
        "mpr: relative tolerance of the portal.",
    ),
    row(
        "contact.*",
        "mpr_iterations",
        Kind::Integer,
        whole(MprOptions::DEFAULT.iterations as u64),
        "mpr: limit of iterations; reaching it is an error.",
    ),
    row(
        "contact.*",
        "base",
        Kind::Word(names!(BaseSide)),
        word(BaseSide::Finer.name()).then(": the finer mesh, or both"),
        "Side whose triangles carry the areal contact; both in turn, with half the forces each. \"auto\": the round one where the other has edges, both where neither one's elements feel the other's edges and corners.",
    ),
    row(
        "contact.*",
        "layer_on",
        Kind::Word(names!(LayerSide)),
        word(LayerSide::Base.name()),
        "Body that carries the law's `layer`; the other one is rigid. \"both\": one of that thickness each.",
    ),
    row(
        "contact.*",
        "accuracy",
        Kind::DependentQuantity("a share, or \"off\""),
        stated(Value::In(5.0, "%")),
        "Error of the force at a tenth of u_max that triangles of the base are cut into finer elements for, where the other surface is near; edges are felt at a tenth of u_max, with more than 5 % in proportion later, up to half. \"off\" leaves triangles as they are, and lets surfaces overlap by half of u_max unfelt, not a tenth, before the run stops (E0616).",
    ),
];

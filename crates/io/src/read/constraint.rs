use carom_engine::Problem;
use carom_engine::model::{Constraint, ConstraintKind, Joint, JointCoordinate, JointKind};

use super::attachment::Frames;
use super::force::automatic;
use super::joint::coordinate;
use super::mechanism::Part;
use super::names::{BodyNames, JointNames};
use super::{Section, unread};
use crate::document::{Node, Value};
use crate::finding::Finding;
use crate::quantity::{Dimension, describe};

/// Joints that a constraint can name.
pub(crate) struct Coordinates<'s> {
    pub(crate) joints: &'s [Joint],
    pub(crate) names: &'s JointNames,
}

/// How many coordinates a kind of joint has.
type Count = fn(JointKind) -> usize;
/// Those that constraints join are one number each.
const JOINED: Count = |kind| kind.axes().len();

/// Coordinates with their factors.
type Terms = Vec<(JointCoordinate, f64)>;

/// Reads a constraint; `None` after an error.
pub(crate) fn read_constraint(
    part: &Part<'_, '_>,
    bodies: &BodyNames,
    coordinates: &Coordinates<'_>,
) -> Option<Constraint> {
    let section = &part.section;
    let frames = Frames { section, bodies, prefix: &part.prefix };
    let kind = match section.word_or_default("type")? {
        "point" => {
            let (a, b) = frames.pair()?;
            ConstraintKind::PointOnPoint { a, b }
        }
        "distance" => {
            let (ends, length) = (frames.pair(), automatic(section, "length", Dimension::LENGTH));
            let (a, b) = ends?;
            ConstraintKind::Distance { a, b, length: length? }
        }
        "gear" => read_gear(section, &part.prefix, coordinates)?,
        "coupling" => read_coupling(section, &part.prefix, coordinates)?,
        "rolling" => {
            let (ends, radius) = (frames.pair(), section.required_quantity("radius"));
            let axis = match section.has("axis").then(|| section.direction("axis")) {
                None => Some(None),
                Some(axis) => axis.map(Some),
            };
            let (a, b) = ends?;
            ConstraintKind::Rolling { a, b, radius: radius?, axis: axis? }
        }
        other => unread("type", other),
    };
    Some(Constraint { name: part.name.clone(), kind })
}

/// q₂ = ratio · q₁ + offset.
fn read_gear(
    section: &Section<'_, '_>,
    prefix: &str,
    coordinates: &Coordinates<'_>,
) -> Option<ConstraintKind> {
    if !section.has("joints") {
        section.report_missing("joints");
    }
    if !section.has("ratio") {
        section.report_missing("ratio");
    }
    let node = section.node("joints")?;
    let path = section.path_of("joints");
    let items = match &node.value {
        Value::Array(items) if items.len() == 2 => items,
        Value::Broken => return None,
        other => {
            let got = match other {
                Value::Array(items) => format!("{} entries", items.len()),
                other => other.type_name().to_owned(),
            };
            let problem = section.problem("E0106", "joints", format!("{path} must be two joints, got {got}"));
            let help = "more coordinates are coupled by type = \"coupling\"";
            section.report("joints", problem.expected("[\"first\", \"second\"]").help(help));
            return None;
        }
    };
    let find = |k: usize| coordinates.find_text(section, &items[k], &format!("{path}[{k}]"), prefix);
    let (first, second) = (find(0), find(1));
    let (first, second) = (first?, second?);
    let [d1, d2] = [first, second].map(|c| coordinates.dimension(c));
    let ratio = section.quantity_in("ratio", d2.times(d1.power(-1.0)));
    let offset = automatic(section, "offset", d2);
    Some(ConstraintKind::Coupling { terms: vec![(second, 1.0), (first, -ratio?)], offset: offset? })
}

fn read_coupling(
    section: &Section<'_, '_>,
    prefix: &str,
    coordinates: &Coordinates<'_>,
) -> Option<ConstraintKind> {
    let (terms, sum) = read_terms(section, prefix, coordinates, JOINED)?;
    let offset = match sum {
        Some(dimension) => automatic(section, "offset", dimension),
        None => automatic_plain(section, "offset"),
    };
    Some(ConstraintKind::Coupling { terms, offset: offset? })
}

/// Coordinates with their factors, and what the sum of the products measures: `None` where plain factors make terms of several
/// dimensions agree. `count`: how many coordinates a joint has.
pub(super) fn read_terms(
    section: &Section<'_, '_>,
    prefix: &str,
    coordinates: &Coordinates<'_>,
    count: Count,
) -> Option<(Terms, Option<Dimension>)> {
    if !section.has("terms") {
        section.report_missing("terms");
    }
    let Some(Value::Array(items)) = section.node("terms").map(|n| &n.value) else { return None };
    let mut terms = Vec::new();
    // Dimension of the sum, once a factor with a unit or a coordinate of its own tells.
    let mut sum = Sum::default();
    let tables = section.tables("terms");
    let mut complete = tables.len() == items.len();
    for term in &tables {
        match read_term(term, prefix, (coordinates, count), &mut sum) {
            Some(read) => terms.push(read),
            None => complete = false,
        }
    }
    complete.then(|| (terms, sum.dimension()))
}

/// Dimension of a sum of products. A plain factor is a number in SI and fits any.
#[derive(Default)]
struct Sum {
    /// Product of a factor with a unit and its coordinate.
    stated: Option<Dimension>,
    /// Coordinates with plain factors.
    plain: Vec<Dimension>,
}

impl Sum {
    /// `None`: plain factors make terms of several dimensions agree.
    fn dimension(&self) -> Option<Dimension> {
        let first = self.stated.or(self.plain.first().copied())?;
        let agree = self.stated.is_some() || self.plain.iter().all(|d| d.equals(first));
        agree.then_some(first)
    }
}

fn read_term(
    term: &Section<'_, '_>,
    prefix: &str,
    (coordinates, count): (&Coordinates<'_>, Count),
    sum: &mut Sum,
) -> Option<(JointCoordinate, f64)> {
    let name = term.required_text("joint");
    let axis = if term.has("axis") { term.whole("axis") } else { Some(term.whole_or_default("axis")) };
    let (name, axis) = (name?, axis? as usize);
    let found = coordinates.find(prefix, &name, term.has("axis").then_some(axis), count);
    let coordinate = coordinates.report(
        term,
        term.node("joint")?,
        &term.path_of("joint"),
        (prefix, &name, "`axis = 0`"),
        found,
    )?;
    let own = coordinates.dimension(coordinate);
    let Some(node) = term.node("factor") else {
        sum.plain.push(own);
        return Some((coordinate, term.quantity_in_or_default("factor", Dimension::NONE)?));
    };
    let path = term.path_of("factor");
    if matches!(node.value, Value::Integer(_) | Value::Number(_)) {
        sum.plain.push(own);
        return Some((coordinate, term.context.value(node, Dimension::NONE, term.scope, &path)?));
    }
    let q = term.context.evaluate(node, term.scope, &path)?;
    let product = q.dimension.times(own);
    if q.dimension.equals(Dimension::NONE) {
        sum.plain.push(own);
        return Some((coordinate, q.value));
    }
    match sum.stated {
        Some(first) if !first.matches(product) => {
            let message = format!(
                "{path} makes this term {}, the terms before are {}",
                describe(product),
                describe(first)
            );
            let expected = first.times(own.power(-1.0));
            let problem = term.problem("E0104", "factor", message);
            let help = "the terms are added: their units agree";
            term.report("factor", problem.expected(format!("a factor: {}", describe(expected))).help(help));
            None
        }
        _ => {
            sum.stated.get_or_insert(product);
            Some((coordinate, q.value))
        }
    }
}

/// A plain number in SI, or `"auto"`.
fn automatic_plain(section: &Section<'_, '_>, key: &str) -> Option<Option<f64>> {
    match section.node(key) {
        None => Some(None),
        Some(node) if node.as_text() == Some("auto") => Some(None),
        Some(_) => section.quantity_in(key, Dimension::NONE).map(Some),
    }
}

/// Why a coordinate is not found.
enum Missing {
    /// Reported where the joint is.
    Broken,
    Joint,
    /// The joint has so many scalar coordinates.
    Axis(usize),
    /// It has several, and none is picked.
    Ambiguous(usize),
}

impl Coordinates<'_> {
    fn dimension(&self, c: JointCoordinate) -> Dimension {
        coordinate(self.joints[c.joint].kind.measure(c.axis))
    }

    /// The coordinate of a joint that is picked, or its only one.
    fn find(
        &self,
        prefix: &str,
        name: &str,
        picked: Option<usize>,
        count: Count,
    ) -> Result<JointCoordinate, Missing> {
        let Some(joint) = self.names.get(prefix, name) else {
            let broken = self.names.is_broken(prefix, name);
            return Err(if broken { Missing::Broken } else { Missing::Joint });
        };
        let (count, axis) = (count(self.joints[joint].kind), picked.unwrap_or(0));
        if axis >= count {
            return Err(Missing::Axis(count));
        }
        if count > 1 && picked.is_none() {
            return Err(Missing::Ambiguous(count));
        }
        Ok(JointCoordinate { joint, axis })
    }

    /// `NAME`, or `NAME.q1` for one of several coordinates.
    fn find_text(
        &self,
        section: &Section<'_, '_>,
        node: &Node,
        path: &str,
        prefix: &str,
    ) -> Option<JointCoordinate> {
        section.context.record_origin(path, node.span);
        let Some(text) = node.as_text() else {
            section.wrong_type(path, node, "the name of a joint");
            return None;
        };
        let split = text.rsplit_once(".q").and_then(|(name, digits)| {
            if digits.is_empty() { Some((name, None)) } else { Some((name, Some(digits.parse().ok()?))) }
        });
        let (name, found) = match split {
            Some((name, picked)) if !self.names.contains(&format!("{prefix}{text}")) => {
                (name, self.find(prefix, name, picked, JOINED))
            }
            _ => (text, self.find(prefix, text, None, JOINED)),
        };
        self.report(section, node, path, (prefix, name, &format!("\"{name}.q0\"")), found)
    }

    /// Says what is wrong with a coordinate; `first`: how the first one of the joint is picked here.
    fn report(
        &self,
        section: &Section<'_, '_>,
        node: &Node,
        path: &str,
        (prefix, name, first): (&str, &str, &str),
        found: Result<JointCoordinate, Missing>,
    ) -> Option<JointCoordinate> {
        let problem = match found {
            Ok(coordinate) => return Some(coordinate),
            Err(Missing::Broken) => return None,
            Err(Missing::Joint) => {
                let mut problem = Problem::new("E0203", path, format!("there is no joint \"{name}\" here"));
                problem.help = self.names.help(prefix, name);
                problem
            }
            Err(Missing::Axis(count)) => {
                let kind = if count == 0 { "scalar " } else { "" };
                let message = format!("joint \"{name}\" has {count} {kind}coordinate(s)");
                let problem = Problem::new("E0332", path, message);
                match count {
                    0 => problem.expected("a joint with an angle or a length as coordinate"),
                    1 => problem.expected("coordinate 0"),
                    n => problem.expected(format!("a coordinate from 0 to {}", n - 1)),
                }
            }
            Err(Missing::Ambiguous(count)) => {
                let message = format!("joint \"{name}\" has {count} coordinates; which one is not said");
                Problem::new("E0332", path, message).expected(first)
            }
        };
        section.context.findings.push(Finding::at(problem, node.span));
        None
    }
}

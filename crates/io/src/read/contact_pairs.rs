use std::collections::BTreeMap;

use carom_engine::Problem;
use carom_engine::law::Law;
use carom_engine::model::{Body, ShapeRef};

use super::Section;
use super::contact::{Expanded, check_method, law_of_line, read_method};
use super::contact_options::LineOptions;
use super::law::LawBlocks;
use crate::document::{Node, Value};
use crate::finding::Finding;
use crate::schema::OFF;
use crate::suggest;

/// Reads a contact line that lists its pairs: `pairs = [["a", "b"], …]`, each by the names of two surfaces.
pub(super) fn read_pairs(
    name: &str,
    section: &Section<'_, '_>,
    bodies: &[Body],
    laws: &[Law],
    blocks: &LawBlocks,
) -> Option<Expanded> {
    for key in ["a", "b"].into_iter().filter(|k| section.has(k)) {
        let message = format!("{} has both `pairs` and `{key}`", section.path);
        let problem = section.problem("E0212", key, message).expected("a and b, or pairs");
        section.report(key, problem.help(format!("remove `{key}`")));
    }
    let method_word = section.word_or_default("method");
    let law = law_of_line(section, method_word, laws, blocks);
    let options = LineOptions::read(section);
    let node = section.node("pairs")?;
    let Value::Array(items) = &node.value else {
        section.wrong_type(&section.path_of("pairs"), node, "a list of pairs [\"a\", \"b\"]");
        return None;
    };
    let surfaces: BTreeMap<&str, ShapeRef> = bodies
        .iter()
        .enumerate()
        .flat_map(|(body, b)| b.shapes.iter().enumerate().map(move |(shape, s)| (body, shape, s)))
        .map(|(body, shape, s)| (s.name.as_str(), ShapeRef { body, shape }))
        .collect();
    let read = |(k, item): (usize, &Node)| {
        let path = format!("{}[{k}]", section.path_of("pairs"));
        read_pair(section, item, &path, &surfaces, bodies)
    };
    let pairs: Vec<_> = items.iter().enumerate().map(read).collect();
    let pairs = pairs.into_iter().collect::<Option<Vec<_>>>()?;
    let (law, method) = (law?, method_word?);
    let method = (method != OFF).then(|| read_method(method));
    if let Some(method) = method {
        check_method(section, method, law, laws, blocks)?;
    }
    let broken = section.context.broken_shapes.borrow();
    let is_broken = |s: &ShapeRef| broken.contains(&bodies[s.body].shapes[s.shape].name);
    let pairs = pairs.into_iter().filter(|(a, b)| !is_broken(a) && !is_broken(b)).collect();
    Some(Expanded {
        name: name.to_owned(),
        method,
        law,
        options,
        pairs,
        wide: None,
        plain_sides: 2,
        is_single: false,
    })
}

fn read_pair(
    section: &Section<'_, '_>,
    item: &Node,
    path: &str,
    surfaces: &BTreeMap<&str, ShapeRef>,
    bodies: &[Body],
) -> Option<(ShapeRef, ShapeRef)> {
    let report =
        |problem: Problem, node: &Node| section.context.findings.push(Finding::at(problem, node.span));
    let Value::Array(sides) = &item.value else {
        section.wrong_type(path, item, "a pair [\"a\", \"b\"]");
        return None;
    };
    let [a, b] = &sides[..] else {
        let message = format!("{path} must be two surfaces, got {}", sides.len());
        report(Problem::new("E0106", path, message).expected("[\"a\", \"b\"]"), item);
        return None;
    };
    let find = |node: &Node| {
        let Some(text) = node.as_text() else {
            section.wrong_type(path, node, "the name of a surface");
            return None;
        };
        let found = surfaces.get(text).copied();
        if found.is_none() {
            let mut problem = Problem::new("E0203", path, format!("there is no surface \"{text}\""));
            problem.help = suggest::help(text, surfaces.keys().copied());
            report(problem, node);
        }
        found
    };
    let (a, b) = (find(a), find(b));
    let (a, b) = (a?, b?);
    let both_fixed = bodies[a.body].fixed && bodies[b.body].fixed;
    if a.body == b.body || both_fixed {
        let why = if both_fixed { "both are fixed" } else { "both are on one body" };
        let message = format!("the surfaces of {path} cannot meet: {why}");
        report(Problem::new("E0402", path, message).expected("two bodies of which one can move"), item);
        return None;
    }
    Some((a, b))
}

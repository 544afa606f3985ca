//! `<replicate>`: its children several times over, each time further along and turned further, under names with a number. What names
//! them elsewhere, such as actuators and tendons, is there as often.

use std::collections::BTreeSet;

use carom_math::{Mat3, Vec3};

use super::super::context::Context;
use super::super::xml::Element;
use super::compiler::Compiler;
use super::defaults::Classes;
use super::orientation;

/// Most elements that one of them makes.
pub(super) const MAX_ELEMENTS: f64 = 1e6;
/// Sections that name what bodies hold, those first that others name.
const SECTIONS: [&str; 4] = ["tendon", "actuator", "equality", "contact"];
/// Kinds of names, which attributes that name one have in theirs.
const KINDS: [&str; 5] = ["body", "joint", "geom", "site", "tendon"];

/// Kinds and names of what is there several times, and what each time adds to them.
struct Copies {
    names: BTreeSet<(&'static str, String)>,
    suffixes: Vec<String>,
}

/// Puts copies in place of what asks for them, the innermost first.
pub(super) fn expand(root: &mut Element, compiler: &Compiler, context: &Context<'_>) {
    let mut all = Vec::new();
    for world in root.children.iter_mut().filter(|e| e.name == "worldbody") {
        expand_children(world, compiler, &mut all, context);
    }
    for mut copies in all {
        for section in SECTIONS {
            for element in root.children.iter_mut().filter(|e| e.name == section) {
                copies.apply(element);
            }
        }
    }
}

fn expand_children(element: &mut Element, compiler: &Compiler, all: &mut Vec<Copies>, context: &Context<'_>) {
    let mut children = Vec::with_capacity(element.children.len());
    for mut child in std::mem::take(&mut element.children) {
        expand_children(&mut child, compiler, all, context);
        if child.name == "replicate" {
            children.extend(copies_of(&child, compiler, all, context).unwrap_or_default());
        } else {
            children.push(child);
        }
    }
    element.children = children;
}

/// Frames with the children of a `<replicate>`. `None` after an error.
fn copies_of(
    replicate: &Element,
    compiler: &Compiler,
    all: &mut Vec<Copies>,
    context: &Context<'_>,
) -> Option<Vec<Element>> {
    let count = replicate.required_number("count", context)?;
    let most = (MAX_ELEMENTS / elements_in(replicate) as f64).floor();
    if !(count >= 1.0 && count <= most && count.fract() == 0.0) {
        let message = format!("`count` of {} is {count}", replicate.title());
        replicate.bad_value("count", message, &format!("a whole number from 1 to {most}"), context);
        return None;
    }
    let offset = replicate.vector("offset", context).unwrap_or_else(Vec3::zeros);
    let euler = replicate.vector("euler", context).unwrap_or_else(Vec3::zeros);
    let separator = replicate.text("sep").unwrap_or("");
    let digits = format!("{count}").len();
    let suffixes: Vec<String> = (0..count as usize).map(|k| format!("{separator}{k:0digits$}")).collect();
    let names = names_in(replicate);
    let mut at = Vec3::zeros();
    let frames = suffixes.iter().enumerate().map(|(k, suffix)| {
        let words = |v: &Vec3| format!("{} {} {}", v.x, v.y, v.z);
        let mut attributes = vec![("pos", words(&at)), ("euler", words(&(k as f64 * euler)))];
        attributes.extend(replicate.text("childclass").map(|class| ("childclass", class.to_owned())));
        let mut children = replicate.children.clone();
        children.iter_mut().for_each(|child| rename(child, suffix));
        let frame = Element::made("frame", replicate.span, &attributes, children);
        // Each is that far from the last, along its axes.
        let turn = orientation::rotation(&Classes::default().view(&frame, None, context), compiler, context);
        at += turn.unwrap_or_else(Mat3::identity) * offset;
        frame
    });
    let frames = frames.collect();
    all.push(Copies { names, suffixes });
    Some(frames)
}

/// How many there are, itself among them.
pub(super) fn elements_in(element: &Element) -> usize {
    1 + element.children.iter().map(elements_in).sum::<usize>()
}

/// What an element that bodies hold is, where others may name it.
fn kind_of(element: &Element) -> Option<&'static str> {
    let kind = if element.name == "freejoint" { "joint" } else { &element.name };
    KINDS.into_iter().find(|k| *k == kind)
}

/// Kinds and names of an element and of what it holds.
pub(super) fn names_in(element: &Element) -> BTreeSet<(&'static str, String)> {
    let own = kind_of(element).zip(element.attributes.iter().find(|a| a.name == "name"));
    let own = own.map(|(kind, name)| (kind, name.value.clone()));
    own.into_iter().chain(element.children.iter().flat_map(names_in)).collect()
}

/// The kind that an attribute names one of: such are `joint`, `body1`, `refsite`.
pub(super) fn kind_named_by(attribute: &str) -> Option<&'static str> {
    let of = attribute.trim_end_matches(|c: char| c.is_ascii_digit());
    let of = if of == "jointinparent" { "joint" } else { of };
    KINDS.into_iter().find(|kind| of.ends_with(kind) && of != "inertiafromgeom")
}

fn rename(element: &mut Element, suffix: &str) {
    element.attributes.iter_mut().filter(|a| a.name == "name").for_each(|a| a.value.push_str(suffix));
    element.children.iter_mut().for_each(|child| rename(child, suffix));
}

impl Copies {
    fn are_named(&self, attribute: &str, value: &str) -> bool {
        kind_named_by(attribute)
            .is_some_and(|kind| self.names.iter().any(|(k, name)| *k == kind && name == value))
    }

    fn are_in(&self, element: &Element) -> bool {
        element.attributes.iter().any(|a| self.are_named(&a.name, &a.value))
            || element.children.iter().any(|child| self.are_in(child))
    }

    /// Elements of a section that name one of them are there as often, behind the others.
    fn apply(&mut self, section: &mut Element) {
        let (named, others) =
            std::mem::take(&mut section.children).into_iter().partition::<Vec<_>, _>(|e| self.are_in(e));
        section.children = others;
        for suffix in &self.suffixes {
            section.children.extend(named.iter().cloned().map(|mut copy| {
                copy.attributes
                    .iter_mut()
                    .filter(|a| a.name == "name")
                    .for_each(|a| a.value.push_str(suffix));
                self.redirect(&mut copy, suffix);
                copy
            }));
        }
        if section.name == "tendon" {
            let names = named.iter().filter_map(|e| e.attributes.iter().find(|a| a.name == "name"));
            self.names.extend(names.map(|name| ("tendon", name.value.clone())));
        }
    }

    fn redirect(&self, element: &mut Element, suffix: &str) {
        for attribute in &mut element.attributes {
            if self.are_named(&attribute.name, &attribute.value) {
                attribute.value.push_str(suffix);
            }
        }
        element.children.iter_mut().for_each(|child| self.redirect(child, suffix));
    }
}

//! What of a model is attached to another: a part of its world, and what acts on nothing else, with the prefix before all names.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::xml::Element;
use super::defaults::MAIN;
use super::replicate::{kind_named_by, names_in};

/// Sections whose elements are attached with all that they name, those first that others name.
const ACTING: [&str; 4] = ["tendon", "contact", "equality", "actuator"];
/// Sections that are dealt with by themselves.
const APART: [&str; 5] = ["worldbody", "default", "option", "size", "keyframe"];
/// Attributes with names, besides those that name what bodies hold.
const NAMES: [&str; 11] = [
    "name",
    "class",
    "childclass",
    "mesh",
    "material",
    "hfield",
    "texture",
    "actuator",
    "objname",
    "refname",
    "target",
];

pub(super) struct Attachment {
    pub(super) children: Vec<Element>,
    /// Class of defaults behind them.
    pub(super) class: String,
    /// What acts on them alone.
    pub(super) acting: Vec<Element>,
    /// Keyframes of the model, which are those of the joints and actuators that came with them. `None` if some were left behind.
    pub(super) keyframes: Option<Vec<Element>>,
    /// The rest of the model.
    pub(super) sections: Vec<Element>,
    /// Main classes, as they are called now.
    pub(super) mains: BTreeSet<String>,
}

impl Attachment {
    /// A body or frame by its kind and name, or the whole world. `None` if there is none of that name. `number` is that of the attachment.
    pub(super) fn of(
        root: &Element,
        wanted: Option<(&str, &str)>,
        number: usize,
        prefix: &str,
        mains: &BTreeSet<String>,
    ) -> Option<Self> {
        let mut worlds = root.all("worldbody");
        let (mut children, class) = match wanted {
            Some((kind, name)) => {
                let (element, class) = worlds.find_map(|world| find(world, kind, name, MAIN))?;
                (vec![element.clone()], class)
            }
            None => (worlds.flat_map(|world| world.children.clone()).collect(), MAIN),
        };
        let mut names: BTreeSet<_> = children.iter().flat_map(names_in).collect();
        names.insert(("body", WORLD.to_owned()));
        let mut acting = Vec::new();
        for mut section in ACTING.iter().flat_map(|kind| root.all(kind)).cloned() {
            section.children.retain(|element| names_only(element, &names));
            if section.name == "tendon" {
                let tendons =
                    section.children.iter().filter_map(|e| e.attributes.iter().find(|a| a.name == "name"));
                names.extend(tendons.map(|name| ("tendon", name.value.clone())));
            }
            section.children.iter_mut().filter(|e| e.name != "exclude").for_each(complete);
            acting.push(section);
        }
        let mut sections = defaults(root, mains);
        let is_apart = |e: &Element| ACTING.contains(&e.name.as_str()) || APART.contains(&e.name.as_str());
        for mut section in root.children.iter().filter(|e| !is_apart(e)).cloned() {
            // Those that it names are in place.
            section.children.retain(|e| section.name != "asset" || e.name != "model");
            section.children.iter_mut().filter(|e| e.name == "mesh").for_each(complete);
            sections.push(section);
        }
        let mut keyframes: Vec<Element> = root.all("keyframe").cloned().collect();
        for element in children.iter_mut().chain(&mut acting).chain(&mut keyframes) {
            count(element, number);
        }
        for element in children.iter_mut().chain(&mut acting).chain(&mut sections).chain(&mut keyframes) {
            rename(element, prefix);
        }
        let is_whole = moved(&children) + moved(&acting) == moved(&root.children);
        let mains =
            mains.iter().map(String::as_str).chain([MAIN]).map(|class| format!("{prefix}{class}")).collect();
        Some(Self {
            children,
            class: format!("{prefix}{class}"),
            acting,
            keyframes: is_whole.then_some(keyframes),
            sections,
            mains,
        })
    }
}

/// Says of all joints, actuators and keys in an element that they came by one more attachment.
fn count(element: &mut Element, number: usize) {
    let within = element.name.clone();
    for child in &mut element.children {
        let is_key = within == "keyframe";
        if is_key || is_moved(child, &within) {
            child.attachments.iter_mut().for_each(|path| *path = format!("{number}.{path}"));
            // A key that came with another model has numbers of that one alone.
            if !is_key || child.attachments.is_empty() {
                child.attachments.push(number.to_string());
            }
        }
        count(child, number);
    }
}

/// Is this one of which a key has numbers?
fn is_moved(element: &Element, within: &str) -> bool {
    ["joint", "freejoint"].contains(&element.name.as_str()) || within == "actuator"
}

/// How many of them are in worlds and actuators.
fn moved(elements: &[Element]) -> usize {
    let counted = elements.iter().filter(|e| !["default", "tendon", "equality"].contains(&e.name.as_str()));
    let of =
        |e: &Element| e.children.iter().filter(|child| is_moved(child, &e.name)).count() + moved(&e.children);
    counted.map(of).sum()
}

/// The body that all models share.
const WORLD: &str = "world";

/// An element of a world, and the class of defaults that holds around it.
fn find<'a>(element: &'a Element, kind: &str, name: &str, class: &'a str) -> Option<(&'a Element, &'a str)> {
    if element.name == kind && element.text("name") == Some(name) {
        return Some((element, class));
    }
    let class = element.text("childclass").unwrap_or(class);
    element.children.iter().find_map(|child| find(child, kind, name, class))
}

/// Is all that an element names among these?
fn names_only(element: &Element, names: &BTreeSet<(&str, String)>) -> bool {
    let is_there = |attribute: &str, value: &str| {
        kind_named_by(attribute).is_none_or(|kind| names.contains(&(kind, value.trim().to_owned())))
    };
    element.attributes.iter().all(|a| is_there(&a.name, &a.value))
        && element.children.iter().all(|child| names_only(child, names))
}

/// States the class that is behind an element, and the name that a mesh has from its file: with a prefix these are others.
fn complete(element: &mut Element) {
    if element.text("class").is_none() {
        element.state("class", MAIN);
    }
    let file = element.text("file").filter(|_| element.text("name").is_none());
    if let Some(stem) =
        file.and_then(|file| Path::new(file).file_stem()).map(|s| s.to_string_lossy().into_owned())
    {
        element.state("name", &stem);
    }
}

/// The main class, with all in it, and those of models that are attached to this one.
fn defaults(root: &Element, mains: &BTreeSet<String>) -> Vec<Element> {
    let is_attached = |e: &&Element| e.text("class").is_some_and(|class| mains.contains(class));
    let (mut all, own): (Vec<_>, Vec<_>) = root.all("default").partition(is_attached);
    let mut children = Vec::new();
    for default in own {
        match default.text("class") {
            Some(class) if class != MAIN => children.push(default.clone()),
            _ => children.extend(default.children.iter().cloned()),
        }
    }
    let main = Element::made("default", root.span, &[("class", MAIN.to_owned())], children);
    let mut all: Vec<Element> = all.drain(..).cloned().collect();
    all.push(main);
    all
}

fn rename(element: &mut Element, prefix: &str) {
    for attribute in &mut element.attributes {
        let kind = kind_named_by(&attribute.name);
        let is_name = kind.is_some() || NAMES.contains(&attribute.name.as_str());
        if is_name && (kind, attribute.value.trim()) != (Some("body"), WORLD) {
            attribute.value = format!("{prefix}{}", attribute.value.trim());
        }
    }
    element.children.iter_mut().for_each(|child| rename(child, prefix));
}

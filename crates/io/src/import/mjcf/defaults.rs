//! Classes of defaults, and elements seen through them.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;
use carom_math::Vec3;

use super::super::context::{Context, help_for};
use super::super::xml::Element;
use super::compiler::bad_word;

/// The class that holds where no other is named.
pub(super) const MAIN: &str = "main";

/// Attributes of defaults that readers know; where one is not asked for, another wins over it.
const READ: [(&str, &[&str]); 13] = [
    ("joint", super::joint::ATTRIBUTES),
    ("geom", super::geom::ATTRIBUTES),
    ("site", super::body::SITE_ATTRIBUTES),
    ("mesh", super::mesh_asset::ATTRIBUTES),
    ("motor", super::actuator::ATTRIBUTES),
    ("position", super::actuator::ATTRIBUTES),
    ("velocity", super::actuator::ATTRIBUTES),
    ("intvelocity", super::actuator::ATTRIBUTES),
    ("cylinder", super::actuator::ATTRIBUTES),
    ("general", super::actuator::ATTRIBUTES),
    ("pair", super::contact::PAIR_ATTRIBUTES),
    ("tendon", super::tendon::ATTRIBUTES),
    ("equality", super::equality::ATTRIBUTES),
];

#[derive(Debug, Default)]
struct Class<'a> {
    parent: Option<String>,
    /// Defaults by kind of element; later ones win.
    elements: Vec<&'a Element>,
}

#[derive(Debug, Default)]
pub(super) struct Classes<'a> {
    by_name: BTreeMap<String, Class<'a>>,
}

impl<'a> Classes<'a> {
    /// Behind those of `mains`, of attached models, there is no other class.
    pub(super) fn read(root: &'a Element, mains: &BTreeSet<String>, context: &Context<'_>) -> Self {
        let mut classes = Self::default();
        classes.by_name.insert(MAIN.to_owned(), Class::default());
        for element in root.all("default") {
            let name = element.text("class").unwrap_or(MAIN);
            let is_first = name == MAIN || mains.contains(name);
            classes.add(element, name, (!is_first).then_some(MAIN), context);
        }
        classes
    }

    fn add(&mut self, element: &'a Element, name: &str, parent: Option<&str>, context: &Context<'_>) {
        let class = self.by_name.entry(name.to_owned()).or_default();
        class.parent = parent.map(str::to_owned);
        for child in &element.children {
            if let Some((_, known)) = READ.iter().find(|(kind, _)| *kind == child.name) {
                child.mark();
                child.mark_attributes(known);
                class.elements.push(child);
            }
        }
        for child in element.all("default") {
            if let Some(inner) = child.required_text("class", context) {
                self.add(child, inner, Some(name), context);
            }
        }
    }

    /// The class that an attribute names, which must be there.
    pub(super) fn named_by<'e>(
        &self,
        element: &'e Element,
        attribute: &str,
        context: &Context<'_>,
    ) -> Option<&'e str> {
        let own = element.text(attribute);
        if let Some(name) = own.filter(|n| !self.by_name.contains_key(*n)) {
            let message = format!("{} has the class \"{name}\", which is not there", element.title());
            let mut problem = Problem::new("E0807", "", message);
            problem.help = help_for(name, self.by_name.keys().map(String::as_str));
            context.report(problem, element.place(attribute));
        }
        own
    }

    /// An element through its own class, else the one of its surroundings.
    pub(super) fn view(&self, element: &'a Element, outer: Option<&str>, context: &Context<'_>) -> View<'a> {
        element.mark();
        let own = self.named_by(element, "class", context);
        let is_kind = |e: &Element| super::actuator::KINDS.contains(&e.name.as_str());
        let is_actuator = |e: &Element| is_kind(e) && is_kind(element);
        let is_tendon =
            |e: &Element| e.name == "tendon" && ["fixed", "spatial"].contains(&element.name.as_str());
        let is_equality =
            |e: &Element| e.name == "equality" && super::equality::KINDS.contains(&element.name.as_str());
        let mut classes = Vec::new();
        let mut class = own.or(outer).unwrap_or(MAIN);
        // Longer than any chain of classes, should one lead back to itself.
        for _ in 0..self.by_name.len() {
            let Some(found) = self.by_name.get(class) else { break };
            let fits =
                |e: &&&Element| e.name == element.name || is_actuator(e) || is_tendon(e) || is_equality(e);
            classes.push(found.elements.iter().filter(fits).copied().collect());
            let Some(parent) = &found.parent else { break };
            class = parent;
        }
        View { own: element, classes }
    }
}

/// An element with the defaults behind it.
#[derive(Clone, Debug)]
pub(super) struct View<'a> {
    own: &'a Element,
    /// Defaults of each class, the nearest first, in the order of the file.
    classes: Vec<Vec<&'a Element>>,
}

impl<'a> View<'a> {
    /// The element itself.
    pub(super) fn own(&self) -> &'a Element {
        self.own
    }

    /// Defaults of each class, the nearest first, in the order of the file.
    pub(super) fn classes(&self) -> &[Vec<&'a Element>] {
        &self.classes
    }

    /// The element that has an attribute: itself or a default.
    pub(super) fn holder(&self, name: &str) -> Option<&'a Element> {
        self.holder_of_any(&[name])
    }

    /// The element that has one of some attributes, which say the same in different words: itself, or the nearest default.
    pub(super) fn holder_of_any(&self, names: &[&str]) -> Option<&'a Element> {
        let defaults = self.classes.iter().flat_map(|class| class.iter().rev().copied());
        let mut all = std::iter::once(self.own).chain(defaults);
        all.find(|e| e.attributes.iter().any(|a| names.contains(&a.name.as_str())))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.holder(name)?.text(name)
    }

    pub(super) fn numbers(&self, name: &str, context: &Context<'_>) -> Option<Vec<f64>> {
        self.holder(name)?.numbers(name, context)
    }

    /// A list of which an element may state the first numbers only: the others stay those of its defaults.
    pub(super) fn list(&self, name: &str, context: &Context<'_>) -> Option<Vec<f64>> {
        let defaults = self.classes.iter().rev().flatten().copied();
        let lists = defaults.chain([self.own]).filter_map(|element| element.numbers(name, context));
        lists.reduce(|before, mut own| {
            own.extend(before.iter().skip(own.len()));
            own
        })
    }

    /// The first coefficient of a polynomial, such as that of a spring; that there are others is told.
    pub(super) fn leading(&self, name: &str, context: &Context<'_>) -> Option<f64> {
        let all = self.list(name, context)?;
        if all.iter().skip(1).any(|higher| *higher != 0.0) {
            let what = format!("more than the first number of a `{name}`");
            let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
                .help("springs and dampers are linear here");
            context.warn_once(&what, problem, self.holder(name).unwrap_or(self.own).place(name));
        }
        all.first().copied()
    }

    pub(super) fn number(&self, name: &str, context: &Context<'_>) -> Option<f64> {
        self.holder(name)?.number(name, context)
    }

    pub(super) fn vector(&self, name: &str, context: &Context<'_>) -> Option<Vec3> {
        self.holder(name)?.vector(name, context)
    }

    /// A range that holds: stated as limited, or by being there. `None` without one or without limits.
    pub(super) fn range(
        &self,
        name: &str,
        limited: &str,
        auto: bool,
        context: &Context<'_>,
    ) -> Option<(f64, f64)> {
        let range = self.stated_range(name, context);
        let holds = match self.text(limited) {
            Some("true") => true,
            Some("false") => false,
            None | Some("auto") => auto && range.is_some(),
            Some(other) => {
                bad_word(
                    self.holder(limited).unwrap_or(self.own()),
                    limited,
                    other,
                    "true, false or auto",
                    context,
                );
                false
            }
        };
        if holds { range.map(|[low, high]| (low, high)) } else { None }
    }

    /// A range, whether it holds or not.
    pub(super) fn stated_range(&self, name: &str, context: &Context<'_>) -> Option<[f64; 2]> {
        let range = self.holder(name)?.numbers_in(name, 2..=2, context)?;
        Some([range[0], range[1]])
    }
}

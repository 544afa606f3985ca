use carom_engine::Problem;
use carom_engine::law::Material;
use carom_engine::model::Body;

use super::body::read_body;
use super::placement::Placement;
use super::{ScopeId, Section};
use crate::document::{Entry, Table};
use crate::finding::Finding;
use crate::quantity::Quantity;
use crate::suggest;

/// Most bodies of a model.
const MAX_BODIES: usize = 100_000;
/// Deepest nesting of components.
const MAX_NESTING: usize = 32;

/// Reads all bodies, those of components included, in the order of the file.
pub(crate) fn read_bodies<'a>(root: &Section<'_, 'a>, materials: &[Material]) -> Vec<Body> {
    let components = root.table.table("component");
    let mut expansion =
        Expansion { components, materials, bodies: Vec::new(), open: Vec::new(), full: false };
    expansion.scope(root, "", &Placement::WORLD);
    expansion.bodies
}

struct Expansion<'a, 'm> {
    components: Option<&'a Table>,
    materials: &'m [Material],
    bodies: Vec<Body>,
    /// Components being expanded, for cycles.
    open: Vec<String>,
    full: bool,
}

impl<'a> Expansion<'a, '_> {
    /// Bodies and uses of the model or of a component instance, whose names start with `prefix`.
    fn scope(&mut self, section: &Section<'_, 'a>, prefix: &str, placement: &Placement) {
        let context = section.context;
        let mut entries: Vec<(bool, Section<'_, 'a>, &str)> = Vec::new();
        entries.extend(section.named("body").into_iter().map(|(name, s)| (false, s, name)));
        entries.extend(section.named("use").into_iter().map(|(name, s)| (true, s, name)));
        entries.sort_by_key(|e| (context.sources.0[e.1.key_span.file].rank, e.1.key_span.start));
        for (is_use, entry, name) in entries {
            if is_use {
                self.instances(&entry, name, prefix, placement);
            } else if self.room(&entry) {
                let path = format!("{prefix}{name}");
                let body = entry.within(section.scope, format!("body.{path}"));
                self.bodies.push(read_body(&body, &path, placement, self.materials));
            }
        }
    }

    fn room(&mut self, section: &Section<'_, 'a>) -> bool {
        if self.bodies.len() < MAX_BODIES {
            return true;
        }
        if !self.full {
            self.full = true;
            let problem = Problem::new(
                "E0114",
                section.path.clone(),
                format!("the model has more than {MAX_BODIES} bodies"),
            );
            section.context.findings.push(Finding::at(problem, section.key_span));
        }
        false
    }

    fn instances(&mut self, section: &Section<'_, 'a>, name: &str, prefix: &str, placement: &Placement) {
        let Some(component) = self.component(section) else { return };
        let Some(count) = read_count(section) else { return };
        for index in 0..count.unwrap_or(1) {
            if self.full {
                return;
            }
            let path = match count {
                Some(_) => format!("{prefix}{name}[{index}]"),
                None => format!("{prefix}{name}"),
            };
            self.instance(section, component, &path, count.map(|_| index), placement);
        }
    }

    fn component(&self, section: &Section<'_, 'a>) -> Option<&'a Entry> {
        let name = section.required_text("component")?;
        let found = self.components.and_then(|c| c.entry(&name));
        if found.is_none() {
            let mut problem =
                section.problem("E0203", "component", format!("there is no component \"{name}\""));
            let known = self.components.map(|c| c.keys().collect::<Vec<_>>()).unwrap_or_default();
            problem.help =
                suggest::help(&name, known).or(Some(format!("write [component.{name}] with its bodies")));
            section.report("component", problem);
            return None;
        }
        if self.open.contains(&name) {
            let chain: Vec<&str> = self.open.iter().map(String::as_str).chain([name.as_str()]).collect();
            let message = format!("components contain each other: {}", chain.join(" -> "));
            section.report(
                "component",
                section.problem("E0209", "component", message).help("a component cannot be part of itself"),
            );
            return None;
        }
        if self.open.len() >= MAX_NESTING {
            let message = format!("components are nested more than {MAX_NESTING} levels deep");
            section.report("component", section.problem("E0209", "component", message));
            return None;
        }
        found
    }

    /// One instance: its names (`i`, `let`, the component's parameters), its placement, its bodies.
    fn instance(
        &mut self,
        section: &Section<'_, 'a>,
        component: &'a Entry,
        path: &str,
        index: Option<u64>,
        placement: &Placement,
    ) {
        let Some(template) = component.node.as_table() else { return };
        let context = section.context;
        let local = context.open_scope(Some(section.scope));
        if let Some(index) = index {
            context.bind_value(local, "i", Quantity::number(index as f64));
        }
        let placed = section.within(local, format!("use.{path}"));
        if let Some(names) = section.table.table("let") {
            context.bind_table(local, names, local, &placed.path_of("let"));
        }
        let inner = context.open_scope(Some(local));
        if let Some(params) = template.table("params") {
            context.bind_table(inner, params, inner, &format!("component.{}.params", component.key));
        }
        self.bind_with(&placed, template, component, inner);
        context.evaluate_all(local);
        context.evaluate_all(inner);

        let placement = placement.compose(&Placement::read(&placed));
        let body = Section::new(
            context,
            "component.*",
            template,
            component.key_span,
            format!("component.{}", component.key),
            inner,
        );
        self.open.push(component.key.clone());
        self.scope(&body, &format!("{path}."), &placement);
        self.open.pop();
    }

    /// Values of `with` take the place of the component's defaults; their names are the instance's.
    fn bind_with(&self, placed: &Section<'_, 'a>, template: &'a Table, component: &Entry, inner: ScopeId) {
        let Some(with) = placed.table.table("with") else { return };
        let known = template.table("params").map(|p| p.keys().collect::<Vec<_>>()).unwrap_or_default();
        for entry in &with.entries {
            if !known.contains(&entry.key.as_str()) {
                let message = format!("component \"{}\" has no parameter `{}`", component.key, entry.key);
                let mut problem =
                    Problem::new("E0203", format!("{}.{}", placed.path_of("with"), entry.key), message);
                problem.help = suggest::help(&entry.key, known.clone());
                placed.context.findings.push(Finding::at(problem, entry.key_span));
            }
        }
        placed.context.bind_table(inner, with, placed.scope, &placed.path_of("with"));
    }
}

/// Number of instances; `None` inside if there is one without an index, `None` after an error.
fn read_count(section: &Section<'_, '_>) -> Option<Option<u64>> {
    if !section.has("count") {
        return Some(None);
    }
    let count = section.quantity("count")?;
    if count.fract() != 0.0 || !(0.0..=MAX_BODIES as f64).contains(&count) {
        let problem = section.problem(
            "E0114",
            "count",
            format!("{} must be a whole number, got {count}", section.path_of("count")),
        );
        section.report("count", problem.expected(format!("a whole number from 0 to {MAX_BODIES}")));
        return None;
    }
    Some(Some(count as u64))
}

use carom_engine::Problem;
use carom_engine::law::Material;
use carom_engine::model::Body;

use super::body::read_body;
use super::mechanism::{Part, PartKind};
use super::placement::Placement;
use super::poses::{Inherited, WeldedInstance};
use super::{ScopeId, Section};
use crate::document::{Entry, Table};
use crate::finding::Finding;
use crate::quantity::Quantity;
use crate::suggest;

/// Most bodies of a model.
const MAX_BODIES: usize = 100_000;
/// Most instances of components: each takes memory, whether it places a body or not.
const MAX_INSTANCES: usize = 200_000;
/// Most joints, forces and constraints of a model.
const MAX_PARTS: usize = 200_000;
/// Deepest nesting of components.
const MAX_NESTING: usize = 32;

/// What the walk over scopes finds.
pub(crate) struct Scene<'c, 'a> {
    pub(crate) bodies: Vec<Body>,
    /// For each body, what of its state only the instance it is in gives.
    pub(crate) inherited: Vec<Inherited>,
    /// Joints, forces and constraints, to be read when all bodies are known.
    pub(crate) parts: Vec<Part<'c, 'a>>,
    /// Instances that a weld places.
    pub(crate) welds: Vec<WeldedInstance>,
}

/// Reads all bodies, those of components included, in the order of the file, and collects what joins them.
pub(crate) fn read_bodies<'c, 'a>(root: &Section<'c, 'a>, materials: &[Material]) -> Scene<'c, 'a> {
    let components = root.table.table("component");
    let scene = Scene { bodies: Vec::new(), inherited: Vec::new(), parts: Vec::new(), welds: Vec::new() };
    let mut expansion =
        Expansion { components, materials, scene, open: Vec::new(), full: false, instances: 0 };
    expansion.scope(root, "", &Placement::WORLD);
    expansion.scene
}

/// What an entry of a scope is.
#[derive(Clone, Copy, PartialEq)]
enum EntryKind {
    Body,
    Use,
    Joint,
    Force,
    Constraint,
}

struct Expansion<'c, 'a, 'm> {
    components: Option<&'a Table>,
    materials: &'m [Material],
    scene: Scene<'c, 'a>,
    /// Components being expanded, for cycles.
    open: Vec<String>,
    full: bool,
    /// Instances so far.
    instances: usize,
}

impl<'c, 'a> Expansion<'c, 'a, '_> {
    /// Entries of the model or of a component instance, whose names start with `prefix`.
    fn scope(&mut self, section: &Section<'c, 'a>, prefix: &str, placement: &Placement) {
        let context = section.context;
        let mut entries: Vec<(EntryKind, Section<'c, 'a>, &str)> = Vec::new();
        for (kind, key) in [
            (EntryKind::Body, "body"),
            (EntryKind::Use, "use"),
            (EntryKind::Joint, "joint"),
            (EntryKind::Force, "force"),
            (EntryKind::Constraint, "constraint"),
        ] {
            entries.extend(section.named(key).into_iter().map(|(name, s)| (kind, s, name)));
        }
        entries.sort_by_key(|e| (context.sources.0[e.1.key_span.file].rank, e.1.key_span.start));
        for (kind, entry, name) in entries {
            let path = format!("{prefix}{name}");
            match kind {
                EntryKind::Use => self.instances(&entry, name, prefix, placement),
                EntryKind::Body => {
                    if self.room(&entry) {
                        let body = entry.within(section.scope, format!("body.{path}"));
                        let (body, own) = read_body(&body, &path, placement, self.materials);
                        self.scene.inherited.push(Inherited::of(placement, &own));
                        self.scene.bodies.push(body);
                    }
                }
                EntryKind::Joint => self.part(PartKind::Joint, &entry, "joint", path, prefix, section.scope),
                EntryKind::Force => self.part(PartKind::Force, &entry, "force", path, prefix, section.scope),
                EntryKind::Constraint => {
                    self.part(PartKind::Constraint, &entry, "constraint", path, prefix, section.scope);
                }
            }
        }
    }

    fn part(
        &mut self,
        kind: PartKind,
        entry: &Section<'c, 'a>,
        word: &str,
        name: String,
        prefix: &str,
        scope: ScopeId,
    ) {
        if self.scene.parts.len() >= MAX_PARTS {
            self.report_full(entry, &format!("{MAX_PARTS} joints, forces and constraints"));
            return;
        }
        let section = entry.within(scope, format!("{word}.{name}"));
        self.scene.parts.push(Part { kind, section, name, prefix: prefix.to_owned() });
    }

    fn room(&mut self, section: &Section<'c, 'a>) -> bool {
        if self.scene.bodies.len() < MAX_BODIES {
            return true;
        }
        self.report_full(section, &format!("{MAX_BODIES} bodies"));
        false
    }

    fn report_full(&mut self, section: &Section<'c, 'a>, what: &str) {
        if !self.full {
            self.full = true;
            let problem =
                Problem::new("E0114", section.path.clone(), format!("the model has more than {what}"));
            section.context.findings.push(Finding::at(problem, section.key_span));
        }
    }

    fn instances(&mut self, section: &Section<'c, 'a>, name: &str, prefix: &str, placement: &Placement) {
        let Some(component) = self.component(section) else { return };
        let Some(count) = read_count(section) else { return };
        for index in 0..count.unwrap_or(1) {
            if self.instances >= MAX_INSTANCES {
                self.report_full(section, &format!("{MAX_INSTANCES} instances of components"));
            }
            if self.full {
                return;
            }
            self.instances += 1;
            let path = match count {
                Some(_) => format!("{prefix}{name}[{index}]"),
                None => format!("{prefix}{name}"),
            };
            self.instance(section, component, &path, prefix, count.map(|_| index), placement);
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
        section: &Section<'c, 'a>,
        component: &'a Entry,
        path: &str,
        prefix: &str,
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

        let own = Placement::read(&placed);
        let is_welded = self.weld(&placed, path, prefix);
        let placement = placement.compose(&own);
        let body = Section::new(
            context,
            "component.*",
            template,
            component.key_span,
            format!("component.{}", component.key),
            inner,
        );
        self.open.push(component.key.clone());
        let first = self.scene.bodies.len();
        self.scope(&body, &format!("{path}."), &placement);
        if is_welded {
            let bodies = first..self.scene.bodies.len();
            self.scene.welds.push(WeldedInstance { joint: format!("{path}.weld"), bodies });
        }
        self.open.pop();
    }

    /// The weld of an instance, a fixed joint by the name `weld`.
    fn weld(&mut self, placed: &Section<'c, 'a>, path: &str, prefix: &str) -> bool {
        let Some(weld) = placed.table("weld") else { return false };
        for key in ["pos", "rot", "vel", "omega"].into_iter().filter(|k| placed.has(k)) {
            let message = format!("{} has both a weld and `{key}`", placed.path);
            let problem = placed.problem("E0212", key, message).expected("one of the two");
            placed.report(key, problem.help("the weld places the instance: write `at` and `rot` in it"));
        }
        let name = format!("{path}.weld");
        placed.context.record_origin(&format!("joint.{name}"), weld.key_span);
        let kind = PartKind::Weld(format!("{path}."));
        self.scene.parts.push(Part { kind, section: weld, name, prefix: prefix.to_owned() });
        true
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
            if count.fract() == 0.0 && count > 0.0 {
                format!("{} is more than a model can place, got {count:?}", section.path_of("count"))
            } else {
                format!("{} must be a whole number, got {count:?}", section.path_of("count"))
            },
        );
        section.report("count", problem.expected(format!("a whole number from 0 to {MAX_BODIES}")));
        return None;
    }
    Some(Some(count as u64))
}

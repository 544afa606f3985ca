use std::collections::BTreeMap;

use carom_engine::law::Law;
use carom_engine::model::{
    Body, BodyShape, ContactLine, ContactPair, IntegratorKind, Method, ShapeRef, WideLine,
};
use carom_geometry::Shape;

use super::Section;
use super::contact_options::LineOptions;
use super::contact_pairs::read_pairs;
use super::defaults::kind_of_word;
use super::glob::Glob;
use super::law::{LawBlocks, block_of, example_of};
use crate::schema::{METHOD_SYNONYMS, OFF};
use crate::suggest;

/// Most pairs of a line that are listed; those of a line with more come up when their surfaces come near each other.
const LISTED: usize = 10_000;
/// Of rigid polyhedra whose contacts are events each pair counts so many times: that of two boxes has as many features that may touch.
const FEATURES: usize = 160;

/// Lines and the pairs they expand to.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) lines: Vec<ContactLine>,
    pub(crate) pairs: Vec<ContactPair>,
    pub(crate) wide_lines: Vec<WideLine>,
    pub(crate) pairs_off: Vec<(ShapeRef, ShapeRef)>,
}

/// A line as written, with its pairs.
pub(super) struct Expanded {
    pub(super) name: String,
    /// `None`: off.
    pub(super) method: Option<Method>,
    pub(super) law: usize,
    pub(super) options: LineOptions,
    pub(super) pairs: Vec<(ShapeRef, ShapeRef)>,
    /// The line as such where its pairs are too many to list.
    pub(super) wide: Option<WideLine>,
    /// Sides that name their body or shape without a pattern.
    pub(super) plain_sides: usize,
    /// The line is one pair by name.
    pub(super) is_single: bool,
}

pub(crate) fn read_contacts(
    root: &Section<'_, '_>,
    bodies: &[Body],
    laws: &[Law],
    blocks: &LawBlocks,
    integrator: IntegratorKind,
) -> Contacts {
    let groups = root.context.part_groups.borrow();
    let surfaces = Surfaces { bodies, groups: &groups, integrator };
    let mut expanded = Vec::new();
    for (name, section) in root.named("contact") {
        if let Some(line) = read_line(name, &section, &surfaces, laws, blocks) {
            expanded.push((line, section));
        }
    }
    let owners = assign(&expanded, bodies);
    let mut contacts = Contacts::default();
    // Exact lines first, among equals the later one: the first that names a pair owns it.
    let mut wide: Vec<(usize, usize, WideLine)> = Vec::new();
    for (index, (line, _)) in expanded.iter().enumerate() {
        let own = line.pairs.iter().filter(|p| owners.get(&key(**p)) == Some(&index));
        let Some(method) = line.method else {
            contacts.pairs_off.extend(own.map(|p| key(*p)));
            wide.extend(line.wide.clone().map(|w| (line.plain_sides, index, w)));
            continue;
        };
        let number = contacts.lines.len();
        contacts.lines.push(ContactLine {
            name: line.name.clone(),
            method,
            law: line.law,
            detection: line.options.detection,
            base: line.options.base,
            layer_on: line.options.layer_on,
            areal_detection: line.options.areal_detection,
            found_by: line.options.found_by,
            accuracy: line.options.accuracy,
        });
        wide.extend(
            line.wide.clone().map(|w| (line.plain_sides, index, WideLine { line: Some(number), ..w })),
        );
        for &(a, b) in own {
            let [name_a, name_b] = [a, b].map(|s| &bodies[s.body].shapes[s.shape].name);
            let name =
                if line.is_single { line.name.clone() } else { format!("{}[{name_a}|{name_b}]", line.name) };
            contacts.pairs.push(ContactPair { name, line: number, a, b });
        }
    }
    contacts.pairs_off.sort_unstable();
    wide.sort_by_key(|(plain_sides, index, _)| std::cmp::Reverse((*plain_sides, *index)));
    contacts.wide_lines = wide.into_iter().map(|(.., line)| line).collect();
    contacts
}

/// Which line each pair belongs to: the more exact line, among equals the later one.
fn assign(lines: &[(Expanded, Section<'_, '_>)], bodies: &[Body]) -> BTreeMap<(ShapeRef, ShapeRef), usize> {
    let mut owners: BTreeMap<(ShapeRef, ShapeRef), usize> = BTreeMap::new();
    for (index, (line, section)) in lines.iter().enumerate() {
        for &pair in &line.pairs {
            let Some(&earlier) = owners.get(&key(pair)) else {
                owners.insert(key(pair), index);
                continue;
            };
            let other = &lines[earlier].0;
            if line.is_single && other.is_single {
                let [a, b] = [pair.0, pair.1].map(|s| &bodies[s.body].shapes[s.shape].name);
                let message = format!(
                    "contact lines \"{}\" and \"{}\" both name the pair of \"{a}\" and \"{b}\"",
                    other.name, line.name
                );
                section.report(
                    "a",
                    section
                        .problem("E0408", "a", message)
                        .help("keep one of them; method = \"off\" removes a pair"),
                );
            } else if line.plain_sides >= other.plain_sides {
                owners.insert(key(pair), index);
            }
        }
    }
    // What a wide line of the same rank or a higher one names is the wide line's.
    owners.retain(|&(a, b), &mut index| {
        let own = &lines[index].0;
        !lines.iter().enumerate().any(|(other, (line, _))| {
            let outranks = (line.plain_sides, other) > (own.plain_sides, index);
            outranks && line.wide.as_ref().is_some_and(|wide| wide.order(a, b).is_some())
        })
    });
    owners
}

fn key(pair: (ShapeRef, ShapeRef)) -> (ShapeRef, ShapeRef) {
    if pair.0 <= pair.1 { pair } else { (pair.1, pair.0) }
}

/// All surfaces by name.
struct Surfaces<'b> {
    bodies: &'b [Body],
    /// Names of the shapes that others are parts of, by the names of the parts.
    groups: &'b BTreeMap<String, String>,
    /// Of the model: with `moreau` rigid polyhedra have no features.
    integrator: IntegratorKind,
}

impl<'b> Surfaces<'b> {
    /// What a pair of surfaces of two sides counts.
    fn weight(&self, method_word: Option<&str>, sides: [&[ShapeRef]; 2]) -> usize {
        let is_by_events =
            method_word == Some(Method::Nonsmooth.name()) && self.integrator != IntegratorKind::Moreau;
        let is_polyhedron = |s: &ShapeRef| {
            matches!(self.bodies[s.body].shapes[s.shape].shape, Shape::Box { .. } | Shape::Convex(_))
        };
        let has_many = is_by_events && sides.iter().all(|side| side.iter().any(is_polyhedron));
        if has_many { FEATURES } else { 1 }
    }

    /// Surfaces that a pattern names, by its body's path or its own, or that of the shape whose part it is.
    fn find(&self, glob: &Glob<'_>) -> Vec<ShapeRef> {
        let mut found = Vec::new();
        let is_part = |s: &BodyShape| self.groups.get(&s.name).is_some_and(|group| glob.matches(group));
        for (body, b) in self.bodies.iter().enumerate() {
            let whole = glob.matches(&b.name);
            let shapes = b.shapes.iter().enumerate();
            found.extend(
                shapes
                    .filter(|(_, s)| whole || glob.matches(&s.name) || is_part(s))
                    .map(|(shape, _)| ShapeRef { body, shape }),
            );
        }
        found
    }

    fn has_body(&self, glob: &Glob<'_>) -> Option<&Body> {
        self.bodies.iter().find(|b| glob.matches(&b.name))
    }

    fn names(&self) -> Vec<&str> {
        let of_body = |b: &'b Body| {
            let shapes = b.shapes.iter().map(|s| s.name.as_str()).filter(|n| *n != b.name);
            [b.name.as_str()].into_iter().chain(shapes)
        };
        self.bodies.iter().flat_map(of_body).collect()
    }
}

fn read_line(
    name: &str,
    section: &Section<'_, '_>,
    surfaces: &Surfaces<'_>,
    laws: &[Law],
    blocks: &LawBlocks,
) -> Option<Expanded> {
    if section.has("pairs") {
        return read_pairs(name, section, surfaces.bodies, laws, blocks);
    }
    let (a, b) = (section.required_text("a"), section.required_text("b"));
    let method_word = section.word_or_default("method");
    let options = LineOptions::read(section);
    let law = law_of_line(section, method_word, laws, blocks);
    let (a, b) = (a?, b?);
    let (glob_a, glob_b) = (Glob::new(&a), Glob::new(&b));
    let side_a = find_side(section, "a", &glob_a, surfaces);
    let side_b = find_side(section, "b", &glob_b, surfaces);
    let (side_a, side_b) = (side_a?, side_b?);
    let plain_sides = usize::from(glob_a.is_plain()) + usize::from(glob_b.is_plain());
    let broken = section.context.broken_shapes.borrow();
    let is_broken = |s: &ShapeRef| broken.contains(&surfaces.bodies[s.body].shapes[s.shape].name);
    let wide =
        WideLine { line: None, patterns: [a.clone(), b.clone()], sides: [side_a.clone(), side_b.clone()] };
    let is_wide = plain_sides < 2 && wide.len() * surfaces.weight(method_word, [&side_a, &side_b]) > LISTED;
    let pairs = if is_wide {
        Vec::new()
    } else if plain_sides == 2 {
        explicit_pairs(section, &side_a, &side_b, surfaces.bodies)?
    } else {
        let pairs = expand(&side_a, &side_b, surfaces.bodies);
        if pairs.is_empty() {
            let message = format!(
                "contact line \"{name}\" expands to no pair: \"{a}\" and \"{b}\" name only surfaces of one body or of fixed bodies"
            );
            section.report(
                "b",
                section
                    .problem("E0401", "b", message)
                    .help("at least one body of a pair must be able to move"),
            );
            return None;
        }
        pairs
    };
    let method = match method_word? {
        OFF => None,
        word => Some(read_method(word)),
    };
    let law = law?;
    if let Some(method) = method {
        check_method(section, method, law, laws, blocks)?;
        if method == Method::Pcm && is_wide {
            let message = format!(
                "contact line \"{name}\" expands to {} pairs, and areal contact takes {LISTED} at most",
                wide.len()
            );
            let problem = section.problem("E0421", "method", message);
            section.report("method", problem.help("name the surfaces that can meet in several lines"));
            return None;
        }
    }
    let is_single = plain_sides == 2 && pairs.len() == 1;
    let pairs = pairs.into_iter().filter(|(a, b)| !is_broken(a) && !is_broken(b)).collect();
    let wide = is_wide.then(|| {
        let sound = |side: &[ShapeRef]| side.iter().copied().filter(|s| !is_broken(s)).collect();
        let [side_a, side_b] = &wide.sides;
        WideLine { sides: [sound(side_a), sound(side_b)], ..wide.clone() }
    });
    Some(Expanded { name: name.to_owned(), method, law, options, pairs, wide, plain_sides, is_single })
}

pub(super) fn read_method(word: &str) -> Method {
    kind_of_word("method", word, &Method::ALL, Method::name, METHOD_SYNONYMS)
}

/// The law of a line; any of one that only switches pairs off.
pub(super) fn law_of_line(
    section: &Section<'_, '_>,
    method_word: Option<&str>,
    laws: &[Law],
    blocks: &LawBlocks,
) -> Option<usize> {
    match method_word {
        Some(OFF) => Some(0),
        word => read_law_name(section, word.map_or(Method::Auto, read_method), laws, blocks),
    }
}

/// The law that a contact line names, or `None` after an error. One that names none is told which have the block that its
/// method needs.
fn read_law_name(
    section: &Section<'_, '_>,
    method: Method,
    laws: &[Law],
    blocks: &LawBlocks,
) -> Option<usize> {
    let known = laws.iter().map(|l| l.name.as_str());
    if section.is_misspelt("law") {
        return None;
    }
    if !section.has("law") {
        let message = format!("{} has no law", section.path);
        let mut problem = section.problem("E0405", "law", message).expected("law = \"NAME\" of a [law.NAME]");
        let (block, present) = block_of(method, blocks);
        let suited = laws.iter().zip(present).filter(|(_, has)| **has).map(|(law, _)| law.name.as_str());
        let method = method.name();
        problem.help = Some(match suggest::list(suited) {
            Some(all) => format!("laws with the {block} block that method \"{method}\" needs: {all}"),
            None => format!(
                "method \"{method}\" needs a law with a {block} block, such as [law.NAME] with {}",
                example_of(block, None)
            ),
        });
        section.context.findings.push(crate::finding::Finding::at(problem, section.key_span));
        return None;
    }
    let name = section.text("law")?;
    let found = laws.iter().position(|l| l.name == name);
    if found.is_none() {
        let mut problem = section.problem("E0203", "law", format!("there is no law \"{name}\""));
        problem.help = suggest::help(&name, known);
        section.report("law", problem);
    }
    found
}

/// Surfaces of one side; `None` after an error.
fn find_side(
    section: &Section<'_, '_>,
    key: &str,
    glob: &Glob<'_>,
    surfaces: &Surfaces<'_>,
) -> Option<Vec<ShapeRef>> {
    let found = surfaces.find(glob);
    if !found.is_empty() {
        return Some(found);
    }
    let text = section.table.get(key).and_then(|n| n.as_text()).unwrap_or_default();
    let names = surfaces.names();
    let problem = if let Some(body) = surfaces.has_body(glob) {
        let message = format!("body \"{}\" has no shape and cannot touch anything", body.name);
        section
            .problem("E0401", key, message)
            .help(format!("add shape = {{ type = \"sphere\", radius = … }} to body \"{}\"", body.name))
    } else {
        let (code, what) = if glob.is_plain() {
            ("E0203", "body or shape")
        } else {
            ("E0401", "body or shape that matches")
        };
        let mut problem = section.problem(code, key, format!("there is no {what} \"{text}\""));
        problem.help = near_pattern(text, &names).or_else(|| suggest::help(text, names.iter().copied()));
        problem
    };
    section.report(key, problem);
    None
}

/// Suggestions for names that miss a level: `cue` for `cue.ball`, `rack.ball` for `rack[*].ball`.
fn near_pattern(text: &str, names: &[&str]) -> Option<String> {
    for candidate in [
        format!("{text}.*"),
        format!("{text}[*]"),
        format!("{text}[*].*"),
        text.replace('.', "[*]."),
        format!("*.{text}"),
        format!("**.{text}"),
    ] {
        let glob = Glob::new(&candidate);
        let mut matching = names.iter().filter(|n| glob.matches(n));
        if let Some(first) = matching.next() {
            return Some(match matching.next() {
                None => format!("did you mean \"{first}\"?"),
                Some(_) => format!("did you mean \"{candidate}\"?"),
            });
        }
    }
    None
}

/// Pairs of two named sides. What is written out must be possible.
fn explicit_pairs(
    section: &Section<'_, '_>,
    side_a: &[ShapeRef],
    side_b: &[ShapeRef],
    bodies: &[Body],
) -> Option<Vec<(ShapeRef, ShapeRef)>> {
    let pairs = expand(side_a, side_b, bodies);
    if !pairs.is_empty() {
        return Some(pairs);
    }
    let (a, b) = (side_a[0].body, side_b[0].body);
    let message = if a == b {
        format!("a and b are both on body \"{}\"; a body does not touch itself", bodies[a].name)
    } else {
        format!("\"{}\" and \"{}\" are both fixed and cannot meet", bodies[a].name, bodies[b].name)
    };
    section.report("b", section.problem("E0402", "b", message).expected("two bodies of which one can move"));
    None
}

/// Pairs of two sets: no body with itself, no two fixed bodies, each unordered pair once. Where both
/// surfaces are in both sets the lower index is A.
fn expand(side_a: &[ShapeRef], side_b: &[ShapeRef], bodies: &[Body]) -> Vec<(ShapeRef, ShapeRef)> {
    let mut pairs = Vec::new();
    for &a in side_a {
        let a_on_both_sides = side_b.binary_search(&a).is_ok();
        for &b in side_b {
            if a.body == b.body || (bodies[a.body].fixed && bodies[b.body].fixed) {
                continue;
            }
            if a > b && a_on_both_sides && side_a.binary_search(&b).is_ok() {
                continue;
            }
            pairs.push((a, b));
        }
    }
    pairs
}

/// The method needs its block of the law, and must be built. `None` after an error.
pub(super) fn check_method(
    section: &Section<'_, '_>,
    method: Method,
    law: usize,
    laws: &[Law],
    blocks: &LawBlocks,
) -> Option<()> {
    let (block, present) = block_of(method, blocks);
    let (law, present) = (&laws[law], present[law]);
    let line = section.path.strip_prefix("contact.").unwrap_or(&section.path);
    if !present {
        let example = example_of(block, Some(law));
        let (law, method) = (&law.name, method.name());
        let message =
            format!("law \"{law}\" has no {block} block, needed by method \"{method}\" of pair \"{line}\"");
        section.report(
            "law",
            section.problem("E0410", "law", message).help(format!("add to [law.{law}]: {example}")),
        );
        return None;
    }
    if method == Method::Auto {
        let message =
            format!("contact \"{line}\": auto picks analytic where the pair has a closed form, else convex");
        section.context.note("N0401", message);
    }
    Some(())
}

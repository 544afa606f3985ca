//! What all readers of robot files share: texts, findings, notes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_engine::Problem;
use carom_geometry::prepare::ConvexParts;
use carom_math::Vec3;

use super::options::Options;
use super::xml::Element;
use crate::diagnostic::Location;
use crate::finding::{Finding, Findings};
use crate::source::{Sources, Span};
use crate::suggest;

/// Something the user should know that is neither an error nor a warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What was chosen, or left out.
    pub kind: NoteKind,
    /// In words.
    pub text: String,
    /// How many places it is about.
    pub count: usize,
    /// The first of them.
    pub location: Option<Location>,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.count > 1 { format!(" ({} times)", self.count) } else { String::new() };
        write!(f, "{}{times}{}", self.text, line_of(self.location.as_ref()))
    }
}

/// Place within the robot file, for lists.
pub(super) fn line_of(location: Option<&Location>) -> String {
    location.map(|l| format!(" [line {}]", l.line)).unwrap_or_default()
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// Taken over in a way that is worth a word.
    Choice,
    /// Not taken over.
    LeftOut,
}

struct Remark {
    kind: NoteKind,
    text: String,
    count: usize,
    span: Option<Span>,
    /// Remarks that came before.
    order: usize,
}

/// By key and code: the first warning, its place, how many.
type Repeated = BTreeMap<(String, &'static str), (Problem, Span, usize)>;

pub(super) struct Context<'a> {
    pub(super) options: &'a Options,
    /// Folder of the main file.
    pub(super) folder: PathBuf,
    pub(super) sources: RefCell<Sources>,
    pub(super) findings: Findings,
    /// Those of one key are counted, not repeated.
    remarks: RefCell<BTreeMap<(NoteKind, String), Remark>>,
    /// Warnings of which one stands for many.
    repeated: RefCell<Repeated>,
    files: RefCell<Vec<PathBuf>>,
    hulls: RefCell<Vec<Hull>>,
    /// Convex parts of meshes by file and scale: robots have the same motor in many places.
    parts: RefCell<Vec<KnownParts>>,
    /// Vertices that hulls leave out, and how far beyond what stays one may be (m).
    left_out_of_hulls: Cell<(usize, f64)>,
}

/// What a mesh is cut into; nothing where its hull is near enough.
struct KnownParts {
    path: PathBuf,
    scale: Vec3,
    parts: Option<Arc<ConvexParts>>,
}

/// A mesh that touches as its convex hull.
struct Hull {
    path: PathBuf,
    scale: Vec3,
    span: Span,
    /// Convex parts that it is cut into; 1: none.
    parts: usize,
    /// How far the hull, or those of the parts, reach beyond the mesh (m); unknown for a broken one.
    reach: Option<f64>,
}

/// Hulls that are named for how far they reach.
const NAMED_HULLS: usize = 3;

impl<'a> Context<'a> {
    pub(super) fn new(options: &'a Options, folder: &Path) -> Self {
        Self {
            options,
            folder: folder.to_owned(),
            sources: RefCell::default(),
            findings: Findings::default(),
            remarks: RefCell::default(),
            repeated: RefCell::default(),
            files: RefCell::default(),
            hulls: RefCell::default(),
            parts: RefCell::default(),
            left_out_of_hulls: Cell::default(),
        }
    }

    pub(super) fn text(&self, file: usize) -> String {
        self.sources.borrow().0[file].text.clone()
    }

    /// Remembers a file that was read besides the main one.
    pub(super) fn record_file(&self, path: &Path) {
        let mut files = self.files.borrow_mut();
        if !files.iter().any(|known| known == path) {
            files.push(path.to_owned());
        }
    }

    pub(super) fn take_files(&self) -> Vec<PathBuf> {
        self.files.take()
    }

    /// Remembers a mesh that touches as its hull, or those of parts; of several with one file and scale the first is measured.
    pub(super) fn record_hulls(
        &self,
        path: &Path,
        scale: &Vec3,
        span: Span,
        measure: impl FnOnce() -> (usize, Option<f64>),
    ) {
        let mut hulls = self.hulls.borrow_mut();
        if !hulls.iter().any(|hull| hull.path == path && hull.scale == *scale) {
            let (parts, reach) = measure();
            hulls.push(Hull { path: path.to_owned(), scale: *scale, span, parts, reach });
        }
    }

    /// Convex parts of a mesh by its file and scale, found once.
    pub(super) fn parts_of(
        &self,
        path: &Path,
        scale: &Vec3,
        find: impl FnOnce() -> Option<Arc<ConvexParts>>,
    ) -> Option<Arc<ConvexParts>> {
        let is_it = |known: &&KnownParts| known.path == path && known.scale == *scale;
        if let Some(known) = self.parts.borrow().iter().find(is_it) {
            return known.parts.clone();
        }
        let parts = find();
        let known = KnownParts { path: path.to_owned(), scale: *scale, parts: parts.clone() };
        self.parts.borrow_mut().push(known);
        parts
    }

    pub(super) fn record_left_out(&self, vertices: usize, error: f64) {
        let (so_far, most) = self.left_out_of_hulls.get();
        self.left_out_of_hulls.set((so_far + vertices, most.max(error)));
    }

    /// Are the lengths of a shape above 0? What has no size touches nothing and is left out; a negative one is a mistake.
    pub(super) fn has_size(&self, what: &str, lengths: &[f64], span: Span) -> bool {
        let least = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        if least > 0.0 {
            return true;
        }
        let stated = lengths.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let problem = if least == 0.0 {
            Problem::new("W0801", "", format!("{what} is {stated} m: the shape is left out"))
                .help("it touches nothing; with lengths above 0 it would")
        } else {
            let expected = if lengths.len() == 1 { "a length > 0" } else { "three lengths > 0" };
            Problem::new("E0314", "", format!("{what} must be positive, got {stated} m")).expected(expected)
        };
        self.report(problem, span);
        false
    }

    /// Says what hulls there are, and how far those that reach farthest do.
    pub(super) fn tell_hulls(&self) {
        let mut hulls = self.hulls.borrow_mut();
        let reach = |hull: &Hull| hull.reach.unwrap_or(f64::INFINITY);
        hulls.sort_by(|a, b| reach(b).total_cmp(&reach(a)));
        let describe = |hull: &Hull| {
            let name = hull.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            match hull.reach {
                Some(reach) if hull.parts > 1 => {
                    format!("{:.1} mm beyond \"{name}\" in {} convex parts", 1e3 * reach, hull.parts)
                }
                Some(reach) => format!("{:.1} mm beyond \"{name}\"", 1e3 * reach),
                None => format!("an unknown length beyond \"{name}\", which is not usable as it is"),
            }
        };
        let Some(first) = hulls.first() else { return };
        let named: Vec<String> = hulls.iter().take(NAMED_HULLS).map(describe).collect();
        let rest = if hulls.len() > NAMED_HULLS { ", less beyond the others" } else { "" };
        let coarser = match self.left_out_of_hulls.get() {
            (0, _) => String::new(),
            (vertices, error) => {
                format!(
                    ", without {vertices} vertices that are {:.2} mm or less beyond the others (--hull-error 0 keeps them)",
                    1e3 * error
                )
            }
        };
        let text = format!(
            "collision meshes touch as their convex hulls, which reach {}{rest}{coarser}",
            named.join(", ")
        );
        self.choice(text, Some(first.span));
    }

    pub(super) fn report(&self, problem: Problem, span: Span) {
        self.findings.push(Finding::at(problem, span));
    }

    /// A choice the user should know of. The same text is said once, with a count.
    pub(super) fn choice(&self, text: impl Into<String>, span: Option<Span>) {
        let text = text.into();
        self.remark(NoteKind::Choice, text.clone(), text, span);
    }

    /// Something that is not taken over and does not matter for the motion.
    pub(super) fn left_out(&self, text: impl Into<String>, span: Span) {
        let text = text.into();
        self.remark(NoteKind::LeftOut, text.clone(), text, Some(span));
    }

    fn remark(&self, kind: NoteKind, key: String, text: String, span: Option<Span>) {
        let mut remarks = self.remarks.borrow_mut();
        let order = remarks.len();
        remarks.entry((kind, key)).or_insert(Remark { kind, text, count: 0, span, order }).count += 1;
    }

    /// A warning of which the first of its key stands for all.
    pub(super) fn warn_once(&self, key: &str, problem: Problem, span: Span) {
        let mut repeated = self.repeated.borrow_mut();
        repeated.entry((key.to_owned(), problem.code)).or_insert((problem, span, 0)).2 += 1;
    }

    /// Warns of a joint that may move nowhere by its limits: the programs that read such files do not agree on what it does.
    pub(super) fn warn_of_no_room(&self, joint: &str, at: f64, span: Span) {
        let message = format!("the limits of {joint} leave no room (both are {at}): it moves without limits");
        let help =
            "MuJoCo takes such limits for none, Gazebo holds the joint: state its range, or make it fixed";
        self.warn_once("limits without room", Problem::new("W0801", "", message).help(help), span);
    }

    /// Everything found.
    pub(super) fn take_findings(&self) -> Vec<Finding> {
        for (mut problem, span, count) in self.repeated.take().into_values() {
            if count > 1 {
                problem.message.push_str(&format!(" (and {} more like it)", count - 1));
            }
            self.report(problem, span);
        }
        self.findings.take()
    }

    /// Notes in order: choices first, each kind by place.
    pub(super) fn notes(&self) -> Vec<Note> {
        let sources = self.sources.borrow();
        let mut remarks: Vec<Remark> = self.remarks.take().into_values().collect();
        remarks.sort_by_key(|r| (r.kind == NoteKind::LeftOut, r.span, r.order));
        let note = |r: Remark| Note {
            kind: r.kind,
            text: r.text,
            count: r.count,
            location: r.span.map(|span| Location::of(&sources, span)),
        };
        remarks.into_iter().map(note).collect()
    }
}

/// Help for a name that is not there.
pub(super) fn help_for<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<String> {
    suggest::help(name, candidates).or_else(|| Some("there are none".to_owned()))
}

/// What happens to the motion when an element or attribute is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing: drawing, measuring, the numerics of another program.
    None,
    /// The motion may differ.
    Motion,
    /// The name is not one of the format.
    Unknown,
}

/// Lists what nobody has read below an element: notes where the motion does not depend on it, warnings
/// otherwise. `judge` gets the path of names from the top, and the attribute if it is about one. Of `singles` an element has one:
/// a second one beside one that was read would have changed the motion, and so would a second shape of a `geometry`.
pub(super) fn list_unread(
    root: &Element,
    context: &Context<'_>,
    singles: &[&str],
    judge: &dyn Fn(&Element, Option<&str>) -> Effect,
) {
    let say = |label: String, effect: Effect, span: Span| {
        if effect == Effect::None {
            return context.left_out(label, span);
        }
        let problem = if effect == Effect::Unknown {
            Problem::new("W0804", "", format!("{label} is not known and was passed over"))
                .help("is it a slip of the pen? correct or remove it")
        } else {
            Problem::new("W0801", "", format!("{label} is not taken over"))
                .help("the motion may differ from that of the program the file was written for")
        };
        context.warn_once(&label, problem, span);
    };
    let mut open = vec![(root, false)];
    while let Some((element, is_second)) = open.pop() {
        if !element.is_used() {
            if is_second {
                say(format!("a second <{}>", element.name), Effect::Motion, element.span);
            } else {
                say(format!("<{}>", element.name), judge(element, None), element.span);
            }
            continue;
        }
        for attribute in element.attributes.iter().filter(|a| !a.is_used()) {
            let label = format!("`{}` of <{}>", attribute.name, element.name);
            say(label, judge(element, Some(&attribute.name)), attribute.span);
        }
        let read: BTreeSet<&str> =
            element.children.iter().filter(|c| c.is_used()).map(|c| c.name.as_str()).collect();
        let has_shape = element.name == "geometry" && singles.contains(&"geometry") && !read.is_empty();
        let is_second = |child: &Element| {
            has_shape || singles.contains(&child.name.as_str()) && read.contains(child.name.as_str())
        };
        open.extend(element.children.iter().rev().map(|child| (child, is_second(child))));
    }
}

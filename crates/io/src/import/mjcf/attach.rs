//! `<attach>`: a body or frame of another model, or all of its world, with what acts on it, under names with a prefix. As in MuJoCo each
//! model keeps its defaults and its `<compiler>`, and has the `<option>` of the main one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::lenient;
use super::super::xml::{self, Element};
use super::attached::Attachment;
use super::compiler::{Compiler, Compilers};
use super::include;
use super::replicate::{self, MAX_ELEMENTS, elements_in};
use crate::document;

/// How deep models are attached to each other.
const MAX_DEPTH: usize = 32;

/// A model with all others in place.
pub(super) struct Whole {
    pub(super) root: Element,
    pub(super) compilers: Compilers,
    /// Classes of defaults that have no other behind them: the main ones of what is attached.
    pub(super) mains: BTreeSet<String>,
}

/// The main file with included and attached ones in it.
pub(super) fn expand(root: Element, context: &Context<'_>) -> Whole {
    whole(root, &context.folder, &mut Vec::new(), context)
}

fn whole(mut root: Element, folder: &Path, open: &mut Vec<PathBuf>, context: &Context<'_>) -> Whole {
    include::expand(&mut root, folder, context);
    let compiler = Compiler::read(&root, folder, context);
    let mut place = Place {
        models: models(&root, context),
        folder,
        open,
        read: BTreeMap::new(),
        sections: Vec::new(),
        count: 0,
        elements: 0.0,
        prefixes: BTreeSet::new(),
        compilers: Compilers::new(compiler),
        mains: BTreeSet::new(),
        context,
    };
    for world in root.children.iter_mut().filter(|e| e.name == "worldbody") {
        place.children(world);
    }
    let Place { sections, compilers, mains, .. } = place;
    // MuJoCo's controls are in this order: those of the model's own actuators first.
    root.children.extend(sections);
    replicate::expand(&mut root, compilers.own(), context);
    Whole { root, compilers, mains }
}

/// Models of `<asset>` by name; one without is called as its file says.
fn models(root: &Element, context: &Context<'_>) -> Vec<(Option<String>, Element)> {
    let models = root.all("asset").flat_map(|asset| asset.all("model"));
    let named = models.filter_map(|model| {
        model.mark_attributes(&["name", "content_type"]);
        model.mark();
        model.required_text("file", context)?;
        Some((model.text("name").map(str::to_owned), model.clone()))
    });
    named.collect()
}

/// Where things are attached.
struct Place<'a, 'c> {
    models: Vec<(Option<String>, Element)>,
    folder: &'a Path,
    /// Files that are being read, the outer first.
    open: &'a mut Vec<PathBuf>,
    /// What the models hold, by their order; `None` after an error.
    read: BTreeMap<usize, Option<Whole>>,
    sections: Vec<Element>,
    /// How many attachments there are.
    count: usize,
    /// How many elements are attached, those left out among them.
    elements: f64,
    /// Models and prefixes under which parts of them are here.
    prefixes: BTreeSet<(usize, String)>,
    compilers: Compilers,
    mains: BTreeSet<String>,
    context: &'a Context<'c>,
}

impl Place<'_, '_> {
    fn children(&mut self, element: &mut Element) {
        let mut children = Vec::with_capacity(element.children.len());
        for mut child in std::mem::take(&mut element.children) {
            if child.name == "attach" {
                children.extend(self.attach(&child));
            } else {
                self.children(&mut child);
                children.push(child);
            }
        }
        element.children = children;
    }

    /// A frame with what is attached. `None` after an error.
    fn attach(&mut self, attach: &Element) -> Option<Element> {
        let context = self.context;
        let known = ["model", "body", "frame", "prefix", "name"];
        for other in attach.attributes.iter().filter(|a| !known.contains(&a.name.as_str())) {
            let message = format!("`{}` of <attach> is not known and was passed over", other.name);
            let problem = Problem::new("W0804", "", message);
            context.report(problem.help("a <frame> around it places what is attached"), other.span);
        }
        let prefix = attach.required_text("prefix", context)?;
        let Some(name) = attach.text("model") else {
            let problem = Problem::new("E0812", "", "<attach> within one model is not built yet");
            let problem = problem.help("write the bodies out: MuJoCo's mj_saveLastXML saves them so");
            context.report(problem, attach.span);
            return None;
        };
        let model = self.model(name, attach)?;
        let Whole { root, mains, .. } = self.read.get(&model)?.as_ref()?;
        self.elements += elements_in(root) as f64;
        if self.elements > MAX_ELEMENTS {
            let message = format!("what is attached has more than {MAX_ELEMENTS} elements");
            let problem =
                Problem::new("E0812", "", message).help("attach less, or parts of it as models of their own");
            context.report(problem, attach.span);
            return None;
        }
        let wanted = ["body", "frame"].into_iter().find_map(|kind| Some((kind, attach.text(kind)?)));
        let Some(attachment) = Attachment::of(root, wanted, self.count, prefix, mains) else {
            let (kind, wanted) = wanted?;
            let message =
                format!("<attach> names the {kind} \"{wanted}\", which the model \"{name}\" does not have");
            let mut problem = Problem::new("E0807", "", message);
            let known = named(root, kind);
            problem.help = help_for(wanted, known.iter().map(String::as_str));
            context.report(problem, attach.place(kind));
            return None;
        };
        self.count += 1;
        if let Some(option) = root.child("option") {
            let text = "the <option> of an attached model: that of the main file holds, as in MuJoCo";
            context.left_out(text, option.span);
        }
        self.mains.extend(attachment.mains);
        // Of two parts of one model under one prefix, the rest of it is here once.
        if self.prefixes.insert((model, prefix.to_owned())) {
            self.sections.extend(attachment.sections);
        }
        self.sections.extend(attachment.acting);
        match (attachment.keyframes, root.child("keyframe")) {
            (Some(keyframes), _) => self.sections.extend(keyframes),
            (None, Some(keyframe)) => {
                context.left_out("keyframes of a model of which a part is attached", keyframe.span);
            }
            (None, None) => {}
        }
        Some(Element::made("frame", attach.span, &[("childclass", attachment.class)], attachment.children))
    }

    /// The number of a model, which is read where it is first attached. `None` after an error.
    fn model(&mut self, name: &str, attach: &Element) -> Option<usize> {
        for k in 0..self.models.len() {
            // A model without a name is read to know its own.
            if self.models[k].0.is_none() || self.models[k].0.as_deref() == Some(name) {
                if !self.read.contains_key(&k) {
                    let read = self.read_file(k);
                    let own = read.as_ref().and_then(|whole| whole.root.text("model"));
                    self.models[k].0.get_or_insert(own.unwrap_or("MuJoCo Model").to_owned());
                    self.read.insert(k, read);
                }
                if self.models[k].0.as_deref() == Some(name) {
                    return Some(k);
                }
            }
        }
        // One that could not be read may be it.
        if self.read.values().all(Option::is_some) {
            let message = format!("<attach> names the model \"{name}\", which is not there");
            let mut problem = Problem::new("E0807", "", message);
            problem.help = help_for(name, self.models.iter().filter_map(|(name, _)| name.as_deref()));
            self.context.report(problem, attach.place("model"));
        }
        None
    }

    fn read_file(&mut self, model: usize) -> Option<Whole> {
        let (context, element) = (self.context, &self.models[model].1);
        let file = element.text("file")?;
        let path = self.folder.join(file);
        if self.open.contains(&path) || self.open.len() >= MAX_DEPTH {
            let message = format!("\"{file}\" attaches itself, or models are more than {MAX_DEPTH} deep");
            context.report(Problem::new("E0205", "", message), element.place("file"));
            return None;
        }
        let text = match lenient::read_text(&path) {
            Ok(text) => text,
            Err(reason) => {
                let folder = document::shown_folder(self.folder);
                let message = format!("cannot read the model \"{file}\" (looked in {folder}): {reason}");
                let mut problem = Problem::new("E0204", "", message);
                problem.help = document::near_file(file, self.folder)
                    .or_else(|| Some("names of models are relative to the file that names them".to_owned()));
                context.report(problem, element.place("file"));
                return None;
            }
        };
        context.record_file(&path);
        let folder = path.parent().unwrap_or(self.folder).to_owned();
        let first = context.sources.borrow_mut().add(path.display().to_string(), text, &context.folder);
        let root = xml::parse(first, context)?;
        if root.name != "mujoco" {
            let message = format!("the model \"{file}\" is no MJCF: it starts with <{}>", root.name);
            let problem = Problem::new("E0812", "", message).expected("<mujoco>");
            context.report(
                problem.help("import it alone, or save it as MJCF with MuJoCo"),
                element.place("file"),
            );
            return None;
        }
        self.open.push(path);
        let whole = whole(root, &folder, self.open, context);
        self.open.pop();
        let end = context.sources.borrow().0.len();
        self.compilers.add(first..end, &whole.compilers);
        Some(whole)
    }
}

/// Names of the bodies or frames of a model.
fn named(root: &Element, kind: &str) -> Vec<String> {
    let own = (root.name == kind).then(|| root.text("name")).flatten().map(str::to_owned);
    own.into_iter().chain(root.children.iter().flat_map(|child| named(child, kind))).collect()
}

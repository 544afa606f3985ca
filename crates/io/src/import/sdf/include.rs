//! `<include>`: the model of another file, under a name and at a place of its own.

use std::path::{Path, PathBuf};

use carom_engine::Problem;

use super::super::context::{Context, list_unread};
use super::super::lenient;
use super::super::mesh::locate;
use super::super::xml::{self, Element};
use super::frames::Scope;
use super::left_out::effect;
use super::pose::Stated;
use super::{Placed, Reader, SINGLES, read_version};

/// Most files that are within each other.
const MAX_FILES: usize = 64;

impl Reader<'_> {
    pub(super) fn include(
        &mut self,
        element: &Element,
        scope: &Scope,
        folder: &Path,
        stack: &mut Vec<PathBuf>,
        is_static: bool,
    ) {
        let context = self.context;
        element.mark();
        let text =
            |name: &str| element.child(name).map(|c| c.content.trim().to_owned()).filter(|t| !t.is_empty());
        let flag = element.child("static").and_then(|s| s.content_flag(context));
        let placed = Placed {
            name: text("name"),
            pose: element.child("pose").and_then(|pose| Stated::read(pose, context)),
            placement: element.child("placement_frame").map(|c| (c.content.trim().to_owned(), c.span)),
            is_static: is_static || flag == Some(true),
            merges: element.flag("merge", context) == Some(true),
        };
        let Some(uri) = element.required_child("uri", context) else { return };
        let Some((path, root)) = read_model_file(uri, folder, stack, context) else { return };
        if root.name != "sdf" {
            let problem = Problem::new(
                "E0802",
                "",
                format!("\"{}\" is no SDF: its first element is <{}>", path.display(), root.name),
            )
            .help("models of SDF are included from SDF");
            return context.report(problem, uri.span);
        }
        root.mark();
        let models: Vec<&Element> = root.children.iter().filter(|c| c.name == "model").collect();
        let [model] = models[..] else {
            let problem =
                Problem::new("E0804", "", format!("\"{}\" has {} models", path.display(), models.len()));
            return context.report(problem.expected("one <model>"), uri.span);
        };
        let version = read_version(&root, context);
        let inside = path.parent().unwrap_or(Path::new("")).to_owned();
        stack.push(path);
        self.model(model, scope, placed, version, &inside, stack);
        stack.pop();
        let judge = |element: &Element, attribute: Option<&str>| effect(element, attribute, self.has_wind);
        list_unread(&root, context, &SINGLES, &judge);
    }
}

/// The file that a URI names, or that the folder which it names has for its model.
fn read_model_file(
    uri: &Element,
    folder: &Path,
    stack: &[PathBuf],
    context: &Context<'_>,
) -> Option<(PathBuf, Element)> {
    let name = uri.content.trim();
    let mut path = locate(name, folder, context);
    if path.is_dir() {
        path = path.join(model_of_folder(&path, context));
    }
    if stack.contains(&path) || stack.len() >= MAX_FILES {
        let problem = Problem::new("E0205", "", format!("\"{name}\" includes itself"));
        context.report(problem.help("a model cannot be part of itself"), uri.span);
        return None;
    }
    match lenient::read_text(&path) {
        Ok(text) => {
            context.record_file(&path);
            let inside = path.parent().unwrap_or(Path::new("")).to_owned();
            let file = context.sources.borrow_mut().add(path.display().to_string(), text, &inside);
            Some((path, xml::parse(file, context)?))
        }
        Err(reason) => {
            let message = format!("cannot read the model \"{name}\" ({}): {reason}", path.display());
            let help =
                "models are looked for in the folder of the file and those above it, and in --package-path";
            context.report(Problem::new("E0204", "", message).help(help), uri.span);
            None
        }
    }
}

/// Name of the newest file that the `model.config` of a folder has, else `model.sdf`.
fn model_of_folder(folder: &Path, context: &Context<'_>) -> String {
    let plain = || "model.sdf".to_owned();
    let Ok(text) = lenient::read_text(&folder.join("model.config")) else { return plain() };
    let own = Context::new(context.options, folder);
    let file = own.sources.borrow_mut().add("model.config".to_owned(), text, folder);
    let Some(root) = xml::parse(file, &own) else { return plain() };
    let version = |e: &&Element| {
        let parts = e.text("version").unwrap_or("0").split('.').map(|n| n.parse::<u32>().unwrap_or(0));
        parts.collect::<Vec<_>>()
    };
    root.all("sdf").max_by_key(version).map_or_else(plain, |e| e.content.trim().to_owned())
}

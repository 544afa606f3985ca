//! `<include file="…"/>`: the children of another file's first element take its place.

use std::path::{Path, PathBuf};

use carom_engine::Problem;

use super::super::context::Context;
use super::super::lenient;
use super::super::xml::{self, Element};
use crate::document;

/// Most files of one model.
const MAX_FILES: usize = 256;

/// Puts included files in place. Their names are relative to the model's main file, whose folder is given.
pub(super) fn expand(root: &mut Element, folder: &Path, context: &Context<'_>) {
    let mut files = Vec::new();
    expand_children(root, folder, &mut files, context);
}

fn expand_children(element: &mut Element, folder: &Path, files: &mut Vec<PathBuf>, context: &Context<'_>) {
    let mut children = Vec::with_capacity(element.children.len());
    for mut child in std::mem::take(&mut element.children) {
        if child.name == "include" {
            if let Some(mut included) = read(&child, folder, files, context) {
                expand_children(&mut included, folder, files, context);
                children.append(&mut included.children);
            }
        } else {
            expand_children(&mut child, folder, files, context);
            children.push(child);
        }
    }
    element.children = children;
}

fn read(
    include: &Element,
    folder: &Path,
    files: &mut Vec<PathBuf>,
    context: &Context<'_>,
) -> Option<Element> {
    let name = include.required_text("file", context)?;
    let path = folder.join(name);
    if files.contains(&path) || files.len() >= MAX_FILES {
        let message = format!("\"{name}\" is included twice, or by itself");
        let problem = Problem::new("E0205", "", message).help("MJCF takes each file once");
        context.report(problem, include.place("file"));
        return None;
    }
    match lenient::read_text(&path) {
        Ok(text) => {
            files.push(path.clone());
            context.record_file(&path);
            let file = context.sources.borrow_mut().add(path.display().to_string(), text, &context.folder);
            xml::parse(file, context)
        }
        Err(reason) => {
            let shown = document::shown_folder(folder);
            let message = format!("cannot read included file \"{name}\" (looked in {shown}): {reason}");
            let mut problem = Problem::new("E0204", "", message);
            problem.help = document::near_file(name, folder)
                .or_else(|| Some("names of included files are relative to the main file".to_owned()));
            context.report(problem, include.place("file"));
            None
        }
    }
}

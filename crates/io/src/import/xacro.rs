//! xacro templates, which the program of that name expands where it is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use super::context::Context;
use super::options::Options;
use super::{urdf, xml};
use crate::source::Span;

/// What a template is in, and where; `None` for anything else.
pub(super) fn find(root: &xml::Element) -> Option<(String, Span)> {
    const DIRECTIVES: [&str; 8] =
        ["include", "macro", "property", "arg", "if", "unless", "insert_block", "call"];
    let mut open = vec![root];
    while let Some(element) = open.pop() {
        let directive = element.name.strip_prefix("xacro:");
        if directive.is_some_and(|d| DIRECTIVES.contains(&d)) {
            return Some((format!("<{}>", element.name), element.span));
        }
        let template = element.attributes.iter().find(|a| a.value.contains("${") || a.value.contains("$("));
        // Plug-ins of other programs have their own dollar signs.
        let template = template.filter(|_| !["gazebo", "param", "plugin"].contains(&element.name.as_str()));
        if let Some(attribute) = template {
            return Some(("an expression in ${…}".to_owned(), attribute.span));
        }
        open.extend(element.children.iter().rev().filter(|c| c.name != "gazebo"));
    }
    None
}

/// What the program makes of a file that is a template: the URDF, or why not. `None` if it is none, or the program is not there.
pub(super) fn expand(text: &str, path: &Path, options: &Options) -> Option<Result<String, String>> {
    let program = options.xacro.as_ref()?;
    if !["xacro", "${", "$("].iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let own = Context::new(options, folder);
    let file = own.sources.borrow_mut().add(path.display().to_string(), text, folder);
    let root = xml::parse(file, &own)?;
    if root.name != urdf::ROOT || find(&root).is_none() {
        return None;
    }
    let done = Command::new(program).arg(path).stdin(Stdio::null()).output().ok()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        return Some(Err(last.trim().to_owned()));
    }
    Some(String::from_utf8(done.stdout).map_err(|_| "what it wrote is not UTF-8 text".to_owned()))
}

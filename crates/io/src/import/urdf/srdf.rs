//! SRDF: which links of a robot do not touch each other.

use std::path::Path;

use carom_engine::Problem;

use super::super::context::Context;
use super::super::lenient;
use super::super::robot::Robot;
use super::super::xml;
use crate::source::Span;

/// `disable_collisions` of a file. `span` is where messages about the file itself point to.
pub(super) fn read(path: &Path, robot: &mut Robot, span: Span, context: &Context<'_>) {
    let text = match lenient::read_text(path) {
        Ok(text) => text,
        Err(reason) => {
            let message = format!("cannot read \"{}\", which --srdf names: {reason}", path.display());
            return context.report(Problem::new("E0204", "", message), span);
        }
    };
    context.record_file(path);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let file = context.sources.borrow_mut().add(path.display().to_string(), &text, &folder);
    let Some(root) = xml::parse(file, context) else { return };
    if root.name != "robot" {
        let problem = Problem::new("E0802", "", format!("the first element is <{}>", root.name));
        return context.report(problem.expected("<robot> of an SRDF"), root.span);
    }
    let link = |element: &xml::Element, key: &str| {
        let name = element.required_text(key, context)?;
        let found = robot.links.iter().position(|l| l.name == name);
        if found.is_none() {
            let text = format!("the SRDF names the link \"{name}\", which the robot does not have");
            context.left_out(text, element.place(key));
        }
        found
    };
    let off = root.all("disable_collisions");
    let pairs: Vec<(usize, usize)> =
        off.filter_map(|element| link(element, "link1").zip(link(element, "link2"))).collect();
    context.choice(format!("the SRDF keeps {} pairs of links from touching", pairs.len()), Some(root.span));
    robot.excluded.extend(pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))));
}

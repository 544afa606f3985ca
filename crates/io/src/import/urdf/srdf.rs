//! SRDF: which links of a robot do not touch each other.

use std::path::Path;

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::lenient;
use super::super::options::Base;
use super::super::robot::Robot;
use super::super::xml;
use crate::source::Span;
use crate::suggest;

/// What an SRDF may have.
const KNOWN: [&str; 8] = [
    "disable_collisions",
    "group",
    "group_state",
    "end_effector",
    "virtual_joint",
    "passive_joint",
    "joint_property",
    "link_sphere_approximation",
];

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
            let message = format!("the SRDF names the link \"{name}\", which the robot does not have");
            let mut problem = Problem::new("W0801", "", message);
            problem.help = help_for(name, robot.links.iter().map(|l| l.name.as_str()));
            context.warn_once("link of the SRDF", problem, element.place(key));
        }
        found
    };
    let off = root.all("disable_collisions");
    let pairs: Vec<(usize, usize)> =
        off.filter_map(|element| link(element, "link1").zip(link(element, "link2"))).collect();
    context.choice(format!("the SRDF keeps {} pairs of links from touching", pairs.len()), Some(root.span));
    robot.excluded.extend(pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))));
    root.children.iter().for_each(|element| tell(element, context));
}

/// What is not read, and would move the robot otherwise or may be a slip of the pen.
fn tell(element: &xml::Element, context: &Context<'_>) {
    let name = element.name.as_str();
    let is_fixed = name == "virtual_joint" && element.text("type") == Some("fixed");
    let problem = if is_fixed && context.options.base != Base::Fixed {
        Problem::new(
            "W0801",
            "",
            "the SRDF holds the robot by a fixed <virtual_joint>, which is not taken over",
        )
        .help("--base fixed holds the first link")
    } else if ["disable_default_collisions", "enable_collisions"].contains(&name) {
        Problem::new("W0801", "", format!("<{name}> of the SRDF is not taken over"))
            .help("<disable_collisions> alone says which links do not touch")
    } else if !KNOWN.contains(&name) && suggest::nearest(name, KNOWN).is_some() {
        Problem::new("W0804", "", format!("<{name}> is not known and was passed over"))
            .help("is it a slip of the pen? correct or remove it")
    } else {
        return;
    };
    context.warn_once(name, problem, element.span);
}

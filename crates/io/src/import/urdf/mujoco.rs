//! What MuJoCo reads of a URDF file beside the robot: a `<mujoco>` with its compiler's and its option's settings.

use carom_engine::Problem;

use super::super::context::Context;
use super::super::xml::Element;

/// Gravity of MuJoCo and of this program (m/s²).
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// Warns of settings that would have the robot move otherwise.
pub(super) fn tell(root: &Element, context: &Context<'_>) {
    let sections = root.children.iter().filter(|child| child.name == "mujoco").flat_map(|m| &m.children);
    let mut open: Vec<&Element> = sections.collect();
    while let Some(element) = open.pop() {
        for attribute in &element.attributes {
            if changes_motion(&element.name, &attribute.name, attribute.value.trim()) {
                let what = format!("`{}` of <{}> in <mujoco>", attribute.name, element.name);
                let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
                    .help("MuJoCo alone reads it; an MJCF file has it taken over where it is known here");
                context.warn_once(&what, problem, attribute.span);
            }
        }
        open.extend(&element.children);
    }
}

fn changes_motion(element: &str, attribute: &str, value: &str) -> bool {
    let numbers: Vec<f64> = value.split_whitespace().filter_map(|x| x.parse().ok()).collect();
    let is_stated = numbers.iter().any(|x| *x != 0.0);
    match (element, attribute) {
        ("compiler", "boundmass" | "boundinertia") => is_stated,
        ("compiler", "settotalmass") => numbers.first().is_some_and(|mass| *mass > 0.0),
        ("compiler", "balanceinertia" | "inertiafromgeom") => value == "true",
        ("option", "gravity") => numbers != GRAVITY,
        ("option", "density" | "viscosity") => is_stated,
        ("flag", "gravity" | "contact" | "constraint" | "limit" | "frictionloss" | "damper" | "passive") => {
            value == "disable"
        }
        _ => false,
    }
}

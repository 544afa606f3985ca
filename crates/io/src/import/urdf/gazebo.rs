//! What <gazebo> elements add for Gazebo: friction of links is taken over, other changes of the motion are told.

use carom_engine::Problem;

use super::super::context::Context;
use super::super::robot::Robot;
use super::super::touch::{Combination, Touch};
use super::super::xml::Element;
use super::LinkIndex;

/// Friction of Gazebo's ground plane: of what is rougher the ground decides, as the less of two counts.
const GROUND_MU: f64 = 100.0;

/// What changes how the robot moves, and would have it as it is.
const MOTION: [&str; 13] = [
    "kp",
    "kd",
    "minDepth",
    "maxVel",
    "turnGravityOff",
    "gravity",
    "selfCollide",
    "self_collide",
    "springStiffness",
    "springReference",
    "implicitSpringDamper",
    "kinematic",
    "static",
];

/// Takes over the friction of links, and warns of what else changes the motion.
pub(super) fn read(root: &Element, index: &LinkIndex, robot: &mut Robot, context: &Context<'_>) {
    for element in root.children.iter().filter(|child| child.name == "gazebo") {
        let link =
            element.attributes.iter().find(|a| a.name == "reference").and_then(|a| index.get(&a.value));
        let friction = ["mu1", "mu2"].map(|name| element.children.iter().find(|child| child.name == name));
        match (link, friction) {
            (Some(&link), [Some(along), across]) => {
                if let Some(mu) = coefficient(along, context) {
                    rub(robot, link, mu);
                    if across.is_some_and(|across| coefficient(across, context) != Some(mu)) {
                        warn_of_directions(across.unwrap_or(along), context);
                    }
                }
                if element.children.iter().all(|child| ["mu1", "mu2"].contains(&child.name.as_str())) {
                    element.mark_tree();
                }
            }
            (_, friction) => friction.into_iter().flatten().for_each(|left| warn(left, context)),
        }
        element.children.iter().filter(|child| changes_motion(child)).for_each(|child| warn(child, context));
    }
}

/// Of two surfaces of a robot that states friction the less counts, as in Gazebo.
fn rub(robot: &mut Robot, link: usize, mu: f64) {
    for shape in robot.links.iter_mut().flat_map(|link| &mut link.shapes) {
        shape.touch.combination = Combination::Least;
        if shape.of == link {
            shape.touch = Touch { combination: Combination::Least, ..Touch::plain(mu.min(GROUND_MU)) };
        }
    }
}

/// The number that an element has as its text, or as `value`.
fn coefficient(element: &Element, context: &Context<'_>) -> Option<f64> {
    let mu = match element.text("value") {
        Some(_) => element.number("value", context)?,
        None => element.content_number(context)?,
    };
    if mu < 0.0 {
        let problem = Problem::new("E0805", "", format!("friction must not be negative, got {mu}"));
        context.report(problem.expected("0 or more"), element.span);
    }
    (mu >= 0.0).then_some(mu)
}

fn warn_of_directions(across: &Element, context: &Context<'_>) {
    let what = "friction of a link that differs by direction";
    let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
        .help("<mu1> counts in all directions, <mu2> in none");
    context.warn_once(what, problem, across.span);
}

fn changes_motion(child: &Element) -> bool {
    let value = child.content.trim();
    let is_as_ever = if child.name == "gravity" {
        ["1", "true"].contains(&value)
    } else {
        ["0", "false", "False"].contains(&value)
    };
    MOTION.contains(&child.name.as_str()) && !is_as_ever
}

fn warn(child: &Element, context: &Context<'_>) {
    let message = format!("<{}> of <gazebo> is not taken over", child.name);
    let problem = Problem::new("W0801", "", message)
        .help("Gazebo alone reads it; state what it means in the model file that `carom convert` writes");
    context.warn_once(&child.name, problem, child.span);
}

//! What <gazebo> elements add for Gazebo: friction of links is taken over, other changes of the motion are told.

use std::collections::BTreeMap;

use carom_engine::Problem;

use super::super::context::{Context, Effect};
use super::super::plugin;
use super::super::robot::Robot;
use super::super::touch::{Combination, Touch};
use super::super::xml::{Element, number_of};
use super::LinkIndex;

/// Friction of Gazebo's ground plane: of what is rougher the ground decides, as the less of two counts.
const GROUND_MU: f64 = 100.0;
/// Gazebo's friction in a direction that has none stated.
const UNSTATED_MU: f64 = 1.0;

/// What changes how the robot moves, and would have it as it is.
const MOTION: [&str; 21] = [
    "kp",
    "kd",
    "dampingFactor",
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
    "velocity_decay",
    "velocityDecay",
    // Parts of a mechanism that SDF has, such as a joint that closes a loop.
    "joint",
    "link",
    "model",
    "include",
    "gripper",
];

/// Takes over the friction of links, and warns of what else changes the motion.
pub(super) fn read(root: &Element, index: &LinkIndex, robot: &mut Robot, context: &Context<'_>) {
    let mut by_link: BTreeMap<usize, Vec<&Element>> = BTreeMap::new();
    for block in root.children.iter().filter(|child| child.name == "gazebo") {
        let reference = block.attributes.iter().find(|a| a.name == "reference");
        match reference.and_then(|a| index.get(&a.value)) {
            Some(&link) => by_link.entry(link).or_default().push(block),
            None => block.children.iter().filter(is_coefficient).for_each(|left| warn(left, context)),
        }
        block.children.iter().filter(|child| changes_motion(child)).for_each(|child| warn(child, context));
        warn_of_surfaces(block, false, context);
    }
    for (link, blocks) in by_link {
        take_friction(link, &blocks, robot, context);
    }
}

/// All blocks of a link count together, and the last of what several state, as in Gazebo.
fn take_friction(link: usize, blocks: &[&Element], robot: &mut Robot, context: &Context<'_>) {
    let all = |name| blocks.iter().flat_map(|block| &block.children).filter(move |child| child.name == name);
    let last = |name| all(name).filter_map(|stated| Some((stated, coefficient(stated, context)?))).last();
    let Some((along, mu)) = last("mu1") else {
        return all("mu2").for_each(|left| warn(left, context));
    };
    rub(robot, link, mu);
    let across = if all("mu2").next().is_some() { last("mu2") } else { Some((along, UNSTATED_MU)) };
    if let Some((place, _)) = across.filter(|(_, across)| *across != mu) {
        warn_of_directions(place, context);
    }
    let are_whole = |block: &&&Element| block.children.iter().all(|child| is_coefficient(&child));
    blocks.iter().filter(are_whole).for_each(|block| block.mark_tree());
}

fn is_coefficient(child: &&Element) -> bool {
    ["mu1", "mu2"].contains(&child.name.as_str())
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

/// The number that an element has as its text, or as `value`. What is none is left out, as the motion does not need it.
fn coefficient(element: &Element, context: &Context<'_>) -> Option<f64> {
    let mu = match number_of(element.text("value").unwrap_or(&element.content)) {
        Ok(mu) => mu,
        Err((found, expected)) => {
            let message = format!("<{}> of <gazebo> is not taken over: it has {found}", element.name);
            let key = format!("<{}> that is no number", element.name);
            context.warn_once(&key, Problem::new("W0801", "", message).expected(expected), element.span);
            return None;
        }
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
        .help("<mu1> counts in all directions, <mu2>, which is 1 in Gazebo where there is none, in none");
    context.warn_once(what, problem, across.span);
}

/// Friction that Gazebo is told deeper within, of the surface of a collision.
fn warn_of_surfaces(element: &Element, is_in_surface: bool, context: &Context<'_>) {
    for child in &element.children {
        if is_in_surface && ["mu", "mu1", "mu2"].contains(&child.name.as_str()) {
            warn(child, context);
        }
        warn_of_surfaces(child, is_in_surface || child.name == "surface", context);
    }
}

fn changes_motion(child: &Element) -> bool {
    if child.name == "plugin" {
        return plugin::effect(child) == Effect::Motion;
    }
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

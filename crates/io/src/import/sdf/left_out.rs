//! What of SDF has no effect on the motion, so that leaving it out is only worth a note.

use super::super::context::Effect;
use super::super::plugin;
use super::super::xml::Element;
use crate::suggest;

/// What SDF files have beside the mechanism.
const WITHOUT_EFFECT: [&str; 29] = [
    "visual",
    "light",
    "scene",
    "gui",
    "sensor",
    "physics",
    "material",
    "audio",
    "audio_source",
    "audio_sink",
    "projector",
    "particle_emitter",
    "spherical_coordinates",
    "allow_auto_disable",
    "road",
    "magnetic_field",
    "must_be_base_link",
    "battery",
    "laser_retro",
    "max_contacts",
    "enable_wind",
    "atmosphere",
    "wind",
    "actor",
    "drake:accepting_renderer",
    "drake:diffuse_map",
    "drake:illustration_properties",
    "drake:perception_properties",
    "drake:visual",
];

/// Names that a misspelt element or attribute could mean.
const KNOWN: [&str; 37] = [
    "model",
    "link",
    "joint",
    "frame",
    "include",
    "pose",
    "static",
    "inertial",
    "mass",
    "inertia",
    "collision",
    "geometry",
    "box",
    "sphere",
    "cylinder",
    "capsule",
    "ellipsoid",
    "plane",
    "mesh",
    "size",
    "radius",
    "length",
    "uri",
    "scale",
    "parent",
    "child",
    "axis",
    "axis2",
    "xyz",
    "limit",
    "dynamics",
    "lower",
    "upper",
    "damping",
    "friction",
    "spring_stiffness",
    "spring_reference",
];

/// Does an element state no more than what holds without it, as the files do that Gazebo saves?
fn is_plain(element: &Element) -> bool {
    let value = || element.content.trim().parse::<f64>().ok();
    let is_default = match element.name.as_str() {
        "stiffness" => value() == Some(1e8),
        "dissipation" => value() == Some(1.0),
        "linear" | "angular" | "slip1" | "slip2" | "restitution_coefficient" => value() == Some(0.0),
        "contact" | "ode" | "bullet" | "bounce" | "torsional" | "friction" | "surface" | "velocity_decay" => {
            element.content.trim().is_empty()
        }
        _ => false,
    };
    is_default && element.children.iter().all(is_plain)
}

/// Gravity of old versions, suspensions and motors of joints.
fn moves_things(physics: &Element) -> bool {
    let is_number = |part: &Element| part.content.trim().parse::<f64>().is_ok_and(|x| x != 0.0);
    physics.children.iter().any(|part| match part.name.as_str() {
        "gravity" => true,
        "ode" => part.children.iter().any(|own| match own.name.as_str() {
            "suspension" => own.children.iter().any(is_number),
            "max_force" => is_number(own),
            _ => false,
        }),
        _ => false,
    })
}

pub(super) fn effect(element: &Element, attribute: Option<&str>, has_wind: bool) -> Effect {
    if let Some(attribute) = attribute {
        let foreign = attribute.starts_with("xmlns") || attribute.contains(':');
        let is_own = attribute == "frame" && element.text("frame") == Some("");
        let known = is_own
            || ["name", "type", "version", "degrees", "rotation_format", "relative_to"].contains(&attribute);
        return if foreign || known { Effect::None } else { Effect::Unknown };
    }
    let name = element.name.as_str();
    if name == "plugin" {
        return plugin::effect(element);
    }
    let is_on = ["1", "true", "True"].contains(&element.content.trim());
    if name == "physics" && moves_things(element) || name == "enable_wind" && has_wind && is_on {
        return Effect::Motion;
    }
    if WITHOUT_EFFECT.contains(&name) {
        return Effect::None;
    }
    if is_plain(element) {
        return Effect::None;
    }
    // Switches that are off change nothing.
    let is_off = ["0", "false", "False"].contains(&element.content.trim());
    if ["self_collide", "kinematic", "velocity_decay"].contains(&name) && is_off
        || name == "gravity" && ["1", "true"].contains(&element.content.trim())
    {
        return Effect::None;
    }
    if ["velocity", "effort", "provide_feedback"].contains(&name) {
        return Effect::None;
    }
    if name.starts_with("drake:") {
        return Effect::Motion;
    }
    if [
        "self_collide",
        "kinematic",
        "velocity_decay",
        "gravity",
        "surface",
        "friction",
        "contact",
        "torsional",
        "bullet",
        "ode",
        "physics",
        "fluid_added_mass",
        "slip1",
        "slip2",
        "mu2",
        "fdir1",
        "soft_contact",
        "bounce",
        "stiffness",
        "dissipation",
        "initial_position",
        "state",
        // Holds what it has between its links for a while; copies of a model in places that the program draws.
        "gripper",
        "population",
    ]
    .contains(&name)
    {
        return Effect::Motion;
    }
    let is_foreign = name.contains(':') || name.contains('_') && suggest::nearest(name, KNOWN).is_none();
    if is_foreign || suggest::nearest(name, KNOWN).is_none() { Effect::None } else { Effect::Unknown }
}

/// Is this a wind, which pushes links that enable it?
pub(super) fn blows(element: &Element) -> bool {
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(|x| x != 0.0);
    let speeds = element.children.iter().filter(|child| child.name == "linear_velocity");
    element.name == "wind" && speeds.flat_map(|speed| speed.content.split_whitespace()).any(is_number)
}

//! What of MJCF has no effect on the motion, so that leaving it out is only worth a note.

use super::super::context::Effect;
use super::super::xml::Element;

/// Drawing, measuring, names, the numerics of MuJoCo.
const ELEMENTS: [&str; 16] = [
    "visual",
    "statistic",
    "camera",
    "light",
    "site",
    "sensor",
    "custom",
    "size",
    "skin",
    "texture",
    "material",
    "layer",
    "mesh",
    "hfield",
    "numeric",
    "text",
];

/// Elements whose attributes only steer MuJoCo's numerics.
const NUMERICS: [&str; 31] = [
    "timestep",
    "apirate",
    "integrator",
    "cone",
    "jacobian",
    "solver",
    "iterations",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "mpr_iterations",
    "mpr_tolerance",
    "ccd_iterations",
    "ccd_tolerance",
    "sdf_iterations",
    "sdf_initpoints",
    "impratio",
    "warmstart",
    "sleep_tolerance",
    "nativeccd",
    "multiccd",
    "eulerdamp",
    "energy",
    "fwdinv",
    "invdiscrete",
    "midphase",
    "refsafe",
    "autoreset",
    "island",
];

const ATTRIBUTES: [&str; 23] = [
    "name",
    "class",
    "childclass",
    "rgba",
    "material",
    "group",
    "user",
    "texturedir",
    "discardvisual",
    "fusestatic",
    "usethread",
    "convexhull",
    "mode",
    "normal",
    "texcoord",
    "facenormal",
    "facetexcoord",
    "smoothnormal",
    "maxhullvert",
    "comment",
    "content_type",
    "width",
    // Bodies that only programs move.
    "mocap",
];

pub(super) fn effect(element: &Element, attribute: Option<&str>) -> Effect {
    let is_harmless = match attribute {
        None => ELEMENTS.contains(&element.name.as_str()),
        Some(name) => ATTRIBUTES.contains(&name) || NUMERICS.contains(&name) || name.starts_with("xmlns"),
    };
    // A medium that is none.
    let is_none = |name: &str| {
        let value = element.attributes.iter().find(|a| a.name == name).map_or("", |a| &a.value);
        value.split_whitespace().all(|x| x.parse() == Ok(0.0))
    };
    let is_empty =
        attribute.is_some_and(|name| ["density", "viscosity", "wind"].contains(&name) && is_none(name));
    if is_harmless || is_empty && element.name == "option" { Effect::None } else { Effect::Motion }
}

//! What of MJCF has no effect on the motion, so that leaving it out is only worth a note.

use super::super::context::Effect;
use super::super::xml::Element;

/// Drawing, measuring, names, the numerics of MuJoCo.
const ELEMENTS: [&str; 17] = [
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
    // How MuJoCo finds the lengths that muscles reach, which are told themselves.
    "lengthrange",
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

const ATTRIBUTES: [&str; 38] = [
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
    "sensor",
    "magnetic",
    // What of a model is saved, and what is told of those that are attached.
    "saveinertial",
    "savecanonical",
    "savecompiled",
    "conflict",
    "castshadow",
    // How MuJoCo computes with bodies that do not move, or have their mass at their origin.
    "fuse",
    "simple",
    // What holds where the flag `override` is set.
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
    // Of shapes that `fluidshape` puts into a fluid.
    "fluidcoef",
    // Of a control that `delay` delays.
    "interp",
    // Bodies that only programs move.
    "mocap",
];

/// Attributes with what holds where they are not stated: where they say that, as what MuJoCo saves does, they change nothing. A shorter list
/// of numbers leaves the others as they are.
const DEFAULTS: [(&str, &[&str]); 36] = [
    ("actdim", &["-1"]),
    ("actuatorfrclimited", &["auto", "false"]),
    ("actuatorfrcrange", &["0 0"]),
    ("actuatorgravcomp", &["false"]),
    ("actuatorgroupdisable", &[""]),
    ("adhesion", &["0"]),
    ("align", &["auto", "false"]),
    ("alignfree", &["false"]),
    ("armature", &["0"]),
    ("builtin", &["none"]),
    ("cranklength", &["0"]),
    ("damping", &["0 0 0"]),
    ("delay", &["0"]),
    ("density", &["0"]),
    ("diagexact", &["disable"]),
    ("ffrange", &["0 0"]),
    ("filterparent", &["enable"]),
    ("fluidshape", &["none"]),
    ("ipc", &["disable"]),
    ("margin", &["0"]),
    ("nsample", &["0"]),
    ("override", &["disable"]),
    ("passthrough", &["none"]),
    ("shellinertia", &["false"]),
    ("sleep", &["disable"]),
    ("solimp", &["0.9 0.95 0.001 0.5 2"]),
    ("solimpfriction", &["0.9 0.95 0.001 0.5 2"]),
    ("solref", &["0.02 1"]),
    ("solreffriction", &["0.02 1", "0 0"]),
    ("speculative", &["disable"]),
    ("springyield", &["0"]),
    ("surfacevel", &["0 0 0 0 0 0"]),
    ("torquescale", &["1"]),
    ("velrange", &["0 0"]),
    ("viscosity", &["0"]),
    ("wind", &["0 0 0"]),
];

/// Does an attribute say what holds without it?
fn is_default(name: &str, value: &str) -> bool {
    let is_same = |(a, b): (&str, &str)| a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a));
    let says = |default: &&str| {
        let (stated, default) = (value.split_whitespace(), default.split_whitespace());
        stated.clone().count() <= default.clone().count() && stated.zip(default).all(is_same)
    };
    DEFAULTS.iter().any(|(known, defaults)| *known == name && defaults.iter().any(says))
}

/// Does anything of the file have an attribute that is not 0?
fn states(root: &Element, name: &str) -> bool {
    let is_stated = |value: &str| value.split_whitespace().any(|x| x.parse::<f64>().is_ok_and(|x| x != 0.0));
    root.attributes.iter().any(|a| a.name == name && is_stated(&a.value))
        || root.children.iter().any(|child| states(child, name))
}

/// Attributes that do nothing where none of others is stated: how friction of joints gives, what blows without a medium.
const OF_OTHERS: [(&str, &[&str]); 3] = [
    ("solreffriction", &["frictionloss"]),
    ("solimpfriction", &["frictionloss"]),
    ("wind", &["density", "viscosity"]),
];

/// Judges what is left out of a file. Densities of shapes are no medium.
pub(super) fn judge(root: &Element) -> impl Fn(&Element, Option<&str>) -> Effect {
    let options = || root.children.iter().filter(|child| child.name == "option");
    let is_stated = |others: &&[&str]| {
        others.iter().any(|other| match *other {
            "frictionloss" => states(root, other),
            medium => options().any(|option| states(option, medium)),
        })
    };
    let idle: Vec<&str> =
        OF_OTHERS.iter().filter(|(_, others)| !is_stated(others)).map(|(name, _)| *name).collect();
    move |element, attribute| {
        let is_idle = attribute.is_some_and(|name| idle.contains(&name)) && element.name != "pair";
        if is_idle { Effect::None } else { effect(element, attribute) }
    }
}

fn effect(element: &Element, attribute: Option<&str>) -> Effect {
    let is_harmless = match attribute {
        // Flexible bodies have a section with skins.
        None if element.name == "deformable" => element.children.iter().all(|child| child.name == "skin"),
        None => ELEMENTS.contains(&element.name.as_str()),
        // Whether bodies may sleep is one flag's matter.
        Some("sleep") if element.name == "body" => true,
        Some(name) => {
            let value = element.attributes.iter().find(|a| a.name == name).map_or("", |a| &a.value);
            let is_known = ATTRIBUTES.contains(&name) || NUMERICS.contains(&name);
            is_known || name.starts_with("xmlns") || is_default(name, value)
        }
    };
    if is_harmless { Effect::None } else { Effect::Motion }
}

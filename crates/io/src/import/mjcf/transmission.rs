//! What actuators act along: coordinates of joints, turns of balls, fixed tendons.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::Term;
use super::super::xml::Element;
use super::body::Sites;
use super::defaults::View;
use super::tendon::FixedTendon;
use super::{FileJoint, FileKind};

/// What actuators act along.
pub(super) struct Transmissions<'a> {
    pub(super) joints: &'a [FileJoint],
    pub(super) tendons: &'a [FixedTendon],
    pub(super) sites: &'a Sites,
}

/// What an actuator acts along.
pub(super) struct Transmission<'e> {
    pub(super) name: &'e str,
    /// With the gear in their factors.
    pub(super) terms: Vec<Term>,
    /// MuJoCo's length where our coordinates are zero, and the range of that length.
    pub(super) reference: f64,
    pub(super) range: Option<[f64; 2]>,
    /// Range of the effort before the gear, where what it acts along has one.
    pub(super) effort: Option<[f64; 2]>,
}

/// The gear: of a scalar coordinate its first number, of a ball three, of a site or a free joint all six.
pub(super) fn gear_of(view: &View<'_>, context: &Context<'_>) -> [f64; 6] {
    let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let stated = view.list("gear", context).unwrap_or_default();
    gear.iter_mut().zip(stated).for_each(|(to, from)| *to = from);
    gear
}

/// What an actuator acts along; `None` where that is told.
pub(super) fn transmission<'e>(
    own: &'e Element,
    gear: &[f64; 6],
    transmissions: &Transmissions<'_>,
    context: &Context<'_>,
) -> Option<Transmission<'e>> {
    if let Some(name) = own.text("tendon") {
        let Some(tendon) = transmissions.tendons.iter().find(|t| t.name == name) else {
            let known = transmissions.tendons.iter().map(|t| t.name.as_str());
            tell_unknown(own, "tendon", help_for(name, known), context);
            return None;
        };
        let Some((terms, reference)) = &tendon.along else {
            warn(&format!("a <{}> on a tendon that is not taken over", own.name), own, context);
            return None;
        };
        let terms = terms.iter().map(|term| Term { factor: gear[0] * term.factor, ..*term }).collect();
        let (range, effort) = (tendon.range, tendon.effort);
        return Some(Transmission { name, terms, reference: *reference, range, effort });
    }
    let key = if has(own, "joint") { "joint" } else { "jointinparent" };
    let name = own.text(key).unwrap_or("");
    let Some(joint) = transmissions.joints.iter().find(|j| j.name == name) else {
        let known = transmissions.joints.iter().map(|j| j.name.as_str());
        tell_unknown(own, key, help_for(name, known), context);
        return None;
    };
    let terms = match (joint.coordinate, joint.kind) {
        // Of a scalar coordinate it makes no difference in whose axes it is.
        (Some((number, axis)), _) => vec![Term { joint: number, axis, factor: gear[0] }],
        (None, FileKind::Ball) if key == "joint" => {
            let turns = gear[..3].iter().enumerate();
            turns.map(|(axis, &factor)| Term { joint: joint.joint, axis, factor }).collect()
        }
        (None, FileKind::Ball) => {
            warn(&format!("a <{}> on a ball joint in the axes of its parent", own.name), own, context);
            return None;
        }
        // Forces of free joints are read before anything comes here (`thrust.rs`).
        (None, FileKind::Free | FileKind::Single) => {
            warn(&format!("a <{}> on a joint without a coordinate", own.name), own, context);
            return None;
        }
    };
    let (reference, range) = (joint.reference, joint.range);
    Some(Transmission { name, terms, reference, range, effort: None })
}

/// What an actuator names must be there.
pub(super) fn tell_unknown(own: &Element, key: &str, help: Option<String>, context: &Context<'_>) {
    let name = own.text(key).unwrap_or("");
    let message = format!("{} acts on the {key} \"{name}\", which is not there", own.title());
    let mut problem = Problem::new("E0807", "", message);
    problem.help = help;
    context.report(problem, own.place(key));
}

pub(super) fn has(element: &Element, key: &str) -> bool {
    element.attributes.iter().any(|a| a.name == key)
}

pub(super) fn warn(what: &str, element: &Element, context: &Context<'_>) {
    let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
        .help("add a force or a motor to the model file");
    context.warn_once(what, problem, element.span);
}

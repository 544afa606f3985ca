//! Links whose mass is in a point or on a line, as many files have them: inertias of zero, or of zero about one axis.

use std::collections::BTreeSet;

use carom_engine::Problem;
use carom_geometry::mass::check_inertia;
use carom_math::Mat3;

use super::context::Context;
use super::effective_inertia::{Inertia, carriers_of};
use super::mass::{spread_at_least, total};
use super::robot::{Held, Joint, JointKind, Link, Part, Robot, WORLD};
use crate::finding::Finding;

/// Mean distance of mass from each principal plane that such links get (m), or a millionth of the radius of gyration if that is more:
/// the mass matrix has no other ten digits by it.
const THICKNESS: f64 = 2e-7;
/// Second moments of mass below this share of the greatest, or below those of [`THICKNESS`], are rounding.
const ROUNDING: f64 = 1e-12;
/// What turns and feels less than this many times the inertia that is of the thickness alone feels nothing else: with masses half a
/// hundredth of a millimetre from the axis, files mean to have them on it.
const LOOSE: f64 = 1e3;

/// A link that has a thickness now.
pub(super) struct Thickened {
    link: usize,
    /// What the thickness is to turning (kg m²).
    inertia: f64,
}

/// Gives mass points and thin rods the thickness that a rigid body has. Whatever else no rigid body has is left to
/// [`super::mass::check`].
pub(super) fn thicken(robot: &mut Robot) -> Vec<Thickened> {
    // MuJoCo and the readers of SDF refuse them; those of URDF take them as they are.
    if robot.format != "URDF" {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (k, link) in robot.links.iter_mut().enumerate() {
        if matches!(link.held, Held::Free | Held::Joint) && is_thin(link) {
            link.parts.iter_mut().for_each(thicken_part);
            all.push(Thickened {
                link: k,
                inertia: link.parts.iter().map(|part| 2.0 * rounding_of(part)).sum(),
            });
        }
    }
    all
}

/// Says which links have a thickness, once the tree is what the model has; refuses those that turn on a joint, or free, where nothing
/// but the thickness resists. A damper does: what is on its axis then turns as fast as that lets it.
pub(super) fn check(robot: &Robot, thickened: &[Thickened], context: &Context<'_>) {
    if thickened.is_empty() {
        return;
    }
    let whole = with_free_joints(robot);
    let inertia = Inertia::of(&whole);
    let mut told = BTreeSet::new();
    for Thickened { link, inertia: own } in thickened {
        let (name, span) = (&robot.links[*link].name, robot.links[*link].parts[0].span);
        let of = format!("inertia of \"{name}\" is that of a point or a thin rod, and");
        let is_loose = |joint: &usize| {
            let is_damped = |axis: usize| whole.joints[*joint].axes[axis].damping > 0.0;
            let mut turns = inertia.felt_by_turns(*joint).filter(|(axis, _)| !axis.is_some_and(is_damped));
            turns.any(|(_, felt)| felt < LOOSE * own)
        };
        let Some(joint) = carriers_of(&whole, *link).into_iter().find(is_loose) else {
            let problem = Problem::new("W0803", "", format!("{of} taken so"))
                .help("Pinocchio takes it likewise, MuJoCo and Gazebo refuse it: state what the link has, or import with --inertia repair");
            context.warn_once("mass points", problem, span);
            continue;
        };
        if !told.insert(joint) {
            continue;
        }
        let held_by = robot.joints.get(joint);
        let where_it_turns = held_by.map_or_else(
            || "where it is free, nothing resists its turning".to_owned(),
            |joint| format!("nothing resists turning on the {} joint \"{}\"", joint.kind.name(), joint.name),
        );
        let problem = Problem::new("E0312", "", format!("{of} {where_it_turns}"))
            .expected("mass or inertia off each axis that it turns about")
            .help("state the inertia that the link has, or import with --inertia repair, which gives it a millimetre");
        let finding = Finding::at(problem, span);
        context.findings.push(match held_by {
            Some(joint) => finding.related(joint.span, "its joint"),
            None => finding,
        });
    }
}

/// The robot with a joint for each link that is free, after all others.
fn with_free_joints(robot: &Robot) -> Robot {
    let mut whole = robot.clone();
    whole.update_poses();
    for (k, link) in whole.links.iter().enumerate().filter(|(_, link)| link.held == Held::Free) {
        let bare = Joint::bare(link.name.clone(), link.span, JointKind::Free, [WORLD, k]);
        whole.joints.push(Joint { frame_a: link.pose, ..bare });
    }
    whole
}

/// Has the link mass, an inertia that is none of a rigid body, and nothing in it beyond points and rods?
fn is_thin(link: &Link) -> bool {
    link.has_mass()
        && check_inertia(&total(link).inertia).is_err()
        && link.parts.iter().all(|part| least_spread(&part.solid.inertia) >= -rounding_of(part))
}

/// Least of the second moments of mass along the principal axes (kg m²).
fn least_spread(inertia: &Mat3) -> f64 {
    let moments = inertia.symmetric_eigenvalues();
    0.5 * moments.sum() - moments.max()
}

fn rounding_of(part: &Part) -> f64 {
    (part.solid.mass * THICKNESS * THICKNESS).max(ROUNDING * part.solid.inertia.amax())
}

fn thicken_part(part: &mut Part) {
    part.solid.inertia = spread_at_least(&part.solid.inertia, rounding_of(part));
}

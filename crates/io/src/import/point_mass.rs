//! Links whose mass is in a point or on a line, as many files have them: inertias of zero, or of zero about one axis.

use carom_engine::Problem;
use carom_geometry::mass::check_inertia;
use carom_math::Mat3;

use super::context::Context;
use super::mass::{spread_at_least, total};
use super::robot::{Held, Link, Part, Robot};

/// Mean distance of mass from each principal plane that such links get (m): the mass matrix has no other ten digits by it.
const THICKNESS: f64 = 2e-7;
/// Second moments of mass below this share of the greatest, or below those of [`THICKNESS`], are rounding.
const ROUNDING: f64 = 1e-12;

/// Gives mass points and thin rods that others carry, or that carry others, the thickness that a rigid body has. Whatever else no
/// rigid body has is left to [`super::mass::check`], and so are they where nothing says how they turn.
pub(super) fn thicken(robot: &mut Robot, context: &Context<'_>) {
    // MuJoCo and the readers of SDF refuse them; those of URDF take them as they are.
    if robot.format != "URDF" {
        return;
    }
    for k in 0..robot.links.len() {
        let turns_with_others = match robot.links[k].held {
            Held::Joint => true,
            Held::Free => robot.joints.iter().any(|joint| joint.a == k),
            Held::Fixed | Held::Merged => false,
        };
        let link = &mut robot.links[k];
        if turns_with_others && is_thin(link) {
            link.parts.iter_mut().for_each(thicken_part);
            let message =
                format!("inertia of \"{}\" is that of a point or a thin rod, and taken so", link.name);
            let problem = Problem::new("W0803", "", message)
                .help("Pinocchio takes it likewise, MuJoCo and Gazebo refuse it: state what the link has, or import with --inertia repair");
            context.warn_once("mass points", problem, link.parts[0].span);
        }
    }
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

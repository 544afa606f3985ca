//! `gravcomp`: forces that bear bodies' weights, or shares of them.

use super::super::context::Context;
use super::super::load::Load;
use super::super::mass::total;
use super::super::robot::Robot;

/// Each link of the file with the share of its weight that is borne, by forces at its centre of mass. What other links that become
/// part of it weigh is theirs.
pub(super) fn apply(robot: &mut Robot, shares: &[(usize, f64)], context: &Context<'_>) {
    for &(link, share) in shares {
        let own = &robot.links[link];
        let solid = total(own);
        let force = -share * solid.mass * robot.gravity;
        if force.amax() > 0.0 {
            let text =
                "`gravcomp` is a constant force at the centre of mass, whose work is that of the outside";
            context.choice(text, Some(own.span));
            let (name, span) = (format!("{}_gravcomp", own.name), own.span);
            robot.loads.push(Load::constant(name, span, (link, solid.com), force));
        }
    }
}

//! Forces that bear bodies' weights, or shares of them.

use super::context::Context;
use super::load::Load;
use super::mass::total;
use super::robot::Robot;

/// Each link of the file with the share of its weight that is borne, by forces at its centre of mass. What other links that become
/// part of it weigh is theirs. `key` is how the file says it.
pub(super) fn apply(robot: &mut Robot, shares: &[(usize, f64)], key: &str, context: &Context<'_>) {
    for &(link, share) in shares {
        let own = &robot.links[link];
        let solid = total(own);
        let force = -share * solid.mass * robot.gravity;
        if force.amax() > 0.0 {
            let text = format!(
                "`{key}` is a constant force at the centre of mass, whose work is that of the outside"
            );
            context.choice(text, Some(own.span));
            let (name, span) = (format!("{}_{key}", own.name), own.span);
            robot.loads.push(Load::constant(name, span, (link, solid.com), force));
        }
    }
}

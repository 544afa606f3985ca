//! Margins of MJCF: a surface pushes from that far away, so that its shape is greater by it on every side.

use std::collections::BTreeSet;

use carom_engine::Problem;

use super::context::Context;
use super::link_contacts::{self, Pairs};
use super::robot::Robot;
use super::scene::{Floor, FloorContact, height_over};

/// Surfaces that are named.
const NAMED: usize = 3;

/// Gives up the margins of surfaces that are within them at the start, as on the floor that a robot is shown on: by the laws of an
/// import they would throw it up, where MuJoCo's contacts lift it slowly.
pub(super) fn give_up(
    robot: &mut Robot,
    floors: &[Floor],
    contacts: &[FloorContact],
    pairs: &mut Pairs,
    context: &Context<'_>,
) {
    let margin = |robot: &Robot, (link, shape): (usize, usize)| robot.links[link].shapes[shape].margin;
    if robot.links.iter().flat_map(|link| &link.shapes).all(|shape| shape.margin == 0.0) {
        return;
    }
    let mut within: BTreeSet<(usize, usize)> = BTreeSet::new();
    for contact in contacts {
        let Some(plane) = floors[contact.floor].shape else { continue };
        let other = (contact.link, contact.shape);
        let reach = margin(robot, plane) + margin(robot, other);
        // What rests within margins, as deep as it sinks by its weight, keeps them.
        if height_over(robot, plane, other).is_some_and(|height| height < reach - contact.grip.sag) {
            within.extend([plane, other]);
        }
    }
    within.extend(link_contacts::within_margins(robot, pairs));
    within.retain(|&surface| margin(robot, surface) > 0.0);
    let Some(&(link, _)) = within.first() else { return };
    let name = |&(link, shape): &(usize, usize)| format!("\"{}\"", robot.links[link].shapes[shape].name);
    let named: Vec<String> = within.iter().take(NAMED).map(name).collect();
    let rest = match within.len() - named.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let (what, them) =
        if within.len() == 1 { ("the margin of {} is", "it") } else { ("the margins of {} are", "them") };
    let what = what.replace("{}", &(named.join(", ") + &rest));
    let message = format!("{what} not taken over: something is within {them} at the start");
    let help = "without its margin a surface pushes from where it is; another start (--keyframe) may keep it";
    context.report(Problem::new("W0801", "", message).help(help), robot.links[link].span);
    for (link, shape) in within {
        robot.links[link].shapes[shape].margin = 0.0;
    }
}

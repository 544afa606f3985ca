//! Margins of MJCF: a surface pushes from that far away, so that its shape is greater by it on every side.

use std::collections::BTreeSet;

use carom_engine::Problem;

use super::context::Context;
use super::link_contacts;
use super::robot::Robot;
use super::scene::{Floor, FloorContact, height_over};

/// Gives up the margins of surfaces that are within them at the start, as on the floor that a robot is shown on: by the laws of an
/// import they would throw it up, where MuJoCo's contacts lift it slowly.
pub(super) fn give_up(robot: &mut Robot, floors: &[Floor], contacts: &[FloorContact], context: &Context<'_>) {
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
    within.extend(link_contacts::within_margins(robot, context));
    within.retain(|&surface| margin(robot, surface) > 0.0);
    let Some(&(link, shape)) = within.first() else { return };
    let message = format!(
        "margins of {} surfaces are not taken over, as something is within them at the start: \"{}\"{}",
        within.len(),
        robot.links[link].shapes[shape].name,
        if within.len() > 1 { " and others" } else { "" }
    );
    let help = "they touch where surfaces meet; another start (--keyframe) may keep their margins";
    context.report(Problem::new("W0801", "", message).help(help), robot.links[link].span);
    for (link, shape) in within {
        robot.links[link].shapes[shape].margin = 0.0;
    }
}

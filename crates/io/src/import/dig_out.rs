//! Free things that the file shows in a floor, or in something else that is fixed: they start outside, where a short way leads out.

use carom_engine::Problem;
use carom_math::Vec3;

use super::context::Context;
use super::link_contacts::Pairs;
use super::robot::{Held, Robot};
use super::scene::{Floor, FloorContact, first_links};
use super::thing::{Meeting, find_things};
use crate::source::Span;

/// Things that are named.
const NAMED: usize = 3;

/// Moves free things out of what is fixed and they are in by more than the law of the contact gives under their weight: a floor would throw
/// them up from there, and contact with anything else would be left out, so that they fell through the table that they lie in. Only
/// what can be moved as one is, along the normals of what it is in; the rest stays. Both are told. The floor that an import adds is
/// laid afterwards: nothing is in it.
pub(super) fn dig_out(
    robot: &mut Robot,
    floors: &[Floor],
    contacts: &[FloorContact],
    pairs: &mut Pairs,
    context: &Context<'_>,
) {
    let firsts = first_links(robot);
    let (mut moved, mut stay) = (Told::default(), Told::default());
    for thing in find_things(robot, &firsts, floors, contacts, pairs) {
        let Held::Free = robot.links[thing.root].held else {
            // Of other overlaps it is told where their contact is left out.
            if let Some(overlap) = thing.deepest(robot, pairs, Meeting::is_floor) {
                stay.add(robot, thing.root, &overlap.describe("joints hold it"));
            }
            continue;
        };
        let Some(overlap) = thing.deepest(robot, pairs, Meeting::is_fixed) else { continue };
        let mut fault = None;
        if thing.is_tied(robot, &firsts) {
            fault = Some("it is tied to something else".to_owned());
        } else {
            let mut way = thing.leave(robot, pairs, Meeting::is_fixed);
            if let Err(why) = way {
                // Contact with what it cannot leave is left out, but a floor would throw it up all the same.
                way = thing.leave(robot, pairs, Meeting::is_floor);
                fault = Some(way.as_ref().err().cloned().unwrap_or(why));
            }
            if let Some(way) = way.ok().filter(|way| *way != Vec3::zeros()) {
                let text = format!("by {} mm, out of \"{}\"", in_millimetres(&way), overlap.inside);
                moved.add(robot, thing.root, &text);
            }
        }
        if let (Some(fault), Some(overlap)) = (fault, thing.deepest(robot, pairs, Meeting::is_fixed)) {
            stay.add(robot, thing.root, &overlap.describe(&fault));
        }
    }
    if moved.count > 0 {
        robot.update_poses();
    }
    let shown = if robot.has_stated_start { "the keyframe puts" } else { "the file shows" };
    let elsewhere = match robot.format {
        "MJCF" if !robot.has_stated_start => "; another start (--keyframe) may be outside",
        _ => "",
    };
    let head = format!("what {shown} in something fixed is moved out");
    let help = "from so deep a floor would throw it up, and other contact would be left out";
    moved.report("W0806", &head, &format!("{help}{elsewhere}"), context);
    let head = format!("what {shown} in something fixed stays there");
    let help = "a floor throws it up from there, and other contact is left out: place it outside";
    stay.report("W0807", &head, &format!("{help}{elsewhere}"), context);
}

/// What is told together, at the place of the first.
#[derive(Default)]
struct Told {
    named: Vec<String>,
    count: usize,
    span: Option<Span>,
}

impl Told {
    fn add(&mut self, robot: &Robot, link: usize, text: &str) {
        let link = &robot.links[link];
        self.count += 1;
        self.span.get_or_insert(link.span);
        if self.named.len() < NAMED {
            self.named.push(format!("\"{}\" {text}", link.name));
        }
    }

    fn report(&self, code: &'static str, head: &str, help: &str, context: &Context<'_>) {
        let Some(span) = self.span else { return };
        let rest = match self.count - self.named.len() {
            0 => String::new(),
            others => format!("; and {others} more"),
        };
        let message = format!("{head}: {}{rest}", self.named.join("; "));
        context.report(Problem::new(code, "", message).help(help), span);
    }
}

/// Three digits of the longest part of a way.
fn in_millimetres(way: &Vec3) -> String {
    let longest = 1e3 * way.amax();
    let decimals = (2.0 - longest.log10().floor()).clamp(0.0, 9.0) as usize;
    // Without the sign of a zero.
    let part = |x: &f64| format!("{:.decimals$}", 1e3 * x).parse().map_or(0.0, |x: f64| x + 0.0).to_string();
    let parts: Vec<String> = way.iter().map(part).collect();
    format!("[{}]", parts.join(", "))
}

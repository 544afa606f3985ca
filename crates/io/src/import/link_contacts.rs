//! Which links may touch each other: MuJoCo's rules for MJCF, those of models for SDF, what an SRDF leaves for URDF.

use std::collections::BTreeSet;
use std::sync::Arc;

use carom_engine::Problem;
use carom_geometry::convex::{
    ConvexCache, ConvexHull, ConvexShape, ConvexWorkspace, Core, find_convex_contact,
};
use carom_math::Vec3;

use super::context::Context;
use super::options::SelfContact;
use super::robot::{Geometry, Held, Link, LinkShape, Mask, Pairing, Robot};
use super::scene::connected_masses;
use super::touch::Grip;

/// Most pairs that are listed.
const MOST: usize = 10_000;
/// Overlapping pairs that are named.
const NAMED: usize = 3;

/// Two shapes, each by its link and its place there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinkContact {
    pub(super) a: (usize, usize),
    pub(super) b: (usize, usize),
    pub(super) grip: Grip,
}

/// Pairs of shapes on different links that may touch, but for planes, and how far they overlap.
pub(super) struct Pairs {
    pub(super) all: Vec<LinkContact>,
    /// How many the robot has. More than are listed, or pairs that are not wanted, are not in `all`.
    count: usize,
    /// Pairs within models of SDF that keep their links apart.
    apart: usize,
    /// Link of the first one.
    first: usize,
    depths: Depths,
}

impl Pairs {
    pub(super) fn of(robot: &Robot, context: &Context<'_>) -> Self {
        let mut all = candidates(robot);
        let first = all.first().map_or(0, |pair| pair.a.0);
        let every = all.len();
        if robot.format == "SDF" && context.options.self_contact == SelfContact::Auto {
            all.retain(|pair| !keeps_apart(robot, pair));
        }
        let count = all.len();
        if count > MOST || !are_wanted(robot, context) {
            all.clear();
        }
        let depths = if all.is_empty() { Depths::default() } else { Depths::of(robot) };
        Self { all, count, apart: every - count, first, depths }
    }

    /// How far a pair overlaps within its margins (m), less than 0 apart, and the way on which the first one leaves the second soonest.
    pub(super) fn overlap(&mut self, robot: &Robot, pair: &LinkContact) -> Option<(f64, Vec3)> {
        let (depth, out) = self.depths.find(robot, pair)?;
        Some((depth + margins(robot, pair), out))
    }
}

/// All pairs of shapes on links that touch. What overlaps at the start is told and left out: it would burst apart.
pub(super) fn find(robot: &Robot, pairs: Pairs, context: &Context<'_>) -> Vec<LinkContact> {
    let options_say_none = context.options.self_contact == SelfContact::None;
    let count = pairs.count;
    let span = robot.links[pairs.first].span;
    if pairs.apart > 0 {
        let text = format!(
            "links of one model do not touch each other ({} pairs of shapes), as it has no `self_collide`: \
             --self-contact all",
            pairs.apart
        );
        context.choice(text, Some(span));
    }
    if count == 0 {
        return Vec::new();
    }
    if !are_wanted(robot, context) {
        let text = if options_say_none {
            format!("links do not touch each other: {count} pairs of shapes are left out, as was asked for")
        } else {
            format!(
                "links do not touch each other ({count} pairs of shapes): --self-contact all, or --srdf FILE"
            )
        };
        context.choice(text, Some(span));
        return Vec::new();
    }
    if count > MOST {
        let message =
            format!("contacts of links with each other are not taken over: they are {count} pairs of shapes");
        let help = format!("{MOST} pairs are the most; add contact lines for those that matter");
        context.report(Problem::new("W0801", "", message).help(help), span);
        return Vec::new();
    }
    leave_out_overlaps(robot, pairs, context)
}

fn are_wanted(robot: &Robot, context: &Context<'_>) -> bool {
    let options = context.options;
    let by_file = robot.format != "URDF" && options.self_contact == SelfContact::Auto;
    by_file || options.links_touch()
}

fn keeps_apart(robot: &Robot, pair: &LinkContact) -> bool {
    let [a, b] = [pair.a, pair.b].map(|(link, shape)| robot.links[link].shapes[shape].of);
    robot.families.keep_apart(a, b)
}

/// Shapes, by their links and their places there, of pairs that overlap too far at the start because of their margins alone.
pub(super) fn within_margins(robot: &Robot, pairs: &mut Pairs) -> Vec<(usize, usize)> {
    let Pairs { all, depths, .. } = pairs;
    let mut reach_each_other = |contact: &LinkContact| {
        let (sag, margins) = (contact.grip.sag, margins(robot, contact));
        margins > 0.0
            && depths.find(robot, contact).is_some_and(|(depth, _)| depth <= sag && depth + margins > sag)
    };
    all.iter().filter(|contact| reach_each_other(contact)).flat_map(|c| [c.a, c.b]).collect()
}

/// What both margins of a pair add up to (m).
fn margins(robot: &Robot, contact: &LinkContact) -> f64 {
    [contact.a, contact.b].iter().map(|&(link, shape)| robot.links[link].shapes[shape].margin).sum()
}

/// A shape that can touch another one but a plane.
fn is_solid(shape: &LinkShape) -> bool {
    !matches!(shape.geometry, Geometry::HalfSpace | Geometry::Mesh { hull: None, .. })
}

fn candidates(robot: &Robot) -> Vec<LinkContact> {
    let (gravity, masses) = (robot.gravity_or_earths(), connected_masses(robot));
    let links = || robot.links.iter().enumerate().filter(|(_, l)| l.held != Held::Merged);
    let carriers: Vec<Option<usize>> = (0..robot.links.len()).map(|link| carrier(robot, link)).collect();
    // Links that a joint connects never touch in Gazebo, also where it closes a loop.
    let is_sdf = robot.format == "SDF";
    let loops: BTreeSet<(usize, usize)> = robot
        .joints
        .iter()
        .filter(|joint| joint.cut && is_sdf)
        .map(|j| (j.a.min(j.b), j.a.max(j.b)))
        .collect();
    let mut all = Vec::new();
    for (i, a) in links() {
        for (j, b) in links().filter(|(j, b)| *j > i && !(a.held == Held::Fixed && b.held == Held::Fixed)) {
            let are_joined = carriers[i] == Some(j) || carriers[j] == Some(i) || loops.contains(&(i, j));
            for (m, s) in a.shapes.iter().enumerate().filter(|(_, s)| is_solid(s)) {
                for (n, t) in b.shapes.iter().enumerate().filter(|(_, t)| is_solid(t)) {
                    let pairing = robot.pairing(s, t);
                    let by_masks = || {
                        s.mask != Mask::NONE
                            && s.mask.meets(t.mask)
                            && !are_joined
                            && !robot.is_excluded(s, t)
                    };
                    if pairing.is_some() || by_masks() {
                        let grip =
                            Pairing::grip(pairing, s, t, gravity).under(masses[i].min(masses[j]), gravity);
                        all.push(LinkContact { a: (i, m), b: (j, n), grip });
                    }
                }
            }
        }
    }
    all
}

/// The link that another one hangs on by a joint and that it does not touch. In MuJoCo it touches one that is part of the world.
fn carrier(robot: &Robot, link: usize) -> Option<usize> {
    let mut carrier = robot.holder(link)?.a;
    while robot.links[carrier].fraction_of.is_some() {
        carrier = robot.holder(carrier)?.a;
    }
    Some(carrier).filter(|carrier| robot.format != "MJCF" || robot.links[*carrier].held != Held::Fixed)
}

/// How far shapes overlap at the start.
#[derive(Default)]
struct Depths {
    solids: Vec<Vec<Option<ConvexShape>>>,
    workspace: ConvexWorkspace,
}

impl Depths {
    fn of(robot: &Robot) -> Self {
        let solids = |link: &Link| link.shapes.iter().map(|s| convex(&s.geometry)).collect();
        Self { solids: robot.links.iter().map(solids).collect(), workspace: ConvexWorkspace::new() }
    }

    /// Depth of a pair without its margins (m), negative apart, and the way on which the first one leaves the second soonest.
    fn find(&mut self, robot: &Robot, contact: &LinkContact) -> Option<(f64, Vec3)> {
        let [(shape_a, x_wa), (shape_b, x_wb)] = [contact.a, contact.b].map(|(link, shape)| {
            let owner = &robot.links[link];
            (self.solids[link][shape].as_ref(), owner.pose.compose(&owner.shapes[shape].pose))
        });
        let workspace = &mut self.workspace;
        let found = find_convex_contact(shape_a?, &x_wa, shape_b?, &x_wb, &ConvexCache::COLD, workspace);
        found.ok().map(|found| (-found.point.gap, -found.point.normal))
    }
}

fn leave_out_overlaps(robot: &Robot, mut pairs: Pairs, context: &Context<'_>) -> Vec<LinkContact> {
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for contact in std::mem::take(&mut pairs.all) {
        match pairs.overlap(robot, &contact) {
            Some((depth, _)) if depth > contact.grip.sag => lost.push((depth, contact)),
            _ => kept.push(contact),
        }
    }
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((_, first)) = lost.first() else { return kept };
    let name = |(link, shape): (usize, usize)| &robot.links[link].shapes[shape].name;
    let say = |(depth, c): &(f64, LinkContact)| {
        format!("\"{}\" and \"{}\" by {:.1} mm", name(c.a), name(c.b), 1e3 * depth)
    };
    let named: Vec<String> = lost.iter().take(NAMED).map(say).collect();
    let rest = if lost.len() > NAMED { ", the others by less" } else { "" };
    let message = format!(
        "{} pairs of shapes of links overlap at the start, and do not touch: {}{rest}",
        lost.len(),
        named.join(", ")
    );
    let help = "what overlaps would burst apart; another start (--keyframe), or contact lines of your own, let them touch";
    context.report(Problem::new("W0801", "", message).help(help), robot.links[first.a.0].span);
    kept
}

fn convex(geometry: &Geometry) -> Option<ConvexShape> {
    let rounded = |core, radius| Some(ConvexShape { core, radius });
    match geometry {
        Geometry::Sphere { radius } => rounded(Core::Point, *radius),
        Geometry::Capsule { radius, length } => rounded(Core::Segment { half_length: 0.5 * length }, *radius),
        Geometry::Box { size } => rounded(Core::Box { half: 0.5 * size }, 0.0),
        Geometry::Cylinder { radius, length } => {
            let half_length = 0.5 * length;
            rounded(Core::Frustum { radius_low: *radius, radius_high: *radius, half_length }, 0.0)
        }
        Geometry::Ellipsoid { semi_axes } => rounded(Core::Ellipsoid { semi_axes: *semi_axes }, 0.0),
        Geometry::Mesh { hull: Some(hull), .. } => rounded(Core::Hull(hull.clone()), 0.0),
        Geometry::Hull { points } => rounded(Core::Hull(Arc::new(ConvexHull::of_points(points).ok()?)), 0.0),
        Geometry::HalfSpace | Geometry::Mesh { hull: None, .. } => None,
    }
}

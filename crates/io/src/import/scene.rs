//! Where the robot stands at the start and what it may touch.

use carom_engine::Problem;
use carom_math::{Pose, Vec3};

use super::context::Context;
use super::mass::total;
use super::mimic;
use super::options::Base;
use super::robot::{
    Constraint, ConstraintKind, Geometry, Held, Hold, Joint, JointKind, Link, LinkShape, Mask, Pairing, Pull,
    Robot, WORLD, Weld,
};
use super::touch::{Grip, Softness};

/// A floor under a held robot is this far below its lowest point (m), unless that is above z = 0.
const CLEARANCE: f64 = 0.01;

/// Free and fixed joints to the world become what holds the link; options may change which.
pub(super) fn hold_bases(robot: &mut Robot, context: &Context<'_>) {
    for k in 0..robot.joints.len() {
        let joint = &robot.joints[k];
        let is_fixed = joint.kind == JointKind::Fixed;
        if joint.a != WORLD || joint.cut || !(is_fixed || joint.kind == JointKind::Free) {
            continue;
        }
        let frees = match context.options.base {
            Base::Auto => !is_fixed,
            Base::Fixed => false,
            Base::Floating => !is_fixed || carries_joints(robot, joint.b),
        };
        let (b, pose) = (joint.b, joint.pose());
        if frees {
            let acts = (!joint.uniform.is_none()).then(|| joint.clone());
            robot.links[b].carrier =
                acts.map(|joint| Joint { frame_a: Pose::identity(), frame_b: Pose::identity(), ..joint });
            robot.links[b].pose = pose;
            robot.links[b].held = Held::Free;
            robot.joints[k].a = b;
        }
        robot.joints[k].kind = JointKind::Fixed;
    }
    if context.options.base == Base::Fixed {
        robot.links.iter_mut().filter(|l| l.held == Held::Free).for_each(|l| l.held = Held::Fixed);
    }
}

fn carries_joints(robot: &Robot, link: usize) -> bool {
    robot.joints.iter().any(|j| j.a == link && !j.cut)
}

/// A first link without mass cannot be free: it stays where it is, unless that was asked for.
pub(super) fn hold_massless_bases(robot: &mut Robot, context: &Context<'_>) {
    if context.options.base != Base::Auto {
        return;
    }
    for link in robot.links.iter_mut().filter(|l| l.held == Held::Free && !l.has_mass()) {
        link.held = Held::Fixed;
        let text = format!("\"{}\" has no mass and nothing is fixed to it: it does not move", link.name);
        context.choice(text, Some(link.span));
    }
}

/// Coordinates at the start: 0, or the nearest that the limits allow; mimicking joints follow.
pub(super) fn choose_start(robot: &mut Robot, context: &Context<'_>) {
    for joint in &mut robot.joints {
        for axis in &mut joint.axes {
            if robot.has_stated_start {
                continue;
            }
            axis.start = axis.within_limits(axis.start);
            if axis.start != 0.0 {
                context.choice(
                    "a joint starts at its limit, which does not allow the coordinate 0",
                    Some(joint.span),
                );
            }
        }
    }
    if !robot.has_stated_start {
        mimic::fit_leaders(robot, context);
    }
    // A chain of mimics is as long as there are constraints.
    for _ in 0..robot.constraints.len().min(16) {
        for Constraint { kind, .. } in &robot.constraints {
            if let ConstraintKind::Coupling { terms, offset } = kind {
                let start = |t: &super::robot::Term| robot.joints[t.joint].axes[t.axis].start;
                let rest: f64 = terms[1..].iter().map(|t| t.factor * start(t)).sum();
                let q = (offset - rest) / terms[0].factor;
                robot.joints[terms[0].joint].axes[terms[0].axis].start = q;
            }
        }
    }
    robot.update_poses();
    mimic::tell_out_of_limits(robot, context);
    hold_by_bushings(robot, context);
}

/// Welds of links to fixed ones become bushings, as soft as MuJoCo makes them for the mass that is held: a rigid weld would fight with
/// limits, and bend all joints where these have moved the link from where the file shows it. There the link is held where it starts.
pub(super) fn hold_by_bushings(robot: &mut Robot, context: &Context<'_>) {
    let (gravity, firsts) = (robot.gravity_or_earths(), first_links(robot));
    let is_fixed = |robot: &Robot, link: usize| robot.links[link].held == Held::Fixed;
    let is_held = |robot: &Robot, joint: &Joint| {
        joint.cut && joint.kind == JointKind::Fixed && is_fixed(robot, joint.a) != is_fixed(robot, joint.b)
    };
    for Weld { span, softness, is_open } in std::mem::take(&mut robot.welds) {
        let Some(k) = robot.joints.iter().position(|j| j.span == span && is_held(robot, j)) else {
            if softness != Softness::DEFAULT {
                let problem = Problem::new("W0801", "", "`solref` and `solimp` of <weld> are not taken over");
                context.warn_once("soft weld", problem.help("between links that move welds are rigid"), span);
            }
            continue;
        };
        let joint = robot.joints.remove(k);
        let terms = robot.constraints.iter_mut().filter_map(|constraint| match &mut constraint.kind {
            ConstraintKind::Coupling { terms, .. } => Some(terms),
            ConstraintKind::Point { .. } => None,
        });
        let terms = terms.chain(robot.actuators.iter_mut().map(|actuator| &mut actuator.terms));
        terms.flatten().filter(|term| term.joint > k).for_each(|term| term.joint -= 1);
        let (x, y) = (
            robot.links[joint.a].pose.compose(&joint.frame_a),
            robot.links[joint.b].pose.compose(&joint.frame_b),
        );
        let mut frame_a = joint.frame_a;
        if !is_open && are_apart(&x, &y) {
            let message = format!(
                "\"{}\" holds its link where the file shows it, which is not where it starts",
                joint.name
            );
            let help = "it is held where it starts: limits of joints, or --keyframe, have moved it";
            context.report(Problem::new("W0801", "", message).help(help), joint.span);
            frame_a = robot.links[joint.a].pose.inverse().compose(&y);
        }
        let held = if is_fixed(robot, joint.a) { joint.b } else { joint.a };
        // Of all that joints connect to the link: mass, and inertia about where it is held.
        let mut inertia = [0.0; 2];
        for (link, _) in robot.links.iter().zip(&firsts).filter(|(_, first)| **first == firsts[held]) {
            let solid = total(link).transformed(&link.pose);
            inertia[0] += solid.mass;
            inertia[1] +=
                solid.mass * (solid.com - y.translation).norm_squared() + solid.inertia.trace() / 3.0;
        }
        let rate = (gravity / softness.sag(gravity)).sqrt();
        context
            .choice("welds to what is fixed are bushings, which give as MuJoCo's welds do", Some(joint.span));
        robot.holds.push(Hold {
            name: joint.name,
            span: joint.span,
            a: (joint.a, frame_a),
            b: (joint.b, joint.frame_b),
            stiffness: inertia.map(|own| own * rate * rate),
            damping: inertia.map(|own| 2.0 * own * rate),
        });
    }
}

/// How far a weld is open that matters (m, rad).
const OPEN: f64 = 1e-9;

/// Are the frames of a weld not one?
pub(super) fn are_apart(x: &Pose, y: &Pose) -> bool {
    (x.translation - y.translation).amax().max((x.rotation - y.rotation).amax()) > OPEN
}

/// What joins points of one link, or what does not move, does nothing.
pub(super) fn drop_idle(robot: &mut Robot, context: &Context<'_>) {
    let Robot { links, ropes, holds, loads, constraints, .. } = robot;
    ropes.retain(|rope| {
        let is_idle = rope.path.iter().all(|point| point.0 == rope.path[0].0);
        if is_idle {
            context.left_out("a tendon within one body, whose length stays", rope.span);
        }
        !is_idle
    });
    let is_fixed = |link: usize| links[link].held == Held::Fixed;
    holds.retain(|hold| hold.a.0 != hold.b.0 && !(is_fixed(hold.a.0) && is_fixed(hold.b.0)));
    loads.retain(|load| !is_fixed(load.at.0));
    constraints.retain(|constraint| match &constraint.kind {
        ConstraintKind::Point { a, b } => a.0 != b.0,
        ConstraintKind::Coupling { .. } => true,
    });
}

/// Ropes that may not be as long as they are at the start are no shorter than that.
pub(super) fn fit_ropes(robot: &mut Robot, context: &Context<'_>) {
    let Robot { ropes, links, .. } = robot;
    for rope in ropes.iter_mut().filter(|rope| matches!(rope.pull, Pull::Limit)) {
        let place = |&(link, at): &(usize, Vec3)| links[link].pose.transform_point(&at);
        let length: f64 = rope.path.windows(2).map(|ends| (place(&ends[1]) - place(&ends[0])).norm()).sum();
        if length > rope.length {
            let message =
                format!("\"{}\" is {length} m long at the start, and may be {} m", rope.name, rope.length);
            let problem = Problem::new("W0801", "", message).help("its length at the start is its greatest");
            context.report(problem, rope.span);
            rope.length = length;
        }
    }
}

/// Height of the lowest point of what moves (m): of shapes, or of the links' origins if there are none.
pub(super) fn find_lowest(robot: &Robot) -> Option<f64> {
    let moving = || robot.links.iter().filter(|l| matches!(l.held, Held::Free | Held::Joint));
    let of_shapes = moving().flat_map(|l| {
        l.shapes.iter().filter_map(|s| Some(lowest_of(&s.geometry, &l.pose.compose(&s.pose))? - s.margin))
    });
    of_shapes.reduce(f64::min).or_else(|| moving().map(|l| l.pose.translation.z).reduce(f64::min))
}

/// Pose of a surface at the start, by its link and its place there.
pub(super) fn placed(robot: &Robot, (link, shape): (usize, usize)) -> Pose {
    let owner = &robot.links[link];
    owner.pose.compose(&owner.shapes[shape].pose)
}

/// Height of a surface over a plane at the start, each by its link and its place there.
pub(super) fn height_over(robot: &Robot, plane: (usize, usize), other: (usize, usize)) -> Option<f64> {
    height_along(robot, &placed(robot, plane), other)
}

/// Height of the lowest point of a surface at the start, along the z axis of a frame.
pub(super) fn height_along(robot: &Robot, frame: &Pose, other: (usize, usize)) -> Option<f64> {
    let x = frame.inverse().compose(&placed(robot, other));
    lowest_of(&robot.links[other.0].shapes[other.1].geometry, &x)
}

/// Height of the lowest of some points.
fn lowest_point(points: &[Vec3], x: &Pose) -> f64 {
    let row = x.rotation.row(2);
    x.translation.z + points.iter().map(|p| row.transpose().dot(p)).fold(f64::INFINITY, f64::min)
}

/// Lowest point of a shape.
fn lowest_of(geometry: &Geometry, x: &Pose) -> Option<f64> {
    let z = x.translation.z;
    let row = x.rotation.row(2);
    let tilt = x.rotation[(2, 2)].clamp(-1.0, 1.0);
    Some(match geometry {
        Geometry::Sphere { radius } => z - radius,
        Geometry::Box { size } => z - 0.5 * (0..3).map(|k| row[k].abs() * size[k]).sum::<f64>(),
        Geometry::Cylinder { radius, length } => {
            z - 0.5 * length * tilt.abs() - radius * (1.0 - tilt * tilt).max(0.0).sqrt()
        }
        Geometry::Capsule { radius, length } => z - 0.5 * length * tilt.abs() - radius,
        Geometry::Ellipsoid { semi_axes } => {
            z - (0..3).map(|k| (row[k] * semi_axes[k]).powi(2)).sum::<f64>().sqrt()
        }
        Geometry::HalfSpace => return None,
        Geometry::Hull { points } => lowest_point(points, x),
        // A tilted box around a mesh reaches lower than the mesh.
        Geometry::Mesh { hull: Some(hull), .. } => lowest_point(hull.vertices(), x),
        Geometry::Mesh { corners: (low, high), .. } => {
            z + (0..3).map(|k| (row[k] * low[k]).min(row[k] * high[k])).sum::<f64>()
        }
    })
}

/// Raises the free links so that the lowest point is at the wanted height. Beside what the file fixes to the world they are where it has them.
pub(super) fn raise(robot: &mut Robot, height: f64, context: &Context<'_>) {
    let Some(lowest) = find_lowest(robot) else { return };
    let touches = |link: &Link| link.shapes.iter().any(|shape| shape.mask != Mask::NONE);
    let has_surroundings = robot.links.iter().any(|link| link.held == Held::Fixed && touches(link));
    for link in robot.links.iter_mut().filter(|l| l.held == Held::Free) {
        let is_placed = link.pose.translation.z != 0.0;
        if has_surroundings {
            let text = "a free link starts where its <origin> has it, as there are shapes that are fixed to the world: \
                        --drop-height does not count";
            context.choice(text, Some(link.span));
            continue;
        }
        if is_placed {
            let text =
                "a free link starts at --drop-height above the floor, not at the height of its <origin>";
            context.choice(text, Some(link.span));
        }
        link.pose.translation.z += height - lowest;
    }
    robot.update_poses();
}

/// A plane that things may touch.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    /// Index of the link it is on, and of the shape there; `None` for one that the import adds.
    pub(super) shape: Option<(usize, usize)>,
    pub(super) mask: Mask,
    /// Height of an added one (m), once it is laid.
    pub(super) height: f64,
}

/// Planes of the file, else one that is added, and laid when what moves is where it starts.
pub(super) fn find_floors(robot: &Robot, context: &Context<'_>) -> Vec<Floor> {
    let mut floors = Vec::new();
    for (k, link) in robot.links.iter().enumerate().filter(|(_, l)| l.held == Held::Fixed) {
        for (i, shape) in link.shapes.iter().enumerate() {
            if shape.geometry == Geometry::HalfSpace {
                floors.push(Floor { shape: Some((k, i)), mask: shape.mask, height: 0.0 });
            }
        }
    }
    if floors.is_empty() && context.options.floor {
        floors.push(Floor { shape: None, mask: Mask::ALL, height: 0.0 });
    }
    floors
}

/// Lays the floor that was added, below what moves.
pub(super) fn lay(robot: &Robot, floors: &mut [Floor], context: &Context<'_>) {
    for floor in floors.iter_mut().filter(|floor| floor.shape.is_none()) {
        let lowest = find_lowest(robot).unwrap_or(0.0);
        floor.height = if lowest < 0.0 { lowest - CLEARANCE } else { 0.0 };
        context.choice(format!("a floor was added at z = {:?} m", (1e4 * floor.height).round() / 1e4), None);
    }
}

/// A shape of a link and a floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FloorContact {
    pub(super) floor: usize,
    pub(super) link: usize,
    pub(super) shape: usize,
    pub(super) grip: Grip,
}

/// Pairs of a floor and a convex shape on a moving link.
pub(super) fn find_contacts(robot: &Robot, floors: &[Floor], context: &Context<'_>) -> Vec<FloorContact> {
    let (gravity, masses) = (robot.gravity_or_earths(), connected_masses(robot));
    let mut contacts = Vec::new();
    let is_paired = |s: &LinkShape| {
        s.geom.as_ref().is_some_and(|geom| robot.pairings.iter().any(|p| p.geoms.contains(geom)))
    };
    for (link, l) in robot.links.iter().enumerate() {
        let moves = matches!(l.held, Held::Free | Held::Joint);
        for (shape, s) in l.shapes.iter().enumerate().filter(|(_, s)| s.mask != Mask::NONE || is_paired(s)) {
            if matches!(s.geometry, Geometry::Mesh { hull: None, .. }) {
                let text = "a collision mesh is drawn and touches nothing (--meshes hull puts its convex hull in its \
                            place, --meshes box the box around it)";
                context.choice(text, Some(l.span));
                continue;
            }
            if !moves {
                continue;
            }
            for (floor, f) in floors.iter().enumerate() {
                let plane = f.shape.map(|(link, shape)| &robot.links[link].shapes[shape]);
                let pairing = plane.and_then(|plane| robot.pairing(plane, s));
                let may_touch =
                    f.mask.meets(s.mask) && !plane.is_some_and(|plane| robot.is_excluded(plane, s));
                if pairing.is_some() || may_touch {
                    let alone = || s.touch.alone(gravity);
                    let grip = plane.map_or_else(alone, |plane| Pairing::grip(pairing, plane, s, gravity));
                    contacts.push(FloorContact {
                        floor,
                        link,
                        shape,
                        grip: grip.under(masses[link], gravity),
                    });
                }
            }
        }
    }
    contacts
}

/// By link that moves: the first one of those that joints connect it to, on this side of what is fixed.
pub(super) fn first_links(robot: &Robot) -> Vec<Option<usize>> {
    let moves = |link: usize| matches!(robot.links[link].held, Held::Free | Held::Joint);
    let mut firsts: Vec<Option<usize>> =
        (0..robot.links.len()).map(|link| moves(link).then_some(link)).collect();
    for k in robot.tree_order() {
        let joint = &robot.joints[k];
        if moves(joint.a) && moves(joint.b) {
            firsts[joint.b] = firsts[joint.a];
        }
    }
    firsts
}

/// By link: mass of all that joints connect it to (kg); what is fixed has no end of it.
pub(super) fn connected_masses(robot: &Robot) -> Vec<f64> {
    let firsts = first_links(robot);
    let mut sums = vec![0.0; robot.links.len()];
    for (link, first) in robot.links.iter().zip(&firsts) {
        first.iter().for_each(|&first| sums[first] += total(link).mass);
    }
    firsts.iter().map(|first| first.map_or(f64::INFINITY, |first| sums[first])).collect()
}

//! Where the robot stands at the start and what it may touch.

use carom_engine::Problem;
use carom_math::Pose;

use super::context::Context;
use super::mass::total;
use super::options::Base;
use super::robot::{
    Constraint, ConstraintKind, Geometry, Held, Joint, JointKind, LinkShape, Mask, Pairing, Robot, WORLD,
};
use super::touch::Grip;

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
    let welds = welds_to_what_is_fixed(robot);
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
    weld_at_start(robot, &welds, context);
}

/// How far a weld is open that matters (m, rad).
const OPEN: f64 = 1e-9;

/// Joints that weld links to fixed ones in the poses that they have.
fn welds_to_what_is_fixed(robot: &Robot) -> Vec<usize> {
    let is_held = |joint: &Joint| [joint.a, joint.b].iter().any(|&k| robot.links[k].held == Held::Fixed);
    let is_weld = |joint: &Joint| joint.cut && joint.kind == JointKind::Fixed && is_held(joint);
    (0..robot.joints.len())
        .filter(|&k| is_weld(&robot.joints[k]) && opening(robot, &robot.joints[k]) <= OPEN)
        .collect()
}

/// How far the two frames of a joint are apart.
fn opening(robot: &Robot, joint: &Joint) -> f64 {
    let [x, y] = [(joint.a, &joint.frame_a), (joint.b, &joint.frame_b)].map(|(k, x)| robot.links[k].pose.compose(x));
    (x.translation - y.translation).amax().max((x.rotation - y.rotation).amax())
}

/// What holds a link where the file shows it holds it where it starts, if limits have moved that: a rigid weld would bend all
/// joints, limits or not.
fn weld_at_start(robot: &mut Robot, welds: &[usize], context: &Context<'_>) {
    for &k in welds {
        let joint = &robot.joints[k];
        if opening(robot, joint) <= OPEN {
            continue;
        }
        let message =
            format!("\"{}\" holds its link where the file shows it, which is beyond a joint's limits", joint.name);
        let problem = Problem::new("W0801", "", message).help("it holds it where it starts: --keyframe names another start");
        context.report(problem, joint.span);
        let there = robot.links[joint.b].pose.compose(&joint.frame_b);
        robot.joints[k].frame_a = robot.links[joint.a].pose.inverse().compose(&there);
    }
}

/// Height of the lowest point of what moves (m): of shapes, or of the links' origins if there are none.
pub(super) fn find_lowest(robot: &Robot) -> Option<f64> {
    let moving = || robot.links.iter().filter(|l| matches!(l.held, Held::Free | Held::Joint));
    let of_shapes = moving()
        .flat_map(|l| l.shapes.iter().filter_map(|s| lowest_of(&s.geometry, &l.pose.compose(&s.pose))));
    of_shapes.reduce(f64::min).or_else(|| moving().map(|l| l.pose.translation.z).reduce(f64::min))
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
        Geometry::Hull { points } => {
            z + points.iter().map(|p| row.transpose().dot(p)).fold(f64::INFINITY, f64::min)
        }
        Geometry::Mesh { corners: (low, high), .. } => {
            z + (0..3).map(|k| (row[k] * low[k]).min(row[k] * high[k])).sum::<f64>()
        }
    })
}

/// Raises the free links so that the lowest point is at the wanted height.
pub(super) fn raise(robot: &mut Robot, height: f64) {
    let Some(lowest) = find_lowest(robot) else { return };
    for link in robot.links.iter_mut().filter(|l| l.held == Held::Free) {
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
    /// Height of an added one (m).
    pub(super) height: f64,
}

/// Planes of the file, else one that is added below what moves.
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
        let lowest = find_lowest(robot).unwrap_or(0.0);
        let height = if lowest < 0.0 { lowest - CLEARANCE } else { 0.0 };
        context.choice(format!("a floor was added at z = {:?} m", (1e4 * height).round() / 1e4), None);
        floors.push(Floor { shape: None, mask: Mask::ALL, height });
    }
    floors
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
    let gravity = robot.gravity_or_earths();
    let mut contacts = Vec::new();
    let is_mesh = |s: &LinkShape| matches!(s.geometry, Geometry::Mesh { hull: None, .. });
    for (link, l) in
        robot.links.iter().enumerate().filter(|(_, l)| matches!(l.held, Held::Free | Held::Joint))
    {
        let is_paired = |s: &LinkShape| {
            s.geom.as_ref().is_some_and(|geom| robot.pairings.iter().any(|p| p.geoms.contains(geom)))
        };
        for (shape, s) in l.shapes.iter().enumerate().filter(|(_, s)| s.mask != Mask::NONE || is_paired(s)) {
            if is_mesh(s) {
                let text = "a collision mesh is drawn and touches nothing (--meshes hull puts its convex hull in its \
                            place, --meshes box the box around it)";
                context.choice(text, Some(l.span));
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
                    contacts.push(FloorContact { floor, link, shape, grip });
                }
            }
        }
    }
    contacts
}

/// Stiffness of a contact (N/m^1.5), one digit: the weight of all that moves, on it alone, indents it by `sag` (m).
pub(super) fn stiffness(robot: &Robot, sag: f64) -> f64 {
    let moving = robot.links.iter().filter(|l| matches!(l.held, Held::Free | Held::Joint));
    let weight = moving.map(|l| total(l).mass).sum::<f64>() * robot.gravity_or_earths();
    if weight <= 0.0 {
        return 1e6;
    }
    format!("{:.0e}", weight / sag.powf(1.5)).parse().unwrap_or(1e6)
}

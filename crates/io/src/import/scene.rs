//! Where the robot stands at the start and what it may touch.

use carom_engine::Problem;
use carom_math::Pose;

use super::context::Context;
use super::mass::total;
use super::options::Base;
use super::robot::{
    Constraint, ConstraintKind, Geometry, Held, JointKind, Link, LinkShape, Mask, Robot, WORLD,
};

/// Friction of the floor that an import adds, and of URDF's shapes, which have none of their own.
pub(super) const FLOOR_MU: f64 = 0.6;
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
    pub(super) mu: f64,
    /// Height of an added one (m).
    pub(super) height: f64,
}

/// Planes of the file, else one that is added below what moves.
pub(super) fn find_floors(robot: &Robot, context: &Context<'_>) -> Vec<Floor> {
    let mut floors = Vec::new();
    for (k, link) in robot.links.iter().enumerate().filter(|(_, l)| l.held == Held::Fixed) {
        for (i, shape) in link.shapes.iter().enumerate() {
            if shape.geometry == Geometry::HalfSpace {
                floors.push(Floor { shape: Some((k, i)), mask: shape.mask, mu: shape.mu, height: 0.0 });
            }
        }
    }
    if floors.is_empty() && context.options.floor {
        let lowest = find_lowest(robot).unwrap_or(0.0);
        let height = if lowest < 0.0 { lowest - CLEARANCE } else { 0.0 };
        context.choice(format!("a floor was added at z = {:?} m", (1e4 * height).round() / 1e4), None);
        floors.push(Floor { shape: None, mask: Mask::ALL, mu: 0.0, height });
    }
    floors
}

/// Shape `b.1` of link `b.0` and floor `floor`, with a friction coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FloorContact {
    pub(super) floor: usize,
    pub(super) link: usize,
    pub(super) shape: usize,
    pub(super) mu: f64,
}

/// Pairs of a floor and a primitive on a moving link. The greater friction coefficient counts, as in MuJoCo.
pub(super) fn find_contacts(robot: &Robot, floors: &[Floor], context: &Context<'_>) -> Vec<FloorContact> {
    let mut contacts = Vec::new();
    let is_mesh = |s: &LinkShape| matches!(s.geometry, Geometry::Mesh { is_hull: false, .. });
    for (link, l) in
        robot.links.iter().enumerate().filter(|(_, l)| matches!(l.held, Held::Free | Held::Joint))
    {
        for (shape, s) in l.shapes.iter().enumerate().filter(|(_, s)| s.mask != Mask::NONE) {
            if is_mesh(s) {
                let text = "a collision mesh is drawn and touches nothing (--meshes hull puts its convex hull in its \
                            place, --meshes box the box around it)";
                context.choice(text, Some(l.span));
                continue;
            }
            for (floor, f) in floors.iter().enumerate().filter(|(_, f)| f.mask.meets(s.mask)) {
                contacts.push(FloorContact { floor, link, shape, mu: f.mu.max(s.mu) });
            }
        }
    }
    contacts
}

/// MuJoCo lets all links touch each other, but for moving ones that a joint connects, and what is fixed. Contact lines say so here, and
/// the import writes none. URDF does not say which links may touch.
pub(super) fn warn_of_lost_contacts(robot: &Robot, context: &Context<'_>) {
    if robot.format != "MJCF" {
        return;
    }
    let links = || robot.links.iter().enumerate().filter(|(_, l)| l.held != Held::Merged);
    let is_moving = |l: &Link| matches!(l.held, Held::Free | Held::Joint);
    let touches = |s: &&LinkShape| s.mask != Mask::NONE && s.geometry != Geometry::HalfSpace;
    let may_touch = |a: &Link, b: &Link| {
        a.shapes.iter().filter(touches).any(|s| b.shapes.iter().filter(touches).any(|t| s.mask.meets(t.mask)))
    };
    let is_joined =
        |a: usize, b: usize| robot.joints.iter().any(|joint| [(a, b), (b, a)].contains(&(joint.a, joint.b)));
    let (mut pairs, mut fixed, mut first) = (0, 0, None);
    for (k, a) in links().filter(|(_, l)| is_moving(l)) {
        for (i, b) in links().filter(|(i, b)| !is_moving(b) || *i > k) {
            if may_touch(a, b) && !(is_moving(b) && is_joined(k, i)) {
                *if is_moving(b) { &mut pairs } else { &mut fixed } += 1;
                first = first.or(Some(a.span));
            }
        }
    }
    let Some(first) = first else { return };
    let counts = [(pairs, "with each other"), (fixed, "with fixed shapes other than planes")];
    let said: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what} ({count} pairs)"))
        .collect();
    let message = format!("contacts of links {} are not taken over", said.join(" and "));
    context.report(Problem::new("W0801", "", message).help("add contact lines for those that matter"), first);
}

/// Stiffness of the floor (N/m^1.5), one digit: the weight of all that moves, on one contact, indents it by
/// a millimetre.
pub(super) fn floor_stiffness(robot: &Robot) -> f64 {
    let moving = robot.links.iter().filter(|l| matches!(l.held, Held::Free | Held::Joint));
    let mass: f64 = moving.map(|l| total(l).mass).sum();
    let gravity = robot.gravity.norm();
    let weight = mass * if gravity > 0.0 { gravity } else { 9.81 };
    if weight <= 0.0 {
        return 1e6;
    }
    format!("{:.0e}", weight / 1e-3_f64.powf(1.5)).parse().unwrap_or(1e6)
}

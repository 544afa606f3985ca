//! Planar models: two numbers in place of three, one angle in place of a rotation, and planar joints for bodies that
//! have none.

use carom_engine::Problem;
use carom_engine::model::{Attachment, AxisElements, Body, Joint, JointKind, Plane};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::Section;
use super::names::{WORLD, undeclared_world};
use crate::document::Value;
use crate::finding::Finding;
use crate::quantity::Dimension;

/// How far off the plane numbers may be by rounding: of unit vectors, and of places relative to their size.
const ROUNDING: f64 = 1e-12;

impl Section<'_, '_> {
    /// A vector that the model's plane makes of two numbers, or of one for an angular velocity. `None` if the model is not planar
    /// or the key has another form; inside, after an error.
    pub(super) fn vector_in_plane(&self, key: &str, dimension: Dimension) -> Option<Option<Vec3>> {
        let plane = self.context.plane?;
        match &self.table.get(key)?.value {
            Value::Array(items) if items.len() == 2 => {
                let values = self.quantities(key, dimension, &[2]);
                Some(values.map(|v| plane.vector(v[0], v[1])))
            }
            Value::Array(_) | Value::Table(_) | Value::Broken => None,
            _ if dimension.equals(Dimension::ANGULAR_VELOCITY) => {
                Some(self.quantity_in(key, dimension).map(|omega| plane.normal() * omega))
            }
            _ => None,
        }
    }

    /// The rotation by one angle in the plane; as [`Self::vector_in_plane`].
    pub(super) fn turn_in_plane(&self, key: &str) -> Option<Option<Quaternion>> {
        let plane = self.context.plane?;
        match &self.table.get(key)?.value {
            Value::Array(_) | Value::Table(_) | Value::Broken => None,
            _ => {
                let angle = self.quantity_in(key, Dimension::ANGLE);
                Some(angle.map(|angle| Quaternion::from_axis_angle(&plane.normal(), angle)))
            }
        }
    }
}

/// Hangs every group of moving bodies that no joint ties to a fixed one on a planar joint to the world: the first of them that
/// no joint carries. Says what leaves the plane.
pub(super) fn settle(root: &Section<'_, '_>, bodies: &mut Vec<Body>, joints: &mut Vec<Joint>) {
    let Some(plane) = root.context.plane else { return };
    check_bodies(root, plane, bodies);
    check_joints(root, plane, bodies, joints);
    let loose = find_loose(bodies, joints);
    if loose.is_empty() {
        return;
    }
    let known = bodies.iter().position(|body| body.name == WORLD);
    let world = known.unwrap_or_else(|| {
        bodies.push(undeclared_world());
        bodies.len() - 1
    });
    let frame = Pose { rotation: plane.rotation(), translation: Vec3::zeros() };
    for body in loose {
        joints.push(Joint {
            name: format!("{}.plane", bodies[body].name),
            kind: JointKind::Planar,
            a: Attachment { body: world, pose: frame },
            b: Attachment { body, pose: frame },
            cut: false,
            position: None,
            velocity: None,
            elements: vec![AxisElements::default(); JointKind::Planar.axes().len()],
        });
    }
}

/// Gravity that leads out of the plane.
pub(super) fn check_gravity(root: &Section<'_, '_>, gravity: &Vec3) {
    let Some(plane) = root.context.plane else { return };
    if plane.normal().dot(gravity).abs() > ROUNDING * gravity.norm() {
        report(root, "world.gravity".to_owned(), "gravity leads out of the plane", plane);
    }
}

/// Bodies that need a joint to the world, ascending.
fn find_loose(bodies: &[Body], joints: &[Joint]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..bodies.len()).collect();
    fn root_of(group: &mut [usize], mut k: usize) -> usize {
        while group[k] != k {
            group[k] = group[group[k]];
            k = group[k];
        }
        k
    }
    for joint in joints.iter().filter(|joint| !joint.cut) {
        let [a, b] = [joint.a.body, joint.b.body].map(|k| root_of(&mut group, k));
        group[a.max(b)] = a.min(b);
    }
    let roots: Vec<usize> = (0..bodies.len()).map(|k| root_of(&mut group, k)).collect();
    let mut is_tied = vec![false; bodies.len()];
    for (body, &root) in bodies.iter().zip(&roots) {
        is_tied[root] |= body.fixed;
    }
    let mut is_carried = vec![false; bodies.len()];
    for joint in joints.iter().filter(|joint| !joint.cut) {
        is_carried[joint.b.body] = true;
    }
    let mut chosen = vec![None; bodies.len()];
    for (body, &root) in roots.iter().enumerate() {
        let place: &mut Option<usize> = &mut chosen[root];
        let is_better = place.is_none_or(|known| is_carried[known] && !is_carried[body]);
        if is_better {
            *place = Some(body);
        }
    }
    let mut loose: Vec<usize> =
        (0..bodies.len()).filter(|&root| !is_tied[root]).filter_map(|root| chosen[root]).collect();
    loose.sort_unstable();
    loose
}

/// Bodies that are not in the plane or leave it.
fn check_bodies(root: &Section<'_, '_>, plane: Plane, bodies: &[Body]) {
    let n = plane.normal();
    for body in bodies.iter().filter(|body| !body.fixed) {
        let turned: Vec3 = body.orientation.to_matrix() * n;
        let across = |v: &Vec3| v - n * n.dot(v);
        let faults = [
            ("pos", n.dot(&body.position).abs() > ROUNDING * body.position.norm(), "is not in the plane"),
            ("com", n.dot(&body.com).abs() > 1e-9 * body.com.norm(), "is not in the plane"),
            ("vel", n.dot(&body.velocity).abs() > ROUNDING * body.velocity.norm(), "leads out of the plane"),
            ("rot", (turned - n).norm() > 1e-9, "turns out of the plane"),
            (
                "omega",
                across(&body.angular_velocity).norm() > ROUNDING * body.angular_velocity.norm(),
                "turns out of the plane",
            ),
        ];
        for (key, is_wrong, what) in faults {
            if is_wrong {
                report(
                    root,
                    format!("body.{}.{key}", body.name),
                    &format!("{key} of \"{}\" {what}", body.name),
                    plane,
                );
            }
        }
    }
}

/// Joints that would leave a body a motion out of the plane.
fn check_joints(root: &Section<'_, '_>, plane: Plane, bodies: &[Body], joints: &[Joint]) {
    let n = plane.normal();
    for joint in joints {
        let axis: Vec3 = bodies[joint.a.body].orientation.to_matrix() * joint.a.pose.rotation.column(2);
        let is_in_plane = match joint.kind {
            JointKind::Fixed => true,
            JointKind::Revolute | JointKind::Planar => axis.cross(&n).norm() < 1e-9,
            JointKind::Prismatic => axis.dot(&n).abs() < 1e-9,
            _ => false,
        };
        if !is_in_plane {
            let what = format!(
                "{} joint \"{}\" does not keep the bodies in the plane",
                joint.kind.name(),
                joint.name
            );
            report(root, format!("joint.{}.axis", joint.name), &what, plane);
        }
    }
}

fn report(root: &Section<'_, '_>, path: String, what: &str, plane: Plane) {
    let word = plane.name();
    let problem = Problem::new("E0334", path.clone(), format!("{what} \"{word}\" of the model"))
        .expected("two numbers for places and velocities, one for angles")
        .help("joints of a planar model are fixed, revolute or planar about the normal, or prismatic along the plane");
    let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    let origin = root.context.origin(&path).or_else(|| root.context.origin(parent));
    root.context.findings.push(Finding::at(problem, origin.unwrap_or(root.key_span)));
}

/// Rotation of a planar shape from its own axes to those of its body: the plane's, turned by one angle; stated as a rotation in
/// space it is the whole.
pub(super) fn rotation_of_shape(section: &Section<'_, '_>, plane: Plane) -> Mat3 {
    let is_whole = section.table.get("rot").is_some_and(|node| matches!(node.value, Value::Table(_)));
    match section.rotation_matrix() {
        Some(rotation) if is_whole => rotation,
        Some(turn) => turn * plane.rotation(),
        None => plane.rotation(),
    }
}

//! Spanning forest of a mechanism: which joint carries which body, and which joints close loops.

use std::collections::VecDeque;

use carom_math::{Pose, Vec3};

use crate::mechanics::JointRole;
use crate::mechanics::tree::{Link, PrismaticTable, RevoluteTable, Shortcut};
use crate::model::{Attachment, Coordinates, JointKind, Model};

/// Links in an order in which parents come first and trees are contiguous, and the role of each joint.
pub(crate) struct Forest {
    pub(crate) links: Vec<Link>,
    pub(crate) roles: Vec<JointRole>,
}

/// Frame of an attachment in the centre-of-mass frame of its body.
pub(crate) fn in_com_frame(model: &Model, attachment: &Attachment) -> Pose {
    let com = model.bodies[attachment.body].com;
    Pose { translation: attachment.pose.translation - com, ..attachment.pose }
}

/// A body to be placed: the joint that carries it and its parent's link, or none for a root.
struct Found {
    body: usize,
    carrier: Option<(usize, Option<usize>)>,
}

/// Breadth first from the fixed bodies, then from the bases of whatever hangs on none of them: short chains have small
/// rounding errors. A base is the first body that is B of no joint, as a robot's is; where all are, the first body.
pub(crate) fn build_forest(model: &Model, coordinates: Coordinates) -> Forest {
    let mut forest = Forest { links: Vec::new(), roles: vec![JointRole::Closes; model.joints.len()] };
    let mut reached: Vec<bool> = model.bodies.iter().map(|b| b.fixed).collect();
    let joints_of = match coordinates {
        Coordinates::Joint => joints_of_bodies(model),
        Coordinates::Body => vec![Vec::new(); model.bodies.len()],
    };
    let fixed: Vec<usize> = (0..model.bodies.len()).filter(|&b| model.bodies[b].fixed).collect();
    for &ground in &fixed {
        for &joint in &joints_of[ground] {
            // Every joint to the ground starts a tree of its own.
            let start = neighbour(model, joint, ground);
            if !reached[start] {
                reached[start] = true;
                forest.grow(
                    model,
                    &joints_of,
                    &mut reached,
                    Found { body: start, carrier: Some((joint, None)) },
                );
            }
        }
    }
    let is_carried = |body: usize| joints_of[body].iter().any(|&joint| model.joints[joint].b.body == body);
    let (carried, bases): (Vec<usize>, Vec<usize>) = (0..model.bodies.len()).partition(|&b| is_carried(b));
    for body in bases.into_iter().chain(carried) {
        if !reached[body] {
            reached[body] = true;
            forest.grow(model, &joints_of, &mut reached, Found { body, carrier: None });
        }
    }
    forest.number_states();
    forest
}

/// Joints that may carry, by body, in the order of the file.
fn joints_of_bodies(model: &Model) -> Vec<Vec<usize>> {
    let mut joints = vec![Vec::new(); model.bodies.len()];
    for (index, joint) in model.joints.iter().enumerate().filter(|(_, j)| !j.cut) {
        joints[joint.a.body].push(index);
        joints[joint.b.body].push(index);
    }
    joints
}

fn neighbour(model: &Model, joint: usize, body: usize) -> usize {
    let joint = &model.joints[joint];
    if joint.a.body == body { joint.b.body } else { joint.a.body }
}

impl Forest {
    /// Adds the tree that begins with a body; those reached from it follow, nearest first.
    fn grow(&mut self, model: &Model, joints_of: &[Vec<usize>], reached: &mut [bool], start: Found) {
        let tree = self.links.len();
        let mut queue = VecDeque::from([start]);
        while let Some(found) = queue.pop_front() {
            let index = self.links.len();
            self.links.push(link(model, &found, tree));
            if let Some((joint, _)) = found.carrier {
                self.roles[joint] = JointRole::Carries { link: index };
            }
            for &joint in &joints_of[found.body] {
                let next = neighbour(model, joint, found.body);
                if !reached[next] {
                    reached[next] = true;
                    queue.push_back(Found { body: next, carrier: Some((joint, Some(index))) });
                }
            }
        }
        let alone = self.links.len() == tree + 1 && self.links[tree].is_root();
        self.links[tree].lone = alone;
    }

    fn number_states(&mut self) {
        let (mut state, mut freedom) = (0, 0);
        for link in &mut self.links {
            link.first_state = state;
            link.first_freedom = freedom;
            state += link.kind.coordinates() + link.kind.freedoms();
            freedom += link.kind.freedoms();
        }
    }
}

fn link(model: &Model, found: &Found, tree: usize) -> Link {
    let mut link = Link {
        body: found.body,
        parent_body: None,
        parent: None,
        kind: JointKind::Free,
        joint: None,
        reversed: false,
        inboard: Pose::identity(),
        outboard: Pose::from_translation(Vec3::zeros()),
        first_state: 0,
        first_freedom: 0,
        lone: false,
        tree,
        drive: None,
        armature: [0.0; 6],
        shortcut: Shortcut::None,
    };
    let Some((index, parent)) = found.carrier else { return link };
    let joint = &model.joints[index];
    link.reversed = joint.a.body == found.body;
    let [inboard, outboard] = if link.reversed { [&joint.b, &joint.a] } else { [&joint.a, &joint.b] };
    link.parent_body = Some(inboard.body);
    link.parent = parent;
    link.kind = joint.kind;
    link.joint = Some(index);
    for (armature, element) in link.armature.iter_mut().zip(&joint.elements) {
        *armature = element.armature;
    }
    link.inboard = in_com_frame(model, inboard);
    link.outboard = in_com_frame(model, outboard);
    link.shortcut = match joint.kind {
        JointKind::Revolute => {
            let (inboard, outboard) = (&link.inboard.rotation, &link.outboard.rotation);
            Shortcut::Revolute(RevoluteTable::new(inboard, outboard, link.reversed))
        }
        JointKind::Prismatic => {
            Shortcut::Prismatic(PrismaticTable::new(&link.inboard, &link.outboard, link.reversed))
        }
        JointKind::Fixed => Shortcut::Fixed(link.inboard.compose(&link.outboard.inverse())),
        _ => Shortcut::None,
    };
    link
}

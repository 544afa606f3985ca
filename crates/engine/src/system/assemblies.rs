//! Bodies that fixed joints make one: how a rigid body is written, in one piece or in ten, changes nothing that goes by its size.

use carom_math::{Pose, Vec3};

use crate::model::{JointKind, Model};

/// Rigid assemblies of the bodies that move.
pub(super) struct Assemblies {
    /// Assembly of each body, by the first of its bodies.
    of: Vec<usize>,
    /// Pose of each body in that first one.
    poses: Vec<Pose>,
}

impl Assemblies {
    pub(super) fn of_model(model: &Model) -> Self {
        let count = model.bodies.len();
        let mut welds: Vec<Vec<(usize, Pose)>> = vec![Vec::new(); count];
        for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Fixed) {
            let [a, b] = [joint.a.body, joint.b.body];
            // What is fixed to the world does not move, and makes nothing one that is not.
            if !model.bodies[a].fixed && !model.bodies[b].fixed {
                let pose = joint.a.pose.compose(&joint.b.pose.inverse());
                welds[b].push((a, pose.inverse()));
                welds[a].push((b, pose));
            }
        }
        let (mut of, mut poses) = (vec![count; count], vec![Pose::identity(); count]);
        for first in 0..count {
            if of[first] != count {
                continue;
            }
            of[first] = first;
            let mut open = vec![first];
            while let Some(body) = open.pop() {
                for (other, pose) in &welds[body] {
                    if of[*other] == count {
                        (of[*other], poses[*other]) = (first, poses[body].compose(pose));
                        open.push(*other);
                    }
                }
            }
        }
        Self { of, poses }
    }

    /// Assembly of each body that moves; `None` of what is fixed, or fixed to that.
    pub(super) fn moving(&self, model: &Model) -> Vec<Option<usize>> {
        let mut held = vec![false; self.of.len()];
        for (index, body) in model.bodies.iter().enumerate() {
            held[self.of[index]] |= body.fixed;
        }
        for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Fixed) {
            let ends = [joint.a.body, joint.b.body];
            if ends.iter().any(|&end| model.bodies[end].fixed) {
                ends.iter().for_each(|&end| held[self.of[end]] = true);
            }
        }
        self.of.iter().map(|&first| (!held[first]).then_some(first)).collect()
    }

    /// Size of the assembly of each body (m), whatever it shows: the root mean square distance of its mass from its centre, √(tr J/2m), or the
    /// farthest of its joints from there. The first is half the edge of a cube, and 0.77 of the smallest radius or half edge at least in
    /// any homogeneous shape, so that a body without a shape is not held to much less than with it. The trace tells what turns about all
    /// axes, so that a rod is as large as it is long, whatever it turns about. The second tells how far from the mass, and from what hangs
    /// on it, it is turned: a small top on a long massless stalk moves as the stalk is long. `None` of a point mass.
    pub(super) fn sizes(&self, model: &Model) -> Vec<Option<f64>> {
        let place = |body: usize, point: &Vec3| self.poses[body].transform_point(point);
        let count = model.bodies.len();
        let (mut masses, mut centres) = (vec![0.0; count], vec![Vec3::zeros(); count]);
        for (index, body) in model.bodies.iter().enumerate() {
            masses[self.of[index]] += body.mass;
            centres[self.of[index]] += place(index, &body.com) * body.mass;
        }
        for (centre, mass) in centres.iter_mut().zip(&masses) {
            *centre /= *mass;
        }
        let away = |body: usize, point: &Vec3| (place(body, point) - centres[self.of[body]]).norm();
        let (mut moments, mut reaches) = (vec![0.0; count], vec![0.0_f64; count]);
        for (index, body) in model.bodies.iter().enumerate() {
            let away = away(index, &body.com);
            moments[self.of[index]] += 0.5 * body.inertia.trace() + body.mass * away * away;
        }
        // A weld is no joint of the assembly, and a free joint holds nothing.
        for joint in model.joints.iter().filter(|j| !matches!(j.kind, JointKind::Fixed | JointKind::Free)) {
            for end in [&joint.a, &joint.b] {
                let reach = &mut reaches[self.of[end.body]];
                *reach = reach.max(away(end.body, &end.pose.translation));
            }
        }
        let size = |first: &usize| {
            let spread = (moments[*first] / masses[*first]).sqrt();
            (spread > 0.0).then(|| spread.max(reaches[*first]))
        };
        self.of.iter().map(size).collect()
    }
}

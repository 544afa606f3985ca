use carom_math::{Twist, Wrench};

use super::workspace::root_freedoms;
use super::{Link, TreeWorkspace};
use crate::kinematics::BodyKinematics;

impl TreeWorkspace {
    /// Accelerations of one tree, from rest, under wrenches on its links and efforts along its freedoms: M⁻¹ applied
    /// to a generalised force. The tree must have been articulated. `loads` holds the wrench of each link of the
    /// whole system, `efforts` that of each freedom; only those of the tree are read.
    pub(crate) fn respond(
        &mut self,
        links: &[Link],
        bodies: &[BodyKinematics],
        tree: std::ops::Range<usize>,
        loads: &[Wrench],
        efforts: &[f64],
    ) {
        for index in tree.clone() {
            self.wrench[index] = -loads[index];
        }
        for index in tree.clone().rev() {
            let link = &links[index];
            if link.is_root() {
                continue;
            }
            let held = self.wrench[index];
            let mut passed = held;
            let (first, n) = (link.first_freedom, link.kind.freedoms());
            let at = self.inverse_at[index];
            for k in first..first + n {
                self.left[k] = efforts[k] - held.dot(&self.columns[k]);
            }
            for i in 0..n {
                let share: f64 = (0..n).map(|j| self.inverse[at + n * i + j] * self.left[first + j]).sum();
                passed += self.reach[first + i] * share;
            }
            if let Some(parent) = link.parent {
                let at_parent = passed.shifted_back(&self.arm[index]);
                self.wrench[parent] += at_parent;
            }
        }
        for index in tree {
            let link = &links[index];
            if link.is_root() {
                let rotation = &bodies[link.body].pose.rotation;
                let mut load = -self.wrench[index];
                // Efforts along a root's freedoms are a force in world axes and a torque in body axes.
                let e = &efforts[link.freedoms()];
                load.force += carom_math::Vec3::new(e[0], e[1], e[2]);
                load.torque += rotation * carom_math::Vec3::new(e[3], e[4], e[5]);
                let acceleration = self.mobility[index].solve_as_mobility(&load);
                self.acceleration[index] = acceleration;
                root_freedoms(&acceleration, rotation, &mut self.generalized[link.freedoms()]);
                continue;
            }
            let carried = match link.parent {
                Some(parent) => self.acceleration[parent].shifted(&self.arm[index]),
                None => Twist::ZERO,
            };
            self.outward(index, link, carried);
        }
    }
}

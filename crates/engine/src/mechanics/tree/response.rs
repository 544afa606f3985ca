use carom_math::{Mat3, Twist, Vec3, Wrench};

use super::{Link, TreeWorkspace};
use crate::mechanics::kinematics::BodyKinematics;

impl TreeWorkspace {
    /// Accelerations, from rest, under wrenches on the links of a tree and efforts along its freedoms: M⁻¹ applied
    /// to a generalised force. The tree must have been articulated. `loads` holds the wrench of each link of the
    /// whole system, `efforts` that of each freedom. Only the links `visited` are looked at, parents first: all of the
    /// tree, or those loaded, those whose acceleration is asked for, and what carries them.
    pub(crate) fn respond(
        &mut self,
        links: &[Link],
        bodies: &[BodyKinematics],
        visited: impl DoubleEndedIterator<Item = usize> + Clone,
        loads: &[Wrench],
        efforts: &[f64],
    ) {
        for index in visited.clone() {
            self.wrench[index] = -loads[index];
        }
        for index in visited.clone().rev() {
            self.pass_inward(index, &links[index], efforts);
        }
        for index in visited {
            self.pass_outward(index, &links[index], bodies, efforts);
        }
    }

    /// A link's load, where an inward pass along some links begins.
    pub(crate) fn take_load(&mut self, index: usize, load: &Wrench) {
        self.wrench[index] = -*load;
    }

    /// One link of an inward pass: gives, by its freedoms, what is left of the efforts and what that moves them by, D⁻¹ u; of a root the
    /// whole wrench and the acceleration that it makes, in any axes.
    #[inline(always)]
    pub(crate) fn leave(
        &mut self,
        index: usize,
        link: &Link,
        rotation: &Mat3,
        efforts: &[f64],
        mut give: impl FnMut(usize, f64, f64),
    ) {
        if link.is_root() {
            let held = root_efforts(&efforts[link.freedoms()], rotation) - self.wrench[index];
            let acceleration = self.mobility[index].solve_as_mobility(&held);
            for k in 0..3 {
                give(k, held.force[k], acceleration.linear[k]);
                give(3 + k, held.torque[k], acceleration.angular[k]);
            }
            return;
        }
        self.pass_inward(index, link, efforts);
        let (first, at, n) = (link.first_freedom, self.inverse_at[index], link.kind.freedoms());
        for i in 0..n {
            let moved = (0..n).map(|j| self.inverse[at + n * i + j] * self.left[first + j]).sum();
            give(i, self.left[first + i], moved);
        }
    }

    /// What is left of a joint's efforts, u = τ − Sᵀ p, and the wrench p + U D⁻¹ u that the parent must hold; p + U q̈ if
    /// a drive prescribes q̈.
    #[inline(always)]
    pub(super) fn pass_inward(&mut self, index: usize, link: &Link, efforts: &[f64]) {
        if link.is_root() {
            return;
        }
        let held = self.wrench[index];
        let mut passed = held.shifted_back(&self.arm[index]);
        let (first, at) = (link.first_freedom, self.inverse_at[index]);
        if let [column] = &self.columns[link.freedoms()] {
            let left = efforts[first] - held.dot(column);
            self.left[first] = left;
            passed += self.reach[first] * (self.inverse[at] * left + self.prescribed[first]);
        } else {
            let n = link.kind.freedoms();
            for k in first..first + n {
                self.left[k] = efforts[k] - held.dot(&self.columns[k]);
            }
            for i in 0..n {
                let share: f64 = (0..n).map(|j| self.inverse[at + n * i + j] * self.left[first + j]).sum();
                passed += self.reach[first + i] * share;
            }
        }
        if let Some(parent) = link.parent {
            self.wrench[parent] += passed;
        }
    }

    /// q̈ = D⁻¹ (u − Uᵀ a) and the link's acceleration a + S q̈, from the acceleration a of the parent.
    #[inline(always)]
    pub(super) fn pass_outward(
        &mut self,
        index: usize,
        link: &Link,
        bodies: &[BodyKinematics],
        efforts: &[f64],
    ) {
        if link.is_root() {
            self.accelerate_root(index, link, &bodies[link.body].pose.rotation, efforts);
            return;
        }
        let parent = link.parent.map_or(Twist::ZERO, |parent| self.acceleration[parent]);
        let mut acceleration = parent.shifted(&self.arm[index]);
        let (first, at) = (link.first_freedom, self.inverse_at[index]);
        // U · a is taken at the parent: it does not wait for the shift.
        if let [column] = &self.columns[link.freedoms()] {
            let q = self.inverse[at] * (self.left[first] - self.reach[first].dot(&parent))
                + self.prescribed[first];
            self.generalized[first] = q;
            acceleration += *column * q;
        } else {
            let n = link.kind.freedoms();
            let mut rest = [0.0; 6];
            for (k, rest) in rest[..n].iter_mut().enumerate() {
                *rest = self.left[first + k] - self.reach[first + k].dot(&parent);
            }
            for i in 0..n {
                let q: f64 = (0..n).map(|j| self.inverse[at + n * i + j] * rest[j]).sum();
                self.generalized[first + i] = q;
                acceleration += self.columns[first + i] * q;
            }
        }
        self.acceleration[index] = acceleration;
    }

    /// What a drive holds its only freedom with, in the response last computed: q̈ = 0 = D⁻¹ (τ + u − Uᵀ a).
    pub(crate) fn impulse_of_drive(&self, link: &Link) -> f64 {
        let parent = link.parent.map_or(Twist::ZERO, |parent| self.acceleration[parent]);
        let first = link.first_freedom;
        self.reach[first].dot(&parent) - self.left[first]
    }

    /// Sᵀ (I (a − bias) + p), and what its armature takes: the effort along the only freedom of a link in the accelerations
    /// last computed by [`Self::accelerate`].
    pub(crate) fn effort_through(&self, index: usize, link: &Link) -> f64 {
        let own = self.acceleration[index] - self.bias[index];
        let wrench = self.inertia[index].apply(&own) + self.wrench[index];
        let freedom = link.first_freedom;
        wrench.dot(&self.columns[freedom]) + link.armature[0] * self.generalized[freedom]
    }

    /// Efforts along a root's freedoms, and its accelerations: linear in world axes, angular in body axes.
    fn accelerate_root(&mut self, index: usize, link: &Link, rotation: &Mat3, efforts: &[f64]) {
        let own = root_efforts(&efforts[link.freedoms()], rotation);
        let acceleration = self.mobility[index].solve_as_mobility(&(own - self.wrench[index]));
        self.acceleration[index] = acceleration;
        let out = &mut self.generalized[link.freedoms()];
        out[..3].copy_from_slice(acceleration.linear.as_slice());
        out[3..6].copy_from_slice(rotation.tr_mul(&acceleration.angular).as_slice());
    }
}

/// Efforts along a root's freedoms as a wrench in world axes.
fn root_efforts(e: &[f64], rotation: &Mat3) -> Wrench {
    Wrench::new(rotation * Vec3::new(e[3], e[4], e[5]), Vec3::new(e[0], e[1], e[2]))
}

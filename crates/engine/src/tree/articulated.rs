use carom_math::{Mat3, SpatialInertia, Wrench};

use super::small::invert;
use super::workspace::root_freedoms;
use super::{Link, TreeWorkspace};
use crate::kinematics::BodyKinematics;
use crate::system::BodyData;

/// Inertia of a body in world axes (kg m²).
#[inline]
fn world_inertia(body: &BodyData, pose: &BodyKinematics) -> Mat3 {
    let r = &pose.pose.rotation;
    r * body.inertia * r.transpose()
}

impl TreeWorkspace {
    /// Articulated inertias of all links that `wanted` selects, with what follows from them for accelerations
    /// (Featherstone 2008, table 7.1, the part that depends on the pose only). Returns the body whose inertia is
    /// not positive.
    #[inline]
    pub(crate) fn articulate(
        &mut self,
        links: &[Link],
        data: &[BodyData],
        bodies: &[BodyKinematics],
        wanted: impl Fn(&Link) -> bool,
    ) -> Result<(), usize> {
        for (index, link) in links.iter().enumerate() {
            if wanted(link) {
                let body = &data[link.body];
                self.inertia[index] =
                    SpatialInertia::rigid(body.mass, world_inertia(body, &bodies[link.body]));
            }
        }
        for index in (0..links.len()).rev() {
            let link = &links[index];
            if !wanted(link) {
                continue;
            }
            if link.is_root() {
                self.mobility[index] = if link.lone {
                    let body = &data[link.body];
                    let r = &bodies[link.body].pose.rotation;
                    let angular = r * body.inverse_inertia * r.transpose();
                    SpatialInertia {
                        angular,
                        coupling: Mat3::zeros(),
                        linear: Mat3::from_diagonal_element(1.0 / body.mass),
                    }
                } else {
                    self.inertia[index].inverse().ok_or(link.body)?
                };
                continue;
            }
            let freedoms = link.freedoms();
            let inertia = self.inertia[index];
            let mut carried = inertia;
            if let [column] = &self.columns[freedoms.clone()] {
                let reach = inertia.apply(column);
                let d = reach.dot(column);
                // Not a positive number: nothing resists the joint.
                if d.is_nan() || d <= 0.0 {
                    return Err(link.body);
                }
                let inverse = 1.0 / d;
                self.reach[freedoms.start] = reach;
                self.inverse[self.inverse_at[index]] = inverse;
                carried.add_dyad(-inverse, &reach, &reach);
            } else {
                self.articulate_many(index, link, &mut carried)?;
            }
            if let Some(parent) = link.parent {
                self.inertia[parent] += carried.shifted_back(&self.arm[index]);
            }
        }
        Ok(())
    }

    /// The same for a joint of several freedoms, or none.
    fn articulate_many(
        &mut self,
        index: usize,
        link: &Link,
        carried: &mut SpatialInertia,
    ) -> Result<(), usize> {
        let (first, n) = (link.first_freedom, link.kind.freedoms());
        let inertia = *carried;
        for k in 0..n {
            self.reach[first + k] = inertia.apply(&self.columns[first + k]);
        }
        let at = self.inverse_at[index];
        let matrix = &mut self.inverse[at..at + n * n];
        for i in 0..n {
            for j in 0..n {
                matrix[n * i + j] = self.reach[first + i].dot(&self.columns[first + j]);
            }
        }
        if !invert(matrix, n) {
            return Err(link.body);
        }
        for i in 0..n {
            let weighted = (0..n)
                .fold(Wrench::ZERO, |sum, j| sum + self.reach[first + j] * self.inverse[at + n * i + j]);
            carried.add_dyad(-1.0, &self.reach[first + i], &weighted);
        }
        Ok(())
    }

    /// Accelerations under wrenches on the bodies (by body, gravity included) and efforts along the freedoms. Lone
    /// roots are not touched.
    #[inline]
    pub(crate) fn accelerate(
        &mut self,
        links: &[Link],
        data: &[BodyData],
        bodies: &[BodyKinematics],
        wrenches: &[Wrench],
        efforts: &[f64],
    ) {
        for (index, link) in links.iter().enumerate() {
            if !link.lone {
                self.wrench[index] = gyroscopic(&data[link.body], &bodies[link.body]) - wrenches[link.body];
            }
        }
        for index in (0..links.len()).rev() {
            let link = &links[index];
            if link.is_root() {
                continue;
            }
            let held = self.wrench[index];
            let mut passed = held + self.inertia[index].apply(&self.bias[index]);
            let freedoms = link.freedoms();
            if let [column] = &self.columns[freedoms.clone()] {
                let f = freedoms.start;
                let reach = self.reach[f];
                let left = efforts[f] - held.dot(column);
                self.left[f] = left;
                let share = self.inverse[self.inverse_at[index]] * (left - reach.dot(&self.bias[index]));
                passed += reach * share;
            } else {
                self.pass_many(index, link, &held, efforts, &mut passed);
            }
            if let Some(parent) = link.parent {
                let at_parent = passed.shifted_back(&self.arm[index]);
                self.wrench[parent] += at_parent;
            }
        }
        for (index, link) in links.iter().enumerate() {
            if link.lone {
                continue;
            }
            if link.is_root() {
                let acceleration = self.mobility[index].solve_as_mobility(&-self.wrench[index]);
                self.acceleration[index] = acceleration;
                let out = &mut self.generalized[link.freedoms()];
                root_freedoms(&acceleration, &bodies[link.body].pose.rotation, out);
                continue;
            }
            let carried = match link.parent {
                Some(parent) => self.acceleration[parent].shifted(&self.arm[index]) + self.bias[index],
                None => self.bias[index],
            };
            self.outward(index, link, carried);
        }
    }

    fn pass_many(&mut self, index: usize, link: &Link, held: &Wrench, efforts: &[f64], passed: &mut Wrench) {
        let (first, n) = (link.first_freedom, link.kind.freedoms());
        for k in first..first + n {
            self.left[k] = efforts[k] - held.dot(&self.columns[k]);
        }
        let at = self.inverse_at[index];
        for i in 0..n {
            let share: f64 = (0..n)
                .map(|j| {
                    let rest = self.left[first + j] - self.reach[first + j].dot(&self.bias[index]);
                    self.inverse[at + n * i + j] * rest
                })
                .sum();
            *passed += self.reach[first + i] * share;
        }
    }

    /// q̈ = D⁻¹ (u − Uᵀ a') and a = a' + S q̈, with the acceleration a' that the joint's parent passes on.
    #[inline]
    pub(super) fn outward(&mut self, index: usize, link: &Link, carried: carom_math::Twist) {
        let (first, n) = (link.first_freedom, link.kind.freedoms());
        let at = self.inverse_at[index];
        let mut acceleration = carried;
        if n == 1 {
            let rest = self.left[first] - self.reach[first].dot(&carried);
            let q = self.inverse[at] * rest;
            self.generalized[first] = q;
            acceleration += self.columns[first] * q;
        } else {
            let mut rest = [0.0; 6];
            for (k, rest) in rest[..n].iter_mut().enumerate() {
                *rest = self.left[first + k] - self.reach[first + k].dot(&carried);
            }
            for i in 0..n {
                let q: f64 = (0..n).map(|j| self.inverse[at + n * i + j] * rest[j]).sum();
                self.generalized[first + i] = q;
                acceleration += self.columns[first + i] * q;
            }
        }
        self.acceleration[index] = acceleration;
    }
}

/// ω × J ω, as a wrench that the motion asks for.
#[inline]
pub(super) fn gyroscopic(data: &BodyData, body: &BodyKinematics) -> Wrench {
    let r = &body.pose.rotation;
    let omega = r.tr_mul(&body.angular_velocity);
    Wrench::new(r * omega.cross(&(data.inertia * omega)), carom_math::Vec3::zeros())
}

use carom_math::{Mat3, SpatialInertia, Wrench};

use super::{Couplings, Link, TreeWorkspace};
use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::small::invert;

/// Articulated inertias that a workspace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Articulated {
    /// Do joints with drives let nothing go?
    holds_drives: bool,
    /// Do joints that move together have one freedom?
    is_coupled: bool,
    /// Are there those of lone links?
    has_lone: bool,
}

impl TreeWorkspace {
    /// Has freedoms resist more than their inertia does, by as much as given (kg or kg m²), until it is called again; none has them
    /// resist by their inertia alone.
    pub(crate) fn resist(&mut self, resistance: Option<&[f64]>) {
        match resistance {
            Some(resistance) => self.resistance.copy_from_slice(resistance),
            None => self.resistance.fill(0.0),
        }
        self.articulated = None;
    }

    /// Articulated inertias of all links, with what follows from them for accelerations (Featherstone 2008, table 7.1, the part that
    /// depends on the pose only, and is there already if it has been asked for at this pose). Where it `holds_drives`, joints that have one
    /// let nothing go. Returns the body whose inertia is not positive.
    #[inline]
    pub(crate) fn articulate(
        &mut self,
        links: &[Link],
        data: &[BodyData],
        bodies: &[BodyKinematics],
        holds_drives: bool,
    ) -> Result<(), usize> {
        let wanted = Articulated { holds_drives, is_coupled: false, has_lone: true };
        if self.articulated == Some(wanted) {
            return Ok(());
        }
        let is_known = self
            .articulated
            .take()
            .is_some_and(|known| known.holds_drives == holds_drives && !known.is_coupled);
        let is_wanted = |link: &Link| link.lone || !is_known;
        for (index, link) in links.iter().enumerate().filter(|(_, link)| !link.lone && is_wanted(link)) {
            let body = &data[link.body];
            self.inertia[index].set_rigid(body.mass, &world_inertia(body, &bodies[link.body]));
        }
        for (index, link) in links.iter().enumerate().rev().filter(|(_, link)| is_wanted(link)) {
            self.articulate_link(index, link, data, bodies, holds_drives && link.drive.is_some())?;
        }
        self.articulated = Some(wanted);
        Ok(())
    }

    /// Accelerations under wrenches on the bodies (by body, gravity included) and efforts along the freedoms, with the
    /// articulated inertias of all links, of lone ones where it says `with_lone`. Driven links accelerate as `prescribed` says. Lone roots
    /// are not accelerated. Joints of `couplings` keep their ratios. Returns the body whose inertia is not positive.
    ///
    /// M q̈ = τ − C (Featherstone 2008, section 3.1): C is what the motion asks for at q̈ = 0, by the Newton–Euler
    /// equations of each body (table 5.1); the answer to what is left is that of articulated bodies at rest.
    #[inline]
    pub(crate) fn accelerate(
        &mut self,
        (links, couplings): (&[Link], Option<&Couplings>),
        data: &[BodyData],
        bodies: &[BodyKinematics],
        wrenches: &[Wrench],
        efforts: &[f64],
        with_lone: bool,
    ) -> Result<(), usize> {
        let is_coupled = couplings.is_some();
        let is_articulated = self.articulated.is_some_and(|known| {
            known.holds_drives && known.is_coupled == is_coupled && (known.has_lone || !with_lone)
        });
        if !is_articulated {
            self.articulated = None;
        }
        for (index, link) in links.iter().enumerate().filter(|(_, link)| !link.lone) {
            let (data, body) = (&data[link.body], &bodies[link.body]);
            let inertia = world_inertia(data, body);
            let (bias, omega) = (&self.bias[index], &body.angular_velocity);
            let torque = inertia * bias.angular + omega.cross(&(inertia * omega));
            self.wrench[index] = Wrench::new(torque, bias.linear * data.mass) - wrenches[link.body];
            if !is_articulated {
                self.inertia[index].set_rigid(data.mass, &inertia);
            }
        }
        if let Some(couplings) = couplings {
            let which = (with_lone, is_articulated);
            self.recurse_coupled((links, couplings), data, bodies, efforts, which)?;
        } else {
            // Two recursions that wait for themselves, not for each other: the processor interleaves them.
            for (index, link) in links.iter().enumerate().rev().filter(|(_, link)| with_lone || !link.lone) {
                if !is_articulated {
                    self.articulate_link(index, link, data, bodies, link.drive.is_some())?;
                }
                self.pass_inward(index, link, efforts);
            }
            for (index, link) in links.iter().enumerate().filter(|(_, link)| !link.lone) {
                self.pass_outward(index, link, bodies, efforts);
            }
        }
        if !is_articulated {
            self.articulated = Some(Articulated { holds_drives: true, is_coupled, has_lone: with_lone });
        }
        for (acceleration, bias) in self.acceleration.iter_mut().zip(&self.bias) {
            *acceleration += *bias;
        }
        Ok(())
    }

    /// Mobility of a root; U and D⁻¹ of a joint, and the inertia I − U D⁻¹ Uᵀ that it shows to its parent. What moves with a
    /// freedom alone adds to D, and so to no other element of M (Featherstone 2008, section 9.6). A joint that is `held` to a motion lets nothing go: it shows all of I.
    #[inline(always)]
    pub(super) fn articulate_link(
        &mut self,
        index: usize,
        link: &Link,
        data: &[BodyData],
        bodies: &[BodyKinematics],
        held: bool,
    ) -> Result<(), usize> {
        if link.is_root() {
            self.mobility[index] = if link.lone {
                free_mobility(&data[link.body], &bodies[link.body])
            } else {
                self.inertia[index].inverse().ok_or(link.body)?
            };
            return Ok(());
        }
        let (above, own) = self.inertia.split_at_mut(index);
        let (inertia, arm) = (&own[0], &self.arm[index]);
        let freedoms = link.freedoms();
        if freedoms.is_empty() {
            if let Some(parent) = link.parent {
                above[parent].add_shifted(inertia, arm);
            }
            return Ok(());
        }
        let [column] = &self.columns[freedoms.clone()] else { return self.articulate_many(index, link) };
        let reach = inertia.apply(column);
        let d = reach.dot(column) + link.armature[0] + self.resistance[freedoms.start];
        // Not a positive number: nothing resists the joint.
        if d.is_nan() || d <= 0.0 {
            return Err(link.body);
        }
        let inverse = if held { 0.0 } else { 1.0 / d };
        if let Some(parent) = link.parent {
            let reach = reach.shifted_back(arm);
            // The whole inertia first, then less what the joint lets go: the shift does not wait for D⁻¹.
            above[parent].add_shifted(inertia, arm);
            above[parent].add_dyad(-inverse, &reach, &reach);
            self.reach[freedoms.start] = reach;
        }
        self.inverse[self.inverse_at[index]] = inverse;
        Ok(())
    }

    /// The same for a joint of several freedoms.
    fn articulate_many(&mut self, index: usize, link: &Link) -> Result<(), usize> {
        let (first, n) = (link.first_freedom, link.kind.freedoms());
        let at = self.inverse_at[index];
        let matrix = &mut self.inverse[at..at + n * n];
        for i in 0..n {
            let reach = self.inertia[index].apply(&self.columns[first + i]);
            for j in 0..n {
                matrix[n * i + j] = reach.dot(&self.columns[first + j]);
            }
            matrix[n * i + i] += link.armature[i] + self.resistance[first + i];
            self.reach[first + i] = reach.shifted_back(&self.arm[index]);
        }
        if !invert(matrix, n) {
            return Err(link.body);
        }
        let Some(parent) = link.parent else { return Ok(()) };
        let (above, own) = self.inertia.split_at_mut(index);
        above[parent].add_shifted(&own[0], &self.arm[index]);
        for i in 0..n {
            let weighted = (0..n)
                .fold(Wrench::ZERO, |sum, j| sum + self.reach[first + j] * self.inverse[at + n * i + j]);
            above[parent].add_dyad(-1.0, &self.reach[first + i], &weighted);
        }
        Ok(())
    }
}

/// Inertia of a body in world axes (kg m²).
#[inline]
fn world_inertia(body: &BodyData, kinematics: &BodyKinematics) -> Mat3 {
    let r = &kinematics.pose.rotation;
    r * body.inertia * r.transpose()
}

/// Acceleration from wrench of a body that carries nothing.
fn free_mobility(body: &BodyData, kinematics: &BodyKinematics) -> SpatialInertia {
    let r = &kinematics.pose.rotation;
    SpatialInertia {
        angular: r * body.inverse_inertia * r.transpose(),
        coupling: Mat3::zeros(),
        linear: Mat3::from_diagonal_element(1.0 / body.mass),
    }
}

//! Articulated bodies with joints that move together. Of the links beyond a joint of a group the recursion keeps, beside the articulated
//! inertia I and the wrench p, what one unit of the group's acceleration s takes: f = I a + h s + p. Where the group ends, its own equation
//! w s + h · a = u takes s out again, as a joint's does its acceleration.

use carom_math::{Twist, Wrench};

use super::couplings::Part;
use super::{Couplings, Link, TreeWorkspace};
use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;

/// Buffers of the recursion, by link or by group. Sized with the workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupled {
    /// By link: h, about its centre of mass, without groups that end there; and Sᵀ h of one that carries a group.
    reach: Vec<Wrench>,
    share: Vec<f64>,
    /// By group: h where it ends.
    at_end: Vec<Wrench>,
    /// By group: w, and its inverse, once it is whole; u; and s.
    weight: Vec<f64>,
    inverse: Vec<f64>,
    left: Vec<f64>,
    rate: Vec<f64>,
}

impl Coupled {
    pub(super) fn new(couplings: Option<&Couplings>) -> Self {
        let (links, groups) = couplings.map_or((0, 0), |c| (c.parts.len(), c.meets.len()));
        Self {
            reach: vec![Wrench::ZERO; links],
            share: vec![0.0; links],
            at_end: vec![Wrench::ZERO; groups],
            weight: vec![0.0; groups],
            inverse: vec![0.0; groups],
            left: vec![0.0; groups],
            rate: vec![0.0; groups],
        }
    }

    /// Hands h on to the link that carries a link, or to where the group ends.
    fn pass(&mut self, couplings: &Couplings, group: usize, parent: Option<usize>, reach: Wrench) {
        // In the world nothing moves.
        let Some(parent) = parent else { return };
        if couplings.meets[group] == Some(parent) {
            self.at_end[group] += reach;
        } else {
            self.reach[parent] += reach;
        }
    }

    /// False if nothing resists the group.
    fn invert(&mut self, group: usize) -> bool {
        let weight = self.weight[group];
        self.inverse[group] = 1.0 / weight;
        weight > 0.0
    }
}

impl TreeWorkspace {
    /// The recursions of [`Self::accelerate`], once the wrenches are there and, if they are asked for, the inertias.
    pub(super) fn recurse_coupled(
        &mut self,
        (links, couplings): (&[Link], &Couplings),
        data: &[BodyData],
        bodies: &[BodyKinematics],
        efforts: &[f64],
        (with_lone, is_articulated): (bool, bool),
    ) -> Result<(), usize> {
        if !is_articulated {
            self.coupled.reach.fill(Wrench::ZERO);
            self.coupled.at_end.fill(Wrench::ZERO);
            self.coupled.weight.fill(0.0);
        }
        self.coupled.left.fill(0.0);
        for (index, link) in links.iter().enumerate().rev().filter(|(_, link)| with_lone || !link.lone) {
            if !couplings.has_part(index) {
                if !is_articulated {
                    self.articulate_link(index, link, data, bodies, link.drive.is_some())?;
                }
                self.pass_inward(index, link, efforts);
                continue;
            }
            if !is_articulated {
                self.articulate_coupled(index, (links, couplings), data, bodies)?;
            }
            self.pass_inward_coupled(index, link, couplings, efforts);
        }
        for group in (0..couplings.meets.len()).filter(|&group| couplings.meets[group].is_none()) {
            if !is_articulated && !self.coupled.invert(group) {
                return Err(links[couplings.leaders[group]].body);
            }
            self.coupled.rate[group] = self.coupled.inverse[group] * self.coupled.left[group];
        }
        for (index, link) in links.iter().enumerate().filter(|(_, link)| !link.lone) {
            self.pass_outward_coupled((index, link), couplings, bodies, efforts);
        }
        Ok(())
    }

    /// Inertia of a link with groups that end there or go through it.
    fn articulate_coupled(
        &mut self,
        index: usize,
        (links, couplings): (&[Link], &Couplings),
        data: &[BodyData],
        bodies: &[BodyKinematics],
    ) -> Result<(), usize> {
        let link = &links[index];
        for &group in &couplings.ends[index] {
            if !self.coupled.invert(group) {
                return Err(links[couplings.leaders[group]].body);
            }
            let reach = &self.coupled.at_end[group];
            self.inertia[index].add_dyad(-self.coupled.inverse[group], reach, reach);
        }
        let part = couplings.parts[index];
        let (Part::Member { group, .. } | Part::Carrier { group }) = part else {
            return self.articulate_link(index, link, data, bodies, link.drive.is_some());
        };
        let beyond = self.coupled.reach[index];
        let (above, own) = self.inertia.split_at_mut(index);
        let (inertia, arm) = (&own[0], &self.arm[index]);
        let [column] = &self.columns[link.freedoms()] else {
            if let Some(parent) = link.parent {
                above[parent].add_shifted(inertia, arm);
            }
            self.coupled.pass(couplings, group, link.parent, beyond.shifted_back(arm));
            return Ok(());
        };
        let reach = inertia.apply(column);
        let share = beyond.dot(column);
        let d = reach.dot(column) + link.armature[0];
        if let Some(parent) = link.parent {
            above[parent].add_shifted(inertia, arm);
        }
        if let Part::Member { ratio, .. } = part {
            self.coupled.weight[group] += ratio * (ratio * d + 2.0 * share);
            let passed = reach * ratio + beyond;
            self.coupled.pass(couplings, group, link.parent, passed.shifted_back(arm));
            return Ok(());
        }
        // Not a positive number: nothing resists the joint.
        if d.is_nan() || d <= 0.0 {
            return Err(link.body);
        }
        let inverse = 1.0 / d;
        self.coupled.share[index] = share;
        self.coupled.weight[group] -= share * inverse * share;
        self.coupled.pass(
            couplings,
            group,
            link.parent,
            (beyond + reach * (-inverse * share)).shifted_back(arm),
        );
        let reach = reach.shifted_back(arm);
        if let Some(parent) = link.parent {
            above[parent].add_dyad(-inverse, &reach, &reach);
        }
        self.reach[link.first_freedom] = reach;
        self.inverse[self.inverse_at[index]] = inverse;
        Ok(())
    }

    /// What is left of efforts, of joints and of groups, and the wrench that the parent must hold.
    fn pass_inward_coupled(&mut self, index: usize, link: &Link, couplings: &Couplings, efforts: &[f64]) {
        for &group in &couplings.ends[index] {
            let rate = self.coupled.inverse[group] * self.coupled.left[group];
            self.wrench[index] += self.coupled.at_end[group] * rate;
        }
        let first = link.first_freedom;
        match couplings.parts[index] {
            Part::Member { group, ratio } => {
                let held = self.wrench[index];
                self.left[first] = efforts[first] - held.dot(&self.columns[first]);
                self.coupled.left[group] += ratio * self.left[first];
                if let Some(parent) = link.parent {
                    self.wrench[parent] += held.shifted_back(&self.arm[index]);
                }
            }
            Part::Carrier { group } => {
                self.pass_inward(index, link, efforts);
                if link.kind.freedoms() == 1 {
                    let rate = self.inverse[self.inverse_at[index]] * self.left[first];
                    self.coupled.left[group] -= self.coupled.share[index] * rate;
                }
            }
            Part::None => self.pass_inward(index, link, efforts),
        }
    }

    /// Accelerations of a link and its joint, and of groups that end at it, from that of the parent.
    fn pass_outward_coupled(
        &mut self,
        (index, link): (usize, &Link),
        couplings: &Couplings,
        bodies: &[BodyKinematics],
        efforts: &[f64],
    ) {
        let first = link.first_freedom;
        let parent = link.parent.map_or(Twist::ZERO, |parent| self.acceleration[parent]);
        let along = match couplings.parts[index] {
            Part::Member { group, ratio } => Some(ratio * self.coupled.rate[group]),
            Part::Carrier { group } if link.kind.freedoms() == 1 => {
                let taken =
                    self.reach[first].dot(&parent) + self.coupled.share[index] * self.coupled.rate[group];
                Some(self.inverse[self.inverse_at[index]] * (self.left[first] - taken))
            }
            _ => None,
        };
        if let Some(rate) = along {
            self.generalized[first] = rate;
            self.acceleration[index] = parent.shifted(&self.arm[index]) + self.columns[first] * rate;
        } else {
            self.pass_outward(index, link, bodies, efforts);
        }
        for &group in &couplings.ends[index] {
            let taken = self.coupled.at_end[group].dot(&self.acceleration[index]);
            self.coupled.rate[group] = self.coupled.inverse[group] * (self.coupled.left[group] - taken);
        }
    }

    /// By freedom of members: what pushes along it beside `efforts`, so that it keeps its ratio, in the accelerations last computed.
    pub(crate) fn pushes_of_couplings(
        &self,
        links: &[Link],
        couplings: &Couplings,
        efforts: &[f64],
        out: &mut [f64],
    ) {
        for (index, link) in links.iter().enumerate() {
            let Part::Member { group, .. } = couplings.parts[index] else { continue };
            let own = self.acceleration[index] - self.bias[index];
            let mut wrench = self.inertia[index].apply(&own) + self.wrench[index];
            if couplings.is_open[index] {
                wrench += self.coupled.reach[index] * self.coupled.rate[group];
            }
            let freedom = link.first_freedom;
            let taken = link.armature[0] * self.generalized[freedom];
            out[freedom] = wrench.dot(&self.columns[freedom]) + taken - efforts[freedom];
        }
    }
}

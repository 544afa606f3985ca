//! How areal surfaces moved when they began to touch: what restitution is measured against.
//!
//! It is one field of velocities a contact, kept in the axes of the base, where the elements stay: what an element's surfaces
//! approached each other at is a number of its own until another beginning. Patches of one contact share it.

use carom_geometry::polygonal::BaseElement;
use carom_math::Vec3;

use super::Evaluator;
use super::areal::{ArealWorkspace, PassWorkspace, RelativeMotion, active, in_pass, motion_in_base};
use super::placed::Placed;
use crate::record::ContactMode;
use crate::system::{ArealPair, ArealPass, PairSource};

/// By pass, of the target against the base in base axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BeginMotion(pub(crate) [RelativeMotion; 2]);

impl BeginMotion {
    /// As the surfaces move now.
    fn of(areal: &ArealPair, placed: &Placed<'_>) -> Self {
        let mut motions = [RelativeMotion::default(); 2];
        for (motion, pass) in motions.iter_mut().zip(&areal.passes) {
            *motion = motion_in_base(&in_pass(pass, placed));
        }
        Self(motions)
    }
}

/// How the target of a pass moves against its base: now, and when they began to touch.
pub(super) struct PassMotion<'a> {
    pub(super) now: RelativeMotion,
    began: Option<&'a RelativeMotion>,
}

impl<'a> PassMotion<'a> {
    /// Of the pass of this number.
    pub(super) fn new(placed: &Placed<'_>, began: Option<&'a BeginMotion>, number: usize) -> Self {
        Self { now: motion_in_base(placed), began: began.map(|began| &began.0[number]) }
    }

    /// Speed at which the surfaces of an element approached each other when the contact began (m/s); infinite without a
    /// beginning.
    #[inline]
    pub(super) fn approach_at_begin(&self, element: &BaseElement) -> f64 {
        self.began.map_or(f64::INFINITY, |began| -element.normal.dot(&began.at(&element.barycentre)))
    }
}

impl RelativeMotion {
    /// Velocity at a place.
    #[inline]
    pub(super) fn at(&self, place: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(place)
    }
}

impl ArealWorkspace {
    /// Approach speed (m/s) now and that which restitution is measured against: means over the elements of the last evaluation,
    /// weighted by their elastic force. `None` if none is in contact.
    fn approaches(
        &self,
        areal: &ArealPair,
        placed: &Placed<'_>,
        began: Option<&BeginMotion>,
    ) -> Option<[f64; 2]> {
        let (mut load, mut sums) = (0.0, [0.0; 2]);
        for (number, (pass, workspace)) in areal.passes.iter().zip(&self.passes).enumerate() {
            let motion = PassMotion::new(&in_pass(pass, placed), began, number);
            add_approaches(pass, workspace, &motion, &mut load, &mut sums);
        }
        (load > 0.0).then(|| sums.map(|sum| sum / load))
    }
}

fn add_approaches(
    pass: &ArealPass,
    workspace: &PassWorkspace,
    motion: &PassMotion<'_>,
    load: &mut f64,
    sums: &mut [f64; 2],
) {
    for hit in active(&workspace.hits) {
        let element = workspace.detector.element(pass, hit.element);
        let elastic = pass.law.stiffness * hit.depth * element.area;
        let now = -element.normal.dot(&motion.now.at(&element.barycentre));
        *load += elastic;
        sums[0] += elastic * now;
        sums[1] += elastic * pass.law.reference_speed(motion.approach_at_begin(&element));
    }
}

impl Evaluator<'_> {
    /// How the surfaces of a contact move now, if it is areal and its law measures against that.
    pub(super) fn begin_motion(&self, contact: usize) -> Option<BeginMotion> {
        let data = &self.table.pairs[self.table.contacts[contact].pair];
        let PairSource::Areal(areal) = &data.source else { return None };
        let placed = Placed::of(areal.surfaces, data.bodies, (&self.surfaces, &self.bodies));
        areal.keeps_approach().then(|| BeginMotion::of(areal, &placed))
    }

    /// Takes the motion now for that in which every areal contact began.
    pub(crate) fn begin_all_areal(&mut self) {
        for contact in 0..self.contacts.memory.len() {
            self.contacts.memory[contact].began = self.begin_motion(contact);
        }
    }

    /// Contacts that are hit harder than they began take the new motion. To be called at accepted states, where the evaluator
    /// is. The share r of their law is clamped to 1 before, and is 1 after it: nothing jumps where all elements are hit alike.
    pub(crate) fn take_harder_hits(&mut self) {
        for slot in 0..self.contacts.active.len() {
            let contact = self.contacts.active[slot];
            let memory = &self.contacts.memory[contact];
            if memory.mode == ContactMode::Open || memory.began.is_none() {
                continue;
            }
            let index = self.table.contacts[contact].pair;
            let (data, workspace) = (&self.table.pairs[index], self.areal[index].as_ref());
            let (PairSource::Areal(areal), Some(workspace)) = (&data.source, workspace) else { continue };
            let placed = Placed::of(areal.surfaces, data.bodies, (&self.surfaces, &self.bodies));
            let Some([now, began]) = workspace.approaches(areal, &placed, memory.began.as_ref()) else {
                continue;
            };
            if now > began {
                let motion = BeginMotion::of(areal, &placed);
                let memory = &mut self.contacts.memory[contact];
                memory.began = Some(motion);
                memory.frozen_approach = now;
            }
        }
    }
}

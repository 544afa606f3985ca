//! How areal surfaces move, and moved when they began to touch: what restitution is measured against.
//!
//! It is one field of velocities a patch, kept in the axes of the base, where the elements stay: what an element's surfaces
//! approached each other at is a number of its own until another beginning.

use carom_geometry::polygonal::{BaseElement, ElementHit};
use carom_math::Vec3;

use super::super::Evaluator;
use super::super::patches::{BegunPatch, PatchBook};
use super::super::placed::Placed;
use super::grip::PatchPlaces;
use super::{RelativeMotion, in_pass, motion_in_base};
use crate::system::{ArealPair, ArealPass, PairSource};

/// By pass, of the target against the base in base axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BeginMotion(pub(crate) [RelativeMotion; 2]);

impl BeginMotion {
    /// As the surfaces move now.
    pub(in crate::contact) fn of(areal: &ArealPair, placed: &Placed<'_>) -> Self {
        let mut motions = [RelativeMotion::default(); 2];
        for (motion, pass) in motions.iter_mut().zip(&areal.passes) {
            *motion = motion_in_base(&in_pass(pass, placed));
        }
        Self(motions)
    }
}

/// How the target of a pass moves against its base: now, and when they began to touch.
pub(in crate::contact) struct PassMotion<'a> {
    pub(in crate::contact) now: RelativeMotion,
    began: Began<'a>,
}

/// Where the motion of the beginning comes from.
enum Began<'a> {
    /// Nothing is measured against it.
    Never,
    /// One patch.
    Alike(&'a RelativeMotion),
    /// The patch that an element belongs to, by its place.
    ByPatch { places: PatchPlaces<'a>, pass: usize },
}

impl<'a> PassMotion<'a> {
    /// Of the pass of this number, which `placed` is in the order of.
    pub(in crate::contact) fn new(
        areal: &'a ArealPair,
        placed: &Placed<'_>,
        book: Option<&'a PatchBook>,
        number: usize,
    ) -> Self {
        let began = match book.map(|book| (book, &book.patches[..])) {
            Some((_, [one])) => {
                one.motion.as_ref().map_or(Began::Never, |motion| Began::Alike(&motion.0[number]))
            }
            Some((book, [_, ..])) if areal.keeps_approach() => {
                Began::ByPatch { places: PatchPlaces::new(book, &areal.grid, placed, number), pass: number }
            }
            _ => Began::Never,
        };
        Self { now: motion_in_base(placed), began }
    }

    /// Speed at which the surfaces of an element approached each other when its patch began (m/s); infinite without a
    /// beginning.
    #[inline]
    pub(in crate::contact) fn approach_at_begin(&self, element: &BaseElement) -> f64 {
        let velocity = match &self.began {
            Began::Never => return f64::INFINITY,
            Began::Alike(motion) => motion.at(&element.barycentre),
            Began::ByPatch { places, pass } => match velocity_of_patch(places, *pass, element) {
                Some(velocity) => velocity,
                None => return f64::INFINITY,
            },
        };
        -element.normal.dot(&velocity)
    }
}

/// Velocity of the target of a pass against an element when its patch began. Apart from the two cases that are quick, so that
/// these are made in place.
#[inline(never)]
fn velocity_of_patch(places: &PatchPlaces<'_>, pass: usize, element: &BaseElement) -> Option<Vec3> {
    let patch = places.patch_of(element);
    places.book.patches[patch].velocity_at_begin(pass, &element.barycentre)
}

impl RelativeMotion {
    /// Velocity at a place.
    #[inline]
    pub(in crate::contact) fn at(&self, place: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(place)
    }
}

/// How the surfaces of a contact move now, if it is areal and its law measures against that.
pub(in crate::contact) fn begin_motion(evaluator: &Evaluator<'_>, contact: usize) -> Option<BeginMotion> {
    let data = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let PairSource::Areal(areal) = &data.source else { return None };
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    areal.keeps_approach().then(|| BeginMotion::of(areal, &placed))
}

/// Begins the one patch of an areal contact, at a place and with an approach speed (m/s).
pub(in crate::contact) fn begin_first_patch(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    time: f64,
    place: &Vec3,
    speed: f64,
) {
    let motion = begin_motion(evaluator, contact);
    let index = evaluator.table.contacts[contact].pair;
    let PairSource::Areal(areal) = &evaluator.table.pairs[index].source else { return };
    let x_wg = &evaluator.surfaces[areal.meshes.surfaces[usize::from(!areal.passes[0].base_is_a)]];
    let cell = areal.grid.cell(&x_wg.inverse_transform_point(place));
    evaluator.contacts.books[index].begin(BegunPatch::beginning(motion, time, speed), cell);
}

/// Takes the motion now for that in which every areal contact began.
pub(crate) fn begin_all_areal(evaluator: &mut Evaluator<'_>) {
    for contact in 0..evaluator.contacts.memory.len() {
        begin_first_patch(evaluator, contact, evaluator.workspace.time, &Vec3::zeros(), 0.0);
    }
}

/// How the target moves against an element, along its line and across.
pub(super) struct ElementMotion {
    pub(super) at: Vec3,
    pub(super) direction: Vec3,
    pub(super) approach: f64,
    pub(super) slip: Vec3,
}

impl ElementMotion {
    #[inline(always)]
    pub(super) fn new(
        pass: &ArealPass,
        element: &BaseElement,
        motion: &RelativeMotion,
        hit: &ElementHit,
    ) -> Self {
        let direction = -element.normal;
        let at = element.barycentre + direction * (pass.law.base_share * hit.depth);
        let velocity = motion.at(&at);
        let approach = direction.dot(&velocity);
        Self { at, direction, approach, slip: velocity - direction * approach }
    }
}

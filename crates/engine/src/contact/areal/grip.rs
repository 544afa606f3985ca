//! Bristles of areal contact: one for each patch that its book has.
//!
//! An element belongs to the patch in whose cell of the grid it lies, or the nearest. Its load is part of that patch's force, whose
//! friction is that of a disc with the elements' radius of gyration.

use carom_geometry::polygonal::BaseElement;
use carom_math::{Pose, Vec3};

use super::{ArealWorkspace, ElementForce};
use crate::contact::grip::{Part, grip_parts};
use crate::contact::meshes::between;
use crate::contact::patches::PatchBook;
use crate::contact::placed::Placed;
use crate::contact::{ContactForce, Evaluator};
use crate::system::PatchGrid;

/// Mean distance over radius of gyration of a disc about its centre: (2/3)/(1/√2).
const DISC: f64 = 0.942_809_041_582_063_4;

/// Which patch elements of a pass belong to, by their places.
pub(super) struct PatchPlaces<'a> {
    pub(super) book: &'a PatchBook,
    grid: &'a PatchGrid,
    /// From the axes of the pass's base to those of the grid, if they are others.
    to_grid: Option<Pose>,
}

impl<'a> PatchPlaces<'a> {
    /// In the pass of this number, which `placed` is in the order of.
    pub(super) fn new(book: &'a PatchBook, grid: &'a PatchGrid, placed: &Placed<'_>, number: usize) -> Self {
        // The grid is in the axes of the first base, which is the second target.
        let [x_wb, x_wt] = placed.poses;
        Self { book, grid, to_grid: (number > 0).then(|| between(x_wt, x_wb)) }
    }

    /// The patch of an element.
    pub(super) fn patch_of(&self, element: &BaseElement) -> usize {
        if self.book.patches.len() < 2 {
            return 0;
        }
        let place = self.to_grid.as_ref().map(|x| x.transform_point(&element.barycentre));
        self.book.nearest(&self.grid.cell(&place.unwrap_or(element.barycentre)))
    }
}

/// Sums over the elements of a patch, in base axes of a pass, or in world axes from a reference.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PatchSums {
    /// Of the normal forces (N).
    pressing: Vec3,
    /// Of their sizes (N), of these times place, and times its square.
    load: f64,
    at: Vec3,
    spread: f64,
}

impl PatchSums {
    pub(super) fn add(&mut self, e: &ElementForce) {
        self.pressing -= e.direction * e.load;
        self.load += e.load;
        self.at += e.at * e.load;
        self.spread += e.at.norm_squared() * e.load;
    }

    /// Adds the sums of a pass, of which `on_b` is its weight with the sign of forces on B.
    pub(super) fn add_placed(&mut self, of_pass: &Self, x_wb: &Pose, reference: &Vec3, on_b: f64) {
        let r = &x_wb.rotation;
        let (arm, weight, at) = (x_wb.translation - reference, on_b.abs(), r * of_pass.at);
        self.pressing += r * of_pass.pressing * on_b;
        self.load += weight * of_pass.load;
        self.at += (arm * of_pass.load + at) * weight;
        let about_reference = arm.norm_squared() * of_pass.load + 2.0 * arm.dot(&at);
        self.spread += weight * (of_pass.spread + about_reference);
    }

    /// What bristles hold of it; what does not press has the normal of the whole.
    fn part(&self, reference: &Vec3, whole: &ContactForce, placed: &Placed<'_>) -> Part {
        let pressing = self.pressing.norm();
        let is_pressed = pressing > 0.0 && self.load > 0.0;
        let normal = if is_pressed { self.pressing / pressing } else { whole.point.normal };
        let middle = if is_pressed { self.at / self.load } else { whole.point.position - reference };
        let position = reference + middle;
        let [a, b] = placed.bodies;
        let velocity = b.point_velocity(&position) - a.point_velocity(&position);
        let square = if is_pressed { self.spread / self.load - middle.norm_squared() } else { 0.0 };
        Part {
            pressing,
            normal,
            position,
            sliding: velocity - normal * normal.dot(&velocity),
            radius: DISC * square.max(0.0).sqrt(),
            friction: Vec3::zeros(),
            torque: Vec3::zeros(),
        }
    }
}

impl ArealWorkspace {
    /// Keeps what bristles hold of each patch; nothing does yet.
    pub(super) fn keep_parts(&mut self, reference: &Vec3, whole: &ContactForce, placed: &Placed<'_>) {
        self.parts.clear();
        self.parts.extend(self.sums.iter().map(|sums| sums.part(reference, whole, placed)));
    }
}

/// Shear of the bristle on B of a patch over the pressure, evenly on its elements, in the last evaluation.
pub(super) fn held(parts: &[Part], sums: &[PatchSums], patch: usize) -> Vec3 {
    match parts.get(patch).zip(sums.get(patch)) {
        Some((part, sums)) if sums.load > 0.0 => part.friction / sums.load,
        _ => Vec3::zeros(),
    }
}

/// Adds what bristles do to the force of an active areal contact, of which the first state is that.
pub(in crate::contact) fn grip_patches(
    evaluator: &mut Evaluator<'_>,
    slot: usize,
    first: usize,
    force: &mut ContactForce,
) {
    let pair = evaluator.table.contacts[evaluator.contacts.active[slot]].pair;
    let Some(workspace) = &mut evaluator.areal[pair] else { return };
    if workspace.fault.is_some() {
        return;
    }
    let mut parts = std::mem::take(&mut workspace.parts);
    let held = std::mem::take(&mut evaluator.contacts.books[pair].held);
    grip_parts(evaluator, (slot, first), &mut parts, (&held.hands, &held.shares), force);
    evaluator.contacts.books[pair].held = held;
    if let Some(workspace) = &mut evaluator.areal[pair] {
        workspace.parts = parts;
    }
}

//! Areal contact: the elastic foundation's pressure on every active element, summed in the order of the elements.

pub(crate) mod begin;
mod beside;
mod beside_lists;
pub(super) mod grip;
pub(crate) mod jump;
mod pass;
pub(crate) mod peak;
mod pierced;
pub(crate) mod work;

use std::sync::Arc;

use carom_geometry::intersection::IntersectionFault;
use carom_geometry::polygonal::{BaseElement, ElementHit, PatchSearch};
use carom_math::Vec3;

use super::branch::Branch;
use super::grip::Part;
use super::patches::PatchBook;
use super::placed::Placed;
use super::point::PointMotion;
use super::point_force::Resultant;
use super::{ContactForce, Evaluator};
use crate::law::Friction;
use crate::record::{ElementSample, PatchSample};
use crate::system::{ArealPair, ArealPass, PairData, PairSource, PairTable};
use begin::{ElementMotion, PassMotion};
use grip::{PatchPlaces, PatchSums, held};
use pass::Detector;
pub(super) use pass::PassWorkspace;
pub(super) use pierced::Pierced;

/// Why no elements are found at a pose.
pub(crate) type ArealFault = IntersectionFault;

/// Searches and elements of an areal pair. What a search keeps from call to call makes it faster, and never changes what
/// it finds.
pub(crate) struct ArealWorkspace {
    pub(super) passes: Vec<PassWorkspace>,
    /// Why the last search has failed, if it has.
    pub(crate) fault: Option<ArealFault>,
    /// The wall of the target that it has shown to be as good as pierced.
    pub(crate) pierced: Option<Pierced>,
    /// Largest depth of an element of the last evaluation (m): of one beside an edge under the plane that its line meets, as the line is
    /// longer than the surfaces are deep.
    pub(crate) depth: f64,
    /// What bristles hold of each patch in the last evaluation, where friction sticks.
    pub(super) parts: Vec<Part>,
    /// Buffers: sums of a pass, and of all of them, by patch.
    of_pass: Vec<PatchSums>,
    sums: Vec<PatchSums>,
}

/// Sums over the elements of a pass, in base axes: forces on the target, moments about the base's origin.
#[derive(Clone, Copy, Default)]
struct Sums {
    pressing: Vec3,
    friction: Vec3,
    moment: Vec3,
    /// Σ of normal force, and of normal force times position, approach speed and slip.
    load: f64,
    /// Largest.
    pressure: f64,
    branch: Branch,
    at: Vec3,
    approach: f64,
    slip: Vec3,
    potential: f64,
    elastic_power: f64,
    /// In normal damping and in friction.
    dissipation: [f64; 2],
}

/// So many, all zero.
fn reset(sums: &mut Vec<PatchSums>, patches: usize) {
    sums.clear();
    sums.resize(patches, PatchSums::default());
}

impl ArealWorkspace {
    /// One for each areal pair of a table.
    pub(super) fn for_pairs(table: &PairTable) -> Vec<Option<Self>> {
        table.pairs.iter().map(Self::for_pair).collect()
    }

    fn for_pair(pair: &PairData) -> Option<Self> {
        let PairSource::Areal(areal) = &pair.source else { return None };
        let passes = areal.passes.iter().map(PassWorkspace::for_pass).collect();
        Some(Self {
            passes,
            fault: None,
            pierced: None,
            depth: 0.0,
            parts: Vec::new(),
            of_pass: Vec::new(),
            sums: Vec::new(),
        })
    }

    /// Finds the active elements and adds up their forces.
    pub(super) fn evaluate(
        &mut self,
        areal: &ArealPair,
        friction: &Friction,
        placed: &Placed<'_>,
        began: Option<&PatchBook>,
    ) -> ContactForce {
        (self.fault, self.pierced, self.depth) = (None, None, 0.0);
        let mut deepest = 0.0_f64;
        let mut force = ContactForce::at(PointMotion::NEVER);
        let mut both = Resultant { reference: placed.poses[0].translation, ..Resultant::default() };
        let weight = 1.0 / areal.passes.len() as f64;
        let is_gripped = friction.states() > 0;
        let patches = if is_gripped { began.map_or(1, |book| book.patches.len().max(1)) } else { 0 };
        reset(&mut self.sums, patches);
        for (number, (pass, workspace)) in areal.passes.iter().zip(&mut self.passes).enumerate() {
            let placed = in_pass(pass, placed);
            let x_wb = placed.poses[0];
            if let Err(fault) = workspace.search(pass, placed.poses) {
                self.fault = Some(fault);
                return ContactForce { normal: f64::NAN, ..force };
            }
            if let Some(walls) = &pass.walls {
                self.pierced = self.pierced.or_else(|| Pierced::find(&workspace.hits, walls));
            }
            let motion = PassMotion::new(areal, &placed, began, number);
            reset(&mut self.of_pass, patches);
            let places = began.map(|book| PatchPlaces::new(book, &areal.grid, &placed, number));
            let of_pass = &mut self.of_pass;
            let mut keep = |element: &BaseElement, e: &ElementForce| {
                if is_gripped {
                    of_pass[places.as_ref().map_or(0, |places| places.patch_of(element))].add(e);
                }
            };
            let (sums, depth) = sum(pass, friction, &motion, workspace, &mut keep);
            let of_pass = sums.branch.in_pass(number);
            if depth > deepest {
                (deepest, force.branch.depth) = (depth, of_pass.depth);
            }
            if weight * sums.pressure > force.pressure {
                (force.pressure, force.branch.pressure) = (weight * sums.pressure, of_pass.pressure);
            }
            force.branch.force = force.branch.force.wrapping_add(of_pass.force);
            self.depth = self.depth.max(if pass.edges.is_some() { workspace.depth } else { depth });
            // On the target; the model's B may be the base.
            let on_b = if pass.base_is_a { weight } else { -weight };
            let r = &x_wb.rotation;
            let total = r * (sums.pressing + sums.friction);
            both.pressing += r * sums.pressing * on_b;
            force.friction += r * sums.friction * on_b;
            let arm = x_wb.translation - both.reference;
            both.moment += (r * sums.moment + arm.cross(&total)) * on_b;
            both.load += weight * sums.load;
            both.at += arm * (weight * sums.load) + r * sums.at * weight;
            for (all, own) in self.sums.iter_mut().zip(&self.of_pass) {
                all.add_placed(own, x_wb, &both.reference, on_b);
            }
            both.approach += weight * sums.approach;
            both.slip += r * sums.slip * on_b;
            force.potential += weight * sums.potential;
            force.elastic_power += weight * sums.elastic_power;
            force.dissipation[0] += weight * sums.dissipation[0];
            force.dissipation[1] += weight * sums.dissipation[1];
        }
        force.point.gap = -deepest;
        both.give(&mut force);
        self.keep_parts(&both.reference, &force, placed);
        force
    }

    /// Patches and elements of the last evaluation, for recording. What a bristle holds is spread over the elements of its patch by
    /// their pressures.
    pub(super) fn sample(
        &mut self,
        areal: &ArealPair,
        friction: &Friction,
        placed: &Placed<'_>,
        began: Option<&PatchBook>,
        contact: usize,
        rows: &mut ArealRows,
    ) {
        let weight = 1.0 / areal.passes.len() as f64;
        let first = rows.patches.len();
        let (parts, sums) = (&self.parts, &self.sums);
        for (pass_number, (pass, workspace)) in areal.passes.iter().zip(&mut self.passes).enumerate() {
            let mut patches = workspace.patches.take().unwrap_or_else(|| PatchSearch::new(&pass.mesh));
            let hits = &workspace.hits;
            let before = rows.patches.len();
            let number_of = |patch: u32| (before - first) as u32 + patch;
            for (number, patch) in patches.find(&pass.base, hits, |_, _| 1.0).iter().enumerate() {
                rows.patches.push(PatchSample {
                    contact,
                    patch: number_of(number as u32),
                    elements: patch.elements,
                    area: patch.area,
                    position: Vec3::zeros(),
                    force: Vec3::zeros(),
                    torque: Vec3::zeros(),
                    pressure: 0.0,
                    penetration: 0.0,
                });
            }
            let placed = in_pass(pass, placed);
            let (x_wb, motion) = (placed.poses[0], PassMotion::new(areal, &placed, began, pass_number));
            let places = began.map(|book| PatchPlaces::new(book, &areal.grid, &placed, pass_number));
            let r = &x_wb.rotation;
            let on_b = if pass.base_is_a { 1.0 } else { -1.0 };
            let first_element = rows.elements.len();
            for (index, hit) in hits.iter().enumerate() {
                let Some(patch) = patches.patch_of(index) else { continue };
                let element = workspace.element(pass, hit.element);
                let e = element_force(pass, &element, friction, &motion, hit);
                let begun = places.as_ref().map_or(0, |places| places.patch_of(&element));
                let held = held(parts, sums, begun);
                let (triangle, leaf) = pass.base.place(hit.element);
                rows.elements.push(ElementSample {
                    contact,
                    patch: number_of(patch),
                    base_is_a: pass.base_is_a,
                    element: triangle,
                    leaf,
                    area: e.area,
                    corners: pass
                        .base
                        .corners(&pass.mesh, hit.element)
                        .map(|corner| x_wb.transform_point(&corner)),
                    position: x_wb.transform_point(&e.at),
                    penetration: hit.depth,
                    pressure: weight * e.pressure,
                    normal: r * e.direction * -on_b,
                    shear: r * e.friction * (on_b * weight / e.area) + held * (weight * e.pressure),
                    slip: r * e.slip * on_b,
                });
            }
            // No two are equal, and sorting takes no memory.
            rows.elements[first_element..].sort_unstable_by_key(|e| (e.patch, e.element, e.leaf));
            sum_patches(&mut rows.patches[before..], &rows.elements[first_element..], number_of(0));
            workspace.patches = Some(patches);
        }
    }
}

/// Rows of areal contacts at a recorded time.
#[derive(Default)]
pub(crate) struct ArealRows {
    pub(crate) patches: Vec<PatchSample>,
    pub(crate) elements: Vec<ElementSample>,
}

impl ArealRows {
    pub(crate) fn clear(&mut self) {
        self.patches.clear();
        self.elements.clear();
    }
}

/// Forces and centres of patches from their elements; the first has the number `first`.
fn sum_patches(patches: &mut [PatchSample], elements: &[ElementSample], first: u32) {
    let of = |patch: u32| move |e: &&ElementSample| e.patch == patch;
    for (patch, number) in patches.iter_mut().zip(first..) {
        let (mut load, mut at) = (0.0, Vec3::zeros());
        for e in elements.iter().filter(of(number)) {
            patch.force += (e.normal * e.pressure + e.shear) * e.area;
            patch.pressure = patch.pressure.max(e.pressure);
            patch.penetration = patch.penetration.max(e.penetration);
            load += e.pressure * e.area;
            at += e.position * (e.pressure * e.area);
        }
        let middle =
            || elements.iter().filter(of(number)).map(|e| e.position * e.area).sum::<Vec3>() / patch.area;
        patch.position = if load > 0.0 { at / load } else { middle() };
        for e in elements.iter().filter(of(number)) {
            let force = (e.normal * e.pressure + e.shear) * e.area;
            patch.torque += (e.position - patch.position).cross(&force);
        }
    }
}

/// Largest depth of an element of a contact in the last evaluation (m).
pub(super) fn depth_of(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    let pair = evaluator.table.contacts[contact].pair;
    evaluator.areal[pair].as_ref().map_or(0.0, |workspace| workspace.depth)
}

/// The areal pair of a contact, and its index.
pub(super) fn areal_pair(evaluator: &Evaluator<'_>, contact: usize) -> Option<(Arc<ArealPair>, usize)> {
    let index = evaluator.table.contacts[contact].pair;
    match &evaluator.table.pairs[index].source {
        PairSource::Areal(areal) => Some((Arc::clone(areal), index)),
        _ => None,
    }
}

/// Base first.
fn in_order<T: Copy>(pass: &ArealPass, of_a_and_b: [T; 2]) -> [T; 2] {
    let [a, b] = of_a_and_b;
    if pass.base_is_a { [a, b] } else { [b, a] }
}

pub(super) fn in_pass<'a>(pass: &ArealPass, placed: &Placed<'a>) -> Placed<'a> {
    Placed { poses: in_order(pass, placed.poses), bodies: in_order(pass, placed.bodies) }
}

/// Velocity of the target against the base in base axes: at the base's origin, and its spin.
pub(super) fn motion_in_base(placed: &Placed<'_>) -> RelativeMotion {
    let [base, target] = placed.bodies;
    let x_wb = placed.poses[0];
    let origin = x_wb.translation;
    let r = &x_wb.rotation;
    RelativeMotion {
        velocity: r.tr_mul(&(target.point_velocity(&origin) - base.point_velocity(&origin))),
        spin: r.tr_mul(&(target.angular_velocity - base.angular_velocity)),
    }
}

/// Velocity field of the target, seen from the base, in base axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RelativeMotion {
    pub(crate) velocity: Vec3,
    pub(crate) spin: Vec3,
}

/// What acts on an element, on the target, in base axes.
pub(super) struct ElementForce {
    area: f64,
    /// Where (m).
    at: Vec3,
    /// Into the base.
    direction: Vec3,
    pressure: f64,
    /// Normal force (N).
    load: f64,
    /// Of the layer alone (N).
    elastic: f64,
    friction: Vec3,
    /// Power lost in friction (W).
    friction_power: f64,
    approach: f64,
    slip: Vec3,
}

pub(super) fn active(hits: &[ElementHit]) -> impl Iterator<Item = &ElementHit> {
    hits.iter().filter(|hit| hit.is_active())
}

/// The same with their indices among all hits.
pub(super) fn active_with_index(hits: &[ElementHit]) -> impl Iterator<Item = (usize, &ElementHit)> {
    hits.iter().enumerate().filter(|(_, hit)| hit.is_active())
}

#[inline(always)]
pub(super) fn element_force(
    pass: &ArealPass,
    element: &BaseElement,
    friction: &Friction,
    motion: &PassMotion<'_>,
    hit: &ElementHit,
) -> ElementForce {
    let ElementMotion { at, direction, approach, slip } = ElementMotion::new(pass, element, &motion.now, hit);
    let pressure = pass.law.pressure(hit.depth, approach, motion.approach_at_begin(element));
    let load = pressure.total * element.area;
    let speed = slip.norm();
    let dry = load.max(0.0) * friction.ratio(speed);
    ElementForce {
        area: element.area,
        at,
        direction,
        pressure: pressure.total,
        load,
        elastic: pressure.elastic * element.area,
        friction: slip * -dry,
        friction_power: dry * speed * speed,
        approach,
        slip,
    }
}

/// Sums over the active elements, and the largest penetration (m).
fn sum(
    pass: &ArealPass,
    friction: &Friction,
    motion: &PassMotion<'_>,
    workspace: &PassWorkspace,
    keep: &mut impl FnMut(&BaseElement, &ElementForce),
) -> (Sums, f64) {
    // Elements are not asked for one by one: their loop is the longest of an evaluation.
    let PassWorkspace { hits, slanted, .. } = workspace;
    if let (Some(elements), []) = (pass.base.stored_elements(), &slanted[..]) {
        return sum_of(pass, friction, motion, hits, |index| &elements[index as usize], keep);
    }
    sum_of(pass, friction, motion, hits, workspace.elements_in_order(pass), keep)
}

#[inline(always)]
fn sum_of<'a>(
    pass: &ArealPass,
    friction: &Friction,
    motion: &PassMotion<'_>,
    hits: &[ElementHit],
    mut element_of: impl FnMut(u32) -> &'a BaseElement,
    keep: &mut impl FnMut(&BaseElement, &ElementForce),
) -> (Sums, f64) {
    let mut sums = Sums::default();
    let mut depth = 0.0_f64;
    for hit in active(hits) {
        let element = element_of(hit.element);
        let e = element_force(pass, element, friction, motion, hit);
        let pressing = e.direction * -e.load;
        let branch = Branch::of(hit.element, hit.triangle);
        sums.branch.force = sums.branch.force.wrapping_add(branch);
        if hit.depth > depth {
            (depth, sums.branch.depth) = (hit.depth, branch);
        }
        if e.pressure > sums.pressure {
            (sums.pressure, sums.branch.pressure) = (e.pressure, branch);
        }
        sums.pressing += pressing;
        sums.friction += e.friction;
        sums.moment += e.at.cross(&(pressing + e.friction));
        sums.load += e.load;
        sums.at += e.at * e.load;
        keep(element, &e);
        sums.approach += e.approach * e.load;
        sums.slip += e.slip * e.load;
        sums.potential += pass.law.potential(hit.depth) * e.area;
        sums.elastic_power -= e.elastic * e.approach;
        sums.dissipation[0] += (e.load - e.elastic) * e.approach;
        sums.dissipation[1] += e.friction_power;
    }
    (sums, depth)
}

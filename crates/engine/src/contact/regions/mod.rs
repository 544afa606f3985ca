//! Contact by regions: the force of every region in which two triangle surfaces cut each other (Dopico et al. 2010, section IV).

mod book;
mod change;
mod grip;
mod keep;
pub(crate) mod sample;

use std::fmt;
use std::sync::Arc;

use carom_geometry::intersection::{Region, RegionFault, RegionSearch};
use carom_math::Vec3;

use super::grip::Part;
use super::hands::Hand;
use super::meshes::between;
use super::placed::Placed;
use super::point::PointMotion;
use super::point_force::Resultant;
use super::{ContactForce, Evaluator};
use crate::law::NormalLaw;
use crate::system::{PairData, PairSource, PairTable, RegionPair, RegionResponse};
use book::Lineage;
pub(crate) use book::RegionBook;
pub(crate) use change::return_regions;
pub(in crate::contact) use grip::grip_regions;
pub(crate) use keep::{begin_first, group_at_start};

/// Regions that there is room for from the start.
const REGIONS: usize = 64;

/// The search and the regions of a pair. What the search keeps from call to call makes it faster, and never changes what it
/// finds.
pub(crate) struct RegionWorkspace {
    pub(super) search: RegionSearch,
    /// Why the last evaluation has failed, if it has.
    pub(crate) fault: Option<Unfound>,
    /// Of the last evaluation, in the order of the search.
    pub(super) loads: Vec<RegionLoad>,
    /// From which begun regions they go on.
    pub(super) lineage: Lineage,
    /// By which bristles of the state they are held, and how hard what goes on from each begun region presses (N).
    pub(super) hands: Vec<Hand>,
    pressing: Vec<f64>,
    /// What they hold.
    parts: Vec<Part>,
    /// Buffer for the triangles of one of them.
    pub(super) triangles: [Vec<u32>; 2],
}

/// Why the regions of a pair have no force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unfound {
    /// They are not found.
    Search(RegionFault),
    /// One does not close, near this point in B's frame (m): it has no volume, and what is known of its depth may be nothing
    /// while a body goes through.
    Border(Vec3),
}

impl fmt::Display for Unfound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(fault) => write!(f, "{fault}"),
            Self::Border(p) => write!(
                f,
                "one does not close near ({:.6}, {:.6}, {:.6}) m of B's surface, where one of them has a border, cuts itself, or has triangles turned or twice",
                p.x, p.y, p.z
            ),
        }
    }
}

/// A region with its force on B, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionLoad {
    pub(crate) region: Region,
    /// Its point, with its relative motion.
    pub(crate) motion: PointMotion,
    /// Normal force (N).
    pub(crate) normal: f64,
    /// Pressure of a law by volume (Pa).
    pub(crate) pressure: f64,
    pub(crate) friction: Vec3,
    /// Couple about its point (N m).
    pub(crate) torque: Vec3,
    /// What is stored in it (J): by volume k V times its own volume, which goes with it where it ends.
    potential: f64,
    elastic_power: f64,
    dissipation: [f64; 3],
}

/// A law at work on a pair.
#[derive(Clone, Copy)]
pub(in crate::contact) struct Acting<'a> {
    pub(in crate::contact) regions: &'a RegionPair,
    pub(in crate::contact) data: &'a PairData,
    pub(in crate::contact) law: &'a NormalLaw,
    /// Of the contact, for regions before any has begun.
    pub(in crate::contact) damping: f64,
    pub(in crate::contact) book: &'a RegionBook,
}

impl RegionWorkspace {
    /// One for each pair of regions of a table.
    pub(super) fn for_pairs(table: &PairTable) -> Vec<Option<Self>> {
        table.pairs.iter().map(Self::for_pair).collect()
    }

    fn for_pair(pair: &PairData) -> Option<Self> {
        let PairSource::Regions(regions) = &pair.source else { return None };
        let [a, b] = &regions.surfaces;
        Some(Self {
            search: RegionSearch::new(a, b),
            fault: None,
            loads: Vec::with_capacity(REGIONS),
            lineage: Lineage::with_capacity(REGIONS),
            hands: Vec::with_capacity(2 * REGIONS),
            pressing: Vec::with_capacity(REGIONS),
            parts: Vec::with_capacity(REGIONS),
            triangles: [a, b].map(|surface| Vec::with_capacity(surface.triangle_count())),
        })
    }

    /// Finds the regions at poses, and the begun ones that they go on from.
    fn find(&mut self, regions: &RegionPair, placed: &Placed<'_>, book: &RegionBook) -> Result<(), Unfound> {
        let [a, b] = &regions.surfaces;
        let x_ba = between(placed.poses[1], placed.poses[0]);
        self.search.find(a, b, &x_ba).map_err(Unfound::Search)?;
        if let Some(region) = self.search.regions().iter().find(|region| region.overlap.is_none()) {
            return Err(Unfound::Border(region.point));
        }
        self.lineage.find(&self.search, book, regions.meshes.travel_limit);
        Ok(())
    }

    /// Finds the regions and adds up their forces.
    pub(super) fn evaluate(&mut self, acting: &Acting<'_>, placed: &Placed<'_>) -> ContactForce {
        self.loads.clear();
        self.fault = self.find(acting.regions, placed, acting.book).err();
        if self.fault.is_some() {
            let force = ContactForce::at(PointMotion { gap: 0.0, ..PointMotion::NEVER });
            return ContactForce { normal: f64::NAN, ..force };
        }
        self.press(acting, placed)
    }

    /// Adds up the forces of the regions that were found last, at the same poses.
    fn press(&mut self, acting: &Acting<'_>, placed: &Placed<'_>) -> ContactForce {
        let mut force = ContactForce::at(PointMotion { gap: 0.0, ..PointMotion::NEVER });
        self.loads.clear();
        let volume = self.search.regions().iter().filter_map(|r| r.overlap).map(|o| o.volume).sum();
        for (index, region) in self.search.regions().iter().enumerate() {
            let damping = self.lineage.damping(index, region, acting.book).unwrap_or(acting.damping);
            self.loads.push(acting.load(&region.placed(placed.poses[1]), (damping, volume), placed));
        }
        self.sum(acting, volume, placed, &mut force);
        force
    }

    /// No contour of the regions found last is farther from a point (m).
    pub(super) fn size_about(&self, at: &Vec3) -> f64 {
        let reach = |load: &RegionLoad| (load.motion.position - at).norm() + 0.5 * load.region.length;
        self.loads.iter().map(reach).fold(0.0, f64::max)
    }

    /// Force of all regions, and where it acts.
    fn sum(&self, acting: &Acting<'_>, volume: f64, placed: &Placed<'_>, force: &mut ContactForce) {
        let mut sum = Resultant { reference: placed.poses[1].translation, ..Resultant::default() };
        for region in &self.loads {
            let arm = region.motion.position - sum.reference;
            let normal = region.motion.normal * region.normal;
            sum.pressing += normal;
            force.friction += region.friction;
            sum.moment += arm.cross(&(normal + region.friction)) + region.torque;
            sum.load += region.normal;
            sum.at += arm * region.normal;
            sum.approach += region.motion.approach * region.normal;
            sum.slip += region.motion.sliding * region.normal;
            force.point.gap = force.point.gap.min(-region.region.indentation);
            force.pressure = force.pressure.max(region.pressure);
            force.potential += region.potential;
            force.elastic_power += region.elastic_power;
            for (lost, power) in force.dissipation.iter_mut().zip(region.dissipation) {
                *lost += power;
            }
        }
        if let RegionResponse::Volume(law) = &acting.regions.response {
            force.potential = law.potential(volume);
        }
        sum.give(force);
    }
}

impl Acting<'_> {
    /// Force of one region, which is in world axes, with its damping and the volume of all regions (m³).
    fn load(&self, region: &Region, (damping, volume): (f64, f64), placed: &Placed<'_>) -> RegionLoad {
        let [a, b] = placed.bodies;
        let velocity = b.point_velocity(&region.point) - a.point_velocity(&region.point);
        match &self.regions.response {
            RegionResponse::Depth => {
                let motion = motion_along(region, region.normal, velocity);
                let law = self.law.force(region.indentation, motion.approach, damping);
                let normal = law.total.max(0.0);
                let load = RegionLoad {
                    normal,
                    potential: law.potential,
                    elastic_power: -law.elastic * motion.approach,
                    dissipation: [(normal - law.elastic) * motion.approach, 0.0, 0.0],
                    ..RegionLoad::unloaded(region, motion)
                };
                self.with_friction(load)
            }
            RegionResponse::Volume(law) => {
                let unloaded = || RegionLoad::unloaded(region, motion_along(region, region.normal, velocity));
                let Some(overlap) = region.overlap else { return unloaded() };
                let (s, area) = (overlap.area_vector, overlap.area_vector.norm());
                if area == 0.0 {
                    return unloaded();
                }
                let spin = b.angular_velocity - a.angular_velocity;
                let growth = -(s.dot(&velocity) + overlap.moment.dot(&spin));
                let approach = growth / area;
                let motion = PointMotion { approach, ..motion_along(region, s / area, velocity) };
                let pressure = law.pressure(volume, approach, damping);
                let load = RegionLoad {
                    normal: pressure.total * area,
                    pressure: pressure.total,
                    torque: overlap.moment * pressure.total,
                    potential: pressure.elastic * overlap.volume,
                    elastic_power: -pressure.elastic * growth,
                    dissipation: [(pressure.total - pressure.elastic) * growth, 0.0, 0.0],
                    ..RegionLoad::unloaded(region, motion)
                };
                self.with_friction(load)
            }
        }
    }

    /// Adds what resists sliding.
    fn with_friction(&self, load: RegionLoad) -> RegionLoad {
        let speed = load.motion.sliding.norm();
        let dry = load.normal * self.data.friction.ratio(speed);
        let viscous = if load.normal > 0.0 { self.data.mu_visc } else { 0.0 };
        let [normal, ..] = load.dissipation;
        RegionLoad {
            friction: load.motion.sliding * -(dry + viscous),
            dissipation: [normal, dry * speed * speed, viscous * speed * speed],
            ..load
        }
    }
}

impl RegionLoad {
    fn unloaded(region: &Region, motion: PointMotion) -> Self {
        Self {
            region: *region,
            motion,
            normal: 0.0,
            pressure: 0.0,
            friction: Vec3::zeros(),
            torque: Vec3::zeros(),
            potential: 0.0,
            elastic_power: 0.0,
            dissipation: [0.0; 3],
        }
    }
}

/// Motion of B against A at a region's point, by a normal.
fn motion_along(region: &Region, normal: Vec3, velocity: Vec3) -> PointMotion {
    let separation = normal.dot(&velocity);
    PointMotion {
        gap: -region.indentation,
        normal,
        position: region.point,
        approach: -separation,
        sliding: velocity - normal * separation,
        operands: region.point.amax(),
    }
}

/// The pair of a contact by regions, and its index.
pub(super) fn region_pair(evaluator: &Evaluator<'_>, contact: usize) -> Option<(Arc<RegionPair>, usize)> {
    let index = evaluator.table.contacts[contact].pair;
    match &evaluator.table.pairs[index].source {
        PairSource::Regions(regions) => Some((Arc::clone(regions), index)),
        _ => None,
    }
}

/// Force of a contact by regions with its bodies anywhere; its regions are left behind there.
pub(in crate::contact) fn force_at(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    placed: &Placed<'_>,
) -> Option<ContactForce> {
    force_by(RegionWorkspace::evaluate, evaluator, contact, placed)
}

/// The same of the regions that were found last, with other velocities.
pub(in crate::contact) fn press_at(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    placed: &Placed<'_>,
) -> Option<ContactForce> {
    force_by(RegionWorkspace::press, evaluator, contact, placed)
}

fn force_by(
    force: fn(&mut RegionWorkspace, &Acting<'_>, &Placed<'_>) -> ContactForce,
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    placed: &Placed<'_>,
) -> Option<ContactForce> {
    let (regions, pair) = region_pair(evaluator, contact)?;
    let acting = Acting {
        regions: &regions,
        data: &evaluator.table.pairs[pair],
        law: &evaluator.table.contacts[contact].law,
        damping: evaluator.contacts.memory[contact].frozen_damping,
        book: &evaluator.contacts.region_books[pair],
    };
    Some(force(evaluator.regions[pair].as_mut()?, &acting, placed))
}

/// Why the regions of a contact were not found in the last evaluation.
pub(crate) fn fault_of(evaluator: &Evaluator<'_>, contact: usize) -> Option<Unfound> {
    evaluator.regions.get(evaluator.table.contacts[contact].pair)?.as_ref()?.fault
}

/// Is an open surface met from behind, where its solid is, by a contact that has begun while the surfaces travelled so far (m)? Then
/// all but a tip counts as inside: far deeper than both can have come, each by the travel.
pub(super) fn is_from_behind(evaluator: &Evaluator<'_>, contact: usize, travel: f64) -> bool {
    let Some((regions, pair)) = region_pair(evaluator, contact) else { return false };
    let Some(workspace) = &evaluator.regions[pair] else { return false };
    let is_open = regions.surfaces.iter().any(|surface| !surface.is_closed());
    let deepest = workspace.loads.iter().map(|load| load.region.indentation).fold(0.0, f64::max);
    is_open && deepest > 4.0 * travel + regions.meshes.unfelt_limit
}

/// Is a part of one surface inside the other without a contour, in the last evaluation? Nothing pushes it out, whatever the regions
/// of the other parts do. The wall of a cavity is none.
pub(super) fn swallows_part(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let workspace = evaluator.regions.get(evaluator.table.contacts[contact].pair).and_then(Option::as_ref);
    workspace.is_some_and(|workspace| workspace.search.contained().iter().any(|part| part.volume > 0.0))
}

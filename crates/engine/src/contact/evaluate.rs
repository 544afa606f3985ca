//! The right-hand side: kinematics, contact geometry, contact forces, accelerations. Modes are frozen.

use std::sync::Arc;

use carom_math::Pose;
use carom_solvers::dae::SecondOrderDae;
use carom_solvers::{Fault, Follower, Ode};

use super::areal::{ArealWorkspace, Pierced, depth_of};
use super::bristle::{Bristled, bristle_states, grip};
use super::convex::{ConvexSearch, ManifoldMotion, of_model};
use super::energy::write_quadratures;
use super::finder::find_point;
use super::implicit_bristle::ImplicitBristles;
use super::placed::Placed;
use super::point_force::{force_at, share_by_depth};
use super::regions::{Acting, RegionWorkspace};
use super::rigid::{RigidBuffers, update_multipliers};
use super::{
    ContactForce, ContactSet, LoadedPoint, PatchGroups, PointMotion, TangentWorkspace, Trail, stop_motion,
};
use crate::contact::tangent::jacobian;
use crate::mechanics::{Held, Misfit, Workspace};
use crate::record::ContactMode;
use crate::system::{PairSource, PairTable, System};

/// Quadratures before those of the contacts: all that is lost less what is put in and the elastic work of
/// manifolds, so that its error is the ledger's; work of motors; work from outside; lost in friction of joints; lost
/// in dampers; work of constraints on velocities that do not meet them (J).
pub(crate) const LEDGER_QUADRATURES: usize = 6;

/// Quadratures of each active contact, in this order: normal impulse, tangential impulse (3), energy lost in
/// normal damping, in friction, in viscous friction, work of the elastic force on the bodies.
pub(crate) const QUADRATURES: usize = 8;

/// Points of a manifold at most, and contacts that are closed at once for which there is room from the start.
pub(super) const MANIFOLD_POINTS: usize = 8;
const CONTACTS: usize = 256;

/// What failed in the last right-hand side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Culprit {
    Body(usize),
    Contact(usize),
    /// An areal contact that is deeper than it may be (m).
    Depth {
        contact: usize,
        depth: f64,
        /// The wall that is too thin for that (m), if it is one.
        wall: Option<f64>,
    },
    /// A stage that could not be put onto the constraints.
    Constraint(Misfit),
}

/// The mechanics behind [`Ode`], with its workspace. Sized at compile, grown at events only.
pub(crate) struct Evaluator<'a> {
    pub(crate) system: Held<'a, System>,
    /// Where bodies are, and the forces on them.
    pub(crate) workspace: Workspace<'a>,
    /// What may touch; grows as bodies come near each other.
    pub(crate) table: PairTable,
    pub(crate) contacts: ContactSet,
    pub(crate) surfaces: Vec<Pose>,
    /// One per active contact, of the last evaluation.
    pub(crate) forces: Vec<ContactForce>,
    /// Points of all manifolds, of the last evaluation.
    pub(super) manifold_points: Vec<ManifoldMotion>,
    /// Buffer of the tangents.
    pub(super) loaded_points: Vec<LoadedPoint>,
    /// Of methods that ask for Jacobians, from the first on.
    tangents: Option<TangentWorkspace>,
    /// Of methods that find bristles with the positions.
    pub(super) implicit: ImplicitBristles,
    /// Bristles of the last evaluation.
    pub(super) bristled: Bristled,
    pub(crate) search: ConvexSearch,
    /// By pair, of areal ones; pairs that come up during a run are none.
    pub(crate) areal: Vec<Option<ArealWorkspace>>,
    /// By pair, of those by regions, likewise.
    pub(crate) regions: Vec<Option<RegionWorkspace>>,
    pub(crate) rigid: RigidBuffers,
    /// Buffers of [`super::clipping::take_watched`].
    pub(super) before: Vec<usize>,
    pub(super) forces_before: Vec<ContactForce>,
    /// Buffers.
    pub(super) groups: PatchGroups,
    /// Of the attempted step, if meshes touch in it.
    pub(crate) trail: Trail,
    /// Rates of the state of the last evaluation, if they have been asked for.
    pub(crate) rates: Vec<f64>,
    pub(crate) has_rates: bool,
    pub(crate) culprit: Option<Culprit>,
    pub(crate) evaluations: u64,
    /// Buffer of the size of the state.
    pub(super) nearest: Vec<f64>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(system: &'a System) -> Self {
        Self::of(Held::Lent(system))
    }

    /// At the system's start.
    pub(crate) fn of(held: Held<'a, System>) -> Self {
        let workspace = Workspace::new(match &held {
            Held::Lent(system) => Held::Lent(&*system.mechanics),
            Held::Shared(system) => Held::Shared(Arc::clone(&system.mechanics)),
        });
        let system = &*held;
        Self {
            system: held.clone(),
            table: system.table.clone(),
            contacts: ContactSet::new(system.table.contacts.len(), system.table.pairs.len()),
            search: ConvexSearch::new(system),
            areal: ArealWorkspace::for_pairs(&system.table),
            regions: RegionWorkspace::for_pairs(&system.table),
            rigid: RigidBuffers::default(),
            groups: PatchGroups::default(),
            manifold_points: Vec::with_capacity(MANIFOLD_POINTS * system.table.contacts.len().min(CONTACTS)),
            loaded_points: Vec::with_capacity(4 * MANIFOLD_POINTS),
            tangents: None,
            implicit: ImplicitBristles::default(),
            bristled: Bristled::default(),
            trail: Trail::default(),
            rates: vec![0.0; system.states()],
            has_rates: false,
            surfaces: system.surfaces.iter().map(|surface| surface.place(&workspace.bodies)).collect(),
            forces: Vec::with_capacity(system.table.contacts.len()),
            before: Vec::with_capacity(system.table.contacts.len()),
            forces_before: Vec::with_capacity(system.table.contacts.len()),
            culprit: None,
            evaluations: 0,
            nearest: vec![0.0; system.states()],
            workspace,
        }
    }

    /// Motion of the bodies, gravity and force elements, geometry and forces of the active contacts at a state.
    pub(crate) fn update(&mut self, t: f64, y: &[f64]) {
        self.has_rates = false;
        self.workspace.place(t, y);
        self.update_surfaces();
        self.update_points();
        self.share_stiffness();
        self.update_forces();
        update_multipliers(self);
    }

    /// Poses of the surfaces on moving bodies.
    pub(crate) fn update_surfaces(&mut self) {
        let bodies = &self.workspace.bodies;
        for (data, pose) in self.system.surfaces.iter().zip(&mut self.surfaces) {
            if self.system.mechanics.bodies[data.body].link.is_some() {
                *pose = data.place(bodies);
            }
        }
    }

    /// Has the last evaluation made again before it is used: a run that goes on from a checkpoint does not have it.
    pub(crate) fn forget_rates(&mut self) {
        self.has_rates = false;
    }

    fn update_points(&mut self) {
        self.forces.clear();
        self.manifold_points.clear();
        for &index in &self.contacts.active {
            let pair = self.table.contacts[index].pair;
            if let PairSource::Areal(areal) = &self.table.pairs[pair].source {
                let data = &self.table.pairs[pair];
                let placed =
                    Placed::of(areal.meshes.surfaces, data.bodies, (&self.surfaces, &self.workspace.bodies));
                let workspace = self.areal[pair].as_mut().expect("an areal pair has a workspace");
                let book = &self.contacts.books[pair];
                self.forces.push(workspace.evaluate(areal, &data.friction, &placed, Some(book)));
                continue;
            }
            if let PairSource::Regions(regions) = &self.table.pairs[pair].source {
                let data = &self.table.pairs[pair];
                let placed = Placed::of(
                    regions.meshes.surfaces,
                    data.bodies,
                    (&self.surfaces, &self.workspace.bodies),
                );
                let workspace = self.regions[pair].as_mut().expect("a pair by regions has a workspace");
                let acting = Acting {
                    regions,
                    data,
                    law: &self.table.contacts[index].law,
                    damping: self.contacts.memory[index].frozen_damping,
                    book: &self.contacts.region_books[pair],
                };
                self.forces.push(workspace.evaluate(&acting, &placed));
                continue;
            }
            let first = self.manifold_points.len();
            let point = if let Some(convex) = self.table.searched(index) {
                let bodies = self.table.pairs[pair].bodies;
                let placed = Placed::of(convex.surfaces, bodies, (&self.surfaces, &self.workspace.bodies));
                let cache = &self.contacts.caches[pair];
                let (point, _) = self.search.find(&self.system, convex, index, &placed, cache);
                self.search.collect_points(&self.system, convex, &placed, &point, &mut self.manifold_points);
                of_model(convex, &point, &placed)
            } else {
                self.motion_of(index)
            };
            self.forces.push(ContactForce {
                points: [first, self.manifold_points.len()],
                ..ContactForce::at(point)
            });
        }
    }

    /// Contact point of any contact at the poses last computed.
    #[inline]
    pub(crate) fn motion_of(&self, contact: usize) -> PointMotion {
        let data = &self.table.contacts[contact];
        let pair = &self.table.pairs[data.pair];
        if let PairSource::Stop(stop) = &pair.source {
            return stop_motion(&self.workspace.here(), stop, data.feature);
        }
        let Some((surfaces, _)) = pair.source.surfaces() else { return PointMotion::NEVER };
        let placed = Placed::of(surfaces, pair.bodies, (&self.surfaces, &self.workspace.bodies));
        find_point(self, contact, &placed)
    }

    /// Points of one manifold share the pair's stiffness in proportion to weight and depth.
    fn share_stiffness(&mut self) {
        let contacts = &self.table.contacts;
        let active = &self.contacts.active;
        let mut start = 0;
        while start < active.len() {
            let pair = contacts[active[start]].pair;
            let len = active[start..].iter().take_while(|&&i| contacts[i].pair == pair).count();
            if let Some(weight) = self.table.pairs[pair].source.manifold_weight() {
                let weights = || active[start..start + len].iter().map(|&i| weight(contacts[i].feature));
                let manifold = &mut self.forces[start..start + len];
                let depth: f64 = weights().zip(&*manifold).map(|(w, f)| w * f.point.gap.abs()).sum();
                let all: f64 = weights().sum();
                for (w, force) in weights().zip(manifold) {
                    force.share = share_by_depth(w, force.point.gap, depth, all);
                }
            }
            start += len;
        }
    }

    fn update_forces(&mut self) {
        let mut forces = std::mem::take(&mut self.forces);
        self.bristled.clear(self.contacts.states);
        for (slot, force) in forces.iter_mut().enumerate() {
            let index = self.contacts.active[slot];
            let data = &self.table.contacts[index];
            let pair = &self.table.pairs[data.pair];
            if pair.rigid.is_some() {
                continue;
            }
            if matches!(pair.source, PairSource::Areal(_)) {
                grip(self, slot, force);
                continue;
            }
            let memory = &self.contacts.memory[index];
            let points = &self.manifold_points[force.points[0]..force.points[1]];
            if matches!(pair.source, PairSource::Regions(_)) {
                // Each has its force; rolling is of the whole.
            } else if points.is_empty() {
                force.take(&force_at(data, pair, memory, &force.point, force.share));
            } else {
                force.sum(points, |motion, share| force_at(data, pair, memory, motion, share));
            }
            let pressing = force.normal.max(0.0);
            let [a, b] = pair.bodies.map(|body| self.workspace.bodies[body].angular_velocity);
            let omega = b - a;
            let rolling = pair.rolling.torque(&omega, &force.point.normal, pressing, -force.point.gap);
            force.dissipation[1] -= rolling.dot(&omega);
            force.torque += rolling;
            grip(self, slot, force);
        }
        self.forces = forces;
    }

    /// Rebuilds the list of active contacts after modes have changed.
    pub(crate) fn rebuild_active(&mut self) {
        self.contacts.rebuild_active(&self.table);
    }

    /// Adds the forces of contacts to those on the bodies, in contact order.
    pub(crate) fn add_contacts(&mut self) -> Result<(), Fault> {
        for (&index, force) in self.contacts.active.iter().zip(&self.forces) {
            let total = force.point.normal * force.normal + force.friction;
            if !(total.iter().sum::<f64>() + force.torque.sum()).is_finite() {
                self.culprit = Some(Culprit::Contact(index));
                return Err(Fault::Recoverable);
            }
            let pair = &self.table.pairs[self.table.contacts[index].pair];
            let depth = -force.point.gap;
            let too_deep = match &pair.source {
                PairSource::Areal(areal) => match depth_of(self, index) {
                    depth if depth > areal.depth_limit => Some((depth, None)),
                    _ => Pierced::last(self, index).map(|Pierced { depth, wall }| (depth, Some(wall))),
                },
                PairSource::Regions(regions) => (depth > regions.depth_limit).then_some((depth, None)),
                _ => None,
            };
            if let Some((depth, wall)) = too_deep {
                self.culprit = Some(Culprit::Depth { contact: index, depth, wall });
                return Err(Fault::Recoverable);
            }
            if let PairSource::Stop(stop) = &pair.source {
                let effort = force.normal * stop.direction(self.table.contacts[index].feature);
                self.workspace.add_axis_effort(stop.joint, stop.axis, effort);
                continue;
            }
            let [a, b] = pair.bodies;
            let arm_a = force.point.position - self.workspace.bodies[a].pose.translation;
            let arm_b = force.point.position - self.workspace.bodies[b].pose.translation;
            self.workspace.wrenches[a].force -= total;
            self.workspace.wrenches[a].torque -= arm_a.cross(&total) + force.torque;
            self.workspace.wrenches[b].force += total;
            self.workspace.wrenches[b].torque += arm_b.cross(&total) + force.torque;
        }
        Ok(())
    }

    /// Where the searches of the next step start: at what is found at the accepted state that was evaluated last, for pairs
    /// that were looked at.
    pub(crate) fn commit_searches(&mut self, step_number: u64) {
        if !self.table.has_searches {
            return;
        }
        for contact in 0..self.contacts.memory.len() {
            let memory = &self.contacts.memory[contact];
            if memory.mode == ContactMode::Open && memory.evaluated_at != step_number {
                continue;
            }
            let index = self.table.contacts[contact].pair;
            let pair = &self.table.pairs[index];
            if let Some(convex) = self.table.searched(contact) {
                let placed =
                    Placed::of(convex.surfaces, pair.bodies, (&self.surfaces, &self.workspace.bodies));
                let cache = &self.contacts.caches[index];
                let (_, next) = self.search.find(&self.system, convex, contact, &placed, cache);
                self.contacts.caches[index] = next;
                // From another start a search has other last bits. Whether the state is evaluated again must not depend on frames.
                self.has_rates = false;
            }
        }
    }

    /// Is it the contact of two triangle surfaces?
    pub(crate) fn is_mesh_contact(&self, contact: usize) -> bool {
        self.table.pairs[self.table.contacts[contact].pair].source.meshes().is_some()
    }

    /// Is the contact one of those whose forces need not be gradients of what the pair stores: a point of a manifold that shares the pair's
    /// stiffness, or an outline's, which goes from one edge to another while it is pressed in?
    pub(crate) fn shares_stiffness(&self, contact: usize) -> bool {
        if self.table.is_rigid(contact) {
            return false;
        }
        match &self.table.pairs[self.table.contacts[contact].pair].source {
            PairSource::Convex(_) | PairSource::Areal(_) | PairSource::Planar(_) => true,
            PairSource::Regions(regions) => !regions.is_conservative(),
            source => source.manifold_weight().is_some(),
        }
    }
}

impl Ode for Evaluator<'_> {
    fn dimension(&self) -> usize {
        self.system.states() + self.contacts.states
    }

    fn quadratures(&self) -> usize {
        LEDGER_QUADRATURES + QUADRATURES * self.contacts.active.len()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        self.accelerate(t, y, dydt)?;
        write_quadratures(self, dqdt);
        self.trail.note(t, &self.forces);
        Ok(())
    }

    /// Powers of contacts and of force elements follow from where bodies are and how they move, but for those of rows, whose forces are found with
    /// the accelerations.
    fn quadrature_rates(
        &mut self,
        t: f64,
        y: &[f64],
        spare: &mut [f64],
        dqdt: &mut [f64],
    ) -> Result<(), Fault> {
        if self.workspace.powers_need_accelerations() {
            return self.rhs(t, y, spare, dqdt);
        }
        self.evaluations += 1;
        self.update(t, y);
        self.add_contacts()?;
        write_quadratures(self, dqdt);
        self.trail.note(t, &self.forces);
        Ok(())
    }

    /// In closed form where [`jacobian::has_tangent`] says so.
    fn jacobian(&mut self, t: f64, y: &[f64], dfdy: &mut [f64]) -> Result<bool, Fault> {
        if !jacobian::has_tangent(self) {
            return Ok(false);
        }
        let mut work = self.tangents.take().unwrap_or_else(|| TangentWorkspace::new(&self.system));
        let result = jacobian::write_jacobian(self, &mut work, t, y, dfdy);
        self.tangents = Some(work);
        result.map(|()| true)
    }

    /// Trees and free bodies that touch each other, at the contacts that are active, with their bristles.
    fn blocks(&self, block: &mut [usize]) -> bool {
        let system = &*self.system;
        if !jacobian::is_tree_like(self) || !system.mechanics.forces.is_empty() {
            return false;
        }
        for link in &system.mechanics.links {
            block[link.states()].fill(link.tree);
        }
        let first_state = |body: usize| {
            system.mechanics.bodies[body].link.map(|l| system.mechanics.links[l].states().start)
        };
        for &contact in &self.contacts.active {
            let [a, b] = self.table.pairs[self.table.contacts[contact].pair].bodies.map(first_state);
            let Some((a, b)) = a.zip(b).map(|(a, b)| (block[a], block[b])) else { continue };
            let of_bodies = &mut block[..system.states()];
            of_bodies.iter_mut().filter(|label| **label == a.max(b)).for_each(|label| *label = a.min(b));
        }
        for (slot, &contact) in self.contacts.active.iter().enumerate() {
            let Some(states) = bristle_states(self, slot) else { continue };
            let bodies = self.table.pairs[self.table.contacts[contact].pair].bodies;
            let label = bodies.into_iter().find_map(first_state).map_or(states.start, |state| block[state]);
            block[states].fill(label);
        }
        true
    }

    fn followers(&self) -> &[Follower] {
        &self.system.mechanics.followers
    }

    fn is_autonomous(&self) -> bool {
        self.system.is_autonomous
    }

    fn second_order(&mut self) -> Option<&mut dyn SecondOrderDae> {
        Some(self)
    }

    fn filter_error(&mut self, y: &[f64], error: &mut [f64]) {
        self.workspace.filter_error(y, error);
    }
}

//! Pairs of wide lines: each is put into the table before its surfaces can meet.

use std::collections::HashSet;

use carom_geometry::ShapeKind;
use carom_geometry::broadphase::{Ball, Candidates, Plane};
use carom_math::Vec3;
use carom_solvers::Fault;

use super::Evaluator;
use crate::system::{PairTable, System};

/// Skin of the candidate lists, as a share of the smallest ball's radius.
const SKIN_SHARE: f64 = 0.5;

/// A step that brings more contacts near each other than this, and more than so many a ball, is made in shorter ones if
/// balls go farther than this share of their mean radius: those that fly side by side would all be partners.
const MANY_CONTACTS: usize = 1000;
const MANY_A_BALL: usize = 12;
const SHORT_REACH: f64 = 0.5;

/// Finds surfaces near each other, and remembers how far the bodies may go until it must look again.
pub(crate) struct Neighbours {
    candidates: Candidates,
    balls: Vec<Ball>,
    planes: Vec<Plane>,
    /// Surfaces of the balls, of the planes, and those without bounds, which are near to everything.
    ball_surface: Vec<usize>,
    plane_surface: Vec<usize>,
    endless: Vec<usize>,
    /// Pairs that were looked at before, by surface: in the table, or none.
    seen: HashSet<(usize, usize)>,
    /// Path of each body when the lists were made; infinite paths ask for lists at once (m).
    pub(crate) path: Vec<f64>,
    skin: f64,
    /// Of the balls (m).
    mean_radius: f64,
    /// Most contacts of a pair: rigid polyhedra have many.
    contacts_a_pair: usize,
}

impl Neighbours {
    pub(crate) fn new(system: &System) -> Self {
        let (mut ball_surface, mut plane_surface, mut endless) = (Vec::new(), Vec::new(), Vec::new());
        let (mut skin, mut radii) = (f64::INFINITY, 0.0);
        for surface in system.surfaces_of_wide_lines() {
            let shape = &system.surfaces[surface].shape;
            match shape.kind() {
                ShapeKind::HalfSpace => plane_surface.push(surface),
                // Everything around a cavity is solid.
                ShapeKind::HollowSphere | ShapeKind::HollowCylinder => endless.push(surface),
                ShapeKind::Sphere
                | ShapeKind::Box
                | ShapeKind::Cylinder
                | ShapeKind::Capsule
                | ShapeKind::Convex
                | ShapeKind::Mesh
                | ShapeKind::Planar => {
                    ball_surface.push(surface);
                    skin = skin.min(SKIN_SHARE * shape.bounding_radius());
                    radii += shape.bounding_radius();
                }
            }
        }
        Self {
            candidates: Candidates::default(),
            mean_radius: radii / ball_surface.len() as f64,
            contacts_a_pair: system.partners.contacts_a_pair,
            balls: Vec::with_capacity(ball_surface.len()),
            planes: Vec::with_capacity(plane_surface.len()),
            ball_surface,
            plane_surface,
            endless,
            seen: HashSet::new(),
            path: vec![f64::NEG_INFINITY; system.mechanics.bodies.len()],
            skin,
        }
    }

    /// Are there no wide lines?
    pub(crate) fn is_idle(&self) -> bool {
        self.ball_surface.is_empty() && self.plane_surface.is_empty() && self.endless.is_empty()
    }

    /// Puts pairs into the table that can meet in a step in which the surface of each body goes no farther than `reach`,
    /// the evaluator being at its end. `path` is what bodies have gone before it;
    /// a step that cannot be shortened takes all that it meets. If they are too many none is put there, and this is the share of the
    /// step that has to come first.
    pub(crate) fn update(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        path: &[f64],
        can_shorten: bool,
        reach: impl Fn(usize) -> f64,
    ) -> Result<Option<f64>, Fault> {
        let system = &*evaluator.system;
        let strayed = |body: usize| path[body] + reach(body) - self.path[body] > 0.5 * self.skin;
        let watched =
            || self.ball_surface.iter().chain(&self.plane_surface).map(|&s| system.surfaces[s].body);
        if !watched().any(strayed) {
            return Ok(None);
        }
        self.balls.clear();
        self.balls.extend(self.ball_surface.iter().map(|&s| {
            let surface = &system.surfaces[s];
            let radius = surface.shape.bounding_radius() + reach(surface.body);
            Ball { centre: evaluator.surfaces[s].translation, radius }
        }));
        self.planes.clear();
        self.planes.extend(self.plane_surface.iter().map(|&s| {
            let (pose, reach) = (&evaluator.surfaces[s], reach(system.surfaces[s].body));
            let normal = pose.rotation * Vec3::z();
            Plane { point: pose.translation + normal * reach, normal }
        }));
        self.candidates.rebuild(&self.balls, &self.planes, self.skin).map_err(|_| Fault::Recoverable)?;
        if can_shorten && let Some(share) = self.share_of_a_crowd(|ball| reach(system.surfaces[ball].body)) {
            return Ok(Some(share));
        }
        let near = self.candidates.pairs().iter();
        let near = near.map(|&[i, j]| (self.ball_surface[i as usize], self.ball_surface[j as usize]));
        let on_planes = self.candidates.plane_pairs().iter();
        let on_planes =
            on_planes.map(|&[p, b]| (self.plane_surface[p as usize], self.ball_surface[b as usize]));
        let endless = self.endless.iter().flat_map(|&e| {
            let others = self.ball_surface.iter().chain(&self.plane_surface).chain(&self.endless);
            others.map(move |&s| (e, s))
        });
        for (s, t) in near.chain(on_planes).chain(endless) {
            let key = (s.min(t), s.max(t));
            if s != t && self.seen.insert(key) {
                add_wide_pair(system, &mut evaluator.table, key)?;
            }
        }
        for (old, (&path, body)) in self.path.iter_mut().zip(path.iter().zip(0..)) {
            *old = path + reach(body);
        }
        evaluator.contacts.grow(evaluator.table.contacts.len(), evaluator.table.pairs.len());
        Ok(None)
    }

    /// The share of a step in which its balls go no farther than a short reach, if they go farther and meet too many. Lists
    /// that are still valid mean less than half of that reach: whether they are asked for is not seen here.
    fn share_of_a_crowd(&self, reach: impl Fn(usize) -> f64) -> Option<f64> {
        let contacts = self.contacts_a_pair * self.candidates.pairs().len();
        let farthest = self.ball_surface.iter().map(|&s| reach(s)).fold(0.0, f64::max);
        let short = SHORT_REACH * self.mean_radius;
        let is_crowd = contacts > MANY_CONTACTS.max(MANY_A_BALL * self.ball_surface.len());
        (is_crowd && farthest > short).then(|| short / farthest)
    }

    /// Takes pairs as made, by the surfaces of the table's pairs.
    pub(crate) fn note_pairs(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        self.seen.extend(pairs.map(|(s, t)| (s.min(t), s.max(t))));
    }
}

/// Adds the pair of two surfaces if a wide line makes one of them.
pub(crate) fn add_wide_pair(
    system: &System,
    table: &mut PairTable,
    surfaces: (usize, usize),
) -> Result<(), Fault> {
    let Some((request, name)) = system.wide_pair(surfaces.0, surfaces.1) else { return Ok(()) };
    // Every kind of pair was made once when the model was compiled.
    let made = system.make_pair(&request, &name).map_err(|_| Fault::Fatal)?;
    made.put_into(table);
    Ok(())
}

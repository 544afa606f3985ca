//! How deep the surfaces of an areal pair may come into each other: from the energy that can reach their contact and
//! the loads on it, against what an elastic layer between them stores. For u_max where a law leaves it out.
//!
//! The energy is that of the groups of bodies which both belong to: of their motion at the start, of falling as far
//! as they can, stored in springs, done by loads on the way to the contact; and of the one group that has most of
//! those which can run into them. Directions are those of the start: a block that lies flat is taken to land flat,
//! and one that starts on its corner on its corner; what flies free and turns may land as it is turned at any time until
//! then. What given motions do to what cannot give way is bounded by their ways.

mod groups;
mod impact;
mod response;
mod tumbling;
mod turning;

use carom_geometry::clearance::{ClearanceWorkspace, near_triangles, separation};
use carom_math::{Pose, Vec3};

use super::System;
use super::pairing::PairRequest;
use crate::law::DepthEstimate;
use crate::mechanics::Workspace;
use crate::mechanics::kinematics::BodyKinematics;
use crate::model::{Method, Model};

pub(crate) use impact::Impact;

use groups::{Group, find_groups};
use response::{Side, find_depth};
use tumbling::find_deepest;
use turning::turn_sides;

/// Cosine between a face and the direction to the other surface from which the two are face to face.
const FACING: f64 = 0.99;

/// What is farther than the nearest by this factor at most is as near.
const AS_NEAR: f64 = 1.0 + 1e-9;

/// What is at rest may still be nudged (m/s).
const NUDGE: f64 = 0.01;

/// Model at its start, as far as estimates need it.
#[derive(Clone)]
pub(crate) struct Presses {
    group_of: Vec<Option<usize>>,
    groups: Vec<Group>,
    bodies: Vec<BodyKinematics>,
    surfaces: Vec<Pose>,
}

/// Where two surfaces meet.
struct Meeting {
    /// Of the surfaces at the start (m).
    gap: f64,
    /// Unit vector from A to B.
    direction: Vec3,
    /// On A and on B (m).
    places: [Vec3; 2],
}

impl Presses {
    /// Of a model whose links are made; `None` if all its areal laws state u_max.
    pub(super) fn of_model(system: &System, model: &Model) -> Option<Self> {
        let is_estimated = |line: &crate::model::ContactLine| {
            let block = model.laws.get(line.law).and_then(|law| law.areal.as_ref());
            line.method == Method::Pcm && block.is_some_and(|block| block.u_max.is_none())
        };
        if !model.contact_lines.iter().any(is_estimated) {
            return None;
        }
        let at_start = Workspace::at_start(&system.mechanics);
        let surfaces = system.surfaces.iter().map(|surface| surface.place(&at_start.bodies)).collect();
        let (group_of, groups) = find_groups(system, model, &at_start);
        Some(Self { group_of, groups, bodies: at_start.bodies, surfaces })
    }

    /// The group that a body belongs to; none of a fixed one.
    fn group(&self, body: usize) -> Option<&Group> {
        self.group_of[body].map(|group| &self.groups[group])
    }

    /// Does nothing hold it, and is nothing joined to it?
    fn is_free(&self, body: usize) -> bool {
        self.group(body).is_some_and(|group| group.bodies == 1 && !group.is_held)
    }

    /// Energy and force that press two bodies together (J, N), which meet at a place over a gap.
    fn calc_pressing(&self, bodies: [usize; 2], meeting: &Meeting, gravity: f64) -> [f64; 2] {
        let groups = bodies.map(|body| self.group(body));
        let numbers = bodies.map(|body| self.group_of[body]);
        let meets = groups.iter().flatten().map(|group| group.meets).next();
        let is_other = |k: usize| Some(self.groups[k].meets) == meets && !numbers.contains(&Some(k));
        let others = || (0..self.groups.len()).filter(|&k| is_other(k)).map(|k| &self.groups[k]);
        let speed = |group: &Group| (2.0 * group.energy / group.mass).sqrt();
        // Masses that are pushed by a given motion meet it with its speed.
        let driven = |k: usize| groups[k].and_then(|group| group.driven_speed(&meeting.places[k]));
        let mass = |k: usize| groups[k].map_or(f64::INFINITY, |group| group.mass);
        let reduced = if numbers[0] == numbers[1] { mass(0) } else { 1.0 / (1.0 / mass(0) + 1.0 / mass(1)) };
        let own: f64 = match numbers[0] == numbers[1] {
            true => groups[0].map_or(0.0, |group| group.energy),
            false => groups.iter().flatten().map(|group| group.energy).sum(),
        };
        let most = others().map(|group| group.energy).fold(0.0, f64::max);
        let mut energy = own + most;
        if (0..2).all(|k| groups[k].is_none() || self.is_free(bodies[k])) {
            // What is hit by something heavy leaves with twice its speed at most: the two share their energy by their
            // speeds.
            let fastest = others().map(speed).fold(0.0, f64::max);
            let closing: f64 = groups.iter().flatten().map(|group| speed(group).max(2.0 * fastest)).sum();
            energy = energy.min(0.5 * reduced * closing * closing);
        }
        for (k, other) in [(0, 1), (1, 0)] {
            if let Some(speed) = driven(k) {
                let pushed = mass(other);
                energy += if pushed.is_finite() { 0.5 * pushed * speed * speed } else { 0.0 };
            }
        }
        let loads: f64 = (0..2).filter_map(|k| Some(groups[k]?.load(&meeting.places[k]))).sum();
        let nudge = if reduced.is_finite() { 0.5 * reduced * NUDGE * NUDGE } else { 0.0 };
        let weight: f64 =
            others().chain(groups.into_iter().flatten()).map(|group| group.mass * gravity).sum();
        [energy + loads * meeting.gap + nudge, weight + loads]
    }

    /// How far given motions take a pair into each other whatever resists (m), if they do.
    fn calc_driven_depth(&self, bodies: [usize; 2], meeting: &Meeting) -> Option<f64> {
        let way = |k: usize| {
            let group = self.group(bodies[k])?;
            group.driven_speed(&meeting.places[k]).map(|_| group.driven_way(&meeting.places[k]))
        };
        let stands = |k: usize| self.group(bodies[k]).is_none_or(|group| group.is_held);
        let ways = [way(0), way(1)];
        let is_jammed = (ways[0].is_some() && stands(1)) || (ways[1].is_some() && stands(0));
        is_jammed.then(|| (ways.iter().flatten().sum::<f64>() - meeting.gap).max(0.0))
    }
}

impl System {
    /// How deep the surfaces of a pair come into each other with a layer of some stiffness (N/m³) between them;
    /// `None` if its meshes are none, which is said elsewhere.
    pub(super) fn estimate_depth(&self, request: &PairRequest, stiffness: f64) -> Option<DepthEstimate> {
        let presses = self.partners.presses.as_ref()?;
        let surfaces = [request.a, request.b];
        let bodies = surfaces.map(|s| self.surfaces[s].body);
        let meshes =
            [self.areal_surfaces[surfaces[0]].mesh()?.ok()?, self.areal_surfaces[surfaces[1]].mesh()?.ok()?];
        let meeting = self.find_meeting(presses, surfaces)?;
        let side = |k: usize| {
            let out = if k == 0 { meeting.direction } else { -meeting.direction };
            let form = self.areal_surfaces[surfaces[k]].form(&meshes[k]);
            let pose = &presses.surfaces[surfaces[k]];
            Side::of(&meshes[k], form.as_deref(), pose, &out, &meeting.places[k])
        };
        let mut sides = [side(0), side(1)];
        let sizes = surfaces.map(|s| self.surfaces[s].shape.bounding_radius());
        let size = sizes[0].min(sizes[1]);
        if sides.iter().all(|side| matches!(side, Side::Curved(0.0))) {
            sides[0] = Side::Curved(1.0 / size);
        }
        let pressing = presses.calc_pressing(bodies, &meeting, self.mechanics.gravity.norm());
        if let Some(depth) = presses.calc_driven_depth(bodies, &meeting).filter(|depth| *depth > 0.0) {
            let doubt = (depth > size).then_some("a motor presses its surfaces together, whatever resists");
            let depth = depth.min(size);
            return Some(DepthEstimate { depth, deepest: depth, doubt });
        }
        let press = (stiffness, pressing, size);
        let turned = turn_sides(self, presses, surfaces, &meeting, sides.clone(), press);
        Some(match find_depth(&turned, stiffness, pressing, size) {
            Some(depth) => {
                let deepest = find_deepest(self, presses, surfaces, &sides, press, depth);
                DepthEstimate { depth, deepest, doubt: None }
            }
            None => DepthEstimate {
                depth: size,
                deepest: size,
                doubt: Some(
                    "the energy that can reach it is more than its layer stores before the smaller of both is through",
                ),
            },
        })
    }

    /// Where two surfaces meet: along the shortest way where it ends on a face of one of them, else along gravity.
    fn find_meeting(&self, presses: &Presses, surfaces: [usize; 2]) -> Option<Meeting> {
        let trees = surfaces.map(|s| {
            let surface = &self.areal_surfaces[s];
            surface.tree(&*surface.mesh()?.ok()?).ok()
        });
        let [Some(a), Some(b)] = trees else { return None };
        let poses = surfaces.map(|s| &presses.surfaces[s]);
        let x_ab = poses[0].inverse().compose(poses[1]);
        let mut workspace = ClearanceWorkspace::new();
        let found = separation(&a, &b, &x_ab, f64::INFINITY, None, &mut workspace);
        let nearest = found.nearest?;
        let to_world = |v: &Vec3| poses[0].rotation * v;
        let places = nearest.points.map(|p| poses[0].transform_point(&p));
        let direction = to_world(&nearest.direction);
        // Of triangles that share the nearest corner any is as near: rounding must not choose.
        let mut as_near = Vec::new();
        near_triangles(&a, &b, &x_ab, AS_NEAR * found.distance, usize::MAX, &mut workspace, &mut as_near);
        as_near.push(nearest.triangles);
        let faces = |k: usize, triangle: u32| {
            let [p, q, r] = [&a, &b][k].triangle(triangle);
            let normal = poses[k].rotation * (q - p).cross(&(r - p));
            normal.dot(&direction).abs() >= FACING * normal.norm()
        };
        let is_facing = |k: usize| as_near.iter().any(|pair| faces(k, pair[k]));
        let g = self.mechanics.gravity.norm();
        let apart = found.distance > 0.0;
        if (apart && (is_facing(0) || is_facing(1))) || g == 0.0 {
            return Some(Meeting { gap: found.distance, direction, places });
        }
        let centres = surfaces.map(|s| presses.bodies[self.surfaces[s].body].pose.translation);
        let down = self.mechanics.gravity / g;
        let a_is_above = down.dot(&(if apart { direction } else { centres[1] - centres[0] })) > 0.0;
        let direction = if a_is_above { down } else { -down };
        Some(Meeting { gap: found.distance, direction, places })
    }
}

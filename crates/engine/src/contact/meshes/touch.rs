//! First touch of two triangle surfaces inside an attempted step: conservative advancement by their separation, then triangle
//! by triangle, each of which is convex (certificates.md 2).

use std::cell::Cell;

use carom_geometry::clearance::{
    ClearanceTree, ClearanceWorkspace, contained, near_triangles, separation_bound, touching,
    triangle_separation,
};
use carom_math::{Pose, Vec3};
use carom_solvers::crossing::{Look, Resolution, least_above_chord};
use carom_solvers::root::find_right_root;

use super::super::placed::Placed;
use super::super::{PointMotion, StepView};
use super::behind::rounding_of;
use super::between;
use super::sought::Sought;
use crate::contact::Evaluator;
use crate::mechanics::kinematics::BodyKinematics;
use crate::path::StepPath;
use crate::system::{MeshPair, Thin};

/// Pairs of triangles that are looked at together, unless surfaces are so near each other that more are.
const MOST_PAIRS: usize = 2048;
/// Looks at the pairs of triangles in a step beside those at its ends; what takes more shortens the step.
pub(super) const LOOKS: u32 = 10_000;
/// Advances in a step, likewise.
const ADVANCES: u32 = 500;
/// Pairs of triangles that may take turns in being the first, or the last, to touch in a step.
const CHANGES: usize = 64;
/// Share of a distance that is advanced by, for rounding.
const ADVANCE: f64 = 0.999;
/// Surfaces farther from each other than this share of the smaller one are not looked at triangle by triangle.
const FAR_SHARE: f64 = 0.002;

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::contact) enum Touch {
    /// The surfaces stay apart.
    None,
    /// First touch so long after the start of the step (s), of these triangles.
    After { after: f64, triangles: [u32; 2] },
    /// Nothing is known beyond this time after the start.
    Unknown { from: f64 },
}

/// Buffers of the searches. Nothing else outlives a call.
#[derive(Default)]
pub(crate) struct TouchSearch {
    workspace: ClearanceWorkspace,
    near: Vec<[u32; 2]>,
}

/// Two surfaces over an attempted step.
pub(in crate::contact) struct MeshCourse<'a> {
    pub(in crate::contact) evaluator: &'a Evaluator<'a>,
    pub(in crate::contact) view: &'a StepView<'a>,
    pub(in crate::contact) path: &'a StepPath,
    pub(in crate::contact) pair: usize,
    pub(in crate::contact) meshes: &'a MeshPair,
}

/// What is seen of two triangles at one time: corners and direction in axes that stay.
#[derive(Clone, Copy)]
pub(super) struct SeenTriangles {
    corners: [[Vec3; 3]; 2],
    pub(super) direction: Vec3,
}

/// Surfaces and bodies at one time of the step.
pub(super) struct PlacedAt {
    pub(super) at: f64,
    poses: [Pose; 2],
    bodies: [BodyKinematics; 2],
}

impl MeshCourse<'_> {
    fn trees(&self) -> [&ClearanceTree; 2] {
        self.meshes.trees.each_ref().map(|tree| &**tree)
    }

    pub(super) fn bodies(&self) -> [usize; 2] {
        self.evaluator.table.pairs[self.pair].bodies
    }

    /// What the surfaces come nearer each other in the step, at most (m).
    fn travel(&self) -> f64 {
        let bodies = self.bodies();
        self.path.relative_travel(bodies, self.evaluator.system.mechanics.is_in_one_tree(bodies))
    }

    /// Distance from which surfaces are taken as wholes (m).
    fn far(&self) -> f64 {
        let [a, b] = self.trees();
        FAR_SHARE * a.radius().min(b.radius())
    }

    /// What rounding leaves of distances (m).
    fn rounding(&self) -> f64 {
        let [x_a, x_b] = self.view.poses_at(self.evaluator, self.pair, self.view.h);
        rounding_of(self.meshes, [&x_a, &x_b])
    }

    pub(super) fn place(&self, at: f64) -> PlacedAt {
        let (poses, bodies) = self.view.placed_at(self.evaluator, self.pair, at);
        PlacedAt { at, poses, bodies }
    }

    pub(super) fn look(&self, triangles: [u32; 2], at: f64) -> Look<SeenTriangles> {
        self.look_placed(triangles, &self.place(at))
    }

    /// Far from the world's origin digits would be lost.
    fn origin(&self) -> Vec3 {
        self.evaluator.surfaces[self.meshes.surfaces[0]].translation
    }

    pub(super) fn corners(&self, triangles: [u32; 2], placed: &PlacedAt) -> [[Vec3; 3]; 2] {
        let (trees, origin) = (self.trees(), self.origin());
        [0, 1].map(|k| {
            let (local, x) = (trees[k].triangle(triangles[k]), &placed.poses[k]);
            local.map(|p| x.rotation * p + (x.translation - origin))
        })
    }

    fn look_placed(&self, triangles: [u32; 2], placed: &PlacedAt) -> Look<SeenTriangles> {
        self.look_at(self.corners(triangles, placed), placed)
    }

    pub(super) fn look_at(
        &self,
        corners: [[Vec3; 3]; 2],
        PlacedAt { at, bodies, .. }: &PlacedAt,
    ) -> Look<SeenTriangles> {
        let found = triangle_separation(&corners[0], &corners[1]);
        let n = found.direction;
        let z = if found.distance > 0.0 { found.distance } else { along(&corners, &n).min(0.0) };
        let [p, q] = found.points.map(|p| p + self.origin());
        let rate = n.dot(&(bodies[1].point_velocity(&q) - bodies[0].point_velocity(&p)));
        Look { at: *at, z, rate, seen: SeenTriangles { corners, direction: n } }
    }

    /// Least distance of two triangles between two looks.
    pub(super) fn least(&self, a: &Look<SeenTriangles>, b: &Look<SeenTriangles>) -> f64 {
        let of_direction = |n: &Vec3| {
            let [first, last] = [a, b].map(|look| along(&look.seen.corners, n));
            let first = if a.z <= 0.0 { first.max(0.0) } else { first };
            least_above_chord(first, last, self.path.bending(self.bodies(), n), (b.at - a.at) / self.view.h)
        };
        let from_start = of_direction(&a.seen.direction);
        if from_start > 0.0 { from_start } else { from_start.max(of_direction(&b.seen.direction)) }
    }
}

/// n·b − n·a of the corners nearest to each other along a direction (m): a lower bound of the distance.
pub(super) fn along(corners: &[[Vec3; 3]; 2], n: &Vec3) -> f64 {
    let low = corners[1].iter().map(|p| n.dot(p)).fold(f64::INFINITY, f64::min);
    let high = corners[0].iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    low - high
}

impl TouchSearch {
    /// Lower bound of the distance of the surfaces at poses (m), as by [`separation_bound`], and the triangles that are near.
    pub(in crate::contact) fn distance(
        &mut self,
        meshes: &MeshPair,
        [x_a, x_b]: [&Pose; 2],
        mark_and_enough: [f64; 2],
        hint: [u32; 2],
    ) -> (f64, Option<[u32; 2]>) {
        let [a, b] = &meshes.trees;
        separation_bound(a, b, &between(x_a, x_b), mark_and_enough, Some(hint), &mut self.workspace)
    }

    /// Lower bound of the distance of each surface from the thin walls of the other (m); any that is at least the travel they may
    /// have without walls is as good.
    pub(in crate::contact) fn distance_from_thin(
        &mut self,
        meshes: &MeshPair,
        thin: &Thin,
        [x_a, x_b]: [&Pose; 2],
    ) -> f64 {
        let [a, b] = &meshes.trees;
        let pairs = [(thin.sides[0].as_ref(), Some(&**b)), (Some(&**a), thin.sides[1].as_ref())];
        let marks = [thin.travel_limit, meshes.travel_limit];
        let mut distance =
            |a, b| separation_bound(a, b, &between(x_a, x_b), marks, None, &mut self.workspace).0;
        let both = pairs.map(|(a, b)| a.zip(b).map_or(f64::INFINITY, |(a, b)| distance(a, b)));
        both[0].min(both[1])
    }

    /// Triangles that intersect at poses, if there are any.
    pub(in crate::contact) fn touching(
        &mut self,
        meshes: &MeshPair,
        [x_a, x_b]: [&Pose; 2],
        hint: [u32; 2],
    ) -> Option<[u32; 2]> {
        let [a, b] = &meshes.trees;
        touching(a, b, &between(x_a, x_b), Some(hint), &mut self.workspace)
    }

    /// Is one surface, or a part of it that is apart from the rest, inside the other? They do not touch.
    pub(in crate::contact) fn is_inside(&self, meshes: &MeshPair, [x_a, x_b]: [&Pose; 2]) -> bool {
        let [a, b] = &meshes.trees;
        contained(a, b, &between(x_a, x_b)).is_some()
    }

    /// Do surfaces of which these triangles intersect part if the second is moved by `way`, or as far along a normal of one of
    /// the triangles that looks the same way? Then they overlap by no more, seen from the side that `way` leads back to.
    pub(in crate::contact) fn part_by(
        &mut self,
        meshes: &MeshPair,
        [x_a, x_b]: [&Pose; 2],
        triangles: [u32; 2],
        way: Vec3,
    ) -> bool {
        let outward = |k: usize, x: &Pose| {
            let [a, b, c] = meshes.trees[k].triangle(triangles[k]);
            x.rotation * (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
        };
        let [n_a, n_b] = [outward(0, x_a), -outward(1, x_b)];
        let length = way.norm();
        let ways = [way, n_a * length, n_b * length];
        ways.into_iter().filter(|other| other.dot(&way) > 0.0).any(|way| {
            let moved = Pose { rotation: x_b.rotation, translation: x_b.translation + way };
            self.touching(meshes, [x_a, &moved], triangles).is_none()
                && !self.is_inside(meshes, [x_a, &moved])
        })
    }

    /// When surfaces that touch at the end of the step, and not at its start, begin to, and the triangles that touch first.
    pub(in crate::contact) fn find_beginning(
        &mut self,
        view: &StepView<'_>,
        evaluator: &Evaluator<'_>,
        meshes: &MeshPair,
        pair: usize,
        mut first: [u32; 2],
    ) -> (f64, [u32; 2]) {
        let (before, mut after) = (0.0, view.h);
        let mut tick = f64::EPSILON * evaluator.workspace.time;
        for _ in 0..CHANGES {
            let gap = |at: f64| gap_of(view, evaluator, meshes, pair, first, at);
            after = find_right_root(gap, before, after, gap(after).min(0.0), true);
            // Others that touch before these two do?
            let earlier = after - tick;
            let [x_a, x_b] = view.poses_at(evaluator, pair, earlier.max(before));
            match self.touching(meshes, [&x_a, &x_b], first) {
                Some(triangles) if earlier > before => (after, first) = (earlier, triangles),
                _ => break,
            }
            tick *= 2.0;
        }
        (after, first)
    }

    /// When surfaces that touch until `begun` and are apart at the end of the step part, and the triangles that touch last.
    pub(in crate::contact) fn find_parting(
        &mut self,
        view: &StepView<'_>,
        evaluator: &Evaluator<'_>,
        meshes: &MeshPair,
        pair: usize,
        begun: f64,
        mut last: [u32; 2],
    ) -> (f64, [u32; 2]) {
        let (mut before, after) = (begun, view.h);
        let mut tick = f64::EPSILON * evaluator.workspace.time;
        for _ in 0..CHANGES {
            let gap = |at: f64| gap_of(view, evaluator, meshes, pair, last, at);
            let parted = find_right_root(gap, before, after, gap(after).max(0.0), false);
            // Others that touch when these two do no more?
            let [x_a, x_b] = view.poses_at(evaluator, pair, parted);
            match self.touching(meshes, [&x_a, &x_b], last) {
                Some(triangles) if parted + tick < after => (before, last) = (parted + tick, triangles),
                _ => return (parted, last),
            }
            tick *= 2.0;
        }
        (after, last)
    }

    /// The first touch in the step, at whose ends the surfaces are apart by no less than `known` (m).
    pub(in crate::contact) fn find(
        &mut self,
        course: &MeshCourse<'_>,
        known: [f64; 2],
        hint: [u32; 2],
    ) -> Touch {
        let (h, travel) = (course.view.h, course.travel());
        if !travel.is_finite() {
            return Touch::Unknown { from: 0.0 };
        }
        let tick = f64::EPSILON * course.evaluator.workspace.time;
        let resolution = Resolution {
            value: course.rounding(),
            time: f64::EPSILON * course.evaluator.workspace.time,
            looks: LOOKS,
        };
        // Nothing touches before the surfaces have travelled their distance, nor when what they have at the end is more than is left.
        let advance = |distance: f64| h * (ADVANCE * distance / travel);
        let [mut from, left] = known.map(|known| if known > course.far() { advance(known) } else { 0.0 });
        let last = h - left;
        let (mut hint, mut advances) = (hint, 0);
        while from < last {
            advances += 1;
            if advances > ADVANCES {
                return Touch::Unknown { from };
            }
            let [x_a, x_b] = course.view.poses_at(course.evaluator, course.pair, from);
            let ahead = travel * ((last - from) / h);
            let (distance, near) = self.distance(course.meshes, [&x_a, &x_b], [0.0, ahead], hint);
            let Some(near) = near else {
                return if distance.is_nan() { Touch::Unknown { from } } else { Touch::None };
            };
            hint = near;
            if distance > course.far() {
                from += advance(distance);
                continue;
            }
            // What touches before two near triangles do is no farther than the surfaces travel until then.
            let start = course.place(from);
            let seen = course.look_placed(near, &start);
            let direction = seen.seen.direction;
            let sought = Sought { course, start, direction, looks: Cell::new(0), resolution, travel };
            let of_near = sought.touch_from(seen, near, last);
            let until = if let Touch::After { after, .. } = of_near { after } else { last };
            let ahead = sought.travel_until(until);
            let reach = self.collect(course, [&x_a, &x_b], ahead, distance);
            let is_whole = reach >= ahead;
            let to = if is_whole { until } else { (from + h * (reach / travel)).max(from + tick).min(until) };
            let is_known = to == until && matches!(of_near, Touch::After { .. });
            if !matches!(of_near, Touch::Unknown { .. }) {
                self.near.retain(|triangles| *triangles != near);
            }
            match sought.touch_among(&self.near, to, is_known) {
                Touch::None if to < until => from = to,
                Touch::None => return of_near,
                found => return found,
            }
        }
        Touch::None
    }

    /// Collects the pairs of triangles nearer than a reach, which is returned (m): `ahead`, or less where they are too many, but
    /// more than the distance.
    fn collect(&mut self, course: &MeshCourse<'_>, poses: [&Pose; 2], ahead: f64, distance: f64) -> f64 {
        let x_ab = between(poses[0], poses[1]);
        let [a, b] = course.trees();
        // What the surfaces come nearer in a tick lies between numbers.
        let least = 2.0 * distance + course.rounding();
        let mut reach = ahead;
        loop {
            let limit = if reach > least { MOST_PAIRS } else { usize::MAX };
            if near_triangles(a, b, &x_ab, reach, limit, &mut self.workspace, &mut self.near) {
                return reach;
            }
            reach = (0.25 * reach).max(least);
        }
    }
}

/// Gap of two triangles so long after the start of the step (m), below zero where they intersect.
fn gap_of(
    view: &StepView<'_>,
    evaluator: &Evaluator<'_>,
    meshes: &MeshPair,
    pair: usize,
    triangles: [u32; 2],
    after: f64,
) -> f64 {
    let (poses, bodies) = view.placed_at(evaluator, pair, after);
    let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
    touch_motion(meshes, &placed, triangles).gap
}

/// The contact of two triangles that touch, or nearly do, as a point: with a gap that goes through zero.
pub(in crate::contact) fn touch_motion(
    meshes: &MeshPair,
    placed: &Placed<'_>,
    triangles: [u32; 2],
) -> PointMotion {
    let origin = placed.poses[0].translation;
    let corners = [0, 1].map(|k| {
        let x = placed.poses[k];
        meshes.trees[k].triangle(triangles[k]).map(|p| x.rotation * p + (x.translation - origin))
    });
    let found = triangle_separation(&corners[0], &corners[1]);
    let gap = if found.distance > 0.0 { found.distance } else { along(&corners, &found.direction).min(0.0) };
    let position = origin + 0.5 * (found.points[0] + found.points[1]);
    let [a, b] = placed.bodies;
    let relative = b.point_velocity(&position) - a.point_velocity(&position);
    let separation = found.direction.dot(&relative);
    PointMotion {
        gap,
        normal: found.direction,
        position,
        approach: -separation,
        sliding: relative - found.direction * separation,
        operands: position.amax() + meshes.trees[0].radius().min(meshes.trees[1].radius()),
    }
}

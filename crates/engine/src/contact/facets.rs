//! Rigid polyhedra and capsules: a contact for every vertex, or end, that may touch the other, and for every two edges that may cross.

use carom_geometry::convex::FacetLooks;
use carom_math::{Pose, Vec3};
use carom_solvers::crossing::{Look, least_above_chord};

use super::course::Course;
use super::placed::Placed;
use super::point::motion_at;
use super::rigid::STILL;
use super::step_view::Seen;
use super::{Evaluator, PointMotion};
use crate::record::ContactMode;
use crate::system::FacetPair;

/// Rounding of a gap over that of a coordinate: two poses are composed.
pub(super) const POSES: f64 = 4.0;

/// Margins of a corner by which what passes it may move.
const MARGINS: f64 = 4.0;

/// Speed at which a corner rises that passes another one, over that at which what has closed parts: what begins where it rises no faster must
/// stay, or it would begin again at once.
const PASSING: f64 = 0.5;

/// Contact point of a feature and its motion. What is closed stays on the piece that it is held on.
pub(super) fn facet_motion(
    evaluator: &Evaluator<'_>,
    pair: &FacetPair,
    contact: usize,
    placed: &Placed<'_>,
) -> PointMotion {
    let (feature, memory) = (evaluator.table.contacts[contact].feature, &evaluator.contacts.memory[contact]);
    let held_on = (memory.mode != ContactMode::Open).then_some(memory.face as usize);
    let [x_wa, x_wb] = placed.poses;
    let (point, _) = pair.facets.contact(feature, x_wa, x_wb, held_on);
    let size = x_wa.translation.amax().max(x_wb.translation.amax()).max(point.point_a.amax());
    let point = if pair.swapped { point.swapped() } else { point };
    let mut motion = motion_at(&point, placed.bodies, POSES * size);
    if held_on.is_none() {
        motion.gap = passing_gap(evaluator, (pair, feature), placed.poses, &motion).unwrap_or(motion.gap);
    }
    motion
}

/// How the second solid moves against the first at their contact (m/s, world axes).
pub(super) fn velocity_at(pair: &FacetPair, motion: &PointMotion) -> Vec3 {
    let velocity = motion.sliding - motion.normal * motion.approach;
    if pair.swapped { -velocity } else { velocity }
}

/// Gap of a vertex that passes a corner of the other solid there (m).
fn passing_gap(
    evaluator: &Evaluator<'_>,
    (pair, feature): (&FacetPair, usize),
    poses: [&Pose; 2],
    motion: &PointMotion,
) -> Option<f64> {
    if motion.gap.abs() > pair.facets.margin() {
        return None;
    }
    let velocity = velocity_at(pair, motion);
    pair.facets.passing_gap(feature, poses, &velocity, PASSING * STILL * evaluator.system.scales.velocity)
}

impl Course<'_> {
    /// Least gap of a feature between two looks (m).
    pub(super) fn least_of_facets(&self, pair: &FacetPair, feature: usize, [a, b]: [&Look<Seen>; 2]) -> f64 {
        let bodies = pair.surfaces.map(|s| self.evaluator.system.surfaces[s].body);
        let width = (b.at - a.at) / self.h;
        let travel = self.path.relative_travel(bodies, false) * width;
        // What passes a corner at both looks, and has moved by no more than the margin of that, does so between.
        if travel <= MARGINS * pair.facets.margin() {
            let [first, last] = [a, b].map(|look| {
                let [x_wa, x_wb] = &look.seen.poses;
                passing_gap(self.evaluator, (pair, feature), [x_wa, x_wb], &look.seen.motion)
            });
            if let (Some(first), Some(last)) = (first, last) {
                return first.min(last);
            }
        }
        let normal = |look: &Look<Seen>| -> Vec3 {
            if pair.swapped { -look.seen.motion.normal } else { look.seen.motion.normal }
        };
        let looks = FacetLooks {
            poses: [&a.seen.poses, &b.seen.poses].map(|[x_wa, x_wb]| [x_wa, x_wb]),
            normals: [normal(a), normal(b)],
            gaps: [a, b].map(|look| look.seen.motion.gap),
            slack: a.z - a.seen.motion.gap,
            travel,
            turn: bodies.map(|body| self.path.bodies[body].spin).iter().sum::<f64>() * width,
            acceleration: self.path.relative_acceleration(bodies) * width * width,
        };
        let chord = |n: &Vec3, [first, last]: [f64; 2], beside: f64| {
            least_above_chord(first, last, self.path.bending(bodies, n) * width * width + beside, 1.0)
        };
        let chord_seen = |side: usize, first, last| {
            let (own, other) = (side, 1 - side);
            let surfaces = [pair.surfaces[other], pair.surfaces[own]];
            let poses = [&a.seen.poses[other], &a.seen.poses[own]];
            least_above_chord(first, last, self.acceleration_over(surfaces, poses), width)
        };
        pair.facets.least_gap(feature, &looks, chord, chord_seen)
    }
}

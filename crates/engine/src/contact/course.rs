//! Lower bounds of a gap between two looks at it, from the bounds of the path: what a search inside a step calls clear is
//! clear (certificates.md 2).
//!
//! Between two times, w apart, a point whose acceleration is at most M is within M w²/8 of the straight line between
//! its places. So a separation that is the least of separations of points along a direction that stays is above
//! its chord by all but that, however the bodies turn meanwhile and whichever corner comes first; along one that turns by all but
//! what its turning adds to M.

use carom_geometry::{GapCourse, Shape};
use carom_math::{Pose, Vec3};
use carom_solvers::crossing::{Look, least_above_chord};

use super::Evaluator;
use super::finder::course_of;
use super::observe::gap_epsilon;
use super::step_view::Seen;
use crate::mechanics::{Anchor, JointRole};
use crate::model::AxisMeasure;
use crate::path::StepPath;
use crate::system::{PairSource, StopData, System};

/// A contact of a pair over an attempted step.
pub(super) struct Course<'a> {
    pub(super) evaluator: &'a Evaluator<'a>,
    pub(super) path: &'a StepPath,
    pub(super) contact: usize,
    /// Length of the step (s).
    pub(super) h: f64,
}

impl Course<'_> {
    /// Least gap between two looks (m or rad).
    pub(super) fn least(&self, a: &Look<Seen>, b: &Look<Seen>) -> f64 {
        let data = &self.evaluator.table.contacts[self.contact];
        let pair = &self.evaluator.table.pairs[data.pair];
        if let PairSource::Stop(stop) = &pair.source {
            return self.least_of_stop(stop, [a, b]);
        }
        if let PairSource::Planar(planar) = &pair.source {
            return self.least_of_outlines(planar, [a, b]);
        }
        if let PairSource::Facets(facets) = &pair.source
            && course_of(self.evaluator, self.contact).is_none()
        {
            return self.least_of_facets(facets, data.feature, [a, b]);
        }
        let Some((course, (surfaces, swapped))) =
            course_of(self.evaluator, self.contact).zip(pair.source.surfaces())
        else {
            return f64::NEG_INFINITY;
        };
        self.least_of_surfaces(surfaces, swapped, course, [a, b])
    }

    fn least_of_surfaces(
        &self,
        surfaces: [usize; 2],
        swapped: bool,
        course: GapCourse,
        [a, b]: [&Look<Seen>; 2],
    ) -> f64 {
        let system = &*self.evaluator.system;
        let bodies = surfaces.map(|s| system.surfaces[s].body);
        let width = (b.at - a.at) / self.h;
        let start = a.z.max(0.0);
        let by_travel = || 0.5 * (start + b.z - self.path.relative_travel(bodies, false) * width);
        match course {
            GapCourse::Chord => {
                least_above_chord(start, b.z, self.bending_over(surfaces, &a.seen.poses), width)
            }
            GapCourse::Highest => {
                let bending = self.bending_over(surfaces, &a.seen.poses);
                let of_point = |from: &Look<Seen>, to: &Look<Seen>| {
                    let seen_there = height_of_same_point(from, to, swapped);
                    let (first, last) =
                        if from.at <= to.at { (from.z, seen_there) } else { (seen_there, from.z) };
                    least_above_chord(first, last, bending, width)
                };
                of_point(a, b).max(of_point(b, a))
            }
            GapCourse::Separation => self.least_separation(surfaces, swapped, [a, b]),
            GapCourse::Heights(height) => {
                let bending = self.bending_over(surfaces, &a.seen.poses);
                let shapes = surfaces.map(|s| &system.surfaces[s].shape);
                let of = |at: &Look<Seen>, seen: &Look<Seen>| {
                    let ([x_a, x_b], [seen_a, seen_b]) = (&at.seen.poses, &seen.seen.poses);
                    let height = height(shapes[0], x_a, shapes[1], x_b, [seen_a, seen_b]);
                    height.unwrap_or(f64::NAN) + at.z - at.seen.motion.gap
                };
                // The gap at the start is above zero by definition.
                let raised = (-a.z).max(0.0);
                let along = |seen| least_above_chord(of(a, seen) + raised, of(b, seen), bending, width);
                along(a).max(along(b)).max(by_travel())
            }
            GapCourse::Travel => by_travel(),
        }
    }

    /// Least separation of two convex solids between two looks (m): along the normal of one of them, or along normals that turn from the
    /// one to the other as they do where a face, or an edge on an edge, rolls.
    fn least_separation(&self, surfaces: [usize; 2], swapped: bool, [a, b]: [&Look<Seen>; 2]) -> f64 {
        let system = &*self.evaluator.system;
        let bodies = surfaces.map(|s| system.surfaces[s].body);
        let width = (b.at - a.at) / self.h;
        let normal_of = |look: &Look<Seen>| {
            if swapped { -look.seen.motion.normal } else { look.seen.motion.normal }
        };
        // Along the normal of a look its separation is its gap: what both are off by, each by its own formula, is rounding.
        let off_of = |look: &Look<Seen>, own: f64| {
            let gap = look.seen.motion.gap;
            (gap - own).clamp(0.0, gap_epsilon(&look.seen.motion)) + (look.z - gap)
        };
        // The gap at the start is above zero by definition, and no other separation by more than that is: along the normal of the other look
        // solids that touch may overlap by all of their size.
        let raised = (-a.z).max(0.0);
        let above =
            |first: f64, last: f64, bending: f64| least_above_chord(first + raised, last, bending, width);
        let along = |own: usize| {
            let n = normal_of([a, b][own]);
            let apart = [a, b].map(|at| separation(system, surfaces, &at.seen.poses, &n));
            let [first, last] = apart.map(|z| z + off_of([a, b][own], apart[own]));
            above(first, last, self.path.bending(bodies, &n))
        };
        let turning = || {
            let [first, last] = [a, b].map(|at| {
                let own = separation(system, surfaces, &at.seen.poses, &normal_of(at));
                own + off_of(at, own)
            });
            let [from, to] = [a, b].map(normal_of);
            let turn = libm::atan2(from.cross(&to).norm(), from.dot(&to)) / width;
            // Of any two points d apart (n·d)″ = n″·d + 2 n′·d′ + n·d″, with n that turns uniformly.
            let speed = self.path.relative_travel(bodies, false);
            let [x_a, x_b] = &a.seen.poses;
            let radii = surfaces.map(|s| system.surfaces[s].shape.bounding_radius());
            let distance = (x_b.translation - x_a.translation).norm() + radii[0] + radii[1] + speed * width;
            let bending = turn * (turn * distance + 2.0 * speed) + self.path.relative_acceleration(bodies);
            above(first, last, bending)
        };
        let ways: [&dyn Fn() -> f64; 3] = [&|| along(0), &|| along(1), &turning];
        let mut best = f64::NEG_INFINITY;
        for way in ways {
            best = best.max(way());
            if best > 0.0 {
                break;
            }
        }
        best
    }

    /// Bound of the second derivative of heights over the second surface (m per step squared).
    pub(super) fn bending_over(&self, surfaces: [usize; 2], poses: &[Pose; 2]) -> f64 {
        let system = &*self.evaluator.system;
        let [body, ground] = surfaces.map(|s| system.surfaces[s].body);
        let is_plane = matches!(system.surfaces[surfaces[1]].shape, Shape::HalfSpace);
        if is_plane && self.path.bodies[ground].spin == 0.0 {
            return self.path.bending([ground, body], &poses[1].z_axis());
        }
        self.acceleration_over(surfaces, [&poses[0], &poses[1]])
    }

    /// Bound of the acceleration of points of the first surface as seen from the second one's body (m per step squared).
    pub(super) fn acceleration_over(&self, surfaces: [usize; 2], poses: [&Pose; 2]) -> f64 {
        let system = &*self.evaluator.system;
        let [body, ground] = surfaces.map(|s| system.surfaces[s].body);
        let offset = system.surfaces[surfaces[1]].pose.translation.norm();
        let distance = (poses[0].translation - poses[1].translation).norm()
            + offset
            + system.mechanics.bodies[body].sweep_radius
            + system.surfaces[surfaces[0]].shape.bounding_radius();
        self.path.acceleration_seen_from(body, ground, distance)
    }

    fn least_of_stop(&self, stop: &StopData, [a, b]: [&Look<Seen>; 2]) -> f64 {
        let width = (b.at - a.at) / self.h;
        let joint = &self.evaluator.system.mechanics.joints[stop.joint];
        let start = a.z.max(0.0);
        match joint.role {
            JointRole::Carries { link } => {
                let bound = self.path.coordinates[link][stop.axis];
                least_above_chord(start, b.z, bound.acceleration, width)
            }
            JointRole::Closes => {
                let is_angle = joint.kind.axes()[stop.axis] == AxisMeasure::Angle;
                let rate_of = |side: &Anchor| {
                    let path = &self.path.bodies[side.body];
                    let arm = side.pose.translation.norm();
                    if is_angle { path.spin } else { path.centre_speed + path.spin * arm }
                };
                0.5 * (start + b.z - (rate_of(&joint.a) + rate_of(&joint.b)) * width)
            }
        }
    }
}

/// Height over the plane at `to` of the point of the body that was seen at `from`. The body is the model's B where it is `swapped`.
fn height_of_same_point(from: &Look<Seen>, to: &Look<Seen>, swapped: bool) -> f64 {
    // Out of the plane; the contact is halfway between the body's point and its foot on it.
    let outward =
        |look: &Look<Seen>| if swapped { look.seen.motion.normal } else { -look.seen.motion.normal };
    let point = from.seen.motion.position + outward(from) * (0.5 * from.z);
    let in_body = from.seen.poses[0].inverse().transform_point(&point);
    let foot = to.seen.motion.position - outward(to) * (0.5 * to.seen.motion.gap);
    outward(to).dot(&(to.seen.poses[0].transform_point(&in_body) - foot))
}

/// Separation of two convex solids along a unit vector from the first to the second (m); it is no distance, but never above
/// one.
fn separation(system: &System, surfaces: [usize; 2], poses: &[Pose; 2], n: &Vec3) -> f64 {
    let farthest = |k: usize, direction: Vec3| {
        let solid = system.solids[surfaces[k]].convex();
        solid.map(|solid| {
            let local = poses[k].rotation.tr_mul(&direction);
            poses[k].transform_point(&solid.support(&local))
        })
    };
    match (farthest(0, *n), farthest(1, -n)) {
        (Some(first), Some(second)) => n.dot(&(second - first)),
        _ => f64::NEG_INFINITY,
    }
}

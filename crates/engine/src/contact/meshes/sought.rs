//! Which of many pairs of triangles is the first to touch after one time of a step.

use std::cell::Cell;

use carom_math::Vec3;
use carom_solvers::crossing::{First, Look, Resolution, find_first_crossing, least_above_chord};
use carom_solvers::root::find_right_root;

use super::touch::{LOOKS, MeshCourse, PlacedAt, SeenTriangles, Touch, along};

/// Looks after which it is no longer told apart which of two pairs that touch within roundings of each other is the first.
const EXACT_LOOKS: u32 = 1000;
/// Share of what rounding leaves of distances that two triangles may then overlap by where others begin to touch: of faces that come down
/// flat on each other thousands touch at that time.
const AT_ONCE: f64 = 0.5;

/// First touches from one time of a step on.
pub(super) struct Sought<'a> {
    pub(super) course: &'a MeshCourse<'a>,
    pub(super) start: PlacedAt,
    /// Unit vector along which distances at the start are bounded first.
    pub(super) direction: Vec3,
    pub(super) looks: Cell<u32>,
    pub(super) resolution: Resolution,
    /// Of the whole step (m).
    pub(super) travel: f64,
}

impl Sought<'_> {
    /// The first touch of any of these triangles; `is_known` if others touch at the end. Each is searched up to the first touch of those before
    /// it.
    pub(super) fn touch_among(&self, pairs: &[[u32; 2]], to: f64, is_known: bool) -> Touch {
        let (mut touch, mut end, mut is_known) = (Touch::None, self.course.place(to), is_known);
        for &triangles in pairs {
            let at_once = is_known && self.looks.get() > EXACT_LOOKS;
            let least = if at_once { -AT_ONCE } else { 1.0 } * self.resolution.value;
            if self.looks.get() > LOOKS {
                return Touch::Unknown { from: self.start.at };
            }
            match self.touch_of(triangles, &end, least) {
                Touch::None => {}
                found @ Touch::After { after, .. } => {
                    (touch, end, is_known) = (found, self.course.place(after), true);
                }
                unknown => return unknown,
            }
        }
        touch
    }

    /// The first touch of two triangles until the end, unless they are proven to come no nearer than `least` (m).
    fn touch_of(&self, triangles: [u32; 2], end: &PlacedAt, least: f64) -> Touch {
        let Self { course, start, direction, .. } = self;
        // Most are farther than they travel up to the first touch that is known.
        let corners = course.corners(triangles, start);
        if along(&corners, direction) > self.travel_until(end.at)
            || self.stay_apart(&corners, triangles, end, least)
        {
            return Touch::None;
        }
        self.touch_from(course.look_at(corners, start), triangles, end.at)
    }

    /// Are two triangles proven farther apart than `least` (m) from the start to `end` along the normal of one of them, or the way
    /// along which the surfaces are apart? Most that are near are, for a fraction of what looks cost. Overlaps count as apart of those that come down along that normal.
    fn stay_apart(&self, first: &[[Vec3; 3]; 2], triangles: [u32; 2], end: &PlacedAt, least: f64) -> bool {
        let Self { course, start, .. } = self;
        let last = course.corners(triangles, end);
        let width = (end.at - start.at) / course.view.h;
        let normal = |[a, b, c]: &[Vec3; 3]| (b - a).cross(&(c - a)).try_normalize(0.0);
        let ways = [normal(&first[0]), normal(&first[1]).map(|n| -n), Some(self.direction)];
        ways.iter().flatten().any(|n| {
            let bending = course.path.bending(course.bodies(), n);
            let first = along(first, n);
            // Of one plane all the time, they may meet sideways sooner.
            let least = if first > self.resolution.value { least } else { self.resolution.value };
            least_above_chord(first, along(&last, n), bending, width) > least
        })
    }

    /// What the surfaces come nearer each other until a time, at most (m).
    pub(super) fn travel_until(&self, until: f64) -> f64 {
        self.travel * ((until - self.start.at) / self.course.view.h)
    }

    /// The first touch of two triangles that are seen at the start.
    pub(super) fn touch_from(
        &self,
        mut start: Look<SeenTriangles>,
        triangles: [u32; 2],
        until: f64,
    ) -> Touch {
        if start.z > self.travel_until(until) {
            return Touch::None;
        }
        let Self { course, looks, resolution, .. } = self;
        let end = course.look(triangles, until);
        // Triangles that part from a gap of zero may dip below it by rounding, as in `Observer::find_closing`.
        for slack in [0.0, resolution.value] {
            let with_slack = |look: Look<SeenTriangles>| Look { z: look.z + slack, ..look };
            let mut look = |at: f64| {
                looks.set(looks.get() + 1);
                with_slack(course.look(triangles, at))
            };
            let mut least = |a: &_, b: &_| course.least(a, b);
            let (first, last) = (with_slack(start), with_slack(end));
            match find_first_crossing(&mut look, &mut least, first, last, *resolution) {
                First::None => break,
                First::Unknown { from } => return Touch::Unknown { from },
                First::Between { left, right } => {
                    let z = |at: f64| course.look(triangles, at).z + slack;
                    let after = find_right_root(z, left, right.at, right.z, true);
                    start = course.look(triangles, after);
                    if start.rate < 0.0 {
                        return Touch::After { after, triangles };
                    }
                }
            }
        }
        Touch::None
    }
}

//! Lower bounds of a gap between two looks at it: what a search inside a step calls clear is clear.

use carom_math::{Mat3, Pose, Vec3};

use super::crossing::{Crossing, RISE};
use super::{Facets, Feature};

/// Two looks at a feature of A and B.
#[derive(Clone, Copy)]
pub struct FacetLooks<'a> {
    /// Poses of A and B at the first look and at the second.
    pub poses: [[&'a Pose; 2]; 2],
    /// Normals that were seen, from A to B (world axes).
    pub normals: [Vec3; 2],
    /// Gaps that were seen (m), without the slack.
    pub gaps: [f64; 2],
    /// What is added to every gap (m).
    pub slack: f64,
    /// What a surface point of one can travel against the other between them (m).
    pub travel: f64,
    /// Angle that A and B can have turned between them, together.
    pub turn: f64,
    /// Bound of the acceleration of a surface point of one against one of the other, times the square of their time apart (m).
    pub acceleration: f64,
}

impl FacetLooks<'_> {
    /// How far the gap is below zero at the first look, where by definition it is not (m).
    fn overlap_at_start(&self) -> f64 {
        (-self.gaps[0] - self.slack).max(0.0)
    }
}

/// The lines of two edges that cross, over the time between two looks.
struct Lines {
    /// Unit normal to both at the first look, from A to B (world axes).
    normal: Vec3,
    /// Along the normal at each look, with the slack (m).
    distances: [f64; 2],
    /// What the distance may bend beside what the acceleration along that normal does (m).
    bending: f64,
}

/// Angle by which the normal of two lines may turn between two looks.
const TURN: f64 = 0.5;

impl Facets {
    /// Least gap of a feature between two looks (m). `chord` bounds a separation along a direction that stays from below, from its values
    /// at both and what it may bend beside (second derivative times the square of the time between, m); `chord_seen` one along a
    /// direction that turns with a side, as that side sees it.
    ///
    /// The gap is never below the separation of vertex and solid, or of two edges, along any direction. One that stays leaves a face
    /// that turns: solids that touch and turn together are told apart by one that turns with them. Edges that touch without crossing,
    /// at the ends of faces that lie on each other, have no separation: while a solid rises over them at both looks by more than
    /// can turn meanwhile, or both looks have them so, their vertices touch in their place. Edges that cross are above their lines.
    /// What rolls around a rounded edge is apart along a normal that turns from look to look.
    pub fn least_gap(
        &self,
        index: usize,
        looks: &FacetLooks<'_>,
        chord: impl Fn(&Vec3, [f64; 2], f64) -> f64,
        chord_seen: impl Fn(usize, f64, f64) -> f64,
    ) -> f64 {
        let by_travel = looks.gaps[0].max(looks.gaps[1]) + looks.slack - looks.travel;
        if by_travel > 0.0 {
            return by_travel;
        }
        // The gap at the start is above zero by definition, and so is the separation along the normal seen there. Along another one solids
        // that touch may overlap by all of their size.
        let overlap = looks.overlap_at_start();
        let separations_along = |normals: [Vec3; 2], whole: bool, is_seen: bool| {
            let at = |j: usize| self.separation(index, looks.poses[j], &normals[j], whole) + looks.slack;
            let first = if overlap > 0.0 && is_seen { at(0).max(0.0) } else { at(0) + overlap };
            [first, at(1)]
        };
        // Along the normal that was seen at one look, turned to both of them.
        let separations = |k: usize, turns: [Mat3; 2]| {
            let whole = self.has_crossed(index, looks.poses[k]);
            separations_along(turns.map(|turn| turn * looks.normals[k]), whole, k == 0)
        };
        let along = |k: usize| chord(&looks.normals[k], separations(k, [Mat3::identity(); 2]), 0.0);
        let turning = |k: usize, side: usize| {
            let back = looks.poses[k][side].rotation.transpose();
            let [first, last] = separations(k, [0, 1].map(|j| looks.poses[j][side].rotation * back));
            chord_seen(side, first, last)
        };
        let mut least = along(0).max(along(1));
        if least <= 0.0
            && let Some(lines) = self.lines_of_edges(index, looks)
        {
            least = least.max(chord(&lines.normal, lines.distances, lines.bending));
        }
        if least <= 0.0 && self.reach > 0.0 {
            let apart = separations_along(looks.normals, false, true);
            least = least.max(chord(&looks.normals[0], apart, self.bending_around(looks)));
        }
        for (k, side) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if least <= 0.0 {
                least = least.max(turning(k, side));
            }
        }
        if least <= 0.0 && self.lets_others_touch(index, looks) { f64::MIN_POSITIVE } else { least }
    }

    /// What a separation may bend along a normal n that turns uniformly from one look to the other (m): of any two points d apart
    /// (n·d)″ = n″·d + 2 n′·d′ + n·d″.
    fn bending_around(&self, looks: &FacetLooks<'_>) -> f64 {
        let [from, to] = looks.normals;
        let turn = libm::atan2(from.cross(&to).norm(), from.dot(&to));
        let [x_wa, x_wb] = looks.poses[0];
        let radii = self.a.radius + self.b.as_ref().map_or(0.0, |b| b.radius) + self.reach;
        let distance = (x_wb.translation - x_wa.translation).norm() + radii + looks.travel;
        turn * (turn * distance + 2.0 * looks.travel) + looks.acceleration
    }

    /// Have edges gone so deep into each other that they are seen as apart, on the other side? What separates them there does not
    /// separate their solids.
    fn has_crossed(&self, index: usize, [x_wa, x_wb]: [&Pose; 2]) -> bool {
        let Feature::Edges(i, j) = self.feature(index) else { return false };
        let crossing = self.cross(i, j, &x_wb.inverse().compose(x_wa));
        self.reach == 0.0
            && crossing.is_some_and(|at| at.room > 0.0 && at.rise <= RISE && at.lines.gap() < -self.deepest)
    }

    /// Separation of a feature's vertex or edges, or of the whole solids, along a unit vector of the world from A to B (m).
    fn separation(&self, index: usize, [x_wa, x_wb]: [&Pose; 2], n: &Vec3, whole: bool) -> f64 {
        let Some(b) = &self.b else { return f64::NEG_INFINITY };
        let (n_a, n_b) = (x_wa.rotation.tr_mul(n), -x_wb.rotation.tr_mul(n));
        let (far_a, far_b) = match self.feature(index) {
            Feature::VertexOfA(vertex) => (n_a.dot(&self.a.vertices[vertex]), b.reach(&n_b)),
            Feature::VertexOfB(vertex) => (self.a.reach(&n_a), n_b.dot(&b.vertices[vertex])),
            Feature::Edges(..) if whole => (self.a.reach(&n_a), b.reach(&n_b)),
            Feature::Edges(i, j) => (self.a.edges[i].reach(&n_a), b.edges[j].reach(&n_b)),
        };
        n.dot(&(x_wb.translation - x_wa.translation)) - far_a - far_b - self.reach
    }

    /// The lines of two edges, whose distance along the normal to both, g = n · (x_B − x_A), is smooth however the edges turn about each
    /// other. With x_A and x_B where the normal meets the lines, x_B − x_A = g n, and n · ṅ = 0:
    ///
    /// g̈ = n · (ẍ_B − ẍ_A) + 2 ṅ · (ẋ_B − ẋ_A) − g |ṅ|²,  |ṅ| ≤ (ω_A + ω_B)/sin φ
    ///
    /// for lines at an angle φ. All but the first term, along the normal as it was, are of second order in what moves. What is known
    /// of points of the edges holds for the places beyond their ends too to which the crossing may go, with that much longer arms.
    fn lines_of_edges(&self, index: usize, looks: &FacetLooks<'_>) -> Option<Lines> {
        let (Some(b), Feature::Edges(i, j)) = (&self.b, self.feature(index)) else { return None };
        let edges = [&self.a.edges[i], &b.edges[j]];
        let crossing = |k: usize| -> Option<Crossing> {
            let [x_wa, x_wb] = looks.poses[k];
            self.cross(i, j, &x_wb.inverse().compose(x_wa))
        };
        let (first, last) = (crossing(0)?, crossing(1)?);
        let [normal, at_end] =
            [(0, &first), (1, &last)].map(|(k, at)| looks.poses[k][1].rotation * at.lines.normal);
        let sine = first.lines.sine.max(last.lines.sine) - looks.turn;
        let turn = looks.turn / sine;
        // Arms to the places beyond the ends are at most twice as long: so is all that turning gives.
        let travel = 2.0 * looks.travel;
        let distance = first.lines.gap().abs().max(last.lines.gap().abs()) + travel;
        let outside = (-first.room).max(-last.room).max(0.0);
        let beyond = 2.0 * (outside + (travel + turn * distance) / sine);
        let longer = beyond / edges[0].half_length.min(edges[1].half_length);
        // Lines that may become parallel, or whose normal has come to point back, are told apart otherwise.
        let is_small = |share: f64, most: f64| (0.0..=most).contains(&share);
        if !is_small(turn, TURN) || !is_small(longer, 1.0) || normal.dot(&at_end) <= 0.0 {
            return None;
        }
        let bending = turn * (2.0 * looks.acceleration + 2.0 * travel + turn * distance);
        let [start, end] = [&first, &last].map(|at| at.lines.gap() - self.reach + looks.slack);
        // The gap at the start is above zero by definition.
        let start = start + looks.overlap_at_start();
        Some(Lines { normal, distances: [start, end], bending: bending + longer * looks.acceleration })
    }

    /// Is a feature at both looks where others are the contact, and stays so?
    fn lets_others_touch(&self, index: usize, looks: &FacetLooks<'_>) -> bool {
        if self.reach > 0.0 {
            return self.stays_abroad(index, looks);
        }
        let Feature::Edges(i, j) = self.feature(index) else {
            return looks.poses.iter().all(|[x_wa, x_wb]| !self.is_alone(index, x_wa, x_wb));
        };
        let crossings = looks.poses.map(|[x_wa, x_wb]| self.cross(i, j, &x_wb.inverse().compose(x_wa)));
        let are_near = looks.gaps.iter().all(|gap| *gap <= self.margin);
        if are_near && !crossings.iter().flatten().any(|at| self.can_touch(at)) {
            return true;
        }
        crossings.iter().all(|crossing| {
            crossing.is_some_and(|at| {
                // The normal turns as much faster as the edges are nearer to parallel.
                let slowest = at.lines.sine - looks.turn;
                slowest > 0.0 && at.rise - RISE > 2.0 * looks.turn / slowest
            })
        })
    }

    /// Does a feature of rounded solids stay outside its territory between the looks, with others nearer than it?
    fn stays_abroad(&self, index: usize, looks: &FacetLooks<'_>) -> bool {
        let distance = looks.gaps[0].max(looks.gaps[1]) + self.reach;
        looks.poses.into_iter().all(|[x_wa, x_wb]| {
            let piece = self.over_at(index, x_wa, x_wb).map_or(0, |over| over.piece);
            let own = self.territory(index, piece, &x_wb.inverse().compose(x_wa));
            let slowest = own.sine - looks.turn;
            let change = 2.0 * (looks.travel + looks.turn * distance) / slowest;
            let are_parallel = own.room == f64::NEG_INFINITY && looks.turn < TURN;
            are_parallel || (slowest > 0.0 && own.room < -change)
        })
    }
}

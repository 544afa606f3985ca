//! A rigid vertex that begins to touch: which edge of the other outline it meets, and whether the contact is its own.

use carom_math::{Vec2, Vec3};

use super::Polygon;
use super::corner::Corner;
use super::held::MARGIN;
use super::placement::Planar;
use super::vertex::{is_pushed, pushes_along};
use crate::kept_speed::{ground_of, kept_speed};

/// Edges that a vertex is as far from as from each other at a corner, over the rounding of its place.
const LEVEL: f64 = 64.0;

/// By how much of its speed a corner has to come slower to another one than that to it.
const SLOWER: f64 = 1e-6;

/// A vertex of one polygon that comes to an edge of another one.
pub(super) struct Arrival<'a> {
    pub(super) own: &'a Polygon,
    pub(super) vertex: usize,
    pub(super) other: &'a Polygon,
    /// Of its polygon in the frame of the other.
    pub(super) place: Planar,
    /// The edge that it is over, or under.
    pub(super) edge: usize,
    /// In the other's frame (m/s).
    pub(super) velocity: Vec2,
}

/// How far a vertex is from the corner that it comes to, or has come from, at most.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// Along its velocity (s).
    pub time: f64,
    /// Across that, over rounding (m).
    pub across: f64,
}

impl Within {
    /// At the moment of the touch.
    pub const TOUCH: Self = Self { time: 0.0, across: 0.0 };
}

impl Arrival<'_> {
    /// The vertex in the other's frame (m).
    fn point(&self) -> Vec2 {
        self.place.point(&self.own.points()[self.vertex])
    }

    fn corner(&self) -> &Corner {
        &self.own.corners[self.vertex]
    }

    /// The direction in which it pushes, in the other's frame.
    fn pushes(&self) -> Vec2 {
        self.place.turned(&self.corner().outward)
    }

    /// The edge that it meets: its own, or where it comes to a corner the one of both, as far as it can push them, along which it goes on fastest.
    pub(super) fn met_edge(&self) -> usize {
        let Self { other, edge, .. } = *self;
        let (corner, point, pushes) = (self.corner(), self.point(), self.pushes());
        // Where it cannot push the edge that it is at it has come to the next one, though that begins a little farther on.
        let is_at_own = is_pushed(corner, &pushes, &other.edges[edge], 0.0);
        let is_met = |next: &usize| {
            let side = &other.edges[*next];
            let foot = side.foot(&point);
            let margin = MARGIN * side.length;
            foot.height.abs() <= if is_at_own { LEVEL * self.place.rounding(&point) } else { margin }
                && side.is_over(&foot, margin)
                && is_pushed(corner, &pushes, side, 0.0)
        };
        let count = other.edges.len();
        let (before, after) = ((edge + count - 1) % count, (edge + 1) % count);
        let beside =
            [(edge, before), (after, after)].into_iter().filter(|(end, _)| !other.corners[*end].is_hollow);
        beside
            .map(|(_, next)| next)
            .filter(is_met)
            .fold(edge, |best, next| if self.kept(next) > self.kept(best) { next } else { best })
    }

    /// How fast it goes on along an edge (m/s, [`kept_speed`]).
    fn kept(&self, edge: usize) -> f64 {
        let [normal, velocity, inside] =
            [self.other.edges[edge].outward, self.velocity, -self.pushes()].map(|v| Vec3::new(v.x, v.y, 0.0));
        kept_speed(&normal, &velocity, &ground_of(&velocity, &inside))
    }

    /// Of the edges at the corner outwards that it comes to, or has come from, the one of those that it can push along which it goes on fastest, or the one with the nearest
    /// normal to that of a side which it has pressed already.
    pub(super) fn met_at_corner(&self, within: Within, pressed: Option<Vec2>) -> Option<usize> {
        let is_outwards = |&(end, _): &(usize, usize)| self.other.corners[end].is_convex;
        let (_, beside) = self.corner_met(within).filter(is_outwards)?;
        let (corner, pushes) = (self.corner(), self.pushes());
        let is_met = |edge: &usize| is_pushed(corner, &pushes, &self.other.edges[*edge], 0.0);
        let merit = |edge: usize| match pressed {
            Some(normal) => self.other.edges[edge].outward.dot(&normal),
            None => self.kept(edge),
        };
        let met = [self.edge, beside].into_iter().filter(is_met);
        met.max_by(|a, b| merit(*a).total_cmp(&merit(*b)))
    }

    /// The corner that it comes to, or has come from, at an end of its edge, and the other edge there.
    fn corner_met(&self, within: Within) -> Option<(usize, usize)> {
        let (edge, count) = (self.edge, self.other.edges.len());
        let (before, after) = ((edge + count - 1) % count, (edge + 1) % count);
        let mut ends = [(edge, before), (after, after)].into_iter();
        ends.find(|&(end, _)| self.meets(&self.other.edges[end].start, within))
    }

    /// Does it give way to a corner at an end of its edge, where it comes to that, on one of its own edges? Two corners that meet
    /// keep apart along any normal n that both can push along, and the one of least n · v counts, along which they come slowest: what slides from a floor over a
    /// ridge lies on the ridge and runs into no side of the slope, and what slides to the tip of a wedge goes up that and is not struck by the tip.
    pub(super) fn gives_way(&self, within: Within) -> bool {
        let Self { own, other, velocity, .. } = *self;
        let Some((end, _)) = self.corner_met(within) else { return false };
        let at = &other.corners[end];
        let onto = fastest_leaving(self.corner(), &self.pushes(), normals_at(other, end), &velocity);
        let sides = normals_at(own, self.vertex).map(|normal| self.place.turned(&normal));
        let from = fastest_leaving(at, &at.outward, sides, &-velocity);
        at.is_convex && from > onto + SLOWER * velocity.norm()
    }

    /// Does it come to a corner of the other, or from there, straight on?
    fn meets(&self, corner: &Vec2, within: Within) -> bool {
        let way = corner - self.point();
        let speed = self.velocity.norm();
        let along = self.velocity.try_normalize(0.0).unwrap_or_default();
        let reach = within.time * speed;
        let apart = way - along * along.dot(&way).clamp(-reach, reach);
        apart.norm() <= within.across + MARGIN * self.other.edges[self.edge].length
    }
}

/// Normals of the edges that meet at a corner.
fn normals_at(polygon: &Polygon, corner: usize) -> [Vec2; 2] {
    let count = polygon.edges.len();
    [(corner + count - 1) % count, corner].map(|edge| polygon.edges[edge].outward)
}

/// How fast a corner leaves the edge that it leaves fastest of those that it can push (m/s), negative where it comes to all.
fn fastest_leaving(corner: &Corner, pushes: &Vec2, normals: [Vec2; 2], velocity: &Vec2) -> f64 {
    let pushed = normals.into_iter().filter(|normal| pushes_along(corner, pushes, normal, 0.0));
    pushed.map(|normal| normal.dot(velocity)).fold(f64::NEG_INFINITY, f64::max)
}

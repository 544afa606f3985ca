use carom_math::Vec3;

use super::Rims;
use crate::convex::Core;
use crate::convex::core::SurfacePoint;
use crate::convex::difference::{Difference, Pair};

/// A normal with two unit vectors across it, as both cores see them.
pub(super) struct Directions {
    /// From A to B, in A's frame.
    pub(super) n: Vec3,
    pub(super) tangents: [Vec3; 2],
    /// Outward from B, in B's frame.
    n_b: Vec3,
    tangents_b: [Vec3; 2],
}

impl Directions {
    #[inline]
    pub(super) fn new(difference: &Difference<'_>, n: &Vec3, (t1, t2): (Vec3, Vec3)) -> Self {
        let in_b = |v: &Vec3| difference.x_ab.rotation.tr_mul(v);
        Self { n: *n, tangents: [t1, t2], n_b: -in_b(n), tangents_b: [in_b(&t1), in_b(&t2)] }
    }

    pub(super) fn of_a(&self) -> (&Vec3, [&Vec3; 2]) {
        (&self.n, [&self.tangents[0], &self.tangents[1]])
    }

    fn of_b(&self) -> (&Vec3, [&Vec3; 2]) {
        (&self.n_b, [&self.tangents_b[0], &self.tangents_b[1]])
    }
}

/// A pair of surface points with what they do when the normal turns.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) pair: Pair,
    pub(super) weight: f64,
    pub(super) a_moves: bool,
    pub(super) b_moves: bool,
    /// Entries 11, 12, 22 of Tᵀ (H_A + H_B) T of the points that move (m).
    pub(super) radii: [f64; 3],
}

impl Member {
    pub(super) const NONE: Self =
        Self { pair: Pair::EMPTY, weight: 0.0, a_moves: false, b_moves: false, radii: [0.0; 3] };

    /// Points that move if they can.
    #[inline]
    pub(super) fn new(difference: &Difference<'_>, directions: &Directions, pair: Pair) -> Self {
        let a_moves = difference.a.moves(pair.a.branch, &directions.n);
        let b_moves = difference.b.moves(pair.b.branch, &directions.n_b);
        Self { pair, a_moves, b_moves, ..Self::NONE }
    }

    /// Whether the other is the same corners, or rims or surfaces that move.
    #[inline]
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        let same = |moves: bool, p: &SurfacePoint, q: &SurfacePoint| {
            p.branch == q.branch && (moves || p.point == q.point)
        };
        same(self.a_moves, &self.pair.a, &other.pair.a) && same(self.b_moves, &self.pair.b, &other.pair.b)
    }

    /// Square of a radius (m) that bounds how far the pair moves when the normal turns by an angle.
    #[inline]
    pub(super) fn stretch(&self) -> f64 {
        (self.radii[0] + self.radii[2]) * (self.radii[0] + self.radii[2])
    }

    /// Points and radii at a normal; `None` if a rim's plane turned across it.
    #[inline]
    pub(super) fn refresh(&mut self, difference: &Difference<'_>, directions: &Directions) -> Option<()> {
        if !(self.a_moves || self.b_moves) {
            // A pair that stands still stays where it is.
            return Some(());
        }
        let mut radii = [0.0; 3];
        if self.a_moves {
            let (n, tangents) = directions.of_a();
            let moving = difference.a.moving_point(self.pair.a.branch, n, tangents)?;
            self.pair.a.point = moving.point;
            radii = moving.radii;
        }
        if self.b_moves {
            let (n, tangents) = directions.of_b();
            let moving = difference.b.moving_point(self.pair.b.branch, n, tangents)?;
            self.pair.b.point = moving.point;
            for (sum, part) in radii.iter_mut().zip(moving.radii) {
                *sum += part;
            }
        }
        self.radii = radii;
        self.pair = difference.pair(self.pair.a, self.pair.b);
        Some(())
    }
}

/// Members from pairs of points: points of one rim or surface that lie close together are one point that moves.
#[inline]
pub(super) fn collect(
    difference: &Difference<'_>,
    directions: &Directions,
    pairs: &[Pair],
    rims: Rims,
) -> ([Member; 3], usize) {
    let mut members = [Member::NONE; 3];
    let mut count = 0;
    for pair in pairs {
        let mut member = Member::new(difference, directions, *pair);
        if rims == Rims::MoveIfNear {
            member.a_moves &= all_near(difference.a, &pair.a, directions.of_a(), pairs.iter().map(|p| &p.a));
            member.b_moves &= all_near(difference.b, &pair.b, directions.of_b(), pairs.iter().map(|p| &p.b));
        }
        if count < 3 && !members[..count].iter().any(|other| other.is_same_as(&member)) {
            members[count] = member;
            count += 1;
        }
    }
    (members, count)
}

/// Whether all points of a branch are near the one that it has at the normal.
fn all_near<'a>(
    core: &Core,
    point: &SurfacePoint,
    (n, tangents): (&Vec3, [&Vec3; 2]),
    mut points: impl Iterator<Item = &'a SurfacePoint>,
) -> bool {
    core.moving_point(point.branch, n, tangents).is_some_and(|moving| {
        points.all(|p| p.branch != point.branch || core.is_near(p.branch, &p.point, &moving.point))
    })
}

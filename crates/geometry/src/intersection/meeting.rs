//! The one formula by which an edge meets a triangle.
//!
//! Lists of pairs, brute force and single triangles call [`meet`], so that they agree in every bit. It has no branches, so that a
//! compiler can run it for several pairs at once, and no fused multiply-add, so that it gives the same bits on every machine. Where
//! rounding leaves a sign open it says so, and exact arithmetic decides.

use super::Side;
use super::surface::MeshSurface;
use crate::near::simd::{Kernel, LANES, any_of, lane};
use crate::near::{Placement, cross, dot, minus};

/// Bound of the rounding of a determinant of three differences of points, relative to the product of the largest differences along
/// the three axes. Each of its six products is rounded by three differences and three operations, and so are their sums: 46 u
/// with u = 2⁻⁵³, and terms of higher order.
pub(super) const ROUNDING: f64 = 64.0 * 0.5 * f64::EPSILON;

/// Determinants smaller than this (m³) may have lost products to underflow.
pub(super) const LEAST: f64 = 1e-280;

/// Where an edge meets the plane of a triangle, and whether that is in the triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// On the edge, whatever is rounded (m).
    pub(super) point: [f64; 3],
    /// The edge goes through the triangle.
    pub(super) is_through: bool,
    /// The lower end is behind the triangle.
    pub(super) is_low_inside: bool,
    /// Rounding cannot have changed whether it goes through, and which end is behind.
    pub(super) is_sure: bool,
}

/// The edge from `low` to `high` goes through the triangle if its ends are on different sides of the plane and the edges of the
/// triangle turn the same way around it: signs of (q − p) × (r − p)·(x − p) and of its like for the edge and two corners. The
/// point is low + s/(s − t) (high − low) with the distances s and t of the ends.
#[inline(always)]
pub(super) fn meet(low: [f64; 3], high: [f64; 3], [p, q, r]: [[f64; 3]; 3]) -> Meeting {
    let (e, f) = (minus(q, p), minus(r, p));
    let (a, b) = (minus(low, p), minus(high, p));
    let normal = cross(e, f);
    let (s, t) = (dot(normal, a), dot(normal, b));
    let around_p = cross(a, b);
    let (turn_pq, turn_rp) = (dot(around_p, e), -dot(around_p, f));
    // The three turns add up to n·(high − low).
    let turn_qr = (t - s) - (turn_pq + turn_rp);
    let bound = ROUNDING * (longest(e, f, a, b, 0) * longest(e, f, a, b, 1) * longest(e, f, a, b, 2)) + LEAST;
    // Four determinants, and sums of no more than 24 products.
    let is_turn_sure = (turn_pq.abs() > bound) & (turn_rp.abs() > bound) & (turn_qr.abs() > 8.0 * bound);
    let is_side_sure = (s.abs() > bound) & (t.abs() > bound);
    let is_across = (s < 0.0) != (t < 0.0);
    let is_around = ((turn_pq < 0.0) == (turn_qr < 0.0)) & ((turn_qr < 0.0) == (turn_rp < 0.0));
    // Both distances are zero to rounding if the edge lies in the plane.
    let share = s / (s - t);
    let share = if share.abs() < f64::INFINITY { share } else { 0.5 };
    let share = if share < 1.0 { share } else { 1.0 };
    let share = if share > 0.0 { share } else { 0.0 };
    let along = minus(high, low);
    Meeting {
        point: [low[0] + share * along[0], low[1] + share * along[1], low[2] + share * along[2]],
        is_through: is_across & is_around,
        is_low_inside: s < 0.0,
        is_sure: is_side_sure & (is_turn_sure | !is_across),
    }
}

/// Largest coordinate along an axis. Kernels have no closures: those would be compiled for the build's target only.
#[inline(always)]
pub(super) fn longest(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3], axis: usize) -> f64 {
    greater(greater(a[axis].abs(), b[axis].abs()), greater(c[axis].abs(), d[axis].abs()))
}

#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Eight pairs of an edge and a triangle, each in its own surface's frame, so that a list streams through memory. Lanes after
/// the last repeat it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct PairBlock {
    ends: [[[f64; LANES]; 3]; 2],
    corners: [[[f64; LANES]; 3]; 3],
}

/// What became of eight pairs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct MeetingBlock {
    point: [[f64; LANES]; 3],
    /// Bit k for lane k.
    pub(super) through: u8,
    pub(super) low_inside: u8,
    pub(super) unsure: u8,
}

impl PairBlock {
    const EMPTY: Self = Self { ends: [[[0.0; LANES]; 3]; 2], corners: [[[0.0; LANES]; 3]; 3] };

    #[inline(always)]
    fn set(&mut self, k: usize, ends: [[f64; 3]; 2], corners: [[f64; 3]; 3]) {
        for i in 0..3 {
            for (lanes, end) in self.ends.iter_mut().zip(ends) {
                lanes[i][k] = end[i];
            }
            for (lanes, corner) in self.corners.iter_mut().zip(corners) {
                lanes[i][k] = corner[i];
            }
        }
    }
}

impl MeetingBlock {
    const EMPTY: Self = Self { point: [[0.0; LANES]; 3], through: 0, low_inside: 0, unsure: 0 };

    #[inline(always)]
    pub(super) fn point(&self, lane: usize) -> [f64; 3] {
        [0, 1, 2].map(|i| self.point[i][lane])
    }
}

/// Replaces `blocks` by the pairs (edge · 2³² + triangle) of an edge of one surface and a triangle of the other.
pub(super) fn pack(pairs: &[u64], edges: &MeshSurface, triangles: &MeshSurface, blocks: &mut Vec<PairBlock>) {
    blocks.clear();
    for eight in pairs.chunks(LANES) {
        let mut block = PairBlock::EMPTY;
        for k in 0..LANES {
            let pair = eight[k.min(eight.len() - 1)];
            let ends = edges.edges[(pair >> 32) as usize].ends.map(|v| edges.vertices[v as usize].into());
            let corners =
                triangles.triangles[pair as u32 as usize].map(|v| triangles.vertices[v as usize].into());
            block.set(k, ends, corners);
        }
        blocks.push(block);
    }
}

/// Meetings of packed pairs with the edges of one side, with A at a placement in B.
pub(super) struct MeetAll<'a> {
    pub(super) side: Side,
    pub(super) blocks: &'a [PairBlock],
    pub(super) placement: &'a Placement,
    pub(super) meetings: &'a mut Vec<MeetingBlock>,
}

impl Kernel for MeetAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.meetings.resize(self.blocks.len(), MeetingBlock::EMPTY);
        match self.side {
            Side::A => meet_blocks::<true>(self.blocks, self.placement, self.meetings),
            Side::B => meet_blocks::<false>(self.blocks, self.placement, self.meetings),
        }
    }
}

#[inline(always)]
fn meet_blocks<const EDGES_MOVE: bool>(
    blocks: &[PairBlock],
    placement: &Placement,
    meetings: &mut [MeetingBlock],
) {
    for (block, meetings) in blocks.iter().zip(meetings) {
        let (mut through, mut low_inside, mut unsure) = ([0_u32; LANES], [0_u32; LANES], [0_u32; LANES]);
        let mut point = [[0.0; LANES]; 3];
        for k in 0..LANES {
            let (low, high) = (lane(&block.ends[0], k), lane(&block.ends[1], k));
            let (p, q, r) =
                (lane(&block.corners[0], k), lane(&block.corners[1], k), lane(&block.corners[2], k));
            let meeting = if EDGES_MOVE {
                meet(placement.take(low), placement.take(high), [p, q, r])
            } else {
                meet(low, high, [placement.take(p), placement.take(q), placement.take(r)])
            };
            for i in 0..3 {
                point[i][k] = meeting.point[i];
            }
            through[k] = if meeting.is_through { 1 << k } else { 0 };
            low_inside[k] = if meeting.is_low_inside { 1 << k } else { 0 };
            unsure[k] = if meeting.is_sure { 0 } else { 1 << k };
        }
        meetings.point = point;
        meetings.through = any_of(through);
        meetings.low_inside = any_of(low_inside);
        meetings.unsure = any_of(unsure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersection::nodes::pierces;
    use carom_math::Vec3;
    use carom_testkit::SplitMix64;

    /// On a grid, moved by amounts around rounding: what is sure is what exact signs say, and most of what is not near a plane is
    /// sure.
    #[test]
    fn sure_signs_are_exact_ones() {
        let mut rng = SplitMix64::new(3);
        let (mut sure, mut through, mut close) = (0, 0, 0);
        for round in 0..200_000 {
            let scale = libm::exp2(-f64::from(round % 64));
            let mut point = || -> [f64; 3] {
                std::array::from_fn(|_| {
                    0.1 * (rng.index(5) as f64 - 2.0) + 0.1 * scale * rng.uniform(-1.0, 1.0)
                })
            };
            let (low, high, corners) = (point(), point(), [point(), point(), point()]);
            let meeting = meet(low, high, corners);
            close += usize::from(!meeting.is_sure);
            if meeting.is_sure {
                let number = |k: u32, p: [f64; 3]| (k, Vec3::from(p));
                let numbered = [number(2, corners[0]), number(3, corners[1]), number(4, corners[2])];
                let expected = pierces(number(0, low), number(1, high), numbered);
                assert_eq!(meeting.is_through.then_some(meeting.is_low_inside), expected);
                sure += 1;
                through += usize::from(meeting.is_through);
            }
        }
        assert!(sure > 100_000 && through > 2_000 && close > 10_000, "{sure} {through} {close}");
    }

    #[test]
    fn every_level_of_instructions_gives_the_same_bits() {
        use crate::near::SimdLevel;
        let mut rng = SplitMix64::new(4);
        let mut blocks = vec![PairBlock::EMPTY; 50];
        for block in &mut blocks {
            for k in 0..LANES {
                let mut point = || -> [f64; 3] { rng.vector_in_cube(1.0).into() };
                block.set(k, [point(), point()], [point(), point(), point()]);
            }
        }
        let turn = rng.rotation().to_matrix();
        let placement = Placement {
            rows: [0, 1, 2].map(|i| [turn[(i, 0)], turn[(i, 1)], turn[(i, 2)]]),
            shift: rng.vector_in_cube(0.5).into(),
        };
        for side in [Side::A, Side::B] {
            let found = SimdLevel::all().into_iter().map(|level| {
                let mut meetings = Vec::new();
                level.run(MeetAll { side, blocks: &blocks, placement: &placement, meetings: &mut meetings });
                let bits = |m: &MeetingBlock| {
                    (
                        m.point.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
                        m.through,
                        m.low_inside,
                    )
                };
                meetings.iter().map(bits).collect::<Vec<_>>()
            });
            let found: Vec<_> = found.collect();
            assert!(found.iter().all(|level| *level == found[0]));
            assert!(found[0].iter().any(|(_, through, _)| *through != 0));
        }
    }
}

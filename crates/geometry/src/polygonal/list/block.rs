use crate::near::simd::{Kernel, LANES};
use crate::near::{Placement, TrianglePlane};
use crate::polygonal::brute_force::hit_of;
use crate::polygonal::ray::{Meeting, meet};
use crate::polygonal::{BaseElement, ElementHit, TargetSurface};

/// Eight pairs with all that is constant about them, so that evaluation streams through memory. Lanes without a pair
/// hold triangles that are nowhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    origin: [[f64; LANES]; 3],
    direction: [[f64; LANES]; 3],
    normal: [[f64; LANES]; 3],
    offset: [f64; LANES],
    g1: [[f64; LANES]; 3],
    c1: [f64; LANES],
    g2: [[f64; LANES]; 3],
    c2: [f64; LANES],
    limit: [f64; LANES],
    element: [u32; LANES],
    triangle: [u32; LANES],
}

impl Block {
    const EMPTY: Self = Self {
        origin: [[0.0; LANES]; 3],
        direction: [[0.0; LANES]; 3],
        normal: [[f64::NAN; LANES]; 3],
        offset: [f64::NAN; LANES],
        g1: [[f64::NAN; LANES]; 3],
        c1: [f64::NAN; LANES],
        g2: [[f64::NAN; LANES]; 3],
        c2: [f64::NAN; LANES],
        limit: [f64::NAN; LANES],
        element: [0; LANES],
        triangle: [0; LANES],
    };

    #[inline(always)]
    fn set(&mut self, k: usize, pair: u64, line: &BaseElement, target: &TargetSurface) {
        let (element, triangle) = ((pair >> 32) as u32, pair as u32);
        let plane = &target.triangles[triangle as usize].plane;
        for i in 0..3 {
            self.origin[i][k] = line.barycentre[i];
            self.direction[i][k] = -line.normal[i];
            self.normal[i][k] = plane.normal[i];
            self.g1[i][k] = plane.g1[i];
            self.g2[i][k] = plane.g2[i];
        }
        self.offset[k] = plane.offset;
        self.c1[k] = plane.c1;
        self.c2[k] = plane.c2;
        self.limit[k] = plane.limit;
        self.element[k] = element;
        self.triangle[k] = triangle;
    }

    #[inline(always)]
    fn meet(&self, k: usize, placement: &Placement, reach: f64) -> Meeting {
        let lane = |v: &[[f64; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
        let plane = TrianglePlane {
            normal: lane(&self.normal),
            offset: self.offset[k],
            g1: lane(&self.g1),
            c1: self.c1[k],
            g2: lane(&self.g2),
            c2: self.c2[k],
            limit: self.limit[k],
        };
        meet(placement, lane(&self.origin), lane(&self.direction), &plane, reach)
    }
}

pub(super) fn blocks_of(pairs: usize) -> usize {
    pairs.div_ceil(LANES)
}

/// Replaces `blocks` by those of the pairs.
pub(super) fn pack(
    pairs: &[u64],
    mut element: impl FnMut(u32) -> BaseElement,
    target: &TargetSurface,
    blocks: &mut Vec<Block>,
) {
    blocks.resize(blocks_of(pairs.len()), Block::EMPTY);
    if let Some(last) = blocks.last_mut() {
        *last = Block::EMPTY;
    }
    for (block, eight) in blocks.iter_mut().zip(pairs.chunks(LANES)) {
        for (k, &pair) in eight.iter().enumerate() {
            block.set(k, pair, &element((pair >> 32) as u32), target);
        }
    }
}

/// First hits of the elements of pairs that are in the order of their elements.
pub(crate) struct Evaluate<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) placement: &'a Placement,
    pub(super) reach: f64,
    pub(super) hits: &'a mut Vec<ElementHit>,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for block in self.blocks {
            let mut depth = [0.0; LANES];
            let mut cosine = [0.0; LANES];
            let mut lane = [0_u32; LANES];
            for k in 0..LANES {
                let meeting = block.meet(k, self.placement, self.reach);
                depth[k] = meeting.depth;
                cosine[k] = meeting.cosine;
                lane[k] = if meeting.is_hit { 1 << k } else { 0 };
            }
            let mut lanes = lane.iter().fold(0, |bits, bit| bits | bit);
            while lanes != 0 {
                let k = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let meeting = Meeting { depth: depth[k], cosine: cosine[k], is_hit: true };
                let hit = hit_of(block.element[k], block.triangle[k], &meeting);
                // Of equal depths that of the lowest triangle stays.
                match self.hits.last_mut() {
                    Some(last) if last.element == hit.element => {
                        if hit.depth < last.depth || (hit.depth == last.depth && hit.triangle < last.triangle)
                        {
                            *last = hit;
                        }
                    }
                    _ => self.hits.push(hit),
                }
            }
        }
    }
}

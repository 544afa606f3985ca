use crate::intersection::{MeshSurface, Side};

/// Which triangles the regions cover, and which of them are cut.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    sides: [OfSide; 2],
    /// Region · 2³³ + side · 2³² + triangle, ascending: those that another region covers as well.
    shared: Vec<u64>,
    epoch: u64,
    /// Triangles by region and side, ascending.
    triangles: Vec<u32>,
    starts: Vec<u32>,
    regions: usize,
}

/// Marks of one surface.
#[derive(Clone, Debug)]
struct OfSide {
    /// By triangle: search that it was covered in last, and the first region that did.
    last: Vec<(u64, u32)>,
    /// Search with a segment on it.
    cut: Vec<u64>,
    /// A bit for each triangle that is covered.
    bits: Vec<u64>,
}

impl Covered {
    /// For two surfaces, with room for so many lists.
    pub(super) fn new(a: &MeshSurface, b: &MeshSurface, lists: usize) -> Self {
        let side = |surface: &MeshSurface| {
            let count = surface.triangles.len();
            OfSide { last: vec![(0, 0); count], cut: vec![0; count], bits: vec![0; count.div_ceil(64)] }
        };
        let triangles = a.triangles.len() + b.triangles.len();
        Self {
            sides: [side(a), side(b)],
            shared: Vec::with_capacity(triangles),
            epoch: 0,
            triangles: Vec::with_capacity(2 * triangles),
            starts: Vec::with_capacity(lists + 1),
            regions: 0,
        }
    }

    /// Triangles of a side that a region covers, wholly or in part, ascending.
    pub(super) fn triangles(&self, region: usize, side: Side) -> &[u32] {
        let list = 2 * region + side as usize;
        &self.triangles[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Whether there is no segment on a triangle.
    pub(super) fn is_whole(&self, side: Side, triangle: u32) -> bool {
        self.sides[side as usize].cut[triangle as usize] != self.epoch
    }

    /// Forgets all, for so many regions.
    pub(super) fn begin(&mut self, regions: usize) {
        self.epoch += 1;
        self.regions = regions;
        self.shared.clear();
        self.starts.clear();
        self.starts.resize(2 * self.regions + 1, 0);
        for side in &mut self.sides {
            side.bits.fill(0);
        }
    }

    /// Notes a triangle with a segment on it.
    pub(super) fn cut(&mut self, region: u32, side: Side, triangle: u32) {
        self.sides[side as usize].cut[triangle as usize] = self.epoch;
        self.cover(region, side, triangle);
    }

    /// Notes a triangle.
    pub(super) fn cover(&mut self, region: u32, side: Side, triangle: u32) {
        let own = &mut self.sides[side as usize];
        let last = &mut own.last[triangle as usize];
        if last.0 != self.epoch {
            *last = (self.epoch, region);
            own.bits[triangle as usize / 64] |= 1 << (triangle % 64);
            self.starts[2 * region as usize + side as usize + 1] += 1;
        } else if last.1 != region {
            self.shared.push(u64::from(2 * region + side as u32) << 32 | u64::from(triangle));
        }
    }

    /// Makes the lists: bits in their order go to the ends of their lists. Triangles of several regions, which are few, are put between them.
    pub(super) fn list(&mut self) {
        self.shared.sort_unstable();
        self.shared.dedup();
        for key in &self.shared {
            self.starts[(key >> 32) as usize + 1] += 1;
        }
        for list in 1..self.starts.len() {
            self.starts[list] += self.starts[list - 1];
        }
        self.triangles.clear();
        self.triangles.resize(self.starts[2 * self.regions] as usize, 0);
        // Starts run through their lists and are put back by what they went.
        for (side, own) in self.sides.iter().enumerate() {
            for (word, bits) in own.bits.iter().enumerate() {
                let mut rest = *bits;
                while rest != 0 {
                    let triangle = 64 * word as u32 + rest.trailing_zeros();
                    rest &= rest - 1;
                    let list = 2 * own.last[triangle as usize].1 as usize + side;
                    self.triangles[self.starts[list] as usize] = triangle;
                    self.starts[list] += 1;
                }
            }
        }
        for key in &self.shared {
            let list = (key >> 32) as usize;
            self.triangles[self.starts[list] as usize] = *key as u32;
            self.starts[list] += 1;
        }
        for list in (1..self.starts.len()).rev() {
            self.starts[list] = self.starts[list - 1];
        }
        self.starts[0] = 0;
        let mut last = None;
        for key in &self.shared {
            let list = (key >> 32) as usize;
            if last != Some(list) {
                self.triangles[self.starts[list] as usize..self.starts[list + 1] as usize].sort_unstable();
            }
            last = Some(list);
        }
    }
}

use carom_math::Vec3;

use super::fit::{Item, cut_longest, fit};
use super::lanes::{EightBoxes, EightTriangles, Single};
use crate::TriangleMesh;
use crate::mesh::{Shell, Shells};
use crate::near::SurfaceFault;
use crate::near::corners::measure;
use crate::near::simd::LANES;

/// Marks children that are blocks, and things that are triangles.
const LEAF: u32 = 1 << 31;

/// A triangle surface as a tree of oriented boxes, eight children a node and eight triangles a leaf, for questions about
/// clearance. It knows nothing of where the surface is.
#[derive(Clone, Debug)]
pub struct ClearanceTree {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    /// Block and lane of each triangle.
    place: Vec<u32>,
    /// Distance of the farthest vertex from the frame's origin (m).
    radius: f64,
    pub(super) shells: Vec<Shell>,
    /// Shell of each triangle, whether it is turned against its neighbours, and its vertices, of those at one place the
    /// first.
    pub(super) shell_of: Vec<u32>,
    pub(super) is_flipped: Vec<bool>,
    pub(super) vertices: Vec<[u32; 3]>,
    /// The first triangle of a cavity that is in nothing.
    pub(super) room: Option<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    boxes: EightBoxes,
    /// Half diagonals of the boxes (m).
    radius: [f64; LANES],
    /// Nodes, or blocks with the mark.
    child: [u32; LANES],
    count: usize,
}

#[derive(Clone, Debug)]
struct Block {
    triangles: EightTriangles,
    index: [u32; LANES],
    count: usize,
}

/// A box, by its node and lane, or a triangle with the mark, by its block and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thing(u32);

/// What a box holds.
pub(super) enum Eight<'a> {
    Boxes(&'a EightBoxes),
    Triangles(&'a EightTriangles),
}

impl ClearanceTree {
    /// Triangles may be degenerate: they are the segments and points that they cover. Takes O(n log n) time and some 150
    /// bytes a triangle.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, SurfaceFault> {
        let radius = measure(mesh)?;
        let mut items: Vec<Item> =
            mesh.corners().zip(0..).map(|(corners, index)| Item { corners, index }).collect();
        let whole = fit(&items);
        let Shells { shells, of_triangle, is_flipped, corners } = Shells::of(mesh);
        let mut tree = Self {
            nodes: Vec::new(),
            blocks: Vec::new(),
            place: vec![0; items.len()],
            radius,
            shells,
            shell_of: of_triangle,
            is_flipped,
            vertices: corners,
            room: None,
        };
        // The first node has one child, so that the whole is a box of a node like any other.
        tree.nodes.push(Node::empty());
        tree.nodes[0].set(0, &whole);
        tree.nodes[0].child[0] = tree.add(&mut items);
        tree.nodes[0].fill(1);
        tree.room = tree.find_room();
        Ok(tree)
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.place.len()
    }

    /// Corners of a triangle (m).
    pub fn triangle(&self, index: u32) -> [Vec3; 3] {
        let place = self.place[index as usize] as usize;
        self.blocks[place / LANES].triangles.corners(place % LANES)
    }

    /// Distance of the farthest vertex from the frame's origin (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Adds what holds these items; each child but the last is full, as far down as it goes.
    fn add(&mut self, items: &mut [Item]) -> u32 {
        if items.len() <= LANES {
            return self.add_block(items) | LEAF;
        }
        let mut capacity = LANES;
        while capacity * LANES < items.len() {
            capacity *= LANES;
        }
        let node = self.nodes.len();
        self.nodes.push(Node::empty());
        let mut groups: Vec<std::ops::Range<usize>> = std::iter::once(0..items.len()).collect();
        while let Some(k) = groups.iter().position(|range| range.len() > capacity) {
            let range = groups[k].clone();
            let children = range.len().div_ceil(capacity);
            let middle = range.start + children / 2 * capacity;
            cut_longest(&mut items[range.clone()], children / 2 * capacity);
            groups[k] = range.start..middle;
            groups.insert(k + 1, middle..range.end);
        }
        for (lane, range) in groups.iter().enumerate() {
            self.nodes[node].set(lane, &fit(&items[range.clone()]));
            let child = self.add(&mut items[range.clone()]);
            self.nodes[node].child[lane] = child;
        }
        self.nodes[node].fill(groups.len());
        node as u32
    }

    fn add_block(&mut self, items: &mut [Item]) -> u32 {
        items.sort_unstable_by_key(|item| item.index);
        let number = self.blocks.len();
        let mut block = Block {
            triangles: EightTriangles { corners: Default::default() },
            index: [0; LANES],
            count: items.len(),
        };
        for lane in 0..LANES {
            // Lanes without a triangle repeat the first.
            let item = &items[if lane < items.len() { lane } else { 0 }];
            block.index[lane] = item.index;
            for (corner, p) in block.triangles.corners.iter_mut().zip(&item.corners) {
                for i in 0..3 {
                    corner[i][lane] = p[i];
                }
            }
            if lane < items.len() {
                self.place[item.index as usize] = (number * LANES + lane) as u32;
            }
        }
        self.blocks.push(block);
        number as u32
    }

    /// The box around everything.
    pub(super) fn whole(&self) -> Thing {
        Thing(0)
    }

    #[inline(always)]
    pub(super) fn single(&self, thing: Thing) -> Single {
        let (group, lane) = thing.split();
        if thing.is_triangle() {
            self.blocks[group].triangles.single(lane)
        } else {
            self.nodes[group].boxes.single(lane)
        }
    }

    /// Half diagonal of a box (m); negative for a triangle, which cannot be opened.
    #[inline(always)]
    pub(super) fn size(&self, thing: Thing) -> f64 {
        let (group, lane) = thing.split();
        if thing.is_triangle() { -1.0 } else { self.nodes[group].radius[lane] }
    }

    /// Index in the mesh.
    #[inline(always)]
    pub(super) fn index(&self, triangle: Thing) -> u32 {
        let (group, lane) = triangle.split();
        self.blocks[group].index[lane]
    }

    /// What is in a box: its number, which [`Self::child`] asks for, how many, and the things themselves.
    #[inline(always)]
    pub(super) fn open(&self, thing: Thing) -> (u32, usize, Eight<'_>) {
        let (group, lane) = thing.split();
        let child = self.nodes[group].child[lane];
        let number = (child & !LEAF) as usize;
        if child & LEAF != 0 {
            let block = &self.blocks[number];
            (child, block.count, Eight::Triangles(&block.triangles))
        } else {
            let node = &self.nodes[number];
            (child, node.count, Eight::Boxes(&node.boxes))
        }
    }

    /// The thing in a lane of what has been opened.
    #[inline(always)]
    pub(super) fn child(opened: u32, lane: usize) -> Thing {
        Thing((opened & LEAF) | ((opened & !LEAF) * LANES as u32 + lane as u32))
    }
}

impl Thing {
    #[inline(always)]
    pub(super) fn is_triangle(self) -> bool {
        self.0 & LEAF != 0
    }

    #[inline(always)]
    fn split(self) -> (usize, usize) {
        let number = (self.0 & !LEAF) as usize;
        (number / LANES, number % LANES)
    }
}

impl Node {
    fn empty() -> Self {
        let boxes =
            EightBoxes { centre: Default::default(), half: Default::default(), axis: Default::default() };
        Self { boxes, radius: [0.0; LANES], child: [0; LANES], count: 0 }
    }

    fn set(&mut self, lane: usize, fitted: &super::fit::Fitted) {
        for i in 0..3 {
            self.boxes.centre[i][lane] = fitted.centre[i];
            self.boxes.axis[i][lane] = fitted.axes[2][i];
            for (half, (axis, size)) in self.boxes.half.iter_mut().zip(fitted.axes.iter().zip(fitted.half)) {
                half[i][lane] = axis[i] * size;
            }
        }
        self.radius[lane] = Vec3::from(fitted.half).norm();
    }

    /// The lanes from `count` on repeat the first.
    fn fill(&mut self, count: usize) {
        self.count = count;
        let EightBoxes { centre, half, axis } = &mut self.boxes;
        for numbers in centre.iter_mut().chain(axis).chain(half.as_flattened_mut()) {
            let first = numbers[0];
            numbers[count..].fill(first);
        }
    }
}

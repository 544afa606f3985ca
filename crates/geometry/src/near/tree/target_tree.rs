use carom_math::Vec3;

use super::divide::{Bounds, Item, cut_by_surface, divide};
use super::query::{EightBoxes, PROJECTION_ERROR, above, below};
use crate::near::simd::{LANES, any_of};

/// Boxes around the triangles of the target, about `centre`.
#[derive(Clone, Debug)]
pub(crate) struct TargetTree {
    pub(super) nodes: Vec<TargetNode>,
    /// Nodes on the longest way down.
    pub(super) depth: usize,
    /// Middle of all boxes (m), which boxes are relative to: 32 bits are enough then wherever the frame is.
    pub(crate) centre: Vec3,
    /// Half diagonal of the box around everything (m).
    pub(crate) size: f64,
    /// Distance of the farthest point from the centre, slack included (m): of a ball 0.58 of `size`.
    pub(crate) radius: f64,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct TargetNode {
    pub(super) boxes: EightBoxes,
    /// Numbers of triangles and nodes.
    pub(super) child: [u32; LANES],
    /// Bit k is set if child k is a triangle.
    pub(super) triangles: u8,
    /// Longest edges of the boxes (m).
    extent: [f32; LANES],
}

impl TargetNode {
    /// Bit k is set if child k is a node with a box longer than `longest` (m).
    #[inline(always)]
    pub(super) fn longer(&self, longest: f32) -> u8 {
        let mut longer = [0_u32; LANES];
        for k in 0..LANES {
            longer[k] = if self.extent[k] > longest { 1 << k } else { 0 };
        }
        any_of(longer) & !self.triangles
    }
}

impl TargetTree {
    /// Of triangles with their indices and corners, at least one; their boxes are inflated by `slack` (m) times their
    /// size, for the slack of the exact test.
    pub(crate) fn new(triangles: &[(u32, [Vec3; 3])], slack: f64) -> Self {
        let mut items: Vec<Item> = triangles
            .iter()
            .enumerate()
            .map(|(index, (_, [a, b, c]))| {
                let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
                let more = Vec3::repeat(slack * (high - low).amax());
                Item { low: low - more, high: high + more, index: index as u32 }
            })
            .collect();
        let bounds = Bounds::of(&items);
        let centre = 0.5 * (bounds.low + bounds.high);
        let size = (0.5 * (bounds.high - bounds.low)).norm();
        let reaches = |(_, corners): &(u32, [Vec3; 3])| {
            let [a, b, c] = corners;
            let farthest = corners.iter().map(|corner| (corner - centre).norm()).fold(0.0, f64::max);
            farthest + slack * (a.sup(b).sup(c) - a.inf(b).inf(c)).norm()
        };
        let radius = triangles.iter().map(reaches).fold(0.0, f64::max);
        let mut tree = Self { nodes: Vec::new(), depth: 0, centre, size, radius };
        tree.add(&mut items, triangles, slack, 1);
        tree
    }

    /// `depth` counts the new node.
    fn add(&mut self, items: &mut [Item], triangles: &[(u32, [Vec3; 3])], slack: f64, depth: usize) -> u32 {
        self.depth = self.depth.max(depth);
        let groups = divide(items, |count| count > 1, cut_by_surface);
        let index = self.nodes.len() as u32;
        self.nodes.push(TargetNode {
            boxes: EightBoxes::NONE,
            child: [0; LANES],
            triangles: 0,
            extent: [0.0; LANES],
        });
        for (lane, range) in groups.into_iter().enumerate() {
            let group = &mut items[range];
            self.set_box(index as usize, lane, group, triangles, slack);
            let child = match group {
                [item] => {
                    self.nodes[index as usize].triangles |= 1 << lane;
                    triangles[item.index as usize].0
                }
                group => self.add(group, triangles, slack, depth + 1),
            };
            self.nodes[index as usize].child[lane] = child;
        }
        index
    }

    fn set_box(
        &mut self,
        node: usize,
        lane: usize,
        group: &[Item],
        triangles: &[(u32, [Vec3; 3])],
        slack: f64,
    ) {
        let bounds = Bounds::of(group);
        let corners = || group.iter().map(|item| &triangles[item.index as usize].1);
        let normal: Vec3 = corners().map(|[a, b, c]| (b - a).cross(&(c - a))).sum();
        let axis = normal.try_normalize(0.0).unwrap_or_else(Vec3::zeros).map(|x| f64::from(x as f32));
        let heights = corners().flatten().map(|v| axis.dot(&(v - self.centre)));
        let (low, high) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
        let margin = (slack + f64::from(PROJECTION_ERROR)) * self.size;
        let TargetNode { boxes, extent, .. } = &mut self.nodes[node];
        for i in 0..3 {
            boxes.low[i][lane] = below(bounds.low[i] - self.centre[i]);
            boxes.high[i][lane] = above(bounds.high[i] - self.centre[i]);
            boxes.axis[i][lane] = axis[i] as f32;
        }
        boxes.axis_low[lane] = below(low - margin);
        boxes.axis_high[lane] = above(high + margin);
        extent[lane] = above((bounds.high - bounds.low).amax());
    }
}

use std::ops::Range;

use carom_math::Vec3;

use super::divide::{Bounds, Item, cut_in_blocks, divide};
use crate::polygonal::simd::LANES;

/// Boxes around the penetration lines of the base.
#[derive(Clone, Debug)]
pub(in crate::polygonal) struct BaseTree {
    pub(super) nodes: Vec<BaseNode>,
    pub(super) clusters: Vec<Cluster>,
    /// Nodes on the longest way down.
    pub(super) depth: usize,
    /// Middle of the box around all lines (m).
    pub(in crate::polygonal) centre: Vec3,
    /// Distance from there of the farthest end of a line (m).
    pub(in crate::polygonal) radius: f64,
}

/// Up to eight children: boxes with a slab along the mean direction of their lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct BaseNode {
    pub(super) centre: [[f64; LANES]; 3],
    pub(super) half: [[f64; LANES]; 3],
    pub(super) axis: [[f64; LANES]; 3],
    pub(super) axis_low: [f64; LANES],
    pub(super) axis_high: [f64; LANES],
    pub(super) child: [BaseChild; LANES],
    pub(super) children: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum BaseChild {
    Node(u32),
    Cluster(u32),
}

/// Up to eight lines that are near each other; the lanes after the last repeat the first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Cluster {
    pub(super) origin: [[f64; LANES]; 3],
    pub(super) direction: [[f64; LANES]; 3],
    pub(super) element: [u32; LANES],
    pub(super) lines: usize,
}

/// A penetration line in the base's frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::polygonal) struct Line {
    pub(in crate::polygonal) element: u32,
    pub(in crate::polygonal) origin: Vec3,
    pub(in crate::polygonal) direction: Vec3,
}

/// Mean direction of lines and where they lie along it.
struct Slab {
    axis: Vec3,
    low: f64,
    high: f64,
}

impl BaseTree {
    /// Of at least one line, all as long as `reach` (m).
    pub(in crate::polygonal) fn new(lines: &[Line], reach: f64) -> Self {
        let mut items: Vec<Item> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let end = line.origin + reach * line.direction;
                Item { low: line.origin.inf(&end), high: line.origin.sup(&end), index: index as u32 }
            })
            .collect();
        let bounds = Bounds::of(&items);
        let centre = 0.5 * (bounds.low + bounds.high);
        let ends = lines.iter().flat_map(|line| [line.origin, line.origin + reach * line.direction]);
        let radius = ends.map(|end| (end - centre).norm()).fold(0.0, f64::max);
        let mut tree = Self { nodes: Vec::new(), clusters: Vec::new(), depth: 0, centre, radius };
        // All at once is what the target's upper boxes are held against first.
        let all = 0..items.len();
        tree.nodes.push(make_node(&items, std::slice::from_ref(&all), lines, reach));
        let child = tree.add(&mut items, lines, reach, 2);
        tree.nodes[0].child[0] = BaseChild::Node(child);
        tree
    }

    /// `depth` counts the new node.
    fn add(&mut self, items: &mut [Item], lines: &[Line], reach: f64, depth: usize) -> u32 {
        self.depth = self.depth.max(depth);
        let groups = divide(items, |count| count > LANES, cut_in_blocks);
        let index = self.nodes.len() as u32;
        self.nodes.push(make_node(items, &groups, lines, reach));
        for (lane, range) in groups.into_iter().enumerate() {
            let group = &mut items[range];
            let child = if group.len() > LANES {
                BaseChild::Node(self.add(group, lines, reach, depth + 1))
            } else {
                self.clusters.push(make_cluster(group, lines));
                BaseChild::Cluster(self.clusters.len() as u32 - 1)
            };
            self.nodes[index as usize].child[lane] = child;
        }
        index
    }
}

fn make_node(items: &[Item], groups: &[Range<usize>], lines: &[Line], reach: f64) -> BaseNode {
    let none = [0.0; LANES];
    let mut node = BaseNode {
        centre: [none; 3],
        half: [none; 3],
        axis: [none; 3],
        axis_low: none,
        axis_high: none,
        child: [BaseChild::Cluster(0); LANES],
        children: groups.len(),
    };
    for (lane, range) in groups.iter().enumerate() {
        let group = &items[range.clone()];
        let bounds = Bounds::of(group);
        let slab = find_slab(group, lines, reach);
        for i in 0..3 {
            node.centre[i][lane] = 0.5 * (bounds.low[i] + bounds.high[i]);
            node.half[i][lane] = 0.5 * (bounds.high[i] - bounds.low[i]);
            node.axis[i][lane] = slab.axis[i];
        }
        node.axis_low[lane] = slab.low;
        node.axis_high[lane] = slab.high;
    }
    node
}

fn make_cluster(group: &[Item], lines: &[Line]) -> Cluster {
    let none = [0.0; LANES];
    let mut cluster =
        Cluster { origin: [none; 3], direction: [none; 3], element: [0; LANES], lines: group.len() };
    for lane in 0..LANES {
        let line = &lines[group.get(lane).unwrap_or(&group[0]).index as usize];
        for i in 0..3 {
            cluster.origin[i][lane] = line.origin[i];
            cluster.direction[i][lane] = line.direction[i];
        }
        cluster.element[lane] = line.element;
    }
    cluster
}

fn find_slab(group: &[Item], lines: &[Line], reach: f64) -> Slab {
    let lines = || group.iter().map(|item| &lines[item.index as usize]);
    let sum: Vec3 = lines().map(|line| line.direction).sum();
    let axis = sum.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let mut slab = Slab { axis, low: f64::INFINITY, high: f64::NEG_INFINITY };
    for line in lines() {
        for end in [line.origin, line.origin + reach * line.direction] {
            let height = axis.dot(&end);
            slab.low = slab.low.min(height);
            slab.high = slab.high.max(height);
        }
    }
    slab
}

use carom_math::Vec3;

use super::divide::{Bounds, Item, cut_in_blocks, divide, halve_in_middle};
use super::patch::Patch;
use crate::near::BaseElement;
use crate::near::Part;
use crate::near::simd::LANES;

/// Boxes around what of the base meets triangles of the target: lines, or triangles.
#[derive(Clone, Debug)]
pub(crate) struct BaseTree<L = Cluster> {
    pub(super) nodes: Vec<BaseNode>,
    pub(super) clusters: Vec<L>,
    /// Triangles whose lines are those of leaves.
    pub(super) parts: Vec<Part>,
    /// Nodes on the longest way down.
    pub(super) depth: usize,
    /// Middle of the box around all lines (m).
    pub(crate) centre: Vec3,
    /// Distance from there of the farthest end of a line (m).
    pub(crate) radius: f64,
}

/// Up to eight children: boxes with a slab along the mean direction of their lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BaseNode {
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
    Part(u32),
}

/// Up to eight lines that are near each other; the lanes after the last repeat the first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Cluster {
    pub(super) origin: [[f64; LANES]; 3],
    pub(super) direction: [[f64; LANES]; 3],
    pub(super) element: [u32; LANES],
    pub(super) lines: usize,
}

/// A penetration line in the base's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) element: u32,
    pub(crate) origin: Vec3,
    pub(crate) direction: Vec3,
}

/// Mean direction of lines, or normal of triangles, and where they lie along it.
struct Slab {
    axis: Vec3,
    low: f64,
    high: f64,
}

/// What leaves are made of.
trait Contents<L> {
    fn slab(&self, group: &[Item]) -> Slab;

    /// Of at most eight.
    fn leaf(&self, group: &[Item]) -> L;
}

struct Lines<'a> {
    lines: &'a [Line],
    reach: f64,
}

struct Triangles<'a>(&'a [(u32, [Vec3; 3])]);

impl BaseTree<Patch> {
    /// Of triangles with their numbers, at least one.
    pub(crate) fn of_triangles(triangles: &[(u32, [Vec3; 3])]) -> Self {
        let mut items: Vec<Item> = (0..)
            .zip(triangles)
            .map(|(index, (_, [a, b, c]))| Item { low: a.inf(b).inf(c), high: a.sup(b).sup(c), index })
            .collect();
        let bounds = Bounds::of(&items);
        let centre = 0.5 * (bounds.low + bounds.high);
        let corners = triangles.iter().flat_map(|(_, corners)| corners);
        let radius = corners.map(|corner| (corner - centre).norm()).fold(0.0, f64::max);
        let mut tree = Self::empty(centre, radius);
        tree.add_first(0, &mut items, &Triangles(triangles));
        tree
    }
}

impl BaseTree {
    /// Of lines all as long as `reach` (m), and of parts with more of them; at least one of both.
    pub(crate) fn new(lines: &[Line], parts: Vec<Part>, reach: f64) -> Self {
        let mut items: Vec<Item> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let end = line.origin + reach * line.direction;
                Item { low: line.origin.inf(&end), high: line.origin.sup(&end), index: index as u32 }
            })
            .collect();
        let of_part = |(index, part): (usize, &Part)| {
            let (low, high) = part.bounds(reach);
            Item { low, high, index: index as u32 }
        };
        let mut part_items: Vec<Item> = parts.iter().enumerate().map(of_part).collect();
        let bounds = Bounds::of(&items).join(&Bounds::of(&part_items));
        let centre = 0.5 * (bounds.low + bounds.high);
        let of_lines = lines.iter().flat_map(|line| [line.origin, line.origin + reach * line.direction]);
        let of_parts = parts.iter().flat_map(|part| part.ends(reach).map(|end| (end, part.margin())));
        let radius = of_lines
            .map(|end| (end, 0.0))
            .chain(of_parts)
            .map(|(end, margin)| (end - centre).norm() + margin)
            .fold(0.0, f64::max);
        let mut tree = Self { parts, ..Self::empty(centre, radius) };
        let mut lane = 0;
        if !items.is_empty() {
            tree.add_first(lane, &mut items, &Lines { lines, reach });
            lane += 1;
        }
        if !part_items.is_empty() {
            tree.set_parts(0, lane, &part_items, reach);
            let child = tree.add_parts(&mut part_items, reach, 2);
            tree.nodes[0].child[lane] = BaseChild::Node(child);
        }
        tree
    }

    /// Down to single parts; `depth` counts the new node.
    fn add_parts(&mut self, items: &mut [Item], reach: f64, depth: usize) -> u32 {
        self.depth = self.depth.max(depth);
        let groups = divide(items, |count| count > 1, halve_in_middle);
        let index = self.nodes.len();
        self.nodes.push(BaseNode::EMPTY);
        for (lane, range) in groups.into_iter().enumerate() {
            let group = &mut items[range];
            self.set_parts(index, lane, group, reach);
            let child = match group {
                [part] => BaseChild::Part(part.index),
                group => BaseChild::Node(self.add_parts(group, reach, depth + 1)),
            };
            self.nodes[index].child[lane] = child;
        }
        index as u32
    }

    fn set_parts(&mut self, node: usize, lane: usize, group: &[Item], reach: f64) {
        let parts = || group.iter().map(|item| &self.parts[item.index as usize]);
        let slab = Slab::of_parts(parts(), reach);
        self.nodes[node].set(lane, &Bounds::of(group), &slab);
    }
}

impl<L> BaseTree<L> {
    fn empty(centre: Vec3, radius: f64) -> Self {
        Self {
            nodes: vec![BaseNode::EMPTY],
            clusters: Vec::new(),
            parts: Vec::new(),
            depth: 0,
            centre,
            radius,
        }
    }

    /// All at once is what the target's upper boxes are held against first.
    fn add_first(&mut self, lane: usize, items: &mut [Item], contents: &impl Contents<L>) {
        self.nodes[0].set(lane, &Bounds::of(items), &contents.slab(items));
        let child = self.add(items, contents, 2);
        self.nodes[0].child[lane] = BaseChild::Node(child);
    }

    /// `depth` counts the new node.
    fn add(&mut self, items: &mut [Item], contents: &impl Contents<L>, depth: usize) -> u32 {
        self.depth = self.depth.max(depth);
        let groups = divide(items, |count| count > LANES, cut_in_blocks);
        let index = self.nodes.len() as u32;
        let mut node = BaseNode::EMPTY;
        for (lane, range) in groups.iter().enumerate() {
            let group = &items[range.clone()];
            node.set(lane, &Bounds::of(group), &contents.slab(group));
        }
        self.nodes.push(node);
        for (lane, range) in groups.into_iter().enumerate() {
            let group = &mut items[range];
            let child = if group.len() > LANES {
                BaseChild::Node(self.add(group, contents, depth + 1))
            } else {
                self.clusters.push(contents.leaf(group));
                BaseChild::Cluster(self.clusters.len() as u32 - 1)
            };
            self.nodes[index as usize].child[lane] = child;
        }
        index
    }
}

impl BaseNode {
    pub(crate) const EMPTY: Self = Self {
        centre: [[0.0; LANES]; 3],
        half: [[0.0; LANES]; 3],
        axis: [[0.0; LANES]; 3],
        axis_low: [0.0; LANES],
        axis_high: [0.0; LANES],
        child: [BaseChild::Cluster(0); LANES],
        children: 0,
    };

    /// Boxes around parts, at most eight; which children they are is left open.
    pub(crate) fn of_parts(parts: &[Part], reach: f64) -> Self {
        let mut node = Self::EMPTY;
        for (lane, part) in parts.iter().enumerate() {
            let (low, high) = part.bounds(reach);
            node.set(lane, &Bounds { low, high }, &Slab::of_parts(std::iter::once(part), reach));
        }
        node
    }

    /// Lanes come in their order.
    fn set(&mut self, lane: usize, bounds: &Bounds, slab: &Slab) {
        for i in 0..3 {
            self.centre[i][lane] = 0.5 * (bounds.low[i] + bounds.high[i]);
            self.half[i][lane] = 0.5 * (bounds.high[i] - bounds.low[i]);
            self.axis[i][lane] = slab.axis[i];
        }
        self.axis_low[lane] = slab.low;
        self.axis_high[lane] = slab.high;
        self.children = lane + 1;
    }
}

impl Cluster {
    pub(crate) const EMPTY: Self =
        Self { origin: [[0.0; LANES]; 3], direction: [[0.0; LANES]; 3], element: [0; LANES], lines: 0 };

    /// Adds the line of an element; there are fewer than eight.
    pub(crate) fn push(&mut self, number: u32, element: &BaseElement) {
        for i in 0..3 {
            self.origin[i][self.lines] = element.barycentre[i];
            self.direction[i][self.lines] = -element.normal[i];
        }
        self.element[self.lines] = number;
        self.lines += 1;
    }

    /// Fills the lanes after the last.
    pub(crate) fn repeat_first(&mut self) {
        for lane in self.lines..LANES {
            for i in 0..3 {
                self.origin[i][lane] = self.origin[i][0];
                self.direction[i][lane] = self.direction[i][0];
            }
            self.element[lane] = self.element[0];
        }
    }
}

impl Slab {
    /// Along a sum of directions (zero: everything is in the slab).
    fn of_points(direction: Vec3, points: impl Iterator<Item = Vec3>) -> Self {
        let axis = direction.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let mut slab = Self { axis, low: f64::INFINITY, high: f64::NEG_INFINITY };
        for point in points {
            let height = axis.dot(&point);
            slab.low = slab.low.min(height);
            slab.high = slab.high.max(height);
        }
        slab
    }

    fn of_parts<'a>(parts: impl Iterator<Item = &'a Part> + Clone, reach: f64) -> Self {
        let sum: Vec3 = parts.clone().map(|part| part.direction()).sum();
        let axis = sum.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let mut slab = Self { axis, low: f64::INFINITY, high: f64::NEG_INFINITY };
        for part in parts {
            for end in part.ends(reach) {
                let height = axis.dot(&end);
                slab.low = slab.low.min(height - part.margin());
                slab.high = slab.high.max(height + part.margin());
            }
        }
        slab
    }
}

impl Contents<Cluster> for Lines<'_> {
    fn slab(&self, group: &[Item]) -> Slab {
        let lines = || group.iter().map(|item| &self.lines[item.index as usize]);
        let ends = lines().flat_map(|line| [line.origin, line.origin + self.reach * line.direction]);
        Slab::of_points(lines().map(|line| line.direction).sum(), ends)
    }

    fn leaf(&self, group: &[Item]) -> Cluster {
        let mut cluster = Cluster::EMPTY;
        cluster.lines = group.len();
        for lane in 0..LANES {
            let line = &self.lines[group.get(lane).unwrap_or(&group[0]).index as usize];
            for i in 0..3 {
                cluster.origin[i][lane] = line.origin[i];
                cluster.direction[i][lane] = line.direction[i];
            }
            cluster.element[lane] = line.element;
        }
        cluster
    }
}

impl Contents<Patch> for Triangles<'_> {
    fn slab(&self, group: &[Item]) -> Slab {
        let corners = || group.iter().map(|item| &self.0[item.index as usize].1);
        let normal = corners().map(|[a, b, c]| (b - a).cross(&(c - a))).sum();
        Slab::of_points(normal, corners().flatten().copied())
    }

    fn leaf(&self, group: &[Item]) -> Patch {
        let triangles: Vec<_> = group.iter().map(|item| self.0[item.index as usize]).collect();
        Patch::new(&triangles)
    }
}

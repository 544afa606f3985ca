//! Division of boxes into groups, top down.

use std::ops::Range;

use carom_math::Vec3;

use crate::near::simd::LANES;

/// Bins of an axis in the search for the best cut.
const BINS: usize = 16;

/// A box with the index of what is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    pub(super) index: u32,
}

/// Lowest and highest coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Bounds {
    pub(super) const NONE: Self = Self {
        low: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    pub(super) fn of(items: &[Item]) -> Self {
        items.iter().fold(Self::NONE, |bounds, item| bounds.and(&item.low, &item.high))
    }

    pub(super) fn and(&self, low: &Vec3, high: &Vec3) -> Self {
        Self { low: self.low.inf(low), high: self.high.sup(high) }
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        self.and(&other.low, &other.high)
    }

    /// Half of the surface (m²), 0 for nothing.
    fn half_area(&self) -> f64 {
        let size = self.high - self.low;
        if size.x < 0.0 { 0.0 } else { size.x * size.y + size.y * size.z + size.z * size.x }
    }
}

/// Reorders items and divides them into at most eight groups, always the largest of those that `is_divisible` again, at
/// the place that `cut` finds.
pub(super) fn divide(
    items: &mut [Item],
    is_divisible: impl Fn(usize) -> bool,
    cut: impl Fn(&mut [Item]) -> usize,
) -> Vec<Range<usize>> {
    let mut groups = vec![(0..items.len(), f64::INFINITY)];
    while groups.len() < LANES {
        let mut chosen: Option<usize> = None;
        for (k, (range, size)) in groups.iter().enumerate() {
            if is_divisible(range.len()) && chosen.is_none_or(|c| *size > groups[c].1) {
                chosen = Some(k);
            }
        }
        let Some(chosen) = chosen else { break };
        let range = groups[chosen].0.clone();
        let middle = range.start + cut(&mut items[range.clone()]);
        let sized = |range: Range<usize>| {
            let size = Bounds::of(&items[range.clone()]).half_area();
            (range, size)
        };
        groups[chosen] = sized(range.start..middle);
        groups.push(sized(middle..range.end));
    }
    groups.into_iter().map(|(range, _)| range).collect()
}

fn centre(item: &Item) -> Vec3 {
    0.5 * (item.low + item.high)
}

/// Bounds of the centres.
fn centres(items: &[Item]) -> Bounds {
    items.iter().map(centre).fold(Bounds::NONE, |bounds, c| bounds.and(&c, &c))
}

/// Cut with the least sum of surface times number (surface area heuristic: MacDonald and Booth, "Heuristics for ray
/// tracing using space subdivision", Visual Comput. 6 (1990) 153–166), over equal bins of each axis.
pub(super) fn cut_by_surface(items: &mut [Item]) -> usize {
    let bounds = centres(items);
    let size = bounds.high - bounds.low;
    let bin_of = |item: &Item, axis: usize| {
        let share = (centre(item)[axis] - bounds.low[axis]) / size[axis];
        ((share * BINS as f64) as usize).min(BINS - 1)
    };
    let mut best = (f64::INFINITY, 0, 0);
    for axis in (0..3).filter(|&axis| size[axis] > 0.0) {
        let mut bins = [(Bounds::NONE, 0_usize); BINS];
        for item in items.iter() {
            let bin = &mut bins[bin_of(item, axis)];
            *bin = (bin.0.and(&item.low, &item.high), bin.1 + 1);
        }
        let join = |a: (Bounds, usize), b: &(Bounds, usize)| (a.0.and(&b.0.low, &b.0.high), a.1 + b.1);
        let cost = |part: &(Bounds, usize)| part.0.half_area() * part.1 as f64;
        let mut above = [(Bounds::NONE, 0); BINS];
        let mut sum = (Bounds::NONE, 0);
        for k in (1..BINS).rev() {
            sum = join(sum, &bins[k]);
            above[k] = sum;
        }
        sum = (Bounds::NONE, 0);
        for k in 1..BINS {
            sum = join(sum, &bins[k - 1]);
            let total = cost(&sum) + cost(&above[k]);
            if sum.1 > 0 && above[k].1 > 0 && total < best.0 {
                best = (total, axis, k);
            }
        }
    }
    let (cost, axis, first) = best;
    if cost == f64::INFINITY {
        return items.len() / 2;
    }
    // A stable order: what is made of the same mesh is the same.
    items.sort_by_key(|item| bin_of(item, axis) >= first);
    items.partition_point(|item| bin_of(item, axis) < first)
}

/// Cut in the middle of the longest axis, with whole blocks of eight on the lower side.
pub(super) fn cut_in_blocks(items: &mut [Item]) -> usize {
    sort_along_longest_axis(items);
    items.len().div_ceil(LANES).div_ceil(2) * LANES
}

/// Cut in the middle of the longest axis.
pub(super) fn halve_in_middle(items: &mut [Item]) -> usize {
    sort_along_longest_axis(items);
    items.len() / 2
}

fn sort_along_longest_axis(items: &mut [Item]) {
    let bounds = centres(items);
    let axis = (bounds.high - bounds.low).imax();
    items.sort_by(|a, b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.index.cmp(&b.index)));
}

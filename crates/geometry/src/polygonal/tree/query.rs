use crate::polygonal::simd::LANES;

/// Bound of the rounding of a projection in 32-bit numbers, relative to the sum of what is added.
pub(super) const PROJECTION_ERROR: f32 = 1e-6;

/// What is held against the eight boxes of a node: a box and a slab along the direction of its lines, about the
/// target's centre, in 32-bit numbers that err outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    centre: [f32; 3],
    half: [f32; 3],
    axis: [f32; 3],
    axis_low: f32,
    axis_high: f32,
    /// Rounding of projections of the box (m).
    margin: f32,
}

/// Eight boxes, each with a slab along a direction of its own. Boxes that are not there have low = +∞.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct EightBoxes {
    pub(super) low: [[f32; LANES]; 3],
    pub(super) high: [[f32; LANES]; 3],
    pub(super) axis: [[f32; LANES]; 3],
    pub(super) axis_low: [f32; LANES],
    pub(super) axis_high: [f32; LANES],
}

impl EightBoxes {
    pub(super) const NONE: Self = Self {
        low: [[f32::INFINITY; LANES]; 3],
        high: [[f32::NEG_INFINITY; LANES]; 3],
        axis: [[0.0; LANES]; 3],
        axis_low: [0.0; LANES],
        axis_high: [0.0; LANES],
    };
}

impl Query {
    /// From a box about the target's centre and from the slab `axis_low` ≤ `axis`·x ≤ `axis_high`, both already
    /// inflated (m); `size` bounds the coordinates of the target about its centre (m).
    #[inline(always)]
    pub(super) fn new(
        low: [f64; 3],
        high: [f64; 3],
        axis: [f64; 3],
        axis_low: f64,
        axis_high: f64,
        size: f64,
    ) -> Self {
        let low = low.map(below);
        let high = high.map(above);
        let centre = [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
        // Half of the box and the rounding of its centre.
        let half = [0, 1, 2].map(|i| 0.5 * (high[i] - low[i]));
        let total: f32 = (0..3).map(|i| centre[i].abs() + half[i]).sum();
        let slack = 6.0 * f64::from(PROJECTION_ERROR) * size;
        Self {
            low,
            high,
            centre,
            half,
            axis: axis.map(|x| x as f32),
            axis_low: below(axis_low - slack),
            axis_high: above(axis_high + slack),
            margin: PROJECTION_ERROR * total,
        }
    }

    /// Longest edge of the box (m).
    #[inline(always)]
    pub(super) fn extent(&self) -> f32 {
        let size = |i: usize| self.high[i] - self.low[i];
        size(0).max(size(1)).max(size(2))
    }

    /// Bit k is set if box k may touch.
    #[inline(always)]
    pub(super) fn touches(&self, boxes: &EightBoxes) -> u8 {
        let mut hit = [0_u32; LANES];
        for k in 0..LANES {
            let mut is_near = true;
            // Box along its own slab, and the other's slab along this one.
            let (mut s, mut r) = (0.0, self.margin);
            let (mut t, mut q) = (0.0, 0.0);
            for i in 0..3 {
                is_near &= (boxes.low[i][k] <= self.high[i]) & (boxes.high[i][k] >= self.low[i]);
                s += boxes.axis[i][k] * self.centre[i];
                r += boxes.axis[i][k].abs() * self.half[i];
                t += self.axis[i] * (0.5 * (boxes.low[i][k] + boxes.high[i][k]));
                q += self.axis[i].abs() * (0.5 * (boxes.high[i][k] - boxes.low[i][k]));
            }
            is_near &= (s - r <= boxes.axis_high[k]) & (s + r >= boxes.axis_low[k]);
            is_near &= (t - q <= self.axis_high) & (t + q >= self.axis_low);
            hit[k] = if is_near { 1 << k } else { 0 };
        }
        hit.iter().fold(0, |bits, bit| bits | bit) as u8
    }
}

/// A 32-bit number below: conversion rounds by 2⁻²⁴ of the number.
#[inline(always)]
pub(super) fn below(x: f64) -> f32 {
    (x - (x.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE))) as f32
}

/// A 32-bit number above.
#[inline(always)]
pub(super) fn above(x: f64) -> f32 {
    -below(-x)
}

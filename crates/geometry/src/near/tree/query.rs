use crate::near::simd::{LANES, any_of};

/// Bound of the rounding of a projection in 32-bit numbers, relative to the sum of what is added.
pub(super) const PROJECTION_ERROR: f32 = 1e-6;

/// What is held against the eight boxes of a node: a box and a slab along the direction of its lines, about the
/// target's centre, in 32-bit numbers that err outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    low: [f32; 3],
    high: [f32; 3],
    centre: [f32; 3],
    half: [f32; 3],
    axis: [f32; 3],
    axis_low: f32,
    axis_high: f32,
    /// Rounding of projections of the box (m).
    margin: f32,
}

/// Eight queries side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Queries {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
    centre: [[f32; LANES]; 3],
    half: [[f32; LANES]; 3],
    axis: [[f32; LANES]; 3],
    axis_low: [f32; LANES],
    axis_high: [f32; LANES],
    margin: [f32; LANES],
}

/// Boxes and slabs low ≤ axis·x ≤ high, about the target's centre (m), all inflated already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    pub(super) low: [[f64; LANES]; 3],
    pub(super) high: [[f64; LANES]; 3],
    pub(super) axis: [[f64; LANES]; 3],
    pub(super) axis_low: [f64; LANES],
    pub(super) axis_high: [f64; LANES],
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

    /// Lowest and highest corner of one of them (m).
    #[inline(always)]
    pub(super) fn corners(&self, k: usize) -> [[f32; 3]; 2] {
        let lane = |v: &[[f32; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
        [lane(&self.low), lane(&self.high)]
    }
}

impl Queries {
    pub(super) const NONE: Self = Self {
        low: [[0.0; LANES]; 3],
        high: [[0.0; LANES]; 3],
        centre: [[0.0; LANES]; 3],
        half: [[0.0; LANES]; 3],
        axis: [[0.0; LANES]; 3],
        axis_low: [0.0; LANES],
        axis_high: [0.0; LANES],
        margin: [0.0; LANES],
    };

    /// Replaces all; `size` bounds the coordinates of the target about its centre (m).
    #[inline(always)]
    pub(super) fn set(&mut self, shapes: &Shapes, size: f64) {
        let slack = 6.0 * f64::from(PROJECTION_ERROR) * size;
        for k in 0..LANES {
            let mut total = 0.0;
            for i in 0..3 {
                let (low, high) = (below(shapes.low[i][k]), above(shapes.high[i][k]));
                let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
                total += centre.abs() + half;
                self.low[i][k] = low;
                self.high[i][k] = high;
                self.centre[i][k] = centre;
                self.half[i][k] = half;
                self.axis[i][k] = shapes.axis[i][k] as f32;
            }
            self.margin[k] = PROJECTION_ERROR * total;
            self.axis_low[k] = below(shapes.axis_low[k] - slack);
            self.axis_high[k] = above(shapes.axis_high[k] + slack);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, k: usize) -> Query {
        let lane = |v: &[[f32; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
        Query {
            low: lane(&self.low),
            high: lane(&self.high),
            centre: lane(&self.centre),
            half: lane(&self.half),
            axis: lane(&self.axis),
            axis_low: self.axis_low[k],
            axis_high: self.axis_high[k],
            margin: self.margin[k],
        }
    }
}

impl Query {
    /// Longest edge of the box (m).
    #[inline(always)]
    pub(super) fn extent(&self) -> f32 {
        2.0 * self.half[0].max(self.half[1]).max(self.half[2])
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
        any_of(hit)
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

//! Outlines that the program generates.

use std::f64::consts::TAU;

use carom_math::Vec2;

use crate::shape::ShapeFault;

const LENGTH: &str = "a positive, finite length in m";

fn polar(radius: f64, angle: f64) -> Vec2 {
    Vec2::new(radius * libm::cos(angle), radius * libm::sin(angle))
}

/// A commutator: bars around a circle with slots between them, their surface rough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commutator {
    /// Mean radius of the bars (m).
    pub radius: f64,
    /// Number of bars.
    pub bars: u32,
    /// Width of a slot (m).
    pub slot: f64,
    /// Depth of a slot (m).
    pub depth: f64,
    /// Largest height of the surface above and below the mean radius (m).
    pub roughness: f64,
    /// Points on each bar.
    pub points: u32,
    /// Chooses the surface.
    pub seed: u64,
}

impl Commutator {
    /// Its outline, counter-clockwise. Heights are independent and evenly distributed, by the generator of Steele, Lea and
    /// Flood 2014 (SplitMix64) started with the seed.
    ///
    /// # Errors
    ///
    /// Sizes that make no commutator.
    pub fn points(&self) -> Result<Vec<Vec2>, ShapeFault> {
        let pitch = TAU / f64::from(self.bars.max(1));
        let slot = self.slot / self.radius;
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let rules = [
            ("radius", self.radius, positive(self.radius), LENGTH),
            ("bars", f64::from(self.bars), self.bars >= 2, "at least 2 bars"),
            (
                "slot",
                self.slot,
                positive(self.slot) && slot < 0.9 * pitch,
                "a slot narrower than the bars' pitch",
            ),
            (
                "depth",
                self.depth,
                positive(self.depth) && self.depth < 0.9 * self.radius,
                "less than the radius",
            ),
            (
                "roughness",
                self.roughness,
                self.roughness >= 0.0 && self.roughness < 0.5 * self.depth,
                "zero or larger, and less than half of the slots' depth",
            ),
            ("points", f64::from(self.points), self.points >= 2, "at least 2 points"),
        ];
        fault_of(&rules)?;
        let mut state = self.seed;
        let mut outline = Vec::with_capacity(self.bars as usize * (self.points as usize + 2));
        for bar in 0..self.bars {
            let (from, width) = (pitch * f64::from(bar) + 0.5 * slot, pitch - slot);
            for k in 0..self.points {
                let angle = from + width * f64::from(k) / f64::from(self.points - 1);
                let height = self.roughness * (2.0 * next_unit(&mut state) - 1.0);
                outline.push(polar(self.radius + height, angle));
            }
            let floor = self.radius - self.depth;
            outline.extend([polar(floor, from + width), polar(floor, from + width + slot)]);
        }
        Ok(outline)
    }
}

/// A ratchet wheel: each tooth rises evenly and falls back along a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratchet {
    /// Radius of the tips (m).
    pub radius: f64,
    /// Number of teeth.
    pub teeth: u32,
    /// Depth of the teeth (m).
    pub depth: f64,
}

impl Ratchet {
    /// Its outline, counter-clockwise: the teeth rise in this direction.
    ///
    /// # Errors
    ///
    /// Sizes that make no ratchet.
    pub fn points(&self) -> Result<Vec<Vec2>, ShapeFault> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        fault_of(&[
            ("radius", self.radius, positive(self.radius), LENGTH),
            ("teeth", f64::from(self.teeth), self.teeth >= 3, "at least 3 teeth"),
            ("depth", self.depth, positive(self.depth) && self.depth < self.radius, "less than the radius"),
        ])?;
        let angle = |k: u32| TAU * f64::from(k) / f64::from(self.teeth);
        let tooth = |k: u32| [polar(self.radius - self.depth, angle(k)), polar(self.radius, angle(k + 1))];
        Ok((0..self.teeth).flat_map(tooth).collect())
    }
}

fn fault_of(rules: &[(&'static str, f64, bool, &'static str)]) -> Result<(), ShapeFault> {
    match rules.iter().find(|rule| !rule.2) {
        Some(&(field, value, _, expected)) => Err(ShapeFault { field, value, expected }),
        None => Ok(()),
    }
}

/// A number from 0 to 1, without 1.
fn next_unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

//! How surfaces touch: friction, and how far they give, as MuJoCo's parameters mean it.

/// Friction of the floor that an import adds, and of URDF's shapes, which have none of their own.
pub(super) const PLAIN_MU: f64 = 0.6;
/// What the weight indents a surface of a format by that says nothing of it (m).
const PLAIN_SAG: f64 = 1e-3;

/// What a surface brings into a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) friction: Friction,
    pub(super) combination: Combination,
    /// How many components a contact force has: 1 without friction, 3 with that against sliding, 4 also against drilling, 6 also
    /// against rolling (`condim`). The greater of two counts.
    pub(super) dimension: u8,
    /// The surface of the higher one says alone how both touch.
    pub(super) priority: f64,
    /// How far it gives; `None` in formats that do not say.
    pub(super) softness: Option<Softness>,
}

/// Which friction two surfaces have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combination {
    /// The greater of both.
    Greatest,
    /// The less of both, if the other surface has it so, too.
    Least,
}

/// Against sliding, and the arms of the torques against drilling and rolling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Friction {
    /// Coefficient.
    pub(super) mu: f64,
    /// Torque about the normal over the normal force (m).
    pub(super) spin_arm: f64,
    /// Torque across it, likewise (m).
    pub(super) roll_arm: f64,
}

impl Friction {
    /// MuJoCo's.
    pub(super) const DEFAULT: Self = Self { mu: 1.0, spin_arm: 5e-3, roll_arm: 1e-4 };

    fn sliding(mu: f64) -> Self {
        Self { mu, spin_arm: 0.0, roll_arm: 0.0 }
    }

    fn with(self, other: Self, choice: fn(f64, f64) -> f64) -> Self {
        Self {
            mu: choice(self.mu, other.mu),
            spin_arm: choice(self.spin_arm, other.spin_arm),
            roll_arm: choice(self.roll_arm, other.roll_arm),
        }
    }

    /// What of it acts in a contact of a dimension.
    pub(super) fn of_dimension(self, dimension: u8) -> Self {
        let from = |least: u8, value: f64| if dimension >= least { value } else { 0.0 };
        Self { mu: from(3, self.mu), spin_arm: from(4, self.spin_arm), roll_arm: from(6, self.roll_arm) }
    }
}

/// MuJoCo's `solref`, `solimp` and `solmix`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    /// Time constant (s) and damping ratio; or, negative, stiffness (1/s²) and damping (1/s).
    pub(super) reference: [f64; 2],
    /// Impedances at no and at full width, width (m), midpoint, power.
    pub(super) impedance: [f64; 5],
    /// Weight among those of both surfaces.
    pub(super) weight: f64,
}

/// How two surfaces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grip {
    pub(super) friction: Friction,
    /// What the weight of the lighter of both, with all that joints connect it to, indents the contact by (m).
    pub(super) sag: f64,
    /// What it takes for that (N/m^1.5), two digits.
    pub(super) stiffness: f64,
}

/// Stiffness between things without weight (N/m^1.5).
const WEIGHTLESS: f64 = 1e6;

impl Grip {
    /// As stiff as it takes for the weight of a mass (kg).
    pub(super) fn under(self, mass: f64, gravity: f64) -> Self {
        let weight = mass * gravity;
        let stiffness = match weight > 0.0 && weight.is_finite() {
            true => format!("{:.1e}", weight / self.sag.powf(1.5)).parse().unwrap_or(WEIGHTLESS),
            false => WEIGHTLESS,
        };
        Self { stiffness, ..self }
    }
}

impl Touch {
    /// Of formats without words for it.
    pub(super) fn plain(mu: f64) -> Self {
        let (friction, combination) = (Friction::sliding(mu), Combination::Greatest);
        Self { friction, combination, dimension: 3, priority: 0.0, softness: None }
    }

    /// Against a surface without a say of its own.
    pub(super) fn alone(&self, gravity: f64) -> Grip {
        let sag = self.softness.map_or(PLAIN_SAG, |softness| softness.sag(gravity));
        Grip { friction: self.friction.of_dimension(self.dimension), sag, stiffness: WEIGHTLESS }
    }

    /// The higher priority decides; among equals the greater or the lesser friction, and the mean of how far they give.
    pub(super) fn with(&self, other: &Self, gravity: f64) -> Grip {
        if self.priority != other.priority {
            return if self.priority > other.priority { self } else { other }.alone(gravity);
        }
        let softness = match (self.softness, other.softness) {
            (Some(a), Some(b)) => Some(a.mixed(&b)),
            (one, None) | (None, one) => one,
        };
        let is_least = [self.combination, other.combination] == [Combination::Least; 2];
        let friction = self.friction.with(other.friction, if is_least { f64::min } else { f64::max });
        let dimension = self.dimension.max(other.dimension);
        Self { friction, dimension, softness, ..*self }.alone(gravity)
    }
}

impl Softness {
    /// MuJoCo's defaults.
    pub(super) const DEFAULT: Self =
        Self { reference: [0.02, 1.0], impedance: [0.9, 0.95, 0.001, 0.5, 2.0], weight: 1.0 };

    fn mixed(&self, other: &Self) -> Self {
        let sum = self.weight + other.weight;
        let share = if sum > 0.0 { self.weight / sum } else { 0.5 };
        let mean = |a: f64, b: f64| share * a + (1.0 - share) * b;
        let [a, b] = [self.reference, other.reference];
        let reference = if a[0] > 0.0 && b[0] > 0.0 {
            [mean(a[0], b[0]), mean(a[1], b[1])]
        } else {
            [a[0].min(b[0]), a[1].min(b[1])]
        };
        let impedance = std::array::from_fn(|k| mean(self.impedance[k], other.impedance[k]));
        Self { reference, impedance, weight: sum }
    }

    /// Indentation at which MuJoCo carries a weight on one contact. At rest its constraint has R f = k r with
    /// R = (1 − d)/(d m) and k = d/(dₘ² T² ζ²), so that f = m g gives r = (1 − d) g dₘ² T² ζ²/d², whatever m is; with a stated
    /// stiffness k₀ dₘ²/k₀ stands for dₘ² T² ζ². The impedance d depends on r, which is found by halving.
    pub(super) fn sag(&self, gravity: f64) -> f64 {
        let [time, ratio] = self.reference;
        let full = self.impedance[1].clamp(1e-4, 0.9999);
        let soft =
            if time > 0.0 { (full * time * ratio).powi(2) } else { full * full / time.abs().max(1e-9) };
        let excess = |r: f64| {
            let d = self.impedance_at(r);
            r - (1.0 - d) * gravity * soft / (d * d)
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if excess(middle) < 0.0 { low = middle } else { high = middle }
        }
        high.max(1e-6)
    }

    /// d(r): from the first impedance to the second over the width, as a smooth step of a power about the midpoint.
    fn impedance_at(&self, r: f64) -> f64 {
        let [first, full, width, middle, power] = self.impedance;
        let (middle, power) = (middle.clamp(1e-4, 0.9999), power.max(1.0));
        let x = if width > 0.0 { (r / width).min(1.0) } else { 1.0 };
        let y = if x <= middle {
            x.powf(power) / middle.powf(power - 1.0)
        } else {
            1.0 - (1.0 - x).powf(power) / (1.0 - middle).powf(power - 1.0)
        };
        (first + y * (full - first)).clamp(1e-4, 0.9999)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where MuJoCo 4.0.0 leaves a ball of 1.7 kg on a plane with the same parameters after 20 000 steps of 0.5 ms:
    /// `0.1 - d.qpos[2]` for a ball of radius 0.1. Its own solver ends within 3e-10 of rest.
    #[test]
    fn a_ball_sinks_as_far_as_in_mujoco() {
        for (reference, impedance, sunk) in [
            ([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0], 0.000_367_181_842_486_7),
            ([0.005, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0], 2.730_080_564_9e-5),
            ([0.04, 0.7], [0.8, 0.99, 0.003, 0.3, 3.0], 0.001_075_332_341_002),
            ([-2000.0, -50.0], [0.9, 0.95, 0.001, 0.5, 2.0], 0.000_428_503_094_430_5),
        ] {
            let found = Softness { reference, impedance, weight: 1.0 }.sag(9.81);
            assert!((found - sunk).abs() < 1e-9, "{found} {sunk}");
        }
    }
}

//! A contact of the problem with Coulomb's cone: what its impulses may be.

/// How the tangential impulse of a contact follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// It is in the friction set.
    Free,
    /// The contact slides along this direction: Λ_T = −μ Λ_N d.
    Along([f64; 2]),
}

/// One contact of the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) friction: f64,
    /// Least normal impulse.
    pub(super) given: f64,
    /// Tangential impulse that comes back, and the share ν of Coulomb's bound that holds against it.
    pub(super) stored: [f64; 2],
    pub(super) bound: f64,
    pub(super) tangent: Tangent,
}

impl Member {
    /// Coulomb's friction alone.
    pub(super) fn coulomb(friction: f64) -> Self {
        Self { friction, given: 0.0, stored: [0.0; 2], bound: 1.0, tangent: Tangent::Free }
    }

    /// Has it Coulomb's friction alone, and nothing that comes back?
    pub(super) fn is_coulomb(&self) -> bool {
        self.given == 0.0 && self.stored == [0.0; 2]
    }

    /// The nearest tangential impulse that a normal impulse allows, and how it changes with the one asked for and with the normal
    /// impulse: the disc of radius μ Λ_N, of which what is behind (1 − ν) Λ_TS − ν μ Λ_N along the stored Λ_TS is cut off.
    pub(super) fn nearest(&self, normal: f64, [x, y]: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2], [f64; 2]) {
        const SAME: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];
        const NONE: [[f64; 2]; 2] = [[0.0; 2]; 2];
        let mu = self.friction;
        if let Tangent::Along([p, q]) = self.tangent {
            return ([-mu * normal * p, -mu * normal * q], NONE, [-mu * p, -mu * q]);
        }
        let radius = mu * normal;
        let length = x.hypot(y);
        let on_disc = if length <= radius {
            ([x, y], SAME, [0.0; 2])
        } else {
            let (c, s) = (x / length, y / length);
            let k = radius / length;
            let slope = [[k * s * s, -k * c * s], [-k * c * s, k * c * c]];
            ([radius * c, radius * s], slope, [mu * c, mu * s])
        };
        let size = self.stored[0].hypot(self.stored[1]);
        if size == 0.0 {
            return on_disc;
        }
        let [c, s] = self.stored.map(|t| t / size);
        let least = (1.0 - self.bound) * size - self.bound * radius;
        if c * on_disc.0[0] + s * on_disc.0[1] >= least {
            return on_disc;
        }
        // On the chord: along the stored impulse it is fixed, across it free up to the circle.
        let half = (radius * radius - least * least).max(0.0).sqrt();
        let (across, rate) = (c * y - s * x, -self.bound * mu);
        let free = across.abs() < half;
        let width =
            if free || half == 0.0 { 0.0 } else { across.signum() * (radius * mu - least * rate) / half };
        let across = across.clamp(-half, half);
        let k = if free { 1.0 } else { 0.0 };
        (
            [c * least - s * across, s * least + c * across],
            [[k * s * s, -k * c * s], [-k * c * s, k * c * c]],
            [c * rate - s * width, s * rate + c * width],
        )
    }
}

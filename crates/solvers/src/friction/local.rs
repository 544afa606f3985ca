use super::block::{Block, Triple};

/// Eigenvalues of a contact's tangential part are at least this share of its largest element: a direction in which nothing can
/// move takes no impulse.
const LEAST_EIGENVALUE: f64 = 1e-12;

/// Steps towards the slip rate; a step that leaves the bracket halves it.
const SLIP_STEPS: usize = 80;

/// Rounding of a point on the cone, as a share of its length.
const ON_THE_CONE: f64 = 4.0 * f64::EPSILON;

/// One contact's own block, ready to be solved for the impulse that answers a velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// W_NN, and the coupling W_NT along the principal directions of S.
    normal: f64,
    coupling: [f64; 2],
    /// Eigenvalues of S = W_TT − W_TN W_NT/W_NN, and the cosine and sine of the first eigenvector.
    eigenvalues: [f64; 2],
    cosine: f64,
    sine: f64,
    pub(super) friction: f64,
    /// Mean of the diagonal (1/kg): impulses times this are velocities.
    pub(super) weight: f64,
}

impl Local {
    /// Of a block with a positive normal element; nothing for another one.
    pub(super) fn new(block: &Block, friction: f64) -> Option<Self> {
        let normal = block[0];
        let weight = (block[0] + block[4] + block[8]) / 3.0;
        if normal.is_nan() || normal <= 0.0 || weight.is_nan() || weight <= 0.0 {
            return None;
        }
        let (t1, t2) = (block[1], block[2]);
        let s11 = block[4] - t1 * t1 / normal;
        let s12 = block[5] - t1 * t2 / normal;
        let s22 = block[8] - t2 * t2 / normal;
        // The rotation that makes S diagonal (Jacobi).
        let angle = 0.5 * libm::atan2(2.0 * s12, s11 - s22);
        let (sine, cosine) = libm::sincos(angle);
        let (mean, half) = (0.5 * (s11 + s22), length_of(0.5 * (s11 - s22), s12));
        let least = LEAST_EIGENVALUE * block[0].max(block[4]).max(block[8]);
        Some(Self {
            normal,
            coupling: [cosine * t1 + sine * t2, cosine * t2 - sine * t1],
            eigenvalues: [(mean + half).max(least), (mean - half).max(least)],
            cosine,
            sine,
            friction,
            weight,
        })
    }

    /// The impulse r with u = W r + b, C* ∋ u + μ|u_T| n ⟂ r ∈ C, exactly: open, sticking, or slipping with u_T = −α r_T, where
    /// α is a root of |r_T(α)| = μ r_N(α), r_T = −(S + α)⁻¹ (b_T − W_TN b_N/W_NN) (Bonnefon & Daviet 2011).
    #[inline]
    pub(super) fn solve(&self, b: &Triple) -> Triple {
        if b[0] >= 0.0 {
            return [0.0; 3];
        }
        let pressed = -b[0] / self.normal;
        if self.friction == 0.0 {
            return [pressed, 0.0, 0.0];
        }
        let along = [self.cosine * b[1] + self.sine * b[2], self.cosine * b[2] - self.sine * b[1]];
        let demanded = [along[0] + self.coupling[0] * pressed, along[1] + self.coupling[1] * pressed];
        let tangential = |alpha: f64| {
            [-demanded[0] / (self.eigenvalues[0] + alpha), -demanded[1] / (self.eigenvalues[1] + alpha)]
        };
        let mut t = tangential(0.0);
        let mut normal = self.normal_of(pressed, &t);
        let mut length = length_of(t[0], t[1]);
        if length > self.friction * normal {
            (t, normal, length) = self.slip(pressed, &demanded, tangential);
            let share = if length > 0.0 { self.friction * normal / length } else { 0.0 };
            t = t.map(|t| share * t);
        }
        debug_assert!(length.is_nan() || normal >= 0.0);
        [normal, self.cosine * t[0] - self.sine * t[1], self.sine * t[0] + self.cosine * t[1]]
    }

    fn normal_of(&self, pressed: f64, t: &[f64; 2]) -> f64 {
        pressed - (self.coupling[0] * t[0] + self.coupling[1] * t[1]) / self.normal
    }

    /// Newton's method on μ r_N/|r_T| = 1, which is nearly linear in α, within a bracket.
    fn slip(
        &self,
        pressed: f64,
        demanded: &[f64; 2],
        tangential: impl Fn(f64) -> [f64; 2],
    ) -> ([f64; 2], f64, f64) {
        let size = length_of(demanded[0], demanded[1]);
        let reach = 1.0 + self.friction * length_of(self.coupling[0], self.coupling[1]) / self.normal;
        let (mut low, mut high) = (0.0, size * reach / (self.friction * pressed));
        // Exact where slip and pressure do not depend on each other and both directions give alike, as those of spheres do.
        let mean = 0.5 * (self.eigenvalues[0] + self.eigenvalues[1]);
        let mut alpha = (size / (self.friction * pressed) - mean).clamp(0.0, high);
        let (mut t, mut normal, mut length) = ([0.0; 2], pressed, 0.0);
        for _ in 0..SLIP_STEPS {
            t = tangential(alpha);
            normal = self.normal_of(pressed, &t);
            length = length_of(t[0], t[1]);
            let limit = self.friction * normal;
            let excess = limit / length - 1.0;
            if excess.abs() <= 4.0 * f64::EPSILON || high - low <= f64::EPSILON * high {
                break;
            }
            if excess < 0.0 {
                low = alpha
            } else {
                high = alpha
            }
            let rates = [t[0] / (self.eigenvalues[0] + alpha), t[1] / (self.eigenvalues[1] + alpha)];
            let normal_rate = (self.coupling[0] * rates[0] + self.coupling[1] * rates[1]) / self.normal;
            let length_rate = -(t[0] * rates[0] + t[1] * rates[1]) / length;
            let slope = (self.friction * normal_rate - limit * length_rate / length) / length;
            let next = alpha - excess / slope;
            alpha = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        (t, normal.max(0.0), length)
    }
}

/// The point of the friction cone |r_T| ≤ μ r_N nearest to r.
#[inline]
pub(super) fn project(r: &Triple, friction: f64) -> Triple {
    let length = length_of(r[1], r[2]);
    // What lies on the cone to rounding stays where it is.
    if r[0] >= 0.0 && length <= (1.0 + ON_THE_CONE) * friction * r[0] {
        return *r;
    }
    if r[0] <= -friction * length {
        return [0.0; 3];
    }
    let normal = (r[0] + friction * length) / (1.0 + friction * friction);
    let share = if length > 0.0 { friction * normal / length } else { 0.0 };
    [normal, share * r[1], share * r[2]]
}

/// √(a² + b²). Squares of velocities and impulses neither overflow nor matter where they vanish, and this is a fifth of hypot's work.
#[inline]
pub(super) fn length_of(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

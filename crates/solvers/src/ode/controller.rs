use libm::pow;

/// Proportional–integral step-size control (Gustafsson 1991; Hairer, Nørsett & Wanner I, II.4 and
/// Hairer & Wanner II, IV.2): h_new = h · 0.9 err⁻ᵅ err_prevᵝ with α = 1/k − 0.75 β, k the order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Controller {
    alpha: f64,
    beta: f64,
    /// Error of the last accepted step, for the integral part.
    previous_error: f64,
    /// The last attempt failed: the step must not grow at once.
    after_rejection: bool,
}

/// Weight β of the integral part, as in DOPRI5. With it DOP853 rejects a third of the steps that it rejects without.
pub(crate) const BETA_DOPRI5: f64 = 0.04;
/// Safety factor on the error.
const SAFETY: f64 = 0.9;
/// Least and largest factor from one step to the next.
const FACTORS: (f64, f64) = (0.2, 8.0);
/// Errors below this count as this: a step without error says nothing on the next but "grow".
const ERROR_FLOOR: f64 = 1e-4;

impl Controller {
    /// For an error estimate of order k and the weight β of the integral part.
    pub(crate) fn new(order: u32, beta: f64) -> Self {
        Self {
            alpha: 1.0 / f64::from(order) - 0.75 * beta,
            beta,
            previous_error: ERROR_FLOOR,
            after_rejection: false,
        }
    }

    /// Step after one that passed, of length `h` with the given error (≤ 1).
    pub(crate) fn passed(&mut self, h: f64, error: f64) -> f64 {
        let e = error.max(1e-10);
        let factor = SAFETY * pow(e, -self.alpha) * pow(self.previous_error, self.beta);
        let limit = if self.after_rejection { 1.0 } else { FACTORS.1 };
        self.previous_error = error.max(ERROR_FLOOR);
        self.after_rejection = false;
        h * factor.clamp(FACTORS.0, limit)
    }

    /// Step after one that failed; an error that is not a number shrinks it most.
    pub(crate) fn failed(&mut self, h: f64, error: f64) -> f64 {
        self.after_rejection = true;
        if !error.is_finite() {
            return 0.1 * h;
        }
        h * (SAFETY * pow(error, -self.alpha)).clamp(FACTORS.0, 1.0)
    }

    /// What a restart needs, as numbers.
    pub(crate) fn memory(&self) -> [f64; 2] {
        [self.previous_error, f64::from(u8::from(self.after_rejection))]
    }

    /// Takes what [`Self::memory`] gave.
    pub(crate) fn resume(&mut self, memory: [f64; 2]) {
        self.previous_error = memory[0];
        self.after_rejection = memory[1] != 0.0;
    }
}

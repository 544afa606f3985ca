use super::{Fault, Ode, Tolerances};

/// ∂f/∂y at one state, from the problem or by forward differences.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// Row by row.
    pub(super) matrix: Vec<f64>,
    increments: Vec<f64>,
    probe: Vec<f64>,
    rates: Vec<f64>,
    rates_of_quadratures: Vec<f64>,
}

impl Jacobian {
    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        self.matrix.resize(n * n, 0.0);
        for buffer in [&mut self.increments, &mut self.probe, &mut self.rates] {
            buffer.resize(n, 0.0);
        }
        self.rates_of_quadratures.resize(quadratures, 0.0);
    }

    pub(super) fn reserve(&mut self, quadratures: usize) {
        let buffer = &mut self.rates_of_quadratures;
        buffer.reserve(quadratures.saturating_sub(buffer.len()));
    }

    /// Takes it at (t, y), where the rates are `f`.
    pub(super) fn update(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        y: &[f64],
        f: &[f64],
        tolerances: &Tolerances,
    ) -> Result<(), Fault> {
        if ode.jacobian(t, y, &mut self.matrix)? {
            return Ok(());
        }
        let n = y.len();
        tolerances.write_increments(y, &mut self.increments);
        self.probe.copy_from_slice(y);
        for j in 0..n {
            self.probe[j] = y[j] + self.increments[j];
            // As it is after rounding.
            let increment = self.probe[j] - y[j];
            ode.rhs(t, &self.probe, &mut self.rates, &mut self.rates_of_quadratures)?;
            self.probe[j] = y[j];
            for i in 0..n {
                self.matrix[n * i + j] = (self.rates[i] - f[i]) / increment;
            }
        }
        Ok(())
    }
}

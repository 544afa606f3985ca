//! Kepler's problem with eccentricity 0.3, with the quadrature of the radial speed: q = |r(t)| − |r(0)|.

use carom_solvers::{Fault, Ode};

pub(crate) const ECCENTRICITY: f64 = 0.3;

pub(crate) struct Kepler {
    pub(crate) evaluations: u32,
}

impl Ode for Kepler {
    fn dimension(&self) -> usize {
        4
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _t: f64, y: &[f64], d: &mut [f64], q: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        let r = y[0].hypot(y[1]);
        d.copy_from_slice(&[y[2], y[3], -y[0] / (r * r * r), -y[1] / (r * r * r)]);
        q[0] = (y[0] * y[2] + y[1] * y[3]) / r;
        Ok(())
    }
}

pub(crate) fn start() -> [f64; 4] {
    [1.0 - ECCENTRICITY, 0.0, 0.0, ((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY)).sqrt()]
}

/// Position from Kepler's equation.
fn position(t: f64) -> [f64; 2] {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - ECCENTRICITY * anomaly.sin() - t) / (1.0 - ECCENTRICITY * anomaly.cos());
    }
    [anomaly.cos() - ECCENTRICITY, (1.0 - ECCENTRICITY * ECCENTRICITY).sqrt() * anomaly.sin()]
}

/// Error of a state's position.
pub(crate) fn distance(y: &[f64], t: f64) -> f64 {
    let p = position(t);
    (y[0] - p[0]).hypot(y[1] - p[1])
}

/// The quadrature from 0 to t.
pub(crate) fn radial_growth(t: f64) -> f64 {
    let p = position(t);
    p[0].hypot(p[1]) - (1.0 - ECCENTRICITY)
}

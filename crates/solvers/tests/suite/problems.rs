//! Test problems with known solutions, each with its right-hand side, start, end and reference.

use carom_solvers::{Fault, Ode};

/// Writes ∂f/∂y row by row.
type JacobianOf = fn(&[f64], &mut [f64]);

/// A problem without quadratures that counts its evaluations.
pub(crate) struct Problem {
    /// Name in tables.
    pub(crate) name: &'static str,
    /// Right-hand side f(t, y, y').
    pub(crate) rhs: fn(f64, &[f64], &mut [f64]),
    /// ∂f/∂y row by row, if the problem gives it.
    pub(crate) jacobian: Option<JacobianOf>,
    /// State at the start, at t = 0.
    pub(crate) start: Vec<f64>,
    /// End.
    pub(crate) t_end: f64,
    /// State at the end.
    pub(crate) end: Vec<f64>,
    /// Evaluations so far.
    pub(crate) evaluations: u64,
}

impl Ode for Problem {
    fn dimension(&self) -> usize {
        self.start.len()
    }
    fn quadratures(&self) -> usize {
        0
    }
    fn rhs(&mut self, t: f64, y: &[f64], d: &mut [f64], _q: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        (self.rhs)(t, y, d);
        Ok(())
    }
    fn jacobian(&mut self, _t: f64, y: &[f64], out: &mut [f64]) -> Result<bool, Fault> {
        let Some(jacobian) = self.jacobian else { return Ok(false) };
        jacobian(y, out);
        Ok(true)
    }
}

impl Problem {
    /// Largest error at the end, each component over 1 + its size.
    pub(crate) fn error(&self, y: &[f64]) -> f64 {
        let errors = y.iter().zip(&self.end).map(|(y, end)| (y - end).abs() / (1.0 + end.abs()));
        errors.fold(0.0, f64::max)
    }

    /// Largest relative error at the end.
    pub(crate) fn relative_error(&self, y: &[f64]) -> f64 {
        let errors = y.iter().zip(&self.end).map(|(y, end)| ((y - end) / end).abs());
        errors.fold(0.0, f64::max)
    }
}

/// Restricted three-body problem: a periodic orbit of Arenstorf (Hairer, Nørsett & Wanner I, II.0, (0.1) and (0.2)).
pub(crate) fn arenstorf() -> Problem {
    fn rhs(_t: f64, y: &[f64], d: &mut [f64]) {
        const MU: f64 = 0.012_277_471;
        let (m, [x, z, vx, vz]) = (1.0 - MU, [y[0], y[1], y[2], y[3]]);
        let cube = |r2: f64| r2 * r2.sqrt();
        let (d1, d2) = (cube((x + MU) * (x + MU) + z * z), cube((x - m) * (x - m) + z * z));
        d[0] = vx;
        d[1] = vz;
        d[2] = x + 2.0 * vz - m * (x + MU) / d1 - MU * (x - m) / d2;
        d[3] = z - 2.0 * vx - m * z / d1 - MU * z / d2;
    }
    let start = vec![0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    Problem {
        name: "arenstorf",
        rhs,
        jacobian: None,
        end: start.clone(),
        start,
        t_end: 17.065_216_560_157_964,
        evaluations: 0,
    }
}

/// Seven stars in the plane (Hairer, Nørsett & Wanner I, II.10; reference: Test Set for IVP Solvers, release 2.4,
/// problem PLEI).
pub(crate) fn pleiades() -> Problem {
    fn rhs(_t: f64, y: &[f64], d: &mut [f64]) {
        d[..14].copy_from_slice(&y[14..]);
        for i in 0..7 {
            let (mut ax, mut ay) = (0.0, 0.0);
            for j in (0..7).filter(|&j| j != i) {
                let (dx, dy) = (y[j] - y[i], y[7 + j] - y[7 + i]);
                let r2 = dx * dx + dy * dy;
                let pull = (j + 1) as f64 / (r2 * r2.sqrt());
                ax += pull * dx;
                ay += pull * dy;
            }
            d[14 + i] = ax;
            d[21 + i] = ay;
        }
    }
    let mut start = vec![3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0, 3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0];
    start.extend([0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5, 0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0]);
    let end = vec![
        0.370_613_914_397_050_2,
        3.237_284_092_057_233,
        -3.222_559_032_418_324,
        0.659_709_145_577_531,
        0.342_558_170_715_658_4,
        1.562_172_101_400_631,
        -0.700_309_292_221_249_5,
        -3.943_437_585_517_392,
        -3.271_380_973_972_55,
        5.225_081_843_456_543,
        -2.590_612_434_977_47,
        1.198_213_693_392_275,
        -0.242_968_234_493_582_4,
        1.091_449_240_428_98,
    ];
    Problem { name: "pleiades", rhs, jacobian: None, start, t_end: 3.0, end, evaluations: 0 }
}

/// Van der Pol's equation with ε = 1e-6 (Hairer & Wanner II, IV.10 (10.1); reference: Test Set for IVP Solvers).
pub(crate) fn van_der_pol() -> Problem {
    const EPSILON: f64 = 1e-6;
    fn rhs(_t: f64, y: &[f64], d: &mut [f64]) {
        d[0] = y[1];
        d[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / EPSILON;
    }
    fn jacobian(y: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[0.0, 1.0, (-2.0 * y[0] * y[1] - 1.0) / EPSILON, (1.0 - y[0] * y[0]) / EPSILON]);
    }
    Problem {
        name: "van_der_pol",
        rhs,
        jacobian: Some(jacobian),
        start: vec![2.0, 0.0],
        t_end: 2.0,
        end: vec![1.706_167_732_170_483, -0.892_809_701_024_797_5],
        evaluations: 0,
    }
}

/// Robertson's reaction (Hairer & Wanner II, IV.10 (10.2); reference: Test Set for IVP Solvers).
pub(crate) fn robertson() -> Problem {
    fn rhs(_t: f64, y: &[f64], d: &mut [f64]) {
        let (slow, fast, back) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
        d[0] = back - slow;
        d[1] = slow - back - fast;
        d[2] = fast;
    }
    fn jacobian(y: &[f64], out: &mut [f64]) {
        let (a, b, c) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
        out.copy_from_slice(&[-0.04, a, b, 0.04, -a - c, -b, 0.0, c, 0.0]);
    }
    Problem {
        name: "robertson",
        rhs,
        jacobian: Some(jacobian),
        start: vec![1.0, 0.0, 0.0],
        t_end: 1e11,
        end: vec![2.083_340_149_701_255e-8, 8.333_360_770_334_713e-14, 0.999_999_979_166_505],
        evaluations: 0,
    }
}

/// High irradiance responses of photomorphogenesis (Hairer & Wanner II, IV.10 (10.4); reference: Test Set for IVP
/// Solvers, problem HIRES).
pub(crate) fn hires() -> Problem {
    fn rhs(_t: f64, y: &[f64], d: &mut [f64]) {
        let reaction = 280.0 * y[5] * y[7];
        d[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
        d[1] = 1.71 * y[0] - 8.75 * y[1];
        d[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
        d[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
        d[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
        d[5] = -reaction + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
        d[6] = reaction - 1.81 * y[6];
        d[7] = -reaction + 1.81 * y[6];
    }
    fn jacobian(y: &[f64], out: &mut [f64]) {
        let (a, b) = (280.0 * y[7], 280.0 * y[5]);
        let rows = [
            [-1.71, 0.43, 8.32, 0.0, 0.0, 0.0, 0.0, 0.0],
            [1.71, -8.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, -10.03, 0.43, 0.035, 0.0, 0.0, 0.0],
            [0.0, 8.32, 1.71, -1.12, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, -1.745, 0.43, 0.43, 0.0],
            [0.0, 0.0, 0.0, 0.69, 1.71, -a - 0.43, 0.69, -b],
            [0.0, 0.0, 0.0, 0.0, 0.0, a, -1.81, b],
            [0.0, 0.0, 0.0, 0.0, 0.0, -a, 1.81, -b],
        ];
        out.copy_from_slice(rows.as_flattened());
    }
    Problem {
        name: "hires",
        rhs,
        jacobian: Some(jacobian),
        start: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
        t_end: 321.8122,
        end: vec![
            0.737_131_257_332_566_8e-3,
            0.144_248_572_631_618_5e-3,
            0.588_872_974_096_757_5e-4,
            0.117_565_134_328_314_9e-2,
            0.238_635_619_883_133_1e-2,
            0.623_896_825_274_279_6e-2,
            0.284_999_839_518_576_9e-2,
            0.285_000_160_481_423_1e-2,
        ],
        evaluations: 0,
    }
}

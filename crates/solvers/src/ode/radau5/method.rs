//! Constants of the method (Hairer & Wanner II, IV.5 and IV.8). Tests check them against one another.

/// √6.
const SQRT6: f64 = 2.449_489_742_783_178;

/// Nodes c.
pub(super) const C: [f64; 3] = [(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0, 1.0];

/// Real eigenvalue γ of A⁻¹, and the real and imaginary part of the complex pair α ± iβ.
pub(super) const GAMMA: f64 = 3.637_834_252_744_496;
pub(super) const ALPHA: f64 = 2.681_082_873_627_752;
pub(super) const BETA: f64 = 3.050_430_199_247_411;

/// T and T⁻¹ with T⁻¹ A⁻¹ T = diag(γ, [[α, −β], [β, α]]) (program radau5.f).
pub(super) const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_295e-2, -0.141_255_295_020_954_2, -3.002_919_410_514_742_4e-2],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_87, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// Weights e of the error estimate (γ I − h J)⁻¹ (h f₀ + e₁ z₁ + e₂ z₂ + e₃ z₃), of order three (IV.8.19).
pub(super) const E: [f64; 3] = [-(13.0 + 7.0 * SQRT6) / 3.0, (-13.0 + 7.0 * SQRT6) / 3.0, -1.0 / 3.0];

#[cfg(test)]
mod tests {
    use super::*;

    /// A of Radau IIA, row by row (IV.5, table 5.6).
    fn a() -> [[f64; 3]; 3] {
        let s = SQRT6;
        [
            [(88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0],
            [(296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0],
            [(16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
        ]
    }

    fn times(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    #[test]
    fn transformation_blocks_the_inverse() {
        // A T Λ = T, with Λ the blocks of the inverse, and T⁻¹ T = 1.
        let blocks = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        let round = times(&times(&a(), &T), &blocks);
        let unit = times(&T_INVERSE, &T);
        for i in 0..3 {
            for j in 0..3 {
                assert!((round[i][j] - T[i][j]).abs() < 1e-14, "{i} {j}");
                assert!((unit[i][j] - f64::from(u8::from(i == j))).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    /// The collocation conditions Σ a c^(k−1) = c^k/k, k ≤ 3, and the quadrature conditions up to order 5.
    #[test]
    fn order_conditions() {
        let a = a();
        for k in 1..=5 {
            let moment = |row: &[f64; 3]| -> f64 { row.iter().zip(C).map(|(a, c)| a * c.powi(k - 1)).sum() };
            assert!((moment(&a[2]) - 1.0 / f64::from(k)).abs() < 1e-15);
            for (row, c) in a.iter().zip(C).filter(|_| k <= 3) {
                assert!((moment(row) - c.powi(k) / f64::from(k)).abs() < 1e-15);
            }
        }
    }

    /// The estimate vanishes for solutions of degree three at most: h f₀ + Σ e z = 0 for y = t^k, k = 1 … 3.
    #[test]
    fn error_estimate_has_order_three() {
        for k in 1..=4 {
            let sum: f64 = E.iter().zip(C).map(|(e, c)| e * c.powi(k)).sum();
            let defect = sum + if k == 1 { 1.0 } else { 0.0 };
            assert!((defect.abs() < 1e-14) == (k <= 3), "{k}: {defect}");
        }
    }
}

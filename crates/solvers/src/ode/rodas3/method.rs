//! Weights of the stages u = Σ γ k, in which the method needs no product with the Jacobian (Hairer & Wanner II, IV.7.25):
//!
//! (1/(γ h) − J) u_i = f(t + α_i h, y + Σ a_ij u_j) + Σ c_ij u_j / h + γ_i h ∂f/∂t,  y₁ = y + Σ m_i u_i.
//!
//! The first two stages are at the start; the last two at the end, where a_4 and then m continue a_3: the last stage
//! is what the solution differs from the embedded one by.

/// 1/γ.
pub(super) const INVERSE_GAMMA: f64 = 2.0;
/// Weight of the first stage in the third's state, a_31, and in all that follow it.
pub(super) const FIRST: f64 = 2.0;
/// c: of the first stage in the second; of the first, second and third in the third and fourth.
pub(super) const C21: f64 = 4.0;
pub(super) const C3: [f64; 2] = [1.0, -1.0];
pub(super) const C4: [f64; 3] = [1.0, -1.0, -8.0 / 3.0];
/// γ_i of the first two stages; 0 for the others.
pub(super) const BY_TIME: [f64; 2] = [0.5, 1.5];

/// Dense output y₀ + θ (y₁ − y₀) + θ (1 − θ) (Σ d_i u_i + θ Σ e_i u_i), of order two, with the moment ∫ α² of order three,
/// and (1 − θ)² for the infinitely stiff: these four conditions leave one choice. The method has none of order three.
pub(super) const D: [f64; 4] = [3.0, -1.0, 1.0, 5.0];
pub(super) const E4: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    type Row = [f64; 4];

    /// a, c and m as they stand above.
    fn weights() -> ([Row; 4], [Row; 4], Row) {
        let a = [[0.0; 4], [0.0; 4], [FIRST, 0.0, 0.0, 0.0], [FIRST, 0.0, 1.0, 0.0]];
        let c = [[0.0; 4], [C21, 0.0, 0.0, 0.0], [C3[0], C3[1], 0.0, 0.0], [C4[0], C4[1], C4[2], 0.0]];
        (a, c, [FIRST, 0.0, 1.0, 1.0])
    }

    /// Γ of u = Γ k: the inverse of 1/γ − c, by forward substitution.
    fn gamma(c: &[Row; 4]) -> [Row; 4] {
        let mut gamma = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..=i {
                let before: f64 = (j..i).map(|k| c[i][k] * gamma[k][j]).sum();
                gamma[i][j] = (before + f64::from(u8::from(i == j))) / INVERSE_GAMMA;
            }
        }
        gamma
    }

    fn times(row: &Row, matrix: &[Row; 4]) -> Row {
        std::array::from_fn(|j| (0..4).map(|k| row[k] * matrix[k][j]).sum())
    }

    fn dot(a: &Row, b: &Row) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Weights of the dense output in u.
    fn dense(theta: f64) -> Row {
        let (_, _, m) = weights();
        let e = [0.0, 0.0, 0.0, E4];
        std::array::from_fn(|i| theta * m[i] + theta * (1.0 - theta) * (D[i] + theta * e[i]))
    }

    /// Σ b − θ, Σ b β − θ²/2, Σ b α² − θ³/3, Σ b β β − θ³/6 (Hairer & Wanner II, IV.7.15) for weights b of k.
    fn defects(weights_of_u: &Row, theta: f64) -> [f64; 4] {
        let (a, c, _) = weights();
        let gamma = gamma(&c);
        let b = times(weights_of_u, &gamma);
        let alpha: [Row; 4] = a.map(|row| times(&row, &gamma));
        let beta: [Row; 4] = std::array::from_fn(|i| std::array::from_fn(|j| alpha[i][j] + gamma[i][j]));
        let sums = |matrix: &[Row; 4]| matrix.map(|row| row.iter().sum::<f64>());
        let (alphas, betas) = (sums(&alpha), sums(&beta));
        let twice: Row = beta.map(|row| dot(&row, &betas));
        [
            b.iter().sum::<f64>() - theta,
            dot(&b, &betas) - theta.powi(2) / 2.0,
            dot(&b, &alphas.map(|x| x * x)) - theta.powi(3) / 3.0,
            dot(&b, &twice) - theta.powi(3) / 6.0,
        ]
    }

    /// Order three, two without the last stage; the nodes α are 0, 0, 1, 1 and Σ γ_ij is what multiplies ∂f/∂t.
    #[test]
    fn order_conditions() {
        let (a, c, m) = weights();
        assert!(defects(&m, 1.0).iter().all(|d| d.abs() < 1e-15));
        let embedded = defects(&[m[0], m[1], m[2], 0.0], 1.0);
        assert!(
            embedded[..2].iter().all(|d| d.abs() < 1e-15) && embedded[2..].iter().all(|d| d.abs() > 0.01)
        );
        let gamma = gamma(&c);
        for i in 0..4 {
            let node: f64 = times(&a[i], &gamma).iter().sum();
            assert!((node - [0.0, 0.0, 1.0, 1.0][i]).abs() < 1e-15);
            let by_time: f64 = gamma[i].iter().sum();
            assert!((by_time - [BY_TIME[0], BY_TIME[1], 0.0, 0.0][i]).abs() < 1e-15);
        }
    }

    #[test]
    fn dense_output_has_order_two() {
        for theta in [0.0, 0.2, 0.5, 0.9, 1.0] {
            assert!(defects(&dense(theta), theta)[..3].iter().all(|d| d.abs() < 1e-15), "{theta}");
        }
    }

    /// (1/γ − z) u_i = z (1 + Σ a_ij u_j) + Σ c_ij u_j for y' = λ y with z = h λ, in complex numbers.
    fn stages([x, y]: [f64; 2]) -> [[f64; 2]; 4] {
        let (a, c, _) = weights();
        let mut u = [[0.0; 2]; 4];
        for i in 0..4 {
            let combine = |w: &Row, k: usize| w.iter().zip(&u).take(i).map(|(w, u)| w * u[k]).sum::<f64>();
            let (state, rest) =
                ([1.0 + combine(&a[i], 0), combine(&a[i], 1)], [0, 1].map(|k| combine(&c[i], k)));
            let right = [x * state[0] - y * state[1] + rest[0], x * state[1] + y * state[0] + rest[1]];
            let (p, q) = (INVERSE_GAMMA - x, -y);
            let size = p * p + q * q;
            u[i] = [(right[0] * p + right[1] * q) / size, (right[1] * p - right[0] * q) / size];
        }
        u
    }

    fn growth(weights_of_u: &Row, z: [f64; 2]) -> f64 {
        let u = stages(z);
        let sum = |k: usize| weights_of_u.iter().zip(&u).map(|(w, u)| w * u[k]).sum::<f64>();
        libm::hypot(1.0 + sum(0), sum(1))
    }

    /// L-stable, with and without the last stage: |R| ≤ 1 on the imaginary axis, so in the left half of the plane, where
    /// R has no pole; and nothing is left of what is infinitely stiff, but (1 − θ)² inside.
    #[test]
    fn stability() {
        let (_, _, m) = weights();
        for weights in [m, [m[0], m[1], m[2], 0.0]] {
            for exponent in -40..=40 {
                let y = libm::exp2(f64::from(exponent) / 4.0);
                assert!(growth(&weights, [0.0, y]) <= 1.0 + 1e-14, "{y}");
            }
            assert!(growth(&weights, [-1e9, 0.0]) < 1e-8);
        }
        for theta in [0.25, 0.5, 0.75] {
            let left = growth(&dense(theta), [-1e9, 0.0]);
            assert!((left - (1.0 - theta) * (1.0 - theta)).abs() < 1e-7, "{theta} {left}");
        }
    }
}

//! Dense output of order seven: y(θ) = y₀ + θ(f₀ + (1−θ)(f₁ + θ(f₂ + (1−θ)(f₃ + …)))) with seven coefficients per
//! component (Hairer, Nørsett & Wanner I, II.6; program dop853.f).

use super::tableau::D;

/// Number of coefficients per component.
pub(super) const TERMS: usize = 7;

/// Coefficients of all components from the growth over the step and the derivatives at the sixteen stages.
pub(super) fn update_terms(h: f64, growth: &[f64], k: &[Vec<f64>; 16], terms: &mut [Vec<f64>; TERMS]) {
    let [t0, t1, t2, high @ ..] = terms;
    for i in 0..growth.len() {
        t0[i] = growth[i];
        t1[i] = h * k[0][i] - growth[i];
        t2[i] = 2.0 * growth[i] - h * (k[0][i] + k[12][i]);
    }
    for (term, row) in high.iter_mut().zip(D) {
        term.fill(0.0);
        for &(stage, weight) in row {
            for (t, k) in term.iter_mut().zip(&k[stage]) {
                *t += h * weight * k;
            }
        }
    }
}

/// Growth of component `i` from the start of the step to θ.
pub(super) fn growth_at(terms: &[Vec<f64>; TERMS], theta: f64, i: usize) -> f64 {
    let rest = 1.0 - theta;
    let mut value = terms[6][i];
    for (index, term) in terms[..6].iter().enumerate().rev() {
        value = term[i] + value * if index % 2 == 0 { rest } else { theta };
    }
    theta * value
}

//! The collocation polynomial, for states, and its counterpart for quadratures.

use super::method::C;

/// Divided differences of the polynomial of degree three through (0, 0), (c₁, z₁), (c₂, z₂), (1, z₃), from the end of
/// the step backwards (radau5.f: CONT).
#[derive(Clone, Debug, Default)]
pub(super) struct Polynomial {
    terms: [Vec<f64>; 3],
}

impl Polynomial {
    pub(super) fn resize(&mut self, n: usize) {
        self.terms.iter_mut().for_each(|term| term.resize(n, 0.0));
    }

    pub(super) fn update(&mut self, [z1, z2, z3]: [&[f64]; 3]) {
        let [t1, t2, t3] = &mut self.terms;
        for i in 0..z1.len() {
            let last = (z2[i] - z3[i]) / (C[1] - 1.0);
            let middle = (z1[i] - z2[i]) / (C[0] - C[1]);
            let first = (middle - z1[i] / C[0]) / C[1];
            t1[i] = last;
            t2[i] = (middle - last) / (C[0] - 1.0);
            t3[i] = t2[i] - first;
        }
    }

    /// Growth of component `i` from the end of the step, at `s` steps after it: −1 ≤ s ≤ 0 inside.
    pub(super) fn after_end(&self, s: f64, i: usize) -> f64 {
        let [t1, t2, t3] = &self.terms;
        s * (t1[i] + (s - (C[1] - 1.0)) * (t2[i] + (s - (C[0] - 1.0)) * t3[i]))
    }

    pub(super) fn terms(&self) -> &[Vec<f64>; 3] {
        &self.terms
    }

    pub(super) fn terms_mut(&mut self) -> &mut [Vec<f64>; 3] {
        &mut self.terms
    }
}

/// ∫₀^θ of the Lagrange polynomials of degree three at the nodes 0, c₁, c₂, 1. At θ = 1 they are the weights of
/// Radau's rule, of order five, and the start has none.
pub(super) fn quadrature_weights(theta: f64) -> [f64; 4] {
    let nodes = [0.0, C[0], C[1], C[2]];
    std::array::from_fn(|i| {
        let mut others = nodes.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| *x);
        let [a, b, c] = [(); 3].map(|()| others.next().unwrap_or(0.0));
        let scale = (nodes[i] - a) * (nodes[i] - b) * (nodes[i] - c);
        let [first, second, third] = [a + b + c, a * b + b * c + c * a, a * b * c];
        theta * (-third + theta * (second / 2.0 + theta * (-first / 3.0 + theta / 4.0))) / scale
    })
}

/// Value at the start of the polynomial of degree two through the values at the three nodes.
pub(super) fn extrapolate_to_start(q: [f64; 3]) -> f64 {
    let [c1, c2, c3] = C;
    q[0] * c2 * c3 / ((c2 - c1) * (c3 - c1))
        + q[1] * c1 * c3 / ((c1 - c2) * (c3 - c2))
        + q[2] * c1 * c2 / ((c1 - c3) * (c2 - c3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_end_in_the_rule_and_integrate_cubics() {
        let s6 = 6.0_f64.sqrt();
        let want = [0.0, (16.0 - s6) / 36.0, (16.0 + s6) / 36.0, 1.0 / 9.0];
        assert!(quadrature_weights(1.0).iter().zip(want).all(|(w, x)| (w - x).abs() < 1e-14));
        let f = |x: f64| 1.0 + x * (2.0 + x * (-3.0 + 4.0 * x));
        let exact = |x: f64| x + x * x - x * x * x + x * x * x * x;
        let values = [0.0, C[0], C[1], C[2]].map(f);
        for theta in [0.3, 0.7] {
            let sum: f64 = quadrature_weights(theta).iter().zip(values).map(|(w, v)| w * v).sum();
            assert!((sum - exact(theta)).abs() < 1e-14);
        }
        assert!((extrapolate_to_start(C.map(|x| 1.0 + x - 2.0 * x * x)) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn polynomial_meets_its_points() {
        let z = [0.3, -0.2, 0.7];
        let mut p = Polynomial::default();
        p.resize(1);
        p.update([&z[..1], &z[1..2], &z[2..]]);
        for (c, z) in C.iter().zip(z).chain([(&0.0, 0.0)]) {
            assert!((0.7 + p.after_end(c - 1.0, 0) - z).abs() < 1e-15);
        }
    }
}

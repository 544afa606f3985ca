//! Polynomials on the unit interval in Bernstein form, whose control points enclose them: what a dense output can do
//! between two times is read off numbers instead of being sampled.

use crate::lu::Lu;
use crate::scalar::REAL;

/// Turns values of a polynomial at the nodes of one degree into control points b_i:
/// p(θ) = Σ b_i C(d, i) θⁱ (1 − θ)^(d−i) on 0 ≤ θ ≤ 1, where min b ≤ p ≤ max b (Farin, Curves and Surfaces for CAGD, 5.2).
#[derive(Clone, Debug)]
pub struct Bernstein {
    /// Where values are asked for: Chebyshev's points, which keep the matrix well conditioned.
    pub nodes: Vec<f64>,
    /// Control points from values, row by row.
    matrix: Vec<f64>,
}

impl Bernstein {
    /// For polynomials of a degree.
    pub fn new(degree: usize) -> Self {
        let n = degree + 1;
        let node =
            |k: usize| 0.5 - 0.5 * libm::cos(std::f64::consts::PI * (2 * k + 1) as f64 / (2 * n) as f64);
        let nodes: Vec<f64> = (0..n).map(node).collect();
        let mut collocation = Lu::<REAL>::default();
        collocation.resize(n);
        for (row, &theta) in nodes.iter().enumerate() {
            for i in 0..n {
                collocation.matrix[0][n * row + i] = basis(degree, i, theta);
            }
        }
        let is_regular = collocation.factor();
        debug_assert!(is_regular, "values at different nodes determine a polynomial");
        let mut matrix = vec![0.0; n * n];
        let mut unit = vec![0.0; n];
        for k in 0..n {
            unit.fill(0.0);
            unit[k] = 1.0;
            collocation.solve([&mut unit]);
            for i in 0..n {
                matrix[n * i + k] = unit[i];
            }
        }
        Self { nodes, matrix }
    }

    /// Degree.
    pub fn degree(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Control points from values at [`Self::nodes`], of `width` polynomials beside each other.
    #[inline(always)]
    pub fn control_points(&self, values: &[f64], points: &mut [f64], width: usize) {
        let n = self.nodes.len();
        for (point, row) in points.chunks_exact_mut(width).zip(self.matrix.chunks_exact(n)) {
            point.fill(0.0);
            for (weight, values) in row.iter().zip(values.chunks_exact(width)) {
                point.iter_mut().zip(values).for_each(|(point, value)| *point += weight * value);
            }
        }
    }
}

/// Control points of the derivatives by θ of `width` polynomials beside each other: d (b_{i+1} − b_i), one fewer, which are returned. A
/// constant's is zero.
#[inline(always)]
pub fn differentiate<'a>(points: &[f64], rates: &'a mut [f64], width: usize) -> &'a mut [f64] {
    let degree = points.len() / width - 1;
    let rates = &mut rates[..width * degree.max(1)];
    rates.fill(0.0);
    for (rate, (point, next)) in rates.iter_mut().zip(points.iter().zip(points.iter().skip(width))) {
        *rate = degree as f64 * (next - point);
    }
    rates
}

/// C(d, i) θⁱ (1 − θ)^(d−i).
fn basis(degree: usize, i: usize, theta: f64) -> f64 {
    let mut value = 1.0;
    for k in 0..i {
        value *= theta * (degree - k) as f64 / (k + 1) as f64;
    }
    for _ in i..degree {
        value *= 1.0 - theta;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (θ − 0.3)³ − 0.2 θ + 2, with its derivatives, as polynomials of degree 3 and of degree 13, which it is as well.
    #[test]
    fn control_points_enclose_a_polynomial_and_its_derivatives() {
        for degree in [3, 5, 7, 13] {
            let p = |x: f64| libm::pow(x - 0.3, 3.0) - 0.2 * x + 2.0;
            let bernstein = Bernstein::new(degree);
            let values: Vec<f64> = bernstein.nodes.iter().map(|&x| p(x)).collect();
            let mut points = vec![0.0; degree + 1];
            bernstein.control_points(&values, &mut points, 1);
            // Rounding grows with the degree: 2^13 units in the last place.
            let rounding = 1e-16 * libm::exp2(degree as f64);
            assert!((points[0] - p(0.0)).abs() < rounding && (points[degree] - p(1.0)).abs() < rounding);
            let (mut first, mut second) = (vec![0.0; degree], vec![0.0; degree]);
            let rates = differentiate(&points, &mut first, 1);
            let curvatures = differentiate(rates, &mut second, 1);
            for k in 0..=100 {
                let x = 0.01 * f64::from(k);
                let holds = |points: &[f64], value: f64, slack: f64| {
                    let low = points.iter().copied().fold(f64::INFINITY, f64::min);
                    let high = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    low - slack <= value && value <= high + slack
                };
                assert!(holds(&points, p(x), rounding));
                assert!(holds(rates, 3.0 * (x - 0.3) * (x - 0.3) - 0.2, 30.0 * rounding));
                assert!(holds(curvatures, 6.0 * (x - 0.3), 400.0 * rounding));
            }
        }
    }

    /// Of θ (1 − θ), and of another parabola beside it.
    #[test]
    fn enclosures_of_a_parabola_are_sharp() {
        let bernstein = Bernstein::new(2);
        let values: Vec<f64> =
            bernstein.nodes.iter().flat_map(|x| [x * (1.0 - x), 1.0 - 2.0 * x * x]).collect();
        let mut points = [0.0; 6];
        bernstein.control_points(&values, &mut points, 2);
        let want = [0.0, 1.0, 0.5, 1.0, 0.0, -1.0];
        let is_near = |points: &[f64], want: &[f64], slack: f64| {
            points.len() == want.len() && points.iter().zip(want).all(|(p, w)| (p - w).abs() < slack)
        };
        assert!(is_near(&points, &want, 2e-15), "{points:?}");
        let (mut rates, mut curvatures) = ([7.0; 6], [7.0; 6]);
        let rates = differentiate(&points, &mut rates, 2);
        assert!(is_near(rates, &[1.0, 0.0, -1.0, -4.0], 1e-14), "{rates:?}");
        let curvatures = differentiate(rates, &mut curvatures, 2);
        assert!(is_near(curvatures, &[-2.0, -4.0], 1e-13), "{curvatures:?}");
        assert_eq!(differentiate(&[3.0, 4.0], &mut [7.0; 2], 2), [0.0; 2]);
    }
}

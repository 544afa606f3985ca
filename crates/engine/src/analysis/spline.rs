/// Derivative at the knots of the cubic spline through `values` at ascending `times`, with not-a-knot ends: exact for
/// cubics, error O(h³) at the knots of a smooth function, O(h⁴) far from the ends of even ones. Two points give
/// their slope, three a parabola, one nothing.
///
/// # Panics
/// If there are not as many times as values.
pub fn spline_derivative(times: &[f64], values: &[f64]) -> Vec<f64> {
    assert_eq!(times.len(), values.len(), "one value for each time");
    let n = times.len();
    if n < 2 {
        return vec![0.0; n];
    }
    let h: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
    let slope: Vec<f64> = values.windows(2).zip(&h).map(|(v, h)| (v[1] - v[0]) / h).collect();
    if n == 2 {
        return vec![slope[0]; 2];
    }
    if n == 3 {
        let curve = (slope[1] - slope[0]) / (h[0] + h[1]);
        return vec![slope[0] - curve * h[0], slope[0] + curve * h[0], slope[1] + curve * h[1]];
    }
    // Rows (below, diagonal, above, right) for the derivatives m: inside, continuity of the second derivative,
    // hᵢ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ₋₁ mᵢ₊₁ = 3 (hᵢ sᵢ₋₁ + hᵢ₋₁ sᵢ); at the ends, of the third at the knot next to it.
    let end = |near: f64, next: f64, s_near: f64, s_next: f64| {
        let both = near + next;
        ((near + 2.0 * both) * next * s_near + near * near * s_next) / both
    };
    let mut rows = Vec::with_capacity(n);
    rows.push([0.0, h[1], h[0] + h[1], end(h[0], h[1], slope[0], slope[1])]);
    for i in 1..n - 1 {
        let right = 3.0 * (h[i] * slope[i - 1] + h[i - 1] * slope[i]);
        rows.push([h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], right]);
    }
    let (near, next) = (h[n - 2], h[n - 3]);
    rows.push([near + next, next, 0.0, end(near, next, slope[n - 2], slope[n - 3])]);
    for i in 1..n {
        let factor = rows[i][0] / rows[i - 1][1];
        rows[i][1] -= factor * rows[i - 1][2];
        rows[i][3] -= factor * rows[i - 1][3];
    }
    let mut m = vec![0.0; n];
    for i in (0..n).rev() {
        let after = if i + 1 < n { rows[i][2] * m[i + 1] } else { 0.0 };
        m[i] = (rows[i][3] - after) / rows[i][1];
    }
    m
}

#[cfg(test)]
mod tests {
    use super::spline_derivative;

    #[test]
    fn cubics_are_exact_on_uneven_knots() {
        let times = [0.0, 0.3, 0.5, 1.1, 1.6, 1.9];
        let values: Vec<f64> = times.iter().map(|t| 2.0 - t + 3.0 * t * t - 0.7 * t * t * t).collect();
        for (t, m) in times.iter().zip(spline_derivative(&times, &values)) {
            assert!((m - (-1.0 + 6.0 * t - 2.1 * t * t)).abs() < 1e-13);
        }
    }

    #[test]
    fn few_points_give_lower_orders() {
        assert_eq!(spline_derivative(&[1.0], &[5.0]), [0.0]);
        assert_eq!(spline_derivative(&[1.0, 3.0], &[5.0, 9.0]), [2.0, 2.0]);
        let parabola = spline_derivative(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0]);
        for (m, want) in parabola.iter().zip([0.0, 2.0, 6.0]) {
            assert!((m - want).abs() < 1e-14);
        }
    }
}

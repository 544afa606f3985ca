/// Signed distance of the quadrant {a ≤ 0, b ≤ 0} of a plane, and its gradient (∂/∂a, ∂/∂b), a unit
/// vector.
///
/// Bodies of revolution with a flat end and a sharp rim are this quadrant in the half-plane through the
/// axis: `a` is the distance beyond the wall and `b` the distance beyond the end.
///
/// | a, b | distance | gradient |
/// |---|---|---|
/// | b ≤ 0 < a | a (beside the wall) | (1, 0) |
/// | a ≤ 0 < b | b (above the end) | (0, 1) |
/// | 0 < a, 0 < b | √(a² + b²) (rim) | (a, b)/√(a² + b²) |
/// | a ≤ 0, b ≤ 0 | max(a, b) (inside) | of the larger; of a when equal |
///
/// The distance is continuous everywhere; the gradient jumps on a = b inside, the medial axis.
#[inline]
pub(crate) fn quadrant_distance(a: f64, b: f64) -> (f64, f64, f64) {
    if a > 0.0 && b > 0.0 {
        let squared = a * a + b * b;
        if squared >= f64::MIN_POSITIVE {
            let distance = squared.sqrt();
            return (distance, a / distance, b / distance);
        }
    }
    if a >= b { (a, 1.0, 0.0) } else { (b, 0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions() {
        assert_eq!(quadrant_distance(0.3, -1.0), (0.3, 1.0, 0.0));
        assert_eq!(quadrant_distance(-1.0, 0.3), (0.3, 0.0, 1.0));
        assert_eq!(quadrant_distance(3.0, 4.0), (5.0, 0.6, 0.8));
        assert_eq!(quadrant_distance(-0.2, -0.1), (-0.1, 0.0, 1.0));
        assert_eq!(quadrant_distance(-0.1, -0.1), (-0.1, 1.0, 0.0));
    }

    #[test]
    fn beside_the_corner_the_underflow_of_squares_does_no_harm() {
        let (distance, a, b) = quadrant_distance(1e-200, 2e-200);
        assert_eq!((distance, a, b), (2e-200, 0.0, 1.0));
    }
}

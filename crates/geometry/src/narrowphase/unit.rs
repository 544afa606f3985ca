use carom_math::Vec3;

/// Length of `v` and its direction; `fallback` (a unit vector) where `v` has no direction.
///
/// No direction means that ‖v‖² is not a normal number, that is ‖v‖ < 1.5e-154 m: below it the square
/// loses its digits and the quotient would not be of unit length. The length is then given as 0.
/// The fallback comes as a closure because it costs a column of a rotation and is almost never needed.
#[inline]
pub(crate) fn unit_or(v: &Vec3, fallback: impl FnOnce() -> Vec3) -> (f64, Vec3) {
    let squared = v.norm_squared();
    if squared < f64::MIN_POSITIVE {
        return (0.0, fallback());
    }
    let length = squared.sqrt();
    (length, v / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_is_a_unit_vector_down_to_the_smallest_lengths() {
        for exponent in 0..320 {
            let length = 10f64.powi(-exponent);
            let (_, n) = unit_or(&Vec3::new(0.6 * length, 0.0, -0.8 * length), Vec3::x);
            // Two roundings of the quotient and one of the root.
            assert!((n.norm() - 1.0).abs() < 4.0 * f64::EPSILON, "{length:e}: {n}");
        }
    }

    #[test]
    fn no_direction_gives_the_fallback() {
        assert_eq!(unit_or(&Vec3::zeros(), Vec3::y), (0.0, Vec3::y()));
    }
}

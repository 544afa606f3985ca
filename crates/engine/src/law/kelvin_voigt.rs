use libm::{acos, acosh, exp, log};

use super::RESTITUTION_MIN;

/// Restitution of a linear spring and damper that lets go where its force reaches zero, not where the
/// spring does: e = exp(−2 ξ arccos(ξ)/√(1−ξ²)), continued by arcosh for ξ > 1.
///
/// The textbook's ln e counts half a period and delivers 0.253 and 0.550 for 0.1 and 0.5.
pub(super) fn restitution(ratio: f64) -> f64 {
    exp(-2.0 * ratio * angle_over_sine(ratio))
}

/// arccos(ξ)/√(1−ξ²) and its continuation, by series near ξ = 1 where both vanish.
fn angle_over_sine(ratio: f64) -> f64 {
    let d = 1.0 - ratio;
    if d.abs() < 1e-4 {
        return 1.0 + d / 3.0 + 2.0 * d * d / 15.0;
    }
    if ratio < 1.0 {
        acos(ratio) / ((1.0 - ratio) * (1.0 + ratio)).sqrt()
    } else {
        acosh(ratio) / ((ratio - 1.0) * (ratio + 1.0)).sqrt()
    }
}

/// Damping ratio ξ of the law `anagnostopoulos` that delivers the restitution e: F = Kδ + cδ̇ with
/// c = 2ξ√(K m), m the effective mass of the pair (kg). e below [`RESTITUTION_MIN`] counts as that.
pub fn damping_ratio(e: f64) -> f64 {
    let target = log(e.max(RESTITUTION_MIN));
    if target >= 0.0 {
        return 0.0;
    }
    let exponent = |ratio: f64| -2.0 * ratio * angle_over_sine(ratio);
    let (mut low, mut high) = (0.0, 1.0);
    while exponent(high) > target {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if exponent(middle) > target { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_inverts_restitution() {
        for e in [0.01, 0.1, 0.1353, 0.136, 0.5, 0.9, 0.999] {
            assert!((restitution(damping_ratio(e)) - e).abs() < 1e-12, "{e}");
        }
        assert_eq!(damping_ratio(1.0), 0.0);
    }

    #[test]
    fn agrees_with_the_form_in_the_specification() {
        for ratio in [0.05, 0.4, 0.9_f64] {
            let s = (1.0 - ratio * ratio).sqrt();
            let angle = std::f64::consts::PI - f64::atan2(2.0 * ratio * s, 1.0 - 2.0 * ratio * ratio);
            assert!((restitution(ratio) - (-ratio / s * angle).exp()).abs() < 1e-14);
        }
    }

    #[test]
    fn critical_damping_returns_e_to_the_minus_two() {
        assert!((restitution(1.0) - (-2.0_f64).exp()).abs() < 1e-14);
    }
}

//! Bracketed roots, located to neighbouring floating-point numbers and returned from the right.

/// Smallest `x` found in `(a, b]` at which `f` has its new sign, where `f` keeps its old sign at `a` and
/// has the new one, or zero, at `b`: the bracket shrinks to two neighbouring numbers and its right end is
/// returned, so that the state there is at or past the event (right-root rule, Neumayr & Otter 2017).
///
/// `old_positive` states the old sign; the value at `a` is taken to have it whatever rounding says.
/// ITP method (Oliveira & Takahashi, ACM TOMS 47 (2021), κ₁ = 0.2/(b−a), κ₂ = 2, n₀ = 1), with the
/// truncation floored at two units in the last place: without it the last digits cost 50 evaluations.
pub fn find_right_root(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, fb: f64, old_positive: bool) -> f64 {
    let sign = if old_positive { 1.0 } else { -1.0 };
    // In terms of g = sign·f: g(a) > 0 by definition, g(b) ≤ 0.
    let (mut left, mut right) = (a, b);
    let mut g_right = sign * fb;
    let mut g_left = (sign * f(a)).max(f64::MIN_POSITIVE);
    let width = b - a;
    let kappa1 = 0.2 / width;
    let spacing = |x: f64| x.abs() * f64::EPSILON;
    let eps = spacing(a).max(spacing(b)).max(f64::MIN_POSITIVE);
    let n_max = (width / (2.0 * eps)).log2().ceil().max(0.0) + 1.0;
    let mut round = 0.0;
    while right - left > eps {
        let middle = 0.5 * (left + right);
        if middle <= left || middle >= right {
            break;
        }
        let falsi = (g_right * left - g_left * right) / (g_right - g_left);
        let toward = if middle >= falsi { 1.0 } else { -1.0 };
        let truncation = (kappa1 * (right - left) * (right - left)).max(2.0 * eps);
        let mut x = if truncation <= (middle - falsi).abs() { falsi + toward * truncation } else { middle };
        // Projection onto the interval that keeps bisection's worst case.
        let reach = eps * libm::exp2(n_max - round) - 0.5 * (right - left);
        if (x - middle).abs() > reach.max(0.0) {
            x = middle - toward * reach.max(0.0);
        }
        if !(x > left && x < right) {
            x = middle;
        }
        let g = sign * f(x);
        if g > 0.0 {
            (left, g_left) = (x, g);
        } else {
            (right, g_right) = (x, g);
        }
        round += 1.0;
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_end_has_the_new_sign_and_is_next_to_the_root() {
        let f = |x: f64| 2.0 - x * x;
        let root = find_right_root(f, 0.0, 2.0, f(2.0), true);
        assert!(f(root) <= 0.0);
        assert!((root - 2.0_f64.sqrt()).abs() <= 4.0 * f64::EPSILON);
    }

    #[test]
    fn rising_functions_too() {
        let f = |x: f64| libm::tanh(3.0 * (x - 0.3));
        let root = find_right_root(f, 0.0, 1.0, f(1.0), false);
        assert!(f(root) >= 0.0 && (root - 0.3).abs() < 1e-15);
    }

    #[test]
    fn wrong_sign_by_rounding_at_the_start_is_forgiven() {
        let f = |x: f64| -1e-18 - x;
        let root = find_right_root(f, 0.0, 1.0, f(1.0), true);
        assert!((0.0..1e-15).contains(&root));
    }

    #[test]
    fn evaluations_stay_few() {
        // Cubic, kinked and flat functions: ITP needs far fewer than the 53 of bisection on the first
        // two and never many more on the last.
        let mut count = 0;
        let mut counted = |f: &dyn Fn(f64) -> f64| {
            count = 0;
            find_right_root(
                |x| {
                    count += 1;
                    f(x)
                },
                0.0,
                1.0,
                f(1.0),
                true,
            );
            count
        };
        let counts = [
            counted(&|x| 0.1 - x * x * x),
            counted(&|x| 0.7 - x),
            counted(&|x| if x < 0.4 { 1.0 } else { -1e-9 }),
        ];
        assert!(counts[0] < 20 && counts[1] < 14 && counts[2] < 60, "{counts:?}");
    }
}

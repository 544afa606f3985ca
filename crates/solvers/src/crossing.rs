//! Finds the first sign change of a zero function inside a step, also where both ends have the old sign.

/// Value and rate of a zero function at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time, from the start of the step.
    pub at: f64,
    /// Value.
    pub z: f64,
    /// Rate dz/dt.
    pub rate: f64,
}

/// Halvings of the step before an interval counts as resolved.
const DEPTH_MAX: u32 = 30;

/// Bracket (left, right) of the first crossing of `z` from above to zero or below in the interval between
/// two samples, or `None`. `z` is positive at `a` by definition.
///
/// An interval is clear if the Lipschitz bound says so, `z_a + z_b > L (b − a)`, or if it is no wider than `smooth` and
/// both of these are positive:
///
/// - the cubic Hermite interpolant, by more than eight times its error seen at the middle;
/// - where the tangents at both ends and at the middle meet. No convex function is less there, and the gap of convex solids
///   that are shifted and not turned is convex, with bends as sharp as their edges, beside which the middle may agree
///   with the interpolant by chance.
///
/// Where both and the error are zero to the `rounding` of z it is clear too: two surfaces that slide along each
/// other an ulp apart do not meet. An interval holds one crossing if the interpolant falls throughout. Else it is
/// halved. Ends alone would miss a contact that opens again within the step, and the Hermite test alone a gap that
/// runs like |t − t*| − ε.
pub fn find_first_bracket(
    z: &mut impl FnMut(f64) -> Sample,
    a: Sample,
    b: Sample,
    limits: Limits,
) -> Option<(f64, Sample)> {
    search(z, a, b, limits, DEPTH_MAX)
}

/// What is known of a zero function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bound L of the magnitude of its rate.
    pub lipschitz: f64,
    /// What rounding leaves of its values.
    pub rounding: f64,
    /// Widest interval in which samples at its ends and its middle may tell of it: solids that turn further between
    /// could show another corner.
    pub smooth: f64,
}

fn search(
    z: &mut impl FnMut(f64) -> Sample,
    a: Sample,
    b: Sample,
    limits: Limits,
    depth: u32,
) -> Option<(f64, Sample)> {
    let Limits { lipschitz, rounding, smooth } = limits;
    let width = b.at - a.at;
    if b.z > 0.0 && a.z + b.z > lipschitz * width {
        return None;
    }
    if depth == 0 {
        return (b.z <= 0.0).then_some((a.at, b));
    }
    let middle = z(0.5 * (a.at + b.at));
    let predicted = 0.5 * (a.z + b.z) + 0.125 * width * (a.rate - b.rate);
    let defect = (middle.z - predicted).abs();
    if b.z > 0.0 && middle.z > 0.0 {
        let least = hermite_minimum(&a, &b);
        let between = tangents_meet(&a, &middle).min(tangents_meet(&middle, &b));
        let is_positive = width <= smooth && least > 8.0 * defect && between > 0.0;
        let is_rounding = least > -rounding && defect <= rounding && between > -rounding;
        if is_positive || is_rounding {
            return None;
        }
    }
    if b.z <= 0.0 && 16.0 * defect <= a.z - b.z && hermite_falls(&a, &b) {
        return Some((a.at, b));
    }
    search(z, a, middle, limits, depth - 1)
        .or_else(|| if middle.z > 0.0 { search(z, middle, b, limits, depth - 1) } else { None })
}

/// Value where the tangents at two samples meet between them, or the lower sample's value if they do not: no convex function
/// through both has less.
fn tangents_meet(a: &Sample, b: &Sample) -> f64 {
    let h = b.at - a.at;
    let (from_a, from_b) = (a.z + h * a.rate, b.z - h * b.rate);
    // How far each tangent is below the other end.
    let (below_b, below_a) = (b.z - from_a, a.z - from_b);
    if below_a > 0.0 && below_b > 0.0 {
        a.z + h * a.rate * below_a / (below_a + below_b)
    } else {
        a.z.min(b.z)
    }
}

/// Does the cubic Hermite interpolant fall all the way? Then it crosses zero once at most.
fn hermite_falls(a: &Sample, b: &Sample) -> bool {
    let h = b.at - a.at;
    // p'(s)/h at the ends and where p' is extreme; a quadratic that is negative there is negative.
    let slope = (b.z - a.z) / h;
    let (c2, c3) = (3.0 * slope - 2.0 * a.rate - b.rate, a.rate + b.rate - 2.0 * slope);
    let extreme = -c2 / (3.0 * c3);
    let at_extreme = a.rate - c2 * c2 / (3.0 * c3);
    a.rate <= 0.0 && b.rate <= 0.0 && !(extreme > 0.0 && extreme < 1.0 && at_extreme > 0.0)
}

/// Least value of the cubic Hermite interpolant between two samples.
fn hermite_minimum(a: &Sample, b: &Sample) -> f64 {
    let h = b.at - a.at;
    let (ma, mb) = (h * a.rate, h * b.rate);
    // p(s) = z_a + m_a s + c₂ s² + c₃ s³ on 0 ≤ s ≤ 1.
    let c2 = 3.0 * (b.z - a.z) - 2.0 * ma - mb;
    let c3 = 2.0 * (a.z - b.z) + ma + mb;
    let value = |s: f64| a.z + s * (ma + s * (c2 + s * c3));
    let mut least = a.z.min(b.z);
    // p'(s) = m_a + 2 c₂ s + 3 c₃ s², solved without cancellation.
    let discriminant = c2 * c2 - 3.0 * c3 * ma;
    if discriminant >= 0.0 {
        let q = -(c2 + discriminant.sqrt().copysign(c2));
        for s in [q / (3.0 * c3), ma / q] {
            if s > 0.0 && s < 1.0 {
                least = least.min(value(s));
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(f: impl Fn(f64) -> (f64, f64), h: f64, lipschitz: f64) -> Option<f64> {
        let sample = |at: f64| {
            let (z, rate) = f(at);
            Sample { at, z, rate }
        };
        let mut z = sample;
        let limits = Limits { lipschitz, rounding: 1e-16, smooth: f64::INFINITY };
        find_first_bracket(&mut z, sample(0.0), sample(h), limits)
            .map(|(left, right)| crate::root::find_right_root(|t| f(t).0, left, right.at, right.z, true))
    }

    #[test]
    fn touch_and_go_within_the_step_is_found() {
        // Parabola that dips below zero between 0.5 − 0.1 and 0.5 + 0.1.
        let t = first(|t| ((t - 0.5) * (t - 0.5) - 0.01, 2.0 * (t - 0.5)), 1.0, 10.0);
        assert!((t.unwrap() - 0.4).abs() < 1e-15);
    }

    #[test]
    fn shallow_dip_is_found() {
        let t = first(|t| ((t - 0.5) * (t - 0.5) - 1e-12, 2.0 * (t - 0.5)), 1.0, 10.0);
        assert!((t.unwrap() - 0.499_999).abs() < 1e-9);
    }

    #[test]
    fn fast_passage_through_a_thin_body_is_found() {
        // |t − 0.3| − 0.001 at speed 1: both ends far away, the cubic stays positive.
        let t = first(|t| ((t - 0.3).abs() - 0.001, (t - 0.3).signum()), 1.0, 1.0);
        assert!((t.unwrap() - 0.299).abs() < 1e-12);
    }

    /// Beside a bend at a quarter of the interval its middle is where the cubic says.
    #[test]
    fn bends_are_found_wherever_they_are() {
        for k in 0..=400 {
            let at = 0.2 + 0.001 * f64::from(k);
            for (fall, rise) in [(1.0, 1.0), (1.0, 0.3), (0.2, 1.0)] {
                let z = |t: f64| if t < at { (fall * (at - t), -fall) } else { (rise * (t - at), rise) };
                let t = first(|t| (z(t).0 - 1e-5, z(t).1), 1.0, 1.5);
                assert!((t.expect("it dips") - (at - 1e-5 / fall)).abs() < 1e-12, "{at} {fall} {rise}");
            }
        }
    }

    /// A gap of some ulps with the noise of its evaluation costs few evaluations, not 2³⁰.
    #[test]
    fn noise_is_not_searched() {
        let mut count = 0;
        let mut z = |at: f64| {
            count += 1;
            Sample { at, z: 1e-14 + 4e-16 * libm::sin(1e9 * at), rate: 1e-14 * libm::sin(3e9 * at) }
        };
        let (a, b) = (z(0.0), z(0.1));
        let limits = Limits { lipschitz: 100.0, rounding: 2e-15, smooth: f64::INFINITY };
        assert_eq!(find_first_bracket(&mut z, a, b, limits), None);
        assert!(count < 10, "{count}");
    }

    #[test]
    fn near_miss_is_no_crossing() {
        assert_eq!(first(|t| ((t - 0.5) * (t - 0.5) + 1e-9, 2.0 * (t - 0.5)), 1.0, 10.0), None);
        assert_eq!(first(|_| (1e-9, 0.0), 1.0, 10.0), None);
    }

    #[test]
    fn first_of_two_crossings() {
        // Below zero on (0.2, 0.3) and from 0.9 on.
        let f = |t: f64| ((0.9 - t) * (t - 0.2) * (t - 0.3), 0.0);
        let rate = |t: f64| (f(t + 1e-7).0 - f(t - 1e-7).0) / 2e-7;
        let t = first(|t| (f(t).0, rate(t)), 1.0, 10.0);
        assert!((t.unwrap() - 0.2).abs() < 1e-12);
    }
}

use std::ops::Range;

/// Components of the state that are measured together, by the Euclidean norm: a result that does not
/// depend on the choice of axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceGroup {
    /// First component.
    pub start: usize,
    /// Number of components.
    pub len: usize,
    /// Absolute tolerance of the group's norm.
    pub atol: f64,
    /// Relative tolerance of the group's norm; 0 where the norm depends on an arbitrary origin.
    pub rtol: f64,
}

impl ToleranceGroup {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }

    /// Tolerance at a given size of the group. Its floor are 16 units in the last place, below which an
    /// error estimate is rounding.
    pub fn tolerance(&self, size: f64) -> f64 {
        self.atol.max(self.rtol * size).max(16.0 * f64::EPSILON * size)
    }
}

/// Error tolerances of a whole state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tolerances {
    /// Groups that cover what is error-controlled.
    pub groups: Vec<ToleranceGroup>,
    /// Relative tolerance that the others come from, for methods that know how their errors follow it; 0 if there is none.
    pub relative: f64,
    /// Absolute tolerance of the first quadrature per step; `None` leaves all quadratures uncontrolled.
    pub quadrature: Option<f64>,
    /// Steps are fixed: an attempt passes with whatever error is finite. Iterations are still held to the tolerances.
    pub fixed_steps: bool,
}

/// How an attempt compares with the tolerances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// Largest error over tolerance; ≤ 1 passes. Not a number if the state is not.
    pub error: f64,
    /// Group it occurs in.
    pub group: usize,
    /// |λ| h of the fastest mode that the step excited, where λ is an eigenvalue of the problem; 0 if the
    /// step excited none to speak of.
    pub stiffness: f64,
    /// With fixed steps the largest error over tolerance, that of the group, which then chooses no steps; else 0.
    pub unheeded: f64,
}

impl Assessment {
    /// Without an error.
    pub const PASSED: Self = Self { error: 0.0, group: 0, stiffness: 0.0, unheeded: 0.0 };
}

/// Differences of states below this share of their tolerance say nothing about eigenvalues that matters.
const EXCITED: f64 = 1e-4;

impl Tolerances {
    /// What counts of an assessment: with fixed steps, whether it is finite.
    fn judge(&self, assessment: Assessment) -> Assessment {
        if self.fixed_steps && assessment.error.is_finite() {
            Assessment { unheeded: assessment.error, error: 0.0, ..assessment }
        } else {
            assessment
        }
    }

    /// Largest error over tolerance over all groups, from the error estimate and both ends of a step.
    pub fn assess(&self, error: &[f64], y0: &[f64], y1: &[f64]) -> Assessment {
        let mut worst = Assessment::PASSED;
        for (index, group) in self.groups.iter().enumerate() {
            let size = norm(&y0[group.range()]).max(norm(&y1[group.range()]));
            let ratio = norm(&error[group.range()]) / group.tolerance(size);
            if ratio.is_nan() {
                return Assessment { error: ratio, group: index, ..Assessment::PASSED };
            }
            if ratio > worst.error {
                worst = Assessment { error: ratio, group: index, ..Assessment::PASSED };
            }
        }
        self.judge(worst)
    }

    /// The same from two estimates: e₅ weighed down by e₃, as e₅²/√(e₅² + 0.01 e₃²) (Hairer, Nørsett & Wanner I, II.10.17).
    pub fn assess_pair(&self, fifth: &[f64], third: &[f64], y0: &[f64], y1: &[f64]) -> Assessment {
        let mut worst = Assessment::PASSED;
        for (index, group) in self.groups.iter().enumerate() {
            let size = norm(&y0[group.range()]).max(norm(&y1[group.range()]));
            let (e5, e3) = (norm(&fifth[group.range()]), norm(&third[group.range()]));
            let ratio = weigh_pair(e5, e3) / group.tolerance(size);
            if ratio.is_nan() || ratio > worst.error {
                worst = Assessment { error: ratio, group: index, ..Assessment::PASSED };
            }
            if ratio.is_nan() {
                break;
            }
        }
        self.judge(worst)
    }

    /// The same with the error of the first quadrature; its group is the one after the last.
    /// `size` is the sum of the magnitudes in the error, below whose rounding it says nothing.
    pub fn assess_with_quadrature(&self, states: Assessment, error: f64, size: f64) -> Assessment {
        let Some(tolerance) = self.quadrature else { return states };
        let ratio = error.abs() / tolerance.max(16.0 * f64::EPSILON * size);
        if self.fixed_steps && ratio.is_finite() {
            let group = if ratio > states.unheeded { self.groups.len() } else { states.group };
            Assessment { unheeded: states.unheeded.max(ratio), group, ..states }
        } else if ratio.is_nan() || ratio > states.error {
            Assessment { error: ratio, group: self.groups.len(), ..states }
        } else {
            states
        }
    }

    /// |λ| h from two states at one time and their rates, as ‖Δf‖ h/‖Δy‖ in the norm of the tolerances (Hairer &
    /// Wanner II, IV.2: the stiffness detection of DOPRI5).
    pub fn stiffness(&self, h: f64, [ya, yb]: [&[f64]; 2], [fa, fb]: [&[f64]; 2]) -> f64 {
        let (mut states, mut rates) = (0.0, 0.0);
        for group in &self.groups {
            let tolerance = group.tolerance(norm(&yb[group.range()]));
            for i in group.range() {
                let (dy, df) = ((yb[i] - ya[i]) / tolerance, (fb[i] - fa[i]) / tolerance);
                states += dy * dy;
                rates += df * df;
            }
        }
        if states > EXCITED * EXCITED { h * (rates / states).sqrt() } else { 0.0 }
    }

    /// Largest ratio of a change or rate to the tolerance at y; not a number if one of them is not.
    pub fn ratio(&self, change: &[f64], y: &[f64]) -> f64 {
        let ratios = self.groups.iter().map(|g| norm(&change[g.range()]) / g.tolerance(norm(&y[g.range()])));
        // f64::max would drop what is not a number.
        ratios.fold(0.0, |worst, ratio| if ratio > worst || ratio.is_nan() { ratio } else { worst })
    }

    /// The same of the rounding of y, with room for an evaluation's: what iterations cannot go below.
    pub(crate) fn rounding(&self, y: &[f64]) -> f64 {
        let ratios = self.groups.iter().map(|g| {
            let size = norm(&y[g.range()]);
            10.0 * f64::EPSILON * size / g.tolerance(size)
        });
        ratios.fold(0.0, f64::max)
    }

    /// Increments for differences of right-hand sides: half of the digits of a component or its group, and not far
    /// below what its tolerance counts as nothing.
    pub(crate) fn write_increments(&self, y: &[f64], increments: &mut [f64]) {
        let root = f64::EPSILON.sqrt();
        for (increment, y) in increments.iter_mut().zip(y) {
            *increment = root * y.abs().max(f64::EPSILON);
        }
        for group in &self.groups {
            let size = norm(&y[group.range()]);
            let least = (root * size).max(1e-3 * group.tolerance(size));
            increments[group.range()].iter_mut().for_each(|increment| *increment = increment.max(least));
        }
    }
}

/// e₅²/√(e₅² + 0.01 e₃²), of a step in which next to nothing happens none: squares underflow there.
pub(super) fn weigh_pair(fifth: f64, third: f64) -> f64 {
    let square = fifth * fifth;
    if square == 0.0 { 0.0 } else { square / (square + 0.01 * third * third).sqrt() }
}

/// Of one number it is its magnitude, without the root.
fn norm(v: &[f64]) -> f64 {
    if let [x] = v {
        return x.abs();
    }
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of any size pass with fixed steps, states and quadratures that are not finite never do.
    #[test]
    fn fixed_steps_pass_with_finite_errors() {
        let groups = vec![ToleranceGroup { start: 0, len: 1, atol: 1.0, rtol: 0.0 }];
        let fixed = Tolerances { groups, quadrature: Some(1.0), fixed_steps: true, ..Tolerances::default() };
        let of_state = |error: f64| fixed.assess(&[error], &[0.0], &[0.0]).error;
        let of_quadrature =
            |error: f64| fixed.assess_with_quadrature(fixed.assess(&[9.0], &[0.0], &[0.0]), error, 1.0).error;
        let of_pair = |error: f64| fixed.assess_pair(&[error], &[error], &[0.0], &[0.0]).error;
        assert_eq!([of_state(1e9), of_quadrature(1e9), of_pair(1e9)], [0.0; 3]);
        let unheeded = fixed.assess_with_quadrature(fixed.assess(&[9.0], &[0.0], &[0.0]), 11.0, 1.0).unheeded;
        assert_eq!(unheeded, 11.0);
        for bad in [f64::NAN, f64::INFINITY] {
            assert!([of_state(bad), of_quadrature(bad), of_pair(bad)].iter().all(|error| !error.is_finite()));
        }
    }

    /// A step between two impacts that rounding alone keeps apart is so short that the squares of its errors are zero: that is no error that is not finite.
    #[test]
    fn errors_whose_squares_underflow_are_none() {
        for [fifth, third] in [[1e-170, 1e-170], [1e-170, 0.0], [1e-170, 1e-3], [0.0, 1.0]] {
            assert_eq!(weigh_pair(fifth, third), 0.0);
        }
        assert_eq!(weigh_pair(1e-150, 0.0), 1e-150);
        assert!(weigh_pair(f64::NAN, 0.0).is_nan());
    }

    #[test]
    fn a_state_that_is_not_finite_never_passes() {
        let group = |start| ToleranceGroup { start, len: 1, atol: 1.0, rtol: 0.0 };
        let tolerances = Tolerances { groups: vec![group(0), group(1), group(2)], ..Tolerances::default() };
        let a = tolerances.assess(&[0.5, f64::NAN, 2.0], &[0.0; 3], &[0.0; 3]);
        assert!(a.error.is_nan() && a.group == 1);
        let a = tolerances.assess(&[0.5, 0.1, 0.2], &[0.0; 3], &[0.0; 3]);
        assert!(a.error == 0.5 && a.group == 0);
    }
}

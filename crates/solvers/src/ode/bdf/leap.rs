//! The first step after a start is one of Dormand & Prince's, where it goes far enough: its dense output is a past of order four, to which
//! steps of low orders take a dozen times as many. So do the next ones while nothing but the error holds them.

use super::step::{Bdf, History, START};
use crate::ode::{Assessment, Fault, Ode, Stepper, Tolerances};

/// Order of the past that a leap leaves.
const START_ORDER: usize = 4;
/// Error of a leap that is aimed at, over the tolerance; and that of the explicit pair for a harmonic motion, over its size and by the
/// fifth power of the angle.
const AIM: f64 = 0.1;
const ERROR: f64 = 1e-3;
/// Largest angle of that motion.
const LARGEST_ANGLE: f64 = 1.0;
/// A leap goes so many times as far as a step of order one, or is none; and this much farther than was chosen, as to the end of a run.
const LEAST_GAIN: f64 = 10.0;
const STRETCH: f64 = 1.2;
/// The step after a leap whose error is the tolerance, as a share of it; and the largest share.
const SHARE: f64 = 0.2;
const LARGEST_SHARE: f64 = 0.5;
/// Safety factor on the error of a leap that another one is to follow, and the largest factor from one to the next.
const SAFETY: f64 = 0.9;
const MOST_GROWTH: f64 = 5.0;

impl Bdf {
    /// Length of a leap, as if the motion were a harmonic one with these first two derivatives, over the tolerances, with which a step of
    /// order one is `first`: that if there is to be none.
    pub(super) fn choose_leap(&mut self, [speed, curvature]: [f64; 2], first: f64) -> f64 {
        let (rate, size) = (curvature / speed, speed * speed / curvature);
        let angle = libm::pow(AIM / (ERROR * size), 0.2).min(LARGEST_ANGLE);
        let held = self.explicit.stable_reach() / self.jacobian.spectral_radius();
        let leap = (angle / rate).min(held);
        self.history.first = first;
        self.take_leap(leap)
    }

    /// Takes a leap's length, if it gains enough. Returns the step to try.
    fn take_leap(&mut self, leap: f64) -> f64 {
        let first = self.history.first;
        self.history.leap = if leap >= LEAST_GAIN * first { leap } else { 0.0 };
        if self.history.leap > 0.0 { leap } else { first }
    }

    /// Is a step of length h a leap?
    pub(super) fn leaps_over(&self, h: f64) -> bool {
        h <= STRETCH * self.history.leap
    }

    pub(super) fn leap(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.order = START_ORDER;
        let (time, h) = (self.motion.time, self.motion.step);
        self.explicit.go_on_from(time, &self.motion.state, self.differences[1].split_at(self.motion.n()));
        let assessment = self.explicit.attempt(ode, h, tolerances)?;
        self.motion.trial.copy_from_slice(self.explicit.trial());
        self.excited = assessment.stiffness / h;
        // The steps that follow are not held to its stability.
        Ok(Assessment { stiffness: 0.0, ..assessment })
    }

    /// Takes the end of a leap, from which another one follows, as a start whose rates are known.
    pub(super) fn leap_on(&mut self, t: f64) {
        self.motion.accept(t);
        let n = self.motion.n();
        self.differences.iter_mut().for_each(|row| row.fill(0.0));
        self.differences[0][..n].copy_from_slice(&self.motion.state);
        let (dydt, dqdt) = self.differences[1].split_at_mut(n);
        self.explicit.end_rates(dydt, dqdt);
        self.history = History {
            starting: self.history.starting,
            first: self.history.first,
            leap: self.next_leap,
            factored: self.history.factored,
            wants_jacobian: self.history.wants_jacobian,
            ..START
        };
    }

    /// Differences of the leap's polynomial at its end, which the state has been put to.
    pub(super) fn differentiate_leap(&mut self) {
        let n = self.motion.n();
        for (j, row) in self.dense.iter_mut().enumerate().take(START_ORDER + 1) {
            let theta = 1.0 - j as f64;
            self.explicit.interpolate(theta, 0..n, &mut row[..n]);
            self.explicit.quadrature(theta, &mut row[n..]);
        }
        self.dense[0][..n].copy_from_slice(&self.motion.trial);
        for order in 1..=START_ORDER {
            for j in (order..=START_ORDER).rev() {
                let (lower, upper) = self.dense.split_at_mut(j);
                upper[0].iter_mut().zip(&lower[j - 1]).for_each(|(x, before)| *x = before - *x);
            }
        }
        self.dense[START_ORDER + 1..].iter_mut().for_each(|row| row.fill(0.0));
    }

    /// Step after a leap that has passed: another one, where a Jacobian, be it one from before the start, says that stability will not hold
    /// it, and the leap has excited nothing faster. Where the error holds both kinds of steps a leap goes two or three times as far
    /// as a step of order four, and needs no factors.
    pub(super) fn land(&mut self, error: f64) -> f64 {
        let factor = libm::pow(error.max(1e-10), -0.2);
        let wanted = (SAFETY * factor).min(MOST_GROWTH) * self.motion.step;
        let known = self.jacobian.spectral_radius();
        if known > 0.0 && wanted * known.max(self.excited) <= self.explicit.stable_reach() {
            self.next_leap = wanted;
            return wanted;
        }
        self.next_leap = 0.0;
        self.next_order = Some(START_ORDER);
        self.motion.step * (SHARE * factor).min(LARGEST_SHARE)
    }

    /// Step in place of a leap that has failed.
    pub(super) fn leap_less(&mut self, error: f64) -> f64 {
        let shorter = self.explicit.failed(error);
        self.take_leap(shorter).min(shorter)
    }
}

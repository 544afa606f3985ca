//! Progress in words.

use std::time::Duration;

use carom_engine::record::Progress;

/// A count with its digits in groups of three.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// How a run gets on: simulated time over wall time, and what is left.
pub(super) struct Pace {
    /// Simulated over wall time.
    pub(super) realtime: f64,
    /// Wall time to the end at this pace (s).
    pub(super) remaining: f64,
}

impl Pace {
    /// From the time reached at the start of the display, and the wall time since.
    pub(super) fn new(progress: &Progress, from: f64, elapsed: Duration) -> Self {
        let realtime = (progress.time - from) / elapsed.as_secs_f64();
        Self { realtime, remaining: (progress.t_end - progress.time) / realtime }
    }
}

/// `t 2.31/6 s  0.42x realtime  ETA 9 s  h 1.2e-4 s`.
pub(super) fn time_line(progress: &Progress, pace: &Pace) -> String {
    format!(
        "t {:.4}/{} s  {}x realtime  ETA {}  h {:.1e} s",
        progress.time,
        progress.t_end,
        factor(pace.realtime),
        duration(pace.remaining),
        progress.step
    )
}

/// `steps 18 204 (rejected 311)  rhs 84 033  events 37  contacts 1  depth 4.1e-3 m  dE/E 2e-6`.
pub(super) fn count_line(progress: &Progress) -> String {
    let s = &progress.statistics;
    format!(
        "steps {} (rejected {})  rhs {}  events {}  contacts {}  depth {:.1e} m  dE/E {:.0e}",
        grouped(s.steps),
        grouped(s.rejected),
        grouped(s.rhs),
        grouped(s.events),
        progress.closed,
        progress.penetration,
        progress.residual_relative
    )
}

/// A factor with two digits.
fn factor(factor: f64) -> String {
    if !(1e-3..1e4).contains(&factor) {
        return format!("{factor:.1e}");
    }
    let digits = (1.0 - factor.log10().floor()).max(0.0) as usize;
    format!("{factor:.digits$}")
}

/// Seconds for people.
fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "?".to_owned();
    }
    let whole = seconds.max(0.0).ceil() as u64;
    match whole {
        0..120 => format!("{whole} s"),
        120..7200 => format!("{} min", whole / 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(18_204), "18 204");
        assert_eq!(grouped(1_000_000), "1 000 000");
    }

    #[test]
    fn factors_have_two_digits() {
        assert_eq!(factor(0.0042), "0.0042");
        assert_eq!(factor(0.418), "0.42");
        assert_eq!(factor(7.72), "7.7");
        assert_eq!(factor(82.4), "82");
        assert_eq!(factor(1234.0), "1234");
        assert_eq!(factor(2.5e-5), "2.5e-5");
        assert_eq!(factor(f64::INFINITY), "inf");
    }

    #[test]
    fn durations_have_a_fitting_unit() {
        assert_eq!(duration(0.2), "1 s");
        assert_eq!(duration(119.0), "119 s");
        assert_eq!(duration(121.0), "2 min");
        assert_eq!(duration(7260.0), "2 h 1 min");
        assert_eq!(duration(f64::INFINITY), "?");
        assert_eq!(duration(f64::NAN), "?");
    }
}

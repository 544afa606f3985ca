//! Names a run that does not get on.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use carom_engine::record::{Event, Progress, RunInfo};

/// A step below this (s), or below this share of a shorter run, is one of a stalled run.
const SMALL: f64 = 1e-9;
/// Wall time that a stall must last to be named, and between two lines about it.
const PATIENCE: Duration = Duration::from_secs(5);
/// Simulated time over which events are counted (s).
const WINDOW: f64 = 1e-3;
/// Events that are remembered.
const REMEMBERED: usize = 1000;

/// What was seen of a stall.
#[derive(Debug, Default)]
pub(crate) struct Stall {
    since: Option<Instant>,
    /// Time and contact of the last events.
    events: VecDeque<(f64, usize)>,
}

impl Stall {
    pub(crate) fn event(&mut self, event: &Event) {
        if self.events.len() == REMEMBERED {
            self.events.pop_front();
        }
        self.events.push_back((event.time, event.contact));
    }

    /// A message, once per period of patience while the step stays small.
    pub(crate) fn check(&mut self, progress: &Progress, info: &RunInfo) -> Option<String> {
        self.check_at(Instant::now(), progress, info)
    }

    fn check_at(&mut self, now: Instant, progress: &Progress, info: &RunInfo) -> Option<String> {
        let limit = SMALL * progress.t_end.min(1.0);
        if progress.step >= limit {
            self.since = None;
            return None;
        }
        let since = *self.since.get_or_insert(now);
        if now - since < PATIENCE {
            return None;
        }
        self.since = Some(now);
        let recent: Vec<usize> = self
            .events
            .iter()
            .filter(|(t, _)| *t > progress.time - WINDOW)
            .map(|(_, contact)| *contact)
            .collect();
        let cause = match recent.last() {
            Some(&contact) => {
                let pair = &info.pairs[info.contacts[contact].pair].name;
                format!(
                    "pair \"{pair}\" chatters at t = {} s ({} events in 1 ms)",
                    progress.time,
                    recent.len()
                )
            }
            None => format!("no events near t = {} s, the tolerance forces the steps", progress.time),
        };
        Some(format!("h has been below {limit:e} s for {} s: {cause}. Ctrl-C saves.", PATIENCE.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use carom_engine::record::{ContactInfo, PairInfo, Statistics};

    use super::*;

    fn progress(step: f64) -> Progress {
        Progress {
            time: 2.5,
            t_end: 6.0,
            step,
            statistics: Statistics::default(),
            closed: 1,
            penetration: 0.0,
            residual_relative: 0.0,
        }
    }

    fn info() -> RunInfo {
        let pair = PairInfo {
            name: "drop".into(),
            line: "drop".into(),
            a: "floor".into(),
            b: "ball".into(),
            kernel: "",
            law: String::new(),
        };
        let contact = ContactInfo { pair: 0, feature: 0, feature_name: "".into() };
        RunInfo {
            model: String::new(),
            bodies: Vec::new(),
            fixed: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            constraints: Vec::new(),
            pairs: vec![pair],
            contacts: vec![contact],
            wide_lines: Vec::new(),
        }
    }

    #[test]
    fn a_stall_is_named_with_its_pair_after_five_seconds() {
        let mut stall = Stall::default();
        stall.events.extend([(1.0, 0), (2.4999, 0), (2.49999, 0)]);
        let start = Instant::now();
        assert_eq!(stall.check_at(start, &progress(1e-10), &info()), None);
        assert_eq!(stall.check_at(start + Duration::from_secs(4), &progress(1e-10), &info()), None);
        let message = stall.check_at(start + Duration::from_secs(5), &progress(1e-10), &info());
        assert_eq!(
            message.as_deref(),
            Some(
                "h has been below 1e-9 s for 5 s: pair \"drop\" chatters at t = 2.5 s (2 events in 1 ms). Ctrl-C saves."
            )
        );
        assert_eq!(stall.check_at(start + Duration::from_secs(6), &progress(1e-10), &info()), None);
    }

    #[test]
    fn a_large_step_ends_a_stall() {
        let mut stall = Stall::default();
        let start = Instant::now();
        stall.check_at(start, &progress(1e-10), &info());
        stall.check_at(start + Duration::from_secs(3), &progress(1e-6), &info());
        assert_eq!(stall.check_at(start + Duration::from_secs(6), &progress(1e-10), &info()), None);
    }
}

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Bound of how a gap can shrink: at a time t from now by no more than speed · t + acceleration · t²/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionBound {
    /// Bound of the closing speed now, ≥ 0 (m/s): relative speed of the centres, and angular speed times the
    /// radius about the centre, of both.
    pub speed: f64,
    /// Bound of the closing acceleration over the time asked about, ≥ 0 (m/s²).
    pub acceleration: f64,
}

impl MotionBound {
    /// Time (s) before which a `gap` (m) cannot close: the root of v t + a t²/2 = gap, without cancellation
    /// 2 gap/(v + √(v² + 2 a gap)). Zero for a gap that is closed, infinite if nothing moves.
    pub fn time_to_close(&self, gap: f64) -> f64 {
        if gap <= 0.0 {
            return 0.0;
        }
        let rate = self.speed + (self.speed * self.speed + 2.0 * self.acceleration * gap).sqrt();
        if rate > 0.0 { 2.0 * gap / rate } else { f64::INFINITY }
    }
}

/// Queue entries per pair above which those out of date are thrown out.
const OUTDATED: usize = 4;

/// For each pair the time before which it cannot touch, and which of them comes first. Pairs whose time has come are
/// to be looked at; the others cost nothing.
///
/// The times are data: they are what a checkpoint must hold, and the queue can be made from them.
#[derive(Clone, Debug, Default)]
pub struct Certificates {
    /// By pair (s).
    times: Vec<f64>,
    /// Entries that are out of date stay until they come up.
    queue: BinaryHeap<Reverse<Entry>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    time: f64,
    pair: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.pair.cmp(&other.pair))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl Certificates {
    /// From the times of all pairs (s), such as a checkpoint holds; −∞ where nothing is known.
    pub fn from_times(times: Vec<f64>) -> Self {
        let entry = |(pair, &time): (usize, &f64)| Reverse(Entry { time, pair: pair as u32 });
        let queue = times.iter().enumerate().map(entry).collect();
        Self { times, queue }
    }

    /// Times by pair (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// A pair cannot touch before `time`.
    pub fn set(&mut self, pair: u32, time: f64) {
        self.times[pair as usize] = time;
        self.queue.push(Reverse(Entry { time, pair }));
        if self.queue.len() > OUTDATED * self.times.len() + 64 {
            let times = &self.times;
            self.queue.retain(|Reverse(entry)| times[entry.pair as usize] == entry.time);
        }
    }

    /// Earliest time at which any pair can touch (s); infinite without pairs.
    pub fn earliest(&mut self) -> f64 {
        self.drop_outdated();
        self.queue.peek().map_or(f64::INFINITY, |Reverse(entry)| entry.time)
    }

    /// Takes out one pair whose time is not after `now`: the first of them by time, of equal times the lowest. It needs
    /// a new certificate.
    pub fn pop_expired(&mut self, now: f64) -> Option<u32> {
        self.drop_outdated();
        let Reverse(entry) = *self.queue.peek()?;
        if entry.time > now {
            return None;
        }
        self.queue.pop();
        self.times[entry.pair as usize] = f64::NEG_INFINITY;
        Some(entry.pair)
    }

    fn drop_outdated(&mut self) {
        while let Some(Reverse(entry)) = self.queue.peek() {
            if self.times[entry.pair as usize] == entry.time {
                break;
            }
            self.queue.pop();
        }
    }
}

//! Contacts that bounce faster than steps resolve are latched: no events until they have been calm.

use super::observe::gap_epsilon;
use super::{ContactMemory, PointMotion};

/// A flight shorter than this share of the contact before it is a quick one.
const FLIGHT_SHARE: f64 = 1e-3;
/// So is one of fewer units in the last place of the time.
const FLIGHT_ULPS: f64 = 1e3;
/// A released contact that comes back within this share of an impact's duration has alternated quickly: where
/// the force just touches zero, rounding alone makes it do so.
const ALTERNATION_SHARE: f64 = 1e-2;
/// Quick flights in a row that make chatter. Two bodies that meet a third at the same time make one or two.
const BOUNCES: u32 = 5;
/// A latched contact lets go when it has touched, or been apart, for this many of its last durations.
const CALM_DURATIONS: f64 = 10.0;

/// Verdict on a contact that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounce {
    Single,
    Chatters,
}

/// Counts quick flights at the beginning of a contact. `duration` is the time that an impact at the contact's own speed would
/// take (s): at the start of a run, where times have no last place, what is below its last place is rounding. However long it
/// took, a flight whose height is rounding of the gap is none, as those of a limb that nothing loads, at its stop.
pub(super) fn note_bounce(
    memory: &mut ContactMemory,
    time: f64,
    duration: f64,
    point: &PointMotion,
) -> Bounce {
    let flight = time - memory.end;
    let rounding = FLIGHT_ULPS * f64::EPSILON * time.max(duration);
    let has_no_height = point.approach * flight <= gap_epsilon(point);
    let quick = has_no_height || flight < (FLIGHT_SHARE * memory.lasted).max(rounding);
    memory.quick_bounces = if quick { memory.quick_bounces + 1 } else { 0 };
    if memory.quick_bounces >= BOUNCES { Bounce::Chatters } else { Bounce::Single }
}

/// Counts quick changes between closed and released when the force comes back at `time`. `duration` is the
/// time that an impact at the contact's own speed would take (s).
pub(super) fn note_reengagement(memory: &mut ContactMemory, time: f64, duration: f64) -> Bounce {
    let apart = time - memory.calm_since;
    let quick = apart < (ALTERNATION_SHARE * duration).max(FLIGHT_ULPS * f64::EPSILON * time);
    memory.quick_bounces = if quick { memory.quick_bounces + 1 } else { 0 };
    memory.lasted = memory.lasted.max(duration);
    if memory.quick_bounces >= BOUNCES { Bounce::Chatters } else { Bounce::Single }
}

/// Has a latched contact been touching, or apart, long enough?
pub(super) fn is_calm(memory: &mut ContactMemory, time: f64, touching: bool) -> bool {
    if touching != memory.touching {
        memory.touching = touching;
        memory.calm_since = time;
    }
    let wanted = (CALM_DURATIONS * memory.lasted).max(FLIGHT_ULPS * f64::EPSILON * time);
    let calm = time - memory.calm_since > wanted;
    if calm {
        memory.quick_bounces = 0;
    }
    calm
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contact that begins at this speed, of a gap that is rounded at 2e-15.
    fn at(approach: f64) -> PointMotion {
        PointMotion { gap: 0.0, approach, operands: 1.0, ..PointMotion::NEVER }
    }

    /// Flights a sixth as long as the contacts between them, whose heights are rounding, and others that are not.
    #[test]
    fn flights_of_rounding_latch_however_long_they_are() {
        for (approach, latches) in [(2e-10, true), (1e-9, false)] {
            let mut memory = ContactMemory { lasted: 3.5e-5, ..ContactMemory::default() };
            let mut time = 0.03;
            let mut bounce = || {
                memory.end = time;
                time += 5.5e-6;
                note_bounce(&mut memory, time, 1e-3, &at(approach))
            };
            assert!((0..BOUNCES - 1).all(|_| bounce() == Bounce::Single));
            assert_eq!(bounce() == Bounce::Chatters, latches, "{approach}");
        }
    }

    #[test]
    fn quick_flights_in_a_row_latch_and_a_long_one_resets() {
        let mut memory = ContactMemory { lasted: 1e-3, ..ContactMemory::default() };
        let mut time = 1.0;
        let mut bounce = |memory: &mut ContactMemory, flight: f64| {
            memory.end = time;
            time += flight;
            note_bounce(memory, time, 1e-3, &at(1.0))
        };
        for _ in 0..BOUNCES - 1 {
            assert_eq!(bounce(&mut memory, 1e-8), Bounce::Single);
        }
        assert_eq!(bounce(&mut memory, 1e-2), Bounce::Single);
        for _ in 0..BOUNCES - 1 {
            assert_eq!(bounce(&mut memory, 1e-8), Bounce::Single);
        }
        assert_eq!(bounce(&mut memory, 1e-8), Bounce::Chatters);
    }

    /// Contacts at the start of a run that last for no time, at times without an ulp.
    #[test]
    fn bounces_of_no_length_latch_at_the_start() {
        let mut memory = ContactMemory { end: 0.0, ..ContactMemory::default() };
        let mut bounce = || {
            memory.end += 1e-19;
            let time = memory.end + 1e-19;
            note_bounce(&mut memory, time, 1e-4, &at(1e6))
        };
        assert!((0..BOUNCES - 1).all(|_| bounce() == Bounce::Single));
        assert_eq!(bounce(), Bounce::Chatters);
    }

    #[test]
    fn calm_takes_ten_durations_in_one_state() {
        let mut memory =
            ContactMemory { lasted: 1e-3, touching: true, calm_since: 1.0, ..ContactMemory::default() };
        assert!(!is_calm(&mut memory, 1.009, true));
        assert!(!is_calm(&mut memory, 1.0095, false));
        assert!(!is_calm(&mut memory, 1.019, false));
        assert!(is_calm(&mut memory, 1.02, false));
    }
}

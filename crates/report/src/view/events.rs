//! The event log, for marks on the line of time.

use carom_results::{Array, Error, RunData};

use super::Output;
use super::contacts::numbers_of_pairs;

/// Events of a page; the first ones of more.
const MOST: usize = 20_000;

/// Puts kinds, pairs, times and points.
pub(super) fn put(out: &mut Output, data: &RunData, origin: [f64; 3]) -> Result<(), Error> {
    let (events, total) = data.first_events(MOST)?;
    let mut kinds: Vec<String> = Vec::new();
    let (mut of_kind, mut of_pair, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let (mut points, mut speeds) = (Vec::new(), Vec::new());
    let numbers = numbers_of_pairs(data);
    for event in &events {
        let kind = kinds.iter().position(|kind| *kind == event.kind).unwrap_or_else(|| {
            kinds.push(event.kind.clone());
            kinds.len() - 1
        });
        of_kind.push(kind as u8);
        of_pair.push(numbers.get(event.pair.as_str()).copied().unwrap_or(0));
        times.push(event.time);
        points.extend((0..3).map(|axis| (event.position[axis] - origin[axis]) as f32));
        speeds.push(event.approach_speed as f32);
    }
    out.set("event_kinds", kinds);
    out.set("events_of_run", total);
    out.array("event_kind", Array::U8(of_kind));
    out.array("event_pair", Array::U32(of_pair));
    out.array("event_time", Array::F64(times));
    out.array("event_point", Array::F32(points));
    out.array("event_approach", Array::F32(speeds));
    if (events.len() as u64) < total {
        out.notes.push(format!("The first {} of {total} events are marked.", events.len()));
    }
    Ok(())
}

//! A run that is sent in parts is the run.

use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::{Container, RunData, TimedRun};

use super::tests::{all, unpacked};
use super::*;

fn header_bodies(page: &Container) -> Vec<(usize, bool)> {
    let bodies = page.header["bodies"].as_array().unwrap();
    bodies.iter().map(|b| (b["pose"].as_u64().unwrap() as usize, b["moves"].as_bool().unwrap())).collect()
}

/// Positions of all bodies at an output time of a container.
fn positions(page: &Container, frame: usize) -> Vec<[f32; 3]> {
    let at = |(pose, moves): (usize, bool)| {
        let row = 3 * (pose + if moves { frame } else { 0 });
        page.f32s("positions")[row..row + 3].try_into().unwrap()
    };
    header_bodies(page).into_iter().map(at).collect()
}

fn rows<'a>(page: &'a Container, name: &str, frame: usize) -> &'a [f32] {
    let start = page.u32s("contact_start");
    &page.f32s(name)[start[frame] as usize..start[frame + 1] as usize]
}

/// Poses, contacts and quantities of all parts are those of the page that has the whole run, with states of few bodies and of
/// many, whose table has another form.
#[test]
fn parts_are_those_of_the_whole() {
    for run in [
        FakeRun::billiard(),
        FakeRun { balls: 301, frames: 40, t_end: 0.2, walls: false, ..FakeRun::billiard() },
    ] {
        let dir = TempDir::new("stream");
        fixture::finished(dir.path(), &run);
        let data = RunData::open(dir.path()).unwrap();
        let whole = unpacked(&pack(&data, &all()).unwrap());
        let times = data.times().unwrap();
        let timed = TimedRun::open(dir.path()).unwrap().unwrap();
        assert_eq!(timed.times(), times);
        let last = times.len() - 1;
        let stream = Stream::new(timed, 5, &[0, 3, 4, 9, 20, 30, last], 16).unwrap();
        let opening = Packed { bytes: stream.opening().to_vec(), notes: Vec::new(), has_shapes: false };
        let opening = unpacked(&opening);
        assert_eq!(opening.f64s("all_times"), times);
        assert_eq!(opening.f64s("times").len(), 7);
        let names = |page: &Container| -> Vec<String> {
            page.header["plots"].as_array().unwrap().iter().map(|plot| plot["name"].to_string()).collect()
        };
        let of_whole_plot = |plot: usize| {
            let name = &names(&opening)[plot];
            let place = names(&whole).iter().position(|own| own == name).expect("the whole has it");
            &whole.f32s("plot_values")[place * times.len()..][..times.len()]
        };
        assert_eq!(opening.f64s("times")[6], times[times.len() - 1]);
        let shift = |page: &Container| -> [f64; 3] {
            serde_json::from_value(page.header["origin_m"].clone()).unwrap()
        };
        let (of_whole, of_stream) = (shift(&whole), shift(&opening));
        let plots = names(&opening).len();
        let (mut number, mut seen, mut touching) = (0, 0, 0);
        while let Some(bytes) = stream.part(number).unwrap() {
            let part = Container::from_bytes(&bytes).unwrap();
            let own = part.f64s("times");
            assert_eq!(own, &times[16 * number..(16 * number + 17).min(times.len())]);
            for (k, time) in own.iter().enumerate() {
                let frame = 16 * number + k;
                for (p, q) in positions(&part, k).iter().zip(positions(&whole, frame)) {
                    for axis in 0..3 {
                        let (p, q) =
                            (f64::from(p[axis]) + of_stream[axis], f64::from(q[axis]) + of_whole[axis]);
                        assert!((p - q).abs() < 1e-6, "{p} and {q} at {time}");
                    }
                }
                for name in ["contact_fn", "contact_gap", "contact_approach"] {
                    assert_eq!(rows(&part, name, k), rows(&whole, name, frame), "{name} at {time}");
                }
                touching += rows(&part, "contact_fn", k).len();
                let curves: Vec<usize> = serde_json::from_value(part.header["plots"].clone()).unwrap();
                assert!(!curves.is_empty());
                for (place, plot) in curves.into_iter().enumerate() {
                    let value = part.f32s("plot_values")[place * own.len() + k];
                    assert_eq!(value, of_whole_plot(plot)[frame]);
                }
            }
            seen += own.len() - 1;
            number += 1;
        }
        assert_eq!((seen, number), (times.len() - 1, times.len().div_ceil(16)));
        assert!(touching > 0, "some have contacts");
        assert!(stream.part(usize::MAX).unwrap().is_none());
        for plot in [0, 5] {
            let all = Container::from_bytes(&stream.curve(plot, 0, usize::MAX).unwrap().unwrap()).unwrap();
            assert_eq!(all.f64s("time"), times);
            assert_eq!(all.f32s("value"), of_whole_plot(plot));
        }
        let some = Container::from_bytes(&stream.curve(0, 3, 9).unwrap().unwrap()).unwrap();
        assert_eq!(some.f64s("time"), &times[3..9]);
        assert!(stream.curve(plots, 0, 9).unwrap().is_none() && stream.curve(0, 9, 3).unwrap().is_none());
        assert!(Stream::open(dir.path(), 0).unwrap().is_none(), "it is short enough to be sent whole");
    }
}

/// By how much one run is greater than another is found at all output times of the first, and none outside of the second.
#[test]
fn differences_are_those_of_the_tables() {
    let dirs = [TempDir::new("stream-first"), TempDir::new("stream-second")];
    let runs = [
        FakeRun { frames: 200, ..FakeRun::single_ball() },
        FakeRun { frames: 60, t_end: 1.5, ..FakeRun::single_ball() },
    ];
    let [first, second] = [0, 1].map(|k| {
        fixture::finished(dirs[k].path(), &runs[k]);
        let timed = TimedRun::open(dirs[k].path()).unwrap().unwrap();
        Stream::new(timed, k, &[0, 10], 16).unwrap()
    });
    let [own, other] = [0, 1].map(|k| RunData::open(dirs[k].path()).unwrap().series("ball.z").unwrap());
    let place = |stream: &Stream| {
        let opening = Packed { bytes: stream.opening().to_vec(), notes: Vec::new(), has_shapes: false };
        let plots = unpacked(&opening).header["plots"].clone();
        plots.as_array().unwrap().iter().position(|plot| plot["name"] == "ball.z").unwrap()
    };
    let (of_first, of_second) = (place(&first), place(&second));
    let bytes = first.difference(of_first, &second, of_second, 3..usize::MAX).unwrap().unwrap();
    let found = Container::from_bytes(&bytes).unwrap();
    assert_eq!(found.f64s("time"), &own.time[3..]);
    for ((time, value), found) in own.time.iter().zip(&own.values).skip(3).zip(found.f32s("value")) {
        let next = other.time.partition_point(|own| own < time);
        if next == other.time.len() {
            assert!(found.is_nan(), "{time}");
            continue;
        }
        let last = next.saturating_sub(1);
        let part =
            if next > last { (time - other.time[last]) / (other.time[next] - other.time[last]) } else { 0.0 };
        let theirs = other.values[last] + part * (other.values[next] - other.values[last]);
        assert!((f64::from(*found) - (theirs - value)).abs() < 1e-6, "{found} at {time}");
    }
    assert!(first.difference(of_first, &second, 9999, 0..9).unwrap().is_none());
    assert!(first.difference(9999, &second, of_second, 0..9).unwrap().is_none());
}

/// A very large run is opened at few of the places that are packed together, with its first and last time among them.
#[test]
fn a_run_is_opened_at_few_places() {
    let stretches: Vec<_> = (0..10).map(|k| 100 * k..100 * k + 100).collect();
    let times = stream::places_of(&stretches, 3);
    assert!([0, 99, 999].iter().all(|time| times.contains(time)) && times.len() <= 3 * 24 + 1, "{times:?}");
    let mut places: Vec<usize> = times.iter().map(|time| time / 100).collect();
    places.dedup();
    assert_eq!(places, [0, 4, 9]);
    let short = 0..5;
    assert_eq!(stream::places_of(std::slice::from_ref(&short), 3), [0, 1, 2, 3, 4, 4]);
}

/// What is left of a long curve has the extremes of every part, and when each of them is to the width of a part.
#[test]
fn a_long_curve_keeps_its_extremes() {
    let times: Vec<f64> = (0..100_000).map(f64::from).collect();
    let mut values: Vec<f32> = times.iter().map(|t| (0.01 * t).sin() as f32).collect();
    (values[54_321], values[54_322], values[7]) = (7.0, -9.0, f32::NAN);
    values[200..300].fill(f32::NAN);
    let (at, of) = stream::extremes(&times, &values);
    assert_eq!((at.len(), of.len()), (2000, 2000));
    assert!(at.is_sorted());
    for (k, part) in values.chunks(100).enumerate() {
        assert_eq!(at[2 * k..2 * k + 2], [100.0 * k as f64, 100.0 * k as f64 + 99.0]);
        let extremes = |values: &[f32]| {
            let numbers = || values.iter().copied().filter(|value| !value.is_nan());
            (numbers().reduce(f32::min), numbers().reduce(f32::max))
        };
        assert_eq!(extremes(&of[2 * k..2 * k + 2]), extremes(part), "part {k}");
    }
    // The greatest comes before the least here, as it does in the curve.
    assert_eq!(of[2 * 543..2 * 543 + 2], [7.0, -9.0]);
}

use super::*;
use crate::fixture::{self, FakeRun, TempDir};

fn single() -> (TempDir, RunData) {
    let dir = TempDir::new("data");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let data = RunData::open(dir.path()).unwrap();
    (dir, data)
}

fn billiard() -> (TempDir, RunData) {
    let dir = TempDir::new("data-many");
    fixture::finished(dir.path(), &FakeRun { frames: 100, ..FakeRun::billiard() });
    let data = RunData::open(dir.path()).unwrap();
    (dir, data)
}

#[test]
fn names_work_with_and_without_unit() {
    let (_dir, data) = single();
    for (short, long, unit) in [
        ("ball.z", "ball.z_m", "m"),
        ("ball.vz", "ball.vz_m_s", "m/s"),
        ("ball.speed", "ball.speed_m_s", "m/s"),
        ("drop.fn", "drop.fn_n", "N"),
        ("drop.ft", "drop.ft_n", "N"),
        ("energy.kinetic", "energy.kinetic_j", "J"),
        ("steps.h", "steps.h_s", "s"),
    ] {
        let a = data.series(short).unwrap();
        assert_eq!(a, data.series(long).unwrap());
        assert_eq!((a.unit, a.full_name().as_str()), (unit, long));
        assert_eq!(a.values.len(), a.time.len());
    }
    assert_eq!(data.series("energy.residual_relative").unwrap().unit, "");
    assert_eq!(data.series("steps.rhs").unwrap().values[0], 6.0);
}

#[test]
fn every_listed_name_is_known() {
    for (_dir, data) in [single(), billiard()] {
        for quantity in data.scene().quantities() {
            let series = data.series(&quantity.name).unwrap();
            assert_eq!((series.name.as_str(), series.unit), (quantity.name.as_str(), quantity.unit));
        }
    }
}

#[test]
fn unknown_names_get_suggestions() {
    let (_dir, data) = single();
    let Err(Error::UnknownQuantity { similar, owners, .. }) = data.series("bal.z") else { panic!() };
    assert_eq!(similar[0], "ball.z");
    assert_eq!(owners, ["table", "ball", "drop", "energy"]);
    for name in ["", ".", "ball", "ball.", "ball.z_n", "nobody.z", "drop.fn_m"] {
        assert_eq!(data.series(name).unwrap_err().code(), "E0707", "{name}");
    }
}

#[test]
fn a_line_sums_its_pairs() {
    let (_dir, data) = billiard();
    let line = data.series("drop.fn").unwrap().values;
    let mut sum = vec![0.0; line.len()];
    for ball in 0..16 {
        let name = format!("drop[floor|rack[{ball}].ball].fn");
        for (total, value) in sum.iter_mut().zip(data.series(&name).unwrap().values) {
            *total += value;
        }
    }
    assert!(line.iter().any(|f| *f > 0.0));
    assert!(line.iter().zip(&sum).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs()));
    let deepest = data.series("drop.penetration").unwrap().values;
    assert!(deepest.iter().all(|p| *p >= 0.0) && deepest.iter().any(|p| *p > 0.0));
}

#[test]
fn forces_stand_at_the_times_of_their_frames() {
    let (_dir, data) = single();
    let force = data.series("drop.fn_n").unwrap();
    let height = data.series("ball.z").unwrap();
    for (f, z) in force.values.iter().zip(&height.values) {
        assert_eq!(*f > 0.0, *z < 0.05, "force {f} at height {z}");
    }
}

#[test]
fn probes_agree_with_the_frames_they_coincide_with() {
    let (_dir, data) = billiard();
    let times = [1.25, 3.75];
    for quantity in data.scene().quantities() {
        let series = data.series(&quantity.name).unwrap();
        for time in times {
            let k = series.time.iter().position(|t| *t == time).unwrap();
            match data.probe(time, &quantity.name).unwrap() {
                Some(value) => assert_eq!(value, series.values[k], "{}", quantity.name),
                None => assert!(quantity.name.starts_with("steps."), "{}", quantity.name),
            }
        }
    }
    assert_eq!(data.probe(1.2, "rack[3].ball.z").unwrap(), None);
}

#[test]
fn events_are_read_in_order() {
    let (_dir, data) = single();
    let events = data.events().unwrap();
    assert!(events.len() > 4 && events.is_sorted_by_key(|e| e.time));
    assert_eq!((events[0].kind.as_str(), events[0].pair.as_str()), ("contact_begin", "drop"));
    assert!((events[0].time - (2.0f64 / 9.81).sqrt()).abs() < 1e-15);
}

#[test]
fn a_running_run_can_be_read() {
    let dir = TempDir::new("running");
    let run = FakeRun { stops_after: Some(50), ..FakeRun::single_ball() };
    let info = run.info();
    let mut writer = crate::RunWriter::create(fixture::request(dir.path(), &info)).unwrap();
    writer.set_checkpoint_interval(std::time::Duration::ZERO);
    run.run(&mut writer, None);
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!(data.manifest().end.reason, "running");
    assert_eq!(data.series("ball.z").unwrap().values.len(), 51);
    assert_eq!(data.series("energy.residual_relative").unwrap_err().code(), "E0709");
}

#[test]
fn episodes_carry_the_restitution_that_came_out() {
    let (_dir, data) = single();
    let episodes = data.episodes().unwrap();
    let ended: Vec<_> = episodes.iter().filter_map(|e| e.restitution).collect();
    assert!(ended.len() >= 2 && ended.iter().all(|e| (e - 0.8).abs() < 1e-12));
    assert!(episodes.iter().all(|e| e.pair == "drop" && e.end.is_none_or(|end| end > e.begin)));
}

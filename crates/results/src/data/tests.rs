use super::RegionRequest;
use super::*;
use carom_engine::record::Frame;

use crate::fixture::{self, FakeRun, TempDir};
use crate::tables::states;

fn single() -> (TempDir, RunData) {
    let dir = TempDir::new("data");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let data = RunData::open(dir.path()).unwrap();
    (dir, data)
}

fn mechanism() -> (TempDir, RunData) {
    let dir = TempDir::new("data-mechanism");
    fixture::finished(dir.path(), &FakeRun::mechanism());
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
    for (_dir, data) in [single(), mechanism(), billiard()] {
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
fn parts_of_a_mechanism_have_names_and_units() {
    let (_dir, data) = mechanism();
    for (short, long, unit) in [
        ("hinge.q", "hinge.q_rad", "rad"),
        ("hinge.v", "hinge.v_rad_s", "rad/s"),
        ("hinge.effort", "hinge.effort_n_m", "N m"),
        ("hinge.f", "hinge.f_n", "N"),
        ("hinge.m", "hinge.m_n_m", "N m"),
        ("sleeve.q1", "sleeve.q1_m", "m"),
        ("joint.ball.wx", "joint.ball.wx_rad_s", "rad/s"),
        ("ball.wx", "ball.wx_rad_s", "rad/s"),
        ("weld.mz", "weld.mz_n_m", "N m"),
        ("force.hinge.angle", "force.hinge.angle_rad", "rad"),
        ("rope.value", "rope.value_n", "N"),
        ("gear.violation", "gear.violation", ""),
    ] {
        let series = data.series(short).unwrap();
        assert_eq!(series, data.series(long).unwrap());
        assert_eq!((series.unit, series.full_name().as_str()), (unit, long));
    }
    let q = data.series("hinge.q").unwrap();
    assert!(q.time.iter().zip(&q.values).all(|(t, q)| *q == t.sin()));
    let component = |axis: &str| data.series(&format!("hinge.f{axis}")).unwrap().values;
    let size = component("x")[7].hypot(component("y")[7]).hypot(component("z")[7]);
    assert!((data.series("hinge.f").unwrap().values[7] - size).abs() < 1e-12 * size);
    for name in ["hinge.q0", "hinge.q_m", "weld.q", "hinge.angle", "spring.q", "gear.value", "joint.hinge.q"]
    {
        assert_eq!(data.series(name).unwrap_err().code(), "E0707", "{name}");
    }
    let Err(Error::UnknownQuantity { similar, owners, .. }) = data.series("hing.q") else { panic!() };
    assert_eq!(similar[0], "hinge.q");
    assert!(["joint.ball", "rope", "gear"].iter().all(|owner| owners.iter().any(|o| o == owner)));
}

#[test]
fn stops_of_angles_are_measured_in_angles_and_torques() {
    let mut info = FakeRun::mechanism().info();
    info.pairs[0].kernel = "joint limit";
    info.pairs[0].name = "hinge.limit".into();
    info.pairs[0].line = "hinge.limit".into();
    let scene = Scene::new(&info);
    for (name, unit) in [
        ("hinge.limit.fn_n_m", "N m"),
        ("hinge.limit.penetration_rad", "rad"),
        ("hinge.limit.approach_speed", "rad/s"),
        ("hinge.limit.power_w", "W"),
    ] {
        assert_eq!(scene.quantity(name).unwrap().unit, unit, "{name}");
    }
    assert_eq!(scene.quantity("hinge.limit.fn_n").unwrap_err().code(), "E0707");
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
    let checks = [(billiard(), [1.25, 3.75]), (mechanism(), [0.25, 1.75])];
    for ((_dir, data), times) in checks {
        assert_probes(&data, times);
    }
    let (_dir, data) = billiard();
    assert_eq!(data.probe(1.2, "rack[3].ball.z").unwrap(), None);
}

fn assert_probes(data: &RunData, times: [f64; 2]) {
    for quantity in data.scene().quantities() {
        let series = data.series(&quantity.name).unwrap();
        for time in times {
            let k = series.time.iter().position(|t| *t == time).unwrap();
            match data.probe(time, &quantity.name).unwrap() {
                Some(value) => assert_eq!(value, series.values[k], "{}", quantity.name),
                // Of steps and searches.
                None => assert!(
                    quantity.name.starts_with("steps.")
                        || quantity.name.contains("search")
                        || quantity.name.ends_with("listed_pairs"),
                    "{}",
                    quantity.name
                ),
            }
        }
    }
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
    let mut writer = crate::RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
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

/// Two searches and one list a frame, with 40 tests of boxes and 28 of lines.
#[test]
fn costs_of_searches_are_means_since_the_frame_before() {
    let (_dir, data) = single();
    for (name, value) in [
        ("drop.rebuilds_per_search", 0.5),
        ("drop.box_tests_per_search", 20.0),
        ("drop.edge_tests_per_search", 1.0),
        ("drop.ray_tests_per_search", 14.0),
        ("drop.triangle_tests_per_search", 15.0),
        ("drop.listed_pairs", 12.0),
    ] {
        let series = data.series(name).unwrap();
        assert_eq!(series.time, data.times().unwrap());
        assert!(series.values.iter().all(|v| *v == value), "{name} {:?}", &series.values[..3]);
    }
}

#[test]
fn a_patch_is_found_by_time_and_number() {
    let (_dir, data) = single();
    let request = |time, patch| PatchRequest { pair: "drop".to_owned(), patch, time };
    let last = data.patch(&request(PatchTime::Last, None)).unwrap();
    assert_eq!((last.time, last.patch, last.elements.len()), (2.0, 0, 1));
    let early = data.patch(&request(PatchTime::At(0.5), Some(0))).unwrap();
    assert_eq!((early.time, early.force, early.area), (0.5, [0.0, 0.0, 4.0], 2e-4));
    let [element] = early.elements[..] else { panic!("one element") };
    assert_eq!((element.element, element.pressure, element.normal), (7, 2e4, [0.0, 0.0, 1.0]));
    assert_eq!(element.corners[1], [0.5 + 0.02, 0.1, 0.2]);
    let code = |request| data.patch(&request).unwrap_err();
    assert_eq!(
        code(PatchRequest { pair: "drip".to_owned(), patch: None, time: PatchTime::Last }).code(),
        "E0707"
    );
    // The peaks lie between the output times: of three impacts the first was the hardest.
    let peak = data.patch(&request(PatchTime::Peak, None)).unwrap();
    let greatest = data.manifest().totals[0];
    assert_eq!(
        (peak.time, peak.elements[0].pressure),
        (greatest.max_pressure_time_s, greatest.max_pressure_pa)
    );
    assert!(!data.times().unwrap().contains(&peak.time));
    assert_eq!(data.patch(&request(PatchTime::At(peak.time), None)).unwrap(), peak);
    let error = code(request(PatchTime::At(0.503), None));
    assert_eq!(error.code(), "E0709");
    assert!(error.to_string().contains("204 times with one, from 0 to 2 s"), "{error}");
    assert!(code(request(PatchTime::At(0.5), Some(3))).to_string().contains("there are 0"));
    let (_dir, billiard) = billiard();
    let of_cushion = PatchRequest {
        pair: "balls[rack[0].ball|rack[1].ball]".to_owned(),
        patch: None,
        time: PatchTime::Last,
    };
    assert!(billiard.patch(&of_cushion).unwrap_err().to_string().contains("areal contact"));
}

/// Collects the states of a run in one wide table.
struct Wide {
    scene: Scene,
    rows: Columns,
}

impl carom_engine::Recorder for Wide {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), carom_engine::record::RecordError> {
        states::push(&mut self.rows, &self.scene, frame);
        Ok(())
    }
}

#[test]
fn long_states_say_what_wide_ones_do() {
    let dir = TempDir::new("data-long");
    let run = FakeRun { balls: 320, frames: 30, ..FakeRun::mechanism() };
    fixture::finished(dir.path(), &run);
    let mut scene = Scene::new(&run.info());
    assert!(scene.is_long());
    scene.always_wide = true;
    let mut wide = Wide { rows: Columns::new(states::columns(&scene)), scene };
    run.run(&mut wide, None);
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!(data.table(Table::States).unwrap().rows(), 31 * data.scene().bodies.len());
    assert_eq!(data.times().unwrap(), wide.rows.floats("time").unwrap());
    for column in &wide.rows.columns()[1..] {
        let (found, values) = data.state(&column.name()).unwrap().unwrap();
        assert_eq!((&found.base, found.unit), (&column.base, column.unit));
        assert_eq!(values, wide.rows.floats(&column.base).unwrap(), "{}", column.base);
    }
    for name in ["rack[319].ball.speed", "rack[7].ball.z_m", "hinge.f", "drop.fn", "rack[3].ball.qw"] {
        assert_eq!(data.series(name).unwrap().values.len(), 31, "{name}");
    }
    assert!(data.state("rack[320].ball.z").unwrap().is_none());
    assert!(data.state("rack[3].ball.zz").unwrap().is_none());
}

/// A run folder of schema 2, made of one of this version: pairs and totals in `run.json`, and wide states of any
/// number of bodies.
#[test]
fn runs_of_schema_two_are_read() {
    let dir = TempDir::new("data-two");
    let run = FakeRun { balls: 16, frames: 40, ..FakeRun::billiard() };
    let new = fixture::finished(dir.path(), &run);
    let path = dir.path().join("run.json");
    let mut value: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    value["schema"] = 2.into();
    value["scene"]["pairs"] = serde_json::to_value(&new.scene.pairs).unwrap();
    value["scene"]["contacts"] = serde_json::to_value(&new.scene.contacts).unwrap();
    value["totals"] = serde_json::to_value(&new.totals).unwrap();
    value.as_object_mut().unwrap().remove("pairs");
    std::fs::write(&path, value.to_string()).unwrap();
    std::fs::remove_file(dir.path().join("pairs.parquet")).unwrap();
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!((&data.scene().pairs, &data.manifest().totals), (&new.scene.pairs, &new.totals));
    assert_eq!(data.manifest().pairs, new.pairs);
    assert!(!Scene { bodies: vec![new.scene.bodies[0].clone(); 400], ..data.scene().clone() }.is_long());
    assert_eq!(data.series("rack[3].ball.z").unwrap().values.len(), 41);
    assert!(crate::summary(&data).unwrap().contains("touched of"));
    // Judging a run writes its manifest again.
    data.manifest().write(dir.path()).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap(), *data.manifest());
}

#[test]
fn a_table_of_pairs_that_is_not_the_runs_is_damage() {
    let dir = TempDir::new("data-pairs");
    fixture::finished(dir.path(), &FakeRun { frames: 20, ..FakeRun::billiard() });
    let other = TempDir::new("data-pairs-other");
    fixture::finished(other.path(), &FakeRun::single_ball());
    std::fs::copy(other.path().join("pairs.parquet"), dir.path().join("pairs.parquet")).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap_err().code(), "E0704");
    std::fs::remove_file(dir.path().join("pairs.parquet")).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap_err().code(), "E0704");
}

#[test]
fn of_very_many_output_times_charts_have_every_kth() {
    let dir = TempDir::new("data-thin");
    // 320 bodies a time, so that as few as 2000 times are many.
    fixture::finished(dir.path(), &FakeRun { balls: 320, frames: 1999, ..FakeRun::single_ball() });
    let (all, some) = (RunData::open(dir.path()).unwrap(), RunData::open_for_charts(dir.path()).unwrap());
    assert_eq!((all.every(), some.every(), some.output_times()), (1, 2, 2000));
    for name in ["rack[7].ball.z", "drop.fn", "energy.gravity"] {
        let (whole, part) = (all.series(name).unwrap(), some.series(name).unwrap());
        let every = |values: &[f64]| values.iter().step_by(2).copied().collect::<Vec<_>>();
        assert_eq!((part.time, part.values), (every(&whole.time), every(&whole.values)), "{name}");
    }
    assert_eq!(all.episodes().unwrap(), some.episodes().unwrap());
}

/// As of a run that was killed before two of its bodies came near each other.
#[test]
fn a_wide_line_without_pairs_has_no_forces() {
    let (_dir, mut data) = single();
    data.manifest.scene.wide_lines.push("crowd".to_owned());
    let series = data.series("crowd.fn").unwrap();
    assert_eq!(series.time, data.times().unwrap());
    assert!(series.values.iter().all(|value| *value == 0.0));
    assert_eq!(data.series("crow.fn").unwrap_err().code(), "E0707");
}

#[test]
fn in_blocks_a_run_is_what_it_is_as_a_whole() {
    let dir = TempDir::new("data-blocks");
    let run = FakeRun { balls: 320, frames: 1999, ..FakeRun::mechanism() };
    fixture::finished(dir.path(), &run);
    let data = RunData::open(dir.path()).unwrap();
    let names = ["rack[7].ball.z", "rack[319].ball.speed", "drop.fn", "energy.gravity", "hinge.q", "steps.h"];
    let tables: Vec<Table> = names.iter().flat_map(|name| data.tables_of(name).unwrap()).collect();
    for table in [Table::States, Table::Contacts, Table::Energy, Table::Mechanism, Table::Steps] {
        assert!(tables.contains(&table), "{} is asked for", table.name());
    }
    let mut found = names.map(|_| (Vec::new(), Vec::new()));
    let mut blocks = 0;
    let tables = tables.into_iter().map(|table| (table, data.columns_of(table, &names))).collect();
    data.for_each_block(tables, &mut |block| {
        blocks += 1;
        for (name, (times, values)) in names.iter().zip(&mut found) {
            let series = block.series(name)?;
            times.extend(series.time);
            values.extend(series.values);
        }
        Ok(())
    })
    .unwrap();
    assert!(blocks > 4, "{blocks} blocks of nine million numbers");
    for (name, (times, values)) in names.iter().zip(found) {
        let whole = data.series(name).unwrap();
        assert_eq!((times, values), (whole.time, whole.values), "{name}");
    }
    // Some of its times, beside the ends of what is packed together.
    let timed = TimedRun::open(dir.path()).unwrap().unwrap();
    let stretches = timed.stretches().unwrap();
    assert!(stretches.len() > 3 && stretches[0].start == 0, "{stretches:?}");
    assert!(stretches.windows(2).all(|two| two[0].end == two[1].start), "{stretches:?}");
    let mut wanted: Vec<usize> = stretches.iter().flat_map(|s| [s.start, s.start + 1, s.end - 1]).collect();
    wanted.extend([3, 700, 1999]);
    wanted.sort_unstable();
    wanted.dedup();
    let times = data.times().unwrap();
    let some = timed.only(&|time| wanted.iter().any(|&k| times[k] == time)).unwrap();
    for name in &names[..names.len() - 1] {
        let whole = data.series(name).unwrap();
        let own: Vec<f64> = wanted.iter().map(|&k| whole.values[k]).collect();
        assert_eq!(some.series(name).unwrap().values, own, "{name}");
        assert_eq!(timed.values(&[name]).unwrap()[0], whole.values, "{name}");
    }
    assert_eq!(data.tables_of("rack[7].ball.zz").unwrap_err().code(), "E0707");
}

/// Makes one step of a run very short.
struct OneShort<'a>(&'a mut crate::RunWriter);

impl carom_engine::Recorder for OneShort<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), carom_engine::record::RecordError> {
        self.0.frame(frame)
    }
    fn step(
        &mut self,
        step: &carom_engine::record::StepRow,
    ) -> Result<(), carom_engine::record::RecordError> {
        let is_it = (step.time - 1.2345).abs() < 1e-9;
        self.0.step(&carom_engine::record::StepRow { step: if is_it { 1e-9 } else { step.step }, ..*step })
    }
}

#[test]
fn of_very_many_steps_charts_have_the_shortest_and_the_longest() {
    let dir = TempDir::new("data-steps");
    let run = FakeRun { frames: 40_000, ..FakeRun::single_ball() };
    let info = run.info();
    let folder = fixture::folder(dir.path());
    let mut writer = crate::RunWriter::create(fixture::request(&folder, &info)).unwrap();
    let outcome = run.run(&mut OneShort(&mut writer), None);
    writer.finish(&outcome).unwrap();
    let all = RunData::open(dir.path()).unwrap().series("steps.h").unwrap();
    let some = RunData::open_for_charts(dir.path()).unwrap().series("steps.h").unwrap();
    assert!(all.values.len() == 40_001 && some.values.len() < 21_000, "{}", some.values.len());
    assert!(some.time.is_sorted());
    let extremes = |values: &[f64]| {
        [values.iter().copied().reduce(f64::min).unwrap(), values.iter().copied().reduce(f64::max).unwrap()]
    };
    assert_eq!(extremes(&some.values), extremes(&all.values));
    assert_eq!(extremes(&some.values)[0], 1e-9);
}

#[test]
fn a_region_comes_with_its_contours() {
    let dir = TempDir::new("region");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let data = RunData::open(dir.path()).unwrap();
    let pair = data.scene().pairs[0].name.clone();
    let request = RegionRequest { pair: pair.clone(), region: None, time: None };
    let region = data.region(&request).unwrap();
    assert_eq!((region.region, region.volume, region.normal_force), (2, 1e-7, 4.0));
    let [contour] = &region.contours[..] else { panic!("{:?}", region.contours) };
    assert!(contour.is_closed && contour.nodes.len() == 3);
    assert_eq!(contour.nodes[1][0], region.position[0] + 0.02);
    let none = RegionRequest { region: Some(7), ..request.clone() };
    assert!(data.region(&none).unwrap_err().to_string().contains("there are 2"));
    let early = RegionRequest { time: Some(-1.0), ..request };
    assert!(data.region(&early).unwrap_err().to_string().contains("none at t = -1"));
}

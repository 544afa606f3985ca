//! What closes a run needs no more memory of a long run than of a short one. A binary of its own, since it replaces the
//! allocator.
#![allow(missing_docs)]

use carom_engine::Recorder;
use carom_engine::model::{Condition, Expectation, Moment};
use carom_engine::record::{Episode, Event, Frame, RecordError, StepRow};
use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::{RunData, RunWriter, judge, summary};

/// Hands a run on with every event, episode and step many times over.
struct Repeated<'a> {
    writer: &'a mut RunWriter,
    times: usize,
}

impl Recorder for Repeated<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.writer.frame(frame)
    }
    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        (0..self.times).try_for_each(|_| self.writer.event(event))
    }
    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        (0..self.times).try_for_each(|_| self.writer.episode(episode))
    }
    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        (0..self.times / 1000).try_for_each(|_| self.writer.step(step))
    }
}

/// Greatest memory (bytes) of ending, judging and reporting a run that is `length` times as long.
fn most_while_closing(length: usize) -> u64 {
    let dir = TempDir::new("memory");
    // Wide rows, so that few seconds make more than charts keep; bounces, each of them very many times.
    let run = FakeRun { frames: 60_000 * length as u64, ..FakeRun::mechanism() };
    let info = run.info();
    let folder = fixture::folder(dir.path());
    let mut writer = RunWriter::create(fixture::request(&folder, &info)).unwrap();
    let outcome = run.run(&mut Repeated { writer: &mut writer, times: 10_000 * length }, None);
    let asked = |quantity: &str, moment| Expectation {
        text: quantity.to_owned(),
        quantity: quantity.to_owned(),
        moment,
        condition: Condition::Above(0.0),
    };
    let expectations = [
        asked("ball.z", Moment::Max),
        asked("ball.speed", Moment::Min),
        asked("hinge.q", Moment::End),
        asked("steps.h", Moment::Max),
        asked("energy.kinetic", Moment::Count),
        asked("drop.begin", Moment::Count),
        asked("drop.end", Moment::Event { index: 7, column: "time".to_owned() }),
    ];
    allocation_counter::measure(|| {
        writer.finish(&outcome).unwrap();
        let data = RunData::open(dir.path()).unwrap();
        let verdicts = judge(&data, &expectations).unwrap();
        assert!(verdicts.iter().all(|verdict| verdict.passed), "{verdicts:?}");
        carom_report::write_report(dir.path()).unwrap();
        summary(&data).unwrap();
    })
    .bytes_max
}

#[test]
fn closing_a_run_of_four_times_the_length_needs_the_same_memory() {
    let (short, long) = (most_while_closing(1), most_while_closing(4));
    // Output times that charts keep lie between half of and all that they may, as every k-th is kept.
    assert!(long < short + short / 4, "{short} B, of four times the length {long} B");
    assert!(long < 150_000_000, "{long} B");
}

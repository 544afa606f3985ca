//! Runs that are not whole: what can be read is shown, and what cannot is named.

use carom_engine::Recorder;
use carom_engine::record::{Frame, RecordError};
use carom_results::MemoryWriter;
use carom_results::fixture::{self, FakeRun};
use carom_results::tables::Table;

use super::tests::{all, finished, unpacked};
use super::*;
use crate::picture::Stage;

/// What the page says is missing.
fn missing(page: &Container) -> Vec<String> {
    serde_json::from_value(page.header["missing"].clone()).unwrap()
}

/// A table that is cut off takes its part of the page with it and no other, and is named; pictures, which have no place
/// for words, are refused.
#[test]
fn tables_that_are_cut_off_are_named_and_the_rest_is_shown() {
    let whole = FakeRun { frames: 100, ..FakeRun::single_ball() };
    let mut damaged = 0;
    for table in Table::ALL {
        let (dir, data) = finished(&whole);
        let file = dir.path().join(format!("{}.parquet", table.name()));
        let Ok(bytes) = std::fs::read(&file) else { continue };
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        drop(data);
        // Names of pairs are what all tables count on: without them there is no run to open.
        let Ok(data) = RunData::open(dir.path()) else {
            assert_eq!(table, Table::Pairs);
            continue;
        };
        let page = unpacked(&pack(&data, &all()).unwrap());
        let told = missing(&page);
        let parts = match table {
            Table::States => "Motion is missing",
            Table::Contacts => "Contacts are missing",
            Table::Events => "Events are missing",
            Table::Elements => "no shapes",
            _ => continue,
        };
        assert!(told.iter().any(|text| text.contains(parts)), "{}: {told:?}", table.name());
        if table != Table::Elements {
            let file = format!("{}.parquet", table.name());
            assert!(told.iter().any(|text| text.contains(&file)), "{told:?} name {file}");
            assert!(Stage::of(&data).is_err(), "{}", table.name());
            damaged += 1;
        }
        assert_eq!(page.header["bodies"].as_array().unwrap().len(), 2, "{}", table.name());
        if table != Table::States {
            assert_eq!(page.f64s("times").len(), 101);
            assert!(!page.f32s("positions").is_empty());
        }
    }
    assert_eq!(damaged, 3);
}

/// Changes the frames that go by.
struct Spoiler<'a> {
    writer: &'a mut MemoryWriter,
    keeps: bool,
}

impl Recorder for Spoiler<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        if !self.keeps {
            return Ok(());
        }
        let mut bodies = frame.bodies.to_vec();
        if frame.time > 1.0 {
            bodies[1].orientation.x = f64::NAN;
        }
        let mut contacts = frame.contacts.to_vec();
        contacts.iter_mut().for_each(|contact| contact.normal_force = f64::INFINITY);
        self.writer.frame(&Frame { bodies: &bodies, contacts: &contacts, ..*frame })
    }
}

fn spoiled(keeps: bool) -> Container {
    let run = FakeRun { frames: 2000, ..FakeRun::single_ball() };
    let mut writer = MemoryWriter::new(&run.info(), fixture::provenance("3f9a1c22d4e5f607"));
    let outcome = run.run(&mut Spoiler { writer: &mut writer, keeps }, None);
    unpacked(&pack(&writer.finish(&outcome), &all()).unwrap())
}

/// A body whose orientation is no number is drawn nowhere, though its position is one.
#[test]
fn numbers_that_are_not_finite_are_told_and_drawn_nowhere() {
    let page = spoiled(true);
    let told = missing(&page);
    assert!(told.iter().any(|text| text.contains("\"ball\" have numbers that are not finite")), "{told:?}");
    assert!(told.iter().any(|text| text.contains("contact forces are not finite")), "{told:?}");
    let first = page.header["bodies"][1]["pose"].as_u64().unwrap() as usize;
    for (frame, time) in page.f64s("times").iter().enumerate() {
        let height = page.f32s("positions")[3 * (first + frame) + 2];
        assert_eq!(height.is_nan(), *time > 1.0, "{time}");
    }
}

#[test]
fn a_run_without_output_times_says_so() {
    let page = spoiled(false);
    assert!(page.f64s("times").is_empty());
    assert_eq!(missing(&page)[0], "The run has no output times: there is nothing to play.");
    assert_eq!(page.header["bodies"].as_array().unwrap().len(), 2);
}

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::{Container, RunData};

use super::*;

pub(super) fn unpacked(packed: &Packed) -> Container {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_end(&mut bytes).unwrap();
    Container::from_bytes(&bytes).unwrap()
}

pub(super) fn finished(run: &FakeRun) -> (TempDir, RunData) {
    let dir = TempDir::new("view");
    fixture::finished(dir.path(), run);
    let data = RunData::open(dir.path()).unwrap();
    (dir, data)
}

pub(super) fn all() -> Limits {
    Limits::of_file(usize::MAX)
}

fn f32_of(value: f64) -> f32 {
    value as f32
}

/// Row of the positions at which a body begins, and whether it has one for each output time.
fn place(page: &Container, body: usize) -> (usize, bool) {
    let body = &page.header["bodies"][body];
    (usize::try_from(body["pose"].as_u64().unwrap()).unwrap(), body["moves"].as_bool().unwrap())
}

#[test]
fn the_page_has_the_states_of_the_tables() {
    let (_dir, data) = finished(&FakeRun::billiard());
    let page = unpacked(&pack(&data, &all()).unwrap());
    let times = data.times().unwrap();
    assert_eq!(page.f64s("times"), times);
    let origin: Vec<f64> = serde_json::from_value(page.header["origin_m"].clone()).unwrap();
    for (index, body) in data.scene().bodies.iter().enumerate() {
        let (first, moves) = place(&page, index);
        for (axis, base) in ["x", "y", "z"].into_iter().enumerate() {
            let values = data.series(&format!("{}.{base}", body.name)).unwrap().values;
            for (frame, value) in values.iter().enumerate() {
                let row = first + if moves { frame } else { 0 };
                assert_eq!(
                    page.f32s("positions")[3 * row + axis],
                    f32_of(value - origin[axis]),
                    "{} {frame}",
                    body.name
                );
            }
        }
    }
}

#[test]
fn the_page_has_the_contacts_and_events_of_the_tables() {
    let (_dir, data) = finished(&FakeRun::single_ball());
    let page = unpacked(&pack(&data, &all()).unwrap());
    let force = data.series("drop.fn").unwrap().values;
    let start = page.u32s("contact_start");
    assert_eq!(start.len(), force.len() + 1);
    for (frame, force) in force.iter().enumerate() {
        let rows = start[frame] as usize..start[frame + 1] as usize;
        let sum: f32 = page.f32s("contact_fn")[rows].iter().sum();
        assert_eq!(sum, f32_of(*force), "{frame}");
    }
    let events = data.events().unwrap();
    assert_eq!(page.f64s("event_time"), events.iter().map(|event| event.time).collect::<Vec<_>>());
    assert_eq!(page.header["event_kinds"][0], "contact_begin");
}

/// Of every region its force with what of it is friction, and of its contour all segments, the one that closes it among them.
#[test]
fn the_page_has_the_regions_and_contours_of_the_tables() {
    let (_dir, data) = finished(&FakeRun::single_ball());
    let page = unpacked(&pack(&data, &all()).unwrap());
    let frames = page.f64s("times").len();
    for (name, rows) in [("region_start", frames), ("contour_start", 3 * frames)] {
        let start = page.u32s(name);
        assert_eq!((start.len(), start[frames] as usize), (frames + 1, rows), "{name}");
    }
    assert_eq!(page.f32s("region_force")[..3], [1.0, 0.0, 4.0]);
    assert_eq!(page.f32s("region_friction")[..3], [1.0, 0.0, 0.0]);
    let segments = page.f32s("contour_ends").as_chunks::<6>().0;
    let length = |[x, y, z, u, v, w]: &[f32; 6]| ((x - u).powi(2) + (y - v).powi(2) + (z - w).powi(2)).sqrt();
    let around: f32 = segments[..3].iter().map(length).sum();
    assert!((around / (0.02 * (2.0 + 2.0_f32.sqrt())) - 1.0).abs() < 1e-4, "{around}");
    assert_eq!(segments[0][..3], segments[2][3..]);
}

#[test]
fn the_page_plots_what_the_tables_say() {
    let (_dir, data) = finished(&FakeRun::single_ball());
    let page = unpacked(&pack(&data, &all()).unwrap());
    let plots = page.header["plots"].as_array().unwrap();
    let frames = page.f64s("times").len();
    assert_eq!(page.f32s("plot_values").len(), plots.len() * frames);
    for (index, plot) in plots.iter().enumerate() {
        let series = data.series(plot["name"].as_str().unwrap()).unwrap();
        assert_eq!(plot["unit"], series.unit);
        let own = &page.f32s("plot_values")[index * frames..][..frames];
        assert!(own.iter().zip(&series.values).all(|(a, b)| *a == f32_of(*b)), "{}", series.name);
    }
    assert_eq!(
        page.header["panels"],
        json!([["ball.z"], ["drop.fn"], ["energy.mechanical", "energy.kinetic", "energy.dissipated"]])
    );
}

#[test]
fn equal_runs_are_equal_bytes() {
    let (_dir, data) = finished(&FakeRun::mechanism());
    let bytes = || pack(&data, &all()).unwrap().bytes;
    assert_eq!(bytes(), bytes());
}

/// The size holds, ends and what is beside events stay, and the page says what it left out.
#[test]
fn a_size_is_kept_by_leaving_out_what_is_even() {
    let (_dir, data) = finished(&FakeRun { frames: 4000, ..FakeRun::billiard() });
    let whole = pack(&data, &all()).unwrap();
    assert!(whole.bytes.len() > 400_000, "{} bytes", whole.bytes.len());
    let limit = whole.bytes.len() / 5;
    let part = pack(&data, &Limits::of_file(limit)).unwrap();
    assert!(part.bytes.len() <= limit && part.bytes.len() > limit / 3, "{} of {limit}", part.bytes.len());
    assert!(part.notes.iter().any(|note| note.contains("of 4001 output times")), "{:?}", part.notes);
    let (times, all) = (data.times().unwrap(), unpacked(&part));
    let kept = all.f64s("times");
    assert_eq!((kept[0], kept.last()), (times[0], times.last()));
    assert!(kept.is_sorted() && kept.len() < times.len());
    let few = unpacked(&pack(&data, &Limits { frames: 500, ..Limits::of_file(usize::MAX) }).unwrap());
    assert!((250..=502).contains(&few.f64s("times").len()), "{}", few.f64s("times").len());
}

#[test]
fn frames_beside_events_are_kept() {
    let (_dir, data) = finished(&FakeRun { frames: 4000, ..FakeRun::single_ball() });
    let few = unpacked(&pack(&data, &Limits { frames: 100, ..Limits::of_file(usize::MAX) }).unwrap());
    let (kept, all) = (few.f64s("times"), data.times().unwrap());
    assert!(kept.len() <= 102, "{}", kept.len());
    for event in data.events().unwrap() {
        let next = all.partition_point(|time| *time < event.time);
        for row in [next - 1, next] {
            assert!(kept.contains(&all[row]), "{} beside {}", all[row], event.time);
        }
    }
}

#[test]
fn a_run_without_shapes_says_so() {
    let (_dir, data) = finished(&FakeRun::single_ball());
    let packed = pack(&data, &all()).unwrap();
    assert!(!packed.has_shapes && packed.notes.iter().any(|note| note.contains("no shapes")));
}

#[test]
fn the_page_is_one_file() {
    let Some(page) = page(b"data", None) else { return assert!(!has_page()) };
    assert!(page.contains("ZGF0YQ=="));
    for outside in ["src=\"http", "href=\"http", "url(http", "import(\"http", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// What the script of a report puts together is the page with its data.
#[test]
fn a_framed_page_is_the_page() {
    let Some(whole) = page(b"data", None) else { return assert!(!has_page()) };
    let framed = framed_page(b"data").unwrap();
    let between = |begin: &str, end: &str| {
        let rest = framed.split_once(begin).unwrap().1;
        rest.split_once(end).unwrap().0.to_owned()
    };
    let packed = STANDARD.decode(between("id=\"scene-page\">", "</script>")).unwrap();
    let mut bare = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut bare).unwrap();
    let place = between("data-place=\"", "\"");
    assert_eq!(bare.matches(&place).count(), 1);
    // Where a second run would be, a page with one has nothing.
    let bare = bare.replacen("@CAROM-OTHER@", "", 1);
    assert!(bare.replacen(&place, &between(&format!("data-place=\"{place}\">"), "</script>"), 1) == whole);
}

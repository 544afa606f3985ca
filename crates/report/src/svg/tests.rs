use super::*;
use carom_results::fixture::{self, FakeRun, TempDir};
use carom_results::{PatchRequest, PatchTime};

use crate::chart::{Axis, Line};

fn panel(y: Vec<f64>) -> Panel {
    let x = (0..y.len()).map(|i| i as f64 * 0.01).collect();
    Panel {
        title: "heights <of> \"balls\"".into(),
        x: Axis::new("time", "s"),
        y: Axis::new("height & more", "m"),
        lines: vec![Line { name: "a<b>.z".into(), x, y }],
        marks: vec![0.1, 0.2, 0.2001],
        ..Panel::default()
    }
}

/// Tags are closed in order and texts hold no bare markup.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn files_are_well_formed_and_escape_names() {
    let chart = Chart { panels: vec![panel(vec![0.0, 1.0, 0.5]), panel(vec![2e-6, 1e-6, 0.0])] };
    let svg = standalone(&chart);
    assert_well_formed(&svg);
    assert!(svg.contains("a&lt;b&gt;.z") && svg.contains("height &amp; more"));
    assert!(svg.contains("(µm)"), "small values get a prefix");
}

#[test]
fn odd_data_is_drawn_or_left_out_but_never_fails() {
    for y in [
        vec![],
        vec![1.0],
        vec![3.0; 50],
        vec![0.0; 50],
        vec![f64::NAN; 5],
        vec![1e308, -1e308],
        vec![1.0, f64::INFINITY, 2.0],
        vec![1e-300, 2e-300],
        vec![1.0, 1.0 + 1e-15],
    ] {
        let panel = panel(y);
        assert_well_formed(&standalone(&Chart { panels: vec![panel.clone()] }));
        let equal = Panel { equal_aspect: true, ..panel };
        assert_well_formed(&inline(&equal, 400, Some(300)).svg);
    }
    assert_well_formed(&standalone(&Chart::default()));
}

#[test]
fn metres_are_as_long_on_both_axes() {
    let circle = |n: usize| (0..n).map(|i| i as f64 * 0.1);
    let panel = Panel {
        lines: vec![Line {
            name: "path".into(),
            x: circle(63).map(f64::cos).collect(),
            y: circle(63).map(|a| 3.0 * a.sin()).collect(),
        }],
        equal_aspect: true,
        ..panel(Vec::new())
    };
    for height in [None, Some(320)] {
        let frame = inline(&panel, 500, height).frame;
        let [left, top, right, bottom] = frame.axes.map(f64::from);
        let per_pixel = |r: [f64; 2], pixels: f64| (r[1] - r[0]) / pixels;
        let ratio = per_pixel(frame.x.range, right - left) / per_pixel(frame.y.range, bottom - top);
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
}

#[test]
fn a_page_gets_no_name_space_and_the_place_of_the_axes() {
    let drawing = inline(&panel(vec![0.0, 1.0, 0.5]), 600, None);
    assert!(!drawing.svg.contains("http"));
    assert_well_formed(&drawing.svg);
    let [left, top, right, bottom] = drawing.frame.axes;
    assert!(left < right && top < bottom && right <= 600);
}

#[test]
fn many_points_give_a_small_file() {
    let y = (0..200_000).map(|i| (f64::from(i) * 1e-3).sin()).collect();
    assert!(standalone(&Chart { panels: vec![panel(y)] }).len() < 80_000);
}

/// One polygon an element; none where the window lies beside it, and the whole where it lies inside.
#[test]
fn pressure_maps_show_what_is_in_their_window() {
    let dir = TempDir::new("pressure");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let request = PatchRequest { pair: "drop".to_owned(), patch: None, time: PatchTime::Last };
    let windows = [(None, 1), (Some([5e-3, 5e-3, 1e-4]), 1), (Some([1.0, 0.0, 0.1]), 0)];
    for (window, elements) in windows {
        let map = crate::pressure_map(dir.path(), &request, window).unwrap();
        let svg = pressure(&map);
        assert_well_formed(&svg);
        assert_eq!(svg.matches("<polygon").count(), elements, "{window:?}");
        assert!(svg.contains("1 element, area 2\u{a0}cm²") && svg.contains("force 4\u{a0}N"), "{svg}");
    }
}

#[test]
fn regions_are_drawn_with_their_contours() {
    let dir = TempDir::new("region");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let pair = carom_results::RunData::open(dir.path()).unwrap().scene().pairs[0].name.clone();
    let request = carom_results::RegionRequest { pair, region: Some(2), time: None };
    let svg = region(&crate::region_map(dir.path(), &request).unwrap());
    assert_well_formed(&svg);
    // One closed path of three nodes, filled by the rule that leaves holes out.
    let path = svg.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(path.starts_with('M') && path.matches('L').count() == 2 && path.ends_with('Z'), "{path}");
    assert!(svg.contains("evenodd") && svg.contains("region 2"));
}

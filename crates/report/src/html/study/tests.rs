use super::*;

fn page() -> StudyPage {
    let variable = |name: &str, values: &[f64], words: &[&str]| Variable {
        name: name.to_owned(),
        values: values.to_vec(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let run = |number: usize, end: &str, report: Option<&str>| StudyRun {
        number,
        end: end.to_owned(),
        problem: if end == "finished" { String::new() } else { "E0601 <lost>".to_owned() },
        wall: 0.5,
        report: report.map(str::to_owned),
    };
    StudyPage {
        name: "soft & hard".to_owned(),
        facts: vec!["model ball.toml".to_owned()],
        inputs: vec![
            variable("params.K", &[1e6, 1e8, 1e7], &[]),
            variable("contact.floor.method", &[1.0, 2.0, 1.0], &["analytic", "areal"]),
        ],
        results: vec![variable("hardest", &[3.0, 12.0, f64::NAN], &[])],
        runs: vec![
            run(1, "finished", Some("runs/000001/report.html")),
            run(2, "finished", None),
            run(3, "failed", Some("runs/000003/report.html")),
        ],
        missing: 1,
        influences: vec![ResultInfluences {
            runs: 2,
            explained: Some(0.75),
            inputs: vec![
                Influence { regression: Some(-0.8), rank: Some(1.0), first_order: None },
                Influence::default(),
            ],
        }],
    }
}

#[test]
fn the_page_needs_nothing_from_outside_and_texts_stay_texts() {
    let html = study_page(&page());
    for forbidden in ["http", "src=", "@import", "url(", "<link", "//cdn"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    assert!(html.contains("<h1>soft &amp; hard</h1>") && html.contains("E0601 &lt;lost&gt;"));
    assert!(html.contains("<b>2</b><small>of 4</small>"), "two of the four runs have finished");
}

#[test]
fn a_run_is_a_point_a_line_and_a_row_that_open_its_report() {
    let html = study_page(&page());
    let opens = |number: usize| html.matches(&format!("<a href=\"runs/00000{number}/report.html\">")).count();
    // A point over each of the two inputs, a line, a row.
    assert_eq!(opens(1), 4);
    assert_eq!(opens(2), 0, "it has no report, and is there all the same");
    assert_eq!(html.matches("<circle data-run=\"2\"").count(), 2);
    assert_eq!(html.matches("<circle data-run=\"3\"").count(), 0, "it has no such result");
    assert_eq!((opens(3), html.matches("<path data-run=\"3\"").count()), (2, 1));
}

/// Points lie where their values are: over three decades the middle one is in the middle of the logarithmic axis.
#[test]
fn points_and_lines_lie_at_their_values() {
    let mut page = page();
    page.results[0].values = vec![3.0, 12.0, 7.5];
    let html = study_page(&page);
    let places: Vec<[f64; 2]> = html
        .match_indices("<circle data-run=")
        .take(3)
        .map(|(at, _)| {
            let number = |name: &str| {
                let text = &html[at..];
                let text = &text[text.find(name).unwrap() + name.len()..];
                text[..text.find('"').unwrap()].parse().unwrap()
            };
            [number("cx=\""), number("cy=\"")]
        })
        .collect();
    let middle = |k: usize| 0.5 * (places[0][k] + places[1][k]);
    assert!((places[2][0] - middle(0)).abs() <= 1.0 && (places[2][1] - middle(1)).abs() <= 1.0, "{places:?}");
    assert!(places[0][0] < places[1][0] && places[0][1] > places[1][1], "to the right and upwards");
    // Top of an axis is its greatest value: the first line starts at the bottom, the second at the top, the third between.
    let heights: Vec<f64> = html
        .match_indices("data-heights=\"")
        .map(|(at, mark)| html[at + mark.len()..].split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(
        heights[0] > heights[1] && (heights[2] - 0.5 * (heights[0] + heights[1])).abs() < 0.1,
        "{heights:?}"
    );
}

#[test]
fn a_study_without_results_or_runs_has_a_page() {
    let bare = StudyPage { name: "bare".to_owned(), ..StudyPage::default() };
    let html = study_page(&bare);
    assert!(html.contains("<b>0</b><small>of 0</small>") && !html.contains("<svg"));
    assert!(
        !study_page(&StudyPage { results: Vec::new(), influences: Vec::new(), ..page() }).contains("<circle")
    );
}

//! Whatever the text, loading ends with a model or a report, never with a panic.

use std::path::Path;

use carom_io::{Overrides, Style, load_str, render_report, report_to_json};
use carom_testkit::PIECES;
use proptest::prelude::*;

const MODELS: [&str; 5] = [
    include_str!("../models/billiard.toml"),
    include_str!("../models/scout.toml"),
    include_str!("../models/mechanism.toml"),
    include_str!("../models/laws.toml"),
    include_str!("../../../../tests/bad/several-mistakes.toml"),
];

fn load_and_render(text: &str) {
    match load_str("model.toml", text, Path::new("tests/models"), &Overrides::default()) {
        Ok(loaded) => assert!(!loaded.hash.is_empty()),
        Err(report) => {
            assert!(report.errors() > 0);
            assert!(render_report(&report, Style::Plain).contains("error"));
            assert!(report_to_json(&report)["errors"].as_u64() > Some(0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_models_never_panic(
        model in 0..MODELS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, 0..PIECES.len()), 1..6),
    ) {
        let mut text: Vec<char> = MODELS[model].chars().collect();
        for (at, removed, piece) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + removed).min(text.len());
            text.splice(at..end, PIECES[piece].chars());
        }
        load_and_render(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_expression_is_a_value_or_an_error(text in "[0-9a-z+*/^(). ,%µ-]{0,40}") {
        load_and_render(&format!("format = 1\n[params]\nd = '{text}'\n[solver]\nt_end = 1\n"));
    }
}

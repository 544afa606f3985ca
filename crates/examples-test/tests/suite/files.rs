//! The files as such: complete, free of warnings, without superfluous parameters.

use std::collections::BTreeSet;
use std::fs;

use carom_examples_test::{EXAMPLES, file, folder, load};

#[test]
fn every_file_is_an_example_under_test() {
    let names: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
        .collect();
    assert_eq!(names, EXAMPLES.iter().map(|&name| name.to_owned()).collect());
}

#[test]
fn no_warnings_and_some_expectations() {
    for name in EXAMPLES {
        let loaded = load(name, &[]);
        assert!(loaded.warnings.is_empty(), "{name}: {:?}", loaded.warnings);
        assert_eq!(loaded.model.name, name);
        assert!(loaded.expectations.iter().any(|e| e.text == "energy.residual_relative final"), "{name}");
    }
}

#[test]
fn every_parameter_is_used() {
    for name in EXAMPLES {
        let text = fs::read_to_string(file(name)).unwrap();
        let code: Vec<&str> =
            text.lines().map(|line| line.split('#').next().unwrap_or("").trim_end()).collect();
        let start = code.iter().position(|line| *line == "[params]").expect("examples have parameters");
        let block = code[start + 1..].iter().take_while(|line| !line.starts_with('['));
        for parameter in block.filter_map(|line| Some(line.split_once('=')?.0.trim())) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let words = code.iter().flat_map(|line| line.split(|c| !is_word(c)));
            assert!(words.filter(|word| *word == parameter).count() > 1, "{name}: {parameter} is not used");
        }
    }
}

//! Every code of a problem: its title, and what `carom explain CODE` says.

mod bodies;
mod contacts;
mod import;
mod mechanisms;
mod notes;
mod results;
mod running;
mod solver;
mod structure;
mod studies;
mod values;
mod warnings;

use crate::suggest;

/// Text about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Such as `E0311`.
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// Cause, example and remedy.
    pub text: &'static str,
}

const GROUPS: [&[Code]; 13] = [
    values::CODES,
    structure::CODES,
    bodies::CODES,
    mechanisms::CODES,
    contacts::CODES,
    solver::CODES,
    running::CODES,
    results::CODES,
    import::CODES,
    studies::CODES,
    notes::CODES,
    warnings::CODES,
    import::WARNINGS,
];

/// All codes in order: errors, notes, warnings.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    GROUPS.iter().flat_map(|g| g.iter())
}

/// Long text of a code, ready to print. The error is a message with a suggestion.
pub fn explain(code: &str) -> Result<String, String> {
    let wanted = code.to_uppercase();
    match codes().find(|c| c.code == wanted) {
        Some(c) => Ok(format!("{}: {}\n\n{}\n", c.code, c.title, c.text)),
        None => {
            let help =
                suggest::nearest(&wanted, codes().map(|c| c.code)).map(|c| format!("; did you mean {c}?"));
            Err(format!("there is no code {code}{}", help.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Codes within string literals of the sources of all crates, tests and this registry left out.
    fn used_codes(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("codes") {
                    used_codes(&path, found);
                }
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                for (at, _) in code.match_indices(['E', 'N', 'W']) {
                    let quoted = at > 0
                        && code.as_bytes()[at - 1] == b'"'
                        && code.as_bytes().get(at + 5) == Some(&b'"');
                    if quoted && code.as_bytes()[at + 1..at + 5].iter().all(u8::is_ascii_digit) {
                        found.insert(code[at..at + 5].to_owned());
                    }
                }
            }
        }
    }

    #[test]
    fn every_code_in_use_is_explained_and_the_other_way_round() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut used = BTreeSet::new();
        for entry in std::fs::read_dir(crates).unwrap() {
            let sources = entry.unwrap().path().join("src");
            if sources.is_dir() {
                used_codes(&sources, &mut used);
            }
        }
        let known: BTreeSet<String> = codes().map(|c| c.code.to_owned()).collect();
        let missing: Vec<_> = used.difference(&known).collect();
        let stale: Vec<_> = known.difference(&used).collect();
        assert!(missing.is_empty(), "codes without a text: {missing:?}");
        assert!(stale.is_empty(), "codes that nothing uses: {stale:?}");
    }

    #[test]
    fn codes_are_in_order_and_have_texts() {
        let all: Vec<&Code> = codes().collect();
        assert!(all.is_sorted_by(|a, b| a.code < b.code));
        assert!(all.iter().all(|c| c.text.len() > 80 && !c.title.ends_with('.')));
    }

    #[test]
    fn explain_knows_codes_in_either_case() {
        assert!(explain("e0311").unwrap().starts_with("E0311: "));
        assert_eq!(explain("E0312x"), Err("there is no code E0312x; did you mean E0312?".to_owned()));
    }
}

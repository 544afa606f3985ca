//! CONTRIBUTING's recipes are true: what knows a member of a kind is what the recipe for another one names.

use std::fs;
use std::path::Path;

use crate::rooms::code_of;

/// Heading in CONTRIBUTING.md, a member that was added by the recipe, and the files of `crates/` that know it beside its own.
struct Recipe {
    heading: &'static str,
    member: &'static str,
    /// File or folder of its own; empty where it has none.
    own: &'static str,
    files: &'static [&'static str],
}

const RECIPES: [Recipe; 4] = [
    Recipe {
        heading: "## Add a contact pair (3 files)",
        member: "sphere_capsule",
        own: "geometry/src/narrowphase/pair/sphere_capsule.rs",
        files: &["geometry/src/narrowphase/pair/mod.rs", "geometry/src/narrowphase/table.rs"],
    },
    Recipe {
        heading: "## Add a normal law (2 files; 3 with a damping of its own)",
        member: "Gonthier",
        own: "",
        files: &["engine/src/law/damping_factor.rs", "engine/src/law/spec.rs"],
    },
    Recipe {
        heading: "## Add a joint kind (2 files; 3 if it turns in a new way)",
        member: "Screw",
        own: "",
        files: &["engine/src/model/joint.rs", "io/src/read/joint.rs"],
    },
    Recipe {
        heading: "## Add an integrator (3 files: method, `ode/mod.rs`, table)",
        member: "Rodas3",
        own: "solvers/src/ode/rodas3/",
        files: &["engine/src/model/integrator.rs", "solvers/src/ode/mod.rs"],
    },
];

/// Recipes without a heading, and files that know a member and are not named, or are named and do not.
pub(crate) fn check(root: &Path, files: &[String]) -> Vec<String> {
    let guide = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap_or_default();
    let mut wrong = Vec::new();
    for recipe in &RECIPES {
        if !guide.lines().any(|line| line == recipe.heading) {
            wrong.push(format!("CONTRIBUTING.md: no recipe \"{}\"", recipe.heading));
        }
        let found = recipe.files_that_know(root, files);
        let named = recipe.files.iter().map(|name| format!("crates/{name}"));
        let stale = named.clone().filter(|name| !found.contains(name));
        wrong.extend(
            stale.map(|name| format!("{name}: named by a recipe, but does not know {}", recipe.member)),
        );
        let named: Vec<String> = named.collect();
        let extra = found.iter().filter(|name| !named.contains(name));
        wrong.extend(
            extra.map(|name| format!("{name}: knows {}, which its recipe does not say", recipe.member)),
        );
    }
    wrong
}

impl Recipe {
    /// Source files that name the member outside comments, tests and what is its own.
    fn files_that_know(&self, root: &Path, files: &[String]) -> Vec<String> {
        let own = format!("crates/{}", self.own);
        let is_source =
            |name: &&String| name.starts_with("crates/") && name.contains("/src/") && name.ends_with(".rs");
        let is_test = |name: &str| name.ends_with("/tests.rs") || name.contains("/fixture/");
        let others = files.iter().filter(is_source).filter(|name| !is_test(name));
        others
            .filter(|name| self.own.is_empty() || !name.starts_with(&own))
            .filter(|name| {
                let text = fs::read_to_string(root.join(name)).unwrap_or_default();
                names(&code_of(&text), self.member)
            })
            .cloned()
            .collect()
    }
}

/// Does the code have the name as a word?
fn names(code: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(name)
        .any(|(at, _)| !part(code[..at].chars().next_back()) && !part(code[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("match kind { Kind::Screw => 1 }", "Screw"));
        assert!(!names("ScrewDriver, Corkscrew, Screw_2", "Screw"));
    }
}

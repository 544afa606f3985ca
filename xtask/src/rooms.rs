//! Rooms of a crate in their order: a lower one never imports from a higher one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A folder whose files and folders stand in an order, lowest first.
struct House {
    /// Of the sources of the crate.
    crate_folder: &'static str,
    /// Module that the rooms are in; empty at the crate's root.
    module: &'static str,
    /// Rooms of one floor, which know each other, stand in one entry with a space between.
    rooms: &'static [&'static str],
}

const HOUSES: [House; 3] = [
    House {
        crate_folder: "crates/engine/src",
        module: "",
        rooms: &[
            "problem",
            "note",
            "function",
            "law",
            "model",
            "record",
            "outcome",
            "mechanics",
            "system",
            "path",
            "check",
            "contact",
            "analysis",
            "run",
            "unilateral",
        ],
    },
    House {
        crate_folder: "crates/engine/src",
        module: "mechanics",
        rooms: &[
            "held",
            "small",
            "joint",
            "kinematics",
            "data",
            "tree",
            "compiled",
            "states",
            "controls",
            "configuration",
            "newton_euler",
            "constraint",
            "force",
            "workspace",
            "compile",
        ],
    },
    House {
        crate_folder: "crates/geometry/src",
        module: "",
        rooms: &[
            "eigen kept_speed mesh rates",
            "near",
            "intersection",
            "polygonal",
            "shape convex mass narrowphase planar",
            "clearance",
            "surface",
            "prepare",
            "broadphase",
            "contact",
        ],
    },
];

/// Imports that point up, rooms that have no place in the order, and places without a room.
pub(crate) fn check(root: &Path, files: &[String]) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for house in &HOUSES {
        wrong.extend(house.check(root, files)?);
    }
    Ok(wrong)
}

impl House {
    fn folder(&self) -> String {
        if self.module.is_empty() {
            self.crate_folder.to_owned()
        } else {
            format!("{}/{}", self.crate_folder, self.module)
        }
    }

    fn floor(&self, room: &str) -> Option<usize> {
        self.rooms.iter().position(|floor| floor.split(' ').any(|name| name == room))
    }

    fn check(&self, root: &Path, files: &[String]) -> Result<Vec<String>, String> {
        let read = |name: &str| {
            fs::read_to_string(root.join(name)).map_err(|error| format!("cannot read {name}: {error}"))
        };
        let prefix = format!("{}/", self.folder());
        let door = if self.module.is_empty() { "lib.rs" } else { "mod.rs" };
        let own: Vec<&String> = files
            .iter()
            .filter(|name| name.starts_with(&prefix) && name.ends_with(".rs") && root.join(name).exists())
            .collect();
        let aliases = self.aliases(&read(&format!("{prefix}{door}"))?);
        let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
        for name in own {
            let inside = &name[prefix.len()..];
            if inside == door {
                continue;
            }
            let room = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
            let Some(floor) = self.floor(room) else {
                wrong.push(format!("{name}: room \"{room}\" has no place in xtask/src/rooms.rs"));
                continue;
            };
            seen.insert(room);
            for path in paths(&read(name)?, &module_of(&name[self.crate_folder.len() + 1..])) {
                let target = self.room_of(&path, &aliases);
                if let Some(above) = target.filter(|target| self.floor(target) > Some(floor)) {
                    wrong.push(format!("{name}: {} is above {room}: crate::{}", above, path.join("::")));
                }
            }
        }
        let missing =
            self.rooms.iter().flat_map(|floor| floor.split(' ')).filter(|room| !seen.contains(room));
        wrong.extend(missing.map(|room| format!("{prefix}{room}: in the order, but not there")));
        Ok(wrong)
    }

    /// Room of an absolute path, through what the door of the house passes on.
    fn room_of(&self, path: &[String], aliases: &BTreeMap<String, String>) -> Option<String> {
        let inside: Vec<&String> = if self.module.is_empty() {
            path.iter().collect()
        } else {
            let (first, rest) = path.split_first()?;
            (first == self.module).then(|| rest.iter().collect())?
        };
        let name = *inside.first()?;
        if self.floor(name).is_some() { Some(name.clone()) } else { aliases.get(name).cloned() }
    }

    /// Names that the door passes on, with their rooms.
    fn aliases(&self, door: &str) -> BTreeMap<String, String> {
        let code = code_of(door);
        let uses = code.split(';').filter_map(|item| Some(item.split_once("use ")?.1));
        let mut aliases = BTreeMap::new();
        for tree in uses {
            let mut found = Vec::new();
            read_tree(tree.trim(), &mut Vec::new(), &mut found);
            for path in found {
                if let [room, .., name] = path.as_slice()
                    && self.floor(room).is_some()
                {
                    aliases.insert(name.clone(), room.clone());
                }
            }
        }
        aliases
    }
}

/// Module of a file below the crate's sources.
fn module_of(file: &str) -> Vec<String> {
    let name = file.trim_end_matches(".rs").trim_end_matches("/mod");
    name.split('/').map(str::to_owned).collect()
}

/// A file without comments and without the module of tests at its end.
pub(crate) fn code_of(text: &str) -> String {
    const TESTS: &str = "#[cfg(test)]\nmod ";
    let is_inline =
        |at: usize| text[at + TESTS.len()..].lines().next().is_some_and(|line| line.ends_with('{'));
    let end = text.match_indices(TESTS).map(|(at, _)| at).find(|&at| is_inline(at)).unwrap_or(text.len());
    text[..end].lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Absolute paths, without `crate`, that a file names by `crate::` or `super::`.
fn paths(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let code = code_of(text);
    let mut found = Vec::new();
    for (at, word) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let before = code[..at].chars().next_back();
        // Part of a longer path, or of a name.
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let mut rest = &code[at + word.len()..];
        let mut base = Vec::new();
        if word == "super::" {
            let mut up = 1;
            while let Some(further) = rest.strip_prefix("super::") {
                (up, rest) = (up + 1, further);
            }
            // An inner module of a file counts as the file.
            base.extend_from_slice(&module[..module.len().saturating_sub(up)]);
        }
        read_tree(rest, &mut base, &mut found);
    }
    found
}

/// Paths of a use tree such as `a::{b, c::d}` behind a base; returns what follows the tree.
fn read_tree<'a>(tree: &'a str, base: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let depth = base.len();
    let mut rest = tree.trim_start();
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            let mut inner = inner;
            loop {
                inner = read_tree(inner, base, found).trim_start();
                match inner.strip_prefix(',') {
                    Some(next) if !next.trim_start().starts_with('}') => inner = next,
                    other => {
                        inner = other.unwrap_or(inner).trim_start();
                        break;
                    }
                }
            }
            base.truncate(depth);
            return inner.strip_prefix('}').unwrap_or(inner);
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if !name.is_empty() {
            base.push(name.to_owned());
        }
        match after.strip_prefix("::").filter(|_| !name.is_empty()) {
            Some(further) => rest = further,
            None => {
                found.push(base.clone());
                base.truncate(depth);
                return after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, module: &str) -> Vec<String> {
        paths(text, &module_of(module)).iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn paths_of_a_file_are_found() {
        let text = "use crate::{Problem, law::{Law, spec::Pair}};\nuse super::super::held::Held;\n// crate::no\nlet x = \
                    crate::contact::Culprit::Body(1);\n#[cfg(test)]\nmod tests {\n    use crate::run;\n}";
        assert_eq!(
            names(text, "mechanics/tree/link.rs"),
            ["Problem", "law::Law", "law::spec::Pair", "contact::Culprit::Body", "mechanics::held::Held"]
        );
    }

    #[test]
    fn an_import_that_points_up_is_seen() {
        let house = &HOUSES[0];
        let aliases = house.aliases("mod run;\npub use run::{Halt, Simulation};\npub use problem::Problem;");
        let room = |path: &[&str]| {
            let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
            house.room_of(&path, &aliases)
        };
        assert_eq!(room(&["Simulation"]).as_deref(), Some("run"));
        assert_eq!(room(&["contact", "Evaluator"]).as_deref(), Some("contact"));
        assert_eq!(room(&["Problem"]).as_deref(), Some("problem"));
        assert!(
            house.floor("run") > house.floor("contact") && house.floor("contact") > house.floor("mechanics")
        );
    }

    #[test]
    fn rooms_of_one_floor_know_each_other() {
        let geometry = HOUSES.iter().find(|house| house.crate_folder.contains("geometry")).unwrap();
        assert_eq!(geometry.floor("shape"), geometry.floor("convex"));
        assert!(geometry.floor("intersection") < geometry.floor("polygonal"));
        assert_eq!(geometry.floor("shape convex"), None);
    }
}

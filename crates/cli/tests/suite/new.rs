//! `carom new`.

use crate::kit::Folder;

#[test]
fn every_template_passes_check() {
    let folder = Folder::new();
    let list = folder.carom(&["new", "--list"]).exits(0).out;
    assert!(list.lines().count() >= 6, "{list}");
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        folder.carom(&["new", name]).exits(0);
        folder.carom(&["check", &format!("{name}.toml")]).exits(0);
    }
}

/// A template brings the meshes that it names, and replaces none.
#[test]
fn meshes_come_along() {
    let folder = Folder::new();
    folder.carom(&["new", "dirty-mesh", "mine.toml"]).exits(0);
    assert!(folder.read("dirty-ball.obj").starts_with("# A ball"));
    let said = folder.carom(&["new", "dirty-mesh", "second.toml"]).exits(2);
    assert!(said.err.contains("dirty-ball.obj\" exists and is not replaced"), "{}", said.err);
}

#[test]
fn a_file_is_not_replaced() {
    let folder = Folder::with("mine.toml", "mine");
    let said = folder.carom(&["new", "bouncing-ball", "mine.toml"]).exits(2);
    assert!(said.err.contains("\"mine.toml\" exists and is not replaced"), "{}", said.err);
    assert_eq!(folder.read("mine.toml"), "mine");
    folder.carom(&["new", "bouncing-ball", "deeper/still/ball.toml"]).exits(0);
    assert!(folder.path("deeper/still/ball.toml").is_file());
    folder.carom(&["new", "bouncing-ball", "deeper"]).exits(0);
    assert!(folder.path("deeper/bouncing-ball.toml").is_file());
}

#[test]
fn an_unknown_template_lists_the_known_ones() {
    let said = Folder::new().carom(&["new", "bouncing-bal"]).exits(2);
    assert!(said.err.contains("bouncing-ball"), "{}", said.err);
    Folder::new().carom(&["new"]).exits(2);
}

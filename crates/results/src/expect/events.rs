//! Events by name: `drop.begin`.

use std::collections::HashSet;

use crate::Scene;

/// Words for kinds of events, beside the kinds themselves.
const KINDS: [(&str, &str); 2] = [("begin", "contact_begin"), ("end", "contact_end")];
const PLAIN_KINDS: [&str; 12] = [
    "contact_begin",
    "contact_end",
    "release",
    "reengage",
    "patch_begin",
    "hit_harder",
    "latch",
    "unlatch",
    "impact",
    "rest",
    "stick",
    "slip",
];

/// Events of one kind of the pairs of one owner.
pub(super) struct Events {
    kind: &'static str,
    pairs: HashSet<String>,
}

impl Events {
    /// What `drop.begin` means; `None` if it names no events.
    pub(super) fn named(scene: &Scene, name: &str) -> Option<Self> {
        let (owner, word) = name.rsplit_once('.')?;
        let short = KINDS.iter().find(|(short, _)| *short == word).map(|(_, kind)| *kind);
        let kind = short.or_else(|| PLAIN_KINDS.into_iter().find(|kind| *kind == word))?;
        let pairs = scene.pairs_of(owner);
        // Of a wide line pairs may come up later.
        let is_wide = scene.wide_lines.iter().any(|line| line == owner);
        let pairs: HashSet<String> = pairs.iter().map(|&pair| scene.pairs[pair].name.clone()).collect();
        (is_wide || !pairs.is_empty()).then_some(Self { kind, pairs })
    }

    /// Is an event of this kind and pair among them?
    pub(super) fn contain(&self, kind: &str, pair: &str) -> bool {
        kind == self.kind && self.pairs.contains(pair)
    }
}

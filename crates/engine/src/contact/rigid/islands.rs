//! Bodies that hang together by rigid contacts are one problem, those that do not another: what happens on one says nothing of the other.

use std::ops::Range;

use crate::contact::Evaluator;

/// Contacts in the order of the problems that they belong to.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// By link: of the tree that begins there, one that it hangs together with, or itself.
    above: Vec<usize>,
    keyed: Vec<(usize, usize)>,
    /// Where each problem is among the contacts, and the tree that stands for it.
    ranges: Vec<Range<usize>>,
    roots: Vec<usize>,
}

impl Islands {
    /// Puts contacts in the order of their problems, in each as they were. Constraints make all of them one.
    pub(super) fn sort(&mut self, evaluator: &Evaluator<'_>, contacts: &mut Vec<usize>) {
        let links = evaluator.system.mechanics.links.len();
        self.above.clear();
        self.ranges.clear();
        self.roots.clear();
        if evaluator.workspace.mechanism.is_constrained() {
            self.above.resize(links, 0);
            if !contacts.is_empty() {
                self.ranges.push(0..contacts.len());
                self.roots.push(0);
            }
            return;
        }
        self.above.extend(0..links);
        for &contact in &*contacts {
            let [a, b] = trees(evaluator, contact);
            if let (Some(a), Some(b)) = (a, b) {
                let (a, b) = (self.root(a), self.root(b));
                self.above[a.max(b)] = a.min(b);
            }
        }
        self.keyed.clear();
        for &contact in &*contacts {
            // What stands between two bodies that nothing moves is a problem of its own kind, of which there is one.
            let root = trees(evaluator, contact).into_iter().flatten().next().map_or(links, |t| self.root(t));
            self.keyed.push((root, contact));
        }
        // Contacts are in the order of their indices wherever nothing is constrained.
        self.keyed.sort_unstable();
        contacts.clear();
        contacts.extend(self.keyed.iter().map(|(_, contact)| *contact));
        let mut start = 0;
        for chunk in self.keyed.chunk_by(|a, b| a.0 == b.0) {
            self.ranges.push(start..start + chunk.len());
            self.roots.push(chunk[0].0);
            start += chunk.len();
        }
    }

    fn root(&mut self, mut tree: usize) -> usize {
        while self.above[tree] != tree {
            self.above[tree] = self.above[self.above[tree]];
            tree = self.above[tree];
        }
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Where a problem is among the contacts.
    pub(super) fn range(&self, island: usize) -> Range<usize> {
        self.ranges[island].clone()
    }

    /// Keeps the problems that a contact's bodies are part of, and those in which there is a contact of which `has_news` tells.
    pub(super) fn keep(
        &mut self,
        evaluator: &Evaluator<'_>,
        cause: usize,
        contacts: &mut Vec<usize>,
        has_news: impl Fn(usize) -> bool,
    ) {
        let near = trees(evaluator, cause).map(|tree| tree.map(|tree| self.root(tree)));
        let (mut count, mut kept) = (0, 0);
        for island in 0..self.ranges.len() {
            let (root, range) = (self.roots[island], self.ranges[island].clone());
            if near.contains(&Some(root)) || contacts[range.clone()].iter().any(|&c| has_news(c)) {
                contacts.copy_within(range.clone(), kept);
                (self.roots[count], self.ranges[count]) = (root, kept..kept + range.len());
                kept += range.len();
                count += 1;
            }
        }
        self.roots.truncate(count);
        self.ranges.truncate(count);
        contacts.truncate(kept);
    }

    /// Leaves out contacts; `keep` tells of each place whether it is kept, and as which.
    pub(super) fn shrink(&mut self, mut keep: impl FnMut(usize, usize, usize) -> bool) {
        let mut kept = 0;
        for (island, range) in self.ranges.iter_mut().enumerate() {
            let start = kept;
            for k in range.clone() {
                kept += usize::from(keep(island, k, kept));
            }
            *range = start..kept;
        }
    }
}

/// Links at which the trees of a contact's bodies begin; none where nothing moves them.
fn trees(evaluator: &Evaluator<'_>, contact: usize) -> [Option<usize>; 2] {
    let mechanics = &evaluator.system.mechanics;
    let bodies = evaluator.table.pairs[evaluator.table.contacts[contact].pair].bodies;
    bodies.map(|body| mechanics.bodies[body].link.map(|link| mechanics.links[link].tree))
}

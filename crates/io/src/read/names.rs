//! Names of bodies and joints as the parts of a mechanism use them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use carom_engine::Problem;
use carom_engine::model::{Body, Joint};
use carom_math::{Mat3, Quaternion, Vec3};

use super::Section;
use crate::suggest;

/// Name of the body that exists without being declared.
pub(crate) const WORLD: &str = "world";

/// Bodies by their paths.
pub(crate) struct BodyNames {
    index: BTreeMap<String, usize>,
    count: usize,
    /// The undeclared body "world" is named.
    needs_world: Cell<bool>,
}

impl BodyNames {
    pub(crate) fn new(bodies: &[Body]) -> Self {
        let index = bodies.iter().enumerate().map(|(k, b)| (b.name.clone(), k)).collect();
        Self { index, count: bodies.len(), needs_world: Cell::new(false) }
    }

    /// The body that a key names, seen from the scope whose paths start with `prefix`.
    pub(crate) fn find(&self, section: &Section<'_, '_>, key: &str, prefix: &str) -> Option<usize> {
        let name = section.required_text(key)?;
        if let Some(&body) = self.index.get(&format!("{prefix}{name}")) {
            return Some(body);
        }
        if name == WORLD {
            return Some(self.world());
        }
        section.report(key, self.unknown(section, key, prefix, &name));
        None
    }

    fn world(&self) -> usize {
        self.index.get(WORLD).copied().unwrap_or_else(|| {
            self.needs_world.set(true);
            self.count
        })
    }

    fn unknown(&self, section: &Section<'_, '_>, key: &str, prefix: &str, name: &str) -> Problem {
        let mut problem = section.problem("E0203", key, format!("there is no body \"{name}\" here"));
        let local = local_names(&self.index, prefix);
        let tail = format!(".{name}");
        problem.help = if let Some(path) = local.iter().find(|n| n.ends_with(&tail)) {
            Some(format!("bodies of components have paths: did you mean \"{path}\"?"))
        } else if self.index.contains_key(name) {
            Some("names in a component are local: join it where the component is used".to_owned())
        } else {
            suggest::help(name, local.into_iter().chain([WORLD]))
        };
        problem
    }

    /// The body "world", if it must be added: the last one.
    pub(crate) fn undeclared_world(&self) -> Option<Body> {
        self.needs_world.get().then(undeclared_world)
    }
}

/// The body "world" of a model that does not declare it.
pub(crate) fn undeclared_world() -> Body {
    Body {
        name: WORLD.to_owned(),
        fixed: true,
        mass: 1.0,
        com: Vec3::zeros(),
        inertia: Mat3::identity(),
        position: Vec3::zeros(),
        orientation: Quaternion::IDENTITY,
        pose_stated: true,
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        velocity_stated: false,
        shapes: Vec::new(),
    }
}

/// Names that begin with a prefix, without it; of very many the first.
fn local_names<'a>(index: &'a BTreeMap<String, usize>, prefix: &'a str) -> Vec<&'a str> {
    let from = index.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
    from.map_while(|(name, _)| name.strip_prefix(prefix)).take(suggest::MOST_NAMES).collect()
}

/// Joints by their paths.
#[derive(Default)]
pub(crate) struct JointNames {
    index: BTreeMap<String, usize>,
    /// Joints that could not be read.
    broken: BTreeSet<String>,
}

impl JointNames {
    pub(crate) fn add(&mut self, joint: &Joint, index: usize) {
        self.index.insert(joint.name.clone(), index);
    }

    pub(crate) fn add_broken(&mut self, name: &str) {
        self.broken.insert(name.to_owned());
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.index.contains_key(name) || self.broken.contains(name)
    }

    pub(crate) fn get(&self, prefix: &str, name: &str) -> Option<usize> {
        self.index.get(&format!("{prefix}{name}")).copied()
    }

    /// Is it a joint whose own error is reported?
    pub(crate) fn is_broken(&self, prefix: &str, name: &str) -> bool {
        self.broken.contains(&format!("{prefix}{name}"))
    }

    /// Help for a name that no joint has.
    pub(crate) fn help(&self, prefix: &str, name: &str) -> Option<String> {
        let local = local_names(&self.index, prefix);
        suggest::help(name, local).or_else(|| Some("write [joint.NAME] first".to_owned()))
    }
}

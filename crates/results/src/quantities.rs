//! Names of quantities that a run has, known before it starts: `plot` and expectations use them.

use std::collections::HashMap;

use crate::tables::{derived, energy, resultants, states, steps, with_unit};
use crate::{Error, Scene, ScenePair, suggest};

/// A quantity over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name without unit, such as `ball.vx`.
    pub name: String,
    /// Unit, such as `m/s`; empty for pure numbers.
    pub unit: &'static str,
}

impl Quantity {
    fn new(owner: &str, base: &str, unit: &'static str) -> Self {
        Self { name: format!("{owner}.{base}"), unit }
    }

    fn answers_to(&self, name: &str) -> bool {
        name.strip_prefix(self.name.as_str())
            .is_some_and(|rest| rest.is_empty() || name == with_unit(&self.name, self.unit))
    }
}

/// What all pairs of an owner are.
#[derive(Clone, Copy, Default)]
struct KindOfContacts {
    /// Stops of angles.
    angular: bool,
    areal: bool,
}

impl Scene {
    /// Everything that [`crate::RunData::series`] knows by name.
    pub fn quantities(&self) -> Vec<Quantity> {
        self.quantities_of(|_| true).collect()
    }

    /// The same of some owners only, as far as it is asked for: a wide model has thousands of them.
    fn quantities_of(&self, is_wanted: impl Fn(&str) -> bool + Copy) -> impl Iterator<Item = Quantity> {
        let bodies = self.bodies.iter().filter(move |body| is_wanted(&body.name)).flat_map(|body| {
            let given = states::body_quantities().chain(derived::BODY.map(|d| (d.0, d.1)));
            given.map(|(base, unit)| Quantity::new(&body.name, base, unit))
        });
        let parts = states::mechanism_columns(self).map(|c| Quantity { name: c.base, unit: c.unit });
        let joints = self.joints.iter().flat_map(|joint| {
            derived::JOINT.map(|(base, unit, _)| Quantity::new(&joint.columns, base, unit))
        });
        let wanted = move || {
            let kinds = self.kinds_of_contacts(is_wanted);
            let owners = self.contact_owners().filter(move |owner| is_wanted(owner));
            owners.map(move |owner| (owner, kinds.get(owner).copied().unwrap_or_default()))
        };
        let pairs = std::iter::once_with(wanted).flatten().flat_map(|(owner, kind)| {
            let given = resultants::RESULTANTS.iter().map(move |r| (r.base, r.unit(kind.angular)));
            let given = given.chain(derived::PAIR.map(|d| (d.0, d.1)));
            given.map(|(base, unit)| Quantity::new(owner, base, unit))
        });
        let areal = std::iter::once_with(wanted)
            .flatten()
            .filter(|(_, kind)| kind.areal)
            .flat_map(|(owner, _)| derived::SEARCHES.map(|(base, unit, _)| Quantity::new(owner, base, unit)));
        let accounts = energy::ACCOUNTS.iter().map(|a| (a.0, "J")).chain(derived::ENERGY.map(|d| (d.0, d.1)));
        let accounts = accounts.map(|(base, unit)| Quantity::new("energy", base, unit));
        let steps = steps::columns().into_iter().skip(1);
        let steps = steps.map(|c| Quantity::new("steps", &c.base, c.unit));
        bodies.chain(parts).chain(joints).chain(pairs).chain(areal).chain(accounts).chain(steps)
    }

    /// The quantity that `name` means, with or without its unit; E0707 if there is none.
    pub fn quantity(&self, name: &str) -> Result<Quantity, Error> {
        let mut near = self.quantities_of(|owner| name.starts_with(owner));
        near.find(|q| q.answers_to(name)).ok_or_else(|| {
            let all = self.quantities();
            // Of an owner that the run has its own columns are meant, not those of another.
            let owner = name.rsplit_once('.').map_or(name, |(owner, _)| owner);
            let is_of_owner = |q: &&Quantity| q.name.rsplit_once('.').is_some_and(|(of, _)| of == owner);
            let own: Vec<&str> = all.iter().filter(is_of_owner).map(|q| q.name.as_str()).collect();
            if own.is_empty() {
                return self.unknown(name, all.iter().map(|q| q.name.as_str()));
            }
            self.unknown(name, own)
        })
    }

    /// What all pairs are that an owner names, found together: a wide line has thousands of pairs.
    fn kinds_of_contacts(&self, is_wanted: impl Fn(&str) -> bool) -> HashMap<&str, KindOfContacts> {
        let mut kinds: HashMap<&str, KindOfContacts> = HashMap::new();
        let of = |pair: &ScenePair| KindOfContacts { angular: pair.angular, areal: pair.is_areal() };
        for pair in self.pairs.iter().filter(|pair| is_wanted(&pair.line)) {
            let (line, own) = (kinds.entry(&pair.line).or_insert_with(|| of(pair)), of(pair));
            line.angular &= own.angular;
            line.areal &= own.areal;
        }
        // A name means a pair before it means a line.
        let named = self.pairs.iter().filter(|pair| is_wanted(&pair.name));
        kinds.extend(named.map(|pair| (pair.name.as_str(), of(pair))));
        kinds
    }

    pub(crate) fn unknown<'a>(&self, name: &str, names: impl IntoIterator<Item = &'a str>) -> Error {
        let bodies = self.bodies.iter().map(|b| b.name.as_str());
        let owners = bodies.chain(self.mechanism_owners()).chain(self.lines()).chain(["energy"]);
        Error::UnknownQuantity {
            name: name.to_owned(),
            similar: suggest::similar(name, names),
            owners: owners.map(str::to_owned).collect(),
        }
    }

    /// What the columns of joints, force elements and constraints begin with.
    pub(crate) fn mechanism_owners(&self) -> impl Iterator<Item = &str> {
        let elements = self.forces.iter().chain(&self.constraints).map(|e| e.columns.as_str());
        self.joints.iter().map(|j| j.columns.as_str()).chain(elements)
    }

    /// Contact lines that are more than one pair of the same name, then the pairs. Cables have the quantities of their force elements.
    pub(crate) fn contact_owners(&self) -> impl Iterator<Item = &str> {
        let is_pair = |line: &&str| self.pairs.iter().any(|p| p.name == *line);
        let lines = self.lines().into_iter().filter(move |line| !is_pair(line));
        lines.chain(self.pairs.iter().filter(|p| !p.is_cable()).map(|p| p.name.as_str()))
    }
}

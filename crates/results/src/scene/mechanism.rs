//! Joints, force elements and constraints of a run: names, kinds, and what their columns begin with.

use std::collections::HashSet;

use carom_engine::model::{AxisMeasure, JointKind, Sliding, Turning};
use carom_engine::record::{PairInfo, RunInfo};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Kernel of the pairs that are stops of joints.
pub(super) const STOP_KERNEL: &str = "joint limit";
/// Kernel of the pairs that are cables.
pub(super) const CABLE_KERNEL: &str = "cable";

/// What motion a joint leaves, by its word in the model file; decides which columns it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SceneJointKind(&'static str);

impl From<JointKind> for SceneJointKind {
    fn from(kind: JointKind) -> Self {
        Self(kind.name())
    }
}

impl TryFrom<String> for SceneJointKind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = JointKind::ALL.iter().find(|kind| kind.name() == word);
        found.map(|kind| Self(kind.name())).ok_or_else(|| format!("no kind of joint is called \"{word}\""))
    }
}

impl<'de> Deserialize<'de> for SceneJointKind {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(source)?).map_err(D::Error::custom)
    }
}

impl SceneJointKind {
    /// A kind of the engine with the same coordinates; its lead and second axis are not this joint's.
    fn representative(self) -> JointKind {
        *JointKind::ALL.iter().find(|kind| kind.name() == self.0).expect("made from one of them")
    }

    /// Word in the model file.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Number of coordinates; a quaternion has four.
    pub fn coordinates(self) -> usize {
        self.representative().coordinates()
    }

    /// Degrees of freedom.
    pub fn freedoms(self) -> usize {
        self.representative().freedoms()
    }

    /// What each scalar coordinate measures.
    pub fn axes(self) -> &'static [AxisMeasure] {
        self.representative().axes()
    }

    /// Does a quaternion say how it turns?
    pub fn turns_freely(self) -> bool {
        matches!(self.representative().turning(), Turning::Ball { .. })
    }

    /// Is M's origin free, too?
    pub fn is_free(self) -> bool {
        self.turns_freely() && self.representative().sliding() != Sliding::None
    }
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneJoint {
    /// Path, such as `leg[2].knee`.
    pub name: String,
    /// What the names of its columns begin with: its own, or `joint.NAME` if something else has it.
    pub columns: String,
    /// What it leaves free.
    pub kind: SceneJointKind,
}

/// A force element or a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneElement {
    /// Path, such as `suspension.left`.
    pub name: String,
    /// What the names of its columns begin with: its own, or `force.NAME` or `constraint.NAME` if something else
    /// has it.
    pub columns: String,
    /// Word of the kind in the model file.
    pub kind: String,
}

/// Gives every part of a mechanism a name of its own among the owners of quantities: bodies and contacts come
/// first, then joints, forces and constraints.
struct Owners<'a> {
    taken: HashSet<&'a str>,
}

impl<'a> Owners<'a> {
    fn new(info: &'a RunInfo) -> Self {
        // A cable is a force element and a pair, under one name.
        let contacts = info.pairs.iter().filter(|pair| pair.kernel != CABLE_KERNEL);
        let contacts = contacts.flat_map(|p| [p.name.as_str(), p.line.as_str()]);
        let contacts = contacts.chain(info.wide_lines.iter().map(|line| line.name.as_str()));
        let taken = info.bodies.iter().map(String::as_str).chain(contacts).chain(["energy", "steps"]);
        Self { taken: taken.collect() }
    }

    /// What the columns of parts of one kind begin with. Names within the kind differ already.
    fn of(&mut self, word: &str, names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
        let own = |name: &str| {
            let mut own = name.to_owned();
            while self.taken.contains(own.as_str()) {
                own = format!("{word}.{own}");
            }
            own
        };
        let all = names.clone().map(own).collect();
        self.taken.extend(names);
        all
    }
}

/// Joints, force elements and constraints as the engine names them.
pub(super) fn parts(info: &RunInfo) -> (Vec<SceneJoint>, Vec<SceneElement>, Vec<SceneElement>) {
    let mut owners = Owners::new(info);
    let columns = owners.of("joint", info.joints.iter().map(|(name, _)| name.as_str()));
    let joints = info.joints.iter().zip(columns).map(|((name, kind), columns)| SceneJoint {
        name: name.clone(),
        columns,
        kind: SceneJointKind::from(*kind),
    });
    let joints = joints.collect();
    let forces = elements(&mut owners, "force", &info.forces);
    let constraints = elements(&mut owners, "constraint", &info.constraints);
    (joints, forces, constraints)
}

fn elements<'a>(
    owners: &mut Owners<'a>,
    word: &str,
    list: &'a [(String, &'static str)],
) -> Vec<SceneElement> {
    let columns = owners.of(word, list.iter().map(|(name, _)| name.as_str()));
    let element = |((name, kind), columns): (&(String, &str), String)| SceneElement {
        name: name.clone(),
        columns,
        kind: (*kind).to_owned(),
    };
    list.iter().zip(columns).map(element).collect()
}

/// Is this pair a stop of an angle? Its gap is in rad then, its force in N m.
pub(super) fn is_angular(pair: &PairInfo, info: &RunInfo) -> bool {
    if pair.kernel != STOP_KERNEL {
        return false;
    }
    let axis = pair.name.strip_prefix(pair.line.as_str()).and_then(|rest| {
        // `knee.limit`, or `knee.limit[1]` where the joint has several coordinates.
        if rest.is_empty() {
            Some(0)
        } else {
            rest.strip_prefix('[')?.strip_suffix(']')?.parse::<usize>().ok()
        }
    });
    let joint = pair.line.strip_suffix(".limit");
    let kind = info.joints.iter().find(|(name, _)| Some(name.as_str()) == joint).map(|(_, kind)| kind);
    kind.zip(axis).is_some_and(|(kind, axis)| kind.axes().get(axis) == Some(&AxisMeasure::Angle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn pair(line: &str, name: &str, kernel: &'static str) -> PairInfo {
        PairInfo {
            name: name.into(),
            line: line.into(),
            a: String::new(),
            b: String::new(),
            kernel,
            law: String::new(),
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_prefix() {
        let mut info = fixture::info();
        let revolute = |name: &str| (name.to_owned(), JointKind::Revolute);
        info.joints = vec![revolute("ball"), revolute("hinge"), revolute("drop"), revolute("energy")];
        info.forces = vec![("ball".into(), "force"), ("hinge".into(), "drag"), ("wind".into(), "drag")];
        info.constraints = vec![("wind".into(), "distance"), ("gear".into(), "coupling")];
        let (joints, forces, constraints) = parts(&info);
        let joints: Vec<_> = joints.iter().map(|j| j.columns.as_str()).collect();
        assert_eq!(joints, ["joint.ball", "hinge", "joint.drop", "joint.energy"]);
        let columns = |list: &[SceneElement]| list.iter().map(|e| e.columns.clone()).collect::<Vec<_>>();
        assert_eq!(columns(&forces), ["force.ball", "force.hinge", "wind"]);
        assert_eq!(columns(&constraints), ["constraint.wind", "gear"]);
    }

    #[test]
    fn even_the_prefixed_name_may_be_taken() {
        let mut info = fixture::info();
        info.bodies.push("joint.ball".into());
        info.joints = vec![("ball".into(), JointKind::Fixed)];
        assert_eq!(parts(&info).0[0].columns, "joint.joint.ball");
    }

    #[test]
    fn stops_of_angles_are_told_from_stops_of_lengths() {
        let mut info = fixture::info();
        info.joints = vec![("knee".into(), JointKind::Revolute), ("leg".into(), JointKind::Cylindrical)];
        for (line, name, kernel, angular) in [
            ("knee.limit", "knee.limit", STOP_KERNEL, true),
            ("leg.limit", "leg.limit[0]", STOP_KERNEL, true),
            ("leg.limit", "leg.limit[1]", STOP_KERNEL, false),
            ("knee.limit", "knee.limit", "sphere_sphere", false),
            ("arm.limit", "arm.limit", STOP_KERNEL, false),
        ] {
            assert_eq!(is_angular(&pair(line, name, kernel), &info), angular, "{name}");
        }
    }
}

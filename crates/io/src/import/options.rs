//! Choices of an import.

use std::path::PathBuf;

/// What the file leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Does the robot stand on its own or is its first link held?
    pub base: Base,
    /// What becomes of fixed joints.
    pub fixed_joints: FixedJoints,
    /// MJCF: several joints of one body stay several, with bodies of a billionth of its mass between them.
    pub split_joints: bool,
    /// Take the shapes for drawing too, URDF's <visual> and MJCF's geoms that touch nothing.
    pub visuals: bool,
    /// What becomes of collision meshes.
    pub meshes: Meshes,
    /// Hulls of very many vertices leave out those that are nearer than this share of the extent to what stays; 0: none.
    pub hull_error: f64,
    /// What becomes of a URDF inertia that no rigid body has.
    pub inertia: Inertia,
    /// Do links touch each other?
    pub self_contact: SelfContact,
    /// SRDF file whose `disable_collisions` say which links of a URDF do not touch each other.
    pub srdf: Option<PathBuf>,
    /// MJCF: the keyframe to start from, by name or number; else the pose of the file.
    pub keyframe: Option<String>,
    /// Servos hold the pose of the start.
    pub hold: bool,
    /// Put a floor under the robot if the file has none.
    pub floor: bool,
    /// Height of a floating robot's lowest point above the floor (m).
    pub drop_height: f64,
    /// Folders that hold ROS packages.
    pub packages: Vec<PathBuf>,
    /// Program that expands xacro templates; they are refused without one, or where it is not installed.
    pub xacro: Option<PathBuf>,
    /// Folder of the model file to write, where the paths of meshes start; else that of the robot file.
    pub out_folder: Option<PathBuf>,
}

impl Options {
    /// May links of formats that do not say so touch each other?
    pub(super) fn links_touch(&self) -> bool {
        match self.self_contact {
            SelfContact::All => true,
            SelfContact::None => false,
            SelfContact::Auto => self.srdf.is_some(),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base: Base::Auto,
            fixed_joints: FixedJoints::Merge,
            split_joints: false,
            visuals: false,
            meshes: Meshes::Hull,
            hull_error: 0.005,
            inertia: Inertia::Refuse,
            self_contact: SelfContact::Auto,
            srdf: None,
            keyframe: None,
            hold: false,
            floor: true,
            drop_height: 0.1,
            packages: Vec::new(),
            xacro: None,
            out_folder: None,
        }
    }
}

/// How the robot's first link is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// URDF: fixed if the first link is named `world`, else floating. MJCF: as the file says.
    Auto,
    /// It does not move.
    Fixed,
    /// It is free.
    Floating,
}

/// What becomes of two links with a fixed joint between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedJoints {
    /// One body: masses and inertias are summed, shapes keep their names.
    Merge,
    /// Two bodies and a fixed joint; links without mass are merged all the same.
    Keep,
}

/// What becomes of an inertia that no rigid body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inertia {
    /// It is an error.
    Refuse,
    /// It becomes the nearest one that a body has, with a warning for each link.
    Repair,
}

/// Which links may touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfContact {
    /// MJCF: as the file says. SDF: those of different models, and those of one with `self_collide`. URDF: none, with an SRDF all
    /// that it leaves.
    Auto,
    /// All that no joint connects, but for those that the files exclude.
    All,
    /// None.
    None,
}

/// What becomes of collision meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshes {
    /// They are drawn and touch nothing.
    Draw,
    /// The box around each takes its place in contacts.
    Box,
    /// The convex hull of each takes its place in contacts.
    Hull,
    /// They are left out.
    Skip,
}

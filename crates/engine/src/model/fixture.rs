//! Small mechanisms for tests in this crate.

use carom_math::{Mat3, Quaternion, Vec3};

use super::{Body, Joint, Model, OutputSettings, SolverSettings};

/// A body of 1 kg and 1 kg m² without a shape. Joints say where it is, unless it is fixed in the origin.
pub(crate) fn body(name: &str, fixed: bool) -> Body {
    Body {
        name: name.to_owned(),
        fixed,
        mass: 1.0,
        com: Vec3::zeros(),
        inertia: Mat3::identity(),
        position: Vec3::zeros(),
        orientation: Quaternion::IDENTITY,
        pose_stated: fixed,
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        velocity_stated: false,
        shapes: Vec::new(),
    }
}

/// These bodies on these joints, without gravity, and with nothing else.
pub(crate) fn mechanism(bodies: Vec<Body>, joints: Vec<Joint>) -> Model {
    Model {
        name: "mechanism".to_owned(),
        plane: None,
        gravity: Vec3::zeros(),
        bodies,
        joints,
        forces: Vec::new(),
        constraints: Vec::new(),
        materials: Vec::new(),
        material_pairs: Vec::new(),
        laws: Vec::new(),
        contact_lines: Vec::new(),
        pairs: Vec::new(),
        wide_lines: Vec::new(),
        pairs_off: Vec::new(),
        solver: SolverSettings::default(),
        output: OutputSettings {
            every: None,
            steps: false,
            patches: None,
            searches: false,
            probes: Vec::new(),
        },
    }
}

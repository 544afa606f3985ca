use carom_engine::analysis::Dynamics;
use carom_engine::model::{Attachment, AxisElements, Body, Joint, JointKind, OutputSettings, SolverSettings};
use carom_engine::{Model, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

/// The chain of peers/chains.py with its state: n revolute joints about y and x in turn, each link of 1 kg hung 0.2 m
/// below the one before.
///
/// # Panics
/// Never: the chain is sound.
pub fn chain(joints: usize) -> (System, Vec<f64>) {
    let system = System::compile(&model(joints)).expect("a chain compiles");
    let dynamics = Dynamics::new(&system);
    let mut state = dynamics.state().to_vec();
    for joint in 0..joints {
        let i = joint as f64;
        let (q, v) = (0.5 * (1.0 + i).sin(), 0.3 * (2.0 + 3.0 * i).cos());
        assert!(dynamics.write_joint(&mut state, joint, &[q], &[v]));
    }
    (system, state)
}

fn model(joints: usize) -> Model {
    let quarter = std::f64::consts::FRAC_PI_2;
    // z of the joint's frames is the axis.
    let about_y = Quaternion::from_axis_angle(&Vec3::x(), -quarter).to_matrix();
    let about_x = Quaternion::from_axis_angle(&Vec3::y(), quarter).to_matrix();
    let body = |index: usize| Body {
        name: format!("link{index}"),
        fixed: index == 0,
        mass: 1.0,
        com: Vec3::new(0.0, 0.0, -0.1),
        inertia: Mat3::from_diagonal(&Vec3::new(0.01, 0.01, 0.002)),
        position: Vec3::zeros(),
        orientation: Quaternion::IDENTITY,
        pose_stated: index == 0,
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        velocity_stated: false,
        shapes: Vec::new(),
    };
    let joint = |index: usize| {
        let rotation = if index.is_multiple_of(2) { about_y } else { about_x };
        let at = |body, z| Attachment { body, pose: Pose { rotation, translation: Vec3::new(0.0, 0.0, z) } };
        Joint {
            name: format!("joint{index}"),
            kind: JointKind::Revolute,
            a: at(index, if index == 0 { 0.0 } else { -0.2 }),
            b: at(index + 1, 0.0),
            cut: false,
            position: None,
            velocity: None,
            elements: vec![AxisElements::default()],
        }
    };
    Model {
        name: "chain".to_owned(),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        bodies: (0..=joints).map(body).collect(),
        joints: (0..joints).map(joint).collect(),
        forces: Vec::new(),
        constraints: Vec::new(),
        materials: Vec::new(),
        material_pairs: Vec::new(),
        laws: Vec::new(),
        contact_lines: Vec::new(),
        pairs: Vec::new(),
        wide_lines: Vec::new(),
        pairs_off: Vec::new(),
        plane: None,
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

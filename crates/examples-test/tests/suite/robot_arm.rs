//! The model of the robot arm is its robot file, imported.

use carom_engine::Model;
use carom_engine::model::Joint;
use carom_examples_test::{folder, load};
use carom_io::Overrides;
use carom_io::import::{Base, Options, load_robot};

/// Joints without what the example adds, the start and the stiffness of the limits, and without the ratings of the drives, which it
/// leaves out: they have no power.
fn bare_joints(model: &Model) -> Vec<Joint> {
    let mut joints = model.joints.clone();
    for joint in &mut joints {
        joint.position = None;
        for element in &mut joint.elements {
            (element.limit, element.rated_speed) = (None, None);
        }
    }
    joints
}

/// Lower and upper limits of all axes.
fn limits(model: &Model) -> Vec<[Option<f64>; 2]> {
    let elements = model.joints.iter().flat_map(|joint| &joint.elements);
    elements.filter_map(|e| Some([e.limit.as_ref()?.lower, e.limit.as_ref()?.upper])).collect()
}

#[test]
fn robot_arm_is_its_robot_file() {
    let options = Options { base: Base::Fixed, ..Options::default() };
    let imported = load_robot(&folder().join("robot-arm.urdf"), &options, &Overrides::default());
    let imported = imported.expect("a sound robot").model;
    let example = load("robot-arm", &[]).model;
    assert_eq!(imported.bodies, example.bodies);
    assert_eq!(bare_joints(&imported), bare_joints(&example));
    assert_eq!(limits(&imported), limits(&example));
    assert_eq!(imported.pairs, example.pairs);
}

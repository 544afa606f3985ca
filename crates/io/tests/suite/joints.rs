//! Joints: what the file says is what the model has.

use std::f64::consts::PI;

use carom_engine::function::TimeFunction;
use carom_engine::law::ImpactLaw;
use carom_engine::model::{AxisLimit, AxisSpring, JointKind, Motor, Stop};
use carom_math::{Mat3, Vec3};

use crate::kit::{body, codes, joint, joint_of, links, load};

const DEG: f64 = PI / 180.0;

#[test]
fn every_kind_has_its_word() {
    assert_eq!(joint_of("fixed", "").kind, JointKind::Fixed);
    assert_eq!(joint_of("revolute", "").kind, JointKind::Revolute);
    assert_eq!(joint_of("prismatic", "").kind, JointKind::Prismatic);
    assert_eq!(joint_of("cylindrical", "").kind, JointKind::Cylindrical);
    assert_eq!(joint_of("spherical", "").kind, JointKind::Spherical);
    assert_eq!(joint_of("planar", "").kind, JointKind::Planar);
    assert_eq!(joint_of("free", "").kind, JointKind::Free);
    let JointKind::Screw { lead } = joint_of("screw", "lead = \"2 mm/rev\"").kind else { panic!() };
    assert!((lead - 0.002 / (2.0 * PI)).abs() < 1e-18);
    // The second axis is seen from frames whose z is the first one.
    let j = joint_of("universal", "axes = [\"y\", \"x\"]");
    assert_eq!(j.kind, JointKind::Universal { second: Vec3::y() });
    assert_eq!((j.a.pose.z_axis(), j.b.pose.z_axis()), (Vec3::y(), Vec3::y()));
    assert_eq!(j.a.pose.rotation * Vec3::y(), Vec3::x());
}

#[test]
fn frames_have_the_axis_as_z() {
    let text = links(
        "[joint.j]\ntype = \"revolute\"\naxis = [0, 3, 4]\n\
         a = { body = \"base\", at = [0, 0, \"10 cm\"], rot = { axis = \"x\", angle = \"90 deg\" } }\n\
         b = { body = \"link\", at = [1, 2, 3] }\ncut = true\n",
    );
    let model = load(&text).model;
    let j = &model.joints[0];
    assert_eq!((j.a.body, j.b.body, j.cut), (0, 1, true));
    assert_eq!(j.a.pose.translation, Vec3::new(0.0, 0.0, 0.1));
    // (0, 0.6, 0.8) turned by 90° about x.
    assert!((j.a.pose.z_axis() - Vec3::new(0.0, -0.8, 0.6)).norm() < 1e-15);
    assert!((j.b.pose.z_axis() - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
    assert_eq!((j.position.clone(), j.velocity.clone()), (None, None));
    assert_eq!(j.elements.len(), 1);
}

#[test]
fn the_zero_position_is_folded_into_the_frames() {
    let r = joint_of("revolute", "zero = \"90 deg\"");
    assert!((r.a.pose.rotation * Vec3::x() - Vec3::y()).norm() < 1e-15);
    let p = joint_of("prismatic", "axis = \"x\"\nzero = \"5 cm\"");
    assert!((p.a.pose.translation - Vec3::new(0.05, 0.0, 0.0)).norm() < 1e-15);
    let s = joint_of("screw", "lead = \"2 m/rad\"\nzero = \"90 deg\"");
    assert!((s.a.pose.translation - Vec3::new(0.0, 0.0, PI)).norm() < 1e-15);
    let c = joint_of("cylindrical", "zero = [\"90 deg\", \"5 cm\"]");
    assert!((c.a.pose.translation.z - 0.05).abs() < 1e-15);
    // The displacements of a planar joint keep F's axes; the angle turns M back.
    let p = joint_of("planar", "zero = [\"1 m\", \"2 m\", \"90 deg\"]");
    assert_eq!((p.a.pose.translation, p.a.pose.rotation), (Vec3::new(1.0, 2.0, 0.0), Mat3::identity()));
    assert!((p.b.pose.rotation * Vec3::x() + Vec3::y()).norm() < 1e-15);
    let u = joint_of("universal", "axes = [\"z\", \"x\"]\nzero = [0, \"90 deg\"]");
    assert_eq!(u.a.pose.rotation, Mat3::identity());
    assert!((u.b.pose.rotation * Vec3::y() + Vec3::z()).norm() < 1e-15);
}

#[test]
fn start_values_follow_the_coordinates() {
    let j = joint_of("revolute", "position = \"30 deg\"\nvelocity = \"1 rpm\"");
    assert_eq!((j.position.unwrap(), j.velocity.unwrap()), (vec![30.0 * DEG], vec![PI / 30.0]));
    let j = joint_of("cylindrical", "position = [\"30 deg\", \"1 cm\"]\nvelocity = [2, 3]");
    assert_eq!((j.position.unwrap(), j.velocity.unwrap()), (vec![30.0 * DEG, 0.01], vec![2.0, 3.0]));
    let j = joint_of("spherical", "position = [0, 1, 0, 0]\nvelocity = [1, 2, 3]");
    assert_eq!((j.position.unwrap(), j.velocity.unwrap()), (vec![0.0, 1.0, 0.0, 0.0], vec![1.0, 2.0, 3.0]));
    let j = joint_of("free", "position = [1, 2, 3, 0, 0, 1, 0]\nvelocity = [1, 2, 3, 4, 5, 6]");
    assert_eq!(j.position.unwrap(), [1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(j.velocity.unwrap().len(), 6);
}

/// A rotation has no coordinate that is one number, but velocities.
#[test]
fn rotations_have_friction_and_armature_along_each_velocity() {
    let j = joint_of(
        "free",
        "friction = [{ force = 2 }, {}, {}, {}, {}, { torque = 3, v_reg = 4 }]\n\
         armature = [{}, {}, { mass = \"5 g\", ratio = 10 }, { inertia = 6 }, {}, {}]",
    );
    assert_eq!(j.elements.len(), 6);
    let friction = |k: usize| j.elements[k].friction.map(|f| (f.force, f.v_reg));
    assert_eq!((friction(0), friction(1), friction(5)), (Some((2.0, 0.001)), None, Some((3.0, 4.0))));
    assert!((j.elements[2].armature - 0.5).abs() < 1e-15);
    assert_eq!((j.elements[3].armature, j.elements[5].armature), (6.0, 0.0));
    let refused = |row: &str| {
        codes(&links(&format!(
            "[joint.j]\ntype = \"spherical\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n{row}\n"
        )))
    };
    // A mass along an angle, one table for three, and what needs a coordinate.
    assert_eq!(refused("armature = [{ mass = 1 }, {}, {}]"), ["E0325"]);
    assert_eq!(refused("friction = { torque = 1 }"), ["E0322"]);
    assert_eq!(refused("spring = [{ stiffness = 1 }, {}, {}]"), ["E0201"]);
}

#[test]
fn elements_take_the_dimension_of_the_coordinate() {
    let j = joint_of(
        "revolute",
        "spring = { stiffness = \"35 N*m/rad\", damping = \"2 N*m*s\", rest = \"90 deg\" }\n\
         friction = { torque = \"1 N*m\", v_reg = \"1 deg/s\" }\n\
         limit = { lower = \"-45 deg\", upper = \"45 deg\", stiffness = \"1 kN*m/rad^2\", exponent = 2, restitution = 0.5 }\n\
         motor = { torque = \"2 N*m\" }",
    );
    let e = &j.elements[0];
    assert_eq!(e.spring, Some(AxisSpring { stiffness: 35.0, damping: 2.0, rest: PI / 2.0 }));
    assert_eq!(e.friction.unwrap().force, 1.0);
    assert_eq!(e.friction.unwrap().v_reg, DEG);
    let stop = Stop::Compliant { stiffness: Some(1000.0), exponent: 2.0, restitution: 0.5 };
    assert_eq!(e.limit, Some(AxisLimit { lower: Some(-45.0 * DEG), upper: Some(45.0 * DEG), stop }));
    assert_eq!(e.motor, Some(Motor::Force(TimeFunction::Constant(2.0))));

    let j = joint_of(
        "planar",
        "spring = [{ stiffness = \"1 N/mm\" }, {}, { damping = \"3 N*m*s/rad\" }]\n\
         friction = [{ force = 2 }, {}, {}]\nmotor = [{}, { speed = \"1 m/s\" }, {}]\n\
         limit = [{ lower = \"-1 cm\" }, {}, {}]",
    );
    assert_eq!(j.elements[0].spring.unwrap().stiffness, 1000.0);
    assert_eq!(j.elements[2].spring.unwrap().damping, 3.0);
    assert!(j.elements[1].spring.is_none() && j.elements[2].friction.is_none());
    assert_eq!(j.elements[0].friction.unwrap().v_reg, 0.001);
    let limit = j.elements[0].limit.unwrap();
    let stop = Stop::Compliant { stiffness: None, exponent: 1.5, restitution: 0.0 };
    assert_eq!(limit, AxisLimit { lower: Some(-0.01), upper: None, stop });
    assert_eq!(j.elements[1].motor, Some(Motor::Velocity(TimeFunction::Constant(1.0))));
}

#[test]
fn a_stop_that_does_not_give_has_its_impact_law() {
    let text = "type = \"prismatic\"\na = { body = \"base\" }\nb = { body = \"link\" }\n\
                limit = { lower = \"-1 cm\", nonsmooth = { e_n = 0.3, impact = \"newton\" } }\n";
    let limit = load(&links(&format!("[joint.j]\n{text}"))).model.joints[0].elements[0].limit.unwrap();
    let stop = Stop::Rigid { restitution: 0.3, impact: ImpactLaw::Newton };
    assert_eq!(limit, AxisLimit { lower: Some(-0.01), upper: None, stop });
}

#[test]
fn a_stop_takes_what_it_does_not_state_from_a_law() {
    let law = "[law.rubber]\npoint = { stiffness = \"1 MN/m^2\", exponent = 2, restitution = 0.3 }\n";
    let with = |kind: &str, limit: &str| {
        let text = links(&format!(
            "{law}[joint.j]\ntype = \"{kind}\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\nlimit = {{ upper = 0, law = \"rubber\"{limit} }}\n"
        ));
        load(&text).model.joints[0].elements[0].limit.unwrap().stop
    };
    assert_eq!(
        with("prismatic", ""),
        Stop::Compliant { stiffness: Some(1e6), exponent: 2.0, restitution: 0.3 }
    );
    assert_eq!(
        with("revolute", ", stiffness = \"5 N*m/rad^2\""),
        Stop::Compliant { stiffness: Some(5.0), exponent: 2.0, restitution: 0.3 }
    );
}

#[test]
fn motors_follow_functions_of_time() {
    let motor = |kind: &str, drive: &str| {
        joint_of(kind, &format!("motor = {{ {drive} }}")).elements[0].motor.clone().unwrap()
    };
    let Motor::Position(f) = motor("revolute", "position = \"30 deg*sin(2 rad/s*t)\"") else { panic!() };
    for t in [0.0, 0.4, 1.1] {
        let jet = f.jet(t);
        assert!((jet.value - 30.0 * DEG * (2.0 * t).sin()).abs() < 1e-15);
        assert!((jet.rate - 60.0 * DEG * (2.0 * t).cos()).abs() < 1e-15);
    }
    let Motor::Position(TimeFunction::Table(f)) =
        motor("prismatic", "position = { table = [[0, 0], [\"1 s\", \"1 cm\"], [\"2 s\", 0]] }")
    else {
        panic!()
    };
    // A natural spline through (0, 0), (1, 1), (2, 0) has 11/16 at the quarter.
    assert!((f.jet(0.5).value - 0.006875).abs() < 1e-15);
    let Motor::Velocity(f) =
        motor("prismatic", "speed = { table = [[0, 0], [\"1 s\", \"1 cm/s\"], [\"2 s\", 0]] }")
    else {
        panic!()
    };
    assert_eq!(f.value(0.5), 0.005);
    let Motor::Velocity(f) = motor(
        "prismatic",
        "speed = { table = [[0, 0], [\"1 s\", \"1 cm/s\"], [\"2 s\", 0]], interpolation = \"cubic\" }",
    ) else {
        panic!()
    };
    assert!((f.value(0.5) - 0.006875).abs() < 1e-15);
    let Motor::Force(f) = motor("prismatic", "force = { si = \"3*t^2 + max(t, 1)\" }") else { panic!() };
    assert_eq!((f.value(0.5), f.value(2.0)), (1.75, 14.0));
}

#[test]
fn the_world_is_there_without_being_declared() {
    let text = links(
        "[joint.j]\ntype = \"revolute\"\na = { body = \"world\" }\nb = { body = \"link\" }\n\
         [joint.k]\ntype = \"revolute\"\na = { body = \"world\" }\nb = { body = \"second\" }\n",
    );
    let model = load(&text).model;
    let names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["base", "link", "second", "world"]);
    assert!(model.bodies[3].fixed && model.bodies[3].shapes.is_empty());
    assert_eq!((model.joints[0].a.body, model.joints[1].a.body), (3, 3));
    let declared = load(&text.replace("[body.base]", "[body.world]")).model;
    assert_eq!((declared.bodies.len(), declared.joints[0].a.body), (3, 0));
}

#[test]
fn the_rover_of_the_specification() {
    let model = load(include_str!("../models/scout.toml")).model;
    // Per wheel: hub and three spokes of three bodies; per segment: chassis and two wheels; the terrain.
    assert_eq!(model.bodies.len(), 3 * (1 + 2 * (1 + 3 * 3)) + 1);
    // Per spoke: weld, knee, foot; per segment two wheel joints; two spines.
    assert_eq!(model.joints.len(), 18 * 3 + 6 + 2);
    assert_eq!(model.pairs.len(), 18);
    let name = |index: usize| model.bodies[index].name.as_str();
    let weld = joint(&model, "front.right.spoke[2].weld");
    assert_eq!(weld.kind, JointKind::Fixed);
    assert_eq!((name(weld.a.body), name(weld.b.body)), ("front.right.hub", "front.right.spoke[2].upper"));
    assert_eq!(weld.a.pose.translation, Vec3::new(0.0, -0.0125, 0.0));
    let turned = weld.a.pose.rotation * Vec3::x();
    let angle: f64 = 240.0 * DEG;
    assert!((turned - Vec3::new(angle.cos(), 0.0, -angle.sin())).norm() < 1e-14);
    let knee = joint(&model, "front.right.spoke[2].knee");
    assert_eq!(
        (name(knee.a.body), name(knee.b.body)),
        ("front.right.spoke[2].upper", "front.right.spoke[2].lower")
    );
    assert_eq!(knee.elements[0].spring.unwrap().stiffness, 35.0);
    let wheel = joint(&model, "middle.left");
    assert_eq!((name(wheel.a.body), name(wheel.b.body)), ("middle.chassis", "middle.left.hub"));
    assert_eq!(wheel.elements[0].motor, Some(Motor::Velocity(TimeFunction::Constant(2.0))));
    let spine = joint(&model, "spine_rear");
    assert_eq!((name(spine.a.body), name(spine.b.body)), ("middle.chassis", "rear.chassis"));
    assert_eq!(spine.elements[1].spring.unwrap().damping, 0.85);
    // The instance is where its chassis is; what hangs at joints is where they have it.
    assert!(body(&model, "middle.chassis").pose_stated);
    assert!(!body(&model, "middle.left.hub").pose_stated);
    assert!(!body(&model, "front.chassis").pose_stated);
}

#[test]
fn a_weld_places_its_instance() {
    let text = links(
        "[component.arm]\n\
         body.upper = { mass = 1, inertia = 1, pos = [0, 0, \"1 m\"] }\n\
         body.lower = { mass = 1, inertia = 1, pos = [0, 0, \"3 m\"] }\n\
         joint.elbow = { type = \"revolute\", a = { body = \"upper\" }, b = { body = \"lower\" } }\n\
         [use.arm]\ncomponent = \"arm\"\n\
         weld = { part = \"upper\", to = \"base\", at = [\"5 m\", 0, 0], rot = { axis = \"y\", angle = \"90 deg\" } }\n",
    );
    let model = load(&text).model;
    assert!((body(&model, "arm.upper").position - Vec3::new(5.0, 0.0, 0.0)).norm() < 1e-14);
    assert!((body(&model, "arm.lower").position - Vec3::new(7.0, 0.0, 0.0)).norm() < 1e-14);
    let names: Vec<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["arm.weld", "arm.elbow"]);
}

#[test]
fn the_example_of_the_documentation_loads() {
    let docs = include_str!("../../../../docs/model-format.md");
    let blocks = docs.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let with_joints: Vec<&str> =
        blocks.filter(|b| b.contains("[joint.") && b.contains("format = 1")).collect();
    assert_eq!(with_joints.len(), 1);
    let loaded = load(with_joints[0]);
    assert_eq!((loaded.model.joints.len(), loaded.warnings.len()), (2, 0));
}

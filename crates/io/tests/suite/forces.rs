//! Forces, constraints and formulations: what the file says is what the model has.

use std::f64::consts::PI;

use carom_engine::model::{
    CableElasticity, ConstraintKind, Coordinates, ForceAxes, ForceKind, Formulation, JointCoordinate,
};
use carom_math::Vec3;

use crate::kit::{links, load};

const ENDS: &str = "a = { body = \"base\", at = [0, 1, 0] }\nb = { body = \"link\" }\n";
const HINGES: &str = "[joint.first]\ntype = \"revolute\"\na = { body = \"base\" }\nb = { body = \"link\", at = [-1, 0, 0] }\n\
                      [joint.slide]\ntype = \"cylindrical\"\na = { body = \"base\" }\nb = { body = \"second\" }\n";

fn force(kind: &str, keys: &str) -> ForceKind {
    let text = links(&format!("[force.f]\ntype = \"{kind}\"\n{keys}\n"));
    load(&text).model.forces.remove(0).kind
}

fn constraint(kind: &str, keys: &str) -> ConstraintKind {
    let text = links(&format!("{HINGES}[constraint.c]\ntype = \"{kind}\"\n{keys}\n"));
    load(&text).model.constraints.remove(0).kind
}

#[test]
fn springs_and_dampers() {
    let keys =
        "stiffness = \"1 kN/m\"\ndamping = \"2 N*s/m\"\nlength = \"30 cm\"\nforce = \"3 N*cos(2/s*t)\"";
    let ForceKind::SpringDamper { a, b, stiffness, damping, length, actuator } =
        force("spring-damper", &format!("{ENDS}{keys}"))
    else {
        panic!()
    };
    assert_eq!((a.body, a.pose.translation, b.body), (0, Vec3::y(), 1));
    assert_eq!((stiffness, damping, length), (1000.0, 2.0, Some(0.3)));
    assert!((actuator.unwrap().value(0.5) - 3.0 * 1.0_f64.cos()).abs() < 1e-15);
    let ForceKind::SpringDamper { length, actuator, .. } =
        force("spring-damper", &format!("{ENDS}stiffness = 1\nlength = \"auto\""))
    else {
        panic!()
    };
    assert_eq!((length, actuator), (None, None));
}

#[test]
fn torsion_springs_turn_about_their_axis() {
    let keys = "axis = \"x\"\nstiffness = \"5 N*m/rad\"\ndamping = \"1 N*m*s/rad\"\nangle = \"180 deg\"\ntorque = \"2 N*m\"";
    let ForceKind::TorsionSpring { a, b, stiffness, damping, angle, actuator } =
        force("torsion-spring", &format!("{ENDS}{keys}"))
    else {
        panic!()
    };
    assert_eq!((a.pose.z_axis(), b.pose.z_axis()), (Vec3::x(), Vec3::x()));
    assert_eq!((stiffness, damping, angle), (5.0, 1.0, Some(PI)));
    assert_eq!(actuator.unwrap().value(0.0), 2.0);
}

#[test]
fn bushings_take_a_diagonal_or_a_matrix() {
    let diagonal = "stiffness = [\"1 kN/m\", 2, 3, \"4 N*m/rad\", 5, 6]";
    let ForceKind::Bushing { stiffness, damping, .. } = force("bushing", &format!("{ENDS}{diagonal}")) else {
        panic!()
    };
    assert_eq!((stiffness[(0, 0)], stiffness[(3, 3)], stiffness[(0, 1)]), (1000.0, 4.0, 0.0));
    assert_eq!(damping.norm(), 0.0);
    let rows = "damping = [[1, 0, 0, 0, \"7 N*s/rad\", 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], \
                [0, 0, 0, 1, 0, 0], [7, 0, 0, 0, 60, 0], [0, 0, 0, 0, 0, 1]]";
    let ForceKind::Bushing { damping, .. } = force("bushing", &format!("{ENDS}{rows}")) else { panic!() };
    assert_eq!((damping[(0, 4)], damping[(4, 0)], damping[(4, 4)]), (7.0, 7.0, 60.0));
}

#[test]
fn applied_forces_torques_and_drag() {
    let on = "on = { body = \"link\", at = [0, 0, \"1 cm\"] }\n";
    let ForceKind::Force { on: place, components, axes } = force(
        "force",
        &format!("{on}force = [\"1 N\", \"2 N/s*t\", {{ table = [[0, 0], [1, 4]] }}]\naxes = \"body\""),
    ) else {
        panic!()
    };
    assert_eq!((place.body, place.pose.translation.z, axes), (1, 0.01, ForceAxes::Body));
    assert_eq!(components.map(|f| f.value(0.5)), [1.0, 1.0, 2.0]);
    let ForceKind::Torque { components, axes, .. } =
        force("torque", &format!("{on}torque = [0, 0, \"3 N*m\"]"))
    else {
        panic!()
    };
    assert_eq!((components[2].value(9.0), axes), (3.0, ForceAxes::World));
    let drag = force("drag", &format!("{on}linear = \"1 N*s/m\"\nquadratic = \"2 N*s^2/m^2\"\nangular = 3"));
    assert!(matches!(drag, ForceKind::Drag { linear: 1.0, quadratic: 2.0, angular: 3.0, .. }));
}

#[test]
fn cables() {
    let path = "path = [{ body = \"base\", at = [0, 0, \"1.5 m\"] }, { body = \"base\", eyelet = true }, { body = \"link\", at = [0, 1, 0] }]\n";
    let rate = "rate = { table = [[\"0 s\", \"0 m/s\"], [\"1 s\", \"-0.15 m/s\"]] }\n";
    let ForceKind::Cable { path: points, length, elasticity } =
        force("cable", &format!("{path}{rate}ideal = true\nlength = \"auto\""))
    else {
        panic!()
    };
    assert_eq!((points.len(), points[0].pose.translation.z, points[2].body), (3, 1.5, 1));
    assert_eq!((length.initial, elasticity), (None, None));
    assert_eq!(length.rate.unwrap().value(0.5), -0.075);
    let ForceKind::Cable { length, elasticity, .. } =
        force("cable", &format!("{path}stiffness = \"1 kN/m\"\ndamping = 3\nlength = \"2 m\""))
    else {
        panic!()
    };
    assert_eq!(
        (length.initial, elasticity),
        (Some(2.0), Some(CableElasticity { stiffness: 1000.0, damping: 3.0 }))
    );
}

#[test]
fn constraints_of_every_kind() {
    assert!(matches!(constraint("point", ENDS), ConstraintKind::PointOnPoint { .. }));
    let ConstraintKind::Distance { length, .. } =
        constraint("distance", &format!("{ENDS}length = \"20 cm\""))
    else {
        panic!()
    };
    assert_eq!(length, Some(0.2));
    assert!(matches!(constraint("distance", ENDS), ConstraintKind::Distance { length: None, .. }));
    let wheel = "a = { body = \"base\", at = [0, 0, \"-30 cm\"] }\nb = { body = \"link\" }\n";
    let ConstraintKind::Rolling { radius, axis, .. } =
        constraint("rolling", &format!("{wheel}radius = \"30 cm\"\naxis = \"y\""))
    else {
        panic!()
    };
    assert_eq!((radius, axis), (0.3, Some(Vec3::y())));
    let at = |joint: usize, axis: usize| JointCoordinate { joint, axis };
    // A rack: 2 cm per radian.
    let ConstraintKind::Coupling { terms, offset } =
        constraint("gear", "joints = [\"first\", \"slide.q1\"]\nratio = \"2 cm/rad\"\noffset = \"1 m\"")
    else {
        panic!()
    };
    assert_eq!((terms, offset), (vec![(at(1, 1), 1.0), (at(0, 0), -0.02)], Some(1.0)));
    let ConstraintKind::Coupling { terms, offset } = constraint(
        "coupling",
        "terms = [{ joint = \"first\", factor = 2 }, { joint = \"slide\", axis = 0 }, { joint = \"slide\", axis = 1, factor = \"3 rad/m\" }]\noffset = \"10 deg\"",
    ) else {
        panic!()
    };
    assert_eq!(terms, [(at(0, 0), 2.0), (at(1, 0), 1.0), (at(1, 1), 3.0)]);
    assert_eq!(offset, Some(10.0 * (PI / 180.0)));
}

#[test]
fn parts_of_components_name_their_own_bodies_and_joints() {
    let text = links(
        "[component.leg]\nparams = { k = \"1 N/m\" }\n\
         body.hip = { mass = 1, inertia = 1 }\nbody.foot = { mass = 1, inertia = 1 }\n\
         joint.knee = { type = \"prismatic\", a = { body = \"hip\" }, b = { body = \"foot\" } }\n\
         force.spring = { type = \"spring-damper\", a = { body = \"hip\" }, b = { body = \"world\" }, stiffness = \"k\" }\n\
         [component.pair]\nuse.leg = { component = \"leg\", count = 2, with = { k = \"(i + 1) N/m\" } }\n\
         constraint.mimic = { type = \"gear\", joints = [\"leg[0].knee\", \"leg[1].knee\"], ratio = 1 }\n\
         constraint.rod = { type = \"distance\", a = { body = \"leg[0].hip\" }, b = { body = \"leg[1].hip\", at = [1, 0, 0] } }\n\
         [use.robot]\ncomponent = \"pair\"\n",
    );
    let model = load(&text).model;
    let name = |index: usize| model.bodies[index].name.as_str();
    assert_eq!(model.forces[1].name, "robot.leg[1].spring");
    let ForceKind::SpringDamper { a, b, stiffness, .. } = &model.forces[1].kind else { panic!() };
    assert_eq!((name(a.body), name(b.body), *stiffness), ("robot.leg[1].hip", "world", 2.0));
    let ConstraintKind::Coupling { terms, .. } = &model.constraints[0].kind else { panic!() };
    assert_eq!(model.joints[terms[0].0.joint].name, "robot.leg[1].knee");
    let ConstraintKind::Distance { a, .. } = &model.constraints[1].kind else { panic!() };
    assert_eq!(name(a.body), "robot.leg[0].hip");
}

#[test]
fn coordinates_and_formulations() {
    let solver = |keys: &str| {
        load(&links("").replace("t_end = \"1 s\"", &format!("t_end = \"1 s\"\n{keys}"))).model.solver
    };
    assert_eq!((solver("").coordinates, solver("").formulation), (Coordinates::Joint, Formulation::Kkt));
    let s = solver("coordinates = \"body\"\nformulation = \"ali3p\"");
    let ali3p = |penalty| Formulation::Ali3p { penalty };
    assert_eq!((s.coordinates, s.formulation, s.fixed_step()), (Coordinates::Body, ali3p(1e5), None));
    let s = solver("formulation = { type = \"ali3p\", step = \"1 ms\", penalty = 1e4 }");
    assert_eq!((s.formulation, s.fixed_step()), (ali3p(1e4), Some(0.001)));
    let s = solver("method = \"rodas3\"\nformulation = { type = \"kkt\", step = \"1 ms\" }");
    assert_eq!((s.formulation, s.fixed_step()), (Formulation::Kkt, Some(0.001)));
    assert_eq!(solver("formulation = \"kkt\"").formulation, Formulation::Kkt);
}

#[test]
fn actuators_act_on_coordinates() {
    let actuator = |keys: &str| {
        let text = links(&format!("{HINGES}[force.f]\ntype = \"actuator\"\n{keys}\n"));
        let ForceKind::Actuator(actuator) = load(&text).model.forces.remove(0).kind else { panic!() };
        actuator
    };
    let keys = "terms = [{ joint = \"slide\", axis = 1, factor = 4 }]\ncontrol = { table = [[0, 1], [1, 3]] }\n\
                control_range = [-1, 2]\ngain = \"2 kN\"\nbias = \"3 N\"\nstiffness = \"5 N/mm\"\ndamping = 7\n\
                effort_range = [\"-1 kN\", 9]";
    let full = actuator(keys);
    assert_eq!(full.terms, [(JointCoordinate { joint: 1, axis: 1 }, 4.0)]);
    assert_eq!((full.control.value(0.5), full.control_range), (2.0, Some([-1.0, 2.0])));
    assert_eq!((full.gain, full.bias, full.stiffness, full.damping), (2e3, 3.0, 5e3, 7.0));
    assert_eq!(full.effort_range, Some([-1e3, 9.0]));
    let motor = actuator("terms = [{ joint = \"first\" }]\ncontrol = \"90 deg\"\nstiffness = \"2 N*m/rad\"");
    assert_eq!((motor.control.value(0.0), motor.gain, motor.stiffness), (PI / 2.0, 1.0, 2.0));
    let ball = "[joint.ball]\ntype = \"spherical\"\na = { body = \"base\" }\nb = { body = \"link\" }\n";
    let keys = "terms = [{ joint = \"ball\", axis = 2, factor = -3 }, { joint = \"ball\", axis = 0 }]\nstiffness = \"2 N*m/rad\"";
    let text = links(&format!("{ball}[force.f]\ntype = \"actuator\"\n{keys}\n"));
    let ForceKind::Actuator(turns) = load(&text).model.forces.remove(0).kind else { panic!() };
    let at = |axis: usize| JointCoordinate { joint: 0, axis };
    assert_eq!((turns.terms, turns.stiffness), (vec![(at(2), -3.0), (at(0), 1.0)], 2.0));
}

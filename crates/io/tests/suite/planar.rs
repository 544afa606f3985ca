//! Planar models: two numbers for three, one angle, planar joints, outlines and their masses.

use carom_engine::model::{JointKind, Plane};
use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape};
use carom_math::{Quaternion, Vec3};

use crate::kit::{body, codes, joint, load};

/// A planar model with more tables.
fn planar(plane: &str, more: &str) -> String {
    format!(
        "format = 1\n[world]\nplane = \"{plane}\"\ngravity = [0, \"-9.81 m/s^2\"]\n[solver]\nt_end = 1\n{more}"
    )
}

const BLOCK: &str = "[body.block]\nmass = 2\ninertia = 0.1\npos = [0.3, 0.4]\nrot = \"30 deg\"\nvel = [1, 2]\nomega = \"3 rad/s\"\n\
                     shape = { type = \"rectangle\", size = [0.2, 0.1], at = [0.01, 0.02], rot = \"10 deg\" }\n";

fn outline_of(model: &carom_engine::Model, name: &str) -> PlanarShape {
    match &body(model, name).shapes[0].shape {
        Shape::Planar(planar) => planar.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_numbers_are_a_place_in_the_plane() {
    for plane in Plane::ALL {
        let model = load(&planar(plane.name(), BLOCK)).model;
        let (block, n) = (body(&model, "block"), plane.normal());
        assert_eq!(model.plane, Some(plane));
        assert_eq!(model.gravity, plane.vector(0.0, -9.81));
        assert_eq!(block.position, plane.vector(0.3, 0.4));
        assert_eq!(block.velocity, plane.vector(1.0, 2.0));
        assert_eq!(block.angular_velocity, n * 3.0);
        let turn = Quaternion::from_axis_angle(&n, 30.0_f64.to_radians());
        assert_eq!(block.orientation, turn);
        let shape = &block.shapes[0];
        assert_eq!(shape.pose.translation, plane.vector(0.01, 0.02));
        assert!((shape.pose.z_axis() - n).norm() < 1e-15);
        let first = plane.vector(libm::cos(10.0_f64.to_radians()), libm::sin(10.0_f64.to_radians()));
        assert!((shape.pose.rotation * Vec3::x() - first).norm() < 1e-15);
    }
}

/// What no joint ties to a fixed body hangs on a planar joint: one of each group, that which no joint carries.
#[test]
fn loose_groups_hang_on_planar_joints() {
    let two = "[body.a]\nmass = 1\ninertia = 1\n[body.b]\nmass = 1\ninertia = 1\n[body.c]\nmass = 1\ninertia = 1\n\
               [body.base]\nfixed = true\n\
               [joint.hinge]\ntype = \"revolute\"\na = { body = \"b\" }\nb = { body = \"a\" }\n\
               [joint.slide]\ntype = \"prismatic\"\naxis = [1, 0]\na = { body = \"base\" }\nb = { body = \"c\" }\n";
    for plane in Plane::ALL {
        let model = load(&planar(plane.name(), two)).model;
        let names: Vec<&str> = model.joints.iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["hinge", "slide", "b.plane"]);
        let added = joint(&model, "b.plane");
        assert_eq!(added.kind, JointKind::Planar);
        assert!((added.a.pose.z_axis() - plane.normal()).norm() < 1e-15);
        assert!((joint(&model, "hinge").a.pose.z_axis() - plane.normal()).norm() < 1e-15);
        assert!((joint(&model, "slide").a.pose.z_axis() - plane.vector(1.0, 0.0)).norm() < 1e-15);
    }
}

#[test]
fn what_is_written_is_the_same_model() {
    let shapes = "[body.disc]\npos = [0, 1]\nshape = { type = \"circle\", radius = 0.1, thickness = 0.2, density = 1000 }\n\
                  [body.floor]\nfixed = true\nshape.a = { type = \"polygon\", points = [[0, 0], [1, 0], [1, \"50 cm\"]], rot = \"5 deg\" }\n\
                  shape.b = { type = \"point\", at = [0.5, 0.5] }\nshape.c = { type = \"half-space\", normal = [0, 1] }\n\
                  [law.l]\npoint = { normal = \"exact\", stiffness = 1e6, exponent = 1, restitution = 0.5 }\n\
                  [contact]\nc = { a = \"floor.*\", b = \"disc\", law = \"l\" }\n";
    for plane in Plane::ALL {
        let first = load(&planar(plane.name(), &format!("{BLOCK}{shapes}")));
        let second = load(&first.to_toml());
        assert_eq!(first.hash, second.hash, "{}", first.to_toml());
        assert_eq!(first.to_toml(), second.to_toml());
        assert_eq!(first.model.joints.len(), second.model.joints.len());
    }
}

/// Mass and inertia of an outline follow from density and thickness, and are printed.
#[test]
fn outlines_have_a_mass() {
    let disc = "[body.disc]\nshape = { type = \"circle\", radius = 0.1, thickness = 0.2, density = 1000 }\n";
    let loaded = load(&planar("xy", disc));
    let disc = body(&loaded.model, "disc");
    let mass = 1000.0 * std::f64::consts::PI * 0.01 * 0.2;
    assert!((disc.mass / mass - 1.0).abs() < 1e-15);
    assert!((disc.inertia[(2, 2)] / (0.5 * mass * 0.01) - 1.0).abs() < 1e-14);
    assert!(loaded.to_toml().contains(&format!("mass = {:?}", disc.mass)));
}

#[test]
fn outlines_come_from_files_and_generators() {
    let falling = "[body.c]\nmass = 1\ninertia = 1\n";
    let file =
        "[body.b]\nfixed = true\nshape = { type = \"polygon\", file = \"outline.csv\", unit = \"mm\" }\n";
    let Outline::Polygon(polygon) =
        outline_of(&load(&planar("xy", &format!("{falling}{file}"))).model, "b").outline
    else {
        panic!("it is a polygon")
    };
    assert_eq!(polygon.points().len(), 5);
    assert!((polygon.area() - 1.5e-6 * 100.0).abs() < 1e-18, "{}", polygon.area());
    for (keys, points) in [
        ("type = \"gear-outline\", module = 0.01, teeth = 12, profile_points = 5", 12 * 12),
        (
            "type = \"commutator\", radius = 0.02, bars = 20, slot = 5e-4, depth = 1e-3, roughness = 1e-6",
            20 * 42,
        ),
        ("type = \"ratchet\", radius = 0.02, teeth = 12, depth = 2e-3", 24),
    ] {
        let text = planar("xy", &format!("{falling}[body.b]\nfixed = true\nshape = {{ {keys} }}\n"));
        let Outline::Polygon(polygon) = outline_of(&load(&text).model, "b").outline else {
            panic!("it is a polygon")
        };
        assert_eq!(polygon.points().len(), points, "{keys}");
    }
}

#[test]
fn what_leaves_the_plane_is_told() {
    for more in [
        "[body.b]\nmass = 1\ninertia = 1\npos = [0, 0, 1]\n",
        "[body.b]\nmass = 1\ninertia = 1\nvel = [0, 0, 1]\n",
        "[body.b]\nmass = 1\ninertia = 1\nomega = [1, 0, 0]\n",
        "[body.b]\nmass = 1\ninertia = 1\nrot = { axis = \"x\", angle = \"10 deg\" }\n",
        "[body.b]\nmass = 1\ninertia = 1\n[joint.j]\ntype = \"revolute\"\naxis = \"x\"\na = { body = \"world\" }\nb = { body = \"b\" }\n",
        "[body.b]\nmass = 1\ninertia = 1\n[joint.j]\ntype = \"spherical\"\na = { body = \"world\" }\nb = { body = \"b\" }\n",
    ] {
        assert_eq!(codes(&planar("xy", more)), ["E0334"], "{more}");
    }
}

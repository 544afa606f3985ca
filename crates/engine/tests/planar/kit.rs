//! Planar models by hand: bodies of one outline each, on planar joints.

use std::sync::Arc;

use carom_engine::Model;
use carom_engine::law::{Law, NormalKind};
use carom_engine::model::{Attachment, AxisElements, Body, Joint, JointKind, Plane};
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_geometry::{MassProperties, Shape};
use carom_math::{Pose, Quaternion, Vec2, Vec3};

use crate::scene;

pub(crate) const G: f64 = 9.81;
/// Stiffness of the linear laws (N/m).
pub(crate) const K: f64 = 1e6;

pub(crate) fn polygon(points: &[[f64; 2]]) -> Shape {
    let points = points.iter().map(|&[x, y]| Vec2::new(x, y)).collect();
    outline(Polygon::new(points).unwrap())
}

pub(crate) fn rectangle(width: f64, height: f64) -> Shape {
    outline(Polygon::rectangle(width, height).unwrap())
}

fn outline(polygon: Polygon) -> Shape {
    Shape::Planar(PlanarShape { outline: Outline::Polygon(Arc::new(polygon)), thickness: 0.1 })
}

pub(crate) fn circle(radius: f64) -> Shape {
    Shape::Planar(PlanarShape { outline: Outline::Circle { radius }, thickness: 0.1 })
}

/// A place in the plane.
pub(crate) fn place(plane: Plane, x: f64, y: f64, angle: f64) -> Pose {
    let turn = Quaternion::from_axis_angle(&plane.normal(), angle).to_matrix();
    Pose { rotation: turn, translation: plane.vector(x, y) }
}

pub(crate) fn fixed(plane: Plane, name: &str, shape: Shape, [x, y, angle]: [f64; 3]) -> Body {
    let mut body = scene::fixed(name, shape, place(plane, x, y, angle));
    body.shapes[0].pose.rotation = plane.rotation();
    body
}

/// A body of density 1000 kg/m³, at rest.
pub(crate) fn body(plane: Plane, name: &str, shape: Shape, [x, y, angle]: [f64; 3]) -> Body {
    let mass = MassProperties::of_shape(&shape, 1000.0).unwrap();
    let inertia = plane.rotation() * mass.inertia * plane.rotation().transpose();
    let mut body = scene::body(name, mass.mass, inertia, shape, place(plane, x, y, angle));
    body.com = plane.rotation() * mass.com;
    body.shapes[0].pose.rotation = plane.rotation();
    body
}

/// K = 1e6 N/m, Hunt–Crossley.
pub(crate) fn law(restitution: f64, mu: Option<f64>) -> Law {
    let mut law = scene::law(NormalKind::HuntCrossley, restitution);
    let point = scene::point(&mut law);
    (point.stiffness, point.exponent) = (Some(K), 1.0);
    (law.mu, law.v_reg) = (mu, mu.map(|_| 1e-4));
    law
}

/// All bodies against each other, gravity along the second axis of the plane.
pub(crate) fn model(plane: Plane, bodies: Vec<Body>, law: Law, gravity: f64, t_end: f64) -> Model {
    let mut model = scene::model(bodies, law, gravity, t_end, 1e-9);
    model.gravity = plane.vector(0.0, -gravity);
    model.plane = Some(plane);
    let frame = Pose { rotation: plane.rotation(), translation: Vec3::zeros() };
    let world = scene::fixed("world", Shape::HalfSpace, Pose::identity());
    model.bodies.push(Body { shapes: Vec::new(), ..world });
    let world = model.bodies.len() - 1;
    for (index, body) in model.bodies.iter().enumerate().filter(|(_, body)| !body.fixed) {
        model.joints.push(Joint {
            name: format!("{}.plane", body.name),
            kind: JointKind::Planar,
            a: Attachment { body: world, pose: frame },
            b: Attachment { body: index, pose: frame },
            cut: false,
            position: None,
            velocity: None,
            elements: vec![AxisElements::default(); 3],
        });
    }
    model
}

//! Bodies of the model, as the dynamics sees them.

use std::collections::BTreeSet;

use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion};

use super::turning::{brace, levers};
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{BodyData, smallest_moment};
use crate::model::{Body, BodyShape, Method, Model, ShapeRef};

pub(super) fn compile_bodies(model: &Model) -> Vec<BodyData> {
    let levers = levers(model);
    // A body that is held at its centre of mass only has no lever of its own.
    let longest = Some(levers.iter().copied().fold(0.0, f64::max)).filter(|l| *l > 0.0).unwrap_or(1.0);
    let braces: Vec<f64> = model
        .bodies
        .iter()
        .zip(&levers)
        .map(|(body, &lever)| {
            let has_none = smallest_moment(&body.inertia) <= 0.0;
            brace(body, if lever == 0.0 && has_none { longest } else { lever })
        })
        .collect();
    let cut = cut_into_triangles(model);
    model
        .bodies
        .iter()
        .zip(levers.iter().zip(&braces))
        .enumerate()
        .map(|(index, (body, (&lever, &brace)))| BodyData {
            link: None,
            mass: body.mass,
            inertia: body.inertia,
            brace,
            inverse_inertia: (body.inertia + Mat3::from_diagonal_element(brace))
                .try_inverse()
                .unwrap_or_default(),
            lever,
            com: body.com,
            initial: initial_kinematics(body),
            orientation: body.orientation.normalized(),
            sweep_radius: (body.shapes.iter().enumerate())
                .map(|(shape, s)| sweep_radius(body, s, cut.contains(&ShapeRef { body: index, shape })))
                .fold(0.0, f64::max),
            round_radius: body.shapes.iter().map(|s| sweep_radius(body, s, false)).fold(0.0, f64::max),
            sagitta: (body.shapes.iter().enumerate())
                .filter(|(shape, _)| cut.contains(&ShapeRef { body: index, shape: *shape }))
                .map(|(_, s)| sagitta(s))
                .fold(0.0, f64::max),
        })
        .collect()
}

fn initial_kinematics(body: &Body) -> BodyKinematics {
    let rotation = Quaternion::normalized(&body.orientation).to_matrix();
    let arm = rotation * body.com;
    let moving = if body.fixed { 0.0 } else { 1.0 };
    BodyKinematics {
        pose: Pose { rotation, translation: body.position + arm },
        velocity: (body.velocity + body.angular_velocity.cross(&arm)) * moving,
        angular_velocity: body.angular_velocity * moving,
    }
}

/// Surfaces that some contact line takes as triangles.
fn cut_into_triangles(model: &Model) -> BTreeSet<ShapeRef> {
    let cuts = |line: usize| matches!(model.contact_lines[line].method, Method::Pcm | Method::Region);
    let listed = model.pairs.iter().filter(|pair| cuts(pair.line)).flat_map(|pair| [pair.a, pair.b]);
    let wide = model.wide_lines.iter().filter(|wide| wide.line.is_some_and(cuts));
    listed.chain(wide.flat_map(|wide| wide.sides.iter().flatten().copied())).collect()
}

/// A ball that turns about its centre stays where it is, but for one of triangles: only the offset of its centre counts.
fn sweep_radius(body: &Body, shape: &BodyShape, is_cut: bool) -> f64 {
    let offset = (shape.pose.translation - body.com).norm();
    match shape.shape {
        Shape::Sphere { .. } if !is_cut => offset,
        _ => offset + shape.enclosing_radius(is_cut),
    }
}

/// How deep the facets of a sphere of triangles cut (m).
fn sagitta(shape: &BodyShape) -> f64 {
    let Shape::Sphere { radius, .. } = shape.shape else { return 0.0 };
    // Whether it can be made of triangles is told with its contact.
    let Some(Ok(mesh)) = shape.triangles() else { return radius };
    let planes = mesh.corners().map(|[a, b, c]| {
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
        normal.map_or(radius, |n| n.dot(&a).abs())
    });
    let lowest = planes.fold(radius, f64::min);
    // Corners that stand out are the other end.
    shape.enclosing_radius(true) - lowest
}

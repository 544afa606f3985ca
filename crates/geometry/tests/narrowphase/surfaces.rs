//! Surfaces as patches of the unit square, and insides by formulas that the kernels do not use.

use std::f64::consts::{PI, TAU};

use carom_geometry::Shape;
use carom_geometry::shape::CylinderSide;
use carom_math::Vec3;

/// How far unbounded surfaces are sampled (m); scenes are a few metres wide.
const FAR: f64 = 20.0;

type Patch = Box<dyn Fn(f64, f64) -> Vec3>;

/// The whole surface, in the shape's frame.
pub(crate) fn patches(shape: &Shape) -> Vec<Patch> {
    match *shape {
        Shape::Sphere { radius, .. } => vec![ball(radius, 0.0, 0.0, PI)],
        Shape::HalfSpace => {
            vec![Box::new(|u, v| Vec3::new(FAR * (2.0 * u - 1.0), FAR * (2.0 * v - 1.0), 0.0))]
        }
        Shape::Box { half } => (0..6).map(|face| block_face(half, face)).collect(),
        Shape::Cylinder(c) => {
            let mut all = vec![barrel(c.radius, c.half_length)];
            let (inner, outer) = match c.side {
                CylinderSide::Hollow { closed: false } => (c.radius, FAR),
                _ => (0.0, c.radius),
            };
            all.extend([-c.half_length, c.half_length].map(|z| ring(inner, outer, z)));
            all
        }
        Shape::Capsule { radius, half_length } => vec![
            barrel(radius, half_length),
            ball(radius, half_length, 0.0, 0.5 * PI),
            ball(radius, -half_length, 0.5 * PI, PI),
        ],
        Shape::Convex(_) | Shape::Mesh(_) | Shape::Planar(_) => {
            panic!("no kernel takes a convex solid, a mesh or an outline")
        }
    }
}

/// Does the point (shape's frame) lie in the solid?
pub(crate) fn is_inside(shape: &Shape, p: &Vec3) -> bool {
    match *shape {
        Shape::Sphere { radius, hollow } => (p.norm() < radius) != hollow,
        Shape::HalfSpace => p.z < 0.0,
        Shape::Box { half } => p.x.abs() < half.x && p.y.abs() < half.y && p.z.abs() < half.z,
        Shape::Cylinder(c) => {
            let in_bore = p.x.hypot(p.y) < c.radius;
            let between_ends = p.z.abs() < c.half_length;
            match c.side {
                CylinderSide::Solid => in_bore && between_ends,
                CylinderSide::Hollow { closed: true } => !(in_bore && between_ends),
                CylinderSide::Hollow { closed: false } => !in_bore && between_ends,
            }
        }
        Shape::Capsule { radius, half_length } => {
            let beyond = (p.z.abs() - half_length).max(0.0);
            p.x * p.x + p.y * p.y + beyond * beyond < radius * radius
        }
        Shape::Convex(_) | Shape::Mesh(_) | Shape::Planar(_) => {
            panic!("no kernel takes a convex solid, a mesh or an outline")
        }
    }
}

/// Distance of the point (shape's frame) from a sheet of the surface, zero on it. The walls of a closed
/// cavity and the end balls of a capsule are whole sheets, as they are features of their own.
pub(crate) fn off_surface(shape: &Shape, p: &Vec3) -> f64 {
    match *shape {
        Shape::Sphere { radius, .. } => (p.norm() - radius).abs(),
        Shape::HalfSpace => p.z.abs(),
        Shape::Box { half } => (p.abs() - half).max().abs(),
        Shape::Cylinder(c) => {
            let (wall, end) = (p.x.hypot(p.y) - c.radius, p.z.abs() - c.half_length);
            match c.side {
                CylinderSide::Solid => wall.max(end).abs(),
                CylinderSide::Hollow { closed: true } => wall.abs().min(end.abs()),
                CylinderSide::Hollow { closed: false } => (-wall).max(end).abs(),
            }
        }
        Shape::Capsule { radius, half_length } => {
            let from_end = [half_length, -half_length]
                .map(|z| ((p - Vec3::new(0.0, 0.0, z)).norm() - radius).abs())
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            let beside = (p.x.hypot(p.y) - radius).abs();
            if p.z.abs() < half_length { from_end.min(beside) } else { from_end }
        }
        Shape::Convex(_) | Shape::Mesh(_) | Shape::Planar(_) => {
            panic!("no kernel takes a convex solid, a mesh or an outline")
        }
    }
}

fn ball(radius: f64, centre: f64, from: f64, to: f64) -> Patch {
    Box::new(move |u, v| {
        let (polar, azimuth) = (from + (to - from) * u, TAU * v);
        let across = radius * polar.sin();
        Vec3::new(across * azimuth.cos(), across * azimuth.sin(), centre + radius * polar.cos())
    })
}

fn barrel(radius: f64, half_length: f64) -> Patch {
    Box::new(move |u, v| {
        let (sine, cosine) = (TAU * u).sin_cos();
        Vec3::new(radius * cosine, radius * sine, half_length * (2.0 * v - 1.0))
    })
}

fn ring(inner: f64, outer: f64, z: f64) -> Patch {
    Box::new(move |u, v| {
        let (sine, cosine) = (TAU * u).sin_cos();
        let r = inner + (outer - inner) * v;
        Vec3::new(r * cosine, r * sine, z)
    })
}

fn block_face(half: Vec3, face: usize) -> Patch {
    let (axis, side) = (face / 2, [-1.0, 1.0][face % 2]);
    Box::new(move |u, v| {
        let mut p = Vec3::zeros();
        p[axis] = side * half[axis];
        p[(axis + 1) % 3] = half[(axis + 1) % 3] * (2.0 * u - 1.0);
        p[(axis + 2) % 3] = half[(axis + 2) % 3] * (2.0 * v - 1.0);
        p
    })
}

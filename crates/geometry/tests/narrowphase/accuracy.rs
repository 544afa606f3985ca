//! The documented accuracy of each pair against the same gap with twice the digits.

use carom_geometry::shape::CylinderSide;
use carom_geometry::{Cell, Shape, ShapeKind, find_kernel};
use carom_math::{Quaternion, Vec3};
use carom_testkit::{DoubleDouble as Dd, SplitMix64};

use crate::scene::{Scene, random_scene, supported_cells};

#[test]
fn gap_accuracy_is_what_the_table_says() {
    let mut rng = SplitMix64::new(51);
    for cell in supported_cells() {
        let Cell::Direct(kernel) = find_kernel(cell.0, cell.1) else { continue };
        let mut worst: f64 = 0.0;
        for round in 0..4000 {
            let mut scene = random_scene(cell, &mut rng);
            if round % 2 == 0 {
                make_hard(&mut scene, &mut rng);
            }
            for feature in 0..scene.feature_count() {
                let found = Dd::from(scene.point(feature).gap);
                let error = (found - exact_gap(&scene, feature)).to_f64().abs();
                worst = worst.max(error / scale(&scene));
            }
        }
        let stated = kernel.gap_accuracy;
        assert!(worst <= stated, "{}: {worst:e}, stated {stated:e}", kernel.name);
        // A claim ten times worse than what is seen would tell the reader nothing.
        assert!(worst > 0.1 * stated, "{}: {worst:e}, stated {stated:e}", kernel.name);
    }
}

/// Nearly aligned axes, small tilts and centres near surfaces: where cancellation would show.
fn make_hard(scene: &mut Scene, rng: &mut SplitMix64) {
    let tilt = 10f64.powf(rng.uniform(-17.0, 0.0));
    let small = Quaternion::from_axis_angle(&rng.unit_vector(), tilt);
    scene.rotation_a = small.multiply(&scene.rotation_b);
    let contact = scene.point(rng.index(scene.feature_count()));
    let depth = 10f64.powf(rng.uniform(-17.0, -1.0));
    scene.position_b += (-depth - contact.gap) * contact.normal;
}

/// Largest coordinate or length involved (m).
fn scale(scene: &Scene) -> f64 {
    let size = |shape: &Shape| if matches!(shape, Shape::HalfSpace) { 0.0 } else { shape.bounding_radius() };
    scene.position_a.amax().max(scene.position_b.amax()).max(size(&scene.a)).max(size(&scene.b))
}

#[derive(Clone, Copy)]
struct DdVec([Dd; 3]);

impl DdVec {
    fn from(v: &Vec3) -> Self {
        Self([v.x, v.y, v.z].map(Dd::from))
    }

    fn dot(self, other: Self) -> Dd {
        (0..3).fold(Dd::ZERO, |sum, i| sum + self.0[i] * other.0[i])
    }

    fn norm(self) -> Dd {
        self.dot(self).sqrt()
    }

    fn add(self, factor: Dd, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + factor * other.0[i]))
    }

    fn minus(self, other: Self) -> Self {
        self.add(Dd::from(-1.0), other)
    }
}

/// Columns of the rotation of a quaternion, with the exact division by its squared length.
fn axes(q: &Quaternion) -> [DdVec; 3] {
    let [w, x, y, z] = [q.w, q.x, q.y, q.z].map(Dd::from);
    let squared = w * w + x * x + y * y + z * z;
    let one = Dd::from(1.0);
    let two = Dd::from(2.0) / squared;
    let (on, off) = (|a: Dd, b: Dd| one - two * (a * a + b * b), |a: Dd| two * a);
    [
        DdVec([on(y, z), off(x * y + w * z), off(x * z - w * y)]),
        DdVec([off(x * y - w * z), on(x, z), off(y * z + w * x)]),
        DdVec([off(x * z + w * y), off(y * z - w * x), on(x, y)]),
    ]
}

/// Gap of a cell in canonical order.
fn exact_gap(scene: &Scene, feature: usize) -> Dd {
    let offset = DdVec::from(&scene.position_a).minus(DdVec::from(&scene.position_b));
    let (axes_a, axes_b) = (axes(&scene.rotation_a), axes(&scene.rotation_b));
    let in_b = DdVec(axes_b.map(|axis| axis.dot(offset)));
    match (&scene.a, &scene.b) {
        (Shape::Sphere { radius, .. }, b) => exact_sphere_gap(in_b, b, feature) - Dd::from(*radius),
        (Shape::Capsule { radius: ra, half_length: ha }, Shape::Capsule { radius: rb, half_length: hb }) => {
            exact_segment_distance(offset, axes_a[2], Dd::from(*ha), axes_b[2], Dd::from(*hb))
                - Dd::from(*ra)
                - Dd::from(*rb)
        }
        (a, _) => in_b.0[2] + exact_height(a, axes_a.map(|axis| axis.dot(axes_b[2])), feature),
    }
}

/// Signed distance of a point in the frame of a shape.
fn exact_sphere_gap(p: DdVec, shape: &Shape, feature: usize) -> Dd {
    let r = || (p.0[0] * p.0[0] + p.0[1] * p.0[1]).sqrt();
    match *shape {
        Shape::Sphere { radius, hollow: false } => p.norm() - Dd::from(radius),
        Shape::Sphere { radius, hollow: true } => Dd::from(radius) - p.norm(),
        Shape::HalfSpace => p.0[2],
        Shape::Box { half } => exact_block(&[0, 1, 2].map(|i| p.0[i].abs() - Dd::from(half[i]))),
        Shape::Capsule { radius, half_length } => {
            let beyond = (p.0[2].abs() - Dd::from(half_length)).max(Dd::ZERO);
            (r() * r() + beyond * beyond).sqrt() - Dd::from(radius)
        }
        Shape::Cylinder(c) => {
            let (radius, half) = (Dd::from(c.radius), Dd::from(c.half_length));
            match (c.side, feature) {
                (CylinderSide::Solid, _) => exact_block(&[r() - radius, p.0[2].abs() - half]),
                (CylinderSide::Hollow { closed: false }, _) => {
                    exact_block(&[radius - r(), p.0[2].abs() - half])
                }
                (CylinderSide::Hollow { closed: true }, 0) => radius - r(),
                (CylinderSide::Hollow { closed: true }, 1) => half + p.0[2],
                (CylinderSide::Hollow { closed: true }, _) => half - p.0[2],
            }
        }
        Shape::Convex(_) | Shape::Mesh(_) | Shape::Planar(_) => {
            panic!("no kernel takes a convex solid, a mesh or an outline")
        }
    }
}

/// ‖max(e, 0)‖ + min(max e, 0) for the excesses e over the sides of a block of any dimension.
fn exact_block(excess: &[Dd]) -> Dd {
    let outside = excess.iter().fold(Dd::ZERO, |sum, e| {
        let positive = e.max(Dd::ZERO);
        sum + positive * positive
    });
    let largest = excess[1..].iter().fold(excess[0], |best, e| best.max(*e));
    outside.sqrt() + largest.min(Dd::ZERO)
}

/// Height of a feature of a solid over its centre, given the plane's normal in the solid's axes.
fn exact_height(shape: &Shape, n: [Dd; 3], feature: usize) -> Dd {
    let side = |up: bool, length: f64| Dd::from(if up { length } else { -length });
    match *shape {
        Shape::Box { half } => {
            (0..3).fold(Dd::ZERO, |sum, i| sum + n[i] * side(feature >> i & 1 == 1, half[i]))
        }
        Shape::Capsule { radius, half_length } => n[2] * side(feature == 1, half_length) - Dd::from(radius),
        Shape::Cylinder(c) => {
            let tilt = (n[0] * n[0] + n[1] * n[1]).sqrt();
            let rise = [-1.0, 0.0, 1.0][feature % 3];
            n[2] * side(feature >= 3, c.half_length) + Dd::from(rise * c.radius) * tilt
        }
        _ => panic!("no kernel for {:?}", shape.kind()),
    }
}

/// Distance of two segments: the textbook alternation of clamped feet (Ericson, Real-Time Collision
/// Detection, 5.1.9), where the digits suffice for any angle, and both ends of each as a check on it.
fn exact_segment_distance(offset: DdVec, u: DdVec, half_u: Dd, v: DdVec, half_v: Dd) -> Dd {
    let cosine = u.dot(v);
    let (d, e) = (u.dot(offset), v.dot(offset));
    let distance = |s: Dd, t: Dd| offset.add(s, u).add(-t, v).norm();
    let foot_on_v = |s: Dd| (s * cosine + e).clamp(-half_v, half_v);
    let foot_on_u = |t: Dd| (t * cosine - d).clamp(-half_u, half_u);
    let mut best = distance(-half_u, foot_on_v(-half_u)).min(distance(half_u, foot_on_v(half_u)));
    best = best.min(distance(foot_on_u(-half_v), -half_v)).min(distance(foot_on_u(half_v), half_v));
    let sine_squared = Dd::from(1.0) - cosine * cosine;
    if sine_squared.to_f64() > 1e-30 {
        let s = ((cosine * e - d) / sine_squared).clamp(-half_u, half_u);
        best = best.min(distance(foot_on_u(foot_on_v(s)), foot_on_v(s)));
    }
    best
}

#[test]
fn oracle_agrees_with_plain_numbers() {
    // Guards the oracle itself, to the digits of f64, on scenes without cancellation.
    let mut rng = SplitMix64::new(52);
    for cell in [(ShapeKind::Cylinder, ShapeKind::HalfSpace), (ShapeKind::Capsule, ShapeKind::Capsule)] {
        for _ in 0..100 {
            let scene = random_scene(cell, &mut rng);
            let exact = exact_gap(&scene, 0).to_f64();
            assert!((scene.point(0).gap - exact).abs() < 1e-14);
        }
    }
}

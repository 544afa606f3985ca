//! Jacobians of contact forces against differences of the right-hand side.

use carom_engine::analysis::Rates;
use carom_engine::law::{ContactRadius, FrictionKind, Law, NormalKind, VolumeBlock};
use carom_engine::model::{Body, Method};
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{ball, block, cylinder, fixed, floor, law, model, of_mesh, point};

/// Weights of f(y + h) − f(y − h) and f(y + 2h) − f(y − 2h) over h: fourth order.
const WEIGHTS: [(f64, f64); 2] = [(1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0)];

/// Increments of x, q, v, ω: small against penetrations of 1e-4 m and regularisations of 0.05 m/s.
fn increment(state: usize) -> f64 {
    match state % 13 {
        0..3 => 1e-7,
        3..7 => 3e-7,
        7..10 => 1e-5,
        _ => 1e-4,
    }
}

/// Largest miss of the Jacobian at the start, over the largest entry of its column, or `floor` times the largest by states
/// of the same kind.
pub(crate) fn miss_above(model: &Model, floor: f64) -> f64 {
    let system = System::compile(model).expect("a sound model");
    miss_of(&mut Rates::in_contact(&system), floor)
}

/// The same of a right-hand side whose contacts have begun.
pub(crate) fn miss_of(rates: &mut Rates<'_>, floor: f64) -> f64 {
    let y = rates.initial().to_vec();
    let n = y.len();
    let mut matrix = vec![f64::NAN; n * n];
    assert!(rates.jacobian(0.0, &y, &mut matrix).unwrap());
    let mut slopes = vec![0.0; n * n];
    let mut out = vec![0.0; n];
    for column in 0..n {
        let h = increment(column);
        for (times, weight) in WEIGHTS {
            for sign in [1.0, -1.0] {
                let mut there = y.clone();
                there[column] += sign * times * h;
                rates.update(0.0, &there, &mut out).unwrap();
                let column = slopes.iter_mut().skip(column).step_by(n);
                column.zip(&out).for_each(|(slope, rate)| *slope += sign * weight / h * rate);
            }
        }
    }
    // A column that happens to vanish is measured by those of its kind.
    let largest = |columns: &dyn Fn(usize) -> bool| {
        let entries = slopes.iter().enumerate().filter(|(i, _)| columns(i % n));
        entries.fold(0.0, |a: f64, (_, s)| a.max(s.abs()))
    };
    let mut worst: f64 = 0.0;
    for column in 0..n {
        let of_kind = largest(&|c| increment(c) == increment(column));
        let size = largest(&|c| c == column).max(floor * of_kind);
        for i in (column..n * n).step_by(n) {
            worst = worst.max((slopes[i] - matrix[i]).abs() / size);
        }
    }
    worst
}

pub(crate) fn miss(model: &Model) -> f64 {
    miss_above(model, 1e-3)
}

/// Numbers in −1..1 that look random and are the same everywhere.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number()) * size
    }
    fn turned(&mut self, mut body: Body) -> Body {
        body.orientation = Quaternion::from_rotation_vector(&self.vector(2.0));
        body
    }
    fn thrown(&mut self, mut body: Body) -> Body {
        body.velocity = self.vector(0.1);
        body.angular_velocity = self.vector(2.0);
        body
    }
}

/// A law with everything in it.
pub(crate) fn full_law(normal: NormalKind, friction: FrictionKind) -> Law {
    let mut law = law(normal, 0.6);
    law.mu = Some(0.3);
    law.mu_static = Some(0.5);
    law.v_reg = Some(0.05);
    law.mu_visc = 0.7;
    law.rolling.mu_roll = Some(0.02);
    law.rolling.mu_spin = Some(0.03);
    law.rolling.roll_arm = Some(0.4e-3);
    law.rolling.spin_arm = Some(0.7e-3);
    law.rolling.w_reg = Some(1.3);
    let p = point(&mut law);
    p.friction = friction;
    p.v_small = 0.05;
    p.w_small = 0.7;
    if normal == NormalKind::Anagnostopoulos {
        p.exponent = 1.0;
    }
    law
}

pub(crate) const COULOMB: FrictionKind = FrictionKind::Coulomb { smooth_step: false, v_stribeck: Some(0.1) };

/// Two balls that overlap by 0.1 mm, both thrown and turned.
fn two_balls(law: Law, seed: u64) -> Model {
    let mut dice = Dice(seed);
    let apart = dice.vector(1.0).normalize() * (0.1 + 0.07 - 1e-4);
    let base = dice.vector(0.5);
    let bodies = [ball("a", 0.7, 0.1, base), ball("b", 1.1, 0.07, base + apart)];
    let bodies = bodies.map(|body| {
        let body = dice.turned(body);
        dice.thrown(body)
    });
    let mut m = model(bodies.to_vec(), law, 9.81, 1.0, 1e-6);
    m.bodies[1].inertia[(0, 0)] *= 1.2;
    m
}

/// Rounding of the right-hand side over the increments is 1e-8 and the differences of the geometry less.
const TOLERANCE: f64 = 1e-6;

#[test]
fn every_normal_law() {
    for kind in NormalKind::ALL {
        for seed in 0..8 {
            let mut law = full_law(kind, COULOMB);
            if kind == NormalKind::ElasticResponse {
                law.young_modulus = Some(1e7);
                law.poisson_ratio = Some(0.3);
                point(&mut law).stiffness = None;
            }
            let worst = miss(&two_balls(law, seed));
            assert!(worst < TOLERANCE, "{} {seed}: {worst:e}", kind.name());
        }
    }
}

#[test]
fn every_friction_law() {
    let kinds = [
        FrictionKind::None,
        FrictionKind::Coulomb { smooth_step: false, v_stribeck: None },
        COULOMB,
        FrictionKind::Coulomb { smooth_step: true, v_stribeck: Some(0.1) },
        FrictionKind::Ambrosio { v0: None, v1: None },
        FrictionKind::Ambrosio { v0: Some(0.02), v1: Some(0.3) },
        FrictionKind::Threlfall,
        FrictionKind::BengisuAkay { decay: 3.0 },
    ];
    for kind in kinds {
        for seed in 0..20 {
            let worst = miss(&two_balls(full_law(NormalKind::HuntCrossley, kind), seed));
            assert!(worst < TOLERANCE, "{kind:?} {seed}: {worst:e}");
        }
    }
}

/// Spheres, capsules, cylinders and corners against what they may meet: every kernel's own curvature is in the Jacobian.
#[test]
fn pairs_of_shapes() {
    let deep = 1e-4;
    let sphere = |dice: &mut Dice, at: Vec3| {
        let body = dice.turned(ball("ball", 0.7, 0.1, at));
        dice.thrown(body)
    };
    let tube = |radius, side| Shape::Cylinder(Cylinder { radius, half_length: 0.3, side });
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let standing = Pose::identity();
        let scenes: Vec<(&str, Vec<Body>)> = vec![
            ("floor", vec![floor(), sphere(&mut dice, Vec3::new(0.3, 0.2, 0.1 - deep))]),
            ("cylinder", {
                let turned = dice.turned(cylinder("c", 1.2, 0.2, 0.8, standing));
                let out = turned.orientation.to_matrix() * Vec3::new(0.3 - deep, 0.0, 0.05);
                vec![dice.thrown(turned), sphere(&mut dice, out)]
            }),
            ("hollow", {
                let wall = fixed("c", tube(0.25, CylinderSide::Hollow { closed: false }), standing);
                vec![wall, sphere(&mut dice, Vec3::new(0.15 + deep, 0.0, 0.05))]
            }),
            ("box edge", {
                let turned = dice.turned(block("box", 1.0, Vec3::new(0.4, 0.3, 0.5), standing));
                let out = Vec3::new(0.6, 0.8, 0.0) * (0.1 - deep) + Vec3::new(0.2, 0.15, 0.02);
                let at = turned.orientation.to_matrix() * out;
                vec![dice.thrown(turned), sphere(&mut dice, at)]
            }),
            ("corners", {
                let tilt = Quaternion::from_rotation_vector(&Vec3::new(3e-4, -2e-4, 0.4));
                let mut body = block("box", 1.0, Vec3::new(0.4, 0.3, 0.5), standing);
                body.orientation = tilt;
                body.position.z = 0.25 - 2e-4;
                vec![floor(), dice.thrown(body)]
            }),
        ];
        for (name, bodies) in scenes {
            let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
            point(&mut law).exponent = 1.5;
            let worst = miss(&model(bodies, law, 9.81, 1.0, 1e-6));
            assert!(worst < TOLERANCE, "{name} {seed}: {worst:e}");
        }
    }
}

/// The manifold of two boxes: its Jacobian guesses how points and normal move, which matters for shifts along the faces,
/// whose forces are a thousandth of those across them, as the penetration is of the size.
#[test]
fn convex_manifolds_nearly() {
    let mut dice = Dice(5);
    let lower = block("lower", 2.0, Vec3::new(0.4, 0.4, 0.2), Pose::identity());
    let mut upper = block("upper", 1.0, Vec3::new(0.2, 0.2, 0.2), Pose::identity());
    upper.position.z = 0.2 - 2e-4;
    upper.orientation = Quaternion::from_rotation_vector(&Vec3::new(2e-4, -1e-4, 0.3));
    let bodies = [lower, upper].map(|body| dice.thrown(body)).to_vec();
    let mut m = model(bodies, full_law(NormalKind::HuntCrossley, COULOMB), 9.81, 1.0, 1e-6);
    m.contact_lines[0].method = Method::Auto;
    let worst = miss_above(&m, 1.0);
    assert!(worst < 0.01, "{worst:e}");
}

/// Signs of a free body's states in the mirror y → −y: of a vector, a quaternion, a vector, an axial one in body axes.
const MIRROR: [f64; 13] = [1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0];

/// What is its own mirror image has a Jacobian that is: else Newton's iterations would leave the plane of symmetry by their
/// tolerance, step after step.
#[test]
fn mirror_images_have_mirrored_jacobians() {
    let tilted = |angle: f64| Quaternion::from_rotation_vector(&Vec3::new(0.0, angle, 0.0));
    let cube = |name: &str, x: f64, z: f64, angle: f64| {
        let mut body = block(name, 1.0, Vec3::new(0.1, 0.3, 0.2), Pose::identity());
        body.position = Vec3::new(x, 0.0, z);
        body.orientation = tilted(angle);
        body.velocity = Vec3::new(0.02, 0.0, -0.03);
        body.angular_velocity = Vec3::new(0.0, 0.4, 0.0);
        body
    };
    let low = 0.05 * 0.3_f64.sin() + 0.1 * 0.3_f64.cos() - 1e-4;
    let scenes = [
        ("face", vec![floor(), cube("a", 0.0, 0.1 - 1e-4, 0.0)]),
        ("edge", vec![floor(), cube("a", 0.0, low, 0.3)]),
        ("neighbours", vec![floor(), cube("a", 0.0, low, 0.3), cube("b", 0.127, 0.1 - 1e-5, 0.0)]),
        ("leaning", vec![floor(), cube("a", 0.0, low, 0.3), cube("b", 0.1049, low, 0.3)]),
    ];
    for (name, bodies) in scenes {
        let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
        law.rolling.mu_roll = None;
        law.rolling.mu_spin = None;
        let mut m = model(bodies, law, 9.81, 1.0, 1e-6);
        m.contact_lines[0].method = Method::Auto;
        let system = System::compile(&m).expect("a sound model");
        let mut rates = Rates::in_contact(&system);
        let y = rates.initial().to_vec();
        let n = y.len();
        let mut matrix = vec![f64::NAN; n * n];
        assert!(rates.jacobian(0.0, &y, &mut matrix).unwrap());
        let largest = matrix.iter().fold(0.0, |a: f64, s| a.max(s.abs()));
        for (i, entry) in matrix.iter().enumerate() {
            let sign = MIRROR[i / n % 13] * MIRROR[i % n % 13];
            assert!(
                sign > 0.0 || entry.abs() < 1e-10 * largest,
                "{name} {} {}: {entry:e} of {largest:e}",
                i / n,
                i % n
            );
        }
    }
}

/// A corner that presses into a face by regions, by depth and by volume, thrown and turned; also far from the origin and at a speed
/// that both share, where differences of the whole state lose what they share. Away from where the contour comes to other triangles
/// the geometry is smooth.
#[test]
fn regions() {
    let slab = surface::block(Vec3::new(0.3, 0.3, 0.1), Resolution::Divisions(1)).unwrap();
    let cube = surface::block(Vec3::repeat(0.05), Resolution::Divisions(1)).unwrap();
    for seed in 0..6 {
        for (volume, far) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut dice = Dice(seed);
            let turn = Quaternion::from_rotation_vector(&dice.vector(0.2)).to_matrix()
                * Quaternion::from_rotation_vector(&Vec3::new(0.6, 0.7, 0.0)).to_matrix();
            let low = 0.05 * (turn[(2, 0)].abs() + turn[(2, 1)].abs() + turn[(2, 2)].abs());
            let at = Vec3::new(0.03, -0.1, 0.1 + low - 1e-3);
            let bodies = [("slab", &slab, Vec3::zeros(), Mat3::identity()), ("cube", &cube, at, turn)];
            let bodies = bodies.map(|(name, mesh, at, turn)| {
                let mut body = dice.thrown(ball(name, 0.7, 0.1, at));
                body.orientation = Quaternion::from_matrix(&turn);
                body.shapes[0].shape = of_mesh(mesh.clone());
                body.shapes[0].contact_radius = Some(ContactRadius::Radius(0.07));
                if far {
                    body.position += Vec3::new(30.0, -20.0, 200.0);
                    body.velocity += Vec3::new(0.0, 0.0, -60.0);
                }
                body
            });
            let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
            point(&mut law).exponent = 1.5;
            if volume {
                law.volume =
                    Some(VolumeBlock { stiffness: Some(1e14), restitution: Some(0.6), v_small: 0.05 });
            }
            let mut scene = model(bodies.to_vec(), law, 9.81, 1.0, 1e-6);
            scene.contact_lines[0].method = Method::Region;
            // Displacements are a thousandth of the depth, whose third power the volume is: 2e-6 of a slope is cut off.
            let worst = miss(&scene);
            assert!(worst < 1e-5, "{seed} {volume} {far}: {worst:e}");
        }
    }
}

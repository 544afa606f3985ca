//! Hulls of meshes in single precision: a flat face is many triangles that are nearly coplanar.

use carom_engine::law::NormalKind;
use carom_engine::model::{AxisElements, AxisSpring, JointKind, Method};
use carom_engine::{EndReason, Model};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape};
use carom_math::{Pose, Vec3, orthonormal_basis};
use carom_testkit::SplitMix64;

use crate::mechanism::{at, joint, part};
use crate::scene::{self, law};

/// A round sole of 36 mm with a chamfer, its corners off by up to 10 nm.
fn sole() -> Shape {
    let mut rng = SplitMix64::new(1);
    let mut points = Vec::new();
    for (radius, z) in [(0.018, -0.02), (0.02, -0.018), (0.02, -0.005), (0.012, 0.01)] {
        points.extend((0..24).map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 24.0;
            Vec3::new(radius * angle.cos(), radius * angle.sin(), z) + 1e-8 * rng.vector_in_cube(1.0)
        }));
    }
    Shape::Convex(ConvexShape::hull(ConvexHull::of_points(&points).expect("a solid"), 0.0))
}

/// A leg of 4 kg slides down along z; a spring in its ankle holds a foot with that sole at `angle` (rad) against the floor, which
/// would have it flat.
fn leg(floor: Shape, angle: f64) -> Model {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.1));
    let floor = match floor {
        Shape::HalfSpace => scene::floor(),
        block => scene::fixed("floor", block, pose),
    };
    let mut foot = part("foot", 0.3, Vec3::repeat(2e-4));
    foot.shapes = scene::ball("foot", 1.0, 1.0, Vec3::zeros()).shapes;
    foot.shapes[0].shape = sole();
    let bodies = vec![floor, part("leg", 4.0, Vec3::repeat(2e-2)), foot];
    let mut friction = law(NormalKind::Exact, 0.1);
    (friction.mu, friction.v_reg) = (Some(0.6), Some(0.01));
    scene::point(&mut friction).stiffness = Some(4e6);
    let mut model = scene::model(bodies, friction, 9.81, 1.0, 1e-6);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [0, 2]);
    model.contact_lines[0].method = Method::Convex;
    let axis = Vec3::new(0.9, 0.436, 0.0).normalize();
    let (u, v) = orthonormal_basis(&axis);
    let about = carom_math::Mat3::from_columns(&[u, v, axis]);
    let mut ankle = joint("ankle", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
    (ankle.a.pose.rotation, ankle.b.pose.rotation) = (about, about);
    ankle.position = Some(vec![angle]);
    let spring = AxisSpring { stiffness: 20.0, damping: 0.02, rest: angle };
    ankle.elements = vec![AxisElements { spring: Some(spring), ..AxisElements::default() }];
    model.joints =
        vec![joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0208), at(1, 0.0, 0.0, 0.0)), ankle];
    if model.bodies[0].position.z != 0.0 {
        model.joints[0].a.pose.translation.z += 0.1;
    }
    model
}

/// The load lies between two triangles of the sole, to which neither alone would carry it: with one at a time the force jumps to
/// and fro, and steps fall to a microsecond.
#[test]
fn a_sole_of_many_triangles_stands_as_one() {
    let block = Shape::Box { half: Vec3::new(2.0, 2.0, 0.1) };
    for floor in [Shape::HalfSpace, block] {
        for degrees in [0.2_f64, 1.0, 3.0] {
            let (outcome, _) = scene::run_any(&leg(floor.clone(), degrees.to_radians()));
            assert_eq!(outcome.end, EndReason::Finished, "{degrees}");
            assert!(outcome.statistics.steps < 2000, "{degrees}: {:?}", outcome.statistics);
            assert!(outcome.bodies[2].velocity.norm() < 1e-4, "{degrees}: {:?}", outcome.bodies[2]);
        }
    }
}

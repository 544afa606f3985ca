//! Robots that stand on their feet. Their legs are planar: how feet move across the planes of the legs hangs on three velocities of the base, and of four
//! feet friction's shares are free, or free but for how the base leans.

use carom_engine::Model;
use carom_engine::function::TimeFunction;
use carom_engine::model::{AxisServo, JointKind};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::mechanism::{at, joint, part};
use crate::rigid::{law_of, make};
use crate::scene::{body, floor, run};

const G: f64 = 9.81;
const BASE: f64 = 12.0;
const LINK: f64 = 0.3;
/// From hip to knee, and from there to the foot.
const LENGTH: f64 = 0.15;
const RADIUS: f64 = 0.02;
/// From the middle of the base to a hip.
const HIP: f64 = 0.18;
const BEND: f64 = 0.5;
/// Where the centre of the base's mass is: no foot carries what another one does, and the base leans as its servos give.
const OFF: Vec3 = Vec3::new(0.01, -0.005, 0.01);

fn about(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis, angle).to_matrix()
}

/// A base on bent legs, whose servos hold what they are bent by, as its feet touch the floor at rest, or `drop` above it.
fn robot(legs: usize, (friction, e_n): (f64, f64), drop: f64) -> Model {
    let mut base = part("base", BASE, Vec3::new(0.15, 0.15, 0.25));
    base.com = OFF;
    let height = 2.0 * LENGTH * libm::cos(BEND) + RADIUS + drop;
    (base.position, base.pose_stated) = (Vec3::new(0.0, 0.0, height), true);
    let mut bodies = vec![floor(), base];
    let mut joints = Vec::new();
    let weight = (BASE + 2.0 * LINK * legs as f64) * G;
    let stiffness = 15.0 * weight * LENGTH;
    let turning = Vec3::new(6e-4, 6e-4, 6e-5);
    for leg in 0..legs {
        let heading = std::f64::consts::TAU * (leg as f64 + 0.5) / legs as f64;
        let upper = bodies.len();
        bodies.push(part(&format!("upper{leg}"), LINK, turning));
        let foot = Shape::Sphere { radius: RADIUS, hollow: false };
        let mut lower =
            body(&format!("lower{leg}"), LINK, Mat3::from_diagonal(&turning), foot, Pose::identity());
        lower.shapes[0].pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * LENGTH));
        (lower.pose_stated, lower.velocity_stated) = (false, false);
        bodies.push(lower);
        let [hip, knee] = [(1, HIP, 0.0), (upper, 0.0, -0.5 * LENGTH)];
        for (number, ((parent, out, z), angle)) in [(hip, BEND), (knee, -2.0 * BEND)].into_iter().enumerate()
        {
            let along = Vec3::new(out * libm::cos(heading), out * libm::sin(heading), z);
            let (a, b) = (at(parent, along.x, along.y, along.z), at(upper + number, 0.0, 0.0, 0.5 * LENGTH));
            let mut hinge = joint(&format!("hinge{leg}{number}"), JointKind::Revolute, a, b);
            // About the leg's −y: a leg at a positive angle points outwards.
            let axis = about(Vec3::x(), std::f64::consts::FRAC_PI_2);
            hinge.a.pose.rotation = if number == 0 { about(Vec3::z(), heading) * axis } else { axis };
            hinge.b.pose.rotation = axis;
            hinge.position = Some(vec![angle]);
            let target = TimeFunction::Constant(angle);
            hinge.elements[0].servo =
                Some(AxisServo { stiffness, damping: 0.05 * stiffness, target, effort: None });
            joints.push(hinge);
        }
    }
    let mut model = make(bodies, law_of(e_n, friction), 1.0);
    model.pairs.retain(|pair| pair.a.body == 0 && pair.b.body > 1 && pair.b.body % 2 == 1);
    assert_eq!(model.pairs.len(), legs);
    model.joints = joints;
    model.solver.rtol = 1e-6;
    model.output.every = Some(0.1);
    model
}

/// They come to stand and stand still: the feet carry the weight about the centre of mass, friction is within its bounds and pushes nothing, and no foot
/// creeps. The servos settle within 0.05 s; what is left of that after 1 s, e^−20, and of steps at a tolerance of 1e-6 is less than 1e-5 of the weight. Of these
/// none takes more than 641 steps; those that stalled took thousands in 1e-8 s.
#[test]
fn robots_stand_still_on_their_feet() {
    for (legs, friction, e_n, drop) in [
        (3, 0.45, 0.0, 0.0),
        (4, 0.2, 0.1, 0.0),
        (4, 0.45, 0.0, 0.0),
        (4, 0.6, 0.1, 0.002),
        (4, 0.8, 0.0, 0.002),
        (4, 0.8, 0.1, 0.0),
        (4, 0.3, 0.1, 0.002),
        (3, 0.2, 0.1, 0.002),
    ] {
        let case = format!("{legs} legs, mu {friction}, e_n {e_n}, from {drop} m");
        let model = robot(legs, (friction, e_n), drop);
        let (outcome, kept) = run(&model);
        assert!(outcome.residual_relative < 1e-5, "{case}: {:e}", outcome.residual_relative);
        assert!(outcome.statistics.steps < 2000, "{case}: {} steps", outcome.statistics.steps);
        let [end, before] = [1, 2].map(|back| &kept.frames[kept.frames.len() - back]);
        let (mut mass, mut centre) = (0.0, Vec3::zeros());
        for (body, state) in model.bodies.iter().zip(&end.bodies).filter(|(body, _)| !body.fixed) {
            mass += body.mass;
            let turned = state.orientation.to_matrix() * body.com;
            centre += body.mass * (state.position + turned);
        }
        centre /= mass;
        assert_eq!(end.contacts.len(), legs, "{case}");
        let (mut carried, mut moment, mut pushed) = (0.0, Vec3::zeros(), Vec3::zeros());
        for (foot, earlier) in end.contacts.iter().zip(&before.contacts) {
            carried += foot.normal_force;
            moment += foot.normal_force * (foot.position - centre);
            pushed += foot.friction_force;
            let (held, bound) = (foot.friction_force.norm(), friction * foot.normal_force);
            assert!(held <= (1.0 + 1e-8) * bound, "{case}: {held} of {bound} N");
            let crept = (foot.position - earlier.position).norm();
            assert!(crept < 1e-8, "{case}: {crept:e} m in 0.1 s");
        }
        let weight = mass * G;
        assert!((carried / weight - 1.0).abs() < 1e-5, "{case}: {carried} of {weight} N");
        // Friction at the floor, under the centre of mass, has a moment of what accelerates the robot aside alone.
        assert!(moment.xy().norm() < 1e-5 * weight * HIP, "{case}: {moment}");
        assert!(pushed.norm() < 1e-5 * weight, "{case}: {pushed}");
    }
}

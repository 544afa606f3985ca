//! Painlevé's rod: a slip that pushes a rod into the ground may have no forces, or several.

use carom_engine::model::StepControl;
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Simulation, System};
use std::sync::Arc;

use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};

use crate::rigid::{law_of, make};
use crate::rigid_planar::in_plane;
use crate::scene::{Keeper, body, fixed, floor, run_any};

const G: f64 = 9.81;
const MASS: f64 = 1.0;
const MOMENT: f64 = 1.0 / 3.0;
const MU: f64 = 2.0;
/// Place of the ball at the rod's end against its centre, and its radius.
const END: [f64; 2] = [-0.3, -0.9];
const RADIUS: f64 = 0.02;

/// A rod with a small ball at its lower end, which slides along x at `slip` while the rod turns about y at `spin`.
fn rod(slip: f64, spin: f64) -> Model {
    let [x, z] = END;
    let mut rod = body(
        "rod",
        MASS,
        Mat3::from_diagonal(&Vec3::new(MOMENT, MOMENT, 0.01)),
        Shape::Sphere { radius: RADIUS, hollow: false },
        Pose::from_translation(Vec3::new(0.0, 0.0, RADIUS - z)),
    );
    rod.shapes[0].pose = Pose::from_translation(Vec3::new(x, 0.0, z));
    rod.angular_velocity = Vec3::new(0.0, spin, 0.0);
    // v + ω × r has no part along the normal.
    rod.velocity = Vec3::new(slip - spin * (z - RADIUS), 0.0, spin * x);
    make(vec![floor(), rod], law_of(0.0, MU), 0.05)
}

/// g̈_N = A λ + b at the contact, with friction −μ λ along the slip.
fn normal_acceleration(slip: f64, spin: f64) -> [f64; 2] {
    let ([x, z], low) = (END, END[1] - RADIUS);
    let own = 1.0 / MASS + x * x / MOMENT + MU * slip.signum() * x * low / MOMENT;
    [own, -G - spin * spin * z]
}

#[test]
fn a_slip_that_the_force_presses_in_has_no_answer() {
    let [own, free] = normal_acceleration(-1.0, 0.0);
    assert!(own < 0.0 && free < 0.0, "{own} {free}");
    let (outcome, _) = run_any(&rod(-1.0, 0.0));
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(error.code, "E0622");
    // Contacts, time and state.
    let wanted = ["all[floor|rod]", "t = 0.000000000 s", "9.200000e-1"];
    assert!(wanted.iter().all(|part| error.message.contains(part)), "{}", error.message);
}

/// The same rod, spinning so fast that its end would leave the ground without a force: it may leave, or be held down by a force that grows
/// with what it does. It leaves, which is told; what is flown then is a parabola.
#[test]
fn a_second_answer_is_told() {
    let spin = 4.0;
    let [own, free] = normal_acceleration(-1.0, spin);
    assert!(own < 0.0 && free > 0.0, "{own} {free}");
    let (outcome, kept) = run_any(&rod(-1.0, spin));
    assert_eq!(outcome.end, EndReason::Finished);
    let told: Vec<_> = outcome.warnings.iter().filter(|text| text.starts_with("W0514")).collect();
    assert!(told.len() == 1 && told[0].contains("all[floor|rod]"), "{:?}", outcome.warnings);
    assert!(told[0].contains("1 times") && told[0].contains("t = 0.000000000 s"), "{}", told[0]);
    let (start, end) = (&kept.frames[0].bodies[1], &outcome.bodies[1]);
    let flown = start.position + start.velocity * 0.05 - Vec3::new(0.0, 0.0, 0.5 * G * 0.05 * 0.05);
    assert!((end.position - flown).norm() < 1e-12, "{:?} {flown:?}", end.position);
    assert!(kept.times(EventKind::ContactBegin).iter().all(|&time| time == 0.0));
}

/// A slip the other way is Painlevé's trivial one: one answer, and its force.
#[test]
fn the_other_slip_has_one_answer() {
    let [own, free] = normal_acceleration(1.0, 0.0);
    let (outcome, kept) = run_any(&rod(1.0, 0.0));
    assert_eq!(outcome.end, EndReason::Finished);
    assert!(outcome.warnings.iter().all(|text| !text.starts_with("W0514")), "{:?}", outcome.warnings);
    let force = kept.frames[0].contacts[0].normal_force;
    assert!((force + free / own).abs() < 1e-9, "{force} {}", -free / own);
}

/// A block slides on one corner, and a disc that spins rolls over another one of its corners. Normal accelerations of both contacts are A λ + b
/// while both slip; det A falls to zero as the block tilts, and the forces grow as its inverse. The run ends there, and says so.
#[test]
fn forces_that_grow_without_bound_are_told() {
    let (mu, size, radius) = (1.0, Vec2::new(0.1455, 0.1248), 0.1287);
    let [block_mass, disc_mass] = [1.816, 5.204];
    let [block_moment, disc_moment] =
        [block_mass * size.norm_squared() / 12.0, 0.5 * disc_mass * radius * radius];
    let planar = |outline: Outline| Shape::Planar(PlanarShape { outline, thickness: 0.1 });
    let rectangle =
        |size: Vec2| planar(Outline::Polygon(Arc::new(Polygon::rectangle(size.x, size.y).unwrap())));
    let turn = |angle: f64| Quaternion::from_axis_angle(&Vec3::z(), angle).to_matrix();
    let at = |place: Vec2, angle: f64| Pose { rotation: turn(angle), translation: place.push(0.0) };
    let left = |v: Vec2| Vec2::new(-v.y, v.x);
    let cross = |a: Vec2, b: Vec2| a.x * b.y - a.y * b.x;

    // It turns about its lower left corner, which slides to the left.
    let (tilt, slide, spin) = (0.0164, Vec2::new(-0.1623, 0.0), 0.353);
    let middle = (turn(tilt) * (0.5 * size).push(0.0)).xy();
    let (corner, normal) = (2.0 * middle, Vec2::new(0.164, 0.9864).normalize());
    let mut block =
        body("block", block_mass, Mat3::identity() * block_moment, rectangle(size), at(middle, tilt));
    block.velocity = (slide + left(middle) * spin).push(0.0);
    block.angular_velocity.z = spin;
    let shape = planar(Outline::Circle { radius });
    let place = corner + normal * radius;
    let mut disc = body("disc", disc_mass, Mat3::identity() * disc_moment, shape, at(place, 0.0));
    disc.velocity = (normal * normal.dot(&(slide + left(corner) * spin)) - left(normal) * 0.4097).push(0.0);
    disc.angular_velocity.z = -16.95;

    // Of the block with its middle, its corner and the disc's centre: forces on it of both contacts, per unit of normal force.
    let determinant = |middle: Vec2, corner: Vec2, centre: Vec2| {
        let normal = (centre - corner) / radius;
        let pushes =
            [(2.0 * middle - corner, Vec2::new(mu, 1.0)), (corner, normal * -1.0 + left(normal) * mu)];
        let of_block = |at: Vec2, (from, force): (Vec2, Vec2)| {
            force / block_mass + left(at - middle) * (cross(from - middle, force) / block_moment)
        };
        let on_disc = -pushes[1].1;
        let of_disc =
            on_disc / disc_mass - left(normal) * radius * (cross(normal * -radius, on_disc) / disc_moment);
        let own = [pushes[0], pushes[1]].map(|push| of_block(pushes[0].0, push).y);
        let other = [pushes[0], pushes[1]].map(|push| -normal.dot(&of_block(corner, push)));
        own[0] * (other[1] + normal.dot(&of_disc)) - own[1] * other[0]
    };
    let first = determinant(middle, corner, place);

    let ground = fixed("ground", rectangle(Vec2::new(4.0, 0.2)), at(Vec2::new(0.0, -0.1), 0.0));
    let (outcome, _) = run_any(&in_plane(ground, vec![block, disc], (0.0, mu), 0.05));
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert!(error.code == "E0622" && error.message.contains("grows without bound"), "{error:?}");
    let [block, disc] = [1, 2].map(|k| outcome.bodies[k]);
    let middle = block.position.xy();
    let corner = middle + (block.orientation.to_matrix() * (0.5 * size).push(0.0)).xy();
    let last = determinant(middle, corner, disc.position.xy());
    assert!(first > 0.0 && last.abs() < 1e-6 * first, "{first} {last} at {}", error.time);
}

/// What has been told is told after a restart, too.
#[test]
fn a_restart_remembers_it() {
    let mut model = rod(-1.0, 4.0);
    model.solver.step = StepControl::Fixed(1e-3);
    let system = System::compile(&model).unwrap();
    let mut kept = Keeper { checkpoint_after: 1, ..Keeper::default() };
    let whole = Simulation::new(&system).run(&mut kept).unwrap();
    let (image, ..) = kept.checkpoints[0].clone();
    let again = Simulation::resume(&system, &image).unwrap().run(&mut Keeper::default()).unwrap();
    assert_eq!(whole.warnings, again.warnings);
    assert!(whole.warnings.iter().any(|text| text.starts_with("W0514")));
}

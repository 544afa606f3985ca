//! Solids that pass each other on given lines: when contacts begin and end, for every integrator.

use carom_engine::law::NormalKind;
use carom_engine::model::{AbsoluteTolerances, Body, IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{self, law, point};

const INTEGRATORS: [IntegratorKind; 5] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
];

/// A solid by its section with the plane that it moves in: a rectangle of half width and half height, or a disc.
#[derive(Clone, Copy, Debug)]
enum Section {
    Rectangle(f64, f64),
    Disc(f64),
}

impl Section {
    fn height(self) -> f64 {
        match self {
            Self::Rectangle(_, height) => height,
            Self::Disc(radius) => radius,
        }
    }
}

/// Shapes with their section across y, and the turn that puts their axis along y.
fn solids() -> [(Shape, Section, Mat3); 4] {
    let across = Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
    let cylinder = Cylinder { radius: 0.12, half_length: 0.25, side: CylinderSide::Solid };
    [
        (Shape::Sphere { radius: 0.11, hollow: false }, Section::Disc(0.11), Mat3::identity()),
        (Shape::Box { half: Vec3::new(0.2, 0.3, 0.1) }, Section::Rectangle(0.2, 0.1), Mat3::identity()),
        (Shape::Cylinder(cylinder), Section::Disc(0.12), across),
        (Shape::Capsule { radius: 0.09, half_length: 0.2 }, Section::Disc(0.09), across),
    ]
}

/// Distance of the centres along the line at which the solids touch, whose heights overlap by `depth`.
fn reach(a: Section, b: Section, depth: f64) -> f64 {
    match (a, b) {
        (Section::Rectangle(a, _), Section::Rectangle(b, _)) => a + b,
        (Section::Disc(a), Section::Disc(b)) => (depth * (2.0 * (a + b) - depth)).sqrt(),
        // The disc meets the rectangle's corner.
        (Section::Rectangle(width, _), Section::Disc(r))
        | (Section::Disc(r), Section::Rectangle(width, _)) => width + (depth * (2.0 * r - depth)).sqrt(),
    }
}

/// Heavy enough that the law does not push it off its line by more than rounding.
fn moving(shape: Shape, pose: Pose, velocity: Vec3) -> Body {
    Body { velocity, ..scene::body("b", 1e6, Mat3::identity() * 1e6, shape, pose) }
}

/// Contacts of any depth over ten times the tolerance begin and end when they must, at any size of the steps: no step is
/// bounded by anything else.
#[test]
fn contacts_of_solids_that_pass_begin_and_end_in_time() {
    let tolerance = 1e-9;
    let turn = Quaternion::from_roll_pitch_yaw(0.3, -0.7, 1.1).to_matrix();
    let (away, speed) = (2.0, 3.0);
    for (shape_a, a, turn_a) in solids() {
        for (shape_b, b, turn_b) in solids() {
            for (depth, kind) in
                [1e-3, 10.0 * tolerance].into_iter().flat_map(|d| INTEGRATORS.map(|k| (d, k)))
            {
                let start = turn * Vec3::new(-away, 0.0, a.height() + b.height() - depth);
                let fixed =
                    scene::fixed("a", shape_a.clone(), Pose { rotation: turn * turn_a, ..Pose::identity() });
                let pose = Pose { rotation: turn * turn_b, translation: start };
                let mover = moving(shape_b.clone(), pose, turn * Vec3::new(speed, 0.0, 0.0));
                let mut soft = law(NormalKind::None, 1.0);
                point(&mut soft).stiffness = Some(1e-6);
                let mut model = scene::model(vec![fixed, mover], soft, 0.0, 2.0 * away / speed, tolerance);
                model.contact_lines[0].method = Method::Convex;
                model.solver.method = kind;
                model.solver.atol = AbsoluteTolerances { length: Some(tolerance), ..model.solver.atol };
                let (_, keeper) = scene::run(&model);
                let half = reach(a, b, depth);
                for (event, expected) in [
                    (EventKind::ContactBegin, (away - half) / speed),
                    (EventKind::ContactEnd, (away + half) / speed),
                ] {
                    let times = keeper.times(event);
                    let name = format!("{a:?}, {b:?}, {depth:e} {} {event:?}", kind.name());
                    assert_eq!(times.len(), 1, "{name}: {times:?}, {expected}");
                    assert!((times[0] - expected).abs() < 1e-10, "{name}: {:e}", times[0] - expected);
                }
            }
        }
    }
}

/// A block that turns beside a wall touches it while one of its edges reaches that far: d = ‖c‖ cos(ω t − φ).
#[test]
fn a_turning_block_touches_while_its_edge_reaches_the_wall() {
    let (half, omega) = (Vec3::new(0.2, 0.3, 0.1), 2.0);
    let corner = half.x.hypot(half.z);
    for (depth, kind) in [1e-3, 1e-8].into_iter().flat_map(|d| INTEGRATORS.map(|k| (d, k))) {
        let distance = corner - depth;
        let wall = scene::fixed("wall", Shape::Box { half: Vec3::new(0.1, 1.0, 1.0) }, Pose::identity());
        let pose = Pose::from_translation(Vec3::new(0.1 + distance, 0.0, 0.0));
        let mut mover = moving(Shape::Box { half }, pose, Vec3::zeros());
        mover.angular_velocity = Vec3::new(0.0, omega, 0.0);
        // The edge at (−x, +z) turns about y to −x at this angle, the one at (−x, −z) before.
        let edge = half.z.atan2(half.x);
        let t_end = (edge + 0.5) / omega;
        let mut soft = law(NormalKind::None, 1.0);
        point(&mut soft).stiffness = Some(1e-6);
        let mut model = scene::model(vec![wall, mover], soft, 0.0, t_end, 1e-13);
        model.contact_lines[0].method = Method::Convex;
        model.solver.method = kind;
        let (_, keeper) = scene::run(&model);
        let swing = (distance / corner).acos();
        let expected = [(edge - swing) / omega, (edge + swing) / omega];
        for (event, expected) in [EventKind::ContactBegin, EventKind::ContactEnd].into_iter().zip(expected) {
            let times = keeper.times(event);
            let name = format!("{depth:e} {} {event:?}", kind.name());
            assert_eq!(times.len(), 1, "{name}: {times:?} {expected}");
            assert!((times[0] - expected).abs() < 1e-10, "{name}: {:e}", times[0] - expected);
        }
    }
}

/// A bullet that a soft plate stops beyond its middle leaves on the far side, as the nearest way out is there then: the run says that
/// they can have passed through each other, and says nothing where the plate is as stiff as the speed asks for. Depths of a Hertz
/// impact are (5 m v²/(4K))^(2/5): 11 mm, more than the ball's radius and half of the plate, against 0.28 mm.
#[test]
fn a_bullet_through_a_thin_plate_is_told() {
    let (radius, mass, speed, half) = (4e-3, 0.01, 1000.0, 5e-5);
    for (stiffness, passes) in [(1e9, true), (1e13, false)] {
        for (method, kind) in
            [Method::Analytic, Method::Convex].into_iter().flat_map(|m| INTEGRATORS.map(|k| (m, k)))
        {
            let plate =
                scene::fixed("plate", Shape::Box { half: Vec3::new(half, 0.5, 0.5) }, Pose::identity());
            let mut ball = scene::ball("ball", mass, radius, Vec3::new(-0.5, 0.0, 0.0));
            ball.velocity = Vec3::new(speed, 0.0, 0.0);
            let mut stiff = law(NormalKind::None, 1.0);
            point(&mut stiff).stiffness = Some(stiffness);
            let mut model = scene::model(vec![plate, ball], stiff, 0.0, 1e-3, 1e-6);
            model.contact_lines[0].method = method;
            model.solver.method = kind;
            let (outcome, _) = scene::run_any(&model);
            let told = outcome.warnings.iter().any(|warning| warning.starts_with("W0521"));
            assert_eq!(told, passes, "{stiffness:e} {}: {:?}", kind.name(), outcome.warnings);
            assert_eq!(outcome.bodies[1].position.x > 0.0, passes, "{stiffness:e} {}", kind.name());
        }
    }
}

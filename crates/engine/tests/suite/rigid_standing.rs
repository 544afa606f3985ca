//! Cans on boxes, hulls and cans, and boxes on cans: on a face they are as on a half-space, and what comes over its border is told or goes on by
//! itself.

use carom_engine::model::{Body, JointKind};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape, Core, Grounds};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::by_parts::goes_on_with_the_same_bits;
use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::scene::{block, body, cylinder, fixed, floor, run};

const G: f64 = 9.81;
/// Of the cans (m).
const RADIUS: f64 = 0.05;
const HALF: f64 = 0.1;
/// Share of its radius by which a solid may reach over a border.
const REACH: f64 = Grounds::BESIDE;

fn turned(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix()
}

fn can(rotation: Mat3, place: [f64; 3], velocity: [f64; 3]) -> Body {
    let pose = Pose { rotation, translation: Vec3::from(place) };
    let mut can = cylinder("can", 1.0, RADIUS, 2.0 * HALF, pose);
    can.velocity = Vec3::from(velocity);
    can
}

/// A table whose top is at z = 0, with its border at x = ±0.5 m.
fn table() -> Body {
    let half = Vec3::new(0.5, 0.5, 0.05);
    fixed("table", Shape::Box { half }, Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)))
}

/// The same as the hull of a frustum of a pyramid.
fn pedestal() -> Body {
    let corner = |k: usize| {
        let [x, y, up] = [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit as f64);
        let half = 0.4 + 0.1 * up;
        Vec3::new((2.0 * x - 1.0) * half, (2.0 * y - 1.0) * half, up - 1.0)
    };
    let points: Vec<Vec3> = (0..8).map(corner).collect();
    let hull = ConvexHull::of_points(&points).expect("points in space");
    fixed("pedestal", Shape::Convex(ConvexShape::hull(hull, 0.0)), Pose::identity())
}

/// A frustum whose high end is the top of the table, as large in x and y.
fn drum() -> Body {
    let core = Core::Frustum { radius_low: 0.4, radius_high: 0.5, half_length: 0.05 };
    let shape = Shape::Convex(ConvexShape { core, radius: 0.0 });
    fixed("drum", shape, Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)))
}

/// A face within which all that touches lies is the border of a half-space to a can: what comes down flat, on its rim or on its side, what slides
/// and what tips moves on it as on a half-space, to what rounding and impacts make of the tolerance, whichever body comes first.
#[test]
fn on_a_face_a_can_moves_as_on_a_half_space() {
    let mut tips = can(Mat3::identity(), [0.0, 0.0, HALF], [0.0; 3]);
    tips.angular_velocity.x = 3.0;
    tips.velocity.y = -3.0 * HALF;
    let core = Core::Frustum { radius_low: RADIUS, radius_high: 0.0, half_length: HALF };
    let cone = ConvexShape { core, radius: 0.01 };
    let pose = Pose { rotation: turned(Vec3::x(), 2.5), translation: Vec3::new(0.0, 0.0, 0.3) };
    let inertia = Mat3::from_diagonal(&Vec3::new(3e-3, 3e-3, 1e-3));
    let cone = body("can", 1.0, inertia, Shape::Convex(cone), pose);
    let tilted = turned(Vec3::new(1.0, 0.3, 0.0), 0.4);
    let on_side = turned(Vec3::x(), std::f64::consts::FRAC_PI_2);
    let scenes = [
        ("flat", 0.3, can(Mat3::identity(), [0.0, 0.0, 0.2], [0.3, 0.0, 0.0])),
        ("on its rim", 0.0, can(tilted, [0.0, 0.0, 0.4], [0.5, 0.0, 0.0])),
        ("on its side", 0.2, can(on_side, [0.0, 0.0, 0.2], [0.0, 0.3, 0.0])),
        ("tips", 0.0, tips),
        ("a rounded cone, on its tip", 0.0, cone),
    ];
    for (name, e_n, can) in &scenes {
        let orders = |ground: Body| [vec![ground.clone(), can.clone()], vec![can.clone(), ground]];
        for bodies in [table(), pedestal(), drum()].into_iter().flat_map(orders) {
            moves_as_on_a_half_space(name, can, &bodies, *e_n);
        }
    }
}

/// A prism of 64 sides has 2440 vertices and pairs of edges with the table, which are all followed as there are no other pairs.
#[test]
fn a_prism_of_many_sides_stands_on_a_face() {
    let side = |k: usize| std::f64::consts::PI * (k / 2) as f64 / 32.0;
    let height = |k: usize| if k.is_multiple_of(2) { HALF } else { -HALF };
    let corner = |k: usize| Vec3::new(RADIUS * libm::cos(side(k)), RADIUS * libm::sin(side(k)), height(k));
    let hull = ConvexHull::of_points(&(0..128).map(corner).collect::<Vec<_>>()).expect("points in space");
    let inertia = Mat3::from_diagonal(&Vec3::new(4e-3, 4e-3, 1.25e-3));
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2));
    let mut prism = body("prism", 1.0, inertia, Shape::Convex(ConvexShape::hull(hull, 0.0)), pose);
    prism.velocity.x = 0.3;
    moves_as_on_a_half_space("a prism", &prism, &[table(), prism.clone()], 0.0);
}

/// Among these bodies, within what rounding and impacts make of the tolerance.
fn moves_as_on_a_half_space(name: &str, solid: &Body, bodies: &[Body], e_n: f64) {
    let frames = |bodies: &[Body]| {
        let (outcome, kept) = run(&make(bodies.to_vec(), law_of(e_n, 0.4), 1.0));
        assert!(outcome.residual_relative < 1e-7, "{name}: residual {:e}", outcome.residual_relative);
        kept.frames
    };
    let (over_plane, others) = (frames(&[floor(), solid.clone()]), frames(bodies));
    assert_eq!(over_plane.len(), others.len());
    let place = bodies.iter().position(|body| body.name == solid.name).expect("the solid");
    for (frame, other) in over_plane.iter().zip(&others) {
        let (a, b) = (&frame.bodies[1], &other.bodies[place]);
        let turned = (a.orientation.to_matrix() - b.orientation.to_matrix()).norm();
        let off = (a.position - b.position).norm().max(turned);
        assert!(off < 1e-7, "{name} on {}: off by {off:e} at {}", bodies[1 - place].name, frame.time);
    }
}

/// The same of what has corners, sharp or rounded, over the end of a can.
#[test]
fn on_an_end_what_has_corners_moves_as_on_a_half_space() {
    let half = Vec3::new(0.06, 0.05, 0.04);
    let inertia = Mat3::from_diagonal(&Vec3::new(1.4e-3, 1.7e-3, 2e-3));
    let pose = |rotation, height| Pose { rotation, translation: Vec3::new(0.0, 0.0, height) };
    let solid = |shape: ConvexShape, pose: Pose, velocity: Vec3| {
        let mut solid = body("solid", 1.0, inertia, Shape::Convex(shape), pose);
        solid.velocity = velocity;
        solid
    };
    let tilted = turned(Vec3::new(1.0, 0.3, 0.0), 0.4);
    let sharp = || ConvexShape::sharp(Core::Box { half });
    let rounded = ConvexShape { core: Core::Box { half }, radius: 0.01 };
    let capsule = ConvexShape { core: Core::Segment { half_length: 0.08 }, radius: 0.03 };
    let points = [[0.0, 0.0, 0.1], [0.1, 0.0, 0.0], [-0.05, 0.08, 0.0], [-0.05, -0.08, 0.0]].map(Vec3::from);
    let hull = ConvexHull::of_points(&points).expect("points in space");
    let scenes = [
        ("box, flat", 0.3, solid(sharp(), pose(Mat3::identity(), 0.1), Vec3::x() * 0.3)),
        ("box, on a corner", 0.0, solid(sharp(), pose(tilted, 0.3), Vec3::x() * 0.5)),
        ("box, rounded", 0.2, solid(rounded, pose(tilted, 0.3), Vec3::zeros())),
        ("capsule", 0.0, solid(capsule, pose(turned(Vec3::x(), 1.3), 0.2), Vec3::x() * 0.2)),
        ("hull", 0.0, solid(ConvexShape::hull(hull, 0.0), pose(tilted, 0.2), Vec3::y() * 0.2)),
    ];
    for (name, e_n, solid) in &scenes {
        for bodies in [vec![drum(), solid.clone()], vec![solid.clone(), drum()]] {
            moves_as_on_a_half_space(name, solid, &bodies, *e_n);
        }
    }
}

/// Equal cans that are dropped onto each other come to stand, with a small one and a box on top: each where those below it are high, and what carries
/// them has their weights.
#[test]
fn cans_stand_on_cans() {
    let mut stack: Vec<Body> = (0..3)
        .map(|k| can(Mat3::identity(), [0.0, 0.0, HALF + f64::from(k) * (2.0 * HALF + 0.01)], [0.0; 3]))
        .collect();
    let top = 6.0 * HALF;
    let small = Pose::from_translation(Vec3::new(0.0, 0.0, top + 0.1));
    stack.push(cylinder("small", 0.5, 0.03, 0.1, small));
    let on_top = Pose::from_translation(Vec3::new(0.0, 0.0, top + 0.2));
    stack.push(block("block", 0.2, Vec3::new(0.02, 0.03, 0.04), on_top));
    for (k, body) in stack.iter_mut().enumerate() {
        body.name = format!("body {k}");
    }
    stack.insert(0, floor());
    let (outcome, kept) = run(&make(stack, law_of(0.3, 0.4), 1.0));
    let last = kept.frames.last().unwrap();
    let heights = [HALF, 3.0 * HALF, 5.0 * HALF, top + 0.05, top + 0.12];
    for (body, height) in last.bodies[1..].iter().zip(heights) {
        assert!((body.position.z - height).abs() < 1e-11, "{} for {height}", body.position.z);
        assert!(body.velocity.norm() < 1e-10 && body.position.xy().norm() < 1e-12);
    }
    let carried: f64 = last.contacts.iter().filter(|c| c.contact < 8).map(|c| c.normal_force).sum();
    assert!((carried - 3.7 * G).abs() < 1e-8, "{carried} N");
    assert!(outcome.residual_relative < 1e-9);
}

/// A can that is let go of tilted rocks on an equal one as on a half-space, though all that it rocks on is the border.
#[test]
fn a_can_rocks_on_an_equal_one() {
    let tilt: f64 = 0.15;
    let place =
        [RADIUS * (tilt.cos() - 1.0) - HALF * tilt.sin(), 0.0, HALF * tilt.cos() + RADIUS * tilt.sin()];
    let rocks = can(turned(Vec3::y(), -tilt), place, [0.0; 3]);
    let beneath = cylinder("beneath", 1.0, RADIUS, 0.2, Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)));
    let beneath = Body { fixed: true, ..beneath };
    // With restitution it hops aside as it lands, over the border.
    let frames = |bodies: Vec<Body>| run(&make(bodies, law_of(0.0, 1.0), 0.6)).1.frames;
    let over_plane = frames(vec![floor(), rocks.clone()]);
    for (frame, other) in over_plane.iter().zip(&frames(vec![beneath, rocks])) {
        let off = (frame.bodies[1].position - other.bodies[1].position).norm();
        assert!(off < 1e-7, "off by {off:e} at {}", frame.time);
    }
}

/// A wide can on a narrow one, on a slope: it tips over the rim of that where its centre of mass is beyond it, as its weight turns it about that
/// place.
#[test]
fn a_wide_can_tips_over_the_rim_that_it_stands_on() {
    let (radius, half, rim) = (0.2, 0.1, 0.04);
    let mut below = can(Mat3::identity(), [0.0, 0.0, -HALF], [0.0; 3]);
    (below.fixed, below.shapes) = (true, cylinder("below", 1.0, rim, 2.0 * HALF, Pose::identity()).shapes);
    let wide = cylinder("wide", 1.0, radius, 2.0 * half, Pose::from_translation(Vec3::z() * half));
    let run_at = |slope: f64| {
        let mut scene = make(vec![below.clone(), wide.clone()], law_of(0.0, 2.0), 0.02);
        scene.gravity = Vec3::new(slope.sin(), 0.0, -slope.cos()) * G;
        run(&scene).1.frames
    };
    let limit = (rim / half).atan();
    let holds = run_at(limit - 0.01);
    assert!(holds.last().unwrap().bodies[1].angular_velocity.norm() < 1e-12, "below the limit it stands");
    let slope = limit + 0.05;
    let inertia = (3.0 * radius * radius + 4.0 * half * half) / 12.0 + half * half + rim * rim;
    let rate = G * (half * slope.sin() - rim * slope.cos()) / inertia;
    let tips = run_at(slope);
    let last = tips.last().unwrap();
    // The arm of the weight grows with the angle: a pendulum on its head.
    let growth = (G * (half * slope.cos() + rim * slope.sin()) / inertia).sqrt();
    let wanted = rate / growth * (growth * last.time).sinh();
    let relative = last.bodies[1].angular_velocity.y / wanted - 1.0;
    // Of the angle of 4e-4 rad the square is left out.
    assert!(relative.abs() < 1e-6, "{relative}");
}

/// It goes along with a block that slides v²/(2 μ g), and stands on it at rest.
#[test]
fn a_can_on_a_moving_block_slides_and_stands() {
    let (block_mass, v) = (3.0, 1.0);
    let mut below = block(
        "block",
        block_mass,
        Vec3::new(0.6, 0.4, 0.1),
        Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)),
    );
    below.velocity.x = v;
    let standing = can(Mat3::identity(), [0.0, 0.0, 0.2], [v, 0.0, 0.0]);
    let (outcome, kept) = run(&make(vec![floor(), below, standing], law_of(0.0, 0.4), 1.0));
    let wanted = v * v / (2.0 * 0.4 * G);
    let last = kept.frames.last().unwrap();
    for body in &last.bodies[1..] {
        assert!((body.position.x - wanted).abs() < 1e-9, "{}", body.position.x);
        assert!(body.velocity.norm() < 1e-12);
    }
    assert!(outcome.residual_relative < 1e-9);
    assert!(kept.times(EventKind::Impact).is_empty(), "nothing strikes");
}

/// A can that rolls over the border on its side leaves the table there, so fast that gravity cannot turn it around the edge, and flies.
#[test]
fn a_can_that_rolls_over_the_border_falls() {
    let mut rolls = can(turned(Vec3::x(), std::f64::consts::FRAC_PI_2), [0.3, 0.0, RADIUS], [1.0, 0.0, 0.0]);
    rolls.angular_velocity.y = 1.0 / RADIUS;
    let (outcome, kept) = run(&make(vec![table(), rolls], law_of(0.2, 0.4), 0.5));
    assert!(outcome.residual_relative < 1e-9);
    for frame in &kept.frames {
        let falling = (frame.time - (0.2 + REACH * RADIUS)).max(0.0);
        let place = Vec3::new(0.3 + frame.time, 0.0, RADIUS - 0.5 * G * falling * falling);
        let off = (frame.bodies[1].position - place).norm();
        assert!(off < 1e-8, "off by {off:e} m at {} s", frame.time);
    }
}

/// A can lies across a round border, slides along itself with μ g and stops as on a half-space.
#[test]
fn a_can_lies_across_a_round_border() {
    let across = turned(Vec3::y(), std::f64::consts::FRAC_PI_2);
    let (speed, mu) = (0.3, 0.2);
    let lying = can(across, [0.42, 0.0, RADIUS], [speed, 0.0, 0.0]);
    let (outcome, kept) = run(&make(vec![drum(), lying], law_of(0.0, mu), 1.0));
    assert!(outcome.residual_relative < 1e-9);
    let last = &kept.frames.last().unwrap().bodies[1];
    let wanted = Vec3::new(0.42 + speed * speed / (2.0 * mu * 9.81), 0.0, RADIUS);
    assert!((last.position - wanted).norm() < 1e-9, "{} {wanted}", last.position);
    assert!(last.velocity.norm() < 1e-9, "{:?}", last.velocity);
}

/// A can stands against a box on the same floor, whose border is as low as its end; it lies beside the border, nearer to it than it is thick,
/// and in a V of two boxes, in which it touches each at R/√3 from the lower border: 2 R/√3 above where their planes meet.
#[test]
fn what_touches_within_a_face_may_reach_over_its_border() {
    let end_of = |bodies: Vec<Body>, can: usize| {
        let (outcome, kept) = run(&make(bodies, law_of(0.0, 0.3), 1.0));
        assert!(outcome.residual_relative < 1e-9);
        let last = &kept.frames.last().unwrap().bodies[can];
        assert!(last.velocity.norm() < 1e-9, "{:?}", last.velocity);
        last.position
    };
    let half = Vec3::new(0.1, 0.1, 0.1);
    let beside = fixed("box", Shape::Box { half }, Pose::from_translation(Vec3::new(0.2, 0.0, 0.1)));
    let slides = can(Mat3::identity(), [-0.3, 0.0, HALF], [1.5, 0.0, 0.0]);
    let stands = end_of(vec![floor(), beside, slides], 2);
    assert!((stands - Vec3::new(0.1 - RADIUS, 0.0, HALF)).norm() < 1e-9, "{stands}");

    let along = turned(Vec3::x(), std::f64::consts::FRAC_PI_2);
    let lies = end_of(vec![table(), can(along, [0.47, 0.0, RADIUS], [0.0; 3])], 1);
    assert!((lies - Vec3::new(0.47, 0.0, RADIUS)).norm() < 1e-12, "{lies}");

    let wall = |name: &str, side: f64| {
        let rotation = turned(Vec3::y(), -side * std::f64::consts::FRAC_PI_6);
        let half = Vec3::new(0.2, 0.5, 0.05);
        let translation = rotation * Vec3::new(0.2 * side, 0.0, -0.05);
        fixed(name, Shape::Box { half }, Pose { rotation, translation })
    };
    let bodies = vec![wall("left", -1.0), wall("right", 1.0), can(along, [0.0, 0.0, 0.1], [0.2, 0.0, 0.0])];
    let lies = end_of(bodies, 2);
    assert!((lies - Vec3::z() * (2.0 * RADIUS / 3.0_f64.sqrt())).norm() < 1e-9, "{lies}");
}

/// A can on a vertical slide comes down flat over the border: the slide keeps it upright, and it bounces with e and stands on the nearest points.
#[test]
fn a_can_that_a_slide_holds_stands_over_the_border() {
    let (height, e_n) = (0.1, 0.5);
    let falls = can(Mat3::identity(), [0.48, 0.0, HALF + height], [0.0; 3]);
    let mut model = make(vec![table(), falls], law_of(e_n, 0.3), 1.0);
    model.joints.push(joint("slide", JointKind::Prismatic, at(0, 0.48, 0.0, 0.05), at(1, 0.0, 0.0, 0.0)));
    let (outcome, kept) = run(&model);
    assert!(outcome.residual_relative < 1e-9);
    let first = kept.events.iter().find_map(|event| Some((event.time, event.impact?))).unwrap();
    assert!((first.0 - (2.0 * height / G).sqrt()).abs() < 1e-9, "{}", first.0);
    assert!((first.1.separation_speed - e_n * (2.0 * height * G).sqrt()).abs() < 1e-9);
    let last = kept.frames.last().unwrap();
    let carried: f64 = last.contacts.iter().map(|contact| contact.normal_force).sum();
    assert!((carried - G).abs() < 1e-9, "{carried} N of {G}");
}

/// A can tips over the border and tumbles down: it goes on with the nearest points, and its energy is accounted for.
#[test]
fn a_can_that_tumbles_over_the_border_goes_on() {
    let mut tumbles = can(turned(Vec3::y(), 0.6), [0.5, 0.0, 0.3], [0.4, 0.0, 0.0]);
    tumbles.angular_velocity.z = 1.0;
    let (outcome, kept) = run(&make(vec![table(), tumbles], law_of(0.2, 0.4), 0.8));
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
    assert!(kept.times(EventKind::Impact).len() < 100);
    assert!(kept.frames.last().unwrap().bodies[1].position.z < -0.2);
}

/// The face that a can stands on is in a checkpoint.
#[test]
fn a_can_goes_on_after_a_restart_with_the_same_bits() {
    let tilted = can(turned(Vec3::new(1.0, 0.3, 0.0), 0.4), [0.0, 0.0, 0.4], [0.5, 0.0, 0.0]);
    let model = make(vec![table(), tilted], law_of(0.2, 0.4), 0.6);
    goes_on_with_the_same_bits(&model, &[0.2, 0.27, 0.3, 0.4], 0.6);
    // Of two cans either may stand on the other: the wide one here is what the narrow one stands on.
    let wide =
        cylinder("wide", 1.0, 0.2, 0.1, Pose::from_translation(Vec3::new(0.02, 0.0, 2.0 * HALF + 0.1)));
    let below = can(Mat3::identity(), [0.0, 0.0, HALF], [0.0; 3]);
    let model = make(vec![floor(), below, wide], law_of(0.2, 0.4), 0.4);
    goes_on_with_the_same_bits(&model, &[0.05, 0.11, 0.15, 0.3], 0.4);
}

/// A can stands on a slope that is steep by less than R/h, and tips where it is by more.
#[test]
fn a_can_holds_and_tips_on_a_slope() {
    // It tips where the slope is beyond R/h.
    let limit = libm::atan2(RADIUS, HALF);
    for (slope, tips) in [(0.95 * limit, false), (1.05 * limit, true)] {
        let tilt = turned(Vec3::y(), slope);
        let half = Vec3::new(1.0, 0.5, 0.05);
        let incline = fixed(
            "incline",
            Shape::Box { half },
            Pose { rotation: tilt, translation: tilt * Vec3::z() * -0.05 },
        );
        let standing = can(tilt, (tilt * Vec3::z() * HALF).into(), [0.0; 3]);
        let (_, kept) = run(&make(vec![incline, standing], law_of(0.0, 0.9), 0.3));
        let moved = (kept.frames.last().unwrap().bodies[1].orientation.to_matrix() - tilt).norm();
        assert_eq!(moved > 1e-2, tips, "at {slope} rad: {moved}");
        assert!(tips || moved < 1e-12, "at {slope} rad: {moved}");
    }
}

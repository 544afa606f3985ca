//! Modes of contacts: release, re-engagement, latching, starts, passages.

use carom_engine::law::NormalKind;
use carom_engine::record::{ContactMode, EventKind};
use carom_geometry::Shape;
use carom_math::{Pose, Vec3};

use crate::scene::{ball, fixed, floor, law, model, point, run};

/// Kelvin–Voigt lets go before the gap opens: begin, release, end, and no pull at any frame.
#[test]
fn kelvin_voigt_releases_before_it_opens() {
    let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
    b.velocity.z = -1.0;
    let mut l = law(NormalKind::Anagnostopoulos, 0.3);
    point(&mut l).stiffness = Some(1e6);
    let mut m = model(vec![floor(), b], l, 0.0, 0.01, 1e-9);
    m.output.every = Some(1e-5);
    let (outcome, keeper) = run(&m);
    let kinds: Vec<EventKind> = keeper.events.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::ContactBegin, EventKind::Release, EventKind::ContactEnd]);
    for frame in &keeper.frames {
        for contact in &frame.contacts {
            assert!(contact.normal_force >= -1e-6);
            if contact.mode == ContactMode::Released {
                assert_eq!(contact.normal_force, 0.0);
            }
        }
    }
    // What is stored at the release is lost, not forgotten.
    assert!(keeper.events[1].gap < 0.0);
    assert!(outcome.residual_relative < 1e-8, "{:e}", outcome.residual_relative);
}

/// A Kelvin–Voigt ball under gravity comes to rest; contacts that let go and are pressed again re-engage.
#[test]
fn kelvin_voigt_ball_comes_to_rest() {
    let b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.2));
    let mut l = law(NormalKind::Anagnostopoulos, 0.3);
    point(&mut l).stiffness = Some(1e6);
    let (outcome, _) = run(&model(vec![floor(), b], l, 9.81, 2.0, 1e-8));
    assert!(outcome.bodies[1].velocity.norm() < 1e-9);
    let sink = 0.3 * 9.81 / 1e6;
    assert!((outcome.bodies[1].position.z - (0.1 - sink)).abs() < 1e-10);
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
}

/// A ball that bounces to rest does so in finite work: the bounces end in a closed contact.
#[test]
fn bouncing_ball_comes_to_rest() {
    let b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.3));
    let (outcome, keeper) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.5), 9.81, 3.0, 1e-6));
    let begins = keeper.times(EventKind::ContactBegin);
    assert!(begins.len() > 4 && begins.len() < 60, "{}", begins.len());
    assert!(outcome.bodies[1].velocity.norm() < 1e-6);
    assert_eq!(keeper.frames.last().unwrap().contacts.len(), 1);
}

/// Touching at the start is closed, with δ̇⁻ = v_small.
#[test]
fn touching_at_the_start_is_closed() {
    let b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1));
    let (_, keeper) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.5), 9.81, 0.1, 1e-6));
    assert_eq!(keeper.events[0].time, 0.0);
    assert_eq!(keeper.events[0].kind, EventKind::ContactBegin);
    assert_eq!(keeper.events[0].law_approach_speed, 0.01);
}

/// A bullet does not pass through a thin plate, however large the steps.
#[test]
fn fast_body_does_not_pass_through_a_thin_one() {
    let plate = fixed("plate", Shape::Box { half: Vec3::new(0.5, 0.5, 0.0005) }, Pose::identity());
    let mut bullet = ball("bullet", 0.01, 0.001, Vec3::new(0.0, 0.0, 10.0));
    bullet.velocity.z = -800.0;
    let mut l = law(NormalKind::Exact, 0.9);
    point(&mut l).stiffness = Some(1e13);
    let (outcome, keeper) = run(&model(vec![plate, bullet], l, 0.0, 1.0, 1e-6));
    let begin = keeper.times(EventKind::ContactBegin)[0];
    assert!((begin - (10.0 - 0.0015) / 800.0).abs() < 1e-12);
    assert!((outcome.bodies[1].velocity.z - 0.9 * 800.0).abs() < 0.1);
}

/// A grazing pass that touches for a moment within one large step is two rows of the log.
#[test]
fn grazing_contact_is_not_missed() {
    let obstacle = fixed("obstacle", Shape::Sphere { radius: 0.1, hollow: false }, Pose::identity());
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(-5.0, 0.2 - 1e-7, 0.0));
    b.velocity.x = 1.0;
    let (_, keeper) = run(&model(vec![obstacle, b], law(NormalKind::None, 1.0), 0.0, 10.0, 1e-6));
    let begin = keeper.times(EventKind::ContactBegin);
    let want = 5.0 - (0.04_f64 - (0.2 - 1e-7) * (0.2 - 1e-7)).sqrt();
    assert_eq!(begin.len(), 1);
    // The rate at the root is 2e-3 m/s: rounding of 1e-15 m is 1e-12 s.
    assert!((begin[0] - want).abs() < 1e-10, "{:e}", begin[0] - want);
    assert_eq!(keeper.times(EventKind::ContactEnd).len(), 1);
}

/// A step that passes both the release and the opening takes the release: lightly damped Kelvin–Voigt impacts
/// deliver what was asked, at loose tolerances too, and no frame pulls.
#[test]
fn release_is_not_missed_in_a_step_that_ends_apart() {
    for (e, rtol) in [(0.95, 1e-6), (0.9, 1e-4), (0.99, 1e-6)] {
        let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.1001));
        b.velocity.z = -1.0;
        let mut l = law(NormalKind::Anagnostopoulos, e);
        point(&mut l).stiffness = Some(1e6);
        let mut m = model(vec![floor(), b], l, 0.0, 0.01, rtol);
        m.output.every = Some(1e-5);
        let (outcome, keeper) = run(&m);
        assert_eq!(keeper.times(EventKind::Release).len(), 1);
        // Ten tolerances: the impact is some ten steps.
        let delivered = outcome.bodies[1].velocity.z;
        assert!((delivered - e).abs() < 10.0 * rtol, "{e}: {delivered}");
        assert!(keeper.frames.iter().flat_map(|f| &f.contacts).all(|c| c.normal_force >= 0.0));
    }
}

/// Bodies that overlap at the start and part faster than the law pushes are released, not pulled together.
#[test]
fn separating_overlap_at_the_start_does_not_pull() {
    let mut b = ball("ball", 0.3, 0.1, Vec3::new(0.0, 0.0, 0.0999));
    b.velocity.z = 5.0;
    let (outcome, keeper) = run(&model(vec![floor(), b], law(NormalKind::Exact, 0.5), 0.0, 0.01, 1e-6));
    assert_eq!(outcome.bodies[1].velocity.z, 5.0);
    assert!(keeper.frames.iter().flat_map(|f| &f.contacts).all(|c| c.normal_force >= 0.0));
}

/// A ball that slides along an oblique plane a rounding error away costs no search.
#[test]
fn sliding_within_rounding_of_contact_is_cheap() {
    let normal = Vec3::new(0.48, 0.6, 0.64);
    let along = Vec3::new(0.6, -0.48, 0.0).normalize();
    let x = Pose {
        rotation: carom_math::Quaternion::between(&Vec3::z(), &normal).to_matrix(),
        translation: Vec3::zeros(),
    };
    let plane = fixed("plane", Shape::HalfSpace, x);
    let mut b = ball("ball", 1.0, 0.1, normal * (0.1 + 1e-14));
    b.velocity = along * 100.0;
    let (outcome, _) = run(&model(vec![plane, b], law(NormalKind::Exact, 0.5), 0.0, 1.0, 1e-6));
    assert!(outcome.statistics.steps < 200, "{:?}", outcome.statistics);
}

/// A tilted, spinning cylinder: begins are located to rounding at all points of its manifold.
#[test]
fn cylinder_contacts_are_located_to_rounding() {
    let pose = Pose {
        rotation: carom_math::Quaternion::from_axis_angle(&Vec3::x(), 0.05).to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.17),
    };
    let mut c = crate::scene::cylinder("c", 2.0, 0.1, 0.3, pose);
    c.angular_velocity = Vec3::new(0.0, 0.3, 5.0);
    let (_, keeper) = run(&model(vec![floor(), c], law(NormalKind::Exact, 0.5), 9.81, 1.0, 1e-6));
    let begins: Vec<_> = keeper.events.iter().filter(|e| e.kind == EventKind::ContactBegin).collect();
    assert!(begins.len() >= 3);
    for event in begins {
        assert!(event.gap.abs() < 1e-13 && event.approach_speed > 0.0, "{event:?}");
    }
}

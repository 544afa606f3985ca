//! What is searched for between convex solids, and searches that reach their limit.

use carom_engine::law::NormalKind;
use carom_engine::model::{Detection, Method};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_geometry::Shape;
use carom_geometry::convex::MprOptions;
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::{self, cylinder, fixed, law};

/// A cylinder falls obliquely on a block.
fn impact(detection: Detection) -> Model {
    let anvil = fixed("anvil", Shape::Box { half: Vec3::new(0.4, 0.4, 0.1) }, Pose::identity());
    let rotation = Quaternion::from_roll_pitch_yaw(0.4, 0.3, 0.2).to_matrix();
    let pose = Pose { rotation, translation: Vec3::new(0.02, -0.01, 0.6) };
    let mut bolt = cylinder("bolt", 1.0, 0.1, 0.3, pose);
    bolt.velocity.z = -1.0;
    let mut model = scene::model(vec![anvil, bolt], law(NormalKind::Exact, 0.6), 9.81, 0.25, 1e-9);
    model.contact_lines[0].method = Method::Convex;
    model.contact_lines[0].detection = detection;
    model
}

/// Contacts begin and end with the distance whatever the depth is, and a shallow portal is the least translation.
#[test]
fn portals_of_shallow_contacts_are_least_translations() {
    let fine = MprOptions { relative_tolerance: 1e-10, iterations: 1000 };
    let (least, of_least) = scene::run(&impact(Detection::MinimumTranslation));
    for options in [MprOptions::default(), fine] {
        let (portal, of_portal) = scene::run(&impact(Detection::Mpr(options)));
        let [first, second] = [&of_least, &of_portal].map(|k| k.times(EventKind::ContactBegin)[0]);
        assert!((first - second).abs() < 1e-9, "{first} {second}");
        // The tolerance, 1e-7 of 0.5 m, over a depth of 2e-4 m.
        let apart = (least.bodies[1].velocity - portal.bodies[1].velocity).norm();
        assert!(apart < 1e-2, "{options:?} {apart:e}");
    }
}

#[test]
fn a_portal_that_is_not_found_is_an_error_that_names_the_pair() {
    for tight in [1e-7, 1e-15] {
        let options = MprOptions { relative_tolerance: tight, iterations: 2 };
        let (outcome, keeper) = scene::run_any(&impact(Detection::Mpr(options)));
        let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
        assert_eq!(error.code, "E0613", "{error}");
        assert_eq!(error.pair.as_deref(), Some("all[anvil|bolt]"));
        assert!(error.message.contains("2 iterations"), "{error}");
        assert!(keeper.events.len() <= 1, "{:?}", keeper.events);
    }
}

/// The first evaluation of a run fails as a later one does.
#[test]
fn a_search_that_fails_at_the_start_names_the_pair() {
    let mut model = impact(Detection::Mpr(MprOptions { relative_tolerance: 1e-15, iterations: 1 }));
    model.bodies[1].position.z = 0.15;
    let (outcome, _) = scene::run_any(&model);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((error.code, error.pair.as_deref()), ("E0613", Some("all[anvil|bolt]")), "{error}");
}

#[test]
fn options_of_the_portal_have_limits() {
    let codes = |options: MprOptions, method: Method| -> Vec<&'static str> {
        let mut model = impact(Detection::Mpr(options));
        model.contact_lines[0].method = method;
        model.validate().iter().map(|p| p.code).collect()
    };
    assert!(codes(MprOptions::default(), Method::Convex).is_empty());
    let bad = MprOptions { relative_tolerance: 0.0, iterations: 0 };
    assert_eq!(codes(bad, Method::Convex), ["E0406", "E0406"]);
    // A method without such a search.
    assert!(codes(MprOptions::default(), Method::Analytic).contains(&"E0406"));
}

/// A ball rolls along a table, away from the table's middle: a contact point that is not below the centre would brake it,
/// or let it sink.
#[test]
fn a_ball_rolls_with_portals_as_it_rolls_without() {
    let run = |detection: Detection| {
        let table = fixed("table", Shape::Box { half: Vec3::new(2.0, 0.5, 0.025) }, Pose::identity());
        let mut ball = scene::ball("ball", 0.2, 0.05, Vec3::new(0.5, 0.0, 0.075));
        ball.velocity.x = 2.0;
        ball.angular_velocity.y = 2.0 / 0.05;
        let mut law = law(NormalKind::Exact, 0.5);
        law.mu = Some(0.3);
        let mut model = scene::model(vec![table, ball], law, 9.81, 0.5, 1e-8);
        model.contact_lines[0].method = Method::Convex;
        model.contact_lines[0].detection = detection;
        scene::run(&model).0.bodies[1]
    };
    let least = run(Detection::MinimumTranslation);
    let fine = MprOptions { relative_tolerance: 1e-10, iterations: 1000 };
    let portal = run(Detection::Mpr(fine));
    assert!((least.position.x - 1.5).abs() < 1e-4, "{least:?}");
    // A portal within 2e-10 m of the ball's surface has its point up to 5 um beside the foot, which steers the ball a little; the
    // place where the line of centres meets the portal is 20 depths, 0.2 mm, beside it, and brakes.
    assert!((portal.position - least.position).norm() < 1e-4, "{portal:?} {least:?}");
    assert!((portal.velocity - least.velocity).norm() < 1e-3, "{portal:?} {least:?}");
}

//! What is searched for between convex solids, and searches that reach their limit.

use carom_engine::law::NormalKind;
use carom_engine::model::{Body, Detection, Method};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexShape, Core, MprOptions};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

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

/// A cone of a base, a height and a mass about its z axis, the middle of the height at the origin of the body.
fn cone(name: &str, [radius, height, mass]: [f64; 3], [w, x, y, z]: [f64; 4]) -> Body {
    let core = Core::Frustum { radius_low: radius, radius_high: 0.0, half_length: 0.5 * height };
    let across = mass * (0.15 * radius * radius + 0.0375 * height * height);
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, 0.3 * mass * radius * radius));
    let shape = Shape::Convex(ConvexShape { core, radius: 0.0 });
    let rotation = Quaternion { w, x, y, z }.to_matrix();
    let pose = Pose { rotation, translation: Vec3::zeros() };
    Body { com: Vec3::new(0.0, 0.0, -0.25 * height), ..scene::body(name, mass, inertia, shape, pose) }
}

/// Two cones hit each other rim against rim, elastic and without friction. The force is K δ^1.5 of the depth that is recorded, and it
/// does not matter which cone is named first. A normal that is off by 1e-3 puts the points that share the force 4e-5 m apart, which is
/// as much as the depth: up to 62 % of the force was lost, and speeds after it were off by 0.02 m/s.
#[test]
fn rims_at_a_portal_press_with_all_their_depth() {
    let mut one = cone("one", [0.045458, 0.054239, 0.31691], [-0.31051, -0.338603, 0.775721, -0.432653]);
    let along_x = Quaternion::from_axis_angle(&Vec3::y(), 0.5 * std::f64::consts::PI).to_matrix();
    one.orientation = Quaternion::from_matrix(&(one.orientation.to_matrix() * along_x));
    one.angular_velocity = Vec3::new(0.986077, 15.332479, 13.342281);
    let mut other = cone("other", [0.042590, 0.059615, 0.09059], [-0.496029, 0.224361, 0.366390, 0.754570]);
    other.position = Vec3::new(0.140818, 0.017271, 0.000640);
    other.velocity = Vec3::new(-4.033966, 0.0, 0.0);
    other.angular_velocity = Vec3::new(-5.748196, -5.871407, 7.045203);
    let speeds = [false, true].map(|swapped| {
        let bodies =
            if swapped { vec![other.clone(), one.clone()] } else { vec![one.clone(), other.clone()] };
        let mut model = scene::model(bodies, law(NormalKind::Exact, 1.0), 0.0, 0.0139, 1e-8);
        model.laws[0].mu = Some(0.0);
        let stiffness = 6.2e8;
        scene::point(&mut model.laws[0]).stiffness = Some(stiffness);
        model.contact_lines[0].method = Method::Convex;
        model.contact_lines[0].detection = Detection::Mpr(MprOptions::default());
        model.output.every = Some(5e-6);
        let (outcome, keeper) = scene::run(&model);
        let mut pressed = 0;
        for sample in keeper.frames.iter().flat_map(|frame| &frame.contacts) {
            let whole = stiffness * (-sample.gap).max(0.0).powf(1.5);
            // The square root of the height that is left, 2e-15 m, over depths from 1e-5 m on.
            if sample.gap < -1e-5 {
                assert!((sample.normal_force - whole).abs() < 1e-3 * whole, "{sample:?} {whole}");
                pressed += 1;
            }
        }
        assert!(pressed > 10, "{pressed}");
        let mut speeds = outcome.bodies.iter().map(|body| body.velocity.norm()).collect::<Vec<_>>();
        if swapped {
            speeds.reverse();
        }
        speeds
    });
    for (ahead, behind) in speeds[0].iter().zip(&speeds[1]) {
        assert!((ahead - behind).abs() < 1e-5, "{speeds:?}");
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

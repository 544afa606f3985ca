//! Triangle surfaces.

use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_geometry::surface::{self, Gear, Peanut, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::{assert_right, flight, gravity};
use crate::build::{areal_law, body, fixed, model, round};
use crate::flight::Flight;
use crate::part::Part;
use crate::referee::Verdict;
use crate::watch::run;

fn block(half: Vec3, facets: usize) -> Part {
    let mesh = surface::block(half, Resolution::Facets(facets)).expect("a block");
    Part::mesh("block".to_owned(), mesh, 2.0 * half.min(), vec![Vec3::zeros()])
}

fn sphere(radius: f64, facets: usize) -> Part {
    let mesh = surface::sphere(radius, Resolution::Facets(facets)).expect("a sphere");
    Part::mesh("sphere".to_owned(), mesh, 2.0 * radius, vec![Vec3::zeros()])
}

/// A steel ball of 10 mm above a steel plate of 10 mm.
fn steel_drop(facets: usize, height: f64, u_max: Option<f64>) -> Flight {
    let radius = 5e-3;
    let plate = block(Vec3::new(0.05, 0.05, 5e-3), facets);
    let place = Vec3::new(1.3e-3, -2.1e-3, 5e-3 + radius + height);
    let parts = [plate, sphere(radius, facets)];
    // A layer of a millimetre of steel.
    let law = areal_law(2.8e14, 0.0, u_max);
    let mut scene = flight("steel", parts, Pose::from_translation(place), Method::Pcm, law);
    scene.masses[1] = 4.1e-3;
    scene.motions[1].gravity = gravity();
    let fall = (2.0 * height / 9.81_f64).sqrt();
    scene.t_end = 3.0 * fall;
    scene.after = 1.5 * fall;
    scene
}

#[test]
fn a_steel_ball_does_not_fall_through_a_steel_plate() {
    let heights = (0..20).map(|k| 0.01 + 0.19 * f64::from(k) / 19.0);
    assert_right(heights.map(|height| steel_drop(720, height, Some(1e-4))));
    assert_right([steel_drop(20_000, 0.1, Some(1e-4))]);
}

/// The largest penetration that the engine expects is enough for what falls.
#[test]
fn a_largest_penetration_that_is_left_out_is_enough_for_the_fall() {
    // Corners of 720 facets would sink in by more than a tenth of it before an element feels them (E0616).
    assert_right([0.01, 0.1, 0.2].map(|height| steel_drop(20_000, height, None)));
}

#[test]
fn a_kilogram_does_not_fall_through_a_metre() {
    let (radius, height) = (0.05, 1.0);
    let tolerances = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
    let all = IntegratorKind::SMOOTH.into_iter().flat_map(|i| tolerances.map(|rtol| (i, rtol)));
    assert_right(all.map(|(integrator, rtol)| {
        let parts = [block(Vec3::repeat(0.5), 12), sphere(radius, 500)];
        let place = Vec3::new(0.11, 0.07, 0.5 + radius + height);
        // 10 J at a depth of some millimetres.
        let law = areal_law(1e9, 0.0, Some(0.02));
        let mut scene = flight("kilogram", parts, Pose::from_translation(place), Method::Pcm, law);
        scene.motions[1].gravity = gravity();
        scene.t_end = 2.0;
        scene.after = 1.0;
        scene.integrator = integrator;
        scene.rtol = rtol;
        scene
    }));
}

/// The end face of a gear between its root and its axis.
#[test]
fn a_ball_on_the_end_face_of_a_gear_is_carried() {
    let gear = Gear {
        module: 5e-3,
        teeth: 20,
        pressure_angle: 20.0_f64.to_radians(),
        width: 0.02,
        backlash: 2e-4,
        profile_points: 3,
        layers: 1,
    };
    let places = [[0.0, 0.0], [0.012, 0.004], [0.02, -0.02], [-0.03, 0.01]];
    let all = IntegratorKind::SMOOTH.into_iter().flat_map(|i| places.map(|place| (i, place)));
    assert_right(all.map(|(integrator, [x, y])| {
        let mesh = surface::gear(&gear).expect("a gear");
        let wheel = Part::mesh("gear".to_owned(), mesh, gear.width, vec![Vec3::zeros()]);
        let radius = 8e-3;
        let place = Vec3::new(x, y, 0.5 * gear.width + radius + 0.05);
        let law = areal_law(1e11, 0.0, Some(1e-3));
        let parts = [wheel, sphere(radius, 180)];
        let mut scene = flight("end face", parts, Pose::from_translation(place), Method::Pcm, law);
        scene.masses[1] = 0.02;
        scene.motions[1].gravity = gravity();
        scene.t_end = 0.5;
        scene.after = 0.2;
        scene.integrator = integrator;
        scene
    }));
}

/// Corners of solids that come past the border of an open surface before they touch it: lines from their elements meet it from behind.
/// Begins were told by up to a millisecond, and 13 mm, too early.
#[test]
fn corners_that_come_past_a_border_begin_no_contact_there() {
    for seed in [2314, 3544, 4209] {
        let judgement = Flight::of_surfaces(seed).judge();
        assert!(!judgement.verdict.breaks_the_promise(), "seed {seed}: {}", judgement.words);
    }
}

/// A ring of triangles that spins at 580 rad/s and comes nearer the border of a sheet by a fraction of a millimetre from corner to
/// corner. The first corner sweeps past the border within one step, 12 µs long and unfelt: no element is near. It is the
/// begin all the same, at whatever step length; the next ones come 0.5 ms later.
#[test]
fn a_corner_that_sweeps_past_the_border_of_a_sheet_inside_one_step_begins_the_contact() {
    let settings = [
        (IntegratorKind::Bdf, 1e-6),
        (IntegratorKind::Dop853, 1e-6),
        (IntegratorKind::Dop853, 1e-10),
        (IntegratorKind::Ode113, 1e-10),
    ];
    for (integrator, rtol) in settings {
        let mut scene = Flight::of_surfaces(243);
        scene.integrator = integrator;
        scene.rtol = rtol;
        let judged = scene.judge();
        // What comes later may go in beside all elements, which is told.
        let kept = matches!(judged.verdict, Verdict::Told | Verdict::Right);
        assert!(kept, "{:?}: {}", judged.verdict, judged.words);
    }
}

/// A bar and a block that meet edge to edge, with lines along a side of the block: an element of the bar came in 7.1 mm deep at once, after
/// an hour's flight, where time has no digits for the steps that it would take to follow that.
#[test]
fn an_element_whose_line_runs_along_a_side_does_not_come_in_at_once() {
    let judged = Flight::of_surfaces(464).judge();
    assert!(judged.verdict == Verdict::Right, "{:?}: {}", judged.verdict, judged.words);
}

/// Two square bars of twelve triangles that cross edge to edge: either they are carried, or the run stops with the pair's
/// name. No barycentre is near where they meet.
#[test]
fn coarse_bars_that_cross_edge_to_edge_stop_the_run_or_carry() {
    let half = Vec3::new(5e-3, 5e-3, 0.1);
    let on_edge = Quaternion::from_axis_angle(&Vec3::z(), std::f64::consts::FRAC_PI_4);
    let lies =
        |axis: Vec3| Quaternion::from_axis_angle(&axis, std::f64::consts::FRAC_PI_2).multiply(&on_edge);
    for integrator in IntegratorKind::SMOOTH {
        for (speed, off) in [(0.1, 0.0), (3.0, 0.013), (100.0, -0.021)] {
            let parts = [block(half, 12), block(half, 12)];
            let law = areal_law(1e12, 0.0, Some(1e-3));
            let place = Vec3::new(off, 0.3 * off, 0.05);
            let mut scene = flight("bars", parts, Pose::from_translation(place), Method::Pcm, law);
            // Along y and along x, edges up and down.
            scene.motions[0].orientation = lies(Vec3::x());
            scene.motions[1].orientation = lies(Vec3::y());
            scene.motions[1].velocity = Vec3::new(0.0, 0.0, -speed);
            scene.masses[1] = 0.15;
            scene.t_end = 1.0 / speed;
            scene.after = 0.1 / speed;
            scene.integrator = integrator;
            let judged = scene.judge();
            let kept = matches!(judged.verdict, Verdict::Told | Verdict::Right);
            assert!(kept, "{:?}: {}", judged.verdict, judged.words);
        }
    }
}

/// What `examples/bubbles.toml` says, for five seconds.
fn bubbles(t_end: f64) -> Model {
    let shape = |mesh: TriangleMesh| Some(Shape::Mesh(std::sync::Arc::new(mesh)));
    let peanut = Peanut { half_length: 0.2, lobe_radius: 0.1004, lobe_at: 0.115, waist_radius: 0.05 };
    let mesh = surface::peanut(&peanut, Resolution::Facets(950)).expect("a peanut");
    let mut bodies = vec![fixed("funnel", shape(surface::funnel(1.0, 0.5, 0).expect("a funnel")))];
    for (name, x, y) in [("one", 0.0, 0.0), ("two", -0.3, 0.2), ("three", 0.3, -0.2)] {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.01, 0.02));
        let mut bubble = body(name, 2.0, inertia, shape(mesh.clone()));
        bubble.shapes[0].pose.rotation =
            Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
        bubble.position = Vec3::new(x, y, 1.0);
        bodies.push(bubble);
    }
    let law = |u_max: f64, damping: f64| {
        let mut law = areal_law(1.179e6, damping, Some(u_max));
        (law.mu, law.v_reg) = (Some(0.25), Some(5e-4));
        law
    };
    let mut scene = model(bodies, law(0.05, 500.0), Method::Pcm);
    scene.laws.push(law(0.04, 1e3));
    let mut skin = scene.contact_lines[0].clone();
    (skin.name, skin.law, skin.base) = ("skin".to_owned(), 1, carom_engine::model::BaseSide::Both);
    scene.contact_lines[0].base = carom_engine::model::BaseSide::B;
    scene.contact_lines.push(skin);
    scene.pairs.iter_mut().filter(|p| p.a.body > 0).for_each(|p| p.line = 1);
    scene.gravity = gravity();
    scene.solver.t_end = t_end;
    scene
}

/// Where they roll over edges and from one side of the funnel onto the next, no travel along the side before is depth.
#[test]
fn bubbles_roll_without_being_taken_for_deep() {
    for k in 1..10 {
        let mut model = bubbles(5.0);
        model.bodies[1].position.x += 1e-3 * f64::from(k);
        let (outcome, _) = run(&model);
        assert_eq!(outcome.end, EndReason::Finished, "{k}");
    }
}

#[test]
fn bubbles_stay_in_their_funnel() {
    let (outcome, watch) = run(&bubbles(5.0));
    assert_eq!(outcome.end, EndReason::Finished);
    assert!(watch.count(EventKind::ContactBegin) >= 5, "{}", watch.count(EventKind::ContactBegin));
    for (time, bodies) in &watch.frames {
        for bubble in &bodies[1..] {
            let p = bubble.position;
            // Its middle is above the funnel's sides, which rise to 0.5 m.
            let inside = p.x.abs().max(p.y.abs()) < 1.0 && p.z > 0.5 * p.x.abs().max(p.y.abs());
            assert!(inside, "{p:?} at {time} s");
        }
    }
}

/// A bolt with its head 5 mm inside the plate that it should lie on, and one that is inside of it altogether.
#[test]
fn a_bolt_whose_head_starts_inside_the_plate_is_warned_of() {
    let plate = block(Vec3::new(0.05, 0.05, 0.02), 200);
    let head = surface::cylinder(8e-3, 5e-3, Resolution::Facets(300)).expect("a head");
    for (height, overlaps) in [(0.0251, false), (0.02, true), (0.0, true)] {
        let shape = Shape::Mesh(std::sync::Arc::new(head.clone()));
        let mut bolt = round("bolt", 0.05, 0.01, Some(shape));
        bolt.position = Vec3::new(3e-3, 1e-3, height);
        let bodies = vec![fixed("plate", Some(plate.shape.clone())), bolt];
        let scene = model(bodies, areal_law(1e12, 0.0, Some(1e-3)), Method::Pcm);
        let problems = scene.validate();
        let found = problems.iter().find(|p| p.code == "W0401");
        assert_eq!(found.is_some(), overlaps, "{height}: {problems:?}");
        if let Some(problem) = found {
            let help = problem.help.clone().unwrap_or_default();
            assert!(help.contains("bolt") && help.contains("mm") || help.contains(" m"), "{help}");
        }
    }
}

//! Cylinders, cones and frusta on a half-space: they stand, tip, rock, roll on their rims and lie, against closed forms.

use carom_engine::model::{Body, IntegratorKind};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Outcome};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexShape, Core, find_half_space_contact};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::by_parts::goes_on_with_the_same_bits;
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, Kept, body, cylinder, floor, run, run_any};

const G: f64 = 9.81;
/// Of the cans (m).
const RADIUS: f64 = 0.03;
const HALF: f64 = 0.05;

fn turned(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix()
}

fn placed(rotation: Mat3, x: f64, y: f64, z: f64) -> Pose {
    Pose { rotation, translation: Vec3::new(x, y, z) }
}

fn can(pose: Pose) -> Body {
    cylinder("can", 1.0, RADIUS, 2.0 * HALF, pose)
}

/// Inertia of a can across its axis (kg m²).
fn across() -> f64 {
    (3.0 * RADIUS * RADIUS + 4.0 * HALF * HALF) / 12.0
}

/// A can on its low rim, tilted about the x axis.
fn on_rim(tilt: f64) -> Body {
    can(placed(turned(Vec3::x(), tilt), 0.0, 0.0, HALF * tilt.cos() + RADIUS * tilt.sin()))
}

fn balances(outcome: &Outcome, within: f64) {
    assert!(outcome.residual_relative < within, "residual {}", outcome.residual_relative);
}

/// A can that is let go of tilted falls to and fro: each time it comes down flat all of its end strikes, and it goes on about the other
/// side with (J + m (h² − R²))/(J + m (h² + R²)) of its speed, as a block does in a plane (Housner 1963).
#[test]
fn a_can_rocks_as_a_block_does() {
    let [least, most] = [HALF * HALF - RADIUS * RADIUS, HALF * HALF + RADIUS * RADIUS];
    let ratio = (across() + least) / (across() + most);
    let height = |tilt: f64| HALF * tilt.cos() + RADIUS * tilt.sin();
    let first = (2.0 * G * (height(0.17) - HALF) / (across() + most)).sqrt();
    // About its axis it turns so slowly that it passes the upright by less than 1e-12 rad.
    for spin in [0.0, 1e-13, 1e-12, 1e-11] {
        let mut model = make(vec![floor(), on_rim(0.17)], law_of(0.0, 0.8), 0.5);
        model.bodies[1].angular_velocity.z = spin;
        let (outcome, kept) = run(&model);
        let impacts: Vec<_> = kept.events.iter().filter(|event| event.kind == EventKind::Impact).collect();
        for (k, impact) in impacts[..3].iter().enumerate() {
            let wanted = 2.0 * RADIUS * first * ratio.powi(k as i32);
            let found = impact.approach_speed;
            // It strikes 1e-8 rad before it is upright, which is 1e-6 of the last tilt.
            assert!((found - wanted).abs() < 1e-5 * wanted, "spin {spin}, {k}: {found} for {wanted}");
        }
        // Rounding grows from impact to impact until it wobbles.
        balances(&outcome, 1e-6);
        let done = kept.frames.last().unwrap().energy.projection;
        assert!(done.abs() < 1e-6 * outcome.energy_reference, "spin {spin}: {done:e} J");
    }
}

/// A can that comes down beside the upright does not strike: its lowest point runs around the rim, and no energy is lost however close it
/// passes, as a can that seems to rock rolls (Srinivasan & Ruina 2008).
#[test]
fn a_can_that_passes_the_upright_rolls_on() {
    for spin in [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 3e-10] {
        // About the vertical through its contact.
        let spin_about = Vec3::z() * spin;
        let contact = turned(Vec3::x(), 0.17) * Vec3::new(0.0, -RADIUS, -HALF);
        let falling =
            Body { angular_velocity: spin_about, velocity: -spin_about.cross(&contact), ..on_rim(0.17) };
        let mut model = make(vec![floor(), falling], law_of(0.0, 0.8), 0.5);
        model.solver.rtol = 1e-9;
        let (outcome, kept) = run(&model);
        balances(&outcome, 1e-8);
        assert!(kept.times(EventKind::Impact).is_empty(), "spin {spin}");
        let energy = &kept.frames.last().unwrap().energy;
        assert!(energy.projection.abs() < 1e-9, "spin {spin}: {:e} J", energy.projection);
        let steps = outcome.statistics.steps;
        assert!(steps < 3000, "spin {spin}: {steps} steps");
    }
}

/// A can that stands on a slope tips where its centre is above the rim, whichever way the slope falls: an end is round.
#[test]
fn a_can_tips_where_its_centre_leaves_its_end() {
    let steepest = (RADIUS / HALF).atan();
    for azimuth in [0.0, 0.3, 0.785, 1.3, 2.0, 4.0_f64] {
        for (share, tips) in [(0.9999, false), (1.0001, true)] {
            let slope = share * steepest;
            let mut model =
                make(vec![floor(), can(placed(Mat3::identity(), 0.0, 0.0, HALF))], law_of(0.0, 0.9), 1.0);
            model.gravity =
                G * Vec3::new(slope.sin() * azimuth.cos(), slope.sin() * azimuth.sin(), -slope.cos());
            let (outcome, kept) = run(&model);
            balances(&outcome, 1e-8);
            let end = &kept.frames.last().unwrap().bodies[1];
            let leans = (end.orientation.to_matrix() * Vec3::z()).xy().norm();
            assert_eq!(leans > 1e-6, tips, "azimuth {azimuth}, {share} of the slope: leans {leans:e}");
            if !tips {
                assert!((end.position - Vec3::new(0.0, 0.0, HALF)).norm() < 1e-12, "azimuth {azimuth}");
            }
        }
    }
}

/// A cylinder that lies down a slope rolls with 2/3 g sin α, on the lowest points of both ends, which share its weight.
#[test]
fn a_cylinder_rolls_down_a_slope() {
    let slope = 0.2_f64;
    let lying = can(placed(turned(Vec3::x(), std::f64::consts::FRAC_PI_2), 0.0, 0.0, RADIUS));
    let mut model = make(vec![floor(), lying], law_of(0.0, 0.6), 1.0);
    model.gravity = G * Vec3::new(slope.sin(), 0.0, -slope.cos());
    let (outcome, kept) = run(&model);
    balances(&outcome, 1e-8);
    let end = kept.frames.last().unwrap();
    let (found, wanted) = (end.bodies[1].position.x, 0.5 * (2.0 / 3.0) * G * slope.sin());
    assert!((found - wanted).abs() < 1e-8 * wanted, "{found} for {wanted}");
    assert_eq!(end.contacts.len(), 2);
    for contact in &end.contacts {
        assert!((contact.normal_force - 0.5 * G * slope.cos()).abs() < 1e-8, "{}", contact.normal_force);
    }
}

/// A disc that rolls in a circle on its rim, leaning, keeps its lean: where it goes around with the precession Ω about the vertical z at which
/// the change Ω z × L of its angular momentum about its centre c is the moment of the force m (g z + Ω z × v) on its contact.
#[test]
fn a_disc_rolls_in_a_circle() {
    let (radius, half, lean) = (0.1, 0.01, 1.0_f64);
    let rotation = turned(Vec3::x(), lean);
    let centre = Vec3::new(0.0, -0.3, radius * lean.sin() + half * lean.cos());
    let disc = cylinder("disc", 1.0, radius, 2.0 * half, placed(rotation, 0.0, centre.y, centre.z));
    let contact = rotation * Vec3::new(0.0, -radius, -half);
    let (axis, up) = (rotation * Vec3::z(), Vec3::z());
    let motion = |precession: f64| {
        let velocity = precession * up.cross(&centre);
        let slip = velocity + precession * up.cross(&contact);
        let spin = precession * up - axis * (slip.x / axis.cross(&contact).x);
        (velocity, spin)
    };
    let off = |precession: f64| {
        let (velocity, spin) = motion(precession);
        let momentum = rotation * (disc.inertia * rotation.tr_mul(&spin));
        let force = G * up + precession * up.cross(&velocity);
        (precession * up.cross(&momentum) - contact.cross(&force)).x
    };
    let (mut low, mut high) = (0.1, 30.0);
    assert!(off(low) * off(high) < 0.0, "{} {}", off(low), off(high));
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if off(middle) * off(low) > 0.0 { low = middle } else { high = middle }
    }
    let (velocity, spin) = motion(low);
    let disc = Body { velocity, angular_velocity: spin, ..disc };
    let (_, kept) = run(&make(vec![floor(), disc], law_of(0.0, 0.9), 2.0));
    for frame in &kept.frames {
        let now = (frame.bodies[1].orientation.to_matrix() * Vec3::z()).z;
        assert!((now - lean.cos()).abs() < 1e-6, "t = {}: {now} for {}", frame.time, lean.cos());
        let circle = frame.bodies[1].position.xy().norm();
        assert!((circle + centre.y).abs() < 1e-6, "t = {}: {circle}", frame.time);
    }
}

/// How its ends lie is part of a checkpoint: a can that rocks, or rolls around its rim, goes on with the same bits.
#[test]
fn a_rolling_can_goes_on_with_the_same_bits() {
    for spin in [0.0, 1.0] {
        let mut falling = on_rim(0.17);
        falling.angular_velocity.z = spin;
        let model = make(vec![floor(), falling], law_of(0.0, 0.8), 0.25);
        let rows = goes_on_with_the_same_bits(&model, &[0.05, 0.09, 0.1, 0.2], 0.25);
        assert!(rows.events.len() > 1, "{:?}", rows.events);
    }
}

fn deepest(model: &Model, kept: &Keeper) -> f64 {
    let moving = model.bodies.iter().position(|body| !body.fixed).unwrap();
    let solid = ConvexShape::of_shape(&model.bodies[moving].shapes[0].shape).unwrap();
    let gap = |frame: &Kept| {
        let state = &frame.bodies[moving];
        let pose = Pose { rotation: state.orientation.to_matrix(), translation: state.position };
        find_half_space_contact(&solid, &pose, &Pose::identity()).gap
    };
    kept.frames.iter().map(|frame| -gap(frame)).fold(0.0, f64::max)
}

/// Random cylinders, cones and frusta, sharp and rounded, thrown onto the floor: they tumble, roll and rock.
#[test]
fn what_is_thrown_lands_and_goes_on() {
    let rounds: u64 = std::env::var("RIM_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    let from: u64 = std::env::var("RIM_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    for seed in from..from + rounds {
        let mut rng = SplitMix64::new(seed);
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let [low, half] = [any(0.02, 0.08), any(0.02, 0.1)];
        let high = [low, 0.0, any(0.01, 0.06)][seed as usize % 3];
        let rounding = if seed % 4 == 3 { any(0.002, 0.02) } else { 0.0 };
        let core = Core::Frustum { radius_low: low, radius_high: high, half_length: half };
        let shape = Shape::Convex(ConvexShape { core, radius: rounding });
        let axis = Vec3::new(any(-1.0, 1.0), any(-1.0, 1.0), any(-1.0, 1.0));
        let pose = placed(turned(axis, any(0.0, 3.0)), 0.0, 0.0, 0.3);
        let [round, across] = [0.4 * low * low, 0.25 * low * low + half * half / 3.0];
        let mut falling =
            body("falling", 1.0, Mat3::from_diagonal(&Vec3::new(across, across, round)), shape, pose);
        falling.velocity = Vec3::new(any(-1.0, 1.0), any(-1.0, 1.0), any(-1.0, 0.0));
        falling.angular_velocity = Vec3::new(any(-5.0, 5.0), any(-5.0, 5.0), any(-5.0, 5.0));
        let bodies = if seed % 2 == 0 { vec![floor(), falling] } else { vec![falling, floor()] };
        let mut model = make(bodies, law_of(any(0.0, 0.7), any(0.1, 0.8)), 1.5);
        let methods = [IntegratorKind::Dop853, IntegratorKind::Ode45];
        model.solver.method = methods[(seed / 2) as usize % 2];
        // What wobbles loses nothing as it sticks, and goes on wobbling.
        model.solver.max_steps = 400_000;
        let (outcome, kept) = run_any(&model);
        assert_eq!(outcome.end, EndReason::Finished, "seed {seed}: {:?}", outcome.end);
        assert!(outcome.residual_relative < 1e-7, "seed {seed}: residual {:e}", outcome.residual_relative);
        let depth = deepest(&model, &kept);
        assert!(depth < 1e-9, "seed {seed}: {depth:e} m deep");
    }
}

//! Cans that lie along a face and over its border: on where their side crosses the border, against statics, tipping in closed form and capsules,
//! whose contact is found by other means.

use carom_engine::model::{Body, IntegratorKind, Model};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexCache, ConvexHull, ConvexShape, ConvexWorkspace, find_convex_contact};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, cylinder, fixed, run};

const G: f64 = 9.81;
/// Of the cans (m).
const RADIUS: f64 = 0.05;
const HALF: f64 = 0.2;

fn turned(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix()
}

/// A can on its side on z = 0, its axis at this angle to the x axis.
fn lying(angle: f64, x: f64, y: f64) -> Body {
    let rotation = turned(Vec3::z(), angle) * turned(Vec3::y(), std::f64::consts::FRAC_PI_2);
    cylinder("can", 1.0, RADIUS, 2.0 * HALF, Pose { rotation, translation: Vec3::new(x, y, RADIUS) })
}

/// A table whose top is at z = 0, with its borders at x = ±0.5 m.
fn table() -> Body {
    let half = Vec3::new(0.5, 0.5, 0.05);
    fixed("table", Shape::Box { half }, Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)))
}

/// A beam along y, as wide as this.
fn beam(width: f64) -> Body {
    let half = Vec3::new(0.5 * width, 0.5, 0.05);
    fixed("beam", Shape::Box { half }, Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)))
}

/// A hexagon whose top is at z = 0, with corners at 0.3 m.
fn hexagon() -> Body {
    let corner = |k: usize| {
        let angle = std::f64::consts::TAU * (k % 6) as f64 / 6.0;
        Vec3::new(0.3 * angle.cos(), 0.3 * angle.sin(), -0.1 * (k / 6) as f64)
    };
    let hull = ConvexHull::of_points(&(0..12).map(corner).collect::<Vec<_>>()).expect("points in space");
    fixed("hexagon", Shape::Convex(ConvexShape::hull(hull, 0.0)), Pose::identity())
}

/// Normal forces at the end of a run, by the place of the contact along x.
fn loads(kept: &Keeper) -> Vec<(f64, f64)> {
    let contacts = kept.frames.last().unwrap().contacts.iter();
    let mut loads: Vec<_> = contacts.map(|c| (c.position.x, c.normal_force)).collect();
    loads.sort_by(|a, b| a.0.total_cmp(&b.0));
    loads
}

/// Across a beam a can rests on both borders, and over the border of a table on that and its end within: the forces are those of a bar on two
/// supports, whichever body comes first.
#[test]
fn a_can_rests_across_borders_as_a_bar_on_its_supports() {
    let weight = G;
    for (ground, x, supports) in [
        (beam(0.2), 0.03, [-0.1, 0.1]),
        (table(), 0.4, [0.2, 0.5]),
        (table(), -0.31, [-0.5, -0.11]),
        (table(), 0.4999, [0.2999, 0.5]),
    ] {
        for bodies in [vec![ground.clone(), lying(0.0, x, 0.1)], vec![lying(0.0, x, 0.1), ground.clone()]] {
            let (outcome, kept) = run(&make(bodies, law_of(0.3, 0.4), 0.5));
            assert!(outcome.residual_relative < 1e-9);
            let loads = loads(&kept);
            assert_eq!(loads.len(), 2, "{x}: {loads:?}");
            let share = (x - supports[0]) / (supports[1] - supports[0]);
            for ((place, force), (support, part)) in
                loads.iter().zip(supports.iter().zip([1.0 - share, share]))
            {
                assert!((place - support).abs() < 1e-6, "{x}: at {place}, not {support}");
                // The end within reaches 1e-6 of a radius beyond where it is written to.
                assert!((force - weight * part).abs() < 1e-5, "{x}: {force} N, not {}", weight * part);
            }
            assert_eq!(kept.times(EventKind::Impact).len(), 0, "{x}: it lies there");
            assert_eq!(kept.times(EventKind::ContactBegin).len(), 2, "{x}: each end begins once");
        }
    }
}

/// One whose middle is beyond the border tips over it, about the point where it lies there as long as it does not slide:
/// ½ (I + m (d² + R²)) ω² = m g (R − R cos θ + d sin θ).
#[test]
fn a_can_tips_over_the_border() {
    let d = 0.06;
    let (outcome, kept) = run(&make(vec![table(), lying(0.0, 0.5 + d, 0.0)], law_of(0.0, 5.0), 0.3));
    assert!(outcome.residual_relative < 1e-8);
    let inertia = (3.0 * RADIUS * RADIUS + 4.0 * HALF * HALF) / 12.0 + d * d + RADIUS * RADIUS;
    let mut most = 0.0_f64;
    for frame in &kept.frames {
        let can = &frame.bodies[1];
        let axis = can.orientation.to_matrix().column(2).into_owned();
        let (sine, cosine) = (-axis.z, axis.x);
        let energy = G * (RADIUS - RADIUS * cosine + d * sine);
        let speed = (2.0 * energy / inertia).sqrt();
        let off = (can.angular_velocity.norm() - speed).abs();
        if kept.times(EventKind::Slip).iter().any(|&slips| slips < frame.time) {
            break;
        }
        assert!(off < 1e-6, "{} rad/s, not {speed} at {} s", can.angular_velocity.norm(), frame.time);
        most = most.max(sine);
    }
    assert!(most > 0.5, "it tips: {most}");
}

/// Pushed over the border along its axis without friction a can slides on as it was until its middle is over the border, and only then tips: its end
/// within leaves the table.
#[test]
fn a_can_slides_over_the_border_until_its_middle_is_there() {
    for (method, angle) in [
        (IntegratorKind::Ode45, 0.0),
        (IntegratorKind::Dop853, 0.0),
        (IntegratorKind::Ode113, 0.3),
        (IntegratorKind::Radau5, -0.6),
    ] {
        let mut can = lying(angle, 0.1, 0.05);
        can.velocity.x = 0.8;
        let mut model = make(vec![table(), can], law_of(0.2, 0.0), 0.55);
        model.solver.method = method;
        let (outcome, kept) = run(&model);
        // Nothing but the weight acts, and hardly any energy moves before it tips.
        assert!(outcome.residual_relative < 1e-6, "{method:?}: {:e}", outcome.residual_relative);
        let ends = kept.times(EventKind::ContactEnd);
        assert_eq!(ends.len(), 1, "{method:?}: {ends:?}");
        assert!((ends[0] - 0.5).abs() < 1e-6, "{method:?}: it tips at {} s, not 0.5 s", ends[0]);
        assert_eq!(kept.times(EventKind::Impact).len(), 0, "{method:?}: nothing strikes");
    }
}

/// A can and a capsule of its size with its mass and inertia touch a polyhedron alike while they lie along it and tip over its border. Those of the
/// capsule are found as features of two polyhedra, one of them a segment.
#[test]
fn a_can_lies_and_tips_as_a_capsule_does() {
    let rounds = std::env::var("ACROSS_ROUNDS").map_or(48, |rounds| rounds.parse().expect("a number"));
    let mut rng = SplitMix64::new(11);
    let (mut compared, mut tipped) = (0, 0);
    for round in 0..rounds {
        let ground = [table(), beam(0.25), hexagon()][round % 3].clone();
        let reach = [0.5, 0.125, 0.26][round % 3];
        let angle = rng.uniform(0.0, std::f64::consts::TAU);
        let mut can = lying(angle, rng.uniform(-1.0, 1.0) * reach, rng.uniform(-0.2, 0.2));
        can.velocity = Vec3::new(rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), 0.0);
        can.angular_velocity = Vec3::new(0.0, 0.0, rng.uniform(-2.0, 2.0));
        if round % 2 == 0 {
            // It rolls as it slides.
            can.angular_velocity += turned(Vec3::z(), angle) * Vec3::x() * rng.uniform(-10.0, 10.0);
        }
        let mu = [0.0, 0.3, 0.8][round / 3 % 3];
        let mut capsule = can.clone();
        capsule.shapes[0].shape = Shape::Capsule { radius: RADIUS, half_length: HALF };
        let [of_can, of_capsule] = [can, capsule].map(|body| {
            let mut model = make(vec![ground.clone(), body], law_of(0.2, mu), 0.4);
            model.solver.method = IntegratorKind::Dop853;
            let (outcome, kept) = run(&model);
            assert!(outcome.residual_relative < 1e-6, "{round}: {:e}", outcome.residual_relative);
            assert!(outcome.statistics.steps < 2000, "{round}: {:?}", outcome.statistics);
            (deepest(&model, &kept), kept)
        });
        assert!(of_can.0 > -1e-8, "{round}: {:e} m deep", of_can.0);
        for (a, b) in of_can.1.frames.iter().zip(&of_capsule.1.frames) {
            let touches = |frame: &crate::scene::Kept| !frame.contacts.is_empty();
            // From then on their ends differ.
            let lies = |frame: &crate::scene::Kept| frame.bodies[1].position.z > -0.02;
            if !touches(a) || !touches(b) || !lies(a) || !lies(b) {
                break;
            }
            compared += 1;
            tipped += usize::from(a.contacts.len() == 1);
            let [can, capsule] = [a, b].map(|frame| &frame.bodies[1]);
            let off = (can.position - capsule.position).norm();
            assert!(off < 1e-6, "{round}: {off:e} m apart at {} s", a.time);
        }
    }
    assert!(compared > 20 * rounds && tipped > rounds, "{compared} frames, {tipped} with one contact");
}

/// A can that bounces on one end just before it leaves a table comes down on that with its other end, within a step that begins with the bounce, when the
/// gap is zero, and ends where it falls beside the table. It went in by 0.7 to 4 mm: along the normal at the end of the step solids that touch at
/// its start were taken for apart.
#[test]
fn a_can_that_bounces_at_the_border_comes_down_on_it_again() {
    for (ahead, faster) in [(0.0, 0.0), (0.01, 0.0), (-0.01, 0.0), (0.02, 0.0), (0.0, 0.1), (0.005, -0.1)] {
        let half = Vec3::new(1.0, 1.0, 0.1);
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.1));
        let ground = fixed("table", Shape::Box { half }, pose);
        let turn = Quaternion { w: 0.600_777_8, x: 0.656_306_1, y: 0.255_302_7, z: -0.378_350_2 };
        let place = Pose { rotation: turn.to_matrix(), translation: Vec3::new(0.904 + ahead, 0.355, 0.0698) };
        let mut can = cylinder("can", 1.8, 0.062, 0.15, place);
        can.velocity = Vec3::new(2.314 + faster, 1.406, -0.337);
        can.angular_velocity = Vec3::new(-2.248, 1.198, -1.66);
        let mut model = make(vec![ground, can], law_of(0.2, 0.0), 0.12);
        model.solver.method = IntegratorKind::Ode45;
        let (_, kept) = run(&model);
        let impacts = kept.times(EventKind::Impact).len();
        assert!(impacts > 2, "{ahead}, {faster}: {impacts} impacts");
        let deepest = deepest(&model, &kept);
        assert!(deepest > -1e-8, "{ahead}, {faster}: {deepest:e} m deep");
    }
}

/// The deepest overlap of a run (m, negative), by the search for convex solids.
pub(crate) fn deepest(model: &Model, kept: &Keeper) -> f64 {
    let solids: Vec<_> =
        model.bodies.iter().map(|body| ConvexShape::of_shape(&body.shapes[0].shape).unwrap()).collect();
    let mut workspace = ConvexWorkspace::new();
    let gaps = kept.frames.iter().map(|frame| {
        let [a, b] = [0, 1].map(|k| Pose {
            rotation: frame.bodies[k].orientation.to_matrix(),
            translation: frame.bodies[k].position,
        });
        let found = find_convex_contact(&solids[0], &a, &solids[1], &b, &ConvexCache::COLD, &mut workspace);
        found.expect("a distance").point.gap
    });
    gaps.fold(f64::INFINITY, f64::min)
}

//! Wide lines: pairs come up before their surfaces meet, none is missed, and the run goes on from a checkpoint with the
//! same bits.

use carom_engine::law::NormalKind;
use carom_engine::model::{Body, IntegratorKind, ShapeRef, WideLine};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Simulation, System};
use carom_geometry::Shape;
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{self, Keeper, law};

/// Balls of several sizes that fall on each other in a corner of three walls.
pub(crate) fn heap(balls: usize, t_end: f64) -> Model {
    let mut random = SplitMix64::new(7);
    let mut bodies: Vec<Body> = vec![scene::floor()];
    for index in 0..balls {
        let radius = 0.05 + 0.1 * random.uniform(0.0, 1.0);
        let layer = (index / 9) as f64;
        let place = [index % 3, index / 3 % 3].map(|k| 0.32 * k as f64 + 0.05 * random.uniform(0.0, 1.0));
        let at = Vec3::new(place[0], place[1], 0.2 + 0.4 * layer);
        let mut ball = scene::ball(&format!("ball{index}"), 1.0, radius, at);
        ball.velocity = Vec3::new(random.uniform(0.0, 1.0) - 0.5, random.uniform(0.0, 1.0) - 0.5, 0.0);
        bodies.push(ball);
    }
    scene::model(bodies, law(NormalKind::HuntCrossley, 0.7), 9.81, t_end, 1e-8)
}

/// The same with one wide line in place of the pairs.
pub(crate) fn widened(mut model: Model) -> Model {
    let all: Vec<ShapeRef> = (0..model.bodies.len()).map(|body| ShapeRef { body, shape: 0 }).collect();
    let everything = || "*".to_owned();
    model.wide_lines =
        vec![WideLine { line: Some(0), patterns: [everything(), everything()], sides: [all.clone(), all] }];
    model.pairs.clear();
    model
}

/// Names and times of the contacts that begin, in order of time and name.
fn begins(model: &Model) -> Vec<(f64, String)> {
    let system = System::compile(model).expect("a sound model");
    let mut keeper = Keeper::default();
    let outcome = Simulation::new(&system).run(&mut keeper).expect("the keeper never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    let (pairs, contacts) = keeper.names(system.info());
    let begin = keeper.events.iter().filter(|e| e.kind == EventKind::ContactBegin);
    begin.map(|e| (e.time, pairs[contacts[e.contact].pair].name.clone())).collect()
}

#[test]
fn wide_lines_find_the_contacts_of_listed_pairs() {
    let listed = heap(27, 0.5);
    let (listed, wide) = (begins(&listed), begins(&widened(listed.clone())));
    assert!(listed.len() > 40, "{}", listed.len());
    assert_eq!(listed.len(), wide.len());
    for ((time, name), (wide_time, wide_name)) in listed.iter().zip(&wide) {
        assert_eq!(name, wide_name);
        // Forces add up in another order, and collisions magnify the rounding.
        assert!((time - wide_time).abs() < 1e-7, "{name}: {time} {wide_time}");
    }
}

#[test]
fn few_pairs_come_up() {
    let model = widened(heap(90, 0.02));
    let system = System::compile(&model).expect("a sound model");
    let mut keeper = Keeper::default();
    Simulation::new(&system).run(&mut keeper).expect("the keeper never fails");
    let (pairs, _) = keeper.names(system.info());
    // 4095 would be all.
    assert!(pairs.len() < 700, "{}", pairs.len());
}

#[test]
fn pairs_that_came_up_survive_a_restart() {
    let model = widened(heap(27, 0.5));
    let system = System::compile(&model).expect("a sound model");
    let mut whole = Keeper { checkpoint_after: 6, ..Keeper::default() };
    let outcome = Simulation::new(&system).run(&mut whole).expect("the keeper never fails");
    let (image, _, events) = &whole.checkpoints[0];
    let mut rest = Keeper::default();
    let resumed = Simulation::resume(&system, image).expect("its own image").run(&mut rest).unwrap();
    assert!(*events > 5 && rest.events.len() > 5);
    assert_eq!(whole.events[*events..], rest.events[..]);
    assert_eq!(outcome.bodies, resumed.bodies);
    assert_eq!(whole.names(system.info()), rest.names(system.info()));
}

/// Tangents of implicit methods know pairs that came up, and what failed in them.
#[test]
fn pairs_that_come_up_serve_implicit_methods() {
    let mut model = widened(heap(27, 0.3));
    model.solver.method = IntegratorKind::Radau5;
    let (outcome, keeper) = scene::run(&model);
    assert!(!keeper.added.0.is_empty() && !keeper.times(EventKind::ContactBegin).is_empty());
    assert!(outcome.statistics.jacobians > 0 && outcome.residual_relative < 1e-6);
}

/// Around an open tube everything is solid: a ball comes down on the end face ten radii from the axis, beyond any ball about
/// the tube.
#[test]
fn surfaces_without_end_are_near_to_everything() {
    let side = CylinderSide::Hollow { closed: false };
    let tube = Shape::Cylinder(Cylinder { radius: 0.2, half_length: 0.5, side });
    let ball = scene::ball("ball", 1.0, 0.1, Vec3::new(2.0, 0.0, 1.0));
    let bodies = vec![scene::fixed("tube", tube, Pose::identity()), ball];
    let model = widened(scene::model(bodies, law(NormalKind::HuntCrossley, 0.7), 9.81, 0.5, 1e-8));
    let begins = begins(&model);
    let fall = (2.0 * 0.4 / 9.81_f64).sqrt();
    assert!((begins.first().expect("it lands").0 - fall).abs() < 1e-9, "{begins:?}");
}

/// Balls of as many sizes as there are balls: what is checked beforehand, and told, does not grow with their number.
#[test]
fn samples_of_a_wide_line_are_few() {
    let mut model = widened(heap(120, 0.1));
    model.laws[0].young_modulus = Some(2e9);
    model.laws[0].poisson_ratio = Some(0.3);
    scene::point(&mut model.laws[0]).stiffness = None;
    let system = System::compile(&model).expect("a sound model");
    let laws = system.info().wide_lines[0].laws.len();
    assert!((5..=12).contains(&laws), "{laws}");
}

/// A pair that comes up and has carried nothing by the end of the run has a least force of nothing, as one that is listed: no event says
/// so. The ball falls for 0.769 s.
#[test]
fn pairs_that_come_up_late_have_carried_nothing() {
    let bodies = vec![scene::floor(), scene::ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 3.0))];
    let model = scene::model(bodies, law(NormalKind::HuntCrossley, 0.7), 9.81, 0.76, 1e-8);
    for model in [widened(model.clone()), model] {
        let (outcome, _) = scene::run(&model);
        let least: Vec<f64> = outcome.pairs.iter().map(|totals| totals.least_force.value).collect();
        assert_eq!(least, [0.0]);
    }
}

/// A wide line whose law cannot serve its pairs is refused, also where balls of the same kind are not on the line or listed
/// elsewhere.
#[test]
fn laws_of_wide_lines_are_checked_beforehand() {
    let mut model = widened(heap(27, 0.1));
    let listed = heap(27, 0.1).pairs;
    for body in &mut model.bodies[1..] {
        body.shapes[0].shape = Shape::Sphere { radius: 0.05, hollow: false };
    }
    // The first balls are on no side, and the pairs of the next are listed.
    let ball = |body| ShapeRef { body, shape: 0 };
    model.wide_lines[0].sides = [(5..=27).map(ball).collect(), (5..=27).map(ball).collect()];
    model.pairs = listed.into_iter().filter(|p| p.a.body == 5 || p.b.body == 5).collect();
    model.contact_lines.push(model.contact_lines[0].clone());
    model.laws.push(model.laws[0].clone());
    model.contact_lines[1].law = 1;
    model.wide_lines[0].line = Some(1);
    assert!(System::compile(&model).is_ok());
    scene::point(&mut model.laws[1]).stiffness = None;
    let problems = System::compile(&model).expect_err("no stiffness follows from anything");
    assert!(problems.iter().all(|p| p.path.contains("contact")) && !problems.is_empty(), "{problems:?}");
}

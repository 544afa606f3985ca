//! A thousand balls in a box: at every accepted step the contacts of the run are those of all pairs looked at one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_PI_2;

use carom_engine::law::NormalKind;
use carom_engine::model::{Body, ShapeRef, WideLine};
use carom_engine::record::{ContactInfo, Frame, PairInfo, RecordError, Recorder, RunInfo, StepRow};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{self, law};

const WALLS: usize = 5;
const SPACING: f64 = 0.22;
/// A gap that is zero to rounding, as at the end of a step that ends where surfaces meet or part (m).
const TOUCH: f64 = 1e-13;

/// Radius of a ball (m): two sizes.
fn radius(index: usize) -> f64 {
    if index.is_multiple_of(3) { 0.1 } else { 0.08 }
}

/// Balls in a grid between a floor and four walls, thrown down and against each other, on one wide line.
fn crowd() -> Model {
    let mut random = SplitMix64::new(11);
    let edge = 10.0 * SPACING;
    // Normals +z, +x, −x, +y, −y.
    let turns = [
        Vec3::zeros(),
        Vec3::y() * FRAC_PI_2,
        -Vec3::y() * FRAC_PI_2,
        -Vec3::x() * FRAC_PI_2,
        Vec3::x() * FRAC_PI_2,
    ];
    let places = [Vec3::zeros(), Vec3::zeros(), Vec3::x() * edge, Vec3::zeros(), Vec3::y() * edge];
    let mut bodies: Vec<Body> = Vec::new();
    for (wall, (turn, translation)) in turns.iter().zip(places).enumerate() {
        let pose = Pose { rotation: Quaternion::from_rotation_vector(turn).to_matrix(), translation };
        bodies.push(scene::fixed(&format!("wall{wall}"), Shape::HalfSpace, pose));
    }
    for index in 0..1000 {
        let cell = [index % 10, index / 10 % 10, index / 100].map(|k| SPACING * (k as f64 + 0.5));
        let mut ball = scene::ball(&format!("ball{index}"), 1.0, radius(index), Vec3::from(cell));
        let mut speed = || random.uniform(-1.0, 1.0);
        ball.velocity = Vec3::new(speed(), speed(), speed() - 1.0);
        bodies.push(ball);
    }
    let all: Vec<ShapeRef> = (0..bodies.len()).map(|body| ShapeRef { body, shape: 0 }).collect();
    let mut law = law(NormalKind::HuntCrossley, 0.7);
    scene::point(&mut law).stiffness = Some(1e5);
    // The pairs are made without the balls: half a million would be thrown away.
    let mut model = scene::model(Vec::new(), law, 9.81, 0.03, 1e-5);
    model.bodies = bodies;
    model.wide_lines = vec![WideLine {
        line: Some(0),
        patterns: ["*".to_owned(), "*".to_owned()],
        sides: [all.clone(), all[WALLS..].to_vec()],
    }];
    model
}

/// Gap of two bodies of the crowd at a frame (m).
fn gap(frame: &Frame<'_>, a: usize, b: usize) -> f64 {
    let (first, second) = (&frame.bodies[a], &frame.bodies[b]);
    let apart = second.position - first.position;
    if a < WALLS {
        let normal = first.orientation.to_matrix() * Vec3::z();
        return normal.dot(&apart) - radius(b - WALLS);
    }
    apart.norm() - radius(a - WALLS) - radius(b - WALLS)
}

/// Compares at every probe; keeps the times of the steps.
struct Oracle {
    bodies: BTreeMap<String, usize>,
    pairs: Vec<PairInfo>,
    contacts: Vec<ContactInfo>,
    steps: Vec<f64>,
    probes: usize,
    most: usize,
}

impl Oracle {
    fn new(info: &RunInfo) -> Self {
        let bodies = info.bodies.iter().cloned().zip(0..).collect();
        let (pairs, contacts) = (info.pairs.clone(), info.contacts.clone());
        Self { bodies, pairs, contacts, steps: Vec::new(), probes: 0, most: 0 }
    }
}

impl Recorder for Oracle {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.pairs.extend_from_slice(pairs);
        self.contacts.extend_from_slice(contacts);
        Ok(())
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let found: BTreeSet<(usize, usize)> = frame
            .contacts
            .iter()
            .map(|sample| {
                let pair = &self.pairs[self.contacts[sample.contact].pair];
                let [a, b] = [&pair.a, &pair.b].map(|name| self.bodies[name]);
                (a.min(b), a.max(b))
            })
            .collect();
        for &(a, b) in &found {
            assert!(gap(frame, a, b) <= TOUCH, "{}: {a} {b} are apart", frame.time);
        }
        for a in 0..frame.bodies.len() {
            for b in (a + 1).max(WALLS)..frame.bodies.len() {
                if gap(frame, a, b) < -TOUCH {
                    assert!(found.contains(&(a, b)), "{}: {a} {b} are missed", frame.time);
                }
            }
        }
        self.probes += 1;
        self.most = self.most.max(found.len());
        Ok(())
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.steps.push(step.time);
        Ok(())
    }
}

fn watch(model: &Model) -> Oracle {
    let system = System::compile(model).expect("a sound model");
    let mut oracle = Oracle::new(system.info());
    let outcome = Simulation::new(&system).run(&mut oracle).expect("the oracle never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    oracle
}

/// Probes do not change the steps: the second run is looked at where the steps of the first one ended.
#[test]
fn contacts_of_a_thousand_balls_are_those_of_brute_force() {
    let mut model = crowd();
    let first = watch(&model);
    model.output.probes = first.steps.clone();
    let second = watch(&model);
    assert_eq!(first.steps, second.steps);
    assert_eq!(second.probes, first.steps.len());
    assert!(second.most > 150, "{}", second.most);
}

//! At every accepted step of the whole run the contacts are those of all pairs looked at one by one.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::record::{ContactInfo, Frame, PairInfo, RecordError, Recorder, RunInfo, StepRow};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_examples_test::load;
use carom_geometry::Shape;
use carom_math::Vec3;

/// A gap that is zero to rounding, as at the end of a step that ends where surfaces meet or part (m).
const TOUCH: f64 = 1e-13;

/// A surface of the model: a plane that does not move, or a ball.
enum Surface {
    Plane { point: Vec3, normal: Vec3 },
    Ball { body: usize, radius: f64 },
}

impl Surface {
    fn gap(&self, other: &Self, frame: &Frame<'_>) -> f64 {
        let centre = |body: &usize| frame.bodies[*body].position;
        match (self, other) {
            (Self::Plane { point, normal }, Self::Ball { body, radius }) => {
                normal.dot(&(centre(body) - point)) - radius
            }
            (Self::Ball { body: a, radius: ra }, Self::Ball { body: b, radius: rb }) => {
                (centre(b) - centre(a)).norm() - ra - rb
            }
            _ => f64::INFINITY,
        }
    }
}

/// Paths of all surfaces, planes first.
fn surfaces(model: &Model) -> Vec<(String, Surface)> {
    let mut surfaces = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        for shape in &body.shapes {
            let surface = match shape.shape {
                Shape::HalfSpace => Surface::Plane {
                    point: body.position + shape.pose.translation,
                    normal: shape.pose.rotation * Vec3::z(),
                },
                Shape::Sphere { radius, hollow: false } => Surface::Ball { body: index, radius },
                ref other => panic!("{other:?}"),
            };
            surfaces.push((shape.name.clone(), surface));
        }
    }
    surfaces.sort_by_key(|(_, surface)| matches!(surface, Surface::Ball { .. }));
    surfaces
}

/// Compares at every probe; keeps the times of the steps.
struct Oracle {
    surfaces: Vec<Surface>,
    places: BTreeMap<String, usize>,
    pairs: Vec<PairInfo>,
    contacts: Vec<ContactInfo>,
    steps: Vec<f64>,
    probes: usize,
    most: usize,
    seen: usize,
}

impl Oracle {
    fn new(model: &Model, info: &RunInfo) -> Self {
        let (names, surfaces): (Vec<_>, Vec<_>) = surfaces(model).into_iter().unzip();
        Self {
            surfaces,
            places: names.into_iter().zip(0..).collect(),
            pairs: info.pairs.clone(),
            contacts: info.contacts.clone(),
            steps: Vec::new(),
            probes: 0,
            most: 0,
            seen: 0,
        }
    }
}

impl Recorder for Oracle {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.pairs.extend_from_slice(pairs);
        self.contacts.extend_from_slice(contacts);
        Ok(())
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let place = |sample: usize| {
            let pair = &self.pairs[self.contacts[sample].pair];
            let [a, b] = [&pair.a, &pair.b].map(|path| self.places[path]);
            [a.min(b), a.max(b)]
        };
        let found: BTreeSet<[usize; 2]> = frame.contacts.iter().map(|s| place(s.contact)).collect();
        for (a, first) in self.surfaces.iter().enumerate() {
            for (b, second) in self.surfaces.iter().enumerate().skip(a + 1) {
                let gap = first.gap(second, frame);
                if gap.abs() > TOUCH {
                    assert_eq!(gap < 0.0, found.contains(&[a, b]), "{}: {a} {b} {gap:e}", frame.time);
                }
            }
        }
        self.probes += 1;
        self.most = self.most.max(found.len());
        self.seen += found.len();
        Ok(())
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.steps.push(step.time);
        Ok(())
    }
}

fn watch(model: &Model) -> Oracle {
    let system = System::compile(model).expect("a sound model");
    let mut oracle = Oracle::new(model, system.info());
    let outcome = Simulation::new(&system).run(&mut oracle).expect("the oracle never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    oracle
}

/// Probes do not change the steps: the second run is looked at where the steps of the first one ended. It lasts as
/// long as the example says, or `SPHERES_T_END` (a time with its unit).
#[test]
fn contacts_are_those_of_brute_force_at_every_step() {
    let longer = std::env::var("SPHERES_T_END").ok().map(|t_end| format!("solver.t_end={t_end}"));
    let changes: Vec<&str> = longer.iter().map(String::as_str).collect();
    let mut model = load("spheres-in-box", &changes).model;
    model.output.steps = true;
    let first = watch(&model);
    model.output.probes = first.steps.clone();
    let second = watch(&model);
    assert_eq!(first.steps, second.steps);
    assert_eq!(second.probes, first.steps.len());
    let Oracle { most, seen, pairs, .. } = second;
    assert!(most > 600 && seen > 200_000, "{most} contacts at most, {seen} in all");
    // Six neighbours and what comes near, not all within a long fall.
    assert!(pairs.len() < 15_000, "{} pairs", pairs.len());
}

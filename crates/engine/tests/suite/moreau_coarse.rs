//! Time stepping with a coarse tolerance of contacts: what it may leave, and what it may not change.

use carom_engine::model::{IntegratorKind, Model, StepControl};
use carom_math::Vec3;

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, floor, run};

const RADIUS: f64 = 0.05;
const COUNT: usize = 48;
const G: f64 = 9.81;
const STEP: f64 = 4e-3;
/// Frame, one a step, at which all layers have landed and the column has not fallen apart yet, which it does by chance.
const LANDED: usize = 40;

/// A column of balls, four a layer and each layer off the one below, that falls on the floor and spreads.
fn heap(restitution: f64, tolerance: f64) -> Model {
    let place = |k: usize| {
        let layer = k / 4;
        let off = 0.013 * (layer % 3) as f64;
        Vec3::new(0.11 * (k % 2) as f64 + off, 0.11 * (k / 2 % 2) as f64 - off, 0.06 + 0.104 * layer as f64)
    };
    let balls = (0..COUNT).map(|k| ball(&format!("b{k}"), 1.0, RADIUS, place(k)));
    let mut model = make(std::iter::once(floor()).chain(balls).collect(), law_of(restitution, 0.3), 0.6);
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(STEP);
    model.output.every = Some(STEP);
    model.solver.contact_tolerance = tolerance;
    model
}

/// Mechanical energy (J) of a frame, and the deepest overlap (m).
fn judge(keeper: &Keeper, frame: usize) -> (f64, f64) {
    let bodies = &keeper.frames[frame].bodies[1..];
    let inertia = 0.4 * RADIUS * RADIUS;
    let energy = bodies.iter().map(|b| {
        0.5 * (b.velocity.norm_squared() + inertia * b.angular_velocity.norm_squared()) + G * b.position.z
    });
    let mut deepest = 0.0_f64;
    for (k, a) in bodies.iter().enumerate() {
        deepest = deepest.max(RADIUS - a.position.z);
        for b in &bodies[..k] {
            deepest = deepest.max(2.0 * RADIUS - (a.position - b.position).norm());
        }
    }
    (energy.sum(), deepest)
}

/// At the ends of all steps balls that do not bounce overlap by no more than half of the tolerance of their radius, energy is what it was before but for what
/// impulses take and corrections lift, which the ledger has to rounding, and once all have
/// landed the centre of mass is where exact contacts have it.
#[test]
fn a_heap_keeps_what_its_tolerance_says() {
    let height = |keeper: &Keeper| {
        let bodies = &keeper.frames[LANDED].bodies[1..];
        bodies.iter().map(|b| b.position.z).sum::<f64>() / COUNT as f64
    };
    for restitution in [0.0, 0.5] {
        let (_, exact) = run(&heap(restitution, 1e-10));
        for tolerance in [1e-3, 0.03, 0.1] {
            let (outcome, keeper) = run(&heap(restitution, tolerance));
            assert!(outcome.residual_relative < 1e-12, "{}", outcome.residual_relative);
            let told: Vec<_> = outcome.warnings.iter().filter(|w| w.contains("contact_tolerance")).collect();
            assert_eq!(told.len(), 1, "{:?}", outcome.warnings);
            let limit = 0.5 * tolerance * RADIUS * (1.0 + 1e-9);
            let (start, _) = judge(&keeper, 0);
            let mut before = start;
            for frame in 0..keeper.frames.len() {
                let (energy, deepest) = judge(&keeper, frame);
                // What bounces leaves by itself what half a step has made it penetrate.
                assert!(
                    restitution > 0.0 || deepest <= limit,
                    "{tolerance}: {deepest} m of {limit} m in frame {frame}"
                );
                // Each correction lifts balls by no more than what they overlap.
                let lift = COUNT as f64 * G * 0.01 * RADIUS;
                assert!(energy <= before + lift, "{tolerance}: {before} J and then {energy} J");
                before = energy;
            }
            assert!(before < start - 10.0, "balls have struck: {start} J and {before} J");
            let off = (height(&keeper) - height(&exact)).abs();
            assert!(off < 0.06 * RADIUS, "{tolerance}: the centre of mass is {off} m off");
        }
    }
}

/// A coarse run is as repeatable as any.
#[test]
fn a_coarse_heap_has_the_same_bits_again() {
    let ends = || {
        let (outcome, _) = run(&heap(0.3, 0.03));
        outcome
            .bodies
            .iter()
            .flat_map(|b| b.position.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(ends(), ends());
}

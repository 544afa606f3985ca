//! Every integrator on the same scenes: events, ledger, checkpoints, agreement.

use carom_engine::law::NormalKind;
use carom_engine::model::IntegratorKind;
use carom_engine::record::EventKind;
use carom_engine::{CheckpointError, Model, Simulation, System};
use carom_math::Vec3;

use crate::scene::{Keeper, ball, floor, law, model, run};

/// All but `auto`, which stands for one of the others.
const KINDS: [IntegratorKind; 5] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
];

fn with(kind: IntegratorKind, mut model: Model) -> Model {
    model.solver.method = kind;
    model
}

/// A ball that bounces on the floor, with damping and friction.
fn bouncing(rtol: f64) -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.8);
    l.mu = Some(0.3);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.35));
    b.velocity.x = 0.3;
    b.angular_velocity.y = 5.0;
    model(vec![floor(), b], l, 9.81, 1.2, rtol)
}

#[test]
fn explore() {
    for kind in KINDS {
        for rtol in [1e-6, 1e-9] {
            let (outcome, keeper) = run(&with(kind, bouncing(rtol)));
            println!(
                "{} {rtol:e} residual {:.2e} {:?} begins {:?}",
                kind.name(),
                outcome.residual_relative,
                outcome.statistics,
                keeper.times(EventKind::ContactBegin).len()
            );
            println!("   {:?} {:?}", outcome.bodies[1].position, keeper.times(EventKind::ContactEnd));
            for e in &keeper.events {
                if e.gap.abs() > 1e-14 {
                    println!("   gap {:e} {:?}", e.gap, e.kind)
                }
            }
        }
    }
}

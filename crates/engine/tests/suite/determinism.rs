//! The same bits: twice, and after a restart from any checkpoint.

use carom_engine::law::NormalKind;
use carom_engine::{CheckpointError, Model, Simulation, System};
use carom_math::Vec3;

use crate::scene::{Keeper, ball, floor, law, model, run};

fn scene() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.6);
    l.mu = Some(0.3);
    let bodies = (0..5).map(|i| {
        let f = f64::from(i);
        let mut b = ball(&format!("b{i}"), 0.2, 0.05, Vec3::new(0.09 * f, 0.01 * f, 0.3 + 0.05 * f));
        b.angular_velocity.x = 10.0;
        b
    });
    model(std::iter::once(floor()).chain(bodies).collect(), l, 9.81, 0.8, 1e-7)
}

#[test]
fn two_runs_are_bit_equal() {
    let ((a, ka), (b, kb)) = (run(&scene()), run(&scene()));
    assert_eq!(a.bodies, b.bodies);
    assert_eq!(ka.frames, kb.frames);
    assert_eq!(ka.events, kb.events);
}

#[test]
fn restart_continues_with_the_same_bits() {
    let system = System::compile(&scene()).unwrap();
    let (whole, all) = run(&scene());
    assert!(all.events.len() > 20);
    for after in [1, 3, 7] {
        let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
        Simulation::new(&system).run(&mut first).unwrap();
        let (image, frames, events) = first.checkpoints.remove(0);
        let mut second = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
        assert_eq!(resumed.bodies, whole.bodies);
        assert_eq!(resumed.energy, whole.energy);
        assert_eq!(resumed.pairs, whole.pairs);
        assert_eq!(resumed.statistics.rhs, whole.statistics.rhs);
        assert_eq!(second.frames, all.frames[frames..]);
        assert_eq!(second.events, all.events[events..]);
    }
}

/// A damaged image is refused at every length, and so is one of another model.
#[test]
fn damaged_checkpoints_are_refused() {
    let system = System::compile(&scene()).unwrap();
    let mut keeper = Keeper { checkpoint_after: 1, ..Keeper::default() };
    Simulation::new(&system).run(&mut keeper).unwrap();
    let image = &keeper.checkpoints[0].0;
    for len in (0..image.len()).step_by(97) {
        assert!(Simulation::resume(&system, &image[..len]).is_err());
    }
    let mut longer = image.clone();
    longer.push(0);
    assert_eq!(Simulation::resume(&system, &longer).err(), Some(CheckpointError::Length));
    let other = System::compile(&model(
        vec![floor(), ball("b", 1.0, 0.1, Vec3::z())],
        law(NormalKind::None, 1.0),
        9.81,
        1.0,
        1e-6,
    ))
    .unwrap();
    assert_eq!(Simulation::resume(&other, image).err(), Some(CheckpointError::Model));
}

/// A finished run goes on to a later end with another output interval: frames at their own times, none twice.
#[test]
fn resumed_run_may_have_another_end_and_output() {
    let mut m = scene();
    m.output.every = Some(0.3);
    let system = System::compile(&m).unwrap();
    let mut first = Keeper::default();
    let mut simulation = Simulation::new(&system);
    simulation.run(&mut first).unwrap();
    let image = simulation.checkpoint();
    m.solver.t_end = 1.25;
    m.output.every = Some(0.25);
    let longer = System::compile(&m).unwrap();
    let mut second = Keeper::default();
    Simulation::resume(&longer, &image).unwrap().run(&mut second).unwrap();
    let times = |keeper: &Keeper| keeper.frames.iter().map(|f| f.time).collect::<Vec<_>>();
    assert_eq!(times(&first), [0.0, 0.3, 0.6, 0.8]);
    assert_eq!(times(&second), [1.0, 1.25]);
}

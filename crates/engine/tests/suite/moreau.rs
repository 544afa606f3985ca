//! Time stepping with rigid contacts against closed forms.

use carom_engine::function::TimeFunction;
use carom_engine::law::{ImpactLaw, Law, NormalKind, RigidBlock};
use carom_engine::model::{
    Attachment, Body, CableLength, Force, ForceKind, IntegratorKind, Method, Model, StepControl,
};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Simulation, System};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{
    Keeper, ball, block, body, contact_line, cylinder, fixed, floor, law, model, run, run_any,
};

const G: f64 = 9.81;

/// A rigid law.
fn rigid(restitution: f64, mu: f64) -> Law {
    let block = RigidBlock {
        normal: restitution,
        tangential: 0.0,
        bound: 1.0,
        mu: Some(mu),
        impact: ImpactLaw::Newton,
    };
    Law { point: None, rigid: Some(block), ..law(NormalKind::HuntCrossley, 0.0) }
}

/// All bodies in rigid contact, with steps of `h`.
fn stepped(bodies: Vec<Body>, law: Law, h: f64, t_end: f64) -> Model {
    let mut model = model(bodies, law, G, t_end, 1e-6);
    model.contact_lines = vec![contact_line(Method::Nonsmooth)];
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(h);
    model
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// A ball that is dropped by 1 m and returns half of its speed: height after the second bounce, known in closed form.
#[test]
fn a_bouncing_ball_converges_with_the_step() {
    let (drop, e, t_end) = (1.0, 0.5, 1.0);
    let fall = (2.0 * drop / G).sqrt();
    let speed = fall * G;
    // Impacts at fall and fall (1 + 2 e); then with e² of the speed.
    let since = t_end - fall * (1.0 + 2.0 * e);
    let height = e * e * speed * since - 0.5 * G * since * since;
    assert!(since > 0.0 && height > 0.0);
    let error = |h: f64| {
        let model = stepped(
            vec![floor(), ball("ball", 2.0, 0.1, Vec3::new(0.0, 0.0, 0.1 + drop))],
            rigid(e, 0.3),
            h,
            t_end,
        );
        let (outcome, keeper) = run(&model);
        assert_eq!(keeper.times(EventKind::ContactBegin).len(), 2);
        assert!(outcome.residual_relative < 1e-12, "{}", outcome.residual_relative);
        (outcome.bodies[1].position.z - 0.1 - height).abs()
    };
    let (coarse, fine) = (error(1e-3), error(1e-5));
    // First order: what a step leaves is at most v h at each impact.
    assert!(coarse < 3.0 * speed * 1e-3, "{coarse}");
    assert!(fine < 3.0 * speed * 1e-5, "{fine}");
}

/// A block on ground that is inclined by less than the angle of friction: no creep at all, and the reaction is exact.
#[test]
fn a_block_on_an_incline_sticks_without_creep() {
    let cube = block("block", 3.0, Vec3::new(0.4, 0.3, 0.2), at(0.0, 0.0, 0.1));
    let mut model = stepped(vec![floor(), cube], rigid(0.0, 0.5), 5e-3, 60.0);
    let angle = 0.99 * 0.5_f64.atan();
    model.gravity = Vec3::new(G * angle.sin(), 0.0, -G * angle.cos());
    model.output.every = Some(1.0);
    let (outcome, keeper) = run(&model);
    let moved = outcome.bodies[1].position - Vec3::new(0.0, 0.0, 0.1);
    // The residual of 1e-10 leaves up to g h 1e-10 of speed, 3e-10 m in a minute.
    assert!(moved.norm() < 1e-11, "{moved:?}");
    let last = keeper.frames.last().expect("frames");
    let normal: f64 = last.contacts.iter().map(|c| c.normal_force).sum();
    let along: f64 = last.contacts.iter().map(|c| c.friction_force.x).sum();
    assert!((normal - 3.0 * G * angle.cos()).abs() < 1e-8, "{normal}");
    assert!((along + 3.0 * G * angle.sin()).abs() < 1e-8, "{along}");
    // Beyond the angle it slides with the closed form's acceleration, exactly.
    let angle = 1.05 * 0.5_f64.atan();
    model.gravity = Vec3::new(G * angle.sin(), 0.0, -G * angle.cos());
    model.solver.t_end = 1.0;
    let (outcome, _) = run(&model);
    let acceleration = G * (angle.sin() - 0.5 * angle.cos());
    assert!((outcome.bodies[1].velocity.x - acceleration).abs() < 1e-9, "{:?}", outcome.bodies[1]);
    assert!((outcome.bodies[1].position.x - 0.5 * acceleration).abs() < 1e-9);
}

/// What an impact takes is what the kinetic energy loses, as the forces of inertia are those of the mean of the velocities before and after it, at which they do no work:
/// where boxes tumble the ledger closes to what the corrections leave, in free flight to rounding.
#[test]
fn the_ledger_of_a_tumbling_block_closes_at_any_step() {
    let residual = |h: f64, t_end: f64| {
        let mut cube = block("block", 3.0, Vec3::new(0.2, 0.1, 0.08), at(0.0, 0.0, 0.5));
        cube.velocity = Vec3::new(1.0, 0.0, 0.0);
        cube.angular_velocity = Vec3::new(3.0, 7.0, 2.0);
        run(&stepped(vec![floor(), cube], rigid(0.0, 0.6), h, t_end)).0.residual_relative
    };
    // It lands at 0.28 s.
    assert!(residual(1e-3, 0.2) < 1e-13);
    let [coarse, fine] = [2e-3, 2.5e-4].map(|h| residual(h, 1.0));
    assert!(coarse < 1e-8 && fine < 1e-8, "{coarse:e} {fine:e}");
}

/// A block that slides to rest within v²/(2 μ g), to the order of the step.
#[test]
fn a_block_slides_to_rest() {
    let (mu, v) = (0.3, 2.0);
    for h in [1e-2, 1e-3] {
        let mut cube = block("block", 3.0, Vec3::new(0.4, 0.3, 0.1), at(0.0, 0.0, 0.05));
        cube.velocity = Vec3::new(v, 0.0, 0.0);
        let (outcome, _) = run(&stepped(vec![floor(), cube], rigid(0.0, mu), h, 2.0));
        let way = v * v / (2.0 * mu * G);
        assert!((outcome.bodies[1].position.x - way).abs() < 0.1 * v * h, "{h}: {:?}", outcome.bodies[1]);
        assert!(outcome.bodies[1].velocity.norm() < 1e-12);
        assert!((outcome.energy.dissipated_friction - 0.5 * 3.0 * v * v).abs() < 1e-8);
        assert!(outcome.residual_relative < 1e-11, "{}", outcome.residual_relative);
    }
}

/// A ball that is thrown without spin rolls at 5/7 of its speed in the end, whatever the friction.
#[test]
fn a_ball_comes_to_roll() {
    for mu in [0.05, 0.5] {
        let mut thrown = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
        thrown.velocity = Vec3::new(1.0, 0.0, 0.0);
        let (outcome, _) = run(&stepped(vec![floor(), thrown], rigid(0.0, mu), 1e-3, 1.0));
        let ball = &outcome.bodies[1];
        assert!((ball.velocity.x - 5.0 / 7.0).abs() < 1e-10, "{ball:?}");
        assert!((ball.angular_velocity.y - 50.0 / 7.0).abs() < 1e-9, "{ball:?}");
    }
}

/// Two balls that meet askew, with friction, far from everything: momentum and angular momentum stay, energy falls.
#[test]
fn momentum_and_angular_momentum_stay() {
    let mut one = ball("one", 1.0, 0.1, Vec3::new(-0.5, 0.03, 0.02));
    let mut two = ball("two", 2.5, 0.15, Vec3::new(0.5, -0.02, 0.0));
    one.velocity = Vec3::new(2.0, 0.1, 0.0);
    one.angular_velocity = Vec3::new(3.0, -5.0, 20.0);
    two.velocity = Vec3::new(-1.0, 0.0, 0.05);
    let sums = |bodies: &[carom_engine::record::BodyState]| {
        let each = [(1.0, 0.1_f64), (2.5, 0.15)].into_iter().zip(bodies);
        each.fold([Vec3::zeros(); 2], |[p, l], ((m, r), b)| {
            let spin = b.angular_velocity * (0.4 * m * r * r);
            [p + b.velocity * m, l + b.position.cross(&(b.velocity * m)) + spin]
        })
    };
    let mut model = stepped(vec![one, two], rigid(0.7, 0.4), 1e-3, 0.6);
    model.gravity = Vec3::zeros();
    let (outcome, keeper) = run(&model);
    let (before, after) = (sums(&keeper.frames[0].bodies), sums(&outcome.bodies));
    assert!((before[0] - after[0]).norm() < 1e-12);
    assert!((before[1] - after[1]).norm() < 1e-12, "{before:?} {after:?}");
    assert!(outcome.energy.kinetic < keeper.frames[0].energy.kinetic);
    assert!(outcome.residual_relative < 1e-11, "{}", outcome.residual_relative);
}

/// A tower of boxes at rest: each face carries what is above it, exactly.
#[test]
fn a_tower_carries_its_weight() {
    let mass = |k: usize| 1.0 + k as f64;
    let boxes = (0..5).map(|k| {
        block(&format!("b{k}"), mass(k), Vec3::new(0.3, 0.2, 0.1), at(0.0, 0.0, 0.05 + 0.1 * k as f64))
    });
    let mut model = stepped(std::iter::once(floor()).chain(boxes).collect(), rigid(0.0, 0.5), 2e-3, 2.0);
    model.output.every = Some(0.5);
    let (outcome, keeper) = run(&model);
    for (k, body) in outcome.bodies[1..].iter().enumerate() {
        let off = body.position - Vec3::new(0.0, 0.0, 0.05 + 0.1 * k as f64);
        assert!(off.norm() < 1e-9, "{k}: {off:?}");
    }
    let system = System::compile(&model).expect("a sound model");
    let last = keeper.frames.last().expect("frames");
    for k in 0..5 {
        let lower = if k == 0 { "floor".to_owned() } else { format!("b{}", k - 1) };
        let name = format!("all[{lower}|b{k}]");
        let of_pair = |c: &&carom_engine::record::ContactSample| {
            system.info().pairs[system.info().contacts[c.contact].pair].name == name
        };
        let force: f64 = last.contacts.iter().filter(of_pair).map(|c| c.normal_force).sum();
        let weight: f64 = (k..5).map(mass).sum::<f64>() * G;
        assert!((force - weight).abs() < 1e-6 * weight, "{name}: {force} {weight}");
        let pair = system.info().pairs.iter().position(|pair| pair.name == name).expect("a pair");
        let least = outcome.pairs[pair].least_force.value;
        assert!((least - weight).abs() < 1e-6 * weight, "{name}: at least {least}");
    }
    // Boxes with another between them never touch.
    assert!(outcome.pairs.iter().any(|totals| totals.least_force.value == 0.0));
}

/// A box that tumbles onto the floor and comes to rest: energy is never made, but for what puts it out of the floor, and the accounts
/// close, to what is left of the correction by inertia's forces.
#[test]
fn a_tumbling_box_comes_to_rest() {
    let residual = |h: f64| {
        let mut cube = block("cube", 1.0, Vec3::new(0.3, 0.2, 0.1), at(0.0, 0.0, 0.6));
        cube.angular_velocity = Vec3::new(3.0, 5.0, -2.0);
        let mut model = stepped(vec![floor(), cube], rigid(0.2, 0.4), h, 2.0);
        model.output.every = Some(h);
        let (outcome, keeper) = run(&model);
        let total = |k: usize| {
            let e = &keeper.frames[k].energy;
            e.kinetic + e.gravity - e.projection
        };
        for k in 1..keeper.frames.len() {
            assert!(total(k) - total(k - 1) < 20.0 * h * h, "{k}: {} {}", total(k - 1), total(k));
        }
        assert!(outcome.bodies[1].velocity.norm() < 1e-9, "{:?}", outcome.bodies[1]);
        outcome.residual_relative
    };
    let (coarse, fine) = (residual(2e-3), residual(5e-4));
    assert!(coarse < 1e-8 && fine < 1e-8, "{coarse} {fine}");
}

/// A ball of 1 cm at 300 m/s and a plate of 2 mm: it would go through 150 times in a step. Steps are shortened, and it bounces.
#[test]
fn nothing_passes() {
    let plate = fixed("plate", Shape::Box { half: Vec3::new(1.0, 1.0, 0.001) }, at(0.0, 0.0, 0.0));
    for start in [0.5, 0.53, 0.57] {
        let mut bullet = ball("bullet", 0.01, 0.01, Vec3::new(0.1, 0.2, start));
        bullet.velocity = Vec3::new(5.0, 0.0, -300.0);
        let (outcome, _) = run(&stepped(vec![plate.clone(), bullet], rigid(0.5, 0.1), 1e-3, 5e-3));
        let bullet = &outcome.bodies[1];
        assert!(bullet.position.z > 0.01 && (bullet.velocity.z - 150.0).abs() < 1.0, "{start}: {bullet:?}");
    }
}

/// A run that goes on from a checkpoint, and one whose end is later, have the same bits.
#[test]
fn the_same_bits_after_a_restart() {
    let scene = |t_end: f64| {
        let balls = (0..6).map(|k| {
            ball(
                &format!("b{k}"),
                1.0,
                0.1,
                Vec3::new(0.03 * k as f64, 0.02 * (k % 2) as f64, 0.15 + 0.25 * k as f64),
            )
        });
        let mut model =
            stepped(std::iter::once(floor()).chain(balls).collect(), rigid(0.3, 0.3), 1e-3, t_end);
        model.output.every = Some(0.1);
        model
    };
    let model = scene(1.0);
    let (whole, _) = run(&model);
    let system = System::compile(&model).expect("a sound model");
    let mut first = Simulation::new(&system);
    let mut keeper = Keeper { checkpoint_after: 10, ..Keeper::default() };
    let _ = first.run(&mut keeper).expect("it runs");
    let (bytes, ..) = keeper.checkpoints.first().expect("a checkpoint");
    let mut second = Simulation::resume(&system, bytes).expect("its own");
    let resumed = second.run(&mut Keeper::default()).expect("it runs");
    assert_eq!((resumed.end, resumed.bodies), (EndReason::Finished, whole.bodies));
    let (_, longer) = run(&scene(1.5));
    let (_, keeper) = run(&scene(1.0));
    for (a, b) in keeper.frames.iter().zip(&longer.frames) {
        assert_eq!(a.bodies, b.bodies);
    }
}

/// What spins elsewhere has no say in whether a ball bounces: 0.8 of its speed come back, from 0.1 m to 0.064 m to what a step shows.
#[test]
fn a_ball_bounces_beside_a_needle_that_tumbles() {
    let top = |spin: f64| {
        let needle = Shape::Box { half: Vec3::new(0.005, 0.01, 0.05) };
        let inertia = Mat3::from_diagonal(&Vec3::new(1e-4, 9e-5, 5e-6));
        let mut needle = body("needle", 0.1, inertia, needle, at(5.0, 0.0, 30.0));
        needle.angular_velocity = Vec3::new(spin, 0.7 * spin, 0.5 * spin);
        let ball = ball("ball", 0.5, 0.05, Vec3::new(0.0, 0.0, 0.15));
        let mut model = stepped(vec![floor(), ball, needle], rigid(0.8, 0.2), 1e-3, 0.6);
        model.output.every = Some(1e-3);
        let (_, keeper) = run(&model);
        let after = keeper.frames.iter().filter(|frame| frame.time > 0.2);
        after.map(|frame| frame.bodies[1].position.z).fold(0.0, f64::max)
    };
    assert!((top(0.0) - 0.114).abs() < 5e-4, "{}", top(0.0));
    assert_eq!(top(0.0).to_bits(), top(300.0).to_bits());
}

/// A ball that falls onto the upper end of a tin that nearly stands: the tin rolls on its rim as it is struck, so that another point of
/// it is the lowest. Gaps in closed form, after every step; no step is halved but for speed.
#[test]
fn a_tin_that_is_struck_stays_out_of_its_floor() {
    let mut rng = SplitMix64::new(5);
    for scene in 0..40 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let (radius, tilt, turn) = (0.02, 10.0_f64.powf(any(-5.0, -0.6)), any(0.0, 6.0));
        let half = 0.5 * radius * any(0.5, 2.0);
        let rotation = Quaternion::from_axis_angle(&Vec3::new(turn.cos(), turn.sin(), 0.0), tilt).to_matrix();
        let height = half * tilt.cos() + radius * tilt.sin() + any(0.0, 0.002);
        let tin = Pose { rotation, translation: Vec3::new(0.0, 0.0, height) };
        let above = Vec3::new(any(-0.8, 0.8) * radius, any(-0.5, 0.5) * radius, height + half + 1.5 * radius);
        let mut ball = ball("ball", any(0.05, 2.0), radius, above);
        ball.velocity.z = -any(0.0, 2.0);
        let bodies = vec![floor(), cylinder("tin", 0.04, radius, 2.0 * half, tin), ball];
        let mut model = stepped(bodies, rigid(0.0, 0.2), 1e-3, 0.1);
        model.output.every = Some(1e-3);
        let (outcome, keeper) = run(&model);
        let told = |what: &str| outcome.warnings.iter().any(|warning| warning.contains(what));
        assert!(!told("not found") && !told("W0518"), "{scene}: {:?}", outcome.warnings);
        for frame in &keeper.frames {
            let [tin, ball] = [&frame.bodies[1], &frame.bodies[2]];
            let axis = tin.orientation.to_matrix().column(2).into_owned();
            let lowest = tin.position.z - half * axis.z.abs() - radius * axis.xy().norm();
            // From the tin's surface to the centre of the ball, which is outside of it.
            let off = ball.position - tin.position;
            let along = off.dot(&axis);
            let beyond = [along.abs() - half, (off - along * axis).norm() - radius].map(|d| d.max(0.0));
            let gap = beyond[0].hypot(beyond[1]) - radius;
            let deepest = -lowest.min(gap).min(ball.position.z - radius);
            assert!(deepest < 2e-9 * radius, "{scene}: {deepest:e} m at {}", frame.time);
        }
    }
}

/// Rods that strike a floor aslant, with friction, without gravity: Newton's law alone adds energy to some (Kane & Levinson 1985).
#[test]
fn no_impact_gains_energy() {
    let mut rng = SplitMix64::new(77);
    let mut lessened = 0;
    for scene in 0..300 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let (e, mu) = (any(0.6, 1.0), any(0.2, 1.0));
        let turn =
            Quaternion::from_rotation_vector(&Vec3::new(any(-0.3, 0.3), any(-1.5, 1.5), any(-3.0, 3.0)));
        let pose = Pose { rotation: turn.to_matrix(), translation: Vec3::new(0.0, 0.0, 0.25) };
        let mut rod = block("rod", 1.0, Vec3::new(0.4, 0.02, 0.03), pose);
        rod.velocity = Vec3::new(any(-4.0, 4.0), any(-0.5, 0.5), any(-3.0, -1.0));
        rod.angular_velocity = Vec3::new(any(-1.0, 1.0), any(-20.0, 20.0), any(-1.0, 1.0));
        let mut model = stepped(vec![floor(), rod], rigid(e, mu), 1e-3, 0.3);
        model.gravity = Vec3::zeros();
        // Between the ends of a step with an impact velocities are a chord.
        model.output.every = Some(2e-3);
        let (outcome, kept) = run(&model);
        let energies: Vec<f64> = kept.frames.iter().map(|frame| frame.energy.kinetic).collect();
        // What the turn of the inertia within a step leaves.
        let allowed = 1e-5 * energies[0];
        for pair in energies.windows(2) {
            assert!(
                pair[1] < pair[0] + allowed,
                "scene {scene}, e {e}, mu {mu}: {} after {}",
                pair[1],
                pair[0]
            );
        }
        let is_told = outcome.warnings.iter().any(|warning| warning.contains("W0519"));
        assert_eq!(is_told, outcome.statistics.scaled_impacts > 0, "scene {scene}");
        lessened += outcome.statistics.scaled_impacts;
    }
    assert!(lessened > 5, "{lessened}");
}

/// A ball of a cradle that is pressed from both sides by given motions has nowhere to go: the run says so.
#[test]
fn what_cannot_be_solved_is_named() {
    let shell =
        |name: &str, z: f64| fixed(name, Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, at(0.0, 0.0, z));
    // Between two fixed plates 0.19 apart there is no room for a ball of 0.2.
    let bodies =
        vec![shell("low", -0.1), shell("high", 0.29), ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.095))];
    let (outcome, _) = run_any(&stepped(bodies, rigid(0.0, 0.3), 1e-3, 0.1));
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert!(error.code == "E0632" || error.code == "E0630", "{error}");
    assert!(error.pair.is_some());
    let _ = body;
}

/// A weight on a reel that pays out goes down with it. The reel's length is a state that no link has.
#[test]
fn a_reel_pays_out() {
    let down = Vec3::new(0.0, 0.0, -1.0);
    let hung = Body { velocity: 0.25 * down, ..ball("weight", 2.0, 0.1, at(0.0, 0.0, 3.0).translation) };
    let mut model = stepped(vec![floor(), hung], rigid(0.0, 0.3), 1e-3, 0.8);
    let end = |body: usize, height: f64| Attachment { body, pose: at(0.0, 0.0, height) };
    model.forces = vec![Force {
        name: "reel".to_owned(),
        kind: ForceKind::Cable {
            path: vec![end(0, 4.0), end(1, 0.0)],
            length: CableLength { initial: None, rate: Some(TimeFunction::Constant(0.25)) },
            elasticity: None,
        },
    }];
    let (outcome, _) = run(&model);
    // It is taut from the start on, or slack by what gravity and a step of 1 ms make of it.
    assert!((outcome.bodies[1].position.z - 2.8).abs() < G * 1e-6, "{:?}", outcome.bodies[1].position);
}

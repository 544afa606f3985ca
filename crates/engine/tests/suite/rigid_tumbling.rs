//! Rigid boxes that drop tilted, tumble, rattle and come to rest: nothing gets into anything, energy only falls, and the run ends.

use carom_engine::model::{Body, IntegratorKind, StepControl};
use carom_engine::record::{BodyState, Event};
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, Kept, block, fixed, run};

const G: f64 = 9.81;
const SIZE: Vec3 = Vec3::new(0.2, 0.2, 0.1);
const PLATE: Vec3 = Vec3::new(400.0, 400.0, 0.2);
const MASS: f64 = 2.8;

/// What the integrator's tolerance of 1e-9 leaves of a contact between its events (m).
const DEPTH: f64 = 1e-10;

fn plate() -> Body {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * PLATE.z));
    fixed("plate", Shape::Box { half: 0.5 * PLATE }, pose)
}

fn tilted(name: &str, at: Vec3, turns: [f64; 3]) -> Body {
    let about = |axis: Vec3, angle: f64| Quaternion::from_axis_angle(&axis, angle).to_matrix();
    let rotation = about(Vec3::z(), turns[2]) * about(Vec3::y(), turns[1]) * about(Vec3::x(), turns[0]);
    block(name, MASS, SIZE, Pose { rotation, translation: at })
}

/// Greatest separation of two boxes along the fifteen axes of their faces and crossed edges (m): negative where they overlap.
fn separation(boxes: [(&Vec3, &Mat3, &Vec3); 2]) -> f64 {
    let [(x_a, r_a, half_a), (x_b, r_b, half_b)] = boxes;
    let axes = |r: &Mat3| [0, 1, 2].map(|k| r.column(k).into_owned());
    let crossed = axes(r_a).into_iter().flat_map(|a| axes(r_b).map(|b| a.cross(&b)));
    let all = axes(r_a).into_iter().chain(axes(r_b)).chain(crossed);
    let reach = |r: &Mat3, half: &Vec3, n: &Vec3| r.tr_mul(n).abs().dot(half);
    let along = |n: Vec3| (x_b - x_a).dot(&n).abs() - reach(r_a, half_a, &n) - reach(r_b, half_b, &n);
    all.filter_map(|n| n.try_normalize(1e-6)).map(along).fold(f64::NEG_INFINITY, f64::max)
}

/// The deepest overlap of any two boxes of a run (m).
fn deepest(model: &Model, kept: &Keeper) -> f64 {
    let half = |k: usize| if k == 0 { 0.5 * PLATE } else { 0.5 * SIZE };
    let of_frame = |bodies: &[BodyState]| {
        let turned: Vec<Mat3> = bodies.iter().map(|body| body.orientation.to_matrix()).collect();
        let pairs = model.pairs.iter().map(|pair| [pair.a.body, pair.b.body]);
        pairs
            .map(|pair| {
                let halves = pair.map(half);
                let side = |k: usize| (&bodies[pair[k]].position, &turned[pair[k]], &halves[k]);
                -separation([side(0), side(1)])
            })
            .fold(0.0, f64::max)
    };
    kept.frames.iter().map(|frame| of_frame(&frame.bodies)).fold(0.0, f64::max)
}

/// Kinetic energy and that of gravity never grow: there is nothing else here, and impacts and friction only take.
fn only_loses(kept: &Keeper) {
    let energy = |frame: &Kept| {
        let kinetic = |body: &BodyState| {
            let spin = body.orientation.to_matrix().tr_mul(&body.angular_velocity);
            let s = SIZE.component_mul(&SIZE) * (MASS / 12.0);
            let inertia = Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y);
            0.5 * MASS * body.velocity.norm_squared() + 0.5 * inertia.dot(&spin.component_mul(&spin))
        };
        frame.bodies[1..].iter().map(|body| kinetic(body) + MASS * G * body.position.z).sum::<f64>()
    };
    let all: Vec<f64> = kept.frames.iter().map(energy).collect();
    for pair in all.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-8 * all[0], "{} after {}", pair[1], pair[0]);
    }
}

#[test]
fn a_box_that_drops_tilted_tumbles_and_comes_to_rest_on_a_face() {
    let mut rng = SplitMix64::new(11);
    for scene in 0..24 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        // Far from the origin gaps round to 1e-14 m, and the last flights are lost in that.
        let x = [0.0, 3.5, 100.0][scene % 3] * any(0.5, 1.0);
        let height = [0.0, 0.001, 0.05, 0.3][scene % 4] * any(0.5, 1.0) + 0.18;
        let turns = [any(-0.7, 0.7), any(-0.7, 0.7), any(0.0, 3.0)];
        let (e, mu) = ([0.0, 0.2, 0.5][scene / 2 % 3], [0.1, 0.3, 0.6][scene / 6 % 3]);
        let mut body = tilted("box", Vec3::new(x, 0.0, height), turns);
        body.velocity.x = [0.0, 0.5][scene % 2];
        let model = make(vec![plate(), body], law_of(e, mu), 2.5);
        let (outcome, kept) = run(&model);
        let what = format!("scene {scene}: x {x} h {height} turns {turns:?} e {e} mu {mu}");
        assert!(outcome.residual_relative < 1e-7, "{what}: residual {}", outcome.residual_relative);
        assert!(deepest(&model, &kept) < DEPTH, "{what}: {}", deepest(&model, &kept));
        only_loses(&kept);
        let end = &kept.frames.last().unwrap().bodies[1];
        assert!(end.velocity.norm() < 1e-12 && end.angular_velocity.norm() < 1e-11, "{what}: moves");
        let rests_on = [0.05, 0.1].iter().any(|half| (end.position.z - half).abs() < 1e-10);
        assert!(rests_on, "{what}: at {}", end.position.z);
    }
}

#[test]
fn boxes_that_fall_flat_come_to_rest_wherever_they_are() {
    // A bounce that rises less than its gap rounds was made again and again.
    for k in 0..30 {
        let (x, height) = (0.5 * f64::from(k), 0.06 + 0.001 * f64::from(k));
        let model =
            make(vec![plate(), tilted("box", Vec3::new(x, 0.0, height), [0.0; 3])], law_of(0.2, 0.3), 0.3);
        let (outcome, kept) = run(&model);
        assert!(outcome.residual_relative < 1e-12);
        let end = &kept.frames.last().unwrap().bodies[1];
        assert!((end.position - Vec3::new(x, 0.0, 0.05)).norm() < 1e-12, "{k}: {}", end.position);
        assert!(kept.events.len() < 200, "{k}: {} events", kept.events.len());
    }
}

/// A box on its edge below two that lie flush with it: edges meet faces along their borders, and corners lie in the planes of sides.
#[test]
fn boxes_with_sides_in_one_plane_do_not_get_into_each_other() {
    for (e, tilt) in [(0.6, 15.0_f64), (0.3, 0.0), (0.0, 20.0)] {
        let quarter = std::f64::consts::FRAC_PI_4;
        let bodies = vec![
            plate(),
            tilted("one", Vec3::new(0.0, 0.0, 0.17), [0.0, quarter, 0.0]),
            tilted("two", Vec3::new(0.05, 0.0, 0.39), [0.0; 3]),
            tilted("three", Vec3::new(0.0, 0.0, 0.61), [0.0; 3]),
        ];
        let mut model = make(bodies, law_of(e, 0.3), 0.6);
        let tilt = tilt.to_radians();
        model.gravity = Vec3::new(G * tilt.sin(), 0.0, -G * tilt.cos());
        let (outcome, kept) = run(&model);
        assert!(outcome.residual_relative < 1e-8, "e {e}: {}", outcome.residual_relative);
        assert!(deepest(&model, &kept) < DEPTH, "e {e}: {}", deepest(&model, &kept));
    }
}

/// A box that falls flat onto another, turned about the vertical and over its end: edges cross and hover within rounding of each other.
#[test]
fn boxes_that_fall_crosswise_do_not_get_into_each_other() {
    for (e, turn, beside) in [(0.6, 45.0_f64, 0.02), (0.3, 30.0, 0.02), (0.0, 30.0, 0.0)] {
        let bodies = vec![
            plate(),
            tilted("one", Vec3::new(0.0, 0.0, 0.06), [0.0; 3]),
            tilted("two", Vec3::new(0.05, beside, 0.18), [0.0, 0.0, turn.to_radians()]),
        ];
        let model = make(bodies, law_of(e, 0.3), 0.3);
        let (outcome, kept) = run(&model);
        assert!(outcome.residual_relative < 1e-8, "e {e}: {}", outcome.residual_relative);
        assert!(deepest(&model, &kept) < DEPTH, "e {e}: {}", deepest(&model, &kept));
        only_loses(&kept);
    }
}

/// A box rests while another tumbles far from it: an event of one is none of the other, and changes neither its place nor its load.
#[test]
fn what_tumbles_leaves_alone_what_rests() {
    let rests = Vec3::new(8.0, 1.0, 0.05);
    let bodies = vec![
        plate(),
        tilted("tumbles", Vec3::new(0.0, 0.0, 0.4), [0.3, 0.5, 0.2]),
        tilted("rests", rests, [0.0; 3]),
    ];
    let mut model = make(bodies, law_of(0.5, 0.3), 1.0);
    model.pairs.retain(|pair| pair.a.body == 0);
    let (outcome, kept) = run(&model);
    assert!(outcome.residual_relative < 1e-8, "{}", outcome.residual_relative);
    let system = System::compile(&model).unwrap();
    let of_rest = |contact: usize| model.pairs[system.info().contacts[contact].pair].b.body == 2;
    let (own, others): (Vec<&Event>, Vec<&Event>) =
        kept.events.iter().partition(|event| of_rest(event.contact));
    assert!(others.len() > 100, "{} events", others.len());
    assert!(own.iter().all(|event| event.time == 0.0), "{own:?}");
    for frame in &kept.frames {
        assert!((frame.bodies[2].position - rests).norm() < 1e-13, "at {}", frame.time);
        let carried = frame.contacts.iter().filter(|c| of_rest(c.contact)).map(|c| c.normal_force);
        let carried: f64 = carried.sum();
        assert!((carried - MASS * G).abs() < 1e-9, "{carried} at {}", frame.time);
    }
}

/// Boxes that are poured onto each other, by steps: whatever two of them touch with, no step leaves them in each other by more than the
/// billionth of their size that corrections aim at. Some overlap along two directions by nearly the same.
#[test]
fn steps_leave_no_boxes_in_each_other() {
    for (seed, mu) in [(3, 0.0), (5, 0.2), (7, 0.6)] {
        let mut rng = SplitMix64::new(seed);
        let mut bodies = vec![plate()];
        for k in 0..30 {
            let layer = f64::from(k / 4);
            let [x, y] =
                [f64::from(k % 2), f64::from(k / 2 % 2)].map(|side| 0.4 * side + rng.uniform(-0.1, 0.1));
            let turns = [rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), rng.uniform(0.0, 3.0)];
            bodies.push(tilted(&format!("box{k}"), Vec3::new(x, y, 0.2 + 0.32 * layer), turns));
        }
        let mut model = make(bodies, law_of(0.0, mu), 1.2);
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(2e-3);
        let (_, kept) = run(&model);
        let left = deepest(&model, &kept);
        assert!(left < 2e-9 * SIZE.z, "seed {seed}: {left:e}");
    }
}

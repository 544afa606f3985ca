//! The right-hand side allocates nothing after warm-up. A binary of its own, since it replaces the allocator.
#![allow(missing_docs)]

#[path = "suite/scene.rs"]
#[allow(dead_code)]
mod scene;

use std::ops::ControlFlow;

use carom_engine::analysis::{Dynamics, Rates};
use carom_engine::law::{ArealBlock, ArealForm, Law, Layers, NormalKind};
use carom_engine::model::{
    Attachment, AxisElements, AxisSpring, CableLength, Constraint, ConstraintKind, ContactPair, Coordinates,
    Force, ForceKind, IntegratorKind, Joint, JointKind, Method, ShapeRef,
};
use carom_engine::record::{Event, Progress, RecordError, Recorder, Switch};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Vec3};

/// Breaks off once at half time; keeps nothing.
struct Halfway {
    half: f64,
    events: u64,
    switches: u64,
}

impl Recorder for Halfway {
    fn event(&mut self, _event: &Event) -> Result<(), RecordError> {
        self.events += 1;
        Ok(())
    }
    fn switch(&mut self, _switch: &Switch) -> Result<(), RecordError> {
        self.switches += 1;
        Ok(())
    }
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if progress.time > self.half {
            self.half = f64::INFINITY;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn second_half_of_a_run_allocates_nothing() {
    let mut law = scene::law(NormalKind::HuntCrossley, 0.8);
    law.mu = Some(0.3);
    let balls = (0..6).map(|i| {
        let f = f64::from(i);
        scene::ball(&format!("b{i}"), 0.2, 0.05, Vec3::new(0.02 * f, 0.01 * f, 0.2 + 0.15 * f))
    });
    let bodies = std::iter::once(scene::floor()).chain(balls).collect();
    let mut model = scene::model(bodies, law, 9.81, 1.0, 1e-6);
    for kind in IntegratorKind::SMOOTH {
        model.solver.method = kind;
        runs_without_allocations(&model, 0);
    }
}

/// Buffers that an integrator is made of, at most.
const BUFFERS_OF_AN_INTEGRATOR: u64 = 80;

/// The second half of a run, from the recorder's break on. Buffers that grow with what comes up may do so a few times.
fn runs_without_allocations(model: &Model, growths: u64) {
    let system = System::compile(model).expect("a sound model");
    let mut recorder = Halfway { half: 0.5 * model.solver.t_end, events: 0, switches: 0 };
    let mut simulation = Simulation::new(&system);
    let first = simulation.run(&mut recorder).expect("the recorder never fails");
    assert_eq!(first.end, EndReason::Interrupted);
    let (events, switches) = (recorder.events, recorder.switches);
    let mut lines = 0;
    let counted = allocation_counter::measure(|| {
        let second = simulation.run(&mut recorder).expect("the recorder never fails");
        assert_eq!(second.end, EndReason::Finished);
        lines = second.lines.len() as u64;
    });
    assert!(recorder.events > events + 5, "events must happen in the second half");
    // The outcome itself is made of three vectors and a name for each line. An integrator that takes over is made anew, outside of
    // all steps.
    let allowed = 3 + lines + growths + BUFFERS_OF_AN_INTEGRATOR * (recorder.switches - switches);
    assert!(counted.count_total <= allowed, "{}: {counted:?}, {allowed}", model.solver.method.name());
}

/// A block that hops on a plate of triangles: elements, their patches, and the records at their greatest pressure.
#[test]
fn second_half_of_areal_contact_allocates_nothing() {
    let plate = surface::block(Vec3::new(0.3, 0.3, 0.05), Resolution::Divisions(5)).unwrap();
    let block = surface::block(Vec3::new(0.05, 0.04, 0.03), Resolution::Divisions(3)).unwrap();
    let at = |z: f64| Pose::from_translation(Vec3::new(0.01, 0.02, z));
    let inertia = Mat3::from_diagonal(&Vec3::new(1e-3, 1.4e-3, 1.2e-3));
    let mut body = scene::body("block", 1.0, inertia, scene::of_mesh(block), at(0.1));
    body.velocity = Vec3::new(0.1, 0.05, 0.0);
    body.angular_velocity = Vec3::new(0.5, 0.8, 0.3);
    let plate = scene::fixed("plate", scene::of_mesh(plate), Pose::identity());
    let areal = ArealBlock {
        layers: Layers::One(0.01),
        young_modulus: None,
        poisson_ratio: None,
        u_max: Some(0.01),
        may_exceed: false,
        damping: [0.0; 2],
        restitution: Some(0.8),
        v_small: 0.01,
        form: ArealForm::Ramped(None),
    };
    let law = Law {
        young_modulus: Some(1e6),
        poisson_ratio: Some(0.3),
        point: None,
        areal: Some(areal),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    };
    let mut model = scene::model(vec![plate, body], law, 9.81, 0.5, 1e-6);
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].accuracy = Some(0.05);
    model.solver.method = IntegratorKind::Ode45;
    model.output.steps = false;
    // A face that lands flat has more elements than any before: eight buffers of what is recorded at the greatest pressure double for it, a
    // few times each. A buffer made anew for each record would come to more.
    runs_without_allocations(&model, 32);
}

/// Steps, projections, the search for cables that go taut, and frames with reactions.
#[test]
fn second_half_of_a_mechanism_with_a_slack_cable_allocates_nothing() {
    let mut model = loops();
    let end = |body, x| Attachment { body, pose: Pose::from_translation(Vec3::new(x, 0.0, 0.0)) };
    model.forces.push(Force {
        name: "rope".to_owned(),
        kind: ForceKind::Cable {
            path: vec![end(0, 0.0), end(2, 0.1)],
            length: CableLength { initial: Some(5.0), rate: None },
            elasticity: None,
        },
    });
    let system = System::compile(&model).expect("a sound model");
    let mut recorder = Halfway { half: 0.5, events: 0, switches: 0 };
    let mut simulation = Simulation::new(&system);
    let first = simulation.run(&mut recorder).expect("the recorder never fails");
    assert_eq!(first.end, EndReason::Interrupted);
    let mut lines = 0;
    let counted = allocation_counter::measure(|| {
        let second = simulation.run(&mut recorder).expect("the recorder never fails");
        assert_eq!(second.end, EndReason::Finished);
        assert!(second.statistics.steps > first.statistics.steps + 20);
        lines = second.lines.len() as u64;
    });
    // The outcome itself is made of three vectors and a name for each line.
    assert!(counted.count_total <= 3 + lines, "{counted:?}");
}

/// Two pendulums whose ends a rod and a ball joint close into loops; with springs, so that all stages have work.
fn loops() -> Model {
    let inertia = Vec3::new(0.05, 0.06, 0.07);
    let mut bodies = vec![scene::floor()];
    let mut joints = Vec::new();
    let at = |body, x: f64, y: f64| Attachment { body, pose: Pose::from_translation(Vec3::new(x, y, 0.0)) };
    for index in 1..=4 {
        let mut body = scene::ball(&format!("b{index}"), 1.0, 0.1, Vec3::zeros());
        body.inertia = Mat3::from_diagonal(&inertia);
        body.pose_stated = false;
        bodies.push(body);
        let kind =
            if index % 2 == 0 { JointKind::Universal { second: Vec3::x() } } else { JointKind::Spherical };
        let spring = AxisSpring { stiffness: 2.0, damping: 0.05, rest: 0.1 };
        // Along the freedoms of a rotation there are none.
        let spring = (!kind.axes().is_empty()).then_some(spring);
        let element = || AxisElements { spring, ..AxisElements::default() };
        joints.push(Joint {
            name: format!("j{index}"),
            kind,
            a: at(index - 1, 0.25, 0.0),
            b: at(index, -0.25, 0.0),
            cut: false,
            position: None,
            velocity: None,
            elements: (0..kind.freedoms()).map(|_| element()).collect(),
        });
    }
    let close = Joint {
        name: "close".to_owned(),
        a: at(4, 0.25, 0.0),
        b: at(0, 0.4, 0.5),
        cut: true,
        ..joints[0].clone()
    };
    joints.push(close);
    let mut model = scene::model(bodies, scene::law(NormalKind::HuntCrossley, 0.8), 9.81, 1.0, 1e-6);
    model.pairs.clear();
    model.joints = joints;
    model.constraints.push(Constraint {
        name: "rod".to_owned(),
        kind: ConstraintKind::Distance { a: at(0, 0.0, 1.0), b: at(2, 0.1, 0.0), length: None },
    });
    model
}

/// A ball on a chain with springs that touches the floor, and a damper between two of its bodies.
#[test]
fn jacobians_of_trees_are_written_without_allocations() {
    let mut model = loops();
    model.joints.pop();
    model.constraints.clear();
    let end = |body, x| Attachment { body, pose: Pose::from_translation(Vec3::new(x, 0.0, 0.0)) };
    let (stiffness, damping) = (3.0, 0.2);
    let kind = ForceKind::SpringDamper {
        a: end(1, 0.1),
        b: end(4, 0.2),
        stiffness,
        damping,
        length: None,
        actuator: None,
    };
    model.forces.push(Force { name: "damper".to_owned(), kind });
    let [a, b] = [0, 4].map(|body| ShapeRef { body, shape: 0 });
    model.pairs.push(ContactPair { name: "foot".to_owned(), line: 0, a, b });
    model.joints[0].a.pose.translation.z = 0.1 - 1e-4;
    let system = System::compile(&model).expect("a sound model");
    let mut rates = Rates::in_contact(&system);
    let state = rates.initial().to_vec();
    let mut matrix = vec![0.0; state.len() * state.len()];
    assert!(rates.jacobian(0.0, &state, &mut matrix).expect("a sound state"));
    let counted = allocation_counter::measure(|| {
        for _ in 0..10 {
            rates.jacobian(0.0, &state, &mut matrix).expect("a sound state");
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn loops_are_evaluated_without_allocations() {
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        let mut model = loops();
        model.solver.coordinates = coordinates;
        let system = System::compile(&model).expect("a sound model");
        let mut rates = Rates::new(&system);
        let mut state = Dynamics::new(&system).state().to_vec();
        let mut out = vec![0.0; state.len()];
        rates.update(0.0, &state, &mut out).expect("a sound state");
        let counted = allocation_counter::measure(|| {
            for step in 0..50 {
                rates.update(1e-3 * f64::from(step), &state, &mut out).expect("a sound state");
                state.iter_mut().zip(&out).for_each(|(y, d)| *y += 1e-3 * d);
            }
        });
        assert_eq!(counted.count_total, 0, "{coordinates:?}: {counted:?}");
    }
}

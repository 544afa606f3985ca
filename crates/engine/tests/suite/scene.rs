//! Small models by hand, and a recorder that keeps everything.

use std::sync::Arc;

use carom_engine::law::{FrictionKind, Law, NormalKind, PointLaw, Rolling};
use carom_engine::model::{
    ArealDetection, BaseSide, Body, BodyShape, ContactLine, ContactPair, Detection, LayerSide, Method,
    OutputSettings, ShapeRef, SolverSettings,
};
use carom_engine::record::{
    BodyState, ContactInfo, ContactSample, ElementSample, Energy, Episode, Event, EventKind, Frame, PairInfo,
    PatchSample, RecordError, RunInfo, SearchSample, StepRow, Switch,
};
use carom_engine::{EndReason, Model, Outcome, Recorder, Simulation, System};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

/// A fixed body with one shape.
pub(crate) fn fixed(name: &str, shape: Shape, pose: Pose) -> Body {
    Body { fixed: true, ..body(name, 1.0, Mat3::identity(), shape, pose) }
}

/// A moving body with one shape at its origin, at rest.
pub(crate) fn body(name: &str, mass: f64, inertia: Mat3, shape: Shape, pose: Pose) -> Body {
    Body {
        name: name.to_owned(),
        fixed: false,
        mass,
        com: Vec3::zeros(),
        inertia,
        position: pose.translation,
        orientation: Quaternion::from_matrix(&pose.rotation),
        pose_stated: true,
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        velocity_stated: true,
        shapes: vec![BodyShape {
            name: name.to_owned(),
            pose: Pose::identity(),
            shape,
            material: None,
            contact_radius: None,
            facets: BodyShape::FACETS,
            balanced: false,
            round: None,
        }],
    }
}

/// A solid ball.
pub(crate) fn ball(name: &str, mass: f64, radius: f64, position: Vec3) -> Body {
    let inertia = Mat3::identity() * (0.4 * mass * radius * radius);
    let shape = Shape::Sphere { radius, hollow: false };
    body(name, mass, inertia, shape, Pose::from_translation(position))
}

/// A solid box with full edge lengths.
pub(crate) fn block(name: &str, mass: f64, size: Vec3, pose: Pose) -> Body {
    let s = size.component_mul(&size) * (mass / 12.0);
    let inertia = Mat3::from_diagonal(&Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y));
    body(name, mass, inertia, Shape::Box { half: 0.5 * size }, pose)
}

/// A solid cylinder about its z axis.
pub(crate) fn cylinder(name: &str, mass: f64, radius: f64, length: f64, pose: Pose) -> Body {
    let across = mass * (3.0 * radius * radius + length * length) / 12.0;
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, 0.5 * mass * radius * radius));
    let shape = Shape::Cylinder(Cylinder { radius, half_length: 0.5 * length, side: CylinderSide::Solid });
    body(name, mass, inertia, shape, pose)
}

/// The floor z = 0.
pub(crate) fn floor() -> Body {
    fixed("floor", Shape::HalfSpace, Pose::identity())
}

/// A shape with this surface.
pub(crate) fn of_mesh(mesh: TriangleMesh) -> Shape {
    Shape::Mesh(Arc::new(mesh))
}

/// The same somewhere else.
pub(crate) fn moved(mut mesh: TriangleMesh, by: Vec3) -> TriangleMesh {
    mesh.vertices.iter_mut().for_each(|vertex| *vertex += by);
    mesh
}

/// Two surfaces as one.
pub(crate) fn both(mut one: TriangleMesh, other: &TriangleMesh) -> TriangleMesh {
    let first = one.vertices.len() as u32;
    one.vertices.extend(&other.vertices);
    one.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
    one
}

/// A law with K = 1e8 N/mⁿ and no friction.
pub(crate) fn law(normal: NormalKind, restitution: f64) -> Law {
    Law {
        name: "law".to_owned(),
        young_modulus: None,
        poisson_ratio: None,
        mu: None,
        mu_static: None,
        mu_visc: 0.0,
        v_reg: None,
        rolling: Rolling::default(),
        areal: None,
        volume: None,
        rigid: None,
        point: Some(PointLaw {
            normal,
            stiffness: Some(1e8),
            exponent: 1.5,
            restitution: Some(restitution),
            friction: FrictionKind::Coulomb { smooth_step: false, v_stribeck: None },
            stiffness_scale: 1.0,
            damping_max: 2000.0,
            v_small: 0.01,
            w_small: 0.01,
        }),
    }
}

/// The line of all pairs.
pub(crate) fn contact_line(method: Method) -> ContactLine {
    ContactLine {
        name: "all".to_owned(),
        method,
        law: 0,
        detection: Detection::MinimumTranslation,
        base: BaseSide::Finer,
        layer_on: LayerSide::Base,
        areal_detection: ArealDetection::Penetration,
        found_by: Method::Auto,
        accuracy: None,
    }
}

/// Point block of a law.
pub(crate) fn point(law: &mut Law) -> &mut PointLaw {
    law.point.as_mut().expect("made with a point block")
}

/// All bodies against each other where one moves, under one law and gravity.
pub(crate) fn model(bodies: Vec<Body>, law: Law, gravity: f64, t_end: f64, rtol: f64) -> Model {
    let mut pairs = Vec::new();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            if !(bodies[a].fixed && bodies[b].fixed) {
                pairs.push(ContactPair {
                    name: format!("all[{}|{}]", bodies[a].name, bodies[b].name),
                    line: 0,
                    a: ShapeRef { body: a, shape: 0 },
                    b: ShapeRef { body: b, shape: 0 },
                });
            }
        }
    }
    Model {
        name: "test".to_owned(),
        gravity: Vec3::new(0.0, 0.0, -gravity),
        bodies,
        joints: Vec::new(),
        forces: Vec::new(),
        constraints: Vec::new(),
        materials: Vec::new(),
        material_pairs: Vec::new(),
        laws: vec![law],
        contact_lines: vec![contact_line(Method::Analytic)],
        pairs,
        wide_lines: Vec::new(),
        pairs_off: Vec::new(),
        plane: None,
        solver: SolverSettings { t_end, rtol, ..SolverSettings::default() },
        output: OutputSettings {
            every: None,
            steps: true,
            patches: None,
            searches: false,
            probes: Vec::new(),
        },
    }
}

/// A recorded frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) time: f64,
    pub(crate) bodies: Vec<BodyState>,
    pub(crate) contacts: Vec<ContactSample>,
    pub(crate) patches: Vec<PatchSample>,
    pub(crate) elements: Vec<ElementSample>,
    pub(crate) searches: Vec<SearchSample>,
    pub(crate) energy: Energy,
}

/// Keeps all rows. Takes a checkpoint after `checkpoint_after` looks, if that is not zero.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    pub(crate) frames: Vec<Kept>,
    pub(crate) events: Vec<Event>,
    pub(crate) episodes: Vec<Episode>,
    /// At the greatest pressures of episodes.
    pub(crate) peak_patches: Vec<(f64, Vec<PatchSample>, Vec<ElementSample>)>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) steps: Vec<StepRow>,
    pub(crate) checkpoints: Vec<(Vec<u8>, usize, usize)>,
    pub(crate) checkpoint_after: u32,
    pub(crate) looks: u32,
    pub(crate) added: (Vec<PairInfo>, Vec<ContactInfo>),
}

impl Recorder for Keeper {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.added.0.extend_from_slice(pairs);
        self.added.1.extend_from_slice(contacts);
        Ok(())
    }
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.frames.push(Kept {
            time: frame.time,
            bodies: frame.bodies.to_vec(),
            contacts: frame.contacts.to_vec(),
            patches: frame.patches.to_vec(),
            elements: frame.elements.to_vec(),
            searches: frame.searches.to_vec(),
            energy: *frame.energy,
        });
        Ok(())
    }
    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        self.events.push(*event);
        Ok(())
    }
    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        self.episodes.push(*episode);
        Ok(())
    }
    fn peak_patches(
        &mut self,
        time: f64,
        patches: &[PatchSample],
        elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        self.peak_patches.push((time, patches.to_vec(), elements.to_vec()));
        Ok(())
    }
    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        self.switches.push(*switch);
        Ok(())
    }
    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.steps.push(*step);
        Ok(())
    }
    fn wants_checkpoint(&mut self) -> bool {
        self.looks += 1;
        self.looks == self.checkpoint_after
    }
    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.checkpoints.push((bytes.to_vec(), self.frames.len(), self.events.len()));
        Ok(())
    }
}

impl Keeper {
    /// All pairs and contacts: those known from the start, and those that came up.
    pub(crate) fn names(&self, info: &RunInfo) -> (Vec<PairInfo>, Vec<ContactInfo>) {
        ([&info.pairs[..], &self.added.0].concat(), [&info.contacts[..], &self.added.1].concat())
    }

    /// Times of all events of a kind.
    pub(crate) fn times(&self, kind: EventKind) -> Vec<f64> {
        self.events.iter().filter(|e| e.kind == kind).map(|e| e.time).collect()
    }
}

/// Compiles and runs a model to its end.
pub(crate) fn run(model: &Model) -> (Outcome, Keeper) {
    let (outcome, keeper) = run_any(model);
    assert_eq!(outcome.end, EndReason::Finished);
    (outcome, keeper)
}

/// Compiles and runs a model, however it ends.
pub(crate) fn run_any(model: &Model) -> (Outcome, Keeper) {
    let system = System::compile(model).expect("a sound model");
    let mut keeper = Keeper::default();
    let outcome = Simulation::new(&system).run(&mut keeper).expect("the keeper never fails");
    (outcome, keeper)
}

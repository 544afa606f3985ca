//! Model to System.

use carom_geometry::{Cell, Curvature, Shape, find_kernel};
use carom_math::{Pose, Quaternion};
use carom_solvers::Tolerances;

use super::forest::build_forest;
use super::{
    BodyData, ContactData, PairData, PairSource, Scales, SurfaceData, SurfacePair, System, assembly,
};
use crate::kinematics::BodyKinematics;
use crate::law::{MaterialPair, PairLaw, Partners, resolve};
use crate::model::{Body, BodyShape, ContactPair, Coordinates, Method, Model, ShapeRef};
use crate::record::{ContactInfo, PairInfo, RunInfo};
use crate::{Problem, problem};

/// Frames of a run when the model does not say.
const FRAMES_DEFAULT: f64 = 200.0;

impl System {
    /// Compiles a model, or says everything that keeps it from running.
    pub fn compile(model: &Model) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut scales = Scales::of_model(model);
        let bodies = compile_bodies(model);
        let (surfaces, first_surface) = compile_surfaces(model);
        let mut system = Self {
            info: RunInfo {
                model: model.name.clone(),
                bodies: model.bodies.iter().map(|b| b.name.clone()).collect(),
                fixed: model.bodies.iter().map(|b| b.fixed).collect(),
                joints: model.joints.iter().map(|j| (j.name.clone(), j.kind)).collect(),
                forces: model.forces.iter().map(|f| (f.name.clone(), f.kind.name())).collect(),
                constraints: model.constraints.iter().map(|c| (c.name.clone(), c.kind.name())).collect(),
                pairs: Vec::new(),
                contacts: Vec::new(),
            },
            gravity: model.gravity,
            bodies,
            links: Vec::new(),
            link_of_freedom: Vec::new(),
            tree_end: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            constraints: Vec::new(),
            angles: 0,
            initial_angles: Vec::new(),
            auxiliary: 0,
            is_mechanism: false,
            breaks: Vec::new(),
            initial: Vec::new(),
            surfaces,
            pairs: Vec::new(),
            contacts: Vec::new(),
            tolerances: Tolerances::default(),
            tolerance_owner: Vec::new(),
            settings: model.solver,
            output_every: model.output.every.unwrap_or(model.solver.t_end / FRAMES_DEFAULT),
            probes: model.output.probes.clone(),
            record_steps: model.output.steps,
            scales: scales.clone(),
            notes: Vec::new(),
        };
        system.probes.sort_by(f64::total_cmp);
        // The start is found in joint coordinates, whichever the run uses.
        system.set_links(build_forest(model, Coordinates::Joint), model);
        assembly::assemble(&mut system, model)?;
        if model.solver.coordinates == Coordinates::Body {
            system.use_body_coordinates(model);
        }
        for pair in &model.pairs {
            if let Err(found) = system.add_pair(model, pair, &first_surface, &scales) {
                problem::extend_new(&mut problems, found);
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        system.add_stops(model, &scales);
        system.name_cables(model);
        scales.lower_to_indentation(&system.bodies, &system.pairs, &system.contacts, model.gravity.norm());
        system.set_tolerances(model, &scales);
        system.scales = scales;
        Ok(system)
    }

    fn add_pair(
        &mut self,
        model: &Model,
        pair: &ContactPair,
        first_surface: &[usize],
        scales: &Scales,
    ) -> Result<(), Vec<Problem>> {
        let line = &model.contact_lines[pair.line];
        let path = format!("contact.{}", line.name);
        if !matches!(line.method, Method::Analytic | Method::Auto) {
            return Err(vec![
                Problem::new(
                    "E0430",
                    format!("{path}.method"),
                    format!("method \"{}\" is not built yet", line.method.name()),
                )
                .help("use method = \"analytic\""),
            ]);
        }
        let (a, b) = (shape_of(model, pair.a), shape_of(model, pair.b));
        let (kernel, swapped) = match find_kernel(a.shape.kind(), b.shape.kind()) {
            Cell::Direct(kernel) => (kernel, false),
            Cell::Swapped(kernel) => (kernel, true),
            Cell::Unsupported(reason) => {
                return Err(vec![
                    Problem::new(
                        "E0421",
                        path,
                        format!(
                            "pair \"{}\": no analytic contact of {} \"{}\" with {} \"{}\": {reason}",
                            pair.name,
                            a.shape.kind().name(),
                            a.name,
                            b.shape.kind().name(),
                            b.name
                        ),
                    )
                    .help("docs/pairs.md lists the pairs that the method serves"),
                ]);
            }
        };
        let [first, second] = if swapped { [b, a] } else { [a, b] };
        let features = (kernel.features)(&first.shape, &second.shape);
        let curvatures: Vec<Curvature> =
            (0..features).map(|f| (kernel.curvature)(&first.shape, &second.shape, f)).collect();
        let law = resolve_law(model, pair, [a, b], &curvatures, scales, &path)?;
        let surface = |s: ShapeRef| first_surface[s.body] + s.shape;
        let pair_index = self.pairs.len();
        let nominal_mass = nominal_mass(&self.bodies, pair);
        for (feature, &normal) in law.normal.iter().enumerate() {
            self.contacts.push(ContactData { pair: pair_index, feature, law: normal, nominal_mass });
            let feature_name = if features > 1 { (kernel.feature_name)(feature) } else { "" };
            self.info.contacts.push(ContactInfo { pair: pair_index, feature, feature_name });
        }
        let kernel_order =
            if swapped { [surface(pair.b), surface(pair.a)] } else { [surface(pair.a), surface(pair.b)] };
        self.pairs.push(PairData {
            source: PairSource::Surfaces(SurfacePair { kernel_order, swapped, kernel }),
            bodies: [pair.a.body, pair.b.body],
            friction: law.friction,
            mu_visc: law.mu_visc,
            rolling: law.rolling,
        });
        self.info.pairs.push(PairInfo {
            name: pair.name.clone(),
            line: line.name.clone(),
            a: a.name.clone(),
            b: b.name.clone(),
            kernel: kernel.name,
            law: law.description,
        });
        for note in law.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        Ok(())
    }
}

fn shape_of(model: &Model, reference: ShapeRef) -> &BodyShape {
    &model.bodies[reference.body].shapes[reference.shape]
}

fn resolve_law(
    model: &Model,
    pair: &ContactPair,
    shapes: [&BodyShape; 2],
    curvatures: &[Curvature],
    scales: &Scales,
    path: &str,
) -> Result<PairLaw, Vec<Problem>> {
    let materials = shapes.map(|s| s.material.map(|m| &model.materials[m]));
    let material_pair = match materials {
        [Some(a), Some(b)] => model.material_pairs.iter().find(|p| matches_names(p, &a.name, &b.name)),
        _ => None,
    };
    let partners = Partners {
        materials,
        material_pair,
        contact_radii: shapes.map(|s| s.contact_radius.or(s.shape.contact_radius())),
        curvatures,
        v_reg_default: scales.v_reg,
    };
    resolve(&model.laws[model.contact_lines[pair.line].law], &partners, path, &pair.name)
}

fn matches_names(pair: &MaterialPair, a: &str, b: &str) -> bool {
    let [first, second] = &pair.materials;
    (first == a && second == b) || (first == b && second == a)
}

fn nominal_mass(bodies: &[BodyData], pair: &ContactPair) -> f64 {
    let inverse = |body: usize| if bodies[body].link.is_some() { 1.0 / bodies[body].mass } else { 0.0 };
    1.0 / (inverse(pair.a.body) + inverse(pair.b.body))
}

fn compile_bodies(model: &Model) -> Vec<BodyData> {
    model
        .bodies
        .iter()
        .map(|body| BodyData {
            link: None,
            mass: body.mass,
            inertia: body.inertia,
            inverse_inertia: body.inertia.try_inverse().unwrap_or_default(),
            com: body.com,
            initial: initial_kinematics(body),
            orientation: body.orientation.normalized(),
            sweep_radius: body.shapes.iter().map(|s| sweep_radius(body, s)).fold(0.0, f64::max),
        })
        .collect()
}

fn initial_kinematics(body: &Body) -> BodyKinematics {
    let rotation = Quaternion::normalized(&body.orientation).to_matrix();
    let arm = rotation * body.com;
    let moving = if body.fixed { 0.0 } else { 1.0 };
    BodyKinematics {
        pose: Pose { rotation, translation: body.position + arm },
        velocity: (body.velocity + body.angular_velocity.cross(&arm)) * moving,
        angular_velocity: body.angular_velocity * moving,
    }
}

/// A ball that turns about its centre stays where it is: only the offset of its centre counts.
fn sweep_radius(body: &Body, shape: &BodyShape) -> f64 {
    let offset = (shape.pose.translation - body.com).norm();
    match shape.shape {
        Shape::Sphere { .. } => offset,
        _ => offset + shape.shape.bounding_radius(),
    }
}

fn compile_surfaces(model: &Model) -> (Vec<SurfaceData>, Vec<usize>) {
    let mut surfaces = Vec::new();
    let mut first = Vec::with_capacity(model.bodies.len());
    for (index, body) in model.bodies.iter().enumerate() {
        first.push(surfaces.len());
        for shape in &body.shapes {
            let pose = Pose { translation: shape.pose.translation - body.com, ..shape.pose };
            surfaces.push(SurfaceData { body: index, pose, shape: shape.shape.clone() });
        }
    }
    (surfaces, first)
}

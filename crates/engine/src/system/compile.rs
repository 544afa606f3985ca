//! Model to System.

use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion};
use carom_solvers::Tolerances;

use super::areal::ArealSurface;
use super::forest::build_forest;
use super::pairing::{PairPartners, PairRequest};
use super::pressing::Presses;
use super::turning::{brace, check_turning, levers};
use super::{BodyData, PairTable, Scales, SurfaceData, System, assembly, smallest_moment};
use crate::contact::Evaluator;
use crate::kinematics::BodyKinematics;
use crate::model::{Body, BodyShape, Coordinates, Model, ShapeRef, Solid, WideLine, find_solids};
use crate::record::{RunInfo, WideLineInfo};
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
        let solids: Vec<Solid> = find_solids(model).into_iter().flatten().collect();
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
                wide_lines: Vec::new(),
            },
            gravity: model.gravity,
            bodies,
            links: Vec::new(),
            link_of_freedom: Vec::new(),
            tree_end: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            constraints: Vec::new(),
            dependent_rows: 0,
            is_driven_only: false,
            angles: 0,
            initial_angles: Vec::new(),
            auxiliary: 0,
            is_mechanism: false,
            is_autonomous: true,
            driving: Vec::new(),
            initial: Vec::new(),
            areal_surfaces: model.bodies.iter().flat_map(|b| &b.shapes).map(ArealSurface::of_shape).collect(),
            surfaces,
            table: PairTable::default(),
            partners: PairPartners::of_model(model, &solids, &scales),
            solids,
            tolerances: Tolerances::default(),
            tolerance_owner: Vec::new(),
            settings: model.solver,
            output_every: model.output.every.unwrap_or(model.solver.t_end / FRAMES_DEFAULT),
            patches_every: frames_between_patches(model),
            records_searches: model.output.searches,
            probes: model.output.probes.clone(),
            record_steps: model.output.steps,
            scales: scales.clone(),
            notes: Vec::new(),
            extent: scales.length,
            raised: Vec::new(),
        };
        system.probes.sort_by(f64::total_cmp);
        // The start is found in joint coordinates, whichever the run uses.
        system.set_links(build_forest(model, Coordinates::Joint), model);
        assembly::assemble(&mut system, model)?;
        if model.solver.coordinates == Coordinates::Body {
            system.use_body_coordinates(model);
        }
        check_turning(&system, model)?;
        system.dependent_rows = Evaluator::new(&system).dependent_in_envelope(&system.initial);
        system.partners.presses = Presses::of_model(&system, model);
        let surface = |s: ShapeRef| first_surface[s.body] + s.shape;
        for pair in &model.pairs {
            let request = PairRequest { line: pair.line, a: surface(pair.a), b: surface(pair.b) };
            match system.make_pair(&request, &pair.name) {
                Ok(made) => system.take_pair(made),
                Err(found) => problem::extend_new(&mut problems, found),
            }
        }
        let mut samples = PairTable::default();
        for (request, name) in system.sample_wide_pairs() {
            match system.make_pair(&request, &name) {
                // Their searches are made before the run, with room for all they find.
                Ok(made) if made.is_areal() => {
                    let message =
                        format!("line \"{name}\" is wide, and areal contact takes listed pairs only");
                    let problem = Problem::new("E0421", format!("contact.{name}"), message)
                        .help("name the surfaces that can meet in several lines");
                    problem::extend_new(&mut problems, vec![problem]);
                }
                Ok(made) => {
                    system.take_notes(&made);
                    made.put_into(&mut samples);
                }
                Err(found) => problem::extend_new(&mut problems, found),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        system.add_stops(model, &scales);
        system.name_cables(model);
        system.info.pairs.clone_from(&system.table.pair_info);
        system.info.contacts.clone_from(&system.table.contact_info);
        system.info.wide_lines = describe_wide_lines(model, &samples);
        for table in [&system.table, &samples] {
            scales.lower_to_indentation(&system.bodies, table, model.gravity.norm());
        }
        scales.share_indentation(model, &system.partners.wide_lines);
        let at_start = system.bodies_at_start();
        let moving = at_start.iter().zip(&model.bodies).filter(|(_, body)| !body.fixed);
        system.extent = moving.map(|(state, _)| state.position.amax()).fold(scales.length, f64::max);
        system.set_tolerances(model, &scales);
        system.list_driving(model);
        system.scales = scales;
        system.take_up_drives();
        Ok(system)
    }
}

/// The model's time between records of patches, in frames.
fn frames_between_patches(model: &Model) -> Option<u64> {
    let every = model.output.every.unwrap_or(model.solver.t_end / FRAMES_DEFAULT);
    model.output.patches.map(|patches| ((patches / every).round() as u64).max(1))
}

fn describe_wide_lines(model: &Model, samples: &PairTable) -> Vec<WideLineInfo> {
    let describe = |wide: &WideLine| {
        let name = &model.contact_lines[wide.line?].name;
        let mut laws: Vec<String> = Vec::new();
        for pair in samples.pair_info.iter().filter(|pair| pair.line == *name) {
            if !laws.contains(&pair.law) {
                laws.push(pair.law.clone());
            }
        }
        Some(WideLineInfo { name: name.clone(), pairs: wide.len(), laws })
    };
    model.wide_lines.iter().filter_map(describe).collect()
}

fn compile_bodies(model: &Model) -> Vec<BodyData> {
    let levers = levers(model);
    // A body that is held at its centre of mass only has no lever of its own.
    let longest = Some(levers.iter().copied().fold(0.0, f64::max)).filter(|l| *l > 0.0).unwrap_or(1.0);
    let braces: Vec<f64> = model
        .bodies
        .iter()
        .zip(&levers)
        .map(|(body, &lever)| {
            let has_none = smallest_moment(&body.inertia) <= 0.0;
            brace(body, if lever == 0.0 && has_none { longest } else { lever })
        })
        .collect();
    model
        .bodies
        .iter()
        .zip(levers.iter().zip(&braces))
        .map(|(body, (&lever, &brace))| BodyData {
            link: None,
            mass: body.mass,
            inertia: body.inertia,
            brace,
            inverse_inertia: (body.inertia + Mat3::from_diagonal_element(brace))
                .try_inverse()
                .unwrap_or_default(),
            lever,
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

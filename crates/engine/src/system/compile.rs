//! Model to System.

use std::sync::Arc;

use carom_math::Pose;
use carom_solvers::Tolerances;

use super::areal_surface::ArealSurface;
use super::pair_notes::PairNotes;
use super::pairing::{PairPartners, PairRequest};
use super::pressing::Presses;
use super::{PairTable, Scales, SurfaceData, System, rows, stops, tolerances};
use crate::mechanics::Mechanics;
use crate::model::{ContactPair, Model, ShapeRef, Solid, WideLine, find_solids};
use crate::record::{RunInfo, WideLineInfo};
use crate::{Problem, problem};

impl System {
    /// A model without its contacts, and the pairs that it lists.
    pub(super) fn begin(model: &Model) -> Result<(Self, Vec<PairRequest>), Vec<Problem>> {
        let scales = Scales::of_model(model);
        let mut mechanics = Mechanics::compile(model)?;
        let mut notes = std::mem::take(&mut mechanics.notes);
        notes.extend(rows::note_of_interval(model));
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
            mechanics: Arc::new(mechanics),
            is_autonomous: true,
            driving: Vec::new(),
            areal_surfaces: ArealSurface::of_model(model),
            surfaces,
            table: PairTable::default(),
            partners: PairPartners::of_model(model, &solids, &scales),
            solids,
            tolerances: Tolerances::default(),
            tolerance_owner: Vec::new(),
            settings: model.solver,
            output_every: rows::every(model),
            patches_every: frames_between_patches(model),
            records_searches: model.output.searches,
            probes: model.output.probes.clone(),
            record_steps: model.output.steps,
            extent: scales.length,
            scales,
            notes,
            raised: Vec::new(),
        };
        system.probes.sort_by(f64::total_cmp);
        system.partners.presses = Presses::of_model(&system, model);
        let surface = |s: ShapeRef| first_surface[s.body] + s.shape;
        let request =
            |pair: &ContactPair| PairRequest { line: pair.line, a: surface(pair.a), b: surface(pair.b) };
        Ok((system, model.pairs.iter().map(request).collect()))
    }

    /// Compiles a model, or says everything that keeps it from running.
    pub fn compile(model: &Model) -> Result<Self, Vec<Problem>> {
        let (mut system, requests) = Self::begin(model)?;
        let mut scales = system.scales.clone();
        let mut problems = Vec::new();
        let mut notes = PairNotes::default();
        for (request, pair) in requests.iter().zip(&model.pairs) {
            match system.make_pair(request, &pair.name) {
                Ok(mut made) => {
                    notes.take(request.line, std::mem::take(&mut made.notes));
                    made.put_into(&mut system.table);
                }
                Err(found) => problem::extend_new(&mut problems, found),
            }
        }
        let mut samples = PairTable::default();
        for (request, name) in system.sample_wide_pairs() {
            match system.make_pair(&request, &name) {
                // Their searches are made before the run, with room for all they find.
                Ok(made) if made.has_meshes() => {
                    let message = format!(
                        "line \"{name}\" is wide, and contact of triangle surfaces takes listed pairs only"
                    );
                    let problem = Problem::new("E0421", format!("contact.{name}"), message)
                        .help("name the surfaces that can meet in several lines");
                    problem::extend_new(&mut problems, vec![problem]);
                }
                Ok(mut made) => {
                    notes.take(request.line, std::mem::take(&mut made.notes));
                    made.put_into(&mut samples);
                }
                Err(found) => problem::extend_new(&mut problems, found),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        system.areal_surfaces.iter().for_each(|surface| surface.forget_plans());
        system.notes.extend(notes.into_notes());
        stops::add_stops(&mut system, model, &scales);
        stops::name_cables(&mut system, model);
        system.info.pairs.clone_from(&system.table.pair_info);
        system.info.contacts.clone_from(&system.table.contact_info);
        system.info.wide_lines = describe_wide_lines(model, &samples);
        let by_pair = samples.contacts.chunk_by(|a, b| a.pair == b.pair);
        system.partners.contacts_a_pair = by_pair.map(<[_]>::len).max().unwrap_or(1);
        for table in [&system.table, &samples] {
            scales.lower_to_indentation(&system.mechanics.bodies, table, model.gravity.norm());
        }
        scales.share_indentation(model, &system.partners.wide_lines);
        let at_start = system.bodies_at_start();
        let moving = at_start.iter().zip(&model.bodies).filter(|(_, body)| !body.fixed);
        system.extent = moving.map(|(state, _)| state.position.amax()).fold(scales.length, f64::max);
        tolerances::set_tolerances(&mut system, model, &scales);
        system.list_driving(model);
        system.scales = scales;
        Ok(system)
    }
}

/// The model's time between records of patches, in frames.
fn frames_between_patches(model: &Model) -> Option<u64> {
    let every = rows::every(model);
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

//! `view MODEL`: a model as it starts, before any run.

use std::path::Path;

use carom::Study;
use carom_engine::Model;
use carom_engine::model::{AxisMeasure, Joint, JointKind, ShapeRef, Turning};
use carom_io::{Overrides, render};
use carom_report::view::{Start, StartAxis, StartJoint, StartLine, StartOverlap};
use carom_results::{RunData, Shapes};

use super::ViewArgs;
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::model;

/// Pairs of a contact line that are drawn.
const PAIRS: usize = 100;

/// Loads a model and looks at its start. Its warnings are told as `run` tells them.
pub(super) fn open(args: &ViewArgs, console: &Console) -> Result<(RunData, Start), Failure> {
    if let Some(folder) = run_of(&args.run) {
        let message = format!("\"{}\" is a file of a run", args.run.display());
        let help = format!("look at the run: carom view {}", folder.display());
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    let overrides = Overrides { set: args.set.clone(), ..Overrides::default() };
    let loaded = model::open(&args.run, &overrides, &args.import, console)?.map_err(Failure::Model)?;
    for warning in &loaded.warnings {
        console.warning(&format!("{}\n", render(warning, console.style())));
    }
    let study = Study::new(loaded).map_err(Failure::Model)?;
    look(&study)
}

/// The folder of a run that a file is in, beside the copy of its model, which can be looked at as a model.
fn run_of(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    let is_model = file.extension().is_some_and(|extension| extension == "toml");
    (!is_model && folder.join(carom_results::RUN_JSON).is_file()).then_some(folder)
}

/// The start of a model: its one output time, and what belongs to it.
fn look(study: &Study) -> Result<(RunData, Start), Failure> {
    let (model, system) = (&study.loaded().model, study.system());
    let warnings =
        study.loaded().warnings.iter().map(|w| format!("{}: {}", w.problem.code, w.problem.message));
    let mut start = Start {
        plane: model.plane.map(|plane| axis_name(plane.normal().into())),
        lines: lines(model),
        overlaps: overlaps(model, study),
        warnings: warnings.collect(),
        joints: Vec::new(),
    };
    let mut simulation = study.simulate();
    match simulation.now() {
        Ok(moment) => {
            let values = moment.joints.iter().map(|joint| joint.position);
            start.joints = model.joints.iter().zip(values).map(|(j, values)| joint(j, &values)).collect();
        }
        Err(error) => start.warnings.push(format!("a run cannot start: {error}")),
    }
    let mut data = simulation.finish()?.data;
    data.give_shapes(Shapes::of(model, system.info()));
    Ok((data, start))
}

fn axis_name(normal: [f64; 3]) -> &'static str {
    match normal {
        [x, _, _] if x != 0.0 => "x",
        [_, y, _] if y != 0.0 => "y",
        _ => "z",
    }
}

fn joint(joint: &Joint, values: &[f64]) -> StartJoint {
    let measures = joint.kind.axes();
    let axis = |index: usize| {
        // The second axis of a universal joint is fixed in M.
        let on_b = index == 1 && matches!(joint.kind.turning(), Turning::Cardan { .. });
        let at = if on_b { &joint.b } else { &joint.a };
        let elements = joint.elements.get(index);
        let limit = elements.and_then(|elements| elements.limit.as_ref());
        StartAxis {
            name: joint.kind.freedom_names()[index].0,
            angular: measures[index] == AxisMeasure::Angle,
            body: at.body,
            at_m: at.pose.translation.into(),
            direction: (at.pose.rotation * joint.kind.axis_in_f(index)).into(),
            value: values[index],
            lower: limit.and_then(|limit| limit.lower),
            upper: limit.and_then(|limit| limit.upper),
            motor: elements.is_some_and(|elements| elements.motor.is_some()),
        }
    };
    StartJoint {
        name: joint.name.clone(),
        kind: JointKind::name(joint.kind),
        bodies: [joint.a.body, joint.b.body],
        axes: (0..measures.len()).map(axis).collect(),
    }
}

fn name_of(model: &Model, at: ShapeRef) -> String {
    model.bodies[at.body].shapes[at.shape].name.clone()
}

fn lines(model: &Model) -> Vec<StartLine> {
    let of_line = |(index, line): (usize, &carom_engine::model::ContactLine)| {
        let pairs = model.pairs.iter().filter(|pair| pair.line == index);
        let wide = model.wide_lines.iter().filter(|wide| wide.line == Some(index));
        StartLine {
            name: line.name.clone(),
            method: line.method.name(),
            pairs: pairs.clone().count() + wide.map(|wide| wide.len()).sum::<usize>(),
            surfaces: pairs
                .take(PAIRS)
                .map(|pair| [name_of(model, pair.a), name_of(model, pair.b)])
                .collect(),
        }
    };
    model.contact_lines.iter().enumerate().map(of_line).collect()
}

fn overlaps(model: &Model, study: &Study) -> Vec<StartOverlap> {
    let all = model.overlaps(study.system()).into_iter();
    all.map(|overlap| StartOverlap {
        a: name_of(model, overlap.a),
        b: name_of(model, overlap.b),
        pair: overlap.pair.map(|pair| pair.name),
        way_m: overlap.way.map(Into::into),
    })
    .collect()
}

use std::path::PathBuf;

use carom_engine::Problem;
use carom_engine::analysis::{DrivenMotion, Dynamics, forces_with_states};
use carom_engine::model::AxisMeasure;
use serde_json::{Map, Value, json};

use super::answer::{Answer, OutputArgs};
use super::layout::{cells, columns, effort_name, effort_unit, exact};
use super::loads::LoadsArg;
use super::motion;
use super::subject::{Subject, SubjectArgs};
use crate::console::Console;
use crate::digits::short;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct InverseDynamicsArgs {
    /// Run folder, or CSV with columns as in the table states
    #[arg(index = 2)]
    motion: PathBuf,
    /// Joint, or freedom such as leg.displacement, that drives the motion
    /// [default: those with motors, else all joints]
    #[arg(long, value_name = "NAME")]
    drive: Vec<String>,
    /// Loads that act besides the drives
    #[arg(long, value_name = "WHICH", default_value = "all")]
    loads: LoadsArg,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Efforts over time along one driven freedom, or what stays unbalanced.
struct Curve {
    name: String,
    unit: &'static str,
    values: Vec<f64>,
}

pub(super) fn find(args: &InverseDynamicsArgs, console: &Console) -> Result<Answer, Failure> {
    let subject = args.subject.open_by_joints(console)?;
    let mut dynamics = Dynamics::new(&subject.system);
    let driven = driven(&args.drive, &dynamics)?;
    let (motion, derived) = motion::read(&args.motion, &subject, &dynamics)?;
    if !derived.is_empty() {
        console.note(&format!("velocities are derivatives of the coordinates: {}\n", derived.join(", ")));
    }
    let unknown = forces_with_states(&subject.system);
    if args.loads.counts_forces() && !unknown.is_empty() {
        console.note(&format!(
            "a motion does not say what is paid out of cables with a rate, nor the activations of actuators: the forces of {} are as if these had stayed as at the start; `--loads gravity` leaves all forces out, `Dynamics.set_state` of Python takes whole states\n",
            unknown.join(", ")
        ));
    }
    let found = dynamics.driving_efforts_along(&motion, &driven, args.loads.loads());
    let efforts: Vec<Curve> = driven.iter().map(|&f| effort(f, &found, &dynamics, &subject)).collect();
    let missing = [
        missing("missing_force_n", "N", AxisMeasure::Length, &found, &dynamics),
        missing("missing_torque_n_m", "N m", AxisMeasure::Angle, &found, &dynamics),
    ];
    let times: Vec<f64> = found.iter().map(|point| point.time).collect();
    check_finite(&times, efforts.iter().chain(&missing))?;
    let by_name = |curves: &[Curve]| {
        let entries = curves.iter().map(|curve| (curve.name.clone(), json!(curve.values)));
        Value::Object(entries.collect::<Map<_, _>>())
    };
    Ok(Answer {
        text: text(&subject, args.loads, &times, efforts.iter().chain(&missing)),
        json: json!({
            "schema": 1,
            "name": subject.name,
            "loads": args.loads.word(),
            "time_s": times,
            "efforts": by_name(&efforts),
            "missing": by_name(&missing),
        }),
        table: table(&times, efforts.iter().chain(&missing)),
    })
}

/// The freedoms that drive.
fn driven(names: &[String], dynamics: &Dynamics<'_>) -> Result<Vec<usize>, Failure> {
    if names.is_empty() {
        return Ok(dynamics.driven_freedoms());
    }
    let mut driven = Vec::new();
    for name in names {
        let of_joints = || dynamics.freedoms().iter().enumerate().filter(|(_, f)| f.joint.is_some());
        let answers =
            |freedom: &str| freedom == name || freedom.rsplit_once('.').is_some_and(|(j, _)| j == name);
        let before = driven.len();
        driven.extend(of_joints().filter(|(_, f)| answers(&f.name)).map(|(index, _)| index));
        if driven.len() == before {
            let all: Vec<&str> = of_joints().map(|(_, f)| f.name.as_str()).collect();
            let problem = Problem::new("E0611", "", format!("no joint coordinate \"{name}\" can be driven"))
                .help(format!("there are: {}", all.join(", ")));
            return Err(Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem) });
        }
    }
    driven.sort_unstable();
    driven.dedup();
    Ok(driven)
}

fn effort(freedom: usize, found: &[DrivenMotion], dynamics: &Dynamics<'_>, subject: &Subject) -> Curve {
    let data = &dynamics.freedoms()[freedom];
    Curve {
        name: effort_name(data, &subject.scene),
        unit: effort_unit(data),
        values: found.iter().map(|point| point.efforts[freedom]).collect(),
    }
}

/// The greatest size along freedoms of one kind.
fn missing(
    name: &str,
    unit: &'static str,
    measure: AxisMeasure,
    found: &[DrivenMotion],
    dynamics: &Dynamics<'_>,
) -> Curve {
    let of_kind: Vec<usize> =
        (0..dynamics.freedoms().len()).filter(|&f| dynamics.freedoms()[f].measure == measure).collect();
    // A value that is not finite must win.
    let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
    let greatest = |point: &DrivenMotion| of_kind.iter().map(|&f| point.missing[f].abs()).fold(0.0, larger);
    Curve { name: name.to_owned(), unit, values: found.iter().map(greatest).collect() }
}

/// E0609: the motion asks for something that is no number.
fn check_finite<'a>(times: &[f64], mut curves: impl Iterator<Item = &'a Curve>) -> Result<(), Failure> {
    let broken = curves.find_map(|curve| {
        let at = curve.values.iter().position(|x| !x.is_finite())?;
        Some((&curve.name, times[at]))
    });
    let Some((name, time)) = broken else { return Ok(()) };
    let problem = Problem::new("E0609", "", format!("{name} is not finite at t = {time} s"))
        .help("look at the coordinates and velocities of the motion at that time");
    Err(Failure::Coded { exit: exit::NOT_FINISHED, problem: Box::new(problem) })
}

fn table<'a>(times: &[f64], curves: impl Iterator<Item = &'a Curve> + Clone) -> Vec<Vec<String>> {
    let head = ["time_s".to_owned()].into_iter().chain(curves.clone().map(|c| c.name.clone())).collect();
    let row = |(k, &time): (usize, &f64)| {
        let values = curves.clone().map(|curve| curve.values[k]);
        std::iter::once(time).chain(values).map(exact).collect()
    };
    std::iter::once(head).chain(times.iter().enumerate().map(row)).collect()
}

/// Ranges: the curves themselves are the table.
fn text<'a>(
    subject: &Subject,
    loads: LoadsArg,
    times: &[f64],
    curves: impl Iterator<Item = &'a Curve>,
) -> String {
    let (first, last) = (times[0], times[times.len() - 1]);
    let mut rows = vec![cells(["", "unit", "least", "greatest", "rms"])];
    for curve in curves {
        let values = || curve.values.iter().copied();
        let mean_square = values().map(|x| x * x).sum::<f64>() / times.len() as f64;
        let numbers = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
        let numbers = numbers.into_iter().chain([mean_square.sqrt()]).map(short);
        rows.push([curve.name.clone(), curve.unit.to_owned()].into_iter().chain(numbers).collect());
    }
    format!(
        "{}  driving efforts at {} times from {first} s to {last} s; other loads: {}\n\n{}",
        subject.name,
        times.len(),
        loads.word(),
        columns(&rows)
    )
}

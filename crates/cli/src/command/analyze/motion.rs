//! A recorded motion as states of the engine: a run, or a CSV file with columns of the table `states`.

use std::path::Path;

use carom_engine::Problem;
use carom_engine::analysis::{Dynamics, MotionPoint, spline_derivative};
use carom_results::tables::{joints, states, with_unit};
use carom_results::{CsvFile, RunData};

use super::subject::Subject;
use crate::exit;
use crate::failure::{Failure, problem_of_run};

/// Columns by name.
enum Source {
    Run(Box<RunData>),
    Csv(CsvFile),
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        Ok(if is_csv && !path.is_dir() {
            Self::Csv(CsvFile::read(path)?)
        } else {
            Self::Run(Box::new(RunData::open(path)?))
        })
    }

    /// The column of a name with unit, such as `hinge.q_rad`.
    fn find(&self, name: &str) -> Result<Option<Vec<f64>>, Failure> {
        Ok(match self {
            Self::Run(data) if name == "time_s" => Some(data.times()?.to_vec()),
            Self::Run(data) => data.state(name)?.map(|(_, values)| values),
            Self::Csv(file) => file.column(name)?,
        })
    }

    fn column(&self, name: &str) -> Result<Vec<f64>, Failure> {
        self.find(name)?.ok_or_else(|| {
            let help = "a motion has coordinates and velocities of all joints, and poses and velocities of \
                        bodies that no joint carries";
            bad(format!("the motion has no column {name}"), help)
        })
    }
}

/// The motion with accelerations, and the joints whose velocities are derivatives of their coordinates.
pub(super) fn read(
    path: &Path,
    subject: &Subject,
    dynamics: &Dynamics<'_>,
) -> Result<(Vec<MotionPoint>, Vec<String>), Failure> {
    let source = Source::open(path)?;
    let times = source.column("time_s")?;
    if times.is_empty() {
        return Err(bad("the motion has no rows".to_owned(), "record it over some time"));
    }
    let mut all = vec![dynamics.state().to_vec(); times.len()];
    write_bodies(&source, subject, dynamics, &mut all)?;
    let derived = write_joints(&source, &times, subject, dynamics, &mut all)?;
    let series = MotionPoint::series(&subject.system, &times, &all).map_err(|error| Failure::Coded {
        exit: exit::NOT_STARTED,
        problem: Box::new(problem_of_run(&error)),
    })?;
    Ok((series, derived))
}

/// Bodies that no joint carries.
fn write_bodies(
    source: &Source,
    subject: &Subject,
    dynamics: &Dynamics<'_>,
    all: &mut [Vec<f64>],
) -> Result<(), Failure> {
    let frames = dynamics.bodies();
    for (index, body) in subject.scene.bodies.iter().enumerate() {
        if !dynamics.freedoms().iter().any(|f| f.joint.is_none() && f.body == index) {
            continue;
        }
        let name = |(base, unit): (&str, &str)| with_unit(&format!("{}.{base}", body.name), unit);
        let columns: Vec<Vec<f64>> =
            states::body_quantities().map(|column| source.column(&name(column))).collect::<Result<_, _>>()?;
        for (row, state) in all.iter_mut().enumerate() {
            let [x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = std::array::from_fn(|k| columns[k][row]);
            let mut frame = frames[index];
            frame.position = [x, y, z].into();
            frame.orientation.w = qw;
            (frame.orientation.x, frame.orientation.y, frame.orientation.z) = (qx, qy, qz);
            frame.velocity = [vx, vy, vz].into();
            frame.angular_velocity = [wx, wy, wz].into();
            dynamics.write_body(state, index, &frame);
        }
    }
    Ok(())
}

/// Joints whose coordinates are states.
fn write_joints(
    source: &Source,
    times: &[f64],
    subject: &Subject,
    dynamics: &Dynamics<'_>,
    all: &mut [Vec<f64>],
) -> Result<Vec<String>, Failure> {
    let mut derived = Vec::new();
    for (index, joint) in subject.scene.joints.iter().enumerate() {
        if dynamics.joint_position(index).is_none() {
            continue;
        }
        let names: Vec<String> = joints::columns(joint).iter().map(|column| column.name()).collect();
        let (coordinates, freedoms) = (joint.kind.coordinates(), joint.kind.freedoms());
        let (positions, velocities) = (&names[..coordinates], &names[coordinates..coordinates + freedoms]);
        let q: Vec<Vec<f64>> = positions.iter().map(|name| source.column(name)).collect::<Result<_, _>>()?;
        let found: Vec<Option<Vec<f64>>> =
            velocities.iter().map(|name| source.find(name)).collect::<Result<_, _>>()?;
        let is_scalar = joint.kind.axes().len() == freedoms;
        let v: Vec<Vec<f64>> = if freedoms > 0 && is_scalar && found.iter().all(Option::is_none) {
            derived.push(joint.name.clone());
            q.iter().map(|values| spline_derivative(times, values)).collect()
        } else {
            velocities.iter().map(|name| source.column(name)).collect::<Result<_, _>>()?
        };
        for (row, state) in all.iter_mut().enumerate() {
            let pick = |columns: &[Vec<f64>]| columns.iter().map(|column| column[row]).collect::<Vec<_>>();
            dynamics.write_joint(state, index, &pick(&q), &pick(&v));
        }
    }
    Ok(derived)
}

/// E0609.
fn bad(message: String, help: &str) -> Failure {
    Failure::Coded {
        exit: exit::NOT_STARTED,
        problem: Box::new(Problem::new("E0609", "", message).help(help)),
    }
}

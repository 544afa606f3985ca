//! A run as VTK files, for ParaView: bodies, elements of areal contact with their pressures, and contact forces at every
//! output time, with one `.pvd` file that says which belong to which time.

mod poly_data;
mod rows;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use carom_math::{Pose, Quaternion, Vec3};

use crate::tables::Table;
use crate::{Error, Form, RunData, Shapes, write_result};
use poly_data::{Cells, DataArray, Numbers, PolyData};
use rows::at_output_times;

/// Most output times: each has up to three files.
const MOST_TIMES: usize = 100_000;
/// File for the times at which there is nothing.
const NOTHING: &str = "nothing.vtp";
/// File of the bodies that do not move.
const STANDING: &str = "standing.vtp";

/// Writes the run as `out`, a `.pvd` file, with the files that it names in the folder `NAME-vtk` beside it; returns that folder and their number.
/// Lengths are in m, pressures in Pa, forces in N, all in world axes; half-spaces are left out. Cells of bodies have the number of their
/// `body`, those of elements and contacts that of their `pair`, in the order of the tables. Files that are there are replaced if `replace`
/// says so (E0713 otherwise). E0709 of a run with more than 100 000 output times.
pub fn convert_to_vtk(run_dir: &Path, out: &Path, replace: bool) -> Result<(PathBuf, usize), Error> {
    let data = RunData::open(run_dir)?;
    let times = data.times()?.to_vec();
    if times.len() > MOST_TIMES {
        let message = format!(
            "the run has {} output times, and VTK files are made of {MOST_TIMES} at most; a larger output.every has fewer",
            times.len()
        );
        return Err(Error::NoValue { message });
    }
    crate::files::may_write(out, replace)?;
    let mut name = out.file_stem().unwrap_or_default().to_owned();
    name.push("-vtk");
    let folder = out.with_file_name(name);
    if !replace && fs::symlink_metadata(&folder).is_ok() {
        return Err(Error::Exists { path: folder });
    }
    fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
    let mut files = Files { folder, replace, written: 0, parts: Vec::new() };
    files.write(NOTHING, PolyData::empty())?;
    files.put_bodies(&data, &times)?;
    files.put_rows(&data, &times, Table::Elements)?;
    files.put_rows(&data, &times, Table::Contacts)?;
    write_result(out, files.collection(&times).as_bytes(), replace)?;
    Ok((files.folder, files.written))
}

struct Files {
    folder: PathBuf,
    replace: bool,
    written: usize,
    /// Name of each part, and its file at each output time.
    parts: Vec<(&'static str, Vec<String>)>,
}

impl Files {
    fn write(&mut self, name: &str, contents: PolyData) -> Result<(), Error> {
        write_result(&self.folder.join(name), &contents.into_bytes(), self.replace)?;
        self.written += 1;
        Ok(())
    }

    fn put_bodies(&mut self, data: &RunData, times: &[f64]) -> Result<(), Error> {
        let Some(shapes) = data.shapes()? else { return Ok(()) };
        let mut poses = Vec::new();
        for body in &data.scene().bodies {
            poses.push(poses_of(data, &body.name)?);
        }
        let moves: Vec<bool> = poses.iter().map(|own| own.iter().any(|pose| *pose != own[0])).collect();
        let at = |frame: usize, moving: bool| {
            let own = shapes.surfaces.iter().filter(|surface| moves[surface.body] == moving);
            surfaces(&shapes, own.map(|surface| (surface, &poses[surface.body][frame])))
        };
        if times.is_empty() {
            return Ok(());
        }
        self.write(STANDING, at(0, false))?;
        self.parts.push(("standing", vec![STANDING.to_owned(); times.len()]));
        let mut names = Vec::new();
        for frame in 0..times.len() {
            let name = format!("moving_{frame:06}.vtp");
            self.write(&name, at(frame, true))?;
            names.push(name);
        }
        self.parts.push(("moving", names));
        Ok(())
    }

    /// Rows of a table at the output times, one file for each time that has some.
    fn put_rows(&mut self, data: &RunData, times: &[f64], table: Table) -> Result<(), Error> {
        let mut names = vec![NOTHING.to_owned(); times.len()];
        at_output_times(data, table, times, &mut |frame, contents| {
            let name = format!("{}_{frame:06}.vtp", table.name());
            self.write(&name, contents)?;
            names[frame] = name;
            Ok(())
        })?;
        self.parts.push((table.name(), names));
        Ok(())
    }

    /// Contents of the file that says which files belong to which time.
    fn collection(&self, times: &[f64]) -> String {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let folder = folder.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
        );
        for (frame, time) in times.iter().enumerate() {
            for (part, (name, files)) in self.parts.iter().enumerate() {
                text += &format!(
                    "<DataSet timestep=\"{time:?}\" part=\"{part}\" name=\"{name}\" file=\"{folder}/{}\"/>\n",
                    files[frame]
                );
            }
        }
        text + "</Collection>\n</VTKFile>\n"
    }
}

/// `X_WB` of a body at the output times.
fn poses_of(data: &RunData, body: &str) -> Result<Vec<Pose>, Error> {
    let column = |base: &str| {
        let name = format!("{body}.{base}");
        let missing = || Error::NoValue { message: format!("states has no column {name}") };
        Ok::<Vec<f64>, Error>(data.state(&name)?.ok_or_else(missing)?.1)
    };
    let (x, y, z) = (column("x")?, column("y")?, column("z")?);
    let (w, i, j, k) = (column("qw")?, column("qx")?, column("qy")?, column("qz")?);
    let pose = |row: usize| Pose {
        rotation: Quaternion::new(w[row], i[row], j[row], k[row]).to_matrix(),
        translation: Vec3::new(x[row], y[row], z[row]),
    };
    Ok((0..x.len()).map(pose).collect())
}

/// Triangles of surfaces where their bodies are.
fn surfaces<'a>(shapes: &Shapes, placed: impl Iterator<Item = (&'a crate::Surface, &'a Pose)>) -> PolyData {
    let (mut points, mut triangles, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for (surface, x_wb) in placed {
        let Form::Mesh(mesh) = surface.form else { continue };
        let mesh = &shapes.meshes[mesh];
        let [w, x, y, z] = surface.orientation;
        let pose = Pose {
            rotation: Quaternion::new(w, x, y, z).to_matrix(),
            translation: Vec3::from(surface.position),
        };
        let x_ws = x_wb.compose(&pose);
        let first = (points.len() / 3) as u32;
        points.extend(mesh.vertices.iter().flat_map(|v| {
            let p = x_ws.transform_point(v);
            [p.x as f32, p.y as f32, p.z as f32]
        }));
        triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
        bodies.resize(triangles.len(), surface.body as i32);
    }
    PolyData {
        count: points.len() / 3,
        points: Numbers::F32(points),
        cells: Cells::Triangles(triangles),
        of_cells: vec![DataArray { name: "body", components: 1, numbers: Numbers::I32(bodies) }],
    }
}

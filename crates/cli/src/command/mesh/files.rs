//! Mesh files of the command line: read, written, in metres.

use std::path::{Path, PathBuf};

use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_io::{mesh_bytes, parse_length, parse_length_unit, read_mesh_file};
use carom_results::write_result;
use serde_json::{Value, json};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// A mesh to a mesh.
#[derive(Debug, clap::Args)]
pub(crate) struct FilesArgs {
    /// Mesh file: STL, OBJ or PLY
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: .stl (binary), .obj or .ply
    out: PathBuf,
    /// Unit of the lengths in the file, such as mm
    #[arg(long, default_value = "m", value_parser = parse_length_unit)]
    unit: f64,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// Write one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// A length above zero in m.
#[derive(Clone, Debug)]
pub(super) struct Length(pub(super) f64);

pub(super) fn length(text: &str) -> Result<Length, String> {
    match parse_length(text)? {
        length if length > 0.0 => Ok(Length(length)),
        _ => Err("it must be above zero".to_owned()),
    }
}

pub(super) fn read(path: &Path) -> Result<TriangleMesh, Failure> {
    read_mesh_file(path).map_err(not_started)
}

impl FilesArgs {
    /// The mesh with the numbers of its file, once it is known that the result may be written.
    pub(super) fn read(&self) -> Result<TriangleMesh, Failure> {
        if !self.force && self.out.symlink_metadata().is_ok() {
            return Err(carom_results::Error::Exists { path: self.out.clone() }.into());
        }
        read(&self.input)
    }

    /// A length in the unit of the file.
    pub(super) fn in_unit(&self, length: &Length) -> f64 {
        length.0 / self.unit
    }

    /// A length of the file in m.
    pub(super) fn metres(&self, length: f64) -> f64 {
        length * self.unit
    }

    /// Why the mesh of the file cannot be worked on.
    pub(super) fn refuse(&self, fault: &dyn std::fmt::Display, help: &str) -> Failure {
        let message = format!("mesh \"{}\": {fault}", self.input.display());
        not_started(Problem::new("E0302", "", message).help(help))
    }

    /// Writes the mesh, and tells what was done: as text beside the name of the file, or as one object.
    pub(super) fn write(
        &self,
        mesh: &TriangleMesh,
        text: &str,
        mut object: Value,
        console: &Console,
    ) -> Result<(), Failure> {
        let bytes = mesh_bytes(&self.out, mesh).map_err(not_started)?;
        write_result(&self.out, &bytes, self.force)?;
        if self.json {
            object["schema"] = json!(1);
            object["file"] = json!(self.out.display().to_string());
            return console.data(&format!("{object}\n"));
        }
        console.note(text);
        console.data(&format!("{}\n", self.out.display()))
    }
}

fn not_started(problem: Problem) -> Failure {
    Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(problem) }
}

//! Mesh files that shapes name.

use std::path::Path;

use carom_geometry::Shape;
use carom_geometry::surface::subdivide;
use serde_json::json;

use super::Section;
use super::generated::share;
use crate::mesh_file::ReadError;

/// The surface of a mesh file, and whether it is the boundary of a solid.
pub(super) fn read_surface(section: &Section<'_, '_>) -> Option<(Shape, bool)> {
    let open = section.flag_or_default("open");
    let file = MeshFile::read(section)?;
    let read = section.context.meshes.borrow_mut().read(file.folder, &file.name, file.factor);
    match read {
        Ok(mesh) => match section.whole_or_default("subdivide") {
            0 => Some((Shape::Mesh(mesh), !open)),
            times => {
                let path = file.folder.join(&file.name).display().to_string();
                let table = json!({
                    "type": "mesh", "file": path, "unit": "m", "scale": file.factor, "open": open, "subdivide": times,
                });
                let fine = subdivide(&mesh, u32::try_from(times).unwrap_or(u32::MAX));
                Some((Shape::Mesh(share(section, fine, table)?), !open))
            }
        },
        Err(error) => {
            file.report(section, error);
            None
        }
    }
}

/// A mesh file as a shape names it.
pub(super) struct MeshFile<'a> {
    pub(super) folder: &'a Path,
    pub(super) name: String,
    /// Length of one unit of the file (m).
    pub(super) factor: f64,
}

impl<'a> MeshFile<'a> {
    /// `None` after an error.
    pub(super) fn read(section: &Section<'a, '_>) -> Option<Self> {
        let scale = section.quantity_or_default("scale");
        let unit = section.required_text("unit");
        let name = section.required_text("file")?;
        let factor = unit_length(section, &unit?)? * scale;
        if section.outside("scale", Some(factor)).is_some() {
            let message = format!("scale of mesh \"{name}\" must be positive, got {scale}");
            section.report("scale", section.problem("E0314", "scale", message));
            return None;
        }
        let folder = &section.context.sources.0[section.span_of("file").file].folder;
        Some(Self { folder, name, factor })
    }

    /// Says why the file cannot be read.
    pub(super) fn report(&self, section: &Section<'_, '_>, error: ReadError) {
        let ReadError { code, reason, help } = error;
        let owner = section.path.strip_prefix("body.").unwrap_or(&section.path);
        let owner = owner.split(".shape").next().unwrap_or(owner);
        let folder = crate::document::shown_folder(self.folder);
        let name = &self.name;
        let message =
            format!("cannot read mesh \"{name}\" of body \"{owner}\" (looked in {folder}): {reason}");
        let mut problem = section.problem(code, "file", message);
        problem.help = help;
        section.report("file", problem);
    }
}

/// Length in m of one unit of the mesh file.
fn unit_length(section: &Section<'_, '_>, unit: &str) -> Option<f64> {
    let length = crate::quantity::parse_length_unit(unit);
    if let Err(message) = &length {
        let problem = section.problem("E0107", "unit", message.clone());
        section.report("unit", problem.expected("\"m\", \"mm\", \"cm\" …"));
    }
    length.ok()
}

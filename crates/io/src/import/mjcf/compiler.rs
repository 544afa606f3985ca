//! `<compiler>`: how the numbers of the file are meant.

use std::ops::Range;
use std::path::{Path, PathBuf};

use carom_engine::Problem;

use super::super::context::Context;
use super::super::xml::Element;
use crate::source::Span;

/// Where inertia comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InertiaFromGeom {
    /// From <inertial> if there is one, else from the geoms.
    Auto,
    Always,
    Never,
}

#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// Radians per unit of an angle.
    angle: f64,
    pub(super) euler_sequence: [char; 3],
    pub(super) auto_limits: bool,
    pub(super) inertia_from_geom: InertiaFromGeom,
    /// Groups whose geoms have mass.
    pub(super) inertia_groups: (f64, f64),
    pub(super) total_mass: Option<f64>,
    /// Least mass and least principal moment of a body; 0 where none is stated.
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    /// Moments that no rigid body has become their mean.
    pub(super) balance_inertia: bool,
    /// Geoms fitted to meshes have the extents of these, and not of the box with their inertia.
    pub(super) fit_bounds: bool,
    /// Of the model's main file.
    folder: PathBuf,
    mesh_folder: PathBuf,
    strip_path: bool,
}

/// The settings of the main model, and of the files of those that are attached to it.
pub(super) struct Compilers {
    own: Compiler,
    /// Those of inner models before those of outer ones.
    attached: Vec<(Range<usize>, Compiler)>,
}

impl Compilers {
    pub(super) fn new(own: Compiler) -> Self {
        Self { own, attached: Vec::new() }
    }

    /// Adds what holds for the files of an attached model.
    pub(super) fn add(&mut self, files: Range<usize>, model: &Self) {
        self.attached.extend(model.attached.iter().cloned());
        self.attached.push((files, model.own.clone()));
    }

    pub(super) fn own(&self) -> &Compiler {
        &self.own
    }

    /// What holds at a place.
    pub(super) fn of(&self, span: Span) -> &Compiler {
        self.attached.iter().find(|(files, _)| files.contains(&span.file)).map_or(&self.own, |(_, own)| own)
    }
}

impl Compiler {
    pub(super) fn read(root: &Element, folder: &Path, context: &Context<'_>) -> Self {
        let mut it = Self {
            angle: 1_f64.to_radians(),
            euler_sequence: ['x', 'y', 'z'],
            auto_limits: true,
            inertia_from_geom: InertiaFromGeom::Auto,
            inertia_groups: (f64::NEG_INFINITY, f64::INFINITY),
            total_mass: None,
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance_inertia: false,
            fit_bounds: false,
            folder: folder.to_owned(),
            mesh_folder: PathBuf::new(),
            strip_path: false,
        };
        for element in root.all("compiler") {
            it.read_one(element, context);
        }
        it
    }

    fn read_one(&mut self, element: &Element, context: &Context<'_>) {
        match element.text("angle") {
            Some("radian") => self.angle = 1.0,
            Some("degree") | None => {}
            Some(other) => bad_word(element, "angle", other, "degree or radian", context),
        }
        if let Some(word) = element.text("eulerseq") {
            match word.chars().collect::<Vec<_>>()[..] {
                [a, b, c] if word.chars().all(|c| "xyzXYZ".contains(c)) => self.euler_sequence = [a, b, c],
                _ => bad_word(element, "eulerseq", word, "three of x, y, z, X, Y, Z", context),
            }
        }
        match element.text("inertiafromgeom") {
            Some("true") => self.inertia_from_geom = InertiaFromGeom::Always,
            Some("false") => self.inertia_from_geom = InertiaFromGeom::Never,
            Some("auto") | None => {}
            Some(other) => bad_word(element, "inertiafromgeom", other, "true, false or auto", context),
        }
        if let Some("global") = element.text("coordinate") {
            let problem =
                Problem::new("E0812", "", "coordinates are global, which MuJoCo itself no longer reads")
                    .help(
                        "save the model again with MuJoCo 2.3.3 or earlier, which writes local coordinates",
                    );
            context.report(problem, element.place("coordinate"));
        }
        if let Some(v) = element.numbers_in("inertiagrouprange", 2..=2, context) {
            self.inertia_groups = (v[0], v[1]);
        }
        self.auto_limits = element.flag("autolimits", context).unwrap_or(self.auto_limits);
        self.strip_path = element.flag("strippath", context).unwrap_or(self.strip_path);
        self.total_mass = element.number("settotalmass", context).or(self.total_mass);
        self.bound_mass = element.number("boundmass", context).unwrap_or(self.bound_mass);
        self.bound_inertia = element.number("boundinertia", context).unwrap_or(self.bound_inertia);
        self.balance_inertia = element.flag("balanceinertia", context).unwrap_or(self.balance_inertia);
        self.fit_bounds = element.flag("fitaabb", context).unwrap_or(self.fit_bounds);
        // A folder for meshes wins over the one for all files.
        if let Some(folder) = element.text("assetdir") {
            self.mesh_folder = PathBuf::from(folder);
        }
        if let Some(folder) = element.text("meshdir") {
            self.mesh_folder = PathBuf::from(folder);
        }
    }

    /// An angle of the file in radians.
    pub(super) fn to_radians(&self, angle: f64) -> f64 {
        self.angle * angle
    }

    /// Has every body some mass or inertia?
    pub(super) fn bounds_all(&self) -> bool {
        self.bound_mass > 0.0 || self.bound_inertia > 0.0
    }

    /// Place of a mesh file.
    pub(super) fn mesh_path(&self, file: &str) -> PathBuf {
        let path = Path::new(file);
        let path = if self.strip_path { path.file_name().map_or(path, Path::new) } else { path };
        self.folder.join(&self.mesh_folder).join(path)
    }
}

pub(super) fn bad_word(element: &Element, name: &str, found: &str, expected: &str, context: &Context<'_>) {
    let message = format!("`{name}` of {} is \"{found}\"", element.title());
    element.bad_value(name, message, expected, context);
}

//! `new --from`: a model of parts that are mesh files, one above the other, in areal contact.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use carom::Study;
use carom_engine::Problem;
use carom_geometry::TriangleMesh;
use carom_io::{Overrides, import, load_str, parse_length_unit, read_mesh_file, shipped_materials};
use carom_math::Vec3;
use carom_results::write_result;

use super::NewArgs;
use crate::digits::short;
use crate::exit;
use crate::failure::Failure;

/// Material of parts that no other is asked for.
const SOFT: &str = "Soft";
/// Gap between two parts, and the thickness of the elastic layer between them, in parts of the smaller one's size.
const GAP: f64 = 0.02;
const LAYER: f64 = 0.05;
/// The run takes so many times as long as falling its own size takes the largest part, and has so many output times.
const FALLS: f64 = 8.0;
const FRAMES: f64 = 200.0;
/// Gravity (m/s²).
const GRAVITY: f64 = 9.81;

/// A mesh file, in m.
struct Part {
    name: String,
    file: PathBuf,
    low: Vec3,
    high: Vec3,
}

impl Part {
    /// Longest side of the box around it (m).
    fn size(&self) -> f64 {
        (self.high - self.low).amax()
    }
}

/// Writes the model and gives its path.
pub(super) fn write(args: &NewArgs) -> Result<PathBuf, Failure> {
    let meshes = read(&args.from)?;
    let Some(unit) = &args.unit else { return Err(no_unit(&args.from, &meshes)) };
    let metres = parse_length_unit(unit).map_err(|why| {
        Failure::with_help(exit::NOT_STARTED, why, "give the unit of the lengths in the files: --unit mm")
    })?;
    let material = args.material.as_deref().unwrap_or(SOFT);
    let known: Vec<String> = shipped_materials().into_iter().map(|material| material.name).collect();
    if material != SOFT && !known.iter().any(|name| name == material) {
        let help = format!("there are {SOFT}, {}; or change the material in the file", known.join(", "));
        return Err(Failure::with_help(
            exit::NOT_STARTED,
            format!("there is no material \"{material}\""),
            help,
        ));
    }
    // Of a part that stands nobody else would tell: no mass is made of its volume.
    let inside_out =
        args.from.iter().zip(&meshes).find(|(_, mesh)| mesh.signed_volume() < 0.0).map(|(file, _)| file);
    let parts = parts(&args.from, &meshes, metres);
    let path = path_of(args, &parts);
    if path.symlink_metadata().is_ok() {
        return Err(super::refusal(&path, &std::io::ErrorKind::AlreadyExists.into()));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| super::refusal(&path, &error))?;
    }
    let text = text(&parts, unit, material, folder);
    // What does not load is told, and not written.
    let loaded = load_str(&path.display().to_string(), &text, folder, &Overrides::default());
    loaded.and_then(Study::new).map_err(Failure::Model)?;
    if let Some(file) = inside_out {
        let name = file.display();
        let message = format!("\"{name}\" is inside out: its triangles are clockwise seen from outside");
        let help = format!("carom mesh repair {name} mended.stl --unit {unit} turns them");
        return Err(Failure::with_help(exit::NOT_STARTED, message, help));
    }
    write_result(&path, text.as_bytes(), false)?;
    Ok(path)
}

/// All meshes, in the units of their files; every file that cannot be read is told.
fn read(files: &[PathBuf]) -> Result<Vec<TriangleMesh>, Failure> {
    let mut meshes = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for file in files {
        match read_mesh_file(file) {
            Ok(mesh) => meshes.push(mesh),
            Err(problem) => problems.push(problem),
        }
    }
    let Some(first) = problems.pop() else { return Ok(meshes) };
    let all = problems.into_iter().rev().fold(first, |mut all, problem| {
        all.message = format!("{}; {}", problem.message, all.message);
        all.help = problem.help.or(all.help);
        all
    });
    Err(Failure::Coded { exit: exit::NOT_STARTED, problem: Box::new(all) })
}

/// Mesh files have no unit of their own: what the numbers would be says which it is.
fn no_unit(files: &[PathBuf], meshes: &[TriangleMesh]) -> Failure {
    let sizes: Vec<String> = files
        .iter()
        .zip(meshes)
        .map(|(file, mesh)| (file, mesh.bounds()))
        .map(|(file, (low, high))| format!("\"{}\" is {} across", file.display(), short((high - low).amax())))
        .collect();
    let message = format!("mesh files do not say their unit: {}", sizes.join(", "));
    Failure::with_help(exit::NOT_STARTED, message, "say what these numbers are: --unit mm, cm, m or in")
}

fn parts(files: &[PathBuf], meshes: &[TriangleMesh], metres: f64) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (file, mesh) in files.iter().zip(meshes) {
        let (low, high) = mesh.bounds();
        let name = free_name(&key_of(file), &parts);
        parts.push(Part { name, file: file.clone(), low: low * metres, high: high * metres });
    }
    parts
}

/// The file's name as the name of a body.
fn key_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let key: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if key == "world" || !key.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("part_{key}")
    } else {
        key
    }
}

fn free_name(key: &str, taken: &[Part]) -> String {
    let is_free = |name: &String| taken.iter().all(|part| part.name != *name);
    let numbered = (2..).map(|number| format!("{key}_{number}"));
    std::iter::once(key.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| key.to_owned())
}

fn path_of(args: &NewArgs, parts: &[Part]) -> PathBuf {
    let names: Vec<&str> = parts.iter().rev().map(|part| part.name.as_str()).collect();
    let name = format!("{}.toml", names.join("-on-"));
    match &args.out {
        None => PathBuf::from(name),
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(file) => file.clone(),
    }
}

/// The model file.
fn text(parts: &[Part], unit: &str, material: &str, folder: &Path) -> String {
    let least = parts.iter().map(Part::size).fold(f64::INFINITY, f64::min);
    let most = parts.iter().map(Part::size).fold(0.0, f64::max);
    let t_end = round(FALLS * (most / GRAVITY).sqrt());
    let mut text = String::new();
    let mut line = |args: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{args}");
    };
    let above: Vec<&str> = parts[1..].iter().map(|part| part.name.as_str()).collect();
    line(format_args!(
        "# {} above {}, which is fixed: parts from mesh files, in areal contact.",
        above.join(", "),
        parts[0].name
    ));
    line(format_args!("# Material, layer and friction are guesses to start from."));
    line(format_args!("format = 1\n\n[world]\ngravity = [0, 0, \"-{GRAVITY} m/s^2\"]\n"));
    if material == SOFT {
        line(format_args!("[material.{SOFT}]\ndensity = \"1000 kg/m^3\"\nE = \"0.5 MPa\"\nnu = 0.4\n"));
    }
    line(format_args!("[law.contact]\nmu = 0.5"));
    line(format_args!(
        "pcm = {{ layer = \"{} m\", restitution = 0.3 }}   # thickness of the elastic layer between the surfaces\n",
        round(LAYER * least)
    ));
    let mut height = 0.0;
    for (index, part) in parts.iter().enumerate() {
        let middle = 0.5 * (part.low + part.high);
        line(format_args!("[body.{}]", part.name));
        if index == 0 {
            line(format_args!("fixed = true"));
        } else {
            height += round(GAP * least);
        }
        // Zero is written without a sign.
        let at = [-middle.x, -middle.y, height - part.low.z].map(|x| decimal(x) + 0.0);
        line(format_args!("pos = [\"{} m\", \"{} m\", \"{} m\"]", at[0], at[1], at[2]));
        let file = import::relative(&part.file, folder);
        line(format_args!(
            "shape = {{ type = \"mesh\", file = {file:?}, unit = {unit:?}, material = \"{material}\" }}\n"
        ));
        height += part.high.z - part.low.z;
    }
    line(format_args!("[contact]"));
    // Corners of either part may come first.
    for two in parts.windows(2) {
        let [below, above] = two else { continue };
        let (a, b) = (&below.name, &above.name);
        line(format_args!(
            "{b}_on_{a} = {{ a = \"{a}\", b = \"{b}\", method = \"pcm\", law = \"contact\", base = \"both\" }}"
        ));
    }
    line(format_args!("\n[solver]\nt_end = \"{t_end} s\"\n"));
    let every = round(t_end / FRAMES);
    line(format_args!("[output]\nevery = \"{every} s\"\npatches = \"{every} s\"       # pressure maps"));
    text
}

/// 1, 2 or 5 times a power of ten.
fn round(value: f64) -> f64 {
    let power = 10_f64.powi(value.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .min_by(|a: &f64, b: &f64| (a * power / value).ln().abs().total_cmp(&(b * power / value).ln().abs()));
    decimal(step.unwrap_or(1.0) * power)
}

/// Nine digits, so that what was a decimal is one again.
fn decimal(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_model_are_round() {
        assert_eq!([0.0123, 0.04, 0.9, 1.6, 6.9, 30.0].map(round), [0.01, 0.05, 1.0, 2.0, 5.0, 20.0]);
        assert_eq!(decimal(0.1 + 0.2), 0.3);
    }

    #[test]
    fn bodies_have_the_names_of_files() {
        assert_eq!(key_of(Path::new("/parts/Upper half.STL")), "upper_half");
        assert_eq!(key_of(Path::new("9mm.stl")), "part_9mm");
        let part = |name: &str| Part {
            name: name.to_owned(),
            file: PathBuf::new(),
            low: Vec3::zeros(),
            high: Vec3::zeros(),
        };
        assert_eq!(free_name("ball", &[part("ball"), part("ball_2")]), "ball_3");
    }
}

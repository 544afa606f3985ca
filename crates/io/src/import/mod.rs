//! Import of robots: URDF, SDF and a subset of MJCF become the text of a model file.
//!
//! XML → [`xml::Element`] → reader of the format → [`robot::Robot`] → fixed links merged, start and floor chosen
//! → TOML. Readers mark what they read; what is left is listed, so that nothing is dropped in silence
//! (docs/import.md).

mod axis;
mod axis_writer;
mod collada;
mod context;
mod dig_out;
mod drive_writer;
mod effective_inertia;
mod family;
mod gltf;
mod hold;
mod law_writer;
mod lenient;
mod lift;
mod link_contacts;
mod load;
mod margin;
mod mass;
mod massless;
mod merge;
mod mesh;
mod mimic;
mod mjcf;
mod msh;
mod names;
mod options;
mod plugin;
mod point_mass;
mod robot;
mod scene;
mod sdf;
mod stop;
mod thing;
mod toml_writer;
mod touch;
mod urdf;
mod xacro;
mod xml;

use std::path::{Path, PathBuf};

use carom_engine::{Problem, Severity};

use crate::diagnostic::{Diagnostic, Report};
use crate::document;
use crate::load::{LoadedModel, Overrides, load_str};

pub use context::{Note, NoteKind};
pub use mesh::relative;
pub use options::{Base, FixedJoints, Inertia, Meshes, Options, SelfContact};

use context::Context;
use robot::{Held, JointKind, Robot};

/// What an import gives.
#[derive(Clone, Debug)]
pub struct Import {
    /// Text of the model file; empty after an error.
    pub toml: String,
    /// `URDF`, `SDF` or `MJCF`.
    pub format: &'static str,
    /// What was taken over.
    pub counts: Counts,
    /// Choices that were made, and what was left out without effect on the motion.
    pub notes: Vec<Note>,
    /// Errors, and warnings about what was left out.
    pub problems: Vec<Diagnostic>,
    /// Files read besides the main one.
    pub files: Vec<PathBuf>,
}

impl Import {
    /// The model file is not usable.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|d| d.severity() == Severity::Error)
    }
}

/// What a model file has from a robot file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bodies that move.
    pub bodies: usize,
    /// Bodies that do not.
    pub fixed_bodies: usize,
    /// Links that became part of others.
    pub merged: usize,
    /// Joints that move, and cut ones.
    pub joints: usize,
    /// Scalar coordinates of joints, six for a free body.
    pub freedoms: usize,
    /// Actuators.
    pub actuators: usize,
    /// Constraints beside the joints.
    pub constraints: usize,
    /// Shapes.
    pub shapes: usize,
    /// Pairs of surfaces that may touch.
    pub contacts: usize,
}

/// Is this the name of a robot file (`.urdf`, `.sdf`, `.world`, `.mjcf`, `.xml`, `.xacro`)?
pub fn is_robot_file(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    extension.is_some_and(|e| ["urdf", "sdf", "world", "mjcf", "xml", "xacro"].contains(&e.as_str()))
}

/// Imports a URDF text. `path` names it in messages; relative paths start in its folder.
pub fn urdf(text: &str, path: &Path, options: &Options) -> Import {
    import(text, path, options, Some("robot"))
}

/// Imports an SDF text.
pub fn sdf(text: &str, path: &Path, options: &Options) -> Import {
    import(text, path, options, Some("sdf"))
}

/// Imports an MJCF text.
pub fn mjcf(text: &str, path: &Path, options: &Options) -> Import {
    import(text, path, options, Some("mujoco"))
}

/// Imports a robot file; its root element says the format.
pub fn robot_file(path: &Path, options: &Options) -> Result<Import, Report> {
    let text = lenient::read_text(path).map_err(|reason| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut problem = Problem::new("E0204", "", format!("cannot read \"{}\": {reason}", path.display()));
        problem.help = document::near_file(&name, folder);
        Report { diagnostics: vec![Diagnostic { problem, location: None, related: None }], unreadable: true }
    })?;
    match xacro::expand(&text, path, options) {
        None => Ok(import(&text, path, options, None)),
        Some(Ok(text)) => {
            let mut import = import(&text, path, options, None);
            let text = "the template was expanded by xacro: lines are those of what it wrote".to_owned();
            import.notes.insert(0, Note { kind: NoteKind::Choice, text, count: 1, location: None });
            Ok(import)
        }
        Some(Err(reason)) => {
            let problem = Problem::new("E0803", "", format!("xacro does not expand \"{}\": {reason}", path.display()))
                .help("what it needs must be installed, and its arguments have defaults: else expand the file by hand");
            Err(Report {
                diagnostics: vec![Diagnostic { problem, location: None, related: None }],
                unreadable: false,
            })
        }
    }
}

/// Imports a robot file and loads the model, without writing it.
pub fn load_robot(path: &Path, options: &Options, overrides: &Overrides) -> Result<LoadedModel, Report> {
    let import = robot_file(path, options)?;
    if import.has_errors() {
        return Err(Report::new(import.problems));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = format!("{} (imported)", path.display());
    let mut loaded = match load_str(&name, &import.toml, folder, overrides) {
        Ok(loaded) => loaded,
        Err(mut report) => {
            report.diagnostics.extend(import.problems);
            return Err(Report::new(report.diagnostics));
        }
    };
    loaded.warnings.splice(0..0, import.problems);
    let left_out = import.notes.iter().filter(|n| n.kind == NoteKind::LeftOut);
    loaded.left_out = left_out.map(Note::to_string).collect();
    let choices = import.notes.iter().filter(|n| n.kind == NoteKind::Choice);
    loaded.notes.extend(choices.map(|n| carom_engine::Note::new("N0801", n.to_string())));
    loaded.files.splice(0..0, [path.to_owned()].into_iter().chain(import.files));
    let mut seen = std::collections::BTreeSet::new();
    loaded.files.retain(|file| seen.insert(file.clone()));
    Ok(loaded)
}

fn import(text: &str, path: &Path, options: &Options, wanted: Option<&str>) -> Import {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let context = Context::new(options, &folder);
    let file = context.sources.borrow_mut().add(path.display().to_string(), text, &folder);
    let name = path.file_name().map_or_else(|| "a text".to_owned(), |n| n.to_string_lossy().into_owned());
    let read = xml::parse(file, &context).and_then(|root| read_root(&root, wanted, &context));
    context.tell_hulls();
    let format = read.as_ref().map_or("", |r| r.format);
    let written = read.map(|robot| build(robot, &context));
    let files = context.take_files();
    let notes = context.notes();
    let sources = context.sources.borrow();
    let found = context.take_findings();
    let problems = Report::new(found.into_iter().map(|f| Diagnostic::of(f, &sources)).collect()).diagnostics;
    let failed = problems.iter().any(|d| d.severity() == Severity::Error);
    let (toml, counts) = match written {
        Some((body, counts)) if !failed => {
            let head = toml_writer::notes_as_comments(&notes, &problems, &name, format);
            (head + &body, counts)
        }
        _ => (String::new(), Counts::default()),
    };
    Import { toml, format, counts, notes, problems, files }
}

fn read_root(root: &xml::Element, wanted: Option<&str>, context: &Context<'_>) -> Option<Robot> {
    let wrong = wanted.is_some_and(|w| w != root.name);
    match root.name.as_str() {
        urdf::ROOT if !wrong => urdf::read(root, context),
        "sdf" if !wrong => sdf::read(root, context),
        "mujoco" | "mujocoinclude" if !wrong => mjcf::read(root, context),
        other => {
            let problem = Problem::new("E0802", "", format!("the first element is <{other}>"))
                .expected("<robot> (URDF), <mujoco> (MJCF) or <sdf> (SDF)")
                .help("other formats are not read");
            context.report(problem, root.span);
            None
        }
    }
}

/// From what the file says to the model file's text.
fn build(mut robot: Robot, context: &Context<'_>) -> (String, Counts) {
    scene::hold_bases(&mut robot, context);
    merge::merge_fixed(&mut robot, context);
    scene::hold_massless_bases(&mut robot, context);
    let thickened = point_mass::thicken(&mut robot);
    if massless::settle(&mut robot, context) {
        merge::merge_fixed(&mut robot, context);
    }
    mass::refuse_massless(&robot, context);
    mass::check(&robot, context);
    if !context.findings.has_errors() {
        point_mass::check(&robot, &thickened, context);
    }
    if context.findings.has_errors() {
        return Default::default();
    }
    scene::choose_start(&mut robot, context);
    if robot.format == "URDF" {
        scene::raise(&mut robot, context.options.drop_height, context);
    }
    scene::drop_idle(&mut robot, context);
    scene::fit_ropes(&mut robot, context);
    if context.options.hold {
        hold::add_servos(&mut robot, context);
    }
    let mut floors = scene::find_floors(&robot, context);
    let contacts = scene::find_contacts(&robot, &floors, context);
    let mut pairs = link_contacts::Pairs::of(&robot, context);
    margin::give_up(&mut robot, &floors, &contacts, &mut pairs, context);
    dig_out::dig_out(&mut robot, &floors, &contacts, &mut pairs, context);
    scene::lay(&robot, &mut floors, context);
    let link_contacts = link_contacts::find(&robot, pairs, context);
    let folder = context.options.out_folder.as_deref().unwrap_or(&context.folder);
    let scene = toml_writer::Scene {
        robot: &robot,
        floors: &floors,
        contacts: &contacts,
        link_contacts: &link_contacts,
        folder,
    };
    let grips = contacts.iter().map(|c| &c.grip).chain(link_contacts.iter().map(|c| &c.grip));
    if grips.into_iter().any(|grip| grip.friction.mu > 0.0) {
        let text = "friction of contacts is regularised by v_reg = 1 mm/s: what is gripped, or rests on a slope, creeps by a \
                    part of that";
        context.choice(text, None);
    }
    let text = toml_writer::write(&scene, context);
    (text, count(&robot, contacts.len() + link_contacts.len()))
}

fn count(robot: &Robot, contacts: usize) -> Counts {
    let held = |h: Held| robot.links.iter().filter(|l| l.held == h).count();
    let of_joint = |j: &robot::Joint| match j.kind {
        JointKind::Spherical => 3,
        JointKind::Free => 6,
        _ => j.axes.len(),
    };
    Counts {
        bodies: held(Held::Free) + held(Held::Joint),
        fixed_bodies: held(Held::Fixed) - 1,
        merged: held(Held::Merged),
        joints: robot.joints.len(),
        freedoms: 6 * held(Held::Free) + robot.joints.iter().filter(|j| !j.cut).map(of_joint).sum::<usize>(),
        actuators: robot.actuators.len() + robot.loads.iter().filter(|load| load.number.is_some()).count(),
        constraints: robot.constraints.len(),
        shapes: robot.links.iter().map(|l| l.shapes.len()).sum(),
        contacts,
    }
}

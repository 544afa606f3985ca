//! What is read, and how.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom_engine::record::{Event, Frame, Progress, RecordError, StepRow};
use carom_engine::{Recorder, Simulation, System};
use carom_io::import::{self, Options};
use carom_io::{Overrides, Style, load_str, render_report, report_to_json};
use carom_results::fixture::{self, FakeRun};
use carom_results::{RunData, convert_to_csv, summary};

use crate::seeds;

/// Something that reads what users give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Model,
    Run,
    Quantity,
    Urdf,
    Sdf,
    Mjcf,
    Mesh,
    Folder,
}

/// Wall time that a mutated model is run for.
const RUN_FOR: Duration = Duration::from_secs(2);

impl Target {
    pub(crate) const ALL: [Self; 8] =
        [Self::Model, Self::Run, Self::Quantity, Self::Urdf, Self::Sdf, Self::Mjcf, Self::Mesh, Self::Folder];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Run => "run",
            Self::Quantity => "quantity",
            Self::Urdf => "urdf",
            Self::Sdf => "sdf",
            Self::Mjcf => "mjcf",
            Self::Mesh => "mesh",
            Self::Folder => "folder",
        }
    }

    /// What is changed: names of files, with their contents.
    pub(crate) fn seeds(self, scratch: &Path) -> Vec<(String, Vec<u8>)> {
        match self {
            Self::Model => seeds::files(&["tests/bad", "examples", "crates/io/tests/models"], &["toml"]),
            Self::Run => seeds::files(&["examples"], &["toml"]),
            Self::Quantity => {
                EXPRESSIONS.iter().map(|e| ("quantity.txt".to_owned(), e.as_bytes().to_vec())).collect()
            }
            Self::Urdf => {
                let mut all = seeds::files(&["examples", "tests/bad/parts"], &["urdf"]);
                all.push(("small.urdf".to_owned(), URDF.as_bytes().to_vec()));
                all
            }
            Self::Sdf => {
                seeds::files(&["crates/io/tests/models/sdf", "crates/io/tests/models/sdf/gripper"], &["sdf"])
            }
            Self::Mjcf => vec![("small.xml".to_owned(), MJCF.as_bytes().to_vec())],
            Self::Mesh => {
                let mut all = seeds::files(&["examples", "tests/bad/parts"], &["stl", "obj", "ply"]);
                all.push(("small.stl".to_owned(), binary_stl()));
                all.push(("ascii.stl".to_owned(), ASCII_STL.as_bytes().to_vec()));
                all.push(("small.obj".to_owned(), OBJ.as_bytes().to_vec()));
                all.push(("small.ply".to_owned(), PLY.as_bytes().to_vec()));
                all
            }
            Self::Folder => {
                let run = scratch.join("seed");
                fixture::finished(&run, &FakeRun { frames: 8, ..FakeRun::single_ball() });
                let entries = fs::read_dir(&run).into_iter().flatten().flatten();
                let mut all: Vec<(String, Vec<u8>)> = entries
                    .filter_map(|e| {
                        Some((e.file_name().to_string_lossy().into_owned(), fs::read(e.path()).ok()?))
                    })
                    .collect();
                all.sort();
                all
            }
        }
    }

    /// Reads an input; did it pass as it is?
    pub(crate) fn read(self, name: &str, input: &[u8], scratch: &Path) -> bool {
        let text = || String::from_utf8_lossy(input).into_owned();
        match self {
            Self::Model => compile(&text(), &seeds::examples()).is_some(),
            Self::Run => match compile(&text(), &seeds::examples()) {
                Some(system) => {
                    run(&system);
                    true
                }
                None => false,
            },
            Self::Quantity => compile(&model_with_quantity(&text()), Path::new(".")).is_some(),
            Self::Urdf => robot(import::urdf(&text(), Path::new("r.urdf"), &Options::default())),
            Self::Sdf => robot(import::sdf(&text(), Path::new("r.sdf"), &Options::default())),
            Self::Mjcf => robot(import::mjcf(&text(), Path::new("r.xml"), &Options::default())),
            Self::Mesh => {
                if fs::write(scratch.join(name), input).is_err() {
                    return false;
                }
                compile(&model_with_mesh(name), scratch).is_some()
            }
            Self::Folder => folder(name, input, scratch),
        }
    }
}

/// A model with an expression as a parameter and as a force.
pub(crate) fn model_with_quantity(expression: &str) -> String {
    let quoted = expression.replace('\\', "").replace('"', "'").replace(['\n', '\r'], " ");
    format!(
        "{BALL}[params]\nx = \"{quoted}\"\n[force.f]\ntype = \"force\"\non = {{ body = \"ball\" }}\nforce = [\"{quoted}\", 0, 0]\n"
    )
}

/// A model of one body with a mesh file.
pub(crate) fn model_with_mesh(file: &str) -> String {
    format!("{BALL}shape = {{ type = \"mesh\", file = \"{file}\", unit = \"m\" }}\n")
}

/// What `carom check` does with a text.
fn compile(text: &str, folder: &Path) -> Option<System> {
    match load_str("model.toml", text, folder, &Overrides::default()) {
        Ok(loaded) => match System::compile(&loaded.model) {
            Ok(system) => Some(system),
            Err(problems) => {
                assert!(!render_report(&loaded.diagnose(problems), Style::Plain).is_empty());
                None
            }
        },
        Err(report) => {
            assert!(report.errors() > 0, "a refusal without an error");
            assert!(!render_report(&report, Style::Colour).is_empty());
            assert!(report_to_json(&report).is_object());
            None
        }
    }
}

fn robot(read: import::Import) -> bool {
    if read.has_errors() {
        return false;
    }
    compile(&read.toml, Path::new(".")).is_some()
}

/// Keeps nothing, and stops after a while.
struct Nothing(Instant);

impl Recorder for Nothing {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let finite = frame.bodies.iter().all(|b| b.position.iter().all(|x| x.is_finite()));
        assert!(finite, "a frame that is not finite at t = {}", frame.time);
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), RecordError> {
        Ok(())
    }

    fn step(&mut self, _: &StepRow) -> Result<(), RecordError> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        if self.0.elapsed() > RUN_FOR { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn run(system: &System) {
    // The recorder has no errors of its own.
    let _ = Simulation::new(system).run(&mut Nothing(Instant::now()));
}

/// A run of which one file is another. Half of those that are `run.json` get a checksum that fits, so that what is behind is
/// reached.
pub(crate) fn damaged_run(name: &str, input: &[u8], scratch: &Path) -> PathBuf {
    let (seed, run) = (scratch.join("seed"), scratch.join("run"));
    // All is made anew; what cannot be is found missing below.
    let _ = fs::remove_dir_all(&run);
    let _ = fs::create_dir_all(&run);
    for entry in fs::read_dir(seed).into_iter().flatten().flatten() {
        let _ = fs::copy(entry.path(), run.join(entry.file_name()));
    }
    let sealed =
        if name == "run.json" && input.len().is_multiple_of(2) { seal(input) } else { input.to_vec() };
    let _ = fs::write(run.join(name), sealed);
    run
}

fn folder(name: &str, input: &[u8], scratch: &Path) -> bool {
    let run = damaged_run(name, input, scratch);
    let read = || -> Result<(), carom_results::Error> {
        let data = RunData::open(&run)?;
        summary(&data)?;
        for quantity in data.scene().quantities().iter().take(40) {
            let _ = data.series(&quantity.name);
        }
        data.manifest().verify(&run)
    };
    let passed = read().is_ok();
    let _ = convert_to_csv(&run, &scratch.join("csv"), true);
    passed
}

/// The checksum line of `run.json`, of all the other lines.
fn seal(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let body = text.lines().skip(2).collect::<Vec<_>>().join("\n") + "\n";
    format!("{{\n  \"checksum\": \"{}\",\n{body}", blake3::hash(body.as_bytes()).to_hex()).into_bytes()
}

fn binary_stl() -> Vec<u8> {
    let corners: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut bytes = vec![0; 80];
    bytes.extend(4_u32.to_le_bytes());
    for triangle in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        bytes.extend([0; 12]);
        triangle.iter().for_each(|&k: &usize| corners[k].iter().for_each(|x| bytes.extend(x.to_le_bytes())));
        bytes.extend([0; 2]);
    }
    bytes
}

const BALL: &str = "format = 1\n[world]\ngravity = [0, 0, 0]\n[solver]\nt_end = \"1 s\"\n[body.ball]\nmass = \"1 kg\"\ninertia = \"1 kg*m^2\"\n";

const EXPRESSIONS: [&str; 10] = [
    "1 N",
    "2/3*pi*7.5e3 kg/m^3*(10 mm)^3*9.81 m/s^2",
    "sqrt(2*9.81 m/s^2*1 m)*1 kg/s",
    "-(3 + 4)*1 N/(1 - 2^-3)",
    "1 N*sin(2*pi*t/(1 s))",
    "if(t < 0.5 s, 1 N, 2 N)",
    "min(1 N, max(2 N, 3 N)) + abs(-4 N)",
    "1 N*cos(30 deg)^2 + 0.5 kN",
    "((((((1))))))*1 N",
    "1e-3 N*step(t, 0.1 s, 0.2 s)",
];

const URDF: &str = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\n<collision><geometry><box size=\"1 1 1\"/></geometry></collision></link>\n<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n<link name=\"c\"/>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/></joint>\n<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/><mimic joint=\"j\" multiplier=\"2\"/></joint>\n</robot>\n";

const MJCF: &str = "<mujoco model=\"m\"><compiler angle=\"degree\"/><default><geom density=\"1000\"/><default class=\"c\"><joint damping=\"1\"/></default></default>\n<worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom type=\"sphere\" size=\"0.1\"/>\n<body name=\"b\" pos=\"0 0 0.5\"><joint name=\"j\" type=\"hinge\" axis=\"0 1 0\" range=\"-30 30\" class=\"c\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 1\" size=\"0.05\"/></body></body></worldbody>\n<equality><joint joint1=\"j\" polycoef=\"0 1 0 0 0\"/></equality>\n<actuator><motor joint=\"j\" gear=\"2\"/></actuator></mujoco>\n";

const ASCII_STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid s\n";

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

//! Loads, runs and judges the shipped examples for the tests of this crate.

mod folder;
mod memory;

use std::path::{Path, PathBuf};

use carom_engine::{Outcome, Recorder, Simulation, System};
use carom_io::{LoadedModel, Overrides};
use carom_results::{MemoryWriter, Provenance};

pub use folder::RunFolder;
pub use memory::Memory;

/// Names of all examples; a test compares them with the folder.
pub const EXAMPLES: [&str; 49] = [
    "anchor",
    "andrews",
    "bearing-axial",
    "bearing-planar",
    "billiard",
    "bounce-to-rest",
    "bouncing-ball",
    "bouncing-ellipsoid",
    "bowls",
    "box-on-ball",
    "box-stack",
    "bricard",
    "brick-wall",
    "brush",
    "bubbles",
    "dirty-mesh",
    "disc-pile",
    "dominoes",
    "edge-to-edge",
    "falling-chain",
    "four-bar",
    "free-top",
    "funnel",
    "gear-rattle",
    "gears",
    "governor",
    "gripper",
    "heavy-top",
    "hook",
    "incline",
    "newtons-cradle",
    "painleve",
    "pendulum",
    "rattleback",
    "rigid-contact",
    "rigid-cradle",
    "ring-on-bar",
    "robot-arm",
    "rolling-ball",
    "rover",
    "sharp-edges",
    "slider-crank",
    "slotted-plate",
    "spheres-in-box",
    "stairs",
    "tippe-top",
    "torus-sphere",
    "torus-sphere-fine",
    "woodpecker",
];

/// Folder of the examples.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// File of an example.
pub fn file(name: &str) -> PathBuf {
    folder().join(format!("{name}.toml"))
}

/// An example with `PATH=VALUE` changes.
///
/// # Panics
/// If it has errors.
pub fn load(name: &str, changes: &[&str]) -> LoadedModel {
    let set = changes.iter().map(|&change| change.to_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    carom_io::load(&file(name), &overrides)
        .unwrap_or_else(|report| panic!("{name} {changes:?}: {:#?}", report.diagnostics))
}

/// Compiles and runs a model.
///
/// # Panics
/// If it does not compile or the recorder fails.
pub fn run(loaded: &LoadedModel, recorder: &mut dyn Recorder) -> Outcome {
    let system = System::compile(&loaded.model).expect("a sound model");
    Simulation::new(&system).run(recorder).expect("the recorder never fails")
}

/// An expectation and what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Key of the expectation.
    pub text: String,
    /// Was it met? An event that never came, or a name that is no longer there, does not meet it.
    pub met: bool,
    /// Measured and wanted, in words.
    pub found: String,
    /// What was measured, if it could be.
    pub measured: Option<f64>,
}

/// Runs a model as `carom run --expect` does and judges its expectations. The recording passes through
/// `watch`, which gets the writer to hand everything on to.
///
/// # Panics
/// If the model does not compile.
pub fn run_and_judge(
    loaded: &LoadedModel,
    watch: impl FnOnce(&mut dyn Recorder) -> Outcome,
) -> (Outcome, Vec<Judged>) {
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut writer = MemoryWriter::new(system.info(), Provenance::default());
    let outcome = watch(&mut writer);
    let data = writer.finish(&outcome);
    let judged = loaded.expectations.iter().map(|expectation| {
        let text = expectation.text.clone();
        match carom_results::judge(&data, std::slice::from_ref(expectation)).as_deref() {
            Ok([verdict]) => Judged {
                text,
                met: verdict.passed,
                found: format!("{:?} {}, wanted {}", verdict.measured, verdict.unit, verdict.wanted),
                measured: Some(verdict.measured).filter(|measured| !measured.is_nan()),
            },
            Ok(other) => unreachable!("one verdict an expectation, not {}", other.len()),
            Err(error) => Judged { text, met: false, found: error.to_string(), measured: None },
        }
    });
    (outcome, judged.collect())
}

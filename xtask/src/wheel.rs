//! The wheel of the Python package: built, installed into an environment that has nothing of the sources, and tested there.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::python::environment_of;
use crate::stage::{call, works};

const REQUIREMENTS: &str = "crates/py/tests/requirements.txt";
const MANIFEST: &str = "crates/py/Cargo.toml";
const TESTS: &str = "crates/py/tests";
const EXAMPLES: [&str; 2] = ["examples/python", "examples/cluster"];
/// What the package costs.
const FIGURES: &str = "crates/py/benches";
/// What pyright looks at, in its strict way.
const PYRIGHT: &str = "crates/py/pyrightconfig.json";
/// Names that the library has and the stubs need not: what pickles call.
const ALLOWED: &str = "crates/py/tests/stubtest-allow.txt";

/// Largest wheel (bytes).
const MOST: u64 = 12_000_000;

/// Builds the wheel from the release build, and gives its path.
pub(crate) fn build() -> Result<PathBuf, String> {
    let python = environment_of("venv-wheel", REQUIREMENTS)?;
    let folder = crate::target()?.join("wheels");
    let _ = fs::remove_dir_all(&folder);
    let mut command = Command::new(python);
    command.args(["-m", "maturin", "build", "--release", "--locked", "--quiet", "--manifest-path", MANIFEST]);
    // Seconds here for a download that is a little shorter, ever after.
    command.args(["--compression-level", "9"]);
    call(command.arg("--out").arg(&folder))?;
    let files =
        fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let wheel = files
        .filter_map(|file| Some(file.ok()?.path()))
        .find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| format!("maturin has left no wheel in {}", folder.display()))?;
    let size = fs::metadata(&wheel).map_or(0, |data| data.len());
    println!("xtask: {} has {:.1} MB", wheel.display(), size as f64 / 1e6);
    if size > MOST { Err(format!("the wheel has {size} bytes, and {MOST} are allowed")) } else { Ok(wheel) }
}

/// Builds, installs and tests it: its tests with docstrings, the stubs against the library, the types of package, tests and examples.
pub(crate) fn check() -> Result<(), String> {
    let wheel = build()?;
    let python = environment_of("venv-wheel", REQUIREMENTS)?;
    let cache = crate::target()?.join("mypy");
    let run = |arguments: &[&str]| {
        call(Command::new(&python).arg("-m").args(arguments).env("MYPY_CACHE_DIR", &cache))
    };
    call(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--no-input", "--no-deps", "--force-reinstall"])
            .arg(&wheel),
    )?;
    run(&["pytest", "-q", "-W", "error", "-p", "no:cacheprovider", TESTS])?;
    run(&["mypy.stubtest", "carom._carom", "--allowlist", ALLOWED, "--ignore-disjoint-bases"])?;
    run(&["mypy", "--strict", "--no-error-summary", "-p", "carom"])?;
    for folder in EXAMPLES.into_iter().chain([TESTS, FIGURES]) {
        run(&["mypy", "--strict", "--no-error-summary", folder])?;
    }
    if !works(Command::new("node").arg("--version")) {
        // It would take one from a place that is no registry.
        println!("xtask: NO NODE: pyright does not look at the types");
        return Ok(());
    }
    run(&["pyright", "--project", PYRIGHT, "--pythonpath", &python.to_string_lossy()])
}

//! Every shipped example meets its expectations.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::call;

/// Runs all examples with the release build; returns the run folders.
pub(crate) fn run_all() -> Result<Vec<PathBuf>, String> {
    let target = crate::target()?;
    let program = target.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let mut runs = Vec::new();
    for model in models(&crate::root().join("examples"))? {
        let name = model.file_stem().unwrap_or_default();
        let out = target.join("xtask").join("runs").join(name);
        let mut command = Command::new(&program);
        command.arg("run").arg(Path::new("examples").join(model.file_name().unwrap_or_default()));
        command.args(["--expect", "--progress", "none", "--out"]).arg(&out);
        call(&mut command)?;
        runs.push(out);
    }
    Ok(runs)
}

fn models(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot list {}: {error}", folder.display()))?;
    let mut models: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    models.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    models.sort();
    if models.is_empty() { Err(format!("no examples in {}", folder.display())) } else { Ok(models) }
}

//! Where a run comes from: program, model, command, machine, integrator.

use std::path::Path;

use carom_engine::System;
use carom_io::LoadedModel;
use carom_results::Provenance;
use carom_results::manifest::{Command, Host, ModelRecord, Program};

use super::tolerances;

/// The engine works in one thread.
const THREADS: usize = 1;

/// Provenance of a run of `loaded`, which was read from `file`.
pub(crate) fn of(file: &Path, overrides: &[String], loaded: &LoadedModel, system: &System) -> Provenance {
    Provenance {
        program: program(),
        model: ModelRecord {
            file: Some(file.display().to_string()),
            hash: loaded.hash.clone(),
            meshes: meshes(loaded),
        },
        command: Command {
            line: std::iter::once("carom".to_owned()).chain(arguments()).collect(),
            overrides: overrides.to_vec(),
        },
        host: Host::detect(THREADS),
        solver: tolerances::solver_of(&loaded.model, system),
    }
}

/// Arguments as given.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

fn program() -> Program {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Program {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        git_hash: known(env!("CAROM_GIT_HASH")),
        rustc: known(env!("CAROM_RUSTC")),
        features: Vec::new(),
    }
}

/// Surface and hash of every mesh, from the resolved model.
fn meshes(loaded: &LoadedModel) -> Vec<(String, String)> {
    let mut meshes = Vec::new();
    let bodies = loaded.resolved["bodies"].as_object();
    for shape in bodies.into_iter().flat_map(|bodies| bodies.values()).filter_map(|b| b["shapes"].as_object())
    {
        for (name, shape) in shape {
            if let Some(hash) = shape["hash"].as_str() {
                meshes.push((name.clone(), hash.to_owned()));
            }
        }
    }
    meshes
}

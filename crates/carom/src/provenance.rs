//! Where a run comes from: program, model, command, machine, integrator.

use carom_io::LoadedModel;
use carom_results::Provenance;
use carom_results::manifest::{Command, Host, ModelRecord, Program};

use crate::solver_record::solver_of;

/// The engine works in one thread.
const THREADS: usize = 1;

/// Provenance of a run of `loaded`.
pub(crate) fn of(file: Option<&str>, command: &Command, loaded: &LoadedModel) -> Provenance {
    Provenance {
        program: program(),
        model: ModelRecord {
            file: file.map(str::to_owned),
            hash: loaded.hash.clone(),
            meshes: meshes(loaded),
        },
        command: command.clone(),
        host: Host::detect(THREADS),
        solver: solver_of(&loaded.model, &loaded.system),
    }
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

//! The one JSON object of `carom run --json`: names and units as in the tables.

use std::path::Path;

use carom_results::{Manifest, SCHEMA_VERSION};
use serde_json::{Map, Value, json};

/// A run as JSON.
pub(crate) fn to_json(manifest: &Manifest, dir: &Path, report: Option<&Path>) -> Value {
    let mut object = json!({
        "schema": SCHEMA_VERSION,
        "name": manifest.name,
        "model_hash": manifest.provenance.model.hash,
        "end": { "reason": manifest.end.reason, "time_s": manifest.end.time_s },
        "statistics": manifest.statistics,
        "energy": energy(manifest),
        "bodies": bodies(manifest),
        "joints": joints(manifest),
        "contacts": contacts(manifest),
        "lines": manifest.lines,
        "warnings": manifest.warnings,
        "run_dir": dir.display().to_string(),
        "report": report.map(|path| path.display().to_string()),
    });
    if !manifest.expectations.is_empty() {
        object["expect"] = json!(manifest.expectations);
    }
    if let Some(problem) = &manifest.end.problem {
        object["error"] = json!({
            "code": problem.code,
            "message": problem.message,
            "help": problem.help,
            "body": problem.body,
            "pair": problem.pair,
            "time_s": manifest.end.time_s,
        });
    }
    object
}

fn energy(manifest: &Manifest) -> Value {
    let Some(energy) = &manifest.energy else { return Value::Null };
    let mut accounts: Map<String, Value> =
        energy.accounts().into_iter().map(|(name, value)| (format!("{name}_j"), json!(value))).collect();
    accounts.insert("energy_moved_j".to_owned(), json!(energy.energy_moved_j));
    accounts.insert("energy_reference_j".to_owned(), json!(energy.energy_reference_j));
    accounts.insert("residual_relative".to_owned(), json!(energy.residual_relative));
    Value::Object(accounts)
}

fn bodies(manifest: &Manifest) -> Value {
    let bodies = manifest.scene.bodies.iter().zip(&manifest.final_bodies);
    Value::Object(bodies.map(|(body, state)| (body.name.clone(), json!(state))).collect())
}

fn joints(manifest: &Manifest) -> Value {
    let joints = manifest.scene.joints.iter().zip(&manifest.final_joints);
    Value::Object(joints.map(|(joint, state)| (joint.name.clone(), json!(state))).collect())
}

fn contacts(manifest: &Manifest) -> Value {
    let pairs = manifest.scene.pairs.iter().zip(&manifest.totals);
    Value::Object(pairs.map(|(pair, totals)| (pair.name.clone(), json!(totals))).collect())
}

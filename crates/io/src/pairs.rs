//! The pairs of a model as `check --pairs` shows them.

use carom_engine::System;

use crate::load::LoadedModel;

/// One pair with what serves it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRow {
    /// Result name.
    pub name: String,
    /// Path of surface A.
    pub a: String,
    /// Path of surface B.
    pub b: String,
    /// Method word of the line.
    pub method: &'static str,
    /// Name of the law.
    pub law: String,
    /// Kernel that finds the contact.
    pub kernel: &'static str,
    /// The law in resolved numbers.
    pub resolved: String,
}

/// All pairs of a model. The model has compiled when it was loaded; should it not, the table is empty.
pub fn pair_table(loaded: &LoadedModel) -> Vec<PairRow> {
    let model = &loaded.model;
    let Ok(system) = System::compile(model) else { return Vec::new() };
    let rows = model.pairs.iter().zip(&system.info().pairs).map(|(pair, info)| {
        let line = &model.contact_lines[pair.line];
        PairRow {
            name: info.name.clone(),
            a: info.a.clone(),
            b: info.b.clone(),
            method: line.method.name(),
            law: model.laws[line.law].name.clone(),
            kernel: info.kernel,
            resolved: info.law.clone(),
        }
    });
    rows.collect()
}

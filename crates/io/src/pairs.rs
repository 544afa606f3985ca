//! The pairs of a model as `check --pairs` shows them.

use carom_engine::Model;
use carom_engine::model::{ContactPair, Method};
use carom_geometry::{Cell, find_kernel};

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
    /// Why `auto` takes no closed form, where it does not.
    pub not_analytic: Option<&'static str>,
    /// The law in resolved numbers.
    pub resolved: String,
}

/// All pairs of a model.
pub fn pair_table(loaded: &LoadedModel) -> Vec<PairRow> {
    let model = &loaded.model;
    let rows = model.pairs.iter().zip(&loaded.system.info().pairs).map(|(pair, info)| {
        let line = &model.contact_lines[pair.line];
        PairRow {
            name: info.name.clone(),
            a: info.a.clone(),
            b: info.b.clone(),
            method: line.method.name(),
            law: model.laws[line.law].name.clone(),
            kernel: info.kernel,
            not_analytic: why_not_analytic(model, pair),
            resolved: info.law.clone(),
        }
    });
    rows.collect()
}

fn why_not_analytic(model: &Model, pair: &ContactPair) -> Option<&'static str> {
    let [a, b] = [pair.a, pair.b].map(|s| model.bodies[s.body].shapes[s.shape].shape.kind());
    match find_kernel(a, b) {
        Cell::Unsupported(reason) if model.contact_lines[pair.line].method == Method::Auto => Some(reason),
        _ => None,
    }
}

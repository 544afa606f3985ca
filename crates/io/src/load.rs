//! From a model file to a model that can run, or to everything that is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_engine::model::Expectation;
use carom_engine::{Model, Note, Problem, Severity, System};
use serde_json::Value;

use crate::diagnostic::{Diagnostic, Report};
use crate::document::{self, Document, MainText};
use crate::finding::{Finding, Findings};
use crate::import;
use crate::read::{Reading, fineness, read};
use crate::resolved;
use crate::source::{Sources, Span};

/// Changes of the command line, applied before anything is evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// `PATH=VALUE` of each `--set`.
    pub set: Vec<String>,
    /// `METHOD` or `LINE=METHOD` of each `--method`.
    pub method: Vec<String>,
    /// `--t-end`.
    pub t_end: Option<String>,
    /// Times (s) at which all quantities are recorded, beside those of the model's expectations. They change no result.
    pub probes: Vec<f64>,
}

/// A model that compiles, with what belongs to it.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The model.
    pub model: Model,
    /// The model, compiled. One that was changed since it was loaded has to be compiled anew.
    pub system: Arc<System>,
    /// What a run must deliver.
    pub expectations: Vec<Expectation>,
    /// Warnings that the file does not allow.
    pub warnings: Vec<Diagnostic>,
    /// The model as plain numbers in SI, everything expanded.
    pub resolved: Value,
    /// Hash of what can change a result: not of names for people, view, output and expectations.
    pub hash: String,
    /// The same without the end of the run, for resuming with another end.
    pub resume_hash: String,
    /// Text of the main file.
    pub source: String,
    /// Files read: the main one, included ones, meshes.
    pub files: Vec<PathBuf>,
    /// What the user should know and cannot be wrong: choices that were made.
    pub notes: Vec<Note>,
    /// What an import left out that has no effect on the motion.
    pub left_out: Vec<String>,
    sources: Sources,
    origins: BTreeMap<String, Span>,
    /// Warnings that the file allows.
    allowed: Vec<String>,
    meshes: crate::mesh_file::Sources,
}

impl LoadedModel {
    /// The model as a model file in plain SI numbers, everything expanded. It loads to the same model;
    /// files of meshes are named as seen from the current folder.
    pub fn to_toml(&self) -> String {
        resolved::to_toml(&self.model, &self.expectations, &self.allowed, &self.meshes)
    }

    /// Places problems that a later step found, such as [`System::compile`], in the files.
    pub fn diagnose(&self, problems: Vec<Problem>) -> Report {
        let place = |p: Problem| Diagnostic::of(located(p, &self.origins), &self.sources);
        Report::new(problems.into_iter().map(place).collect())
    }
}

/// Loads a model file, or imports a robot file. The report of an error holds warnings too.
pub fn load(path: &Path, overrides: &Overrides) -> Result<LoadedModel, Report> {
    if import::is_robot_file(path) {
        return import::load_robot(path, &import::Options::default(), overrides);
    }
    if let Some(report) = refuse_mesh(path) {
        return Err(report);
    }
    let text = document::read_text(path).map_err(|reason| {
        let message = format!("cannot read \"{}\": {reason}", path.display());
        let mut problem = Problem::new("E0204", "", message);
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        problem.help = document::near_file(&name, folder);
        let diagnostic = Diagnostic { problem, location: None, related: None };
        Report { diagnostics: vec![diagnostic], unreadable: true }
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.display().to_string();
    load_text(&MainText { name: &name, text: &text, folder, path: Some(path) }, overrides)
}

/// A mesh is no model; the report says what to do with it.
fn refuse_mesh(path: &Path) -> Option<Report> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    if !["stl", "obj", "ply"].contains(&extension.as_str()) || !path.is_file() {
        return None;
    }
    let message = format!("\"{}\" is a mesh, not a model", path.display());
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let problem = Problem::new("E0204", "", message).help(format!(
        "write a model with a body of this shape: shape = {{ type = \"mesh\", file = \"{name}\", unit = \"mm\" }}; `carom new --list` has models to start from"
    ));
    Some(Report {
        diagnostics: vec![Diagnostic { problem, location: None, related: None }],
        unreadable: true,
    })
}

/// Loads a model from a text. Relative paths in it start at `folder`; `name` stands for the file in
/// messages.
pub fn load_str(name: &str, text: &str, folder: &Path, overrides: &Overrides) -> Result<LoadedModel, Report> {
    load_text(&MainText { name, text, folder, path: None }, overrides)
}

fn load_text(main: &MainText<'_>, overrides: &Overrides) -> Result<LoadedModel, Report> {
    let mut sources = Sources::default();
    let findings = Findings::default();
    let document = document::open(main, &mut sources, &findings);
    let Some(mut document) = document else { return Err(report(findings, &sources, &[])) };
    document::apply_overrides(&mut document.root, overrides, &mut sources, &findings);
    document::check_keys(&document.root, &findings);
    let default_name = Path::new(main.name).file_stem().map_or(main.name.into(), |s| s.to_string_lossy());
    let reading = read(&document, &sources, &findings, &default_name);
    let Reading { mut model, expectations, origins, notes, mesh_files, mut meshes, any_facets } = reading;
    let probes = &mut model.output.probes;
    probes.extend(&overrides.probes);
    probes.sort_by(f64::total_cmp);
    probes.dedup();
    let broken = findings.has_errors();
    if !broken {
        fineness::settle(&mut model, &any_facets, &mut meshes.generated);
    }
    // Warnings about a model that is only half read would be about the half that is missing.
    let (problems, compiled) = model.examine();
    let problems = problems.into_iter().filter(|p| !broken || p.severity() == Severity::Error);
    findings.push_grouped(problems.map(|p| located(p, &origins)));
    let system = match compiled {
        Some(Err(problems)) if !findings.has_errors() => {
            findings.push_grouped(problems.into_iter().map(|p| located(p, &origins)));
            None
        }
        other => other.and_then(Result::ok),
    };
    let allowed = read_allowed(&document, &findings);
    let failed = findings.has_errors();
    let report = report(findings, &sources, &allowed);
    let Some(system) = system.filter(|_| !failed) else { return Err(report) };
    let resolved = resolved::resolve(&model, &expectations);
    let files =
        main.path.map(Path::to_owned).into_iter().chain(document.included).chain(mesh_files).collect();
    Ok(LoadedModel {
        hash: resolved::hash(&resolved),
        resume_hash: resolved::resume_hash(&resolved, &model),
        resolved,
        model,
        system: Arc::new(system),
        expectations,
        warnings: report.diagnostics,
        source: main.text.to_owned(),
        files,
        notes,
        left_out: Vec::new(),
        sources,
        origins,
        allowed,
        meshes,
    })
}

/// A problem at the place that states its path, else at the nearest path above it.
fn located(problem: Problem, origins: &BTreeMap<String, Span>) -> Finding {
    let mut path = problem.path.as_str();
    loop {
        if let Some(span) = origins.get(path) {
            return Finding::at(problem.clone(), *span);
        }
        let Some(cut) = path.rfind(['.', '[']) else { return Finding::of_model(problem) };
        path = &path[..cut];
    }
}

/// Codes of warnings that the model file allows.
fn read_allowed(document: &Document, findings: &Findings) -> Vec<String> {
    let Some(node) = document.root.get("allow") else { return Vec::new() };
    let document::Value::Array(items) = &node.value else {
        if !matches!(node.value, document::Value::Broken) {
            let message = format!("allow must be a list of codes, got {}", node.value.type_name());
            findings.push(Finding::at(
                Problem::new("E0106", "allow", message).expected("such as [\"W0420\"]"),
                node.span,
            ));
        }
        return Vec::new();
    };
    let mut codes = Vec::new();
    for item in items {
        let text = item.as_text().unwrap_or_default();
        let is_warning =
            text.len() == 5 && text.starts_with('W') && text[1..].bytes().all(|b| b.is_ascii_digit());
        if is_warning {
            codes.push(text.to_owned());
        } else {
            let message = format!(
                "allow names {}, which is not the code of a warning",
                if text.is_empty() { item.value.type_name() } else { text }
            );
            let problem = Problem::new("E0107", "allow", message).expected("a code such as \"W0420\"");
            findings
                .push(Finding::at(problem.help("errors cannot be allowed; correct the model"), item.span));
        }
    }
    codes
}

fn report(findings: Findings, sources: &Sources, allowed: &[String]) -> Report {
    let wanted = |f: &Finding| {
        f.problem.severity() == Severity::Error || !allowed.iter().any(|code| code == f.problem.code)
    };
    Report::new(findings.take().into_iter().filter(wanted).map(|f| Diagnostic::of(f, sources)).collect())
}

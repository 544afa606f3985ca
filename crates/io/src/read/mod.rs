//! From the document to the model: every value evaluated, every name resolved.

mod actuator;
mod attachment;
mod bodies;
mod body;
mod constraint;
mod contact;
mod contact_options;
mod contact_pairs;
mod convex_parts;
mod defaults;
mod element;
mod expectation;
pub(crate) mod fineness;
mod force;
mod function;
mod generated;
mod glob;
mod inertia;
mod joint;
mod law;
mod material;
mod mechanism;
mod mesh;
mod names;
mod part_quantity;
mod placement;
mod planar;
mod plane;
mod poses;
mod rotation;
mod scope;
mod section;
mod settings;
mod shape;
mod solid;
mod values;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use carom_engine::model::{Expectation, Plane};
use carom_engine::{Model, Note};
use carom_math::Vec3;

use crate::document::Document;
use crate::finding::Findings;
use crate::source::{Sources, Span};

pub use expectation::probe_times;
pub(crate) use expectation::{expected_dimension, parse_measure};
pub(crate) use generated::GeneratedSource;
pub(crate) use glob::Glob;
use scope::Scopes;
pub(crate) use scope::{ScopeId, ScopeNames};
pub(crate) use section::{Section, unread};

/// What all readers share.
pub(crate) struct Context<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) findings: &'a Findings,
    scopes: Scopes<'a>,
    /// Where each value of the model was stated, by its path.
    origins: RefCell<BTreeMap<String, Span>>,
    /// Things the user should know, neither errors nor warnings.
    notes: RefCell<Vec<Note>>,
    /// Names of shapes that could not be read; others stand in for them.
    broken_shapes: RefCell<BTreeSet<String>>,
    /// Shapes that are parts of one, by name, with the name of that.
    part_groups: RefCell<BTreeMap<String, String>>,
    /// Plane of a planar model.
    plane: Option<Plane>,
    /// Mesh files read, by path as given.
    meshes: RefCell<crate::mesh_file::Cache>,
    /// Surfaces that were generated.
    generated: RefCell<Vec<GeneratedSource>>,
    /// Names of shapes whose number of triangles is not stated.
    any_facets: RefCell<BTreeSet<String>>,
}

/// A document read to a model.
pub(crate) struct Reading {
    pub(crate) model: Model,
    pub(crate) expectations: Vec<Expectation>,
    pub(crate) origins: BTreeMap<String, Span>,
    pub(crate) notes: Vec<Note>,
    pub(crate) mesh_files: Vec<std::path::PathBuf>,
    pub(crate) meshes: crate::mesh_file::Sources,
    /// Names of shapes whose number of triangles is not stated.
    pub(crate) any_facets: BTreeSet<String>,
}

impl<'a> Context<'a> {
    pub(crate) fn note(&self, code: &'static str, message: String) {
        let note = Note::new(code, message);
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Where the value at a path was stated.
    pub(crate) fn origin(&self, path: &str) -> Option<Span> {
        self.origins.borrow().get(path).copied()
    }

    /// Source text of the value at a path.
    pub(crate) fn text_at(&self, path: &str) -> Option<String> {
        self.origin(path).map(|span| self.sources.slice(span).to_owned())
    }

    pub(crate) fn record_origin(&self, path: &str, span: Span) {
        self.origins.borrow_mut().insert(path.to_owned(), span);
    }

    /// Does a value that was read come from outside the files of the model?
    pub(crate) fn is_overridden(&self, path: &str) -> bool {
        self.origins.borrow().get(path).is_some_and(|span| self.sources.0[span.file].is_override())
    }
}

/// Plane that a document states. A word that is none is told where the section is read.
fn plane_of(document: &Document) -> Option<Plane> {
    let word = document.root.table("world")?.get("plane")?.as_text()?;
    Plane::ALL.into_iter().find(|plane| plane.name() == word)
}

/// Reads the document. What cannot be read is replaced by something harmless, so that the rest can be
/// checked; the findings say that the model must not run.
pub(crate) fn read(
    document: &Document,
    sources: &Sources,
    findings: &Findings,
    default_name: &str,
) -> Reading {
    let context = Context {
        sources,
        findings,
        scopes: Scopes::default(),
        origins: RefCell::default(),
        notes: RefCell::default(),
        broken_shapes: RefCell::default(),
        part_groups: RefCell::default(),
        plane: plane_of(document),
        meshes: RefCell::default(),
        generated: RefCell::default(),
        any_facets: RefCell::default(),
    };
    let scope = context.open_scope(None);
    if let Some(params) = document.root.table("params") {
        context.bind_table(scope, params, scope, "params");
    }
    context.evaluate_all(scope);

    let start = Span { file: 0, start: 0, end: 0 };
    let root = Section::new(&context, "", &document.root, start, "", scope);
    // The word itself has been taken from the document; here it is told if it is none.
    root.table("world").and_then(|world| world.word("plane"));
    let (mut materials, mut material_pairs) = material::read_materials(&root);
    let (laws, blocks) = law::read_laws(&root);
    let scene = bodies::read_bodies(&root, &materials);
    let mut bodies = scene.bodies;
    let mut mechanism = mechanism::read_mechanism(&scene.parts, &mut bodies, &laws);
    poses::settle(&mut bodies, &scene.inherited, &scene.welds, &mechanism.joints);
    plane::settle(&root, &mut bodies, &mut mechanism.joints);
    let solver = settings::read_solver(&root);
    let contacts = contact::read_contacts(&root, &bodies, &laws, &blocks, solver.method);
    material::keep_used(&mut materials, &mut material_pairs, &mut bodies);
    let gravity = settings::read_gravity(&root, &bodies);
    if let Some(gravity) = &gravity {
        plane::check_gravity(&root, gravity);
    }
    let mut model = Model {
        name: root.text("name").unwrap_or_else(|| default_name.to_owned()),
        plane: context.plane,
        gravity: gravity.unwrap_or_else(Vec3::zeros),
        bodies,
        joints: mechanism.joints,
        forces: mechanism.forces,
        constraints: mechanism.constraints,
        materials,
        material_pairs,
        laws,
        contact_lines: contacts.lines,
        pairs: contacts.pairs,
        wide_lines: contacts.wide_lines,
        pairs_off: contacts.pairs_off,
        solver,
        output: settings::read_output(&root),
    };
    let expectations = expectation::read_expectations(&root, &model);
    model.output.probes = probe_times(&expectations);
    drop((root, scene.parts));
    let meshes = context.meshes.into_inner();
    Reading {
        model,
        expectations,
        origins: context.origins.into_inner(),
        notes: context.notes.into_inner(),
        any_facets: context.any_facets.into_inner(),
        meshes: meshes.sources(context.generated.into_inner()),
        mesh_files: meshes.files(),
    }
}

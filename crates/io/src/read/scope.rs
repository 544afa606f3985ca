use std::cell::RefCell;
use std::collections::BTreeMap;

use carom_engine::Problem;

use super::Context;
use crate::document::{Node, Table};
use crate::finding::Finding;
use crate::quantity::{Lookup, Names, Quantity};
use crate::source::Span;

/// Longest chain of parameters that need each other.
const MAX_CHAIN: usize = 200;

/// Index of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScopeId(usize);

/// Named quantities, evaluated when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'a> {
    scopes: RefCell<Vec<Scope<'a>>>,
    /// Names being evaluated, for cycles.
    running: RefCell<Vec<(ScopeId, String)>>,
}

#[derive(Debug, Default)]
struct Scope<'a> {
    parent: Option<ScopeId>,
    bindings: BTreeMap<String, Binding<'a>>,
}

#[derive(Clone, Debug)]
struct Binding<'a> {
    /// The definition: its node, the scope its names live in, its path and key.
    definition: Option<(&'a Node, ScopeId, String, Span)>,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    New,
    Running,
    /// `None`: in error, which is reported.
    Done(Option<Quantity>),
}

impl<'a> Scopes<'a> {
    /// Names that the scope itself binds.
    fn own_names(&self, scope: ScopeId) -> Vec<String> {
        self.scopes.borrow()[scope.0].bindings.keys().cloned().collect()
    }

    /// Scope that binds the name, seen from `scope`.
    fn find(&self, scope: ScopeId, name: &str) -> Option<(ScopeId, Binding<'a>)> {
        let scopes = self.scopes.borrow();
        let mut at = Some(scope);
        while let Some(id) = at {
            if let Some(binding) = scopes[id.0].bindings.get(name) {
                return Some((id, binding.clone()));
            }
            at = scopes[id.0].parent;
        }
        None
    }

    fn set_state(&self, scope: ScopeId, name: &str, state: State) {
        if let Some(binding) = self.scopes.borrow_mut()[scope.0].bindings.get_mut(name) {
            binding.state = state;
        }
    }
}

impl<'a> Context<'a> {
    /// A scope within another.
    pub(crate) fn open_scope(&self, parent: Option<ScopeId>) -> ScopeId {
        let mut scopes = self.scopes.scopes.borrow_mut();
        scopes.push(Scope { parent, bindings: BTreeMap::new() });
        ScopeId(scopes.len() - 1)
    }

    /// Binds the entries of a table, whose expressions use the names of `names`.
    pub(crate) fn bind_table(&self, scope: ScopeId, table: &'a Table, names: ScopeId, path: &str) {
        for entry in &table.entries {
            let definition = (&entry.node, names, format!("{path}.{}", entry.key), entry.key_span);
            let binding = Binding { definition: Some(definition), state: State::New };
            self.scopes.scopes.borrow_mut()[scope.0].bindings.insert(entry.key.clone(), binding);
        }
    }

    /// Binds a name to a value.
    pub(crate) fn bind_value(&self, scope: ScopeId, name: &str, value: Quantity) {
        let binding = Binding { definition: None, state: State::Done(Some(value)) };
        self.scopes.scopes.borrow_mut()[scope.0].bindings.insert(name.to_owned(), binding);
    }

    /// Evaluates every name of a scope, so that all their errors are found.
    pub(crate) fn evaluate_all(&self, scope: ScopeId) {
        let names = self.scopes.own_names(scope);
        let mut defined: Vec<(Span, String)> = names
            .into_iter()
            .filter_map(|n| {
                let span = self.scopes.find(scope, &n)?.1.definition?.3;
                Some((span, n))
            })
            .collect();
        defined.sort();
        for (_, name) in defined {
            self.lookup(scope, &name);
        }
    }

    fn lookup(&self, scope: ScopeId, name: &str) -> Lookup {
        let Some((owner, binding)) = self.scopes.find(scope, name) else { return Lookup::Unknown };
        let (node, names, path, key_span) = match (binding.state, binding.definition) {
            (State::Done(Some(q)), _) => return Lookup::Found(q),
            (State::Done(None), _) | (State::New, None) => return Lookup::Broken,
            (State::Running, definition) => {
                self.report_cycle(owner, name, definition.map(|d| (d.2, d.3)));
                return Lookup::Broken;
            }
            (State::New, Some(definition)) => definition,
        };
        if self.scopes.running.borrow().len() >= MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} parameters need each other in a chain");
            self.findings.push(Finding::at(Problem::new("E0109", path, message), key_span));
            self.scopes.set_state(owner, name, State::Done(None));
            return Lookup::Broken;
        }
        self.scopes.set_state(owner, name, State::Running);
        self.scopes.running.borrow_mut().push((owner, name.to_owned()));
        let value = self.evaluate(node, names, &path);
        self.scopes.running.borrow_mut().pop();
        self.scopes.set_state(owner, name, State::Done(value));
        value.map_or(Lookup::Broken, Lookup::Found)
    }

    fn report_cycle(&self, owner: ScopeId, name: &str, definition: Option<(String, Span)>) {
        let running = self.scopes.running.borrow();
        let start = running.iter().position(|r| r.0 == owner && r.1 == name).unwrap_or(0);
        let chain: Vec<&str> = running[start..].iter().map(|r| r.1.as_str()).chain([name]).collect();
        let Some((path, span)) = definition else { return };
        let message = format!("parameters need each other: {}", chain.join(" -> "));
        let problem = Problem::new("E0109", path, message).help("give one of them a value of its own");
        self.findings.push(Finding::at(problem, span));
    }
}

/// The names that expressions of a scope can use.
pub(crate) struct ScopeNames<'c, 'a> {
    pub(crate) context: &'c Context<'a>,
    pub(crate) scope: ScopeId,
}

impl Names for ScopeNames<'_, '_> {
    fn lookup(&self, name: &str) -> Lookup {
        self.context.lookup(self.scope, name)
    }

    fn defines(&self, name: &str) -> bool {
        self.context.scopes.find(self.scope, name).is_some()
    }

    fn all(&self) -> Vec<String> {
        let scopes = self.context.scopes.scopes.borrow();
        let mut names = Vec::new();
        let mut at = Some(self.scope);
        while let Some(id) = at {
            names.extend(scopes[id.0].bindings.keys().cloned());
            at = scopes[id.0].parent;
        }
        names
    }
}

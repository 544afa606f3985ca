//! Triangle surfaces that touch at both ends of a step and part between: the step has to end while they are apart, so that the
//! contact ends and another one begins.
//!
//! It is told by an end, or a stage of the method, where no element is in contact, or elements at the end none of which was at the
//! start.

use std::sync::Arc;

use carom_solvers::Stepper;

use super::super::areal::{self, active, in_pass};
use super::super::load::{self, Load};
use super::super::placed::Placed;
use super::super::{Ahead, Evaluator, Observer, StepView};
use super::approach::{is_felt, mesh_pair};
use super::touch::TouchSearch;
use crate::system::{ArealPair, MeshPair};

/// Halvings of a step in which one set of elements gives way to another.
const HALVINGS: usize = 14;
/// Halvings within which the ends of the time in which neither is in contact are told: places are looked at well inside of it.
const HALVINGS_OF_ENDS: usize = 6;
/// Where in that time surfaces are looked for apart.
const PLACES: [f64; 3] = [0.5, 0.25, 0.75];
/// Stages that near to an end of the step, over its length, tell of that end; what parts for less is passed over.
const AT_END: f64 = 1e-6;

/// Which elements are in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    None,
    /// One of those at the start is among them.
    Former,
    /// None of those.
    Others,
}

impl Observer {
    /// When in the attempted step, whose end the evaluator is at, the surfaces of a contact that is closed at both ends are apart.
    pub(in crate::contact) fn find_mesh_reopening(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        stepper: &dyn Stepper,
        contact: usize,
    ) -> Ahead {
        let Ok(slot) = evaluator.contacts.active.binary_search(&contact) else { return Ahead::Nothing };
        let memory = &evaluator.contacts.memory[contact];
        let start = stepper.time();
        // What has just begun has no element in contact yet.
        let has_begun = memory.begin >= start;
        let felt_at_start = memory.load.is_felt() && !has_begun;
        let felt_at_end = is_felt(evaluator, contact);
        let view = StepView::new(stepper, &self.step);
        let stages = || {
            let at = |(time, loads): (f64, &[Load])| ((time - start) / view.h, loads[slot].is_felt());
            evaluator.trail.stages().map(at).filter(|(at, _)| is_inside(*at))
        };
        let felt_before = |at: f64| {
            let felt = stages().filter(|(other, is_felt)| *is_felt && *other < at).map(|(other, _)| other);
            felt.fold(0.0, f64::max)
        };
        let unfelt_stage = || {
            let at = stages().filter(|(_, is_felt)| !is_felt).map(|(at, _)| at).reduce(f64::max)?;
            Some([felt_before(at) * view.h, at * view.h])
        };
        let unfelt = match (felt_at_start, felt_at_end) {
            (true, false) => Some([0.0, view.h]),
            (true, true) => unfelt_stage(),
            (false, true) if has_begun => unfelt_stage(),
            (false, _) => Some([0.0; 2]),
        };
        let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return Ahead::Nothing };
        let hint = evaluator.contacts.memory[contact].triangles;
        let mut touch = Apart { touch: &mut self.touch, view: &view, meshes: &meshes, pair, hint };
        // What is apart at the end has ended.
        if !felt_at_end && touch.is_apart(evaluator, view.h) {
            return Ahead::Nothing;
        }
        let apart = match areal::areal_pair(evaluator, contact) {
            Some((areal, pair)) => {
                let are_others = felt_at_start && elements_here(evaluator, pair) == Elements::Others;
                if unfelt.is_none() && !are_others {
                    return Ahead::Nothing;
                }
                let apart = touch.find_between(evaluator, &areal, unfelt);
                // Surfaces that stay in contact may be asked again in the next step.
                evaluator.contacts.memory[contact].triangles = touch.hint;
                load::return_areal(evaluator, pair);
                apart
            }
            None => unfelt.map(|[_, after]| after).filter(|&after| touch.is_apart(evaluator, after)),
        };
        apart
            .filter(|after| is_inside(after / view.h))
            .map_or(Ahead::Nothing, |after| Ahead::Unknown { after, contact })
    }
}

/// The search of a pair of surfaces in a step.
struct Apart<'a> {
    touch: &'a mut TouchSearch,
    view: &'a StepView<'a>,
    meshes: &'a Arc<MeshPair>,
    pair: usize,
    hint: [u32; 2],
}

impl Apart<'_> {
    /// A time in the step at which the surfaces are apart, between the elements of its start and those of its end. Where none may be in
    /// contact, after a time at which some are, is looked first.
    fn find_between(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        areal: &ArealPair,
        unfelt: Option<[f64; 2]>,
    ) -> Option<f64> {
        let mut after = self.view.h;
        let [mut before, mut at] = unfelt.unwrap_or([0.0, 0.5 * after]);
        for _ in 0..HALVINGS {
            match self.elements_at(evaluator, areal, at)? {
                Elements::None => {
                    let from = self.end_of(evaluator, areal, at, before);
                    let to = self.end_of(evaluator, areal, at, after);
                    let places = PLACES.map(|share| from + share * (to - from));
                    return places.into_iter().find(|&place| self.is_apart(evaluator, place));
                }
                Elements::Former => before = at,
                Elements::Others => after = at,
            }
            at = 0.5 * (before + after);
        }
        None
    }

    /// How far towards a time no element is in contact.
    fn end_of(&self, evaluator: &mut Evaluator<'_>, areal: &ArealPair, none: f64, felt: f64) -> f64 {
        let (mut none, mut felt) = (none, felt);
        for _ in 0..HALVINGS_OF_ENDS {
            let middle = 0.5 * (none + felt);
            if self.elements_at(evaluator, areal, middle) == Some(Elements::None) {
                none = middle;
            } else {
                felt = middle;
            }
        }
        none
    }

    fn elements_at(&self, evaluator: &mut Evaluator<'_>, areal: &ArealPair, after: f64) -> Option<Elements> {
        let (poses, bodies) = self.view.placed_at(evaluator, self.pair, after);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        let workspace = evaluator.areal[self.pair].as_mut()?;
        for (pass, workspace) in areal.passes.iter().zip(&mut workspace.passes) {
            workspace.search(pass, in_pass(pass, &placed).poses).ok()?;
        }
        Some(elements_here(evaluator, self.pair))
    }

    fn is_apart(&mut self, evaluator: &Evaluator<'_>, after: f64) -> bool {
        let [x_a, x_b] = self.view.poses_at(evaluator, self.pair, after);
        if let Some(triangles) = self.touch.touching(self.meshes, [&x_a, &x_b], self.hint) {
            self.hint = triangles;
            return false;
        }
        !self.touch.is_inside(self.meshes, [&x_a, &x_b])
    }
}

fn is_inside(at: f64) -> bool {
    at > AT_END && at < 1.0 - AT_END
}

/// Which elements the last search has found in contact.
fn elements_here(evaluator: &Evaluator<'_>, pair: usize) -> Elements {
    let Some(workspace) = &evaluator.areal[pair] else { return Elements::None };
    let mut found = Elements::None;
    for workspace in &workspace.passes {
        for hit in active(&workspace.hits) {
            if workspace.has_stored(hit.element) {
                return Elements::Former;
            }
            found = Elements::Others;
        }
    }
    found
}

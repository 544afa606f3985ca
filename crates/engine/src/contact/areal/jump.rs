//! Which triangle makes an areal contact store or give back energy that no work accounts for: a penetration that jumps where
//! the line of an element passes an edge of the target.

use super::super::Evaluator;
use super::super::placed::Placed;
use super::begin::ElementMotion;
use super::{ArealWorkspace, PassWorkspace, active, in_pass, motion_in_base};
use crate::record::BaseTriangle;
use crate::system::{ArealPair, PairSource};

/// What an active element held at an accepted state.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct StoredElement {
    element: u32,
    /// Elastic energy (J).
    energy: f64,
    /// Power that goes into it (W).
    power: f64,
}

impl StoredElement {
    /// How much more an element holds after a step of `h` than the work on it says, by the trapezoidal rule (J).
    fn jump(before: Option<&Self>, after: Option<&Self>, h: f64) -> f64 {
        let of = |state: Option<&Self>| state.map_or((0.0, 0.0), |state| (state.energy, state.power));
        let ((energy_before, power_before), (energy_after, power_after)) = (of(before), of(after));
        energy_after - energy_before - 0.5 * h * (power_before + power_after)
    }
}

impl PassWorkspace {
    /// Was an element in contact at the last accepted state?
    pub(in crate::contact) fn has_stored(&self, element: u32) -> bool {
        self.stored.binary_search_by_key(&element, |stored| stored.element).is_ok()
    }
}

impl ArealWorkspace {
    /// Takes down what the elements of the last evaluation hold, and returns the one that has jumped most since this
    /// was done last, a step of `h` ago.
    fn take_stored(&mut self, areal: &ArealPair, placed: &Placed<'_>, h: f64) -> Option<BaseTriangle> {
        let mut worst = None;
        let mut largest = 0.0;
        for (pass, workspace) in areal.passes.iter().zip(&mut self.passes) {
            let placed = in_pass(pass, placed);
            let motion = motion_in_base(&placed);
            std::mem::swap(&mut workspace.stored, &mut workspace.stored_before);
            let mut stored = std::mem::take(&mut workspace.stored);
            stored.clear();
            let mut element_of = workspace.elements_in_order(pass);
            stored.extend(active(&workspace.hits).map(move |hit| {
                let element = element_of(hit.element);
                let approach = ElementMotion::new(pass, element, &motion, hit).approach;
                StoredElement {
                    element: hit.element,
                    energy: pass.law.potential(hit.depth) * element.area,
                    power: pass.law.elastic(hit.depth) * element.area * approach,
                }
            }));
            workspace.stored = stored;
            workspace.peak.note(workspace.stored.iter().map(|element| element.energy));
            let (mut before, mut after) =
                (workspace.stored_before.iter().peekable(), workspace.stored.iter().peekable());
            // Both are in the order of the elements.
            while let Some(element) = before.peek().into_iter().chain(after.peek()).map(|e| e.element).min() {
                let one = before.next_if(|e| e.element == element);
                let other = after.next_if(|e| e.element == element);
                let jump = StoredElement::jump(one, other, h).abs();
                if jump > largest {
                    largest = jump;
                    worst = Some(BaseTriangle { on_a: pass.base_is_a, triangle: pass.base.place(element).0 });
                }
            }
        }
        worst
    }
}

/// The triangle of an areal pair that has jumped most over a step of `h`, whose end the evaluator is at. To be called at
/// every accepted state; of other pairs, and for those that did not touch, nothing.
pub(crate) fn note_jump(evaluator: &mut Evaluator<'_>, pair: usize, h: f64) -> Option<BaseTriangle> {
    let data = &evaluator.table.pairs[pair];
    let PairSource::Areal(areal) = &data.source else { return None };
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    evaluator.areal[pair].as_mut()?.take_stored(areal, &placed, h)
}

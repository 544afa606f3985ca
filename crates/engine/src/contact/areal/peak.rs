//! How many elements carry an areal contact when it is pressed most: with few of them the force is a matter of where they
//! happen to lie.

use super::super::Evaluator;
use crate::system::{ArealPass, PairSource};

/// Fewer elements than this are too few for a force to be relied on: their sum is off by up to a tenth.
const FEW: usize = 10;

/// The state in which a pass has stored most energy, of those that were accepted.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct Peak {
    /// Elastic energy (J).
    energy: f64,
    /// Elements that were active then.
    elements: usize,
}

impl Peak {
    /// Takes an accepted state.
    pub(in crate::contact) fn note(&mut self, energies: impl Iterator<Item = f64>) {
        let (energy, elements) = energies.fold((0.0, 0), |(sum, n), energy| (sum + energy, n + 1));
        if energy > self.energy {
            *self = Self { energy, elements };
        }
    }

    pub(in crate::contact) fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let mut elements = self.elements as f64;
        visit(&mut self.energy);
        visit(&mut elements);
        self.elements = elements as usize;
    }
}

/// Most energy that an areal pair has stored in one of the accepted states (J).
pub(crate) fn most_stored(evaluator: &Evaluator<'_>, pair: usize) -> Option<f64> {
    let PairSource::Areal(_) = evaluator.table.pairs[pair].source else { return None };
    let passes = &evaluator.areal[pair].as_ref()?.passes;
    Some(passes.iter().map(|pass| pass.peak.energy).sum::<f64>() / passes.len() as f64)
}

/// A contact that few elements carried at its peak, or none.
pub(crate) struct CoarsePatch {
    /// Index of the pair.
    pub(crate) pair: usize,
    /// Elements at the peak.
    pub(crate) elements: usize,
    /// Accuracy with which it would have had enough.
    pub(crate) accuracy: f64,
}

/// Areal pairs that few elements carried when they had stored most, those that none has carried yet among them. Of two bases it is the
/// one with fewer, unless one hands over to the other what is beside that one's edges. The number of elements grows as the −4/5th power of
/// the accuracy that they are made for (`carom_geometry::polygonal::accuracy`).
pub(crate) fn coarse_patches(evaluator: &Evaluator<'_>) -> impl Iterator<Item = CoarsePatch> {
    evaluator.areal.iter().zip(&evaluator.table.pairs).enumerate().filter_map(|(pair, (workspace, data))| {
        let PairSource::Areal(areal) = &data.source else { return None };
        let passes = areal.passes.iter().zip(&workspace.as_ref()?.passes);
        let counts = passes.map(|(pass, workspace)| (pass.error, workspace.peak.elements));
        let hands_over = |pass: &ArealPass| pass.edges.as_ref().is_some_and(|edges| edges.target.is_some());
        let (error, elements) = if areal.passes.iter().any(hands_over) {
            counts.max_by_key(|(_, elements)| *elements)?
        } else {
            counts.min_by_key(|(_, elements)| *elements)?
        };
        // Where there is none, half a one.
        let share = (elements as f64).max(0.5) / FEW as f64;
        let accuracy: f64 = error.min(1.0) * share * share.sqrt().sqrt();
        (elements < FEW).then_some(CoarsePatch { pair, elements, accuracy })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_the_state_that_stores_most() {
        let mut peak = Peak::default();
        for state in [&[1.0, 2.0][..], &[4.0], &[], &[1.0, 1.0, 1.0]] {
            peak.note(state.iter().copied());
        }
        assert_eq!((peak.energy, peak.elements), (4.0, 1));
        let mut numbers = Vec::new();
        peak.visit_numbers(&mut |number| numbers.push(*number));
        assert_eq!(numbers, [4.0, 1.0]);
    }
}

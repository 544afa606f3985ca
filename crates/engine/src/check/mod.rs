//! Checks of a model that need it compiled, and the order of all checks.

mod overlap;
mod rims;
mod rounding;
mod starts;
mod sticking;
mod stiffness;
mod turned;
mod unfelt;

use carom_math::Pose;

use crate::model::{Body, Model, find_solids, warn_of_jumps};
use crate::record::BodyState;
use crate::system::PairTable;
use crate::{Problem, Severity, System};

use overlap::find_overlaps;
use rims::warn_of_rims;
use rounding::warn_of_rounding;
use starts::warn_of_lost_velocities;
use sticking::warn_of_sticking;
use stiffness::warn_of_stiffness;
use turned::warn_of_turned_triangles;
use unfelt::warn_of_unfelt;

pub use overlap::Overlap;

impl Model {
    /// Everything that is wrong with the model, errors and warnings; empty if nothing is. A model with
    /// an error must not be compiled.
    pub fn validate(&self) -> Vec<Problem> {
        self.examine().0
    }

    /// Is anything wrong with it that keeps it from being compiled?
    pub(crate) fn has_faults(&self) -> bool {
        self.find_faults(&find_solids(self)).iter().any(|p| p.severity() == Severity::Error)
    }

    /// What [`Self::validate`] finds; and where that is no error, the model, compiled, or what keeps it from compiling.
    pub fn examine(&self) -> (Vec<Problem>, Option<Result<System, Vec<Problem>>>) {
        let solids = find_solids(self);
        let mut problems = self.find_faults(&solids);
        if problems.iter().any(|p| p.severity() == Severity::Error) {
            return (problems, None);
        }
        let compiled = System::compile(self);
        let system = compiled.as_ref().ok();
        // Distances of broken shapes would be noise. Mechanisms have to be assembled first.
        if let Some(poses) = self.poses_at_start(system) {
            let overlaps = find_overlaps(self, system, &solids, &poses);
            problems.extend(overlaps.iter().map(|overlap| overlap.problem(self)));
        }
        self.check_that_something_moves(&mut problems);
        self.warn_of_endless_fall(&mut problems);
        if let Some(system) = system {
            warn_of_stiffness(self, system, &mut problems);
        }
        warn_of_jumps(self, &mut problems);
        warn_of_unfelt(self, &mut problems);
        if let Some(system) = system {
            warn_of_lost_velocities(self, system, &mut problems);
            warn_of_sticking(self, system, &mut problems);
            warn_of_rounding(self, system, &mut problems);
            warn_of_rims(self, system, &mut problems);
            warn_of_turned_triangles(system, &mut problems);
        }
        (problems, Some(compiled))
    }

    /// Surfaces that overlap deeply at the start of this model, which `system` is the compiled one of.
    pub fn overlaps(&self, system: &System) -> Vec<Overlap> {
        let poses = self.poses_at_start(Some(system)).unwrap_or_default();
        find_overlaps(self, Some(system), &find_solids(self), &poses)
    }

    /// Poses of the bodies' frames, assembled.
    fn poses_at_start(&self, system: Option<&System>) -> Option<Vec<Pose>> {
        if self.joints.is_empty() {
            let pose = |b: &Body| Pose { rotation: b.orientation.to_matrix(), translation: b.position };
            return Some(self.bodies.iter().map(pose).collect());
        }
        let pose = |b: BodyState| Pose { rotation: b.orientation.to_matrix(), translation: b.position };
        Some(system?.bodies_at_start().into_iter().map(pose).collect())
    }
}

/// A pair of each kind that wide lines make as bodies come near each other.
fn wide_samples(system: &System) -> PairTable {
    let mut samples = PairTable::default();
    let made = system
        .sample_wide_pairs()
        .into_iter()
        .filter_map(|(request, name)| system.make_pair(&request, &name).ok());
    made.for_each(|pair| pair.put_into(&mut samples));
    samples
}

//! Cables that hang.

use super::Workspace;
use crate::mechanics::ForceData;
use crate::mechanics::constraint::{CableGeometry, cable_geometry, cables};

/// Gap, as a share of the path, within which a cable counts as taut: rounding.
pub(crate) const TAUT: f64 = 1e-12;
/// Speed at which a taut cable slackens that is more than rounding, as a share of all its speeds (or of 1 m/s).
pub(crate) const SLACKENING: f64 = 1e-9;

impl Workspace<'_> {
    /// Length less path of a cable where it is (m), and its path.
    pub(crate) fn slack(&self, force: usize) -> (f64, f64) {
        let ForceData::Cable(cable) = &self.mechanics.forces[force] else { return (0.0, 0.0) };
        let geometry = cable_geometry(&self.here(), cable);
        (geometry.length - geometry.path, geometry.path)
    }

    /// Lets cables hang that are slack where it is, or are becoming so.
    pub(crate) fn hang_slack_cables(&mut self) {
        let (mechanism, here, _) = self.parts();
        for (group, force) in cables(here.mechanics) {
            let ForceData::Cable(cable) = &here.mechanics.forces[force] else { continue };
            mechanism.holds[group] = is_taut_at(&cable_geometry(&here, cable));
        }
    }
}

/// Is a cable of this path taut, and not becoming slack?
pub(crate) fn is_taut_at(geometry: &CableGeometry) -> bool {
    let [stretch, rate] = geometry.stretch();
    let speed = 1.0 + geometry.path_rate.abs() + geometry.length_rate.abs();
    stretch >= -TAUT * geometry.path && rate >= -SLACKENING * speed
}

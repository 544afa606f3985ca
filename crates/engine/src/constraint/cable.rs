use carom_math::Wrench;

use super::distance::{ends, swing};
use super::{Rows, Scene};
use crate::system::{CableData, ForceData};

/// A cable's path at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CableGeometry {
    /// Sum of the segments (m), and its rate (m/s).
    pub(crate) path: f64,
    pub(crate) path_rate: f64,
    /// Length between the ends that has been paid out (m), and its rate.
    pub(crate) length: f64,
    pub(crate) length_rate: f64,
    /// Second derivative of the length (m/s²).
    length_acceleration: f64,
}

/// Path and length of a cable.
pub(crate) fn cable_geometry(scene: &Scene<'_>, cable: &CableData) -> CableGeometry {
    let (mut path, mut path_rate) = (0.0, 0.0);
    for segment in cable.path.windows(2) {
        let ends = ends(scene, &segment[0], &segment[1]);
        let distance = ends.offset.norm();
        path += distance;
        path_rate += ends.offset.dot(&ends.rate) / distance;
    }
    let rate = cable.rate.as_ref().map(|r| r.jet(scene.time));
    CableGeometry {
        path,
        path_rate,
        length: cable.length + cable.paid_out.map_or(0.0, |state| scene.state[state]),
        length_rate: rate.map_or(0.0, |r| r.value),
        length_acceleration: rate.map_or(0.0, |r| r.rate),
    }
}

/// Row Σ |segments| = length; the multiplier is minus the tension.
pub(super) fn write_cable(scene: &Scene<'_>, force: usize, rows: &mut Rows) {
    let ForceData::Cable(cable) = &scene.system.forces[force] else { return };
    let geometry = cable_geometry(scene, cable);
    let mut rest = 0.0;
    for segment in cable.path.windows(2) {
        let ends = ends(scene, &segment[0], &segment[1]);
        let distance = ends.offset.norm();
        let n = ends.offset / distance;
        rows.add(scene.system, segment[0].body, -Wrench::of_force(n, &ends.arms[0]));
        rows.add(scene.system, segment[1].body, Wrench::of_force(n, &ends.arms[1]));
        rest += n.dot(&ends.drift) + swing(&ends, distance, &n);
    }
    rows.close(geometry.path - geometry.length, geometry.length_rate, geometry.length_acceleration - rest);
}

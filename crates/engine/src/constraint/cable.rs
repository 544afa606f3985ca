use carom_math::Wrench;

use super::distance::{ends, ends_in, swing};
use super::{Rows, Scene};
use crate::contact::Evaluator;
use crate::function::Jet;
use crate::kinematics::BodyKinematics;
use crate::system::{CableData, ForceData, Owner, System};

/// Gap, as a share of the path, within which a cable counts as taut: rounding.
pub(crate) const TAUT: f64 = 1e-12;
/// Speed at which a taut cable slackens that is more than rounding, as a share of all its speeds (or of 1 m/s).
pub(crate) const SLACKENING: f64 = 1e-9;

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
    let (path, path_rate) = path_of(cable, |body| scene.bodies[body]);
    let rate = length_rate(cable, scene.time);
    CableGeometry {
        path,
        path_rate,
        length: cable.length + cable.paid_out.map_or(0.0, |state| scene.state[state]),
        length_rate: rate.value,
        length_acceleration: rate.rate,
    }
}

/// Sum of the segments of a cable (m) and its rate (m/s), from the motions of bodies.
pub(crate) fn path_of(cable: &CableData, body: impl Fn(usize) -> BodyKinematics) -> (f64, f64) {
    let (mut path, mut path_rate) = (0.0, 0.0);
    for segment in cable.path.windows(2) {
        let (a, b) = (&segment[0], &segment[1]);
        let ends = ends([&body(a.body), &body(b.body)], a, b);
        let (distance, n) = ends.line();
        path += distance;
        path_rate += n.dot(&ends.rate);
    }
    (path, path_rate)
}

/// Rate at which a cable is paid out at a time.
pub(crate) fn length_rate(cable: &CableData, time: f64) -> Jet {
    cable.rate.as_ref().map_or(Jet::constant(0.0), |rate| rate.jet(time))
}

/// Constraint groups of inextensible cables, with their force elements.
pub(crate) fn cables(system: &System) -> impl Iterator<Item = (usize, usize)> {
    system.constraints.iter().enumerate().filter_map(|(group, data)| match data.owner {
        Owner::Cable(force) => Some((group, force)),
        _ => None,
    })
}

/// Length less path of a cable where the evaluator is (m), and its path.
pub(crate) fn slack(evaluator: &Evaluator<'_>, force: usize) -> (f64, f64) {
    let ForceData::Cable(cable) = &evaluator.system.forces[force] else { return (0.0, 0.0) };
    let geometry = cable_geometry(&evaluator.scene(), cable);
    (geometry.length - geometry.path, geometry.path)
}

impl Evaluator<'_> {
    /// Lets cables hang that are slack where the evaluator is, or are becoming so.
    pub(crate) fn hang_slack_cables(&mut self) {
        for (group, force) in cables(&self.system) {
            let ForceData::Cable(cable) = &self.system.forces[force] else { continue };
            let geometry = cable_geometry(&self.scene(), cable);
            let is_taut = geometry.length - geometry.path <= TAUT * geometry.path;
            let speed = 1.0 + geometry.path_rate.abs() + geometry.length_rate.abs();
            let slackens = geometry.path_rate < geometry.length_rate - SLACKENING * speed;
            self.mechanism.holds[group] = is_taut && !slackens;
        }
    }
}

/// Row Σ |segments| = length; the multiplier is minus the tension.
pub(super) fn write_cable(scene: &Scene<'_>, force: usize, rows: &mut Rows) {
    let ForceData::Cable(cable) = &scene.system.forces[force] else { return };
    let geometry = cable_geometry(scene, cable);
    let mut rest = 0.0;
    for segment in cable.path.windows(2) {
        let ends = ends_in(scene, &segment[0], &segment[1]);
        let (distance, n) = ends.line();
        rows.add(scene.system, segment[0].body, -Wrench::of_force(n, &ends.arms[0]));
        rows.add(scene.system, segment[1].body, Wrench::of_force(n, &ends.arms[1]));
        rest += n.dot(&ends.drift) + swing(&ends, distance, &n);
    }
    rows.close(geometry.path - geometry.length, geometry.length_rate, geometry.length_acceleration - rest);
}

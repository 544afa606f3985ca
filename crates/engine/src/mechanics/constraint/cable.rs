use carom_math::Wrench;

use super::Rows;
use super::distance::{ends, ends_in, swing};
use crate::function::Jet;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{CableData, Configuration, ForceData, Mechanics, Owner};

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

impl CableGeometry {
    /// What the path is longer than the cable (m), negative while it is slack, and its rate (m/s).
    pub(crate) fn stretch(&self) -> [f64; 2] {
        [self.path - self.length, self.path_rate - self.length_rate]
    }
}

/// Path and length of a cable.
pub(crate) fn cable_geometry(here: &Configuration<'_>, cable: &CableData) -> CableGeometry {
    let (path, path_rate) = path_of(cable, |body| here.bodies[body]);
    let rate = length_rate(cable, here.time);
    CableGeometry {
        path,
        path_rate,
        length: cable.length + cable.paid_out.map_or(0.0, |state| here.state[state]),
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

/// Sum of the segments of a cable at one place along the directions that they have at another (m): no more than their sum.
pub(crate) fn path_along(
    cable: &CableData,
    directions: impl Fn(usize) -> BodyKinematics,
    body: impl Fn(usize) -> BodyKinematics,
) -> f64 {
    let segments = cable.path.windows(2).map(|segment| {
        let (a, b) = (&segment[0], &segment[1]);
        let (_, n) = ends([&directions(a.body), &directions(b.body)], a, b).line();
        n.dot(&ends([&body(a.body), &body(b.body)], a, b).offset)
    });
    segments.sum()
}

/// Rate at which a cable is paid out at a time.
pub(crate) fn length_rate(cable: &CableData, time: f64) -> Jet {
    cable.rate.as_ref().map_or(Jet::constant(0.0), |rate| rate.jet(time))
}

/// Constraint groups of inextensible cables, with their force elements.
pub(crate) fn cables(mechanics: &Mechanics) -> impl Iterator<Item = (usize, usize)> {
    mechanics.constraints.iter().enumerate().filter_map(|(group, data)| match data.owner {
        Owner::Cable(force) => Some((group, force)),
        _ => None,
    })
}

/// Row Σ |segments| = length; the multiplier is minus the tension.
pub(crate) fn write_cable(here: &Configuration<'_>, force: usize, rows: &mut Rows) {
    let ForceData::Cable(cable) = &here.mechanics.forces[force] else { return };
    let geometry = cable_geometry(here, cable);
    let mut rest = 0.0;
    for segment in cable.path.windows(2) {
        let ends = ends_in(here, &segment[0], &segment[1]);
        let (distance, n) = ends.line();
        rows.add(here.mechanics, segment[0].body, -Wrench::of_force(n, &ends.arms[0]));
        rows.add(here.mechanics, segment[1].body, Wrench::of_force(n, &ends.arms[1]));
        rest += n.dot(&ends.drift) + swing(&ends, distance, &n);
    }
    rows.close(geometry.path - geometry.length, geometry.length_rate, geometry.length_acceleration - rest);
}

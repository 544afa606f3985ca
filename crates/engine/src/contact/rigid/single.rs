//! Stops of joints, and cables, in the problems of rigid contacts: rows without tangents.

use crate::contact::{Evaluator, PointMotion};
use crate::law::{ImpactLaw, RigidLaw};
use crate::mechanics::ForceData;
use crate::mechanics::constraint::{Rows, cable_geometry, write_cable, write_coordinate};
use crate::mechanics::workspace::Direction;
use crate::model::JointCoordinate;
use crate::system::PairSource;
use carom_math::Vec3;

/// A cable that snaps taut takes away what would lengthen it, and gives nothing back.
const SNAP: RigidLaw =
    RigidLaw { friction: 0.0, normal: 0.0, tangential: 0.0, bound: 0.0, impact: ImpactLaw::Poisson };

/// The law of a contact in the problems of rigid ones: a cable that is taut is one of them, too.
pub(crate) fn law_of(evaluator: &Evaluator<'_>, contact: usize) -> RigidLaw {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    pair.rigid.unwrap_or(SNAP)
}

/// Length (m) by which the rate of a contact's coordinate is a speed: that of the stop of an angle, 1 for all that is a length. Rows
/// are speeds in m/s, multipliers forces in N, so that one problem has one unit; the coordinate's own effort is that many times more.
pub(crate) fn arm_of(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    match &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source {
        PairSource::Stop(stop) => stop.arm,
        _ => 1.0,
    }
}

/// What of γ and γ̇ of such a row does not come from the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    /// w̄ (m/s²).
    pub(crate) bias: f64,
    /// Speed at which a reel pays out (m/s): what it puts in is that times the tension, taken away.
    pub(crate) reel: f64,
}

/// The constraint group of a contact that is a cable without elasticity.
pub(crate) fn cable_of(evaluator: &Evaluator<'_>, contact: usize) -> Option<usize> {
    match evaluator.table.pairs[evaluator.table.contacts[contact].pair].source {
        PairSource::Cable(cable) => cable.group,
        _ => None,
    }
}

/// Writes the row of a stop or of a cable into `direction`, γ its opening. Nothing for contacts of surfaces.
pub(crate) fn write_single(
    evaluator: &Evaluator<'_>,
    contact: usize,
    rows: &mut Rows,
    direction: &mut Direction,
) -> Option<Given> {
    let data = &evaluator.table.contacts[contact];
    let here = evaluator.workspace.here();
    let factor = match &evaluator.table.pairs[data.pair].source {
        PairSource::Stop(stop) => {
            rows.clear();
            let at = JointCoordinate { joint: stop.joint, axis: stop.axis };
            write_coordinate(&here, at, rows);
            stop.direction(data.feature) * stop.arm
        }
        PairSource::Cable(cable) if cable.group.is_some() => {
            rows.clear();
            write_cable(&here, cable.force, rows);
            // The row is the path less the length, γ the length less the path.
            -1.0
        }
        _ => return None,
    };
    direction.take(rows, 0, factor);
    let row = &rows.rows[0];
    Some(Given { bias: -factor * row.acceleration, reel: -factor * row.speed })
}

/// Opening of a contact in the problems of rigid ones, where the evaluator is: of a cable its slack.
pub(crate) fn single_motion(evaluator: &Evaluator<'_>, contact: usize) -> PointMotion {
    let PairSource::Cable(source) = evaluator.table.pairs[evaluator.table.contacts[contact].pair].source
    else {
        return evaluator.motion_of(contact);
    };
    let here = evaluator.workspace.here();
    let ForceData::Cable(cable) = &here.mechanics.forces[source.force] else { return PointMotion::NEVER };
    let geometry = cable_geometry(&here, cable);
    PointMotion {
        gap: geometry.length - geometry.path,
        normal: Vec3::zeros(),
        position: Vec3::zeros(),
        approach: geometry.path_rate - geometry.length_rate,
        sliding: Vec3::zeros(),
        operands: geometry.path,
    }
}

//! Points that corrections of positions before have met. Two solids overlap along one direction, the shortest, and what takes that away
//! may bring them onto another one: two corners, or the lowest points of a rim that rolls, would take turns for ever. Kept as planes,
//! all of them are cleared together.

use carom_math::{Pose, Vec3};

use crate::contact::stepping::NearPoint;
use crate::run::Simulation;

/// Points of one contact are the same if they are no farther apart than this share of the smaller solid, and their normals no more than
/// this.
const SAME: f64 = 0.01;

/// A point that stays on its two bodies, with the normal that it had.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptPoint {
    point: NearPoint,
    /// On the surfaces of A and B, in the frames of their bodies.
    on: [Vec3; 2],
    /// How near the same point is (m).
    reach: f64,
}

impl KeptPoint {
    /// Where it is now, and how far apart.
    fn now(&self, run: &Simulation<'_>) -> NearPoint {
        let at = [0, 1].map(|k| pose_of(run, self.point.bodies[k]).transform_point(&self.on[k]));
        let mut point = self.point;
        point.motion.gap = point.axes[0].dot(&(at[1] - at[0]));
        point.motion.position = 0.5 * (at[0] + at[1]);
        point
    }

    /// Is another point of the same contact the same?
    fn is_same(&self, now: &NearPoint, other: &NearPoint) -> bool {
        (now.motion.position - other.motion.position).amax() <= self.reach
            && (now.axes[0] - other.axes[0]).amax() <= SAME
    }
}

/// Appends the points that are kept to those that were measured anew, but for those which are among them, and keeps all there are now.
pub(super) fn add_kept(run: &Simulation<'_>, kept: &mut Vec<KeptPoint>, measured: &mut Vec<NearPoint>) {
    let count = measured.len();
    kept.retain(|kept| {
        let now = kept.now(run);
        // Measured points ascend by contact.
        let first = measured[..count].partition_point(|other| other.contact < now.contact);
        let mut own = measured[first..count].iter().take_while(|other| other.contact == now.contact);
        let is_new = !own.any(|other| kept.is_same(&now, other));
        if is_new {
            measured.push(now);
        }
        is_new
    });
    kept.extend(measured[..count].iter().filter_map(|point| keep(run, point)));
}

fn keep(run: &Simulation<'_>, point: &NearPoint) -> Option<KeptPoint> {
    let pair = &run.evaluator.table.pairs[run.evaluator.table.contacts[point.contact].pair];
    let (surfaces, _) = pair.source.surfaces()?;
    let sizes = surfaces.map(|s| run.system.surfaces[s].shape.smallest_length());
    let half = 0.5 * point.motion.gap * point.axes[0];
    let at = [point.motion.position - half, point.motion.position + half];
    let on = [0, 1].map(|k| pose_of(run, point.bodies[k]).inverse_transform_point(&at[k]));
    Some(KeptPoint { point: *point, on, reach: SAME * sizes[0].min(sizes[1]) })
}

fn pose_of<'a>(run: &'a Simulation<'_>, body: usize) -> &'a Pose {
    &run.evaluator.workspace.bodies[body].pose
}

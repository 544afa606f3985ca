use carom_math::{Twist, Vec3};

use super::{Link, TreeWorkspace};
use crate::mechanics::kinematics::BodyKinematics;

/// Links from one to the root of its tree, itself first.
pub(crate) fn path_to_root(links: &[Link], from: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |&link| links[link].parent)
}

/// Columns of the Jacobian of a body's motion at `point` (world): for each freedom on its path the angular velocity of
/// the body and the velocity of its point at unit velocity, in world axes.
pub(crate) fn velocity_columns(
    workspace: &TreeWorkspace,
    links: &[Link],
    bodies: &[BodyKinematics],
    link: usize,
    point: &Vec3,
) -> Vec<(usize, Twist)> {
    let mut columns = Vec::new();
    for index in path_to_root(links, link) {
        let carrier = &bodies[links[index].body].pose;
        let arm = point - carrier.translation;
        for (k, freedom) in links[index].freedoms().enumerate() {
            columns.push((freedom, workspace.column(&links[index], k, &carrier.rotation).shifted(&arm)));
        }
    }
    columns
}

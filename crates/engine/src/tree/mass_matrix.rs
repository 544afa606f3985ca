use carom_math::SpatialInertia;

use super::{Link, TreeWorkspace};
use crate::kinematics::BodyKinematics;
use crate::system::BodyData;

/// Joint-space mass matrix M (n × n, row by row) by composite rigid bodies (Featherstone 2008, table 6.2), at the
/// poses that the workspace holds. For analyses: it allocates.
pub(crate) fn mass_matrix(
    workspace: &TreeWorkspace,
    links: &[Link],
    data: &[BodyData],
    bodies: &[BodyKinematics],
) -> Vec<f64> {
    let n = links.last().map_or(0, |l| l.freedoms().end);
    let mut matrix = vec![0.0; n * n];
    let rotation = |link: &Link| &bodies[link.body].pose.rotation;
    let mut composite: Vec<SpatialInertia> = links
        .iter()
        .map(|link| {
            let (body, r) = (&data[link.body], rotation(link));
            SpatialInertia::rigid(body.mass, r * body.inertia * r.transpose())
        })
        .collect();
    for index in (0..links.len()).rev() {
        let link = &links[index];
        let inertia = composite[index];
        if let Some(parent) = link.parent {
            composite[parent].add_shifted(&inertia, &workspace.arm[index]);
        }
        for (k, row) in link.freedoms().enumerate() {
            let mut wrench = inertia.apply(&workspace.column(link, k, rotation(link)));
            let mut at = index;
            loop {
                for (j, column) in links[at].freedoms().enumerate() {
                    let value = wrench.dot(&workspace.column(&links[at], j, rotation(&links[at])));
                    matrix[n * row + column] = value;
                    matrix[n * column + row] = value;
                }
                let Some(parent) = links[at].parent else { break };
                wrench = wrench.shifted_back(&workspace.arm[at]);
                at = parent;
            }
        }
    }
    matrix
}

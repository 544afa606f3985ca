use carom_math::SpatialInertia;

use super::{Link, TreeWorkspace};
use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;

/// Joint-space mass matrix M (n × n, row by row), at the poses that the workspace holds. For analyses: it allocates.
pub(crate) fn mass_matrix(
    workspace: &TreeWorkspace,
    links: &[Link],
    data: &[BodyData],
    bodies: &[BodyKinematics],
) -> Vec<f64> {
    let n = links.last().map_or(0, |l| l.freedoms().end);
    let mut matrix = vec![0.0; n * n];
    visit_mass(workspace, links, data, bodies, &mut Vec::new(), &mut |row, column, value| {
        matrix[n * row + column] = value;
    });
    matrix
}

/// Calls with row, column and value of each element of M between freedoms on one path, by composite rigid bodies
/// (Featherstone 2008, table 6.2); all others are zero. `composite` is a buffer.
pub(crate) fn visit_mass(
    workspace: &TreeWorkspace,
    links: &[Link],
    data: &[BodyData],
    bodies: &[BodyKinematics],
    composite: &mut Vec<SpatialInertia>,
    visit: &mut dyn FnMut(usize, usize, f64),
) {
    let rotation = |link: &Link| &bodies[link.body].pose.rotation;
    composite.clear();
    composite.extend(links.iter().map(|link| {
        let (body, r) = (&data[link.body], rotation(link));
        SpatialInertia::rigid(body.mass, r * body.inertia * r.transpose())
    }));
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
                    let own = if row == column { link.armature[k] } else { 0.0 };
                    let value = own + wrench.dot(&workspace.column(&links[at], j, rotation(&links[at])));
                    visit(row, column, value);
                    // Within a link both halves are come by.
                    if at != index {
                        visit(column, row, value);
                    }
                }
                let Some(parent) = links[at].parent else { break };
                wrench = wrench.shifted_back(&workspace.arm[at]);
                at = parent;
            }
        }
    }
}

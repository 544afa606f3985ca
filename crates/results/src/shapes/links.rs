//! Joints and lines of force of a model.

use carom_engine::model::{Attachment, ConstraintKind, ForceKind, Joint, JointKind, Model};

use super::{Link, LinkKind};

/// Joints, springs, cables and rods, in this order.
pub(super) fn links(model: &Model) -> Vec<Link> {
    let joints = model
        .joints
        .iter()
        .map(|joint| Link { axis: axis(joint), ..line(&joint.name, LinkKind::Joint, &[&joint.a, &joint.b]) });
    let forces = model.forces.iter().filter_map(|force| match &force.kind {
        ForceKind::SpringDamper { a, b, .. } => Some(line(&force.name, LinkKind::Spring, &[a, b])),
        ForceKind::Cable { path, .. } => {
            Some(line(&force.name, LinkKind::Cable, &path.iter().collect::<Vec<_>>()))
        }
        _ => None,
    });
    let constraints = model.constraints.iter().filter_map(|constraint| match &constraint.kind {
        ConstraintKind::Distance { a, b, .. } => Some(line(&constraint.name, LinkKind::Rod, &[a, b])),
        _ => None,
    });
    joints.chain(forces).chain(constraints).collect()
}

fn line(name: &str, kind: LinkKind, path: &[&Attachment]) -> Link {
    let points = path.iter().map(|at| (at.body, at.pose.translation.into())).collect();
    Link { name: name.to_owned(), kind, points, axis: None }
}

/// The z axis of frame F; none of joints whose z axis is not special.
fn axis(joint: &Joint) -> Option<[f64; 3]> {
    let is_special = !matches!(joint.kind, JointKind::Fixed | JointKind::Spherical | JointKind::Free);
    is_special.then(|| joint.a.pose.z_axis().into())
}

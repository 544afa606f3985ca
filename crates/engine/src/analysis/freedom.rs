use crate::model::{AxisMeasure, JointKind};
use crate::system::System;

/// One degree of freedom of the trees, before constraints: a velocity of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// Name: that of the joint and its axis (`elbow.angle`, `foot.x`), or of a body that no joint carries
    /// (`ball.x`).
    pub name: String,
    /// Joint that it belongs to, as an index into [`crate::record::RunInfo::joints`]; `None` for a body that no
    /// joint carries.
    pub joint: Option<usize>,
    /// Body that it moves first, as an index into [`crate::record::RunInfo::bodies`].
    pub body: usize,
    /// Number among the freedoms of its joint or body.
    pub axis: usize,
    /// Does it turn or displace?
    pub measure: AxisMeasure,
}

/// Freedoms of a kind of joint in the order of its velocities.
fn axes(kind: JointKind) -> &'static [(&'static str, AxisMeasure)] {
    use AxisMeasure::{Angle, Length};
    match kind {
        JointKind::Fixed => &[],
        JointKind::Revolute | JointKind::Screw { .. } => &[("angle", Angle)],
        JointKind::Prismatic => &[("displacement", Length)],
        JointKind::Cylindrical => &[("angle", Angle), ("displacement", Length)],
        JointKind::Universal { .. } => &[("angle1", Angle), ("angle2", Angle)],
        JointKind::Planar => &[("x", Length), ("y", Length), ("angle", Angle)],
        JointKind::Spherical => &[("rx", Angle), ("ry", Angle), ("rz", Angle)],
        JointKind::Free => {
            &[("x", Length), ("y", Length), ("z", Length), ("rx", Angle), ("ry", Angle), ("rz", Angle)]
        }
    }
}

/// All freedoms of a system.
pub(super) fn freedoms(system: &System) -> Vec<Freedom> {
    let mut all = Vec::with_capacity(system.freedoms());
    for link in &system.links {
        let owner = match link.joint {
            Some(joint) => &system.info.joints[joint].0,
            None => &system.info.bodies[link.body],
        };
        all.extend(axes(link.kind).iter().enumerate().map(|(axis, (word, measure))| Freedom {
            name: format!("{owner}.{word}"),
            joint: link.joint,
            body: link.body,
            axis,
            measure: *measure,
        }));
    }
    all
}

use crate::model::AxisMeasure;
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

/// All freedoms of a system.
pub(super) fn freedoms(system: &System) -> Vec<Freedom> {
    let mut all = Vec::with_capacity(system.freedoms());
    for link in &system.mechanics.links {
        let owner = match link.joint {
            Some(joint) => &system.info.joints[joint].0,
            None => &system.info.bodies[link.body],
        };
        all.extend(link.kind.freedom_names().iter().enumerate().map(|(axis, (word, measure))| Freedom {
            name: format!("{owner}.{word}"),
            joint: link.joint,
            body: link.body,
            axis,
            measure: *measure,
        }));
    }
    all
}

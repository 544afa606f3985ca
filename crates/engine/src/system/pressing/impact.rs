//! How deep surfaces come into each other from where they touch in a run.

use carom_math::{Pose, Vec3};

use super::response::{Side, find_depth};
use crate::system::System;

/// Where and how two surfaces meet.
pub(crate) struct Impact<'p> {
    pub(crate) surfaces: [usize; 2],
    pub(crate) poses: [&'p Pose; 2],
    /// Unit vector from A to B.
    pub(crate) normal: Vec3,
    /// m
    pub(crate) place: Vec3,
}

impl Impact<'_> {
    /// Depth (m) at which a layer of some stiffness (N/m³) stores an energy (J), and what a force (N) adds to it on the way, as the
    /// surfaces are turned. `None` if their shapes give no answer, or both are deeper than the smaller one is large.
    pub(crate) fn depth(&self, system: &System, stiffness: f64, pressing: [f64; 2]) -> Option<f64> {
        let side = |k: usize| {
            let out = if k == 0 { self.normal } else { -self.normal };
            let surface = &system.areal_surfaces[self.surfaces[k]];
            let mesh = surface.mesh()?.ok()?;
            Some(Side::of(&mesh, surface.form(&mesh).as_deref(), self.poses[k], &out, &self.place))
        };
        let sides = [side(0)?, side(1)?];
        let size = self.surfaces.map(|s| system.surfaces[s].shape.bounding_radius());
        find_depth(&sides, stiffness, pressing, size[0].min(size[1])).filter(|depth| *depth > 0.0)
    }
}

use carom_math::Vec3;
use nalgebra::DMatrix;

use super::Dynamics;
use crate::mechanics::tree::velocity_columns;

impl Dynamics<'_> {
    /// Jacobian of a point fixed on a body, at `point` in the body's frame (m): 6 × freedoms, [ω; v] = J v with the
    /// angular velocity of the body and the velocity of the point, both in world axes. Zero for a fixed body.
    pub fn point_jacobian(&self, body: usize, point: &Vec3) -> DMatrix<f64> {
        let (system, evaluator) = (self.system(), &self.evaluator);
        let mut jacobian = DMatrix::zeros(6, self.freedoms.len());
        let Some(link) = system.mechanics.bodies[body].link else { return jacobian };
        let at = evaluator.workspace.bodies[body]
            .pose
            .transform_point(&(point - system.mechanics.bodies[body].com));
        let tree = &evaluator.workspace.mechanism.tree;
        for (freedom, column) in
            velocity_columns(tree, &system.mechanics.links, &evaluator.workspace.bodies, link, &at)
        {
            jacobian.fixed_view_mut::<3, 1>(0, freedom).copy_from(&column.angular);
            jacobian.fixed_view_mut::<3, 1>(3, freedom).copy_from(&column.linear);
        }
        jacobian
    }

    /// Jacobian of a body's frame: [`Self::point_jacobian`] of its origin.
    pub fn body_jacobian(&self, body: usize) -> DMatrix<f64> {
        self.point_jacobian(body, &Vec3::zeros())
    }
}

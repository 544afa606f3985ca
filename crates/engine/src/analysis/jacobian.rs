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

    /// Mass of all that moves (kg), and where its centre is (m); the world's origin where nothing moves.
    pub fn centre_of_mass(&self) -> (f64, Vec3) {
        let moment = self.sum_of_masses(Vec3::zeros(), |sum, mass, body, _| sum + self.centre(body) * mass);
        let mass = self.sum_of_masses(0.0, |sum, mass, _, _| sum + mass);
        (mass, if mass > 0.0 { moment / mass } else { moment })
    }

    /// Jacobian of the centre of mass of all that moves: 3 × freedoms, ċ = J v in world axes.
    pub fn centre_of_mass_jacobian(&self) -> DMatrix<f64> {
        let (system, evaluator) = (self.system(), &self.evaluator);
        let (links, tree) = (&system.mechanics.links, &evaluator.workspace.mechanism.tree);
        let zero = DMatrix::zeros(3, self.freedoms.len());
        let sum = self.sum_of_masses(zero, |mut sum, mass, body, link| {
            let columns =
                velocity_columns(tree, links, &evaluator.workspace.bodies, link, &self.centre(body));
            for (freedom, column) in columns {
                let mut slot = sum.fixed_view_mut::<3, 1>(0, freedom);
                slot += column.linear * mass;
            }
            sum
        });
        sum / self.centre_of_mass().0.max(f64::MIN_POSITIVE)
    }

    /// Centre of mass of a body, in world axes.
    fn centre(&self, body: usize) -> Vec3 {
        self.evaluator.workspace.bodies[body].pose.translation
    }

    /// Over bodies that move: what was summed so far, mass, body and link.
    fn sum_of_masses<T>(&self, zero: T, add: impl Fn(T, f64, usize, usize) -> T) -> T {
        let bodies = self.system().mechanics.bodies.iter().enumerate();
        let moving = bodies.filter_map(|(body, data)| Some((data.mass, body, data.link?)));
        moving.fold(zero, |sum, (mass, body, link)| add(sum, mass, body, link))
    }

    /// Jacobian of a body's frame: [`Self::point_jacobian`] of its origin.
    pub fn body_jacobian(&self, body: usize) -> DMatrix<f64> {
        self.point_jacobian(body, &Vec3::zeros())
    }
}

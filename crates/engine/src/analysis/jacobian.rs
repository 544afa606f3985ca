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
        let sum = moving(self).fold((0.0, Vec3::zeros()), |(mass, moment), body| {
            (mass + body.mass, moment + body.centre * body.mass)
        });
        (sum.0, sum.1 / sum.0.max(f64::MIN_POSITIVE))
    }

    /// Jacobian of the centre of mass of all that moves: 3 × freedoms, ċ = J v in world axes.
    pub fn centre_of_mass_jacobian(&self) -> DMatrix<f64> {
        let (links, evaluator) = (&self.system().mechanics.links, &self.evaluator);
        let tree = &evaluator.workspace.mechanism.tree;
        let (mut sum, mut whole) = (DMatrix::zeros(3, self.freedoms.len()), 0.0);
        for body in moving(self) {
            whole += body.mass;
            let columns = velocity_columns(tree, links, &evaluator.workspace.bodies, body.link, &body.centre);
            for (freedom, column) in columns {
                let mut slot = sum.fixed_view_mut::<3, 1>(0, freedom);
                slot += column.linear * body.mass;
            }
        }
        sum / f64::max(whole, f64::MIN_POSITIVE)
    }

    /// Jacobian of a body's frame: [`Self::point_jacobian`] of its origin.
    pub fn body_jacobian(&self, body: usize) -> DMatrix<f64> {
        self.point_jacobian(body, &Vec3::zeros())
    }
}

/// A body that moves: its mass, its centre of mass in world axes, and its link.
struct Moving {
    mass: f64,
    centre: Vec3,
    link: usize,
}

fn moving(dynamics: &Dynamics<'_>) -> impl Iterator<Item = Moving> {
    let places = dynamics.evaluator.workspace.bodies.iter();
    dynamics.system().mechanics.bodies.iter().zip(places).filter_map(|(data, at)| {
        Some(Moving { mass: data.mass, centre: at.pose.translation, link: data.link? })
    })
}

use super::Mechanism;
use crate::mechanics::Mechanics;
use crate::mechanics::joint;
use crate::mechanics::kinematics::BodyKinematics;

impl Mechanism {
    /// Takes from an error of the state (y, evaluated last) what the projection onto the constraints will: of positions
    /// and velocities the part M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ G e. Near a singular position rounding alone makes this part large.
    pub(crate) fn filter_error(
        &mut self,
        mechanics: &Mechanics,
        y: &[f64],
        bodies: &[BodyKinematics],
        error: &mut [f64],
    ) {
        for link in &mechanics.links {
            let (q, e) = (&y[link.coordinates()], &error[link.coordinates()]);
            let out = &mut self.speeds[link.freedoms()];
            match joint::quaternion_at(link.kind) {
                None => out.copy_from_slice(e),
                Some((at, omega)) => {
                    out[..omega].copy_from_slice(&e[..at]);
                    // δθ = 2 Im(q* δq)
                    let turn = joint::quaternion(&q[at..]).conjugate().multiply(&joint::quaternion(&e[at..]));
                    out[omega..].copy_from_slice(&[2.0 * turn.x, 2.0 * turn.y, 2.0 * turn.z]);
                }
            }
        }
        self.take_normal_part(mechanics, bodies);
        for link in &mechanics.links {
            let (q, e) = (&y[link.coordinates()], &mut error[link.coordinates()]);
            let d = &self.speeds[link.freedoms()];
            joint::coordinate_rates(link.kind, q, d, e);
        }
        for link in &mechanics.links {
            self.speeds[link.freedoms()].copy_from_slice(&error[link.velocities()]);
        }
        self.take_normal_part(mechanics, bodies);
        for link in &mechanics.links {
            error[link.velocities()].copy_from_slice(&self.speeds[link.freedoms()]);
        }
    }

    /// Removes from `speeds`, rates along the freedoms, what crosses the constraints.
    fn take_normal_part(&mut self, mechanics: &Mechanics, bodies: &[BodyKinematics]) {
        self.tree.motions_of(&mechanics.links, bodies, &self.speeds, &mut self.velocity);
        let (velocity, speeds) = (&self.velocity, &self.speeds);
        self.solver.solve(|rows, row| rows.product(row, velocity, speeds));
        self.tree.generalized.fill(0.0);
        self.solver.respond_to_multipliers(mechanics, bodies, &mut self.tree);
        for (speed, normal) in self.speeds.iter_mut().zip(&self.tree.generalized) {
            *speed -= normal;
        }
    }
}

#[cfg(test)]
mod tests {
    use carom_math::Vec3;

    use super::*;

    #[test]
    fn small_turns_and_quaternion_errors_match() {
        let q = carom_math::Quaternion::from_rotation_vector(&Vec3::new(0.3, -0.5, 0.8));
        let turn = Vec3::new(1e-6, -2e-6, 3e-6);
        let mut rate = [0.0; 4];
        joint::coordinate_rates(
            crate::model::JointKind::Spherical,
            &[q.w, q.x, q.y, q.z],
            turn.as_slice(),
            &mut rate,
        );
        let back = q.conjugate().multiply(&joint::quaternion(&rate));
        assert!((Vec3::new(back.x, back.y, back.z) * 2.0 - turn).norm() < 1e-20);
    }
}

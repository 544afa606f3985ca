use carom_math::Wrench;

use super::Mechanism;
use crate::mechanics::Configuration;

impl Mechanism {
    /// wᵀ M⁻¹ w for a generalised direction w, given as wrenches on bodies (`loads`, by link) and efforts, with the
    /// constraints that hold: the inverse of the mass that resists along it. Leaves the loads cleared.
    pub(crate) fn inverse_mass_along(
        &mut self,
        here: &Configuration<'_>,
        direction: &[(usize, Wrench)],
        freedoms: &[(usize, f64)],
    ) -> f64 {
        let mechanics = here.mechanics;
        if self.tree.articulate(&mechanics.links, &mechanics.bodies, here.bodies, false).is_err() {
            return 0.0;
        }
        let holds = &self.holds;
        self.solver.write(here, &mechanics.constraints, |group| holds[group]);
        self.solver.factorize(mechanics, here.bodies, &mut self.tree);
        let mut loads = vec![Wrench::ZERO; mechanics.links.len()];
        let mut efforts = vec![0.0; mechanics.freedoms()];
        for &(link, wrench) in direction {
            loads[link] += wrench;
        }
        for &(freedom, effort) in freedoms {
            efforts[freedom] += effort;
        }
        for start in (0..mechanics.links.len()).filter(|&l| mechanics.links[l].tree == l) {
            self.tree.respond(&mechanics.links, here.bodies, mechanics.tree_links(start), &loads, &efforts);
        }
        let own = |tree: &crate::mechanics::tree::TreeWorkspace| -> f64 {
            let bodies: f64 = direction.iter().map(|(link, w)| w.dot(&tree.acceleration[*link])).sum();
            bodies + freedoms.iter().map(|(f, e)| e * tree.generalized[*f]).sum::<f64>()
        };
        let free = own(&self.tree);
        if self.solver.rows.len() == 0 {
            return free;
        }
        let (acceleration, generalized) = (&self.tree.acceleration, &self.tree.generalized);
        self.solver.solve(|rows, row| -rows.product(row, acceleration, generalized));
        // Trees that the constraints do not reach keep their old response: start them from rest.
        self.tree.acceleration.fill(carom_math::Twist::ZERO);
        self.tree.generalized.fill(0.0);
        self.solver.respond_to_multipliers(mechanics, here.bodies, &mut self.tree);
        free + own(&self.tree)
    }
}

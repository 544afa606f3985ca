//! Trees, force elements and constraints at a state, and the accelerations that follow from them.

use carom_math::{SpatialInertia, Twist, Vec3, Wrench};

use crate::mechanics::constraint::ConstraintSolver;
use crate::mechanics::force::{Account, QUIET, evaluate_elements, evaluate_forces};
use crate::mechanics::joint;
use crate::mechanics::tree::TreeWorkspace;
use crate::mechanics::{Configuration, Mechanics};
use crate::record::ForceSample;

/// Everything that a mechanism computes at a state. Sized at compile.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub(crate) tree: TreeWorkspace,
    /// Efforts along the freedoms.
    pub(crate) efforts: Vec<f64>,
    /// Efforts of the elements along the axes of each joint.
    pub(crate) joint_efforts: Vec<[f64; 3]>,
    pub(crate) force_samples: Vec<ForceSample>,
    pub(crate) account: Account,
    pub(crate) solver: ConstraintSolver,
    /// By constraint group: does it hold? Cables that hang slack do not.
    pub(crate) holds: Vec<bool>,
    /// By constraint group: effort of the motor that a driven link stands for.
    pub(super) drive_efforts: Vec<f64>,
    /// By link and by freedom: accelerations of the last evaluation.
    pub(crate) acceleration: Vec<Twist>,
    pub(crate) generalized: Vec<f64>,
    /// By link: what joints transmit; by freedom: nothing.
    pub(crate) transmitted: Vec<Wrench>,
    pub(super) zero: Vec<f64>,
    /// Buffer of the mass matrix.
    pub(super) composite: Vec<SpatialInertia>,
    /// By link: angular acceleration for which the brace of the body has been corrected (body axes).
    braced: Vec<Vec3>,
    /// Buffers by link and by freedom.
    pub(crate) velocity: Vec<Twist>,
    pub(crate) speeds: Vec<f64>,
}

impl Mechanism {
    pub(crate) fn new(mechanics: &Mechanics) -> Self {
        let freedoms = mechanics.freedoms();
        Self {
            tree: TreeWorkspace::new(&mechanics.links, mechanics.couplings.as_ref()),
            efforts: vec![0.0; freedoms],
            joint_efforts: vec![[0.0; 3]; mechanics.joints.len()],
            force_samples: vec![QUIET; mechanics.forces.len()],
            account: Account::default(),
            solver: ConstraintSolver::new(mechanics),
            holds: vec![true; mechanics.constraints.len()],
            drive_efforts: vec![0.0; mechanics.constraints.len()],
            acceleration: vec![Twist::ZERO; mechanics.links.len()],
            generalized: vec![0.0; freedoms],
            transmitted: vec![Wrench::ZERO; mechanics.links.len()],
            zero: vec![0.0; freedoms],
            composite: Vec::with_capacity(mechanics.links.len()),
            braced: vec![Vec3::zeros(); mechanics.links.len()],
            velocity: vec![Twist::ZERO; mechanics.links.len()],
            speeds: vec![0.0; freedoms],
        }
    }

    /// Wrenches and efforts of force elements and joints at a state, on top of those in `wrenches`.
    pub(super) fn update_forces(&mut self, here: &Configuration<'_>, wrenches: &mut [Wrench]) {
        self.efforts.fill(0.0);
        self.account = Account::default();
        evaluate_forces(here, wrenches, &mut self.efforts, &mut self.force_samples, &mut self.account);
        evaluate_elements(here, wrenches, &mut self.efforts, &mut self.joint_efforts, &mut self.account);
    }

    /// Is there a constraint that holds?
    pub(crate) fn is_constrained(&self) -> bool {
        self.holds.contains(&true)
    }

    /// Is there one that the rates need multipliers for?
    pub(super) fn needs_multipliers(&self, mechanics: &Mechanics) -> bool {
        !mechanics.is_driven_only && mechanics.couplings.is_none() && self.is_constrained()
    }

    /// Did the constraints of the last evaluation almost lose rank?
    pub(crate) fn is_nearly_singular(&self, mechanics: &Mechanics) -> bool {
        self.needs_multipliers(mechanics) && self.solver.is_nearly_singular(mechanics)
    }

    /// Rates of the states of all trees and, under constraints, of all bodies. Those of lone bodies without
    /// constraints are in `dydt`. Fails with the body whose rates are not finite.
    pub(crate) fn accelerate(
        &mut self,
        here: &Configuration<'_>,
        wrenches: &[Wrench],
        dydt: &mut [f64],
    ) -> Result<(), usize> {
        let mechanics = here.mechanics;
        let constrained = self.needs_multipliers(mechanics);
        if mechanics.is_driven_only {
            self.prescribe(here);
        }
        self.tree.accelerate(
            (&mechanics.links, mechanics.couplings.as_ref()),
            &mechanics.bodies,
            here.bodies,
            wrenches,
            &self.efforts,
            constrained,
        )?;
        for link in mechanics.links.iter().filter(|l| !l.lone) {
            let (y, d) = (&here.state[link.states()], &mut dydt[link.states()]);
            // The most common joint, without calls to copy single numbers.
            if let ([_, v], [q_rate, v_rate]) = (y, &mut *d) {
                (*q_rate, *v_rate) = (*v, self.tree.generalized[link.first_freedom]);
                continue;
            }
            let (q, v) = y.split_at(link.kind.coordinates());
            let (q_rate, v_rate) = d.split_at_mut(link.kind.coordinates());
            joint::coordinate_rates(link.kind, q, v, q_rate);
            v_rate.copy_from_slice(&self.tree.generalized[link.freedoms()]);
        }
        if constrained {
            self.constrain(here, dydt);
        } else if self.solver.rows.len() > 0 && !self.is_constrained() {
            // What pulled last, as a cable that has gone slack, pulls no more.
            self.solver.write(here, &mechanics.constraints, |_| false);
        }
        if mechanics.is_driven_only {
            self.account_for_drives(here);
        }
        for link in mechanics.links.iter().filter(|l| !l.lone) {
            if !dydt[link.states()].iter().sum::<f64>().is_finite() {
                return Err(link.body);
            }
        }
        Ok(())
    }

    /// Adds the accelerations that the constraints make: G M⁻¹ Gᵀ λ = demanded − G a₀.
    fn constrain(&mut self, here: &Configuration<'_>, dydt: &mut [f64]) {
        let mechanics = here.mechanics;
        for (index, link) in mechanics.links.iter().enumerate() {
            let rates = &dydt[link.velocities()];
            self.generalized[link.freedoms()].copy_from_slice(rates);
            self.acceleration[index] = if link.lone {
                let spin = Vec3::new(rates[3], rates[4], rates[5]);
                Twist::new(
                    here.bodies[link.body].pose.rotation * spin,
                    Vec3::new(rates[0], rates[1], rates[2]),
                )
            } else {
                self.tree.acceleration[index]
            };
        }
        let holds = &self.holds;
        self.solver.write(here, &mechanics.constraints, |group| holds[group]);
        self.solver.factorize(mechanics, here.bodies, &mut self.tree);
        let (acceleration, generalized) = (&self.acceleration, &self.generalized);
        self.solver
            .solve(|rows, row| rows.rows[row].acceleration - rows.product(row, acceleration, generalized));
        self.solver.respond_to_multipliers(mechanics, here.bodies, &mut self.tree);
        self.add_response(mechanics);
        self.braced.fill(Vec3::zeros());
        for _ in 0..self.solver.corrections() {
            self.correct_constrained(here);
        }
        for &start in self.solver.moved_trees() {
            for link in &mechanics.links[mechanics.tree_links(start)] {
                dydt[link.velocities()].copy_from_slice(&self.generalized[link.freedoms()]);
            }
        }
        self.account.motors += self.solver.work_of_drives(mechanics);
        if !mechanics.is_linear {
            self.account.drift += self.power_of_drift(here);
        }
    }

    /// Adds what the constraints' loads have made of the workspace to the accelerations.
    fn add_response(&mut self, mechanics: &Mechanics) {
        for &start in self.solver.moved_trees() {
            for index in mechanics.tree_links(start) {
                self.acceleration[index] += self.tree.acceleration[index];
                for f in mechanics.links[index].freedoms() {
                    self.generalized[f] += self.tree.generalized[f];
                }
            }
        }
    }

    /// Corrects accelerations and multipliers where bodies are light in turning: by what rounding and the ridge have left
    /// of G a − demanded, and by what bodies whose inertia is braced ([`crate::mechanics::BodyData::brace`]) resist too much.
    fn correct_constrained(&mut self, here: &Configuration<'_>) {
        let mechanics = here.mechanics;
        for (index, link) in mechanics.links.iter().enumerate() {
            let data = &mechanics.bodies[link.body];
            if data.brace == 0.0 || !link.lone {
                continue;
            }
            // The brace has taken brace · α of the torque, less what was given back before.
            let spin = link.freedoms().start + 3..link.freedoms().end;
            let now = Vec3::from_column_slice(&self.generalized[spin.clone()]);
            let missed = (now - self.braced[index]) * data.brace;
            self.braced[index] = now;
            let more = data.inverse_inertia * missed;
            self.generalized[spin].iter_mut().zip(&more).for_each(|(g, more)| *g += more);
            self.acceleration[index].angular += here.bodies[link.body].pose.rotation * more;
        }
        let (acceleration, generalized) = (&self.acceleration, &self.generalized);
        self.solver.correct(mechanics, here.bodies, &mut self.tree, |rows, row| {
            rows.rows[row].acceleration - rows.product(row, acceleration, generalized)
        });
        self.add_response(mechanics);
    }

    /// Power of the multipliers on G v − demanded: zero but for what a stage is off the constraints by (W).
    fn power_of_drift(&mut self, here: &Configuration<'_>) -> f64 {
        let mechanics = here.mechanics;
        ConstraintSolver::velocities(mechanics, here.bodies, &mut self.velocity);
        for link in &mechanics.links {
            self.speeds[link.freedoms()].copy_from_slice(&here.state[link.velocities()]);
        }
        let rows = self.solver.rows.rows.iter().zip(&self.solver.multipliers).enumerate();
        rows.map(|(index, (row, lambda))| {
            lambda * (self.solver.rows.product(index, &self.velocity, &self.speeds) - row.speed)
        })
        .sum()
    }
}

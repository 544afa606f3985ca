//! Back onto the constraints: positions by Newton's method, velocities in one linear step, both with the least motion
//! in the metric of the mass matrix.

use carom_math::Wrench;

use super::{ConstraintSolver, Scene};
use crate::contact::Evaluator;
use crate::joint;
use crate::kinematics::BodyKinematics;
use crate::mechanism::{demand_steps, is_on_drives, put_on_drives};
use crate::system::System;
use crate::tree::TreeWorkspace;

/// Corrections of an accepted step.
const MAX_CORRECTIONS: usize = 8;
/// Violation that rounding leaves, per metre or radian, and of velocities by the largest.
const ROUNDING: f64 = 1e-15;
/// Violation at which a start or a step may rest if rounding keeps it from less.
const LOOSE: f64 = 1e-10;
/// Velocities that contradict each other by more than this share of the largest (or of 1).
const CONTRADICTION: f64 = 1e-9;
/// Longest correction of a joint at once (m or rad): Newton's method far from a solution.
const LONGEST: f64 = 0.3;

/// Constraints that cannot be met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Misfit {
    /// Group with the largest violation.
    pub(crate) group: usize,
    /// That violation (m, rad or their rates).
    pub(crate) violation: f64,
}

impl Misfit {
    /// The worse of this one and another; one that is not a number is the worst.
    fn or(self, group: usize, violation: f64) -> Self {
        if violation.is_nan() || violation > self.violation { Self { group, violation } } else { self }
    }
}

impl Evaluator<'_> {
    /// Puts positions and velocities of a state back onto the constraints; returns the energy that this has added (J), or
    /// `None` if the state was on them, as with motors of constant speed, which every method keeps.
    pub(crate) fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Option<f64>, Misfit> {
        let t = self.clock(t);
        if self.system.is_driven_only {
            if is_on_drives(&self.system, t, y) {
                return Ok(None);
            }
            let before = self.energy_at(t, y);
            put_on_drives(&self.system, t, y);
            return Ok(Some(self.energy_at(t, y) - before));
        }
        self.write_rows(t, y);
        let (worst, fastest) = self.largest_misfit(y);
        if self.largest_violation().violation <= ROUNDING * self.size()
            && worst.violation <= ROUNDING * fastest
        {
            return Ok(None);
        }
        let before = self.energy_at(t, y);
        self.return_to_constraints(t, y)?;
        Ok(Some(self.energy_at(t, y) - before))
    }

    /// Puts positions and velocities of a state back onto the constraints.
    pub(crate) fn return_to_constraints(&mut self, t: f64, y: &mut [f64]) -> Result<(), Misfit> {
        self.close_constraints(t, y, MAX_CORRECTIONS)?;
        self.settle_velocities(t, y)
    }

    /// Positions onto the constraints: Δq = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ (−φ), repeated.
    pub(crate) fn close_constraints(
        &mut self,
        t: f64,
        y: &mut [f64],
        corrections: usize,
    ) -> Result<(), Misfit> {
        let mut previous = f64::INFINITY;
        for round in 0..=corrections {
            self.write_rows(t, y);
            let worst = self.largest_violation();
            let size = self.size();
            if worst.violation <= ROUNDING * size {
                return Ok(());
            }
            let stuck = worst.violation.is_nan() || worst.violation > 0.5 * previous;
            if (stuck || round == corrections) && worst.violation <= LOOSE * size {
                return Ok(());
            }
            if round == corrections || worst.violation.is_nan() {
                return Err(worst);
            }
            previous = worst.violation;
            self.displace(y);
        }
        Ok(())
    }

    /// One correction of the positions.
    fn displace(&mut self, y: &mut [f64]) {
        let system = &*self.system;
        let mechanism = &mut self.mechanism;
        let (solver, tree) = (&mut mechanism.solver, &mut mechanism.tree);
        articulate(system, tree, &self.bodies);
        solver.factorize(system, &self.bodies, tree);
        solver.solve(|rows, row| -rows.rows[row].violation);
        tree.generalized.fill(0.0);
        solver.respond_to_multipliers(system, &self.bodies, tree);
        let longest = tree.generalized.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        if longest > LONGEST {
            tree.generalized.iter_mut().for_each(|d| *d *= LONGEST / longest);
        }
        for link in &system.links {
            joint::displace(link.kind, &mut y[link.coordinates()], &tree.generalized[link.freedoms()]);
        }
    }

    /// Velocities onto the constraints: Δv = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ (demanded − G v).
    pub(crate) fn settle_velocities(&mut self, t: f64, y: &mut [f64]) -> Result<(), Misfit> {
        let held = self.system.clone();
        let system = &*held;
        self.write_rows(t, y);
        let mechanism = &mut self.mechanism;
        let (solver, tree) = (&mut mechanism.solver, &mut mechanism.tree);
        articulate(system, tree, &self.bodies);
        solver.factorize(system, &self.bodies, tree);
        let (velocity, speeds) = (&mut mechanism.velocity, &mut mechanism.speeds);
        // Twice: the second correction takes away the rounding of the first.
        for _ in 0..2 {
            for link in &system.links {
                speeds[link.freedoms()].copy_from_slice(&y[link.velocities()]);
            }
            ConstraintSolver::velocities(system, &self.bodies, velocity);
            solver.solve(|rows, row| rows.rows[row].speed - rows.product(row, velocity, speeds));
            tree.generalized.fill(0.0);
            solver.respond_to_multipliers(system, &self.bodies, tree);
            for link in &system.links {
                for (v, d) in y[link.velocities()].iter_mut().zip(&tree.generalized[link.freedoms()]) {
                    *v += d;
                }
            }
            tree.update_kinematics(&system.links, y, &mut self.bodies);
        }
        let (worst, fastest) = self.largest_misfit(y);
        if worst.violation.is_nan() || worst.violation > CONTRADICTION * fastest {
            Err(worst)
        } else {
            Ok(())
        }
    }

    /// Velocities after motors or reels have changed their speed at once: M Δv = Gᵀ Λ with G v as demanded now, an impact without
    /// loss. Returns the energy that this has put in (J), or `None` if they have not.
    pub(crate) fn take_speeds(&mut self, t: f64, y: &mut [f64]) -> Result<Option<f64>, Misfit> {
        let t = self.clock(t);
        if self.system.is_driven_only {
            if is_on_drives(&self.system, t, y) {
                return Ok(None);
            }
            let before = self.energy_at(t, y);
            self.push_drives(t, y);
            return Ok(Some(self.energy_at(t, y) - before));
        }
        self.write_rows(t, y);
        let (worst, fastest) = self.largest_misfit(y);
        if worst.violation <= ROUNDING * fastest {
            return Ok(None);
        }
        let before = self.energy_at(t, y);
        self.settle_velocities(t, y)?;
        Ok(Some(self.energy_at(t, y) - before))
    }

    /// Speeds of driven links as demanded, and what the rest of their trees gets from that.
    fn push_drives(&mut self, t: f64, y: &mut [f64]) {
        let held = self.system.clone();
        let system = &*held;
        let mut still = y.to_vec();
        system.links.iter().for_each(|link| still[link.velocities()].fill(0.0));
        self.update(t, &still);
        let (tree, bodies) = (&mut self.mechanism.tree, &self.bodies);
        demand_steps(system, t, y, &mut tree.prescribed);
        let (wrenches, efforts) = (vec![Wrench::ZERO; bodies.len()], vec![0.0; system.freedoms()]);
        // Without velocities and loads, accelerations are to the prescribed ones as steps of speed to theirs.
        let _ = tree.accelerate(&system.links, &system.bodies, bodies, &wrenches, &efforts, |l| !l.lone);
        for link in system.links.iter().filter(|l| !l.lone) {
            let steps = &tree.generalized[link.freedoms()];
            y[link.velocities()].iter_mut().zip(steps).for_each(|(v, step)| *v += step);
        }
        tree.prescribed.fill(0.0);
        put_on_drives(system, t, y);
    }

    /// Largest |G v − demanded| of the rows last written; and the largest velocity of a freedom, or 1.
    fn largest_misfit(&mut self, y: &[f64]) -> (Misfit, f64) {
        let system = &*self.system;
        let mechanism = &mut self.mechanism;
        let (velocity, speeds) = (&mut mechanism.velocity, &mut mechanism.speeds);
        for link in &system.links {
            speeds[link.freedoms()].copy_from_slice(&y[link.velocities()]);
        }
        ConstraintSolver::velocities(system, &self.bodies, velocity);
        let fastest = speeds.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let rows = &mechanism.solver.rows;
        let none = Misfit { group: 0, violation: 0.0 };
        let worst = rows.rows.iter().enumerate().fold(none, |worst, (row, data)| {
            worst.or(data.group, (data.speed - rows.product(row, velocity, speeds)).abs())
        });
        (worst, fastest)
    }

    /// Farthest body from the origin, plus 1 (m): what rounding of positions goes with.
    fn size(&self) -> f64 {
        1.0 + self.bodies.iter().map(|b| b.pose.translation.amax()).fold(0.0, f64::max)
    }

    /// Rows of a sparse system of constraints that depend on others.
    pub(crate) fn dependent_in_envelope(&mut self, y: &[f64]) -> usize {
        if !self.mechanism.is_constrained() {
            return 0;
        }
        self.write_rows(0.0, y);
        let mechanism = &mut self.mechanism;
        articulate(&self.system, &mut mechanism.tree, &self.bodies);
        mechanism.solver.factorize(&self.system, &self.bodies, &mut mechanism.tree);
        mechanism.solver.dependent_in_envelope()
    }

    /// Groups with rows that depend on others.
    pub(crate) fn dependent_groups(&mut self, t: f64, y: &[f64]) -> Vec<usize> {
        self.write_rows(t, y);
        let mechanism = &mut self.mechanism;
        articulate(&self.system, &mut mechanism.tree, &self.bodies);
        mechanism.solver.factorize(&self.system, &self.bodies, &mut mechanism.tree);
        mechanism.solver.factorize_dense(&self.system, &self.bodies, &mut mechanism.tree);
        let rows = &mechanism.solver.rows.rows;
        let mut groups: Vec<usize> =
            mechanism.solver.factor.dependent().iter().map(|&row| rows[row].group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Motion of the bodies and rows at a state.
    fn write_rows(&mut self, t: f64, y: &[f64]) {
        let system = &*self.system;
        let t = self.clock(t);
        self.mechanism.tree.update_kinematics(&system.links, y, &mut self.bodies);
        let mechanism = &mut self.mechanism;
        let scene = Scene {
            system,
            time: t,
            state: y,
            bodies: &self.bodies,
            angles: &mechanism.angles,
            controls: &self.controls,
        };
        let holds = &mechanism.holds;
        mechanism.solver.write(&scene, &system.constraints, |group| holds[group]);
    }

    fn largest_violation(&self) -> Misfit {
        let rows = &self.mechanism.solver.rows.rows;
        rows.iter()
            .fold(Misfit { group: 0, violation: 0.0 }, |worst, row| worst.or(row.group, row.violation.abs()))
    }

    /// Sum of the accounts that are functions of the state (J).
    pub(crate) fn energy_at(&mut self, t: f64, y: &[f64]) -> f64 {
        self.update(t, y);
        crate::energy::stored(self)
    }
}

fn articulate(system: &System, tree: &mut TreeWorkspace, bodies: &[BodyKinematics]) {
    // A body whose inertia is not positive shows in the evaluation that follows.
    let _ = tree.articulate(&system.links, &system.bodies, bodies, |_| true);
}

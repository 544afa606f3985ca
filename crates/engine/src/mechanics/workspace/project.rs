//! Back onto the constraints: positions by Newton's method, velocities in one linear step, both with the least motion
//! in the metric of the mass matrix.

use carom_math::Wrench;

use super::Workspace;
use super::drives::{demand_steps, is_on_drives, put_on_drives};
use super::linear::is_on_linear_rows;
use crate::mechanics::constraint::ConstraintSolver;
use crate::mechanics::joint;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::tree::TreeWorkspace;
use crate::mechanics::{Configuration, Mechanics};

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

impl Workspace<'_> {
    /// Is a state on the constraints, in position and velocity, to rounding? Motors of constant speed keep it there with
    /// every method.
    pub(crate) fn is_on_constraints(&mut self, t: f64, y: &[f64]) -> bool {
        if self.mechanics.is_driven_only {
            return is_on_drives(&self.mechanics, &self.controls, self.clock(t), y);
        }
        if self.mechanics.is_linear {
            return is_on_linear_rows(&self.mechanics, y);
        }
        self.write_rows(t, y);
        let (worst, fastest) = self.largest_misfit(y);
        self.largest_violation().violation <= ROUNDING * self.size() && worst.violation <= ROUNDING * fastest
    }

    /// The same of velocities alone.
    pub(crate) fn moves_as_demanded(&mut self, t: f64, y: &[f64]) -> bool {
        if self.mechanics.is_driven_only {
            return is_on_drives(&self.mechanics, &self.controls, self.clock(t), y);
        }
        // Nothing demands a speed there, and states may rest a few roundings off the rows.
        if self.mechanics.is_linear {
            return true;
        }
        self.write_rows(t, y);
        let (worst, fastest) = self.largest_misfit(y);
        worst.violation <= ROUNDING * fastest
    }

    /// Puts positions and velocities of a state back onto the constraints.
    pub(crate) fn return_to_constraints(&mut self, t: f64, y: &mut [f64]) -> Result<(), Misfit> {
        if self.mechanics.is_driven_only {
            put_on_drives(&self.mechanics, &self.controls, self.clock(t), y);
            return Ok(());
        }
        self.close_constraints(t, y, MAX_CORRECTIONS)?;
        self.settle_velocities(t, y).map(|_| ())
    }

    /// Velocities after motors or reels have changed their speed at once: M Δv = Gᵀ Λ with G v as demanded now, an impact
    /// without loss.
    pub(crate) fn take_speeds(&mut self, t: f64, y: &mut [f64]) -> Result<(), Misfit> {
        if self.mechanics.is_driven_only {
            self.push_drives(self.clock(t), y);
            return Ok(());
        }
        self.settle_velocities(t, y).map(|_| ())
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
        let mechanics = &*self.mechanics;
        let mechanism = &mut self.mechanism;
        let (solver, tree) = (&mut mechanism.solver, &mut mechanism.tree);
        articulate(mechanics, tree, &self.bodies);
        solver.factorize(mechanics, &self.bodies, tree);
        solver.solve(|rows, row| -rows.rows[row].violation);
        tree.generalized.fill(0.0);
        solver.respond_to_multipliers(mechanics, &self.bodies, tree);
        let longest = tree.generalized.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        if longest > LONGEST {
            tree.generalized.iter_mut().for_each(|d| *d *= LONGEST / longest);
        }
        for link in &mechanics.links {
            joint::displace(link.kind, &mut y[link.coordinates()], &tree.generalized[link.freedoms()]);
        }
    }

    /// Velocities onto the constraints: Δv = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ (demanded − G v). Returns what motors and reels, whose speeds
    /// are as demanded all the while, put in by these impulses (J).
    pub(crate) fn settle_velocities(&mut self, t: f64, y: &mut [f64]) -> Result<f64, Misfit> {
        self.write_rows(t, y);
        let (mechanics, mechanism) = (&*self.mechanics, &mut self.mechanism);
        let (solver, tree) = (&mut mechanism.solver, &mut mechanism.tree);
        articulate(mechanics, tree, &self.bodies);
        solver.factorize(mechanics, &self.bodies, tree);
        let (velocity, speeds) = (&mut mechanism.velocity, &mut mechanism.speeds);
        let mut put_in = 0.0;
        // Twice: the second correction takes away the rounding of the first.
        for _ in 0..2 {
            for link in &mechanics.links {
                speeds[link.freedoms()].copy_from_slice(&y[link.velocities()]);
            }
            ConstraintSolver::velocities(mechanics, &self.bodies, velocity);
            solver.solve(|rows, row| rows.rows[row].speed - rows.product(row, velocity, speeds));
            put_in += solver.work_of_drives(mechanics);
            tree.generalized.fill(0.0);
            solver.respond_to_multipliers(mechanics, &self.bodies, tree);
            for link in &mechanics.links {
                for (v, d) in y[link.velocities()].iter_mut().zip(&tree.generalized[link.freedoms()]) {
                    *v += d;
                }
            }
            tree.update_kinematics(&mechanics.links, y, &mut self.bodies);
        }
        let (worst, fastest) = self.largest_misfit(y);
        if worst.violation.is_nan() || worst.violation > CONTRADICTION * fastest {
            Err(worst)
        } else {
            Ok(put_in)
        }
    }

    /// Speeds of driven links as demanded, and what the rest of their trees gets from that.
    fn push_drives(&mut self, t: f64, y: &mut [f64]) {
        let mut still = y.to_vec();
        self.mechanics.links.iter().for_each(|link| still[link.velocities()].fill(0.0));
        self.place(t, &still);
        let mechanics = &*self.mechanics;
        let (tree, bodies) = (&mut self.mechanism.tree, &self.bodies);
        demand_steps(mechanics, &self.controls, t, y, &mut tree.prescribed);
        let (wrenches, efforts) = (vec![Wrench::ZERO; bodies.len()], vec![0.0; mechanics.freedoms()]);
        // Without velocities and loads, accelerations are to the prescribed ones as steps of speed to theirs.
        let _ =
            tree.accelerate((&mechanics.links, None), &mechanics.bodies, bodies, &wrenches, &efforts, false);
        for link in mechanics.links.iter().filter(|l| !l.lone) {
            let steps = &tree.generalized[link.freedoms()];
            y[link.velocities()].iter_mut().zip(steps).for_each(|(v, step)| *v += step);
        }
        tree.prescribed.fill(0.0);
        put_on_drives(mechanics, &self.controls, t, y);
    }

    /// Largest |G v − demanded| of the rows last written; and the largest velocity of a freedom, or 1.
    fn largest_misfit(&mut self, y: &[f64]) -> (Misfit, f64) {
        let mechanics = &*self.mechanics;
        let mechanism = &mut self.mechanism;
        let (velocity, speeds) = (&mut mechanism.velocity, &mut mechanism.speeds);
        for link in &mechanics.links {
            speeds[link.freedoms()].copy_from_slice(&y[link.velocities()]);
        }
        ConstraintSolver::velocities(mechanics, &self.bodies, velocity);
        let fastest = speeds.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let rows = &mechanism.solver.rows;
        let none = Misfit { group: 0, violation: 0.0 };
        let worst = rows.rows.iter().enumerate().fold(none, |worst, (row, data)| {
            worst.or(data.group, (data.speed - rows.product(row, velocity, speeds)).abs())
        });
        (worst, fastest)
    }

    /// Rows of a sparse system of constraints that depend on others.
    pub(crate) fn dependent_in_envelope(&mut self, y: &[f64]) -> usize {
        if !self.mechanism.is_constrained() {
            return 0;
        }
        self.write_rows(0.0, y);
        let mechanism = &mut self.mechanism;
        articulate(&self.mechanics, &mut mechanism.tree, &self.bodies);
        mechanism.solver.factorize(&self.mechanics, &self.bodies, &mut mechanism.tree);
        mechanism.solver.dependent_in_envelope()
    }

    /// Groups with rows that depend on others.
    pub(crate) fn dependent_groups(&mut self, t: f64, y: &[f64]) -> Vec<usize> {
        self.write_rows(t, y);
        let mechanism = &mut self.mechanism;
        articulate(&self.mechanics, &mut mechanism.tree, &self.bodies);
        mechanism.solver.factorize(&self.mechanics, &self.bodies, &mut mechanism.tree);
        mechanism.solver.factorize_dense(&self.mechanics, &self.bodies, &mut mechanism.tree);
        let rows = &mechanism.solver.rows.rows;
        let mut groups: Vec<usize> =
            mechanism.solver.factor.dependent().iter().map(|&row| rows[row].group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Motion of the bodies and rows at a state; forces stay those of where it was placed.
    fn write_rows(&mut self, t: f64, y: &[f64]) {
        let time = self.clock(t);
        self.mechanism.tree.update_kinematics(&self.mechanics.links, y, &mut self.bodies);
        let (mechanism, here, _) = self.parts();
        let here = Configuration { time, state: y, ..here };
        let holds = &mechanism.holds;
        mechanism.solver.write(&here, &here.mechanics.constraints, |group| holds[group]);
    }

    fn largest_violation(&self) -> Misfit {
        let rows = &self.mechanism.solver.rows.rows;
        rows.iter()
            .fold(Misfit { group: 0, violation: 0.0 }, |worst, row| worst.or(row.group, row.violation.abs()))
    }
}

fn articulate(mechanics: &Mechanics, tree: &mut TreeWorkspace, bodies: &[BodyKinematics]) {
    // A body whose inertia is not positive shows in the evaluation that follows.
    let _ = tree.articulate(&mechanics.links, &mechanics.bodies, bodies, false);
}

use super::anderson::Anderson;
use super::islands::find_islands;
use super::newton::Newton;
use super::sweep::{sweep_accelerated, sweep_both_ways};
use super::{Failure, FrictionProblem, Solution, Triple, worse};

/// Pairs of sweeps before anything dearer.
const FIRST_SWEEPS: usize = 3;
/// From which impulses Newton's method starts, from none or from what is there, and how much of W's diagonal first draws it back to them.
const FIRST_PULLS: [(bool, f64); 4] = [(false, 1e-4), (true, 1e-2), (false, 1.0), (true, 1.0)];
/// Pairs of accelerated sweeps after which what is within the limit is good enough.
const PATIENCE: usize = 100;
/// Pairs of sweeps between two looks at the residual.
const SWEEPS_A_LOOK: usize = 2;
/// Tolerance from which sweeps are tried first, and how many pairs: Newton's method is for digits.
const COARSE: f64 = 1e-4;
const COARSE_SWEEPS: usize = 60;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// [`FrictionProblem::residual`] to aim at.
    pub tolerance: f64,
    /// Largest residual of what is given as a solution where rounds no longer make it smaller: contacts that depend on each other and
    /// hardly slip may take forever.
    pub limit: f64,
    /// Most pairs of sweeps of an island, there and back.
    pub sweeps: usize,
    /// Most products of blocks that the factors of an island may take for Newton's method to come before sweeps.
    pub products: usize,
}

impl Options {
    /// What holds where nothing is stated.
    pub const DEFAULT: Self = Self { tolerance: 1e-10, limit: 1e-10, sweeps: 2000, products: 2_000_000 };

    /// Are sweeps likely to get there, so that they are tried before Newton's method?
    pub(super) fn is_coarse(&self) -> bool {
        self.tolerance >= COARSE
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What an island has taken.
#[derive(Clone, Copy, Default)]
struct Spent {
    sweeps: usize,
    newton_steps: usize,
}

impl FrictionProblem {
    /// Impulses of all contacts, from those of a similar problem if there are some.
    pub fn solve(&self, start: Option<&[Triple]>, options: &Options) -> Result<Solution, Failure> {
        let mut impulses = match start {
            Some(start) if start.len() == self.len() => start
                .iter()
                .zip(&self.locals)
                .map(|(r, local)| super::local::project(r, local.friction))
                .collect(),
            _ => vec![[0.0; 3]; self.len()],
        };
        let islands = find_islands(&self.delassus);
        let mut number = vec![0; self.len()];
        let mut most = Spent::default();
        for island in &islands {
            island.iter().enumerate().for_each(|(k, &contact)| number[contact] = k);
            let spent = self.solve_island(island, &number, &mut impulses, options)?;
            most.sweeps = most.sweeps.max(spent.sweeps);
            most.newton_steps = most.newton_steps.max(spent.newton_steps);
        }
        let velocities = self.velocities(&impulses);
        let misfit = |c: usize| self.misfit_at(c, &impulses[c], &velocities[c]);
        let residual = (0..self.len()).map(misfit).fold(0.0, worse);
        Ok(Solution {
            residual,
            velocities,
            impulses,
            sweeps: most.sweeps,
            newton_steps: most.newton_steps,
            islands: islands.len(),
        })
    }

    fn solve_island(
        &self,
        island: &[usize],
        number: &[usize],
        impulses: &mut [Triple],
        options: &Options,
    ) -> Result<Spent, Failure> {
        let mut spent = Spent::default();
        let is_done = |impulses: &[Triple]| self.residual_of(island, impulses) <= options.tolerance;
        if is_done(impulses) {
            return Ok(spent);
        }
        for _ in 0..FIRST_SWEEPS {
            sweep_both_ways(self, island, impulses);
            spent.sweeps += 1;
            if is_done(impulses) {
                return Ok(spent);
            }
        }
        if options.is_coarse() && self.sweep(island, impulses, options, COARSE_SWEEPS, &mut spent) {
            return Ok(spent);
        }
        let newton = Newton::new(self, island, number, options.products);
        if newton.is_none() && self.sweep(island, impulses, options, options.sweeps, &mut spent) {
            return Ok(spent);
        }
        let newton = newton.or_else(|| Newton::new(self, island, number, usize::MAX));
        let mut best = Best::new(self, island, impulses);
        if let Some(mut newton) = newton {
            // Near a solution Newton's method is done in a few steps. Else the interior-point method brings impulses there.
            for method in [Newton::solve_freely, Newton::approach, Newton::solve_freely] {
                let (steps, residual) = method(&mut newton, impulses, options.tolerance);
                spent.newton_steps += steps;
                if residual <= options.tolerance {
                    return Ok(spent);
                }
                best.note(self, island, impulses);
            }
            best.take(island, impulses);
            // A start may lie where nothing goes on; then nothing is a better one.
            for (is_fresh, first_pull) in FIRST_PULLS {
                if is_fresh {
                    island.iter().for_each(|&contact| impulses[contact] = [0.0; 3]);
                }
                let (steps, residual) = newton.solve(impulses, options.tolerance, options.limit, first_pull);
                spent.newton_steps += steps;
                // What is good enough is not sought from nothing.
                if residual <= options.limit {
                    return Ok(spent);
                }
                best.note(self, island, impulses);
            }
        }
        best.take(island, impulses);
        if best.residual <= options.limit {
            return Ok(spent);
        }
        Err(self.failure(island, impulses, spent))
    }

    /// Accelerated sweeps, so many pairs of them at most; true if the best of them are a solution, and impulses are the best in any case.
    fn sweep(
        &self,
        island: &[usize],
        impulses: &mut [Triple],
        options: &Options,
        pairs: usize,
        spent: &mut Spent,
    ) -> bool {
        let mut best = Best::new(self, island, impulses);
        let mut anderson = Anderson::default();
        let patient_until = spent.sweeps + PATIENCE;
        let mut is_enough = false;
        while spent.sweeps < pairs && !is_enough {
            for _ in 0..SWEEPS_A_LOOK {
                sweep_accelerated(self, island, impulses, &mut anderson);
            }
            spent.sweeps += SWEEPS_A_LOOK;
            best.note(self, island, impulses);
            let enough = if spent.sweeps < patient_until { options.tolerance } else { options.limit };
            is_enough = best.residual <= enough;
        }
        best.take(island, impulses);
        is_enough
    }

    fn residual_of(&self, island: &[usize], impulses: &[Triple]) -> f64 {
        island.iter().map(|&contact| self.misfit(contact, impulses)).fold(0.0, worse)
    }

    fn failure(&self, island: &[usize], impulses: &[Triple], spent: Spent) -> Failure {
        let misfits = island.iter().map(|&contact| (contact, self.misfit(contact, impulses)));
        let larger = |a: (usize, f64), b: (usize, f64)| if b.1.is_nan() || b.1 > a.1 { b } else { a };
        let (contact, residual) = misfits.fold((island[0], 0.0), larger);
        Failure {
            contact,
            residual,
            sweeps: spent.sweeps,
            newton_steps: spent.newton_steps,
            contacts: island.len(),
        }
    }
}

/// The best impulses of an island so far.
struct Best {
    residual: f64,
    impulses: Vec<Triple>,
}

impl Best {
    fn new(problem: &FrictionProblem, island: &[usize], impulses: &[Triple]) -> Self {
        let residual = problem.residual_of(island, impulses);
        Self { residual, impulses: island.iter().map(|&contact| impulses[contact]).collect() }
    }

    fn note(&mut self, problem: &FrictionProblem, island: &[usize], impulses: &[Triple]) {
        let residual = problem.residual_of(island, impulses);
        if residual < self.residual || self.residual.is_nan() {
            *self = Self::new(problem, island, impulses);
        }
    }

    fn take(&self, island: &[usize], impulses: &mut [Triple]) {
        island.iter().zip(&self.impulses).for_each(|(&contact, r)| impulses[contact] = *r);
    }
}

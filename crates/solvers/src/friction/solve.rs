use super::islands::find_islands;
use super::newton::Newton;
use super::sweep::{Accelerated, sweep_both_ways, sweep_damped};
use super::{Failure, FrictionProblem, Solution, Triple, worse};

/// Pairs of sweeps before anything dearer.
const FIRST_SWEEPS: usize = 3;
/// Rounds of Newton steps, with sweeps in between.
const ROUNDS: usize = 4;
const STEPS_A_ROUND: usize = 15;
const SWEEPS_BETWEEN: usize = 10;
/// Shares of their changes that the last sweeps make.
const DAMPED: [f64; 3] = [0.5, 0.2, 0.05];
/// Pairs of sweeps between two looks at the residual.
const SWEEPS_A_LOOK: usize = 4;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest [`FrictionProblem::residual`] of what is given as a solution.
    pub tolerance: f64,
    /// Most pairs of sweeps of an island, there and back.
    pub sweeps: usize,
    /// Most products of blocks that the factors of an island may take for Newton's method to come before sweeps.
    pub products: usize,
}

impl Options {
    /// What holds where nothing is stated.
    pub const DEFAULT: Self = Self { tolerance: 1e-10, sweeps: 2000, products: 200_000 };
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
        let mut newton = Newton::new(self, island, number, options.products);
        if let Some(newton) = &mut newton
            && self.alternate(newton, impulses, options, &mut spent)
        {
            return Ok(spent);
        }
        let mut accelerated = Accelerated::default();
        while spent.sweeps < options.sweeps {
            for _ in 0..SWEEPS_A_LOOK {
                accelerated.step(self, island, impulses);
            }
            spent.sweeps += SWEEPS_A_LOOK;
            if is_done(impulses) {
                return Ok(spent);
            }
        }
        let mut last = match newton {
            Some(newton) => Some(newton),
            None => Newton::new(self, island, number, usize::MAX),
        };
        for share in DAMPED {
            if let Some(newton) = &mut last
                && self.alternate(newton, impulses, options, &mut spent)
            {
                return Ok(spent);
            }
            let sweeps = options.sweeps / DAMPED.len();
            (0..sweeps).for_each(|_| sweep_damped(self, island, impulses, share));
            spent.sweeps += sweeps;
            if is_done(impulses) {
                return Ok(spent);
            }
        }
        Err(self.failure(island, impulses, spent))
    }

    /// Newton steps, and sweeps where they do not go on; true if that ends at a solution.
    fn alternate(
        &self,
        newton: &mut Newton<'_>,
        impulses: &mut [Triple],
        options: &Options,
        spent: &mut Spent,
    ) -> bool {
        for _ in 0..ROUNDS {
            let (steps, residual) = newton.solve(impulses, options.tolerance, STEPS_A_ROUND);
            spent.newton_steps += steps;
            if residual <= options.tolerance {
                return true;
            }
            for _ in 0..SWEEPS_BETWEEN {
                sweep_both_ways(self, newton.island(), impulses);
            }
            spent.sweeps += SWEEPS_BETWEEN;
        }
        self.residual_of(newton.island(), impulses) <= options.tolerance
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

use super::islands::find_islands;
use super::newton::Newton;
use super::sweep::{Accelerated, sweep_both_ways, sweep_damped};
use super::{Failure, FrictionProblem, Solution, Triple, worse};

/// Pairs of sweeps before anything dearer.
const FIRST_SWEEPS: usize = 3;
/// Rounds of Newton steps, with sweeps in between.
const ROUNDS: usize = 3;
const STEPS_A_ROUND: usize = 15;
const SWEEPS_BETWEEN: usize = 10;
/// Shares of their changes that the last sweeps make.
const DAMPED: [f64; 3] = [0.5, 0.2, 0.05];
/// Pairs of accelerated sweeps after which what is within the limit is good enough.
const PATIENCE: usize = 100;
/// Pairs of sweeps between two looks at the residual.
const SWEEPS_A_LOOK: usize = 4;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// [`FrictionProblem::residual`] to aim at.
    pub tolerance: f64,
    /// Largest residual of what is given as a solution where the tolerance is not reached in a few hundred sweeps: contacts that
    /// depend on each other and hardly slip may take forever.
    pub limit: f64,
    /// Most pairs of sweeps of an island, there and back.
    pub sweeps: usize,
    /// Most products of blocks that the factors of an island may take for Newton's method to come before sweeps.
    pub products: usize,
}

impl Options {
    /// What holds where nothing is stated.
    pub const DEFAULT: Self = Self { tolerance: 1e-10, limit: 1e-10, sweeps: 2000, products: 200_000 };
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
        let mut newton = None;
        // A start may lie where neither goes on; then nothing is a better one.
        for is_fresh in [false, true] {
            if is_fresh {
                island.iter().for_each(|&contact| impulses[contact] = [0.0; 3]);
            }
            for _ in 0..FIRST_SWEEPS {
                sweep_both_ways(self, island, impulses);
                spent.sweeps += 1;
                if is_done(impulses) {
                    return Ok(spent);
                }
            }
            if !is_fresh {
                newton = Newton::new(self, island, number, options.products);
            }
            let Some(newton) = &mut newton else { break };
            if self.alternate(newton, impulses, options, &mut spent) {
                return Ok(spent);
            }
        }
        let mut best = Best::new(self, island, impulses);
        let mut accelerated = Accelerated::default();
        let patient_until = spent.sweeps + PATIENCE;
        while spent.sweeps < options.sweeps {
            for _ in 0..SWEEPS_A_LOOK {
                accelerated.step(self, island, impulses);
            }
            spent.sweeps += SWEEPS_A_LOOK;
            best.note(self, island, impulses);
            let enough = if spent.sweeps < patient_until { options.tolerance } else { options.limit };
            if best.residual <= enough {
                best.take(island, impulses);
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
            best.note(self, island, impulses);
        }
        best.take(island, impulses);
        if best.residual <= options.limit {
            return Ok(spent);
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

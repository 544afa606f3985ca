use super::{FrictionProblem, Triple};
use crate::PivotedCholesky;

/// Changes that an accelerated step looks back at.
const DEPTH: usize = 8;
/// Share of a residual's growth over the best at which the memory is dropped.
const DIVERGENCE: f64 = 4.0;
/// Eigenvalues of the changes' products below this are faded out.
const RIDGE: f64 = 1e-14;

/// Solves every contact of an island exactly, with all others as they are: once in their order, once against it (Jourdan, Alart & Jean
/// 1998).
pub(super) fn sweep_both_ways(problem: &FrictionProblem, island: &[usize], impulses: &mut [Triple]) {
    island.iter().for_each(|&contact| impulses[contact] = answer(problem, contact, impulses));
    island.iter().rev().for_each(|&contact| impulses[contact] = answer(problem, contact, impulses));
}

/// The same with a share of every change alone: contacts that throw each other about come to rest.
pub(super) fn sweep_damped(problem: &FrictionProblem, island: &[usize], impulses: &mut [Triple], share: f64) {
    for &contact in island.iter().chain(island.iter().rev()) {
        let answer = answer(problem, contact, impulses);
        impulses[contact].iter_mut().zip(answer).for_each(|(r, a)| *r += share * (a - *r));
    }
}

/// The impulse that one contact has with all others as they are.
#[inline]
fn answer(problem: &FrictionProblem, contact: usize, impulses: &[Triple]) -> Triple {
    let mut b = problem.free[contact];
    for (j, block) in problem.delassus.row(contact).filter(|(j, _)| *j != contact) {
        super::block::add_product(&mut b, block, &impulses[j]);
    }
    problem.locals[contact].solve(&b)
}

/// Anderson's acceleration of sweeps (Walker & Ni 2011, type II): the next impulses are those combinations of the last ones' images whose
/// changes cancel best, back in the cones.
#[derive(Default)]
pub(super) struct Accelerated {
    /// What the last sweeps made of impulses, and how they changed them, as velocities; differences from one to the next.
    image: Vec<f64>,
    change: Vec<f64>,
    image_steps: Vec<Vec<f64>>,
    change_steps: Vec<Vec<f64>>,
    factor: PivotedCholesky,
    smallest: f64,
}

impl Accelerated {
    /// Makes one pair of sweeps and extrapolates from it. Returns the size of what the sweeps have changed, as velocities.
    pub(super) fn step(
        &mut self,
        problem: &FrictionProblem,
        island: &[usize],
        impulses: &mut [Triple],
    ) -> f64 {
        let before: Vec<f64> = island.iter().flat_map(|&c| impulses[c]).collect();
        sweep_both_ways(problem, island, impulses);
        let image: Vec<f64> = island.iter().flat_map(|&c| impulses[c]).collect();
        let weight = |k: usize| problem.locals[island[k / 3]].weight;
        let change: Vec<f64> = (0..image.len()).map(|k| weight(k) * (image[k] - before[k])).collect();
        let size = crate::dot::dot(&change, &change).sqrt();
        if self.change.len() == change.len() && size <= DIVERGENCE * self.smallest {
            let room = self.image_steps.len();
            if room == DEPTH {
                self.image_steps.rotate_left(1);
                self.change_steps.rotate_left(1);
                self.image_steps.pop();
                self.change_steps.pop();
            }
            self.image_steps.push(image.iter().zip(&self.image).map(|(a, b)| a - b).collect());
            self.change_steps.push(change.iter().zip(&self.change).map(|(a, b)| a - b).collect());
            self.smallest = self.smallest.min(size);
            self.extrapolate(problem, island, impulses, (&image, &change));
        } else {
            self.image_steps.clear();
            self.change_steps.clear();
            self.smallest = size;
        }
        (self.image, self.change) = (image, change);
        size
    }

    fn extrapolate(
        &mut self,
        problem: &FrictionProblem,
        island: &[usize],
        impulses: &mut [Triple],
        (image, change): (&[f64], &[f64]),
    ) {
        let steps = &self.change_steps;
        let n = steps.len();
        let products: Vec<f64> =
            (0..n * n).map(|at| crate::dot::dot(&steps[at / n], &steps[at % n])).collect();
        let right: Vec<f64> = steps.iter().map(|step| crate::dot::dot(step, change)).collect();
        let mut shares = vec![0.0; n];
        self.factor.factor(&products, n, None, RIDGE);
        self.factor.solve(&right, &mut shares);
        if !shares.iter().all(|share| share.is_finite()) {
            return;
        }
        let mut next = image.to_vec();
        for (share, step) in shares.iter().zip(&self.image_steps) {
            next.iter_mut().zip(step).for_each(|(x, step)| *x -= share * step);
        }
        for (&contact, r) in island.iter().zip(next.as_chunks::<3>().0) {
            impulses[contact] = super::local::project(r, problem.locals[contact].friction);
        }
    }
}

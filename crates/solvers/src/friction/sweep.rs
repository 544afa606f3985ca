use super::anderson::Anderson;
use super::{FrictionProblem, Triple};

/// Solves every contact of an island exactly, with all others as they are: once in their order, once against it (Jourdan, Alart & Jean
/// 1998).
pub(super) fn sweep_both_ways(problem: &FrictionProblem, island: &[usize], impulses: &mut [Triple]) {
    island.iter().for_each(|&contact| impulses[contact] = answer(problem, contact, impulses));
    island.iter().rev().for_each(|&contact| impulses[contact] = answer(problem, contact, impulses));
}

/// The impulse that one contact has with all others as they are.
#[inline]
fn answer(problem: &FrictionProblem, contact: usize, impulses: &[Triple]) -> Triple {
    problem.locals[contact].solve(&velocity_of_others(problem, contact, impulses))
}

/// Velocity that one contact has without its own impulse.
#[inline]
pub(super) fn velocity_of_others(problem: &FrictionProblem, contact: usize, impulses: &[Triple]) -> Triple {
    let mut b = problem.free[contact];
    for (j, block) in problem.delassus.row(contact).filter(|(j, _)| *j != contact) {
        super::block::add_product(&mut b, block, &impulses[j]);
    }
    b
}

/// Makes one pair of sweeps and extrapolates from it, back into the cones; changes count as velocities.
pub(super) fn sweep_accelerated(
    problem: &FrictionProblem,
    island: &[usize],
    impulses: &mut [Triple],
    anderson: &mut Anderson,
) {
    let before: Vec<f64> = island.iter().flat_map(|&c| impulses[c]).collect();
    sweep_both_ways(problem, island, impulses);
    let image: Vec<f64> = island.iter().flat_map(|&c| impulses[c]).collect();
    let weight = |k: usize| problem.locals[island[k / 3]].weight;
    let change = (0..image.len()).map(|k| weight(k) * (image[k] - before[k])).collect();
    let next = anderson.next(image, change);
    for (&contact, r) in island.iter().zip(next.as_chunks::<3>().0) {
        impulses[contact] = super::local::project(r, problem.locals[contact].friction);
    }
}

//! Forces that are not unique, kept away from the bounds of friction.

use carom_solvers::PivotedCholesky;

use super::cone::{Answer, ConeProblem, ConeSolver};
use super::decide::HELD;
use super::member::{Member, Tangent};

/// Share of friction's bound that contacts are spared whose forces are not unique; it is halved until it goes, down to the least: less
/// would not show in the accelerations.
const SPARED: f64 = 0.1;
const LEAST_SPARED: f64 = 1e-6;
/// The least share that forces are shared out for.
const LEAST_SHARED: f64 = 1e-3;
/// Rounds of projections for a share.
const ROUNDS: usize = 64;

/// Buffers of a decision about forces that are not unique.
#[derive(Clone, Debug, Default)]
pub(super) struct SparingBuffers {
    spared: Vec<Member>,
    other: Answer,
    /// Contacts that stick, by their place, and the rows of G between them.
    sticking: Vec<usize>,
    block: Vec<f64>,
    factor: PivotedCholesky,
    /// Their forces: as they were, as they are, and the change; what that moves, and what takes it away.
    before: Vec<f64>,
    forces: Vec<f64>,
    change: Vec<f64>,
    moved: Vec<f64>,
    back: Vec<f64>,
}

impl SparingBuffers {
    /// Changes forces of contacts that stick by z with G z = 0, so that friction keeps a share away from its bound at all of them, the largest that
    /// goes of [`SPARED`] and its halves: projections onto the cones with less friction and onto all such changes in turn. Returns whether there is one.
    fn share_out(
        &mut self,
        matrix: &[f64],
        members: &[Member],
        (slipping, acceleration, force): (usize, f64, f64),
        answer: &mut Answer,
    ) -> bool {
        let Self { sticking, block, factor, before, forces, change, moved, back, .. } = self;
        let size = 3 * members.len();
        let sticks = |k: &usize| {
            let [x, y] = [1, 2].map(|axis| answer.speeds[3 * k + axis]);
            let carries = answer.impulses[3 * k] > force;
            carries && members[*k].tangent == Tangent::Free && x.hypot(y) <= HELD * acceleration
        };
        sticking.clear();
        sticking.extend((0..members.len()).filter(sticks));
        if sticking.len() < 2 || !sticking.contains(&slipping) {
            return false;
        }
        let rows = || sticking.iter().flat_map(|&k| 3 * k..3 * k + 3);
        block.clear();
        block.extend(rows().flat_map(|i| rows().map(move |j| matrix[size * i + j])));
        let n = 3 * sticking.len();
        factor.factor(block, n, None, 0.0);
        if factor.rank() == n {
            return false;
        }
        before.clear();
        before.extend(rows().map(|row| answer.impulses[row]));
        back.resize(n, 0.0);
        let mut share = SPARED;
        while share > LEAST_SHARED {
            forces.clone_from(before);
            for _ in 0..ROUNDS {
                let within = |share: f64| {
                    let mut each = sticking.iter().zip(forces.chunks_exact(3));
                    each.all(|(&k, f)| {
                        f[0] > 0.0 && f[1].hypot(f[2]) <= (1.0 - share) * members[k].friction * f[0]
                    })
                };
                if within(0.5 * share) {
                    rows().zip(&*forces).for_each(|(row, force)| answer.impulses[row] = *force);
                    return true;
                }
                change.clear();
                for (&k, (f, f0)) in sticking.iter().zip(forces.chunks_exact(3).zip(before.chunks_exact(3))) {
                    let normal = f[0].max(0.0);
                    let bound = (1.0 - share) * members[k].friction * normal;
                    let shorter = (bound / f[1].hypot(f[2])).min(1.0);
                    change.extend([normal - f0[0], shorter * f[1] - f0[1], shorter * f[2] - f0[2]]);
                }
                moved.clear();
                moved.extend(
                    block
                        .chunks_exact(n)
                        .map(|row| row.iter().zip(&*change).map(|(a, b)| a * b).sum::<f64>()),
                );
                factor.solve(moved, back);
                for (i, force) in forces.iter_mut().enumerate() {
                    *force = before[i] + change[i] - back[i];
                }
            }
            share *= 0.5;
        }
        false
    }
}

/// Takes an answer with the same accelerations in which the contact whose friction has reached its bound keeps away from it, if there is
/// one: where contacts depend on each other (a sleeve that jams) the forces are not unique, and friction that reaches its bound at one of
/// them lets nothing slip. All others keep as far away: what one is spared would bring the next to its bound, over and over. Where that has
/// no answer those that are nearer to theirs need not, for they may depend on none. What begins to slip has its bound. Where others slide that bear by it, as
/// a floor under a block that a ram presses down by friction, no answer moves alike: one with less friction in which all still stick is as good.
///
/// First the forces of those that stick are shared out anew, which leaves all motion as it is; then others are looked for with a lesser bound, for what
/// slides may depend on them, too.
pub(super) fn spare(
    solver: &mut ConeSolver,
    ((matrix, free), members): ((&[f64], &[f64]), &[Member]),
    (slipping, acceleration, force): (usize, f64, f64),
    answer: &mut Answer,
    buffers: &mut SparingBuffers,
) {
    if buffers.share_out(matrix, members, (slipping, acceleration, force), answer) {
        return;
    }
    let SparingBuffers { spared, other, .. } = buffers;
    for (spares_all, alike) in [(true, true), (false, true), (true, false)] {
        let mut share = SPARED;
        while share > LEAST_SPARED {
            spared.clear();
            let forces = answer.impulses.chunks_exact(3).zip(answer.speeds.chunks_exact(3));
            spared.extend(members.iter().zip(forces).enumerate().map(|(k, (of, (force, speed)))| {
                let less = Member { friction: (1.0 - share) * of.friction, ..*of };
                let is_nearer = force[1].hypot(force[2]) > less.friction * force[0];
                let rests = speed[1].hypot(speed[2]) <= HELD * acceleration;
                let is_spared = rests && (spares_all || k == slipping || !is_nearer);
                if of.tangent == Tangent::Free && is_spared { less } else { *of }
            }));
            let problem = ConeProblem { matrix, offset: free, members: spared, rounding: 0.0 };
            let is_solved = solver.solve_from(&problem, &answer.impulses, other).is_ok();
            let moves_alike = || {
                let mut speeds = answer.speeds.iter().zip(&other.speeds);
                !alike || speeds.all(|(a, b)| (a - b).abs() <= acceleration)
            };
            // What a lesser bound lets slip would be held by friction that there is.
            let rests =
                |k: usize| other.speeds[3 * k + 1].hypot(other.speeds[3 * k + 2]) <= HELD * acceleration;
            let holds = || (0..members.len()).all(|k| spared[k] == members[k] || rests(k));
            if is_solved && moves_alike() && holds() {
                std::mem::swap(answer, other);
                return;
            }
            share *= 0.5;
        }
    }
}

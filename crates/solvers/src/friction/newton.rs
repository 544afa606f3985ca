use super::block::{self, Block, Triple};
use super::block_lu::BlockLu;
use super::halvings::Halvings;
use super::local::Local;
use super::order::Elimination;
use super::sweep::velocity_of_others;
use super::{FrictionProblem, worse};

/// Halvings of a step that does not make the residual smaller.
const HALVINGS: usize = 8;
/// A step is taken if the squares of the residuals fall by this share of what they would fall by if they were linear.
const DECREASE: f64 = 1e-4;
/// What is added to the diagonal of W, in the matrix alone, as a share of it: contacts may depend on each other. Steps correct what it
/// falsifies.
const RIDGE: f64 = 1e-9;
/// Steps without a pull.
const FREE_STEPS: usize = 15;
/// Most steps of a round, and what it makes of the residual where they do.
const STEPS_A_ROUND: usize = 12;
const DECREASE_OF_A_ROUND: f64 = 0.1;
/// Pairs of sweeps after a round in which Newton's method has not come to its end.
const SWEEPS: usize = 10;
/// Growth of a pull after a round that has not come to its end, its fall after one that came to it in few steps, and its largest value.
const STRONGER: f64 = 10.0;
const WEAKER: f64 = 0.3;
const FEW_STEPS: usize = 6;
const STRONGEST_PULL: f64 = 10.0;
/// Most rounds, and rounds without half the residual after which what is within the limit is taken: far from the tolerance, and within so
/// many times of it, where a few more may do.
const ROUNDS: usize = 200;
const PATIENCE: usize = 5;
const PATIENCE_NEARBY: usize = 12;
const NEARBY: f64 = 100.0;
/// Rounds after what is good enough, towards this share of the tolerance.
const LAST_ROUNDS: usize = 2;
const FINER: f64 = 1e-4;

/// Newton's method of Alart and Curnier (1991) for an island: roots of s_N = max(0, s_N − u_N), s_T = the point nearest to
/// s_T − u_T with a length of at most μ max(0, s_N − u_N), with the scaled impulses s = w r. Where contacts depend on each other so
/// that its steps lead nowhere, roots are approached as by the proximal point algorithm (Rockafellar 1976): each round solves a
/// problem with the velocities u + γ w (r − r₀), that are drawn to the impulses r₀ of the last round and so have one answer.
pub(super) struct Newton<'a> {
    pub(super) problem: &'a FrictionProblem,
    pub(super) island: &'a [usize],
    /// By contact of the problem: its number in the island.
    pub(super) number: &'a [usize],
    pub(super) factors: BlockLu,
}

/// What the equations say at a contact: its misfit F, and the blocks of dF = B w dr + A du.
struct Linear {
    misfit: Triple,
    a: Block,
    b: Block,
}

/// What draws impulses to the last ones: γ and r₀.
struct Pull {
    share: f64,
    center: Vec<Triple>,
}

impl Pull {
    /// The share of the next round, after one with so many steps.
    fn next(&self, steps: usize, is_there: bool, first: f64) -> f64 {
        if self.share == 0.0 {
            first
        } else if !is_there {
            (STRONGER * self.share).min(STRONGEST_PULL)
        } else if steps <= FEW_STEPS {
            WEAKER * self.share
        } else {
            self.share
        }
    }
}

impl<'a> Newton<'a> {
    /// Nothing if the factors would take more than `limit` products of blocks.
    pub(super) fn new(
        problem: &'a FrictionProblem,
        island: &'a [usize],
        number: &'a [usize],
        limit: usize,
    ) -> Option<Self> {
        let neighbours = |(i, &contact): (usize, &usize)| {
            let row = problem.delassus.row(contact);
            let mut others: Vec<usize> = row.map(|(j, _)| number[j]).filter(|&j| j != i).collect();
            others.sort_unstable();
            others
        };
        let elimination =
            Elimination::of_least_degree(island.iter().enumerate().map(neighbours).collect(), limit)?;
        Some(Self { problem, island, number, factors: BlockLu::new(elimination) })
    }

    /// Steps from the impulses that are there, without a pull. Returns how many, and the residual.
    pub(super) fn solve_freely(&mut self, impulses: &mut [Triple], tolerance: f64) -> (usize, f64) {
        let mut r: Vec<Triple> = self.island.iter().map(|&c| impulses[c]).collect();
        let mut u = self.velocities(&r, impulses);
        let none = Pull { share: 0.0, center: Vec::new() };
        let (steps, _) = self.descend(&mut r, &mut u, &none, FINER * tolerance, FREE_STEPS);
        let u = self.velocities(&r, impulses);
        (steps, self.residual(&r, &u))
    }

    /// Steps from the impulses that are there until the largest residual is within the tolerance. What is within the limit is good
    /// enough where rounds no longer make it smaller. Returns how many steps, and the residual; the impulses are the best that were met.
    pub(super) fn solve(
        &mut self,
        impulses: &mut [Triple],
        tolerance: f64,
        limit: f64,
        first_pull: f64,
    ) -> (usize, f64) {
        let mut r: Vec<Triple> = self.island.iter().map(|&c| impulses[c]).collect();
        let mut last = r.clone();
        let mut u = self.velocities(&r, impulses);
        let mut best = (self.residual(&r, &u), r.clone());
        let (mut steps, mut last_rounds) = (0, 0);
        let mut halvings = Halvings::from(best.0);
        let mut pull = Pull { share: 0.0, center: Vec::new() };
        let (mut goal, mut most) = (FINER * tolerance, FREE_STEPS);
        for _ in 0..=ROUNDS {
            let (made, left) = self.descend(&mut r, &mut u, &pull, goal, most);
            steps += made;
            u = self.velocities(&r, impulses);
            let residual = self.residual(&r, &u);
            if residual < best.0 {
                best = (residual, r.clone());
            }
            let since_half = halvings.note(best.0);
            let patience = if best.0 <= NEARBY * tolerance { PATIENCE_NEARBY } else { PATIENCE };
            let is_enough = best.0 <= tolerance || best.0 <= limit && since_half > patience;
            // Rounds near a solution give much; steps without a pull have come to it as near as rounding lets them.
            last_rounds += usize::from(is_enough);
            if last_rounds > LAST_ROUNDS || best.0 <= tolerance && (pull.share == 0.0 || best.0 <= goal) {
                break;
            }
            let is_there = pull.share > 0.0 && left <= goal;
            if pull.share > 0.0 && !is_there {
                self.sweep(&mut r, &pull, impulses);
            }
            let share = pull.next(made, is_there, first_pull);
            let ahead = if is_there { self.ahead(&r, &last) } else { r.clone() };
            last = std::mem::replace(&mut r, ahead);
            u = self.velocities(&r, impulses);
            pull = Pull { share, center: r.clone() };
            (goal, most) = ((DECREASE_OF_A_ROUND * residual).max(FINER * tolerance), STEPS_A_ROUND);
        }
        self.velocities(&best.1, impulses);
        (steps, best.0)
    }

    /// Solves the contacts of a round one after the other, with all others as they are, there and back: where Newton's method leads nowhere,
    /// that goes on.
    fn sweep(&self, r: &mut [Triple], pull: &Pull, impulses: &mut [Triple]) {
        let own = |&contact: &usize| {
            let local = &self.problem.locals[contact];
            let weight = pull.share * local.weight;
            let mut block = self.problem.delassus.diagonal(contact).copied().unwrap_or(block::ZERO);
            [0, 4, 8].into_iter().for_each(|k| block[k] += weight);
            (Local::new(&block, local.friction).unwrap_or(*local), weight)
        };
        let own: Vec<(Local, f64)> = self.island.iter().map(own).collect();
        self.velocities(r, impulses);
        for _ in 0..SWEEPS {
            for number in (0..r.len()).chain((0..r.len()).rev()) {
                let ((local, weight), contact) = (&own[number], self.island[number]);
                let mut b = velocity_of_others(self.problem, contact, impulses);
                (0..3).for_each(|k| b[k] -= weight * pull.center[number][k]);
                r[number] = local.solve(&b);
                impulses[contact] = r[number];
            }
        }
    }

    /// As far again as the last round has come, back in the cones: where W hardly resists, a round is short, and the next one goes on
    /// in its direction.
    fn ahead(&self, r: &[Triple], last: &[Triple]) -> Vec<Triple> {
        let each = self.island.iter().zip(r.iter().zip(last));
        let moved = each.map(|(&contact, (r, last))| {
            let r: Triple = std::array::from_fn(|k| 2.0 * r[k] - last[k]);
            super::local::project(&r, self.problem.locals[contact].friction)
        });
        moved.collect()
    }

    /// Puts impulses of the island where they belong, and returns W r + q anew: sums of changes would gather rounding.
    pub(super) fn velocities(&self, r: &[Triple], impulses: &mut [Triple]) -> Vec<Triple> {
        self.island.iter().zip(r).for_each(|(&contact, r)| impulses[contact] = *r);
        self.island.iter().map(|&contact| self.problem.velocity(contact, impulses)).collect()
    }

    /// Steps until the residual with a pull is within the goal; how many, and the residual.
    fn descend(
        &mut self,
        r: &mut Vec<Triple>,
        u: &mut Vec<Triple>,
        pull: &Pull,
        goal: f64,
        most: usize,
    ) -> (usize, f64) {
        let mut drawn = self.drawn(r, u, pull);
        let mut left = self.residual(r, &drawn);
        for step in 0..most {
            if left <= goal {
                return (step, left);
            }
            let merit = self.merit(r, &drawn);
            let Some(direction) = self.direction(r, &drawn, pull.share.max(RIDGE)) else {
                return (step, left);
            };
            let mut share = 1.0;
            loop {
                let next = self.moved(r, &direction, share);
                let after = self.velocities_after(r, u, &next);
                drawn = self.drawn(&next, &after, pull);
                if self.merit(&next, &drawn) <= (1.0 - 2.0 * DECREASE * share) * merit {
                    (*r, *u) = (next, after);
                    break;
                }
                share *= 0.5;
                if share < 0.5_f64.powi(HALVINGS as i32) {
                    return (step, left);
                }
            }
            left = self.residual(r, &drawn);
        }
        (most, left)
    }

    /// u + γ w (r − r₀).
    fn drawn(&self, r: &[Triple], u: &[Triple], pull: &Pull) -> Vec<Triple> {
        if pull.share == 0.0 {
            return u.to_vec();
        }
        let at = |number: usize| {
            let weight = pull.share * self.problem.locals[self.island[number]].weight;
            std::array::from_fn(|k| u[number][k] + weight * (r[number][k] - pull.center[number][k]))
        };
        (0..r.len()).map(at).collect()
    }

    /// r + share · direction, back in the cones: what slips turns along its circle, and does not leave it along the tangent.
    fn moved(&self, r: &[Triple], direction: &[Triple], share: f64) -> Vec<Triple> {
        let each = self.island.iter().zip(r.iter().zip(direction));
        let moved = each.map(|(&contact, (r, d))| {
            let r: Triple = std::array::from_fn(|k| r[k] + share * d[k]);
            super::local::project(&r, self.problem.locals[contact].friction)
        });
        moved.collect()
    }

    /// u + W (next − r).
    fn velocities_after(&self, r: &[Triple], u: &[Triple], next: &[Triple]) -> Vec<Triple> {
        let change: Vec<Triple> =
            next.iter().zip(r).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
        let after = |(&contact, u): (&usize, &Triple)| {
            let mut u = *u;
            for (j, block) in self.problem.delassus.row(contact) {
                block::add_product(&mut u, block, &change[self.number[j]]);
            }
            u
        };
        self.island.iter().zip(u).map(after).collect()
    }

    pub(super) fn residual(&self, r: &[Triple], u: &[Triple]) -> f64 {
        let misfit =
            |(number, &contact): (usize, &usize)| self.problem.misfit_at(contact, &r[number], &u[number]);
        self.island.iter().enumerate().map(misfit).fold(0.0, worse)
    }

    fn merit(&self, r: &[Triple], u: &[Triple]) -> f64 {
        let square = |(number, &contact): (usize, &usize)| {
            self.misfit(contact, &r[number], &u[number]).iter().map(|f| f * f).sum::<f64>()
        };
        self.island.iter().enumerate().map(square).sum()
    }

    fn misfit(&self, contact: usize, r: &Triple, u: &Triple) -> Triple {
        let local = &self.problem.locals[contact];
        let s = r.map(|r| local.weight * r);
        let pressing = (s[0] - u[0]).max(0.0);
        let limit = local.friction * pressing;
        let along = [s[1] - u[1], s[2] - u[2]];
        let length = libm::hypot(along[0], along[1]);
        let share = if length > limit { limit / length } else { 1.0 };
        [s[0] - pressing, s[1] - share * along[0], s[2] - share * along[1]]
    }

    fn linear(&self, contact: usize, r: &Triple, u: &Triple) -> Linear {
        let local = &self.problem.locals[contact];
        let misfit = self.misfit(contact, r, u);
        let s = r.map(|r| local.weight * r);
        let (mut a, mut b) = (block::ZERO, block::ZERO);
        let pressing = s[0] - u[0];
        if pressing <= 0.0 {
            (b[0], b[4], b[8]) = (1.0, 1.0, 1.0);
            return Linear { misfit, a, b };
        }
        a[0] = 1.0;
        let along = [s[1] - u[1], s[2] - u[2]];
        let length = libm::hypot(along[0], along[1]);
        if length <= local.friction * pressing {
            (a[4], a[8]) = (1.0, 1.0);
            return Linear { misfit, a, b };
        }
        let (d, share) = (along.map(|t| t / length), local.friction * pressing / length);
        for i in 0..2 {
            a[3 * (i + 1)] = local.friction * d[i];
            b[3 * (i + 1)] = -local.friction * d[i];
            for j in 0..2 {
                let same = if i == j { 1.0 } else { 0.0 };
                let across = share * (same - d[i] * d[j]);
                a[3 * (i + 1) + j + 1] = across;
                b[3 * (i + 1) + j + 1] = same - across;
            }
        }
        Linear { misfit, a, b }
    }

    /// −J⁻¹ F, if J has an inverse to rounding.
    fn direction(&mut self, r: &[Triple], u: &[Triple], ridge: f64) -> Option<Vec<Triple>> {
        let mut right = Vec::with_capacity(r.len());
        self.factors.clear();
        for (number, &contact) in self.island.iter().enumerate() {
            let Linear { misfit, a, b } = self.linear(contact, &r[number], &u[number]);
            let weight = self.problem.locals[contact].weight;
            for (j, w) in self.problem.delassus.row(contact) {
                *self.factors.block_mut(number, self.number[j]) = block::times(&a, w);
            }
            let own = self.factors.block_mut(number, number);
            for k in 0..9 {
                own[k] += weight * (b[k] + ridge * a[k]);
            }
            right.push(misfit.map(|f| -f));
        }
        if !self.factors.factor() {
            return None;
        }
        self.factors.solve(&mut right);
        right.iter().flatten().all(|x| x.is_finite()).then_some(right)
    }
}

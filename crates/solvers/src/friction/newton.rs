use super::block::{self, Block, Triple};
use super::block_lu::BlockLu;
use super::order::Elimination;
use super::{FrictionProblem, worse};

/// Halvings of a step that does not make the residual smaller.
const HALVINGS: usize = 8;
/// A step is taken if the squares of the residuals fall by this share of what they would fall by if they were linear.
const DECREASE: f64 = 1e-4;
/// What is added to the diagonal of W, in the matrix alone, as shares of it: contacts may depend on each other, and where a step along
/// what they share would be too long the next one makes it shorter. Steps correct what it falsifies.
const RIDGES: [f64; 5] = [1e-9, 1e-7, 1e-5, 1e-3, 1e-1];
/// A step of this length is not tried with a larger ridge.
const LONG: f64 = 0.25;

/// Newton's method of Alart and Curnier (1991) for an island: roots of s_N = max(0, s_N − u_N), s_T = the point nearest to
/// s_T − u_T with a length of at most μ max(0, s_N − u_N), with the scaled impulses s = w r.
pub(super) struct Newton<'a> {
    problem: &'a FrictionProblem,
    island: &'a [usize],
    /// By contact of the problem: its number in the island.
    number: &'a [usize],
    factors: BlockLu,
}

/// What the equations say at a contact: its misfit F, and the blocks of dF = B w dr + A du.
struct Linear {
    misfit: Triple,
    a: Block,
    b: Block,
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

    /// Its contacts.
    pub(super) fn island(&self) -> &'a [usize] {
        self.island
    }

    /// Steps from the impulses that are there until the largest residual is within the tolerance. Returns how many, and the residual;
    /// the impulses are the best that were met.
    pub(super) fn solve(&mut self, impulses: &mut [Triple], tolerance: f64, steps: usize) -> (usize, f64) {
        let island = self.island;
        let mut r: Vec<Triple> = island.iter().map(|&c| impulses[c]).collect();
        let mut u: Vec<Triple> = island.iter().map(|&c| self.problem.velocity(c, impulses)).collect();
        let mut merit = self.merit(&r, &u);
        let mut residual = self.residual(&r, &u);
        for step in 0..steps {
            if residual <= tolerance {
                return (step, residual);
            }
            let mut best: Option<(Vec<Triple>, f64)> = None;
            for ridge in RIDGES {
                let Some((next, tried, share)) = self.try_step(&r, &u, merit, ridge) else { continue };
                if best.as_ref().is_none_or(|(_, least)| tried < *least) {
                    best = Some((next, tried));
                }
                if share >= LONG {
                    break;
                }
            }
            let Some((next, _)) = best else { return (step, residual) };
            r = next;
            for (number, &contact) in island.iter().enumerate() {
                impulses[contact] = r[number];
            }
            for (number, &contact) in island.iter().enumerate() {
                // Anew: sums of changes would gather rounding.
                u[number] = self.problem.velocity(contact, impulses);
            }
            merit = self.merit(&r, &u);
            residual = self.residual(&r, &u);
        }
        (steps, residual)
    }

    /// The longest of the steps 1, ½, ¼, … along Newton's direction with which the merit falls enough; its end, its merit and its length.
    fn try_step(
        &mut self,
        r: &[Triple],
        u: &[Triple],
        merit: f64,
        ridge: f64,
    ) -> Option<(Vec<Triple>, f64, f64)> {
        let direction = self.direction(r, u, ridge)?;
        let mut share = 1.0;
        for _ in 0..=HALVINGS {
            let next = self.moved(r, &direction, share);
            let tried = self.merit(&next, &self.velocities_after(r, u, &next));
            if tried <= (1.0 - 2.0 * DECREASE * share) * merit {
                return Some((next, tried, share));
            }
            share *= 0.5;
        }
        None
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

    fn residual(&self, r: &[Triple], u: &[Triple]) -> f64 {
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

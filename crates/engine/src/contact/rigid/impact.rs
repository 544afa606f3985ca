//! An impact of rigid contacts in space: compression and expansion by Poisson's law, or Newton's (nonsmooth 2.2).

use super::cone::{Answer, ConeProblem, ConeSolver};
use super::failure::ConeFailure;
use super::member::Member;
use crate::law::{ImpactLaw, RigidLaw, kept_share};

/// What an impact does, and the buffers by which it is found.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactSolver {
    /// Λ_N, Λ_T1, Λ_T2 of each contact (N s).
    pub(super) impulses: Vec<f64>,
    /// ½ Λ · (γ⁺ + γ⁻): the work of the impulses on the relative motion (J), never above rounding.
    pub(super) energy: f64,
    /// Share of the expansion that was kept, 1 unless the law would have gained energy.
    pub(super) kept: f64,
    /// Of the contact problems.
    pub(super) iterations: usize,
    solver: ConeSolver,
    compression: Answer,
    expansion: Answer,
    members: Vec<Member>,
    start: Vec<f64>,
    reversed: Vec<f64>,
}

impl ImpactSolver {
    /// Finds the impact of contacts with these laws, of which G is `matrix` and γ⁻ `speeds`, which rounding knows to `rounding`.
    pub(super) fn solve(
        &mut self,
        matrix: &[f64],
        (speeds, rounding): (&[f64], f64),
        laws: &[RigidLaw],
    ) -> Result<(), ConeFailure> {
        let Self { impulses, solver, compression, expansion, members, start, reversed, .. } = self;
        members.clear();
        members.extend(laws.iter().map(|law| Member::coulomb(law.friction)));
        start.clear();
        start.resize(speeds.len(), 0.0);
        solver.solve(&ConeProblem { matrix, offset: speeds, members, rounding }, start, compression)?;
        let middle = &compression.speeds;
        if laws.iter().all(|law| law.impact == ImpactLaw::Newton) {
            // What parts already is not to come back.
            let share = |k: usize| match k % 3 {
                0 if speeds[k] < 0.0 => laws[k / 3].normal,
                0 => 0.0,
                _ => laws[k / 3].tangential,
            };
            reversed.clear();
            reversed.extend(speeds.iter().enumerate().map(|(k, speed)| (1.0 + share(k)) * speed));
            let problem = ConeProblem { matrix, offset: reversed, members, rounding };
            solver.solve(&problem, &compression.impulses, expansion)?;
            expansion.impulses.iter_mut().zip(&compression.impulses).for_each(|(whole, c)| *whole -= c);
        } else {
            members.clear();
            members.extend(
                laws.iter().zip(compression.impulses.chunks_exact(3)).map(|(law, c)| expanding(law, c)),
            );
            start.clear();
            start.extend(members.iter().flat_map(|of| [of.given, of.stored[0], of.stored[1]]));
            solver.solve(&ConeProblem { matrix, offset: middle, members, rounding }, start, expansion)?;
        }
        // T(s) = T₀ + ΔT_C + s a + s² b along the expansion; b is its own kinetic energy.
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let n = speeds.len();
        let own: f64 = (0..n)
            .map(|k| expansion.impulses[k] * dot(&matrix[n * k..n * (k + 1)], &expansion.impulses))
            .sum();
        let both = speeds.iter().zip(middle).map(|(before, after)| before + after);
        let compressed = 0.5 * compression.impulses.iter().zip(both).map(|(c, v)| c * v).sum::<f64>();
        let (a, b) = (dot(&expansion.impulses, middle), 0.5 * own);
        let kept = kept_share(compressed, a, b);
        impulses.clear();
        impulses.extend(compression.impulses.iter().zip(&expansion.impulses).map(|(c, e)| c + kept * e));
        self.energy = compressed + kept * (a + kept * b);
        self.kept = kept;
        self.iterations = compression.iterations + expansion.iterations;
        Ok(())
    }
}

/// Λ_NE ≥ e_N Λ_NC; the stored part Λ_TS = e_N e_T Λ_TC of the tangential impulse comes back.
fn expanding(law: &RigidLaw, compression: &[f64]) -> Member {
    // Rounding may have left less than nothing.
    let given = law.normal * compression[0].max(0.0);
    let stored = [1, 2].map(|k| law.normal * law.tangential * compression[k]);
    let (size, most) = (stored[0].hypot(stored[1]), law.friction * given);
    let share = if size > most { most / size } else { 1.0 };
    let stored = stored.map(|t| share * t);
    Member { given, stored, bound: law.bound, ..Member::coulomb(law.friction) }
}

#[cfg(test)]
mod tests {
    use carom_testkit::SplitMix64;

    use super::*;

    /// A random impact of one to three contacts between a body and the world, or two: G and γ⁻.
    fn random_problem(rng: &mut SplitMix64, contacts: usize) -> (Vec<f64>, Vec<f64>) {
        let (size, freedoms) = (3 * contacts, 6 + 6 * usize::from(rng.uniform(0.0, 1.0) < 0.5));
        let rows: Vec<f64> = (0..size * freedoms).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let velocity: Vec<f64> = (0..freedoms).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let row = |k: usize| &rows[freedoms * k..freedoms * (k + 1)];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let matrix = (0..size * size).map(|k| dot(row(k / size), row(k % size))).collect();
        (matrix, (0..size).map(|k| dot(row(k), &velocity)).collect())
    }

    fn random_law(rng: &mut SplitMix64, impact: ImpactLaw) -> RigidLaw {
        RigidLaw {
            friction: rng.uniform(0.0, 1.0),
            normal: rng.uniform(0.0, 1.0),
            tangential: rng.uniform(0.0, 1.0),
            bound: rng.uniform(0.0, 1.0),
            impact,
        }
    }

    /// What impacts did that were solved, of so many that approach.
    #[derive(Debug, Default)]
    struct Tally {
        solved: usize,
        unsolved: usize,
        scaled: usize,
    }

    fn try_many(seed: u64, count: usize, law: impl Fn(&mut SplitMix64) -> RigidLaw, same: bool) -> Tally {
        let mut rng = SplitMix64::new(seed);
        let mut tally = Tally::default();
        let mut impact = ImpactSolver::default();
        for _ in 0..count {
            let contacts = 1 + (rng.uniform(0.0, 3.0) as usize).min(2);
            let (matrix, speeds) = random_problem(&mut rng, contacts);
            let first = law(&mut rng);
            let laws: Vec<RigidLaw> =
                (0..contacts).map(|_| if same { first } else { law(&mut rng) }).collect();
            if impact.solve(&matrix, (&speeds, 0.0), &laws).is_err() {
                tally.unsolved += 1;
                continue;
            }
            tally.solved += 1;
            tally.scaled += usize::from(impact.kept < 1.0);
            let size = speeds.len();
            let after: Vec<f64> = (0..size)
                .map(|k| {
                    let row = &matrix[size * k..size * (k + 1)];
                    speeds[k] + row.iter().zip(&impact.impulses).map(|(g, p)| g * p).sum::<f64>()
                })
                .collect();
            let scale = impact.impulses.iter().fold(1.0_f64, |m, p| m.max(p.abs()));
            let energy: f64 = (0..size).map(|k| 0.5 * impact.impulses[k] * (speeds[k] + after[k])).sum();
            assert!(energy <= 1e-9 * scale * scale, "gains {energy}");
            assert!((energy - impact.energy).abs() <= 1e-9 * scale * scale);
            for (k, law) in laws.iter().enumerate() {
                let [normal, x, y] = [0, 1, 2].map(|axis| impact.impulses[3 * k + axis]);
                assert!(
                    normal >= -1e-9 * scale && after[3 * k] >= -1e-8 * scale,
                    "{normal} {}",
                    after[3 * k]
                );
                assert!(x.hypot(y) <= law.friction * normal + 1e-8 * scale);
            }
        }
        tally
    }

    /// What docs/nonsmooth.md states.
    #[test]
    fn no_impact_gains_energy() {
        let poisson = |rng: &mut SplitMix64| random_law(rng, ImpactLaw::Poisson);
        let plain =
            |rng: &mut SplitMix64| RigidLaw { tangential: 0.0, ..random_law(rng, ImpactLaw::Poisson) };
        let newton = |rng: &mut SplitMix64| random_law(rng, ImpactLaw::Newton);
        let equal = try_many(1, 30_000, plain, true);
        let unequal = try_many(2, 30_000, poisson, false);
        let by_newton = try_many(3, 40_000, newton, false);
        assert_eq!(equal.scaled, 0);
        assert!(unequal.scaled <= 10 && by_newton.scaled <= 500, "{unequal:?} {by_newton:?}");
        for tally in [equal, unequal, by_newton] {
            assert!(tally.unsolved * 500 <= tally.solved, "{tally:?}");
        }
    }
}

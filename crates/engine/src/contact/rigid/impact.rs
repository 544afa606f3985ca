//! An impact of rigid contacts in space: compression and expansion by Poisson's law, or Newton's (nonsmooth 2.2).

use super::cone::{ConeFailure, ConeProblem, Member};
use crate::law::{ImpactLaw, RigidLaw, kept_share};

/// What an impact does.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Impact {
    /// Λ_N, Λ_T1, Λ_T2 of each contact (N s).
    pub(super) impulses: Vec<f64>,
    /// ½ Λ · (γ⁺ + γ⁻): the work of the impulses on the relative motion (J), never above rounding.
    pub(super) energy: f64,
    /// Share of the expansion that was kept, 1 unless the law would have gained energy.
    pub(super) kept: f64,
    /// Of the contact problems.
    pub(super) iterations: usize,
}

/// The impact of contacts with these laws, of which G is `matrix` and γ⁻ `speeds`.
pub(super) fn solve(matrix: &[f64], speeds: &[f64], laws: &[RigidLaw]) -> Result<Impact, ConeFailure> {
    let still = vec![0.0; speeds.len()];
    let coulomb: Vec<Member> = laws.iter().map(|law| Member::coulomb(law.friction)).collect();
    let phase = |offset: &[f64], members: &[Member], start: &[f64]| {
        ConeProblem { matrix, offset, members }.solve(start)
    };
    let compression = phase(speeds, &coulomb, &still)?;
    let middle = compression.speeds;
    let mut iterations = compression.iterations;
    let compression = compression.impulses;
    let by_newton = laws.iter().all(|law| law.impact == ImpactLaw::Newton);
    let expansion = if by_newton {
        let reversed: Vec<f64> = speeds
            .iter()
            .enumerate()
            .map(|(k, speed)| {
                (1.0 + if k % 3 == 0 { laws[k / 3].normal } else { laws[k / 3].tangential }) * speed
            })
            .collect();
        let whole = phase(&reversed, &coulomb, &compression)?;
        iterations += whole.iterations;
        whole.impulses.iter().zip(&compression).map(|(whole, c)| whole - c).collect()
    } else {
        let members: Vec<Member> =
            laws.iter().zip(compression.chunks_exact(3)).map(|(law, c)| expanding(law, c)).collect();
        let start: Vec<f64> = members.iter().flat_map(|of| [of.given, of.stored[0], of.stored[1]]).collect();
        let expansion = phase(&middle, &members, &start)?;
        iterations += expansion.iterations;
        expansion.impulses
    };
    // T(s) = T₀ + ΔT_C + s a + s² b along the expansion; b is its own kinetic energy.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let n = speeds.len();
    let change: Vec<f64> = (0..n).map(|k| dot(&matrix[n * k..n * (k + 1)], &expansion)).collect();
    let both: Vec<f64> = speeds.iter().zip(&middle).map(|(before, after)| before + after).collect();
    let compressed = 0.5 * dot(&compression, &both);
    let (a, b) = (dot(&expansion, &middle), 0.5 * dot(&expansion, &change));
    let kept = kept_share(compressed, a, b);
    Ok(Impact {
        impulses: compression.iter().zip(&expansion).map(|(c, e)| c + kept * e).collect(),
        energy: compressed + kept * (a + kept * b),
        kept,
        iterations,
    })
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

use libm::{exp, log1p};

use super::NormalKind;

/// Smallest coefficient of restitution that the damping factors take; less counts as this. χ grows like
/// 1/e, so that e = 0 has no law: a body that shall not bounce is served by the largest damping.
pub const RESTITUTION_MIN: f64 = 0.01;

/// Damping factor χ(e) of the laws F = K δⁿ (1 + χ δ̇/δ̇⁻); `None` for laws outside the family.
///
/// | law | χ(e) |
/// |---|---|
/// | none | 0 |
/// | Hunt & Crossley 1975 | 3(1−e)/2 |
/// | Lankarani & Nikravesh 1990 | 3(1−e²)/4 |
/// | Herbert & McWhannell 1977 | 6(1−e)/((2e−1)²+3) |
/// | Lee & Wang 1983 | 3(1−e)/4 |
/// | Gonthier et al. 2004 | (1−e²)/e |
/// | Zhiying & Qishao 2006 | 3/4 (1−e²) exp(2(1−e)) |
/// | Flores et al. 2011 | 8(1−e)/(5e) |
/// | Hu & Guo 2015 | 3(1−e)/(2e) |
/// | exact | root of χ(1+e) = ln((1+χ)/(1−χe)) |
pub fn damping_factor(kind: NormalKind, restitution: f64) -> Option<f64> {
    let e = restitution.max(RESTITUTION_MIN);
    Some(match kind {
        NormalKind::None => 0.0,
        NormalKind::HuntCrossley => 1.5 * (1.0 - restitution),
        NormalKind::LankaraniNikravesh => 0.75 * (1.0 - restitution * restitution),
        NormalKind::HerbertMcWhannell => {
            let s = 2.0 * restitution - 1.0;
            6.0 * (1.0 - restitution) / (s * s + 3.0)
        }
        NormalKind::LeeWang => 0.75 * (1.0 - restitution),
        NormalKind::Gonthier => (1.0 - e * e) / e,
        NormalKind::ZhiyingQishao => {
            0.75 * (1.0 - restitution * restitution) * exp(2.0 * (1.0 - restitution))
        }
        NormalKind::Flores => 1.6 * (1.0 - e) / e,
        NormalKind::HuGuo => 1.5 * (1.0 - e) / e,
        NormalKind::Exact => exact(e),
        NormalKind::Anagnostopoulos | NormalKind::ElasticResponse => return None,
    })
}

/// Does the factor of a law grow like 1/e?
pub(super) fn needs_minimum(kind: NormalKind) -> bool {
    matches!(
        kind,
        NormalKind::Exact
            | NormalKind::Gonthier
            | NormalKind::Flores
            | NormalKind::HuGuo
            | NormalKind::Anagnostopoulos
    )
}

/// What the momentum balance of the family leaves unbalanced: χ(1+e) − ln(1+χ) + ln(1−χe), zero where a
/// contact with factor χ returns e. It follows from m v dv = −K δⁿ (1 + χ v/v⁻) dδ, whatever n: with
/// x = v/v⁻, ∫ from −e to 1 of x/(1+χx) dx = 0.
pub(super) fn imbalance(chi: f64, e: f64) -> f64 {
    chi * (1.0 + e) - log1p(chi) + log1p(-chi * e)
}

/// Root χ > 0 of the balance for given e.
fn exact(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    // Below it 1 − χe is under one unit in the last place.
    if e < 0.025 {
        return 1.0 / e;
    }
    // For small 1 − e the balance is χ²/2·(e²−1)·… and cancels; its series gives the root to third order.
    let series = 1.5 * (1.0 - e) / (1.0 - e + e * e);
    if series < 1e-4 {
        return series;
    }
    // The balance is positive between the trivial root χ = 0 and the wanted one, which the series never
    // doubles, and falls to −∞ at χ = 1/e: bisection cannot fail.
    let (mut low, mut high) = (0.5 * series, 1.0 / e);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if imbalance(middle, e) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_vanish_for_elastic_impact_and_grow_with_loss() {
        for kind in NormalKind::ALL {
            let Some(one) = damping_factor(kind, 1.0) else { continue };
            assert!(one.abs() < 1e-12, "{}", kind.name());
            if kind != NormalKind::None {
                assert!(damping_factor(kind, 0.3).unwrap() > damping_factor(kind, 0.6).unwrap());
            }
            assert!(damping_factor(kind, 0.0).unwrap().is_finite());
        }
    }

    #[test]
    fn exact_root_is_not_the_trivial_one() {
        for e in [0.01, 0.024, 0.026, 0.05, 0.3, 0.7, 0.95, 0.999, 0.99999] {
            let chi = damping_factor(NormalKind::Exact, e).unwrap();
            assert!(chi > 0.0 && chi <= 1.0 / e);
            // ln(1 − χe) is steep near χe = 1 and flat near χ = 0: compare the root, not the balance.
            let series = 1.5 * (1.0 - e) / (1.0 - e + e * e);
            if e > 0.9 {
                assert!((chi / series - 1.0).abs() < 2.0 * (1.0 - e), "{e}: {chi} {series}");
            }
        }
    }
}

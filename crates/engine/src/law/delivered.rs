//! Restitution that the laws deliver, as against the one that they are given.

use std::fmt::Write;

use super::damping_factor::imbalance;
use super::{NormalKind, damping_factor, damping_ratio, kelvin_voigt};

/// Coefficient of restitution that a contact F = K δⁿ (1 + χ δ̇/δ̇⁻) returns when nothing else acts: the root
/// e of χ(1+e) = ln((1+χ)/(1−χe)), whatever K and n.
pub fn delivered_restitution(chi: f64) -> f64 {
    // Near χ = 0 the balance cancels: e = 1 − 2χ/3 + 4χ²/9 − …
    if chi < 1e-5 {
        return 1.0 - 2.0 * chi / 3.0;
    }
    // The balance falls with e from a positive value at e = 0 to −∞ at e = 1/χ.
    let (mut low, mut high) = (0.0, (1.0 / chi).min(1.0));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if imbalance(chi, middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Restitution values of the documentation's table.
const ASKED: [f64; 8] = [0.01, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0];

/// The documentation's table of delivered restitution, one row a law.
pub fn restitution_table_markdown() -> String {
    let mut text = String::from("| law \\ asked |");
    for e in ASKED {
        let _ = write!(text, " {e} |");
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(ASKED.len()));
    text.push('\n');
    for kind in NormalKind::ALL {
        let _ = write!(text, "| `{}` |", kind.name());
        for e in ASKED {
            let delivered = match kind {
                NormalKind::Anagnostopoulos => kelvin_voigt::restitution(damping_ratio(e)),
                // Its factor is that of Flores, limited by d_max at low speed only.
                NormalKind::ElasticResponse => delivered_restitution(1.6 * (1.0 - e) / e),
                _ => damping_factor(kind, e).map_or(f64::NAN, delivered_restitution),
            };
            let _ = write!(text, " {delivered:.3} |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // docs/laws.md: for e = 0.5 Hunt–Crossley returns 0.663 and Lankarani–Nikravesh 0.725.
        let out = |kind| delivered_restitution(damping_factor(kind, 0.5).unwrap());
        assert!((out(NormalKind::HuntCrossley) - 0.663).abs() < 5e-4);
        assert!((out(NormalKind::LankaraniNikravesh) - 0.725).abs() < 5e-4);
    }

    #[test]
    fn exact_delivers_what_was_asked() {
        for i in 1..=100 {
            let e = f64::from(i) / 100.0;
            let chi = damping_factor(NormalKind::Exact, e).unwrap();
            assert!((delivered_restitution(chi) - e).abs() < 1e-9, "{e}");
        }
    }

    #[test]
    fn documentation_has_this_table() {
        let page = include_str!("../../../../docs/laws.md");
        assert!(
            page.contains(&restitution_table_markdown()),
            "replace by:\n{}",
            restitution_table_markdown()
        );
    }
}

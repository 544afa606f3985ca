//! Located peaks of contacts as points of charts.

use std::collections::HashSet;

use carom_results::{Episode, PeakAt, RunData};

use crate::chart::Dots;

/// Peaks of a quantity of a contact line or pair, in the order of their times: those of each episode of its contacts, and the
/// greatest sum of forces where several contacts make it. None for other quantities.
pub(crate) fn peaks(data: &RunData, episodes: &[Episode], owner: &str, quantity: &str) -> Vec<(f64, f64)> {
    let of: fn(&Episode) -> PeakAt = match quantity {
        "fn" => |e| e.force,
        "penetration" => |e| e.penetration,
        "pressure" => |e| e.pressure,
        _ => return Vec::new(),
    };
    let scene = data.scene();
    let indices = scene.pairs_of(owner);
    let pairs: HashSet<&str> = indices.iter().map(|&p| scene.pairs[p].name.as_str()).collect();
    let of_owner = episodes.iter().filter(|e| pairs.contains(e.pair.as_str())).map(of);
    let mut peaks: Vec<(f64, f64)> =
        of_owner.filter(|peak| peak.value > 0.0).map(|peak| (peak.time, peak.value)).collect();
    if quantity == "fn" {
        let m = data.manifest();
        let line = m.lines.iter().find(|line| line.name == owner && indices.len() > 1);
        let pair = indices.first().and_then(|&pair| m.totals.get(pair));
        let sum = line.map(|l| (l.max_fn_time_s, l.max_fn_n));
        let sum = sum.or(pair.map(|t| (t.max_fn_time_s, t.max_fn_n)));
        peaks.extend(sum.filter(|sum| sum.1 > 0.0 && !peaks.contains(sum)));
    }
    peaks.sort_by(|a, b| a.0.total_cmp(&b.0));
    peaks
}

/// Peaks as points of a curve.
pub(crate) fn peak_dots(line: usize, peaks: &[(f64, f64)]) -> Dots {
    let (x, y) = peaks.iter().copied().unzip();
    Dots { line, x, y }
}

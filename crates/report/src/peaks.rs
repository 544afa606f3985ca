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

/// Parts of the time, about a pixel each, of which the greatest peak is drawn.
const PARTS: f64 = 600.0;

/// Peaks as points of a curve; of many within a pixel the greatest.
pub(crate) fn peak_dots(line: usize, peaks: &[(f64, f64)]) -> Dots {
    let (first, last) = (peaks.first().map_or(0.0, |p| p.0), peaks.last().map_or(0.0, |p| p.0));
    let part = |time: f64| if last > first { ((time - first) / (last - first) * PARTS) as u32 } else { 0 };
    let greatest = peaks.chunk_by(|a, b| part(a.0) == part(b.0)).filter_map(|peaks| {
        // Not a number is greatest, so that it cannot hide.
        peaks.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
    });
    let (x, y) = greatest.unzip();
    Dots { line, x, y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_peak_of_each_pixel_is_drawn() {
        let peaks: Vec<(f64, f64)> =
            (0..100_000).map(|i| (f64::from(i), f64::from(i * 7919 % 1000))).collect();
        let dots = peak_dots(0, &peaks);
        assert!(dots.x.len() <= 601 && dots.x.is_sorted());
        // The last peak has a part of its own.
        assert!(dots.y[..600].iter().all(|&y| y > 900.0), "each pixel has 166 peaks, one of them high");
        assert_eq!(peak_dots(0, &peaks[..100]).x.len(), 100, "few are drawn one and all");
        assert_eq!(peak_dots(0, &peaks[..1]).y, [0.0]);
    }
}

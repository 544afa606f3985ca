//! Located peaks of contacts as points of charts.

use std::collections::HashMap;

use carom_results::{Episode, Error, PeakAt, RunData};

use crate::chart::Dots;

type PeakOf = fn(&Episode) -> PeakAt;

/// Quantities that have located peaks.
const QUANTITIES: [(&str, PeakOf); 3] =
    [("fn", |e| e.force), ("penetration", |e| e.penetration), ("pressure", |e| e.pressure)];

/// Peaks of a curve that wait before those of many within a pixel are left out.
const MOST: usize = 16_384;

/// Located peaks of contact lines and pairs, in the order of their times.
pub(crate) struct Peaks {
    /// By owner, each quantity's.
    of: HashMap<String, [Vec<(f64, f64)>; QUANTITIES.len()]>,
}

impl Peaks {
    /// Peaks of each episode of the contacts of `owners`, and the greatest sum of forces where several contacts make it.
    pub(crate) fn of<'a>(data: &RunData, owners: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let mut of: HashMap<String, [Vec<(f64, f64)>; QUANTITIES.len()]> =
            owners.into_iter().map(|owner| (owner.to_owned(), Default::default())).collect();
        let scene = data.scene();
        let mut owners_of: HashMap<&str, Vec<String>> = HashMap::new();
        for owner in of.keys() {
            for pair in scene.pairs_of(owner) {
                owners_of.entry(&scene.pairs[pair].name).or_default().push(owner.clone());
            }
        }
        data.for_each_episode(&mut |episode| {
            for owner in owners_of.get(episode.pair.as_str()).into_iter().flatten() {
                let Some(peaks) = of.get_mut(owner) else { continue };
                for (peaks, (_, of)) in peaks.iter_mut().zip(QUANTITIES) {
                    let PeakAt { value, time } = of(&episode);
                    if value > 0.0 {
                        peaks.push((time, value));
                    }
                    if peaks.len() > MOST {
                        *peaks = greatest(peaks, 4.0 * PARTS);
                    }
                }
            }
        })?;
        for (owner, [forces, ..]) in &mut of {
            let sum = greatest_sum(data, owner);
            forces.extend(sum.filter(|sum| sum.1 > 0.0 && !forces.contains(sum)));
        }
        for peaks in of.values_mut().flatten() {
            peaks.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Ok(Self { of })
    }

    /// Those of a quantity of one owner; none for quantities that have none. Of force elements cables alone have episodes: their value is
    /// the tension.
    pub(crate) fn get(&self, owner: &str, quantity: &str) -> &[(f64, f64)] {
        let quantity = if quantity == "value" { "fn" } else { quantity };
        let of = QUANTITIES.iter().position(|(name, _)| *name == quantity);
        of.and_then(|of| Some(self.of.get(owner)?[of].as_slice())).unwrap_or_default()
    }
}

/// Time and size of the greatest sum of normal forces of a line, or of the greatest force of a pair.
fn greatest_sum(data: &RunData, owner: &str) -> Option<(f64, f64)> {
    let m = data.manifest();
    let indices = data.scene().pairs_of(owner);
    let line = m.lines.iter().find(|line| line.name == owner && indices.len() > 1);
    let pair = indices.first().and_then(|&pair| m.totals.get(pair));
    let sum = line.map(|l| (l.max_fn_time_s, l.max_fn_n));
    sum.or(pair.map(|t| (t.max_fn_time_s, t.max_fn_n)))
}

/// Parts of the time, about a pixel each, of which the greatest peak is drawn.
const PARTS: f64 = 600.0;

/// Peaks as points of a curve; of many within a pixel the greatest.
pub(crate) fn peak_dots(line: usize, peaks: &[(f64, f64)]) -> Dots {
    let (x, y) = greatest(peaks, PARTS).into_iter().unzip();
    Dots { line, x, y }
}

/// Of so many parts of the time between the first and the last peak the greatest of each.
fn greatest(peaks: &[(f64, f64)], parts: f64) -> Vec<(f64, f64)> {
    let mut peaks = peaks.to_vec();
    peaks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (peaks.first().map_or(0.0, |p| p.0), peaks.last().map_or(0.0, |p| p.0));
    let part = |time: f64| if last > first { ((time - first) / (last - first) * parts) as u32 } else { 0 };
    // Not a number is greatest, so that it cannot hide.
    let greatest = |peaks: &[(f64, f64)]| peaks.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    peaks.chunk_by(|a, b| part(a.0) == part(b.0)).filter_map(greatest).collect()
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

//! Fewer points without losing what the eye would see: of every column of pixels the first, lowest,
//! highest and last point stay.

/// Points of a curve as unbroken runs, thinned to about four per bucket of the horizontal range.
///
/// Points must be in the order of their abscissae; others are kept as they are.
pub(crate) fn decimate(x: &[f64], y: &[f64], buckets: usize) -> Vec<Vec<(f64, f64)>> {
    let ordered = x.is_sorted();
    runs(x, y).into_iter().map(|run| if ordered { thin(&run, x, buckets) } else { run }).collect()
}

/// Unbroken runs of finite points.
fn runs(x: &[f64], y: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for (&x, &y) in x.iter().zip(y) {
        match runs.last_mut() {
            Some(run) if x.is_finite() && y.is_finite() => run.push((x, y)),
            Some(run) if run.is_empty() => {}
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn thin(run: &[(f64, f64)], all: &[f64], buckets: usize) -> Vec<(f64, f64)> {
    let (Some(&low), Some(&high)) = (all.first(), all.last()) else { return run.to_vec() };
    if run.len() <= 4 * buckets || high <= low {
        return run.to_vec();
    }
    let bucket = |x: f64| ((x - low) / (high - low) * buckets as f64) as usize;
    let mut kept = Vec::with_capacity(4 * buckets);
    for column in run.chunk_by(|a, b| bucket(a.0) == bucket(b.0)) {
        let by_height = |a: &(usize, &(f64, f64)), b: &(usize, &(f64, f64))| a.1.1.total_cmp(&b.1.1);
        let indexed = || column.iter().enumerate();
        let lowest = indexed().min_by(by_height).map_or(0, |(i, _)| i);
        let highest = indexed().max_by(by_height).map_or(0, |(i, _)| i);
        let mut indices = [0, lowest, highest, column.len() - 1];
        indices.sort_unstable();
        for (k, &i) in indices.iter().enumerate() {
            if k == 0 || i != indices[k - 1] {
                kept.push(column[i]);
            }
        }
    }
    kept
}

/// Leaves out points that lie within `tolerance` (an ordinate) of the straight line between those that
/// stay. Points that are not in the order of their abscissae are kept.
pub(crate) fn straighten(points: Vec<(f64, f64)>, tolerance: f64) -> Vec<(f64, f64)> {
    if points.len() < 3 || !points.is_sorted_by(|a, b| a.0 < b.0) {
        return points;
    }
    let mut kept = vec![points[0]];
    let mut anchor = points[0];
    // Slopes from the anchor that pass all points since within the tolerance.
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for pair in points.windows(2) {
        let [before, point] = [pair[0], pair[1]];
        let slope = |p: (f64, f64), off: f64| (p.1 + off - anchor.1) / (p.0 - anchor.0);
        if before != anchor {
            least = least.max(slope(before, -tolerance));
            most = most.min(slope(before, tolerance));
        }
        if !(least..=most).contains(&slope(point, 0.0)) {
            kept.push(before);
            anchor = before;
            (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        }
    }
    kept.extend(points.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_ends_stay() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y: Vec<f64> = x.iter().map(|x| (x * 0.01).sin()).collect();
        y[54_321] = 7.0;
        y[54_322] = -9.0;
        let thinned = decimate(&x, &y, 500);
        assert_eq!(thinned.len(), 1);
        let points = &thinned[0];
        assert!(points.len() <= 2004);
        assert!(points.contains(&(54_321.0, 7.0)) && points.contains(&(54_322.0, -9.0)));
        assert_eq!((points[0].0, points[points.len() - 1].0), (0.0, 99_999.0));
        assert!(points.is_sorted_by_key(|p| p.0));
        for column in x.chunks(200) {
            let extreme = |f: fn(f64, f64) -> f64| column.iter().map(|x| y[*x as usize]).reduce(f);
            let in_column = points.iter().filter(|p| column.contains(&p.0)).map(|p| p.1);
            assert_eq!(in_column.clone().reduce(f64::max), extreme(f64::max));
            assert_eq!(in_column.reduce(f64::min), extreme(f64::min));
        }
    }

    #[test]
    fn straight_parts_need_their_ends_only() {
        let x = || (0..1000).map(|i| 0.01 * f64::from(i));
        let zigzag: Vec<_> = x().map(|t| (t, (t - 5.0).abs())).collect();
        let kept = straighten(zigzag, 1e-9);
        assert_eq!(kept.len(), 3, "{kept:?}");
        assert_eq!(kept[1], (5.0, 0.0));
        let wave: Vec<_> = x().map(|t| (t, t.sin())).collect();
        let kept = straighten(wave.clone(), 1e-3);
        assert!(kept.len() < 100);
        for (t, y) in wave {
            let k = kept.partition_point(|p| p.0 < t).max(1);
            let [a, b] = [kept[k - 1], kept[k]];
            let drawn = a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0);
            assert!((drawn - y).abs() <= 1.0001e-3);
        }
        let back_and_forth = vec![(0.0, 0.0), (1.0, 0.0), (0.5, 0.0)];
        assert_eq!(straighten(back_and_forth.clone(), 1.0), back_and_forth);
    }

    #[test]
    fn few_points_are_left_alone() {
        let x = [0.0, 1.0, 2.0];
        assert_eq!(decimate(&x, &x, 100), [vec![(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]]);
    }

    #[test]
    fn gaps_break_the_curve() {
        let y = [f64::NAN, 1.0, 2.0, f64::INFINITY, f64::NAN, 3.0];
        let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(decimate(&x, &y, 100), [vec![(1.0, 1.0), (2.0, 2.0)], vec![(5.0, 3.0)]]);
        assert!(decimate(&[], &[], 10).is_empty());
    }
}

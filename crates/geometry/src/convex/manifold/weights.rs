use crate::convex::core::length;

/// Sine of the turn of the border from which on a corner is one of its own.
const SHARP: f64 = 1e-3;

/// Weights of the corners of a polygon, in order around it, with gaps: the length of the border that has gap < 0,
/// half of each side's to either end (m). Corners with gap ≥ 0 weigh nothing. Deep corners without border, all at one place,
/// weigh 1 each if they are all that there is.
///
/// Where sides of two faces lie along each other, as those of equal boxes one on the other, they cross at a place that rounding decides. A corner
/// where the border hardly turns therefore takes its share as far as it turns: of a straight side the two ends have all.
pub(super) fn weigh(corners: &[[f64; 2]], gaps: &[f64], single: bool, weights: &mut Vec<f64>) {
    weights.clear();
    weights.resize(corners.len(), 0.0);
    let count = corners.len();
    let turn = |k: usize| turn_at(corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]);
    let mut weigh_side = |from: usize, to: usize, share: f64| {
        let length = length(corners[to][0] - corners[from][0], corners[to][1] - corners[from][1]);
        let half = 0.5 * share * length;
        match (gaps[from] < 0.0, gaps[to] < 0.0) {
            (true, true) => {
                weights[from] += half;
                weights[to] += half;
            }
            (true, false) => weights[from] += half * gaps[from] / (gaps[from] - gaps[to]),
            (false, true) => weights[to] += half * gaps[to] / (gaps[to] - gaps[from]),
            (false, false) => {}
        }
    };
    let is_sharp = |k: usize| turn(k) >= SHARP * SHARP;
    let first = (0..count).find(|&k| is_sharp(k)).unwrap_or(0);
    let mut start = first;
    while start < first + count {
        // The side to the next corner of its own, and how much those between are corners.
        let (mut end, mut most) = (start + 1, 0.0_f64);
        while end < first + count && !is_sharp(end % count) {
            most = most.max(turn(end % count).sqrt() / SHARP);
            end += 1;
        }
        if most > 0.0 {
            (start..end).for_each(|k| weigh_side(k % count, (k + 1) % count, most));
        }
        weigh_side(start % count, end % count, 1.0 - most);
        start = end;
    }
    if single && weights.iter().all(|weight| *weight == 0.0) {
        for (weight, gap) in weights.iter_mut().zip(gaps) {
            *weight = if *gap < 0.0 { 1.0 } else { 0.0 };
        }
    }
}

/// Squared sine of the angle by which a border turns at a corner, 1 from a right angle on, and where the corner is at one before or after it.
fn turn_at(before: [f64; 2], at: [f64; 2], after: [f64; 2]) -> f64 {
    let (u, v) = ([at[0] - before[0], at[1] - before[1]], [after[0] - at[0], after[1] - at[1]]);
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let across = u[0] * v[1] - u[1] * v[0];
    if dot(u, v) > 0.0 { across * across / (dot(u, u) * dot(v, v)) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::weigh as weigh_raw;

    /// Weights of a contact of one face.
    fn weigh(corners: &[[f64; 2]], gaps: &[f64], weights: &mut Vec<f64>) {
        weigh_raw(corners, gaps, true, weights);
        let whole: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= whole);
    }

    #[test]
    fn a_corner_that_is_cut_off_shares_its_weight() {
        let mut weights = Vec::new();
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        weigh(&square, &[-1.0; 4], &mut weights);
        assert_eq!(weights, [0.25; 4]);
        let cut = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0 - 1e-9], [1.0 - 1e-9, 1.0], [0.0, 1.0]];
        weigh(&cut, &[-1.0; 5], &mut weights);
        assert!((weights[2] + weights[3] - 0.25).abs() < 1e-9);
    }

    /// Where two sides that lie along each other cross is chance: it moves no force, and the weights change no faster than the angle at which they do.
    #[test]
    fn a_corner_on_a_straight_side_weighs_nothing() {
        let (mut weights, mut straight) = (Vec::new(), Vec::new());
        for gaps in [[-1.0; 4], [-1.0, -3.0, -2.0, -1.0], [-1.0, 0.5, 0.5, -1.0]] {
            weigh(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], &gaps, &mut straight);
            for (place, turn) in [(0.1, 0.0), (0.5, 1e-9), (0.9, 1e-6)] {
                let corners = [[0.0, 0.0], [place, -turn * place], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
                let between = gaps[0] + place * (gaps[1] - gaps[0]);
                weigh(&corners, &[gaps[0], between, gaps[1], gaps[2], gaps[3]], &mut weights);
                let crossing = weights.remove(1);
                let off =
                    weights.iter().zip(&straight).map(|(own, of)| (own - of).abs()).fold(crossing, f64::max);
                // The border turns there by up to ten times as much, over SHARP, of the weight.
                assert!(off <= 1e-15 + 1e4 * turn, "{off:e} at {place}, {gaps:?}");
            }
        }
    }

    #[test]
    fn a_corner_that_leaves_loses_its_weight_without_a_jump() {
        let mut weights = Vec::new();
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        weigh(&square, &[-1.0, -1.0, 1e-12, 1e-12], &mut weights);
        let beyond = weights.clone();
        weigh(&square, &[-1.0, -1.0, -1e-12, -1e-12], &mut weights);
        // The others keep their ratio; what leaves has no depth and so no force.
        assert!((weights[0] / weights[1] - beyond[0] / beyond[1]).abs() < 1e-9);
        weigh(&square, &[-1.0, 3.0, 3.0, 3.0], &mut weights);
        assert_eq!(weights, [1.0, 0.0, 0.0, 0.0]);
    }
}

use crate::convex::core::length;

/// Weights of the corners of a polygon, in order around it, with gaps: the length of the border that has gap < 0,
/// half of each side's to either end (m). Corners with gap ≥ 0 weigh nothing. Deep corners without border, all at one place,
/// weigh 1 each if they are all that there is.
pub(super) fn weigh(corners: &[[f64; 2]], gaps: &[f64], single: bool, weights: &mut Vec<f64>) {
    weights.clear();
    weights.resize(corners.len(), 0.0);
    for k in 0..corners.len() {
        let next = (k + 1) % corners.len();
        let length = length(corners[next][0] - corners[k][0], corners[next][1] - corners[k][1]);
        match (gaps[k] < 0.0, gaps[next] < 0.0) {
            (true, true) => {
                weights[k] += 0.5 * length;
                weights[next] += 0.5 * length;
            }
            (true, false) => weights[k] += 0.5 * length * gaps[k] / (gaps[k] - gaps[next]),
            (false, true) => weights[next] += 0.5 * length * gaps[next] / (gaps[next] - gaps[k]),
            (false, false) => {}
        }
    }
    if single && weights.iter().all(|weight| *weight == 0.0) {
        for (weight, gap) in weights.iter_mut().zip(gaps) {
            *weight = if *gap < 0.0 { 1.0 } else { 0.0 };
        }
    }
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

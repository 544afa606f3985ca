//! What the inputs of a study do to its results, from its runs alone.

use carom_report::{Influence, ResultInfluences};
use carom_solvers::PivotedCholesky;

/// Points of a sample below which classes of its values say nothing.
const FEW: usize = 32;

/// An input with its value in each run.
pub(crate) struct Input {
    /// Values; of words numbers, equal ones for equal words.
    pub values: Vec<f64>,
    /// Are the values numbers?
    pub is_numeric: bool,
    /// How its effect may be told from those of the others by classes of its values.
    pub classes: Classes,
}

/// Runs that have an input in common, while the other inputs go through all that they go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Classes {
    /// Those of one value: it comes with every value of every other input.
    OfValues,
    /// Those of neighbouring values among so many points of a sample.
    OfNeighbours(usize),
    /// None: it goes along with another input.
    None,
}

/// What each input does to a result, of which runs without value are left out.
pub(crate) fn influences(inputs: &[Input], result: &[f64]) -> ResultInfluences {
    let there: Vec<usize> = (0..result.len()).filter(|&run| result[run].is_finite()).collect();
    let of = |values: &[f64]| there.iter().map(|&run| values[run]).collect::<Vec<_>>();
    let (y, columns) = (of(result), inputs.iter().map(|input| of(&input.values)).collect::<Vec<_>>());
    let varies: Vec<usize> =
        (0..inputs.len()).filter(|&k| inputs[k].is_numeric && scaled(&columns[k]).is_some()).collect();
    let fit = regression(&varies.iter().map(|&k| columns[k].as_slice()).collect::<Vec<_>>(), &y);
    let told = inputs.iter().zip(&columns).enumerate().map(|(k, (input, x))| Influence {
        regression: fit.as_ref().and_then(|(b, _)| Some(b[varies.iter().position(|&other| other == k)?])),
        rank: if input.is_numeric { correlation(&ranks(x), &ranks(&y)) } else { None },
        first_order: first_order(x, &y, input.classes),
    });
    ResultInfluences {
        runs: y.len(),
        explained: fit.as_ref().map(|(_, share)| *share),
        inputs: told.collect(),
    }
}

/// Values with mean 0 and squares that add up to 1; none of values that are all the same.
fn scaled(values: &[f64]) -> Option<Vec<f64>> {
    const ROUNDING: f64 = 1e-12;
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let norm = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>().sqrt();
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let is_flat = norm <= ROUNDING * largest * (values.len() as f64).sqrt();
    (!is_flat).then(|| values.iter().map(|v| (v - mean) / norm).collect())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    Some(dot(&scaled(x)?, &scaled(y)?))
}

/// Coefficients of the linear fit in units of standard deviations, and the share of the variance that it explains: R b = r with the
/// correlations R among the inputs and r with the result. None where inputs cannot be told apart, or runs are too few.
fn regression(inputs: &[&[f64]], result: &[f64]) -> Option<(Vec<f64>, f64)> {
    /// Inputs that are so nearly combinations of others share coefficients that mean nothing.
    const APART: f64 = 1e-6;
    let n = inputs.len();
    if n == 0 || result.len() < n + 2 {
        return None;
    }
    let y = scaled(result)?;
    let x = inputs.iter().map(|values| scaled(values)).collect::<Option<Vec<_>>>()?;
    let correlations: Vec<f64> = x.iter().flat_map(|a| x.iter().map(|b| dot(a, b))).collect();
    let with_result: Vec<f64> = x.iter().map(|a| dot(a, &y)).collect();
    let mut factor = PivotedCholesky::with_room(n);
    factor.factor(&correlations, n, None, 0.0);
    if factor.rank() < n || factor.smallest_pivot() < APART {
        return None;
    }
    let mut coefficients = vec![0.0; n];
    factor.solve(&with_result, &mut coefficients);
    let explained = dot(&coefficients, &with_result);
    Some((coefficients, explained))
}

/// Ranks from 0; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for run in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = first as f64 + 0.5 * (run.len() - 1) as f64;
        run.iter().for_each(|&index| ranks[index] = mean);
        first += run.len();
    }
    ranks
}

/// First-order index Var(E(y|x)) / Var(y), from the variance within M classes of x among n runs, less what chance puts between the
/// classes: 1 − (n − 1)/(n − M) · within/total (Kelley 1935; from given data: Plischke, Borgonovo and Smith 2013).
fn first_order(x: &[f64], y: &[f64], classes: Classes) -> Option<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let of_values: Vec<&[usize]> = order.chunk_by(|&a, &b| x[a] == x[b]).collect();
    let groups: Vec<Vec<usize>> = match classes {
        Classes::None => return None,
        Classes::OfValues => of_values.iter().map(|group| group.to_vec()).collect(),
        Classes::OfNeighbours(points) if points < FEW => return None,
        Classes::OfNeighbours(_) => {
            // Runs of one point of the sample stay together.
            let wanted = of_values.len().isqrt();
            of_values.chunks(of_values.len().div_ceil(wanted.max(1))).map(|chunk| chunk.concat()).collect()
        }
    };
    let (n, m) = (y.len(), groups.len());
    if m < 2 || n < 2 * m {
        return None;
    }
    let about_mean = |runs: &mut dyn Iterator<Item = f64>| {
        let values: Vec<f64> = runs.collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    scaled(y)?;
    let total = about_mean(&mut y.iter().copied());
    let within: f64 = groups.iter().map(|group| about_mean(&mut group.iter().map(|&run| y[run]))).sum();
    Some((1.0 - (n - 1) as f64 / (n - m) as f64 * within / total).max(0.0))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn drawn(values: Vec<f64>) -> Input {
        let classes = Classes::OfNeighbours(values.len());
        Input { values, is_numeric: true, classes }
    }

    /// Points of the unit cube with little structure: multiples of the roots of x⁴ = x + 1 (Roberts), which are no sample of ours.
    fn points(count: usize) -> Vec<[f64; 3]> {
        const STEP: f64 = 0.819_172_513_396_164_4;
        let steps = [STEP, STEP.powi(2), STEP.powi(3)];
        (0..count).map(|k| steps.map(|step| (0.5 + step * k as f64).fract())).collect()
    }

    /// Ishigami and Homma (1990), y = sin a + 7 sin² b + 0.1 c⁴ sin a: indices 0.3139, 0.4424, 0 in closed form.
    #[test]
    fn first_order_indices_are_those_in_closed_form() {
        let cube: Vec<[f64; 3]> = points(4096).iter().map(|p| p.map(|u| PI * (2.0 * u - 1.0))).collect();
        let y: Vec<f64> = cube
            .iter()
            .map(|[a, b, c]| a.sin() + 7.0 * b.sin().powi(2) + 0.1 * c.powi(4) * a.sin())
            .collect();
        let inputs: Vec<Input> = (0..3).map(|k| drawn(cube.iter().map(|p| p[k]).collect())).collect();
        let told = influences(&inputs, &y);
        let v1 = 0.5 * (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2);
        let total = 0.5 + 49.0 / 8.0 + 0.1 * PI.powi(4) / 5.0 + 0.01 * PI.powi(8) / 18.0;
        for (input, exact) in told.inputs.iter().zip([v1 / total, 49.0 / 8.0 / total, 0.0]) {
            // Sixty-four classes of sixty-four runs: each mean is off by an eighth of the deviation, their variance by some 2%.
            let found = input.first_order.unwrap();
            assert!((found - exact).abs() < 0.02, "{found} for {exact}");
        }
    }

    #[test]
    fn a_line_has_the_coefficients_of_its_slopes_and_explains_all() {
        let cube = points(200);
        let inputs: Vec<Input> = (0..3).map(|k| drawn(cube.iter().map(|p| p[k]).collect())).collect();
        let y: Vec<f64> = cube.iter().map(|[a, b, _]| 5.0 + 3.0 * a - 0.5 * b).collect();
        let told = influences(&inputs, &y);
        assert!((told.explained.unwrap() - 1.0).abs() < 1e-12);
        let deviation = |values: &mut dyn Iterator<Item = f64>| {
            let all: Vec<f64> = values.collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            all.iter().map(|v| (v - mean).powi(2)).sum::<f64>().sqrt()
        };
        let of_y = deviation(&mut y.iter().copied());
        for (k, slope) in [3.0, -0.5, 0.0].into_iter().enumerate() {
            let exact = slope * deviation(&mut cube.iter().map(|p| p[k])) / of_y;
            assert!((told.inputs[k].regression.unwrap() - exact).abs() < 1e-12);
        }
    }

    #[test]
    fn what_grows_has_rank_one_whatever_its_shape_and_equal_values_share_their_rank() {
        let x: Vec<f64> = (0..20).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| x.exp()).collect();
        assert!((correlation(&ranks(&x), &ranks(&y)).unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
    }

    /// Full factorial: y = 2 a + w(b), where b is a word; the shares are those of the analysis of variance.
    #[test]
    fn words_of_a_product_have_their_share_of_the_variance() {
        let (mut a, mut b, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for level in 0..5 {
            for (word, effect) in [1.0, 4.0, -2.0].into_iter().enumerate() {
                a.push(f64::from(level));
                b.push(word as f64);
                y.push(2.0 * f64::from(level) + effect);
            }
        }
        let input = |values, is_numeric| Input { values, is_numeric, classes: Classes::OfValues };
        let told = influences(&[input(a, true), input(b, false)], &y);
        // Variances 4 · 2 of a (levels 0 to 4) and 6 of the words (1, 4, −2 about 1).
        let corrected = |share: f64, classes: f64| 1.0 - 14.0 / (15.0 - classes) * (1.0 - share);
        assert!((told.inputs[0].first_order.unwrap() - corrected(8.0 / 14.0, 5.0)).abs() < 1e-12);
        assert!((told.inputs[1].first_order.unwrap() - corrected(6.0 / 14.0, 3.0)).abs() < 1e-12);
        assert_eq!((told.inputs[1].regression, told.inputs[1].rank), (None, None));
    }

    #[test]
    fn what_runs_do_not_tell_is_not_told() {
        let x: Vec<f64> = (0..40).map(f64::from).collect();
        let twice: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let along =
            |values: &[f64]| Input { values: values.to_vec(), is_numeric: true, classes: Classes::None };
        let told = influences(&[along(&x), along(&twice)], &x);
        assert!(told.explained.is_none(), "they go along with each other");
        assert!(told.inputs.iter().all(|i| i.regression.is_none() && i.first_order.is_none()));
        let flat = influences(&[along(&x)], &[9.81; 40]);
        assert_eq!(flat.inputs[0], Influence::default(), "nothing comes of it");
        let mut some = x.clone();
        some[7] = f64::NAN;
        assert_eq!(influences(&[along(&x)], &some).runs, 39);
    }
}

use super::{Failure, Lcp, Solution, TOLERANCE};
use crate::lu::Lu;
use crate::scalar::REAL;

/// Most unknowns that [`enumerate`] takes: 65 536 bases.
pub const MAX_ENUMERATED: usize = 16;

/// All solutions at complementary bases that are not singular, each once, in the order of the bases. A problem whose every such basis fails
/// may still have solutions at singular ones.
pub fn enumerate(lcp: &Lcp) -> Result<Vec<Solution>, Failure> {
    let n = lcp.n;
    if n > MAX_ENUMERATED {
        return Err(Failure::Unsuited);
    }
    let mut lu = Lu::<REAL>::default();
    let (mut solutions, mut x): (Vec<Solution>, _) = (Vec::new(), vec![0.0; n]);
    for basis in 0..1_usize << n {
        let set: Vec<usize> = (0..n).filter(|i| basis >> i & 1 == 1).collect();
        lu.resize(set.len());
        let block = set.iter().flat_map(|&i| set.iter().map(move |&j| lcp.matrix[n * i + j]));
        lu.matrix[0].iter_mut().zip(block).for_each(|(to, from)| *to = from);
        if !lu.factor() {
            continue;
        }
        let mut values: Vec<f64> = set.iter().map(|&i| -lcp.offset[i]).collect();
        lu.solve([&mut values]);
        x.fill(0.0);
        set.iter().zip(&values).for_each(|(&i, &value)| x[i] = value);
        if x.iter().any(|&x| x < -TOLERANCE) {
            continue;
        }
        x.iter_mut().for_each(|x| *x = x.max(0.0));
        if let Ok(solution) = lcp.solution(&x, basis + 1)
            && !solutions.iter().any(|other| is_same(lcp, &other.x, &x))
        {
            solutions.push(solution);
        }
    }
    if solutions.is_empty() { Err(Failure::NoBasis) } else { Ok(solutions) }
}

/// Are the unknowns `known` those of the scaled `x` up to rounding?
fn is_same(lcp: &Lcp, known: &[f64], x: &[f64]) -> bool {
    let largest = x.iter().fold(1.0_f64, |largest, x| largest.max(*x));
    lcp.scaling.scaled(known).iter().zip(x).all(|(a, b)| (a - b).abs() <= 1e-8 * largest)
}

//! Linear complementarity problems of every class, drawn at random.

use carom_solvers::complementarity::{
    BadProblem, Failure, Lcp, Solution, TOLERANCE, enumerate, lemke, projected_gauss_seidel,
};
use carom_testkit::SplitMix64;

/// Problems of each class.
const DRAWS: usize = 1000;

fn numbers(rng: &mut SplitMix64, count: usize) -> Vec<f64> {
    (0..count).map(|_| rng.uniform(-1.0, 1.0)).collect()
}

/// G Gᵀ of an n × rank matrix G.
fn gram(g: &[f64], n: usize, rank: usize) -> Vec<f64> {
    let element = |k: usize| (0..rank).map(|r| g[rank * (k / n) + r] * g[rank * (k % n) + r]).sum();
    (0..n * n).map(element).collect()
}

fn factors(rng: &mut SplitMix64, n: usize) -> Vec<f64> {
    (0..n).map(|_| 10_f64.powf(rng.uniform(-3.0, 3.0))).collect()
}

/// Units of rows and columns over twelve decades between them, as accelerations and forces are.
fn other_units(rng: &mut SplitMix64, a: &mut [f64], b: &mut [f64]) {
    let rows = factors(rng, b.len());
    let columns = factors(rng, b.len());
    scale(&rows, &columns, a, b);
}

fn scale(rows: &[f64], columns: &[f64], a: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        b[i] *= rows[i];
        (0..n).for_each(|j| a[n * i + j] *= rows[i] * columns[j]);
    }
}

fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// A solution is one by its own residual and by the problem's: not negative, complementary.
fn check(lcp: &Lcp, solution: &Solution) {
    assert!(solution.x.iter().all(|&x| x >= 0.0));
    assert!(solution.residual <= TOLERANCE && (lcp.residual(&solution.x) - solution.residual).abs() <= 1e-14);
}

/// Lemke's answer beside the only one that there is.
fn check_unique(a: Vec<f64>, b: Vec<f64>) {
    let lcp = Lcp::new(a, b).expect("a sound problem");
    let solution = lemke(&lcp, None).expect("P matrices have a solution");
    check(&lcp, &solution);
    if lcp.len() <= 12 {
        let all = enumerate(&lcp).expect("the same");
        assert_eq!(all.len(), 1);
        let largest = all[0].x.iter().fold(0.0_f64, |m, x| m.max(*x));
        let agree = |(x, want): (&f64, &f64)| (x - want).abs() <= 1e-8 * largest;
        assert!(solution.x.iter().zip(&all[0].x).all(agree), "{:?} {:?}", solution.x, all[0].x);
    }
    let warm: Vec<bool> = solution.x.iter().map(|&x| x > 0.0).collect();
    let again = lemke(&lcp, Some(&warm)).expect("from its own basis");
    check(&lcp, &again);
    assert!(again.iterations <= 1, "{}", again.iterations);
}

#[test]
fn positive_definite() {
    let mut rng = SplitMix64::new(1);
    for draw in 0..DRAWS {
        let n = 1 + draw % 30;
        let mut a = gram(&numbers(&mut rng, n * n), n, n);
        (0..n).for_each(|i| a[n * i + i] += 0.1);
        let b = numbers(&mut rng, n);
        let lcp = Lcp::new(a.clone(), b.clone()).expect("a sound problem");
        let swept =
            projected_gauss_seidel(&lcp, &vec![0.0; n], 0.1 * TOLERANCE, 100_000).expect("it converges");
        check(&lcp, &swept);
        check_unique(a, b);
    }
}

/// Triangular matrices with a positive diagonal, in any order of the unknowns, and positive definite ones with a skew part.
#[test]
fn p_matrices() {
    let mut rng = SplitMix64::new(2);
    for draw in 0..DRAWS {
        let n = 1 + draw % 12;
        let mut a = numbers(&mut rng, n * n);
        if draw % 2 == 0 {
            for i in 0..n {
                a[n * i..n * i + i].fill(0.0);
                a[n * i + i] = rng.uniform(0.5, 2.0);
            }
        } else {
            let mut symmetric = gram(&numbers(&mut rng, n * n), n, n);
            for (k, x) in symmetric.iter_mut().enumerate() {
                let (i, j) = (k / n, k % n);
                *x += if i == j { 0.1 } else { a[k] - a[n * j + i] };
            }
            a = symmetric;
        }
        let mut b = numbers(&mut rng, n);
        other_units(&mut rng, &mut a, &mut b);
        check_unique(a, b);
    }
}

/// b = y − A x of complementary x and y, some of them both zero: ties, which make methods without a rule cycle.
#[test]
fn semidefinite_with_a_solution() {
    let mut rng = SplitMix64::new(3);
    for draw in 0..DRAWS {
        let n = 2 + draw % 29;
        let mut a = gram(&numbers(&mut rng, n * n), n, n.div_ceil(2));
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        for i in 0..n {
            match rng.index(3) {
                0 => x[i] = rng.uniform(0.1, 1.0),
                1 => y[i] = rng.uniform(0.1, 1.0),
                _ => {}
            }
        }
        let mut b: Vec<f64> = y.iter().zip(product(&a, &x)).map(|(y, ax)| y - ax).collect();
        other_units(&mut rng, &mut a, &mut b);
        let lcp = Lcp::new(a, b).expect("a sound problem");
        check(&lcp, &lemke(&lcp, None).expect("feasible and semidefinite"));
    }
}

/// With some v > 0 that A v = 0 and bᵀ v < 0: no x has A x + b ≥ 0.
#[test]
fn infeasible_is_proven() {
    let mut rng = SplitMix64::new(4);
    for draw in 0..DRAWS {
        let n = 2 + draw % 29;
        let rank = n / 2;
        let mut g = numbers(&mut rng, n * rank);
        // All columns of G sum to zero: v = 1.
        for r in 0..rank {
            let mean = (0..n).map(|i| g[rank * i + r]).sum::<f64>() / n as f64;
            (0..n).for_each(|i| g[rank * i + r] -= mean);
        }
        let mut a = gram(&g, n, rank);
        let mut b = numbers(&mut rng, n);
        let excess = b.iter().sum::<f64>() / n as f64 + 0.1;
        b.iter_mut().for_each(|b| *b -= excess);
        // Of unknowns and slacks that stay conjugate: the matrix stays semidefinite.
        let units = factors(&mut rng, n);
        scale(&units, &units, &mut a, &mut b);
        let lcp = Lcp::new(a.clone(), b.clone()).expect("a sound problem");
        let Err(Failure::Infeasible { certificate: v }) = lemke(&lcp, None) else {
            panic!("{draw}: {:?}", lemke(&lcp, None));
        };
        // The proof, in the units of the problem: each column against the size of what it sums.
        assert!(v.iter().all(|&v| v >= 0.0));
        assert!(v.iter().zip(&b).map(|(v, b)| v * b).sum::<f64>() < 0.0);
        for j in 0..n {
            let terms = (0..n).map(|i| v[i] * a[n * i + j]);
            let (sum, size) = terms.fold((0.0, 0.0), |(s, m), x| (s + x, m + x.abs()));
            assert!(sum <= 1e-8 * size, "{sum:e} of {size:e}");
        }
    }
}

/// No element negative and the diagonal positive: strictly copositive, always with a solution, often with several.
#[test]
fn copositive() {
    let mut rng = SplitMix64::new(5);
    for draw in 0..DRAWS {
        let n = 1 + draw % 30;
        let mut a: Vec<f64> = numbers(&mut rng, n * n).iter().map(|x| x.max(0.0)).collect();
        (0..n).for_each(|i| a[n * i + i] += 0.1);
        let mut b = numbers(&mut rng, n);
        other_units(&mut rng, &mut a, &mut b);
        let lcp = Lcp::new(a, b).expect("a sound problem");
        let solution = lemke(&lcp, None).expect("strictly copositive");
        check(&lcp, &solution);
        if n <= 8 {
            let all = enumerate(&lcp).expect("at least the same");
            let near = |s: &Solution| {
                s.x.iter().zip(&solution.x).all(|(a, b)| (a - b).abs() <= 1e-7 * (a.abs() + b.abs()) + 1e-12)
            };
            assert!(all.iter().any(near), "{all:?} {solution:?}");
        }
    }
}

/// Any matrix: an answer is a solution, no answer says why, and what cannot be solved has none by enumeration either.
#[test]
fn any_matrix_is_answered_or_reported() {
    let mut rng = SplitMix64::new(6);
    let (mut solved, mut rays, mut none) = (0, 0, 0);
    for draw in 0..DRAWS {
        let n = 1 + draw % 8;
        let (mut a, mut b) = (numbers(&mut rng, n * n), numbers(&mut rng, n));
        other_units(&mut rng, &mut a, &mut b);
        let lcp = Lcp::new(a, b).expect("a sound problem");
        let all = enumerate(&lcp);
        match lemke(&lcp, None) {
            Ok(solution) => {
                check(&lcp, &solution);
                assert!(all.is_ok());
                solved += 1;
            }
            Err(Failure::Infeasible { .. }) => {
                assert_eq!(all, Err(Failure::NoBasis));
                none += 1;
            }
            Err(Failure::Ray { .. }) => rays += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(solved > 300 && rays > 50 && none > 50, "{solved} {rays} {none}");
}

#[test]
fn what_has_no_answer_is_said() {
    assert_eq!(Lcp::new(vec![1.0], vec![1.0, 2.0]).unwrap_err(), BadProblem::Size);
    assert_eq!(Lcp::new(vec![f64::NAN], vec![1.0]).unwrap_err(), BadProblem::NotFinite);
    let empty = Lcp::new(Vec::new(), Vec::new()).expect("nothing to solve for");
    assert!(lemke(&empty, None).expect("at once").x.is_empty());
    let stiff = Lcp::new(vec![1.0, 0.999, 0.999, 1.0], vec![-1.0, -1.1]).expect("a sound problem");
    let few = projected_gauss_seidel(&stiff, &[0.0; 2], TOLERANCE, 2);
    assert!(matches!(few, Err(Failure::Exhausted { iterations: 2, residual }) if residual > TOLERANCE));
    let flat = Lcp::new(vec![0.0], vec![-1.0]).expect("a sound problem");
    assert_eq!(projected_gauss_seidel(&flat, &[0.0], TOLERANCE, 9), Err(Failure::Unsuited));
    assert!(matches!(lemke(&flat, None), Err(Failure::Infeasible { .. })));
    assert_eq!(enumerate(&flat), Err(Failure::NoBasis));
    let large = Lcp::new(vec![0.0; 17 * 17], vec![1.0; 17]).expect("a sound problem");
    assert_eq!(enumerate(&large), Err(Failure::Unsuited));
    // −x + 1 ≥ 0 has x = 0 and x = 1.
    let two = Lcp::new(vec![-1.0], vec![1.0]).expect("a sound problem");
    assert_eq!(enumerate(&two).expect("both").len(), 2);
}

//! Impulses of contacts that depend on each other, shared evenly.

use carom_solvers::friction::{BlockMatrix, FrictionProblem, Options, Solution, Triple};
use carom_testkit::SplitMix64;

/// Rows of contacts over generalised velocities.
type Rows = Vec<[Vec<f64>; 3]>;

/// W = H Hᵀ and q = H v of rows over velocities of unit masses.
fn pose(rows: &Rows, v: &[f64], friction: f64) -> FrictionProblem {
    let n = 3 * rows.len();
    let row = |i: usize| &rows[i / 3][i % 3];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let w: Vec<f64> = (0..n * n).map(|k| dot(row(k / n), row(k % n))).collect();
    let free = rows.iter().map(|rows| rows.each_ref().map(|row| dot(row, v))).collect();
    let delassus = BlockMatrix::from_dense(&w, rows.len());
    FrictionProblem::new(delassus, free, vec![friction; rows.len()]).expect("a sound problem")
}

fn solve(problem: &FrictionProblem) -> Solution {
    problem.solve(None, &Options::default()).expect("a solution")
}

fn spread(problem: &FrictionProblem, solution: &Solution) -> Solution {
    let mut shared = solution.clone();
    problem.spread(&mut shared, &vec![true; problem.len()], &Options::default());
    shared
}

fn norm(impulses: &[Triple]) -> f64 {
    impulses.iter().flatten().map(|r| r * r).sum::<f64>().sqrt()
}

/// Four corners of a pad that a guide lets move along its normal and both tangents alone: the rows are the same four times. Pressed by
/// 2 and pushed along by 0.6 it sticks at μ = 0.5, pushed by 3 it slips; every corner bears a quarter, of friction too.
#[test]
fn corners_of_a_guided_pad_bear_the_same() {
    let unit = |k: usize| (0..3).map(|j| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
    let rows: Rows = (0..4).map(|_| [unit(0), unit(1), unit(2)]).collect();
    for (pushed, friction) in [(0.6, 0.6), (3.0, 1.0)] {
        let problem = pose(&rows, &[-2.0, pushed, 0.0], 0.5);
        let solution = spread(&problem, &solve(&problem));
        for r in &solution.impulses {
            assert!((r[0] - 0.5).abs() < 1e-12 && (r[1] + 0.25 * friction).abs() < 1e-12, "{r:?}");
            assert!(r[2].abs() < 1e-12);
        }
        assert!(solution.residual < 1e-12);
    }
}

/// A guide that holds a pad's turning about one axis alone, its load off the middle: two sides bear what the lever says, each its corners alike. Off the
/// pad altogether only one side bears, and nothing pulls.
#[test]
fn corners_bear_what_the_lever_says() {
    // Velocities: along the normal, and turning about y; corners at x = ±1, each twice.
    let corner = |x: f64| [vec![1.0, -x], vec![0.0, 0.0], vec![0.0, 0.0]];
    let rows: Rows = [1.0, 1.0, -1.0, -1.0].map(corner).into();
    for (place, want) in [(0.0, [0.5, 0.5]), (0.5, [0.75, 0.25]), (1.0, [1.0, 0.0])] {
        let problem = pose(&rows, &[-2.0, 2.0 * place], 0.3);
        let solution = spread(&problem, &solve(&problem));
        let found: Vec<f64> = solution.impulses.iter().map(|r| r[0]).collect();
        let want = [want[0], want[0], want[1], want[1]];
        assert!(found.iter().zip(want).all(|(r, want)| (r - want).abs() < 1e-12), "{place}: {found:?}");
    }
}

/// Random rows of few velocities: impulses stay in their cones, velocities stay, the norm does not grow, nor does it when they are
/// spread again. Contacts that take no part keep theirs to the bit.
#[test]
fn velocities_stay_and_the_norm_does_not_grow() {
    let mut random = SplitMix64::new(7);
    let mut fewer = 0;
    for _ in 0..2000 {
        let (contacts, freedoms) = (2 + random.index(6), 3 + random.index(4));
        let mut row = || (0..freedoms).map(|_| random.uniform(-0.5, 0.5)).collect::<Vec<f64>>();
        let rows: Rows = (0..contacts).map(|_| [row(), row(), row()]).collect();
        // Down onto all contacts at once, more or less, so that most of them bear.
        let v: Vec<f64> = (0..freedoms)
            .map(|k| -rows.iter().map(|r| r[0][k]).sum::<f64>() + 0.3 * random.uniform(-0.5, 0.5))
            .collect();
        let friction = random.uniform(0.0, 1.0);
        let problem = pose(&rows, &v, friction);
        let options = Options { limit: 1e-6, ..Options::default() };
        let Ok(before) = problem.solve(None, &options) else { continue };
        let after = spread(&problem, &before);
        let scale = problem
            .velocities(&vec![[0.0; 3]; contacts])
            .iter()
            .flatten()
            .fold(0.0_f64, |m, u| m.max(u.abs()));
        let moved = after.velocities.iter().flatten().zip(before.velocities.iter().flatten());
        assert!(moved.clone().all(|(a, b)| (a - b).abs() < 1e-9 * scale));
        assert!(after.residual <= before.residual.max(1e-10));
        let (least, first) = (norm(&after.impulses), norm(&before.impulses));
        assert!(least <= first * (1.0 + 1e-9), "{least} for {first}");
        fewer += usize::from(least < 0.999 * first);
        let again = norm(&spread(&problem, &after).impulses);
        assert!(again <= least * (1.0 + 1e-9), "{again} after {least}");
        let mut held = before.clone();
        problem.spread(&mut held, &vec![false; contacts], &options);
        assert_eq!(held, before);
    }
    assert!(fewer > 200, "{fewer}");
}

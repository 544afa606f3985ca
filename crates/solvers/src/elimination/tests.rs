use super::{Elimination, REACH, SHARE};
use crate::lu::Lu;
use crate::reduced_lu::ReducedLu;
use crate::scalar::{COMPLEX, REAL};
use crate::sparse_rows::SparseRows;

/// Numbers in −1..1, the same in each run (Knuth's linear congruence of 64 bits).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A body in space that carries joints of one freedom: 7 + joints positions, 6 + joints velocities. It turns at `spin`;
/// rates of velocities see everything.
fn tree(joints: usize, spin: f64, stiffness: f64) -> (usize, Vec<f64>) {
    let (positions, n) = (7 + joints, 13 + 2 * joints);
    let mut numbers = Numbers(7);
    let mut jacobian = vec![0.0; n * n];
    for (row, elements) in jacobian.chunks_exact_mut(n).enumerate() {
        let velocity = positions + row;
        match row {
            // In the axes of the body: velocities and the quaternion.
            0..3 => [3, 4, 5, 6, positions, positions + 1, positions + 2]
                .map(|j| elements[j] = numbers.next())
                .len(),
            // ½ q ⊗ ω: other components of the quaternion, and ω.
            3..7 => {
                (3..7).filter(|&j| j != row).for_each(|j| elements[j] = 0.5 * spin * numbers.next());
                (3..6).map(|j| elements[positions + j] = 0.5 * numbers.next()).count()
            }
            _ if row < positions => [velocity - 1].map(|j| elements[j] = 1.0).len(),
            _ => elements.iter_mut().map(|x| *x = stiffness * numbers.next()).count(),
        };
    }
    (n, jacobian)
}

fn choose(n: usize, jacobian: &[f64], c: f64) -> Elimination {
    let (mut sparse, mut elimination) = (SparseRows::default(), Elimination::default());
    sparse.resize(n);
    sparse.detect(jacobian);
    elimination.resize(n);
    elimination.choose(c, jacobian, &sparse);
    for &i in &elimination.eliminated {
        let share = |columns: &[usize]| columns.iter().map(|j| c * jacobian[n * i + j].abs()).sum::<f64>();
        assert!(share(&elimination.eliminated) <= SHARE && share(&(0..n).collect::<Vec<_>>()) <= REACH);
    }
    elimination
}

/// Solutions of (1 − c J) x = b and (1 + i/2 − c J) z = b (1 + 2 i), with and without the elimination. They have to agree
/// to a multiple of the rounding times the condition, which is below 1e3 in all these systems; and a residual is small
/// whatever the condition.
fn solve_both(n: usize, jacobian: &[f64], c: f64, elimination: &Elimination) {
    let mut numbers = Numbers(11);
    let b: Vec<f64> = (0..n).map(|_| numbers.next()).collect();
    let distance = |x: &[f64], y: &[f64]| x.iter().zip(y).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    let size = |x: &[f64]| distance(x, &vec![0.0; x.len()]);

    let (mut plain, mut reduced) = (Lu::<REAL>::default(), ReducedLu::<REAL>::default());
    plain.resize(n);
    let mut matrix: Vec<f64> = jacobian.iter().map(|j| -c * j).collect();
    (0..n).for_each(|i| matrix[(n + 1) * i] += 1.0);
    plain.matrix[0].copy_from_slice(&matrix);
    reduced.resize(n);
    assert!(plain.factor() && reduced.factor([1.0], -c, jacobian, elimination));
    let (mut want, mut got) = (b.clone(), b.clone());
    plain.solve([&mut want]);
    reduced.solve([&mut got], elimination);
    assert!(distance(&got, &want) <= 1e-13 * size(&want), "{} of {}", distance(&got, &want), size(&want));
    for (row, b) in matrix.chunks_exact(n).zip(&b) {
        let (sum, terms) =
            row.iter().zip(&got).fold((0.0, 0.0), |(s, t), (a, x)| (s + a * x, t + (a * x).abs()));
        assert!((sum - b).abs() <= 1e-13 * (terms + b.abs()) + 1e-14 * n as f64 * size(&matrix) * size(&got));
    }

    let (mut plain, mut reduced) = (Lu::<COMPLEX>::default(), ReducedLu::<COMPLEX>::default());
    let scaled: Vec<f64> = jacobian.iter().map(|j| c * j).collect();
    plain.resize(n);
    plain.matrix[0].copy_from_slice(&matrix);
    (0..n).for_each(|i| plain.matrix[1][(n + 1) * i] = 0.5);
    reduced.resize(n);
    assert!(plain.factor() && reduced.factor([1.0, 0.5], -1.0, &scaled, elimination));
    let twice: Vec<f64> = b.iter().map(|b| 2.0 * b).collect();
    let (mut want, mut got) = ([b.clone(), twice.clone()], [b, twice]);
    let [re, im] = &mut want;
    plain.solve([re, im]);
    let [re, im] = &mut got;
    reduced.solve([re, im], elimination);
    for (got, want) in got.iter().zip(&want) {
        assert!(distance(got, want) <= 1e-13 * size(want), "{} of {}", distance(got, want), size(want));
    }
}

#[test]
fn positions_of_a_tree_go_first() {
    let (n, jacobian) = tree(46, 3.0, 40.0);
    for c in [1e-6, 1e-3, 0.02] {
        let elimination = choose(n, &jacobian, c);
        assert_eq!(elimination.eliminated, (0..53).collect::<Vec<_>>());
        solve_both(n, &jacobian, c, &elimination);
    }
}

/// The body turns by radians in a step: its quaternion stays in part; with long steps all positions do.
#[test]
fn what_is_not_dominant_stays() {
    let (n, jacobian) = tree(20, 300.0, 40.0);
    let elimination = choose(n, &jacobian, 0.02);
    let quaternion = elimination.eliminated.iter().filter(|&i| (3..7).contains(i)).count();
    assert!(quaternion < 4 && elimination.eliminated.contains(&26), "{:?}", elimination.eliminated);
    solve_both(n, &jacobian, 0.02, &elimination);
    let elimination = choose(n, &jacobian, 10.0);
    assert!(elimination.eliminated.is_empty());
    solve_both(n, &jacobian, 10.0, &elimination);
}

/// Masses on springs in a row: no row has more than six elements, and all go where steps are short.
#[test]
fn chains_go_as_a_whole() {
    let n = 80;
    let mut jacobian = vec![0.0; n * n];
    for i in (0..n).step_by(2) {
        jacobian[n * i + i + 1] = 1.0;
        for (offset, spring) in [(-2, 1e4), (0, -2e4), (2, 1e4)] {
            let Some(j) = i.checked_add_signed(offset).filter(|j| *j < n) else { continue };
            jacobian[n * (i + 1) + j] = spring;
            jacobian[n * (i + 1) + j + 1] = 1e-3 * spring;
        }
    }
    let elimination = choose(n, &jacobian, 5e-6);
    assert!(elimination.kept.is_empty());
    solve_both(n, &jacobian, 5e-6, &elimination);
    // Springs are stiff for these steps: every second velocity, at most, goes beside the positions.
    let elimination = choose(n, &jacobian, 1e-3);
    assert!((0..n).step_by(2).all(|i| elimination.eliminated.contains(&i)) && elimination.kept.len() >= 20);
    solve_both(n, &jacobian, 1e-3, &elimination);
}

/// Two bands far from the diagonal fill up between them.
#[test]
fn rows_that_fill_up_stay() {
    let n = 60;
    let mut jacobian = vec![0.0; n * n];
    for i in 0..n {
        [1, 7, 11, 23, 31, 43].iter().for_each(|offset| jacobian[n * i + (i + offset) % n] = 1.0);
    }
    let elimination = choose(n, &jacobian, 0.02);
    assert!(!elimination.eliminated.is_empty() && !elimination.kept.is_empty());
    solve_both(n, &jacobian, 0.02, &elimination);
}

/// Without sparse rows the factors are the dense ones, bit for bit.
#[test]
fn dense_systems_are_left_alone() {
    let n = 24;
    let mut numbers = Numbers(3);
    let jacobian: Vec<f64> = (0..n * n).map(|_| numbers.next()).collect();
    let elimination = choose(n, &jacobian, 1e-3);
    assert!(elimination.eliminated.is_empty());
    let (mut plain, mut reduced) = (Lu::<REAL>::default(), ReducedLu::<REAL>::default());
    plain.resize(n);
    plain.matrix[0].iter_mut().zip(&jacobian).for_each(|(a, j)| *a = -0.3 * j);
    (0..n).for_each(|i| plain.matrix[0][(n + 1) * i] += 1.0);
    reduced.resize(n);
    assert!(plain.factor() && reduced.factor([1.0], -0.3, &jacobian, &elimination));
    let mut want: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut got = want.clone();
    plain.solve([&mut want]);
    reduced.solve([&mut got], &elimination);
    assert_eq!(got, want);
}

/// Where the eliminated states leave nothing of the others, that is an error; so is what is not a number.
#[test]
fn singular_and_not_finite() {
    // 1 − J = [[1, −2], [−½, 1]].
    let mut jacobian = vec![0.0, 2.0, 0.5, 0.0];
    let elimination = choose(2, &jacobian, 1.0);
    assert_eq!(elimination.eliminated.len(), 1);
    let (mut real, mut complex) = (ReducedLu::<REAL>::default(), ReducedLu::<COMPLEX>::default());
    real.resize(2);
    complex.resize(2);
    assert!(!real.factor([1.0], -1.0, &jacobian, &elimination));
    assert!(!complex.factor([1.0, 0.0], -1.0, &jacobian, &elimination));
    jacobian[1] = f64::NAN;
    let elimination = choose(2, &jacobian, 1.0);
    assert!(!real.factor([1.0], -1.0, &jacobian, &elimination));
    assert!(!complex.factor([1.0, 0.5], -1.0, &jacobian, &elimination));
}

//! Contacts that slide may have several answers: with enough friction a contact's own force draws it nearer (Painlevé 1895).

use carom_solvers::complementarity::{Lcp, enumerate};

use super::cone::{Answer, ConeProblem};
use super::member::Tangent;

/// Most contacts whose answers are all tried: 1024.
const MOST: usize = 10;

/// Finds which contacts another answer would accelerate otherwise, by more than `least`, where all of them slide. One is sought where the
/// force of a contact draws it nearer, G_NN − μ G_NT · d ≤ 0 with the slip's direction d; without such a contact it takes several that
/// work together, which is not looked for.
pub(super) fn find_undecided(problem: &ConeProblem<'_>, answer: &Answer, least: f64, found: &mut Vec<usize>) {
    found.clear();
    let n = problem.members.len();
    let size = 3 * n;
    // Row i of the normal accelerations by the normal force of contact k, with the friction that comes with it.
    let element = |i: usize, k: usize| {
        let Tangent::Along(d) = problem.members[k].tangent else { return f64::NAN };
        let row = &problem.matrix[size * 3 * i + 3 * k..][..3];
        row[0] - problem.members[k].friction * (row[1] * d[0] + row[2] * d[1])
    };
    let all_slide = problem.members.iter().all(|of| of.tangent != Tangent::Free);
    if n > MOST || !all_slide || !(0..n).any(|k| element(k, k) <= 0.0) {
        return;
    }
    let matrix = (0..n * n).map(|k| element(k / n, k % n)).collect();
    let offset = (0..n).map(|i| problem.offset[3 * i]).collect();
    let all = Lcp::new(matrix, offset).ok().and_then(|lcp| enumerate(&lcp).ok()).unwrap_or_default();
    let differs = |k: &usize| all.iter().any(|other| (other.y[*k] - answer.speeds[3 * *k]).abs() > least);
    found.extend((0..n).filter(differs));
}

//! Contacts that are closed in the middle of a step only because bodies have gone on into each other until there: a ball that comes down on boxes which lie flush
//! overlaps the next box, too, whose edge is behind the face that carries it. By the whole impulse along the normal of that edge the ball would be stopped.

use carom_math::Vec3;
use carom_solvers::friction::BlockMatrix;

use super::Stepping;
use super::attempt::bounces;
use crate::contact::stepping::NearPoint;
use crate::run::Simulation;

/// Cosines between normals of contacts of which one may be in the way to the other: those of one face press together.
const ASKEW: std::ops::Range<f64> = 0.5..1.0 - 1e-12;

/// Leaves points out that bounce and overlap, by more than a `tolerance` (m), where the evaluator is, but would not once a deeper one of the same body had been pushed apart
/// by an impulse of its own: g_k − g_j G_kj/G_jj > 0. What they would have closed by later, the next step sees.
pub(super) fn leave_out(run: &mut Simulation<'_>, work: &mut Stepping, tolerance: f64) {
    let overlaps =
        |k: &usize| work.near[*k].gap() < -tolerance && !work.near[*k].is_single && bounces(work, *k);
    let mut deep: Vec<usize> = work.taking_part.iter().copied().filter(overlaps).collect();
    if deep.len() < 2 {
        return;
    }
    deep.sort_by(|a, b| work.near[*a].gap().total_cmp(&work.near[*b].gap()));
    let pairs = pairs_askew(run, &work.near, &deep);
    if pairs.is_empty() {
        return;
    }
    let points: Vec<NearPoint> = deep.iter().map(|&k| work.near[k]).collect();
    let mut matrix = BlockMatrix::default();
    if !work.coupling.update(&mut run.evaluator, &points, &mut matrix) {
        return;
    }
    // The deepest come first, and what is left out itself is in no way.
    for (j, k) in pairs {
        let along = |row: usize, column: usize| matrix.block(row, column).map_or(0.0, |block| block[0]);
        let left = points[k].gap() - points[j].gap() * along(k, j) / along(j, j);
        if work.near[deep[j]].is_in_place && left > 0.0 {
            work.near[deep[k]].is_in_place = false;
        }
    }
    let near = &work.near;
    work.taking_part.retain(|&k| near[k].is_in_place);
}

/// Places of two deep points of a body that moves, the deeper one first, with normals askew.
fn pairs_askew(run: &Simulation<'_>, near: &[NearPoint], deep: &[usize]) -> Vec<(usize, usize)> {
    let bodies = &run.system.mechanics.bodies;
    let side = |place: usize, k: usize| -> (usize, Vec3) {
        let point = &near[deep[place]];
        (point.bodies[k], if k == 0 { -point.axes[0] } else { point.axes[0] })
    };
    let mut sides: Vec<(usize, usize, Vec3)> = (0..deep.len())
        .flat_map(|place| [0, 1].map(|k| (place, side(place, k))))
        .filter(|(_, (body, _))| bodies[*body].link.is_some())
        .map(|(place, (body, normal))| (body, place, normal))
        .collect();
    sides.sort_by_key(|&(body, place, _)| (body, place));
    let mut pairs = Vec::new();
    for of_body in sides.chunk_by(|a, b| a.0 == b.0) {
        for (first, (_, j, deeper)) in of_body.iter().enumerate() {
            let others =
                of_body[first + 1..].iter().filter(|(_, _, normal)| ASKEW.contains(&normal.dot(deeper)));
            pairs.extend(others.map(|(_, k, _)| (*j, *k)));
        }
    }
    pairs.sort_unstable();
    pairs
}

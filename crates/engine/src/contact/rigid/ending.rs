//! Ends what closed contacts still move along their rows where they come to rest: normals first, and slips so that no normal moves again.

use carom_solvers::PivotedCholesky;

use super::delassus::Delassus;
use super::rows::RigidPoint;
use crate::contact::Evaluator;

/// Directions of the scaled G in which hardly anything moves, as of two edges that touch in all but the same place: a speed in one takes
/// more energy than rebounds have.
const RIDGE: f64 = 1e-9;
/// The same of slips while normals are held. They end at a millionth of the fastest point's speed: along a direction of this mobility, over that of the
/// points alone, that takes a millionth of the energy of what moves as fast. A tree on three points lost 0.4 % of its own where one of them, which
/// could hardly move, slipped by micrometres a second.
const RIDGE_OF_SLIPS: f64 = 1e-6;

/// Buffers of one ending.
#[derive(Clone, Debug, Default)]
pub(super) struct EndingBuffers {
    /// Rows of G: normals, and slips that end.
    normals: Vec<usize>,
    slips: Vec<usize>,
    /// A block of G and its factor; a right-hand side, and its solution.
    block: Vec<f64>,
    metric: Vec<f64>,
    factor: PivotedCholesky,
    change: Vec<f64>,
    own: Vec<f64>,
    /// By slip, one after the other: G_NN⁻¹ G_NT.
    held: Vec<f64>,
    impulses: Vec<f64>,
}

/// Ends speeds of points along their first rows, so many as `rows` says of each. Not where that leaves one that approaches faster than `most`
/// (m/s), as of two that can hardly move apart: false then.
pub(super) fn end_speeds(
    evaluator: &Evaluator<'_>,
    (points, delassus): (&[RigidPoint], &Delassus),
    (buffers, most): (&mut EndingBuffers, f64),
    rows: impl Fn(&RigidPoint) -> usize,
    y: &mut [f64],
) -> bool {
    let each = || points.iter().enumerate();
    buffers.normals.clear();
    buffers.normals.extend(each().map(|(k, _)| 3 * k));
    buffers.slips.clear();
    buffers.slips.extend(each().flat_map(|(k, point)| 3 * k + 1..3 * k + rows(point)));
    let speed = |row: usize| points[row / 3].speeds[row % 3];
    let size = 3 * points.len();
    buffers.find_impulses(&delassus.matrix, size, speed);
    let left = |&row: &usize| {
        let through = delassus.matrix[size * row..size * (row + 1)].iter().zip(&buffers.impulses);
        speed(row) + through.map(|(g, impulse)| g * impulse).sum::<f64>()
    };
    let ends = buffers.normals.iter().all(|row| left(row) >= -most);
    if ends {
        Delassus::push(evaluator, points, &buffers.impulses, y);
    }
    ends
}

impl EndingBuffers {
    /// Impulses p of least norm that end `speed` along the rows: of the normals by G_NN, then of the slips by what is left of their mobility
    /// while all normals are held, G_TT − G_TN G_NN⁻¹ G_NT. Slips that hang together so that hardly anything moves along them are not all at rest
    /// together. In one system with the normals what is left of them would be shared out among all rows, and bodies that were at rest would
    /// approach each other again.
    fn find_impulses(&mut self, matrix: &[f64], size: usize, speed: impl Fn(usize) -> f64) {
        let Self { normals, slips, block, metric, factor, change, own, held, impulses } = self;
        let (n, s) = (normals.len(), slips.len());
        let element = |i: usize, j: usize| matrix[size * i + j];
        impulses.clear();
        impulses.resize(size, 0.0);
        own.resize(n.max(s), 0.0);
        block.clear();
        block.extend(normals.iter().flat_map(|&i| normals.iter().map(move |&j| element(i, j))));
        factor.factor(block, n, None, RIDGE);
        change.clear();
        change.extend(normals.iter().map(|&row| -speed(row)));
        factor.solve(change, &mut own[..n]);
        normals.iter().zip(&*own).for_each(|(&row, impulse)| impulses[row] = *impulse);
        if s == 0 {
            return;
        }
        // What holds the normals takes no more energy than ending the slips without them would: it needs no ridge.
        factor.factor(block, n, None, 0.0);
        held.clear();
        for &slip in &*slips {
            change.clear();
            change.extend(normals.iter().map(|&row| element(row, slip)));
            factor.solve(change, &mut own[..n]);
            held.extend_from_slice(&own[..n]);
        }
        let through = |i: usize, k: usize| -> f64 {
            normals.iter().zip(&held[n * k..]).map(|(&row, h)| element(i, row) * h).sum()
        };
        block.clear();
        block.extend(
            slips
                .iter()
                .flat_map(|&i| slips.iter().enumerate().map(move |(k, &j)| (i, j, k)))
                .map(|(i, j, k)| element(i, j) - through(i, k)),
        );
        metric.clear();
        metric.extend(slips.iter().map(|&row| element(row, row)));
        factor.factor(block, s, Some(metric), RIDGE_OF_SLIPS);
        change.clear();
        change.extend(slips.iter().map(|&row| {
            let pushed: f64 = normals.iter().map(|&normal| element(row, normal) * impulses[normal]).sum();
            -(speed(row) + pushed)
        }));
        factor.solve(change, &mut own[..s]);
        for (k, &slip) in slips.iter().enumerate() {
            impulses[slip] = own[k];
            normals.iter().zip(&held[n * k..]).for_each(|(&row, h)| impulses[row] -= own[k] * h);
        }
    }
}

#[cfg(test)]
mod tests {
    use carom_testkit::SplitMix64;

    use super::*;

    const FREEDOMS: usize = 7;
    type Row = [f64; FREEDOMS];

    fn dot(a: &Row, b: &Row) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Velocities of unit masses after the slips of three points, in a plane, have ended, and their speeds along the rows.
    fn end(rows: &[Row], velocity: &Row) -> (Row, Vec<f64>) {
        let matrix: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| dot(a, b))).collect();
        let mut buffers =
            EndingBuffers { normals: vec![0, 3, 6], slips: vec![1, 4, 7], ..EndingBuffers::default() };
        buffers.find_impulses(&matrix, rows.len(), |row| dot(&rows[row], velocity));
        let mut after = *velocity;
        for (row, impulse) in rows.iter().zip(&buffers.impulses) {
            after.iter_mut().zip(row).for_each(|(v, r)| *v += impulse * r);
        }
        (after, rows.iter().map(|row| dot(row, &after)).collect())
    }

    /// Slips that can all be at rest together are, and so are the normals, to rounding; what is lost is never less than nothing. Where one slip hangs
    /// on all else, but for a motion that moves it by a millionth, not all end: the speed that is left is one of slips, by no more than that motion
    /// makes, and no normal moves. In one system with the normals these had as much of it.
    #[test]
    fn slips_end_and_normals_stay() {
        let mut rng = SplitMix64::new(60);
        for round in 0..500 {
            let mut draw = || -> Row { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) };
            let mut rows: Vec<Row> =
                (0..9).map(|k| if k % 3 == 2 { [0.0; FREEDOMS] } else { draw() }).collect();
            let (velocity, shares, own) = (draw(), draw(), draw());
            let energy = dot(&velocity, &velocity);
            let (after, speeds) = end(&rows, &velocity);
            // Six random rows of seven freedoms: their least eigenvalue is some 1e-5 in 500 rounds, of which the ridge leaves 1e-4.
            assert!(speeds.iter().all(|speed| speed.abs() < 1e-2), "{round}: {speeds:?}");
            assert!(dot(&after, &after) <= energy * (1.0 + 1e-12));
            let others = [0, 1, 3, 4, 6];
            let hung =
                |k: usize| others.iter().zip(&shares).map(|(&row, share)| share * rows[row][k]).sum::<f64>();
            rows[7] = std::array::from_fn(|k| hung(k) + 1e-6 * own[k]);
            let (after, speeds) = end(&rows, &velocity);
            for normal in [0, 3, 6] {
                assert!(speeds[normal].abs() < 1e-10, "{round}: {:e} m/s", speeds[normal]);
            }
            assert!(dot(&after, &after) <= energy * (1.0 + 1e-9), "{round}");
        }
    }
}

use super::{Ball, BroadPhaseFault, Pair};

/// Cells along an axis from which a level's grid is made coarser: three of them fit an index, and what lies so
/// far apart in cells is sparse.
const MOST_CELLS: f64 = 1024.0;

/// Cells per ball of a level, at most: beyond, empty cells cost more than crowded ones.
const CELLS_PER_BALL: usize = 4;

/// Ratio of radii within a size class. Crowded cells cost little, and each class is searched for partners of all
/// finer ones.
const CLASS: f64 = 4.0;

/// Buffers of the grid search, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct GridBuffers {
    /// Level of each ball.
    level: Vec<u8>,
    levels: Vec<Level>,
    unsorted: Vec<Pair>,
    first: Vec<u32>,
}

/// Balls of one size class in a uniform grid, with two empty cells on each side, so that neighbours need no
/// tests for borders.
#[derive(Clone, Debug, Default)]
struct Level {
    /// Lowest corner of the balls' centres (m).
    low: [f64; 3],
    /// Cells per m.
    inverse_cell: f64,
    /// Cells along each axis, those on the sides included.
    cells: [usize; 3],
    /// Balls of cell c: `start[c]..start[c + 1]`.
    start: Vec<u32>,
    /// In the order of cells.
    balls: Vec<Entry>,
    /// Cell of each ball, in the order of indices.
    cell_of: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Centre and radius (m).
    ball: [f64; 4],
    index: u32,
    cell: u32,
}

/// Empty cells on each side.
const PADDING: usize = 2;

/// All pairs of balls with a gap of at most `skin` ≥ 0 (m), in ascending order.
///
/// Balls are sorted into classes of a factor four in radius, each with a uniform grid whose cells are as wide as two
/// of its largest balls and the skin: partners of a ball in its own class lie in the 27 cells around it, and
/// partners in a coarser class in the 27 cells around its centre there. One pass of counting sort per class; the
/// work is proportional to balls and pairs, whatever the sizes. Sparse classes get wider cells, so that
/// the memory stays proportional to the number of balls.
pub(super) fn find_pairs(
    balls: &[Ball],
    skin: f64,
    buffers: &mut GridBuffers,
    pairs: &mut Vec<Pair>,
) -> Result<(), BroadPhaseFault> {
    let GridBuffers { level, levels, unsorted, first } = buffers;
    let count = assign_levels(balls, skin, level)?;
    levels.resize_with(levels.len().max(count), Level::default);
    for (k, grid) in levels[..count].iter_mut().enumerate() {
        grid.build(balls, level, k as u8, skin);
    }
    unsorted.clear();
    for fine in 0..count {
        levels[fine].pairs_within(skin, unsorted);
        for coarse in fine + 1..count {
            levels[fine].pairs_with(&levels[coarse], skin, unsorted);
        }
    }
    sort_pairs(balls.len(), unsorted, first, pairs);
    Ok(())
}

/// Size classes: 0 for radii up to four times the smallest, and so on; empty classes cost nothing but their number.
fn assign_levels(balls: &[Ball], skin: f64, level: &mut Vec<u8>) -> Result<usize, BroadPhaseFault> {
    let is_sound =
        |b: &Ball| b.centre.iter().all(|x| x.is_finite()) && b.radius.is_finite() && b.radius >= 0.0;
    if let Some(ball) = balls.iter().position(|b| !is_sound(b)) {
        return Err(BroadPhaseFault::BadBall { ball, found: balls[ball] });
    }
    // Below the skin, or a millionth of the largest, all sizes are one.
    let largest = balls.iter().map(|b| b.radius).fold(0.0, f64::max);
    let smallest = balls.iter().map(|b| b.radius).fold(f64::INFINITY, f64::min).max(skin).max(1e-6 * largest);
    level.clear();
    level.extend(balls.iter().map(|b| {
        let (mut k, mut limit) = (0, CLASS * smallest);
        while b.radius > limit && k < u8::MAX {
            limit *= CLASS;
            k += 1;
        }
        k
    }));
    Ok(level.iter().map(|&k| usize::from(k) + 1).max().unwrap_or(0))
}

impl Level {
    fn build(&mut self, balls: &[Ball], level: &[u8], k: u8, skin: f64) {
        let members = || balls.iter().enumerate().filter(|&(i, _)| level[i] == k);
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let (mut largest, mut count) = (0.0_f64, 0);
        for (_, ball) in members() {
            for axis in 0..3 {
                low[axis] = low[axis].min(ball.centre[axis]);
                high[axis] = high[axis].max(ball.centre[axis]);
            }
            largest = largest.max(ball.radius);
            count += 1;
        }
        self.balls.clear();
        self.balls.resize(count, Entry::default());
        if count == 0 {
            return;
        }
        let extent = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let widest = extent.iter().copied().fold(0.0, f64::max);
        // A little wider, so that rounding does not put partners two cells apart.
        let mut cell = ((2.0 * largest + skin) * (1.0 + 1e-9)).max(widest / MOST_CELLS);
        // A row of points has no cell of its own.
        if cell == 0.0 {
            cell = 1.0;
        }
        let cells_of = |cell: f64| extent.map(|e| (e / cell) as usize + 1 + 2 * PADDING);
        while cells_of(cell).iter().product::<usize>() > CELLS_PER_BALL * count + 512 {
            cell *= 1.25;
        }
        (self.low, self.inverse_cell, self.cells) = (low, 1.0 / cell, cells_of(cell));
        let total = self.cells.iter().product::<usize>();
        self.start.clear();
        self.start.resize(total + 1, 0);
        self.cell_of.clear();
        for (_, ball) in members() {
            let cell = self.cell_at(ball.centre.into()).unwrap_or_default();
            self.cell_of.push(cell as u32);
            self.start[cell + 1] += 1;
        }
        for c in 0..total {
            self.start[c + 1] += self.start[c];
        }
        // Places in order of index, so that the order within a cell is that of the indices.
        for ((index, ball), &cell) in members().zip(&self.cell_of) {
            let place = self.start[cell as usize] as usize;
            self.start[cell as usize] += 1;
            let [x, y, z]: [f64; 3] = ball.centre.into();
            self.balls[place] = Entry { ball: [x, y, z, ball.radius], index: index as u32, cell };
        }
        // Each start has moved to the next one's place.
        self.start.copy_within(..total, 1);
        self.start[0] = 0;
    }

    /// Cell of a point; `None` if it lies more than a cell outside of the balls' centres.
    #[inline]
    fn cell_at(&self, centre: [f64; 3]) -> Option<usize> {
        let mut cell = 0;
        for axis in [2, 1, 0] {
            let along = (centre[axis] - self.low[axis]) * self.inverse_cell + PADDING as f64;
            let count = self.cells[axis];
            if !(along >= 1.0 && along < (count - 1) as f64) {
                return None;
            }
            cell = cell * count + along as usize;
        }
        Some(cell)
    }

    /// Balls of the cells from `first` to `last` of a row: they lie side by side.
    #[inline]
    fn row(&self, first: usize, last: usize) -> &[Entry] {
        &self.balls[self.start[first] as usize..self.start[last + 1] as usize]
    }

    /// Pairs within the class: each ball with those behind it in its cell and with the thirteen cells after it.
    fn pairs_within(&self, skin: f64, pairs: &mut Vec<Pair>) {
        let [nx, ny, _] = self.cells;
        let plane = nx * ny;
        let rows = [nx, plane - nx, plane, plane + nx];
        for (k, ball) in self.balls.iter().enumerate() {
            let cell = ball.cell as usize;
            push_near(ball, &self.balls[k + 1..self.start[cell + 2] as usize], skin, pairs);
            for row in rows {
                push_near(ball, self.row(cell + row - 1, cell + row + 1), skin, pairs);
            }
        }
    }

    /// Pairs of the balls of this class with those of a coarser one.
    fn pairs_with(&self, coarse: &Self, skin: f64, pairs: &mut Vec<Pair>) {
        if coarse.balls.is_empty() {
            return;
        }
        let [nx, ny, _] = coarse.cells;
        for ball in &self.balls {
            let [x, y, z, _] = ball.ball;
            let Some(cell) = coarse.cell_at([x, y, z]) else { continue };
            for layer in [cell - nx * ny, cell, cell + nx * ny] {
                for middle in [layer - nx, layer, layer + nx] {
                    push_near(ball, coarse.row(middle - 1, middle + 1), skin, pairs);
                }
            }
        }
    }
}

#[inline]
fn push_near(ball: &Entry, others: &[Entry], skin: f64, pairs: &mut Vec<Pair>) {
    let [x, y, z, radius] = ball.ball;
    for other in others {
        let [dx, dy, dz] = [x - other.ball[0], y - other.ball[1], z - other.ball[2]];
        let reach = radius + other.ball[3] + skin;
        if dx * dx + dy * dy + dz * dz <= reach * reach {
            let (i, j) = (ball.index, other.index);
            pairs.push([i.min(j), i.max(j)]);
        }
    }
}

/// Ascending order, by counting the first indices and sorting the few partners of each.
fn sort_pairs(balls: usize, unsorted: &[Pair], first: &mut Vec<u32>, pairs: &mut Vec<Pair>) {
    first.clear();
    first.resize(balls + 1, 0);
    for pair in unsorted {
        first[pair[0] as usize + 1] += 1;
    }
    for i in 0..balls {
        first[i + 1] += first[i];
    }
    pairs.clear();
    pairs.resize(unsorted.len(), [0, 0]);
    for pair in unsorted {
        let place = &mut first[pair[0] as usize];
        pairs[*place as usize] = *pair;
        *place += 1;
    }
    let mut begin = 0;
    for &end in &first[..balls] {
        pairs[begin..end as usize].sort_unstable_by_key(|pair| pair[1]);
        begin = end as usize;
    }
}

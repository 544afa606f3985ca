//! Brute-force minimisation over the unit square.

/// Least value of f on [0, 1]²: a dense grid, then compass search with halved steps from the best points.
///
/// The last step is 1e-10, and a minimum over a box is missed by at most its slope there times that step
/// when it lies on the border, and by the square of the step inside.
pub(crate) fn minimise(f: impl Fn(f64, f64) -> f64) -> f64 {
    const GRID: usize = 24;
    const STARTS: usize = 4;
    let coordinate = |i: usize| i as f64 / GRID as f64;
    let mut grid: Vec<(f64, f64, f64)> = (0..=GRID)
        .flat_map(|i| (0..=GRID).map(move |j| (i, j)))
        .map(|(i, j)| (f(coordinate(i), coordinate(j)), coordinate(i), coordinate(j)))
        .collect();
    grid.sort_by(|x, y| x.0.total_cmp(&y.0));
    grid[..STARTS].iter().map(|&start| descend(&f, start, 1.0 / GRID as f64)).fold(f64::INFINITY, f64::min)
}

fn descend(f: &impl Fn(f64, f64) -> f64, start: (f64, f64, f64), first_step: f64) -> f64 {
    const COMPASS: [(f64, f64); 8] = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (1.0, 1.0),
        (1.0, -1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
    ];
    let (mut best, mut u, mut v) = start;
    let mut step = first_step;
    while step > 1e-10 {
        let mut moved = false;
        for (du, dv) in COMPASS {
            let (x, y) = ((u + step * du).clamp(0.0, 1.0), (v + step * dv).clamp(0.0, 1.0));
            let value = f(x, y);
            if value < best {
                (best, u, v, moved) = (value, x, y, true);
            }
        }
        if !moved {
            step *= 0.5;
        }
    }
    best
}

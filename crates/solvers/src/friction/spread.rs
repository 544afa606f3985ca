//! Impulses shared evenly, where contacts depend on each other and many impulses solve the same problem.

use super::islands::find_islands;
use super::{FrictionProblem, Options, Solution, Triple, block, local, worse};
use crate::PivotedCholesky;

/// Most unknowns of an island whose impulses are shared: the factor of its matrix costs their cube.
const MOST_UNKNOWNS: usize = 64;
/// Velocity over the problem's largest from which a contact slips or is open.
const MOVING: f64 = 1e-9;
/// Share of the island's largest impulse that a point may lie outside its cone by: rounding.
const ROUNDING: f64 = 1e-12;
/// Halvings of a step that would leave a cone.
const HALVINGS: usize = 50;
/// Times that a problem is solved anew with other normal impulses, and their least change over the largest that is worth it.
const ROUNDS: usize = 4;
const WORTH: f64 = 1e-6;

/// How a contact's impulse may change.
#[derive(Clone, Copy)]
enum Way {
    /// Not at all: it is open, or takes no part.
    None,
    /// Along this vector, whose normal part is 1: what slips, or is at the bound of its friction.
    Along(Triple),
    /// Within its cone: it sticks.
    Any,
}

/// What does not change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// All velocities.
    Velocities,
    /// Those along normals, by normal impulses alone.
    NormalVelocities,
}

impl FrictionProblem {
    /// Shares the impulses of the contacts that `take_part`. Where these depend on each other, as the corners of a face that a joint guides, many
    /// impulses solve the problem, and what solves it finds any of them. Wanted is the solution of least Σ|r|², with open contacts open and
    /// slipping ones at their bounds: what equal springs at all contacts would give. Of all impulses that make the same velocities these are found by
    /// one projection onto the range of W. Where contacts slip other normal impulses bring other friction, and other velocities: these are shared
    /// along the null space of W_NN, and the problem is solved anew from there. Islands of more than 64 unknowns keep
    /// their impulses, and so do all at a coarse tolerance, to which impulses are not known.
    ///
    /// # Panics
    /// If solution or `take_part` are not of as many contacts.
    pub fn spread(&self, solution: &mut Solution, take_part: &[bool], options: &Options) {
        assert!(solution.impulses.len() == self.len() && take_part.len() == self.len());
        if options.is_coarse() {
            return;
        }
        let islands = find_islands(&self.delassus);
        for _ in 0..ROUNDS {
            self.spread_with(&islands, solution, take_part, Kept::Velocities);
            let mut other = solution.clone();
            if self.spread_with(&islands, &mut other, take_part, Kept::NormalVelocities) <= WORTH {
                return;
            }
            // What is less exact than what is there is no better answer.
            let most = solution.residual.max(options.tolerance);
            match self.solve(Some(&other.impulses), options) {
                Ok(solved) if solved.residual <= most => *solution = solved,
                _ => return,
            }
        }
    }

    /// The same once. Returns the largest change over the largest impulse.
    fn spread_with(
        &self,
        islands: &[Vec<usize>],
        solution: &mut Solution,
        take_part: &[bool],
        kept: Kept,
    ) -> f64 {
        let mut shared = solution.impulses.clone();
        for island in islands {
            let way = |&contact: &usize| match take_part[contact] {
                true => self.way(contact, &solution.velocities[contact]),
                false => Way::None,
            };
            let mut ways: Vec<Way> = island.iter().map(way).collect();
            if kept == Kept::NormalVelocities && !ways.iter().any(|way| matches!(way, Way::Along(_))) {
                continue;
            }
            // Each round ends everywhere inside the cones, or with one more contact at its bound.
            for _ in 0..=2 * island.len() {
                let Some(place) = self.spread_island(island, &ways, &mut shared, kept) else { break };
                let r = shared[island[place]];
                ways[place] = match ways[place] {
                    Way::Any if r[0] > 0.0 => Way::Along(r.map(|part| part / r[0])),
                    _ => Way::None,
                };
            }
        }
        let most = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0_f64, |m, r| m.max(r.abs()));
        let both = shared.iter().flatten().zip(solution.impulses.iter().flatten());
        let changed = most(&mut both.map(|(a, b)| a - b));
        if changed == 0.0 {
            return 0.0;
        }
        let change = changed / most(&mut solution.impulses.iter().flatten().copied());
        let velocities = self.velocities(&shared);
        let misfit = |c: usize| self.misfit_at(c, &shared[c], &velocities[c]);
        let residual = (0..self.len()).map(misfit).fold(0.0, worse);
        if kept == Kept::NormalVelocities || residual <= solution.residual.max(Options::DEFAULT.tolerance) {
            *solution = Solution { impulses: shared, velocities, residual, ..*solution };
        }
        change
    }

    fn way(&self, contact: usize, u: &Triple) -> Way {
        let (friction, still) = (self.locals[contact].friction, MOVING * self.scale);
        let slip = libm::hypot(u[1], u[2]);
        if u[0] > still {
            Way::None
        } else if slip > still || friction == 0.0 {
            let share = if slip > still { friction / slip } else { 0.0 };
            Way::Along([1.0, -share * u[1], -share * u[2]])
        } else {
            Way::Any
        }
    }

    /// One step towards the least norm, as far as all stay in their cones. Returns the contact that is at its bound then, if one is.
    fn spread_island(
        &self,
        island: &[usize],
        ways: &[Way],
        impulses: &mut [Triple],
        kept: Kept,
    ) -> Option<usize> {
        let columns = columns(ways, kept);
        let n = columns.len();
        if island.len() < 2 || !(2..=MOST_UNKNOWNS).contains(&n) {
            return None;
        }
        let now: Vec<f64> =
            columns.iter().map(|column| dot(&column.unit, &impulses[island[column.place]])).collect();
        let least = self.least(island, &columns, &now)?;
        let mut step = vec![[0.0; 3]; island.len()];
        for (column, (to, from)) in columns.iter().zip(least.iter().zip(&now)) {
            (0..3).for_each(|k| step[column.place][k] += (to - from) * column.moves[k]);
        }
        let largest = island.iter().flat_map(|&c| impulses[c]).fold(0.0_f64, |m, r| m.max(r.abs()));
        let after = |place: usize, share: f64| {
            let (r, d) = (impulses[island[place]], step[place]);
            [r[0] + share * d[0], r[1] + share * d[1], r[2] + share * d[2]]
        };
        let stays = |place: usize, share: f64| {
            let (r, friction) = (after(place, share), self.locals[island[place]].friction);
            let slack = ROUNDING * largest;
            r[0] >= -slack && libm::hypot(r[1], r[2]) <= friction * r[0] + slack
        };
        let (mut share, mut bound) = (1.0, None);
        for place in 0..island.len() {
            // Cones are convex: what ends inside has been inside all the way.
            if stays(place, share) {
                continue;
            }
            let (mut inside, mut outside) = (0.0, share);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inside + outside);
                *(if stays(place, middle) { &mut inside } else { &mut outside }) = middle;
            }
            (share, bound) = (inside, Some(place));
        }
        let next: Vec<Triple> = (0..island.len()).map(|place| after(place, share)).collect();
        for ((&contact, r), way) in island.iter().zip(&next).zip(ways) {
            if !matches!(way, Way::None) {
                impulses[contact] = local::project(r, self.locals[contact].friction);
            }
        }
        bound
    }

    /// The unknowns of least norm that make the same velocities along the units; nothing where there are no others.
    fn least(&self, island: &[usize], columns: &[Column], now: &[f64]) -> Option<Vec<f64>> {
        let n = columns.len();
        let mut first = vec![n; island.len() + 1];
        columns.iter().enumerate().rev().for_each(|(k, column)| first[column.place] = k);
        (0..island.len()).rev().for_each(|place| first[place] = first[place].min(first[place + 1]));
        let mut matrix = vec![0.0; n * n];
        for (row, column) in columns.iter().enumerate() {
            for (contact, of_other) in self.delassus.row(island[column.place]) {
                let Ok(other) = island.binary_search(&contact) else { continue };
                for k in first[other]..first[other + 1] {
                    matrix[n * row + k] = dot(&column.unit, &block::product(of_other, &columns[k].unit));
                }
            }
        }
        let mean = (0..n).map(|k| matrix[(n + 1) * k]).sum::<f64>() / n as f64;
        let mut factor = PivotedCholesky::with_room(n);
        factor.factor(&matrix, n, Some(&vec![mean; n]), 0.0);
        if factor.rank() == n {
            return None;
        }
        let made = matrix.chunks_exact(n).map(|row| row.iter().zip(now).map(|(a, z)| a * z).sum());
        let mut least = vec![0.0; n];
        factor.solve(&made.collect::<Vec<f64>>(), &mut least);
        Some(least)
    }
}

/// An unknown: the part of a contact's impulse along a unit vector, and what of the impulse changes with it.
struct Column {
    place: usize,
    unit: Triple,
    moves: Triple,
}

fn columns(ways: &[Way], kept: Kept) -> Vec<Column> {
    const AXES: [Triple; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut columns = Vec::new();
    for (place, way) in ways.iter().enumerate() {
        match (way, kept) {
            (Way::None, _) => {}
            (Way::Along(moves), Kept::NormalVelocities) => {
                columns.push(Column { place, unit: AXES[0], moves: *moves });
            }
            (Way::Any, Kept::NormalVelocities) => {
                columns.push(Column { place, unit: AXES[0], moves: AXES[0] });
            }
            (Way::Along(direction), Kept::Velocities) => {
                let size = dot(direction, direction).sqrt();
                let unit = direction.map(|part| part / size);
                columns.push(Column { place, unit, moves: unit });
            }
            (Way::Any, Kept::Velocities) => {
                columns.extend(AXES.map(|unit| Column { place, unit, moves: unit }));
            }
        }
    }
    columns
}

fn dot(a: &Triple, b: &Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

//! Slips that have just begun: their friction turns at once to where it accelerates them along themselves.
//!
//! At a slip s friction turns it within |s|/(μ λ_N G_TT), which no explicit method follows while s is next to nothing. What it turns to at
//! once is the direction d along which W_T v̇ + w̄_T has no part across: d⊥ · s' = 0, of all slips that have begun.

use carom_solvers::complementarity::BasisSolver;

use super::delassus::Delassus;
use super::frozen::{FrozenSystem, Slide};

/// Steps at most.
const TURNS: usize = 100;
/// What may be left of the acceleration across a slip, over how much of it friction can turn, or what there is along it.
const ACROSS: f64 = 1e-12;
/// What may be left of it after all steps, where rounding allows no less: of points next to each other, whose forces are thousands of times
/// what they are together, or of slips that others hold at rest, which no direction accelerates.
const ACROSS_AT_LAST: f64 = 1e-9;
/// What rounding leaves of an acceleration, over the largest of those that it is the sum of.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Part of the worst acceleration across a slip that is added to what each turn takes away: far off, steps follow how friction turns slips.
const CAUTION: f64 = 4.0;
/// Most that a step turns a slip by (rad): farther away derivatives tell little.
const FARTHEST: f64 = 0.5;

/// What a step has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing: all slips are accelerated along themselves.
    Done,
    Turned,
    /// No step leads on.
    Lost,
}

/// Buffers of a search for directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// Slips that have just begun, by their place among the slides.
    begun: Vec<usize>,
    /// Accelerations along and across each.
    rates: Vec<[f64; 2]>,
    /// Of Newton's method: how accelerations across them change as each turns, row by row, and what they are.
    slopes: Vec<f64>,
    off: Vec<f64>,
    /// Change of the multipliers as one of them turns.
    change: Vec<f64>,
    angles: Vec<f64>,
    slacks: Vec<f64>,
    everything: Vec<bool>,
    basis: BasisSolver,
}

impl Turning {
    /// Multipliers in balance, and directions of the slips that have just begun; multipliers that are no numbers where there are none.
    pub(super) fn search(&mut self, delassus: &Delassus, free: &[f64], system: &mut FrozenSystem) {
        system.balance(delassus, free);
        for _ in 0..TURNS {
            match self.turn(delassus, free, system) {
                Turn::Done => return,
                Turn::Turned => system.balance_again(delassus, free),
                Turn::Lost => break,
            }
        }
        if !self.is_done(delassus, free, ACROSS_AT_LAST, system) {
            system.multipliers.fill(f64::NAN);
        }
    }

    /// A step of Newton's method for all directions together, from multipliers that are in balance with those there are.
    fn turn(&mut self, delassus: &Delassus, free: &[f64], system: &mut FrozenSystem) -> Turn {
        self.take_begun(system);
        if self.is_done(delassus, free, ACROSS, system) {
            return Turn::Done;
        }
        let (size, n) = (free.len(), self.begun.len());
        let worst = self.rates.iter().fold(0.0_f64, |most, rate| most.max(rate[1].abs()));
        self.slopes.clear();
        self.slopes.resize(n * n, 0.0);
        for j in 0..n {
            let (_, [_, across]) = axes_of(system, self.begun[j]);
            system.change_by_turning(delassus, (self.begun[j], across), &mut self.change);
            for i in 0..n {
                let (k, [_, across]) = axes_of(system, self.begun[i]);
                let rate =
                    [1, 2].map(|axis| product(&delassus.matrix[size * (3 * k + axis)..], &self.change));
                self.slopes[n * i + j] = dot(across, rate);
            }
            let slope = &mut self.slopes[(n + 1) * j];
            // Where the acceleration across a slip grows as it turns, friction turns it away from where there would be none.
            *slope = -(*slope - self.rates[j][0]).abs() - CAUTION * worst;
        }
        self.off.clear();
        self.off.extend(self.rates.iter().map(|rate| rate[1]));
        self.angles.resize(n, 0.0);
        self.slacks.resize(n, 0.0);
        self.everything.resize(n, true);
        let unknowns = [&mut self.angles[..], &mut self.slacks];
        if !self.basis.solve([&self.slopes, &self.off], &self.everything, unknowns) {
            return Turn::Lost;
        }
        let farthest = self.angles.iter().fold(FARTHEST, |most, angle| most.max(angle.abs()));
        for (&slide, angle) in self.begun.iter().zip(&self.angles) {
            let (_, [along, across]) = axes_of(system, slide);
            let (sine, cosine) = libm::sincos(angle * (FARTHEST / farthest));
            let turned = [0, 1].map(|axis| cosine * along[axis] + sine * across[axis]);
            // Rounding adds up over the steps.
            system.slides[slide].along = turned.map(|part| part / turned[0].hypot(turned[1]));
        }
        Turn::Turned
    }

    /// Takes the slips that have just begun and whose friction pushes.
    fn take_begun(&mut self, system: &FrozenSystem) {
        let has_begun = |slide: &Slide| slide.is_incipient && system.multipliers[3 * slide.point] > 0.0;
        self.begun.clear();
        self.begun.extend((0..system.slides.len()).filter(|&slide| has_begun(&system.slides[slide])));
    }

    /// Takes the accelerations of the slips: has none a part across itself?
    fn is_done(&mut self, delassus: &Delassus, free: &[f64], most: f64, system: &FrozenSystem) -> bool {
        let size = free.len();
        self.rates.clear();
        let mut is_done = true;
        for &slide in &self.begun {
            let (k, [along, across]) = axes_of(system, slide);
            let row = |axis: usize| &delassus.matrix[size * (3 * k + axis)..][..size];
            let rate = [1, 2].map(|axis| free[3 * k + axis] + product(row(axis), &system.multipliers));
            let rate = [dot(along, rate), dot(across, rate)];
            let bound = system.slides[slide].friction * system.multipliers[3 * k];
            let own = [1, 2].map(|axis| bound * dot(across, [row(axis)[3 * k + 1], row(axis)[3 * k + 2]]));
            let rounding = ROUNDING * free[3 * k..3 * k + 3].iter().fold(0.0, |most, a| a.abs().max(most));
            is_done &= rate[1].abs() <= most * dot(across, own).max(rate[0].abs()) + rounding;
            self.rates.push(rate);
        }
        is_done
    }
}

/// A slide's point, and unit vectors along and across its slip.
fn axes_of(system: &FrozenSystem, slide: usize) -> (usize, [[f64; 2]; 2]) {
    let Slide { point, along, .. } = system.slides[slide];
    (point, [along, [-along[1], along[0]]])
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn product(row: &[f64], values: &[f64]) -> f64 {
    row.iter().zip(values).map(|(g, l)| g * l).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Delassus, FrozenSystem, Slide, Turning};
    use carom_math::Vec3;
    use carom_testkit::SplitMix64;

    const G: f64 = 9.81;

    /// Rows of a body's four corners on a floor, its mass 1: w M⁻¹ wᵀ, by linear parts and arms about the centre.
    pub(in crate::contact::rigid) fn operator(size: Vec3) -> (Delassus, Vec<[Vec3; 2]>) {
        let squares = size.component_mul(&size) / 12.0;
        let inertia = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y);
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        let corner = |[x, y]: [f64; 2]| size.component_mul(&Vec3::new(x, y, -1.0)) / 2.0;
        let axes = [Vec3::z(), Vec3::x(), Vec3::y()];
        let rows: Vec<[Vec3; 2]> =
            corners.iter().flat_map(|&c| axes.map(|axis| [axis, corner(c).cross(&axis)])).collect();
        let mut delassus = Delassus::default();
        for a in &rows {
            delassus
                .matrix
                .extend(rows.iter().map(|b| a[0].dot(&b[0]) + a[1].component_div(&inertia).dot(&b[1])));
        }
        (delassus, rows)
    }

    /// Corners of a block that is pushed aside and around, and whose slips turn apart as it begins to slip: each is accelerated along itself,
    /// to what rounding leaves, from directions that are far off.
    #[test]
    fn slips_that_begin_together_are_accelerated_along_themselves() {
        let mut rng = SplitMix64::new(17);
        let mut turned_apart = 0;
        for round in 0..5000 {
            let size = Vec3::new(rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4), rng.uniform(0.02, 0.1));
            let friction = rng.uniform(0.1, 1.0);
            let (delassus, rows) = operator(size);
            let aside = rng.unit_vector().xy() * (friction * G * rng.uniform(0.5, 2.0));
            let around = friction * G / size.norm() * rng.uniform(-5.0, 5.0);
            let push = [Vec3::new(aside.x, aside.y, -G), Vec3::z() * around];
            let free: Vec<f64> = rows.iter().map(|row| row[0].dot(&push[0]) + row[1].dot(&push[1])).collect();
            let mut system = FrozenSystem::default();
            for k in 0..4 {
                let off = rng.uniform(-0.5, 0.5);
                let towards = libm::atan2(free[3 * k + 2], free[3 * k + 1]) + off;
                let along = [libm::cos(towards), libm::sin(towards)];
                system.rows.push(3 * k);
                system.slides.push(Slide { point: k, along, friction, is_incipient: true });
                system.multipliers.extend([G / 4.0, 0.0, 0.0]);
            }
            system.factor(&delassus);
            Turning::default().search(&delassus, &free, &mut system);
            let rate = |row: usize| {
                let pushed = delassus.matrix[12 * row..].iter().zip(&system.multipliers);
                free[row] + pushed.map(|(g, l)| g * l).sum::<f64>()
            };
            let mut angles = [0.0; 4];
            for (k, angle) in angles.iter_mut().enumerate() {
                let [normal, first, second] = system.multipliers[3 * k..][..3] else { unreachable!() };
                let (x, y) = (rate(3 * k + 1), rate(3 * k + 2));
                *angle = libm::atan2(y, x);
                assert!(rate(3 * k).abs() < 1e-11, "{round}: the corner stays on the floor");
                assert!((first.hypot(second) - friction * normal.abs()).abs() < 1e-11, "{round}");
                if normal > 0.0 {
                    let across = (first * y - second * x).abs() / first.hypot(second);
                    assert!(across < 1e-10 * G, "{round}: {across:e} m/s^2 across corner {k}");
                }
            }
            turned_apart += usize::from((angles[0] - angles[3]).abs() > 0.1);
        }
        assert!(turned_apart > 1000, "{turned_apart}");
    }
}

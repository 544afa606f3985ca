//! The linear system of one problem whose sets are frozen.

use carom_solvers::PivotedCholesky;
use carom_solvers::complementarity::BasisSolver;

use super::delassus::Delassus;
use super::hold::Holding;
use super::multipliers::STILL;
use super::rows::RigidPoint;
use super::turning::Turning;
use crate::contact::Evaluator;

/// Directions of the scaled G below which contacts depend on each other.
const RIDGE: f64 = 1e-9;
/// Least share of the largest load by which a contact takes part in changes.
const LIGHTEST: f64 = 1e-8;
/// Solutions of the linear system: the second corrects the rounding of the first.
const CORRECTIONS: usize = 2;

/// A point that slides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    pub(super) point: usize,
    /// Unit direction of the slip along the tangents.
    pub(super) along: [f64; 2],
    /// Coefficient of friction.
    pub(super) friction: f64,
    /// Has the slip just begun, and may turn?
    pub(super) is_incipient: bool,
}

impl Slide {
    /// Friction at a normal force, along the tangents.
    fn pushes(&self, normal: f64) -> [f64; 2] {
        self.along.map(|part| -self.friction * part * normal)
    }
}

/// The linear system of the multipliers: rows that are held, and columns of friction of contacts that slide.
#[derive(Clone, Debug, Default)]
pub(super) struct FrozenSystem {
    /// Rows of G that are held.
    pub(super) rows: Vec<usize>,
    pub(super) slides: Vec<Slide>,
    /// Points that stick under a load, with their multipliers of the last event.
    sticks: Vec<(usize, [f64; 3])>,
    /// Do contacts depend on each other?
    depends: bool,
    matrix: Vec<f64>,
    factor: PivotedCholesky,
    metric: Vec<f64>,
    /// By slide: the place of its normal among the rows.
    places: Vec<usize>,
    /// By slide, one after the other: S C, with C the friction per unit of normal force on the rows.
    columns: Vec<f64>,
    /// 1 + P S C, its right-hand side, and the changes of the slides' normal forces.
    coupling: Vec<f64>,
    coupled: Vec<f64>,
    slides_change: Vec<f64>,
    slacks: Vec<f64>,
    everything: Vec<bool>,
    basis: BasisSolver,
    right: Vec<f64>,
    change: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    turning: Turning,
}

/// A λ = −(W v̇ + w̄) on the held rows, near the multipliers of the last event. What has no answer has multipliers that are no numbers.
pub(super) fn solve(
    evaluator: &Evaluator<'_>,
    (points, delassus, free): (&[RigidPoint], &Delassus, &[f64]),
    system: &mut FrozenSystem,
) {
    let size = 3 * points.len();
    system.clear();
    for (k, point) in points.iter().enumerate() {
        let hold = &evaluator.contacts.memory[point.contact].hold;
        system.rows.push(3 * k);
        let anchor = hold.multipliers;
        if hold.holding == Holding::Stick {
            let tangents = 3 * k + 1..3 * k + point.count_held(true);
            system.rows.extend(tangents.filter(|&row| delassus.is_mobile(size, row)));
            system.sticks.extend((anchor[0] > 0.0).then_some((k, anchor)));
        } else {
            let friction = evaluator.table.rigid_law(point.contact).friction;
            let along = slip_direction(evaluator, point);
            let is_incipient =
                point.tangents == 2 && !hold.is_slipping && friction > 0.0 && along != [0.0; 2];
            system.slides.push(Slide { point: k, along, friction, is_incipient });
        }
        system.multipliers.extend(anchor);
    }
    system.factor(delassus);
    let mut turning = std::mem::take(&mut system.turning);
    turning.search(delassus, free, system);
    system.turning = turning;
}

impl FrozenSystem {
    fn clear(&mut self) {
        self.rows.clear();
        self.slides.clear();
        self.sticks.clear();
        self.multipliers.clear();
    }

    /// Takes the block of the held rows.
    pub(super) fn factor(&mut self, delassus: &Delassus) {
        let (size, m) = (self.multipliers.len(), self.rows.len());
        self.matrix.clear();
        let rows = &self.rows;
        self.matrix.extend(
            rows.iter()
                .flat_map(|&i| rows.iter().map(move |&j| (i, j)))
                .map(|(i, j)| 0.5 * (delassus.matrix[size * i + j] + delassus.matrix[size * j + i])),
        );
        self.factor.factor(&self.matrix, m, None, RIDGE);
        self.depends = self.factor.rank() < m;
        if self.depends {
            self.weigh_by_load(m);
        }
        self.change.resize(m, 0.0);
    }

    /// Multipliers for the directions of slip that the system has, from those of the last event. Contacts that depend on each other keep the
    /// shares of friction's bounds that it gave them, as far as that goes: if one of them kept its friction while its normal force goes to
    /// another, it would come to its bound over and over.
    pub(super) fn balance(&mut self, delassus: &Delassus, free: &[f64]) {
        self.balance_again(delassus, free);
        if self.depends {
            self.share_friction();
            self.balance_again(delassus, free);
        }
    }

    /// Multipliers for the directions of slip that the system has, from others nearby: what changes is what has to.
    pub(super) fn balance_again(&mut self, delassus: &Delassus, free: &[f64]) {
        let (size, m) = (self.multipliers.len(), self.rows.len());
        self.rub();
        // (1 + P S C) Δ_N = P S r of the slides, with P their normal rows.
        self.columns.clear();
        self.places.clear();
        for slide in &self.slides {
            let k = slide.point;
            let [first, second] = slide.pushes(1.0);
            let by_friction = |&row: &usize| {
                let row = &delassus.matrix[size * row + 3 * k..][..3];
                row[1] * first + row[2] * second
            };
            self.right.clear();
            self.right.extend(self.rows.iter().map(by_friction));
            self.factor.solve(&self.right, &mut self.change);
            self.columns.extend_from_slice(&self.change);
            self.places.push(self.rows.iter().position(|&row| row == 3 * k).unwrap_or(0));
        }
        let s = self.places.len();
        self.coupling.clear();
        for i in 0..s {
            for j in 0..s {
                self.coupling.push(self.columns[m * j + self.places[i]] + f64::from(u8::from(i == j)));
            }
        }
        self.everything.resize(s, true);
        self.slides_change.resize(s, 0.0);
        self.slacks.resize(s, 0.0);
        for _ in 0..CORRECTIONS {
            self.right.clear();
            for &i in &self.rows {
                let pushed: f64 = delassus.matrix[size * i..size * (i + 1)]
                    .iter()
                    .zip(&self.multipliers)
                    .map(|(g, l)| g * l)
                    .sum();
                self.right.push(-(free[i] + pushed));
            }
            self.respond();
            for (&row, change) in self.rows.iter().zip(&self.change) {
                self.multipliers[row] += change;
            }
            self.rub();
        }
    }

    /// What is left of accelerations along the held rows of each point, |G λ + W v̇ + w̄| over the largest that forces make or that there are
    /// without them, or `least` (m/s²): rows that depend on each other have an answer only if what they ask for agrees.
    pub(super) fn find_contradictions(
        &self,
        delassus: &Delassus,
        (free, least): (&[f64], f64),
        mut note: impl FnMut(usize, f64),
    ) {
        let size = self.multipliers.len();
        let own = (0..size).map(|row| delassus.matrix[row * (size + 1)] * self.multipliers[row]);
        let largest = free.iter().copied().chain(own).fold(least, |most, a| most.max(a.abs()));
        if !self.depends || largest == 0.0 {
            return;
        }
        for &row in &self.rows {
            let rates = delassus.matrix[size * row..][..size].iter().zip(&self.multipliers);
            let left = free[row] + rates.map(|(g, force)| g * force).sum::<f64>();
            note(row / 3, left.abs() / largest);
        }
    }

    /// Friction of the slides at their normal forces.
    fn rub(&mut self) {
        for slide in &self.slides {
            let k = slide.point;
            let [first, second] = slide.pushes(self.multipliers[3 * k]);
            self.multipliers[3 * k + 1] = first;
            self.multipliers[3 * k + 2] = second;
        }
    }

    /// Changes of the held multipliers that change accelerations along their rows by `right`, with what friction then changes; not numbers
    /// where there are none.
    fn respond(&mut self) {
        let m = self.rows.len();
        self.factor.solve(&self.right, &mut self.change);
        match (&self.places[..], &self.coupling[..]) {
            ([], _) => {}
            // All that most systems have.
            ([place], [coupling]) if *coupling != 0.0 => {
                self.slides_change[0] = self.change[*place] / coupling;
            }
            _ => {
                self.coupled.clear();
                self.coupled.extend(self.places.iter().map(|&place| -self.change[place]));
                let unknowns = [&mut self.slides_change[..], &mut self.slacks];
                if !self.basis.solve([&self.coupling, &self.coupled], &self.everything, unknowns) {
                    self.slides_change.fill(f64::NAN);
                }
            }
        }
        for (column, slide) in self.columns.chunks_exact(m).zip(&self.slides_change) {
            self.change.iter_mut().zip(column).for_each(|(change, c)| *change -= c * slide);
        }
    }

    /// How all multipliers change by radian as friction at one of the slides turns towards `across`.
    pub(super) fn change_by_turning(
        &mut self,
        delassus: &Delassus,
        (slide, across): (usize, [f64; 2]),
        change: &mut Vec<f64>,
    ) {
        let size = self.multipliers.len();
        let Slide { point: k, friction, .. } = self.slides[slide];
        let load = friction * self.multipliers[3 * k];
        let pushed = |&row: &usize| {
            let row = &delassus.matrix[size * row + 3 * k..][..3];
            load * (row[1] * across[0] + row[2] * across[1])
        };
        self.right.clear();
        self.right.extend(self.rows.iter().map(pushed));
        self.respond();
        change.clear();
        change.resize(size, 0.0);
        self.rows.iter().zip(&self.change).for_each(|(&row, own)| change[row] = *own);
        for slide in &self.slides {
            let j = slide.point;
            let [first, second] = slide.pushes(change[3 * j]);
            change[3 * j + 1] = first;
            change[3 * j + 2] = second;
        }
        change[3 * k + 1] -= load * across[0];
        change[3 * k + 2] -= load * across[1];
    }

    /// Factors the matrix of `m` rows so that contacts which depend on each other share changes by the loads that they carry: one that
    /// carries hardly anything would come to friction's bound by its part, over and over.
    fn weigh_by_load(&mut self, m: usize) {
        let load = |row: usize| self.multipliers[row / 3 * 3].max(0.0);
        let largest = self.rows.iter().map(|&row| load(row)).fold(0.0, f64::max);
        let weight = |row: usize| if largest > 0.0 { (load(row) / largest).max(LIGHTEST) } else { 1.0 };
        self.metric.clear();
        self.metric
            .extend(self.rows.iter().enumerate().map(|(i, &row)| self.matrix[(m + 1) * i] / weight(row)));
        self.factor.factor(&self.matrix, m, Some(&self.metric), RIDGE);
    }

    /// Tangential multipliers of contacts that stick, in proportion to the normal ones.
    fn share_friction(&mut self) {
        for &(k, [normal, first, second]) in &self.sticks {
            let share = self.multipliers[3 * k].max(0.0) / normal;
            self.multipliers[3 * k + 1] = share * first;
            self.multipliers[3 * k + 2] = share * second;
        }
    }
}

/// Unit direction of the slip along a point's tangents; where it passes through rest it goes on as before, so that the motion is
/// smooth up to there.
fn slip_direction(evaluator: &Evaluator<'_>, point: &RigidPoint) -> [f64; 2] {
    let hold = &evaluator.contacts.memory[point.contact].hold;
    let [_, first, second] = &point.axes;
    let before = [hold.direction.dot(first), hold.direction.dot(second)];
    let [_, x, y] = point.speeds;
    let speed = x.hypot(y);
    let still = STILL * evaluator.system.scales.velocity;
    let is_known = hold.is_slipping && speed > still;
    let (along, length) = if is_known { ([x, y], speed) } else { (before, before[0].hypot(before[1])) };
    let sign = if along[0] * before[0] + along[1] * before[1] < 0.0 { -1.0 } else { 1.0 };
    if length > 0.0 { along.map(|v| sign * v / length) } else { [0.0; 2] }
}

#[cfg(test)]
mod tests {
    use super::{FrozenSystem, Slide, Turning};
    use crate::contact::rigid::turning::tests::operator;
    use carom_math::Vec3;
    use carom_testkit::SplitMix64;

    /// A block on its corners, of which one sticks: it turns about that as the slips of the others begin, each accelerated along itself, and
    /// what the four carry is not unique.
    #[test]
    fn slips_that_begin_beside_what_sticks_are_found() {
        let mut rng = SplitMix64::new(9);
        for round in 0..1000 {
            let size = Vec3::new(rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4), rng.uniform(0.02, 0.1));
            let friction = rng.uniform(0.1, 1.0);
            let (delassus, rows) = operator(size);
            let around = 9.81 * friction / size.norm() * rng.uniform(5.0, 20.0);
            let free: Vec<f64> = rows.iter().map(|row| -9.81 * row[0].z + around * row[1].z).collect();
            let mut system = FrozenSystem::default();
            system.rows.extend([0, 1, 2]);
            let load = rng.uniform(1.0, 4.0);
            let carried = [load, rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)];
            system.sticks.push((0, carried));
            system.multipliers.extend(carried);
            for k in 1..4 {
                let angle = libm::atan2(free[3 * k + 2], free[3 * k + 1]) + rng.uniform(-0.5, 0.5);
                let along = [libm::cos(angle), libm::sin(angle)];
                system.rows.push(3 * k);
                system.slides.push(Slide { point: k, along, friction, is_incipient: true });
                system.multipliers.extend([rng.uniform(1.0, 4.0), 0.0, 0.0]);
            }
            system.factor(&delassus);
            assert!(system.depends);
            Turning::default().search(&delassus, &free, &mut system);
            assert!(system.multipliers.iter().all(|m| m.is_finite()), "{round}");
            let rate = |row: usize| {
                let pushed = delassus.matrix[12 * row..].iter().zip(&system.multipliers);
                free[row] + pushed.map(|(g, l)| g * l).sum::<f64>()
            };
            for row in [0, 1, 2, 3, 6, 9] {
                assert!(rate(row).abs() < 1e-9, "{round}: {row} {:e}", rate(row));
            }
            for slide in system.slides.iter().filter(|slide| system.multipliers[3 * slide.point] > 0.0) {
                let [x, y] = [1, 2].map(|axis| rate(3 * slide.point + axis));
                let across = slide.along[0] * y - slide.along[1] * x;
                assert!(across.abs() < 1e-8, "{round}: {across:e} m/s^2 across {}", slide.point);
            }
        }
    }
}

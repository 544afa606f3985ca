//! What the changes of clipped contacts leave wrong in a step: the force of each has a kink there, whose size is known. Summed
//! up over each body, against its tolerances.

use carom_solvers::{Kinks, ToleranceGroup};

use super::Evaluator;
use crate::system::System;

/// Share of a step's tolerance that kinks may use up.
const SHARE: f64 = 1.0;

/// Errors of the integrals of a force over a step: its impulse (N s) and the integral of that (N s²), the same of its torque about the
/// centre of mass, and the energy that is lost (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct KinkError {
    pub(super) impulse: f64,
    pub(super) shift: f64,
    pub(super) twist: f64,
    pub(super) turn: f64,
    pub(super) energy: f64,
    pub(super) energy_margin: f64,
}

/// Errors of the integrals of a force over a step of length h, over its value at the end times h and h². `signed` is that of the first,
/// but for `margin`: errors of many contacts cancel in the sum of their losses.
pub(super) struct Factors {
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) signed: f64,
    pub(super) margin: f64,
}

/// What of the largest error anywhere in the step is added to that at the place of the kink: the force is a power of time to
/// leading order in the step over the impact's duration only.
const MARGIN: f64 = 0.2;

impl Factors {
    /// Of a force that sets in as this power of time, and is there for the share `left` of the step.
    pub(super) fn of(kinks: &Kinks, power: f64, left: f64) -> Self {
        if left <= 0.0 {
            return Self::within(0.0);
        }
        let (errors, bounds) = (kinks.errors(power, left), kinks.bounds(power, left));
        let [first, second] = [0, 1].map(|k| errors[k].abs() + MARGIN * bounds[k]);
        Self { first, second, signed: errors[0], margin: MARGIN * bounds[0] }
    }

    /// Of a force that is no larger before the end, and is there for so many steps.
    pub(super) fn within(share: f64) -> Self {
        Self { first: share, second: share, signed: 0.0, margin: share }
    }
}

impl std::ops::AddAssign for KinkError {
    fn add_assign(&mut self, other: Self) {
        self.impulse += other.impulse;
        self.shift += other.shift;
        self.twist += other.twist;
        self.turn += other.turn;
        self.energy += other.energy;
        self.energy_margin += other.energy_margin;
    }
}

/// By body that moves freely: its tolerances, and what kinks have used up of them in the attempted step.
pub(crate) struct KinkBook {
    groups: Vec<Option<BodyTolerances>>,
    used: Vec<f64>,
    touched: Vec<usize>,
    energy: f64,
    energy_margin: f64,
    energy_tolerance: f64,
}

/// Of position, orientation, velocity, angular velocity, in the order of a free body's states; its mass and smallest moment of inertia.
struct BodyTolerances {
    groups: [ToleranceGroup; 4],
    mass: f64,
    moment: f64,
}

impl KinkBook {
    pub(crate) fn new(system: &System) -> Self {
        let of_body = |(index, body): (usize, &crate::mechanics::BodyData)| {
            let groups = system.groups_of_free_body(index)?;
            let moment = 1.0 / body.inverse_inertia.symmetric_eigenvalues().max();
            Some(BodyTolerances { groups, mass: body.mass, moment })
        };
        let groups: Vec<_> = system.mechanics.bodies.iter().enumerate().map(of_body).collect();
        Self {
            used: vec![0.0; groups.len()],
            groups,
            touched: Vec::with_capacity(2 * system.table.contacts.len()),
            energy: 0.0,
            energy_margin: 0.0,
            energy_tolerance: system.energy_tolerance().unwrap_or(f64::INFINITY),
        }
    }

    /// Begins with an attempted step.
    pub(super) fn clear(&mut self) {
        self.touched.drain(..).for_each(|body| self.used[body] = 0.0);
        self.energy = 0.0;
        self.energy_margin = 0.0;
    }

    /// Adds an error to both bodies of a contact, unless the tolerances of the step do not hold it.
    pub(super) fn take(&mut self, evaluator: &Evaluator<'_>, contact: usize, error: &KinkError) -> bool {
        let bodies = evaluator.table.pairs[evaluator.table.contacts[contact].pair].bodies;
        let shares = bodies.map(|body| self.share(evaluator, body, error));
        let energy = self.energy + error.energy;
        let energy_margin = self.energy_margin + error.energy_margin;
        let fits = (0..2).all(|k| self.used[bodies[k]] + shares[k] <= SHARE)
            && energy.abs() + energy_margin <= SHARE * self.energy_tolerance;
        if fits {
            (self.energy, self.energy_margin) = (energy, energy_margin);
            for (body, share) in bodies.into_iter().zip(shares) {
                self.used[body] += share;
                self.touched.push(body);
            }
        }
        fits
    }

    /// Would an error of this size (N) over a step of length h be little enough for both bodies, alone?
    pub(super) fn is_little(&self, evaluator: &Evaluator<'_>, contact: usize, force: f64, h: f64) -> bool {
        let bodies = evaluator.table.pairs[evaluator.table.contacts[contact].pair].bodies;
        let error = KinkError { impulse: force * h, ..KinkError::default() };
        bodies.iter().all(|&body| self.share(evaluator, body, &error) <= SHARE)
    }

    /// The largest of an error's shares in the tolerances of a body.
    fn share(&self, evaluator: &Evaluator<'_>, body: usize, error: &KinkError) -> f64 {
        let Some(own) = &self.groups[body] else { return 0.0 };
        let y = &evaluator.workspace.state;
        let tolerance = |k: usize| {
            let group = &own.groups[k];
            let size = y[group.start..group.start + group.len].iter().map(|x| x * x).sum::<f64>().sqrt();
            group.tolerance(size)
        };
        let of = [
            error.shift / own.mass / tolerance(0),
            // A rotation by a small angle moves the quaternion by half of it.
            0.5 * error.turn / own.moment / tolerance(1),
            error.impulse / own.mass / tolerance(2),
            error.twist / own.moment / tolerance(3),
        ];
        of.into_iter().fold(0.0, f64::max)
    }
}

//! What a state at rest does when it is pushed a little: comes back, stays where it was pushed to, or goes on.

use nalgebra::{DMatrix, DVector};

use super::eigen::Spectrum;
use super::{Dynamics, settle};

/// Share of the largest eigenvalue below which one is noise of the differences that made the stiffness.
const NOISE: f64 = 1e-10;

/// Kinds of equilibria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StabilityKind {
    /// Every motion that the constraints allow is resisted.
    Stable,
    /// None is helped, but some are not resisted: the equilibrium is one of many beside each other.
    Indifferent,
    /// Some motion is helped.
    Unstable,
}

impl StabilityKind {
    /// In results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Indifferent => "indifferent",
            Self::Unstable => "unstable",
        }
    }
}

/// The stiffness of an equilibrium in its softest directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    /// Which of them.
    pub kind: StabilityKind,
    /// Smallest eigenvalue of stiffness over mass (1/s²); negative, it is the square of the rate at which the state is left. Infinite where
    /// nothing can move.
    pub smallest: f64,
    /// Its direction by freedom; the largest component is 1.
    pub direction: Vec<f64>,
    /// Freedoms that span the directions which nothing resists, one for each.
    pub indifferent: Vec<usize>,
}

impl Stability {
    /// Of a stiffness along a basis of the free directions, whose spectrum this is. Where elements of areal contact carry, a
    /// negative stiffness of the mechanisms that they touch is chance within their estimated error.
    pub(super) fn of(dynamics: &Dynamics<'_>, basis: &DMatrix<f64>, spectrum: &Spectrum) -> Self {
        let noise = NOISE * spectrum.largest();
        let chance = chances(dynamics, basis, spectrum);
        let count = spectrum.values.len();
        let smallest = spectrum.smallest();
        let is_helped = |k: usize| spectrum.values[k] < -noise.max(chance[k]);
        let free: Vec<usize> = (0..count).filter(|&k| !is_helped(k) && spectrum.values[k] <= noise).collect();
        let kind = if (0..count).any(is_helped) {
            StabilityKind::Unstable
        } else if !free.is_empty() {
            StabilityKind::Indifferent
        } else {
            StabilityKind::Stable
        };
        let modes = basis * &spectrum.modes;
        let softest =
            (0..spectrum.values.len()).min_by(|&i, &j| spectrum.values[i].total_cmp(&spectrum.values[j]));
        let inertia = dynamics.mass_matrix().diagonal();
        Self {
            kind,
            smallest,
            direction: softest.map_or_else(Vec::new, |k| scaled(&modes.column(k).into_owned())),
            indifferent: spanning(&modes.select_columns(&free), &inertia),
        }
    }
}

/// By mode, the stiffness over mass (1/s²) that chance makes of the elements of areal contacts: their error's share of the largest, as far as the
/// mode moves mechanisms that they carry (its share of kinetic energy there).
fn chances(dynamics: &Dynamics<'_>, basis: &DMatrix<f64>, spectrum: &Spectrum) -> Vec<f64> {
    let mechanics = &dynamics.evaluator.system.mechanics;
    let tree_of = |body: usize| mechanics.bodies[body].link.map(|link| mechanics.links[link].tree);
    let sampled: Vec<usize> =
        settle::sampled(dynamics).flat_map(|(pair, _)| pair.bodies).filter_map(tree_of).collect();
    let error = settle::sampling_error(dynamics).unwrap_or(0.0);
    let is_sampled =
        |freedom: &usize| sampled.contains(&mechanics.links[mechanics.link_of_freedom[*freedom]].tree);
    let mass = dynamics.mass_matrix();
    let share = |mode: DVector<f64>| {
        let momentum = &mass * &mode;
        (0..mode.len()).filter(is_sampled).map(|f| mode[f] * momentum[f]).sum::<f64>()
    };
    let modes = basis * &spectrum.modes;
    modes.column_iter().map(|mode| error * spectrum.largest() * share(mode.into_owned())).collect()
}

/// With the largest component 1.
fn scaled(direction: &DVector<f64>) -> Vec<f64> {
    let largest = direction[direction.iamax()];
    direction.iter().map(|x| x / largest).collect()
}

/// Rows that span those of all columns, as many as these: each is the largest that is left by those before it, lengths and angles
/// weighed by their inertia.
fn spanning(columns: &DMatrix<f64>, inertia: &DVector<f64>) -> Vec<usize> {
    let mut left = columns.clone();
    for (mut row, inertia) in left.row_iter_mut().zip(inertia.iter()) {
        row *= inertia.max(0.0).sqrt();
    }
    let mut rows = Vec::new();
    for _ in 0..columns.ncols() {
        let row = DVector::from_fn(left.nrows(), |i, _| left.row(i).norm()).imax();
        rows.push(row);
        let unit = left.row(row).normalize();
        let along = &left * unit.transpose();
        left -= along * unit;
    }
    rows.sort_unstable();
    rows
}

use carom_math::{Mat3, SpatialInertia, Twist, Vec3, Wrench};

use super::across::{Across, across_any, across_fixed, across_prismatic, across_revolute};
use super::articulated::Articulated;
use super::coupled::Coupled;
use super::{Couplings, Link, Shortcut};
use crate::mechanics::kinematics::BodyKinematics;

/// Buffers of the recursions, by link or by freedom. World axes, about the centres of mass.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeWorkspace {
    /// By freedom: motion at unit velocity. Not written for roots, whose columns are those of [`root_columns`].
    pub(crate) columns: Vec<Twist>,
    /// By link: acceleration that the velocities alone make, with all q̈ zero; zero for roots.
    pub(crate) bias: Vec<Twist>,
    /// By link: from the parent's centre of mass (m).
    pub(crate) arm: Vec<Vec3>,
    /// What the articulated inertias are of; none since [`Self::update_kinematics`] has moved the bodies, which all that moves them goes
    /// through but for differences of force elements, which ask for no inertia.
    pub(super) articulated: Option<Articulated>,
    /// By link: articulated inertia.
    pub(super) inertia: Vec<SpatialInertia>,
    /// By freedom: U = I S, about the parent's centre of mass.
    pub(super) reach: Vec<Wrench>,
    /// By freedom: acceleration that a drive prescribes; zero for all others.
    pub(crate) prescribed: Vec<f64>,
    /// By freedom: what resists beside the inertia, as its armature does; zero but within [`Self::resist`].
    pub(super) resistance: Vec<f64>,
    /// By link, at `inverse_at`: (Sᵀ I S)⁻¹; zero for a freedom whose acceleration is prescribed.
    pub(super) inverse: Vec<f64>,
    pub(super) inverse_at: Vec<usize>,
    /// By link, for roots: acceleration from wrench.
    pub(super) mobility: Vec<SpatialInertia>,
    /// By link: wrench of the inward pass.
    pub(super) wrench: Vec<Wrench>,
    /// By freedom: what is left of the effort after the inward pass.
    pub(super) left: Vec<f64>,
    /// By link: acceleration of the last outward pass.
    pub(crate) acceleration: Vec<Twist>,
    /// By freedom: generalised acceleration of the last outward pass.
    pub(crate) generalized: Vec<f64>,
    /// Of joints that move together.
    pub(super) coupled: Coupled,
}

impl TreeWorkspace {
    pub(crate) fn new(links: &[Link], couplings: Option<&Couplings>) -> Self {
        let freedoms = links.last().map_or(0, |l| l.freedoms().end);
        let mut inverse = 0;
        let inverse_at = links
            .iter()
            .map(|link| {
                inverse += link.kind.freedoms().pow(2);
                inverse - link.kind.freedoms().pow(2)
            })
            .collect();
        Self {
            columns: vec![Twist::ZERO; freedoms],
            bias: vec![Twist::ZERO; links.len()],
            arm: vec![Vec3::zeros(); links.len()],
            articulated: None,
            inertia: vec![SpatialInertia::default(); links.len()],
            reach: vec![Wrench::ZERO; freedoms],
            prescribed: vec![0.0; freedoms],
            resistance: vec![0.0; freedoms],
            inverse: vec![0.0; inverse],
            inverse_at,
            mobility: vec![SpatialInertia::default(); links.len()],
            wrench: vec![Wrench::ZERO; links.len()],
            left: vec![0.0; freedoms],
            acceleration: vec![Twist::ZERO; links.len()],
            generalized: vec![0.0; freedoms],
            coupled: Coupled::new(couplings),
        }
    }

    /// Poses and velocities of all moving bodies.
    #[inline]
    pub(crate) fn update_kinematics(&mut self, links: &[Link], y: &[f64], bodies: &mut [BodyKinematics]) {
        self.articulated = None;
        for (index, link) in links.iter().enumerate() {
            let states = &y[link.states()];
            let Some(parent) = link.parent_body else {
                bodies[link.body] = BodyKinematics::from_state(states);
                continue;
            };
            let (parent, columns) = (&bodies[parent], &mut self.columns[link.freedoms()]);
            match &link.shortcut {
                Shortcut::Revolute(table) => {
                    let across = across_revolute(link, table, parent, states[0], states[1], columns);
                    self.place(index, link, across, bodies);
                }
                Shortcut::Prismatic(table) => {
                    let across = across_prismatic(table, parent, states[0], states[1], columns);
                    self.place(index, link, across, bodies);
                }
                Shortcut::Fixed(fixed) => self.place(index, link, across_fixed(fixed, parent), bodies),
                Shortcut::None => {
                    let across = across_any(link, parent, states, columns);
                    self.place(index, link, across, bodies);
                }
            }
        }
    }

    /// Puts down the motion across a link's joint. Called from each branch, so that the common ones need no copy.
    #[inline(always)]
    fn place(&mut self, index: usize, link: &Link, across: Across, bodies: &mut [BodyKinematics]) {
        let Across { body, arm, bias } = across;
        bodies[link.body] = body;
        self.arm[index] = arm;
        self.bias[index] = match link.parent {
            Some(parent) => self.bias[parent].shifted(&arm) + bias,
            None => bias,
        };
    }

    /// Columns of any link's freedoms.
    pub(crate) fn column(&self, link: &Link, k: usize, rotation: &Mat3) -> Twist {
        if link.is_root() { root_column(k, rotation) } else { self.columns[link.first_freedom + k] }
    }
}

/// Columns of a root: velocity of the centre of mass in world axes, angular velocity in body axes.
pub(super) fn root_column(k: usize, rotation: &Mat3) -> Twist {
    if k < 3 {
        let mut linear = Vec3::zeros();
        linear[k] = 1.0;
        Twist::new(Vec3::zeros(), linear)
    } else {
        Twist::new(rotation.column(k - 3).into_owned(), Vec3::zeros())
    }
}

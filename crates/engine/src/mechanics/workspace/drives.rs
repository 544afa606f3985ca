//! Motors whose motion the links make themselves.

use std::ops::Range;

use super::Mechanism;
use crate::function::Jet;
use crate::mechanics::Configuration;
use crate::mechanics::tree::{Link, TreeWorkspace};
use crate::mechanics::{Controls, Equation, Mechanics};

/// What rounding leaves of a demand, per size of the coordinate or velocity, or of 1.
const ROUNDING: f64 = 1e-15;

/// What a motor prescribes.
struct Demand {
    /// Nothing for a motor of given velocity.
    position: Option<f64>,
    speed: f64,
    acceleration: f64,
}

/// Driven links with their constraint groups.
fn driven(mechanics: &Mechanics) -> impl Iterator<Item = (usize, &Link, usize)> {
    mechanics
        .links
        .iter()
        .enumerate()
        .filter_map(|(index, link)| link.drive.map(|group| (index, link, group)))
}

fn demand(mechanics: &Mechanics, controls: &Controls, group: usize, time: f64) -> Demand {
    let Equation::Drive { at, function, by_velocity } = &mechanics.constraints[group].equation else {
        unreachable!("driven links have motors");
    };
    let Jet { value, rate, acceleration } = controls.motion(*at, function, time);
    if *by_velocity {
        Demand { position: None, speed: value, acceleration: rate }
    } else {
        Demand { position: Some(value), speed: rate, acceleration }
    }
}

impl Mechanism {
    /// Accelerations that the motors prescribe now.
    pub(super) fn prescribe(&mut self, here: &Configuration<'_>) {
        for (_, link, group) in driven(here.mechanics) {
            self.tree.prescribed[link.first_freedom] =
                demand(here.mechanics, here.controls, group, here.time).acceleration;
        }
    }

    /// Efforts of the motors in the accelerations last computed, and their power: the effort times the prescribed velocity
    /// is work of the motor; times what a stage's velocity is off by, work of the constraint.
    pub(super) fn account_for_drives(&mut self, here: &Configuration<'_>) {
        for (index, link, group) in driven(here.mechanics) {
            let freedom = link.first_freedom;
            let effort = self.tree.effort_through(index, link) - self.efforts[freedom];
            let speed = demand(here.mechanics, here.controls, group, here.time).speed;
            let off = here.state[link.velocities().start] - speed;
            self.drive_efforts[group] = effort;
            self.account.motors += effort * speed;
            self.account.drift += effort * off;
            // Responses to loads alone prescribe nothing.
            self.tree.prescribed[freedom] = 0.0;
        }
    }
}

/// Are all driven joints where their motors want them, to rounding? Motors of constant speed keep them there.
pub(crate) fn is_on_drives(mechanics: &Mechanics, controls: &Controls, time: f64, y: &[f64]) -> bool {
    let is_near = |value: f64, demanded: f64| (value - demanded).abs() <= ROUNDING * demanded.abs().max(1.0);
    driven(mechanics).all(|(_, link, group)| {
        let demand = demand(mechanics, controls, group, time);
        let (q, v) = (y[link.coordinates().start], y[link.velocities().start]);
        is_near(v, demand.speed) && demand.position.is_none_or(|position| is_near(q, position))
    })
}

/// Writes, at the freedoms of driven joints, what their speeds are short of what the motors want.
pub(crate) fn demand_steps(
    mechanics: &Mechanics,
    controls: &Controls,
    time: f64,
    y: &[f64],
    steps: &mut [f64],
) {
    for (_, link, group) in driven(mechanics) {
        steps[link.first_freedom] =
            demand(mechanics, controls, group, time).speed - y[link.velocities().start];
    }
}

/// Puts the driven joints of a state where their motors want them.
pub(crate) fn put_on_drives(mechanics: &Mechanics, controls: &Controls, time: f64, y: &mut [f64]) {
    for (_, link, group) in driven(mechanics) {
        let demand = demand(mechanics, controls, group, time);
        y[link.velocities().start] = demand.speed;
        if let Some(position) = demand.position {
            y[link.coordinates().start] = position;
        }
    }
}

/// What the motors of links put in as they hold their joints against an impulse, in the response last computed (J).
pub(super) fn work_of_drives(here: &Configuration<'_>, tree: &TreeWorkspace, links: Range<usize>) -> f64 {
    let driven = links.filter_map(|index| {
        let link = &here.mechanics.links[index];
        link.drive.map(|group| {
            let speed = demand(here.mechanics, here.controls, group, here.time).speed;
            tree.impulse_of_drive(link) * speed
        })
    });
    driven.sum()
}

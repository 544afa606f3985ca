use carom_math::Vec3;

use super::point::{MotionChange, force_change};
use crate::contact::Evaluator;
use crate::system::StopData;

/// Slopes of the effort of an active stop by the coordinate and velocity of its axis.
pub(super) fn slopes_of_stop(evaluator: &Evaluator<'_>, slot: usize, stop: &StopData) -> [f64; 2] {
    let index = evaluator.contacts.active[slot];
    let data = &evaluator.table.contacts[index];
    let (pair, memory) = (&evaluator.table.pairs[data.pair], &evaluator.contacts.memory[index]);
    let motion = &evaluator.forces[slot].point;
    let direction = stop.direction(data.feature);
    // The gap grows with the coordinate in the stop's direction; its point moves as the coordinate does.
    let unit = motion.normal * direction;
    let none = Vec3::zeros();
    let by_place = MotionChange::of_displacement(motion, &unit, (&none, &none), &none);
    let by_speed = MotionChange::of_velocity(motion, &unit, none);
    let share = evaluator.forces[slot].share;
    [by_place, by_speed].map(|change| {
        direction * force_change(data, pair, memory, (motion, share), (&change, 0.0)).normal_change
    })
}

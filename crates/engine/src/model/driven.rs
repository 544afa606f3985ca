//! Prescribed motions that jump.

use super::validate::short;
use super::validate_mechanism::unit_of;
use super::{Joint, Motor};
use crate::Problem;
use crate::function::{Jet, TimeFunction};
use crate::note::Note;

/// Breaks of a prescribed position that are looked at for a jump of its speed.
const BREAKS: usize = 1000;
/// Speeds that differ by more than this share of the larger (or of 1) are two.
const SAME_SPEED: f64 = 1e-9;

/// Rounding of times within a piece of a function, over the time.
const ROUNDING_OF_TIME: f64 = 8.0 * f64::EPSILON;

/// E0118 where a prescribed position jumps before the end of the run.
pub(super) fn find_position_jump(
    joint: &Joint,
    axis: usize,
    motor: &Motor,
    path: &str,
    t_end: f64,
) -> Option<Problem> {
    let Motor::Position(function) = motor else { return None };
    // More breaks than can be looked at here are looked at by the run.
    let jump = function.first_jump(0.0, t_end).ok().flatten()?;
    let [before, after] = jump.values;
    let unit = unit_of(joint, axis);
    let message = format!(
        "the position that the motor of joint \"{}\" prescribes jumps by {} {unit} at t = {} s, from {} {unit} to {} {unit}",
        joint.name,
        short(after - before),
        short(jump.time),
        short(before),
        short(after),
    );
    let problem = Problem::new("E0118", path, message).expected("a position that is continuous in time");
    Some(problem.help(
        "give a ramp, such as a table with a time between both values, or prescribe the velocity: motor = { speed = … }",
    ))
}

/// What a motor that changes its speed at once means, for the first time it does.
pub(crate) fn note_of_speed_jump(joint: &Joint, axis: usize, t_end: f64) -> Option<Note> {
    let (time, [before, after]) = match joint.elements.get(axis)?.motor.as_ref()? {
        Motor::Velocity(function) => {
            let jump = function.first_jump(0.0, t_end).ok().flatten()?;
            (jump.time, jump.values)
        }
        Motor::Position(function) => rate_jump(function, t_end)?,
        Motor::Force(_) => return None,
    };
    let unit = unit_of(joint, axis);
    let message = format!(
        "the motor of joint \"{}\" changes its speed at once at t = {} s, from {} to {} {unit}/s: an impulse, whose work is booked \
         as the motor's; no force shows it",
        joint.name,
        short(time),
        short(before),
        short(after),
    );
    Some(Note::new("N0307", message))
}

/// The first time at which the rate of a function jumps, with its values.
fn rate_jump(function: &TimeFunction, t_end: f64) -> Option<(f64, [f64; 2])> {
    let mut from = 0.0;
    for _ in 0..BREAKS {
        let time = function.next_break(from, t_end).ok().flatten()?;
        let jets = [time.next_down(), time].map(|t| function.jet(t));
        let [before, after] = jets.map(|jet: Jet| jet.rate);
        // What the rounding of the time makes of a rate, an hour after the start, is no jump.
        let bent = jets.iter().fold(0.0, |m: f64, jet| m.max(jet.acceleration.abs()));
        let same = SAME_SPEED * before.abs().max(after.abs()).max(1.0) + ROUNDING_OF_TIME * time * bent;
        if (after - before).abs() > same {
            return Some((time, [before, after]));
        }
        from = time;
    }
    None
}

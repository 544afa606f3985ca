//! Bodies that turn on their way to a contact: another edge or corner may be the first.

use carom_math::Vec3;

use super::response::{Side, calc_excess, find_depth};
use super::{Meeting, Presses};
use crate::system::System;

/// Largest angle between two directions that are looked at (rad).
const STEP: f64 = 0.1;

/// The way is followed for two turns at most.
const MOST: u32 = 126;

/// Share of what is to be stored by which two directions may differ and be as deep.
const ROUNDING: f64 = 1e-9;

/// Directions in the body's axes in which a free body may meet the other, over the time from the start to the meeting: how
/// n = Rᵀ d of the direction d (out of it) moves as the body turns by itself, I ω̇ = −ω × I ω and ṅ = −ω × n, by the
/// midpoint rule. Empty if it does not turn, or if something holds it.
fn find_directions(
    system: &System,
    presses: &Presses,
    body: usize,
    direction: &Vec3,
    time: f64,
) -> Vec<Vec3> {
    if !presses.is_free(body) {
        return Vec::new();
    }
    let (state, data) = (&presses.bodies[body], &system.mechanics.bodies[body]);
    let to_body = |v: &Vec3| state.pose.rotation.tr_mul(v);
    let (mut omega, mut n) = (to_body(&state.angular_velocity), to_body(direction));
    let spin = |omega: &Vec3| -(data.inverse_inertia * omega.cross(&(data.inertia * omega)));
    let steps = (omega.norm() * time / STEP).ceil().min(f64::from(MOST)) as u32;
    let h = (time / f64::from(steps.max(1))).min(STEP / omega.norm());
    let turned = (0..steps).map(|_| {
        let middle = omega + spin(&omega) * (0.5 * h);
        omega += spin(&middle) * h;
        let half = n - middle.cross(&n) * (0.5 * h);
        n = (n - middle.cross(&half) * h).normalize();
        n
    });
    turned.collect()
}

/// Longest time (s) after the start at which two bodies that nothing holds meet, as they move and fall: their surfaces are a gap apart
/// where they meet, and what turns may have to come as much closer as its place there is off its centre. `None` if they do not.
fn calc_meeting_time(
    system: &System,
    presses: &Presses,
    bodies: [usize; 2],
    meeting: &Meeting,
) -> Option<f64> {
    let falls = |body: usize| f64::from(u8::from(presses.is_free(body)));
    let [a, b] = bodies.map(|body| &presses.bodies[body]);
    let closing = (a.velocity - b.velocity).dot(&meeting.direction);
    let weight = system.mechanics.gravity.dot(&meeting.direction);
    let rate = weight * (falls(bodies[0]) - falls(bodies[1]));
    let reach = |k: usize| {
        let out = meeting.places[k] - presses.bodies[bodies[k]].pose.translation;
        let turns = presses.bodies[bodies[k]].angular_velocity.norm() > 0.0;
        if turns { out.dot(&meeting.direction).abs() } else { 0.0 }
    };
    let way = meeting.gap + reach(0) + reach(1);
    // The first root of way = closing t + rate t²/2.
    let root = (closing * closing + 2.0 * rate * way).sqrt();
    let time = 2.0 * way / (closing + root);
    (time.is_finite() && time > 0.0).then_some(time)
}

/// Sides as bodies that turn may have them where they meet: each the one that gives way most before the energy and the force (J, N) are
/// stored, beside the other as it starts. What is open keeps its own: seen from elsewhere it has no volume.
pub(super) fn turn_sides(
    system: &System,
    presses: &Presses,
    surfaces: [usize; 2],
    meeting: &Meeting,
    sides: [Side; 2],
    (stiffness, pressing, most): (f64, [f64; 2], f64),
) -> [Side; 2] {
    let bodies = surfaces.map(|s| system.surfaces[s].body);
    let Some(time) = calc_meeting_time(system, presses, bodies, meeting) else { return sides };
    let turned = |k: usize| {
        let out = if k == 0 { meeting.direction } else { -meeting.direction };
        let directions = find_directions(system, presses, bodies[k], &out, time);
        let surface = &system.areal_surfaces[surfaces[k]];
        let (false, Side::Cap(_), Some(Ok(mesh))) = (directions.is_empty(), &sides[k], surface.mesh()) else {
            return None;
        };
        if !surface.tree(&mesh).is_ok_and(|tree| tree.is_closed()) {
            return None;
        }
        let body = &presses.bodies[bodies[k]].pose.rotation;
        let to_surface = presses.surfaces[surfaces[k]].rotation.transpose() * body;
        let mut trial = sides.clone();
        let mut found = None;
        let mut deepest = find_depth(&sides, stiffness, pressing, most)?;
        for n in directions.iter().map(|n| to_surface * n) {
            trial[k] = Side::ahead(&mesh, &n, deepest);
            // What has stored enough at the depth at hand is not deeper.
            let excess = calc_excess(&trial, stiffness, pressing, deepest);
            if excess < -ROUNDING * (pressing[0] + pressing[1] * deepest) {
                trial[k] = Side::ahead(&mesh, &n, most);
                found = Some(trial[k].clone());
                match find_depth(&trial, stiffness, pressing, most) {
                    Some(depth) => deepest = depth,
                    None => break,
                }
            }
        }
        found
    };
    let found = [turned(0), turned(1)];
    let [a, b] = sides;
    let [found_a, found_b] = found;
    [found_a.unwrap_or(a), found_b.unwrap_or(b)]
}

//! A cylinder, cone or frustum over a half-space, by its round ends. Rigid contact holds each point of an end by rows of its own. The corners of
//! boxes and hulls, and the ends of capsules, are ends without a radius beside each other.
//!
//! An end of radius R, with its centre a along the axis u and n the outward normal, has the tilt s = ‖n − (n·u) u‖ and its lowest point
//! along r̂ = −(n − (n·u) u)/s. While it rolls, that point alone may touch: it moves around the rim so that its height is least, and so
//! its gap changes at the speed of the solid's point under it. As s goes to zero it runs around ever faster, and where the end lies flat
//! there is none: then four points stand for the rim, fixed to the solid at right angles.
//!
//! | end | point k of 4 | gap |
//! |---|---|---|
//! | rolls on its point l | along r̂, turned by (k − l)·90° | n·(c + a u − p) − ρ − R s cos((k − l)·90°) |
//! | is flat | along e, fixed in the solid, turned by k·90° | n·(c + a u + R e_k − p) − ρ |
//! | is an apex (R = 0) | one, its centre | n·(c + a u − p) − ρ |
//!
//! c is the solid's origin, p a point of the plane, ρ the radius by which the solid is rounded. An end that comes down counts as flat from a
//! tilt of 1e-8 rad, and until it has risen to twice that: no gap is off by more than R times that. A side that lies on the plane is held
//! by the lowest points of both ends; that of a cylinder over the border of a face by where it crosses that (`across`), and an edge over the
//! border of a round face as well (`chord`). An end that is flat and reaches over a border touches a part of the face (`part`).

mod across;
mod chord;
mod lie;
mod part;
mod tilt;

use std::f64::consts::TAU;
use std::ops::Range;

use carom_math::{Pose, Vec3};

pub use self::across::Crossing;
pub use self::lie::{About, Lie};
pub use self::part::{Bound, FlatPart};
use self::tilt::{Tilt, across, angle_of, fall, turned};
use super::facets::Polyhedron;
use super::{ConvexShape, Core, Footprint};
use crate::ContactPoint;
use crate::rates::{ContactRates, RigidMotion, TipOver};

/// Tilt (rad) at which an end that comes down straight is flat: all its points strike at once.
const FLAT: f64 = 1e-8;
/// Tilt (rad) at which one that rises is no more.
const RAISED: f64 = 2e-8;
/// An end comes down straight if it passes the upright by no more than this share of what counts as flat, whatever its tilt is; as it rises its lowest
/// point is aside by less than that over what counts as raised.
const ASTRAY: f64 = 1e-4;
/// Angle (rad) within which a point of a flat end is where the force acts.
const ALIGNED: f64 = 1e-7;
/// Share of the radius from which the place of the force has a direction.
const ASIDE: f64 = 1e-6;

const POINTS: usize = Rims::POINTS;

/// Unit vector to a point across the axis, in the solid's axes, and how far it leads up the normal, of an end whose point `low` is lowest.
fn below(tilt: &Tilt, point: usize, low: usize) -> (Vec3, f64) {
    let turns = (point + POINTS - low) % POINTS;
    (turned(tilt.down, turns), -tilt.sine * [1.0, 0.0, -1.0, 0.0][turns])
}

/// By how much (rad) the points of an end turn, of which the first is at this angle, to get one to the place, in the direction from their middle, where
/// their forces act; none if one is there, or if that is nearer than a share of this reach.
fn turn_to(angle: f64, place: &Vec3, reach: f64) -> Option<f64> {
    if place.norm() <= ASIDE * reach {
        return None;
    }
    let off = (angle_of(place) - angle).rem_euclid(TAU / POINTS as f64);
    let turn = if off > TAU / (2 * POINTS) as f64 { off - TAU / POINTS as f64 } else { off };
    (turn.abs() > ALIGNED).then_some(turn)
}

/// By how much (rad, about the axis) the one of a flat end's points that touches any more turns on the rim, towards where the end goes down fastest, by
/// the accelerations (m/s²) at which the points, so far from its middle (m), leave: half of the way there. None if it is there, or none of them leaves
/// faster than `least`.
fn turn_down(arms: [Vec3; POINTS], low: usize, (leaving, least): ([f64; POINTS], f64)) -> Option<f64> {
    let [one, other] = [1, POINTS - 1].map(|turns| (low + turns) % POINTS);
    let [u, v] = [one, other].map(|point| arms[point] - arms[low]);
    let [a, b] = [one, other].map(|point| leaving[point] - leaving[low]);
    if a.max(b) <= least {
        return None;
    }
    // What rises by a along u and by b along v falls along this, but for a positive factor.
    let fall = Vec3::new(b * u.y - a * v.y, a * v.x - b * u.x, 0.0) * (u.x * v.y - u.y * v.x).signum();
    let off = libm::atan2(arms[low].cross(&fall).z, arms[low].dot(&fall));
    (off.abs() > ALIGNED).then_some(0.5 * off)
}

/// The ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Rims {
    ends: Vec<End>,
    /// Points of the ends before each, and of all.
    before: Vec<usize>,
    /// Radius of the largest disc that the solid may lie on (m).
    radius: f64,
    /// Radius by which it is rounded (m).
    rounding: f64,
    /// Edges, and the axis of a cylinder or capsule.
    ridges: Vec<Ridge>,
}

/// A straight line between two ends along which something can lie: an edge, or the axis in a round side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ridge {
    ends: [usize; 2],
    /// Unit vectors across an edge into the faces on its two sides, in the solid's frame; a round side has none.
    inward: Option<[Vec3; 2]>,
}

/// A disc across the z axis, in the solid's frame (m).
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    radius: f64,
    centre: Vec3,
}

/// What of a solid is lowest over a plane.
#[derive(Clone, Copy, Debug)]
pub struct Lowest<'r> {
    rims: &'r Rims,
    poses: [Pose; 2],
    lie: Lie,
    /// The end that is lowest.
    pub end: usize,
    /// Its height (m).
    pub height: f64,
    /// Does a round end lie flat, to rounding?
    pub is_flat: bool,
}

impl Lowest<'_> {
    /// What would touch the plane.
    pub fn footprints(&self) -> impl Iterator<Item = Footprint> {
        let [x_wa, x_wb] = &self.poses;
        let tilt = Tilt::of(x_wa, x_wb);
        let low = self.height + RAISED * self.rims.radius;
        let is_low = move |end: &usize| self.rims.height(*end, x_wa, x_wb, &tilt) <= low;
        (0..self.rims.ends.len()).filter(is_low).map(|end| self.rims.footprint(end, x_wa, x_wb, self.lie))
    }
}

impl Rims {
    /// Points of an end that is no apex.
    pub const POINTS: usize = 4;

    /// Of cylinders, cones and frusta, sharp or rounded.
    pub fn of(shape: &ConvexShape) -> Option<Self> {
        let Core::Frustum { radius_low, radius_high, half_length } = shape.core else { return None };
        let end = |radius, at| End { radius, centre: Vec3::new(0.0, 0.0, at) };
        let ends = vec![end(radius_low, -half_length), end(radius_high, half_length)];
        let axis = Ridge { ends: [0, 1], inward: None };
        let ridges = if radius_low == radius_high { vec![axis] } else { Vec::new() };
        Some(Self { ridges, ..Self::new(ends, radius_low.max(radius_high), shape.radius) })
    }

    /// Of boxes, hulls and capsules, by their corners.
    pub fn of_corners(shape: &ConvexShape) -> Option<Self> {
        let solid = Polyhedron::of(shape)?;
        let ends = solid.corners().iter().map(|&centre| End { radius: 0.0, centre }).collect();
        let inward = |inward| solid.is_solid().then_some(inward);
        let ridges = solid.ridges().map(|(ends, sides)| Ridge { ends, inward: inward(sides) }).collect();
        Some(Self { ridges, ..Self::new(ends, solid.largest_flat(), shape.radius) })
    }

    fn new(ends: Vec<End>, radius: f64, rounding: f64) -> Self {
        let points = |end: &End| if end.radius > 0.0 { POINTS } else { 1 };
        let counts = ends.iter().scan(0, |sum, end| {
            *sum += points(end);
            Some(*sum)
        });
        let before = std::iter::once(0).chain(counts).collect();
        Self { ends, before, radius, rounding, ridges: Vec::new() }
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        self.before[self.ends.len()]
    }

    /// Number of ends.
    pub fn count_ends(&self) -> usize {
        self.ends.len()
    }

    /// Number of points of an end.
    pub fn points_of(&self, end: usize) -> usize {
        self.indices_of(end).len()
    }

    /// Indices of the points of an end.
    pub fn indices_of(&self, end: usize) -> Range<usize> {
        self.before[end]..self.before[end + 1]
    }

    /// The end that a point is of, by its index, and its number there.
    pub fn place(&self, index: usize) -> (usize, usize) {
        let end = self.before.partition_point(|&before| before <= index) - 1;
        (end, index - self.before[end])
    }

    /// Names of the points in messages, for a solid that is called so.
    pub fn names(&self, solid: &str) -> impl Iterator<Item = String> {
        (0..self.count()).map(move |index| self.name(index, solid))
    }

    fn name(&self, index: usize, solid: &str) -> String {
        let (end, point) = self.place(index);
        if self.ends.iter().all(|end| end.radius == 0.0) {
            let word = if self.ends.len() == 2 { "end" } else { "vertex" };
            return format!("{word} {end} of {solid}");
        }
        let end_name = ["low", "high"][end];
        if self.points_of(end) == 1 {
            return format!("apex of {solid}");
        }
        let side = ["first point", "second point", "third point", "fourth point"][point];
        format!("{end_name} end of {solid}, {side}")
    }

    /// Contact of a point, whose end lies so. One that is held goes on through flat where its end rolls there.
    pub fn contact(
        &self,
        index: usize,
        x_wa: &Pose,
        x_wb: &Pose,
        (lie, is_held): (Lie, bool),
    ) -> ContactPoint {
        let (end, point) = self.place(index);
        let End { radius, centre } = self.ends[end];
        let outward = x_wb.z_axis();
        let tilt = Tilt::of(x_wa, x_wb);
        let (up, sine) = (tilt.normal.dot(&centre), tilt.sine);
        let (direction, across) = self.direction(point, tilt, (lie, is_held));
        let height = outward.dot(&(x_wa.translation - x_wb.translation));
        let gap = height + (up + radius * across) - self.rounding;
        // Beyond a held rim's flat, which ends a step, the others of its points are none.
        let gap = if self.is_beside(index, lie) { gap.max(radius * sine) } else { gap };
        let arm = x_wa.rotation * (centre + radius * direction);
        let point_a = x_wa.translation + arm - self.rounding * outward;
        ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }
    }

    /// Is a point one of an end that rolls on another one?
    fn is_beside(&self, index: usize, lie: Lie) -> bool {
        let (end, point) = self.place(index);
        matches!(lie, Lie::Rolls { low, .. } if low != point) && self.ends[end].radius > 0.0
    }

    /// Unit vector to a point across the axis, in the solid's axes, and how far it leads up the normal.
    fn direction(&self, point: usize, tilt: Tilt, (lie, is_held): (Lie, bool)) -> (Vec3, f64) {
        match lie {
            // Beyond what is on the face it has no points (`part`).
            Lie::Flat { angle } | Lie::Part { angle, .. } => {
                let direction = across(angle, point);
                (direction, direction.dot(&tilt.normal))
            }
            Lie::Rolls { low, angle } => {
                let tilt = if is_held { tilt.held(angle) } else { tilt };
                below(&tilt, point, low)
            }
            Lie::Across { low, .. } => below(&tilt, point, low),
        }
    }

    /// What an end that lies so touches the plane in, or the point on which it rolls.
    pub fn footprint(&self, end: usize, x_wa: &Pose, x_wb: &Pose, lie: Lie) -> Footprint {
        let End { radius, centre } = self.ends[end];
        let (centre, axis) = (x_wa.transform_point(&centre), x_wa.z_axis());
        match lie {
            Lie::Flat { .. } | Lie::Part { .. } => Footprint { centre, axis, radius },
            Lie::Rolls { .. } | Lie::Across { .. } => {
                let tilt = Tilt::of(x_wa, x_wb);
                let down = if let Lie::Rolls { angle, .. } = lie { tilt.held(angle).down } else { tilt.down };
                Footprint { centre: centre + radius * (x_wa.rotation * down), axis, radius: 0.0 }
            }
        }
    }

    /// Radius of the largest disc that the solid may lie on (m): of its larger end, or about a face.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Height of the lowest point of an end over the plane (m).
    fn height(&self, end: usize, x_wa: &Pose, x_wb: &Pose, tilt: &Tilt) -> f64 {
        let End { radius, centre } = self.ends[end];
        let centre = x_wa.transform_point(&centre);
        x_wb.z_axis().dot(&(centre - x_wb.translation)) - radius * tilt.sine - self.rounding
    }

    /// Heights of the lowest points of all ends over the plane (m).
    pub fn heights(&self, x_wa: &Pose, x_wb: &Pose) -> impl Iterator<Item = f64> {
        let tilt = Tilt::of(x_wa, x_wb);
        (0..self.ends.len()).map(move |end| self.height(end, x_wa, x_wb, &tilt))
    }

    /// What of the solid is lowest over the plane: an end that is flat, the lowest point of one, or of those that are as low.
    pub fn lowest(&self, x_wa: &Pose, x_wb: &Pose) -> Lowest<'_> {
        let tilt = Tilt::of(x_wa, x_wb);
        let heights = (0..self.ends.len()).map(|end| (end, self.height(end, x_wa, x_wb, &tilt)));
        let (lowest, height) =
            heights.min_by(|a, b| a.1.total_cmp(&b.1)).expect("a solid has ends or corners");
        let is_flat = tilt.sine < RAISED && self.ends[lowest].radius > 0.0;
        let angle = angle_of(&tilt.down);
        let lie = if is_flat { Lie::Flat { angle } } else { Lie::Rolls { low: 0, angle } };
        Lowest { rims: self, poses: [*x_wa, *x_wb], lie, end: lowest, height, is_flat }
    }

    /// How far a point that is held is from where its end lies otherwise (rad), negative beyond, as the solid turns against the half-space
    /// with `spin` (rad/s, world axes); infinite of an apex.
    pub fn room(&self, index: usize, x_wa: &Pose, x_wb: &Pose, (lie, spin): (Lie, &Vec3)) -> f64 {
        let (end, _) = self.place(index);
        if self.ends[end].radius == 0.0 {
            return f64::INFINITY;
        }
        let tilt = Tilt::of(x_wa, x_wb);
        match lie {
            Lie::Flat { .. } | Lie::Part { .. } => RAISED - tilt.sine,
            Lie::Across { .. } => f64::INFINITY,
            Lie::Rolls { angle, .. } => {
                let tilt = tilt.held(angle);
                // The same all the way from what counts as flat: what is upright has no direction.
                let straight = tilt.miss(fall(x_wa, x_wb, spin)) - ASTRAY * FLAT;
                if tilt.sine < 0.0 {
                    tilt.sine
                } else {
                    (tilt.sine - FLAT).max(straight).min(tilt.turn_left(angle))
                }
            }
        }
    }

    /// Has the lowest point of a rim that is held swung around beside the place where it would be flat? A step took it for straight that is
    /// too long to follow.
    pub fn has_swung(&self, x_wa: &Pose, x_wb: &Pose, (lie, spin): (Lie, &Vec3)) -> bool {
        let Lie::Rolls { angle, .. } = lie else { return false };
        let tilt = Tilt::of(x_wa, x_wb).held(angle);
        let is_aside = || tilt.miss(fall(x_wa, x_wb, spin)) > 2.0 * ASTRAY * FLAT;
        tilt.turn_left(angle) <= 0.0 || tilt.sine.abs() > 2.0 * FLAT || is_aside()
    }

    /// How an end lies after a point that is held has come to the end of its room. One that has come down has a point where that takes it
    /// down fastest, and this one opposite.
    pub fn goes_on(&self, index: usize, x_wa: &Pose, x_wb: &Pose, (lie, spin): (Lie, &Vec3)) -> Lie {
        let (_, point) = self.place(index);
        let tilt = Tilt::of(x_wa, x_wb);
        match lie {
            Lie::Flat { .. } | Lie::Part { .. } => Lie::Rolls { low: point, angle: angle_of(&tilt.down) },
            Lie::Across { .. } => lie,
            Lie::Rolls { angle, low } => {
                let down =
                    fall(x_wa, x_wb, spin).try_normalize(0.0).map_or(tilt.held(angle).down, |way| -way);
                Lie::Flat { angle: angle_of(&turned(down, POINTS - low)) }
            }
        }
    }

    /// Gap (m) up to which a point of a flat end strikes with its others.
    pub fn landing(&self, index: usize) -> f64 {
        let (end, _) = self.place(index);
        3.0 * FLAT * self.ends[end].radius
    }

    /// How an end that rolls lies with the angle where its lowest point is now.
    pub fn followed(&self, x_wa: &Pose, x_wb: &Pose, lie: Lie) -> Lie {
        match lie {
            Lie::Flat { .. } | Lie::Part { .. } | Lie::Across { .. } => lie,
            Lie::Rolls { low, angle } => {
                Lie::Rolls { low, angle: angle_of(&Tilt::of(x_wa, x_wb).held(angle).down) }
            }
        }
    }

    /// How an end lies that begins to touch with its point `index`, while the solid turns against the half-space with `spin` (rad/s, world axes).
    /// Where it lands flat a point is where that takes it down fastest.
    pub fn landed(&self, index: usize, x_wa: &Pose, x_wb: &Pose, spin: &Vec3) -> Lie {
        let (_, point) = self.place(index);
        let tilt = Tilt::of(x_wa, x_wb);
        if tilt.sine > FLAT {
            return Lie::Rolls { low: point, angle: angle_of(&tilt.down) };
        }
        Lie::Flat { angle: angle_of(&fall(x_wa, x_wb, spin).try_normalize(0.0).unwrap_or(tilt.down)) }
    }

    /// How a flat end lies with a point where the normal forces (N) of its four act together, and the angle that it turns by (rad, about the axis); none if
    /// one is there, or if they act in the middle.
    pub fn aligned(lie: Lie, forces: [f64; POINTS]) -> Option<(Lie, f64)> {
        let Lie::Flat { angle } = lie else { return None };
        let place = (0..POINTS).fold(Vec3::zeros(), |sum, k| sum + forces[k] * across(angle, k));
        let turn = turn_to(angle, &place, forces.iter().sum())?;
        Some((Lie::Flat { angle: angle + turn }, turn))
    }

    /// How a flat end lies with its point `low`, which touches alone, nearer to where it goes down fastest, by the accelerations (m/s²) at which its
    /// points leave, and the angle that it turns by (rad): what rolls on its rim from now on does so on the lowest point. None if it is there.
    pub fn rolled(lie: Lie, low: usize, leaving: ([f64; POINTS], f64)) -> Option<(Lie, f64)> {
        let Lie::Flat { angle } = lie else { return None };
        let turn = turn_down([0, 1, 2, 3].map(|point| across(angle, point)), low, leaving)?;
        Some((Lie::Flat { angle: angle + turn }, turn))
    }

    /// Rates of the contact of a point that is held, for the solid A and the half-space B as they move.
    ///
    /// With q = n − (n·u) u, so that r̂ = ∓q/‖q‖ of an end that rolls: r̂˙ = ∓(1 − r̂ r̂ᵀ) q̇/‖q‖, from ṅ = ω_B × n and u̇ = ω_A × u.
    pub fn rates(
        &self,
        index: usize,
        lie: Lie,
        [x_wa, x_wb]: [&Pose; 2],
        [a, b]: [&RigidMotion; 2],
    ) -> ContactRates {
        let (end, point) = self.place(index);
        let End { radius, centre } = self.ends[end];
        let (outward, axis) = (x_wb.z_axis(), x_wa.z_axis());
        let centre = x_wa.transform_point(&centre);
        let [turning, tilting] = [b.spin.cross(&outward), a.spin.cross(&axis)];
        let (direction, _) = self.direction(point, Tilt::of(x_wa, x_wb), (lie, true));
        let direction = x_wa.rotation * direction;
        let core = centre + radius * direction;
        let speed = match lie {
            Lie::Rolls { low, .. } if radius > 0.0 && low == point => {
                let along = outward.dot(&axis);
                let across = outward - along * axis;
                let rate = turning - (turning.dot(&axis) + outward.dot(&tilting)) * axis - along * tilting;
                let sine = -direction.dot(&across);
                let running = (direction * direction.dot(&rate) - rate) / sine;
                a.at(&centre) + radius * running
            }
            _ => a.at(&core),
        };
        let gap = outward.dot(&(core - x_wb.translation)) - self.rounding;
        let depth = self.rounding + 0.5 * gap;
        TipOver { centre: core, outward, turning: Vec3::zeros(), depth }.rates_with(b, speed)
    }
}

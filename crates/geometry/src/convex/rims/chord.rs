//! An edge of a polyhedron, or the side of a cylinder or capsule, that lies along the round end of a frustum and reaches over its border: it touches
//! where it crosses the circle.
//!
//! A side is its axis, rounded by its radius. With z the outward normal of the end's plane, R the radius of the circle that bounds it, h the height of
//! the edge p + s u over that circle's plane and ρ(s) its distance from the end's axis, both rounded by r together, it is nearest to the circle where
//! h h' + (ρ − R) ρ' = 0: of sharp solids where it crosses the circle, seen along z. There r̂ points to the circle, t = z × r̂ along it, and the normal n is
//! that of t and u; with w from the edge to the circle the gap is n·w − r. While n is strictly between the normals of both faces at the edge, and
//! between −z and that of the side, the plane across n keeps the solids apart, and they touch nowhere else. That n does not pass −z, where what is
//! within the circle lies on it, is seen at the edge's other end.

use carom_math::{Pose, Vec3};

use crate::ContactPoint;
use crate::convex::Circle;
use crate::rates::{ContactRates, RigidMotion};

/// Sine of the angle between the edge and the circle, and the axis, below which they do not cross.
const PARALLEL: f64 = 1e-6;
/// Angles to where faces touch (rad) count as this many sizes of the polyhedron: they end there, and not a millionth later, where a face has sunk into the other.
const SHARP: f64 = 1e4;
/// Half of the chord, over the radius, below which the edge passes along the circle: where it crosses that runs away.
const SHORT: f64 = 1e-2;

/// Steps of Newton's method to where the edge is nearest, which squares what is left, and the last one over the radius.
const STEPS: usize = 20;
const LAST_STEP: f64 = 1e-9;

/// Where an edge crosses a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chord {
    /// How far that is from the edge's first end (m).
    pub(super) place: f64,
    /// Of the edge, and from there to the circle (m).
    point: Vec3,
    way: Vec3,
    /// Unit vectors along the edge, and along and across the circle there.
    along: Vec3,
    tangent: Vec3,
    outward: Vec3,
    /// Unit normal from the polyhedron to the other solid.
    pub(super) normal: Vec3,
    /// Half of what is within the circle, seen along z (m).
    half: f64,
    /// Of the circle (m).
    radius: f64,
    /// By how much the edge and the circle are rounded (m).
    rounding: [f64; 2],
}

impl Chord {
    /// Where the edge from `first` to `last` (m), rounded by a radius (m), leaves the circle towards its last end; none where it passes beside it,
    /// touches it, or stands upright on its plane.
    pub(super) fn of(
        ([first, last], rounding): ([Vec3; 2], f64),
        x_wb: &Pose,
        circle: &Circle,
    ) -> Option<Self> {
        let (up, along) = (x_wb.z_axis(), (last - first).normalize());
        let radius = circle.radius;
        let rounding = [rounding, circle.rounding];
        let arm = first - (x_wb.translation - circle.rounding * up);
        let flat = |v: Vec3| v - up * up.dot(&v);
        let (way, climb) = (flat(along), up.dot(&along));
        let speed = way.norm_squared();
        if speed < PARALLEL * PARALLEL {
            return None;
        }
        let middle = -flat(arm).dot(&way) / speed;
        let aside = flat(arm) + middle * way;
        let half = (radius * radius - aside.norm_squared()).max(0.0).sqrt();
        if half == 0.0 {
            return None;
        }
        let crossing = middle + half / speed.sqrt();
        let place = if rounding == [0.0; 2] {
            crossing
        } else {
            nearest_from(crossing, radius, |place| {
                let off = aside + (place - middle) * way;
                [up.dot(&arm) + place * climb, climb, off.norm(), off.dot(&way) / off.norm(), speed]
            })?
        };
        let point = first + place * along;
        let off = aside + (place - middle) * way;
        let outward = off.normalize();
        let to_circle = radius * outward - off - up * up.dot(&(arm + place * along));
        let tangent = up.cross(&outward);
        let across = tangent.cross(&along);
        let sine = across.norm();
        if sine <= PARALLEL {
            return None;
        }
        // Of round ones it leads from the edge to the circle.
        let sign = if across.dot(&to_circle) < 0.0 && rounding != [0.0; 2] { -1.0 } else { 1.0 };
        let normal = across * (sign / sine);
        Some(Self { place, point, way: to_circle, along, tangent, outward, normal, half, radius, rounding })
    }

    /// The contact there.
    pub(super) fn contact(&self) -> ContactPoint {
        let [of_edge, of_circle] = self.rounding;
        let gap = self.gap();
        let point_a = self.point + of_edge * self.normal;
        let point_b = self.point + self.way - of_circle * self.normal;
        ContactPoint { gap, normal: self.normal, point_a, point_b }
    }

    fn gap(&self) -> f64 {
        self.normal.dot(&self.way) - self.rounding[0] - self.rounding[1]
    }

    /// Rates of that contact where it touches, for the polyhedron A and the other solid B as they move.
    ///
    /// Its places p on the edge and c on the circle, d n apart, go on so that n stays across both: with Δ = v_B(c) − v_A(p),
    /// ẇ = Δ + σ̇ t − ṡ u, ẇ·u + d n·u̇ = 0 and ẇ·t + d n·ṫ = 0, where u̇ = ω_A × u and ṫ = ω_B × t − σ̇ r̂/R; from which
    /// ṅ = (1 − n nᵀ)(ṫ × u + t × u̇)/(t × u · n).
    pub(super) fn rates(&self, [a, b]: [&RigidMotion; 2]) -> ContactRates {
        let (u, t, normal) = (self.along, self.tangent, self.normal);
        let distance = normal.dot(&self.way);
        let between = b.at(&(self.point + self.way)) - a.at(&self.point);
        let [edge_turns, circle_turns] = [a.spin.cross(&u), b.spin.cross(&t)];
        let cosine = u.dot(&t);
        let on_edge = between.dot(&u) + distance * normal.dot(&edge_turns);
        let on_circle = between.dot(&t) + distance * normal.dot(&circle_turns);
        let curved = 1.0 - distance * normal.dot(&self.outward) / self.radius;
        let along_circle = (cosine * on_edge - on_circle) / (curved - cosine * cosine);
        let along_edge = on_edge + cosine * along_circle;
        let tangent = circle_turns - self.outward * (along_circle / self.radius);
        let turned = (tangent.cross(&u) + t.cross(&edge_turns)) / t.cross(&u).dot(&normal);
        let turned = turned - normal * normal.dot(&turned);
        let depth = self.rounding[0] + 0.5 * self.gap();
        ContactRates {
            position: a.at(&self.point)
                + along_edge * u
                + depth * turned
                + 0.5 * normal * normal.dot(&between),
            normal: turned,
        }
    }

    /// Is it long enough to lie on?
    pub(super) fn is_long(&self) -> bool {
        self.half > SHORT * self.radius
    }

    /// Is what is within the circle no lower than where the edge leaves it towards its last end?
    pub(super) fn leans(&self, x_wb: &Pose) -> bool {
        self.along.dot(&x_wb.z_axis()) <= 0.0
    }

    /// How far it is, for a polyhedron of this size (m), from lying on the other solid's side, and from lying with one of the faces at the edge, into
    /// which these unit vectors lead across it, if it has any; and how much longer the chord is than the shortest that is kept (m).
    pub(super) fn room(&self, x_wb: &Pose, circle: &Circle, inward: Option<[Vec3; 2]>, size: f64) -> f64 {
        let [out, up] = circle.beyond;
        // Upright on the end's plane it crosses nothing.
        let on_side = (out * self.outward + up * x_wb.z_axis()).dot(&self.normal) - 2.0 * PARALLEL;
        let lean = inward.iter().flatten().map(|inward| -inward.dot(&self.normal)).fold(on_side, f64::min);
        (SHARP * size * lean).min(self.half - 0.5 * SHORT * self.radius)
    }
}

/// Where a line is nearest to a circle, by Newton's method from a place: of a place there are the height and how that grows, the distance from the
/// axis and how that grows, and the square of how fast it goes across the axis. None where it does not get there.
fn nearest_from(start: f64, radius: f64, at: impl Fn(f64) -> [f64; 5]) -> Option<f64> {
    let mut place = start;
    for _ in 0..STEPS {
        let [height, climb, distance, leaving, speed] = at(place);
        let beyond = distance - radius;
        let slope = height * climb + beyond * leaving;
        let bend = climb * climb + leaving * leaving + beyond * (speed - leaving * leaving) / distance;
        let step = -slope / bend;
        // Where it comes nearer to the axis again it crosses the circle inwards, at its other end.
        if !(bend > 0.0 && leaving > 0.0 && step.is_finite()) {
            return None;
        }
        place += step;
        if step.abs() < LAST_STEP * radius {
            return Some(place);
        }
    }
    None
}

//! An edge of a polyhedron that lies along the round end of a frustum and reaches over its border: it touches where it crosses the circle.
//!
//! With c and z the centre of the circle and the outward normal of its plane, ρ its radius, the edge p + s u crosses the circle, seen along z,
//! where the part of p + s u − c across z is as long as ρ: there r̂ points along it, t = z × r̂ along the circle, and h is the edge's height. It
//! touches with the normal n along t × u, and up to h² its gap is −h n·z. While n is strictly between the normals of both faces at the edge, and
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

/// Where an edge crosses a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chord {
    /// How far that is from the edge's first end (m).
    pub(super) place: f64,
    /// Of the edge (m).
    point: Vec3,
    /// Unit vectors along the edge, and along and across the circle there.
    along: Vec3,
    tangent: Vec3,
    outward: Vec3,
    /// Unit normal from the polyhedron to the other solid.
    pub(super) normal: Vec3,
    /// Of the angle between t and u.
    sine: f64,
    /// Its height over the plane (m).
    height: f64,
    /// Half of what is within the circle, seen along z (m).
    half: f64,
    /// Of the circle (m).
    radius: f64,
}

impl Chord {
    /// Where the edge from `first` to `last` (m) leaves the circle towards its last end; none where it passes beside it, touches it, or stands upright on
    /// its plane.
    pub(super) fn of([first, last]: [Vec3; 2], x_wb: &Pose, circle: &Circle) -> Option<Self> {
        let (up, along) = (x_wb.z_axis(), (last - first).normalize());
        let arm = first - x_wb.translation;
        let radius = circle.radius;
        let flat = |v: Vec3| v - up * up.dot(&v);
        let way = flat(along);
        let speed = way.norm_squared();
        if speed < PARALLEL * PARALLEL {
            return None;
        }
        let middle = -flat(arm).dot(&way) / speed;
        let aside = flat(arm) + middle * way;
        let half = (radius * radius - aside.norm_squared()).max(0.0).sqrt();
        let reach = half / speed.sqrt();
        let place = middle + reach;
        let point = first + place * along;
        let height = up.dot(&(point - x_wb.translation));
        let outward = (aside + (place - middle) * way) / radius;
        let tangent = up.cross(&outward);
        let across = tangent.cross(&along);
        let sine = across.norm();
        (half > 0.0 && sine > PARALLEL).then(|| Self {
            place,
            point,
            along,
            tangent,
            outward,
            normal: across / sine,
            sine,
            height,
            half,
            radius,
        })
    }

    /// The contact there.
    pub(super) fn contact(&self, x_wb: &Pose) -> ContactPoint {
        let up = x_wb.z_axis();
        let gap = -self.height * self.normal.dot(&up);
        ContactPoint { gap, normal: self.normal, point_a: self.point, point_b: self.point - self.height * up }
    }

    /// Rates of that contact where it touches, for the polyhedron A and the other solid B as they move.
    ///
    /// It goes along the edge and the circle so that ẋ = v_A + ṡ u = v_B + σ̇ t, from which ṅ = (1 − n nᵀ)(ṫ × u + t × u̇)/(t × u · n), with
    /// u̇ = ω_A × u and ṫ = ω_B × t − σ̇ r̂/ρ.
    pub(super) fn rates(&self, [a, b]: [&RigidMotion; 2]) -> ContactRates {
        let (u, t, normal) = (self.along, self.tangent, self.normal);
        let between = b.at(&self.point) - a.at(&self.point);
        let (cosine, on_edge, on_circle) = (u.dot(&t), between.dot(&u), between.dot(&t));
        let square = self.sine * self.sine;
        let along_edge = (on_edge - cosine * on_circle) / square;
        let along_circle = (cosine * on_edge - on_circle) / square;
        let tangent = b.spin.cross(&t) - self.outward * (along_circle / self.radius);
        let turned = (tangent.cross(&u) + t.cross(&a.spin.cross(&u))) / self.sine;
        ContactRates {
            position: a.at(&self.point) + along_edge * u + 0.5 * normal * normal.dot(&between),
            normal: turned - normal * normal.dot(&turned),
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
    /// which these unit vectors lead across it; and how much longer the chord is than the shortest that is kept (m).
    pub(super) fn room(&self, x_wb: &Pose, circle: &Circle, inward: [Vec3; 2], size: f64) -> f64 {
        let [out, up] = circle.beyond;
        let on_side = (out * self.outward + up * x_wb.z_axis()).dot(&self.normal);
        let lean = inward.iter().map(|inward| -inward.dot(&self.normal)).fold(on_side, f64::min);
        (SHARP * size * lean).min(self.half - 0.5 * SHORT * self.radius)
    }
}

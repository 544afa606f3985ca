//! How a solid is tilted against a plane.

use carom_math::{Pose, Vec3};

use super::POINTS;

/// Tilt below which the turn of a lowest point in a step is bounded, and the cosine of the bound.
const UPRIGHT: f64 = 5e-2;
const LONGEST_TURN: f64 = 0.8;
/// Below this tilt (rad) squares underflow and the quotient would not be of unit length.
const SMALLEST_TILT: f64 = 1e-150;

/// The half-space's normal in the solid's axes, and where the ends are lowest.
pub(super) struct Tilt {
    pub(super) normal: Vec3,
    /// Across the axis, of unit length.
    pub(super) down: Vec3,
    /// The tilt s; negative beyond the place where a rim that is held has become flat.
    pub(super) sine: f64,
}

impl Tilt {
    pub(super) fn of(x_wa: &Pose, x_wb: &Pose) -> Self {
        // No cancellation in its two small parts where the solid stands.
        let normal = x_wa.rotation.tr_mul(&x_wb.z_axis());
        let sine = (normal.x * normal.x + normal.y * normal.y).sqrt();
        let down =
            if sine < SMALLEST_TILT { Vec3::x() } else { Vec3::new(-normal.x / sine, -normal.y / sine, 0.0) };
        Self { normal, down, sine }
    }

    /// By how much the axis passes the normal as the end falls on (rad).
    pub(super) fn miss(&self, fall: Vec3) -> f64 {
        let speed = fall.norm();
        if speed > 0.0 {
            (self.sine * (self.down.x * fall.y - self.down.y * fall.x) / speed).abs()
        } else {
            0.0
        }
    }

    /// What is left of the turn (as a difference of cosines) that the lowest point of a rim may make in a step, from the angle where it was.
    /// Where the tilt is small it may run around so fast that a step would not see it.
    pub(super) fn turn_left(&self, angle: f64) -> f64 {
        if self.sine < UPRIGHT { self.down.dot(&across(angle, 0)) - LONGEST_TURN } else { 1.0 }
    }

    /// The same along the direction that is nearer to where the lowest point was, while the tilt is small: a rim that comes down straight goes
    /// on through flat.
    pub(super) fn held(self, angle: f64) -> Self {
        if self.sine < UPRIGHT && self.down.dot(&across(angle, 0)) < 0.0 {
            Self { down: -self.down, sine: -self.sine, ..self }
        } else {
            self
        }
    }
}

/// The unit vector across the axis at an angle and so many right angles more.
pub(super) fn across(angle: f64, turns: usize) -> Vec3 {
    turned(Vec3::new(libm::cos(angle), libm::sin(angle), 0.0), turns)
}

/// Turned about the axis by right angles.
pub(super) fn turned(v: Vec3, turns: usize) -> Vec3 {
    match turns % POINTS {
        0 => v,
        1 => Vec3::new(-v.y, v.x, 0.0),
        2 => -v,
        _ => Vec3::new(v.y, -v.x, 0.0),
    }
}

/// Where an end goes down fastest, a vector across the axis as long as its tilt changes fast (rad/s), as the solid turns against the
/// half-space.
pub(super) fn fall(x_wa: &Pose, x_wb: &Pose, spin: &Vec3) -> Vec3 {
    let rise = x_wa.rotation.tr_mul(&x_wb.z_axis().cross(spin));
    -Vec3::new(rise.x, rise.y, 0.0)
}

pub(super) fn angle_of(v: &Vec3) -> f64 {
    libm::atan2(v.y, v.x)
}

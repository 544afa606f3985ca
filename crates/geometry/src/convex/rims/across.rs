//! A cylinder that lies along a face and reaches over its border. Between two places it touches the face: each is the lowest point of an
//! end, or where the side crosses a border.
//!
//! There the line of the border and the axis, u and v, pass each other: with n the unit normal to both and g their distance along it,
//! the gap is g − R. That touches as the cylinder leaves the face, too, and tips over the border, until n is normal to the face beside:
//! as long as it leads out between both faces the plane across n keeps the solids apart, and they touch nowhere else.

use carom_math::Pose;

use super::tilt::{Tilt, angle_of};
use super::{Lie, Rims};
use crate::ContactPoint;
use crate::convex::lines::PassingLines;
use crate::convex::{Grounds, Side};
use crate::rates::{ContactRates, RigidMotion};

/// What comes to lie on a face is not shorter than this, over the radius, and what lies there than half of it: its ends would be one contact.
const SHORTEST: f64 = 1e-4;
/// Sine of the angle to a border below which a side lies along it, and rolls over it.
const ALONG: f64 = 1e-6;

impl Rims {
    /// Radius of the round side of a cylinder, sharp or rounded (m); none of other solids.
    pub fn side(&self) -> Option<f64> {
        match self.ends[..] {
            [low, high] if low.radius == high.radius && low.radius > 0.0 => Some(low.radius + self.rounding),
            _ => None,
        }
    }

    /// The axis and a border: the normal goes from the cylinder to the other solid.
    fn passing(&self, x_wa: &Pose, x_wb: &Pose, side: &Side) -> Option<PassingLines> {
        let outward = x_wb.z_axis();
        let across = x_wb.rotation * side.across;
        let border = x_wb.translation + across * side.offset;
        let lines = PassingLines::of([x_wa.translation, border], [x_wa.z_axis(), outward.cross(&across)])?;
        // Between the normals of both faces it leads into neither.
        Some(lines.against(&(x_wb.rotation * (side.across - side.beyond))))
    }

    /// Contact of the side with a border that it crosses, of a face that is the half-space; none where it is parallel to that.
    pub fn contact_across(&self, x_wa: &Pose, x_wb: &Pose, side: &Side) -> Option<ContactPoint> {
        let (radius, lines) = self.side().zip(self.passing(x_wa, x_wb, side))?;
        let [axis, point_b] = lines.points;
        let (gap, point_a) = (lines.gap() - radius, axis + radius * lines.normal);
        Some(ContactPoint { gap, normal: lines.normal, point_a, point_b })
    }

    /// Rates of that contact, for the solid A and the half-space B as they move.
    pub fn rates_across(
        &self,
        [x_wa, x_wb]: [&Pose; 2],
        side: &Side,
        motions: [&RigidMotion; 2],
    ) -> Option<ContactRates> {
        let (radius, lines) = self.side().zip(self.passing(x_wa, x_wb, side))?;
        Some(lines.rates([radius, radius], motions))
    }

    /// How far such a contact is from where it ends (m): from the end of the side, from what the other end touches with, which lies so,
    /// from another border, and from lying on the face beside.
    pub fn room_across(
        &self,
        (end, side): (usize, usize),
        [x_wa, x_wb]: [&Pose; 2],
        other: Lie,
        (grounds, face): (&Grounds, usize),
    ) -> f64 {
        let numbered = || grounds.sides(face).enumerate();
        let passing = |number: usize| {
            numbered().find(|(k, _)| *k == number).and_then(|(_, side)| self.passing(x_wa, x_wb, &side))
        };
        let Some((radius, lines)) = self.side().zip(passing(side)) else { return f64::NEG_INFINITY };
        let [own, far] = [end, 1 - end].map(|end| self.ends[end].centre.z);
        let place = lines.places[0];
        let far = match other {
            Lie::Across { side, .. } => passing(side).map_or(far, |lines| lines.places[0]),
            Lie::Rolls { .. } | Lie::Flat { .. } => far,
        };
        let sign = own.signum();
        let within = (sign * (own - place)).min(sign * (place - far) - 0.5 * SHORTEST * radius);
        let met = x_wb.inverse().transform_point(&lines.points[1]);
        let normal = x_wb.rotation.tr_mul(&lines.normal);
        let room = |(number, other): (usize, Side)| {
            if number == side {
                radius * other.beyond.dot(&normal)
            } else {
                other.offset - other.across.dot(&met)
            }
        };
        numbered().map(room).fold(within, f64::min)
    }

    /// How the ends of a side lie that is along a face, where they lay so: each that is beyond the border by more than half of
    /// `beside` (m) is across that. None of what is no cylinder, is parallel to a border that it is over, or hardly touches the face, and
    /// on faces without straight sides.
    pub fn laid(
        &self,
        [x_wa, x_wb]: [&Pose; 2],
        lies: [Lie; 2],
        (grounds, face): (&Grounds, usize),
        beside: f64,
    ) -> Option<[Lie; 2]> {
        let radius = self.side().filter(|_| grounds.sides(face).next().is_some())?;
        let tilt = Tilt::of(x_wa, x_wb);
        let angle = angle_of(&tilt.down);
        let lowest = |end: usize| {
            let low = self.footprint(end, x_wa, x_wb, Lie::Rolls { low: 0, angle });
            x_wb.inverse().transform_point(&low.centre)
        };
        let [first, last] = [0, 1].map(lowest);
        let length = (last - first).norm();
        // Shares of the way from end to end between which it is over the face, and the borders there.
        let mut within: [(f64, Option<usize>); 2] = [(0.0, None), (1.0, None)];
        for (number, side) in grounds.sides(face).enumerate() {
            let [a, b] = [first, last].map(|low| side.offset - side.across.dot(&low));
            if a.min(b) >= -0.5 * beside {
                continue;
            }
            if (b - a).abs() < ALONG * length {
                return None;
            }
            let (end, share) = (usize::from(b < a), a / (a - b));
            if (end == 0 && share > within[0].0) || (end == 1 && share < within[1].0) {
                within[end] = (share, Some(number));
            }
        }
        let is_long = (within[1].0 - within[0].0) * length > SHORTEST * radius;
        is_long.then(|| {
            [0, 1].map(|end| match (within[end].1, lies[end]) {
                (Some(side), Lie::Rolls { low, .. } | Lie::Across { low, .. }) => Lie::Across { low, side },
                (Some(side), Lie::Flat { .. }) => Lie::Across { low: 0, side },
                (None, Lie::Across { low, .. }) => Lie::Rolls { low, angle },
                (None, lie) => lie,
            })
        })
    }
}

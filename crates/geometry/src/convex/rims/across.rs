//! A cylinder that lies along a face and reaches over its border. Between two places it touches the face: each is the lowest point of an
//! end, or where the side crosses a border. On a round face that is where an edge does (`chord`).
//!
//! There the line of the border and the axis, u and v, pass each other: with n the unit normal to both and g their distance along it,
//! the gap is g − R − ρ, of a border that is rounded by ρ. That touches as the cylinder leaves the face, too, and tips over the border, until n is normal to the face beside:
//! as long as it leads out between both faces the plane across n keeps the solids apart, and they touch nowhere else.

use carom_math::{Pose, Vec3};

use super::chord::Chord;
use super::tilt::{Tilt, angle_of};
use super::{Lie, Ridge, Rims};
use crate::ContactPoint;
use crate::convex::lines::PassingLines;
use crate::convex::{Circle, Grounds, Side};
use crate::rates::{ContactRates, RigidMotion};

/// What comes to lie on a face is not shorter than this, over the radius, and what lies there than half of it: its ends would be one contact.
const SHORTEST: f64 = 1e-4;
/// Sine of the angle to a border below which a side lies along it, and rolls over it.
const ALONG: f64 = 1e-6;

/// What crosses the border of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// The side of a cylinder, a straight border.
    Side(Side),
    /// The line from the first of these ends to the last, an edge or a round side, near the last, the border of a round face.
    Edge([usize; 2], Circle),
}

impl Rims {
    /// Radius of the round side of a cylinder, sharp or rounded (m); none of other solids.
    pub fn side(&self) -> Option<f64> {
        match self.ends[..] {
            [low, high] if low.radius == high.radius && low.radius > 0.0 => Some(low.radius + self.rounding),
            _ => None,
        }
    }

    /// The radius that lengths are compared with (m).
    fn girth(&self) -> f64 {
        self.side().unwrap_or(self.radius)
    }

    /// Do a side or an edge lead from one of these ends to the other?
    pub fn is_line(&self, ends: [usize; 2]) -> bool {
        self.side().is_some() || self.ridge(ends).is_some()
    }

    fn ridge(&self, [first, last]: [usize; 2]) -> Option<&Ridge> {
        self.ridges.iter().find(|ridge| ridge.ends == [first, last] || ridge.ends == [last, first])
    }

    /// The other end of the side or edge that is across a border with one end, by the number that tells what crosses.
    pub fn partner(&self, end: usize, number: usize) -> usize {
        if self.side().is_some() { 1 - end } else { number }
    }

    /// What crosses the border of a face, of an end that lies across it with this number.
    pub fn crossing(
        &self,
        (end, number): (usize, usize),
        (grounds, face): (&Grounds, usize),
    ) -> Option<Crossing> {
        match grounds.circle(face) {
            None => self.side().and(grounds.sides(face).nth(number)).map(Crossing::Side),
            Some(circle) => self.ridge([number, end]).map(|_| Crossing::Edge([number, end], *circle)),
        }
    }

    /// The axis and a border: the normal goes from the cylinder to the other solid.
    fn passing(&self, x_wa: &Pose, x_wb: &Pose, side: &Side) -> Option<PassingLines> {
        let outward = x_wb.z_axis();
        let across = x_wb.rotation * side.across;
        let border = x_wb.translation + across * side.offset - side.rounding * outward;
        let lines = PassingLines::of([x_wa.translation, border], [x_wa.z_axis(), outward.cross(&across)])?;
        // Between the normals of both faces it leads into neither.
        Some(lines.against(&(x_wb.rotation * (side.across - side.beyond))))
    }

    /// An edge, or a side, and a round border.
    fn chord(&self, x_wa: &Pose, x_wb: &Pose, ends: [usize; 2], circle: &Circle) -> Option<Chord> {
        let corners = ends.map(|end| x_wa.transform_point(&self.ends[end].centre));
        Chord::of((corners, self.side().unwrap_or(self.rounding)), x_wb, circle)
    }

    /// Contact with a border that is crossed, of a face that is the half-space; none where what crosses it is parallel to it.
    pub fn contact_across(&self, x_wa: &Pose, x_wb: &Pose, crossing: &Crossing) -> Option<ContactPoint> {
        let side = match crossing {
            Crossing::Side(side) => side,
            Crossing::Edge(ends, circle) => {
                return self.chord(x_wa, x_wb, *ends, circle).map(|chord| chord.contact());
            }
        };
        let (radius, lines) = self.side().zip(self.passing(x_wa, x_wb, side))?;
        let [axis, border] = lines.points;
        let (gap, point_a) = (lines.gap() - radius - side.rounding, axis + radius * lines.normal);
        let point_b = border - side.rounding * lines.normal;
        Some(ContactPoint { gap, normal: lines.normal, point_a, point_b })
    }

    /// Rates of that contact, for the solid A and the half-space B as they move.
    pub fn rates_across(
        &self,
        [x_wa, x_wb]: [&Pose; 2],
        crossing: &Crossing,
        motions: [&RigidMotion; 2],
    ) -> Option<ContactRates> {
        let side = match crossing {
            Crossing::Side(side) => side,
            Crossing::Edge(ends, circle) => {
                return self.chord(x_wa, x_wb, *ends, circle).map(|chord| chord.rates(motions));
            }
        };
        let (radius, lines) = self.side().zip(self.passing(x_wa, x_wb, side))?;
        Some(lines.rates([radius, radius + side.rounding], motions))
    }

    /// How far such a contact is from where it ends (m): from the end of the side or edge, from what the other end touches with, which lies so,
    /// from another border, and from lying on the face beside.
    pub fn room_across(
        &self,
        (end, number): (usize, usize),
        poses: [&Pose; 2],
        other: Lie,
        (grounds, face): (&Grounds, usize),
    ) -> f64 {
        match self.crossing((end, number), (grounds, face)) {
            Some(Crossing::Side(_)) => self.room_of_side((end, number), poses, other, (grounds, face)),
            Some(Crossing::Edge(ends, circle)) => self.room_of_edge(ends, poses, other, &circle),
            None => f64::NEG_INFINITY,
        }
    }

    fn room_of_edge(&self, ends: [usize; 2], [x_wa, x_wb]: [&Pose; 2], other: Lie, circle: &Circle) -> f64 {
        let (Some(chord), Some(ridge)) = (self.chord(x_wa, x_wb, ends, circle), self.ridge(ends)) else {
            return f64::NEG_INFINITY;
        };
        let [first, last] = ends.map(|end| self.ends[end].centre);
        let length = (last - first).norm();
        let far = match other {
            // From the other end it crosses the border near the first, if it is nearest to a rounded one anywhere: it has risen there.
            Lie::Across { .. } => {
                self.chord(x_wa, x_wb, [ends[1], ends[0]], circle).map_or(0.0, |chord| length - chord.place)
            }
            Lie::Rolls { .. } | Lie::Flat { .. } | Lie::Part { .. } => 0.0,
        };
        let within = (length - chord.place).min(chord.place - far);
        within.min(chord.room(
            x_wb,
            circle,
            ridge.inward.map(|inward| inward.map(|across| x_wa.rotation * across)),
            self.radius,
        ))
    }

    fn room_of_side(
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
            Lie::Across { number, .. } => passing(number).map_or(far, |lines| lines.places[0]),
            Lie::Rolls { .. } | Lie::Flat { .. } | Lie::Part { .. } => far,
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

    /// How two ends lie that a side or edge along a face joins, where they lay so: each that is beyond the border by more than half of
    /// `beside` (m) is across that. None of what is no cylinder on a straight border or edge on a round one, is parallel to a border that it is over,
    /// or hardly touches the face.
    pub fn laid(
        &self,
        ends: [usize; 2],
        [x_wa, x_wb]: [&Pose; 2],
        lies: [Lie; 2],
        (grounds, face): (&Grounds, usize),
        beside: f64,
    ) -> Option<[Lie; 2]> {
        let tilt = Tilt::of(x_wa, x_wb);
        let angle = angle_of(&tilt.down);
        let lows = ends.map(|end| {
            let low = self.footprint(end, x_wa, x_wb, Lie::Rolls { low: 0, angle });
            x_wb.inverse().transform_point(&low.centre)
        });
        let within = match grounds.circle(face) {
            Some(circle) => self.within_circle(ends, lows, circle, beside)?,
            None => self.within_sides(lows, (grounds, face), beside)?,
        };
        let is_long = (within[1].0 - within[0].0) * (lows[1] - lows[0]).norm() > SHORTEST * self.girth();
        is_long.then(|| {
            [0, 1].map(|end| match (within[end].1, lies[end]) {
                (Some(number), Lie::Rolls { low, .. } | Lie::Across { low, .. }) => {
                    Lie::Across { low, number }
                }
                (Some(number), Lie::Flat { .. } | Lie::Part { .. }) => Lie::Across { low: 0, number },
                (None, Lie::Across { low, .. }) => Lie::Rolls { low, angle },
                (None, lie) => lie,
            })
        })
    }

    /// Shares of the way from end to end between which a side is over a face, and the borders there.
    fn within_sides(
        &self,
        lows: [Vec3; 2],
        (grounds, face): (&Grounds, usize),
        beside: f64,
    ) -> Option<Within> {
        self.side()?;
        let length = (lows[1] - lows[0]).norm();
        let mut within: Within = [(0.0, None), (1.0, None)];
        for (number, side) in grounds.sides(face).enumerate() {
            let [a, b] = lows.map(|low| side.offset - side.across.dot(&low));
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
        Some(within)
    }

    /// The same of an edge on a round face, with the other end of each that is beyond.
    fn within_circle(
        &self,
        ends: [usize; 2],
        lows: [Vec3; 2],
        circle: &Circle,
        beside: f64,
    ) -> Option<Within> {
        self.ridge(ends)?;
        let length = (lows[1] - lows[0]).norm();
        let chord = |way: [Vec3; 2]| {
            Chord::of((way, self.rounding), &Pose::identity(), circle).filter(Chord::is_long)
        };
        let place = |way: [Vec3; 2]| Some(chord(way)?.place / length);
        let is_beyond = |low: &Vec3| low.x.hypot(low.y) > circle.radius + 0.5 * beside;
        let first =
            if is_beyond(&lows[0]) { (1.0 - place([lows[1], lows[0]])?, Some(ends[1])) } else { (0.0, None) };
        let last = if is_beyond(&lows[1]) { (place(lows)?, Some(ends[0])) } else { (1.0, None) };
        Some([first, last])
    }

    /// What may lean over the border of a face with one end beyond that: each such end with the number that tells what crosses, and the contact there.
    pub fn leaning(
        &self,
        poses: [&Pose; 2],
        (grounds, face): (&Grounds, usize),
    ) -> impl Iterator<Item = ((usize, usize), ContactPoint)> {
        let [x_wa, x_wb] = poses;
        let rolls = Lie::apart();
        let sides = grounds.sides(face).enumerate().filter_map(move |(number, side)| {
            self.side()?;
            let end = usize::from(x_wa.z_axis().dot(&(x_wb.rotation * side.across)) > 0.0);
            let other = x_wb.inverse().transform_point(&self.footprint(1 - end, x_wa, x_wb, rolls).centre);
            (side.across.dot(&other) < side.offset).then_some((end, number))
        });
        let ridges = if grounds.circle(face).is_some() { &self.ridges[..] } else { &[] };
        let leans = move |&(end, other): &(usize, usize)| {
            let circle = grounds.circle(face).expect("a round face");
            let length = (self.ends[end].centre - self.ends[other].centre).norm();
            let chord = self.chord(x_wa, x_wb, [other, end], circle);
            chord.is_some_and(|chord| {
                (0.0..length).contains(&chord.place) && chord.is_long() && chord.leans(x_wb)
            })
        };
        let edges =
            ridges.iter().flat_map(|&Ridge { ends: [first, last], .. }| [(first, last), (last, first)]);
        sides.chain(edges.filter(leans)).filter_map(move |place| {
            let crossing = self.crossing(place, (grounds, face))?;
            let point = self.contact_across(x_wa, x_wb, &crossing)?;
            let room = self.room_across(place, poses, rolls, (grounds, face));
            (room > 0.0).then_some((place, point))
        })
    }
}

/// Shares of the way from end to end between which something is over a face, each with the number that tells what crosses the border there.
type Within = [(f64, Option<usize>); 2];

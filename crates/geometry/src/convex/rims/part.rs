//! A flat end that reaches over the border of the face on which it lies: it touches what both have in common, a part of a disc.
//!
//! As of a whole disc four points stand for that. They are where rays at right angles from a place in its midst, all fixed to the solid, come to what
//! bounds it, the rim or the border. With e along a ray and o across the border, the point on the border moves along the ray with it at
//! ḋ = o·(v_B − v_A)/(o·e), of the solids' velocities there. While both planes are one all places of the part have the gap zero, and what tips
//! does so about what bounds it, where the forces of all points act together: to there one of them turns, as on a rim. Over the border it then
//! tips by what it stands on: by that one's edge, or rim, on the end.

use std::f64::consts::TAU;

use carom_math::{Pose, Vec3};

use super::lie::About;
use super::tilt::{Tilt, across, angle_of, fall};
use super::{End, FLAT, Lie, POINTS, Rims, turn_down, turn_to};
use crate::ContactPoint;
use crate::convex::{Grounds, Side};
use crate::rates::{ContactRates, RigidMotion, TipOver};

/// Steps towards the midst of a part, and what is left of the length of each in the next: they end within 1e-5 of the radius.
const STEPS: usize = 110;
const SHORTER: f64 = 0.9;
/// Directions that are tried for where a part reaches farthest, and by how often the best is bettered by a third.
const TRIED: usize = 64;
const BETTERED: usize = 60;
/// A side of the face that is shorter within a part, over twice the radius, is none that an end tips over.
const SHORTEST: f64 = 1e-3;
/// Places on a half circle of which the one is taken that is farthest from what bounds the part.
const APEXES: usize = 32;
/// Share of the force on an end that is none.
const NOTHING: f64 = 1e-9;
/// Distance from a border, over the radius, that is none.
const AT_BORDER: f64 = 1e-6;
/// Distance, over the size of a solid, at which corners are on a side and a centre is that of a face.
const THERE: f64 = 1e-9;

/// What bounds what an end touches of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Its own rim.
    Rim,
    /// The side of the face with this number.
    Side(usize),
    /// The border of a round face.
    Circle,
}

/// A line in the plane.
#[derive(Clone, Copy, Debug)]
enum Line {
    Straight { across: Vec3, offset: f64 },
    Round { centre: Vec3, radius: f64 },
}

impl Line {
    /// How far a place within is from it (m), negative beyond, and the unit vector there.
    fn margin(&self, place: &Vec3) -> (f64, Vec3) {
        match self {
            Self::Straight { across, offset } => (offset - across.dot(place), *across),
            Self::Round { centre, radius } => {
                let off = place - centre;
                (radius - off.norm(), off.try_normalize(0.0).unwrap_or(Vec3::x()))
            }
        }
    }

    /// How far a ray from a place within goes to it (m).
    fn reach(&self, place: &Vec3, along: &Vec3) -> f64 {
        match self {
            Self::Straight { across, offset } => {
                let steep = across.dot(along);
                if steep > 0.0 { (offset - across.dot(place)) / steep } else { f64::INFINITY }
            }
            Self::Round { centre, radius } => {
                let off = place - centre;
                let middle = off.dot(along);
                let room = radius * radius - off.norm_squared();
                // Without cancellation for a place beside it.
                let half = (middle * middle + room).max(0.0).sqrt();
                if middle > 0.0 { room / (half + middle) } else { half - middle }
            }
        }
    }

    /// Between which places of a straight line, a unit vector from a place, it is within; none if nowhere.
    fn cut(&self, place: &Vec3, along: &Vec3) -> Option<(f64, f64)> {
        match self {
            Self::Straight { across, offset } => {
                let (steep, room) = (across.dot(along), offset - across.dot(place));
                if steep > 0.0 {
                    Some((f64::NEG_INFINITY, room / steep))
                } else if steep < 0.0 {
                    Some((room / steep, f64::INFINITY))
                } else {
                    (room >= 0.0).then_some((f64::NEG_INFINITY, f64::INFINITY))
                }
            }
            Self::Round { centre, radius } => {
                let off = place - centre;
                let middle = off.dot(along);
                let square = middle * middle + radius * radius - off.norm_squared();
                (square > 0.0).then(|| (-middle - square.sqrt(), -middle + square.sqrt()))
            }
        }
    }
}

/// What an end and a face have in common that lie in one plane.
#[derive(Clone, Copy)]
pub struct FlatPart<'a> {
    rims: &'a Rims,
    end: usize,
    poses: [&'a Pose; 2],
    grounds: &'a Grounds,
    face: usize,
    /// The middle of the end, in the frame of the half-space behind the face (m).
    centre: Vec3,
    radius: f64,
}

/// Where a ray comes to what bounds a part.
struct Met {
    /// From the middle of the end, and the unit vector along the ray, in the solid's axes (m).
    arm: Vec3,
    along: Vec3,
    bound: Bound,
    /// Unit vector across the bound, in the axes of the half-space.
    outward: Vec3,
}

impl Rims {
    /// What an end touches of the face that is the half-space, where it is flat on that.
    pub fn part<'a>(
        &'a self,
        end: usize,
        poses: [&'a Pose; 2],
        (grounds, face): (&'a Grounds, usize),
    ) -> FlatPart<'a> {
        let End { radius, centre } = self.ends[end];
        let centre = in_plane(poses[1].inverse_transform_point(&poses[0].transform_point(&centre)));
        FlatPart { rims: self, end, poses, grounds, face, centre, radius }
    }

    /// The ends of the edge along a side of a face of this polyhedron.
    pub fn edge_along(&self, (grounds, face): (&Grounds, usize), number: usize) -> Option<[usize; 2]> {
        let side = grounds.sides(face).nth(number)?;
        let is_there = |end: &usize| {
            let corner = grounds.pose(face).inverse_transform_point(&self.ends[*end].centre);
            let height = corner.z + self.rounding;
            (side.offset - side.across.dot(&corner)).abs().max(height.abs()) < THERE * self.radius
        };
        let mut there = (0..self.ends.len()).filter(is_there);
        let line = [there.next()?, there.next()?];
        there.next().is_none().then_some(line)
    }

    /// The face that an end is, among those of its solid.
    pub fn face_of(&self, end: usize, grounds: &Grounds) -> Option<usize> {
        (0..grounds.count()).find(|&face| self.is_end_at(end, grounds, face))
    }

    /// The end that a face of its solid is.
    pub fn end_of(&self, grounds: &Grounds, face: usize) -> Option<usize> {
        (0..self.ends.len()).find(|&end| self.is_end_at(end, grounds, face))
    }

    fn is_end_at(&self, end: usize, grounds: &Grounds, face: usize) -> bool {
        (grounds.middle_of_core(face) - self.ends[end].centre).norm() < THERE * self.radius
    }
}

impl FlatPart<'_> {
    fn bounds(&self) -> impl Iterator<Item = (Bound, Line)> + '_ {
        let rim = Line::Round { centre: self.centre, radius: self.radius };
        std::iter::once((Bound::Rim, rim)).chain(self.borders())
    }

    fn borders(&self) -> impl Iterator<Item = (Bound, Line)> + '_ {
        let round = |radius: f64| (Bound::Circle, Line::Round { centre: Vec3::zeros(), radius });
        let circle = self.grounds.circle(self.face).map(|circle| round(circle.radius));
        let sides = self.grounds.sides(self.face).enumerate();
        let straight = |(number, side): (usize, Side)| {
            (Bound::Side(number), Line::Straight { across: side.across, offset: side.offset })
        };
        circle.into_iter().chain(sides.map(straight))
    }

    /// How far the whole end is within the face (m), negative where it reaches over the border.
    fn room_of_disc(&self) -> f64 {
        self.borders().map(|(_, line)| line.margin(&self.centre).0).fold(f64::INFINITY, f64::min)
            - self.radius
    }

    /// How far a place is from the nearest of what bounds the part (m), negative beyond, and the unit vector there.
    fn margin(&self, place: &Vec3) -> (f64, Vec3) {
        let margins = self.bounds().map(|(_, line)| line.margin(place));
        margins.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a rim bounds it")
    }

    /// The place that is farthest from what bounds the part, nearly, and how far that is (m).
    fn midst(&self) -> (Vec3, f64) {
        let (mut place, mut step) = (self.centre, self.radius);
        let mut best = (place, self.margin(&place).0);
        for _ in 0..STEPS {
            place -= step * self.margin(&place).1;
            step *= SHORTER;
            let margin = self.margin(&place).0;
            if margin > best.1 {
                best = (place, margin);
            }
        }
        best
    }

    /// Seen in the axes of the half-space, and in those of the solid.
    fn in_face(&self, v: &Vec3) -> Vec3 {
        in_plane(self.poses[1].rotation.tr_mul(&(self.poses[0].rotation * v)))
    }

    fn in_solid(&self, v: &Vec3) -> Vec3 {
        in_plane(self.poses[0].rotation.tr_mul(&(self.poses[1].rotation * v)))
    }

    fn place(&self, about: About) -> Vec3 {
        self.centre + self.in_face(&(self.radius * about.place()))
    }

    /// How far and to what a ray goes from a place within.
    fn reach(&self, place: &Vec3, along: &Vec3) -> (f64, Bound, Line) {
        let reaches = self.bounds().map(|(bound, line)| (line.reach(place, along), bound, line));
        reaches.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a rim bounds it")
    }

    fn meet(&self, point: usize, (angle, about): (f64, About)) -> Met {
        let (along, place) = (across(angle, point), self.place(about));
        let (reach, bound, line) = self.reach(&place, &self.in_face(&along));
        let outward = line.margin(&(place + reach * self.in_face(&along))).1;
        Met { arm: self.radius * about.place() + reach * along, along, bound, outward }
    }

    /// How an end lies that is flat on the face, whole or on a part of it; none where that is hardly larger than nothing. Its points keep their directions.
    pub fn lie(&self, angle: f64) -> Option<Lie> {
        if self.radius == 0.0 {
            return None;
        }
        if self.room_of_disc() > -0.5 * Grounds::BESIDE * self.radius {
            return Some(Lie::Flat { angle });
        }
        let about = |(place, margin): (Vec3, f64)| {
            About::of(&(self.in_solid(&(place - self.centre)) / self.radius), margin / self.radius)
        };
        // The points of a rim stay where they are that has come a little over a border.
        let in_middle = about((self.centre, self.margin(&self.centre).0)).filter(About::is_roomy);
        Some(Lie::Part { angle, about: in_middle.or_else(|| about(self.midst()))? })
    }

    /// The same for a point `low` that a whole end has where it goes down fastest, its first one at this angle: of a part that is where it reaches
    /// farthest there.
    pub fn lie_towards(&self, low: usize, whole: f64) -> Option<Lie> {
        let Lie::Part { about, .. } = self.lie(whole)? else { return Some(Lie::Flat { angle: whole }) };
        let (place, down) = (self.place(about), self.in_face(&across(whole, low)));
        let far = |angle: f64| {
            let along = self.in_face(&across(angle, 0));
            down.dot(&(self.reach(&place, &along).0 * along))
        };
        let step = TAU / TRIED as f64;
        let tried = (0..TRIED).map(|k| k as f64 * step);
        let best = tried.max_by(|a, b| far(*a).total_cmp(&far(*b))).expect("directions");
        // What reaches out farthest of something convex has no other summit.
        let (mut from, mut to) = (best - step, best + step);
        for _ in 0..BETTERED {
            let third = (to - from) / 3.0;
            if far(from + third) < far(to - third) {
                from += third;
            } else {
                to -= third;
            }
        }
        Some(Lie::Part { angle: 0.5 * (from + to) - TAU / POINTS as f64 * low as f64, about })
    }

    /// The same for a first point at this place on the rim (m, world axes); none of an end that is tilted.
    pub fn lie_at(&self, place: &Vec3) -> Option<Lie> {
        if Tilt::of(self.poses[0], self.poses[1]).sine > FLAT {
            return None;
        }
        let arm = in_plane(self.poses[0].inverse_transform_point(place) - self.middle());
        self.lie_towards(0, angle_of(&arm))
    }

    /// The same of an end that lands while the solid turns against the half-space with `spin` (rad/s, world axes); none of one that is tilted.
    pub fn landed(&self, spin: &Vec3) -> Option<Lie> {
        let [x_wa, x_wb] = self.poses;
        let tilt = Tilt::of(x_wa, x_wb);
        let down = fall(x_wa, x_wb, spin).try_normalize(0.0).unwrap_or(tilt.down);
        if tilt.sine > FLAT { None } else { self.lie_towards(0, angle_of(&down)) }
    }

    /// What of the part the end, hardly tilted, is lowest over, and where (m, world axes): the lowest point of its rim, or a border. None of an end without a
    /// radius, or where there is hardly a part.
    pub fn deepest(&self) -> Option<(Bound, Vec3)> {
        let [x_wa, x_wb] = self.poses;
        let angle = angle_of(&Tilt::of(x_wa, x_wb).down);
        let lie = self.lie_towards(0, angle)?;
        let down = self.rims.rounding * x_wb.z_axis();
        let in_world = |arm: Vec3| x_wa.transform_point(&(self.middle() + arm)) - down;
        let lowest = self.radius * across(angle, 0);
        let of_borders = |arm: &Vec3| {
            let place = self.centre + self.in_face(arm);
            let margins = self.borders().map(|(bound, line)| (line.margin(&place).0, bound));
            margins.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a face has a border")
        };
        match lie {
            Lie::Part { angle, about } if of_borders(&lowest).0 < -0.5 * Grounds::BESIDE * self.radius => {
                let arm = self.meet(0, (angle, about)).arm;
                Some((of_borders(&arm).1, in_world(arm)))
            }
            _ => Some((Bound::Rim, in_world(lowest))),
        }
    }

    /// Contact of a point of an end that lies on a part of the face.
    pub fn contact(&self, point: usize, on: (f64, About)) -> ContactPoint {
        let [x_wa, x_wb] = self.poses;
        let (outward, normal) = (x_wb.z_axis(), Tilt::of(x_wa, x_wb).normal);
        let arm = self.meet(point, on).arm;
        let height = outward.dot(&(x_wa.translation - x_wb.translation));
        let gap = height + (normal.dot(self.middle()) + normal.dot(&arm)) - self.rims.rounding;
        let point_a = x_wa.transform_point(&(self.middle() + arm)) - self.rims.rounding * outward;
        ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }
    }

    /// The middle of the end, in the solid's frame (m).
    fn middle(&self) -> &Vec3 {
        &self.rims.ends[self.end].centre
    }

    /// Rates of that contact, for the solid A and the half-space B as they move.
    pub fn rates(&self, point: usize, on: (f64, About), [a, b]: [&RigidMotion; 2]) -> ContactRates {
        let [x_wa, x_wb] = self.poses;
        let Met { arm, along, bound, outward } = self.meet(point, on);
        let core = x_wa.transform_point(&(self.middle() + arm));
        let (along, across) = (x_wa.rotation * along, x_wb.rotation * outward);
        let running = match bound {
            Bound::Rim => 0.0,
            Bound::Side(_) | Bound::Circle => across.dot(&(b.at(&core) - a.at(&core))) / across.dot(&along),
        };
        let outward = x_wb.z_axis();
        let gap = outward.dot(&(core - x_wb.translation)) - self.rims.rounding;
        let depth = self.rims.rounding + 0.5 * gap;
        let tip = TipOver { centre: core, outward, turning: Vec3::zeros(), depth };
        tip.rates_with(b, a.at(&core) + running * along)
    }

    /// How far an end that lies on a part of the face is from where it does otherwise (m): its rays begin too near what bounds it, or it is whole.
    pub fn room(&self, about: About) -> f64 {
        (self.margin(&self.place(about)).0 - about.least() * self.radius).min(-self.room_of_disc())
    }

    /// How an end lies on the part with two of its points where a side of the face leaves that: over it the end tips as over these two. None where the side
    /// is hardly there, or no place within sees both under a right angle.
    pub fn lie_along(&self, border: Bound) -> Option<Lie> {
        let (_, line) = self.borders().find(|(bound, _)| *bound == border)?;
        let Line::Straight { across: out, offset } = line else { return None };
        let along = Vec3::new(-out.y, out.x, 0.0);
        let foot = self.centre + (offset - out.dot(&self.centre)) * out;
        let others = || self.bounds().filter(|(bound, _)| *bound != border).map(|(_, line)| line);
        // A place of the side that is within, if one is: the nearest to the middle of what the rim cuts off, or of what the other borders leave.
        let (mut low, mut high) = (-self.radius, self.radius);
        for line in others() {
            let (from, to) = line.cut(&foot, &along)?;
            (low, high) = (low.max(from), high.min(to));
        }
        let half = 0.5 * (high - low);
        if half < SHORTEST * self.radius {
            return None;
        }
        let (middle, ends) = (foot + 0.5 * (low + high) * along, [low, high].map(|at| foot + at * along));
        // Places that see both ends under a right angle lie on the half circle over them.
        let seen = |k: usize| {
            let angle = std::f64::consts::PI * k as f64 / APEXES as f64;
            let place = middle + half * (libm::cos(angle) * along - libm::sin(angle) * out);
            (place, self.margin(&place).0)
        };
        let (place, margin) = (1..APEXES).map(seen).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let about = About::of(&(self.in_solid(&(place - self.centre)) / self.radius), margin / self.radius)?;
        let place = self.place(about);
        let [first, second] = ends.map(|end| self.in_solid(&(end - place)));
        let from = if first.cross(&second).z > 0.0 { first } else { second };
        Some(Lie::Part { angle: angle_of(&from), about })
    }

    /// The border at which all the points are that touch, to rounding.
    pub fn border_under(&self, on: (f64, About), touches: impl Fn(usize) -> bool) -> Option<Bound> {
        let place = |point: usize| self.centre + self.in_face(&self.meet(point, on).arm);
        let is_there = |line: &Line, point: usize| line.margin(&place(point)).0 < AT_BORDER * self.radius;
        let holds_all =
            |(_, line): &(Bound, Line)| (0..POINTS).filter(|k| touches(*k)).all(|k| is_there(line, k));
        self.borders().find(holds_all).map(|(bound, _)| bound)
    }

    /// What a point of such an end is on.
    pub fn bound(&self, point: usize, on: (f64, About)) -> Bound {
        self.meet(point, on).bound
    }

    /// How such an end lies with a point where the normal forces (N) of its four act together, and the angle that it turns by (rad); none if
    /// one is there, if they act in the midst, or at a border, over which the end tips.
    pub fn aligned(&self, (angle, about): (f64, About), forces: [f64; POINTS]) -> Option<(Lie, f64)> {
        let least = NOTHING * forces.iter().sum::<f64>();
        if self.border_under((angle, about), |point| forces[point] > least).is_some() {
            return None;
        }
        let arm = |point: usize| self.meet(point, (angle, about)).arm - self.radius * about.place();
        let place = (0..POINTS).fold(Vec3::zeros(), |sum, k| sum + forces[k] * arm(k));
        let turn = turn_to(angle, &place, self.radius * forces.iter().sum::<f64>())?;
        Some((Lie::Part { angle: angle + turn, about }, turn))
    }

    /// How such an end lies with its point `low`, which touches alone and is on its rim, nearer to where it goes down fastest ([`Rims::rolled`]).
    pub fn rolled(
        &self,
        (angle, about): (f64, About),
        low: usize,
        leaving: ([f64; POINTS], f64),
    ) -> Option<(Lie, f64)> {
        if self.bound(low, (angle, about)) != Bound::Rim {
            return None;
        }
        let arms = [0, 1, 2, 3].map(|point| self.meet(point, (angle, about)).arm);
        let turn = turn_down(arms, low, leaving)?;
        let arm = self.radius * across(angle_of(&arms[low]) + turn, 0);
        let place = self.centre + self.in_face(&arm);
        let is_within = self.borders().all(|(_, line)| line.margin(&place).0 >= 0.0);
        let angle = angle_of(&(arm - self.radius * about.place())) - TAU / POINTS as f64 * low as f64;
        is_within.then_some((Lie::Part { angle, about }, turn))
    }
}

/// What is left of a vector in the plane across z.
fn in_plane(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, 0.0)
}

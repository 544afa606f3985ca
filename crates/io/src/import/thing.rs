//! Things that a file shows in what is fixed, all that they may touch, and the way out.

use carom_math::{Mat3, Pose, Vec3, orthonormal_basis};

use super::link_contacts::{LinkContact, Pairs};
use super::robot::{Constraint, ConstraintKind, Held, Robot};
use super::scene::{Floor, FloorContact, height_along, height_over, placed};

/// Steps of one way out. Between two floors that lean towards each other by 60° each step halves what is left.
const STEPS: usize = 32;
/// What rounding leaves of a step or adds to it, as a share of it.
const ROUNDING: f64 = 1e-9;

/// Links that joints connect, on this side of what is fixed.
pub(super) struct Thing {
    /// The first of them.
    pub(super) root: usize,
    links: Vec<usize>,
    /// With what the thing does not consist of, listed.
    meetings: Vec<Meeting>,
}

/// A surface of a thing and one of something else that it may touch, each by its link and its place there.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    own: (usize, usize),
    other: (usize, usize),
    /// How far the weight takes one into the other (m).
    sag: f64,
    with: With,
}

#[derive(Clone, Copy)]
enum With {
    Floor,
    /// The first one of the pair is the thing's.
    Solid(LinkContact),
}

/// Where a thing is deepest in something.
pub(super) struct Overlap {
    pub(super) depth: f64,
    pub(super) inside: String,
    out: Vec3,
}

impl Overlap {
    /// Three digits of the depth, and why.
    pub(super) fn describe(&self, why: &str) -> String {
        let depth: f64 = format!("{:.2e}", 1e3 * self.depth).parse().unwrap_or(f64::NAN);
        format!("{depth} mm in \"{}\" ({why})", self.inside)
    }
}

impl Meeting {
    pub(super) fn is_floor(&self, _: &Robot) -> bool {
        matches!(self.with, With::Floor)
    }

    pub(super) fn is_fixed(&self, robot: &Robot) -> bool {
        robot.links[self.other.0].held == Held::Fixed
    }

    /// How far they overlap, and the way out, if that is more than their law gives.
    fn overlap(&self, robot: &Robot, pairs: &mut Pairs) -> Option<(f64, Vec3)> {
        let shape = |(link, shape): (usize, usize)| &robot.links[link].shapes[shape];
        let (depth, out) = match &self.with {
            With::Floor => {
                let margin = shape(self.own).margin + shape(self.other).margin;
                let out = placed(robot, self.other).rotation.column(2).into_owned();
                (margin - height_over(robot, self.other, self.own)?, out)
            }
            With::Solid(pair) => pairs.overlap(robot, pair)?,
        };
        (depth > self.sag).then_some((depth, out))
    }
}

/// All things with what they may touch. A floor that the import adds is not there yet.
pub(super) fn find_things(
    robot: &Robot,
    firsts: &[Option<usize>],
    floors: &[Floor],
    contacts: &[FloorContact],
    pairs: &Pairs,
) -> Vec<Thing> {
    let links = robot.links.len();
    let mut members = vec![Vec::new(); links];
    let mut meetings: Vec<Vec<Meeting>> = vec![Vec::new(); links];
    for (link, first) in firsts.iter().enumerate() {
        first.iter().for_each(|&first| members[first].push(link));
    }
    for contact in contacts {
        let (Some(first), Some(other)) = (firsts[contact.link], floors[contact.floor].shape) else {
            continue;
        };
        let own = (contact.link, contact.shape);
        meetings[first].push(Meeting { own, other, sag: contact.grip.sag, with: With::Floor });
    }
    for pair in &pairs.all {
        let turned = LinkContact { a: pair.b, b: pair.a, grip: pair.grip };
        for pair in [*pair, turned].into_iter().filter(|pair| firsts[pair.a.0] != firsts[pair.b.0]) {
            let Some(first) = firsts[pair.a.0] else { continue };
            let meeting = Meeting { own: pair.a, other: pair.b, sag: pair.grip.sag, with: With::Solid(pair) };
            meetings[first].push(meeting);
        }
    }
    let of = |(root, (links, meetings))| Thing { root, links, meetings };
    members.into_iter().zip(meetings).enumerate().map(of).filter(|thing| !thing.links.is_empty()).collect()
}

impl Thing {
    /// Where it is deepest in what counts.
    pub(super) fn deepest(
        &self,
        robot: &Robot,
        pairs: &mut Pairs,
        counts: impl Fn(&Meeting, &Robot) -> bool,
    ) -> Option<Overlap> {
        let mut deepest: Option<(f64, Vec3, usize, usize)> = None;
        for meeting in self.meetings.iter().filter(|meeting| counts(meeting, robot)) {
            let Some((depth, out)) = meeting.overlap(robot, pairs) else { continue };
            if deepest.is_none_or(|(most, ..)| depth > most) {
                deepest = Some((depth, out, meeting.other.0, meeting.other.1));
            }
        }
        let (depth, out, link, shape) = deepest?;
        Some(Overlap { depth, out, inside: robot.links[link].shapes[shape].name.clone() })
    }

    /// Moves it out of what counts and gives the way, which is short, does not lead down, and takes it into nothing else; or leaves it
    /// where it is and says why.
    pub(super) fn leave(
        &self,
        robot: &mut Robot,
        pairs: &mut Pairs,
        counts: impl Fn(&Meeting, &Robot) -> bool + Copy,
    ) -> Result<Vec3, String> {
        let is_free =
            |meeting: &&Meeting, robot: &Robot, pairs: &mut Pairs| meeting.overlap(robot, pairs).is_none();
        let free: Vec<Meeting> = self.meetings.iter().filter(|m| is_free(m, robot, pairs)).copied().collect();
        let shown: Vec<Vec3> = self.links.iter().map(|&link| robot.links[link].pose.translation).collect();
        let mut way = Vec3::zeros();
        for _ in 0..STEPS {
            let Some(overlap) = self.deepest(robot, pairs, counts) else { break };
            let step = overlap.out * (overlap.depth * (1.0 + ROUNDING));
            self.shift(robot, &step);
            way += step;
        }
        let Some(fault) = self.fault(robot, pairs, &way, &free, counts) else { return Ok(way) };
        // To the bit: it stays where the file shows it.
        for (&link, place) in self.links.iter().zip(shown) {
            robot.links[link].pose.translation = place;
        }
        Err(fault)
    }

    /// What is wrong with the way that it has come.
    fn fault(
        &self,
        robot: &Robot,
        pairs: &mut Pairs,
        way: &Vec3,
        free: &[Meeting],
        counts: impl Fn(&Meeting, &Robot) -> bool,
    ) -> Option<String> {
        let length = way.norm();
        if length == 0.0 {
            return None;
        }
        // From beyond its size no part of it was outside, and it could have come through something on its way.
        if length > self.extent(robot, &(way / length)) {
            return Some("the way out is longer than it is itself".to_owned());
        }
        if self.deepest(robot, pairs, counts).is_some() {
            return Some("no way out was found".to_owned());
        }
        if way.dot(&robot.gravity) > ROUNDING * length * robot.gravity.norm() {
            return Some("the way out leads down".to_owned());
        }
        let met = free.iter().find(|meeting| meeting.overlap(robot, pairs).is_some())?;
        Some(format!("it would come into \"{}\"", robot.links[met.other.0].shapes[met.other.1].name))
    }

    /// How long its surfaces are along a direction.
    fn extent(&self, robot: &Robot, along: &Vec3) -> f64 {
        let lowest = |z: &Vec3| {
            let (x, y) = orthonormal_basis(z);
            let frame = Pose { rotation: Mat3::from_columns(&[x, y, *z]), translation: Vec3::zeros() };
            let heights = self.meetings.iter().filter_map(|m| height_along(robot, &frame, m.own));
            heights.fold(f64::INFINITY, f64::min)
        };
        -lowest(along) - lowest(&-along)
    }

    fn shift(&self, robot: &mut Robot, by: &Vec3) {
        for &link in &self.links {
            robot.links[link].pose.translation += by;
        }
    }

    /// Does more than joints of its own hold it, or something by it, which moved away from that would be torn back?
    pub(super) fn is_tied(&self, robot: &Robot, firsts: &[Option<usize>]) -> bool {
        let differ = |a: usize, b: usize| (firsts[a] == Some(self.root)) != (firsts[b] == Some(self.root));
        let by_joints = robot.joints.iter().any(|joint| joint.cut && differ(joint.a, joint.b));
        let by_points = robot.constraints.iter().any(|Constraint { kind, .. }| match kind {
            ConstraintKind::Point { a, b } => differ(a.0, b.0),
            ConstraintKind::Coupling { .. } => false,
        });
        by_joints
            || by_points
            || robot.holds.iter().any(|hold| differ(hold.a.0, hold.b.0))
            || robot.ropes.iter().any(|rope| rope.path.windows(2).any(|ends| differ(ends[0].0, ends[1].0)))
    }
}

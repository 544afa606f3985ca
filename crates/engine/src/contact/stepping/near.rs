use carom_geometry::Shape;
use carom_math::{Vec3, tangents_at};

use crate::contact::convex::points_within;
use crate::contact::planar::is_in_place;
use crate::contact::rigid::{arm_of, cable_of, law_of, single_motion};
use crate::contact::{Evaluator, PointMotion};
use crate::law::RigidLaw;
use crate::system::PairSource;

/// Solids are brought nearer to each other by this share of the smaller one's size when the corners of their faces are asked for:
/// those that nearly touch count.
const FACE_SKIN: f64 = 0.01;

/// A point at which two rigid surfaces may touch in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPoint {
    pub(crate) contact: usize,
    /// Its number among the points of the contact.
    pub(crate) place: usize,
    pub(crate) motion: PointMotion,
    /// Normal from A to B and two tangents, a right-handed frame (world axes).
    pub(crate) axes: [Vec3; 3],
    /// Bodies of A and B.
    pub(crate) bodies: [usize; 2],
    pub(crate) law: RigidLaw,
    /// Is it a stop or a cable, with a row and no tangents?
    pub(crate) is_single: bool,
    /// Is it where its bodies would touch first? What a circle has with the edges of a polygon that it is not over is none.
    pub(crate) is_in_place: bool,
    /// Length (m) that the coordinate of a stop has for an angle, 1 for all else.
    pub(crate) arm: f64,
}

impl NearPoint {
    fn new(
        evaluator: &Evaluator<'_>,
        contact: usize,
        place: usize,
        motion: PointMotion,
        law: RigidLaw,
    ) -> Self {
        let (first, second) = tangents_at(&motion.normal);
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        let is_in_place = match &pair.source {
            PairSource::Planar(outlines) => is_in_place(evaluator, outlines, contact),
            _ => true,
        };
        Self {
            contact,
            place,
            motion,
            axes: [motion.normal, first, second],
            bodies: pair.bodies,
            law,
            is_single: pair.source.is_single(),
            is_in_place,
            arm: arm_of(evaluator, contact),
        }
    }

    /// Takes the normal that it has at the end of a step, and where the evaluator is, in the middle of that, a gap from which the velocities there lead to
    /// the one at the end.
    pub(crate) fn turn_to(&mut self, evaluator: &Evaluator<'_>, end: &PointMotion, h: f64) {
        let gap_at = |point: &Self| end.gap - 0.5 * h * point.velocity(evaluator)[0];
        self.retake(PointMotion { normal: end.normal, ..self.motion });
        self.motion.gap = gap_at(self);
    }

    /// Takes another gap and normal.
    pub(crate) fn retake(&mut self, motion: PointMotion) {
        let (first, second) = tangents_at(&motion.normal);
        self.axes = [motion.normal, first, second];
        self.motion = motion;
    }

    /// How far apart it is (m), at its arm.
    pub(crate) fn gap(&self) -> f64 {
        self.motion.gap * self.arm
    }

    /// Velocity of B against A at the point along the axes, where the evaluator's bodies are and as they move.
    #[inline]
    pub(crate) fn velocity(&self, evaluator: &Evaluator<'_>) -> [f64; 3] {
        if self.is_single {
            return [-single_motion(evaluator, self.contact).approach * self.arm, 0.0, 0.0];
        }
        let [a, b] =
            self.bodies.map(|body| evaluator.workspace.bodies[body].point_velocity(&self.motion.position));
        let relative = b - a;
        self.axes.map(|axis| axis.dot(&relative))
    }
}

/// Appends the points of all rigid contacts that are no farther apart, where the evaluator is, than `reach` says of their bodies
/// (m), but for those that are known. A contact that was farther apart is not looked at again before the paths of its bodies, `path`, say
/// that it may be near.
pub(crate) fn find_near(
    evaluator: &mut Evaluator<'_>,
    path: &[f64],
    reach: impl Fn([usize; 2]) -> f64,
    is_known: impl Fn(usize) -> bool,
    out: &mut Vec<NearPoint>,
) {
    for contact in 0..evaluator.table.contacts.len() {
        let pair = evaluator.table.contacts[contact].pair;
        let data = &evaluator.table.pairs[pair];
        if is_known(contact) {
            continue;
        }
        if data.source.is_single() {
            // They are few, and what turns a joint does not bound how far its coordinate goes.
            let is_set_valued = data.rigid.is_some() || cable_of(evaluator, contact).is_some();
            if is_set_valued {
                let motion = single_motion(evaluator, contact);
                out.push(NearPoint::new(evaluator, contact, 0, motion, law_of(evaluator, contact)));
            }
            continue;
        }
        let Some(law) = data.rigid else { continue };
        let bodies = data.bodies;
        let (travelled, reach) = (path[bodies[0]] + path[bodies[1]], reach(bodies));
        if travelled + reach < evaluator.contacts.certificates[contact] {
            continue;
        }
        let motion = evaluator.motion_of(contact);
        if motion.gap > reach {
            evaluator.contacts.certificates[contact] = travelled + motion.gap;
            continue;
        }
        push_points(evaluator, contact, &motion, law, out);
    }
}

/// Appends the points of the contacts that are listed in `near`, where the evaluator is now.
pub(crate) fn measure_near(evaluator: &Evaluator<'_>, near: &[NearPoint], out: &mut Vec<NearPoint>) {
    for point in near.iter().filter(|point| point.place == 0) {
        let motion = if point.is_single {
            single_motion(evaluator, point.contact)
        } else {
            evaluator.motion_of(point.contact)
        };
        push_points(evaluator, point.contact, &motion, point.law, out);
    }
    out.retain(|point| point.is_in_place);
}

fn push_points(
    evaluator: &Evaluator<'_>,
    contact: usize,
    motion: &PointMotion,
    law: RigidLaw,
    out: &mut Vec<NearPoint>,
) {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let PairSource::Convex(convex) = &pair.source else {
        out.push(NearPoint::new(evaluator, contact, 0, *motion, law));
        return;
    };
    let system = &*evaluator.system;
    let sizes = convex.surfaces.map(|s| system.surfaces[s].shape.smallest_length());
    let skin = (FACE_SKIN * sizes[0].min(sizes[1])).max(-2.0 * motion.gap);
    let points = points_within(evaluator, contact, convex, motion, skin);
    let is_flat = |s: usize| !matches!(system.surfaces[s].shape, Shape::Sphere { .. });
    if points.len() < 2 || !convex.surfaces.iter().all(|&s| is_flat(s)) {
        out.push(NearPoint::new(evaluator, contact, 0, *motion, law));
        return;
    }
    for (place, point) in points.iter().enumerate() {
        out.push(NearPoint::new(evaluator, contact, place, point.motion, law));
    }
}

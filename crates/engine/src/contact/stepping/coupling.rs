use carom_math::{Mat3, Twist, Vec3, Wrench};
use carom_solvers::friction::{BlockMatrix, Triple};

use super::NearPoint;
use crate::contact::Evaluator;
use crate::contact::rigid::write_single;
use crate::mechanics::Mechanics;
use crate::mechanics::constraint::Rows;
use crate::mechanics::workspace::{Direction, Response, ResponseBuffers};

/// How contact points act on velocities, and on each other through the bodies that they share: H, M⁻¹ Hᵀ and H M⁻¹ Hᵀ. Free bodies have
/// their own inertia; what joints and constraints hold together answers as a whole (`Workspace::respond`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupling {
    /// By point and side: what acts on a free body.
    sides: Vec<[Option<Side>; 2]>,
    /// By point: directions and answers, where a body is not free.
    answers: Vec<Option<Box<[Answer; 3]>>>,
    /// By link: points and their sides that act on it, or, where bodies are not free, move it.
    points_of_link: Vec<Vec<(usize, usize)>>,
    used_links: Vec<usize>,
    buffers: ResponseBuffers,
    /// Buffers: place of each column in the row, by row it was put into last.
    place: Vec<(usize, usize)>,
    row: Vec<(usize, [f64; 9])>,
    links: Vec<Twist>,
    freedoms: Vec<f64>,
    single: Rows,
}

/// What three unit impulses of a point do to a free body.
#[derive(Clone, Copy, Debug)]
struct Side {
    link: usize,
    /// −1 on A, 1 on B.
    sign: f64,
    inverse_mass: f64,
    /// Moments arm × e of the axes, and the turning J⁻¹ (arm × e) that they make.
    moments: [Vec3; 3],
    turns: [Vec3; 3],
}

#[derive(Clone, Debug, Default)]
struct Answer {
    direction: Direction,
    response: Response,
    /// Speed at which the reel of a cable pays out (m/s).
    reel: f64,
}

impl Coupling {
    /// Takes the points where the evaluator is, and writes W into `matrix`. False if a body's inertia is not positive.
    pub(crate) fn update(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        points: &[NearPoint],
        matrix: &mut BlockMatrix,
    ) -> bool {
        self.forget(evaluator);
        let is_constrained = evaluator.workspace.mechanism.is_constrained();
        let is_free = |evaluator: &Evaluator<'_>, body: usize| {
            let link = evaluator.system.mechanics.bodies[body].link;
            link.is_none_or(|link| evaluator.system.mechanics.links[link].lone && !is_constrained)
        };
        let is_free = |evaluator: &Evaluator<'_>, p: &NearPoint| {
            !p.is_single && p.bodies.iter().all(|&b| is_free(evaluator, b))
        };
        let all_free = points.iter().all(|point| is_free(evaluator, point));
        if !all_free && !evaluator.workspace.prepare_responses(&mut self.buffers) {
            return false;
        }
        for (index, point) in points.iter().enumerate() {
            if is_free(evaluator, point) {
                let sides = [0, 1].map(|k| side(evaluator, point, k));
                for (k, side) in sides.iter().enumerate() {
                    if let Some(side) = side {
                        self.note(side.link, index, k);
                    }
                }
                self.sides.push(sides);
                self.answers.push(None);
            } else {
                let answers = self.answer(evaluator, point);
                for link in answers[0].response.links.iter().map(|(link, _)| *link) {
                    self.note(link, index, 2);
                }
                self.sides.push([None, None]);
                self.answers.push(Some(answers));
            }
        }
        matrix.clear();
        self.place.clear();
        self.place.resize(points.len(), (usize::MAX, 0));
        for index in 0..points.len() {
            self.write_row(&evaluator.system.mechanics, index, points, matrix);
        }
        true
    }

    fn forget(&mut self, evaluator: &Evaluator<'_>) {
        self.sides.clear();
        self.answers.clear();
        for link in self.used_links.drain(..) {
            self.points_of_link[link].clear();
        }
        let mechanics = &evaluator.system.mechanics;
        self.points_of_link.resize_with(mechanics.links.len(), Vec::new);
        self.links.resize(mechanics.links.len(), Twist::ZERO);
        self.freedoms.resize(mechanics.freedoms(), 0.0);
    }

    fn note(&mut self, link: usize, index: usize, side: usize) {
        if self.points_of_link[link].is_empty() {
            self.used_links.push(link);
        }
        self.points_of_link[link].push((index, side));
    }

    fn answer(&mut self, evaluator: &mut Evaluator<'_>, point: &NearPoint) -> Box<[Answer; 3]> {
        let mut answers: Box<[Answer; 3]> = Box::default();
        let Answer { direction, response, reel } = &mut answers[0];
        if let Some(given) = write_single(evaluator, point.contact, &mut self.single, direction) {
            *reel = given.reel;
            evaluator.workspace.respond(direction, &mut self.buffers, response);
            return answers;
        }
        for (axis, answer) in point.axes.iter().zip(answers.iter_mut()) {
            for (body, sign) in point.bodies.into_iter().zip([-1.0, 1.0]) {
                let Some(link) = evaluator.system.mechanics.bodies[body].link else { continue };
                let arm = point.motion.position - evaluator.workspace.bodies[body].pose.translation;
                answer.direction.wrenches.push((link, Wrench::of_force(axis * sign, &arm)));
            }
            evaluator.workspace.respond(&answer.direction, &mut self.buffers, &mut answer.response);
        }
        answers
    }

    /// Blocks of one row, with all points that share a body, its own first.
    fn write_row(
        &mut self,
        mechanics: &Mechanics,
        index: usize,
        points: &[NearPoint],
        matrix: &mut BlockMatrix,
    ) {
        self.row.clear();
        if let Some(answers) = &self.answers[index] {
            // The column of the answers is the row, as W is symmetric.
            for k in 0..3 {
                let response = &answers[k].response;
                response.links.iter().for_each(|(link, twist)| self.links[*link] = *twist);
                response.freedoms.iter().for_each(|(freedom, rate)| self.freedoms[*freedom] = *rate);
                for (link, _) in &response.links {
                    for &(other, side) in &self.points_of_link[*link] {
                        let at = place_of(&mut self.place, &mut self.row, index, other);
                        for l in 0..3 {
                            let along = self.along(mechanics, points, (other, side, l), *link);
                            self.row[at].1[3 * k + l] += along;
                        }
                    }
                }
                response.links.iter().for_each(|(link, _)| self.links[*link] = Twist::ZERO);
            }
        }
        for own in self.sides[index].iter().flatten() {
            for &(other, k) in &self.points_of_link[own.link] {
                let at = place_of(&mut self.place, &mut self.row, index, other);
                let block = &mut self.row[at].1;
                match self.sides[other].get(k).copied().flatten() {
                    Some(theirs) => add_block(block, own, &theirs, &points[index].axes, &points[other].axes),
                    None => add_answered(block, own, &self.answers[other], &points[index].axes),
                }
            }
        }
        for (column, block) in &self.row {
            matrix.push(*column, *block);
        }
        matrix.end_row();
    }

    /// Velocity of a link, as `links` has it, along axis l of a point.
    fn along(
        &self,
        mechanics: &Mechanics,
        points: &[NearPoint],
        (other, side, l): (usize, usize, usize),
        link: usize,
    ) -> f64 {
        let twist = &self.links[link];
        if let Some(answers) = &self.answers[other] {
            let Direction { wrenches, efforts } = &answers[l].direction;
            let wrenches = wrenches.iter().filter(|(at, _)| *at == link);
            let efforts = efforts.iter().filter(|(freedom, _)| mechanics.link_of_freedom[*freedom] == link);
            return wrenches.map(|(_, wrench)| wrench.dot(twist)).sum::<f64>()
                + efforts.map(|(freedom, effort)| effort * self.freedoms[*freedom]).sum::<f64>();
        }
        let Some(theirs) = &self.sides[other][side] else { return 0.0 };
        theirs.sign * (points[other].axes[l].dot(&twist.linear) + theirs.moments[l].dot(&twist.angular))
    }

    /// What motors and reels of given motion put in against impulses r (J).
    pub(crate) fn work_of_motors(&self, impulses: &[Triple]) -> f64 {
        let each = self.answers.iter().zip(impulses).filter_map(|(answers, r)| Some((answers.as_ref()?, r)));
        each.flat_map(|(answers, r)| {
            answers.iter().zip(r).map(|(answer, r)| r * (answer.response.motors - answer.reel))
        })
        .sum()
    }

    /// Hᵀ r times a factor, of points with a body that is not free: what joints bear comes from nothing else.
    pub(crate) fn write_loads(&self, impulses: &[Triple], factor: f64, loads: &mut Direction) {
        loads.clear();
        let each = self.answers.iter().zip(impulses).filter_map(|(answers, r)| Some((answers.as_ref()?, r)));
        for (answers, impulse) in each {
            for (Answer { direction, .. }, r) in answers.iter().zip(impulse) {
                let by = r * factor;
                loads.wrenches.extend(direction.wrenches.iter().map(|(link, wrench)| (*link, *wrench * by)));
                loads
                    .efforts
                    .extend(direction.efforts.iter().map(|(freedom, effort)| (*freedom, effort * by)));
            }
        }
    }

    /// Adds M⁻¹ Hᵀ r to changes of the freedoms.
    pub(crate) fn push(
        &self,
        evaluator: &Evaluator<'_>,
        points: &[NearPoint],
        impulses: &[Triple],
        change: &mut [f64],
    ) {
        let mechanics = &evaluator.system.mechanics;
        for (index, impulse) in impulses.iter().enumerate().filter(|(_, r)| **r != [0.0; 3]) {
            if let Some(answers) = &self.answers[index] {
                for (answer, r) in answers.iter().zip(impulse) {
                    for (freedom, rate) in &answer.response.freedoms {
                        change[*freedom] += r * rate;
                    }
                }
            }
            for side in self.sides[index].iter().flatten() {
                let link = &mechanics.links[side.link];
                let axes = &points[index].axes;
                let sum = |v: &[Vec3; 3]| v[0] * impulse[0] + v[1] * impulse[1] + v[2] * impulse[2];
                let linear = sum(axes) * (side.sign * side.inverse_mass);
                let turn = evaluator.workspace.bodies[link.body]
                    .pose
                    .rotation
                    .tr_mul(&(sum(&side.turns) * side.sign));
                let own = &mut change[link.freedoms()];
                for k in 0..3 {
                    own[k] += linear[k];
                    own[3 + k] += turn[k];
                }
            }
        }
    }
}

/// Place of a column in the row that is being written, which may be a new one.
fn place_of(
    places: &mut [(usize, usize)],
    row: &mut Vec<(usize, [f64; 9])>,
    index: usize,
    column: usize,
) -> usize {
    if places[column].0 != index {
        places[column] = (index, row.len());
        row.push((column, [0.0; 9]));
    }
    places[column].1
}

#[inline(always)]
fn add_block(block: &mut [f64; 9], own: &Side, theirs: &Side, axes: &[Vec3; 3], other_axes: &[Vec3; 3]) {
    let sign = own.sign * theirs.sign;
    let linear = sign * own.inverse_mass;
    for k in 0..3 {
        for l in 0..3 {
            block[3 * k + l] +=
                linear * axes[k].dot(&other_axes[l]) + sign * own.moments[k].dot(&theirs.turns[l]);
        }
    }
}

/// A free side against a point that moves its body by an answer.
fn add_answered(block: &mut [f64; 9], own: &Side, answers: &Option<Box<[Answer; 3]>>, axes: &[Vec3; 3]) {
    let Some(answers) = answers else { return };
    for (l, answer) in answers.iter().enumerate() {
        for (_, twist) in answer.response.links.iter().filter(|(link, _)| *link == own.link) {
            for k in 0..3 {
                block[3 * k + l] +=
                    own.sign * (axes[k].dot(&twist.linear) + own.moments[k].dot(&twist.angular));
            }
        }
    }
}

/// Side k of a point, if its body moves.
fn side(evaluator: &Evaluator<'_>, point: &NearPoint, k: usize) -> Option<Side> {
    let body = point.bodies[k];
    let (data, kinematics) = (&evaluator.system.mechanics.bodies[body], &evaluator.workspace.bodies[body]);
    let link = data.link?;
    let arm = point.motion.position - kinematics.pose.translation;
    let moments = point.axes.map(|axis| arm.cross(&axis));
    let rotation: &Mat3 = &kinematics.pose.rotation;
    let turns = moments.map(|moment| rotation * (data.inverse_inertia * rotation.tr_mul(&moment)));
    let sign = if k == 0 { -1.0 } else { 1.0 };
    Some(Side { link, sign, inverse_mass: 1.0 / data.mass, moments, turns })
}

//! Outlines in a plane: a contact for every vertex, or edge, that may touch.

use carom_geometry::planar::{
    Against, Looks, Within, contact_against, gives_way, is_own_place, least_gap, met_at_corner,
    next_features, on_held_piece, rates,
};
use carom_geometry::{ContactPoint, ContactRates, RigidMotion, Shape};
use carom_math::{Pose, Vec2, Vec3};
use carom_solvers::crossing::{Look, least_above_chord};

use super::course::Course;
use super::placed::Placed;
use super::point::motion_at;
use super::search_fault::SearchFault;
use super::step_view::Seen;
use super::{Evaluator, PointMotion};
use crate::model::IntegratorKind;
use crate::record::ContactMode;
use crate::system::{PairSource, PlanarPair, System};

/// Gap (m) of what cannot touch now: a number whose rounding is one.
const FAR: f64 = 1e30;

/// Over the skin of a pair: gaps beyond which no vertex is at a corner, and what it can move by and still be there.
const AT_CORNER: f64 = 1e-5;

/// Contact point of a contact and its motion. Deeper than the skin its gap is not a number, and the fault is kept.
pub(super) fn planar_motion(
    evaluator: &Evaluator<'_>,
    pair: &PlanarPair,
    contact_index: usize,
    placed: &Placed<'_>,
) -> PointMotion {
    let [a, b] = shapes(&evaluator.system, pair);
    let [x_wa, x_wb] = placed.poses;
    let feature = pair.primary(evaluator.table.contacts[contact_index].feature);
    let memory = &evaluator.contacts.memory[contact_index];
    let is_closed = memory.mode != ContactMode::Open;
    let held = || on_held_piece((a, x_wa), (b, x_wb), feature, memory.face as usize);
    let free = || {
        let edges = edges_of(evaluator, pair, contact_index);
        let free = contact_against((a, x_wa), (b, x_wb), feature, edges)?;
        Some(if is_barred(evaluator, pair, contact_index) { ContactPoint { gap: FAR, ..free } } else { free })
    };
    let found = stays_on_piece(evaluator, contact_index).then(held).flatten().or_else(free);
    let mut point = found.unwrap_or(ContactPoint { gap: f64::NAN, ..ContactPoint::ZERO });
    if is_closed && point.gap < -pair.skin {
        evaluator.search.note_fault(contact_index, SearchFault::Skin { deepest: pair.skin });
        point.gap = f64::NAN;
    }
    let mut motion = motion_of(&point, placed);
    if !is_closed && passes_at(evaluator, pair, contact_index, (placed.poses, &motion)) {
        motion.gap = motion.gap.max(f64::MIN_POSITIVE);
    }
    motion
}

fn motion_of(point: &ContactPoint, placed: &Placed<'_>) -> PointMotion {
    let [x_wa, x_wb] = placed.poses;
    let operands = x_wa.translation.amax().max(x_wb.translation.amax()).max(point.point_a.amax());
    motion_at(point, placed.bodies, operands)
}

/// Does what an open contact is of pass a corner of an outline where the evaluator is?
pub(super) fn passes(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let PairSource::Planar(pair) = &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source
    else {
        return false;
    };
    let poses = pair.surfaces.map(|s| &evaluator.surfaces[s]);
    passes_at(evaluator, pair, contact, (poses, &evaluator.motion_of(contact)))
}

/// Does a vertex that touches, rigid by events, give way to a corner there? It is open until it has passed that, however slowly.
fn passes_at(
    evaluator: &Evaluator<'_>,
    pair: &PlanarPair,
    contact: usize,
    (poses, motion): ([&Pose; 2], &PointMotion),
) -> bool {
    motion.gap.abs() <= AT_CORNER * pair.skin
        && is_by_events(evaluator, contact)
        && gives_way_at(evaluator, (pair, contact), poses, &motion.velocity(), Within::TOUCH)
}

fn gives_way_at(
    evaluator: &Evaluator<'_>,
    (pair, contact): (&PlanarPair, usize),
    [x_wa, x_wb]: [&Pose; 2],
    velocity: &Vec3,
    within: Within,
) -> bool {
    let [a, b] = shapes(&evaluator.system, pair);
    let feature = pair.primary(evaluator.table.contacts[contact].feature);
    gives_way((a, x_wa), (b, x_wb), feature, (edges_of(evaluator, pair, contact), velocity), within)
}

/// What a corner of an outline does that comes to a corner of another one.
pub(crate) enum AtCorner {
    /// It passes that: the contact is not its own.
    GivesWay,
    /// It meets one of the edges there.
    Meets(PointMotion),
}

/// What a corner of an outline does where the evaluator is, as B moves at a velocity against A (m/s), at a corner that it comes to, or has come from; none of what is at none.
/// What has `pressed` already, along this normal, stays on that side.
pub(crate) fn at_corner(
    evaluator: &Evaluator<'_>,
    contact: usize,
    velocity: &Vec3,
    (within, pressed): (Within, Option<Vec3>),
) -> Option<AtCorner> {
    let data = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let PairSource::Planar(pair) = &data.source else { return None };
    let poses = pair.surfaces.map(|s| &evaluator.surfaces[s]);
    if pressed.is_none() && gives_way_at(evaluator, (pair, contact), poses, velocity, within) {
        return Some(AtCorner::GivesWay);
    }
    let [a, b] = shapes(&evaluator.system, pair);
    let [a, b] = [(a, poses[0]), (b, poses[1])];
    let feature = pair.primary(evaluator.table.contacts[contact].feature);
    let how = (edges_of(evaluator, pair, contact), velocity);
    let edge = met_at_corner(a, b, feature, how, (within, pressed))?;
    let point = on_held_piece(a, b, feature, edge)?;
    let bodies = data.bodies.map(|body| &evaluator.workspace.bodies[body]);
    Some(AtCorner::Meets(motion_of(&point, &Placed { poses, bodies })))
}

/// Is a contact of outlines where the evaluator is, of a circle with the edge or corner that it is over? What it says elsewhere bounds how far it is
/// from there, along the normal of an edge that does not meet it.
pub(super) fn is_in_place(evaluator: &Evaluator<'_>, pair: &PlanarPair, contact: usize) -> bool {
    let [a, b] = shapes(&evaluator.system, pair);
    let [x_wa, x_wb] = pair.surfaces.map(|s| &evaluator.surfaces[s]);
    is_own_place((a, x_wa), (b, x_wb), pair.primary(evaluator.table.contacts[contact].feature))
}

fn shapes<'a>(system: &'a System, pair: &PlanarPair) -> [&'a Shape; 2] {
    pair.surfaces.map(|s| &system.surfaces[s].shape)
}

/// Rates of a contact that stays on its piece; none of others, or where its normal does not go on.
pub(super) fn planar_rates(
    evaluator: &Evaluator<'_>,
    pair: &PlanarPair,
    contact: usize,
    motions: [&RigidMotion; 2],
) -> Option<ContactRates> {
    let [a, b] = shapes(&evaluator.system, pair);
    let [x_wa, x_wb] = pair.surfaces.map(|s| &evaluator.surfaces[s]);
    let feature = pair.primary(evaluator.table.contacts[contact].feature);
    let piece = evaluator.contacts.memory[contact].face as usize;
    stays_on_piece(evaluator, contact)
        .then(|| rates((a, x_wa), (b, x_wb), (feature, piece), motions))
        .flatten()
}

/// A rigid contact that is closed stays on its edge's line, so that its gap is smooth: that it leaves the edge is an event.
fn stays_on_piece(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    evaluator.contacts.memory[contact].mode != ContactMode::Open && is_by_events(evaluator, contact)
}

/// Is the contact rigid, and its changes events?
fn is_by_events(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    evaluator.system.settings.method != IntegratorKind::Moreau && evaluator.table.is_rigid(contact)
}

/// The edges that an open contact of outlines may be of: a vertex in a hollow has two contacts, and what one of them is held on the
/// other is not.
pub(super) fn edges_of(evaluator: &Evaluator<'_>, pair: &PlanarPair, contact: usize) -> Against {
    let feature = evaluator.table.contacts[contact].feature;
    let twin = pair.twin(feature).map(|twin| &evaluator.contacts.memory[contact - feature + twin]);
    match twin.filter(|twin| twin.mode != ContactMode::Open && is_by_events(evaluator, contact)) {
        Some(twin) => Against::Beside(twin.face as usize),
        None if pair.is_second(feature) => Against::Second,
        None if !evaluator.table.is_rigid(contact) => Against::Soft,
        None if evaluator.system.settings.method == IntegratorKind::Moreau => Against::Stepped,
        None => Against::Rigid,
    }
}

/// Is a contact open of which a circle is held on the next edge? It is the other's until it leaves that.
fn is_barred(evaluator: &Evaluator<'_>, pair: &PlanarPair, contact: usize) -> bool {
    let memory = &evaluator.contacts.memory;
    is_by_events(evaluator, contact)
        && memory[contact].mode == ContactMode::Open
        && on_next_edges(evaluator, pair, contact)
            .into_iter()
            .flatten()
            .any(|other| memory[other].mode != ContactMode::Open)
}

/// Contacts of the same circle on the edges before and after.
fn on_next_edges(evaluator: &Evaluator<'_>, pair: &PlanarPair, contact: usize) -> [Option<usize>; 2] {
    let feature = evaluator.table.contacts[contact].feature;
    let [a, b] = shapes(&evaluator.system, pair);
    next_features(a, b, feature).map(|next| next.map(|next| contact - feature + next))
}

/// Forgets how far open contacts of outlines were whose gaps depend on what this one was held on: what it has let go of may be theirs.
pub(super) fn forget_kin(evaluator: &mut Evaluator<'_>, contact: usize) {
    let data = &evaluator.table.contacts[contact];
    let PairSource::Planar(pair) = &evaluator.table.pairs[data.pair].source else { return };
    let twin = pair.twin(data.feature).map(|twin| contact - data.feature + twin);
    for other in on_next_edges(evaluator, pair, contact).into_iter().chain([twin]).flatten() {
        evaluator.contacts.certificates[other] = f64::NEG_INFINITY;
    }
}

impl Course<'_> {
    /// Least gap of outlines between two looks (m).
    pub(super) fn least_of_outlines(&self, pair: &PlanarPair, [a, b]: [&Look<Seen>; 2]) -> f64 {
        let system = &*self.evaluator.system;
        if is_barred(self.evaluator, pair, self.contact) {
            return f64::INFINITY;
        }
        let [shape_a, shape_b] = shapes(system, pair);
        let width = (b.at - a.at) / self.h;
        let bodies = pair.surfaces.map(|s| system.surfaces[s].body);
        let travel = self.path.relative_travel(bodies, false) * width;
        let passes = |look: &Look<Seen>| {
            let [x_wa, x_wb] = &look.seen.poses;
            passes_at(self.evaluator, pair, self.contact, ([x_wa, x_wb], &look.seen.motion))
        };
        // What passes a corner at both looks does so between.
        if travel <= AT_CORNER * pair.skin && passes(a) && passes(b) {
            return a.seen.motion.gap.min(b.seen.motion.gap);
        }
        let [poses_a, poses_b] = [&a.seen.poses, &b.seen.poses];
        let looks = Looks {
            poses: [[&poses_a[0], &poses_a[1]], [&poses_b[0], &poses_b[1]]],
            travel,
            turn: bodies.map(|body| self.path.bodies[body].spin).iter().sum::<f64>() * width,
            slack: a.z - a.seen.motion.gap,
        };
        let bending = [0, 1].map(|mover| {
            let (surfaces, poses) = if mover == 0 {
                (pair.surfaces, *poses_a)
            } else {
                ([pair.surfaces[1], pair.surfaces[0]], [poses_a[1], poses_a[0]])
            };
            self.bending_over(surfaces, &poses)
        });
        // Over a line that does not turn only what moves along its normal counts.
        let along = |mover: usize, normal: Vec2| {
            let (body, ground) = (bodies[mover], bodies[1 - mover]);
            let n = poses_a[1 - mover].rotation * Vec3::new(normal.x, normal.y, 0.0);
            let stays = self.path.bodies[ground].spin == 0.0;
            if stays { self.path.bending([ground, body], &n) } else { bending[mover] }
        };
        let feature = pair.primary(self.evaluator.table.contacts[self.contact].feature);
        let edges = edges_of(self.evaluator, pair, self.contact);
        least_gap((shape_a, shape_b), &looks, (feature, edges), |(mover, normal), first, last| {
            let bending = normal.map_or(bending[mover], |normal| along(mover, normal));
            least_above_chord(first, last, bending, width)
        })
    }
}
